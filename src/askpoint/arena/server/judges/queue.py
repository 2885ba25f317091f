"""The queue of a campaign: submitted and drawn cases, and gold cases; votes are paid."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils.html import format_html

import askpoint.labelling.case as pure
from askpoint.arena.game.held_pay import hold_start
from askpoint.arena.game.paid_votes import pay_step
from askpoint.arena.game.review import recall_votes
from askpoint.arena.game.ruling import gold_ruling
from askpoint.arena.server.campaigns.consents import has_agreed
from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.campaigns.records import terms_of
from askpoint.arena.server.campaigns.services import budget_left, lock_campaign
from askpoint.arena.server.campaigns.workdays import check_day, count_case, count_time
from askpoint.arena.server.judges.find_questions import find_question
from askpoint.arena.server.judges.shared_campaigns import list_enrolments, list_offers
from askpoint.arena.server.rulings.models import Judge, Ruling
from askpoint.arena.server.rulings.moves import CampaignCase as Found, find_case
from askpoint.arena.server.rulings.records import KIND, new_ruling, queue_of, ruling_of
from askpoint.arena.server.rulings.repeats import compare_with_earlier
from askpoint.errors import RuleError
from askpoint.labelling.case import GOLD
from askpoint.labelling.gold import becomes_gold, gold_is_due
from askpoint.labelling.protocol import Protocol
from askpoint.labelling.queue import next_case
from askpoint.labelling.reviewer import (
    Agreement,
    Reviewer,
    check_reviewer,
    is_paused,
    is_trained,
    may_skip,
)
from askpoint.labelling.steps import Step
from askpoint.server.accounts.models import User
from askpoint.server.clock import moment
from askpoint.server.deployments.cases import queue_of as classifier_queue
from askpoint.server.deployments.models import Deployment
from askpoint.server.deployments.queue import classes_of, classifiers_to_review, titles_to_review
from askpoint.server.images.services import find_deleted_images
from askpoint.server.journal.services import SERVER, acting, note
from askpoint.server.labelling.desk import Guest, OpenQueue
from askpoint.server.labelling.guidelines import guideline_of
from askpoint.server.labelling.models import Case, Claim, Vote
from askpoint.server.labelling.queues import (
    Purpose,
    Queue,
    open_cases,
    register_purpose,
    register_queue,
)
from askpoint.server.labelling.records import case_of, join_skippers, reviewer_of

__all__ = [
    "CampaignQueue",
    "agreements",
    "fresh_gold",
    "recall",
    "renewable",
    "waiting",
]

_LOOKED_AT = 32  # of the queue's head


def _words() -> str:
    return format_html(
        " Some are cases that players found: a vote on these is paid, and you see which on "
        '<a href="{}">Points</a> afterwards.',
        reverse("points"),
    )


def _protocol(campaign: Campaign) -> Protocol:
    return terms_of(campaign.terms).protocol


def _is_ready(judge: Judge) -> bool:
    """Tell whether a judge has agreed to what the campaign asks, and seen its training items."""
    return has_agreed(judge.campaign, judge.user) and is_trained(
        reviewer_of(judge), _protocol(judge.campaign)
    )


def _find_judges(row: Deployment, user: User) -> list[Judge]:
    try:
        return list_enrolments(row, user)
    except RuleError:  # no policy is in use yet
        return []


def _find_offers(row: Deployment, user: User) -> list[Campaign]:
    try:
        return list_offers(row, user)
    except RuleError:
        return []


def _find_shared_queues(user: User, only: str) -> Iterator[tuple[Deployment, Judge]]:
    for row in classifiers_to_review(user, only):
        for judge in _find_judges(row, user):
            yield row, judge


@register_queue
class CampaignQueue(Queue):
    """The queue of a campaign."""

    kind = KIND

    def __init__(self, row: Campaign) -> None:
        super().__init__(row)
        self._found: dict[str, Found] = {}

    @classmethod
    def lock(cls, owner: str) -> CampaignQueue:
        """Return the queue of a campaign, locked for the transaction."""
        return cls(lock_campaign(owner))

    @classmethod
    def places(cls, user: User, only: str) -> Iterator[OpenQueue]:
        """Yield the campaigns among the cases of the classifiers that somebody reviews, when they may judge."""
        titles = titles_to_review(user)
        for row, judge in _find_shared_queues(user, only):
            if _is_ready(judge):
                yield OpenQueue(
                    queue=judge.queue,
                    title=titles[row.pk],
                    options=partial(classes_of, row),
                    guest=True,
                    hold=row.hold_time,
                    guideline=partial(guideline_of, classifier_queue(row.pk)),
                    may_skip=partial(may_skip, reviewer_of(judge), _protocol(judge.campaign)),
                )

    @classmethod
    def guests(cls, user: User, only: str) -> Iterator[Guest]:
        """Yield what a reviewer reads of these campaigns."""
        for row in classifiers_to_review(user, only):
            for judge in _find_judges(row, user):
                campaign = judge.campaign
                yield Guest(
                    title=campaign.title,
                    warning=campaign.warning,
                    guide=campaign.guide,
                    veiled=campaign.veiled,
                    words=_words(),
                    unready="" if _is_ready(judge) else reverse("judge", args=[campaign.pk]),
                    asked=reverse("judge", args=[campaign.pk]) if find_question(judge) else "",
                )

    @classmethod
    def offers(cls, user: User, only: str) -> Iterator[tuple[str, str]]:
        """Yield title and address of the campaigns that a reviewer may accept."""
        for row in classifiers_to_review(user, only):
            for campaign in _find_offers(row, user):
                yield campaign.title, reverse("pool-offer", args=[row.pk, campaign.pk])

    def protocol(self, case: Case | None = None) -> Protocol:
        """Return the rules of the campaign's terms."""
        del case
        return terms_of(self.row.terms).protocol

    def find(self, case: str) -> Ruling:
        """Return a ruling; what belongs to it is kept for the moves that follow."""
        compare_with_earlier(self.row, case)
        found = find_case(self.row, case)
        self._found[case] = found
        return found.ruling

    def rules_case(self, row: Case) -> pure.Case:
        """Return a ruling for the rules."""
        return self._found[row.pk].before

    def now(self, *rows: Any) -> datetime:
        """Return the moment of a step; a case brings its probe and player."""
        more = [self._found[row.pk] for row in rows if row.pk in self._found]
        return super().now(*rows, *(x for one in more for x in (one.probe, one.player)))

    def reviewer(self, name: str) -> Judge:
        """Return a judge."""
        rows = Judge.objects.select_related("user")
        return rows.get(campaign=self.row.pk, user__username=name)

    def agreements(self, reviewer: Any) -> Sequence[Agreement]:
        """Tell of a judge's newest votes on ruled cases whether each agrees with the ruling."""
        return agreements(reviewer, self.protocol())

    def check_claim(self, reviewer: Any, now: datetime) -> None:
        """Check that a judge may judge on today."""
        check_day(self.row, reviewer.user, now)

    def check_vote(self, reviewer: Any) -> None:
        """Check that a judge was not paused meanwhile, nor shut out."""
        check_reviewer(reviewer_of(reviewer), self.key, self.protocol())

    def choose(self, reviewer: Any, now: datetime, *, others: bool | None) -> str | None:
        """Return the next case, or in its place a gold case."""
        del others
        name, protocol = reviewer.user.username, self.protocol()
        queue = waiting(self.row, name, protocol, now).prefetch_related("votes", "claims")
        chosen = next_case(map(case_of, queue[:_LOOKED_AT]), name, protocol, now)
        if chosen is None:
            return None
        draw, pay = secrets.randbelow(10**6) / 10**6, terms_of(self.row.terms).pay.vote
        if self.row.left >= pay and gold_is_due(protocol, reviewer_of(reviewer), draw):
            return _gold_case(self.row, name, now) or chosen.id
        return chosen.id

    def keep(
        self,
        case: Case,
        before: pure.Case,
        step: Step[Any],
        reviewer: Any,
        now: datetime,
    ) -> None:
        """Pay for a step, settle what it decides, and store it all."""
        found = self._found[case.pk]
        if len(step.case.votes) == len(before.votes):
            found.keep(pay_step(found.game, found.before, step, now), reviewer)
            return
        move = pay_step(
            found.game,
            found.before,
            step,
            now,
            probe=found.game_probe,
            player=found.game_player,
            family=found.family,
        )
        found.keep_with_family(move, reviewer)

    def after_claim(self, reviewer: Any, now: datetime) -> None:
        """Count the case among those of the day."""
        count_case(self.row, reviewer.user, now)

    def after_look(self, reviewer: Any, now: datetime) -> None:
        """Count the time."""
        count_time(self.row, reviewer.user, now)

    def after_vote(self, reviewer: Any, now: datetime) -> None:
        """Void the recent votes of who was wrong on too many gold cases."""
        del now
        judge, protocol = reviewer_of(reviewer), self.protocol()
        if is_paused(judge, protocol):
            name = reviewer.user.username
            recall(self.row, name, _hold_start(judge) if protocol.holds_pay else None)


