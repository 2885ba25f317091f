from __future__ import annotations

from datetime import timedelta

import pytest

from askpoint.errors import InputError
from askpoint.labelling.protocol import Protocol


def test_one_judge_more_breaks_a_tie():
    assert [Protocol(votes=n).most_votes for n in (1, 2, 3)] == [1, 3, 3]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"votes": 0}, "1, 2 or 3 judges"),
        ({"votes": 4}, "1, 2 or 3 judges"),
        ({"claim_time": timedelta(0)}, "claim_time must be longer"),
        ({"overdue_after": timedelta(-1)}, "overdue_after"),
        ({"order": "newest"}, "order"),
        ({"training_items": -1}, "training_items"),
        ({"gold_least": 0}, "gold_least"),
        ({"gold_accuracy": 1.1}, "gold_accuracy"),
        ({"gold_share": -0.1}, "gold_share"),
    ],
)
def test_numbers_outside_their_range(changes, message):
    with pytest.raises(InputError, match=message):
        Protocol(**changes)
