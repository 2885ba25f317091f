"""Samples of lm-evaluation-harness: a line an item and filter, and results that name the model."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from askpoint.errors import LogError
from askpoint.records.readers.choice_scores import read_choice_scores
from askpoint.records.readers.evaluations import JudgedAnswer, read_answers
from askpoint.records.readers.reading import Choices, Doubt, Reading
from askpoint.records.readers.sources import Source

__all__ = ["read_lm_eval", "sniff_lm_eval"]

_SAMPLES = re.compile(r"samples_(.+?)_(\d{4}-\d\d-\d\dT[\d\-:.]+)\.jsonl")
_DATE = re.compile(r"results_(\d{4}-\d\d-\d\dT[\d\-:.]+)\.json")
# what a line holds beside metrics, in versions that do not list these
_NO_METRICS = frozenset({
    "doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics",
    "doc_hash", "prompt_hash", "target_hash",
})  # fmt: skip


def sniff_lm_eval(source: Source) -> float | None:
    """Say how sure it is that a file is of lm-evaluation-harness."""
    if source.has_keys("doc_id", "filter", "metrics") or source.has_keys(
        "doc_id", "doc", "resps", "filtered_resps"
    ):
        return 1.0
    known = source.has_keys("results", "configs") and source.has_keys("lm_eval_version")
    return 0.9 if known or source.has_keys("results", "n-samples") else None


def read_lm_eval(sources: Sequence[Source], choices: Choices) -> Reading:
    """Read samples, each with the results of its directory."""
    samples = [source for source in sources if _is_samples(source)]
    if not samples:
        raise LogError(
            f"{sources[0].name} holds only totals: run lm_eval with --log_samples and give the "
            "samples_*.jsonl"
        )
    names = _models(sources)
    several = len({_task(source) for source in samples}) > 1
    answered: list[tuple[JudgedAnswer, dict[str, Any]]] = []
    for source in samples:
        system, task = _model(source, names), _task(source) if several else ""
        for number, line in _lines(source):
            if "doc_id" not in line:
                raise LogError(
                    f"{source.name}: line {number} is not a sample of lm-evaluation-harness"
                )
            row = JudgedAnswer(str(line["doc_id"]), system, task, file=source.name)
            row.describe(line.get("doc"))
            answered.append((row, line))
    _name_by_content(answered)
    if choices.kind == "predictions":
        return read_choice_scores(answered, [source.name for source in samples], choices)
    rows: dict[tuple[str, ...], JudgedAnswer] = {}
    for row, line in answered:
        _add(rows.setdefault((row.file, row.system, row.task, row.item), row), line)
    found = [row for row in rows.values() if choices.task in (None, row.task)]
    doubts = list(_doubts(found, answered, choices))
    reading = read_answers(
        rows.values(),
        "lm-evaluation-harness",
        [source.name for source in samples],
        choices,
        doubts=doubts,
    )
    return replace(reading, lines=len(answered))


def _doubts(
    rows: Sequence[JudgedAnswer],
    answered: Sequence[tuple[JudgedAnswer, dict[str, Any]]],
    choices: Choices,
) -> Iterator[Doubt]:
    judges: dict[str, dict[str, None]] = {}
    for row in rows:
        judges.setdefault(row.task, {}).update(dict.fromkeys(row.votes))
    several = next((names for names in judges.values() if len(names) > 1), None)
    if several is not None:
        yield Doubt(
            f"{', '.join(several)} look at the same answers in other ways, so they are not judges of "
            f"one thing that err by themselves: name one, for example --judges '{max(several)}'",
            "--judges",
            must_be_settled=not choices.judges,
        )
    if any(_is_choice(line) for _, line in answered):
        yield Doubt("the scores of the choices can be read as a model's probabilities", "--kind")
    if not any(row.system for row in rows):
        yield Doubt("no results_*.json was given with the samples: the system has no name")


def _is_choice(line: dict[str, Any]) -> bool:
    answers = line.get("filtered_resps")
    return (
        isinstance(answers, list)
        and len(answers) > 1
        and all(isinstance(answer, list) and len(answer) == 2 for answer in answers)
    )


def _add(row: JudgedAnswer, line: dict[str, Any]) -> None:
    metrics = line.get("metrics")
    if not isinstance(metrics, list):
        metrics = [name for name in line if name not in _NO_METRICS]
    for metric in metrics:
        value, judge = line.get(metric), f"{metric},{line.get('filter', 'none')}"
        if value is None or (
            isinstance(value, int | float | str)
            and not (isinstance(value, float) and math.isinf(value))
        ):
            row.add(judge, value)


def _name_by_content(answered: Sequence[tuple[JudgedAnswer, dict[str, Any]]]) -> None:
    """Name items by their number; by what they hold where one number is of several items."""
    of: dict[tuple[str, str], set[str]] = {}
    for row, line in answered:
        of.setdefault((row.task, row.item), set()).add(str(line.get("doc_hash", "")))
    if any(len(hashes) > 1 for hashes in of.values()):
        for row, line in answered:
            row.item = f"{line.get('doc_hash', '')}/{line['doc_id']}"


def _is_samples(source: Source) -> bool:
    document = source.document
    first = document[0] if isinstance(document, list) else document
    return isinstance(first, dict) and "doc_id" in first


def _lines(source: Source) -> Iterator[tuple[int, dict[str, Any]]]:
    if source.shape == "jsonl":
        yield from source.lines()
        return
    document = source.document
    lines = document if isinstance(document, list) else [document]
    for number, line in enumerate(lines):
        if not isinstance(line, dict):
            raise LogError(
                f"{source.name}: entry {number} is not a sample of lm-evaluation-harness"
            )
        yield number, line


def _models(sources: Sequence[Source]) -> dict[tuple[str, str], str]:
    """Return the model of each directory and date."""
    found = {}
    for source in sources:
        if not _is_samples(source) and isinstance(source.document, dict):
            match = _DATE.search(source.name)
            name = source.document.get("model_name") or source.document.get("model_name_sanitized")
            found[_folder(source), match[1] if match else ""] = str(name or "")
    return found


def _model(source: Source, names: dict[tuple[str, str], str]) -> str:
    """Return the model of the same date, or the only one of the same directory."""
    match, folder = _SAMPLES.search(source.name), _folder(source)
    if match and (folder, match[2]) in names:
        return names[folder, match[2]]
    beside = {name for (place, _), name in names.items() if place == folder}
    return beside.pop() if len(beside) == 1 else ""


def _folder(source: Source) -> str:
    return source.name.rpartition("/")[0] if source.path is None else str(source.path.parent)


def _task(source: Source) -> str:
    match = _SAMPLES.search(source.name.rpartition("/")[2])
    return match[1] if match else source.name
