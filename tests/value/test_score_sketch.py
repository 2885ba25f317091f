"""The score sketch: laws of counting, the curve that it gives, and how far that can be off."""

from __future__ import annotations

import functools
import operator

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st

from askpoint.errors import InputError, NotEstimableError, SketchError
from askpoint.measures.sketch_bytes import pack_arrays
from askpoint.value.curve import ValueCurve
from askpoint.value.sketch.bins import BINS, LinearBins, RelativeBins
from askpoint.value.sketch.score_sketch import ScoreSketch

SLOW = settings(deadline=None, max_examples=60)
SCORE = st.sampled_from([0.0, 0.25, 0.5, 0.999, 1.0]) | st.floats(0, 1)
CASE = st.tuples(st.sampled_from([True, False, None]), SCORE)
CASES = st.lists(CASE, max_size=30)
KIND = st.sampled_from(list(BINS))


def sketch_of(cases, bins="relative", measure="max_probability"):
    sketch = ScoreSketch(measure, bins)
    sketch.update_many(*map(list, zip(*cases, strict=True)) if cases else ([], []))
    return sketch


def shapes(u):
    """Four shapes of confidence from uniform numbers; 42% of the last lie within 2^-17 of 1."""
    saturated = np.where(u < 0.58, 0.5 + u / 1.16, 1 - (1 - u) / 0.42 * 2.0**-17)
    return {
        "uniform": 0.5 + u / 2,
        "sure": 1 - (1 - u) ** 4 / 2,
        "few values": 0.5 + np.floor(33 * u) / 64,
        "saturated": saturated,
    }


SHAPES = list(shapes(np.zeros(1)))


def truth(confidence):
    """Right a little less often than the model says."""
    return np.clip(confidence - 0.02 * (1 - confidence) - 1e-4, 0, 1)


def draw(shape, n, seed=0):
    rng = np.random.default_rng(seed)
    confidence = shapes(rng.random(n))[shape].astype(np.float32)
    return rng.random(n) < truth(confidence), confidence


@SLOW
@given(CASES, CASES, CASES, KIND)
def test_merging_is_a_sum(first, second, third, kind):
    a, b, c = (sketch_of(cases, kind) for cases in (first, second, third))
    whole = sketch_of(first + second + third, kind)
    assert (a + b) + c == a + (b + c) == c + a + b == whole
    assert a + ScoreSketch(bins=kind) == a
    assert ((a + b) + c).to_bytes() == whole.to_bytes()
    assert whole.n_items == len(first + second + third)
    assert whole.n_labelled == sum(right is not None for right, _ in first + second + third)


@SLOW
@given(CASES, KIND, st.randoms(use_true_random=False))
def test_one_by_one_in_any_order_is_many_at_once(cases, kind, random):
    one = ScoreSketch(bins=kind)
    for right, confidence in random.sample(cases, len(cases)):
        one.update(right, confidence)
    assert one == sketch_of(cases, kind)


@SLOW
@given(CASES, KIND)
def test_bytes_round_trip(cases, kind):
    sketch = sketch_of(cases, kind, "margin")
    back = ScoreSketch.from_bytes(sketch.to_bytes())
    assert back == sketch
    assert repr(back) == repr(sketch)
    back.update(True, 0.5)  # and can be added to
    assert back.n_items == sketch.n_items + 1


def test_merging_leaves_the_other_alone():
    one, other = sketch_of([(True, 0.5)]), sketch_of([(False, 0.5)])
    both = one + other
    one.merge(other)
    assert one == both
    assert (other.n_items, both.n_items) == (1, 2)
    both.update(None, 0.1)
    assert one.n_items == 2


def test_a_day_in_parts_is_the_day():
    right, confidence = draw("saturated", 50_000)
    whole = ScoreSketch()
    whole.update_many(right, confidence)
    parts = []
    for part in np.array_split(np.arange(50_000), 7):
        parts.append(ScoreSketch())
        parts[-1].update_many(right[part], confidence[part])
    assert functools.reduce(operator.add, parts) == whole


