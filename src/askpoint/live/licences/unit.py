"""One unit in use: what is known of it, and the steps by which it earns, loses and earns again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Self

from askpoint.live.licences.action_classes import ActionClass
from askpoint.live.licences.certificate import Certificate, grant_bound
from askpoint.live.licences.error_posterior import LEAST, acting_pays, acting_regret
from askpoint.live.licences.policy import LicencePolicy, is_within
from askpoint.live.licences.reading_share import ReadingEvidence
from askpoint.live.licences.rise_watch import RiseWatch, loss_bound
from askpoint.live.licences.waiting import (
    HOUR,
    Waiting,
    add_label,
    drop_action,
    find_next_due,
    mark_heard,
    oldest_audit,
)
from askpoint.live.licences.without_each import WithoutEach

__all__ = ["Unit"]


@dataclass(frozen=True, eq=False)
class Unit:
    """A unit as of now.

    Parameters
    ----------
    version : str
        Of the agent.
    certificate : Certificate
        Of the present episode.
    watch : RiseWatch
        Of the present licence.
    episode : int
        1, and one more after each loss and each new version.
    is_granted : bool
        Whether it holds a licence.
    seen, drawn : float
        Audited mistakes, and the sum of audit rates, since the grant: S and P of the allowance.
    alone, asked : int
        Actions since the grant that it took alone; actions in all that people were asked about.
    losses : int
        Licences lost in this version, since somebody last signed.
    lost_because : str
        Why the last one ended; empty while none has.
    signed_by : str or None
        Who signed the licence, or that it may be earned again.
    day, day_actions, day_money
        What it took alone on its last day.
    waiting : tuple of Waiting
        Actions whose labels are not counted yet, in the order of the proposals.
    reading : ReadingEvidence or None
        Where licences count what readers overlook, as golden actions measure it.
    wrong : float
        Of the labels of this episode.
    alert : int
        So many more actions are all audited, for an audit found a mistake.
    counts_money : bool
        Whether it acts alone while that is expected to cost less than asking, rather than by its certificate.
    reached : int
        The greatest level of this licence: none is taken back while it lasts.
    is_carried : bool
        Whether its licence was carried over from the version before, and this version has not earned one yet.
    delta_share : float
        Of the policy's delta, what its licences use.
    apart : WithoutEach or None
        Evidence without each approver, where licences have to hold so.
    """

    version: str
    certificate: Certificate
    watch: RiseWatch
    episode: int = 1
    is_granted: bool = False
    seen: float = 0.0
    drawn: float = 0.0
    alone: int = 0
    asked: int = 0
    losses: int = 0
    lost_because: str = ""
    signed_by: str | None = None
    day: int = 0
    day_actions: int = 0
    day_money: float = 0.0
    waiting: tuple[Waiting, ...] = ()
    reading: ReadingEvidence | None = None
    wrong: float = 0.0
    alert: int = 0
    counts_money: bool = False
    reached: int = 0
    is_carried: bool = False
    delta_share: float = 1.0
    apart: WithoutEach | None = None

    @classmethod
    def start(
        cls, limit: float, version: str, *, measures: bool = False, counts_money: bool = False, again: bool = False,
        apart: bool = False,
    ) -> Self:  # fmt: skip
        """Return a unit of which nothing is known; again, after a lost licence."""
        return cls(
            version,
            Certificate.start(limit, again=again),
            RiseWatch.start(limit),
            reading=ReadingEvidence.start(limit) if measures else None,
            counts_money=counts_money,
            apart=WithoutEach.start(limit) if apart else None,
        )

    @classmethod
    def of(cls, policy: LicencePolicy, kind: ActionClass | None, version: str) -> Self:
        """Return the unit of a class of which nothing is known."""
        fresh = cls.start(
            policy.limit_of(kind),
            version,
            measures=policy.measures_reading,
            counts_money=policy.aim_of(kind) == "money",
            apart=policy.without_each_approver and policy.aim_of(kind) != "money",
        )
        share = None if kind is None else kind.delta_share
        return fresh if share is None else replace(fresh, delta_share=share)

    @property
    def evidence(self) -> float:
        """That its rate lies below its limit; with what readers overlook, and without each of them, where it must be."""
        all_ = self.certificate.evidence if self.reading is None else self.reading.evidence
        return all_ if self.apart is None else min(all_, self.apart.evidence)

    @property
    def limit(self) -> float:
        """On its share of bad actions."""
        return self.certificate.limit

    def bound(self, policy: LicencePolicy) -> float:
        """Return the evidence that a licence takes in this episode."""
        return grant_bound(policy.delta * self.delta_share, self.episode)

    def level(self, policy: LicencePolicy) -> int:
        """Return the level of its licence, from 1; 0 without one."""
        if not self.is_granted:
            return 0
        if self.is_carried:
            return 1
        if self.counts_money:
            return len(policy.audits.rates)
        return max(self.reached, policy.audits.level(self.evidence, self.bound(policy)))

    def audit_rate(self, policy: LicencePolicy) -> float:
        """Return the share of its next actions that is audited; all without a licence, or for a while after a mistake."""
        if self.alert:
            return 1.0
        if self.is_granted and self.counts_money and not self.is_carried:
            regret = float(acting_regret(self.certificate.labels, self.wrong, self.limit))
            return policy.audits.rate_by_regret(regret, self.losses)
        return policy.audits.rate(self.level(policy), self.losses)

    def allows(self, policy: LicencePolicy, rate: float) -> bool:
        """Say whether its allowance covers one more action, audited at a rate."""
        allowed = self.limit * self.drawn + policy.mistake_budget - rate
        return is_within(allowed, self.seen, policy.delta, self.episode)

    def in_flight(self) -> int:
        """Return how many actions it took alone since the oldest audit that awaits its label."""
        oldest = oldest_audit(self.waiting)
        return 0 if oldest is None else self.alone - oldest.alone_before

    def take_over(self, version: str, *, is_minor: bool = False) -> Self:
        """Begin anew where the agent's version is another one; a licence of a minor one goes on at level 1.

        An episode without a label spent nothing of what false licences may sum to, and goes on. What a minor version
        carries over is never evidence. Its mistake budget is a new one, but for a licence that was carried over before
        and not earned since: versions in a row then share one.
        """
        if version == self.version:
            return self
        fresh = self._afresh(version)
        spent = self.certificate.labels > 0 or self.is_granted
        fresh = replace(
            fresh,
            episode=self.episode + spent,
            asked=self.asked,
            day=self.day,
            day_actions=self.day_actions,
            day_money=self.day_money,
        )
        if not is_minor:
            return fresh
        fresh = replace(
            fresh, losses=self.losses, lost_because=self.lost_because, signed_by=self.signed_by
        )
        return self._carry_over(fresh) if self.is_granted else fresh

    def _carry_over(self, fresh: Self) -> Self:
        """Return a unit of which nothing is known with this one's licence, and the audits that it still owes."""
        if self.is_carried:
            fresh = replace(fresh, watch=self.watch, seen=self.seen, drawn=self.drawn)
        audits = (replace(one, is_older=True) for one in self.waiting if one.is_audit)
        return replace(
            fresh,
            is_granted=True,
            is_carried=True,
            alone=self.alone,
            alert=self.alert,
            waiting=tuple(audits),
        )

    def _afresh(self, version: str, *, again: bool = False) -> Self:
        fresh = type(self).start(
            *(self.limit, version),
            measures=self.reading is not None,
            counts_money=self.counts_money,
            again=again,
            apart=self.apart is not None,
        )
        return replace(fresh, delta_share=self.delta_share)

    def lose(self, why: str) -> Self:
        """End the licence, and forget all that was counted."""
        return replace(
            self._afresh(self.version, again=True),
            episode=self.episode + 1,
            asked=self.asked,
            losses=self.losses + 1,
            lost_because=why,
            day=self.day,
            day_actions=self.day_actions,
            day_money=self.day_money,
        )

    def on_day(self, at: int) -> Self:
        """Return it on the day of a moment: what it took alone is counted by days."""
        day = at // (24 * HOUR)
        return self if self.day == day else replace(self, day=day, day_actions=0, day_money=0.0)

    def label(self, key: str, bad: float, at: int, by: str | None = None) -> Self:
        """Take in the label of an action that waits for one; a worse one may follow."""
        by = None if self.apart is None else by
        return replace(self, waiting=add_label(self.waiting, key, bad, at, by))

    def drop(self, key: str) -> Self:
        """Wait no longer for an action: what was decided is no label."""
        return replace(self, waiting=drop_action(self.waiting, key))

    def mistake(self, policy: LicencePolicy, bad: float) -> Self:
        """Charge an audited mistake to the allowance, at once; the licence ends where that is used up."""
        if not self.is_granted or not bad:
            return self
        more = replace(self, seen=self.seen + bad, alert=policy.audits.after_mistake)
        is_over = not more.allows(policy, 0.0)
        return more.lose("audits found more mistakes than its mistake budget") if is_over else more

    def hear(self, policy: LicencePolicy, bad: float) -> Self:
        """Let the watch hear a label; the licence ends where it is sure that the unit became worse."""
        if not self.is_granted:
            return self
        watch = self.watch.hear(bad)
        if watch.evidence >= loss_bound(policy.watch_delta, self.episode):
            return self.lose("its audits became worse than the limit")
        return replace(self, watch=watch)

    def settle(self, policy: LicencePolicy, at: int) -> Self:
        """Count what can be counted by a moment.

        Labels are heard in the order of the proposals: a hard action whose label comes late must not look good
        meanwhile. The watch hears an approval at once, the certificate when it can no longer be undone.
        """
        unit = self._overdue(policy, at)
        for one in unit.waiting:
            if one.bad is None:
                break
            if one.is_heard:
                continue
            if one.is_licensed and unit.is_granted:
                unit = unit.hear(policy, one.bad)
                if not unit.is_granted:
                    return unit
            unit = replace(unit, waiting=mark_heard(unit.waiting, one.key))
        return unit.count(policy, at)

    def next_due(self, policy: LicencePolicy) -> int | None:
        """Return the next moment at which it changes though nothing happens: a label settles, or a wait is over."""
        return find_next_due(self.waiting, policy.labels.settle_hours)

    def _overdue(self, policy: LicencePolicy, at: int) -> Self:
        unit = self
        for one in self.waiting:
            if one.bad is not None or at < one.deadline:
                continue
            if not one.is_audit:
                is_no = one.is_no
                unit = unit.label(one.key, 1.0, one.deadline) if is_no else unit.drop(one.key)
                continue
            unit = unit.label(one.key, 1.0, one.deadline).mistake(policy, 1.0)
            if not unit.waiting:  # the licence is gone, and all that waited
                return unit
        return unit

    def count(self, policy: LicencePolicy, at: int) -> Self:
        """Let the certificate hear labels that are settled, in their order; it may begin a licence."""
        settled = policy.labels.settle_hours * HOUR
        unit, taken = self, 0
        for one in self.waiting:
            if one.bad is None or not one.is_heard:
                break
            if one.bad == 0 and at < (one.at or 0) + settled:
                break
            taken += 1
            if not one.is_older:
                unit = unit._hear_label(one.bad, one.approver, one.by).weigh(policy)
        return replace(unit, waiting=self.waiting[taken:])

    def _hear_label(self, bad: float, approver: str | None, by: str | None) -> Self:
        certificate = self.certificate.update(bad)
        reading = self.reading and self.reading.update(bad, certificate.labels)
        apart = self.apart and self.apart.update(bad, self.certificate, dealt=approver, by=by)
        return replace(
            self, certificate=certificate, reading=reading, apart=apart, wrong=self.wrong + bad
        )

    def weigh(self, policy: LicencePolicy) -> Self:
        """Begin a licence where evidence suffices; where money counts, also rest one that costs more than asking.

        What was carried over ends as such where its version earned it.
        """
        labels, is_own = self.certificate.labels, self.is_granted and not self.is_carried
        earns = not is_own and self._may_begin(policy)
        unit = replace(
            self, is_granted=self.is_granted or earns, is_carried=self.is_carried and not earns
        )
        if not self.counts_money:
            return replace(unit, reached=unit.level(policy))
        rests = labels >= LEAST and not acting_pays(labels, self.wrong, self.limit, acts=True)
        if self.is_granted and rests:
            return replace(
                self,
                is_granted=False,
                is_carried=False,
                lost_because="asking costs less, by its labels",
            )
        return unit

    def learn(self, policy: LicencePolicy, bad: float, by: str | None = None) -> Self:
        """Take in a label that is settled: of a log in which everything was asked."""
        heard = replace(self._hear_label(bad, None, by), asked=self.asked + 1)
        if not self.is_granted:
            return heard.weigh(policy)
        after = heard.hear(policy, bad)
        return after.weigh(policy) if after.is_granted else after

    def _may_begin(self, policy: LicencePolicy) -> bool:
        if self.counts_money:
            if not acting_pays(self.certificate.labels, self.wrong, self.limit):
                return False
        elif self.evidence < self.bound(policy):
            return False
        if policy.sign or self.losses >= policy.revocations:
            return self.signed_by is not None
        return True

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON; `from_dict` returns the same, bit for bit."""
        simple = {
            one.name: getattr(self, one.name)
            for one in fields(self)
            if one.name not in ("certificate", "watch", "waiting", "reading", "apart")
        }
        return {
            **simple,
            "limit": self.limit,
            "certificate": self.certificate.to_list(),
            "watch": self.watch.to_list(),
            "waiting": [one.to_list() for one in self.waiting],
            "reading": self.reading and self.reading.to_list(),
            **({} if self.apart is None else {"apart": self.apart.to_list()}),
        }

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        rest = dict(given)
        limit = rest.pop("limit")
        reading, apart = rest.pop("reading"), rest.pop("apart", None)
        return cls(
            certificate=Certificate.from_list(limit, rest.pop("certificate")),
            watch=RiseWatch.from_list(limit, rest.pop("watch")),
            waiting=tuple(Waiting(*one) for one in rest.pop("waiting")),
            reading=reading and ReadingEvidence.from_list(limit, reading),
            apart=None if apart is None else WithoutEach.from_list(limit, apart),
            **rest,
        )
