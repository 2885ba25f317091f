"""What somebody does who labels cases: claim the next one, say what it is, give it back."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from django.utils import timezone

from askpoint.arena.server.campaigns.models import Campaign
from askpoint.errors import RuleError
from askpoint.server.accounts.models import User
from askpoint.server.deployments.models import Deployment
from askpoint.server.deployments.queue import asked_since
from askpoint.server.deployments.sharing import enrol, shared_with
from askpoint.server.labelling.services import draws_others
from askpoint.server.pool.rooms import Held, InCampaign, InUse, Room, Seen, is_ready, rooms_of

__all__ = ["Desk", "claim", "desk_of", "give_back", "skip", "vote"]


class Desk(NamedTuple):
    """All that somebody may label.

    Attributes
    ----------
    rows : list of Deployment
        The classifiers that they review.
    rooms : list of Room
        Where cases lie for them.
    """

    rows: list[Deployment]
    rooms: list[Room]

    def held(self) -> Held | None:
        """Return the case that they hold."""
        return next(filter(None, (room.held() for room in self.rooms)), None)

    def voted(self) -> int:
        """How many cases they have labelled."""
        return sum(room.voted() for room in self.rooms)

    def may_skip(self) -> bool:
        """Tell whether a skip is left: wherever a case may lie, or its kind could be told."""
        return all(room.may_skip() for room in self.rooms)

    def shared(self) -> list[Campaign]:
        """Return the campaigns whose cases lie among the others."""
        return [one for row in self.rows for one in shared_with(row)]

    def unready(self, user: User) -> list[Campaign]:
        """Return the campaigns for which they are not trained yet, or have not agreed to what is asked."""
        judges = [one for row in self.rows if row.adopted for one in enrol(row, user)]
        return [one.campaign for one in judges if not is_ready(one)]


def desk_of(user: User, only: str = "") -> Desk:
    """Return all that somebody may label, or of one classifier."""
    mine = Deployment.objects.filter(members__user=user, members__role="reviewer")
    rows = list((mine.filter(pk=only) if only else mine).order_by("made", "pk"))
    return Desk(rows, [room for row in rows for room in rooms_of(row, user)])


def claim(desk: Desk) -> Held | None:
    """Return the case that somebody holds, or claim the next one; None where there is none.

    Of four claims three are answered with what somebody has waited for longest, if anybody does; one with
    something else, from any room by chance.

    Raises
    ------
    RuleError
        Where there is no other case, and a campaign gives them none: ``rest``, say.
    """
    held = desk.held()
    if held is not None:
        return held
    others, refused = draws_others(), None
    for room in _in_turn(desk.rooms, others=others):
        try:
            found = room.claim(others=others)
        except RuleError as error:
            refused = refused if error.rule in _SAID else error
        else:
            if found is not None:
                return found
    if refused is not None:
        raise refused
    return None


_SAID = ("no-policy", "untrained", "paused", "barred", "astray", "pooled")
_NEVER = datetime.max.replace(tzinfo=timezone.get_default_timezone())


def _in_turn(rooms: Iterable[Room], *, others: bool) -> list[Room]:
    rooms = list(rooms)
    secrets.SystemRandom().shuffle(rooms)
    return rooms if others else sorted(rooms, key=_waited)


def _waited(room: Room) -> tuple[bool, datetime]:
    """Since when somebody has waited; a campaign comes when no classifier has a case."""
    since = asked_since(room.row) if isinstance(room, InUse) else None
    return isinstance(room, InCampaign), since or _NEVER


def _find(desk: Desk, ticket: str) -> Seen:
    found = next(filter(None, (room.seen(ticket) for room in desk.rooms)), None)
    if found is None:
        raise _ended()
    return found


def _ended() -> RuleError:
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
        seen.room.vote(seen.key, choice)
    except RuleError as error:
        raise (_ended() if error.rule == "no-claim" else error) from None


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
        seen.room.skip(seen.key)
    except RuleError as error:
        raise (_ended() if error.rule == "no-claim" else error) from None


def give_back(desk: Desk, ticket: str) -> None:
    """Give the case back, to whoever comes next.

    Raises
    ------
    RuleError
        ``no-claim``.
    """
    seen = _find(desk, ticket)
    seen.room.give_back(seen.key)
