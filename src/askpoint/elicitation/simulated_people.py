"""Simulated people, as the model of answers expects them."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from askpoint.elicitation.preferences import answer_chances, log_ratio
from askpoint.elicitation.respondents import Answer
from askpoint.errors import InputError
from askpoint.measures.inputs import FloatArray, as_finite

__all__ = ["SimulatedPerson"]


class SimulatedPerson:
    """Weighs gains against losses, but only roughly, and lapses now and then.

    Parameters
    ----------
    worth : array-like of shape (k, k) or (k, k + 1)
        Worth of each cell of a confusion matrix; only differences within a row matter.
    rng : numpy Generator
        Makes the person's mistakes.
    slope : float, default=0.25
        Symbol s: how rough ratios of gain to loss are told apart.
    lapse : float, default=0.04
        Symbol l: how often the person answers without looking.
    equal : float, default=0
        Weight of "about equal" (see `askpoint.elicitation.preferences`); 0: never said.

    Raises
    ------
    InputError
        If the slope is not above 0, the lapse no probability or the weight negative.

    Examples
    --------
    >>> import numpy as np
    >>> from askpoint.elicitation.simulated_people import SimulatedPerson
    >>> person = SimulatedPerson(np.diag([0.8, 0.2]), np.random.default_rng(0))
    >>> person.prefers(np.diag([0.4, 0.3]), np.diag([0.1, 0.5]))  # gains 0.24, loses 0.04
    True
    """

    def __init__(
        self,
        worth: ArrayLike,
        rng: np.random.Generator,
        *,
        slope: float = 0.25,
        lapse: float = 0.04,
        equal: float = 0.0,
    ) -> None:
        if not (slope > 0 and 0 <= lapse <= 1 and equal >= 0):
            raise InputError(
                "a person has a slope above 0, a lapse between 0 and 1 and a weight of 'about "
                f"equal' of 0 or more; got {slope}, {lapse} and {equal}"
            )
        self.worth = as_finite(worth, "worth", ndim=2)
        self.slope, self.lapse, self.equal = slope, lapse, equal
        self._rng = rng

    def prefers(self, first: FloatArray, second: FloatArray) -> Answer:
        """Compare gain and loss."""
        return self._answer(self._ratio(first, second), self.lapse)

    def _ratio(self, first: FloatArray, second: FloatArray) -> float:
        difference = self.worth * (first - second)
        gain, loss = difference.clip(min=0).sum(), (-difference).clip(min=0).sum()
        return float(log_ratio(gain, loss))

    def _answer(self, ratio: float, lapse: float) -> Answer:
        chances = answer_chances(ratio, self.slope, lapse, self.equal)
        drawn = self._rng.random()
        if drawn < chances.first:
            return True
        return None if drawn < chances.first + chances.equal else False
