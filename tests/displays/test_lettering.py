"""Words in every picture, as drawn for a page: 9 points or more, none cut, none over another."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text

from askpoint.arena.displays.crowd import ArmsDisplay
from askpoint.displays.elicitation import BeliefDisplay
from askpoint.displays.elicitation_errors import QueriesDisplay, WithinDisplay
from askpoint.displays.elicitation_geometry import CutsDisplay, TradeOffDisplay
from askpoint.displays.examination import BinsDisplay, QuadrantsDisplay
from askpoint.displays.expected import ExpectedCostDisplay
from askpoint.displays.hull import HullDisplay
from askpoint.displays.judges import (
    FailureRateDisplay,
    JudgeAccuracyDisplay,
    PairCorrelationDisplay,
    PrevalenceDisplay,
)
from askpoint.displays.learning_curves import LearningDisplay
from askpoint.displays.models import ModelsDisplay
from askpoint.displays.profit import ProfitDisplay
from askpoint.displays.ranks import RanksDisplay
from askpoint.displays.severities import SeveritiesDisplay
from askpoint.displays.stakeholders import StakeholdersDisplay
from askpoint.displays.theme import HEIGHT, LIGHT, WIDTH, use_theme
from askpoint.displays.threshold import ThresholdDisplay
from askpoint.displays.value import ReliabilityDisplay, RiskCoverageDisplay, ValueCurveDisplay
from askpoint.elicitation.algorithms.trade_offs import Staircase
from askpoint.elicitation.particles import Particles
from askpoint.elicitation.questionnaire import Question
from askpoint.elicitation.samples import Sample
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.intervals import Interval
from askpoint.reports.document import Picture
from askpoint.unknowns.findings import BinFinding
from askpoint.unknowns.learning import LearningCurve, LearningPoint
from askpoint.unknowns.population import PopulationEstimate
from askpoint.unknowns.quadrants import item_quadrants
from askpoint.unknowns.severity_comparison import ErrorsFound, compare_severities
from askpoint.value.priced import CheckCost

SIZES = np.array([5, 10, 20, 50, 100])
BANDS = {
    name: [(int(n), 0.5 + n / 250 + k / 40, Interval(0.5, 0.9)) for n in SIZES]
    for k, name in enumerate(("players only", "examination only", "players on examination"))
}
JUDGES = {f"meta-llama-3-instruct-{i}": {"hateful": 0.6 + i / 30, "fine": 0.7} for i in range(9)}


def scores(n=600):
    rng = np.random.default_rng(1)
    p = rng.beta(0.6, 0.6, n)
    return (rng.random(n) < p).astype(int), p


def of_curve(kind):
    def plot(ax):
        kind.from_predictions(*scores(), objective=CheckCost(0.05), ax=ax)

    return plot


def models(ax):
    y, p = scores()
    others = {f"model {i}": np.clip(p + 0.1 * i * (0.5 - p), 0, 1) for i in range(3)}
    ModelsDisplay.from_predictions(y, {"a-model-with-a-long-name": p, **others}, ax=ax)


def beliefs(ax):
    rng = np.random.default_rng(0)
    clouds = [
        (n, Particles(rng.normal([3, 0, 5], 2 / n, (300, 3)), np.full(300, 1 / 300)))
        for n in range(1, 25)
    ]
    BeliefDisplay(clouds, ["pneumonia", "healthy", "something else"], reference=1).plot(ax)


def trade_off(ax):
    y, p = scores(200)
    names = np.array(["fine", "spam"])
    sample = Sample.of(names[y].tolist(), p)
    TradeOffDisplay(Staircase.of(sample, 0, 1), sample.classes).plot(ax)


def cuts(ax):
    question = Question(np.diag([0.3, 0.1, 0]), np.diag([0.1, 0.3, 0]), "classes a and b")
    CutsDisplay([(question, True)], ("bus", "car", "van"), [0.5, 0.2, 0.3]).plot(ax)


def severities(ax):
    found = (
        ErrorsFound("Beat the Machine", [300, 900, 800], 15, "cases submitted"),
        ErrorsFound("stratified examination", [100, 200, 700], 30, "cases inspected"),
    )
    SeveritiesDisplay(compare_severities(*found)).plot(ax)


def learning(ax):
    ends = ("examination", "Beat the Machine")
    curves = [
        LearningCurve(a, b, tuple(LearningPoint(int(n), 0.5 + n / 300, 0.02, 10) for n in SIZES))
        for a, b in itertools.product(ends, ends)
    ]
    LearningDisplay.from_curves(curves).plot(ax)


def bins(ax):
    edges = np.linspace(0, 0.5, 6)
    found = [
        BinFinding(
            low=low,
            high=high,
            n_cases=900,
            n_drawn=20,
            n_judged=20,
            classes={"ham": 16},
            mistakes=4,
            estimated=0.1,
            actual=PopulationEstimate(0.2, Interval(0.1, 0.4)),
        )
        for low, high in itertools.pairwise(edges.tolist())
    ]
    BinsDisplay(found, "EUR").plot(ax)


def quadrants(ax):
    costs = CostMatrix.zero_one(["ham", "spam"])
    said, truth = ["ham"] * 40, ["ham"] * 30 + ["spam"] * 10
    QuadrantsDisplay(item_quadrants([0.1, 0.4] * 20, costs, said, truth)).plot(ax)


def ranks(ax):
    table = np.random.default_rng(4).normal(size=(40, 5)) + np.array([3, 2.9, 0, 0.1, -4])
    names = ["margin", "entropy", "max-probability", "NB, calibrated", "J48"]
    RanksDisplay.from_scores(table, names, ax=ax)


def expected(ax):
    checks = np.geomspace(1.5, 1000, 30)
    cost = 1000 * (1 - 1 / checks)
    ExpectedCostDisplay(checks, cost, 0.7 * cost, 1.2 * cost, 90 * checks, 20).plot(ax)


def accuracies(ax):
    around = {judge: {label: Interval(0.5, 0.9) for label in of} for judge, of in JUDGES.items()}
    JudgeAccuracyDisplay(JUDGES, around).plot(ax)


def pairs(ax):
    rng = np.random.default_rng(0)
    found = rng.normal(0, 0.1, (9, 9))
    PairCorrelationDisplay(list(JUDGES), (found + found.T) * (1 - np.eye(9))).plot(ax)


ARMS = {"5 less for what is like": (27.0, Interval(0, 90)), "random examination": (700.0, None)}
PEOPLE = [("Ana of the second line", 20.0, Interval(2, 2600)), ("Bo", 5.0, Interval(3, 8))]
NARROWING = {"chord": [0.5**SIZES], "the paper's search": [1 / SIZES]}
WITHIN = {"chord": {"all cases": [0.01, 0.02], "half": [0.05]}, "paper": {"all cases": [0.1]}}
TESTS = {"these judges": [(25 * 2**i, 0.9 - 0.1 * i) for i in range(9)]}
WINDOWS = np.arange(0, 9000, 1000)
PICTURES = {
    **{
        kind.__name__: (of_curve(kind), HEIGHT)
        for kind in (HullDisplay, ProfitDisplay, ReliabilityDisplay, RiskCoverageDisplay)
    },
    **{kind.__name__: (of_curve(kind), HEIGHT) for kind in (ThresholdDisplay, ValueCurveDisplay)},
    "accuracies": (accuracies, 1.4 + 0.32 * len(JUDGES)),
    "arms": (ArmsDisplay(ARMS, "cents for each unknown unknown").plot, HEIGHT),
    "arms, log": (ArmsDisplay(ARMS, "cents for each unknown unknown", log=True).plot, HEIGHT),
    "bands": (LearningDisplay(BANDS, "cases learned from").plot, 3.6),
    "beliefs": (beliefs, HEIGHT),
    "bins": (bins, HEIGHT),
    "cuts": (cuts, 3.8),
    "expected": (expected, HEIGHT),
    "failures": (FailureRateDisplay(TESTS).plot, 2.8),
    "learning": (learning, HEIGHT),
    "models": (models, HEIGHT),
    "pairs": (pairs, 1.0 + 0.36 * 12),
    "prevalence": (
        PrevalenceDisplay(WINDOWS, WINDOWS / 1e4, [None] * len(WINDOWS), "hateful").plot,
        2.8,
    ),
    "quadrants": (quadrants, HEIGHT),
    "queries": (QueriesDisplay(NARROWING).plot, HEIGHT),
    "ranks": (ranks, 2.6),
    "severities": (severities, HEIGHT),
    "stakeholders": (StakeholdersDisplay(PEOPLE).plot, 1.74),
    "trade-off": (trade_off, 4.6),
    "within": (WithinDisplay(WITHIN).plot, HEIGHT),
}


def words_of(artist):
    """Yield every text that is seen; ticks outside the view are not."""
    if not artist.get_visible():
        return
    if isinstance(artist, Text):
        if artist.get_text().strip():
            yield artist
        return
    parts = artist.get_children()
    if isinstance(artist, Axis):
        parts = [*(tick.label1 for tick in artist._update_ticks()), artist.label]
    elif isinstance(artist, Axes) and not artist.axison:
        parts = [part for part in parts if not isinstance(part, Axis)]
    for part in parts:
        yield from words_of(part)


@pytest.mark.parametrize("name", PICTURES)
def test_words_are_large_whole_and_apart(name):
    plot, height = PICTURES[name]
    with use_theme(LIGHT):
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        plot(figure.subplots())
        FigureCanvasAgg(figure).draw()
    words = list(words_of(figure.axes[0]))
    assert min(word.get_fontsize() for word in words) >= 9
    boxes = [(word.get_text(), word.get_window_extent()) for word in words]
    paper = figure.bbox.padded(1)
    cut = [text for text, box in boxes if not (paper.x0 <= box.x0 and box.x1 <= paper.x1
                                              and paper.y0 <= box.y0 and box.y1 <= paper.y1)]  # fmt: skip
    assert cut == []
    assert [
        (text, other)
        for (text, box), (other, near) in itertools.combinations(boxes, 2)
        if box.padded(-0.5).overlaps(near.padded(-0.5))
    ] == []


def test_a_page_draws_them_as_high_as_a_notebook():
    assert Picture("", "", None).height == HEIGHT
