"""The demo's log: real data, and predictions by a model that did not see the case."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression

from askpoint.records.datasets import digits_images, digits_log, digits_reviews
from askpoint.records.logs import read_log

LEARNED = 400


@pytest.fixture(scope="module")
def digits():
    return digits_log()


def test_a_model_reads_digits_that_it_did_not_learn_from(digits):
    data = load_digits()
    assert digits["label"].to_list() == [str(digit) for digit in data.target[LEARNED:]]
    assert digits["id"].to_list() == list(range(LEARNED + 1, len(data.target) + 1))
    known, unseen = data.data[:LEARNED] / 16, data.data[LEARNED:] / 16
    model = LogisticRegression(C=100, max_iter=1000).fit(known, data.target[:LEARNED])
    p = digits.select("^proba_.*$").to_numpy()
    assert p == pytest.approx(model.predict_proba(unseen), abs=1e-3)
    # all that it learned from it reads right, these not
    assert model.score(known, data.target[:LEARNED]) == 1
    assert 0.85 < (p.argmax(axis=1) == data.target[LEARNED:]).mean() < 0.95


def test_reviewers_say_whether_the_answer_is_right(digits):
    votes = digits_reviews(digits)
    said = digits.select("^proba_.*$").to_numpy().argmax(axis=1).astype(str)
    truth = np.where(said == digits["label"].to_numpy(), "right", "wrong")
    assert votes["truth"].to_list() == truth.tolist()
    assert votes["task"][0] == f"digit {digits['id'][0]}"
    for name in ("upper", "middle", "lower"):
        agrees = (votes[name].to_numpy() == truth).mean()
        assert 0.7 < agrees < 0.95  # they see half of a picture


def test_pictures_are_found_by_id():
    data = load_digits()
    first, last = digits_images([1, 1797])
    assert first == pytest.approx(data.images[0] / 16)
    assert last == pytest.approx(data.images[-1] / 16)


def test_the_reader_takes_it_as_it_is(digits):
    log = read_log(digits)
    assert log.classes == tuple("0123456789")
    assert log.n_labelled == log.n_items == 1397
