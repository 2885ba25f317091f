"""The mistake budget: does what may have passed still keep to what was agreed?"""

from __future__ import annotations

from askpoint.live.state import State
from askpoint.live.terms import Terms
from askpoint.measures.mixture_sequence import total_interval

__all__ = ["is_within_budget", "mistakes_allowed", "mistakes_at_most"]


def mistakes_at_most(state: State, terms: Terms) -> float:
    """Return the upper end of the expected mistakes of the episode, valid at all times.

    Answers that are out under leases count as mistakes until they are handed in.
    """
    delta = terms.episode_delta(state.episode)
    return total_interval(state.mistakes, delta=delta).upper / terms.rate + state.booked


def mistakes_allowed(state: State, terms: Terms) -> float:
    """Return how many mistakes of the episode are allowed by now: the limit's, and the budget."""
    return terms.answer_below * state.answers + terms.budget


def is_within_budget(state: State, terms: Terms) -> bool:
    """Return whether one more mistake would still keep to limit and budget."""
    if not terms.has_budget:
        return True
    return mistakes_at_most(state, terms) + 1 <= mistakes_allowed(state, terms)
