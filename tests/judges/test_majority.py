"""Majority voting: the paper's three judges, and any number of judges and labels."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from askpoint.errors import NotEstimableError
from askpoint.judges.methods.majority import evaluate_majority
from askpoint.judges.sketch.vote_sketch import VoteSketch
from judges.cases import ADULT_A, ADULT_B, sketch_of


def test_the_golden_case_and_the_papers_equations():
    f = [Fraction(a + b, 36_842) for a, b in zip(ADULT_A, ADULT_B, strict=True)]
    aaa, aab, aba, abb, baa, bab, bba, _ = f
    point = evaluate_majority(sketch_of([a + b for a, b in zip(ADULT_A, ADULT_B, strict=True)]))
    p = aaa + aab + aba + baa
    assert round(float(p), 5) == 0.21657
    assert point.prevalence == {"a": p, "b": 1 - p}
    for judge, dissents_a, dissents_b in [("ann", baa, abb), ("bob", aba, bab), ("cid", aab, bba)]:
        assert point.accuracy[judge] == {"a": 1 - dissents_a / p, "b": 1 - dissents_b / (1 - p)}
    assert point.undefined == {}


def test_nothing_over_nothing_is_undefined():
    point = evaluate_majority(sketch_of([5, 0, 0, 0, 0, 0, 0, 0]))
    assert point.prevalence["b"] == 0
    assert point.accuracy["ann"] == {"a": 1, "b": None}
    assert point.undefined["ann"] == "voted on no item whose majority is b"


def test_more_judges_and_labels_against_a_count_by_hand(rng):
    votes = rng.integers(-1, 3, (300, 5))
    sketch = VoteSketch(5, ["x", "y", "z"])
    sketch.update_codes(votes)
    found = evaluate_majority(sketch)
    answers, ties, unjudged = [], 0, 0
    for row in votes:
        said = [int((row == label).sum()) for label in range(3)]
        if not sum(said):
            unjudged += 1
        if said.count(max(said)) > 1:
            ties += bool(sum(said))
            answers.append(-1)
        else:
            answers.append(int(np.argmax(said)))
    answers = np.array(answers)
    assert (found.n_ties, found.n_unjudged) == (ties, unjudged)
    assert found.n_items == (answers >= 0).sum()
    for code, label in enumerate("xyz"):
        of_label = answers == code
        assert found.prevalence[label] == Fraction(int(of_label.sum()), found.n_items)
        for i, judge in enumerate(sketch.judges):
            said = votes[of_label, i]
            expected = Fraction(int((said == code).sum()), int((said >= 0).sum()))
            assert found.accuracy[judge][label] == expected


def test_without_a_majority_there_is_no_answer():
    sketch = VoteSketch(2, ["x", "y"])
    sketch.update_many([["x", "y"], [None, None]])
    with pytest.raises(NotEstimableError, match="none of 2 items"):
        evaluate_majority(sketch)
    with pytest.raises(NotEstimableError):
        evaluate_majority(VoteSketch(2, ["x", "y"]))
