"""What counts as a label of an action."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from askpoint.errors import InputError
from askpoint.live.licences.label_rules import NOT_COUNTED, Approval, LabelRules, count_labels

HOUR = 3600.0


def of(decision, seconds=60.0, **more):
    return Approval(decision, reviewer="ann", asked_at=1000.0, decided_at=1000.0 + seconds, **more)


def said(*actions, rules=None, until=None):
    return [one.reason or one.bad for one in count_labels(actions, rules or LabelRules(), until)]


def test_each_kind():
    assert said(of("approve")) == [0.0]
    assert said(of("approve", 0.9)) == ["fast"]
    assert said(of("approve", -5.0)) == ["fast"]  # a clock that went back
    assert said(of("reject", 0.1)) == [1.0]  # always, however fast
    assert said(of("edit", 0.1)) == [1.0]
    assert said(of("edit"), rules=LabelRules(edit=0.25)) == [0.25]
    assert said(of("open"), of("unclear")) == ["open", "unclear"]
    assert said(of("approve", by_person=False), of("reject", by_person=False)) == ["rule", "rule"]
    assert said(of("approve", undone_at=9e9), of("approve", by_person=False, undone_at=9e9)) == [
        1.0,
        1.0,
    ]
    assert said(Approval("approve")) == [0.0]  # a log without times


def test_many_in_one_second_are_not_read():
    five = [Approval("approve", True, "ann", 0.0, 50.0 + i / 10) for i in range(5)]
    assert said(*five) == ["bulk"] * 5
    assert said(*five[:4]) == [0.0] * 4
    other = [Approval("approve", True, f"p{i}", 0.0, 50.0) for i in range(9)]
    assert said(*other) == [0.0] * 9  # nine people
    assert said(*five, Approval("reject", True, "ann", 0.0, 50.0))[-1] == 1.0


def test_a_row_that_was_exported_twice_counts_once():
    row = of("approve", what="refund 20")
    assert said(row, row, row) == [0.0, "repeat", "repeat"]
    assert said(row, of("approve", what="refund 30")) == [0.0, 0.0]  # something else
    assert said(row, of("approve", 61.0, what="refund 20")) == [0.0, 0.0]  # at another moment
    assert said(of("approve"), of("approve")) == [0.0, 0.0]  # nobody says what it was
    timeless = Approval("approve", what="refund 20")
    assert said(timeless, timeless) == [0.0, 0.0]
    bad = of("reject", what="refund 20")
    assert said(bad, bad) == [1.0, 1.0]  # dropping what says wrong might raise evidence
    undone = of("approve", what="refund 20", undone_at=5000.0)
    assert said(undone, undone) == [1.0, 1.0]


def test_copies_are_no_bulk():
    rows = [Approval("approve", True, "ann", 0.0, 50.0, what=f"refund {i % 2}") for i in range(6)]
    assert said(*rows) == [0.0, 0.0, "repeat", "repeat", "repeat", "repeat"]


def test_what_may_still_be_undone_is_no_label():
    late = 1000.0 + 60 + 72 * HOUR
    assert said(of("approve"), until=late) == [0.0]
    assert said(of("approve"), until=late - 1) == ["unsettled"]
    assert said(of("reject"), until=0.0) == [1.0]
    assert said(Approval("approve", asked_at=1000.0), until=1001.0) == ["unsettled"]


@given(st.lists(st.tuples(st.sampled_from(["approve", "reject", "edit", "open", "unclear"]), st.booleans(),
                          st.sampled_from([None, "ann", "bob"]), st.floats(0, 20)), max_size=20),
       st.randoms())  # fmt: skip
def test_labels_do_not_depend_on_the_order_of_rows(rows, random):
    actions = [Approval(kind, person, who, 0.0, at) for kind, person, who, at in rows]
    places = list(range(len(actions)))
    random.shuffle(places)
    found, shuffled = said(*actions), said(*(actions[i] for i in places))
    assert [found[i] for i in places] == shuffled
    assert {one for one in found if isinstance(one, str)} <= set(NOT_COUNTED)


def test_rules_that_cannot_be():
    with pytest.raises(InputError, match="settle_hours is 0 or more"):
        LabelRules(settle_hours=-1)
    with pytest.raises(InputError, match="an edit is wrong by 0 to 1"):
        LabelRules(edit=2)
