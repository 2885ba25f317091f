"""How a unit stands, for who looks: state, level, evidence, and how many approvals are missing."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from askpoint.live.licences.action import unit_name
from askpoint.live.licences.action_classes import HARMS, OTHER
from askpoint.live.licences.certificate import WEIGHTS, evidence_step
from askpoint.live.licences.error_posterior import acting_pays
from askpoint.live.licences.policy import LicencePolicy
from askpoint.live.licences.reading_share import ReadingEvidence
from askpoint.live.licences.unit import Unit
from askpoint.live.licences.without_each import Pivot

__all__ = ["UnitStatus", "count_missing", "unit_statuses"]

_FARTHEST = 3000  # labels that are looked ahead


@dataclass(frozen=True)
class UnitStatus:
    """How a unit stands.

    Parameters
    ----------
    agent, tool, name, version : str
        The unit, and the version of the agent that it was last seen in.
    state : {"licensed", "asks", "never"}
    level : int
        1 to 3; 0 without a licence.
    audit_rate : float
        Share of its actions that people see.
    labels : int
        Counted in this episode.
    evidence, bound : float
        The licence began, or begins, when evidence reached the bound.
    episode, losses : int
        Episodes so far; licences lost in this version since somebody last signed.
    lost_because : str
        Why the last licence ended.
    waiting : int
        Actions whose labels are not counted yet.
    alone, asked : int
        Actions taken alone under this licence; actions asked in all.
    is_carried : bool
        Whether its licence was carried over from the version before, and this version has not earned one yet.
    budget_left : float
        Audited mistakes that the allowance still covers, about: limit times audits so far, and the budget, less
        those seen.
    waits_for : str
        The more cautious step of its amount without which its licence does not hold; nothing where it has none.
    pivot : Pivot or None
        The approver on whose word alone its evidence hangs, where the terms do not take that; None where it hangs on none.
    """

    agent: str
    tool: str
    name: str
    version: str
    state: Literal["licensed", "asks", "never"]
    level: int
    audit_rate: float
    labels: int
    evidence: float
    bound: float
    episode: int
    losses: int
    lost_because: str
    waiting: int
    alone: int
    asked: int
    is_carried: bool
    budget_left: float
    waits_for: str = ""
    pivot: Pivot | None = None


def unit_statuses(policy: LicencePolicy, units: Mapping[str, Unit]) -> list[UnitStatus]:
    """Return how units stand, by name, that are settled to a moment."""
    return [_unit_status(policy, units, place) for place in units]


def _unit_status(policy: LicencePolicy, units: Mapping[str, Unit], place: str) -> UnitStatus:
    unit = units[place]
    agent, tool, name = place.split(" | ", 2)
    kinds = [one for one in policy.classes if one.name == name and one.covers(tool)]
    never = name == OTHER or not kinds
    never = never or (kinds[0].harm == HARMS[-1] and not kinds[0].signed) or kinds[0].deny
    steps = policy.cautious_steps(kinds[0] if kinds else None)
    before = ((one.name, units.get(unit_name(agent, tool, one.name))) for one in steps)
    waits = (
        step
        for step, one in before
        if one is None or not one.is_granted or one.version != unit.version
    )
    waits_for = next(waits, "")
    level = 0 if never or waits_for else unit.level(policy)
    return UnitStatus(
        *(agent, tool, name, unit.version),
        state="never" if never else "licensed" if level else "asks",
        level=level,
        audit_rate=unit.audit_rate(policy) if level else 1.0,
        labels=unit.certificate.labels,
        evidence=unit.evidence,
        bound=unit.bound(policy),
        episode=unit.episode,
        losses=unit.losses,
        lost_because=unit.lost_because,
        waiting=len(unit.waiting),
        alone=unit.alone,
        asked=unit.asked,
        is_carried=unit.is_carried and level > 0,
        budget_left=unit.limit * unit.drawn + policy.mistake_budget - unit.seen,
        waits_for=waits_for,
        pivot=None if level or never else _find_pivot(unit, unit.bound(policy)),
    )


def _find_pivot(unit: Unit, bound: float) -> Pivot | None:
    """Return who is missing where all labels together suffice, and not without one approver."""
    if unit.apart is None or not unit.apart.evidence < bound <= unit.certificate.evidence:
        return None
    return Pivot(unit.apart.pivotal, unit.apart.count_missing(bound))


def count_missing(policy: LicencePolicy, units: Sequence[Unit]) -> list[int | None]:
    """Return how many labels that say right, in a row, would bring each unit its licence.

    Those that wait to be counted and say right are not missing; None where it takes more than 3,000. Where licences have
    to hold without each approver, each of those known so far, and of two at least, is taken to say an even part.

    Examples
    --------
    >>> count_missing(LicencePolicy(()), [Unit.start(0.05, "1")])
    [76]
    """
    plain = [one for one in units if _is_plain(one)]
    ahead = dict(zip(map(id, plain), _look_ahead(policy, plain), strict=True))
    return [
        ahead[id(one)] if _is_plain(one) else _less_those_there(one, _look_ahead_alone(policy, one))
        for one in units
    ]


def _is_plain(unit: Unit) -> bool:
    """Say whether its evidence hangs on the number of its labels alone, so that many are looked ahead at once."""
    is_one = unit.apart is None and unit.reading is None and unit.certificate.reserve is None
    return is_one and not unit.counts_money


def _look_ahead_alone(policy: LicencePolicy, unit: Unit) -> int:
    if unit.counts_money:
        labels = range(unit.certificate.labels, unit.certificate.labels + _FARTHEST)
        pays = (n for n, all_ in enumerate(labels) if acting_pays(all_, unit.wrong, unit.limit))
        return next(pays, -1)
    bound = unit.bound(policy)
    all_ = _look_ahead_of_all(unit, bound)
    if unit.apart is None or all_ < 0:
        return all_
    without = unit.apart.count_missing(bound)
    if without is None:
        return -1
    if not all_:  # what others than the pivotal approver have to say
        return without
    people = max(2, len(unit.apart.names))
    return math.ceil(max(all_, without) * people / (people - 1))


def _look_ahead_of_all(unit: Unit, bound: float) -> int:
    if unit.reading is not None:
        return _look_ahead_of_reading(unit, unit.reading, bound)
    certificate = unit.certificate
    for n in range(_FARTHEST):
        if certificate.evidence >= bound:
            return n
        certificate = certificate.update(0.0)
    return -1


def _look_ahead(policy: LicencePolicy, units: Sequence[Unit]) -> list[int | None]:
    if not units:
        return []
    bets = np.array([one.certificate.bets for one in units])
    labels = np.array([one.certificate.labels for one in units])
    limits = np.array([one.limit for one in units])
    bounds = np.array([one.bound(policy) for one in units])
    reached = np.where(bets @ WEIGHTS >= bounds, 0, -1)
    for n in range(1, _FARTHEST + 1):
        if (reached >= 0).all():
            break
        bets = evidence_step(bets, labels + n, 0.0, limits)
        reached = np.where((reached < 0) & (bets @ WEIGHTS >= bounds), n, reached)
    return [_less_those_there(one, n) for one, n in zip(units, reached.tolist(), strict=True)]


def _look_ahead_of_reading(unit: Unit, reading: ReadingEvidence, bound: float) -> int:
    """The same where golden actions count; -1 where only more of these help."""
    for n in range(_FARTHEST if reading.gold[-1] >= bound else 0):
        if reading.evidence >= bound:
            return n
        reading = reading.update(0.0, unit.certificate.labels + n + 1)
    return -1


def _less_those_there(unit: Unit, n: int) -> int | None:
    there = sum(one.bad == 0 and not one.is_older for one in unit.waiting)
    return None if n < 0 else max(0, n - there)
