"""Granting leases: what is granted is booked as if it were lost, and only what the budget holds is granted."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from askpoint.errors import InputError
from askpoint.live.budget import mistakes_allowed, mistakes_at_most
from askpoint.live.leases.lease import Lease
from askpoint.live.terms import Terms

if TYPE_CHECKING:
    from askpoint.live.state import State

__all__ = ["LEAST_SHARE", "answers_to_lease", "book_lease", "free_lease", "grant_lease"]

LEAST_SHARE = 8
"""A lease takes by default one part of so many of what the mistake budget still holds."""
_UNBOUNDED = 1_000_000


def answers_to_lease(state: State, terms: Terms, rounding: float = 0.0) -> int:
    """Return how many answers may be leased: were each a mistake that no audit saw, the budget would hold them.

    Who computes it again on another processor allows for `rounding` of the sum, for it is cut to whole answers.
    """
    if state.threshold is None or state.waiting:
        return 0
    if not terms.has_budget:
        return _UNBOUNDED
    room = mistakes_allowed(state, terms) - mistakes_at_most(state, terms) - 1 + rounding
    return max(0, math.floor(room))


def grant_lease(
    state: State,
    terms: Terms,
    *,
    number: int,
    decider: str,
    granted: int,
    expires: int,
    answers: int | None = None,
    deciders: int = 1,
    rounding: float = 0.0,
) -> Lease:
    """Return the lease that a decider gets now: fewer answers than it asked for where no more can be booked.

    Parameters
    ----------
    state, terms
        Of the policy.
    number : int
        Of the lease.
    decider : str
        Who asks.
    granted, expires : int
        From when until when, in microseconds since 1970.
    answers : int, optional
        The most that is wanted; by default an eighth of what may be leased, over the deciders.
    deciders : int, default=1
        How many share the policy.
    rounding : float, default=0
        As of `answers_to_lease`.
    """
    if answers is not None and answers < 0:
        raise InputError(f"a lease is of 0 or more answers; got {answers}")
    if deciders < 1:
        raise InputError(f"deciders are 1 or more; got {deciders}")
    if expires <= granted:
        raise InputError("a lease ends after it begins; give it some seconds")
    most = answers_to_lease(state, terms, rounding)
    wanted = -(-most // (LEAST_SHARE * deciders)) if answers is None else answers
    given = min(wanted, most)
    rate = terms.rate if state.decided >= state.raised_until else min(1.0, 2 * terms.rate)
    return Lease(
        number=number,
        decider=decider,
        episode=state.episode,
        threshold=state.threshold if given else None,
        rate=rate,
        answers=given,
        granted=granted,
        expires=expires,
    )


def book_lease(state: State, lease: Lease) -> State:
    """Count all answers of a lease as mistakes that may have passed, until it is handed in."""
    return replace(state, booked=state.booked + lease.answers)


def free_lease(state: State, lease: Lease, answers: int) -> State:
    """Free answers that were not given; those of an episode that is over are booked nowhere any more."""
    if lease.episode != state.episode:
        return state
    return replace(state, booked=state.booked - answers)
