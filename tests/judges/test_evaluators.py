"""The records of the methods: where each has no answer, and what it says against itself."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from askpoint.errors import NotEstimableError
from askpoint.judges import evaluators
from askpoint.judges.evaluation import Evaluation
from askpoint.judges.evaluator import JudgeEvidence
from askpoint.judges.evaluators import (
    CONFUSIONS,
    DAWID_SKENE,
    ENSEMBLE,
    EVALUATORS,
    INDEPENDENT,
    MAJORITY,
    WITH_GOLD,
    list_evaluators,
)
from askpoint.judges.gold.gold_sketch import GoldSketch
from askpoint.judges.methods.ensemble import EnsembleEvaluation, FlaggedPair
from askpoint.judges.methods.independent import IndependentPoint, evaluate_independent
from askpoint.judges.sketch.vote_sketch import VoteSketch

NAMES = ("ann", "bob", "cid", "dan")


def sketch_of(codes, counts=None, labels=("x", "y")):
    sketch = VoteSketch(NAMES[: len(codes[0])], labels)
    sketch.update_codes(codes, counts)
    return sketch


def words(doubts):
    return [doubt.words for doubt in doubts]


THREE = sketch_of(
    [[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)],
    [386, 104, 104, 56, 104, 56, 56, 134],
)


def ensemble(n_judges, **given):
    accuracy = {name: {"x": 0.9, "y": 0.9} for name in NAMES[:n_judges]}
    residuals = np.zeros((n_judges, n_judges))
    fields = {"accuracy": accuracy, "residuals": residuals} | given
    return EnsembleEvaluation({"x": 0.5, "y": 0.5}, n_items=2, **fields)


def test_methods_say_why_they_have_no_answer():
    evidence = JudgeEvidence(THREE, families={"ann": "gpt", "bob": "gpt"})
    for evaluator, why in ((WITH_GOLD, "no gold labels"), (INDEPENDENT, "of one family")):
        with pytest.raises(NotEstimableError, match=why):
            evaluator.evaluate(evidence)
    four = JudgeEvidence(sketch_of([[0, 0, 0, 0], [1, 1, 1, 1]]))
    with pytest.raises(NotEstimableError, match="it takes three judges; got 4"):
        INDEPENDENT.evaluate(four)
    blind = JudgeEvidence(sketch_of([[0, 0, 0], [0, 0, 1]]))
    with pytest.raises(NotEstimableError, match="evaluations explain"):
        INDEPENDENT.evaluate(blind)


def test_three_judges_outside_what_is_possible_are_limited():
    evidence = JudgeEvidence(THREE)
    found = INDEPENDENT.evaluate(evidence)
    assert found.prevalence["x"] == pytest.approx(0.75)
    assert list(INDEPENDENT.limits(evidence, found)) == []
    assert INDEPENDENT.around(evidence, found, 0.95) == found.interval()  # far from failure
    outside = IndependentPoint({"x": 2.0, "y": -1.0}, {}, 10, is_inside=False)
    assert outside.interval() is None
    assert "outside what is possible" in words(INDEPENDENT.limits(evidence, outside))[0]


def test_near_failure_intervals_come_from_the_likelihood():
    """Of 60 items 4 are y: fewer than 5 are expected, so that no interval is told."""
    rare = sketch_of([[0, 0, 0], [1, 1, 1], [0, 0, 1], [1, 0, 0]], [54, 4, 1, 1])
    found = INDEPENDENT.evaluate(JudgeEvidence(rare))
    around = INDEPENDENT.around(JudgeEvidence(rare), found, 0.95)
    assert set(around.prevalence.values()) == {None}
    assert "fewer than 5 items" in around.reasons["y"]
    kin = JudgeEvidence(rare, families={"ann": "gpt", "bob": "gpt"})
    with pytest.raises(NotEstimableError, match="different families only"):
        ENSEMBLE.around(kin, ensemble(3, accuracy={"ann": {"x": 0.6, "y": 0.6}}), 0.95)


def test_no_fit_to_what_no_judges_explain_and_no_interval_of_a_clipped_one():
    patterns = [[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)]
    complex_votes = sketch_of(patterns, [15, 27, 38, 26, 33, 27, 28, 16])
    assert evaluate_independent(complex_votes).outcome == "complex"
    with pytest.raises(NotEstimableError, match="no evaluation to fit"):
        ENSEMBLE.evaluate(JudgeEvidence(complex_votes))
    with pytest.raises(NotEstimableError, match="ann came out below 0 or above 1"):
        ENSEMBLE.around(JudgeEvidence(THREE), ensemble(4, clipped=("ann",)), 0.95)


def test_the_ensemble_names_pairs_families_and_uneven_agreement():
    even = JudgeEvidence(sketch_of([[0, 0, 0, 0], [1, 1, 1, 1]], [500, 500]))
    assert list(ENSEMBLE.doubts(even, ensemble(4), 0.05)) == []
    pair = FlaggedPair(("ann", "bob"), 0.3, 9.0)
    (one,) = ENSEMBLE.doubts(even, ensemble(4, flagged=(pair,)), 0.05)
    (two,) = ENSEMBLE.doubts(even, ensemble(4, flagged=(pair, pair)), 0.05)
    assert (one.words, one.number) == ("{} pair of judges errs together", 1)
    assert (two.words, two.number) == ("{} pairs of judges err together", 2)
    kin = ensemble(4, families={"gpt": ("ann", "bob")})
    assert "of three families only" in words(ENSEMBLE.doubts(even, kin, 0.05))[0]
    # residuals of .06 where sampling of 1,000 items makes .032
    (uneven,) = ENSEMBLE.doubts(even, ensemble(4, residuals=np.full((4, 4), 0.06)), 0.05)
    assert uneven.number == pytest.approx(0.06 * np.sqrt(1000))
    few = JudgeEvidence(sketch_of([[0, 0, 0], [1, 1, 1]]))
    (nothing_known,) = ENSEMBLE.doubts(few, ensemble(3), 0.05)
    assert nothing_known.number == np.inf


def test_who_has_few_votes_is_counted_and_only_labels_are_trusted():
    found = DAWID_SKENE.evaluate(JudgeEvidence(THREE))
    assert words(DAWID_SKENE.limits(JudgeEvidence(THREE), found)) == []
    some = {"ann": {"x": 3.0, "y": 90.0}, "bob": {"x": 90.0, "y": 90.0}}
    alone = JudgeEvidence(THREE)
    *_, one = DAWID_SKENE.limits(alone, replace(found, n_votes=some))
    assert one.words.startswith("{} judge has")
    *_, two = DAWID_SKENE.limits(alone, replace(found, n_votes=some | {"bob": some["ann"]}))
    assert (two.words[:14], two.number) == ("{} judges have", 2)
    most = MAJORITY.evaluate(alone)
    assert most.interval() is None
    assert len(words(MAJORITY.limits(alone, most))) == 1
    assert [e.name for e in EVALUATORS if e.uses_labels] == ["with_gold"]


def test_what_is_not_stated_is_empty():
    plain = Evaluation({"x": 1.0}, {"ann": {"x": None}}, 3)
    assert (plain.labels, plain.judges) == (("x",), ("ann",))
    assert WITH_GOLD.details(plain) == {}
    assert list(WITH_GOLD.limits(JudgeEvidence(THREE), plain)) == []


def test_each_method_evaluates_where_it_applies():
    gold = GoldSketch(NAMES[:3], ["x", "y"])
    gold.update_codes([[0, 0, 0]] * 5 + [[1, 1, 1]] * 5, [0] * 5 + [1] * 5)
    for evaluator, key in ((WITH_GOLD, None), (ENSEMBLE, "flagged"), (DAWID_SKENE, "few_votes")):
        found = evaluator.evaluate(JudgeEvidence(THREE, gold))
        assert 0.5 < found.prevalence["x"] < 1
        assert key is None or key in evaluator.details(found)
    with pytest.raises(NotEstimableError, match="for two labels"):
        CONFUSIONS.evaluate(JudgeEvidence(THREE))
    three = sketch_of([[0, 0, 0], [1, 1, 1], [2, 2, 2]], [5, 3, 2], labels=("x", "y", "z"))
    assert CONFUSIONS.evaluate(JudgeEvidence(three)).prevalence["x"] == pytest.approx(0.5, abs=0.01)


def test_flagged_pairs_are_told_with_their_residuals():
    pair = FlaggedPair(("ann", "bob"), 0.3, 9.0)
    told = ENSEMBLE.details(ensemble(4, flagged=(pair,)))["flagged"]
    assert told == [{"judges": ["ann", "bob"], "residual": 0.3, "deviations": 9.0}]


def test_too_many_judges_for_pairs_are_told_to_be_fewer():
    sketch = VoteSketch([f"judge {i}" for i in range(251)], ["x", "y"])
    sketch.update_codes([[0] * 251, [1] * 251])
    with pytest.raises(NotEstimableError, match="at most 250 judges; got 251"):
        ENSEMBLE.evaluate(JudgeEvidence(sketch))


def test_a_method_without_intervals_of_another_kind_has_its_own():
    votes = sketch_of([[0, 0, 0, 0], [0, 0, 0, 1], [1, 1, 0, 1], [1, 1, 1, 1]], [30, 9, 4, 27])
    found = MAJORITY.evaluate(JudgeEvidence(votes))
    assert MAJORITY.around(JudgeEvidence(votes), found, 0.9) == found.interval(0.9)


def test_four_judges_are_fitted_though_three_of_them_have_no_evaluation():
    """What three alone cannot be is asked of three alone."""
    impossible = sketch_of([[0, 1, 1], [1, 0, 1], [1, 1, 0]], [10, 10, 10])
    with pytest.raises(NotEstimableError, match="three judges have no evaluation to fit: it is"):
        ENSEMBLE.evaluate(JudgeEvidence(impossible))
    four = sketch_of([[0, 0, 0, 0], [1, 1, 1, 1], [0, 1, 0, 0], [0, 0, 1, 1]], [50, 40, 9, 5])
    assert list(ENSEMBLE.evaluate(JudgeEvidence(four)).accuracy) == list(NAMES[:4])


def test_methods_of_plugins_come_behind_the_cores(monkeypatch):
    assert list_evaluators() == EVALUATORS
    mine = replace(EVALUATORS[-1], name="mine")
    monkeypatch.setattr(evaluators, "Records", lambda kind, own: {kind: mine, **own})
    assert list_evaluators() == (*EVALUATORS, mine)
