"""Pending cases against plain arrays: whatever is appended, labelled or dropped, in whatever order."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from askpoint.live import pending
from askpoint.live.pending import PENDING, UNKNOWN, PendingCases


def rows_of(first, n, rng):
    rows = np.zeros(n, dtype=PENDING)
    rows["seq"] = first + np.cumsum(rng.integers(1, 4, n))
    rows["confidence"] = rng.random(n)
    rows["answered"] = rng.random(n) < 0.2
    rows["wrong"] = UNKNOWN
    return rows


STEPS = st.lists(
    st.tuples(st.sampled_from(["append", "label", "drop"]), st.integers(0, 12)), max_size=40
)


@settings(deadline=None, max_examples=60)
@given(STEPS, st.integers(0, 5))
def test_it_is_an_array_that_shares_what_did_not_change(steps, seed):
    rng = np.random.default_rng(seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pending, "_CHUNK", 5)
        cases, plain, last = PendingCases(), np.empty(0, dtype=PENDING), 0
        lived = []
        for what, n in steps:
            before, was = cases, plain.copy()
            if what == "append":
                rows = rows_of(last, n, rng)
                last = int(rows["seq"][-1]) if n else last
                cases, plain = cases.append_rows(rows), np.concatenate([plain, rows])
            elif what == "drop":
                n = min(n, len(plain))
                cases, plain = cases.drop_head(n), plain[n:]
            else:
                place = np.flatnonzero(rng.random(len(plain)) < n / 24)
                wrong = rng.integers(0, 3, len(place))
                cases, plain = cases.set_labels(place, wrong), plain.copy()
                plain["wrong"][place] = wrong
                assert cases.take(place).tobytes() == plain[place].tobytes()
            assert cases.rows().tobytes() == plain.tobytes()
            assert before.rows().tobytes() == was.tobytes()  # a value is left alone
            assert len(cases) == len(plain)
            assert cases.first_seq == (plain["seq"][0] if len(plain) else None)
            lived.append((before, was))
            for earlier, rows in (lived[-1], lived[rng.integers(len(lived))]):
                same = {row.tobytes() for row in rows}
                changed = cases.find_changes(earlier)
                assert [row for row in plain if row.tobytes() not in same] == list(changed)
            unknown = np.flatnonzero(plain["wrong"] == UNKNOWN)
            assert cases.n_known() == (unknown[0] if len(unknown) else len(plain))
            assert cases.head(n).tobytes() == plain[:n].tobytes()
            wanted = rng.integers(0, last + 2, 6)
            place, found = cases.places_of(wanted)
            assert place.tolist() == np.searchsorted(plain["seq"], wanted).tolist()
            assert found.tolist() == np.isin(wanted, plain["seq"]).tolist()
            behind = plain["seq"][plain["answered"] & (plain["seq"] > wanted[0])]
            assert cases.next_answered(wanted[0]) == (behind[0] if len(behind) else None)
    again = PendingCases(plain)
    assert again.rows().tobytes() == plain.tobytes()
    assert (again["seq"] == plain["seq"]).all()
