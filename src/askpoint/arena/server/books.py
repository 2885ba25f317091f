"""The audit of campaigns: ledger, budgets, queue, awards and decisions, each rebuilt from what it follows from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from django.db.models import Sum

from askpoint.arena.game.family import place_of, reserve_if_first, worth
from askpoint.arena.game.ledger import Ledger
from askpoint.arena.game.probe import ProbeState as GameProbe
from askpoint.arena.game.transaction import LedgerAccount
from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.campaigns.records import terms_of
from askpoint.arena.server.ledger.models import Balance, Entry
from askpoint.arena.server.ledger.services import transactions
from askpoint.arena.server.payouts.models import Payout
from askpoint.arena.server.probes.models import Probe
from askpoint.arena.server.probes.records import probe_of
from askpoint.arena.server.rulings.models import Ruling
from askpoint.arena.server.rulings.records import queue_of, ruling_of
from askpoint.errors import AskpointError
from askpoint.labelling.claims import free_places
from askpoint.server.books import ConsistencyReport
from askpoint.server.labelling.models import Vote
from askpoint.server.workspaces.models import Workspace

__all__ = ["audit_campaigns", "quick_problems"]


def audit_campaigns() -> ConsistencyReport:
    """Audit all campaigns, as they are at one moment; called within a transaction."""
    problems: list[str] = []
    posted = 0
    for workspace in Workspace.objects.order_by("pk"):
        found, count = _workspace(workspace.pk)
        problems += [f"workspace {workspace.pk}: {problem}" for problem in found]
        posted += count
    seen = f"{posted:,} transactions", f"{Ruling.objects.count():,} cases"
    return ConsistencyReport(tuple(problems), seen)


def _workspace(workspace: str) -> tuple[list[str], int]:
    """Return what is wrong in a workspace, and how many transactions it has."""
    ledger = Ledger()
    problems: list[str] = []
    rows = transactions(workspace)
    while True:
        try:
            posted = next(rows, None)
            if posted is None:
                break
            ledger.post(posted)
        except AskpointError as error:
            problems.append(f"ledger: {error}")
            if posted is None:
                break
    problems += _balances(workspace, ledger)
    problems += _payouts(workspace, ledger)
    for row in Campaign.within(workspace).order_by("pk"):
        problems += [f"campaign {row.pk}: {problem}" for problem in _campaign(row, ledger)]
    return problems, len(ledger)


def _balances(workspace: str, ledger: Ledger) -> Iterator[str]:
    rows = Balance.objects.filter(workspace=workspace)
    kept = {LedgerAccount(it.kind, it.owner): it.points for it in rows}
    strays = Entry.objects.filter(workspace=workspace).exclude(posting__workspace=workspace)
    for entry in strays.order_by("pk")[:10]:
        yield f"ledger: entry {entry.pk} is in a posting of another workspace"
    for account in sorted({*kept, *ledger.balances}):
        held, told = kept.get(account, 0), ledger.balance(account)
        if held != told:
            yield f"balance: {account} holds {held:,} and its entries say {told:,}"


def _payouts(workspace: str, ledger: Ledger) -> Iterator[str]:
    on_the_way: Counter[str] = Counter()
    paid: Counter[str] = Counter()
    disputed: Counter[str] = Counter()
    for row in Payout.within(workspace):
        if row.state == "sent":
            paid[row.payee] += row.points
        elif row.state == "disputed":
            disputed[row.payee] += row.points
        elif row.state != "cancelled":
            on_the_way[row.payee] += row.points
    for kind, told in (("paying", on_the_way), ("disputed", disputed), ("paid", paid)):
        for name in sorted({*told, *(it.owner for it in ledger.balances if it.kind == kind)}):
            held = ledger.balance(LedgerAccount(kind, name))
            if held != told[name]:
                yield f"payouts: {kind}:{name} holds {held:,}, and the payouts say {told[name]:,}"


def _campaign(row: Campaign, ledger: Ledger) -> Iterator[str]:
    rulings = list(
        Ruling.objects.filter(campaign=row).order_by("pk").prefetch_related("votes", "claims")
    )
    terms = terms_of(row.terms)
    reserved = sum(ruling.reserved for ruling in rulings)
    held = ledger.balance(LedgerAccount("reserved", row.pk))
    if held != reserved:
        yield f"budget: {held:,} points are reserved, and its cases stand for {reserved:,}"
    paid = {
        (key[1], key[2])
        for transaction in ledger
        if len(key := transaction.key.split("/")) == 3 and key[0] == "vote"
    }
    probes = {
        row.pk: probe_of(row)
        for row in Probe.objects.filter(campaign=row).select_related("player__user")
    }
    for ruling in rulings:
        game = ruling_of(ruling)
        if ruling.promised != len(game.counted) + len(game.claims):
            yield f"queue: case {ruling.pk} counts {ruling.promised} votes and claims wrongly"
        if ruling.state == "open" and free_places(game, terms.protocol, ruling.at) < 0:
            yield f"queue: case {ruling.pk} has more judges than it needs"
        if terms.pay.vote:
            for vote in game.votes:
                if (ruling.pk, vote.reviewer) not in paid:
                    yield f"votes: {vote.reviewer} was not paid for case {ruling.pk}"
        if ruling.purpose == "submitted" and ruling.pk not in probes:
            yield f"cases: {ruling.pk} is judged, and nobody submitted it"
    yield from _awards(row, ledger, {ruling.pk: ruling for ruling in rulings}, probes)


def _awards(
    row: Campaign, ledger: Ledger, rulings: dict[str, Ruling], probes: dict[str, GameProbe]
) -> Iterator[str]:
    terms = terms_of(row.terms)
    awarded: Counter[str] = Counter()
    for posted in ledger:
        if posted.key.startswith(("award/", "reverse/award/")):
            awarded[posted.about] += sum(
                points for account, points in posted.entries if account.kind in ("held", "earned")
            )
    families: dict[str, list[GameProbe]] = {}
    for probe in probes.values():
        if probe.submitted is not None:
            families.setdefault(probe.family, []).append(probe)
            if probe.id not in rulings:
                yield f"cases: {probe.id} was submitted, and no judge can see it"
    for probe in probes.values():
        if awarded[probe.id] != probe.awarded:
            yield (
                f"awards: case {probe.id} brought {awarded[probe.id]:,} points by the ledger and "
                f"{probe.awarded:,} by its record"
            )
        ruling = rulings.get(probe.id)
        if probe.truth is None or ruling is None or ruling.state not in ("ruled", "final"):
            continue
        place = place_of(probe, families[probe.family])
        if place != probe.place:
            yield f"families: case {probe.id} is kept as {probe.place!r} and should be {place!r}"
        elif worth(terms, probe, place) != probe.awarded:
            yield f"awards: case {probe.id} was paid otherwise than its ruling says"
        elif reserve_if_first(terms, probe) != ruling.reserved:
            yield f"budget: case {probe.id} is ruled, and {ruling.reserved:,} points stand behind it"


def quick_problems(row: Campaign) -> list[str]:
    """Compare a campaign's own sums, for a line on its page; the whole audit is `audit_campaigns`."""
    problems = []
    for kind in ("budget", "reserved"):
        account = {"workspace": row.workspace_id, "kind": kind, "owner": row.pk}
        entries = Entry.objects.filter(**account).aggregate(all=Sum("points"))
        kept = Balance.objects.filter(**account).aggregate(all=Sum("points"))
        if (entries["all"] or 0) != (kept["all"] or 0):
            problems.append(f"the {kind} kept is not what its entries say")
    stands = Ruling.objects.filter(campaign=row).aggregate(all=Sum("reserved"))["all"] or 0
    reserved = Balance.objects.filter(
        workspace=row.workspace_id, kind="reserved", owner=row.pk
    ).aggregate(all=Sum("points"))
    if (reserved["all"] or 0) != stands:
        problems.append("what is reserved is not what its cases stand for")
    total = Entry.objects.filter(posting__campaign=row.pk).aggregate(all=Sum("points"))["all"] or 0
    if total:
        problems.append(f"its transactions sum to {total:+,}, not to zero")
    votes = Vote.objects.filter(case__queue=queue_of(row.pk))
    if votes.exclude(case__author="").filter(reviewer=row.organiser.username).exists():
        problems.append("its organiser has judged in it")
    return problems
