"""An export of Label Studio: tasks with people's annotations and models' predictions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from askpoint.errors import LogError
from askpoint.records.readers.evaluations import JudgedAnswer, read_answers
from askpoint.records.readers.reading import Choices, Doubt, Reading
from askpoint.records.readers.sources import Source

__all__ = ["read_label_studio", "sniff_label_studio"]

_CHOSEN = {"choices": "choices", "rating": "rating", "taxonomy": "taxonomy", "pairwise": "selected"}


def sniff_label_studio(source: Source) -> float | None:
    """Say how sure it is that a file is an export of Label Studio."""
    if source.has_keys("annotations", "data"):
        return 0.95
    return 0.95 if source.has_keys("completions", "data") else None


def read_label_studio(sources: Sequence[Source], choices: Choices) -> Reading:
    """Read models' predictions as votes and people's annotations as votes, one a person.

    Where models voted, too, what people said is gold: the label that all of a task's people gave.
    """
    rows: list[JudgedAnswer] = []
    people: list[dict[str, Any]] = []
    for source in sources:
        for place, task in enumerate(source.documents):
            if not isinstance(task, dict) or not isinstance(task.get("data"), dict):
                raise LogError(f"{source.name}: task {place} is not a task of Label Studio")
            row = JudgedAnswer(str(task.get("id", place)))
            for prediction in task.get("predictions") or []:
                name = str(prediction.get("model_version") or "prediction")
                _add(row, name, prediction, task, place)
            by_person: dict[str, Any] = {}
            for annotation in task.get("annotations") or task.get("completions") or []:
                if annotation.get("was_cancelled"):
                    continue
                by_person[_person(annotation)] = annotation
            rows.append(row)
            people.append(by_person)
    has_models = any(row.votes for row in rows)
    disagreed = 0
    for row, by_person in zip(rows, people, strict=True):
        judged = JudgedAnswer(row.item)
        for name, annotation in by_person.items():
            _add(judged, name, annotation, {}, row.item)
        if not has_models:
            row.votes, row.missing = judged.votes, judged.missing
        elif len(said := set(judged.votes.values())) == 1:
            row.gold = said.pop()
        else:
            disagreed += len(said) > 1
    doubts = [Doubt(f"people disagree on {disagreed} tasks: no gold there")] if disagreed else []
    return read_answers(
        rows,
        "Label Studio",
        [source.name for source in sources],
        choices,
        gold_from="annotations",
        doubts=doubts,
    )


def _person(annotation: dict[str, Any]) -> str:
    by = annotation.get("completed_by")
    if isinstance(by, dict):
        by = by.get("email") or by.get("id")
    return f"annotator {by}"


def _add(row: JudgedAnswer, name: str, part: dict[str, Any], task: Any, place: object) -> None:
    del task
    controls = [r for r in part.get("result") or [] if r.get("type") in _CHOSEN]
    if len({r.get("from_name") for r in controls}) > 1:
        names = ", ".join(sorted({str(r.get("from_name")) for r in controls}))
        for result in controls:
            _one(row, f"{name}/{result.get('from_name')}", result, place)
        del names
        return
    if controls:
        _one(row, name, controls[0], place)
    else:
        row.add(name, None)


def _one(row: JudgedAnswer, name: str, result: dict[str, Any], place: object) -> None:
    value = (result.get("value") or {}).get(_CHOSEN[str(result["type"])])
    if isinstance(value, list):
        if len(value) > 1:
            raise LogError(
                f"task {place} has several choices at once ({', '.join(map(str, value))}): "
                "several labels of one item cannot be read as one; export one control"
            )
        value = value[0] if value else None
        if isinstance(value, list):
            value = value[-1]
    row.add(name, value)
