"""How often the actions of a licensed unit are audited: by its evidence, and after a mistake for a while all."""

from __future__ import annotations

import math
from dataclasses import dataclass

from askpoint.errors import InputError

__all__ = ["AuditLadder"]


@dataclass(frozen=True)
class AuditLadder:
    """Shares of the actions taken alone that people see.

    The share is fixed before the action, so it may hang on all that came before; promises hold under any. Chosen
    among twenty: beside one in 2, 5 and 20 by tenfold evidence it saves a fifth more and lets an agent that turns bad
    do less (docs/licence-table.md).

    Parameters
    ----------
    rates : tuple of float
        At level 1, 2, ...
    step : float
        Each level takes so many times the evidence of the one before.
    after_mistake : int
        So many actions are all audited after an audit that found a mistake.

    Examples
    --------
    >>> ladder = AuditLadder()
    >>> ladder.level(evidence=80.0, bound=25.0), ladder.rate(2)
    (2, 0.05)
    """

    rates: tuple[float, ...] = (0.2, 0.05)
    step: float = 3.0
    after_mistake: int = 10

    def __post_init__(self) -> None:
        rates = self.rates
        numbers = all(isinstance(one, int | float) and not isinstance(one, bool) for one in rates)
        if not (numbers and rates and all(0 < one <= 1 for one in rates)):
            raise InputError(
                f"rates of audits lie above 0 and at most at 1; got {list(rates)!r:.80}"
            )
        if list(rates) != sorted(rates, reverse=True):
            raise InputError(f"rates of audits fall from level to level; got {list(rates)!r:.80}")
        if not 1 < self.step < math.inf:
            raise InputError(f"a step of evidence is above 1; got {self.step:g}")
        if self.after_mistake < 0:
            raise InputError(f"after_mistake is 0 or more; got {self.after_mistake}")

    def level(self, evidence: float, bound: float) -> int:
        """Return the level of a licence, from 1, by its evidence and what the licence took."""
        if evidence <= 0:
            return 1
        steps = math.floor(math.log(evidence / bound) / math.log(self.step))
        return min(len(self.rates), max(1, 1 + steps))

    def rate(self, level: int) -> float:
        """Return the share that is audited at a level; all without a licence."""
        return self.rates[level - 1] if level else 1.0
