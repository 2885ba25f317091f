"""Simulated people that the model of answers does not expect."""

from __future__ import annotations

import numpy as np

from askpoint.elicitation.preferences import log_ratio
from askpoint.elicitation.respondents import Answer, Respondent
from askpoint.elicitation.simulated_people import SimulatedPerson
from askpoint.errors import InputError
from askpoint.measures.inputs import FloatArray

__all__ = ["AbsolutePerson", "AnchoredPerson", "LexicographicPerson", "TiredPerson"]


class TiredPerson(SimulatedPerson):
    """Lapses more and more.

    Parameters
    ----------
    worth, rng, slope, lapse, equal
        As for `SimulatedPerson`.
    """

    growth = 0.025
    """What each answer adds to the lapse."""

    _answered = 0

    def prefers(self, first: FloatArray, second: FloatArray) -> Answer:
        """Compare gain and loss, with less and less care."""
        lapse = min(1.0, self.lapse + self.growth * self._answered)
        self._answered += 1
        return self._answer(self._ratio(first, second), lapse)


class LexicographicPerson(SimulatedPerson):
    """Looks at one class only, the one of greatest worth, wherever it makes a difference.

    Parameters
    ----------
    worth, rng, slope, lapse, equal
        As for `SimulatedPerson`.
    """

    def _ratio(self, first: FloatArray, second: FloatArray) -> float:
        by_class = (self.worth * (first - second)).sum(axis=1)
        top = by_class[np.abs(self.worth).sum(axis=1).argmax()]
        if abs(top) > 1e-12:
            return float(log_ratio(max(top, 0.0), max(-top, 0.0)))
        return super()._ratio(first, second)


class AbsolutePerson(SimulatedPerson):
    """Responds to the difference of gain and loss, not to their ratio.

    Parameters
    ----------
    worth, rng, lapse, equal
        As for `SimulatedPerson`.
    slope : float
        In the unit of `worth`.
    """

    def _ratio(self, first: FloatArray, second: FloatArray) -> float:
        return float((self.worth * (first - second)).sum())


class AnchoredPerson:
    """Takes what stands first, now and then without looking further.

    Parameters
    ----------
    person : Respondent
        Who answers otherwise.
    share : float
        How often the first is taken; a probability.
    rng : numpy Generator
        Decides when.
    """

    def __init__(self, person: Respondent, share: float, rng: np.random.Generator) -> None:
        if not 0 <= share <= 1:
            raise InputError(f"a share must be between 0 and 1; got {share}")
        self._person, self._share, self._rng = person, share, rng

    def prefers(self, first: FloatArray, second: FloatArray) -> Answer:
        """Take the first, or ask the person."""
        answer = self._person.prefers(first, second)
        return True if self._rng.random() < self._share else answer
