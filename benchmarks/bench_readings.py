"""How often is a reading of a table right, which names and values of its columns decide?

    python benchmarks/bench_readings.py [N] [SEED] [hard]

A made table has an id, the truth, a model's answer with a confidence (or probabilities, or the probability of
one class), or judges' votes, under headers of six languages or none at all, among columns that are neither. It
is right if its kind is, and the columns that it names. Hard: few rows, headers that are letters, a confidence that tells
little, a second column of labels, a flag and a score that have nothing to do with the answer.
"""

from __future__ import annotations

import collections
import csv
import json
import random
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from click.testing import CliRunner

from askpoint.cli.main import main as askpoint

TRUTHS = ("label", "y", "target", "gold", "actual", "wahrheit", "verite", "etiqueta", "esito", "c1", "final_status",
          "reviewed", "resolution", "outcome", "klasse", "col_a", "ground_truth", "qa_result")  # fmt: skip
ANSWERS = ("prediction", "pred", "y_hat", "model_output", "vorhersage", "prediccion", "risposta", "c2", "auto_tag",
           "assigned", "decision", "bot", "col_b", "suggested", "predicted_label")  # fmt: skip
SCORES = (
    "confidence",
    "score",
    "proba",
    "p",
    "sicherheit",
    "confianza",
    "c3",
    "certainty",
    "prob",
    "col_c",
    "strength",
)
JUDGES = (
    "gpt",
    "claude",
    "anna",
    "bob",
    "rater_1",
    "rater_2",
    "judge_a",
    "judge_b",
    "v1",
    "v2",
    "mistral",
    "k",
)
PAIRS = (
    ("yes", "no"),
    ("spam", "ham"),
    ("1", "0"),
    ("True", "False"),
    ("ok", "schlecht"),
    ("A", "B"),
    ("fraud", "legit"),
)
THREE = (("low", "mid", "high"), ("cat", "dog", "bird"), ("0", "1", "2"))


class Made(NamedTuple):
    """A table, and what it must be read as."""

    rows: list[dict[str, Any]]
    kind: str
    columns: frozenset[str]


def make_table(rng: random.Random, *, hard: bool = False) -> Made:
    """Return one table, its columns in any order."""
    n = rng.choice((12, 20, 40)) if hard else rng.choice((30, 80, 200, 500))
    classes = rng.choice(PAIRS) if rng.random() < 0.7 else rng.choice(THREE)
    truth = [rng.choice(classes) for _ in range(n)]
    rows: list[dict[str, Any]] = [{} for _ in range(n)]
    if rng.random() < 0.7:
        columns = _predictions(rng, rows, truth, classes, 0.3 if hard else 0.7)
        kind = "predictions"
    else:
        columns = _votes(rng, rows, truth, classes)
        kind = "votes"
    _others(rng, rows)
    if hard:
        _traps(rng, rows, truth, classes)
        letters = iter(x for x in rng.sample("abcdefghijklmnopqrstuvwxyz", 26) if x not in rows[0])
        short = {
            name: next(letters) if rng.random() < 0.5 and "_" not in name else name
            for name in rows[0]
        }
        rows = [{short[name]: cell for name, cell in row.items()} for row in rows]
        columns = frozenset(short[name] for name in columns)
    order = list(rows[0])
    rng.shuffle(order)
    return Made([{name: row[name] for name in order} for row in rows], kind, columns)


def _other(rng, classes, label):
    return rng.choice([c for c in classes if c != label])


def _predictions(rng, rows, truth, classes, power):
    label, answer, score = rng.choice(TRUTHS), rng.choice(ANSWERS), rng.choice(SCORES)
    kept, form = (
        rng.choice((1.0, 1.0, 0.3)),
        rng.choice(("answer", "answer", "answer", "probabilities", "one")),
    )
    if form == "one" and len(classes) > 2:
        form = "answer"
    for row, real in zip(rows, truth, strict=True):
        confidence = 0.5 + 0.5 * rng.random() ** power
        said = real if rng.random() < confidence else _other(rng, classes, real)
        row[label] = real if rng.random() < kept else ""
        if form == "answer":
            row |= {answer: said, score: round(confidence, 4)}
        elif form == "one":
            row[f"p_{classes[0]}"] = round(confidence if said == classes[0] else 1 - confidence, 4)
        else:
            rest = [rng.random() for _ in classes[1:]]
            parts = iter([(1 - confidence) * part / sum(rest) for part in rest])
            for c in classes:
                row[f"proba_{c}"] = round(confidence if c == said else next(parts), 6)
    if form == "answer":
        return frozenset({label, answer, score})
    names = {f"proba_{c}" for c in classes} if form == "probabilities" else {f"p_{classes[0]}"}
    return frozenset({label, *names})


