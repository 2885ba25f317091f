"""costs.json comes back as it went; what cannot be used names its file."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from askpoint.errors import CostsError, InputError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.records.costs import read_costs, write_costs

COSTS = CostMatrix(
    ["ja", "nein", "weiß nicht"],
    [[0, 5, 1], [2.5, 0, 1], [1, 1, 0]],
    reject_cost=[0.5, 0.25, 0.1],
    unit="€",
    interval={"ja": [1, 2]},
    source={"method": "stated"},
)


@given(st.lists(st.floats(0, 1e6), min_size=6, max_size=6), st.none() | st.floats(0, 1e6))
@settings(
    deadline=None, max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_costs_come_back(tmp_path, cells, reject):
    cells = [cell + 1e-3 for cell in cells]
    matrix = [[0, *cells[:2]], [cells[2], 0, cells[3]], [*cells[4:], 0]]
    costs = CostMatrix(["a", "b", "c"], matrix, reject_cost=reject)
    write_costs(costs, tmp_path / "costs.json")
    assert read_costs(tmp_path / "costs.json") == costs


def test_a_file_is_replaced_and_is_utf8(tmp_path):
    path = tmp_path / "costs.json"
    path.write_text("x" * 10_000)
    write_costs(COSTS, path)
    assert read_costs(str(path)) == COSTS
    assert "weiß nicht" in path.read_bytes().decode("utf-8")
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())  # as some editors save it
    assert read_costs(path) == COSTS


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "costs.json: costs must be a JSON object: Expecting value"),
        (b'{"classes": ["a"', "costs.json: costs must be a JSON object: "),
        (b"[]", "costs.json: costs must be a JSON object; got list"),
        (b"\xff\xfe\x00", "costs.json cannot be read: it is not UTF-8 text"),
        (b"{}", 'costs.json: costs must name their axes: "rows": "truth" and "columns"'),
        (
            COSTS.to_json().replace("2.5", "-2.5").encode(),
            "costs.json: cost must not be negative; got -2.5",
        ),
        (
            COSTS.to_json().replace('"ja": 2.5,', "").encode(),
            "costs.json: costs lack the cell truth 'nein', decision 'ja'",
        ),
        (
            COSTS.to_json().replace('"nein": 0.0', '"nein": 3.0').encode(),
            "costs.json: a mistake must not pay: with truth 'nein' the decision 'ja' costs 2.5",
        ),
        (
            b'{"rows": "truth", "columns": "decision", "classes": ["a"], "cost": {"a": {"a": 0}}}',
            "costs.json: a classifier decides between at least two classes; got 1 ('a')",
        ),
    ],
)
def test_costs_that_cannot_be_used(tmp_path, monkeypatch, content, expected):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "costs.json").write_bytes(content)
    with pytest.raises(CostsError) as caught:
        read_costs("costs.json")
    assert expected in str(caught.value)
    assert "\n" not in str(caught.value)


def test_directories(tmp_path):
    with pytest.raises(CostsError, match="cannot be read: Is a directory"):
        read_costs(tmp_path)
    with pytest.raises(InputError, match="cannot be written: Is a directory"):
        write_costs(COSTS, tmp_path)
    assert os.listdir(tmp_path) == []
