"""How a file of a stranger is made and saved, and what it must be read as."""

from __future__ import annotations

import csv
import io
import json
import random
import zipfile
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from xml.sax.saxutils import escape

__all__ = [
    "FILES",
    "Case",
    "Cases",
    "Want",
    "case",
    "day",
    "money",
    "predictions",
    "r",
    "rows_of",
    "save",
    "stranger",
    "votes",
]

Rows = list[dict[str, Any]]


class Want(NamedTuple):
    """A right reading: the kind, who is what, and how often each label occurs."""

    kind: str
    label: str | None = None
    prediction: str | None = None
    score: frozenset[str] = frozenset()
    judges: frozenset[str] = frozenset()
    gold: str | None = None
    counts: dict[str, int] | None = None


class Case(NamedTuple):
    """A file: its content, its right readings, and the options that may be asked for."""

    rows: Any
    how: str
    wants: tuple[Want, ...]
    asks: frozenset[str] = frozenset()


def predictions(
    label: str | None,
    prediction: str | None,
    *score: str,
    truth: Sequence[str | None] | None = None,
) -> Want:
    """Return the reading as predictions."""
    counts = None if truth is None else dict(Counter(str(t) for t in truth if t not in (None, "")))
    return Want("predictions", label, prediction, frozenset(score), counts=counts)


def votes(*judges: str, gold: str | None = None) -> Want:
    """Return the reading as votes."""
    return Want("votes", judges=frozenset(judges), gold=gold)


FILES: dict[str, Callable[[random.Random], Case]] = {}


def stranger(make: Callable[[random.Random], Case]) -> Callable[[random.Random], Case]:
    """Add a file to those that are made."""
    FILES[make.__name__] = make
    return make


def case(rows: Any, *wants: Want, how: str = "csv", asks: str = "") -> Case:
    """Return a file that is read as one of some readings, or asked about by some options."""
    return Case(rows, how, wants, frozenset("--" + word for word in asks.split()))


class Cases:
    """Made cases: the truth, a model's answers, and how sure it was of each class."""

    def __init__(
        self,
        rng: random.Random,
        n: int,
        classes: Sequence[str],
        *,
        power: float = 0.6,
        skill: float = 1.0,
    ) -> None:
        self.rng, self.n, self.classes = rng, n, tuple(classes)
        self.truth = [rng.choice(self.classes) for _ in range(n)]
        self.answer, self.sure, self.proba = [], [], []
        least = 1 / len(self.classes)
        for real in self.truth:
            sure = least + (1 - least) * rng.random() ** power
            said = real if rng.random() < sure * skill else self.other(real)
            rest = [rng.random() + 0.05 for _ in self.classes[1:]]
            shares = iter([(1 - sure) * part / sum(rest) for part in rest])
            p = {c: sure if c == said else next(shares) for c in self.classes}
            said = max(p, key=lambda c: p[c])
            self.answer.append(said)
            self.sure.append(p[said])
            self.proba.append(p)

    def other(self, label: str) -> str:
        """Return another class."""
        return self.rng.choice([c for c in self.classes if c != label])

    def judge(self, skill: float) -> list[str]:
        """Return the votes of somebody who is right that often."""
        return [t if self.rng.random() < skill else self.other(t) for t in self.truth]

    def part(self, share: float, values: Sequence[Any] | None = None, empty: Any = "") -> list[Any]:
        """Return values on part of the rows."""
        return [v if self.rng.random() < share else empty for v in values or self.truth]

    def each(self, make: Callable[[], Any]) -> list[Any]:
        """Return a value for each row."""
        return [make() for _ in range(self.n)]

    def rows(self, **columns: Sequence[Any]) -> Rows:
        """Return rows of columns; a name's double underline is kept."""
        return rows_of(columns)


def rows_of(columns: dict[str, Sequence[Any]]) -> Rows:
    """Return rows of columns."""
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def save(made: Case, folder: Path, name: str) -> Path:
    """Write a file as its stranger saves it."""
    kind, _, how = made.how.partition(":")
    path = folder / f"{name}.{kind}"
    if isinstance(made.rows, bytes):
        path.write_bytes(made.rows)
    elif kind in ("json", "jsonl", "ndjson"):
        texts = [json.dumps(row, ensure_ascii=False) for row in made.rows] if kind != "json" else []
        path.write_text(
            "\n".join(texts) + "\n" if texts else json.dumps(made.rows), encoding="utf-8"
        )
    elif kind in ("parquet", "xlsx", "dta"):
        import pandas as pd

        frame = made.rows if isinstance(made.rows, pd.DataFrame) else pd.DataFrame(made.rows)
        if kind == "parquet":
            frame.to_parquet(path)
        elif kind == "dta":
            frame.to_stata(path, write_index=False)
        else:
            _workbook(frame, path, how)
    elif isinstance(made.rows, str):
        path.write_text(made.rows, encoding="utf-8")
    else:
        text = io.StringIO()
        separator = {"semicolon": ";", "tab": "\t", "bar": "|", "latin": ";"}.get(how, ",")
        table = csv.writer(
            text, delimiter=separator, lineterminator="\r\n" if how == "latin" else "\n"
        )
        table.writerow(list(made.rows[0]))
        comma = how in ("semicolon", "latin")
        for row in made.rows:
            cells = [
                str(v).replace(".", ",") if comma and isinstance(v, float) else v
                for v in row.values()
            ]
            table.writerow(cells)
        path.write_bytes(text.getvalue().encode("cp1252" if how == "latin" else "utf-8"))
    return path


def _workbook(frame: Any, path: Path, how: str) -> None:
    """Write a workbook of one sheet: lines of a title, the header, the rows."""
    lines: list[list[Any]] = [[x] for x in how.split("/") if x]
    lines += [list(frame.columns), *map(list, frame.itertuples(index=False))]
    cells = "".join(f"<row>{''.join(map(_cell, line))}</row>" for line in lines)
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    with zipfile.ZipFile(path, "w") as book:
        book.writestr("[Content_Types].xml", f'<Types xmlns="{package}/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>')  # fmt: skip
        book.writestr("_rels/.rels", f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" Type="{office}/officeDocument" Target="xl/workbook.xml"/></Relationships>')  # fmt: skip
        book.writestr("xl/workbook.xml", f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets><sheet name="Sheet1" sheetId="1" r:id="r1"/></sheets></workbook>')  # fmt: skip
        book.writestr("xl/_rels/workbook.xml.rels", f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" Type="{office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>')  # fmt: skip
        book.writestr("xl/worksheets/sheet1.xml", f'<worksheet xmlns="{main}"><sheetData>{cells}</sheetData></worksheet>')  # fmt: skip


def _cell(value: Any) -> str:
    if value in (None, ""):
        return "<c/>"
    if isinstance(value, bool | str):
        return f'<c t="inlineStr"><is><t>{escape(str(value))}</t></is></c>'
    return f"<c><v>{value}</v></c>"


def r(x: float, digits: int = 4) -> float:
    """Round."""
    return round(x, digits)


def day(i: int) -> str:
    """Return a day."""
    return f"2026-0{1 + i % 9}-{1 + i % 27:02d}"


def money(rng: random.Random) -> float:
    """Return an amount."""
    return round(rng.lognormvariate(4, 1), 2)