@SLOW
@given(CASES.filter(lambda cases: any(right is not None for right, _ in cases)))
def test_distinct_bins_give_the_exact_curve(cases):
    cases = [(right, float(np.float32(score))) for right, score in cases]
    labelled = [case for case in cases if case[0] is not None]
    exact = ValueCurve.from_outcomes(*map(list, zip(*labelled, strict=True)))
    curve = sketch_of(cases, "distinct").curve()
    for name in ("right", "wrong", "items"):
        assert getattr(curve, name).tolist() == getattr(exact, name).tolist()
    # each the least double that rounds to the float32
    assert curve.thresholds.astype(np.float32).tolist() == exact.thresholds.tolist()
    assert (curve.thresholds <= exact.thresholds).all()


@SLOW
@given(CASES.filter(lambda cases: any(right is not None for right, _ in cases)), KIND)
def test_a_threshold_does_what_the_curve_says(cases, kind):
    if kind == "distinct":
        cases = [(right, float(np.float32(score))) for right, score in cases]
    curve = sketch_of(cases, kind).curve()
    for threshold, right, wrong in zip(curve.thresholds, curve.right, curve.wrong, strict=True):
        answered = [truth for truth, score in cases if score >= threshold]
        assert (answered.count(True), answered.count(False)) == (right, wrong)


@SLOW
@given(CASES, KIND)
def test_cells_hold_all_cases(cases, kind):
    sketch = sketch_of(cases, kind)
    cells = sketch.cells()
    assert (np.diff(cells.lowest) < 0).all()
    assert (cells.lowest <= cells.highest).all()
    for counts, kind_of_case in zip(cells[2:], (True, False, None), strict=True):
        assert counts.sum() == sum(right is kind_of_case for right, _ in cases)
    assert (cells.right + cells.wrong + cells.unlabelled > 0).all()


RHO = np.append(np.geomspace(1e-6, 1, 400), np.linspace(0.01, 1, 100))
OMEGA = np.geomspace(1, 1e5, 100)


def profit_lost(exact, sketch):
    """What thresholds between bins lose of the greatest expected profit, at the worst price."""
    lost = exact.expected_profit(RHO) - sketch.curve().expected_profit(RHO)
    assert lost.min() >= -1e-12
    best = exact.value(OMEGA)
    assert (sketch.curve().value(OMEGA) <= best + 1e-12).all()
    assert (best <= sketch.bound(OMEGA) + 1e-12).all()
    return lost.max()


@pytest.mark.parametrize("shape", SHAPES)
def test_the_profit_lost_without_chance(shape):
    """A million cases at each of many confidences: what is lost comes from the bins alone."""
    confidence = shapes((np.arange(1 << 18) + 0.5) / (1 << 18))[shape].astype(np.float32)
    right = np.round(1e6 * truth(confidence)).astype(np.int64)
    relative, exact = (
        ScoreSketch.from_counts(confidence, right, 1_000_000 - right, bins=kind)
        for kind in ("relative", "distinct")
    )
    assert profit_lost(exact.curve(), relative) <= 2e-5


@pytest.mark.parametrize("shape", SHAPES)
def test_the_profit_lost_is_far_below_chance(shape):
    """With few cases the very best threshold is the best by luck; the bins miss some of that."""
    right, confidence = draw(shape, 200_000)
    exact = ValueCurve.from_outcomes(right, confidence)
    sketch = ScoreSketch()
    sketch.update_many(right, confidence)
    assert profit_lost(exact, sketch) <= exact.band() / 30


@pytest.mark.soak
@pytest.mark.parametrize("shape", SHAPES)
def test_the_profit_lost_on_ten_million_cases(shape):
    right, confidence = draw(shape, 10_000_000)
    sketch = ScoreSketch()
    sketch.update_many(right, confidence)
    assert profit_lost(ValueCurve.from_outcomes(right, confidence), sketch) <= 2e-5


