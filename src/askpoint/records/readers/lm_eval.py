"""Samples of lm-evaluation-harness: a line an item and filter, and results that name the model."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from askpoint.errors import LogError
from askpoint.records.readers.evaluations import JudgedAnswer, read_answers
from askpoint.records.readers.reading import Choices, Doubt, Reading
from askpoint.records.readers.sources import Source

__all__ = ["read_lm_eval", "sniff_lm_eval"]

_SAMPLES = re.compile(r"samples_(.+?)_\d{4}-\d\d-\d\dT[\d\-:.]+\.jsonl")


def sniff_lm_eval(source: Source) -> float | None:
    """Say how sure it is that a file is of lm-evaluation-harness."""
    if source.has_keys("doc_id", "filter", "metrics"):
        return 1.0
    known = source.has_keys("results", "configs") and source.has_keys("lm_eval_version")
    return 0.9 if known or source.has_keys("results", "n-samples") else None


def read_lm_eval(sources: Sequence[Source], choices: Choices) -> Reading:
    """Read samples, each with the results of its directory."""
    models = {
        _folder(source): str(source.document.get("model_name") or "")
        for source in sources
        if source.shape == "json"
    }
    samples = [source for source in sources if source.shape == "jsonl"]
    if not samples:
        raise LogError(
            f"{sources[0].name} holds only totals: run lm_eval with --log_samples and give the "
            "samples_*.jsonl"
        )
    rows: dict[tuple[str, str, str], JudgedAnswer] = {}
    lines = 0
    several = len({_task(source) for source in samples}) > 1
    for source in samples:
        system = models.get(_folder(source), "")
        task = _task(source) if several else ""
        for number, line in source.lines():
            if "doc_id" not in line or "filter" not in line:
                raise LogError(
                    f"{source.name}: line {number} is no sample of lm-evaluation-harness"
                )
            item = str(line.get("doc_hash") or line["doc_id"])
            place = f"{item}/{line['doc_id']}"
            row = rows.setdefault((system, task, place), JudgedAnswer(place, system, task))
            _add(row, line)
            lines += 1
    doubts = []
    filters = {judge.partition(",")[2] for row in rows.values() for judge in row.votes}
    if len(filters) > 1:
        doubts.append(
            Doubt(
                f"the filters {', '.join(sorted(filters))} read the same answers, so they are not "
                "judges of one thing that err by themselves: name one, for example "
                f"--judges '{max(j for row in rows.values() for j in row.votes)}'",
                "--judges",
                must_be_settled=not choices.judges,
            )
        )
    if not any(row.system for row in rows.values()):
        doubts.append(
            Doubt("no results_*.json beside the samples, so the system's name is unknown")
        )
    reading = read_answers(
        rows.values(),
        "lm-evaluation-harness",
        [source.name for source in samples],
        choices,
        doubts=doubts,
    )
    return replace(reading, lines=lines)


def _add(row: JudgedAnswer, line: dict[str, Any]) -> None:
    for metric in line.get("metrics") or []:
        value = line.get(metric)
        if isinstance(value, int | float | bool | str) and not (
            isinstance(value, float) and math.isinf(value)
        ):
            row.add(f"{metric},{line['filter']}", value)
        elif value is None:
            row.add(f"{metric},{line['filter']}", None)


def _folder(source: Source) -> str:
    return source.name.rpartition("/")[0] if source.path is None else str(source.path.parent)


def _task(source: Source) -> str:
    match = _SAMPLES.search(source.name.rpartition("/")[2])
    return match[1] if match else source.name
