"""Trust: given to independent judges, withheld with a reason wherever something speaks against."""

import numpy as np
import pytest

from askpoint.errors import InputError
from askpoint.judges.sketch import VoteSketch
from askpoint.judges.trust import trust_level
from judges.simulate import simulate, true_shares


def of(votes):
    sketch = VoteSketch(votes.shape[1], ["a", "b"])
    sketch.update_codes(votes)
    return sketch


SHARES = [(0.8, 0.85), (0.9, 0.75), (0.85, 0.8), (0.75, 0.9), (0.88, 0.82)]


def test_independent_judges_are_trusted_and_rightly_so():
    said = []
    for seed in range(20):
        truth, votes = simulate(np.random.default_rng(seed), 0.45, SHARES, 10_000)
        trust = trust_level(of(votes))
        said.append(trust.level == "trusted")
        if said[-1]:
            rows = [list(row.values()) for row in trust.evaluation.accuracy.values()]
            assert np.abs(np.array(rows) - true_shares(truth, votes)).max() <= 0.05
            assert trust.evaluation.prevalence["b"] == pytest.approx(truth.mean(), abs=0.05)
            assert len(trust.reasons) == 3
    assert np.mean(said) > 0.7


def doubts(*args, **keywords):
    votes = simulate(np.random.default_rng(1), *args, **keywords)[1]
    trust = trust_level(of(votes))
    assert trust.level == "not trusted"
    return " | ".join(trust.reasons)


def test_what_speaks_against():
    assert "can not show whether they err together" in doubts(0.45, SHARES[:3], 10_000)
    assert "judge 1 and judge 2 err together" in doubts(0.45, SHARES, 10_000, [(0, 1)])
    assert "too few votes" in doubts(0.45, SHARES, 60)
    chain = [(0, 1), (1, 2), (2, 3), (3, 4)]
    assert "more or less than accuracies explain" in doubts(0.3, SHARES, 5000, chain, 0.5)


def test_votes_that_contradict_independence():
    sketch = VoteSketch(["x", "y", "z"], ["0", "1"])
    codes = [[0, 0, 0], [1, 1, 1], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 0]]
    sketch.update_codes(codes, [40, 40, 5, 5, 5, 5])
    assert "the votes of x contradict independence" in trust_level(sketch).reasons


def test_two_methods_that_differ():
    rng = np.random.default_rng(1)
    pairs = [(0, 1), (1, 2), (2, 3)]
    votes = simulate(rng, 0.5, [(0.65, 0.6)] * 5, 20_000, pairs, 0.8)[1]
    silent = np.full(len(votes), -1)
    trust = trust_level(of(np.column_stack([votes, silent])))
    assert any("two methods that should agree differ" in reason for reason in trust.reasons)
    assert trust.evaluation.accuracy["judge 6"] == {"a": None, "b": None}


def test_no_evaluation_no_trust():
    trust = trust_level(VoteSketch(3, ["a", "b", "c"]))
    assert (trust.level, trust.evaluation, trust.residual) == ("not trusted", None, None)
    assert "two labels" in trust.reasons[0]
    assert "at least 3 judges" in trust_level(VoteSketch(2, ["a", "b"])).reasons[0]
    with pytest.raises(InputError, match="must not be negative"):
        trust_level(VoteSketch(3, ["a", "b"]), residual=-1)
