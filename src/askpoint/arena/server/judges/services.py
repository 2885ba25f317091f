"""What judges do: train, claim, vote, give back; and what gold says of them."""

from __future__ import annotations

import secrets
from datetime import datetime

from django.db import transaction
from django.utils import timezone

import askpoint.server.labelling.services as labelling
from askpoint.arena.game.challenge import tag_options, two_labels
from askpoint.arena.game.held_pay import take_back_votes
from askpoint.arena.game.ruling import Ruling as GameRuling
from askpoint.arena.server.campaigns.models import Campaign, KnownItem
from askpoint.arena.server.campaigns.records import campaign_of, terms_of
from askpoint.arena.server.campaigns.services import lock_campaign
from askpoint.arena.server.campaigns.workdays import count_time
from askpoint.arena.server.judges.queue import recall
from askpoint.arena.server.ledger.services import post
from askpoint.arena.server.rulings.models import Judge, Ruling
from askpoint.arena.server.rulings.records import new_ruling, queue_of
from askpoint.errors import RuleError
from askpoint.labelling.case import GOLD
from askpoint.labelling.reviewer import train
from askpoint.measures.inputs import as_choice
from askpoint.server.clock import moment
from askpoint.server.images.services import delete_image
from askpoint.server.journal.services import note
from askpoint.server.labelling.models import Case, Claim, Vote
from askpoint.server.labelling.records import reviewer_of, store_reviewer

__all__ = [
    "add_gold",
    "answer_training",
    "ask_again",
    "check_pool",
    "claim",
    "expire_claims",
    "forget_image",
    "last_gold_vote",
    "next_training",
    "rest",
    "set_resting",
    "skip",
    "vote",
]


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
    store_reviewer(judge, train(reviewer_of(judge), str(number), now))
    count_time(row, judge.user, now)
    return item, choice == item.truth


def set_resting(judge: Judge, *, rests: bool) -> None:
    """Remember that a judge takes a break, or is back."""
    Judge.objects.filter(pk=judge.pk).update(resting=rests)


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


@transaction.atomic
def claim(campaign: str, name: str, *, pool: str = "") -> Case | None:
    """Return the case that a judge holds, or claim the next one; None when there is none.

    Raises
    ------
    RuleError
        As `askpoint.labelling.reviewer.check_reviewer`; ``pooled``, if its cases come to this judge among
        others, from the queue of a classifier in use.
    """
    lock_campaign(campaign)
    check_pool(_judge(campaign, name), pool)
    held = labelling.claim(queue_of(campaign), name)
    return None if held is None else held.case


def vote(campaign: str, name: str, case: str, choice: str) -> Case:
    """Vote on a claimed case; what it decides is settled at once.

    Raises
    ------
    RuleError
        As `askpoint.arena.game.paid_votes.cast_vote`.
    """
    return labelling.cast(queue_of(campaign), name, case, choice)


@transaction.atomic
def ask_again(campaign: str, name: str) -> int:
    """Void what a judge voted since the last gold item, and ask for it again; how many.

    Their pay goes back only where the gold cases speak against the judge, and then exactly theirs.
    """
    row = lock_campaign(campaign)
    count = recall(row, name, last_gold_vote(row, name))
    judge = _judge(campaign, name)
    after, posted = take_back_votes(campaign_of(row), reviewer_of(judge), count, moment(row, judge))
    if posted:
        post(row.workspace_id, posted, row.pk)
        store_reviewer(judge, after)
    note("votes voided", campaign=campaign, about=name, votes=count)
    return count


def last_gold_vote(row: Campaign, name: str) -> datetime:
    """When a judge last voted on a gold item; long ago if never."""
    votes = Vote.objects.filter(reviewer=name, case__queue=queue_of(row.pk), case__purpose=GOLD)
    newest = votes.order_by("-at").values_list("at", flat=True).first()
    return newest or row.made


def skip(campaign: str, name: str, case: str) -> None:
    """Give a claimed case back for good.

    Raises
    ------
    RuleError
        As `askpoint.arena.game.paid_votes.skip_case`.
    """
    labelling.skip(queue_of(campaign), name, case)


def rest(campaign: str, name: str, case: str) -> None:
    """Give a claimed case back to the queue, to come back to it."""
    labelling.give_back(queue_of(campaign), name, case)


def forget_image(campaign: str, sha256: str) -> None:
    """Delete an image for good, and take back the gold items of it that judges hold: none is judged by it.

    What was voted on it, ruled and paid stays.
    """
    with transaction.atomic():
        delete_image(campaign, sha256)
        gold = Claim.objects.filter(case__queue=queue_of(campaign), case__purpose=GOLD)
        for name, case in gold.filter(case__content__image__sha256=sha256).values_list(
            "reviewer", "case"
        ):
            rest(campaign, name, case)


def expire_claims(campaign: str) -> int:
    """Return ended claims to the queue, and what was reserved for them; how many there were."""
    return labelling.expire(queue_of(campaign))


@transaction.atomic
def add_gold(campaign: str, case: object, truth: str) -> Ruling:
    """Put an item with a known answer into the judges' queue."""
    row, now = lock_campaign(campaign), timezone.now()
    classes = terms_of(row.terms).classes
    pair = two_labels(truth) if row.kind == "tags" and truth not in classes else None
    truth = pair[0] if pair else as_choice(truth, classes, "the answer of a gold case")
    options = list(classes)
    if row.kind == "tags":  # two labels, as a challenge has
        other = pair[1] if pair else secrets.choice([name for name in classes if name != truth])
        options = list(tag_options(truth, other))
    fresh = GameRuling(
        secrets.token_hex(8),
        queue_of(row.pk),
        "",
        tuple(options),
        now,
        now,
        gold=truth,
        purpose=GOLD,
    )
    gold = new_ruling(row, fresh, case)
    gold.save(force_insert=(Case,))
    note("gold case made", campaign=campaign, about=gold.pk, answer=truth)
    return gold
