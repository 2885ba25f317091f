"""The scoreboard: the page's table is that of the stored run, and the rows that need nothing come back."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def oracles():
    spec = importlib.util.spec_from_file_location("oracles", ROOT / "benchmarks" / "oracles.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["oracles"] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["oracles"]


@pytest.fixture(scope="module")
def stored():
    return json.loads((ROOT / "benchmarks" / "oracles.json").read_text(encoding="utf-8"))


def test_the_page_shows_the_stored_run(oracles, stored):
    page = (ROOT / "docs" / "evidence" / "oracles.md").read_text(encoding="utf-8")
    between = page.split(oracles.BEGIN)[1].split(oracles.END)[0]
    assert between.strip() == oracles.table(stored).strip()
    assert not stored["missing"]
    assert {row["part"] for row in stored["rows"]} == set(oracles.ORACLES)


@pytest.mark.parametrize("part", ["intervals", "areas", "thresholds"])
def test_what_needs_no_oracle_of_its_own_comes_back(oracles, stored, part):
    """Counts and verdicts; of differences that they are rounding again, or nothing."""
    again = oracles.run([part])["rows"]
    before = [row for row in stored["rows"] if row["part"] == part]
    for now, then in zip(again, before, strict=True):
        assert (now["question"], now["cases"], now["verdict"]) == (
            then["question"],
            then["cases"],
            then["verdict"],
        )
        assert now["difference"].split()[0] == "0" or float(now["difference"].split()[0]) < 1e-9


def test_an_oracle_that_is_missing_is_said_to_be(oracles, monkeypatch):
    def none(name):
        raise oracles.Missing(f"{name} is not installed")

    monkeypatch.setattr(oracles, "version", none)
    found = oracles.run(["independent", "crowds"])
    assert found["missing"] == {
        "independent": "ntqr is not installed",
        "crowds": "crowd-kit is not installed",
    }
    assert "Not asked: crowds, since crowd-kit is not installed." in oracles.table(found)


def test_publishing_leaves_the_rest_of_a_page(oracles, tmp_path):
    page = tmp_path / "page.md"
    page.write_text(f"before\n{oracles.BEGIN}\nold\n{oracles.END}\nafter\n", encoding="utf-8")
    row = oracles.Row("asked", "oracle 1", 3, "0", "both")._asdict()
    oracles.publish({"rows": [row], "missing": {}}, page)
    text = page.read_text(encoding="utf-8")
    assert "| asked | oracle 1 | 3 | 0 | both |" in text
    assert "old" not in text
    assert text.startswith("before")
    assert text.endswith("after\n")
