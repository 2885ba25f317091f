"""What judges do: train, claim, vote, give back; and what gold says of them."""

from __future__ import annotations

import secrets
from collections.abc import Collection
from datetime import datetime

from django.db import transaction
from django.db.models import Count, F, Q, QuerySet
from django.utils import timezone

from askpoint.errors import RuleError
from askpoint.game.judge import check_judge, is_paused, train
from askpoint.game.judging import cast_vote, claim_case, give_back
from askpoint.game.protocol import Protocol
from askpoint.game.queue import gold_is_due, next_ruling
from askpoint.game.review import recall_votes
from askpoint.measures.inputs import as_choice
from askpoint.server.campaigns.models import Campaign, KnownItem
from askpoint.server.campaigns.records import campaign_of, terms_of
from askpoint.server.campaigns.services import budget_left, lock_campaign
from askpoint.server.rulings.models import Judge, Lease, Ruling
from askpoint.server.rulings.moves import Case, find_case
from askpoint.server.rulings.records import judge_of, ruling_of, store_judge

__all__ = [
    "add_gold",
    "answer_training",
    "claim",
    "expire_leases",
    "next_training",
    "skip",
    "vote",
    "waiting",
]

_LOOKED_AT = 32  # of the queue's head; those without a free place are left out before


def next_training(judge: Judge) -> KnownItem | None:
    """Return the next training item that a judge has not answered."""
    items = KnownItem.objects.filter(campaign=judge.campaign_id)
    return items.exclude(number__in=[int(number) for number in judge.trained]).first()


@transaction.atomic
def answer_training(campaign: str, name: str, number: int, choice: str) -> tuple[KnownItem, bool]:
    """Record an answer to a training item; return the item and whether it was right."""
    row = lock_campaign(campaign)
    judge = _judge(campaign, name)
    item = KnownItem.objects.filter(campaign=campaign, number=number).first()
    if item is None:
        raise RuleError("unknown", f"there is no training item {number}")
    as_choice(choice, terms_of(row.terms).classes, "an answer")
    store_judge(judge, train(judge_of(judge), str(number), timezone.now()))
    return item, choice == item.truth


def _judge(campaign: str, name: str) -> Judge:
    return Judge.objects.select_related("user").get(campaign=campaign, user__username=name)


def waiting(campaign: Campaign, name: str, protocol: Protocol, now: datetime) -> QuerySet[Ruling]:
    """Return the cases that a judge could claim now, in the queue's order.

    The order is that of `askpoint.game.queue.queue_rank`, so that the first few hold the one
    that the rules choose. Votes and claims are counted only where a case has as many as it
    needs, to see whether claims have ended or the votes differ: in a queue of thousands, few.
    """
    open_to = (
        Ruling.objects.filter(campaign=campaign, state="open")
        .exclude(kind="gold")
        .exclude(author=name)
        .exclude(votes__judge=name)
    )
    again = (
        open_to.filter(promised__gte=protocol.votes)
        .annotate(
            counted=Count("votes", filter=Q(votes__void=False), distinct=True),
            held=Count("leases", filter=Q(leases__until__gt=now), distinct=True),
        )
        .filter(
            Q(counted__lt=protocol.votes, held__lt=protocol.votes - F("counted"))
            | Q(counted__gte=protocol.votes, held=0)
        )
    )
    return (
        open_to.filter(Q(promised__lt=protocol.votes) | Q(pk__in=again.values("pk")))
        .annotate(fresh=Q(opened__gte=now - protocol.patience))
        .order_by("fresh", "promised", "opened", "pk")
    )


