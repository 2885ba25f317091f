"""One exchange rate in four dialects: omega, rho, beta, and checks per mistake."""

from __future__ import annotations

import math
from dataclasses import dataclass

from askpoint.errors import InputError, ObjectiveError

__all__ = ["ExchangeRate", "Prices"]


@dataclass(frozen=True)
class ExchangeRate:
    """What a mistake costs, against what a right answer gains and what asking costs.

    Parameters
    ----------
    omega : float
        Cost of a wrong answer in units of what a right answer gains, both against asking
        (symbol omega of Casati et al. 2021); finite, 0 or more.

    Raises
    ------
    ObjectiveError
        If omega is negative, missing or infinite.

    Notes
    -----
    rho = 1 / (1 + omega) is the cost of asking in units of a mistake (Acid et al. 2012),
    1 / rho the number of checks per mistake, and 1 - rho the confidence above which a
    calibrated model should answer.

    Examples
    --------
    >>> from askpoint.measures.exchange import ExchangeRate
    >>> rate = ExchangeRate.from_checks(20)
    >>> rate.omega, rate.rho, rate.calibrated_threshold
    (19.0, 0.05, 0.95)
    """

    omega: float

    def __post_init__(self) -> None:
        if not (math.isfinite(self.omega) and self.omega >= 0):
            raise ObjectiveError(f"omega must be a finite number, 0 or more; got {self.omega}")
        object.__setattr__(self, "omega", float(self.omega))

    @classmethod
    def from_rho(cls, rho: float) -> ExchangeRate:
        """Make a rate from the cost of asking in units of a mistake.

        Parameters
        ----------
        rho : float
            Above 0 and at most 1.

        Returns
        -------
        ExchangeRate

        Raises
        ------
        ObjectiveError
            If rho lies outside.
        """
        if not 0 < rho <= 1:
            raise ObjectiveError(f"rho must be above 0 and at most 1; got {rho}")
        return cls(1 / rho - 1)  # exact for one part in a whole number

    @classmethod
    def from_checks(cls, checks: float) -> ExchangeRate:
        """Make a rate from how many cases one would have checked to catch one mistake.

        Parameters
        ----------
        checks : float
            At least 1.

        Returns
        -------
        ExchangeRate

        Raises
        ------
        ObjectiveError
            If it is less, missing or infinite.
        """
        if not (math.isfinite(checks) and checks >= 1):
            raise ObjectiveError(f"checks per mistake must be at least 1; got {checks}")
        return cls(checks - 1)

    @classmethod
    def from_f_beta(cls, f: float, beta: float) -> ExchangeRate:
        """Make the rate at which the optimum of F_beta is the optimum of expected profit.

        Parameters
        ----------
        f : float
            The greatest F_beta, in [0, 1].
        beta : float
            Its parameter, above 0.

        Returns
        -------
        ExchangeRate
            With rho = 1 - f / (1 + beta^2).

        Raises
        ------
        ObjectiveError
            If `f` or `beta` lies outside its range, or they leave no finite rate.
        """
        if not (math.isfinite(beta) and beta > 0):
            raise ObjectiveError(f"beta must be a finite number above 0; got {beta}")
        if not 0 <= f <= 1:
            raise ObjectiveError(f"F_beta must be between 0 and 1; got {f}")
        rest = beta * beta + (1 - f)  # that is (1 + beta^2) rho, without losing digits
        return cls(f / rest if rest else math.inf)

    @property
    def rho(self) -> float:
        """Cost of asking in units of a mistake, 1 / (1 + omega)."""
        return 1 / (1 + self.omega)

    @property
    def checks_per_mistake(self) -> float:
        """How many checks are worth one mistake, 1 + omega."""
        return 1 + self.omega

    @property
    def calibrated_threshold(self) -> float:
        """Confidence from which a calibrated model should answer, omega / (1 + omega)."""
        return self.omega / (1 + self.omega)

    def profit(self, value: float) -> float:
        """Expected profit EP_rho that a value V(omega) amounts to.

        Parameters
        ----------
        value : float
            V(omega) per item.

        Returns
        -------
        float
            (omega + V) / (1 + omega).
        """
        return (self.omega + value) / (1 + self.omega)


@dataclass(frozen=True)
class Prices:
    """What one right answer, one case asked and one wrong answer are worth, in money.

    Parameters
    ----------
    right, ask, wrong : float
        Worth of each (V_correct, V_abstain, V_wrong); right above ask above wrong.

    Raises
    ------
    InputError
        If the order is violated: then nothing needs to be decided.

    Examples
    --------
    >>> from askpoint.measures.exchange import Prices
    >>> Prices(right=1.0, ask=-0.5, wrong=-20.0).rate.omega
    13.0
    """

    right: float
    ask: float
    wrong: float

    def __post_init__(self) -> None:
        finite = all(map(math.isfinite, (self.right, self.ask, self.wrong)))
        if not (finite and self.wrong < self.ask < self.right):
            raise InputError(
                "prices must satisfy wrong < ask < right (else asking never or always pays); "
                f"got right {self.right}, ask {self.ask}, wrong {self.wrong}"
            )

    @property
    def rate(self) -> ExchangeRate:
        """The exchange rate: omega = (ask - wrong) / (right - ask)."""
        return ExchangeRate((self.ask - self.wrong) / (self.right - self.ask))
