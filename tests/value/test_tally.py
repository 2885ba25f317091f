"""A tally against Python's own counter."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given, settings, strategies as st

from askpoint.value.sketch.tally import IntegerCounts

NEAR = st.integers(-5, 5)
FAR = st.integers(-(2**62), 2**62)
BATCH = st.lists(NEAR, max_size=12) | st.lists(NEAR | FAR, max_size=6)
STEP = (
    st.tuples(st.just("one"), NEAR | FAR)
    | st.tuples(st.just("many"), BATCH)
    | st.tuples(st.just("counts"), st.lists(st.tuples(NEAR | FAR, st.integers(0, 2**40))))
    | st.tuples(st.just("look"), st.none())
)


def held(tally):
    values, counts = tally.cells()
    assert values.dtype == counts.dtype == np.int64
    return values.tolist(), counts.tolist()


@settings(deadline=None)
@given(st.lists(STEP, max_size=12))
def test_it_counts(steps):
    tally, counter = IntegerCounts(), Counter()
    for kind, content in steps:
        if kind == "one":
            tally.add_one(content)
            counter[content] += 1
        elif kind == "many":
            tally.add(np.array(content, dtype=np.int64))
            counter.update(content)
        elif kind == "counts":
            values, counts = np.array(content, dtype=np.int64).reshape(-1, 2).T
            tally.add_counts(values, counts)
            for value, count in content:
                counter[value] += count
        else:
            held(tally)
    assert held(tally) == (
        sorted(value for value in counter if counter[value]),
        [counter[value] for value in sorted(counter) if counter[value]],
    )


def test_single_ones_are_merged_in_time():
    tally = IntegerCounts()
    for i in range(20_000):
        tally.add_one(i % 3)
    assert len(tally._waiting) < 20_000
    assert held(tally) == ([0, 1, 2], [6667, 6667, 6666])
