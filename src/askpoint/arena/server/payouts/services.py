"""The outbox: every step is stored before the next, so that a kill at any point pays nobody twice."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import salted_hmac

import askpoint.arena.game.payout as rules
from askpoint.arena.game.transaction import LedgerAccount, LedgerTransaction
from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.ledger.models import Balance
from askpoint.arena.server.ledger.people import choose_workspace
from askpoint.arena.server.ledger.services import post, sum_entries
from askpoint.arena.server.payouts.caps import check_caps
from askpoint.arena.server.payouts.models import Batch, Payout
from askpoint.arena.server.payouts.providers import (
    BY_HAND,
    Due,
    LostError,
    Prolific,
    Provider,
    RefusedError,
)
from askpoint.arena.server.payouts.tokens import open_token
from askpoint.errors import RuleError
from askpoint.server.accounts.models import Seat, User
from askpoint.server.clock import moment
from askpoint.server.journal.services import note
from askpoint.server.webhooks.services import announce
from askpoint.server.workspaces.models import Workspace

__all__ = [
    "answer_payout",
    "balances_of",
    "completion_code",
    "decide_payout",
    "hand_out",
    "make_payouts",
    "pay_out",
    "payout_of",
    "people_of",
    "plan_all",
    "receive",
    "settle_silent",
    "withdraw",
    "withdraw_from",
]


_TOLD = ("planned", "sent", "unknown", "disputed")
_MOST_DISPUTES = 2


def payout_of(row: Payout) -> rules.PayoutState:
    """Return the game's payout."""
    return rules.PayoutState(
        id=row.id,
        payee=row.payee,
        cents=row.cents,
        points=row.points,
        planned=row.planned,
        at=row.at,
        state=row.state,
        attempts=row.attempts,
        reference=row.reference,
    )


def _store(
    row: Payout, after: rules.PayoutState, posted: tuple[LedgerTransaction, ...] = ()
) -> None:
    post(row.workspace_id, posted)
    row.at, row.state, row.attempts = after.at, after.state, after.attempts
    row.reference = after.reference
    row.save()
    _tell(row)


def _tell(row: Payout) -> None:
    """Log where a payout stands, and tell it to those in whose campaigns its payee takes part."""
    where, said = row.workspace_id, {"payout": row.pk, "cents": row.cents}
    note(f"payout {row.state}", workspace=where, about=row.payee, **said)
    if row.state in _TOLD:
        here = Q(players__user__username=row.payee) | Q(judges__user__username=row.payee)
        owners = Campaign.within(where).filter(here).values("organiser")
        announce(
            where, f"payout.{row.state}", owners, {**said, "payee": row.payee, "state": row.state}
        )


@transaction.atomic
def withdraw(workspace: str, user: User) -> Payout:
    """Plan to pay a person's whole cents of a workspace; of those who race for them, one gets them.

    Raises
    ------
    RuleError
        ``too-little``; ``audit``, where entries and balance differ; ``day-cap`` or ``money-cap``.
    """
    there = Workspace.objects.select_for_update().get(pk=workspace)
    User.objects.select_for_update().get(pk=user.pk)
    earned = sum_entries(workspace, LedgerAccount("earned", user.username))
    planned, posted = rules.plan_payout(secrets.token_hex(8), user.username, earned, timezone.now())
    check_caps(there, planned.cents)
    row = Payout(
        workspace=there,
        id=planned.id,
        payee=planned.payee,
        cents=planned.cents,
        points=planned.points,
        planned=planned.planned,
        at=planned.at,
    )
    post(workspace, posted)
    row.save(force_insert=True)
    _tell(row)
    return row


def withdraw_from(workspace: str, user: User) -> Payout:
    """Plan a payout as `withdraw`, in the workspace that is named, or in the only one with an account.

    Raises
    ------
    RuleError
        ``unknown`` or ``which-workspace``, beside those of `withdraw`.
    """
    where = choose_workspace(user, workspace)
    if where is None:
        raise RuleError("too-little", "there is nothing to withdraw: no point was earned yet")
    return withdraw(where, user)


def people_of(seat: Seat) -> set[str]:
    """Return who plays or judges, or did, in the campaigns that a seat pays for: an owner's, in all."""
    rows = Campaign.within(seat.workspace_id)
    if seat.role != "owner":
        rows = rows.filter(organiser=seat.user_id)
    mine = Q(plays__campaign__in=rows) | Q(standings__judge__campaign__in=rows)
    return set(User.objects.filter(mine).values_list("username", flat=True))


def plan_all(workspace: str, people: Collection[str]) -> int:
    """Plan a payout for each of them who has earned a whole cent; how many there are.

    Raises
    ------
    RuleError
        ``audit``, ``day-cap`` or ``money-cap``; what was planned before stays planned.
    """
    earned = Balance.objects.filter(
        workspace=workspace, kind="earned", points__gt=0, owner__in=people
    )
    names, count = list(earned.values_list("owner", flat=True)), 0
    for user in User.objects.filter(username__in=names).order_by("username"):
        try:
            withdraw(workspace, user)
        except RuleError as error:
            if error.rule != "too-little":  # less than a cent stays on the account
                raise
            continue
        count += 1
    return count


