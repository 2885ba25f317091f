"""A sample of the stream as it is brought: lines, CSV or JSON lines, each case checked."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from typing import Any

from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.players.services import check_case
from askpoint.errors import InputError

__all__ = [
    "ENDINGS",
    "MOST_CASES",
    "MOST_FILE",
    "file_text",
    "lines_of",
    "read_sample_file",
    "read_sample_text",
]

MOST_CASES = 10_000
"""Of one sample."""

MOST_FILE = 5_000_000
"""Bytes of a file."""

ENDINGS = (".txt", ".csv", ".jsonl", ".ndjson")
"""Of files: plain lines, CSV with a header, JSON lines (twice)."""

_TEXTS = ("text", "case")  # columns and keys that hold the case


def read_sample_text(campaign: Campaign, text: str) -> list[Any]:
    """Return the cases of a text area: one a line; rows of features as JSON lines or CSV.

    Raises
    ------
    InputError
        If there is none, there are too many, or one is no case; it names the line.
    """
    if campaign.classifier.cases == "text":
        return _check_cases(campaign, _lines(text))
    return _check_cases(campaign, _json(text) if text.lstrip().startswith("{") else _csv(text))


def read_sample_file(campaign: Campaign, name: str, content: bytes) -> list[Any]:
    """Return the cases of a file, whose kind its name says.

    Raises
    ------
    InputError
        As `read_sample_text`, or as `file_text`.
    """
    ending, text = file_text(name, content)
    if ending == ".txt":
        return read_sample_text(campaign, text)
    return _check_cases(campaign, lines_of(ending, text))


def lines_of(ending: str, text: str) -> Iterator[tuple[int, Any]]:
    """Yield what a file holds, each with its line: texts, or rows by their columns."""
    if ending == ".txt":
        return _lines(text)
    return _csv(text) if ending == ".csv" else _json(text)


def file_text(name: str, content: bytes) -> tuple[str, str]:
    """Return the ending of a file's name and its text.

    Raises
    ------
    InputError
        If the file is too large, of another kind or no text in UTF-8.
    """
    ending = next((end for end in ENDINGS if name.lower().endswith(end)), None)
    if ending is None:
        raise InputError(f"a file's name must end in {', '.join(ENDINGS)}; got {name[-80:]!r}")
    if len(content) > MOST_FILE:
        raise InputError(
            f"a file has at most {MOST_FILE:,} bytes, and {name[-80:]} has {len(content):,}; upload a smaller random sample"
        )
    try:
        return ending, content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError(f"line {line}: the file is not UTF-8 text; save it as UTF-8") from None


def _check_cases(campaign: Campaign, given: Iterator[tuple[int, Any]]) -> list[Any]:
    cases: list[Any] = []
    if campaign.classifier.cases == "image":
        raise InputError(
            "a sample is of texts, rows or pages; images cannot be examined here yet: examine the "
            "model's log with `askpoint examine`"
        )
    read = {"text": _text_of, "row": _row_of, "page": _page_of}[campaign.classifier.cases]
    for line, value in given:
        if len(cases) == MOST_CASES:
            raise InputError(
                f"line {line}: a sample has at most {MOST_CASES:,} cases; upload a random part of it"
            )
        try:
            cases.append(check_case(campaign.classifier, read(value)))
        except InputError as error:
            raise InputError(f"line {line}: {error}") from None
    if not cases:
        raise InputError("the sample is empty: add one case per line, or a file")
    return cases


def _text_of(value: Any) -> str:
    if isinstance(value, dict):
        names = [name for name in _TEXTS if name in value] or [
            name for name in value if len(value) < 2
        ]
        if not names:
            raise InputError(
                f"which column is the case? Name it {' or '.join(_TEXTS)}; it has: "
                f"{', '.join(map(str, value))[:80]}"
            )
        value = value[names[0]]
    if not isinstance(value, str):
        raise InputError(f"a case must be a text; got {value!r:.60}")
    return value


def _row_of(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise InputError(f"a case must be a row of features; got {value!r:.60}")
    return value


def _page_of(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict) or "body" not in value:
        raise InputError(
            "a sample of pages has the columns title and body, and if you like url and metadata; "
            f"got {value!r:.60}"
        )
    return value


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield number, line


def _json(text: str) -> Iterator[tuple[int, Any]]:
    for number, line in _lines(text):
        try:
            yield number, json.loads(line)
        except (ValueError, RecursionError):
            raise InputError(f"line {number}: this is not JSON: {line.strip()[:60]!r}") from None


def _csv(text: str) -> Iterator[tuple[int, dict[str, str]]]:
    rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    start, names = 1, list[str]()
    try:
        for row in rows:
            if not names:
                names = [name.strip() for name in row]
                if len(set(names)) < len(names):
                    raise InputError("line 1: two columns have one name; rename one")
            elif row:
                if len(row) != len(names):
                    raise InputError(
                        f"line {start}: it has {len(row)} cells, and the header has {len(names)}"
                    )
                yield start, dict(zip(names, row, strict=True))
            start = rows.line_num + 1
    except csv.Error as error:
        raise InputError(f"line {max(start, rows.line_num)}: this is not CSV: {error}") from None
