"""Batches of cases to decide and of labels that came, checked at the door."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from askpoint.errors import InputError
from askpoint.live.group_scale import check_groups
from askpoint.measures.confidence import confidence_range
from askpoint.measures.confidence_measures import CONFIDENCE_MEASURES

__all__ = [
    "DecisionBatch",
    "LabelRows",
    "check_batch",
    "check_classes",
    "check_gold",
    "check_rates",
]

_NOTHING: Mapping[str, Any] = {}


@dataclass(frozen=True, eq=False)
class DecisionBatch:
    """Cases to decide: key, prediction and confidence; content to be kept, and the region of each."""

    key: list[str]
    prediction: list[str]
    confidence: list[float]
    content: list[str | None] | None = None
    model_version: str = ""
    group: list[str | None] | None = None

    def part(self, rows: slice) -> DecisionBatch:
        """Return some of the cases."""
        return DecisionBatch(
            self.key[rows],
            self.prediction[rows],
            self.confidence[rows],
            self.content and self.content[rows],
            self.model_version,
            self.group and self.group[rows],
        )


@dataclass(frozen=True, eq=False)
class LabelRows:
    """Labels that came; a source that is not given follows from the decision.

    Gold cases are no decisions: their source is gold, and their truth is given.
    """

    key: list[str]
    label: list[str]
    judge: list[str]
    source: list[str | None]
    truth: list[str | None] | None = None


def check_batch(
    batch: DecisionBatch, model: Mapping[str, Any], evidence: Mapping[str, Any] = _NOTHING
) -> None:
    """Refuse cases of another model, other classes or no confidence, or of another scale than the log's."""
    if not len(batch.key) == len(batch.prediction) == len(batch.confidence):
        raise InputError("a batch has one key, prediction and confidence for each case")
    if batch.model_version and not model.get("version"):
        raise InputError(
            f"these cases come from version {batch.model_version!r} of the model, and the policy names no version; send "
            "them without one, or name it in a new version of the policy"
        )
    if batch.model_version != model.get("version", ""):
        raise InputError(
            f"these cases come from version {batch.model_version!r} of the model, the policy is "
            f"for {model.get('version', '')!r}; deploy a new policy for the new model"
        )
    check_classes(batch.prediction, model, "predicts")
    if (ladder := model.get("ladder")) is not None:
        astray = set(batch.group or [None]) - set(ladder["stages"])
        if batch.key and astray:
            raise InputError(
                "the policy is one of a ladder: cases come with what each rung said, by askpoint decide or "
                f"read_ladder_batch, and their group is the path that they took; got {next(iter(astray))!r}"
            )
    if model.get("documents") is not None and not all(
        name and name.endswith(" fields") for name in batch.group or [None] * len(batch.key)
    ):
        raise InputError(
            "the policy decides whole documents by their fields: give these (askpoint decide with one row per field, or "
            "fields=... from Python), and no confidence of a document"
        )
    if (groups := model.get("groups")) is not None:
        check_groups(groups, batch.group)
    if not np.isfinite(batch.confidence).all():
        bad = int(np.flatnonzero(~np.isfinite(batch.confidence))[0])
        raise InputError(f"case {batch.key[bad]!r}: confidence must be a number")
    _check_range(batch, model, evidence)


_SLACK = 1e-6  # of a confidence in single precision


@functools.lru_cache(maxsize=64)
def _range_of(measure: str, n_classes: int) -> tuple[float, float]:
    """Return what a measure can take; a confidence that is stated may lie below an even chance."""
    low, high = confidence_range(measure, n_classes)
    return min(low, 0.0), high


def _check_range(
    batch: DecisionBatch, model: Mapping[str, Any], evidence: Mapping[str, Any]
) -> None:
    """Refuse a confidence that the policy's measure cannot take, unless its log had other scores, too."""
    classes, measure = model.get("classes") or (), model.get("measure", "max_probability")
    if measure not in CONFIDENCE_MEASURES:
        return
    low, high = _range_of(measure, max(2, len(classes)))
    seen = evidence.get("confidence", (low, high))
    if seen[0] < low - _SLACK or seen[1] > high + _SLACK:
        return
    values = np.asarray(batch.confidence)
    strange = np.flatnonzero((values < low - _SLACK) | (values > high + _SLACK))
    if not len(strange):
        return
    key, value = batch.key[int(strange[0])], values[strange[0]]
    looks = " looks like percent: divide it by 100" if 1 < value <= 100 else ""
    raise InputError(
        f"the case {key!r} has the confidence {value:g}, and {measure} takes {low:.3g} to {high:.3g};"
        f"{f' {value:g}{looks}, or' if looks else ''} deploy a policy by a log of these scores"
    )


def check_classes(names: Sequence[str], model: Mapping[str, Any], does: str) -> None:
    """Refuse classes that the model does not have."""
    classes = model.get("classes")
    unknown = sorted(set(names) - set(classes)) if classes else []
    if unknown:
        raise InputError(
            f"the batch {does} {unknown[0]!r}, which is not among the classes of the policy: "
            + ", ".join(map(repr, classes or ()))
        )


def check_rates(raised: Mapping[str, float], usual: float) -> None:
    """Refuse rates of regions that are no rates, or less than was agreed."""
    for region, rate in raised.items():
        if not (region and usual <= rate <= 1):
            raise InputError(
                f"the audit rate of {region!r} must be between the agreed {usual:g} and 1; got {rate:g}"
            )


def check_gold(keys: Sequence[str], sources: Sequence[str], truth: Sequence[str | None]) -> None:
    """Refuse gold cases without their truth, and a truth of anything else."""
    for key, source, true in zip(keys, sources, truth, strict=True):
        if (source == "gold") != (true is not None):
            raise InputError(
                f"the label of {key!r} has the source {source!r} and the truth {true!r}: gold cases, "
                "and no others, come with what is known to be right; add the column truth, or leave "
                "it empty"
            )
