"""What is known of an incident: when it began, what went out wrong, where, and what happened since."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

from django.db.models import QuerySet

from askpoint.live.events import event_kind
from askpoint.live.incident_span import SpanAudits, SpanMistakes, mistakes_in_span
from askpoint.measures.intervals import Interval, clopper_pearson
from askpoint.records.notifiers import NOTIFIERS
from askpoint.reports.live.incident_counts import (
    budget_count_text,
    incident_count_text,
    incident_range_text,
)
from askpoint.reports.words import share_range
from askpoint.server.deployments.case_records import CaseRecord, records_of
from askpoint.server.deployments.models import (
    Event as EventRow,
    Incident,
    Label,
    Moment,
    Receipt,
)
from askpoint.server.deployments.policy_state import document_of
from askpoint.server.deployments.rows import ASK, AUDIT
from askpoint.server.deployments.state_lines import HistoryLine, history_lines
from askpoint.server.webhooks.models import Delivery

__all__ = ["EXPORTED", "IncidentRecord", "IncidentSpan", "ReviewersSeen", "Telling"]

_QUIET = 0.05  # of the evidence that raises an alarm: before, nothing pointed to one
_SHOWN = 10
_NEWEST = 1_000  # mistakes among which some are drawn
_WRONG_OPINIONS, _RIGHT_OPINIONS = 20, 10  # cases on which second reviewers are asked
_MOST_EXPORTED = 20_000
_TOLD_WITHIN = timedelta(minutes=2)


@dataclass(frozen=True)
class IncidentSpan:
    """When an incident began: between the last quiet look and the first mistake after it.

    Parameters
    ----------
    quiet, first : datetime
        These two.
    audited, wrong : int
        Answers audited by chance from the first mistake on, and those that were wrong.
    answers : int
        Those from the first mistake to the closing.
    out : SpanMistakes
        Wrong answers that went out.
    """

    quiet: datetime
    first: datetime
    audited: int
    wrong: int
    answers: int
    out: SpanMistakes


@dataclass(frozen=True)
class ReviewersSeen:
    """How reviewers did on known cases, and how often they may be wrong."""

    known: int
    right: int
    wrong_share: Interval

    @property
    def wrong_range(self) -> str:
        """The interval in words."""
        return share_range(self.wrong_share)


@dataclass(frozen=True)
class Telling:
    """That an owner's endpoint was told: where, and what became of it."""

    by: str
    host: str
    what: str
    at: datetime