for _name, _meaning in (
    ("submitted", "A player says that the model is wrong; the ruling settles what it brings."),
    ("drawn", "It was drawn from a sample of the stream, for an examination."),
    (GOLD, "Its answer is known: it checks the judges."),
):
    register_purpose(Purpose(name=_name, queue=KIND, meaning=_meaning))


def waiting(campaign: Campaign, name: str, protocol: Protocol, now: datetime) -> QuerySet[Case]:
    """Return the cases that a judge could claim now, in the queue's order.

    The order is that of `askpoint.labelling.queue.queue_rank`, so that the first few hold the one
    that the rules choose. A claim that has ended leaves a place free, whether it is taken away yet
    or not.
    """
    ended = Claim.objects.filter(case=OuterRef("pk"), until__lte=now, said=None)
    rows = open_cases(queue_of(campaign.pk), name).exclude(purpose=GOLD)
    return (
        rows.filter(Q(free__gt=0) | Exists(ended))
        .annotate(fresh=Q(opened__gte=now - protocol.overdue_after))
        .order_by("fresh", "promised", "opened", "pk")
    )


def agreements(judge: Judge, protocol: Protocol) -> list[Agreement]:
    """Tell of a judge's newest votes on ruled cases how each is ruled, and whether it agrees."""
    votes = Vote.objects.filter(
        reviewer=judge.user.username, case__queue=judge.queue, case__answer__isnull=False
    )
    if judge.since is not None:
        votes = votes.filter(at__gte=judge.since)
    newest = votes.order_by("-pk").values_list("choice", "case__answer")
    looked_at = newest[: protocol.agreement_sought]
    return [(answer, choice == answer) for choice, answer in looked_at][::-1]


