"""Families of judges: a copied judge is no second opinion, and never counts as one."""

from fractions import Fraction

import numpy as np
import pytest

from askpoint.errors import InputError, NotEstimableError
from askpoint.judges.families import families_of_judges, same_family
from askpoint.judges.methods.dawid_skene import evaluate_dawid_skene
from askpoint.judges.methods.ensemble import evaluate_ensemble
from askpoint.judges.sketch.vote_sketch import VoteSketch
from judges.simulate import exact_sketch, simulate, true_shares

SHARES = [
    (Fraction(4, 5), Fraction(7, 10)),
    (Fraction(3, 5), Fraction(9, 10)),
    (Fraction(9, 10), Fraction(3, 5)),
    (Fraction(7, 10), Fraction(7, 10)),
]


def with_copies(sketch, copied, n):
    """The same items, judge `copied` repeated n times more, word for word."""
    votes, counts = sketch.cells()
    judges = [*sketch.judges, *(f"{sketch.judges[copied]} again {i}" for i in range(n))]
    larger = VoteSketch(judges, sketch.labels)
    larger.update_codes(np.column_stack([votes, *[votes[:, copied]] * n]), counts)
    families = dict.fromkeys([judges[copied], *judges[-n:]], "one")
    return larger, families


def shares_of(evaluation):
    return np.array([list(row.values()) for row in evaluation.accuracy.values()], dtype=float)


@pytest.mark.parametrize("n_judges", [3, 4])
@pytest.mark.parametrize("n_copies", [1, 3])
def test_copies_in_a_family_change_nothing(n_judges, n_copies):
    sketch = exact_sketch(Fraction(3, 10), SHARES[:n_judges], 10**6)
    alone = evaluate_ensemble(sketch)
    larger, families = with_copies(sketch, 0, n_copies)
    together = evaluate_ensemble(larger, families=families)
    assert together.prevalence["a"] == pytest.approx(0.3, abs=1e-6)
    np.testing.assert_allclose(
        shares_of(together), [*shares_of(alone), *[shares_of(alone)[0]] * n_copies], atol=1e-6
    )
    assert together.flagged == ()
    assert together.families == {"one": tuple(families)}
    assert np.abs(together.residuals).max() < 1e-6
    if n_judges == 3:  # one equation an unknown, so no pair's weight matters
        spread = alone.interval().prevalence["a"], together.interval().prevalence["a"]
        assert spread[0] == pytest.approx(tuple(spread[1]), abs=1e-6)
        assert alone.interval().accuracy[sketch.judges[0]]["a"] == pytest.approx(
            tuple(together.interval().accuracy[larger.judges[-1]]["a"]), abs=1e-6
        )


def test_without_naming_the_family_its_copies_mislead():
    larger, _ = with_copies(exact_sketch(Fraction(3, 10), SHARES[:3], 10**6), 0, 3)
    assert abs(evaluate_ensemble(larger).prevalence["a"] - 0.3) > 0.02


@pytest.mark.no_cover
def test_judges_of_one_family_who_err_together_are_told_apart_from_the_truth():
    rng = np.random.default_rng(11)
    shares = np.full((6, 2), 0.75)
    pairs = [(0, 1), (0, 2)]
    off, covered = {True: [], False: []}, []
    for _ in range(40):
        truth, votes = simulate(rng, 0.3, shares, 2000, pairs)
        sketch = VoteSketch(6, ["0", "1"])
        sketch.update_codes(votes)
        known = dict.fromkeys(sketch.judges[:3], "gpt")
        for named in (True, False):
            found = evaluate_ensemble(sketch, families=known if named else None)
            error = np.abs(shares_of(found) - true_shares(truth, votes)).mean()
            off[named].append(error)
            if named:
                lower, upper = found.interval().prevalence["0"]
                covered.append(lower <= (truth == 0).mean() <= upper)
    assert np.mean(off[True]) < np.mean(off[False])
    assert np.mean(covered) >= 0.85


def test_fewer_than_three_families_are_not_evaluated():
    sketch = exact_sketch(Fraction(3, 10), SHARES, 10**6)
    j = sketch.judges
    two = {j[0]: "x", j[1]: "x", j[2]: "y", j[3]: "y"}
    with pytest.raises(NotEstimableError, match="fewer than three families"):
        evaluate_ensemble(sketch, families=two)
    assert evaluate_ensemble(sketch, families={j[0]: "x", j[1]: "x"}).n_items == sketch.n_items


def test_a_family_of_one_is_none_and_strangers_are_refused():
    assert families_of_judges(["a", "b"], {"a": "x", "b": "y"}) == {}
    assert families_of_judges(["a", "b"], None) == {}
    assert not same_family(["a", "b"], None).any()
    with pytest.raises(
        InputError, match="'cy' of the family 'x' is not a judge; the judges are a, b"
    ):
        families_of_judges(["a", "b"], {"a": "x", "cy": "x"})


def test_dawid_and_skene_need_three_families_of_judges_who_voted():
    votes = VoteSketch(["a", "b", "c", "d"], ["x", "y"])
    votes.update_codes([[0, 0, 0, 0], [1, 1, 1, 1], [0, 1, 0, 1]], [20, 15, 5])
    with pytest.raises(NotEstimableError, match="fewer than three families"):
        evaluate_dawid_skene(votes, families={"a": "one", "b": "one", "c": "two", "d": "two"})


def test_two_votes_of_one_family_say_in_dawid_and_skene_what_one_vote_would():
    votes = VoteSketch(["a", "b", "c", "d"], ["x", "y"])
    votes.update_codes([[0, 0, 0, 0], [1, 1, 1, 1], [0, 0, 1, 0], [1, 0, 1, 1]], [30, 20, 8, 6])
    larger, families = with_copies(votes, 0, 1)
    alone, copied = evaluate_dawid_skene(votes), evaluate_dawid_skene(larger, families=families)
    assert copied.prevalence["x"] == pytest.approx(alone.prevalence["x"], abs=1e-4)
