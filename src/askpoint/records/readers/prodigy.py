"""What Prodigy's db-out writes: an annotation a line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import polars as pl

from askpoint.errors import LogError
from askpoint.records.readers.reading import Choices, Doubt, Reading
from askpoint.records.readers.score_rows import ScoreRow, read_rows, read_score_rows
from askpoint.records.readers.sources import Source

__all__ = ["read_prodigy", "sniff_prodigy"]


def sniff_prodigy(source: Source) -> float | None:
    """Say how sure it is that a file is of Prodigy."""
    return 0.97 if {"_input_hash", "_task_hash", "answer"} <= source.row_keys else None


class _Annotation(NamedTuple):
    item: str
    annotator: str
    vote: str | None
    score: float | None


def read_prodigy(sources: Sequence[Source], choices: Choices) -> Reading:
    """Read annotators as judges; where one looked at a model's score, the score is a prediction."""
    files = [source.name for source in sources]
    if "versions" in sources[0].row_keys:
        reviewed = (row for source in sources for row in _read_reviews(source))
        return read_score_rows(
            reviewed, "Prodigy", files, choices, gold_from="answer of the review"
        )
    rows = [row for source in sources for row in _rows(source)]
    annotators = dict.fromkeys(row.annotator for row in rows)
    scored = [row for row in rows if row.score is not None and 0 <= row.score <= 1]
    wanted = choices.kind == "predictions" or (choices.kind is None and len(annotators) == 1)
    if wanted and len(scored) == len(rows) and {r.vote for r in rows} <= {"accept", "reject", None}:
        return _predictions(rows, files, sources)
    if not rows:
        raise LogError(f"{files[0]} has no annotation")
    votes = (
        ScoreRow(r.item, "answer", r.annotator, r.vote, is_person=True, why_missing="ignore")
        for r in rows
    )
    reading = read_score_rows(votes, "Prodigy", files, choices, gold_from="")
    said = Doubt("each annotator is a judge; what was ignored is not a vote", "--judges")
    return replace(reading, kind="votes", doubts=(*reading.doubts, said))


def _read_reviews(source: Source) -> Iterator[ScoreRow]:
    """Yield what annotators said in each version of a task, and what the review decided."""
    for row in read_rows(source):
        item = str(row["_task_hash"] if row.get("options") is None else row["_input_hash"])
        final = _vote(source, row)
        yield ScoreRow(item, "answer", "review", final, is_person=True)
        for version in row["versions"] or []:
            for session in version.get("sessions") or []:
                vote = _vote(source, {"answer": "accept", **version})
                yield ScoreRow(item, "answer", str(session), vote, is_person=False)


def _rows(source: Source) -> Iterator[_Annotation]:
    for row in read_rows(source):
        vote = _vote(source, row)
        annotator = row.get("_annotator_id") or row.get("_session_id") or "annotator"
        item = row["_task_hash"] if row.get("options") is None else row["_input_hash"]
        yield _Annotation(str(item), str(annotator), vote, _score(row))


def _vote(source: Source, row: dict[str, Any]) -> str | None:
    chosen, answer = row.get("accept"), row.get("answer")
    if answer == "ignore":
        return None
    if not isinstance(chosen, list):
        return str(answer)
    if len(chosen) > 1:
        raise LogError(
            f"{source.name}: an annotation accepts several options at once "
            f"({', '.join(map(str, chosen))}): several labels of one item cannot be read as one"
        )
    return str(chosen[0]) if chosen and answer == "accept" else None


def _score(row: dict[str, Any]) -> float | None:
    meta = row.get("meta") if isinstance(row.get("meta"), dict) else {}
    value = row.get("score", (meta or {}).get("score"))
    return float(value) if isinstance(value, int | float) else None


def _predictions(
    rows: Sequence[_Annotation], files: Sequence[str], sources: Sequence[Source]
) -> Reading:
    label = next((str(r["label"]) for s in sources for r in read_rows(s) if r.get("label")), "")
    scores = pl.Series([row.score for row in rows], dtype=pl.Float64)
    frame = pl.DataFrame({
        "id": [row.item for row in rows],
        "proba_accept": scores,
        "proba_reject": 1 - scores,
        "label": pl.Series([row.vote for row in rows], dtype=pl.String),
    })  # fmt: skip
    counts = frame["label"].drop_nulls().value_counts().sort("label")
    gone = frame["label"].null_count()
    return Reading(
        "predictions",
        "Prodigy",
        tuple(files),
        frame,
        items=frame.height,
        id="_task_hash",
        label="answer",
        probabilities={"accept": "score"},
        classes=("accept", "reject"),
        label_counts=dict(counts.iter_rows()),
        missing={"answer": {"ignore": gone}} if gone else {},
        doubts=(
            Doubt(f"score is the probability that {label or 'the label'} is accepted", "--kind"),
        ),
    )
