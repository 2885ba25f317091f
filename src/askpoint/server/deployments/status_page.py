"""The living page: what `askpoint watch` says, told from the database without replaying a life."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.db.models import F
from django.utils import timezone
from django.utils.text import slugify

from askpoint.answers.live.checkup import WatchAnswer, prices_of, watch_of
from askpoint.answers.live.group_standings import groups_in_use
from askpoint.errors import NotEstimableError
from askpoint.live.documents import PolicyDocument
from askpoint.live.events import EVENTS, Event, LoggedEvent, find_alarm_cause
from askpoint.live.history import History, HistoryPoint, draw_moments, read_moment
from askpoint.live.state import State
from askpoint.live.terms import Terms
from askpoint.live.watches.retreat import LATELY, DecidedBlock, RetreatWatch
from askpoint.live.worth import LiveCounts, LivePrices, worth_so_far
from askpoint.reports.document import (
    Block,
    Document,
    Figures,
    Notice,
    Paragraph,
    Picture,
    Section,
    WhatIf,
)
from askpoint.reports.live.watch import watch_document
from askpoint.reports.words import amount, count, plural, share, work_time
from askpoint.server.consistent_reads import read_one_moment
from askpoint.server.deployments.audit_rates import region_blocks
from askpoint.server.deployments.cases import waiting_cases
from askpoint.server.deployments.group_tallies import tally_receipts
from askpoint.server.deployments.guests import queue_guests
from askpoint.server.deployments.ladder_stages import ladder_sections
from askpoint.server.deployments.models import Deployment, Policy, Receipt
from askpoint.server.deployments.policy_state import document_of, read_state
from askpoint.server.deployments.review_workload import work_of
from askpoint.server.deployments.reviewer_errors import asking_blocks, people_error
from askpoint.server.deployments.rows import ASK, micros
from askpoint.server.deployments.version_diff import money_text, owner_prices
from askpoint.server.deployments.what_if import what_if_blocks

__all__ = [
    "Standing",
    "page_sections",
    "pictures_of",
    "report_of",
    "sections_of",
    "standing_of",
    "status_of",
    "urgent_notices",
]

_TELLING = 100  # events that open a policy or accuse somebody
_NOW, _NEXT, _WORTH = "Now", "Cases waiting for a label", "Savings"
_GOOD, _TRUST = "Quality", "How reliable these numbers are"
_WHAT_IF = "What if mistakes cost more or less?"


@dataclass(frozen=True, eq=False)
class Standing:
    """A policy in use, and its state as of now."""

    policy: Policy
    document: PolicyDocument
    state: State


def standing_of(row: Deployment) -> Standing | None:
    """Return how a classifier stands, as of one moment; nobody waits for who looks. None while no policy is in use."""
    with read_one_moment():
        policy = Policy.objects.filter(deployment=row, number=F("deployment__adopted")).first()
        if policy is None:
            return None
        return Standing(policy, document_of(policy), read_state(policy))


def status_of(row: Deployment) -> WatchAnswer | None:
    """Return what is known of the policy in use, in the owner's prices; None while there is none."""
    found = standing_of(row)
    if found is None:
        return None
    prices = owner_prices(row, found.policy)
    known, _ = prices_of(found.document, prices)
    now = micros(timezone.now())
    tallies = {} if found.document.group_scale is None else tally_receipts(found.policy)
    return watch_of(
        _history(found, known),
        now=now,
        prices=prices,
        unit=row.unit or "mistakes",
        groups=groups_in_use(found.document, found.state, tallies),
    )


def _history(found: Standing, prices: LivePrices) -> History:
    policy, terms, state = found.policy, found.document.terms, found.state
    worth, why = None, ""
    try:
        worth = worth_so_far(state, terms, prices)
    except NotEstimableError as error:
        why = str(error)
    last = Receipt.objects.filter(policy=policy).order_by("-seq")
    lately = list(last.values_list("action", flat=True)[:LATELY])
    events = tuple(
        LoggedEvent(Event(row.seq, row.kind, row.numbers), micros(row.at))
        for row in policy.events.all()
    )
    recent = (DecidedBlock(len(lately), sum(action != ASK for action in lately)),)
    return History(
        document=found.document,
        state=state,
        moments=tuple(_moments(policy, terms, prices)),
        worth=worth,
        events=events,
        wanted=(),
        retreat=RetreatWatch(terms, 1, state.decided, state.answered, recent),
        held=policy.held,
        missing_why=why,
        n_wanted=waiting_cases(policy.deployment).count(),
    )


def _moments(policy: Policy, terms: Terms, prices: LivePrices) -> Iterator[HistoryPoint]:
    rows = list(policy.moments.values_list("at", "evidence", *LiveCounts._fields))
    for at, evidence, *numbers in draw_moments(rows):
        yield read_moment(micros(at), evidence, LiveCounts(*numbers), terms, prices)


def sections_of(
    told: WatchAnswer, row: Deployment, checks: float | None = None, *, with_cases: bool = True
) -> tuple[Section, ...]:
    """Return what the page says: the report of `askpoint watch`, and people in place of its files.

    With `checks`, the what-if begins at that price of a mistake. `with_cases` is False for who may not read them.
    """
    policy = Policy.objects.get(deployment=row, number=row.adopted)
    return tuple(_sections(told, row, policy, checks, with_cases=with_cases))


