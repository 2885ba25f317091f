"""Early drift: in which region are more probes verified than used to be?

Players notice new kinds of content before a model's training data does. For each region a
detector gathers evidence that the rate of verified probes has risen, and forgets what spoke
against it before the rise. Its false alarms are rare however long it runs.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from askpoint.errors import InputError
from askpoint.measures.inputs import FloatArray
from askpoint.measures.intervals import binomial_interval
from askpoint.measures.restarts import mix_starts

__all__ = ["DriftNotice", "DriftWatch"]

_RISES = np.array([1.5, 2.0, 3.0, 5.0, 10.0])
_MISSED = 0.1  # chance that any baseline lies above its bound
_SUREST = 1 - 1e-6  # a rate of 1 leaves no room for a rise


@dataclass(frozen=True)
class DriftNotice:
    """The rate of verified probes in a region has risen.

    Parameters
    ----------
    region : object
        The region.
    when : object
        The period that raised the notice.
    since : object
        The period in which the rise began, as far as can be told.
    baseline : float
        Rate before, as an upper bound.
    rate : float
        Rate since the rise began.
    evidence : float
        What it is worth: without a rise this is reached once in so many periods at most.
    """

    region: Hashable
    when: Any
    since: Any
    baseline: float
    rate: float
    evidence: float


class DriftWatch:
    """Watches the rate of verified probes in each region, period by period.

    A Shiryaev-Roberts e-detector against each of several rises, from half more to tenfold.

    Parameters
    ----------
    baseline : mapping of region to (verified, judged)
        Counts of a time of reference: probes that were verified and lay in the region, out of
        all that were judged. Each rate is taken at an upper bound, at once for all regions with
        90%: counts that happened to be low raise no false notices later.
    patience : float, default=1000
        Mean number of periods between false notices, over all regions together, at least: wherever
        the rates lie below their bounds, and in the mean over the counts of the time of reference.

    Raises
    ------
    InputError
        If there is no region, the counts are impossible, or `patience` is below 1.

    References
    ----------
    Shin, Ramdas and Rinaldo, "E-detectors", New England Journal of Statistics in Data
    Science 2 (2024).

    Examples
    --------
    >>> from askpoint.unknowns.drift import DriftWatch
    >>> watch = DriftWatch({"north": (20, 1000), "south": (20, 1000)})
    >>> for day in range(1, 9):
    ...     for notice in watch.update(day, {"north": 1, "south": 1 if day < 6 else 6}, 50):
    ...         print(notice.region, "noticed on day", notice.when, "since day", notice.since)
    south noticed on day 8 since day 6
    """

    def __init__(
        self, baseline: Mapping[Hashable, tuple[int, int]], *, patience: float = 1000.0
    ) -> None:
        if not baseline:
            raise InputError("a watch needs at least one region")
        if not patience >= 1:
            raise InputError(f"patience counts periods, at least 1: got {patience}")
        self.patience = float(patience)
        level = 1 - 2 * _MISSED / len(baseline)
        self.rates: dict[Hashable, float] = {
            region: min(binomial_interval(verified, judged, level=level).upper, _SUREST)
            for region, (verified, judged) in baseline.items()
        }
        self._evidence: dict[Hashable, FloatArray] = {r: np.zeros(len(_RISES)) for r in baseline}
        self._start: dict[Hashable, tuple[float, Any, int, int]] = {}

    def update(
        self, when: Any, verified: Mapping[Hashable, int], judged: int
    ) -> tuple[DriftNotice, ...]:
        """Take in one period.

        Parameters
        ----------
        when : object
            What the period is called.
        verified : mapping of region to int
            Probes judged in this period that were verified and lie in the region; a region
            that is left out has none.
        judged : int
            All probes judged in this period, verified or not.

        Returns
        -------
        tuple of DriftNotice
            Regions whose evidence reached the bound; they start anew afterwards.

        Raises
        ------
        InputError
            If a region is unknown, or has more verified probes than were judged.
        """
        unknown = [region for region in verified if region not in self.rates]
        if unknown:
            raise InputError(
                f"the region {unknown[0]!r} is not watched; watched are: "
                + ", ".join(map(repr, list(self.rates)[:10]))
            )
        notices = []
        for region, rate in self.rates.items():
            n = verified.get(region, 0)
            if not 0 <= n <= judged:
                raise InputError(f"{n} probes of {region!r} were verified out of {judged} judged")
            risen = np.minimum(rate * _RISES, (1 + rate) / 2)
            worth = n * np.log(risen / rate) + (judged - n) * np.log((1 - risen) / (1 - rate))
            evidence = mix_starts(self._evidence[region], 1.0, np.exp(worth))
            self._evidence[region] = evidence
            since, seen, of = self._since(region, when, n, judged, float(worth[1]))
            if evidence.mean() >= self.patience * len(self.rates):
                value = float(evidence.mean() / len(self.rates))
                notices.append(DriftNotice(region, when, since, rate, seen / of, value))
                self._evidence[region] = np.zeros(len(_RISES))
                del self._start[region]
        return tuple(notices)

    def _since(
        self, region: Hashable, when: Any, n: int, judged: int, worth: float
    ) -> tuple[Any, int, int]:
        """When the evidence for a doubled rate last began to rise, and the counts since."""
        score, start, seen, of = self._start.get(region, (0.0, when, 0, 0))
        if score <= 0:
            score, start, seen, of = 0.0, when, 0, 0
        self._start[region] = (score + worth, start, seen + n, of + judged)
        return start, seen + n, of + judged
