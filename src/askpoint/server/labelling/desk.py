"""All that somebody may label: claim the next case, say what it is, give it back.

Cases of all queues look alike: nothing that is shown says in which queue a case lies, or for what purpose.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.functional import cached_property

import askpoint.server.labelling.services as services
from askpoint.errors import RuleError
from askpoint.labelling.clock import span
from askpoint.labelling.not_sure import check_reason
from askpoint.server.accounts.models import User
from askpoint.server.labelling.guidelines import ShownGuideline
from askpoint.server.labelling.models import Claim, Vote
from askpoint.server.labelling.queues import QUEUES

__all__ = [
    "Desk",
    "Guest",
    "Held",
    "LastVote",
    "OpenQueue",
    "Ruled",
    "claim",
    "count_votes_of",
    "desk_of",
    "give_back",
    "leave_unsure",
    "take_back",
    "vote",
]

_NEWEST = 5  # votes that a second click may be about
_MOST_HELD = 5  # votes of one reviewer; the oldest counts when there is one more


@dataclass(frozen=True, kw_only=True)
class Guest:
    """What else lies among a reviewer's cases, as the page says it.

    Parameters
    ----------
    title : str
        Of whose cases they are.
    warning, guide : str
        What the reviewer reads before labelling.
    veiled : bool
        Whether cases are covered until the reviewer asks to see them.
    words : str, default=""
        A sentence on what is special about them.
    unready : str, default=""
        Where the reviewer has to go before such cases come; empty if nothing is missing.
    asked : str, default=""
        Where the reviewer is asked about more than cases; empty if nothing is asked.
    """

    title: str
    warning: str
    guide: str
    veiled: bool
    words: str = ""
    unready: str = ""
    asked: str = ""


@dataclass(frozen=True, kw_only=True)
class OpenQueue:
    """A queue from which a reviewer is given cases.

    Parameters
    ----------
    queue : str
        Its name.
    title : str
        What the page says that the case is for.
    options : callable
        Returns what the reviewer chooses from.
    since : callable
        Returns since when somebody has waited for a case of it; None where nobody does.
    guest : bool
        Whether it comes only when no other queue has a case for whom somebody waits.
    may_skip : callable
        Tells whether a skip is left.
    hold : timedelta
        How long a vote can be taken back: the same for all that lies among the cases of one owner, or it would tell
        them apart.
    guideline : callable
        Returns what reviewers go by; None where nobody wrote it.
    goal : int, optional
        Cases that each reviewer is to label a day.
    ruled : callable, optional
        Returns, by their keys, what the owner ruled on cases since a moment; without it nobody answers appeals.
    appealed : callable
        Tells who answers appeals that this reviewer made one, within its transaction.
    """

    queue: str
    title: str
    options: Callable[[], list[str]]
    since: Callable[[], datetime | None] = lambda: None
    guest: bool = False
    may_skip: Callable[[], bool] = lambda: True
    hold: timedelta = timedelta(0)
    guideline: Callable[[], ShownGuideline | None] = lambda: None
    goal: int | None = None
    ruled: Callable[[datetime], Mapping[str, Ruled]] | None = None
    appealed: Callable[[str], None] = lambda _: None


class Ruled(NamedTuple):
    """What an owner says that a labelled case is, why, and since when."""

    label: str
    why: str
    at: datetime


class LastVote(NamedTuple):
    """A vote that can be taken back, and for how long any vote can be, in words."""

    ticket: str
    choice: str
    time: str


class Held(NamedTuple):
    """The case that somebody holds: nothing in it says where it lies, or why.

    `before` is what they said of it and took back, and `note` what they wrote.
    """

    ticket: str
    case: Any
    options: list[str]
    until: datetime
    title: str
    before: str
    note: str
    guideline: ShownGuideline | None


class _Seen(NamedTuple):
    """A case that somebody holds or held, and what they said of it."""

    place: OpenQueue
    key: str
    choice: str | None


@dataclass(frozen=True)
class Desk:
    """All that somebody may label.

    Parameters
    ----------
    user : User
        The reviewer.
    titles : list of str
        Of what the reviewer labels for.
    places : list of OpenQueue
        Where cases lie for the reviewer.
    only : str
        The owner to whom the desk is limited; empty for all.
    """

    user: User
    titles: list[str]
    places: list[OpenQueue]
    only: str

    @property
    def name(self) -> str:
        """The reviewer's."""
        return str(self.user.username)

    @cached_property
    def guests(self) -> list[Guest]:
        """What else lies among the cases."""
        return [guest for kind in QUEUES.values() for guest in kind.guests(self.user, self.only)]

    def offers(self) -> list[tuple[str, str]]:
        """Return what they may accept to label, too: title and address."""
        return [offer for kind in QUEUES.values() for offer in kind.offers(self.user, self.only)]

    def find_held(self) -> Held | None:
        """Return the case that they hold: of several, the one whose vote they took back last."""
        rows = self._claims().filter(until__gt=timezone.now(), said=None)
        row = rows.select_related("case").order_by("-until").first()
        return None if row is None else _show(self._place_of(row), row)

    def last_vote(self) -> LastVote | None:
        """Return the newest of the votes that they can take back."""
        rows = self._claims().filter(until__gt=timezone.now(), said__isnull=False)
        row = rows.select_related("case").order_by("-said", "-pk").first()
        if row is None:
            return None
        return LastVote(_ticket(row.case_id), row.choice, span(self._place_of(row).hold))

    def count_votes(self) -> int:
        """Return how many cases they have labelled, held votes among them."""
        queues = [place.queue for place in self.places]
        counted = Vote.objects.filter(reviewer=self.name, case__queue__in=queues).count()
        return int(counted + self._claims().filter(said__isnull=False).count())

    def find_image(self, ticket: str) -> tuple[str, Any] | None:
        """Return the case that they hold, if it has this ticket, and to whom its image belongs."""
        held = self.find_held()
        if held is None or held.ticket != ticket:
            return None
        rows = self._claims().filter(said=None).select_related("case")
        row = next(row for row in rows if _ticket(row.case_id) == ticket)
        return row.case.queue.partition("/")[2], row.case.content

    def list_guidelines(self) -> list[tuple[str, ShownGuideline]]:
        """Return what they go by: title and guideline."""
        found = {place.title: it for place in self.places if (it := place.guideline()) is not None}
        return list(found.items())

    def find_guideline_read(self) -> int | None:
        """Return the version of the guideline by which they labelled last."""
        rows = Vote.objects.filter(reviewer=self.name, guideline__isnull=False)
        return rows.order_by("-at", "-pk").values_list("guideline", flat=True).first()

    def _claims(self) -> QuerySet[Claim]:
        queues = [place.queue for place in self.places]
        return Claim.objects.filter(reviewer=self.name, case__queue__in=queues)

    def _place_of(self, claim: Claim) -> OpenQueue:
        return next(place for place in self.places if place.queue == claim.case.queue)

    def may_skip(self) -> bool:
        """Tell whether a skip is left: wherever a case may lie, or its kind could be told."""
        return all(place.may_skip() for place in self.places)

    def unready(self) -> list[Guest]:
        """Return what comes to them once they have done what is asked of them."""
        return [guest for guest in self.guests if guest.unready]

    def list_asking(self) -> list[Guest]:
        """Return what asks them about more than cases."""
        return [guest for guest in self.guests if guest.asked]


