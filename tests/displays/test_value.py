"""Pictures of the value room: what is drawn is what the curve says."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from askpoint.displays.theme import DARK, LIGHT, svg
from askpoint.displays.value import ReliabilityDisplay, RiskCoverageDisplay, ValueCurveDisplay
from askpoint.measures.sampling import effective_size
from askpoint.value.curve import ValueCurve
from askpoint.value.limits import AskAtMost, MaxError
from askpoint.value.priced import CheckCost
from askpoint.value.probabilities import value_curve
from askpoint.value.reliability import reliability_bins
from askpoint.value.uncertainty import outcome_intervals
from displays.names import named

DISPLAYS = [ValueCurveDisplay, RiskCoverageDisplay, ReliabilityDisplay]


@pytest.fixture(scope="module")
def log():
    """Labels and probabilities of two classes, 500 cases."""
    rng = np.random.default_rng(3)
    p = rng.uniform(0, 1, 500)
    return (rng.random(500) < p).astype(int), np.column_stack([1 - p, p])


@pytest.fixture(scope="module")
def curve(log):
    return value_curve(*log)


def lines(ax):
    """What is drawn, by what the legend calls it."""
    return {line.get_label(): line.get_xydata() for line in ax.lines}


def bands(ax):
    """Lower and upper edge of each filled band, by its name: two functions of x."""
    found = {}
    for band in ax.collections:
        if hasattr(band, "get_paths") and not band.get_label().startswith("_"):
            points = band.get_paths()[0].vertices
            found[band.get_label()] = points
    return found


def edges(points, x):
    """Least and greatest y of a band's outline at x."""
    at = points[np.isclose(points[:, 0], x)]
    return at[:, 1].min(), at[:, 1].max()


@pytest.mark.parametrize("display", DISPLAYS)
def test_three_ways_to_the_same_picture(display, log, curve):
    X, y = np.random.default_rng(0).normal(size=(60, 2)), np.array(["ham", "spam", "eggs"] * 20)
    model = LogisticRegression().fit(X, y)
    drawn = [
        display.from_estimator(model, X, y),
        display.from_predictions(y, model.predict_proba(X), classes=model.classes_),
        display(value_curve(y, model.predict_proba(X), classes=model.classes_.tolist())).plot(),
    ]
    first, *others = [lines(d.ax_) for d in drawn]
    for other in others:
        assert list(other) == list(first)
        for name in first:
            assert np.array_equal(first[name], other[name])
    for d in drawn:
        assert d.ax_.get_figure() is d.figure_
        plt.close(d.figure_)


@pytest.mark.parametrize("display", DISPLAYS)
def test_axes_are_named_and_coloured_by_their_theme(display, curve, ax, theme):
    shown = display(curve, CheckCost(0.1).choose(curve)).plot(ax)
    assert shown.ax_ is ax
    assert ax.get_xlabel()
    assert ax.get_ylabel()
    assert ax.xaxis.label.get_color() == theme.muted
    main = {
        ValueCurveDisplay: "best threshold",
        RiskCoverageDisplay: "this model",
        ReliabilityDisplay: "by these labels",
    }[display]
    (line,) = [line for line in ax.lines if line.get_label() == main]
    assert line.get_color() == theme.accent
    names = named(ax)
    assert sorted(names) == sorted(ax.get_legend_handles_labels()[1])
    assert main in names


@pytest.mark.parametrize("display", DISPLAYS)
def test_the_picture_is_the_same_text_every_time(display, curve):
    draw = display(curve, CheckCost(0.1).choose(curve)).plot
    light = svg(draw, LIGHT)
    assert svg(draw, LIGHT) == light
    assert svg(draw, DARK) != light


