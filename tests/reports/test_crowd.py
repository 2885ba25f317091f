"""The simulated crowd's report: its numbers by hand, and its words by what the numbers say."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from askpoint.arena.answers.over_seeds import (
    arm_line,
    arm_lines,
    cost_step,
    curve_lines,
    falls,
    severity_comparison,
    severity_gain,
    times_stratified,
)
from askpoint.arena.answers.rematch import rematch_lines
from askpoint.arena.answers.seed import play_one, play_seed
from askpoint.arena.reports.document import crowd_document
from askpoint.arena.reports.json import crowd_object
from askpoint.arena.reports.ledger import ledger_text
from askpoint.arena.reports.tables import cost_grid, figure_text, findings_grid
from askpoint.arena.simulation.outcome import WayOutcome, outcome_of
from askpoint.displays.theme import LIGHT, svg
from askpoint.reports.document import Figures, Paragraph, Picture
from reports.crowds import SMALL, played, small_contest


def outcome(severities=(), unknown=(), origins=(), *, n=50, majority=0, cents=100.0):
    return WayOutcome(
        n_cases=n,
        severities=np.array(severities, float),
        unknown=np.array(unknown, bool),
        origins=np.array(origins, int),
        topics=(),
        majority=majority,
        cents=cents,
        texts=("x",) * n,
        positive=np.zeros(n, bool),
        rows=np.arange(n),
    )


def with_arm(answer, arm, outcomes):
    """The same answer with other outcomes in one arm."""
    results = tuple(
        replace(result, arms=result.arms | {arm: item})
        for result, item in zip(answer.results, outcomes, strict=True)
    )
    return replace(answer, results=results)


def one_seed():
    answer = played()
    return replace(answer, results=answer.results[:1])


def words(document):
    blocks = [block for section in document.sections for block in section.blocks]
    return " ".join(block.text for block in blocks if isinstance(block, Paragraph))


def test_an_arm_by_hand():
    one = outcome([100, 900, 900], [0, 1, 1], [4, 7, 7], majority=2, cents=60)
    two = outcome([500], [1], [9], cents=30)
    line = arm_line("design 4", [one, two])
    assert line.errors.value == pytest.approx((6 + 2) / 2)
    assert line.unknown.value == pytest.approx((4 + 2) / 2)
    assert line.cents.value == pytest.approx(90 / 2)  # the copy of case 7 counts once
    assert line.cents_with_copies.value == pytest.approx(90 / 3)
    assert line.others.value == pytest.approx(2)
    assert line.other_share.value == pytest.approx(2 / 6)
    assert line.severity.value == pytest.approx(2400 / 4)
    expected = stats.ttest_1samp([6, 2], 0).confidence_interval(0.95)
    assert tuple(line.errors.interval) == pytest.approx(tuple(expected))


def test_nothing_found_is_undefined():
    line = arm_line("random", [outcome(), outcome()])
    assert (line.cents.value, line.severity.value, line.other_share.value) == (None, None, None)
    assert line.errors.value == 0
    assert cost_grid((line,)).rows[0][1:4] == ("none", "none", "none")
    assert findings_grid((line,)).rows[0] == ("random examination", *["0 (0 to 0)"] * 3)


@pytest.mark.soak
def test_a_step_of_costs_is_paired():
    answer = played()
    dear = [outcome([900] * 2, [1] * 2, range(2), cents=c) for c in (100, 200, 300)]
    cheap = [outcome([900] * 2, [1] * 2, range(2), cents=c - 20) for c in (100, 200, 300)]
    answer = with_arm(with_arm(answer, "design 3", dear), "design 4", cheap)
    step = cost_step(answer, 3, 4)
    assert step.value == pytest.approx(-10)
    assert falls(step)
    assert "it falls, beyond its interval" in words(crowd_document(answer))
    turned = with_arm(with_arm(answer, "design 3", cheap), "design 4", dear)
    assert not falls(cost_step(turned, 3, 4))
    assert "it rises, beyond its interval" in words(crowd_document(turned))
    wild = with_arm(answer, "design 3", [dear[0], dear[2], dear[1]])
    assert "do not tell a fall from luck" in words(crowd_document(wild))
    none = with_arm(answer, "design 4", [outcome()] * 3)
    assert "one of them found none" in words(crowd_document(none))


def test_how_many_times_stratified():
    answer = with_arm(played(), "stratified", [outcome([900], [1], [1])] * 3)
    answer = with_arm(answer, "design 5", [outcome([900] * 10, [1] * 10, range(10))] * 3)
    assert times_stratified(answer).value == pytest.approx(10)
    assert "10 (10 to 10) times as many" in words(crowd_document(answer))
    none = with_arm(answer, "stratified", [outcome()] * 3)
    assert times_stratified(none).value is None
    assert "times as many" not in words(crowd_document(none))


def test_severities_of_all_seeds_together():
    one = [outcome([100, 800, 800], [0, 1, 1], [1, 2, 2]), outcome([800], [1], [2]), outcome()]
    answer = with_arm(
        with_arm(played(), "design 5", one), "stratified", [outcome([300], [0], [5])] * 3
    )
    got = severity_comparison(answer)
    # the copy within a seed counts once, the same case in another seed once more
    assert got.first.shares == pytest.approx((1 / 3, 0, 0, 2 / 3))
    assert got.second.shares == (0, 1, 0, 0)
    assert (got.first.n_judged, got.first.n_distinct) == (150, 3)


def test_a_seed_says_the_same_again():
    answer = played()
    plan = replace(answer.plan, rematch=False)
    again = play_seed(small_contest(), plan, SMALL, 2)
    for arm, item in answer.results[1].arms.items():
        assert again.arms[arm].texts == item.texts
    assert [p.auc for c in again.curves for p in c.points] == [
        p.auc for c in answer.results[1].curves for p in c.points
    ]
    alone = outcome_of(play_one(small_contest(), answer.plan, SMALL, 2))
    assert alone.texts == answer.results[1].arms["design 5"].texts
    assert alone.cents == answer.results[1].arms["design 5"].cents


@pytest.mark.whole
def test_the_mechanisms_show_in_a_small_world():
    lines = {line.name: line for line in arm_lines(played())}
    for design in (3, 4, 5):
        assert lines[f"design {design}"].others.value == 0
    assert lines["design 4"].errors.value > 5 * lines["random"].errors.value
    before_after = {line.name: line for line in rematch_lines(played())}
    change = before_after["wrong of 100 on the islands"].change
    assert change.value < 0
    errors = before_after["sought errors per 100"]
    assert errors.change.value == pytest.approx(errors.after.value - errors.before.value)
    third, fourth, gain = severity_gain(played())
    assert gain.value == pytest.approx(fourth.severity.value - third.severity.value)


def test_curves_over_the_seeds_that_know_them():
    answer = played()
    lines = curve_lines(answer)
    assert [line.name for line in lines] == [
        "players only",
        "examination only",
        "players on examination",
        "examination on players",
    ]
    for i, line in enumerate(lines):
        for j, area in enumerate(line.areas):
            known = [item.curves[i].points[j].auc for item in answer.results]
            known = [auc for auc in known if auc is not None]
            assert line.n_seeds[j] == len(known)
            assert area.value == (pytest.approx(np.mean(known)) if known else None)
    assert lines[0].less.value == 0


def test_the_document_and_the_object_say_the_same():
    answer = played()
    document, content = crowd_document(answer), crowd_object(answer)
    text = words(document)
    assert json.loads(json.dumps(content, allow_nan=False)) == content
    unknown = content["arms"]["design 5"]["unknown"]["value"]
    assert f"there are {figure_text(arm_lines(answer)[-1].unknown, least=0)} unknown" in text
    assert figure_text(arm_lines(answer)[-1].unknown).startswith(f"{unknown:.3g}")
    assert content["seeds"] == [1, 2, 3]
    large = next(block for block in document.sections[0].blocks if isinstance(block, Figures))
    assert large.parts[0].value == f"{unknown:.3g}"
    assert set(content["cost_steps"]) == {"design 3 to 4", "design 4 to 5"}
    assert [section.title for section in document.sections] == [
        "The answer",
        "What each way of looking finds",
        "What an unknown unknown costs",
        "How severe they are (figure 4 of the paper)",
        "If grave errors are hard to find",
        "Different parts of the problem (figure 5 of the paper)",
        "After the model has learned from what was found",
        "How it was played",
    ]
    for section in document.sections:
        for block in section.blocks:
            if isinstance(block, Picture):
                assert svg(block.draw, LIGHT, height=block.height).startswith("<svg")
                assert block.alternative


def test_one_seed_has_no_intervals():
    answer = one_seed()
    for arm, cents in (("design 3", 90), ("design 4", 80)):
        answer = with_arm(answer, arm, [outcome([900], [1], [0], cents=cents)])
    text, content = words(crowd_document(answer)), crowd_object(answer)
    assert "in a single seed" in text
    assert content["arms"]["design 4"]["errors"]["lower"] is None
    assert "play more" in content["arms"]["design 4"]["errors"]["reason"]
    assert "is not known" in text


def test_the_designs_alone():
    answer = played(1, (1,), extras=False, rematch=False)
    content = crowd_object(answer)
    assert (content["uneven"], content["learning"], content["rematch"]) == (None, [], {})
    assert content["cost_steps"] == {}
    titles = [section.title for section in crowd_document(answer).sections]
    assert "After the model has learned from what was found" not in titles


def test_a_ledger_line_by_line():
    campaign = play_one(small_contest(), played().plan, SMALL, 1)
    text = ledger_text(campaign.arena)
    body, balances = text.split("\n\n")
    balance: dict[str, int] = {}
    for line in body.splitlines()[3:]:
        _, _, _, *cells = line.split()
        points = [int(item) for item in cells[::2]]
        assert sum(points) == 0
        for account, item in zip(cells[1::2], points, strict=True):
            balance[account] = balance.get(account, 0) + item
            assert balance[account] >= 0 or account.startswith("funding")
    said = dict(reversed(line.split()) for line in balances.splitlines()[1:-1])
    assert {account: int(item) for account, item in said.items()} == balance
    assert balance["reserved:simulated"] == 0
    assert balances.splitlines()[-1] == "# sum 0"
