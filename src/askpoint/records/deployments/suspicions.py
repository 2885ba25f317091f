"""Regions under suspicion, as `askpoint examine --json` confirmed them, found again among new cases."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl

from askpoint.errors import InputError
from askpoint.records.artefacts import read_text
from askpoint.unknowns.conditions import Condition

__all__ = ["Suspicion", "match_regions", "read_suspicions"]


class Suspicion(NamedTuple):
    """A region in words, and the conditions that all hold in it."""

    region: str
    conditions: tuple[Condition, ...]


def read_suspicions(path: str | Path) -> list[Suspicion]:
    """Read the confirmed regions of a file that `askpoint examine --json` wrote."""
    try:
        confirmed = json.loads(read_text(path))["regions"]["confirmed"] or ()
        return [
            Suspicion(one["region"], tuple(Condition(**part) for part in one["conditions"]))
            for one in confirmed
        ]
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(
            f"{path} holds no regions ({error!r}); give what askpoint examine LOG --json wrote"
        ) from None


def match_regions(frame: pl.DataFrame, suspicions: Sequence[Suspicion]) -> list[str | None]:
    """The first region in which each case lies; None where none is suspected."""
    found = np.full(frame.height, None, dtype=object)
    for suspicion in reversed(suspicions):
        inside = [_holds(condition, frame) for condition in suspicion.conditions]
        found[np.logical_and.reduce(inside)] = suspicion.region
    names: list[str | None] = found.tolist()
    return names


def _holds(condition: Condition, frame: pl.DataFrame) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    name = condition.column
    texts = frame[name].cast(pl.String).replace("", None)
    if condition.relation == "has":
        return condition.holds({}, {name: texts.fill_null("").to_list()})
    if condition.relation in {"at most", "above"}:
        return condition.holds({name: texts.cast(pl.Float64, strict=False).to_numpy()}, {})
    return condition.holds({name: texts.to_numpy()}, {})