def test_the_value_curve_is_drawn(curve, ax):
    point = CheckCost(1 / 20).choose(curve)
    display = ValueCurveDisplay(curve, point, default_share=0.6).plot(ax)
    drawn = lines(ax)
    checks = drawn["best threshold"][:, 0]
    omega = checks - 1
    assert checks[0] == 1
    assert checks[-1] >= 2 * (1 + curve.breakpoints[np.isfinite(curve.breakpoints)].max())
    assert np.array_equal(drawn["best threshold"][:, 1], curve.value(omega))
    assert drawn["decide all alone"][:, 1] == pytest.approx(
        curve.accuracy - omega * (1 - curve.accuracy)
    )
    assert drawn["one decision for all"][:, 1] == pytest.approx(0.6 - omega * 0.4)
    assert set(drawn["upper limit"][:, 1]) == {curve.accuracy}
    assert set(drawn["every case to review"][:, 1]) == {0}
    ((x, y),) = [line.get_xydata()[0] for line in ax.lines if line.get_marker() == "o"]
    assert (x, y) == (pytest.approx(20), pytest.approx(curve.value(19)))
    assert ax.get_xscale() == "log"
    assert [ax.xaxis.get_major_formatter()(x) for x in (1, 1000, 1e6)] == [
        "1",
        "1,000",
        "1,000,000",
    ]
    assert display.point is point


def test_the_bands_of_the_value_curve(curve, ax):
    ValueCurveDisplay(curve).plot(ax)
    drawn, found = lines(ax)["best threshold"], bands(ax)
    for x, value in drawn[::40]:
        threshold = curve.threshold(x - 1)
        low, high = edges(found["95%, threshold fixed before"], x)
        exact = outcome_intervals(curve.outcomes(threshold), omega=x - 1, n=500).value
        assert (low, high) == pytest.approx(exact)
        low, high = edges(found["95%, whichever threshold"], x)
        assert low == pytest.approx(value - x * curve.band())
        assert high == pytest.approx(min(value + x * curve.band(), 1))


def test_who_never_answers_is_worth_nothing_for_sure(ax):
    curve = ValueCurve.from_outcomes([0, 0, 1], [0.9, 0.8, 0.7])
    ValueCurveDisplay(curve, CheckCost(0.5).choose(curve)).plot(ax)
    x = lines(ax)["best threshold"][-1, 0]
    assert edges(bands(ax)["95%, threshold fixed before"], x) == (0, 0)


def test_a_point_without_a_price_is_not_on_the_value_curve(ax):
    curve = ValueCurve.from_outcomes([1, 1], [0.9, 0.8])
    point = AskAtMost(1).choose(curve)
    assert point.rate is not None
    never = MaxError(0).choose(ValueCurve.from_outcomes([1, 1, 1, 0], [0.9, 0.8, 0.7, 0.7]))
    free = type(point)(0.9, curve.outcomes(0.9), None)
    ValueCurveDisplay(curve, free).plot(ax)
    assert [line for line in ax.lines if line.get_marker() == "o"] == []
    assert never.outcomes.wrong == 0


def test_risk_and_coverage_are_drawn(curve, ax):
    point = CheckCost(1 / 20).choose(curve)
    RiskCoverageDisplay(curve, point).plot(ax)
    drawn = lines(ax)
    coverage, risk = drawn["this model"].T
    answered = curve.right + curve.wrong
    assert len(coverage) <= 400
    assert coverage[-1] == 1
    for x, y in zip(coverage[::50], risk[::50], strict=True):
        k = int(np.flatnonzero(np.isclose(answered / curve.total, x))[0])
        assert y == curve.wrong[k] / answered[k]
        exact = outcome_intervals(curve.outcomes(curve.thresholds[k])).risk
        low, high = edges(bands(ax)["95% interval, pointwise"], x)
        assert low <= exact.lower + 1e-12  # a step: the outline holds both sides
        assert high >= exact.upper - 1e-12
    assert set(drawn["decide all alone"][:, 1]) == {1 - curve.accuracy}
    ((x, y),) = [line.get_xydata()[0] for line in ax.lines if line.get_marker() == "o"]
    assert (x, y) == (point.outcomes.coverage, point.outcomes.risk)
    assert ax.get_ylim()[0] < 0 < risk[-1] < ax.get_ylim()[1]


def test_a_point_that_answers_nothing_has_no_risk_to_draw(ax):
    curve = ValueCurve.from_outcomes([0, 0, 1], [0.9, 0.8, 0.7])
    RiskCoverageDisplay(curve, CheckCost(0.1).choose(curve)).plot(ax)
    assert [line for line in ax.lines if line.get_marker() == "o"] == []


