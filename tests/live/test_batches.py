"""Batches at the door: what is not of the policy's model is refused, and the message says what to do."""

from __future__ import annotations

from dataclasses import replace

import pytest

from askpoint.errors import InputError
from askpoint.live.batches import DecisionBatch, check_batch, check_classes, check_gold, check_rates

BATCH = DecisionBatch(["a", "b"], ["no", "yes"], [0.9, 0.5], model_version="7")
MODEL = {"version": "7", "classes": ["no", "yes"]}
LADDER = {**MODEL, "ladder": {"stages": ["small", "small+large"]}}
DOCUMENTS = {**MODEL, "documents": {}}


def test_a_batch_of_the_model_passes():
    check_batch(BATCH, MODEL)
    check_batch(BATCH, {"version": "7"})  # classes are not known
    check_batch(replace(BATCH, group=["small", "small+large"]), LADDER)
    check_batch(replace(BATCH, group=["2 fields", "11 fields"]), DOCUMENTS)
    for model in (LADDER, DOCUMENTS):
        check_batch(DecisionBatch([], [], [], model_version="7"), model)


@pytest.mark.parametrize(
    ("changed", "model", "message"),
    [
        ({"prediction": ["no"]}, MODEL, "one key, prediction and confidence for each case"),
        ({"confidence": [0.9]}, MODEL, "one key, prediction and confidence for each case"),
        ({"key": ["a"]}, MODEL, "one key, prediction and confidence for each case"),
        ({"model_version": "8"}, MODEL, "from version '8' of the model, the policy is for '7'"),
        ({}, {"classes": ["no", "yes"]}, "version '7' of the model, and the policy names no version; send them without"),
        ({"prediction": ["no", "perhaps"]}, MODEL, "predicts 'perhaps', which is not among .*: 'no', 'yes'"),
        ({}, LADDER, "the policy is one of a ladder: .* that they took; got None"),
        ({"group": ["small", "large"]}, LADDER, "the policy is one of a ladder: .*; got 'large'"),
        ({}, DOCUMENTS, "the policy decides whole documents by their fields"),
        ({"group": ["2 fields", "2"]}, DOCUMENTS, "the policy decides whole documents by their"),
        ({"group": ["2 fields", None]}, DOCUMENTS, "the policy decides whole documents by their"),
        ({"confidence": [0.9, float("nan")]}, MODEL, "case 'b': confidence must be a number"),
        ({"confidence": [float("inf"), 0.9]}, MODEL, "case 'a': confidence must be a number"),
        ({"confidence": [0.9, 91.5]}, MODEL, "'b' has the confidence 91.5, .* looks like percent: divide it by 100, or"),
        ({"confidence": [-0.1, 0.9]}, MODEL, "'a' has the confidence -0.1, and max_probability takes 0 to 1; deploy"),
    ],
)  # fmt: skip
def test_a_batch_of_something_else_is_refused(changed, model, message):
    with pytest.raises(InputError, match=message):
        check_batch(replace(BATCH, **changed), model)


def test_a_policy_whose_log_had_other_scores_takes_them():
    scores = replace(BATCH, confidence=[0.9, 91.5])
    check_batch(scores, MODEL, {"confidence": [0.0, 100.0]})
    check_batch(scores, {**MODEL, "measure": "a score of ours"})


def test_a_gold_case_comes_with_its_truth_and_no_other_does():
    check_gold(["a", "b"], ["gold", "audit"], ["yes", None])
    for sources, truth in ((["gold", "audit"], [None, None]), (["gold", "audit"], ["yes", "no"])):
        with pytest.raises(InputError, match="gold cases, and no others, come with what is known"):
            check_gold(["a", "b"], sources, truth)


def test_rates_are_not_below_what_was_agreed():
    check_rates({"slang": 0.2, "slurs": 1.0}, 0.2)
    for region, rate in (("slang", 0.19), ("slang", 1.01), ("", 0.5)):
        with pytest.raises(InputError, match=r"must be between the agreed 0\.2 and 1; got"):
            check_rates({region: rate}, 0.2)
    with pytest.raises(InputError, match="the batch labels a case 'maybe', which is not among"):
        check_classes(["no", "maybe"], MODEL, "labels a case")