def completion_code(user: User, campaign: str) -> str:
    """Return what a person shows a provider to say that they took part; it cannot be guessed."""
    digest = salted_hmac("askpoint.completion", f"{campaign}\0{user.username}").digest()
    return base64.b32encode(digest[:5]).decode()


def _lock_payouts(**which: Any) -> list[Payout]:
    rows = Payout.objects.select_for_update(of=("self",)).filter(**which)
    return list(rows.order_by("planned", "pk"))


@transaction.atomic
def hand_out(workspace: str, people: Collection[str]) -> Batch | None:
    """Put all that is planned for them into a list to be paid by hand: it counts as sending."""
    disputes = Payout.within(workspace).filter(state="disputed").count()
    if disputes > _MOST_DISPUTES:
        raise RuleError(
            "disputes",
            f"{disputes} people say that what was marked as paid has not come: decide these before more is "
            "paid by hand",
        )
    rows = _lock_payouts(workspace=workspace, state="planned", batch=None, payee__in=people)
    if not rows:
        return None
    batch = Batch.objects.create(workspace_id=workspace, provider=BY_HAND, made=timezone.now())
    for row in rows:
        row.batch = batch
        _store(row, rules.send(payout_of(row), moment(row)))
    return batch


@transaction.atomic
def receive(
    workspace: str, receipts: Iterable[tuple[str, str]], people: Collection[str]
) -> tuple[int, list[str]]:
    """Take receipts in, of which each payee is asked then: how many, and what is wrong with the others."""
    count, wrong = 0, []
    for name, reference in receipts:
        row = _lock_one(workspace, name, people)
        if row is None:
            wrong.append(f"there is no payout {name[:20]!r}")
            continue
        if row.state in ("said-paid", "sent") and row.reference == reference:
            continue  # the same file again
        try:
            _mark_paid(row, reference[:200])
        except RuleError as error:
            wrong.append(str(error))
        else:
            count += 1
    return count, wrong


def _lock_one(workspace: str, name: str, people: Collection[str]) -> Payout | None:
    rows = Payout.within(workspace).select_for_update().filter(pk=name, payee__in=people)
    found: Payout | None = rows.first()
    return found


@transaction.atomic
def decide_payout(
    workspace: str, name: str, action: str, reference: str = "", *, people: Collection[str]
) -> None:
    """Record what a person has found out of a payout that nobody else can tell of.

    Raises
    ------
    RuleError
        ``payout-state``, ``reference`` or ``unknown``.
    """
    row = _lock_one(workspace, name, people)
    if row is None:
        raise RuleError("unknown", f"there is no payout {name[:20]!r}")
    payout, now = payout_of(row), moment(row)
    if row.state == "disputed" and action in ("paid", "not-paid"):
        _store(row, *rules.decide_dispute(payout, now, paid=action == "paid"))
    elif action == "paid":
        _mark_paid(row, reference.strip()[:200])
    elif action == "not-paid":
        if payout.state == "sending":
            payout = rules.lose_track(payout, now)
        row.batch = None
        _store(row, rules.plan_again(payout, now))
    elif action == "cancel":
        _store(row, *rules.cancel(payout, now))
    else:
        raise RuleError("unknown", f"a payout is paid, not-paid or cancel; got {action[:20]!r}")


def _mark_paid(row: Payout, reference: str) -> None:
    """Confirm what a provider pays; of what a person pays by hand the payee is asked."""
    payout, now = payout_of(row), moment(row)
    if row.batch is not None and row.batch.provider == BY_HAND:
        _store(row, rules.say_paid(payout, reference, now))
    else:
        _store(row, *rules.confirm(payout, reference, now))


@transaction.atomic
def answer_payout(user: User, name: str, *, came: bool) -> None:
    """Record what a payee says of a payment that was marked as made by hand.

    Raises
    ------
    RuleError
        ``unknown``, of another's payout; ``payout-state``.
    """
    rows = Payout.objects.select_for_update().filter(pk=name, payee=user.username)
    row = rows.first()
    if row is None:
        raise RuleError("unknown", f"you have no payout {name[:20]!r}")
    answer = rules.acknowledge if came else rules.dispute
    _store(row, *answer(payout_of(row), moment(row)))


def settle_silent() -> int:
    """Take as made what was marked as paid by hand 14 days ago and nobody has disputed; how many."""
    late = Payout.objects.filter(state="said-paid", at__lte=timezone.now() - rules.SILENCE)
    keys = list(late.values_list("pk", flat=True)[:200])
    for key in keys:
        with transaction.atomic():
            for row in _lock_payouts(pk=key, state="said-paid"):
                _store(row, *rules.settle_silent(payout_of(row), moment(row)))
    return len(keys)


