"""Every picture of the value room draws the numbers of its curve, in light and dark."""

from __future__ import annotations

from dataclasses import replace

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure
from sklearn.datasets import load_breast_cancer
from sklearn.naive_bayes import GaussianNB

import askpoint
from askpoint.displays.hull import HullDisplay
from askpoint.displays.models import ModelsDisplay
from askpoint.displays.profit import ProfitDisplay
from askpoint.displays.ranks import RanksDisplay
from askpoint.displays.theme import DARK, LIGHT, svg
from askpoint.displays.threshold import ThresholdDisplay
from askpoint.displays.value import ReliabilityDisplay, RiskCoverageDisplay, ValueCurveDisplay
from askpoint.errors import InputError
from askpoint.value.model_comparison import best_ranges
from askpoint.value.priced import CheckCost
from askpoint.value.ranking import rank_models

mpl.use("Agg")
CURVES = [
    HullDisplay,
    ProfitDisplay,
    ReliabilityDisplay,
    RiskCoverageDisplay,
    ThresholdDisplay,
    ValueCurveDisplay,
]


@pytest.fixture
def ax():
    return Figure().subplots()


@pytest.fixture(scope="module")
def scores():
    rng = np.random.default_rng(1)
    p = rng.beta(0.6, 0.6, 600)
    return (rng.random(600) < p).astype(int), p


def line(ax, label):
    return next(x for x in ax.lines if x.get_label() == label)


@pytest.mark.parametrize("display", CURVES)
def test_from_an_estimator_as_from_its_predictions(display):
    X, y = load_breast_cancer(return_X_y=True)
    model = GaussianNB().fit(X[::2], y[::2])
    one, two = Figure().subplots(), Figure().subplots()
    made = display.from_estimator(model, X[1::2], y[1::2], objective=CheckCost(0.1), ax=one)
    display.from_predictions(
        y[1::2], model.predict_proba(X[1::2]), objective=CheckCost(0.1), ax=two
    )
    assert made.ax_ is one
    assert made.figure_ is one.figure
    for a, b in zip(one.lines, two.lines, strict=True):
        assert np.array_equal(a.get_xydata(), b.get_xydata(), equal_nan=True)


@pytest.mark.parametrize("display", CURVES)
def test_in_light_and_dark_with_a_point_and_without(display, scores):
    curve = askpoint.value_curve(*scores)
    chosen = CheckCost(0.1).choose(curve)
    for point, theme, other in ((None, LIGHT, DARK), (chosen, DARK, LIGHT)):
        drawn = svg(display(curve, point).plot, theme)
        assert theme.accent in drawn
        assert other.accent not in drawn


@pytest.mark.parametrize("display", CURVES)
def test_one_case_weighted_cases_and_a_model_that_never_answers(display):
    for settings in (
        {"y_true": [1], "y_proba": [0.9], "classes": [0, 1]},
        {"y_true": [0], "y_proba": [0.9], "classes": [0, 1]},
        {"y_true": [1, 0, 1], "y_proba": [0.9, 0.9, 0.9], "sample_weight": [1.0, 2.5, 3.0]},
    ):
        display.from_predictions(**settings, objective=CheckCost(0.01), ax=Figure().subplots())


def test_profit_is_that_of_the_curve_and_its_point(scores, ax):
    curve = askpoint.value_curve(*scores)
    ProfitDisplay(curve, CheckCost(0.1).choose(curve), default_share=0.5).plot(ax)
    rho, profit = line(ax, "best threshold").get_data()
    assert profit == pytest.approx([curve.expected_profit(r) for r in rho])
    limit = line(ax, "upper limit").get_ydata()
    assert (profit <= limit + 1e-12).all()
    assert (profit >= line(ax, "every case to review").get_ydata() - 1e-12).all()
    assert (profit >= curve.accuracy - 1e-12).all()
    point = next(x for x in ax.lines if x.get_marker() == "o")
    assert point.get_xydata()[0] == pytest.approx([0.1, curve.expected_profit(0.1)])
    assert line(ax, "one decision for all").get_ydata()[0] == 0.5


def test_weighted_cases_have_no_band(ax):
    curve = askpoint.value_curve([1, 0, 1], [0.9, 0.6, 0.8], sample_weight=[0.5, 1.5, 1.0])
    ProfitDisplay(curve).plot(ax)
    assert "95%, whichever threshold" not in ax.get_legend_handles_labels()[1]


def test_thresholds_show_value_and_share_asked(scores, ax):
    curve = askpoint.value_curve(*scores)
    ThresholdDisplay(curve, checks=10).plot(ax)
    value, asked = ax.lines[:2]
    assert value.get_label() == "checks saved, at 10 a mistake"
    for t, v, a in zip(
        value.get_xdata()[::37], value.get_ydata()[::37], asked.get_ydata()[::37], strict=True
    ):
        outcomes = curve.outcomes(t)
        assert v == pytest.approx(outcomes.value(9))
        assert a == pytest.approx(1 - outcomes.coverage)


