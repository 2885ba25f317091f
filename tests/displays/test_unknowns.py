"""Pictures of the unknowns room draw the numbers that they are given, in light and dark."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.figure import Figure

from askpoint.displays.examination import BinsDisplay, QuadrantsDisplay
from askpoint.displays.learning_curves import LearningDisplay
from askpoint.displays.severities import SeveritiesDisplay
from askpoint.displays.theme import DARK, LIGHT, svg
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.unknowns.case_costs import estimate_cost
from askpoint.unknowns.examination import ExaminationDesign, draw_examination
from askpoint.unknowns.findings import examination_findings
from askpoint.unknowns.learning import LearningCurve, LearningPoint
from askpoint.unknowns.severity_comparison import ErrorsFound, compare_severities

mpl.use("Agg")


@pytest.fixture
def ax():
    return Figure().subplots()


@pytest.fixture(scope="module")
def findings():
    rng = np.random.default_rng(4)
    p = rng.random(5000) ** 3
    truth = np.where(rng.random(5000) < p, "hate", "benign")
    decided = np.where(p > 0.5, "hate", "benign")
    costs = CostMatrix.zero_one(["benign", "hate"])
    estimated = estimate_cost(p, costs, decided)
    drawn = draw_examination(np.arange(5000), estimated, ExaminationDesign(n=200), rng)
    rows = drawn.items
    return examination_findings(drawn, truth[rows[:50]], p[rows], decided[rows], costs)


def compared():
    return compare_severities(
        ErrorsFound("players", [300, 600, 800, 900], 15, "cases submitted"),
        ErrorsFound("examination", [100, 200, 700], 30, "cases inspected"),
    )


CURVES = [
    LearningCurve("players", "players", (LearningPoint(20, 0.8, 0.1, 10), LearningPoint(40, 0.9, 0.1, 10))),
    LearningCurve("players", "examination", (LearningPoint(20, None, None, 0, "too few"), LearningPoint(40, 0.6, 0.1, 10))),
]  # fmt: skip


def test_bins_stand_where_they_lie(findings, ax):
    display = BinsDisplay(findings.bins, "EUR").plot(ax)
    found = display.ax_.lines[0].get_xydata()
    known = [item for item in findings.bins if item.actual is not None]
    assert 0 < len(known) <= len(findings.bins)
    np.testing.assert_allclose(found[:, 0], [(item.low + item.high) / 2 for item in known])
    np.testing.assert_allclose(found[:, 1], [item.actual.value for item in known])
    bars = display.ax_.collections[1].get_segments()
    np.testing.assert_allclose(
        [bar[:, 1] for bar in bars], [item.actual.interval for item in known]
    )
    assert ax.get_ylabel() == "mean cost of a case, EUR"


def test_no_bin_judged(findings, ax):
    BinsDisplay([item for item in findings.bins if item.actual is None]).plot(ax)
    assert not ax.lines


def test_areas_of_the_quadrants_are_shares(findings, ax):
    QuadrantsDisplay(findings.quadrants).plot(ax)
    areas = np.array([patch.get_width() * patch.get_height() for patch in ax.patches])
    names = ("known known", "unknown known", "unknown unknown", "known unknown")
    counts = np.array([findings.quadrants.counts[name] for name in names])
    np.testing.assert_allclose(areas / areas.sum(), counts / counts.sum())
    shown = {text.get_text() for text in ax.texts}
    assert {f"{count:,.0f}" for count in counts} <= shown


def test_severities_side_by_side(ax):
    SeveritiesDisplay(compared()).plot(ax)
    heights = [patch.get_height() for patch in ax.patches]
    assert heights == pytest.approx([0, 0.25, 0.25, 0.5, 2 / 3, 0, 1 / 3, 0])


def test_a_method_without_mistakes_has_no_bars(ax):
    none = ErrorsFound("nobody", [], 10, "cases inspected")
    SeveritiesDisplay(compare_severities(ErrorsFound("one", [100], 5, "cases"), none)).plot(ax)
    assert len(ax.patches) == 4


def test_learning_curves_leave_out_what_is_not_estimable(ax):
    LearningDisplay.from_curves(CURVES).plot(ax)
    lines = {line.get_label(): line.get_xydata().tolist() for line in ax.lines}
    assert lines["players only"] == [[20, 0.8], [40, 0.9]]
    assert lines["players on examination"] == [[40, 0.6]]


def test_all_draw_in_light_and_dark(findings):
    for display in (
        BinsDisplay(findings.bins),
        QuadrantsDisplay(findings.quadrants),
        SeveritiesDisplay(compared()),
        LearningDisplay.from_curves(CURVES),
    ):
        light, dark = svg(display.plot, LIGHT), svg(display.plot, DARK)
        assert light.startswith("<svg")
        assert light != dark
