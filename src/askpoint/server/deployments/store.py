"""The database as a store of `askpoint.live.gateway`; whoever uses it holds the lock of the deployment."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from askpoint.live.batches import DecisionBatch, LabelRows
from askpoint.live.blocks import DeletionBlock, LabelBlock, LeaseBlock
from askpoint.live.draws import audit_draws
from askpoint.live.events import Event
from askpoint.live.gateway import KnownCase, LabelOutcome, Outcome
from askpoint.live.hand_ins import EarlierCase, HandInOutcome
from askpoint.live.label_blocks import Counted, DecidedCase, LabelContext
from askpoint.live.leases.lease import Lease
from askpoint.live.receipts import Replay
from askpoint.records.stores.lease_tables import HAND_IN, LEASE
from askpoint.server.deployments.bulk_inserts import write_cases, write_receipts
from askpoint.server.deployments.cases import cases_of, queue_of
from askpoint.server.deployments.day_counts import count_decisions, count_labels
from askpoint.server.deployments.incidents import follow_events
from askpoint.server.deployments.models import Deployment, Label, Policy, Receipt
from askpoint.server.deployments.policies import secret_of
from askpoint.server.deployments.policy_state import document_of, load_state, save_state
from askpoint.server.deployments.policy_tables import PolicyTables
from askpoint.server.deployments.rows import ANSWER, ASK, AUDIT, NewReceipt, micros
from askpoint.server.labelling.records import new_ids

__all__ = ["DatabaseStore", "case_of_receipt", "source_of"]

_SOURCES = {ASK: "asked", AUDIT: "audit"}
_SALT = 16  # bytes


def source_of(receipt: Receipt) -> str:
    """Return where the labels of a case come from: asked, audit, or else feedback."""
    return _SOURCES.get(receipt.action, "feedback")


def case_of_receipt(receipt: Receipt, classes: Sequence[str]) -> DecidedCase:
    """Return what a label of a case is compared with."""
    return DecidedCase(receipt.seq, classes[receipt.prediction], source_of(receipt))


class DatabaseStore:
    """A policy of the database, within a transaction.

    Parameters
    ----------
    row : Deployment
        Locked.
    policy : Policy
        Of its versions.
    now : datetime
        When this happens.
    contents : mapping, optional
        What people are to see of each case, by key.
    """

    def __init__(
        self,
        row: Deployment,
        policy: Policy,
        now: datetime,
        contents: Mapping[str, Any] | None = None,
    ) -> None:
        self.row, self.policy, self.now = row, policy, now
        self.contents = contents or {}
        self.receipts: dict[str, Receipt | NewReceipt] = {}
        self.events: tuple[Event, ...] = ()
        self.tables = PolicyTables(policy.pk, document_of(policy))
        self._running = load_state(policy)
        self._nodes: list[tuple[int, int, bytes]] = []

    @property
    def secret(self) -> bytes:
        """By which audits are drawn."""
        return secret_of(self.policy)

    @property
    def replay(self) -> Replay:
        """State, events and log as of now."""
        return self._running.replay

    @property
    def clock_back(self) -> int | None:
        """A move is dated by what its records last saw."""
        return None

    def at(self, moment: int) -> int:
        """Return when the next rows are."""
        del moment  # of a move there is one
        return micros(self.now)

    def draw_salts(self, n: int) -> list[bytes]:
        """Return random bytes for the digests of contents; they are deleted with these."""
        drawn = os.urandom(_SALT * n)
        return [drawn[i : i + _SALT] for i in range(0, _SALT * n, _SALT)]

    def find_known_cases(self, keys: Sequence[str]) -> Mapping[str, KnownCase]:
        """Return what came with those of the keys that are there, whichever policy decided them."""
        rows = Receipt.objects.filter(deployment=self.row, key__in=keys).select_related(None)
        self.receipts |= {one.key: one for one in rows}
        others = {one.policy_id for one in self.receipts.values()} - {self.policy.pk}
        policies = {one.pk: one for one in Policy.objects.filter(pk__in=others)} if others else {}
        policies[self.policy.pk] = self.policy
        known = {}
        for key, one in self.receipts.items():
            classes = document_of(policies[one.policy_id]).model["classes"]
            salt = None if one.salt is None else bytes(one.salt)
            known[key] = KnownCase(
                classes[one.prediction], one.confidence, one.digest, one.group, salt
            )
        return known

    def find_earlier_cases(self, keys: Sequence[str]) -> Mapping[str, EarlierCase]:
        """Return what is known of those of the keys that were decided, and whether they were answered."""
        known = self.find_known_cases(keys)
        return {
            key: EarlierCase(case, self.receipts[key].action != ASK and not self.receipts[key].held)
            for key, case in known.items()
        }

    def write_decisions(self, batch: DecisionBatch, outcome: Outcome, at: int) -> None:
        """Write receipts, the cases that people are to label, and where the policy is now."""
        del at  # as a datetime it is `now`
        rows = self._new_receipts(batch, outcome)
        self.policy.held += sum(one.held for one in rows)
        write_receipts(rows)
        count_decisions(self.policy, rows, self.now)
        self._advance(outcome.replay)
        self.receipts |= {one.key: one for one in rows}
        self._send([one for one in rows if one.action != ANSWER])

    def _new_receipts(self, batch: DecisionBatch, outcome: Outcome) -> list[NewReceipt]:
        """Return the receipts of new decisions, in their order."""
        codes = {name: code for code, name in enumerate(document_of(self.policy).model["classes"])}
        found: list[NewReceipt] = []
        for block in outcome.blocks:
            places = outcome.decided[len(found) : len(found) + len(block.key)]
            numbers = (block.seq, block.drawn, block.propensity, block.answer, block.audit, block.episode,
                       block.rate, block.held)  # fmt: skip
            leaves = range(block.leaf, block.leaf + len(block.key))
            columns = (column.tolist() for column in numbers)
            rows = zip(places, *columns, block.group, leaves, block.clock_back, strict=True)
            found += [
                NewReceipt(
                    deployment_id=self.row.pk,
                    policy_id=self.policy.pk,
                    key=batch.key[i],
                    at=self.now,
                    digest=outcome.digests[i],
                    prediction=codes[batch.prediction[i]],
                    confidence=batch.confidence[i],
                    group=group,
                    seq=seq,
                    drawn=drawn,
                    propensity=propensity,
                    action=AUDIT if audit else ANSWER if answer else ASK,
                    held=held,
                    episode=episode,
                    rate=rate,
                    chain=None,
                    leaf=leaf,
                    salt=outcome.salts[i],
                    lease=block.lease,
                    clock_back=back,
                )
                for i, seq, drawn, propensity, answer, audit, episode, rate, held, group, leaf, back in rows
            ]
            found[-1].chain = block.chain
        return found

    def _send(self, rows: Sequence[NewReceipt]) -> None:
        """Put cases into the queue; a share of them is for two people."""
        salt = self.row.salt.encode()
        second = audit_draws(salt, "second", [one.key for one in rows]) < self.row.second
        write_cases(
            {
                "id": name,
                "queue": queue_of(self.row.pk),
                "purpose": _SOURCES[ASK if one.action == ASK else AUDIT],
                "key": one.key,
                "content": self.contents.get(one.key),
                "wanted": 1 + int(twice),
                "free": 1 + int(twice),
                "opened": self.now,
                "at": self.now,
            }
            for name, one, twice in zip(new_ids(len(rows)), rows, second.tolist(), strict=True)
        )

    def label_context(self, rows: LabelRows) -> LabelContext:
        """Return what labels of cases of this policy are compared with."""
        classes: list[str] = document_of(self.policy).model["classes"]
        decided = Receipt.objects.filter(policy=self.policy, key__in=rows.key)
        cases = {one.key: case_of_receipt(one, classes) for one in decided}
        there = Label.objects.filter(policy=self.policy, key__in=rows.key)
        labels = there.values_list("key", "judge", "label", "source", "counts")
        counted: set[Counted] = {
            (key, judge) if source == "gold" else key
            for key, judge, _, source, counts in labels
            if counts
        }
        return LabelContext(cases, counted, {(k, j, label, s) for k, j, label, s, _ in labels})

    def write_labels(self, outcome: LabelOutcome) -> None:
        """Write labels, and where the policy is now."""
        Label.objects.bulk_create(self._labels(outcome.block))
        count_labels(self.policy, outcome.block, self.now)
        self._running.labelled += 1
        self._advance(outcome.replay, told=True)
        rows = zip(outcome.block.key, outcome.block.counts.tolist(), strict=True)
        done = [key for key, counts in rows if counts]
        cases_of(self.row, done).filter(labelled=None).update(labelled=self.now)

    def write_lease(self, lease: Lease) -> Lease:
        """Write a lease that was granted."""
        after = self.replay.copy()
        placed = replace(lease, leaf=after.tree.size)
        self.tables.insert("leases", LEASE, [tuple(getattr(placed, name) for name in LEASE)])
        after.grant(LeaseBlock(lease=placed))
        self._advance(after)
        return placed

    def write_hand_in(self, made: HandInOutcome) -> None:
        """Write what of a lease was handed in, and its new decisions."""
        block = made.block
        self.tables.insert("hand_ins", HAND_IN, [tuple(getattr(block, name) for name in HAND_IN)])
        self._nodes += made.nodes
        if made.outcome.decided:
            self.contents = dict(zip(made.batch.key, made.batch.content or (), strict=False))
            self.write_decisions(made.batch, made.outcome, block.at)
        else:
            self._advance(made.outcome.replay)

    def write_deleted(self, rows: Sequence[Receipt]) -> None:
        """Delete the salts of cases whose contents are deleted, and write that it was done."""
        after, at = self.replay.copy(), micros(self.now)
        seqs, keys = tuple(row.seq for row in rows), tuple(row.key for row in rows)
        block = DeletionBlock(seq=seqs, key=keys, at=at, leaf=after.tree.size)
        places = range(block.leaf, block.leaf + len(rows))
        gone = [(seq, at, leaf) for seq, leaf in zip(seqs, places, strict=True)]
        self.tables.insert("forgotten", ("seq", "at", "leaf"), gone)
        Receipt.objects.filter(pk__in=[row.pk for row in rows]).update(salt=None)
        after.forget(block)
        self._advance(after)

    def _labels(self, block: LabelBlock) -> list[Label]:
        first = self.replay.labels
        columns = (
            range(len(block.key)),
            zip(block.key, block.label, block.judge, block.source, block.truth, strict=True),
            block.seq.tolist(),
            block.wrong.tolist(),
            (block.counts | block.gold).tolist(),
        )
        rows = [
            Label(
                policy=self.policy,
                n=first + i,
                leaf=block.leaf + i,
                after=block.after,
                key=key,
                seq=seq,
                label=label,
                judge=judge,
                source=source,
                truth=truth,
                wrong=wrong,
                counts=counts,
                at=self.now,
            )
            for i, (key, label, judge, source, truth), seq, wrong, counts in zip(
                *columns, strict=True
            )
        ]
        rows[-1].chain = block.chain
        return rows

    def _advance(self, replay: Replay, *, told: bool = False) -> None:
        """Write where the policy is now, and tell owners what happened."""
        self._running.replay = replay
        earlier, self._nodes = self._nodes, []
        events = save_state(self.policy, self._running, self.now, told=told, earlier=earlier)
        self.events += tuple(events)
        follow_events(self.row, self.policy, events, self.now)
        if self.row.at < self.now:
            Deployment.objects.filter(pk=self.row.pk).update(at=self.now)