@transaction.atomic
def claim(campaign: str, name: str, avoid: Collection[str] = ()) -> Ruling | None:
    """Return the case that a judge holds, or claim the next one; None when there is none.

    Cases to `avoid`, which the judge has skipped, are not among them.

    Raises
    ------
    RuleError
        As `askpoint.game.judge.check_judge`.
    """
    row, judge, now = lock_campaign(campaign), _judge(campaign, name), timezone.now()
    game = campaign_of(row)
    check_judge(judge_of(judge), campaign, game.terms.protocol)
    held = Lease.objects.filter(judge=name, until__gt=now, ruling__campaign=campaign).first()
    if held is not None:
        return held.ruling
    draw, available = secrets.randbelow(10**6) / 10**6, budget_left(row)
    gold = gold_is_due(game.terms.protocol, draw, pay=game.terms.pay.vote, available=available)
    found = gold and _choose(row, name, now, avoid, gold=True)
    found = found or _choose(row, name, now, avoid, gold=False)
    if not found:
        return None
    case = find_case(row, found)
    case.keep(claim_case(game, case.before, judge_of(judge), now))
    return case.ruling


def _choose(
    row: Campaign, name: str, now: datetime, avoid: Collection[str], *, gold: bool
) -> str | None:
    protocol = terms_of(row.terms).protocol
    if gold:
        fresh = Ruling.objects.filter(campaign=row, kind="gold").exclude(votes__judge=name)
        queue = fresh.order_by("opened", "pk")
    else:
        queue = waiting(row, name, protocol, now)
    rows = queue.exclude(pk__in=avoid).prefetch_related("votes", "leases")[:_LOOKED_AT]
    chosen = next_ruling(map(ruling_of, rows), name, protocol, now)
    return None if chosen is None else chosen.id


@transaction.atomic
def vote(campaign: str, name: str, case: str, choice: str) -> Ruling:
    """Vote on a claimed case; what it decides is settled at once.

    Raises
    ------
    RuleError
        As `askpoint.game.judging.cast_vote`.
    """
    row, judge = lock_campaign(campaign), _judge(campaign, name)
    found, now = find_case(row, case), timezone.now()
    move = cast_vote(
        found.game,
        found.before,
        judge_of(judge),
        choice,
        now,
        probe=found.game_probe,
        player=found.game_player,
    )
    found.keep(move, judge)
    if is_paused(judge_of(judge), found.game.terms.protocol):
        _recall(row, name)
    return found.ruling


def _recall(row: Campaign, name: str) -> None:
    """Void a paused judge's recent votes, and queue again the cases that they decided."""
    voted = Ruling.objects.filter(campaign=row, votes__judge=name).exclude(kind="gold")
    for key in voted.order_by("opened", "pk").values_list("pk", flat=True):
        case, now = find_case(row, key), timezone.now()
        left, probe = budget_left(row), case.game_probe
        case.keep(recall_votes(case.game, case.before, name, now, available=left, probe=probe))


@transaction.atomic
def skip(campaign: str, name: str, case: str) -> None:
    """Give a claimed case back to the queue."""
    found = find_case(lock_campaign(campaign), case)
    found.keep(give_back(found.game, found.before, timezone.now(), name))


def expire_leases(campaign: str) -> int:
    """Return ended claims to the queue, and what was reserved for them; how many there were."""
    ended = Ruling.objects.filter(campaign=campaign, leases__until__lte=timezone.now())
    count = 0
    for key in ended.values_list("pk", flat=True).distinct():
        with transaction.atomic():
            case: Case = find_case(lock_campaign(campaign), key)
            case.keep(give_back(case.game, case.before, timezone.now()))
        count += 1
    return count


@transaction.atomic
def add_gold(campaign: str, case: object, truth: str) -> Ruling:
    """Put an item with a known answer into the judges' queue."""
    row, now = lock_campaign(campaign), timezone.now()
    classes = terms_of(row.terms).classes
    as_choice(truth, classes, "the answer of a gold item")
    return Ruling.objects.create(
        id=secrets.token_hex(8),
        campaign=row,
        case=case,
        options=list(classes),
        opened=now,
        at=now,
        gold=truth,
        kind="gold",
    )