def page_sections(
    told: WatchAnswer, row: Deployment, checks: float | None = None, *, with_cases: bool = True
) -> list[Section]:
    """Return what is folded on the page, whose first screen says the state and the numbers of days.

    What the first screen says is left out; what is measured in cases since the version began, and how near an alarm
    is, stands in the last fold.
    """
    kept: list[Section] = []
    apart: list[Block] = []
    for section in sections_of(told, row, checks, with_cases=with_cases):
        if section.title == _NOW:
            blocks = tuple(block for block in section.blocks if not _is_on_first_screen(block))
            if blocks:
                kept.append(Section("What happens next", blocks))
        elif section.title in (_WORTH, _GOOD):
            apart += section.blocks
        elif section.title == _TRUST:
            kept.append(Section(section.title, (*section.blocks, *apart)))
        else:
            kept.append(section)
    return kept


def _is_on_first_screen(block: Block) -> bool:
    return isinstance(block, Figures) or (isinstance(block, Paragraph) and block.lead)


def _sections(
    told: WatchAnswer, row: Deployment, policy: Policy, checks: float | None, *, with_cases: bool
) -> Iterator[Section]:
    *first, trust = watch_document(told, row.pk).sections
    first[0] = Section(first[0].title, (*first[0].blocks, *_comes_next(told, row, policy)))
    for section in first:
        if section.title == _NEXT:
            blocks = (*_next(row), *work_of(told, row), *_hours(told, row))
            yield Section(_NEXT, blocks)
        else:
            yield section
    yield from ladder_sections(told.history.document, policy)
    yield Section("Cost of review", tuple(_asking(told, row, policy)))
    if regions := tuple(region_blocks(row)):
        yield Section("Where it is confident but wrong", regions)
    for guests in queue_guests():
        yield from guests.sections(row, with_cases)
    if told.history.state.decided:
        yield Section(_WHAT_IF, tuple(what_if_blocks(told, policy, checks)))
    yield trust


def _comes_next(told: WatchAnswer, row: Deployment, policy: Policy) -> Iterator[Block]:
    waiting = row.policies.filter(parent=policy.number, adopted=None).order_by("-number").first()
    if waiting is not None:
        yield Notice(
            f"Version {waiting.number} is proposed by {waiting.who}: {waiting.why}. An owner can "
            "review and activate it."
        )
    elif told.history.state.decided >= told.terms.planned_decisions:
        yield Notice(
            f"It has decided the {count(told.terms.planned_decisions)} cases that were planned: choose again, "
            "because the false alarm rate and the mistake budget are only valid for these."
        )
    if money := money_text(row, policy):
        yield Paragraph(money)


def _hours(told: WatchAnswer, row: Deployment) -> Iterator[Block]:
    seconds = row.label_seconds
    if seconds is None:
        return
    state = told.history.state
    text = f"A label takes people {amount(seconds)} seconds, the median of their last ones"
    if state.decided:
        sent = 1000 * (state.asked + state.audited) / state.decided
        text += f": so 1,000 cases take {work_time(sent * seconds)} of people"
    if row.capacity is not None:
        text += f"; the {count(row.capacity)} a day that you stated take {work_time(row.capacity * seconds)}"
    yield Paragraph(f"{text}.")


def _asking(told: WatchAnswer, row: Deployment, policy: Policy) -> Iterator[Block]:
    work = policy.work
    if work is None and told.terms.aim == "money":
        work = told.terms.limit
    yield from asking_blocks(work, people_error(row))


def _next(row: Deployment) -> Iterator[Block]:
    waiting = waiting_cases(row)
    n = waiting.count()
    if not n:
        yield Paragraph("No case waits for a label.")
        return
    asked = waiting.filter(purpose="asked").count()
    yield Paragraph(
        f"{plural(n, 'case waits', 'cases wait')} for a label: {asked:,} sent to review, which are "
        f"awaited, and {n - asked:,} audited answers."
    )
    referred = waiting.filter(state="referred").count()
    if referred:
        yield Notice(
            f"{plural(referred, 'case', 'cases')} on which reviewers disagree, or nobody could tell. An owner decides under Work."
        )


def urgent_notices(policy: Policy) -> Iterator[str]:
    """Yield what is said under any state: labels that are missing, reviewers who err, all planned cases decided."""
    opens = [kind for kind, record in EVENTS.items() if record.opens]
    last = policy.events.filter(kind__in=[*opens, "silence"]).order_by("-pk").first()
    if last is not None and last.kind == "silence":
        yield (
            f"{share(last.numbers['share'])} of what was asked had no label at decision {count(last.seq)}. Nobody can "
            "tell these from mistakes, and while they are missing nothing opens: ask a second reviewer to label them."
        )
    telling = [kind for kind, record in EVENTS.items() if record.opens or record.accuses]
    rows = policy.events.filter(kind__in=telling).order_by("-pk").values_list("seq", "kind")
    events = [Event(seq, kind, {}) for seq, kind in rows[:_TELLING]]
    if find_alarm_cause(reversed(events)) == "reviewers":
        yield (
            "Reviewers are wrong on known cases more often than stated: label again before you blame the model."
        )
    if policy.decided >= document_of(policy).terms.planned_decisions:
        yield "It has decided the cases that were planned. Choose the next version from the newest of them."


def pictures_of(sections: Sequence[Section]) -> dict[str, Picture]:
    """Return the pictures of sections by their names."""
    return {
        slugify(block.title): block for section in sections for block in _pictures(section.blocks)
    }


def _pictures(blocks: Sequence[Block]) -> Iterator[Picture]:
    for block in blocks:
        picture = block.picture if isinstance(block, WhatIf) else block
        if isinstance(picture, Picture):
            yield picture


def report_of(told: WatchAnswer, row: Deployment, *, with_cases: bool = True) -> Document:
    """Return the page as a report to keep."""
    history = told.history
    return Document(
        f"{row.title}: the policy {history.document.id} in use",
        sections_of(told, row, with_cases=with_cases),
        f"{plural(history.state.decided, 'decision', 'decisions')}; the hash of the last is in the "
        f"receipts. The policy's hash is {history.document.digest[:16]}. Made by askpoint.",
    )
