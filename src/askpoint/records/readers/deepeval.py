"""Test runs of DeepEval."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from askpoint.errors import LogError
from askpoint.records.readers.evaluations import JudgedAnswer, read_answers
from askpoint.records.readers.reading import Choices, Reading
from askpoint.records.readers.sources import Source

__all__ = ["read_deepeval", "sniff_deepeval"]


def sniff_deepeval(source: Source) -> float | None:
    """Say how sure it is that a file is a test run of DeepEval."""
    if source.has_keys("testRunData"):
        return 1.0
    return 1.0 if source.has_keys("testCases", "metricsScores") else None


def read_deepeval(sources: Sequence[Source], choices: Choices) -> Reading:
    """Read test cases; each metric is a judge who passes what reaches its threshold."""
    rows: list[JudgedAnswer] = []
    for source, document in ((s, d) for s in sources for d in s.documents):
        run = document.get("testRunData", document)
        cases = run.get("testCases") if isinstance(run, dict) else None
        if not isinstance(cases, list):
            raise LogError(f"{source.name} is of a version of DeepEval without testCases")
        talks = run.get("conversationalTestCases")
        for place, case in enumerate([*cases, *(talks if isinstance(talks, list) else [])]):
            rows.append(_row(case, place, source.name))
    return read_answers(
        rows, "DeepEval", [source.name for source in sources], choices, question_of=str
    )


def _row(case: dict[str, Any], place: int, file: str) -> JudgedAnswer:
    row = JudgedAnswer(str(case.get("name") or place), file=file)
    row.describe(case.get("additionalMetadata"), case.get("metadata"))
    for metric in case.get("metricsData") or []:
        name = str(metric.get("name"))
        if metric.get("error"):
            row.missing[name] = "error"
        else:
            row.add(name, metric.get("success"))
    return row
