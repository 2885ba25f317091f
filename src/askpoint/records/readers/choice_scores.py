"""Scores of a language model for given choices, as predictions: which choices may it make alone?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from askpoint.errors import LogError
from askpoint.records.readers.evaluations import JudgedAnswer
from askpoint.records.readers.reading import Choices, Doubt, Reading

__all__ = ["read_choice_scores"]


def read_choice_scores(
    answered: Sequence[tuple[JudgedAnswer, dict[str, Any]]], files: Sequence[str], choices: Choices
) -> Reading:
    """Read the log-likelihoods of choices as probabilities of the choice at each place."""
    rows = [
        (row, line)
        for row, line in answered
        if choices.task in (None, row.task) and choices.system in (None, row.system)
    ]
    scored = [(row, line, found) for row, line in rows if (found := _scores(line)) is not None]
    if not scored:
        raise LogError(
            f"{files[0]} holds no scores of choices: only multiple-choice tasks can be read as "
            "predictions; leave out --kind predictions"
        )
    tasks = list(dict.fromkeys(row.task for row, _, _ in scored))
    if len(tasks) > 1:
        raise LogError(
            f"{files[0]}: the choices are of {len(tasks)} tasks ({', '.join(tasks[:5])}): name one "
            "with --task"
        )
    systems = tuple(dict.fromkeys(row.system for row, _, _ in scored))
    widths = Counter(len(found) for _, _, found in scored)
    width = max(widths)
    classes = tuple(str(i) for i in range(width))
    values = np.full((len(scored), width), -np.inf)
    for i, (_, _, found) in enumerate(scored):
        values[i, : len(found)] = found
    powers = np.exp(values - values.max(axis=1, keepdims=True))
    proba = powers / powers.sum(axis=1, keepdims=True)
    labels = [str(line.get("target")).strip() for _, line, _ in scored]
    strange = next((label for label in labels if label not in classes), None)
    if strange is not None:
        raise LogError(
            f"{files[0]}: the target {strange!r} is not a place among {width} choices: only tasks whose "
            "target is a choice's number can be read as predictions"
        )
    said = [
        Doubt(f"log-likelihoods of {width} choices made probabilities by softmax; the classes are "
              "the choices' places, from 0")
    ]  # fmt: skip
    if len(widths) > 1:
        said.append(Doubt(f"items have {min(widths)} to {width} choices: those not there have 0"))
    columns = {f"proba_{name}": pl.Series(proba[:, i]) for i, name in enumerate(classes)}
    items = [row.item for row, _, _ in scored]
    whose = [row.system for row, _, _ in scored]
    is_named = len(set(zip(items, whose, strict=True))) == len(items)
    parts = dict.fromkeys(name for row, _, _ in scored for name in row.parts)
    frame = pl.DataFrame({
        **({"id": items} if is_named else {}),
        **({"system": whose} if len(systems) > 1 else {}),
        **columns,
        "label": labels,
    }).with_columns(
        pl.Series(name, [row.parts.get(name) for row, _, _ in scored], dtype=pl.String)
        for name in parts if name not in ("id", "label", "system", *columns)
    )  # fmt: skip
    return Reading(
        "predictions",
        "lm-evaluation-harness",
        tuple(files),
        frame,
        items=len(set(items)),
        systems=systems if systems != ("",) else (),
        id="doc_id" if is_named else None,
        label="target",
        probabilities=dict.fromkeys(classes, "filtered_resps"),
        classes=classes,
        label_counts=dict(sorted(Counter(labels).items())),
        lines=len(rows),
        doubts=tuple(said),
    )


def _scores(line: dict[str, Any]) -> list[float] | None:
    answers = line.get("filtered_resps")
    if not isinstance(answers, list) or len(answers) < 2:
        return None
    found = []
    for answer in answers:
        if not isinstance(answer, list) or len(answer) != 2:
            return None
        try:
            found.append(float(answer[0]))
        except (TypeError, ValueError):
            return None
    return found
