"""Whether a judge changed: a likelihood ratio in which items may change, too.

Votes of two periods come from judges who err independently. What is common may differ between
periods: the prevalence of the labels, for items change. If one judge's accuracies must differ as
well to explain the votes, this judge drifted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy import special

from askpoint.errors import InputError, NotEstimableError
from askpoint.judges.families import same_family
from askpoint.judges.methods.latent_class import LatentClass, maximise
from askpoint.judges.sketch.vote_sketch import VoteSketch
from askpoint.measures.inputs import BoolArray, FloatArray
from askpoint.measures.multiple_tests import adjust_by_holm

__all__ = [
    "MOST_JUDGES",
    "JudgeDrift",
    "VoteDrift",
    "drift_test",
    "look_level",
    "period_splits",
]

MOST_JUDGES = 40
"""Beyond, as many alternatives are not fitted; choose some of the judges."""

_LEVEL = 0.05
_UNPLANNED = 0.608  # 6 / pi^2: the levels of all looks sum up to .05
_LEAST = 20  # votes of a judge in each period


@dataclass(frozen=True)
class JudgeDrift:
    """What one judge did before and since.

    Attributes
    ----------
    p_value : float
        By Holm's method over judges, times the splits that were tried. Once a judge has changed
        for sure, others are tested with that judge free to have changed.
    since : int
        The first item, counted from 0, of the later period.
    before, after : mapping of label to float
        Accuracy on each label in either period.
    """

    p_value: float
    since: int
    before: Mapping[str, float]
    after: Mapping[str, float]


@dataclass(frozen=True)
class VoteDrift:
    """Which judges changed between the periods seen so far.

    Attributes
    ----------
    judges : mapping of str to JudgeDrift or None
        None for a judge with too few votes in one of the periods.
    level : float
        Alarm below it: so many looks before and after this one raise a false alarm with
        probability .05 together.
    """

    judges: Mapping[str, JudgeDrift | None]
    level: float

    @property
    def alarms(self) -> tuple[str, ...]:
        """Judges who changed."""
        drifts = self.judges.items()
        return tuple(j for j, one in drifts if one is not None and one.p_value <= self.level)


def drift_test(
    sketches: Sequence[VoteSketch],
    *,
    planned: int | None = None,
    families: Mapping[str, str] | None = None,
) -> VoteDrift:
    """Say which judges changed, by the votes of successive periods on items that may change too.

    Parameters
    ----------
    sketches : sequence of VoteSketch
        A period each, in order; three judges of three families or more, two labels. The last half
        and the last quarter of the periods are compared with what came before.
    planned : int, optional
        How many looks are planned, the first of them at two periods; without a plan each look
        has a lower level.
    families : mapping of judge to family, optional
        Of a family one member stands beside each judge under test who is of another family.

    Returns
    -------
    VoteDrift

    Raises
    ------
    InputError
        If there are fewer than two periods, not two labels, or more looks than planned.
    NotEstimableError
        If there are fewer than three judges or families, or more than 40 judges.

    Notes
    -----
    Twice the smaller p-value of two alternatives counts: the judge's accuracies are free in the
    later period (2 df), or all his votes shift to one label by one logit (1 df). The prevalence of
    each period is free in null and alternative. With errors that judges share the model is
    misspecified, and was checked by simulation at moderate common difficulty only.

    References
    ----------
    Dawid and Skene, Applied Statistics 28 (1979); Holm, Scandinavian J. of Statistics 6 (1979).

    Examples
    --------
    >>> import numpy as np
    >>> from askpoint.judges.checks.drift import drift_test
    >>> from askpoint.judges.sketch.vote_sketch import VoteSketch
    >>> old, new = (VoteSketch(["ann", "bob", "cy"], ["no", "yes"]) for _ in range(2))
    >>> patterns = [[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)]
    >>> old.update_codes(patterns, [386, 104, 104, 56, 104, 56, 56, 134])
    >>> new.update_codes(patterns, [300, 70, 70, 30, 190, 90, 90, 160])
    >>> drift_test([old, new]).alarms
    ('ann',)
    """
    n = len(sketches)
    level, splits = look_level(n, planned), period_splits(n)
    judges, labels = sketches[0].judges, sketches[0].labels
    if len(labels) != 2:
        raise InputError(
            f"drift is tested for two labels; got {len(labels)}; set one against the rest"
        )
    if len(judges) > MOST_JUDGES:
        raise NotEstimableError(
            f"drift is tested for at most {MOST_JUDGES} judges; got {len(judges)}; choose some"
        )
    halves = [(_sum(sketches[:split]), _sum(sketches[split:])) for split in splits]
    panels = _panels(same_family(judges, families))
    models = {
        panel: [
            _TwoPeriods(*(part.select([judges[i] for i in panel]) for part in half))
            for half in halves
        ]
        for panel in set(panels)
    }

    def compare(place: int, changed: list[int]) -> JudgeDrift | None:
        panel = panels[place]
        freed = tuple(panel.index(i) for i in changed if i in panel)
        tried = [
            model.compare(panel.index(place), freed, before.n_items)
            for model, (before, _) in zip(models[panel], halves, strict=True)
        ]
        known = [one for one in tried if one is not None]
        best = min(known, key=lambda one: one.p_value, default=None)
        return best and replace(best, p_value=min(1.0, best.p_value * len(known)))

    drifts: dict[int, JudgeDrift | None] = {}
    changed: list[int] = []  # they are free in null and alternative when others are tested
    left, least = list(range(len(judges))), 0.0
    while True:
        tried = {place: compare(place, changed) for place in left}
        tested = {place: one for place, one in tried.items() if one is not None}
        adjusted = [max(least, p) for p in adjust_by_holm([one.p_value for one in tested.values()])]
        for (place, one), p in zip(tested.items(), adjusted, strict=True):
            tried[place] = replace(one, p_value=p)
        drifts |= tried
        least = min(adjusted, default=1.0)
        if least > level:
            break
        worst = min(tested, key=lambda place: (tested[place].p_value, place))
        changed.append(worst)
        left.remove(worst)
    return VoteDrift({judge: drifts[place] for place, judge in enumerate(judges)}, level)


def look_level(n_periods: int, planned: int | None) -> float:
    """Return the level at a look after so many periods, the first of them at two."""
    look = n_periods - 1
    if look < 1:
        raise InputError(f"drift needs at least two periods to compare; got {n_periods}")
    if planned is not None and look > planned:
        raise InputError(f"{planned} looks are planned, and this is the look number {look}")
    return _LEVEL / planned if planned else _LEVEL * _UNPLANNED / look**2


def period_splits(n_periods: int) -> list[int]:
    """Return where the last half and the last quarter of the periods begin."""
    return sorted({n_periods // 2, n_periods - n_periods // 4} & set(range(1, n_periods)))


def _sum(sketches: Sequence[VoteSketch]) -> VoteSketch:
    total = VoteSketch(sketches[0].judges, sketches[0].labels)
    for sketch in sketches:
        total.merge(sketch)
    return total


def _panels(related: BoolArray) -> list[tuple[int, ...]]:
    """Return each judge with the first one of each other family."""
    panels = []
    for place in range(len(related)):
        panel = [place]
        for other in range(len(related)):
            if other != place and not related[other, panel].any():
                panel.append(other)
        if len(panel) < 3:
            raise NotEstimableError(
                "with fewer than three judges or families votes cannot tell a judge who changed from "
                "items that did; use labels of both periods, or items that are judged again (--anchor)"
            )
        panels.append(tuple(sorted(panel)))
    return panels


class _TwoPeriods:
    """Judges of two periods: theta = (logits of p_1, p_2; of all P_ia; of all P_ib; two shifts)."""

    def __init__(self, before: VoteSketch, after: VoteSketch) -> None:
        self.labels, self.k = before.labels, len(before.judges)
        self.cells = before.cells(), after.cells()
        self.models = [LatentClass(*cells) for cells in self.cells]
        self.cast = np.array([cells.votes_cast() for cells in self.cells])
        common = np.zeros(2 + 2 * self.k)
        for code in (0, 1):  # the start: what the votes' shares say of prevalence
            votes, counts = self.cells[code]
            said = counts @ (votes == 0)
            common[code] = special.logit(
                np.clip(said.sum() / max(self.cast[code].sum(), 1), 0.1, 0.9)
            )
        common[2:] = special.logit(0.75)
        self.fits: dict[tuple[int, ...], tuple[FloatArray, float]] = {}
        self.fits[()] = self._fit(np.zeros((2 + 2 * self.k, 0)), common)

    def without(self, freed: tuple[int, ...]) -> tuple[FloatArray, float]:
        """Fit these judges' accuracies to each period, and all others' to both."""
        if freed not in self.fits:
            start = np.concatenate([self.without(freed[:-1])[0], np.zeros(2)])
            self.fits[freed] = self._fit(self._own(freed), start)
        return self.fits[freed]

    def _own(self, places: tuple[int, ...]) -> FloatArray:
        own = np.zeros((2 + 2 * self.k, 2 * len(places)))
        for column, place in enumerate(places):
            own[2 + place, 2 * column] = own[2 + self.k + place, 2 * column + 1] = 1
        return own

    def _fit(self, shifts: FloatArray, start: FloatArray) -> tuple[FloatArray, float]:
        """Fit all numbers, and shifts of the later period's logits along some directions."""
        size = 2 + 2 * self.k
        maps = []
        for period in (0, 1):
            rows = np.zeros((1 + 2 * self.k, size))
            rows[0, period] = 1
            rows[1:, 2:] = np.eye(2 * self.k)
            maps.append(np.hstack([rows, period * shifts[1:]]))

        def expand(theta: FloatArray) -> tuple[float, FloatArray, FloatArray]:
            parts = [
                (model.expand(rows @ theta), rows)
                for model, rows in zip(self.models, maps, strict=True)
            ]
            return (
                sum(one[0] for one, _ in parts),
                np.sum([rows.T @ one[1] for one, rows in parts], axis=0),
                np.sum([rows.T @ one[2] @ rows for one, rows in parts], axis=0),
            )

        return maximise(expand, start, np.ones(len(start), dtype=bool))

    def compare(self, place: int, freed: tuple[int, ...], since: int) -> JudgeDrift | None:
        """Let one more judge change; None where he cast too few votes."""
        if self.cast[:, place].min() < _LEAST:
            return None
        null, least = self.without(freed)
        own = self._own((place,))
        p, theta = [], null
        for directions in (own[:, :1] - own[:, 1:], own):
            start = np.concatenate([null, np.zeros(directions.shape[1])])
            theta, loss = self._fit(np.hstack([self._own(freed), directions]), start)
            p.append(float(special.chdtrc(directions.shape[1], max(2 * (least - loss), 0.0))))
        early = theta[[2 + place, 2 + self.k + place]]
        before, after = (special.expit(x).tolist() for x in (early, early + theta[-2:]))
        return JudgeDrift(
            min(1.0, 2 * min(p)),
            since,
            dict(zip(self.labels, before, strict=True)),
            dict(zip(self.labels, after, strict=True)),
        )
