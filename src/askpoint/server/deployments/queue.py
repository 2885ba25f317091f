"""The queue of a classifier: asked cases, audits and golden items, one at a time, blind.

Leases, votes and what they decide are those of `askpoint.arena.game`, by which campaigns are judged, too.
People see it as one with the campaigns' (`askpoint.server.pool`).
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

import askpoint.labelling.ruling as game
from askpoint.errors import RuleError
from askpoint.labelling.judge import Judge, is_paused
from askpoint.labelling.lease import drop_leases, grant_lease
from askpoint.labelling.protocol import Protocol
from askpoint.labelling.queue import is_open_to
from askpoint.labelling.votes import add_vote
from askpoint.measures.inputs import as_choice
from askpoint.server.clock import moment
from askpoint.server.deployments.labelling import Said, take_labels
from askpoint.server.deployments.lives import document_of
from askpoint.server.deployments.models import Case, Claim, Deployment, Member, Vote
from askpoint.server.deployments.policies import lock_deployment, policy_in_use

__all__ = [
    "LEASE",
    "add_golden",
    "asked_since",
    "cast",
    "claim",
    "classes_of",
    "give_back",
    "held_by",
    "is_others_turn",
    "last_seen",
    "settle",
    "skip",
]

LEASE = timedelta(minutes=15)
"""How long a claimed case stays with its reviewer."""

_ASKED_FIRST = 4  # of so many claims all but one are of what somebody waits for
_LOOKED_AT = 16  # of the queue's head: those that others hold lie before the next
_FAR = timedelta(days=3650)


def _protocol(case: Case) -> Protocol:
    return Protocol(votes=case.wanted, lease=LEASE)


def _ruling(case: Case, classes: list[str], now: datetime) -> game.Ruling:
    """Return a case with its votes and claims, for the rules."""
    return game.Ruling(
        str(case.pk),
        case.deployment_id,
        "",
        tuple(classes),
        case.opened,
        max(case.opened, now),
        case.state,
        tuple(game.Vote(one.judge, one.choice, one.at) for one in case.votes.all()),
        tuple(
            game.Lease(one.judge, one.until, one.pk) for one in case.claims.all() if not one.skipped
        ),
        gold=case.truth if case.kind == "golden" else None,
        skipped=tuple(one.judge for one in case.claims.all() if one.skipped),
        kind="gold" if case.kind == "golden" else "drawn",
    )


def classes_of(row: Deployment) -> list[str]:
    """Return what reviewers choose from."""
    return list(document_of(policy_in_use(row)).model["classes"])


def _open_to(row: Deployment, name: str, kind: str) -> QuerySet[Case]:
    """Return the open cases of a kind that a reviewer has neither voted on nor skipped."""
    mine = {"case": OuterRef("pk"), "judge": name}
    return Case.objects.filter(
        ~Exists(Vote.objects.filter(**mine)),
        ~Exists(Claim.objects.filter(**mine, skipped=True)),
        deployment=row,
        labelled=None,
        kind=kind,
        state="open",
    )


def _next(row: Deployment, name: str, kind: str, classes: list[str], now: datetime) -> Case | None:
    """Return the oldest case of a kind that a reviewer could claim now.

    They are read from an index in the order in which they came, a few at a time: it takes as long
    whether a hundred wait or a hundred thousand. (By the key alone PostgreSQL may read the whole table from
    its beginning, where the cases lie that are done.)
    """
    rows = _open_to(row, name, kind).order_by("opened", "pk").prefetch_related("votes", "claims")
    part = list(rows[:_LOOKED_AT])
    while part:
        for case in part:
            if is_open_to(_ruling(case, classes, now), name, _protocol(case), now):
                return case
        last = part[-1]
        after = Q(opened__gt=last.opened) | Q(opened=last.opened, pk__gt=last.pk)
        part = list(rows.filter(after, opened__gte=last.opened)[:_LOOKED_AT])
    return None


def _golden(row: Deployment, name: str) -> Case | None:
    """Return a golden item that a reviewer has not seen, by chance; some thousands are there at most."""
    keys = list(_open_to(row, name, "golden").values_list("pk", flat=True))
    return Case.objects.get(pk=secrets.choice(keys)) if keys else None


def asked_since(row: Deployment) -> datetime | None:
    """Return since when somebody has waited for an asked case; None where nobody does."""
    rows = Case.objects.filter(deployment=row, labelled=None, kind="asked", state="open")
    return rows.order_by("opened", "pk").values_list("opened", flat=True).first()


def is_others_turn() -> bool:
    """Draw whether a claim is answered with something else than what somebody waits for."""
    return secrets.randbelow(_ASKED_FIRST) == 0


def held_by(row: Deployment, name: str, now: datetime) -> Claim | None:
    """Return the claim that a reviewer holds."""
    held = Claim.objects.filter(case__deployment=row, judge=name, until__gt=now, skipped=False)
    return held.select_related("case").first()


@transaction.atomic
def claim(deployment: str, name: str, *, others: bool | None = None) -> Claim | None:
    """Return the case that a reviewer holds, or claim the next one; None where there is none.

    Asked cases come first, but not always: else whoever is given something else knew what it is. In
    their place come audits and, as often, golden items; these also where only asked cases wait, for
    then all labels are people's, but never where nothing does. `others` says that it is their turn;
    by default that is drawn.

    Raises
    ------
    RuleError
        ``stopped``, to who was wrong on too many of the newest golden items.
    """
    row = lock_deployment(deployment)
    now = moment(row)
    held = held_by(row, name, now)
    if held is not None:
        return held
    _check_reviewer(row, name, now)
    classes = classes_of(row)
    others = is_others_turn() if others is None else others
    chosen = _next(row, name, "asked", classes, now)
    if chosen is None or others:
        chosen = _next(row, name, "audit", classes, now) or chosen
        if chosen is not None and secrets.randbelow(2):
            chosen = _golden(row, name) or chosen
    if chosen is None:
        return None
    ruling = _ruling(chosen, classes, now)
    (lease,) = [
        one
        for one in grant_lease(ruling, name, _protocol(chosen), ruling.at).leases
        if one.judge == name
    ]
    chosen.claims.filter(until__lte=now).delete()
    made, _ = Claim.objects.update_or_create(
        case=chosen, judge=name, defaults={"until": lease.until}
    )
    return made


def _check_reviewer(row: Deployment, name: str, now: datetime) -> None:
    """Stop who errs on the newest golden items as a campaign pauses its judges, until the part is given anew."""
    protocol = Protocol()
    golden = Vote.objects.filter(judge=name, case__deployment=row, case__kind="golden")
    part = Member.objects.filter(deployment=row, user__username=name).first()
    if part is not None:
        golden = golden.filter(at__gte=part.at)
    newest = golden.order_by("-at", "-pk").values_list("choice", "case__truth")
    recent = tuple(choice == truth for choice, truth in newest[: protocol.gold_window])
    if is_paused(Judge(name, row.pk, now, recent=recent), protocol):
        raise RuleError(
            "stopped",
            f"of your last {len(recent)} cases whose truth is known {sum(recent)} were right, and with fewer than "
            f"{protocol.gold_accuracy:.0%} nobody labels on in {row.title!r}; its owner can take your part away "
            "and give it anew",
        )


def _mine(row: Deployment, key: str) -> Case:
    found = row.cases.filter(pk=key).first() if key.isdecimal() and len(key) < 19 else None
    if found is None:
        raise RuleError("unknown", "there is no such case here")
    return found


@transaction.atomic
def cast(deployment: str, name: str, key: str, choice: str) -> None:
    """Vote on a claimed case; once its votes decide, their label is told to the policy.

    Raises
    ------
    RuleError
        ``no-lease``, if the claim has ended; ``second-vote``; ``unknown``.
    InputError
        If the choice is none.
    """
    row = lock_deployment(deployment)
    case = _mine(row, key)
    now, classes = moment(row), classes_of(row)
    as_choice(choice, classes, "a label")
    before = _ruling(case, classes, now)
    after = add_vote(before, name, choice, _protocol(case), before.at)
    Vote.objects.create(case=case, judge=name, choice=choice, at=now)
    Claim.objects.filter(case=case, judge=name).delete()
    if case.kind == "golden":
        said = Said(case.key, choice, name, "golden", case.truth)
        take_labels(deployment, [said])
        return
    if after.state != before.state:
        Case.objects.filter(pk=case.pk).update(state=after.state)
    if after.answer is not None:
        agreed = [one.judge for one in after.counted if one.choice == after.answer]
        take_labels(deployment, [Said(case.key, after.answer, ", ".join(agreed)[:150])])


def last_seen(row: Deployment, name: str, most: int) -> Iterator[tuple[str, str | None]]:
    """Yield the newest cases that a reviewer voted on or claimed, and what they said of each."""
    votes = Vote.objects.filter(judge=name, case__deployment=row).order_by("-at", "-pk")
    for key, choice in votes.values_list("case", "choice")[:most]:
        yield str(key), choice
    claims = Claim.objects.filter(judge=name, case__deployment=row, skipped=False)
    for key in claims.order_by("-until").values_list("case", flat=True)[:most]:
        yield str(key), None


@transaction.atomic
def give_back(deployment: str, name: str, key: str) -> None:
    """Give a claimed case back, to whoever comes next."""
    row = lock_deployment(deployment)
    case = _mine(row, key)
    ruling = _ruling(case, classes_of(row), moment(row))
    left = {one.judge for one in drop_leases(ruling, ruling.at, name).leases}
    case.claims.filter(skipped=False).exclude(judge__in=left).delete()


@transaction.atomic
def skip(deployment: str, name: str, key: str) -> None:
    """Give a case back for good: it is not offered to this reviewer again.

    What as many skip as a protocol bears, waits for the owner.
    """
    row = lock_deployment(deployment)
    case = _mine(row, key)
    now = moment(row)
    held = case.claims.filter(judge=name, until__gt=now, skipped=False)
    if not held.update(skipped=True, until=now + _FAR):
        raise RuleError("no-lease", f"{name} holds no claim on this case to give back")
    skips = case.claims.filter(skipped=True).count()
    if case.kind != "golden" and skips >= _protocol(case).most_skips:
        Case.objects.filter(pk=case.pk, state="open").update(state="referred")


@transaction.atomic
def settle(deployment: str, name: str, key: str, choice: str) -> None:
    """Say what a case is that reviewers differ on, or skipped; that is its label.

    Raises
    ------
    RuleError
        ``unknown``; ``settled``, if it waits for nobody.
    InputError
        If the choice is none.
    """
    row = lock_deployment(deployment)
    case = _mine(row, key)
    as_choice(choice, classes_of(row), "a label")
    if case.state != "referred" or case.labelled is not None:
        raise RuleError("settled", "this case has its label by now")
    Case.objects.filter(pk=case.pk).update(state="final")
    take_labels(deployment, [Said(case.key, choice, name)])


@transaction.atomic
def add_golden(deployment: str, items: list[tuple[str, str]]) -> int:
    """Put cases of known truth into the queue, unmarked; how many are new.

    Raises
    ------
    InputError
        If a truth is no class.
    """
    row = lock_deployment(deployment)
    now, classes = moment(row), classes_of(row)
    known = set(row.cases.filter(kind="golden").values_list("case", flat=True))
    made = 0
    for text, truth in items:
        as_choice(truth, classes, "the truth of a golden item")
        if text not in known:
            known.add(text)
            name = f"golden-{secrets.token_hex(8)}"
            Case.objects.create(
                deployment=row, key=name, kind="golden", truth=truth, case=text, opened=now
            )
            made += 1
    return made