def test_the_hull_touches_the_line_of_equal_value_and_never_passes_it(scores, ax):
    curve = askpoint.value_curve(*scores)
    point = CheckCost(0.1).choose(curve)
    HullDisplay(curve, point).plot(ax)
    wrong, right = line(ax, "best at some price").get_data()
    worth = right - 9 * wrong
    assert worth.max() == pytest.approx(point.outcomes.value(9))
    every = line(ax, "every threshold")
    assert (every.get_ydata() - 9 * every.get_xdata() <= worth.max() + 1e-12).all()
    assert line(ax, "equal value at omega 9").get_slope() == 9


def test_models_and_where_the_best_one_changes(scores, ax):
    y, p = scores
    rng = np.random.default_rng(0)
    noisy = np.clip(0.5 + 0.7 * (p - 0.5) + rng.normal(0, 0.03, len(p)), 0, 1)
    display = ModelsDisplay.from_predictions(y, {"a": p, "b": noisy}, ax=ax)
    checks, value = line(ax, "b").get_data()
    assert value == pytest.approx(display.curves["b"].value(checks - 1))
    changes = [x.get_xdata()[0] for x in ax.lines if x.get_linestyle() == ":"]
    assert changes == pytest.approx([1 + r.lower for r in best_ranges(display.curves)[1:]])
    with pytest.raises(InputError, match="at least one curve"):
        ModelsDisplay({})


def test_models_from_estimators(ax):
    X, y = load_breast_cancer(return_X_y=True)
    models = {s: GaussianNB(var_smoothing=10.0**-s).fit(X[::2], y[::2]) for s in range(1, 10)}
    display = ModelsDisplay.from_estimators(models, X[1::2], y[1::2], ax=ax)
    proba = {name: model.predict_proba(X[1::2]) for name, model in models.items()}
    again = ModelsDisplay.from_predictions(y[1::2], proba, ax=Figure().subplots())
    assert display.curves[3].value(5.0) == again.curves[3].value(5.0)
    styles = {(x.get_color(), x.get_linestyle()) for x in ax.lines[: len(models)]}
    assert len(styles) == len(models)  # no two alike


def test_ranks_name_everybody_and_join_what_does_not_differ(ax):
    rng = np.random.default_rng(4)
    table = rng.normal(size=(40, 5)) + np.array([3, 2.9, 0, 0.1, -4])
    display = RanksDisplay.from_scores(table, list("abcde"), ax=ax)
    ranking = rank_models(table, list("abcde"))
    texts = [text.get_text().strip() for text in ax.texts]
    assert texts == [
        f"{n}  {r:.2f}" for n, r in zip(ranking.names, ranking.mean_ranks, strict=True)
    ]
    bars = [x.get_xdata() for x in ax.lines if x.get_linewidth() == 4]
    assert len(bars) == len(ranking.groups()) == 2
    ranks = dict(zip(ranking.names, ranking.mean_ranks, strict=True))
    for bar, group in zip(bars, ranking.groups(), strict=True):
        assert bar[0] < ranks[group[0]] <= ranks[group[-1]] < bar[1]
    assert "40 data sets" in ax.get_title(loc="left") + ax.get_title()
    assert display.figure_ is ax.figure


def test_a_picture_without_axes_gets_its_own(scores):
    display = HullDisplay.from_predictions(*scores)
    assert display.figure_.axes == [display.ax_]
    plt.close(display.figure_)


def test_a_constraint_without_a_price_has_a_point_and_no_line(scores, ax):
    curve = askpoint.value_curve(*scores)
    HullDisplay(curve, replace(CheckCost(0.1).choose(curve), rate=None)).plot(ax)
    assert [x.get_label() for x in ax.lines[:2]] == ["every threshold", "best at some price"]
    assert len(ax.lines) == 3


def test_a_price_is_marked_among_models(scores, ax):
    ModelsDisplay({"a": askpoint.value_curve(*scores)}, checks=30).plot(ax)
    assert line(ax, "your price").get_xdata()[0] == 30


@pytest.mark.parametrize("display", CURVES)
def test_a_legend_covers_no_neighbour(display, scores):
    figure = Figure(figsize=(9, 7))
    for ax in figure.subplots(2, 2).ravel():
        display.from_predictions(*scores, objective=CheckCost(0.1), ax=ax)
    figure.canvas.draw()
    for ax in figure.axes:
        legend = ax.get_legend()
        if legend is not None:
            box, own = legend.get_window_extent(), ax.get_window_extent()
            assert own.x0 <= box.x0 <= box.x1 <= own.x1
            assert own.y0 <= box.y0 <= box.y1 <= own.y1