def _ticket(case: str) -> str:
    return salted_hmac("askpoint.ticket", case).hexdigest()[:16]


def _show(place: OpenQueue, row: Claim) -> Held:
    case, until = row.case, row.until
    ticket = _ticket(case.pk)
    wrote = case.remarks.filter(reviewer=row.reviewer).values_list("note", flat=True).first()
    return Held(
        ticket=ticket,
        case=case.content,
        options=place.options(),
        until=until,
        title=place.title,
        before=row.before,
        note=wrote or "",
        guideline=place.guideline(),
    )


def desk_of(user: User, only: str = "") -> Desk:
    """Return all that somebody may label, or what one owner has labelled."""
    titles = [title for kind in QUEUES.values() for title in kind.titles(user, only)]
    places = [place for kind in QUEUES.values() for place in kind.places(user, only)]
    return Desk(user, titles, places, only)


def claim(desk: Desk) -> Held | None:
    """Return the case that somebody holds, or claim the next one; None where there is none.

    Of four claims three are answered with what somebody has waited for longest, if anybody does; one with
    something else, from any queue by chance.

    Raises
    ------
    RuleError
        Where there is no other case, and a queue gives them none: ``rest``, say.
    """
    held = desk.find_held()
    if held is not None:
        return held
    others, refused = services.draws_others(), None
    for place in _in_turn(desk.places, others=others):
        try:
            found = services.claim(place.queue, desk.name, others=others)
        except RuleError as error:
            refused = refused if error.rule in _SAID else error
        else:
            if found is not None:
                return _show(place, found)
    if refused is not None:
        raise refused
    return None


