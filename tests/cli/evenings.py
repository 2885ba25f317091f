"""Made evenings: a log of any kind, what is wanted of it, and what people fill in when cases are proposed.

``python evenings.py FIRST LAST`` runs them, and prints how each ended, one JSON object a line.
"""

from __future__ import annotations

import collections
import csv
import json
import random
import re
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from click.testing import CliRunner

SHAPES = (
    "good",
    "good",
    "poor",
    "confident but wrong",
    "right",
    "wrong",
    "one class",
    "tied",
    "backwards",
)
OBJECTIVES = (
    (),
    ("--rho", "0.05"),
    ("--rho", "0.4"),
    ("--rho", "0.001"),
    ("--mistake", "40", "--check", "2.5"),
    ("--mistake", "40", "--check", "2.5", "--volume", "10000/month", "--seconds-per-check", "30"),
    ("--ask-at-most", "0.2"),
    ("--ask-at-most", "400/day", "--volume", "1000/day"),
    ("--max-error", "0.05"),
    ("--max-error", "0.1", "--guarantee", "0.1"),
    ("--beta", "1"),
    ("--prices", "1,-0.2,-6"),
    ("--check-price", "0.02", "--people-right", "0.93"),
    ("--min-recall", "c1=0.8"),
    ("--min-precision", "c1=0.8"),
)


class Evening(NamedTuple):
    """A log, the options of a run, how many cases are proposed, and the truth by id."""

    rows: list[dict[str, object]]
    words: tuple[str, ...]
    proposed: int
    truth: dict[str, str]
    kind: str


def make_evening(seed: int) -> Evening:
    """Return one evening, made from its seed alone."""
    rng = random.Random(seed)
    n = rng.choice((1, 2, 3, 5, 9, 17, 40, 40, 120, 120, 300, 300, 800))
    k = rng.choice((2, 2, 2, 3, 5))
    shape, labelled = rng.choice(SHAPES), rng.choice((1.0, 0.5, 0.2, 0.2, 0.03, 0.0))
    columns = {name for name in ("region", "weight", "user") if rng.random() < 0.2}
    models = ("old", "new") if rng.random() < 0.1 else (None,)
    steps = rng.choice((4, 16, 64, 10**9, 10**9))
    heavy = rng.choice((1.0, 30.0, 1e6))
    rows, truth = [], {}
    for i in range(n):
        weight, user, region = heavy ** rng.random(), rng.randrange(1 + n // 3), rng.choice("xyz")
        is_labelled, real = rng.random() < labelled, rng.randrange(k)
        for model in models:
            row, label = _case(rng, k, shape, steps, real)
            truth.setdefault(str(i), label)
            row |= {"id": str(i), "label": truth[str(i)] if is_labelled else ""}
            row |= {"region": region} if "region" in columns else {}
            row |= {"weight": weight} if "weight" in columns else {}
            row |= {"user": f"u{user}"} if "user" in columns else {}
            row |= {"model": model} if model else {}
            rows.append(row)
    words = rng.choice(OBJECTIVES)
    words += ("--by", "region") if "region" in columns else ()
    words += ("--weight", "weight") if "weight" in columns else ()
    words += ("--cluster", "user") if "user" in columns else ()
    words += ("--model", "model") if models[0] else ()
    words += ("--labels-are-random",) if rng.random() < 0.5 else ()
    is_judged = rng.random() < 0.15 and words[:1] in {("--rho",), ("--max-error",), ("--prices",)}
    words += ("--threshold", str(rng.choice((0.5, 0.9)))) if is_judged else ()
    unlabelled = sum(not row["label"] for row in rows) if models[0] is None else 0
    proposed = min(rng.choice((0, 1, 5, 20, 60)), unlabelled)
    return Evening(rows, words, proposed, truth, f"{shape}, n={n}, k={k}")


def _case(rng, k, shape, steps, real):
    """One case: probabilities, and its label."""
    top = 0.5 + 0.5 * rng.random() ** 0.5
    top = max(round(top * steps) / steps, 1 / k)
    chance = {
        "right": 1.0, "wrong": 0.0, "poor": 0.6, "backwards": 1.5 - top,
        "confident but wrong": 0.3 if top > 0.9 else 0.9, "tied": 0.8,
    }.get(shape, top)  # fmt: skip
    top = 0.75 if shape == "tied" else top
    said = 0 if shape == "one class" else real
    rest = [rng.random() + 1e-9 for _ in range(k - 1)]
    parts = [(1 - top) * part / sum(rest) for part in rest]
    parts.insert(said, top)
    label = said if rng.random() < chance else (said + rng.randrange(1, k)) % k
    label = 0 if shape == "one class" else label
    return {f"proba_c{j}": part for j, part in enumerate(parts)}, f"c{label}"


class Ended(NamedTuple):
    """How a run ended: its code, its words for an error, the sections it lost, and its JSON."""

    code: int
    error: str
    lost: tuple[str, ...]
    content: dict[str, object] | None


def live_evening(evening: Evening, folder: Path, *extra: str) -> list[Ended]:
    """Ask, fill in what was proposed if anything was, and ask again."""
    log, labels = folder / "log.csv", folder / "to_label.csv"
    _write(log, evening.rows)
    labels.unlink(missing_ok=True)
    more = ("--propose", str(evening.proposed), "--to", str(labels)) if evening.proposed else ()
    runs = [_run("value", str(log), *evening.words, *more, "--json", *extra)]
    if labels.exists():
        with labels.open(newline="", encoding="utf-8") as file:
            filled = [row | {"label": evening.truth[row["id"]]} for row in csv.DictReader(file)]
        _write(labels, filled)
        runs.append(
            _run("value", str(log), *evening.words, "--labels", str(labels), "--json", *extra)
        )
    return runs


def _write(path, rows):
    with path.open("w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, list(rows[0]))
        table.writeheader()
        table.writerows(rows)


def _run(*words):
    from askpoint.cli.main import main

    done = CliRunner().invoke(main, words)
    error = done.stderr.strip() if done.exit_code else ""
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        error = f"{type(done.exception).__name__}: {done.exception}"
        return Ended(70, error, (), None)
    content = json.loads(done.stdout) if done.exit_code == 0 else None
    lost = tuple(one["section"] for one in (content or {}).get("lost", ()))
    return Ended(done.exit_code, error, lost, content)


def main(first: int, last: int, *extra: str) -> None:
    """Run evenings, and print what became of them."""
    counted: collections.Counter[str] = collections.Counter()
    with tempfile.TemporaryDirectory() as name:
        for seed in range(first, last):
            evening = make_evening(seed)
            for ended in live_evening(evening, Path(name), *extra):
                counted[f"code {ended.code}"] += 1
                for section in ended.lost:
                    counted[f"lost {section}"] += 1
                if ended.error or ended.lost:
                    told = {"seed": seed, "kind": evening.kind, "words": evening.words}
                    why = re.sub(r"/\S+/", "", ended.error)
                    told |= {"code": ended.code, "error": why, "lost": ended.lost}
                    sys.stdout.write(json.dumps(told) + "\n")
                    sys.stdout.flush()
    sys.stdout.write(json.dumps(counted) + "\n")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:])