@dataclass(frozen=True)
class IncidentRecord:
    """An incident, and what its rows say of it.

    Parameters
    ----------
    incident : Incident
        With its policy and deployment.
    """

    incident: Incident

    @property
    def title(self) -> str:
        """Where it is wrong, if that was found; else why it closed."""
        found = self.regions
        if found:
            return f"Wrong where {found[0]['name']}"
        return event_kind(self.incident.kind).because.rstrip(".")

    @property
    def regions(self) -> list[dict[str, Any]]:
        """Regions that the labels confirmed."""
        return list(self.incident.regions.get("found", ()))

    @property
    def looking(self) -> str:
        """Why there is no region, in a sentence; empty where there is one."""
        looked = self.incident.regions
        if self.regions:
            return ""
        if "problem" in looked:
            return f"No region was sought: {looked['problem']}."
        if not looked:
            return "Looking for a region: that takes about a minute."
        return (
            f"Looked through {looked['cases']:,} labelled cases on {looked['at']}: no kind of case is wrong more "
            "often than others at the same confidence."
        )

    @cached_property
    def began(self) -> IncidentSpan | None:
        """When it began and what went out; None where no audit was wrong before it closed."""
        policy, seq = self.incident.policy, self.incident.seq
        moments = self._moments
        quiet = self._quiet
        start = document_of(policy).state.decided if quiet is None else quiet[0]
        wrong = self._labels.filter(seq__gte=start, seq__lt=seq, source="audit", wrong=True)
        firsts = self._by_chance.filter(seq__in=wrong.values("seq"))
        first = firsts.order_by("seq").first()
        last = self._by_chance.filter(seq__lt=seq).order_by("-seq").first()
        if first is None or last is None:
            return None
        out = self._out.filter(seq__gt=first.seq, seq__lt=last.seq)
        audits = self._by_chance.filter(seq__gt=first.seq, seq__lt=last.seq)
        said = dict(
            self._labels.filter(seq__gte=first.seq, seq__lte=last.seq, source="audit").values_list(
                "seq", "wrong"
            )
        )
        inside = [said.get(one) for one in audits.values_list("seq", flat=True)]
        ends = {first.seq, last.seq}
        newest = moments.first()
        counts = SpanAudits(
            answers=out.count(),
            audited=sum(one is not None for one in inside),
            wrong=sum(one is True for one in inside),
            missing=sum(one is None for one in inside),
            wrong_ends=sum(bool(said.get(one)) for one in ends),
            looked_at=(0 if newest is None else newest.audited) + len(inside) + len(ends),
        )
        return IncidentSpan(
            policy.adopted or policy.made if quiet is None else quiet[1],
            first.at,
            counts.audited + len(ends),
            counts.wrong + counts.wrong_ends,
            counts.answers + len(ends),
            mistakes_in_span(counts),
        )

    @cached_property
    def count_text(self) -> str:
        """How many wrong answers went out, and why the mistake budget counts more where it closed."""
        if self.began is None:
            return "No audited answer that went out was wrong, so how many were is not known."
        text = incident_count_text(self.began.out, self.began.answers)
        return f"{text} {self.budget_text}".rstrip()

    @property
    def range_text(self) -> str:
        """The interval of the wrong answers in words; empty where it is not known."""
        return "" if self.began is None else incident_range_text(self.began.out)

    @property
    def budget_text(self) -> str:
        """Why the mistake budget counts more than the incident; empty where it did not close it."""
        if self.incident.kind != "budget_spent" or self.began is None:
            return ""
        policy = self.incident.policy
        rows = policy.events.filter(kind="budget_spent", seq=self.incident.seq)
        numbers: dict[str, float] | None = rows.values_list("numbers", flat=True).first()
        if numbers is None:
            return ""
        answers, budget = numbers["answers"], numbers["budget"]
        allowed = document_of(policy).terms.answer_below * answers + budget
        return budget_count_text(self.began.out, numbers["mistakes_at_most"], answers, allowed)

    @property
    def cost(self) -> tuple[float, Interval] | None:
        """What the wrong answers cost in the owner's unit; None without a price."""
        price = self.incident.deployment.mistake
        if price is None or self.began is None:
            return None
        lower, upper = self.began.out.interval
        return price * self.began.out.estimate, Interval(price * lower, price * upper)

    @cached_property
    def reviewers(self) -> ReviewersSeen:
        """How reviewers did on known cases before it closed."""
        known = Label.objects.filter(
            policy=self.incident.policy, source="gold", at__lte=self.incident.at
        )
        n, wrong = known.count(), known.filter(wrong=True).count()
        return ReviewersSeen(n, n - wrong, clopper_pearson(wrong, n, 0.95))

    @property
    def wrong_answers(self) -> list[CaseRecord]:
        """Ten of the wrong answers that went out, by chance: in the order of the draws of their audits."""
        wrong = self._labels.filter(wrong=True, seq__gte=self._since)
        numbers = list(wrong.order_by("-seq").values_list("seq", flat=True)[:_NEWEST])
        rows = self._out.filter(action=AUDIT, seq__in=numbers).order_by("drawn")[:_SHOWN]
        return records_of(self.incident.deployment, [(self.incident.policy, one) for one in rows])

    def draw_for_opinions(self) -> list[str]:
        """Return the keys of up to 20 wrong cases and 10 right ones among them, since it began, by chance."""
        labels, draw = self._labels.filter(seq__gte=self._since), random.SystemRandom()
        keys: list[str] = []
        for wrong, most in ((True, _WRONG_OPINIONS), (False, _RIGHT_OPINIONS)):
            rows = labels.filter(wrong=wrong).order_by("-seq").values_list("key", flat=True)
            newest = list(rows[:_NEWEST])
            keys += draw.sample(newest, min(most, len(newest)))
        return keys

    @property
    def history(self) -> list[HistoryLine]:
        """What the policy did from its closing to its end, the newest first."""
        rows = EventRow.objects.filter(policy=self.incident.policy, at__gte=self.incident.at)
        if self.incident.ended is not None:
            rows = rows.filter(at__lte=self.incident.ended)
        return history_lines(rows.select_related("policy").order_by("-pk")[:_SHOWN])

    @property
    def tellings(self) -> list[Telling]:
        """Whom of the owners' endpoints it told of the closing, as long as the outbox keeps it: 30 days."""
        at = self.incident.at
        rows = Delivery.objects.filter(
            endpoint__workspace=self.incident.deployment.workspace_id,
            made__gte=at - _TOLD_WITHIN,
            made__lte=at + _TOLD_WITHIN,
        )
        found = []
        for row in rows.select_related("endpoint").order_by("pk"):
            data = json.loads(row.body)["data"]
            mine = (self.incident.deployment_id, self.incident.number)
            if (data.get("classifier"), data.get("incident")) == mine:
                found.append(_telling(row))
        return found

    def export_cases(self) -> Iterator[dict[str, Any]]:
        """Yield the labelled cases from its beginning on, the newest first, with the weight of each."""
        classes: list[str] = document_of(self.incident.policy).model["classes"]
        labels = self._labels.filter(seq__gte=self._since).order_by("-seq")[:_MOST_EXPORTED]
        said = {one.seq: one for one in labels}
        receipts = Receipt.objects.filter(policy=self.incident.policy, seq__in=said)
        pairs = [(self.incident.policy, one) for one in receipts.order_by("-seq")]
        for record in records_of(self.incident.deployment, pairs):
            receipt, label = record.receipt, said[record.receipt.seq]
            yield {
                "key": receipt.key,
                "content": record.content,
                "prediction": classes[receipt.prediction],
                "confidence": receipt.confidence,
                "label": label.label,
                "wrong": label.wrong,
                "ruling": None if record.ruling is None else record.ruling.label,
                "weight": 1 / receipt.propensity,
                "decided": receipt.at.isoformat(),
            }

    @property
    def _moments(self) -> QuerySet[Moment]:
        """Looks at its policy before it closed, the newest first; after an alarm the evidence begins anew."""
        rows = Moment.objects.filter(policy=self.incident.policy, at__lt=self.incident.at)
        return rows.order_by("-pk")

    @cached_property
    def _quiet(self) -> tuple[int, datetime] | None:
        """Before which decision nothing pointed to an alarm, and when that was.

        The evidence hears labels in the order of decisions, up to the first that is awaited: of later decisions a
        quiet look says nothing.
        """
        policy = self.incident.policy
        look = self._moments.filter(evidence__lte=_QUIET).first()
        if look is None:
            return None
        heard = look.decided - document_of(policy).terms.max_label_delay
        labels = Label.objects.filter(policy=policy, counts=True, seq__gte=heard, at__lte=look.at)
        wanted = Receipt.objects.filter(policy=policy, seq__gte=heard, seq__lt=look.decided)
        rows = wanted.filter(action__in=(ASK, AUDIT)).exclude(seq__in=labels.values("seq"))
        first = rows.order_by("seq").first()
        return (look.decided, look.at) if first is None else (first.seq, first.at)

    @property
    def _since(self) -> int:
        return 0 if self._quiet is None else self._quiet[0]

    @property
    def _labels(self) -> QuerySet[Label]:
        """Labels of its policy that count, until it ended."""
        rows = Label.objects.filter(policy=self.incident.policy, counts=True, seq__gte=0)
        ended = self.incident.ended
        return rows if ended is None else rows.filter(at__lte=ended)

    @property
    def _out(self) -> QuerySet[Receipt]:
        """Answers that went out."""
        return Receipt.objects.filter(policy=self.incident.policy, held=False).exclude(action=ASK)

    @property
    def _by_chance(self) -> QuerySet[Receipt]:
        """Audits of answers that went out, by the usual rate: what a raised one added is no sample."""
        rate = document_of(self.incident.policy).terms.rate
        return self._out.filter(action=AUDIT, drawn__lt=rate)


EXPORTED: Sequence[str] = (
    "key",
    "content",
    "prediction",
    "confidence",
    "label",
    "wrong",
    "ruling",
    "weight",
    "decided",
)
"""Columns of what `IncidentRecord.export_cases` yields."""


def _telling(row: Delivery) -> Telling:
    endpoint = row.endpoint
    what = {"delivered": "arrived", "waiting": "on its way", "dropped": "the endpoint was removed"}
    said = what.get(row.state, f"failed: {row.said}")
    notifier = NOTIFIERS.get(endpoint.notifier)
    by = endpoint.notifier if notifier is None else notifier.title
    host = urlsplit(endpoint.url).hostname or endpoint.url.rpartition("@")[2]
    return Telling(by, host, said, row.at or row.made)
