"""A confidence that its measure cannot take is refused at every door, with its key and value."""

from __future__ import annotations

import math

import numpy as np
import pytest

from askpoint.errors import InputError
from askpoint.live.batches import DecisionBatch, check_batch
from askpoint.measures.confidence import confidence_range
from askpoint.measures.confidence_measures import CONFIDENCE_MEASURES
from askpoint.records.stores.arguments import read_confidence

CLASSES = ["no", "yes", "perhaps"]


def bounds(measure):
    low, high = confidence_range(measure, 3)
    return min(low, 0.0), high  # what is stated may lie below an even chance


def check(measure, value, evidence=None):
    model = {"classes": CLASSES, "measure": measure}
    check_batch(DecisionBatch(["post 7"], ["no"], [value]), model, evidence or {})


@pytest.mark.parametrize("measure", sorted(CONFIDENCE_MEASURES))
@pytest.mark.parametrize("end", [0, 1])
def test_the_ends_of_the_range_pass_and_what_lies_beyond_does_not(measure, end):
    value, out = bounds(measure)[end], (-1, 1)[end]
    check(measure, value)
    check(measure, value + out * 1e-7)  # as much as single precision loses
    with pytest.raises(InputError, match=f"'post 7' has the confidence .*, and {measure} takes"):
        check(measure, value + out * 1e-3)


@pytest.mark.parametrize("measure", sorted(CONFIDENCE_MEASURES))
@pytest.mark.parametrize("value", [51, 96, -1e308, 1e308, math.nan, math.inf])
def test_what_no_measure_takes(measure, value):
    with pytest.raises(InputError, match="'post 7'") as refused:
        check(measure, value)
    assert ("looks like percent" in str(refused.value)) == (value in (51, 96))


def test_a_log_of_other_scores_is_its_own_scale():
    logits = {"confidence": [-4.0, 9.5]}
    check("max_probability", 12.0, logits)
    with pytest.raises(InputError, match="takes 0 to 1"):
        check("max_probability", 12.0, {"confidence": [0.5, 0.99]})
    check("a plugin's own", 12.0)


@pytest.mark.parametrize("value", [True, "0.9", np.True_, np.array([True])])
def test_what_is_no_number_is_refused_by_the_library(value):
    one = not isinstance(value, np.ndarray)
    with pytest.raises(InputError, match="confidence must be a number"):
        read_confidence(CLASSES, ["x"], "no", value, None, one=one)
    with pytest.raises(InputError, match="probabilities must be numbers"):
        read_confidence(CLASSES[:2], ["x"], None, None, [[True, False]], one=True)


def test_probabilities_are_weighed_by_the_policys_measure():
    row = [[0.7, 0.2, 0.1]]
    for measure, phi in CONFIDENCE_MEASURES.items():
        said, sure = read_confidence(CLASSES, ["x"], None, None, row, one=True, measure=measure)
        assert said == ["no"]
        assert sure == pytest.approx([float(phi(np.array(row))[0])])


def test_a_version_that_the_policy_does_not_name_is_refused_with_what_to_do():
    batch = DecisionBatch(["post 7"], ["no"], [0.9], model_version="7")
    with pytest.raises(
        InputError,
        match="version '7' of the model, and the policy names no version; send them without",
    ):
        check_batch(batch, {"classes": CLASSES, "measure": "max_probability"})
    with pytest.raises(InputError, match="version '7' of the model, the policy is for '8'"):
        check_batch(batch, {"classes": CLASSES, "measure": "max_probability", "version": "8"})
