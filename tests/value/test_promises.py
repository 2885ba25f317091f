"""The ledger of promises: each adversary does what the page says, and each rule is the one it is called."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

HOME = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def ledger():
    import bench_promises

    return bench_promises


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
    told = ("luck: 400", "unsure cases", "each label")
    adversaries = {name: one for name, one in ledger.ADVERSARIES.items() if name.startswith(told)}
    monkeypatch.setattr(ledger, "RULES", rules)
    monkeypatch.setattr(ledger, "ADVERSARIES", adversaries)
    found = ledger.run(8, 1)
    assert len(found) == 2 * 3
    unsure = found["unsure cases labelled three times as often", "**askpoint, looked at once**"]
    assert (unsure[:, 1] == 0).all()
    few = found["each label copied four times", "**askpoint, looked at again**"]
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


def test_a_tenth_is_decided_alone_by_its_own_labels(ledger):
    peers = pytest.importorskip("promise_peers")
    confidence = np.repeat(np.linspace(0.5, 0.95, 10), 20)  # twenty a band
    right = np.ones(200, dtype=bool)
    right[[5, 25, 26, 59]] = False  # 19 of 20; 18 of 20; the last of the third
    told = sample(ledger, right, confidence)
    often = peers.by_bands(peers.most_of_twenty)(told)
    assert often(np.array([0.5, 0.55, 0.6, 0.95])).tolist() == [True, False, True, True]
    in_a_row = peers.by_bands(peers.ten_in_a_row)(told)
    assert in_a_row(np.array([0.5, 0.55, 0.6, 0.95])).tolist() == [True, True, False, True]
    few = sample(ledger, right, confidence, np.arange(0, 200, 2))  # ten a band
    assert not peers.by_bands(peers.most_of_twenty)(few)(confidence).any()


def test_the_tuned_threshold_keeps_the_limit_on_what_it_is_tuned_on(ledger):
    import promise_peers as peers

    assert peers.share_within_the_limit(np.array([1, 1, 0]), np.array([1, 1, 0])) == 2 / 3
    assert peers.share_within_the_limit(np.array([1, 0, 1]), np.array([1, 1, 0])) == -0.5
    assert peers.share_within_the_limit(np.array([1, 0]), np.array([0, 0])) == 0
    confidence = np.random.default_rng(1).uniform(0.5, 1, 2000)
    right = confidence > 0.7
    alone = peers.tuned(sample(ledger, right, confidence))(confidence)
    assert 0.5 < alone.mean() < 0.66
    assert right[alone].mean() > 0.93
    assert (confidence[alone].min() > confidence[~alone].max()).all()


def test_the_interval_of_labels_alone_is_wilsons(ledger):
    import promise_shares as shares

    right = np.array([True] * 183 + [False] * 17)
    told = sample(ledger, right, np.full(200, 0.9))
    peer = stats.binomtest(17, 200).proportion_ci(0.95, method="wilson")
    assert shares.wilson(told) == pytest.approx((peer.low, peer.high), rel=1e-12)


def test_each_is_held_to_its_own_share_and_silence_is_no_success():
    import promise_shares as shares

    rows = np.array([[1, 0.02, 1, 0], [0, 0.04, 1, 0], [1, np.nan, 0, 0]])
    assert shares.cell(rows) == "**0.500 (0.01 to 0.99)**, ±3.0, silent 0.33"
    assert shares.cell(rows[2:]) == "says nothing"

    def logs(i, rng):
        return np.full(1000, 0.9), np.arange(1000) >= 100, 0.5  # a tenth of the log is wrong

    everything = {"all": lambda c, right, *_: [sample_of(c, right)]}
    found = shares.run(logs, everything, 1, 0)
    assert found["all", "labels alone, Wilson's interval"][0, 0] == 0  # it speaks of the process
    assert found["all", "**askpoint, looked at once**"][0, 0] == 1


def sample_of(confidence, right):
    import bench_promises

    return bench_promises.Sample(confidence, np.arange(0, 1000, 5), right[::5], 0)


def test_three_lines_of_a_batch_by_brute_force():
    import bench_whole_output as whole
    import promise_batches as batches

    rng = np.random.default_rng(3)
    confidence, wrong = rng.random(whole.CASES), rng.random(whole.CASES) < 0.2
    share, _ = batches.on_labels(np.random.default_rng(4), confidence, wrong, 300)
    seen = np.random.default_rng(4).choice(whole.CASES, 300, replace=False)
    best = min(
        t
        for t in np.append(confidence, np.inf)
        if (wrong[seen] & (confidence[seen] >= t)).sum() * 10 <= whole.ALLOWED
    )
    left = confidence >= best
    left[seen] = False
    assert share == pytest.approx(left.mean(), abs=1e-12)


def test_a_licence_is_a_broken_promise_only_for_a_bad_agent():
    import promise_licences as licences

    never = np.full(200, licences.NEVER)
    assert licences.broken(never) == "**0.000 (0.00 to 0.02)**"
    assert licences.broken(np.full(200, 10)) == "1.000 (0.98 to 1.00)"
    lines = licences.table(licences.run(60, 1))
    rows = {cells[1]: cells for cells in ([x.strip() for x in one.split("|")] for one in lines)}
    assert rows["ten in a row"][2].startswith("1.000")
    assert rows["ten in a row"][4:6] == ["0.99", "10"]  # of 1,000 actions those after the tenth
    assert rows["**askpoint, with golden actions**"][3].startswith("**0.000")


def test_all_designs_are_held_to_the_budget_that_ours_states(monkeypatch):
    import promise_drift as drift

    lost = np.array([[drift.BUDGET, 30, 60, 8000, 1.0], [drift.BUDGET + 1, 60, 60, 8000, 1.0]])
    assert drift.cell(lost) == "**0.500 (0.01 to 0.99)**, saves 0.75"
    assert drift.cell(np.repeat(lost[1:], 100, axis=0)).startswith("1.000 (0.96")
    monkeypatch.setattr(drift, "WORLDS", drift.WORLDS[:1])
    monkeypatch.setattr(drift, "DESIGNS", {"first": "static"})
    (row,) = drift.table(drift.run(1, 1))[2:]
    checks = float(row.split("|")[3])
    assert 10 < checks < 1010  # 400 labels are 10 of 1,000 cases, and what is asked comes on top


def test_a_part_is_made_again_and_the_rest_stays(ledger, monkeypatch):
    monkeypatch.setattr(ledger, "made_again", lambda part, _: [f"| {part} |", "|---|", "| 1 |"])
    page = (HOME / "docs" / "evidence" / "promises.md").read_text()
    again = ledger.page_again(page, ["licences"], 1)
    gone = set(page.splitlines()) - set(again.splitlines())
    assert gone
    assert all(line.startswith("|") for line in gone)
    assert "| licences |\n|---|\n| 1 |\n\n- **Where we lose**" in again
    assert re.search(r"\| An agent's licence \| \d\d \w+ 20\d\d \|", again)
    assert "| all others |" in again