def test_few_steps_are_each_marked(ax):
    RiskCoverageDisplay(ValueCurve.from_outcomes([1, 0], [0.8, 0.8])).plot(ax)
    (line,) = [line for line in ax.lines if line.get_label() == "this model"]
    assert line.get_marker() == "."
    assert line.get_xydata().tolist() == [[1, 0.5]]


def test_reliability_is_drawn(curve, ax):
    point = CheckCost(1 / 20).choose(curve)
    ReliabilityDisplay(curve, point).plot(ax)
    drawn = lines(ax)
    for score, rate in drawn["by these labels"]:
        k = int(np.flatnonzero(curve.thresholds[1:] == score)[0])
        assert rate == curve.calibrated[k]
    steps = np.flatnonzero(np.diff(curve.calibrated)).size
    assert len(np.unique(drawn["by these labels"][:, 1])) == steps + 1  # no step is left out
    bins = reliability_bins(curve)
    for part, container in zip(bins, ax.containers, strict=True):
        data, _, (bars,) = container
        assert data.get_xydata().tolist() == [[part.confidence, part.right]]
        (segment,) = bars.get_segments()
        assert segment[:, 1] == pytest.approx(part.interval)
    assert drawn["as right as it says"].tolist() == [[0, 0], [1, 1]]
    marked = [line for line in ax.lines if set(line.get_xdata()) == {point.threshold}]
    assert len(marked) == 1


def test_only_probabilities_can_be_calibrated(log, ax):
    shown = ReliabilityDisplay.from_predictions(*log, confidence="margin", ax=ax)
    assert not shown.is_probability
    assert "as right as it says" not in lines(ax)


def test_scores_outside_0_and_1_are_no_probabilities(ax):
    ReliabilityDisplay(ValueCurve.from_outcomes([1, 0], [3.0, -1.0])).plot(ax)
    assert "as right as it says" not in lines(ax)


def test_a_threshold_of_never_is_not_marked(ax):
    curve = ValueCurve.from_outcomes([0, 0, 1], [0.9, 0.8, 0.7])
    ReliabilityDisplay(curve, CheckCost(0.1).choose(curve)).plot(ax)
    assert all(np.isfinite(points).all() for points in lines(ax).values())


def test_weighted_cases_have_their_effective_number(log, ax):
    weight = np.random.default_rng(0).uniform(0.5, 1.5, 500)
    weight *= 500 / weight.sum()  # weights that sum to the number of cases are weights still
    curve = value_curve(*log, sample_weight=weight)
    ValueCurveDisplay(curve).plot(ax)
    assert "95%, whichever threshold" not in bands(ax)
    x = lines(ax)["best threshold"][20, 0]
    outcomes = curve.outcomes(curve.threshold(x - 1))
    exact = outcome_intervals(outcomes, omega=x - 1, n=effective_size(weight)).value
    assert edges(bands(ax)["95%, threshold fixed before"], x) == pytest.approx(exact)


@pytest.mark.parametrize(
    ("right", "confidence"),
    [
        ([1], [0.7]),
        ([1, 1, 0], [0.9, 0.8, 0.6]),
        ([1] * 50, np.linspace(0.5, 1, 50)),
        ([0] * 50, np.linspace(0.5, 1, 50)),
        ([1, 0] * 50, [1.0] * 100),
        ([1, 0, 1, 1], [-3.0, 2.0, 70.0, 1e6]),
    ],
)
@pytest.mark.parametrize("display", DISPLAYS)
def test_any_shape_of_data_is_drawn_without_a_warning(display, right, confidence):
    curve = ValueCurve.from_outcomes(right, confidence)
    text = svg(display(curve, CheckCost(0.05).choose(curve)).plot, LIGHT)
    assert "nan" not in text.lower()
    assert "inf" not in text.lower()


def test_a_large_log_makes_no_large_picture():
    rng = np.random.default_rng(0)
    score = rng.random(100_000)
    curve = ValueCurve.from_outcomes(rng.random(100_000) < score, score)
    for display in DISPLAYS:
        assert len(svg(display(curve).plot, LIGHT)) < 150_000