def _votes(rng, rows, truth, classes):
    names = rng.sample(JUDGES, rng.choice((2, 3, 4, 5)))
    skill = {name: rng.uniform(0.6, 0.95) for name in names}
    for row, real in zip(rows, truth, strict=True):
        for name in names:
            row[name] = real if rng.random() < skill[name] else _other(rng, classes, real)
    return frozenset(names)


def _others(rng, rows):
    made = {
        "id": lambda i: f"x{i:05d}",
        "ticket": lambda i: 10_000 + 7 * i,
        "created_at": lambda i: f"2026-03-{1 + i % 28:02d}T08:{i % 60:02d}:00",
        "text": lambda i: (
            " ".join(rng.choices(("a", "parcel", "came", "late", "why", "good", "very"), k=6))
            + f" {i}"
        ),
        "length": lambda _: rng.randint(3, 400),
        "amount": lambda _: round(rng.lognormvariate(3, 1), 2),
        "latency_ms": lambda _: rng.randint(80, 3000),
        "country": lambda _: rng.choice(("DE", "FR", "NL", "PT")),
        "feature_1": lambda _: round(rng.random(), 4),
        "x7": lambda _: round(rng.random(), 3),
        "checked": lambda _: rng.choice(("", "", "x")),
    }
    for name in rng.sample(list(made), rng.choice((1, 2, 3, 5))):
        for i, row in enumerate(rows):
            row[name] = made[name](i)


def _traps(rng, rows, truth, classes):
    made = {
        "last_year": lambda _: rng.choice(classes),
        "queue_flag": lambda _: rng.choice((0, 1)),
        "similarity": lambda _: round(rng.random(), 3),
        "category": lambda _: rng.choice(("toys", "books", "food")),
        "region_share": lambda _: round(rng.betavariate(2, 2), 3),
    }
    for name in rng.sample(list(made), 2):
        for row, real in zip(rows, truth, strict=True):
            row[name] = made[name](real)


def read_as(path: Path) -> dict[str, Any] | None:
    """Return what `askpoint read` says, or None where it asks or refuses."""
    done = CliRunner().invoke(askpoint, ["read", str(path), "--json"])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    if done.exit_code:
        return None
    found: dict[str, Any] = json.loads(done.stdout)
    return None if any(d.get("must_be_settled") for d in found.get("doubts", ())) else found


def is_right(made: Made, found: dict[str, Any]) -> bool:
    """Whether a reading names the kind and the columns."""
    if made.kind == "votes":
        return found["kind"] in {"votes", "evaluation"} and set(found["votes"]) == made.columns
    if found["kind"] != "predictions":
        return False
    names = {found.get("label"), *(found.get("probabilities") or {}).values()}
    if not found.get("probabilities"):
        names |= {found.get("prediction"), found.get("confidence")}
    filled = {name for name in made.columns if any(row[name] != "" for row in made.rows)}
    return bool(names - {None} == filled)  # no case may have been drawn to be labelled


def main(n: int, seed: int, *, hard: bool) -> None:
    """Make tables, read them, and print how they ended."""
    ended: collections.Counter[str] = collections.Counter()
    wrong: collections.Counter[str] = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for i in range(n):
            made, path = (
                make_table(random.Random(f"{seed}/{i}"), hard=hard),
                Path(folder) / "table.csv",
            )
            with path.open("w", newline="", encoding="utf-8") as file:
                table = csv.DictWriter(file, list(made.rows[0]))
                table.writeheader()
                table.writerows(made.rows)
            found = read_as(path)
            right = found is not None and is_right(made, found)
            ended["asked or refused" if found is None else "right" if right else "wrong"] += 1
            if found is not None and not right:
                names = [found.get(part) for part in ("label", "prediction", "confidence")]
                names += [*(found.get("probabilities") or ()), *(found.get("votes") or ())]
                wrong[f"{made.kind} {sorted(made.columns)} as {found['kind']} {names}"] += 1
    print(dict(ended))
    for line, count in wrong.most_common(40):
        print(count, line)


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:] if word.isdigit()]
    main(*(numbers + [400, 0][len(numbers) :]), hard="hard" in sys.argv)
