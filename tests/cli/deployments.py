"""Days of a deployment through the command line: cases, what a model says, what people find."""

from __future__ import annotations

import csv
import random
import shutil

from askpoint.records.stores.deployment import Deployment

CLASSES = ("no", "yes")


def day_of(day, n=300, seed=0, *, broken=False):
    """Cases of a day as rows of a batch, and the truth by key."""
    rng = random.Random(1000 * seed + day)
    rows, truth = [], {}
    for i in range(n):
        c = 0.5 + 0.5 * rng.random() ** 0.5
        said = rng.random() < 0.5
        p = 0.5 if broken else min(0.5, 1.2 * (1 - c) ** 1.5)
        key, yes = f"d{day}-{i}", c if said else 1 - c
        rows.append({"key": key, "proba_no": 1 - yes, "proba_yes": yes, "text": f"post {key}"})
        truth[key] = CLASSES[said ^ (rng.random() < p)]
    return rows, truth


def log_of(n=600, seed=7, labelled=bool):
    """A log of labelled cases."""
    rows, truth = day_of(0, n, seed)
    return [row | {"label": truth[row["key"]] if labelled(row) else ""} for row in rows]


def moment(day, hour=8):
    """The same day in March, or April."""
    return f"2026-{3 + day // 28:02}-{1 + day % 28:02}T{hour:02}:00"


class Folder:
    """A deployment, its shell and its people."""

    def __init__(self, shell, name="posts"):
        self.shell, self.name = shell, name
        self.path = shell.folder / name
        self.policy = self.path / "policy.json"

    def copy(self, shell, name="posts"):
        """Return a copy in another shell's folder."""
        shutil.copytree(self.path, shell.folder / name)
        return Folder(shell, name)

    def deploy(self, *flags, log=None):
        words = [] if log is None else [self.shell.write("log.csv", log)]
        return self.shell.run("deploy", *words, *flags, "--out", self.policy)

    def decide(self, rows, day=1, *flags):
        batch = self.shell.write(f"batch{day}.csv", rows)
        return self.shell.run("decide", self.policy, batch, "--at", moment(day), *flags)

    def wanted(self, day=1):
        path = self.shell.folder / "next.csv"
        self.shell.run("watch", self.path, "--to-label", path, "--at", moment(day, 9))
        with path.open(newline="") as file:
            return list(csv.DictReader(file))

    def label(self, rows, day=1):
        labels = self.shell.write("labels.csv", rows)
        return self.shell.run("label", self.path, labels, "--at", moment(day, 18))

    def decisions(self):
        """All that was decided, as a table."""
        with Deployment(self.path) as deployment:
            return deployment.decisions()

    def live(self, day, **options):
        """Decide a day and let Bob answer what is asked."""
        rows, truth = day_of(day, **options)
        made = self.decide(rows, day)
        assert made.exit_code == 0, made.output
        answers = [row | {"label": truth[row["key"]], "judge": "Bob"} for row in self.wanted(day)]
        if answers:
            told = self.label(answers, day)
            assert told.exit_code == 0, told.output
        return rows, truth
