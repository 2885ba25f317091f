"""The database as a store of licences; whoever uses it holds the lock of the agent."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from django.utils.crypto import salted_hmac

from askpoint.live.canonical import canonical_json
from askpoint.live.licences.action import Action
from askpoint.live.licences.gateway import LicenceStore
from askpoint.live.licences.house import House
from askpoint.live.licences.policy import LicencePolicy
from askpoint.live.licences.unit import Unit
from askpoint.server.licences.models import Agent, LicenceAction, LicenceEntry, LicenceUnit

__all__ = ["DatabaseLicences", "action_of", "licence_secret", "policy_of", "unit_of"]


def policy_of(agent: Agent) -> LicencePolicy:
    """Return the terms of an agent's licences."""
    return _read_policy(agent.policy)


_policies: dict[str, LicencePolicy] = {}
_MOST = 200  # policies that a process keeps parsed


def _read_policy(text: str) -> LicencePolicy:
    found = _policies.get(text)
    if found is None:
        if len(_policies) >= _MOST:
            _policies.clear()
        found = _policies[text] = LicencePolicy.from_json(text)
    return found


def licence_secret(agent: Agent) -> bytes:
    """Return what draws an agent's audits: it follows from the server's own secret, and is stored nowhere."""
    given = f"{agent.pk}\0{agent.salt}"
    return salted_hmac("askpoint.licences", given, algorithm="sha256").digest()


def action_of(row: LicenceAction) -> Action:
    """Return the receipt of a row."""
    return Action(**json.loads(row.content))


def unit_of(row: LicenceUnit) -> Unit:
    """Return the unit of a row."""
    return Unit.from_dict(json.loads(row.content))


class DatabaseLicences(LicenceStore):
    """The licences of an agent, within a transaction.

    Parameters
    ----------
    agent : Agent
        Locked.
    now : datetime
        When this happens.
    """

    def __init__(self, agent: Agent, now: datetime) -> None:
        super().__init__(policy_of(agent), House(**agent.house), agent.last_at, agent.chain)
        self.agent, self.now = agent, now
        self.changes: dict[str, tuple[Unit | None, Unit]] = {}
        self.decided: list[str] = []  # keys of actions that no longer wait for an approver
        self._before: dict[str, Unit] = {}
        self._entries = agent.entries

    @property
    def has_entries(self) -> bool:
        """Whether anything was done."""
        return bool(self.agent.entries != self._entries)

    def read_actions(self, keys: Sequence[str]) -> Iterable[Action]:
        """Return the actions that the database has of some keys."""
        rows = LicenceAction.objects.filter(agent=self.agent, key__in=keys)
        return [Action(**json.loads(said)) for said in rows.values_list("content", flat=True)]

    def read_units(self, names: Sequence[str]) -> Iterable[tuple[str, Unit]]:
        """Return the units that the database has of some names."""
        rows = LicenceUnit.objects.filter(agent=self.agent, name__in=names)
        found = [
            (name, Unit.from_dict(json.loads(said)))
            for name, said in rows.values_list("name", "content")
        ]
        self._before |= dict(found)
        return found

    def read_runs(self, unit: str, digest: str) -> set[str]:
        """Return the keys of actions of a unit with a digest that ran."""
        rows = LicenceAction.objects.filter(agent=self.agent, digest=digest, unit=unit, ran=True)
        return set(rows.values_list("key", flat=True))

    def read_versions(self, agent: str) -> set[str]:
        """Return the versions in which an agent's units were last seen."""
        rows = LicenceUnit.objects.filter(agent=self.agent, name__startswith=f"{agent} | ")
        return {json.loads(said)["version"] for said in rows.values_list("content", flat=True)}

    def write_entry(self, entry: str, chain: str) -> None:
        """Append an entry."""
        n = self.agent.entries
        LicenceEntry.objects.create(agent=self.agent, n=n, content=entry, chain=chain)
        self.agent.entries = n + 1

    def write_unit(self, name: str, unit: Unit, *, is_new: bool) -> None:
        """Keep a unit as it is now."""
        said = canonical_json(unit.to_dict())
        if is_new:
            LicenceUnit.objects.create(agent=self.agent, name=name, content=said)
        else:
            LicenceUnit.objects.filter(agent=self.agent, name=name).update(content=said)
        before = self.changes.get(name, (self._before.get(name),))[0]
        self.changes[name] = (before, unit)

    def write_action(self, action: Action, arguments: str | None, *, is_new: bool) -> None:
        """Keep an action as it is now."""
        kept = {"ran": action.verdict == "allow", "status": action.status}
        kept["content"] = canonical_json(action.to_dict())
        if not is_new:
            self.decided += [action.key] if action.status != "asked" else []
            LicenceAction.objects.filter(agent=self.agent, key=action.key).update(**kept)
            return
        LicenceAction.objects.create(
            agent=self.agent, n=self.agent.actions, key=action.key, unit=action.unit, digest=action.digest,
            arguments=arguments, at=self.now, **kept,
        )  # fmt: skip
        self.agent.actions += 1

    def keep(self) -> None:
        """Keep where the book is now."""
        self.agent.last_at, self.agent.chain = self.last_at, self.chain
        self.agent.house = self.book.house.to_dict()
        self.agent.at = self.now
        self.agent.due = self._find_due()
        self.agent.save(
            update_fields=["last_at", "chain", "house", "at", "due", "entries", "actions"]
        )

    def _find_due(self) -> datetime | None:
        """Return when a unit next changes though nothing happens: at the latest when one did that changed now."""
        policy = self.book.policy
        due = [
            datetime.fromtimestamp(at / 1e6, UTC)
            for _, unit in self.changes.values()
            if (at := unit.next_due(policy)) is not None
        ]
        return min([*due, *([self.agent.due] if self.agent.due else [])], default=None)
