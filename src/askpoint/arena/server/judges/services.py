"""What judges do: train, claim, vote, give back; and what gold says of them."""

from __future__ import annotations

import secrets
from datetime import datetime

from django.db import transaction
from django.db.models import Count, F, Q, QuerySet
from django.utils import timezone

from askpoint.arena.game.challenge import tag_options, two_labels
from askpoint.arena.game.review import recall_votes
from askpoint.arena.game.votes import cast_vote, claim_case, give_back, skip_case
from askpoint.arena.server.campaigns.models import Campaign, KnownItem
from askpoint.arena.server.campaigns.records import campaign_of, terms_of
from askpoint.arena.server.campaigns.services import budget_left, lock_campaign
from askpoint.arena.server.campaigns.workdays import check_day, count_case, count_time
from askpoint.arena.server.rulings.models import Judge, Lease, Ruling, Vote
from askpoint.arena.server.rulings.moves import Case, find_case
from askpoint.arena.server.rulings.records import judge_of, ruling_of, skipped_by, store_judge
from askpoint.errors import RuleError
from askpoint.labelling.gold import becomes_gold, gold_is_due, gold_of
from askpoint.labelling.protocol import Protocol
from askpoint.labelling.queue import next_case
from askpoint.labelling.reviewer import check_reviewer, is_paused, train
from askpoint.measures.inputs import as_choice
from askpoint.server.clock import moment
from askpoint.server.images.services import delete_image, deleted_images
from askpoint.server.journal.services import SERVER, acting, note

