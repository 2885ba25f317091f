"""Results of promptfoo: JSON, a result a line, and the wide CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from typing import Any

from askpoint.errors import LogError
from askpoint.records.readers.evaluations import JudgedAnswer, read_answers
from askpoint.records.readers.reading import Choices, Doubt, Reading
from askpoint.records.readers.sources import Source

__all__ = ["read_promptfoo", "sniff_promptfoo"]

_ERROR = 2  # failureReason of a row whose provider or grader failed


def sniff_promptfoo(source: Source) -> float | None:
    """Say how sure it is that a file is of promptfoo."""
    if source.has_keys("results", "evalId"):
        return 1.0
    if source.has_keys("gradingResult", "promptIdx", "testIdx"):
        return 1.0
    if source.shape == "text":
        line = source.data[:20_000].decode("utf-8", "replace").partition("\n")[0]
        return 0.95 if ",Status,Score,Named Scores" in line and "Grader Reason" in line else None
    return None


def read_promptfoo(sources: Sequence[Source], choices: Choices) -> Reading:
    """Read results; each assertion is a judge, a person's rating is gold."""
    rows: list[JudgedAnswer] = []
    thrown = 0
    for source in sources:
        if source.shape == "text":
            rows += _wide_rows(source)
            continue
        for result in _results(source):
            row = _row(result)
            row.file = source.name
            case = result.get("testCase") or {}
            row.describe(case.get("metadata"), result.get("vars"))
            mine = choices.system in (None, row.system)
            thrown += mine and row.failed and "grader" in str(result.get("error", ""))
            rows.append(row)
    doubts = []
    if thrown:
        doubts.append(
            Doubt(
                f"in {thrown} rows one assertion failed, and promptfoo kept no other judge's vote: "
                "missing, not failed"
            )
        )
    return read_answers(
        rows,
        "promptfoo",
        [source.name for source in sources],
        choices,
        gold_from="componentResults of type human",
        doubts=doubts,
    )


def _results(source: Source) -> Iterator[dict[str, Any]]:
    if source.shape == "jsonl":
        for _, line in source.lines():
            yield line
        return
    results = source.document["results"] if isinstance(source.document, dict) else source.document
    if isinstance(results, dict):
        if results.get("version") not in (None, 2, 3):
            raise LogError(
                f"{source.name} is of a version of promptfoo that is not known here: results "
                f"version {results['version']!r}, known are 2 and 3"
            )
        results = results.get("results")
    if not isinstance(results, list):
        raise LogError(f"{source.name} holds no list of results: export it again with -o FILE.json")
    yield from results


def _row(result: dict[str, Any]) -> JudgedAnswer:
    provider = result.get("provider") or {}
    name = provider.get("label") or provider.get("id") if isinstance(provider, dict) else provider
    row = JudgedAnswer(
        str(result.get("testIdx")),
        f"{name} x prompt {result.get('promptIdx')}",
        failed=result.get("failureReason") == _ERROR,
        declined=bool((result.get("response") or {}).get("isRefusal")),
    )
    graded = result.get("gradingResult") or {}
    for place, part in enumerate(graded.get("componentResults") or []):
        assertion = part.get("assertion") or {}
        if assertion.get("type") == "human":
            row.gold = str(part.get("pass"))
            continue
        judge = assertion.get("metric") or assertion.get("type") or f"assertion {place}"
        if judge in row.votes:
            judge = f"{judge} #{place}"
        row.add(str(judge), part.get("pass"))
    return row


def _wide_rows(source: Source) -> Iterator[JudgedAnswer]:
    reader = csv.reader(io.StringIO(source.text, newline=""))
    header = next(reader)
    starts = [place - 1 for place, name in enumerate(header) if name == "Status"]
    for number, cells in enumerate(reader):
        if len(cells) != len(header):
            raise LogError(
                f"{source.name}: line {reader.line_num} has {len(cells)} cells, the header has "
                f"{len(header)}"
            )
        for place, start in enumerate(starts):
            end = starts[place + 1] if place + 1 < len(starts) else len(header)
            label = header[start].partition("]")[0].lstrip("[")
            block = dict(zip(header[start + 1 : end], cells[start + 1 : end], strict=True))
            row = JudgedAnswer(
                str(number),
                f"{label} x prompt {place}",
                failed=block["Status"] == "ERROR",
                file=source.name,
            )
            for name, value in block.items():
                if name.startswith("Metric: "):
                    _add_metric(row, name.removeprefix("Metric: "), value)
            yield row


def _add_metric(row: JudgedAnswer, judge: str, value: str) -> None:
    if row.failed or not value.strip():
        row.add(judge, None)
        return
    number = float(value)
    row.add(judge, bool(number) if number in (0.0, 1.0) else number)