def _dues(rows: Sequence[Payout]) -> list[Due]:
    known = dict(
        User.objects.filter(username__in=[row.payee for row in rows]).values_list(
            "username", "participant"
        )
    )
    return [
        Due(
            row.id,
            known.get(row.payee) or row.payee,
            row.cents,
            _known_payments(row),
        )
        for row in rows
    ]


def _known_payments(row: Payout) -> int:
    """Count what the person had of the same amount: at a provider they are one in all workspaces."""
    return Payout.objects.filter(payee=row.payee, cents=row.cents, state="sent").count()


def pay_out(workspace: str, provider: Provider) -> int:
    """Do what is to be done: what was left unclear first, then one batch; payouts that moved.

    A batch is stored, then set up, its id stored, its payouts stored as sending, and only then
    paid. Whoever finds payouts as sending after a kill looks them up, and never pays again.
    """
    left = Batch.within(workspace).filter(provider=provider.name, done=None).first()
    if left is not None:
        return _go_on(provider, left)
    with transaction.atomic():
        planned = _lock_payouts(workspace=workspace, state="planned", batch=None)
        rows = [row for row in planned if _can(provider, row)]
        rows = rows[: provider.most]
        if not rows:
            return 0
        batch = Batch.objects.create(
            workspace_id=workspace, provider=provider.name, made=timezone.now()
        )
        Payout.objects.filter(pk__in=[row.pk for row in rows]).update(batch=batch)
    return _go_on(provider, batch)


def _can(provider: Provider, row: Payout) -> bool:
    if provider.name != "prolific":
        return True
    return bool(User.objects.filter(username=row.payee).exclude(participant="").exists())


def _go_on(provider: Provider, batch: Batch) -> int:
    rows = list(batch.payouts.order_by("pk"))
    if any(row.state in ("sending", "lookup") for row in rows):
        return _look_up(provider, batch)
    try:
        reference = provider.set_up(_dues(rows))
    except LostError:
        return 0  # nothing is paid by it: it is set up anew next time
    except RefusedError:
        return _close(batch, "cancel")
    with transaction.atomic():
        Batch.objects.filter(pk=batch.pk).update(reference=reference)
    with transaction.atomic():
        for row in _lock_payouts(batch=batch, state="planned"):
            _store(row, rules.send(payout_of(row), moment(row)))
    try:
        provider.pay(reference)
    except RefusedError:
        return _close(batch, "refuse")
    except LostError:
        return _look_up(provider, batch)
    return _close(batch, "confirm", reference)


@transaction.atomic
def _close(batch: Batch, end: str, reference: str = "") -> int:
    count = 0
    for row in _lock_payouts(batch=batch):
        payout, now = payout_of(row), moment(row)
        if end == "confirm" and payout.state == "sending":
            _store(row, *rules.confirm(payout, f"{reference}/{row.pk}", now))
        elif end == "refuse" and payout.state == "sending":
            _store(row, *rules.refuse(payout, now))
        elif end == "cancel" and payout.state == "planned":
            _store(row, *rules.cancel(payout, now))
        else:
            continue
        count += 1
    Batch.objects.filter(pk=batch.pk).update(done=timezone.now())
    return count


def _look_up(provider: Provider, batch: Batch) -> int:
    batch.refresh_from_db()
    with transaction.atomic():
        for row in _lock_payouts(batch=batch, state="sending"):
            _store(row, rules.lose_track(payout_of(row), moment(row)))
    rows = list(batch.payouts.filter(state="lookup").order_by("pk"))
    told = provider.look_up(batch.reference, _dues(rows))
    with transaction.atomic():
        for row in _lock_payouts(batch=batch, state="lookup"):
            payout, now = payout_of(row), moment(row)
            paid = told.get(row.pk)
            if paid:
                _store(row, *rules.confirm(payout, f"{batch.reference}/{row.pk}", now))
            elif paid is None:
                _store(row, rules.give_up(payout, now))
            else:
                row.batch = None
                _store(row, rules.plan_again(payout, now))
        Batch.objects.filter(pk=batch.pk).update(done=timezone.now())
    return len(rows)


def make_payouts(about: str) -> None:
    """Pay all that is planned in a workspace by a study of Prolific, a batch at a time; a job of the background.

    Parameters
    ----------
    about : str
        The workspace and the study: ``main/5f3c``.
    """
    workspace, _, study = about.partition("/")
    provider = Prolific(study, token=open_token(workspace))
    while pay_out(workspace, provider):
        pass


def balances_of(workspace: str, people: Collection[str]) -> Iterator[tuple[str, int]]:
    """Yield each of them with points on their account in a workspace, also who plays no more."""
    rows = Balance.objects.filter(workspace=workspace, kind="earned", owner__in=people)
    rows = rows.exclude(points=0)
    rows = rows.order_by("owner")
    yield from rows.values_list("owner", "points")
