"""Logs that were refused for no reason, verdicts that only the prior spoke for, and surprises."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from askpoint.answers.value.posteriors import needs_weights, posterior_of
from askpoint.answers.value.question import ValueQuestion
from askpoint.answers.value.refusals import HeavyLabels, SelectiveLabels
from askpoint.answers.value.row_case import RowCase
from askpoint.answers.value.verdict import answer_question
from askpoint.records.logs import read_log
from askpoint.reports.value.document import value_document
from askpoint.reports.value.json import value_object
from askpoint.value.priced import CheckCost


def log_of(confidence, right, labelled, **columns):
    label = np.where(right, "a", "b")
    frame = pl.DataFrame({
        "confidence": confidence,
        "prediction": ["a"] * len(confidence),
        "label": pl.Series(label).set(pl.Series(~labelled), None),
        **columns,
    })  # fmt: skip
    roles = {"chance": "propensity", "case": "cluster"}
    return read_log(frame, classes=["a", "b"], **{roles[name]: name for name in columns})


def usual(rng, n=3000):
    confidence = 1 - rng.beta(0.6, 2.2, n) / 2
    return confidence, rng.random(n) < confidence


def smooth_audit(rng, n=3000):
    """Labels mostly where it is unsure; the chance is a smooth function of confidence."""
    confidence, right = usual(rng, n)
    chance = 0.02 + 0.9 * (2 - 2 * confidence) ** 3
    return confidence, right, rng.random(n) < chance, chance


def words_of(answer):
    return repr(value_document(answer, "log"))


@pytest.mark.no_cover
@pytest.mark.whole
def test_smooth_audits_and_clustered_logs_are_answered():
    rng = np.random.default_rng(11)
    for _ in range(6):
        confidence, right, labelled, chance = smooth_audit(rng)
        answer = answer_question(
            log_of(confidence, right, labelled, chance=chance), ValueQuestion(CheckCost(0.1))
        )
        assert answer.refusal is None
        single, hit = usual(rng, 750)
        case = np.repeat(np.arange(750), 4)
        known = np.isin(case, rng.permutation(750)[:75])
        log = log_of(np.repeat(single, 4), np.repeat(hit, 4), known, case=case)
        assert answer_question(log, ValueQuestion(CheckCost(0.1))).refusal is None


def test_clusters_labelled_where_it_is_unsure_are_still_refused():
    rng = np.random.default_rng(12)
    single, hit = usual(rng, 750)
    case = np.repeat(np.arange(750), 4)
    known = np.isin(case, np.argsort(single)[:200])
    log = log_of(np.repeat(single, 4), np.repeat(hit, 4), known, case=case)
    refusal = answer_question(log, ValueQuestion(CheckCost(0.1))).refusal
    assert isinstance(refusal, SelectiveLabels)


def test_chances_that_depend_on_more_than_confidence_keep_their_weights():
    rng = np.random.default_rng(13)
    confidence, right, labelled, chance = smooth_audit(rng)
    by_confidence = RowCase(
        log_of(confidence, right, labelled, chance=chance), ValueQuestion(CheckCost(0.1))
    )
    assert not needs_weights(by_confidence)
    places = by_confidence.places
    plain = places._replace(weight=np.ones(len(places.weight)))
    assert (
        posterior_of(places, is_weighted=False).right_
        == posterior_of(plain, is_weighted=False).right_
    ).all()
    island = rng.random(3000) < 0.05
    mixed = np.where(island, 0.02, 0.5)
    known = rng.random(3000) < mixed
    by_island = log_of(confidence, right, known, chance=mixed)
    assert needs_weights(RowCase(by_island, ValueQuestion(CheckCost(0.1))))
    none_of_it = log_of(confidence, right, known & ~island, chance=mixed)
    case = RowCase(none_of_it, ValueQuestion(CheckCost(0.1)))
    assert needs_weights(case)  # all that is labelled had one chance, but others had less
    assert isinstance(
        answer_question(none_of_it, ValueQuestion(CheckCost(0.1))).refusal, HeavyLabels
    )


def test_labels_of_a_cluster_count_as_their_likeness_says():
    rng = np.random.default_rng(14)
    confidence, right = usual(rng, 1200)
    case = np.repeat(np.arange(300), 4)
    known = np.ones(1200, dtype=bool)
    apart = RowCase(log_of(confidence, right, known, case=case), ValueQuestion(CheckCost(0.1)))
    copied = RowCase(
        log_of(np.repeat(confidence[:300], 4), np.repeat(right[:300], 4), known, case=case),
        ValueQuestion(CheckCost(0.1)),
    )
    assert posterior_of(apart.places, is_weighted=False).n_labelled_ > 1000
    assert posterior_of(copied.places, is_weighted=False).n_labelled_ == pytest.approx(300)


def test_that_answering_all_was_never_tried_is_said_with_its_labels():
    rng = np.random.default_rng(15)
    confidence = 1 - rng.beta(0.3, 6, 4000) / 2
    right = rng.random(4000) < 0.995
    labelled = np.arange(4000) < 60
    right[:60] = True
    answer = answer_question(log_of(confidence, right, labelled), ValueQuestion(CheckCost(0.01)))
    best = answer.tomorrow.best
    assert not best.decided
    content = value_object(answer)["recommended"]
    assert content["undecided"] == best.reason
    if best.reason == "untested":
        assert "Whether letting the model decide all is as good is not known yet" in words_of(
            answer
        )


def test_few_labels_never_decide():
    rng = np.random.default_rng(17)
    confidence, right = usual(rng, 2000)
    labelled = np.arange(2000) < 9
    answer = answer_question(log_of(confidence, right, labelled), ValueQuestion(CheckCost(0.5)))
    assert answer.tomorrow.best.reason == "few labels"
    assert "Not decided yet" in words_of(answer)


def test_a_fall_a_misfit_and_a_stretch_are_told_on_the_page():
    rng = np.random.default_rng(16)
    confidence = 1 - rng.beta(0.6, 2.2, 6000) / 2
    right = rng.random(6000) < np.where(confidence > 0.95, 0.5, 0.97)
    answer = answer_question(
        log_of(confidence, right, np.arange(6000) < 2000), ValueQuestion(CheckCost(0.1))
    )
    words, whole = words_of(answer), value_object(answer)
    content = whole["recommended"]
    fall = content["fall"]
    assert "are right less often than the next" in words
    assert f"{fall['right'][0]:.0f} of {fall['labels'][0]:.0f} against" in words
    assert "where the other confidences would make one expect" in words
    assert "Deciding alone only between" in words
    assert content["misfit"]["high"] is None
    assert whole["reasons"]["recommended.misfit.high"]
    assert content["interval_rule"]["saving_per_1000"] > 50
    sound = answer_question(
        log_of(*usual(rng, 6000), np.arange(6000) < 2000), ValueQuestion(CheckCost(0.1))
    )
    content = value_object(sound)
    for name in ("fall", "misfit", "interval_rule"):
        assert content["recommended"][name] is None
        assert content["reasons"][f"recommended.{name}"]
    assert "are right less often than the next" not in words_of(sound)
