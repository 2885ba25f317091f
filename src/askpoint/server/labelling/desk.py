"""All that somebody may label: claim the next case, say what it is, give it back.

Cases of all queues look alike: nothing that is shown says in which queue a case lies, or for what purpose.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.functional import cached_property

import askpoint.server.labelling.services as services
from askpoint.errors import RuleError
from askpoint.server.accounts.models import User
from askpoint.server.labelling.models import Claim, Vote
from askpoint.server.labelling.queues import QUEUES

__all__ = ["Desk", "Guest", "Held", "OpenQueue", "claim", "desk_of", "give_back", "skip", "vote"]

_NEWEST = 5  # votes that a second click may be about


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
    """

    title: str
    warning: str
    guide: str
    veiled: bool
    words: str = ""
    unready: str = ""


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
    """

    queue: str
    title: str
    options: Callable[[], list[str]]
    since: Callable[[], datetime | None] = lambda: None
    guest: bool = False
    may_skip: Callable[[], bool] = lambda: True


class Held(NamedTuple):
    """The case that somebody holds: nothing in it says where it lies, or why."""

    ticket: str
    case: Any
    options: list[str]
    until: datetime
    title: str


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
        """Return the case that they hold."""
        places = {place.queue: place for place in self.places}
        rows = Claim.objects.filter(reviewer=self.name, until__gt=timezone.now())
        row = rows.filter(case__queue__in=places).select_related("case").first()
        return None if row is None else _show(places[row.case.queue], row)

    def count_votes(self) -> int:
        """Return how many cases they have labelled."""
        queues = [place.queue for place in self.places]
        return int(Vote.objects.filter(reviewer=self.name, case__queue__in=queues).count())

    def may_skip(self) -> bool:
        """Tell whether a skip is left: wherever a case may lie, or its kind could be told."""
        return all(place.may_skip() for place in self.places)

    def unready(self) -> list[Guest]:
        """Return what comes to them once they have done what is asked of them."""
        return [guest for guest in self.guests if guest.unready]


def _ticket(case: str) -> str:
    return salted_hmac("askpoint.ticket", case).hexdigest()[:16]


def _show(place: OpenQueue, row: Claim) -> Held:
    content, until = row.case.content, row.until
    return Held(_ticket(row.case_id), content, place.options(), until, place.title)


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


def vote(desk: Desk, ticket: str, choice: str) -> None:
    """Say what the case is that one holds; the same again changes nothing.

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
    try:
        services.cast(seen.place.queue, desk.name, seen.key, choice)
    except RuleError as error:
        raise (_claim_error() if error.rule == "no-claim" else error) from None


def skip(desk: Desk, ticket: str) -> None:
    """Give the case back for good.

    Raises
    ------
    RuleError
        ``no-claim``; ``too-many-skips``.
    """
    seen = _find(desk, ticket)
    if not desk.may_skip():
        raise RuleError(
            "too-many-skips",
            "no skip is left; each five votes bring one: say what is likelier, or take a break",
        )
    try:
        services.skip(seen.place.queue, desk.name, seen.key)
    except RuleError as error:
        raise (_claim_error() if error.rule == "no-claim" else error) from None


def give_back(desk: Desk, ticket: str) -> None:
    """Give the case back, to whoever comes next.

    Raises
    ------
    RuleError
        ``no-claim``.
    """
    seen = _find(desk, ticket)
    services.give_back(seen.place.queue, desk.name, seen.key)
