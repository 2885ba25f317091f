"""As many icons as cases, none twice; and each person's interval where it lies."""

from __future__ import annotations

import re

import pytest

from askpoint.displays.icons import icon_array
from askpoint.displays.stakeholders import StakeholdersDisplay
from askpoint.errors import InputError
from askpoint.measures.intervals import Interval


@pytest.mark.parametrize(
    ("right", "wrong"), [(0, 0), (3, 1), (40, 0), (0, 41), (178, 80), (4990, 10)]
)
def test_each_case_is_one_square(right, wrong):
    drawn = icon_array([("right", right), ("wrong", wrong)])
    columns, rows = map(int, re.search(r"viewBox=\"0 0 (\d+) (\d+)\"", drawn).groups())
    places = []
    for path in re.findall(r'd="(.*?)"', drawn):
        for x, y, width in re.findall(r"M(\d+) ([\d.]+)h(\d+)", path):
            places += [(int(float(y)), int(x) + i) for i in range(int(width))]
    assert places == [divmod(i, columns) for i in range(right + wrong)]
    assert rows <= 25
    assert len(drawn) < 2000


def test_people_stand_in_their_order_with_their_intervals():
    people = [("Ana", 20.0, Interval(15, 26)), ("B" * 40, 5.0, Interval(3, 8))]
    ax = StakeholdersDisplay(people).plot().ax_
    assert [line.get_xdata().tolist() for line in ax.lines[::2]] == [[15, 26], [3, 8]]
    assert [line.get_xdata().tolist() for line in ax.lines[1::2]] == [[20], [5]]
    assert ax.get_yticklabels()[1].get_text() == "B" * 24 + "…"
    with pytest.raises(InputError, match="nobody"):
        StakeholdersDisplay([])