__all__ = [
    "add_gold",
    "agreements",
    "answer_training",
    "ask_again",
    "check_pool",
    "claim",
    "expire_leases",
    "forget_image",
    "fresh_gold",
    "gold_ended",
    "next_training",
    "renewable",
    "rest",
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
    now = moment(row, judge)
    store_judge(judge, train(judge_of(judge), str(number), now))
    count_time(row, judge.user, now)
    return item, choice == item.truth


def check_pool(judge: Judge, pool: str = "") -> None:
    """Check that a judge is given cases from this queue, or from the campaign's own.

    Raises
    ------
    RuleError
        ``pooled``.
    """
    if judge.pool != pool:
        raise RuleError(
            "pooled",
            "cases of this campaign come to you among others, so that nobody can tell which is which: "
            "take the next one on the page “Next case”, or by POST /api/review/claim",
        )


def _judge(campaign: str, name: str) -> Judge:
    return Judge.objects.select_related("user").get(campaign=campaign, user__username=name)


def waiting(campaign: Campaign, name: str, protocol: Protocol, now: datetime) -> QuerySet[Ruling]:
    """Return the cases that a judge could claim now, in the queue's order.

    The order is that of `askpoint.labelling.queue.queue_rank`, so that the first few hold the one
    that the rules choose. Votes and claims are counted only where a case has as many as it
    needs, to see whether claims have ended or the votes differ: in a queue of thousands, few.
    """
    open_to = (
        Ruling.objects.filter(campaign=campaign, state="open")
        .exclude(kind="gold")
        .exclude(author=name)
        .exclude(votes__judge=name)
        .exclude(skipped__contains=skipped_by(name))
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
        .annotate(fresh=Q(opened__gte=now - protocol.overdue_after))
        .order_by("fresh", "promised", "opened", "pk")
    )


def agreements(judge: Judge, protocol: Protocol) -> list[bool]:
    """Tell of a judge's newest votes on ruled cases whether each agrees with the ruling."""
    votes = Vote.objects.filter(
        judge=judge.user.username, ruling__campaign=judge.campaign_id, ruling__answer__isnull=False
    )
    if judge.since is not None:
        votes = votes.filter(at__gte=judge.since)
    newest = votes.order_by("-pk").values_list("choice", "ruling__answer")
    return [choice == answer for choice, answer in newest[: protocol.agreement_window]][::-1]


@transaction.atomic
def claim(campaign: str, name: str, *, pool: str = "") -> Ruling | None:
    """Return the case that a judge holds, or claim the next one; None when there is none.

    Raises
    ------
    RuleError
        As `askpoint.labelling.reviewer.check_reviewer`; ``pooled``, if its cases come to this judge among others,
        from the queue of a classifier in use.
    """
    row, judge = lock_campaign(campaign), _judge(campaign, name)
    check_pool(judge, pool)
    now, game = moment(row, judge), campaign_of(row)
    protocol = game.terms.protocol
    agreed = agreements(judge, protocol)
    check_reviewer(judge_of(judge), campaign, protocol, agreed)
    held = Lease.objects.filter(judge=name, until__gt=now, ruling__campaign=campaign).first()
    if held is not None:
        return held.ruling
    check_day(row, judge.user, now)
    found = _next_case(row, name, now)
    if found is None:
        return None
    draw, pay = secrets.randbelow(10**6) / 10**6, game.terms.pay.vote
    if row.left >= pay and gold_is_due(protocol, judge_of(judge), draw):
        found = _gold_item(row, name, now) or found
    case = find_case(row, found)
    now = moment(row, judge, case.ruling)
    case.keep(claim_case(game, case.before, judge_of(judge), now, agreements=agreed))
    count_case(row, judge.user, now)
    return case.ruling


def _next_case(row: Campaign, name: str, now: datetime) -> str | None:
    protocol = terms_of(row.terms).protocol
    queue = waiting(row, name, protocol, now).prefetch_related("votes", "leases")
    chosen = next_case(map(ruling_of, queue[:_LOOKED_AT]), name, protocol, now)
    return None if chosen is None else chosen.id


def fresh_gold(row: Campaign, name: str) -> QuerySet[Ruling]:
    """Return the gold items that a judge has not seen."""
    fresh = _shown(row, Ruling.objects.filter(campaign=row, kind="gold"))
    fresh = fresh.exclude(votes__judge=name)
    return fresh.exclude(skipped__contains=skipped_by(name))


def _shown(row: Campaign, rows: QuerySet[Ruling]) -> QuerySet[Ruling]:
    """Leave out the cases of which nobody sees any more what they are: their images were deleted."""
    gone = deleted_images(row.pk)
    return rows.exclude(case__image__sha256__in=gone) if gone else rows


def renewable(row: Campaign, name: str) -> QuerySet[Ruling]:
    """Return the cases of which gold can be made for a judge, as `becomes_gold` says."""
    made = Ruling.objects.filter(campaign=row, kind="gold").values("source")
    ruled = _shown(row, Ruling.objects.filter(campaign=row, state="ruled"))
    ruled = ruled.exclude(votes__judge=name)
    against = ~Q(votes__choice=F("answer")) | Q(votes__void=True)
    counted = ruled.annotate(n_votes=Count("votes"), n_against=Count("votes", filter=against))
    return counted.filter(n_votes__gt=1, n_against=0).exclude(pk__in=made)


def _gold_item(row: Campaign, name: str, now: datetime) -> str | None:
    """Return a gold item by chance: one that was given, or a new one of a ruled case."""
    keys = list(fresh_gold(row, name).values_list("pk", flat=True))
    if keys:
        return secrets.choice(keys)
    for case in renewable(row, name).prefetch_related("votes").order_by("?")[:_LOOKED_AT]:
        if becomes_gold(ruling_of(case)):
            return _renew(case, now).pk
    return None


def _renew(case: Ruling, now: datetime) -> Ruling:
    gold = gold_of(ruling_of(case), secrets.token_hex(8), now)
    with acting(lambda: SERVER):  # not the judge who claims
        note("gold item made", campaign=case.campaign_id, about=gold.id, source=case.pk)
    return Ruling.objects.create(
        id=gold.id,
        campaign=case.campaign,
        author=gold.author,
        case=case.case,
        options=list(gold.options),
        opened=gold.opened,
        at=gold.at,
        gold=gold.gold,
        kind=gold.purpose,
        skipped=skipped_by(*gold.skipped),
        source=case.pk,
    )


@transaction.atomic
def vote(campaign: str, name: str, case: str, choice: str) -> Ruling:
    """Vote on a claimed case; what it decides is settled at once.

    Raises
    ------
    RuleError
        As `askpoint.arena.game.votes.cast_vote`.
    """
    row, judge = lock_campaign(campaign), _judge(campaign, name)
    found = find_case(row, case)
    now = moment(judge, found.ruling, found.probe, found.player)
    move = cast_vote(
        found.game,
        found.before,
        judge_of(judge),
        choice,
        now,
        probe=found.game_probe,
        player=found.game_player,
        family=found.family,
    )
    found.keep_with_family(move, judge)
    count_time(row, judge.user, now)
    if is_paused(judge_of(judge), found.game.terms.protocol):
        _recall(row, name)
    return found.ruling


def _recall(row: Campaign, name: str, since: datetime | None = None) -> int:
    """Void a judge's recent votes, and queue again the cases that they decided."""
    votes = Vote.objects.filter(ruling__campaign=row, judge=name, void=False)
    if since is not None:
        votes = votes.filter(at__gte=since)
    keys = list(votes.exclude(ruling__kind="gold").order_by("pk").values_list("ruling", flat=True))
    for key in keys:
        case = find_case(row, key)
        now = moment(case.ruling, case.probe)
        left, probe = budget_left(row), case.game_probe
        case.keep(
            recall_votes(
                case.game, case.before, name, now, available=left, probe=probe, since=since
            )
        )
    return len(keys)


@transaction.atomic
def ask_again(campaign: str, name: str) -> int:
    """Void what a judge voted since the last gold item, and ask for it again; how many."""
    row = lock_campaign(campaign)
    count = _recall(row, name, gold_ended(row, name))
    note("votes voided", campaign=campaign, about=name, votes=count)
    return count


def gold_ended(row: Campaign, name: str) -> datetime:
    """When a judge last voted on a gold item; long ago if never."""
    votes = Vote.objects.filter(judge=name, ruling__campaign=row, ruling__kind="gold")
    newest = votes.order_by("-at").values_list("at", flat=True).first()
    return newest or row.made


@transaction.atomic
def skip(campaign: str, name: str, case: str) -> None:
    """Give a claimed case back for good.

    Raises
    ------
    RuleError
        As `askpoint.arena.game.votes.skip_case`.
    """
    row, judge = lock_campaign(campaign), _judge(campaign, name)
    found = find_case(row, case)
    now = moment(judge, found.ruling)
    found.keep(skip_case(found.game, found.before, judge_of(judge), now), judge)


@transaction.atomic
def rest(campaign: str, name: str, case: str) -> None:
    """Give a claimed case back to the queue, to come back to it."""
    found = find_case(lock_campaign(campaign), case)
    found.keep(give_back(found.game, found.before, moment(found.ruling), name))


def forget_image(campaign: str, sha256: str) -> None:
    """Delete an image for good, and take back the gold items of it that judges hold: none is judged by it.

    What was voted on it, ruled and paid stays.
    """
    with transaction.atomic():
        delete_image(campaign, sha256)
        gold = Lease.objects.filter(ruling__campaign=campaign, ruling__kind="gold")
        for name, case in gold.filter(ruling__case__image__sha256=sha256).values_list(
            "judge", "ruling"
        ):
            rest(campaign, name, case)


def expire_leases(campaign: str) -> int:
    """Return ended claims to the queue, and what was reserved for them; how many there were."""
    ended = Ruling.objects.filter(campaign=campaign, leases__until__lte=timezone.now())
    count = 0
    for key in ended.values_list("pk", flat=True).distinct():
        with transaction.atomic():
            case: Case = find_case(lock_campaign(campaign), key)
            case.keep(give_back(case.game, case.before, moment(case.ruling)))
        count += 1
    return count


@transaction.atomic
def add_gold(campaign: str, case: object, truth: str) -> Ruling:
    """Put an item with a known answer into the judges' queue."""
    row, now = lock_campaign(campaign), timezone.now()
    classes = terms_of(row.terms).classes
    pair = two_labels(truth) if row.kind == "tags" and truth not in classes else None
    truth = pair[0] if pair else as_choice(truth, classes, "the answer of a gold item")
    options = list(classes)
    if row.kind == "tags":  # two labels, as a challenge has
        other = pair[1] if pair else secrets.choice([name for name in classes if name != truth])
        options = list(tag_options(truth, other))
    gold = Ruling.objects.create(
        id=secrets.token_hex(8),
        campaign=row,
        case=case,
        options=options,
        opened=now,
        at=now,
        gold=truth,
        kind="gold",
    )
    note("gold item made", campaign=campaign, about=gold.pk, answer=truth)
    return gold
