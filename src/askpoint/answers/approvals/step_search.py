"""Up to which amount a unit of a log may act alone, where it may not as a whole."""

from __future__ import annotations

from collections.abc import Sequence

from askpoint.live.licences.amount_steps import AmountStep, boldest_step, steps_of
from askpoint.live.licences.label_rules import CountedLabel
from askpoint.live.licences.replay import LicenceTerms
from askpoint.records.approved_actions import ApprovalLog

__all__ = ["find_amounts", "find_step"]

_FEWEST = 20  # labels, before whole numbers that hardly repeat are taken for the number of an order
_REPEATS = 0.9  # share of distinct ones from which on they are


def find_amounts(log: ApprovalLog, rows: Sequence[int]) -> dict[str, list[float | None]]:
    """Return the numeric arguments of some actions by which they can be divided; labels play no part.

    Whole numbers that hardly repeat are numbers of orders or customers, and no amounts.
    """
    names = dict.fromkeys(name for i in rows for name in log.arguments[i] or {})
    found = {name: [_number((log.arguments[i] or {}).get(name)) for i in rows] for name in names}
    return {name: values for name, values in found.items() if _is_amount(values)}


def _number(value: object) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number else None  # type: ignore[arg-type]


def _is_amount(values: Sequence[float | None]) -> bool:
    known = [one for one in values if one is not None]
    if 2 * len(known) < len(values) or not steps_of(known):
        return False
    is_whole = all(one.is_integer() for one in known)
    return not (is_whole and len(known) >= _FEWEST and len(set(known)) > _REPEATS * len(known))


def find_step(
    labels: Sequence[CountedLabel],
    rows: Sequence[int],
    amounts: dict[str, list[float | None]],
    terms: LicenceTerms,
) -> AmountStep | None:
    """Return the boldest step of an amount that its labels support.

    Parameters
    ----------
    labels : sequence of CountedLabel
        Of all actions of the log.
    rows : sequence of int
        Those of the unit.
    amounts : dict of str to list
        As `find_amounts` returns them.
    terms : LicenceTerms
        Of the unit.
    """
    said = [(n, bad) for n, i in enumerate(rows) if (bad := labels[i].bad) is not None]
    counted = {name: [values[n] for n, _ in said] for name, values in amounts.items()}
    return boldest_step(counted, [bad for _, bad in said], terms)
