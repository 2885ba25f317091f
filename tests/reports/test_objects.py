"""Answers as JSON: every kind of value, and a reason beside each that is undefined."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from hypothesis import given, strategies as st

from askpoint.measures.intervals import Interval
from askpoint.reports.objects import as_json, record, with_reasons


class Estimate(NamedTuple):
    value: float
    interval: Interval


@dataclass
class Finding:
    found: float
    estimate: Estimate | None
    parts: Any = ()
    reason: str = ""

    @property
    def doubled(self):
        return 2 * self.found


def test_records_are_walked_to_their_leaves():
    finding = Finding(0.5, Estimate(0.25, Interval(np.float64(0), 1)), {3: (np.int64(7), None)})
    assert as_json([finding]) == [
        {
            "found": 0.5,
            "estimate": {"value": 0.25, "interval": [0, 1]},
            "parts": {"3": [7, None]},
            "reasons": {},
        }
    ]


def test_what_is_undefined_has_the_reason_of_its_record():
    finding = Finding(0.5, None, None, "nobody looked")
    assert record(finding, "doubled", "estimate") == {
        "doubled": 1.0,
        "estimate": None,
        "reasons": {"estimate": "nobody looked"},
    }
    assert record(finding, "parts", why="lost")["reasons"] == {"parts": "lost"}
    assert record(Estimate(1.0, Interval(0, 1)), "value") == {"value": 1.0}
    assert with_reasons({"a": 0, "b": None}, "no b") == {
        "a": 0,
        "b": None,
        "reasons": {"b": "no b"},
    }


numbers = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(2**60), 2**60)
values = st.recursive(
    st.none() | st.booleans() | numbers | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(values)
def test_what_is_json_already_stays(value):
    assert as_json(value) == json.loads(json.dumps(value, allow_nan=False))


@given(st.lists(numbers.map(float)))
def test_arrays_are_plain_numbers(numbers):
    content = as_json(np.array(numbers))
    assert content == numbers
    assert all(type(number) is float for number in content)
