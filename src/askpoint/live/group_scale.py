"""How often the model is right in each group: the scale on which a policy with groups decides.

A policy has one threshold, of one scale. With groups that scale is the chance that the model is right, as it was learned
for each group: one threshold of it is a threshold of confidence of its own in every group.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from askpoint.errors import InputError
from askpoint.measures.inputs import FloatArray

__all__ = ["GroupScale", "check_groups"]

_DIGITS = 6


@dataclass(frozen=True, eq=False)
class GroupScale:
    """Chances that the model is right, by group and confidence.

    Parameters
    ----------
    column : str
        That names the group of a case.
    lowest : ndarray of shape (n_places,)
        The least confidence of each place; below the first counts as the first.
    names : tuple of str or None
        Of the groups; None is that of cases that name none.
    right : ndarray of shape (n_groups, n_places)
        Rising along each row.
    other : ndarray of shape (n_places,)
        Of groups that the log does not have.
    """

    column: str
    lowest: FloatArray
    names: tuple[str | None, ...]
    right: FloatArray
    other: FloatArray

    @cached_property
    def _row_of(self) -> dict[str | None, int]:
        return {name: row for row, name in enumerate(self.names)}

    @cached_property
    def _rates(self) -> FloatArray:
        return np.concatenate([self.right, self.other[None]])

    def right_at(self, confidence: FloatArray, group: Sequence[str | None]) -> FloatArray:
        """Return the chance that the model is right on each case."""
        place = np.searchsorted(self.lowest, confidence, side="right") - 1
        rows = [self._row_of.get(name, len(self.names)) for name in group]
        return np.asarray(self._rates[rows, place.clip(min=0)])

    def thresholds(self, least: float | None) -> dict[str | None, float | None]:
        """Return the confidence from which each group is decided alone; None where no case is."""
        found: dict[str | None, float | None] = {}
        for name, rates in zip(self.names, self.right, strict=True):
            place = len(rates) if least is None else int(np.searchsorted(rates, least))
            found[name] = float(self.lowest[place]) if place < len(rates) else None
        return found

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, for a policy."""
        return {
            "column": self.column,
            "from": self.lowest.tolist(),
            "groups": [
                {"name": name, "right": _plain(row)}
                for name, row in zip(self.names, self.right, strict=True)
            ],
            "others": _plain(self.other),
        }

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> GroupScale:
        """Return the scale that `to_dict` wrote."""
        lowest = np.array(plain["from"], dtype=np.float64)
        rows = [each["right"] for each in plain["groups"]]
        return cls(
            plain["column"],
            lowest,
            tuple(each["name"] for each in plain["groups"]),
            np.array(rows, dtype=np.float64).reshape(-1, len(lowest)),
            np.array(plain["others"], dtype=np.float64),
        )


def check_groups(plain: Mapping[str, Any], group: Sequence[str | None] | None) -> None:
    """Refuse cases whose group is not told, unless the log had such cases, too."""
    if group is not None and None not in group:
        return
    if group is None or None not in {each["name"] for each in plain["groups"]}:
        raise InputError(
            f"the policy decides by groups, those of the column {plain['column']!r}, and a case names none; give "
            "each case its group (--group COLUMN, or group=...)"
        )


def _plain(rates: FloatArray) -> list[float]:
    return [round(rate, _DIGITS) for rate in rates.tolist()]