def test_linear_bins_do_not_see_what_is_nearly_certain():
    right, confidence = draw("saturated", 200_000)
    exact = ValueCurve.from_outcomes(right, confidence)
    values = {}
    for kind in ("relative", "linear"):
        sketch = ScoreSketch(bins=kind)
        sketch.update_many(right, confidence)
        values[kind] = sketch.curve().value(20_000.0)
    assert values["relative"] > 0.9 * exact.value(20_000.0) > 0
    assert values["linear"] == 0


def test_the_bound_by_its_formula():
    rng = np.random.default_rng(3)
    sketch = ScoreSketch(bins=LinearBins(n_bins=8))
    sketch.update_many(rng.random(300) < 0.7, rng.random(300))
    cells = sketch.cells()
    for omega in (0.0, 0.5, 2.0, 30.0):
        before = [sum(cells.right[:b]) - omega * sum(cells.wrong[:b]) for b in range(8)]
        expected = (
            max(value + right for value, right in zip(before, cells.right, strict=True)) / 300
        )
        assert sketch.bound(omega) == pytest.approx(expected, abs=1e-15)
    assert sketch.bound(np.array([2.0]))[0] == sketch.bound(2.0)
    with pytest.raises(InputError, match="omega must be a finite number, 0 or more"):
        sketch.bound(-1.0)


def test_the_bound_is_reached():
    # all right cases of a bin surer than its wrong ones: the value is the bound
    bins = LinearBins(n_bins=2)
    sketch = ScoreSketch(bins=bins)
    right, confidence = [True, True, False, False], [0.9, 0.8, 0.7, 0.6]
    sketch.update_many(right, confidence)
    best = ValueCurve.from_outcomes(right, confidence).value(5.0)
    assert sketch.bound(5.0) == best == 0.5
    assert sketch.curve().value(5.0) == 0


OUTCOMES = {
    "booleans": np.array([True, False, True]),
    "zeros and ones": [1, 0, 1],
    "floats": [1.0, 0.0, 1.0],
    "objects": np.array([True, 0, 1.0], dtype=object),
    "pandas": pd.Series([True, False, True], dtype="boolean"),
}


@pytest.mark.parametrize("right", OUTCOMES.values(), ids=OUTCOMES)
def test_outcomes_of_any_type(right):
    sketch = ScoreSketch()
    sketch.update_many(right, [0.5, 0.5, 0.5])
    cells = sketch.cells()
    assert (cells.right, cells.wrong, cells.unlabelled) == (2, 1, 0)


GAPS = {
    "None": [True, None, False],
    "NaN": [1.0, np.nan, 0.0],
    "NA": pd.Series([True, pd.NA, False], dtype="boolean"),
    "masked": np.ma.array([True, True, False], mask=[0, 1, 0]),
    "masked floats": np.ma.array([1.0, 7.0, 0.0], mask=[0, 1, 0]),
    "masked objects": np.ma.array([True, "?", False], mask=[0, 1, 0], dtype=object),
}


@pytest.mark.parametrize("right", GAPS.values(), ids=GAPS)
def test_missing_outcomes_are_unlabelled(right):
    sketch = ScoreSketch()
    sketch.update_many(right, [0.5, 0.5, 0.5])
    cells = sketch.cells()
    assert (cells.right, cells.wrong, cells.unlabelled) == (1, 1, 1)
    assert (sketch.n_items, sketch.n_labelled) == (3, 2)


def test_nothing_labelled():
    sketch = ScoreSketch()
    sketch.update_many([None, np.nan], [0.5, 0.6])
    sketch.update_many(np.ma.masked_all(2, dtype=bool), [0.5, 0.6])
    assert (sketch.n_items, sketch.n_labelled) == (4, 0)
    for use in (sketch.curve, lambda: sketch.bound(1.0), ScoreSketch().curve):
        with pytest.raises(NotEstimableError, match="no case of the sketch has a label"):
            use()