_SAID = ("no-policy", "untrained", "paused", "barred", "astray", "pooled")
_NEVER = datetime.max.replace(tzinfo=timezone.get_default_timezone())


def _in_turn(places: list[OpenQueue], *, others: bool) -> list[OpenQueue]:
    places = list(places)
    secrets.SystemRandom().shuffle(places)
    return places if others else sorted(places, key=_wait_key)


def _wait_key(place: OpenQueue) -> tuple[bool, datetime]:
    """Return since when somebody has waited; a guest comes when no other queue has a case."""
    return place.guest, place.since() or _NEVER


def _last_seen(desk: Desk) -> Iterator[_Seen]:
    for place in desk.places:
        for key, choice in services.last_seen(place.queue, desk.name, _NEWEST):
            yield _Seen(place, key, choice)


def _find(desk: Desk, ticket: str) -> _Seen:
    found = next((one for one in _last_seen(desk) if _ticket(one.key) == ticket), None)
    if found is None:
        raise _claim_error()
    return found


def _claim_error() -> RuleError:
    return RuleError(
        "no-claim",
        "you hold no claim on this case: it was never made, or has ended and the case went back to the "
        "queue; claim the next one",
    )


def vote(desk: Desk, ticket: str, choice: str, note: str = "") -> None:
    """Say what the case is that one holds, with a note or none; the same again changes nothing.

    The vote is held as long as its queue says, or until five more are.

    Raises
    ------
    RuleError
        ``no-claim``; ``second-vote``, if something else was said of it before.
    InputError
        If the choice is none.
    """
    seen = _find(desk, ticket)
    if seen.choice is not None and seen.choice == choice:
        return
    if seen.choice is not None:
        raise RuleError("second-vote", f"you said {seen.choice!r} of this case already")
    place = seen.place
    try:
        if place.hold:
            services.hold(place.queue, desk.name, seen.key, choice, place.hold, note=note)
        else:
            services.cast(place.queue, desk.name, seen.key, choice, note=note)
    except RuleError as error:
        raise (_claim_error() if error.rule == "no-claim" else error) from None
    count_votes_of(desk.name, but=_MOST_HELD)


def count_votes_of(name: str, *, but: int = 0) -> None:
    """Count somebody's held votes in their order, but for the newest few."""
    rows = Claim.objects.filter(reviewer=name, said__isnull=False).order_by("-said", "-pk")
    for queue, case in reversed(list(rows.values_list("case__queue", "case")[but:])):
        services.count_held(queue, name, case)


def take_back(desk: Desk, ticket: str) -> None:
    """Take a held vote back, and hold its case again.

    Raises
    ------
    RuleError
        ``undo-late``, if it counts by now; ``no-claim``.
    """
    seen = _find(desk, ticket)
    try:
        services.take_back(seen.place.queue, desk.name, seen.key)
    except RuleError as error:
        raise (_claim_error() if error.rule == "no-claim" else error) from None


def leave_unsure(desk: Desk, ticket: str, reason: str, note: str = "") -> None:
    """Say that one is not sure what the case is, and why: it goes to others, for good.

    Raises
    ------
    RuleError
        ``no-claim``; ``second-vote``, if one said what it is; ``too-many-skips``.
    InputError
        If the reason is none, or the note is too long.
    """
    check_reason(reason)
    seen = _find(desk, ticket)
    if seen.choice is not None:
        raise RuleError("second-vote", f"you said {seen.choice!r} of this case: undo that first")
    if not desk.may_skip():
        raise RuleError(
            "too-many-skips",
            "no “not sure” is left; you get one for every five labels: say what is likelier, or take a break",
        )
    try:
        services.skip(seen.place.queue, desk.name, seen.key, reason=reason, note=note)
    except RuleError as error:
        raise (_claim_error() if error.rule == "no-claim" else error) from None


def give_back(desk: Desk, ticket: str) -> None:
    """Give the case back, to whoever comes next, with all else that one holds; what one said counts now.

    Raises
    ------
    RuleError
        ``no-claim``.
    """
    _find(desk, ticket)
    count_votes_of(desk.name)
    for place in desk.places:
        for key, choice in services.last_seen(place.queue, desk.name, 0):
            if choice is None:
                services.give_back(place.queue, desk.name, key)
