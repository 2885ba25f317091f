"""The ledger of promises: each adversary does what the page says, and each rule is the one it is called."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path

import numpy as np
import pytest

HOME = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def ledger():
    sys.path.insert(0, str(HOME / "benchmarks"))
    try:
        spec = importlib.util.spec_from_file_location(
            "bench_promises", HOME / "benchmarks" / "bench_promises.py"
        )
        module = importlib.util.module_from_spec(spec)
        sys.modules["bench_promises"] = module
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(HOME / "benchmarks"))
    return module


def sample(ledger, right, confidence, rows=None):
    rows = np.arange(len(confidence)) if rows is None else rows
    return ledger.Sample(confidence, rows, right[rows], 0)


def test_what_five_lines_choose(ledger):
    confidence = np.array([0.99] * 60 + [0.9] * 20 + [0.8] * 20)
    right = np.array([True] * 60 + [True] * 16 + [False] * 4 + [False] * 20)
    told = sample(ledger, right, confidence)
    assert ledger.on_labels(told) == 0.9  # 4 of 80; with the last twenty 24 of 100
    assert ledger.plug_in(told) == 0.9  # means of 1 - c above: .01, .0325, .066
    assert ledger.isotonic(told) == 0.9
    assert ledger.wilson(told) == 0.99  # its bound on 0 of 60 is .043, on 4 of 80 .10
    assert ledger.wilson(sample(ledger, right, confidence, np.arange(50))) == ledger.NEVER


def test_adversaries(ledger):
    rng = np.random.default_rng(1)
    confidence = rng.random(ledger.CASES)
    right = rng.random(ledger.CASES) < 0.5
    drawn = {
        name: adversary(confidence, right, np.random.default_rng(2))
        for name, adversary in ledger.ADVERSARIES.items()
    }
    luck, looks, unsure, successes, copies, careless = drawn.values()
    assert [len(rows) for rows, _ in looks] == list(ledger.LOOKS)
    assert confidence[unsure[0][0]].mean() < 0.45 < confidence[luck[0][0]].mean()
    assert 0.6 < right[successes[0][0]].mean() < 0.73  # two thirds
    assert (np.unique(copies[0][0], return_counts=True)[1] == 4).all()
    rows, told = careless[0]
    assert told[right[rows]].all()
    assert 0.2 < told[~right[rows]].mean() < 0.47  # a third
    for (rows, told), *_ in (luck, unsure, successes, copies):
        assert (told == right[rows]).all()


def test_askpoint_refuses_labels_that_follow_confidence_and_counts_a_case_once(ledger, monkeypatch):
    rules = {name: rule for name, rule in ledger.RULES.items() if "askpoint" in name}
    told = ("luck: 400", "the unsure", "each label")
    adversaries = {name: one for name, one in ledger.ADVERSARIES.items() if name.startswith(told)}
    monkeypatch.setattr(ledger, "RULES", rules)
    monkeypatch.setattr(ledger, "ADVERSARIES", adversaries)
    found = ledger.run(8, 1)
    assert len(found) == 2 * 3
    unsure = found["the unsure labelled thrice as often", "**askpoint, looked at once**"]
    assert (unsure[:, 1] == 0).all()
    few = found["each label four times", "**askpoint, looked at again**"]
    assert (few[:, 1] == 0).all()  # a hundred cases: too few to look again
    assert found["luck: 400 labels at random", "**askpoint, looked at once**"][:, 1].max() > 0.1


def test_the_page_shows_each_rule_and_marks_what_keeps_its_promise(ledger):
    text = (HOME / "docs" / "evidence" / "promises.md").read_text(encoding="utf-8")
    rows = [
        line.split(" | ") for line in text.splitlines() if re.search(r"decides [\d.]+ \|", line)
    ]
    assert [row[0].removeprefix("| ") for row in rows] == list(ledger.RULES)
    for row in rows:
        for cell in row[1:-1]:
            share, low, high = map(float, re.findall(r"[\d.]+", cell)[:3])
            assert low <= share <= high
            assert cell.startswith("**") == (low <= ledger.DELTA)