@pytest.mark.parametrize(
    ("right", "confidence", "message"),
    [
        ([True, False], [0.5], "right and confidence must have one entry per item: got 2 and 1"),
        ([2], [0.5], "right must hold booleans, or zeros and ones"),
        (["yes"], [0.5], "right must be numbers"),
        (True, [0.5], "right must have 1 dimension; got 0"),
        ([[True]], [0.5], "right must have 1 dimension; got 2"),
        ([True, True], [0.5, 1.5], "between 0 and 1 for these bins; got 1.5 in row 1"),
        ([True], [-0.1], "between 0 and 1 for these bins; got -0.1 in row 0"),
        ([True], [np.nan], "confidence holds 1 missing or infinite value"),
        ([True], [None], "confidence holds 1 missing or infinite value"),
        ([True], ["sure"], "confidence must be numbers"),
    ],
)
def test_what_cannot_be_counted(right, confidence, message):
    sketch = ScoreSketch()
    with pytest.raises(InputError, match=message):
        sketch.update_many(right, confidence)
    if np.ndim(right) == 1 and len(right) == 1:
        with pytest.raises(InputError, match=message):
            sketch.update(right[0], confidence[0])
    assert sketch.n_items == 0
    assert sketch == ScoreSketch()


def test_counts_that_are_there_already():
    sketch = ScoreSketch.from_counts([0.9, 0.6, 0.9], [3, 1, 2], [0, 4, 1], [7, 0, 0])
    again = ScoreSketch()
    again.update_many([True] * 6 + [False] * 5 + [None] * 7, [0.9] * 5 + [0.6] * 5 + [0.9] * 8)
    assert sketch == again
    assert ScoreSketch.from_counts([], [], []) == ScoreSketch()
    many = ScoreSketch.from_counts([0.5], [2**62], [2**62 - 1])
    assert many.curve().accuracy == 0.5
    assert ScoreSketch.from_bytes(many.to_bytes()).n_items == 2**63 - 1


@pytest.mark.parametrize(
    ("right", "wrong", "unlabelled", "message"),
    [
        ([-1], [0], None, "counts must be integers, 0 or more; got -1"),
        ([1], [0], [-3], "counts must be integers, 0 or more; got -3"),
        ([0.5], [0], None, "counts must be integers, 0 or more; got 0.5"),
        ([1, 2], [0], None, "give one count for each of the 1 confidences; got 2"),
    ],
)
def test_counts_that_are_none(right, wrong, unlabelled, message):
    with pytest.raises(InputError, match=message):
        ScoreSketch.from_counts([0.5], right, wrong, unlabelled)
    with pytest.raises(InputError, match="between 0 and 1"):
        ScoreSketch.from_counts([3], [1], [1])


def test_too_many_to_count():
    full = ScoreSketch.from_counts([0.5], [2**63 - 1], [0])
    for use in (
        lambda: full.update(True, 0.5),
        lambda: full.update_many([True], [0.5]),
        lambda: full + sketch_of([(True, 0.5)]),
        lambda: ScoreSketch.from_counts([0.5, 0.5], [2**62, 2**62], [0, 0]),
        lambda: ScoreSketch.from_counts([0.5], np.array([2**63], dtype=np.uint64), [0]),
        lambda: ScoreSketch.from_counts([0.5], [2**70], [0]),
    ):
        with pytest.raises(SketchError, match=r"a sketch counts fewer than 2\^63 cases"):
            use()
    assert full.n_items == 2**63 - 1


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (ScoreSketch("margin"), "of other measure .* 'max_probability' and 'margin'"),
        (ScoreSketch(bins="linear"), "of other bins .* RelativeBins.* and LinearBins"),
        (ScoreSketch(bins=RelativeBins(0, 2)), "of other bins .* and RelativeBins.low=0, high=2"),
    ],
)
def test_sketches_that_do_not_belong_together(other, message):
    sketch = sketch_of([(True, 0.5)])
    with pytest.raises(SketchError, match=message):
        sketch.merge(other)
    with pytest.raises(SketchError, match="cannot be merged"):
        other + sketch
    assert sketch != other
    assert sketch.n_items == 1


