"""The book of licences: each step is one entry, and entries alone lead to the state, again and anywhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from askpoint.errors import RuleError
from askpoint.live.licences.action import Action, unit_name
from askpoint.live.licences.action_classes import HARMS, OTHER, ActionClass
from askpoint.live.licences.house import House
from askpoint.live.licences.policy import LicencePolicy
from askpoint.live.licences.refusals import check_decidable, explain_asking
from askpoint.live.licences.unit import Unit
from askpoint.live.licences.waiting import HOUR, Waiting

__all__ = ["Book"]

_SECOND = 1_000_000
_SEVERE = HARMS[3:]


class Book:
    """Units, actions and house, as far as a step needs them; each step checks first and changes then.

    Parameters
    ----------
    policy : LicencePolicy
    units : dict of str to Unit
    actions : dict of str to Action
        By key.
    house : House
    """

    def __init__(
        self,
        policy: LicencePolicy,
        units: dict[str, Unit] | None = None,
        actions: dict[str, Action] | None = None,
        house: House | None = None,
    ) -> None:
        self.policy, self.house = policy, house or House()
        self.units, self.actions = units or {}, actions or {}

    def propose(
        self, key: str, agent: str, version: str, tool: str, *, kind: int | None, digest: str, at: int, drawn: float,
        amount: float | None, timeout: int, clock_back: int = 0, silence_rejects: bool = False,
        approvers: Sequence[str] = (), dealt: float = 0.0,
    ) -> Action:  # fmt: skip
        """Decide about a proposal; `kind` is the place of its class, found from its arguments, in the policy.

        Who decides it is drawn from `approvers` by `dealt`, a number from 0 to 1, before anybody reads it. Silence about
        what was dealt rejects: else an agent could take back what was not dealt to the approver with whom it colludes.
        """
        policy = self.policy
        declared = policy.classes[kind] if kind is not None else None
        name = OTHER if declared is None else declared.name
        place = unit_name(agent, tool, name)
        unit = self.units.get(place) or Unit.of(policy, declared, version)
        is_minor = self.house.is_minor(agent, version, unit.version)
        unit = self._settle(unit.take_over(version, is_minor=is_minor), at)
        level, rate = unit.level(policy), unit.audit_rate(policy)
        if self.house.is_careless and level:
            level, rate = 1, max(rate, policy.audits.rate(1))
        step = self._find_unlicensed_step(declared, agent, tool, version, at)
        why = explain_asking(
            policy, self.house, unit, declared, amount=amount, at=at, rate=rate, waits_for=step
        )
        if unit.is_granted and not unit.allows(policy, rate):
            unit = unit.lose("audits found more mistakes than its mistake budget")
            why, level, rate = unit.lost_because, 0, 1.0
        may = not why and unit.is_granted
        is_audit = may and drawn < rate
        waits = declared is not None and declared.reads_before
        status = "denied" if declared is not None and declared.deny else "asked"
        if may and not (is_audit and waits):
            status = "allowed"
        if may:
            unit = replace(unit, drawn=unit.drawn + rate, alert=max(0, unit.alert - 1))
            more = unit.limit * rate
            self.house = replace(self.house, allowed=self.house.allowed + more)
        deadline = at + (
            int(policy.max_label_delay_hours * HOUR) if status == "allowed" else timeout
        )
        alone_before = unit.alone
        if status == "allowed":
            unit = unit.on_day(at)
            unit = replace(
                unit,
                alone=unit.alone + 1,
                day_actions=unit.day_actions + 1,
                day_money=unit.day_money + (amount or 0.0),
            )
        elif status == "asked":
            unit = replace(unit, asked=unit.asked + 1)
        approver = approvers[int(dealt * len(approvers))] if approvers else None
        if is_audit or status == "asked":
            one = Waiting(
                *(key, deadline, is_audit, unit.is_granted, alone_before),
                is_no=silence_rejects or (approver is not None and unit.apart is not None),
                approver=approver if unit.apart is not None else None,
            )
            unit = replace(unit, waiting=(*unit.waiting, one))
        said = "" if status == "allowed" else why or "a person looks at a share of them"
        action = Action(
            key=key,
            agent=agent,
            version=version,
            tool=tool,
            name=name,
            digest=digest,
            at=at,
            deadline=deadline,
            status=status,
            why=said,
            level=level,
            episode=unit.episode,
            propensity=rate if may else 1.0,
            drawn=drawn,
            is_audit=is_audit,
            clock_back=clock_back,
            approver=approver if is_audit or status == "asked" else None,
        )
        self.units[place], self.actions[key] = unit, action
        return action

    def decide(
        self, key: str, kind: str, *, by: str, at: int, seconds: float | None = None, by_person: bool = True
    ) -> Action:  # fmt: skip
        """Take in what an approver or the reader of an audit decided: approve, reject or edit."""
        action = self.actions[key].as_of(at)
        unit = self.units[action.unit]
        entry = next((one for one in unit.waiting if one.key == key), None)
        if by == action.agent:
            raise RuleError(
                "own-request",
                f"{by!r:.60} asked for {key!r:.60} itself: another person must decide",
            )
        if (action.decided_by, action.decision) == (by, kind):
            return action  # sent twice
        is_unread = entry is not None and entry.bad is None
        check_decidable(action, is_unread=is_unread, at=at)
        is_read = action.status == "allowed"
        rules = self.policy.labels
        copies: tuple[str, ...] = ()
        bad: float | None = {"approve": 0.0, "reject": 1.0, "edit": rules.edit}[kind]
        if kind == "approve":
            took = (at - action.at) / _SECOND if seconds is None else seconds
            copies = self._bulk(by, key, at) if by_person else ()
            if not by_person or took < rules.fast_seconds or copies:
                bad = None
        status = action.status if is_read else _DECIDED[kind]
        action = replace(action, status=status, decision=kind, decided_by=by, decided_at=at)
        self.actions[key] = action
        if bad is None:
            for other in {key, *copies}:
                self._unread(other)
        else:
            unit = unit.label(key, bad, at, by)
            if entry is not None and entry.is_audit:
                unit = self._mistaken(unit, bad)
            elif action.is_audit:  # of a licence that is over: the allowance of the house is not
                self.house = replace(self.house, seen=self.house.seen + bad)
            self.units[action.unit] = unit
        self.units[action.unit] = self._settle(self.units[action.unit], at)
        return action

    def withdraw(self, key: str, *, at: int) -> Action:
        """Let the agent take a request back.

        An audit that it takes back counts as a mistake; another request as one that nobody answered: where silence
        rejects, an agent must not take back in time what approvers hesitate about.
        """
        action = self.actions[key].as_of(at)
        if action.status == "withdrawn":
            return action
        if action.status != "asked":
            raise RuleError("decided", f"{key!r:.60} is {action.status}: it cannot be withdrawn")
        unit = self.units[action.unit]
        if action.is_audit:
            unit = self._mistaken(unit.label(key, 1.0, at), 1.0)
        else:
            is_no = any(one.is_no for one in unit.waiting if one.key == key)
            unit = unit.label(key, 1.0, at) if is_no else unit.drop(key)
        self.units[action.unit] = self._settle(unit, at)
        self.actions[key] = replace(action, status="withdrawn", decided_at=at)
        return self.actions[key]

    def lapse(self, key: str, *, at: int) -> Action:
        """Take back that an action was taken alone: its agent never ran it, and cannot any more.

        It leaves what the allowances were charged with, and the audits; again changes nothing.
        """
        action = self.actions[key]
        if action.status == "lapsed":
            return action
        if action.status != "allowed" or action.undone_at is not None:
            raise RuleError("not-allowed", f"{key!r:.60} is {action.status}: it cannot lapse")
        unit = self.units[action.unit]
        if unit.is_granted and (action.version, action.episode) == (unit.version, unit.episode):
            rate = action.propensity
            unit = replace(unit.drop(key), alone=unit.alone - 1, drawn=unit.drawn - rate)
            less = unit.limit * rate
            self.house = replace(self.house, allowed=self.house.allowed - less)
        else:
            unit = unit.drop(
                key
            )  # of a version before: its rate stays in the sum, which is no loss to anybody
        self.units[action.unit] = self._settle(unit, at)
        self.actions[key] = replace(action, status="lapsed", why="it was never run")
        return self.actions[key]

    def undo(self, key: str, *, by: str, at: int, harm: str | None = None) -> Action:
        """Take in that an action was undone, or did harm; again changes nothing."""
        action = self.actions[key].as_of(at)
        if action.verdict != "allow":
            raise RuleError(
                "not-run", f"{key!r:.60} is {action.status}: it never ran, and cannot be undone"
            )
        is_new = action.undone_at is None
        is_worse = harm is not None and (
            action.harm is None or HARMS.index(harm) > HARMS.index(action.harm)
        )
        if not is_new and not is_worse:
            return action
        unit = self.units[action.unit]
        entry = next((one for one in unit.waiting if one.key == key), None)
        is_same = (action.version, action.episode) == (unit.version, unit.episode)
        is_present = is_same or entry is not None
        is_charged = harm != HARMS[0] and (is_new or action.harm == HARMS[0])
        if is_present and is_charged:
            was_bad = entry is not None and entry.bad == 1.0
            if entry is not None:
                unit = unit.label(key, 1.0, at)
            if not was_bad:
                unit = self._mistaken(unit, 1.0)
            counted = entry is None or entry.is_heard
            if counted and (action.is_audit or action.decided_by is not None):
                unit = unit.hear(self.policy, 1.0)
        if harm in _SEVERE and unit.is_granted:
            unit = unit.lose(f"an incident of {harm} harm, reported by {by}")
        self.units[action.unit] = self._settle(unit, at)
        self.actions[key] = replace(
            action, undone_at=at if is_new else action.undone_at, harm=harm or action.harm
        )
        return self.actions[key]

    def revoke(self, place: str, *, by: str, at: int, why: str = "") -> None:
        """End a licence by hand."""
        if not self.units[place].settle(self.policy, at).is_granted:
            raise RuleError("no-licence", f"{place!r:.120} holds no licence that could be revoked")
        unit = self._settle(self.units[place], at)
        self.units[place] = unit.lose(f"revoked by {by}" + (f": {why}" if why else ""))

    def sign(self, place: str, *, by: str, at: int) -> None:
        """Let a unit earn a licence that waits for a signature; evidence is needed all the same."""
        unit = self._settle(self.units[place], at)
        self.units[place] = replace(unit, signed_by=by, losses=0)

    def declare_minor(self, agent: str, version: str, of: str, *, by: str, at: int) -> None:
        """Declare that a version of an agent changes another so little that its licences go on, at level 1."""
        del by, at  # for whoever reads the entries
        self.house = self.house.declare_minor(agent, version, of)

    def sign_house(self, *, by: str) -> None:
        """Begin a new allowance of the house, and a new watch over golden actions."""
        self.house = self.house.sign(by)

    def look_up(self, place: str, at: int) -> Unit:
        """Return a unit as of a moment; the book stays as it is."""
        return self._with_gold(self.units[place]).settle(self.policy, at)

    def settle(self, place: str, *, at: int) -> None:
        """Count what became due of a unit though nothing happened: its licence may begin, or end."""
        self.units[place] = self._settle(self.units[place], at)

    def learn(
        self, agent: str, version: str, tool: str, *, kind: int, bad: float, at: int, by: str | None = None
    ) -> None:  # fmt: skip
        """Take in a label of a log from before the door stood, when everything was asked.

        As in `replay_labels`: evidence, and from a grant on an audit besides.
        """
        declared = self.policy.classes[kind]
        place = unit_name(agent, tool, declared.name)
        unit = self.units.get(place) or Unit.of(self.policy, declared, version)
        if unit.waiting or unit.alone:
            raise RuleError(
                "in-use",
                f"{place!r:.120} was proposed here already: a log is read before the first action",
            )
        self.units[place] = self._settle(unit.take_over(version), at).learn(self.policy, bad, by)

    def golden(self, *, by: str, missed: bool, at: int) -> None:
        """Take in what an approver did with a golden action: an action that was known to be bad, and never runs."""
        del by, at  # for whoever reads the entries
        self.house = self.house.hear_gold(self.policy, missed=missed)

    def _find_unlicensed_step(
        self, kind: ActionClass | None, agent: str, tool: str, version: str, at: int
    ) -> str:
        """Return the most cautious step before a class that holds no licence; nothing where all do."""
        for step in self.policy.cautious_steps(kind):
            unit = self.units.get(unit_name(agent, tool, step.name))
            if unit is None:
                return step.name
            is_minor = self.house.is_minor(agent, version, unit.version)
            now = self._with_gold(unit.take_over(version, is_minor=is_minor)).settle(
                self.policy, at
            )
            if not now.is_granted:
                return step.name
        return ""

    def _settle(self, unit: Unit, at: int) -> Unit:
        """Count what is due; audits without a label are mistakes of the house, too."""
        late = sum(one.is_audit and one.bad is None and at >= one.deadline for one in unit.waiting)
        if late:
            self.house = replace(self.house, seen=self.house.seen + late)
        return self._with_gold(unit).settle(self.policy, at)

    def _with_gold(self, unit: Unit) -> Unit:
        if unit.reading is None:
            return unit
        return replace(unit, reading=replace(unit.reading, gold=self.house.gold_answers.factors))

    def _mistaken(self, unit: Unit, bad: float) -> Unit:
        if unit.is_granted:
            self.house = replace(self.house, seen=self.house.seen + bad)
        return unit.mistake(self.policy, bad)

    def _unread(self, key: str) -> None:
        """Take back that an approval is a label; an audit goes on waiting for a reader.

        What one approver took over from another and did not read is bad: else it would be missing among the labels
        without that approver, who chose it.
        """
        action = self.actions[key]
        unit = self.units[action.unit]
        waits = [one for one in unit.waiting if one.key == key]
        if not waits or waits[0].bad:
            return
        if not waits[0].is_audit:
            by = action.decided_by
            is_taken = replace(waits[0], by=by).is_taken
            self.units[action.unit] = (
                unit.label(key, 1.0, action.decided_at or 0, by) if is_taken else unit.drop(key)
            )
            return
        open_again = replace(waits[0], bad=None, at=None, by=None)
        waiting = tuple(open_again if one.key == key else one for one in unit.waiting)
        self.units[action.unit] = replace(unit, waiting=waiting)

    def _bulk(self, by: str, key: str, at: int) -> tuple[str, ...]:
        """Return all that one person approved in this second, where that is too much to be read."""
        self.house = self.house.approve(by, key, at // _SECOND)
        _, keys = self.house.recent[by]
        return tuple(keys) if len(keys) >= self.policy.labels.bulk else ()


_DECIDED = {"approve": "approved", "reject": "rejected", "edit": "edited"}
