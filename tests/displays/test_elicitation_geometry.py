"""Pictures of two and three classes show the points, chords and cuts that the science has."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest
from scipy.spatial import ConvexHull

from askpoint.displays.elicitation_errors import QueriesDisplay, WithinDisplay
from askpoint.displays.elicitation_geometry import CutsDisplay, TradeOffDisplay
from askpoint.elicitation.algorithms.trade_offs import Staircase
from askpoint.elicitation.families import diagonal_questionnaire
from askpoint.elicitation.metrics import diagonal_metric
from askpoint.elicitation.respondents import ExactRespondent
from askpoint.elicitation.samples import Sample
from askpoint.errors import InputError


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    proba = rng.dirichlet(np.ones(3), 150)
    return np.array(["a", "b", "c"])[[rng.choice(3, p=p) for p in proba]], proba


@pytest.fixture(autouse=True)
def _closed():
    yield
    plt.close("all")


def line(ax, label):
    return next(x for x in ax.lines if x.get_label() == label)


def test_every_threshold_lies_under_the_hull_and_every_chord_runs_through_the_centre(data, ax):
    sample = Sample.of(*data)
    stairs = Staircase.of(sample, 0, 2)
    display = TradeOffDisplay(stairs, sample.classes, (0.3, 0.8)).plot(ax)
    assert display.ax_ is ax
    assert display.figure_ is ax.figure
    x, y = line(ax, "every threshold").get_data()
    hull = ConvexHull(line(ax, "their hull").get_xydata())
    assert (hull.equations[:, :2] @ [x, y] + hull.equations[:, 2:] <= 1e-9).all()
    corners = {(0, sample.zeta[2]), (sample.zeta[0], 0)}
    assert corners <= {tuple(point) for point in zip(x, y, strict=True)}
    chords = [
        found for found in ax.lines if len(found.get_xdata()) == 2 and found.get_marker() == "o"
    ]
    for chord, m in zip(chords, (0.3, 0.8), strict=True):
        ends = chord.get_xydata()
        assert ends.mean(axis=0) == pytest.approx(sample.zeta[[0, 2]] / 2)
        run, rise = ends[0] - ends[1]
        assert run * m == pytest.approx(-rise * (1 - m))
    assert {"0.3", "0.8", "their hull"} <= {text.get_text() for text in ax.texts}


def test_what_is_left_holds_the_truth_and_shrinks(data, ax):
    truth = np.array([0.21, 0.48, 0.31])
    oracle = ExactRespondent(diagonal_metric(truth))
    questionnaire = diagonal_questionnaire(*data)
    answered = []
    while (question := questionnaire.question) is not None:
        answered.append((question, oracle.prefers(question.first, question.second)))
        questionnaire.answer(answered[-1][1])
    display = CutsDisplay(answered, ("a", "b", "c"), truth).plot(ax)
    assert ax.get_title(loc="left") == "14 answers, each a cut"
    left = display.left_
    assert left.sum(axis=1) == pytest.approx(1)
    assert np.ptp(left, axis=0).max() < 0.03
    assert ((left.min(axis=0) <= truth) & (truth <= left.max(axis=0))).all()
    low, high = questionnaire.estimate.interval.T
    assert left.min(axis=0) == pytest.approx(low, abs=1e-9)
    assert left.max(axis=0) == pytest.approx(high, abs=1e-9)


def test_about_equal_cuts_nothing(data):
    question = diagonal_questionnaire(*data).question
    assert (CutsDisplay([(question, None)], ("a", "b", "c")).plot().left_ == np.eye(3)).all()


def test_a_triangle_needs_three_classes():
    with pytest.raises(InputError, match="got 2 classes"):
        CutsDisplay([], ("a", "b")).plot()


def test_queries_against_errors(ax):
    errors = np.array([[0.5, 0.2, 0.1], [0.3, 0.2, 0.01], [0.6, 0.1, 0.05]])
    QueriesDisplay({"one": errors, "other": 2 * errors}).plot(ax)
    assert line(ax, "one").get_ydata() == pytest.approx(np.median(errors, axis=0))
    assert line(ax, "other").get_ydata() == pytest.approx(2 * np.median(errors, axis=0))
    assert len(ax.collections) == 2


@pytest.mark.parametrize("paths", [{}, {"one": [0.5, 0.2]}])
def test_no_path_no_picture(paths):
    with pytest.raises(InputError, match="one row for each metric"):
        QueriesDisplay(paths)


def test_shares_within_a_limit(ax):
    rng = np.random.default_rng(0)
    errors = {name: {"half": rng.random(40), "all": rng.random(40)} for name in ("one", "other")}
    WithinDisplay(errors, limit=0.5).plot(ax)
    for name, settings in errors.items():
        for setting, values in settings.items():
            x, y = line(ax, f"{name}, {setting}").get_data()
            for at in (0.1, 0.3, 0.49):
                assert y[np.searchsorted(x, at, side="right") - 1] == np.mean(values <= at)