def test_what_is_no_sketch():
    sketch = ScoreSketch()
    with pytest.raises(TypeError):
        sketch + 1
    assert sketch != 1
    with pytest.raises(TypeError, match="unhashable"):
        hash(sketch)
    for measure in ("", None, 3):
        with pytest.raises(InputError, match="measure must name what the confidence is; got"):
            ScoreSketch(measure)
    with pytest.raises(InputError, match="bins must be one of relative, linear, distinct"):
        ScoreSketch(bins="log")


DATA = sketch_of([(True, 0.5), (None, 0.75)], LinearBins(0.0, 1.0, 4)).to_bytes()


def test_truncated_bytes():
    for length in range(len(DATA)):
        with pytest.raises(SketchError):
            ScoreSketch.from_bytes(DATA[:length])


def test_corrupted_bytes():
    for place in range(len(DATA)):
        changed = bytearray(DATA)
        changed[place] ^= 0x10
        with pytest.raises(SketchError):
            ScoreSketch.from_bytes(bytes(changed))


BINS_HEADER = {"kind": "relative", "low": 0.0, "high": 1.0}
ONE = np.array([3], dtype=np.int64)


@pytest.mark.parametrize(
    ("header", "arrays"),
    [
        ({"measure": "margin"}, [ONE, ONE]),
        ({"bins": dict(BINS_HEADER)}, [ONE, ONE]),
        ({"measure": "", "bins": dict(BINS_HEADER)}, [ONE, ONE]),
        ({"measure": "margin", "bins": {"kind": "log"}}, [ONE, ONE]),
        ({"measure": "margin", "bins": {"kind": "linear", "low": 2.0}}, [ONE, ONE]),
        ({"measure": "margin", "bins": {"kind": "linear", "width": 2.0}}, [ONE, ONE]),
        ({"measure": "margin", "bins": dict(BINS_HEADER)}, [ONE]),
        ({"measure": "margin", "bins": dict(BINS_HEADER)}, [ONE, -ONE]),
        ({"measure": "margin", "bins": dict(BINS_HEADER)}, [ONE, np.append(ONE, 1)]),
        ({"measure": "margin", "bins": dict(BINS_HEADER)}, [ONE.astype(float), ONE]),
    ],
)
def test_bytes_that_make_no_sense(header, arrays):
    with pytest.raises(SketchError, match="these bytes are not a score sketch: "):
        ScoreSketch.from_bytes(pack_arrays("score sketch", header, *arrays))


def test_bytes_of_something_else():
    with pytest.raises(SketchError, match="are no score sketch that this version of askpoint"):
        ScoreSketch.from_bytes(pack_arrays("vote sketch", {}))


def test_memory_stays_bounded():
    sketch = ScoreSketch()
    rng = np.random.default_rng(0)
    for _ in range(4):
        sketch.update_many(rng.random(100_000) < 0.5, 1 - 10 ** rng.uniform(-17, 0, 100_000))
    assert sketch.n_items == 400_000
    assert len(sketch.to_bytes()) < 3 * 16_257 * 16 + 300
    assert len(sketch.cells().right) < 16_257


def test_distinct_bins_answer_the_cases_that_they_count():
    confidence = np.repeat([0.9, 0.7, 0.6, 0.5], 100)
    sketch = ScoreSketch(bins="distinct")
    sketch.update_many(np.tile([True] * 9 + [False], 40), confidence)
    for k, threshold in enumerate(sketch.curve().thresholds[1:], start=1):
        assert (confidence >= threshold).sum() == 100 * k
        assert (confidence.astype(np.float32) >= threshold).sum() == 100 * k