def fresh_gold(row: Campaign, name: str) -> QuerySet[Ruling]:
    """Return the gold cases that a judge has not seen."""
    fresh = _with_images(row, Ruling.objects.filter(campaign=row, purpose=GOLD))
    fresh = fresh.exclude(votes__reviewer=name)
    return fresh.exclude(skipped__contains=join_skippers(name))


def _with_images(row: Campaign, rows: QuerySet[Ruling]) -> QuerySet[Ruling]:
    """Leave out the cases of which nobody sees any more what they are: their images were deleted."""
    gone = find_deleted_images(row.pk)
    return rows.exclude(content__image__sha256__in=gone) if gone else rows


def renewable(row: Campaign, name: str) -> QuerySet[Ruling]:
    """Return the cases of which gold can be made for a judge, as `becomes_gold` says."""
    made = Ruling.objects.filter(campaign=row, purpose=GOLD).values("source")
    ruled = _with_images(row, Ruling.objects.filter(campaign=row, state="ruled"))
    ruled = ruled.exclude(votes__reviewer=name)
    against = ~Q(votes__choice=F("answer")) | Q(votes__void=True)
    counted = ruled.annotate(n_votes=Count("votes"), n_against=Count("votes", filter=against))
    return counted.filter(n_votes__gt=1, n_against=0).exclude(pk__in=made)


def _gold_case(row: Campaign, name: str, now: datetime) -> str | None:
    """Return a gold case by chance: one that was given, or a new one of a ruled case."""
    protocol = terms_of(row.terms).protocol
    if protocol.holds_pay and len(_gold_seen(row, name)) >= protocol.gold_first:
        made = _renewed_gold(row, name, now)  # of it no friend can tell
        if made is not None:
            return made
    fresh = dict(fresh_gold(row, name).values_list("pk", "gold"))
    if fresh:
        seen = Counter(_gold_seen(row, name))
        least = min(seen[answer] for answer in fresh.values())
        return secrets.choice([key for key, answer in fresh.items() if seen[answer] == least])
    return _renewed_gold(row, name, now)


def _renewed_gold(row: Campaign, name: str, now: datetime) -> str | None:
    """Return a gold case made of a ruled one, of the answer that a judge was asked for least if there is one."""
    seen = Counter(_gold_seen(row, name))
    cases = renewable(row, name).prefetch_related("votes", "claims").order_by("?")[:_LOOKED_AT]
    for case in sorted(cases, key=lambda case: seen[case.answer]):
        if becomes_gold(ruling_of(case)):
            return _renew(row, case, now)
    return None


def _gold_seen(row: Campaign, name: str) -> list[str]:
    """Return the answers of the gold cases that a judge has voted on: those asked for least come next."""
    seen = Vote.objects.filter(reviewer=name, case__queue=queue_of(row.pk), case__purpose=GOLD)
    return list(seen.values_list("case__gold", flat=True))


def _renew(row: Campaign, case: Ruling, now: datetime) -> str:
    gold = gold_ruling(ruling_of(case), secrets.token_hex(8), now)
    with acting(lambda: SERVER):  # not the judge who claims
        note("gold case made", campaign=row.pk, about=gold.id, source=case.pk)
    new_ruling(row, gold, case.content, case.pk).save(force_insert=(Case,))
    return gold.id


def _hold_start(judge: Reviewer) -> datetime:
    return hold_start(judge) or datetime.min.replace(tzinfo=UTC)


def recall(row: Campaign, name: str, since: datetime | None = None) -> int:
    """Void a judge's recent votes, and queue again the cases that they decided; how many votes."""
    votes = Vote.objects.filter(case__queue=queue_of(row.pk), reviewer=name, void=False)
    if since is not None:
        votes = votes.filter(at__gte=since)
    keys = list(votes.exclude(case__purpose=GOLD).order_by("pk").values_list("case", flat=True))
    for key in keys:
        case = find_case(row, key)
        now = moment(case.ruling, case.probe)
        left, probe = budget_left(row), case.game_probe
        case.keep(
            recall_votes(
                case.game, case.before, name, now, available=left, probe=probe, since=since
            )
        )
    return Vote.objects.filter(case__in=keys, reviewer=name, void=True).count()
