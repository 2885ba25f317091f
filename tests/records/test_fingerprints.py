"""A fingerprint sees the cells and their order, not how they came."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from askpoint.records.fingerprints import Fingerprint


def as_read(names):
    """Whole numbers if all are, else texts, as the reader of logs has it."""
    whole = all(name.isdecimal() and str(int(name)) == name and len(name) < 19 for name in names)
    return np.array([int(name) for name in names]) if whole else np.array(names, dtype=object)


def of(names, cuts=()):
    found = Fingerprint()
    for start, end in zip([0, *cuts], [*cuts, len(names)], strict=True):
        if start < end:
            found.add_ids(as_read(names[start:end]))
    return found.digest()


NAMES = st.lists(st.sampled_from(["1", "2", "12", "01", "x", "x1", "-", "9" * 30]), min_size=1)


@given(NAMES, st.data())
def test_ids_in_any_batches(names, data):
    cuts = sorted(data.draw(st.lists(st.integers(0, len(names)), max_size=4)))
    assert of(names, cuts) == of(names)


@given(NAMES, NAMES)
def test_other_ids_differ(one, two):
    assert (of(one) == of(two)) == (one == two)


@given(st.lists(st.text(max_size=3)), st.lists(st.text(max_size=3)))
def test_texts_in_two_batches(one, two):
    whole, parts = Fingerprint(), Fingerprint()
    whole.add_texts("a", [*one, *two])
    parts.add_texts("a", one)
    parts.add_texts("a", two)
    assert whole.digest() == parts.digest()
    assert bool(whole) == bool(one or two)


@pytest.mark.parametrize("other", [("b", "<f4", 1), ("a", "<f8", 1), ("a", "<f4", 2)])
def test_names_types_and_widths_count(other):
    name, kind, width = other
    one, two = Fingerprint(), Fingerprint()
    one.add_numbers("a", np.zeros(4), "<f4")
    two.add_numbers(name, np.zeros((4, width)) if width > 1 else np.zeros(4), kind)
    assert one.digest() != two.digest()
