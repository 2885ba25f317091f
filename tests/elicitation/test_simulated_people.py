"""Simulated people: how often they answer what, against the formula that they claim to follow."""

from __future__ import annotations

import numpy as np
import pytest
from unexpected_people import AbsolutePerson, AnchoredPerson, LexicographicPerson, TiredPerson

from askpoint.elicitation.respondents import ExactRespondent
from askpoint.elicitation.simulated_people import SimulatedPerson
from askpoint.errors import InputError

WORTH = np.diag([0.75, 0.25])
BETTER, WORSE = np.diag([0.30, 0.10]), np.diag([0.20, 0.25])  # gains 0.075, loses 0.0375


def shares(person, first=BETTER, second=WORSE, n=4000):
    answers = [person.prefers(first, second) for _ in range(n)]
    return np.array([answers.count(a) for a in (True, None, False)]) / n


def test_a_person_follows_the_formula(rng):
    person = SimulatedPerson(WORTH, rng, slope=0.5, lapse=0.1)
    first, equal, second = shares(person)
    assert first == pytest.approx(0.05 + 0.9 * 4 / 5, abs=0.025)  # 2 ** (1 / 0.5) to 1
    assert equal == 0
    assert first + second == 1


def test_a_person_says_about_equal(rng):
    first, equal, second = shares(SimulatedPerson(WORTH, rng, slope=1, lapse=0, equal=1.0))
    assert equal == pytest.approx(2**0.5 / (1 + 2 + 2**0.5), abs=0.025)
    assert first / second == pytest.approx(2, rel=0.2)


def test_only_differences_within_a_row_matter(rng):
    costs = [[0, -0.75], [-0.25, 0]]
    rows = [[0.3, 0.1], [0.4, 0.2]], [[0.25, 0.15], [0.3, 0.3]]
    answers = {
        SimulatedPerson(worth, rng, slope=1e-3, lapse=0).prefers(*map(np.array, rows))
        for worth in (costs, WORTH)
    }
    assert len(answers) == 1


def test_a_tired_person_ends_up_tossing_coins(rng):
    person = TiredPerson(WORTH, rng, slope=1e-3, lapse=0)
    assert person.prefers(BETTER, WORSE)
    assert shares(person, n=4000)[0] == pytest.approx(0.5, abs=0.04)


def test_a_lexicographic_person_looks_at_one_class(rng):
    person = LexicographicPerson(WORTH, rng, lapse=0)
    crumb, feast = np.diag([0.301, 0.0]), np.diag([0.3, 0.5])
    assert person.prefers(crumb, feast) is True
    assert person.prefers(feast, crumb) is False
    same = np.diag([0.3, 0.4])
    assert person.prefers(feast, same) is True  # no difference there: as others do


def test_an_absolute_person_takes_small_differences_for_equal_whatever_their_ratio(rng):
    person = AbsolutePerson(WORTH, rng, slope=0.01, lapse=0)
    assert shares(person, BETTER / 1e4, WORSE / 1e4)[0] == pytest.approx(0.5, abs=0.025)
    assert shares(person)[0] > 0.95


def test_an_anchored_person_takes_the_first(rng):
    exact = ExactRespondent(lambda c: float((WORTH * c).sum()))
    person = AnchoredPerson(exact, 0.5, rng)
    assert shares(person, WORSE, BETTER)[0] == pytest.approx(0.5, abs=0.025)
    assert shares(person, BETTER, WORSE)[0] == 1


@pytest.mark.parametrize(
    "manner", [{"slope": 0}, {"lapse": 1.5}, {"lapse": -0.1}, {"equal": -1}, {"slope": np.nan}]
)
def test_impossible_people_are_refused(manner, rng):
    with pytest.raises(InputError, match="a person has a slope above 0"):
        SimulatedPerson(WORTH, rng, **manner)


def test_an_impossible_anchor_is_refused(rng):
    with pytest.raises(InputError, match="a share must be between 0 and 1; got 2"):
        AnchoredPerson(ExactRespondent(np.trace), 2, rng)
