"""What became of N cases: answered right, answered wrong, or asked; and what that is worth.

`Outcomes.f_beta`, `Outcomes.expected_profit` and `Outcomes.value` are coherent: they get
better when a wrong answer is asked instead. The three means below are not; they stand here
as counter-examples. Sources: Acid et al. (2012), section 2; Casati et al. (2021).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from askpoint.errors import InputError
from askpoint.measures.exchange import ExchangeRate, Prices

__all__ = ["Outcomes"]


@dataclass(frozen=True)
class Outcomes:
    """Counts (or weights) of right answers, wrong answers and cases asked.

    Parameters
    ----------
    right, wrong, asked : float
        n_c, n_w and n_i; none negative, their sum above 0.

    Raises
    ------
    InputError
        If one is negative, missing or infinite, or all are 0.

    Examples
    --------
    >>> from askpoint.measures.outcomes import Outcomes
    >>> few, many = Outcomes(60, 10, 30), Outcomes(69, 16, 15)
    >>> few.value(1.5) == many.value(1.5)  # indifferent at omega = 9 / 6
    True
    """

    right: float
    wrong: float
    asked: float

    def __post_init__(self) -> None:
        if min(self.right, self.wrong, self.asked) < 0 or not 0 < self.total < math.inf:
            raise InputError(
                "outcomes count right, wrong and asked cases, finite, none negative, at least "
                f"one above 0; got {self.right}, {self.wrong}, {self.asked}"
            )

    @property
    def total(self) -> float:
        """Number of cases N."""
        return self.right + self.wrong + self.asked

    @property
    def answered(self) -> float:
        """Number of cases answered, right or wrong."""
        return self.right + self.wrong

    @property
    def coverage(self) -> float:
        """Share of cases answered."""
        return self.answered / self.total

    @property
    def risk(self) -> float | None:
        """Share of wrong answers among the answers; None if nothing is answered."""
        return self.wrong / self.answered if self.answered else None

    def f_beta(self, beta: float) -> float:
        """Weighted harmonic mean of precision and recall of answering.

        Parameters
        ----------
        beta : float
            Weight of recall, above 0.

        Returns
        -------
        float
            F_beta = (1 + beta^2) n_c / ((1 + beta^2) N - n_i).

        Raises
        ------
        ObjectiveError
            If beta is not a finite number above 0.
        """
        ExchangeRate.from_f_beta(0, beta)  # refuses a beta that is none
        if not self.right:
            return 0.0
        share = beta / (beta + 1 / beta)  # beta^2 / (1 + beta^2), whatever beta
        return self.right / (self.answered + self.asked * share)

    def expected_profit(self, rho: float) -> float:
        """Expected profit: 1 for a right answer, 1 - rho for asking, 0 for a mistake.

        Parameters
        ----------
        rho : float
            Cost of asking in units of a mistake.

        Returns
        -------
        float
            EP_rho = (n_c + (1 - rho) n_i) / N.
        """
        return (self.right + (1 - rho) * self.asked) / self.total

    def value(self, omega: float) -> float:
        """Value per case: 1 for a right answer, 0 for asking, -omega for a mistake.

        Parameters
        ----------
        omega : float
            Cost of a mistake in units of what a right answer gains.

        Returns
        -------
        float
            V(omega) = (n_c - omega n_w) / N.
        """
        return (self.right - omega * self.wrong) / self.total

    def money(self, prices: Prices) -> float:
        """Total worth in money.

        Parameters
        ----------
        prices : Prices
            Worth of one case of each kind.

        Returns
        -------
        float
        """
        return prices.right * self.right + prices.ask * self.asked + prices.wrong * self.wrong

    def per_thousand(self) -> tuple[int, int, int]:
        """Right, wrong and asked of 1,000 cases: whole numbers that sum to 1,000.

        Returns
        -------
        tuple of int
            The parts that lose most by rounding down are rounded up (largest remainder).

        Examples
        --------
        >>> from askpoint.measures.outcomes import Outcomes
        >>> Outcomes(2, 0, 1).per_thousand()
        (667, 0, 333)
        """
        exact = [1000 * part / self.total for part in (self.right, self.wrong, self.asked)]
        whole = [math.floor(part) for part in exact]
        by_loss = sorted(range(3), key=lambda i: whole[i] - exact[i])
        for i in by_loss[: 1000 - sum(whole)]:
            whole[i] += 1
        right, wrong, asked = whole
        return right, wrong, asked

    def indifference(self, other: Outcomes) -> ExchangeRate | None:
        """Exchange rate at which two outcomes of the same cases are worth the same.

        Parameters
        ----------
        other : Outcomes
            Outcomes over the same total.

        Returns
        -------
        ExchangeRate or None
            None where one of them is at least as good at every rate.

        Examples
        --------
        >>> from askpoint.measures.outcomes import Outcomes
        >>> Outcomes(60, 10, 30).indifference(Outcomes(69, 16, 15)).omega
        1.5
        """
        more_right = other.right * self.total - self.right * other.total
        more_wrong = other.wrong * self.total - self.wrong * other.total
        if more_wrong == 0 or more_right / more_wrong <= 0:
            return None
        return ExchangeRate(more_right / more_wrong)
