"""The mistake budget against the sequence that it rests on."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from askpoint.live.budget import is_within_budget, mistakes_at_most
from askpoint.live.state import fresh_state
from askpoint.live.terms import Terms
from askpoint.measures.mixture_sequence import log_gamma_mixture


def test_the_budget_is_the_sequence_against_what_is_allowed():
    terms = Terms("money", 0.1, rate=0.2, mistake_budget=60.0)
    state = replace(fresh_state(terms), mistakes=6.0)
    upper = mistakes_at_most(state, terms)
    assert log_gamma_mixture(upper * 0.2, 6) == pytest.approx(math.log(1 / 0.025))
    needed = (upper + 1 - 60) / 0.08
    assert not is_within_budget(replace(state, answers=math.floor(needed)), terms)
    assert is_within_budget(replace(state, answers=math.ceil(needed)), terms)
    assert is_within_budget(state, replace(terms, has_budget=False))
