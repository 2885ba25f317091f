"""The schema "Every Eval Ever": a JSON file a run, and its samples a line each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from askpoint.errors import LogError
from askpoint.records.readers.evaluations import JudgedAnswer, read_answers
from askpoint.records.readers.reading import Choices, Reading
from askpoint.records.readers.sources import Source

__all__ = ["read_every_eval", "sniff_every_eval"]


def sniff_every_eval(source: Source) -> float | None:
    """Say how sure it is that a file follows the schema."""
    if source.has_keys("schema_version", "evaluation_id", "sample_id"):
        return 1.0
    return 0.9 if source.has_keys("schema_version", "evaluation_id", "model_info") else None


def read_every_eval(sources: Sequence[Source], choices: Choices) -> Reading:
    """Read samples; one that failed is missing, whatever its score says."""
    samples = [source for source in sources if source.shape == "jsonl"]
    if not samples:
        raise LogError(
            f"{sources[0].name} holds only totals: give the _samples.jsonl that it names, too"
        )
    rows = []
    for source in samples:
        for number, line in source.lines():
            if not isinstance(line.get("evaluation"), dict):
                raise LogError(f"{source.name}: line {number} has no evaluation")
            row = _row(line)
            row.file = source.name
            row.describe(line.get("metadata"))
            rows.append(row)
    benchmarks = {row.task for row in rows}
    if len(benchmarks) == 1:
        for row in rows:
            row.task = ""
    return read_answers(rows, "Every Eval Ever", [source.name for source in samples], choices)


def _row(line: dict[str, Any]) -> JudgedAnswer:
    item = str(line.get("sample_hash") or line.get("sample_id"))
    row = JudgedAnswer(item, str(line.get("model_id", "")), str(line.get("evaluation_name", "")))
    if line.get("error"):
        row.failed = True
        return row
    evaluation = line["evaluation"]
    if evaluation.get("is_correct") is not None:
        row.add("evaluation.is_correct", evaluation["is_correct"])
    else:
        row.add("evaluation.score", evaluation.get("score"))
    return row
