"""A recall that is promised of new cases: kept as often as it says, and refused where labels cannot promise it."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

from askpoint import InputError, MinRecall, ObjectiveError, UnmetError, answer_value, read_log
from askpoint.reports.value.document import value_sections
from askpoint.reports.value.json import value_object
from askpoint.value.acceptance import labels_to_promise, stream_acceptance_number
from askpoint.value.probabilities import value_curve


def draw(n, rng, *, lies=0.15):
    """Probabilities, and the truth: of some sure cases the model knows nothing."""
    p = rng.beta(0.5, 0.8, n)
    rate = np.where(rng.random(n) < lies, 0.5, p)
    return p, rng.random(n) < rate


def log_of(p, truth, n_labels, **more):
    label = ["yes" if t else "no" for t in truth[:n_labels]] + [None] * (len(p) - n_labels)
    frame = pl.DataFrame({"label": label, "proba_no": 1 - p, "proba_yes": p})
    return read_log(frame.with_columns(**more), **{name: name for name in more})


def test_the_threshold_stops_before_the_positive_that_is_one_too_many():
    p, truth = draw(3000, np.random.default_rng(1))
    promise = answer_value(log_of(p, truth, 500), MinRecall("yes", 0.8, 0.1)).recall_promise
    lost = np.sort(1 - p[:500][truth[:500] & (p[:500] < 0.5)])[::-1]
    c = stream_acceptance_number(int(truth[:500].sum()), 0.2, 0.1)
    assert promise.accepted == c
    assert promise.n_lost == c
    assert lost[c] < promise.threshold <= lost[c - 1]
    curve = value_curve(truth[:500].astype(int), p[:500])
    point = MinRecall(1, 0.8, 0.1).choose(curve)
    assert point.threshold >= promise.threshold  # of labelled cases alone
    assert ((1 - p[:500])[truth[:500] & (p[:500] < 0.5)] >= point.threshold).sum() == c


@pytest.mark.no_cover
def test_it_is_kept_as_often_as_it_says():
    rng = np.random.default_rng(2)
    new_p, new_truth = draw(200_000, rng)
    lost = np.sort((1 - new_p)[new_truth & (new_p < 0.5)])[::-1]
    most = lost[int(0.15 * new_truth.sum())]  # below it more than .15 of the positives are lost
    broken = 0
    for _ in range(400):
        p, truth = draw(300, rng)
        curve = value_curve(truth.astype(int), p)
        broken += MinRecall(1, 0.85, 0.1).choose(curve).threshold < most - 1e-3
    # the number that may be passed is whole: of 100 to 140 positives the chance is .05 to .1
    assert 0.02 < broken / 400 < 0.1 + 3 * np.sqrt(0.09 / 400)


def test_labels_that_promise_nothing():
    for share, delta in ((0.05, 0.1), (0.2, 0.05), (0.5, 0.3)):
        least = labels_to_promise(share, delta)
        assert stream_acceptance_number(least, share, delta) == 0
        assert stream_acceptance_number(least - 1, share, delta) == -1
    p, truth = draw(600, np.random.default_rng(3))
    answer = answer_value(log_of(p, truth, 60), MinRecall("yes", 0.99, 0.1))
    promise = answer.recall_promise
    assert (promise.accepted, promise.threshold, promise.n_needed) == (-1, np.inf, 230)
    said = next(s for s in value_sections(answer) if s.title == "What is promised of the recall")
    assert "The least that would do: 230" in said.blocks[0].text
    found = json.loads(json.dumps(value_object(answer)))["recommended"]["recall_promise"]
    assert found["threshold"] is None
    assert "Nothing can be promised" in found["reasons"]["threshold"]
    with pytest.raises(UnmetError, match="label 230 or more"):
        MinRecall(1, 0.99, 0.1).choose(value_curve(truth[:60].astype(int), p[:60]))


def test_what_it_says_and_what_it_refuses():
    p, truth = draw(3000, np.random.default_rng(1))
    answer = answer_value(log_of(p, truth, 500), MinRecall("yes", 0.8, 0.1))
    lead, why = next(
        s for s in value_sections(answer) if s.title == "What is promised of the recall"
    ).blocks
    assert "Of the new cases 'yes' at least 80% are found" in lead.text
    assert "may be lost" in why.text
    assert answer.tomorrow.best.threshold == answer.recall_promise.threshold
    assert answer_value(log_of(p, truth, 500), MinRecall("yes", 0.8)).recall_promise is None
    weighted = log_of(p, truth, 500, weight=np.ones(3000) + (np.arange(3000) % 2))
    with pytest.raises(ObjectiveError, match="it takes no weights"):
        answer_value(weighted, MinRecall("yes", 0.8, 0.1))
    with pytest.raises(InputError, match="'maybe' is not among the classes"):
        answer_value(log_of(p, truth, 500), MinRecall("maybe", 0.8, 0.1))
    with pytest.raises(ObjectiveError, match="no number of labels promises a recall of 1"):
        MinRecall("yes", 1.0, 0.1)
    wrong = np.zeros(500, dtype=bool)
    wrong[:100] = True  # all positives are among the surest that are said to be no
    sure = np.where(wrong, 0.01, 0.3)
    answer = answer_value(
        log_of(sure, wrong, 500), MinRecall("yes", 0.9, 0.1), labels_are_random=True
    )
    if answer.recall_promise is not None:
        assert answer.recall_promise.threshold == np.inf
