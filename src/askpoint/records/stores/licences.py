"""Licences in use: an agent proposes an action and hears at once; people's decisions are what it learns from."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from askpoint.errors import InputError, LogError, RuleError
from askpoint.live.licences.action import Action, unit_name
from askpoint.live.licences.gateway import (
    ProposedAction,
    change_action,
    change_unit,
    check_decision,
    check_harm,
    check_name,
    declare_minor,
    propose_action,
    read_proposal,
    replay_entries,
)
from askpoint.live.licences.label_rules import count_labels
from askpoint.live.licences.policy import LicencePolicy
from askpoint.live.licences.standings import UnitStatus, unit_statuses
from askpoint.live.licences.unit import Unit
from askpoint.records.artefacts import read_text
from askpoint.records.stores.arguments import as_micros
from askpoint.records.stores.commit_log import CommitLog
from askpoint.records.stores.commit_queue import CommitJob
from askpoint.records.stores.jobs import CallJob
from askpoint.records.stores.licence_tables import (
    LicenceTransaction,
    leads_to,
    open_licences,
    read_entries,
)

if TYPE_CHECKING:
    from askpoint.records.approved_actions import ApprovalLog

__all__ = ["Licences"]


class _LicenceJob(CallJob):
    """A step about some keys, or a proposal: what it needs is loaded with what others need."""

    def __init__(self, call: Any, keys: Sequence[str], given: ProposedAction | None = None) -> None:
        super().__init__(call)
        self.keys, self.given = keys, given


class Licences(CommitLog):
    """Which of its actions an agent may take alone, at once and in use.

    Threads share one object, and other processes may open the same place beside it. A verdict is on the disk before
    it is given away; where that fails nothing is allowed.

    Parameters
    ----------
    where : str or Path
        A folder, ``"postgresql://USER@HOST/DATABASE?deployment=NAME"``, or ``":memory:"``.
    policy : LicencePolicy or path of a policy.json, optional
        With what it opens, where there is nothing yet. Where there is something, it must be the same.
    secret : bytes, optional
        Random bytes that draw the audits, 16 or more; by default drawn when it opens, and kept in the place.

    Raises
    ------
    InputError
        If nothing is there and no policy is given, or licences of another policy are there.
    StoreError
        If nothing can be kept there.

    Examples
    --------
    >>> from askpoint import Licences
    >>> from askpoint.live.licences.action_classes import ActionClass
    >>> from askpoint.live.licences.policy import LicencePolicy
    >>> small = ActionClass("refund", "up to 50", (("amount", "max", 50),))
    >>> licences = Licences(":memory:", LicencePolicy((small,)))
    >>> licences.propose("call-1", agent="bot", tool="refund", arguments={"amount": 18.5}).verdict
    'ask'
    >>> licences.decide("call-1", "approve", by="ann", seconds=9).verdict
    'allow'
    >>> [unit.waiting for unit in licences.units()]  # it counts when it can no longer be undone
    [1]
    """

    def __init__(
        self,
        where: str | os.PathLike[str],
        policy: LicencePolicy | str | os.PathLike[str] | None = None,
        *,
        secret: bytes | None = None,
    ) -> None:
        if policy is not None and not isinstance(policy, LicencePolicy):
            policy = LicencePolicy.from_json(read_text(Path(policy)))
        if secret is not None and len(secret) < 16:
            raise InputError(f"a secret needs at least 16 bytes; got {len(secret)}")
        super().__init__(open_licences(where, policy, secret))

    @property
    def policy(self) -> LicencePolicy:
        """Its terms."""
        policy: LicencePolicy = self._ledger.document
        return policy

    def propose(
        self,
        key: str,
        *,
        agent: str,
        tool: str,
        arguments: Mapping[str, Any] | None = None,
        version: str = "unknown",
        timeout_hours: float | None = None,
        silence_rejects: bool = True,
        approvers: Sequence[str] = (),
        at: int | datetime | None = None,
    ) -> Action:
        """Say whether an action may run: allow, ask or deny; the same key is answered as before.

        Parameters
        ----------
        key : str
            Of the tool call. A framework that retries sends the same key.
        agent, tool : str
            Who proposes it, and with what.
        arguments : dict, optional
            Of the tool, as JSON; at most 1 MB.
        version : str
            Of agent, model, prompt and tools together: a new one starts again without licences.
        timeout_hours : float, optional
            How long an asked action waits; by default as the policy says.
        silence_rejects : bool, default=True
            Whether silence until then is a rejection. False only where approvers answer everything: else what
            they leave open, for they do not like it, is missing in the evidence, and the unit looks better than it is.
        approvers : sequence of str, optional
            All who decide, the same for each action. With `without_each_approver` the receipt's `approver` is drawn among
            them: show it to nobody else. What another one takes over counts as bad without that one; silence rejects.
        at : int or datetime, optional
            When this happens, in microseconds since 1970 or with a time zone; by default now.

        Returns
        -------
        Action
            The receipt: its `verdict`, `why`, and what an agent must not see, the draw.

        Raises
        ------
        RuleError
            ``other-content``, if a key comes again with another action.
        InputError
            If names or arguments cannot be kept.
        """
        given = read_proposal(
            self.policy, key, agent=agent, tool=tool, arguments=arguments, version=version,
            timeout_hours=timeout_hours, silence_rejects=silence_rejects, approvers=approvers,
        )  # fmt: skip
        moment, secret = as_micros(at), self._ledger.secret

        def do(made: LicenceTransaction, now: int) -> Action:
            return propose_action(made, given, secret, now if moment is None else moment)

        made: Action = self._do(_LicenceJob(do, [key], given))
        return made

    def decide(
        self,
        key: str,
        kind: Literal["approve", "reject", "edit"],
        *,
        by: str,
        seconds: float | None = None,
        by_person: bool = True,
        at: int | datetime | None = None,
    ) -> Action:
        """Take in what an approver, or the reader of an audit, decided.

        Parameters
        ----------
        key : str
            Of the action.
        kind : {"approve", "reject", "edit"}
            An edited action does not run: the agent proposes what it became under a new key.
        by : str
            Who decided; never the agent itself.
        seconds : float, optional
            How long they read; by default since the proposal. An approval under a second is no label.
        by_person : bool, default=True
            False for a rule, a lasting permission or another model: the action runs, and nothing is learned.
        at : int or datetime, optional
            When this happens; by default now.

        Returns
        -------
        Action
            The receipt as it is now.

        Raises
        ------
        RuleError
            ``unknown-key``, ``own-request``, ``expired``, ``not-asked`` or ``decided``; nothing is changed then.
        """
        check_decision(kind, seconds)
        return self._later(
            key,
            at,
            "decide",
            kind=kind,
            by=check_name("by", by),
            seconds=seconds,
            by_person=by_person,
        )

    def withdraw(self, key: str, *, at: int | datetime | None = None) -> Action:
        """Let the agent take back a request that nobody answered yet.

        Raises
        ------
        RuleError
            ``unknown-key``, or ``decided``.
        """
        return self._later(key, at, "withdraw")

    def undo(self, key: str, *, by: str, at: int | datetime | None = None) -> Action:
        """Take in that an action was undone: it was wrong after all. Once more changes nothing.

        Raises
        ------
        RuleError
            ``unknown-key``, or ``not-run``.
        """
        return self._later(key, at, "undo", by=check_name("by", by))

    def incident(self, key: str, *, harm: str, by: str, at: int | datetime | None = None) -> Action:
        """Take in what an action did; of high harm or more ends the licence of its unit at once.

        Raises
        ------
        RuleError
            ``unknown-key``, or ``not-run``.
        """
        check_harm(harm)
        return self._later(key, at, "undo", by=check_name("by", by), harm=harm)

    def revoke(
        self, agent: str, tool: str, name: str = "any", *, by: str, why: str = "",
        at: int | datetime | None = None,
    ) -> None:  # fmt: skip
        """End a licence by hand.

        Raises
        ------
        RuleError
            ``unknown-unit``, or ``no-licence``.
        """
        self._on_unit(unit_name(agent, tool, name), at, "revoke", by=check_name("by", by), why=why)

    def sign(
        self, agent: str, tool: str, name: str = "any", *, by: str, at: int | datetime | None = None
    ) -> None:
        """Sign that a unit may earn a licence where its terms ask for that; evidence is needed all the same.

        Raises
        ------
        RuleError
            ``unknown-unit``.
        """
        self._on_unit(unit_name(agent, tool, name), at, "sign", by=check_name("by", by))

    def declare_minor(
        self, agent: str, version: str, *, of: str, by: str, at: int | datetime | None = None
    ) -> None:
        """Declare that a version of an agent changes another one so little that its licences go on.

        Before the version proposes anything. Each licence goes on at level 1, with a new mistake budget, and people may
        revoke it as before; it is not evidence: that the version's bad actions are rarer than the limit is open until its
        own labels show it.

        Parameters
        ----------
        agent, version : str
            The version to come.
        of : str
            The agent's version.
        by : str
            Who declares it; never the agent itself.
        at : int or datetime, optional
            When this happens; by default now.

        Raises
        ------
        RuleError
            ``unknown-version``, ``in-use``, or ``own-request``.
        """
        moment = as_micros(at)

        def do(made: LicenceTransaction, now: int) -> None:
            when = now if moment is None else moment
            declare_minor(made, agent, version, of, by=by, moment=when)

        self._enter(do)

    def sign_house(self, *, by: str) -> None:
        """Begin a new allowance of the house."""
        check_name("by", by)
        self._enter(lambda made, _: made.enter("sign_house", by=by))

    def golden(self, *, by: str, missed: bool, at: int | datetime | None = None) -> None:
        """Take in what an approver did with a golden action, which your queue dealt unmarked and nothing runs.

        Parameters
        ----------
        by : str
            Who decided.
        missed : bool
            Whether they let it pass.
        at : int or datetime, optional
            When this happens; by default now.
        """
        check_name("by", by)
        moment = as_micros(at)

        def do(made: LicenceTransaction, now: int) -> None:
            when, _ = made.move_clock(now if moment is None else moment)
            made.enter("golden", by=by, missed=bool(missed), at=when)

        self._enter(do)

    def learn(self, log: ApprovalLog, *, until: float | None = None) -> int:
        """Take in the evidence of a log from before the door stood, of the newest version of each agent.

        It counts as `askpoint approvals` counts it: what approvers did not read, and what no class matches, does not.

        Parameters
        ----------
        log : ApprovalLog
            In which everything was asked.
        until : float, optional
            When it was written, in seconds since 1970: what may still be undone is left out.

        Returns
        -------
        int
            Labels that counted.

        Raises
        ------
        RuleError
            ``in-use``, if a unit of it was proposed here already; then nothing is taken in.
        """
        newest = dict(zip(log.agents, log.versions, strict=True))
        labels = count_labels(log.actions, self.policy.labels, until)
        rows = [
            (agent, version, tool, kind, label.bad, action.reviewer)
            for agent, version, tool, arguments, label, action in zip(
                log.agents, log.versions, log.tools, log.arguments, labels, log.actions, strict=True
            )
            if label.bad is not None
            and version == newest[agent]
            and (kind := self.policy.find_place(tool, arguments)) is not None
        ]
        for agent, version, tool in {row[:3] for row in rows}:
            for what, text in (("agent", agent), ("version", version), ("tool", tool)):
                check_name(what, text)

        def do(made: LicenceTransaction, now: int) -> int:
            at, _ = made.move_clock(now)
            names = [self.policy.classes[row[3]].name for row in rows]
            made.load_units(
                unit_name(row[0], row[2], name) for row, name in zip(rows, names, strict=True)
            )
            made.check_unused()
            for agent, version, tool, kind, bad, by in rows:
                who = {"by": by} if self.policy.without_each_approver else {}
                made.enter(
                    "learn", agent=agent, version=version, tool=tool, kind=kind, bad=bad, at=at, **who
                )  # fmt: skip
            return len(rows)

        return int(self._enter(do))

    def action(self, key: str, at: int | datetime | None = None) -> Action:
        """Return the receipt of an action as it is now.

        Raises
        ------
        RuleError
            ``unknown-key``.
        """
        with self._reading() as reader:
            found = list(reader.find("SELECT key, content FROM actions WHERE key IN", [key]))
        if not found:
            raise _unknown(key)
        return Action(**json.loads(found[0][1])).as_of(_moment(at))

    def wanted_actions(self, at: int | datetime | None = None) -> list[tuple[Action, Any]]:
        """Return what waits for people, the oldest first: asked actions, and audits of those taken alone.

        Returns
        -------
        list of (Action, arguments)
        """
        when = _moment(at)
        with self._reading() as reader:
            rows = reader.execute("SELECT content FROM units")
            units = [Unit.from_dict(json.loads(content)) for (content,) in rows]
            keys = [one.key for unit in units for one in unit.waiting if one.bad is None]
            found = sorted(
                reader.find("SELECT n, content, arguments FROM actions WHERE key IN", keys)
            )
        waiting = [(Action(**json.loads(text)), json.loads(said)) for _, text, said in found]
        return [(one, said) for one, said in waiting if when < one.deadline]

    def units(self, at: int | datetime | None = None) -> list[UnitStatus]:
        """Return how each unit stands, as of now."""
        when = _moment(at)
        with self._reading() as reader:
            rows = reader.execute("SELECT name, content FROM units")
        units = {name: Unit.from_dict(json.loads(content)) for name, content in sorted(rows)}
        settled = {name: one.settle(self.policy, when) for name, one in units.items()}
        return unit_statuses(self.policy, settled)

    def verify(self) -> None:
        """Do all entries again, with every draw, and compare where they lead.

        Raises
        ------
        LogError
            If an entry was changed, or they lead elsewhere than what is kept.
        """
        with self._reading() as reader:
            entries = list(read_entries(reader))
            kept = dict(reader.execute("SELECT name, content FROM units"))
            actions = dict(reader.execute("SELECT key, content FROM actions"))
            ((house,),) = reader.execute("SELECT house FROM meta")
        book = replay_entries(self.policy, entries, self._ledger.secret)
        if not leads_to(book, kept, actions, house):
            raise LogError(
                f"{self.name}: its entries lead elsewhere than its state; restore it from a copy"
            )

    def _later(self, key: str, at: int | datetime | None, what: str, **given: Any) -> Action:
        moment = as_micros(at)

        def do(made: LicenceTransaction, now: int) -> Action:
            return change_action(made, key, now if moment is None else moment, what, **given)

        made: Action = self._do(_LicenceJob(do, [key]))
        return made

    def _on_unit(self, place: str, at: int | datetime | None, what: str, **given: Any) -> None:
        moment = as_micros(at)

        def do(made: LicenceTransaction, now: int) -> None:
            change_unit(made, place, now if moment is None else moment, what, **given)

        self._enter(do)

    def _begin(self, jobs: list[CommitJob]) -> LicenceTransaction:
        """Return a transaction that has loaded what its jobs need."""
        made: LicenceTransaction = self._ledger.begin()
        mine = [job for job in jobs if isinstance(job, _LicenceJob)]
        if len(mine) > 1:
            given = [job.given for job in mine if job.given is not None]
            keys = [key for job in mine for key in job.keys]
            made.prefetch(
                keys,
                [name for one in given for name in (one.unit, *one.steps)],
                [one.digest for one in given],
            )
        return made

    def _enter(self, do: Any) -> Any:
        return self._do(CallJob(do))


def _unknown(key: str) -> RuleError:
    return RuleError("unknown-key", f"no action {key!r:.60} was ever proposed")


def _moment(at: int | datetime | None) -> int:
    moment = as_micros(at)
    return time.time_ns() // 1000 if moment is None else moment
