"""Output manifests of SageMaker Ground Truth: labels by people, or by the service itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import polars as pl

from askpoint.errors import LogError
from askpoint.records.readers.reading import Choices, Doubt, Reading
from askpoint.records.readers.score_rows import read_rows
from askpoint.records.readers.sources import Source

__all__ = ["read_sagemaker", "sniff_sagemaker"]

_END = "-metadata"


def sniff_sagemaker(source: Source) -> float | None:
    """Say how sure it is that a file is an output manifest of Ground Truth."""
    row = source.first_row
    named = any(
        k.endswith(_END) and isinstance(v, dict) and "job-name" in v for k, v in row.items()
    )
    return 0.97 if named and ({"source-ref", "source"} & set(row)) else None


class _Label(NamedTuple):
    job: str
    label: str
    confidence: float | None
    by_people: bool


def read_sagemaker(sources: Sequence[Source], choices: Choices) -> Reading:
    """Read a job's own labels as predictions where people labelled the same items in another job."""
    del choices
    rows = [(row, _labels(row)) for source in sources for row in read_rows(source)]
    files = [source.name for source in sources]
    both = [labels for _, labels in rows if len({label.by_people for label in labels}) == 2]
    if not both:
        people = sum(any(label.by_people for label in labels) for _, labels in rows)
        raise LogError(
            f"{files[0]} is an output manifest of SageMaker Ground Truth that holds labels only: "
            f"{people} of {len(rows)} items by people, the others by the service itself, and no item both. "
            "Add a model's answers to these items in a table, and name the labels with --label or --gold"
        )
    items, truths, answers, scores = [], [], [], []
    for place, (row, labels) in enumerate(rows):
        machine = next((x for x in labels if not x.by_people and x.confidence is not None), None)
        if machine is None:
            continue
        items.append(str(row.get("source-ref") or place))
        truths.append(next((x.label for x in labels if x.by_people), None))
        answers.append(machine.label)
        scores.append(machine.confidence)
    frame = pl.DataFrame({
        "id": items, "label": pl.Series(truths, dtype=pl.String), "prediction": answers,
        "confidence": scores,
    })  # fmt: skip
    counts = frame["label"].drop_nulls().value_counts().sort("label")
    left = len(rows) - frame.height
    said = [
        Doubt("labels with human-annotated no are the answers, those with yes the truth", "--kind")
    ]
    if left:
        said.append(Doubt(f"{left} items without an answer of the service left out"))
    return Reading(
        "predictions",
        "SageMaker Ground Truth",
        tuple(files),
        frame,
        items=frame.height,
        id="source-ref",
        label="human-annotated yes",
        prediction="human-annotated no",
        confidence="confidence",
        classes=tuple(sorted({*counts["label"], *answers})),
        label_counts=dict(counts.iter_rows()),
        doubts=tuple(said),
    )


def _labels(row: dict[str, Any]) -> list[_Label]:
    found = []
    for key, meta in row.items():
        if not key.endswith(_END) or not isinstance(meta, dict):
            continue
        job = key.removesuffix(_END)
        value = meta.get("class-name", row.get(job))
        if not isinstance(value, str | int):
            continue
        sure = meta.get("confidence")
        by_people = str(meta.get("human-annotated", "")).casefold() == "yes"
        number = float(sure) if isinstance(sure, int | float) else None
        found.append(_Label(job, str(value), number, by_people))
    return found
