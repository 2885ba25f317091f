"""Counting from the surest case on, whatever the floats."""

from __future__ import annotations

import numpy as np
import pytest

from askpoint.value import cumulative_counts as staircase
from askpoint.value.cumulative_counts import count_staircase, sum_staircase


def counted(right, confidence):
    """The definition: at each distinct confidence, count what is at or above it."""
    levels = sorted({float(c) for c in confidence}, reverse=True)
    rows = [(np.inf, 0, 0, 0)]
    for level in levels:
        above = confidence >= confidence.dtype.type(level)
        rows.append((level, *(int(x.sum()) for x in (right[above], ~right[above], above))))
    return [list(column) for column in zip(*rows, strict=True)]


TINY = np.finfo(np.float64).smallest_subnormal
SCORES = {
    "positive": [0.9, 0.5, 0.9, 0.25, 0.5],
    "negative": [-0.9, -0.5, -0.9, -0.25, -0.5],
    "up to zero": [-1.5, 0.0, -0.0, -1.5, -0.25],
    "from zero": [1.5, 0.0, -0.0, 1.5, 0.25],
    "mixed": [1.5, -0.0, 0.0, -1.5, 1.5, -2.0, TINY, -TINY],
    "all zero": [0.0, -0.0, 0.0],
    "one": [0.5],
    "huge and tiny": [1e300, 1e-300, -1e300, -1e-300, 1e300, TINY],
    "neighbours": [0.5, np.nextafter(0.5, 1), np.nextafter(0.5, 0), 0.5],
    "above two": [3.0, 1.0, 2.0, 1e18, 3.0],
}


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("scores", SCORES.values(), ids=SCORES)
def test_counts_by_definition(scores, dtype):
    with np.errstate(over="ignore", under="ignore"):
        confidence = np.array(scores).astype(dtype)
    confidence = confidence[np.isfinite(confidence)]
    for bits in range(2 ** len(confidence)):
        right = (bits >> np.arange(len(confidence)) & 1).astype(bool)
        found = count_staircase(right, confidence)
        assert [array.tolist() for array in found] == counted(right, confidence)
        assert found[0].dtype == dtype
        assert not np.signbit(found[0][found[0] == 0]).any()


@pytest.mark.parametrize("chunk", [1, 2, 3, 7])
def test_chunks_change_nothing(chunk, monkeypatch, rng):
    right, confidence = rng.random(200) < 0.6, rng.integers(-5, 20, 200) / 8
    whole = count_staircase(right, confidence)
    monkeypatch.setattr(staircase, "_CHUNK", chunk)
    for array, same in zip(count_staircase(right, confidence), whole, strict=True):
        assert array.tolist() == same.tolist()


def test_input_is_left_alone_and_may_have_gaps(rng):
    right, confidence = rng.random(40) < 0.6, rng.random(40)
    copy = confidence.copy()
    found = count_staircase(right[::2], confidence[::2])
    assert found[0].tolist() == [np.inf, *sorted(confidence[::2], reverse=True)]
    assert confidence.tolist() == copy.tolist()


def test_sums_of_ones_are_counts(rng):
    for _ in range(50):
        right, confidence = rng.random(30) < 0.6, rng.integers(-3, 4, 30) / 4
        thresholds, items, (good, bad) = sum_staircase(confidence, right, ~right)
        counts = count_staircase(right, confidence)
        for array, same in zip((thresholds, good, bad, items), counts, strict=True):
            assert array.dtype == same.dtype
            assert array.tolist() == same.tolist()


def test_sums_are_taken_in_double_precision():
    tenth = np.full(1000, 0.1, dtype=np.float32)
    _, _, (total,) = sum_staircase(np.ones(1000, dtype=np.float32), tenth)
    assert total[-1] == pytest.approx(1000 * float(np.float32(0.1)), rel=1e-13)
