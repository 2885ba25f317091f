"""The demo's story: six questions about one classifier, each with the commands that answer it."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from askpoint.cli.report import capture_report
from askpoint.records.artefacts import make_folder, write_text
from askpoint.records.costs import read_costs
from askpoint.records.datasets import digits_images, digits_log, digits_reviews
from askpoint.reports.document import Document, Figures, Grid, Paragraph, Picture, Section
from askpoint.reports.words import count, work_time

__all__ = ["demo_steps"]

_LOG = 700  # digits of the log; those after them come in the week
_LABELLED, _JUDGED, _NEXT, _CHECKED = 100, 300, 100, 100
_CHECK = 0.5  # what a check costs: a minute at 30 an hour
_MONEY = ("--check", str(_CHECK), "--currency", "EUR")
_CHECKS = 20  # what one mistake is worth to the person who is simulated
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_AUDITED = 0.1
_SHOWN = 12
_AFTER = "2026-03-09T08:00"


def demo_steps(folder: Path) -> Iterator[tuple[str, Section]]:
    """Yield what is being done, and each question with its answer; files go into `folder`."""
    story = _Story(folder)
    for told, step in (
        ("Asking a simulated person ten questions ...", story.price),
        ("Choosing a threshold from 100 labels ...", story.value),
        ("Choosing digits to label ...", story.proposal),
        ("Looking where it is confident but wrong ...", story.examination),
        ("Evaluating three reviewers ...", story.judges),
        ("Living through a week ...", story.week),
    ):
        yield told, step()


class _Story:
    def __init__(self, folder: Path) -> None:
        self.folder = make_folder(folder)
        for left in ("next.csv", "sample.csv"):  # of a demo that ran before
            (folder / left).unlink(missing_ok=True)
        shutil.rmtree(folder / "policy", ignore_errors=True)
        self.all = digits_log()
        self.known = self.all[:_LOG]
        rng = np.random.default_rng(0)
        looked = np.zeros(_LOG, dtype=np.bool_)
        looked[rng.choice(_LOG, _LABELLED, replace=False)] = True
        label = pl.when(pl.Series(looked)).then(pl.col("label")).otherwise(None)
        self.log = self._write("digits.csv", self.known.with_columns(label=label))
        self.costs = self._path("costs.json")

    def price(self) -> Section:
        words = ("--questions", "0", "--simulate", str(_CHECKS), "--out", self.costs)
        money = ("--check-cost", str(_CHECK), "--unit", "EUR")
        document, typed = self._run("elicit", self.log, *words, *money)
        told = " ".join(block.whole for block in _paragraphs(document)[:2])
        who = Paragraph("Ten offers to a simulated person. A check is a reviewer's minute:")
        return Section(
            "What does a mistake cost?",
            (who, Paragraph(told)),
            commands=(typed,),
            inside=document.sections[1:],
        )

    def value(self) -> Section:
        document, typed = self._run("value", self.log, "--costs", self.costs, *_MONEY)
        shown = [it for it in document.sections[0].blocks if isinstance(it, Figures | Picture)]
        self.expected = _expectation_table(document)
        return Section(
            "Which decisions may it take alone?",
            (_paragraphs(document)[0], *shown, self.expected),
            commands=(typed,),
            inside=document.sections[2:],
        )

    def proposal(self) -> Section:
        path = self._path("next.csv")
        given = ("value", self.log, "--costs", self.costs, *_MONEY)
        _, first = self._run(*given, "--propose", str(_NEXT), "--to", path)
        chosen = pl.read_csv(path, infer_schema=False)
        ids = chosen["id"].cast(pl.Int64)
        chosen.with_columns(label=pl.Series(self._truth(ids).tolist())).write_csv(path)
        document, second = self._run(*given, "--labels", path)
        picture = self._picture("Some of the digits to label next", ids[:_SHOWN].to_list())
        policy, *numbers = _expectation_table(document).rows[0]
        before = (f"with {_LABELLED} labels", *self.expected.rows[0][1:])
        rows = (before, (f"with {_LABELLED + _NEXT} labels", *numbers))
        grid = replace(self.expected, columns=(policy, *self.expected.columns[1:]), rows=rows)
        grid = replace(grid, title="Once a reviewer has labelled the 100 digits that tell most")
        return Section("What to label next?", (grid, picture), commands=(first, second))

    def examination(self) -> Section:
        path = self._path("sample.csv")
        drawn = ("--out", path, "--n", str(_JUDGED), "--method", "random")
        _, first = self._run("examine", self.log, *drawn)
        sample = pl.read_csv(path, infer_schema=False)
        truth = self._truth(sample["id"].cast(pl.Int64))
        sample.with_columns(label=pl.Series(truth.tolist()), judge=pl.lit("Ada")).write_csv(path)
        document, second = self._run("examine", self.log, "--judged", path)
        lines = _section(document, "Where the model is confident but wrong").blocks[0]
        worst = replace(lines, rows=lines.rows[:3], note="") if isinstance(lines, Grid) else lines
        lead = _paragraphs(document)[0]
        picture = self._picture("Surely read, and wrongly", self._surely_wrong())
        return Section(
            "Where is it confident but wrong?",
            (lead, worst, picture),
            commands=(first, second),
            inside=document.sections,
        )

    def judges(self) -> Section:
        votes = digits_reviews(self.all)
        labels = votes.select("task", label="truth").sample(_CHECKED, seed=0)
        gold = self._write("checked.csv", labels)
        table = self._write("votes.csv", votes.drop("truth"))
        document, typed = self._run("judges", table, "--gold", gold)
        right = float(np.mean(votes["truth"].to_numpy() == "right"))
        who = Paragraph(
            f"Three reviewers, each with half of each picture: is it right? (In truth: {right:.0%}.)"
        )
        return Section(
            "How good are the reviewers?",
            (who, _paragraphs(document)[0]),
            commands=(typed,),
            inside=document.sections,
        )

    def week(self) -> Section:
        home, costs = self._path("policy"), self.costs
        batch, labels = self._path("today.csv"), self._path("labels.csv")
        opened = ("--audit", str(_AUDITED), "--out", f"{home}/policy.json")
        _, first = self._run("deploy", self.log, "--costs", costs, *opened)
        rows, parts = [], np.array_split(np.arange(_LOG, len(self.all)), len(_DAYS))
        for number, (day, part) in enumerate(zip(_DAYS, parts, strict=True), start=2):
            cases = self.all[part.tolist()].rename({"id": "key"})
            at = f"2026-03-{number:02}T"
            cases.drop("label").write_csv(batch)
            self._run("decide", home, batch, "--at", f"{at}08:00", "--out", batch)
            decided = pl.read_csv(batch)
            self._run("watch", home, "--to-label", labels, "--at", f"{at}17:00")
            self._fill_in(labels)
            self._run("label", home, labels, "--at", f"{at}18:00")
            rows.append(_day(day, decided, cases["label"]))
        document, _ = self._run("watch", home, "--rho", f"{self.rho:.4f}", "--at", _AFTER)
        good = _section(document, "Quality").blocks[0]
        total = [sum(int(row[i]) for row in rows) for i in range(1, 6)]
        grid = Grid(
            "The next digits, day by day",
            ("", "digits", "decided alone", "to review", "audited", "wrong, unseen"),
            (*rows, ("the week", *map(str, total))),
            "It begins with 200 labels; audits are drawn at random in each run. Wrong, unseen: only a demo knows.",
        )
        digits, _, asked, audited, wrong = total
        spent = asked + audited + wrong / self.rho
        truth = Paragraph(
            f"In truth: {count(_CHECK * spent)} EUR and {_hours(asked + audited)}. Reviewing all: "
            f"{count(_CHECK * digits)} EUR and {_hours(digits)}."
        )
        return Section(
            "What does a week with people look like?",
            (grid, truth, good),
            commands=(first, "askpoint decide policy today.csv; and label, watch, every day"),
            inside=document.sections,
        )

    @property
    def rho(self) -> float:
        """Price of a check in mistakes, as the ten answers say."""
        price = read_costs(self.costs).one_price
        return 1 / _CHECKS if price is None else price[1] / price[0]

    def _fill_in(self, path: str) -> None:
        wanted = pl.read_csv(path, schema_overrides={"key": pl.Int64})
        truth = pl.Series(self._truth(wanted["key"]).tolist(), dtype=pl.String)
        wanted.with_columns(label=truth, judge=pl.lit("Ada")).write_csv(path)

    def _run(self, *words: str) -> tuple[Document, str]:
        document = capture_report(words)
        names = (word.removeprefix(f"{self.folder}/") for word in words)
        typed = shlex.join(["askpoint", *names])
        return (Document("", ()) if document is None else document), typed

    def _path(self, name: str) -> str:
        return str(self.folder / name)

    def _write(self, name: str, frame: pl.DataFrame) -> str:
        return str(write_text(self.folder / name, frame.write_csv()))

    def _rows(self, ids: pl.Series) -> list[int]:
        first = int(self.all["id"][0])
        return [int(one) - first for one in ids]

    def _truth(self, ids: pl.Series) -> Any:
        return self.all["label"].to_numpy()[self._rows(ids)]

    def _answers(self, ids: pl.Series) -> Any:
        proba = self.all.select("^proba_.*$")
        names = np.array([name.removeprefix("proba_") for name in proba.columns], dtype=object)
        return names[proba.to_numpy()[self._rows(ids)].argmax(axis=1)]

    def _surely_wrong(self) -> list[int]:
        """The digits of the log that it reads wrongly and most surely."""
        ids = self.known["id"]
        sure = self.known.select(pl.max_horizontal("^proba_.*$")).to_series().to_numpy()
        wrong = np.flatnonzero(self._answers(ids) != self._truth(ids))
        surest = wrong[np.argsort(-sure[wrong], kind="stable")[:_SHOWN]]
        return [int(ids[row]) for row in surest.tolist()]

    def _picture(self, title: str, ids: list[int]) -> Picture:
        known = pl.Series(ids, dtype=pl.Int64)
        said, truth = self._answers(known), self._truth(known)
        names = [f"read {a}, is {b}" for a, b in zip(said, truth, strict=True)]
        images = digits_images(ids)

        def draw(ax: Any) -> None:
            ax.axis("off")
            columns, rows = 4, -(-len(ids) // 4)
            for place, (image, name) in enumerate(zip(images, names, strict=True)):
                row, column = divmod(place, columns)
                box = ax.inset_axes(
                    (column / columns, 1 - (row + 0.8) / rows, 0.9 / columns, 0.76 / rows)
                )
                box.imshow(image, cmap="gray_r", interpolation="nearest")
                box.set(xticks=[], yticks=[])
                box.set_xlabel(name, fontsize=9)

        return Picture(title, f"{title}: {'; '.join(names)}", draw, 3.0)


def _hours(checks: float) -> str:
    """Say how long so many checks take, a minute each."""
    return work_time(60 * checks)


def _paragraphs(document: Document) -> list[Paragraph]:
    return [block for block in document.sections[0].blocks if isinstance(block, Paragraph)]


def _expectation_table(document: Document) -> Grid:
    """What to expect of new cases, with short names."""
    (grid,) = _section(document, "Compared with simpler policies").blocks
    if not isinstance(grid, Grid):
        raise TypeError(grid)
    short = {
        "send every case to review": "review all",
        "let the model decide every case": "review none",
    }
    rows = tuple((short.get(row[0], row[0]), *row[1:]) for row in grid.rows)
    return replace(grid, rows=rows, note="")


def _section(document: Document, title: str) -> Section:
    return next(section for section in document.sections if section.title == title)


def _day(day: str, decided: pl.DataFrame, truth: pl.Series) -> tuple[str, ...]:
    answered = decided["action"] == "answer"
    seen = decided["audit"].fill_null(value=False)
    wrong = decided["prediction"].cast(pl.String) != truth
    numbers = (len(decided), answered.sum(), (~answered).sum(), (answered & seen).sum())
    return (day, *map(str, numbers), str((answered & ~seen & wrong).sum()))
