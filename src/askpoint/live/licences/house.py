"""What all units of a policy share: one allowance, the approvers, golden actions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

from askpoint.live.licences.policy import LicencePolicy, is_within
from askpoint.live.licences.reading_share import GoldAnswers
from askpoint.live.licences.rise_watch import RiseWatch, loss_bound

__all__ = ["House"]

_MOST_MINOR = 20  # declarations that are kept of each agent
_ROOM = 0.03  # above what is stated (spec/approvals.md, A3)


@dataclass(frozen=True)
class House:
    """What all units share.

    Parameters
    ----------
    seen, allowed : float
        Audited mistakes, and the sum of limit times audit rate, of all units.
    episode : int
        One more each time that a person signs.
    recent : dict of str to list
        Of each approver, the second of the last approval, and the keys approved in it.
    signed_by : str or None
        Who signed last.
    gold : list
        Answers to golden actions: how many, and the bets of each bracket; empty before the first.
    gold_watch : list
        How many the watch over them has heard, and its bets; empty before the first.
    is_careless : bool
        Whether approvers overlook more than was stated: then audits are as frequent as they were at first.
    minor : dict of str to list
        Of each agent, the versions declared as minor ones, each with the version that it changes; the newest last.
    """

    seen: float = 0.0
    allowed: float = 0.0
    episode: int = 1
    recent: Mapping[str, list[Any]] = field(default_factory=dict)
    signed_by: str | None = None
    gold: list[Any] = field(default_factory=list)
    gold_watch: list[Any] = field(default_factory=list)
    is_careless: bool = False
    minor: Mapping[str, list[list[str]]] = field(default_factory=dict)

    def allows(self, policy: LicencePolicy, rate: float) -> bool:
        """Say whether the allowance of the house covers one more action."""
        if policy.house_budget is None:
            return True
        allowed = self.allowed + policy.house_budget - rate
        return is_within(allowed, self.seen, policy.delta, self.episode)

    @property
    def gold_answers(self) -> GoldAnswers:
        """What golden actions show of the approvers."""
        if not self.gold:
            return GoldAnswers.start()
        return GoldAnswers(np.array(self.gold[1]), self.gold[0])

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON."""
        return asdict(self)

    def hear_gold(self, policy: LicencePolicy, *, missed: bool) -> House:
        """Take in what an approver did with a golden action."""
        answers = self.gold_answers.hear(missed=missed)
        house = replace(self, gold=[answers.answers, answers.bets.tolist()])
        if policy.overlooked is None or self.is_careless:
            return house
        watch = RiseWatch.start(policy.overlooked + _ROOM)
        if self.gold_watch:
            heard, *bets = self.gold_watch
            watch = replace(watch, labels=heard, bets=np.array(bets))
        watch = watch.hear(float(missed))
        return replace(
            house,
            gold_watch=[watch.labels, *watch.bets.tolist()],
            is_careless=watch.evidence >= loss_bound(policy.watch_delta, self.episode),
        )

    def declare_minor(self, agent: str, version: str, of: str) -> House:
        """Remember that a version of an agent changes another one little; of each agent the newest declarations."""
        kept = [one for one in self.minor.get(agent, []) if one[0] != version]
        newest = [*kept, [version, of]][-_MOST_MINOR:]
        return replace(self, minor={**self.minor, agent: newest})

    def is_minor(self, agent: str, version: str, before: str) -> bool:
        """Say whether a version of an agent was declared as a minor one of another, or of a minor one of that."""
        of = dict(self.minor.get(agent, []))
        for _ in of:
            version = of.get(version, "")
            if version == before:
                return True
        return False

    def sign(self, by: str) -> House:
        """Begin a new allowance, and a new watch over golden actions."""
        fresh = replace(self, seen=0.0, allowed=0.0, gold_watch=[], is_careless=False)
        return replace(fresh, episode=self.episode + 1, signed_by=by)

    def approve(self, by: str, key: str, second: int) -> House:
        """Remember an approval, as long as its second lasts."""
        last, keys = self.recent.get(by, (None, []))
        recent = {who: one for who, one in self.recent.items() if one[0] == second}
        keys = [*(keys if last == second else []), key]
        return replace(self, recent={**recent, by: [second, keys]})
