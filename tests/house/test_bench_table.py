"""The table of speed: its law finds exponents that are known, and a run's tables find their place."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import numpy as np
import pytest

HOME = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def table():
    spec = importlib.util.spec_from_file_location("table", HOME / "benchmarks" / "table.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("exponent", "fixed"), [(1, 0), (1, 0.02), (2, 0.02), (0.5, 0.001)])
def test_a_law_is_found_again(table, exponent, fixed):
    rng = np.random.default_rng(0)
    sizes = [10, 30, 100, 300, 1000]
    exact = {n: fixed + 1e-4 * n**exponent for n in sizes}
    found = table.law({n: [t] * 3 for n, t in exact.items()})
    assert found["exponent"] == pytest.approx(exponent, abs=1e-3)
    assert found["fixed"] == pytest.approx(fixed, abs=1e-4)
    noisy = {n: (t * rng.uniform(1, 1.02, 7)).tolist() for n, t in exact.items()}
    low, high = table.law(noisy)["interval"]
    assert low - 0.05 < exponent < high + 0.05
    assert high - low < 0.3
    assert table.law({n: [1.0] for n in sizes[:3]}) is None


def test_tables_are_published_between_their_marks(table, tmp_path):
    run, page = tmp_path / "run.json", tmp_path / "page.md"
    about = {"date": "2026-01-02", "cores": 2, "processor": "some", "load": 0.2, "load_after": 1.1}
    packages = {"packages": {"numpy": "2", "duckdb": None}, "rounds": 2, "python": "3.11"}
    line = {"bar": 4, "ours": [0.2, 0.4], "peer": [0.1, 0.1]}
    grown = {"times": {"10": [0.5, 0.7]}, "law": None}
    found = {"lines": {"a; b": line}, "growth": {"rows": grown}, "missing": ["c: not here"]}
    run.write_text(json.dumps(found | {"about": about | packages}))
    page.write_text(f"before\n{table.BEGIN}\nold\n{table.END}\nafter\n")
    table.publish(run, page)
    table.publish(run, page)
    text = page.read_text()
    assert text.startswith(f"before\n{table.BEGIN}\n\n| what;")
    assert text.endswith(f"{table.END}\nafter\n")
    assert "old" not in text
    assert "| a; b | 0.3 s | 0.1 s | 3.00 (2.50 to 3.50) | 4 | kept |" in text
    assert "load 0 to 1; 2 rounds; Python 3.11, numpy 2. c: not here." in text
    page.write_text("nothing")
    with pytest.raises(SystemExit, match="has no place"):
        table.publish(run, page)


def test_the_page_has_the_place(table):
    page = (HOME / "docs" / "evidence" / "benchmarks.md").read_text()
    assert page.index(table.BEGIN) < page.index(table.END)
