"""How often the actions of a licensed unit are audited: by its evidence, and after a mistake for a while all.

A level that was reached holds as long as the licence. After a lost licence there is one rate until a person signs: an
agent that is good while asked and bad while licensed is found at its second try.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from askpoint.errors import InputError

__all__ = ["AuditLadder"]

_PER_ROOT = 0.5  # of the regret: chosen with the ladder, on the same seeds


@dataclass(frozen=True)
class AuditLadder:
    """Shares of the actions taken alone that people see.

    The share is fixed before the action, so it may hang on all that came before; promises hold under any. Chosen
    among thirty on seeds of their own: beside one in 5 and 20 by threefold evidence it saves more, and lets an agent that
    turns bad do less, unless that turns within 50 actions (docs/evidence/licence-table.md).

    Parameters
    ----------
    rates : tuple of float
        At level 1, 2, ...
    step : float
        Each level takes so many times the evidence of the one before.
    after_mistake : int
        So many actions are all audited after an audit that found a mistake.
    after_loss : float
        The share after a lost licence, at any level, until a person signs or another version begins.
    least : float
        Of the aim money, which has no levels: the share where nothing is in doubt.

    Examples
    --------
    >>> ladder = AuditLadder()
    >>> ladder.level(evidence=80.0, bound=25.0), ladder.rate(2)
    (2, 0.05)
    """

    rates: tuple[float, ...] = (0.15, 0.05)
    step: float = 2.0
    after_mistake: int = 20
    after_loss: float = 0.5
    least: float = 0.03

    def __post_init__(self) -> None:
        rates = self.rates
        numbers = all(isinstance(one, int | float) and not isinstance(one, bool) for one in rates)
        if not (numbers and rates and all(0 < one <= 1 for one in rates)):
            raise InputError(
                f"rates of audits must be above 0 and at most 1; got {list(rates)!r:.80}"
            )
        if list(rates) != sorted(rates, reverse=True):
            raise InputError(f"rates of audits fall from level to level; got {list(rates)!r:.80}")
        if not 1 < self.step < math.inf:
            raise InputError(f"a step of evidence is above 1; got {self.step:g}")
        if self.after_mistake < 0:
            raise InputError(f"after_mistake is 0 or more; got {self.after_mistake}")
        for name in ("after_loss", "least"):
            value = getattr(self, name)
            if not 0 < value <= 1:
                raise InputError(f"{name} must be above 0 and at most 1; got {value:g}")

    def level(self, evidence: float, bound: float) -> int:
        """Return the level of a licence, from 1, by its evidence and what the licence took."""
        if evidence <= 0:
            return 1
        steps = math.floor(math.log(evidence / bound) / math.log(self.step))
        return min(len(self.rates), max(1, 1 + steps))

    def rate(self, level: int, losses: int = 0) -> float:
        """Return the share that is audited at a level, after so many lost licences; all without a licence."""
        if not level:
            return 1.0
        return max(self.after_loss, self.rates[level - 1]) if losses else self.rates[level - 1]

    def rate_by_regret(self, regret: float, losses: int = 0) -> float:
        """Return the share that is audited where acting is expected to be regretted by so much, in checks an action.

        A unit that should not act is found after some 1 / share actions, so regret and audits cost least together where
        the share grows with the root of the regret.

        Parameters
        ----------
        regret : float
            As `acting_regret` returns it.
        losses : int
            Licences lost since a person last signed.
        """
        share = min(1.0, max(self.least, _PER_ROOT * math.sqrt(regret)))
        return max(self.after_loss, share) if losses else share
