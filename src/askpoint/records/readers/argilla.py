"""Records of Argilla: suggestions by models, responses by people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import polars as pl

from askpoint.errors import LogError
from askpoint.records.readers.evaluations import JudgedAnswer, read_answers
from askpoint.records.readers.reading import Choices, Doubt, Reading
from askpoint.records.readers.score_rows import read_rows
from askpoint.records.readers.sources import Source

__all__ = ["read_argilla", "sniff_argilla"]


def sniff_argilla(source: Source) -> float | None:
    """Say how sure it is that a file holds records of Argilla."""
    keys = source.row_keys
    if {"suggestions", "responses"} <= keys and {"fields", "metadata"} & keys:
        return 0.97
    flat = any(key.endswith(".responses") for key in keys)
    if flat and any(key.endswith(".suggestion") for key in keys):
        return 0.97
    return 0.95 if {"prediction", "annotation", "prediction_agent"} <= keys else None


class _Record(NamedTuple):
    item: str
    suggested: dict[str, tuple[str, float | None, str]]
    said: dict[str, dict[str, str]]


def read_argilla(sources: Sequence[Source], choices: Choices) -> Reading:
    """Read a model's suggestions with scores as predictions, people's responses as the truth."""
    records = [record for source in sources for record in _records(source)]
    files = [source.name for source in sources]
    if not records:
        raise LogError(f"{files[0]} has no record")
    questions = dict.fromkeys(q for r in records for q in (*r.suggested, *r.said))
    if choices.task is not None or len(questions) == 1:
        question = choices.task or next(iter(questions))
    else:
        raise LogError(
            f"{files[0]} has {len(questions)} questions ({', '.join(list(questions)[:5])}): name one with "
            "--task"
        )
    scored = [
        r for r in records if question in r.suggested and r.suggested[question][1] is not None
    ]
    if scored and len(scored) == len(records) and choices.kind != "votes":
        return _predictions(records, question, files)
    return _votes(records, question, files, choices)


def _find_agreement(said: dict[str, str]) -> str | None:
    labels = set(said.values())
    return labels.pop() if len(labels) == 1 else None


def _predictions(records: Sequence[_Record], question: str, files: Sequence[str]) -> Reading:
    truth = [_find_agreement(r.said.get(question, {})) for r in records]
    disagreed = sum(len(set(r.said.get(question, {}).values())) > 1 for r in records)
    frame = pl.DataFrame({
        "id": [r.item for r in records],
        "label": pl.Series(truth, dtype=pl.String),
        "prediction": [r.suggested[question][0] for r in records],
        "confidence": [r.suggested[question][1] for r in records],
    }, strict=False)  # fmt: skip
    counts = frame["label"].drop_nulls().value_counts().sort("label")
    classes = sorted({*counts["label"], *frame["prediction"]})
    doubts = [Doubt("suggestions are the answers, people's responses the labels", "--kind")]
    if disagreed:
        doubts.append(Doubt(f"people disagree on {disagreed} records: no label there"))
    return Reading(
        "predictions",
        "Argilla",
        tuple(files),
        frame,
        items=frame.height,
        id="id",
        label=f"{question} responses",
        prediction=f"{question} suggestion",
        confidence=f"{question} suggestion score",
        classes=tuple(classes),
        label_counts=dict(counts.iter_rows()),
        doubts=tuple(doubts),
    )


def _votes(
    records: Sequence[_Record], question: str, files: Sequence[str], choices: Choices
) -> Reading:
    rows = []
    machines = any(question in r.suggested for r in records)
    for record in records:
        row = JudgedAnswer(record.item)
        said = record.said.get(question, {})
        if machines:
            value, _, agent = record.suggested.get(question, ("", None, "suggestion"))
            row.add(agent, value)
            row.gold = _find_agreement(said)
        else:
            for person, label in said.items():
                row.add(person, label)
        rows.append(row)
    return read_answers(rows, "Argilla", files, choices, gold_from="responses")


def _records(source: Source) -> Iterator[_Record]:
    for place, row in enumerate(read_rows(source)):
        item = str(row.get("id") or place)
        if "annotation" in row:
            yield _old(item, row)
        elif isinstance(row.get("suggestions"), list) or isinstance(row.get("responses"), list):
            yield _feedback(item, row)
        elif "suggestions" in row:
            yield _Record(
                item,
                {q: _read_suggestion(s) for q, s in (row["suggestions"] or {}).items() if s},
                {
                    q: {
                        str(a.get("user_id")): str(a["value"])
                        for a in given
                        if a.get("value") is not None
                    }
                    for q, given in (row["responses"] or {}).items()
                },
            )
        else:
            yield _flat(item, row)


def _read_suggestion(part: dict[str, Any]) -> tuple[str, float | None, str]:
    score = part.get("score")
    return (
        str(part.get("value")),
        float(score) if isinstance(score, int | float) else None,
        str(part.get("agent") or "suggestion"),
    )


def _feedback(item: str, row: dict[str, Any]) -> _Record:
    said: dict[str, dict[str, str]] = {}
    for number, response in enumerate(row.get("responses") or []):
        if response.get("status") in ("discarded", "draft"):
            continue
        for question, part in (response.get("values") or {}).items():
            person = str(response.get("user_id") or number)
            said.setdefault(question, {})[person] = str(part.get("value"))
    suggested = {
        str(s.get("question_name")): _read_suggestion(s) for s in row.get("suggestions") or [] if s
    }
    return _Record(item, suggested, said)


def _flat(item: str, row: dict[str, Any]) -> _Record:
    suggested, said = {}, {}
    for key, value in row.items():
        if key.endswith(".suggestion") and value is not None:
            question = key.removesuffix(".suggestion")
            suggested[question] = _read_suggestion({
                "value": value,
                "score": row.get(f"{key}.score"),
                "agent": row.get(f"{key}.agent"),
            })  # fmt: skip
        elif key.endswith(".responses") and value:
            people = row.get(f"{key}.users") or range(len(value))
            said[key.removesuffix(".responses")] = {
                str(p): str(v) for p, v in zip(people, value, strict=False) if v is not None
            }
    return _Record(item, suggested, said)


def _old(item: str, row: dict[str, Any]) -> _Record:
    best = max(row.get("prediction") or [], key=lambda p: float(p.get("score") or 0), default=None)
    agent = row.get("prediction_agent")
    suggested = {} if best is None else {
        "label": _read_suggestion({"value": best.get("label"), "score": best.get("score"), "agent": agent})
    }  # fmt: skip
    given = row.get("annotation")
    who = str(row.get("annotation_agent") or "annotator")
    said = {} if not isinstance(given, str) else {"label": {who: given}}
    return _Record(item, suggested, said)
