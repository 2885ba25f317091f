"""What an examination found, against the whole log that it was drawn from."""

import numpy as np
import pytest

from askpoint.errors import InputError, NotEstimableError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.unknowns.case_costs import actual_cost, estimate_cost
from askpoint.unknowns.examination import ExaminationDesign, draw_examination
from askpoint.unknowns.findings import examination_findings
from askpoint.unknowns.quadrants import item_quadrants
from askpoint.unknowns.severity import severities

CLASSES = ("benign", "hate", "spam")
COSTS = CostMatrix(CLASSES, [[0, 1, 1], [5, 0, 1], [2, 1, 0]], unit="EUR")


@pytest.fixture(scope="module")
def log():
    """3,000 cases of a model that is a little too sure of itself."""
    rng = np.random.default_rng(12)
    proba = rng.dirichlet([3, 0.15, 0.15], 3000)
    truth = np.array(CLASSES)[[rng.choice(3, p=0.9 * p + 0.1 / 3) for p in proba]]
    decided = np.array(CLASSES)[(proba @ COSTS.cost).argmin(axis=1)]
    return proba, truth, decided


def draw(log, method, n, seed=0, n_bins=6):
    proba, truth, decided = log
    design = ExaminationDesign(method, n, n_bins)
    estimated = estimate_cost(proba, COSTS, decided)
    drawn = draw_examination(np.arange(3000), estimated, design, np.random.default_rng(seed))
    rows = drawn.items
    return drawn, truth[rows], proba[rows], decided[rows]


@pytest.mark.parametrize("method", ["stratified", "neyman", "random"])
def test_an_examination_of_all_cases_knows_all(log, method):
    drawn, labels, p, d = draw(log, method, 3000, n_bins=1)
    found = examination_findings(drawn, labels, p, d, COSTS)
    proba, truth, decided = log
    quadrants = item_quadrants(proba, COSTS, decided, truth)
    for finding, mean in (
        (found.mistakes, (truth != decided).mean()),
        (found.cost, actual_cost(COSTS, decided, truth).mean()),
        (found.unknown_unknowns, quadrants.counts["unknown unknown"] / 3000),
    ):
        assert finding.found == pytest.approx(mean)
        assert finding.estimate.value == pytest.approx(mean)
        assert finding.estimate.interval == pytest.approx([mean, mean])
        assert finding.looking == pytest.approx([mean, mean])
        assert finding.reason == ""
    assert found.bounds == quadrants.bounds
    assert found.bins[0].calibrated is False  # all is known, and the model is too sure


@pytest.mark.no_cover
@pytest.mark.parametrize(
    "method",
    ["stratified", *(pytest.param(name, marks=pytest.mark.whole) for name in ("neyman", "random"))],
)
def test_the_estimates_are_right_on_average_though_the_found_rate_is_not(log, method):
    _, truth, decided = log
    rate = (truth != decided).mean()
    results = [
        examination_findings(*draw(log, method, 240, seed), COSTS).mistakes for seed in range(120)
    ]
    values = [result.estimate.value for result in results]
    assert np.mean(values) == pytest.approx(rate, abs=4 * np.std(values) / np.sqrt(120))
    held = [r.estimate.interval.lower <= rate <= r.estimate.interval.upper for r in results]
    assert np.mean(held) >= 0.9
    assert np.mean([r.looking.lower <= rate <= r.looking.upper for r in results]) >= 0.95
    if method == "stratified":
        assert np.mean([r.found for r in results]) > 1.2 * rate


def test_the_bins_show_calibration(log):
    drawn, labels, p, d = draw(log, "stratified", 600)
    found = examination_findings(drawn, labels, p, d, COSTS)
    estimated, actual = estimate_cost(p, COSTS, d), actual_cost(COSTS, d, labels)
    for b, finding in enumerate(found.bins):
        rows = drawn.bins == b
        assert (finding.low, finding.high) == (drawn.edges[b], drawn.edges[b + 1])
        assert (finding.n_cases, finding.n_drawn) == (drawn.sizes[b], drawn.planned[b])
        assert finding.n_judged == rows.sum()
        assert finding.classes == {name: (labels[rows] == name).sum() for name in CLASSES}
        assert finding.mistakes == (labels != d)[rows].sum()
        assert finding.estimated == pytest.approx(estimated[rows].mean())
        assert finding.actual.value == pytest.approx(actual[rows].mean())
        lower, upper = finding.actual.interval
        assert finding.calibrated == (lower <= finding.estimated <= upper)
    assert (found.severities == severities(p, COSTS, d, labels)).all()
    assert (found.quadrants.which == item_quadrants(p, COSTS, d, labels).which).all()


def test_whoever_stops_early_keeps_the_interval_that_is_valid_while_looking(log):
    drawn, labels, p, d = draw(log, "stratified", 240)
    found = examination_findings(drawn, labels[:3], p, d, COSTS)
    assert found.n_judged == 3
    assert found.mistakes.estimate is None
    assert "of stratum" in found.mistakes.reason
    assert found.mistakes.looking.upper > 0.5
    empty = [finding for finding in found.bins if not finding.n_judged]
    assert empty
    assert {(f.estimated, f.actual, f.calibrated) for f in empty} == {(None, None, None)}
    later = examination_findings(drawn, labels[:200], p, d, COSTS)
    assert later.mistakes.estimate is not None
    assert later.mistakes.looking.upper < 0.5


def test_nothing_follows_from_the_most_uncertain(log):
    found = examination_findings(*draw(log, "uncertainty", 100), COSTS)
    assert found.mistakes.found > 0.3
    assert found.mistakes.estimate is None
    assert found.mistakes.looking is None
    assert "picked, not drawn" in found.mistakes.reason


def test_bounds_and_estimates_are_passed_on(log):
    drawn, labels, p, d = draw(log, "random", 100)
    found = examination_findings(
        drawn, labels, p, d, COSTS, by="expected", estimated_bound=0.3, actual_bound=1, level=0.8
    )
    assert (found.bounds.by, found.bounds.estimated, found.bounds.actual) == ("expected", 0.3, 1)
    assert found.level == 0.8
    assert (found.severities == severities(p, COSTS, d, labels, by="expected")).all()


def test_bad_input_is_named(log):
    drawn, labels, p, d = draw(log, "random", 100)
    with pytest.raises(NotEstimableError, match="no case of the examination was judged yet"):
        examination_findings(drawn, [], p, d, COSTS)
    for labels_, p_, d_ in ((labels, p[:9], d), (labels, p, d[:9]), ([*labels, "ham"], p, d)):
        with pytest.raises(InputError, match="one entry for each case drawn"):
            examination_findings(drawn, labels_, p_, d_, COSTS)
    with pytest.raises(InputError, match="'ham' is not among the classes"):
        examination_findings(drawn, ["ham"], p, d, COSTS)
    with pytest.raises(InputError, match="2 columns of probabilities"):
        examination_findings(drawn, labels, p[:, 0], d, COSTS)
    with pytest.raises(InputError, match="level must be strictly between 0 and 1; got 95"):
        examination_findings(drawn, labels, p, d, COSTS, level=95)


def test_a_bin_that_was_judged_whole_is_still_a_sample_of_cases_like_these():
    estimated = np.array([0.05] * 50 + [0.5] * 10)
    costs = CostMatrix.zero_one(["benign", "hate"])
    rng = np.random.default_rng(0)
    drawn = draw_examination(np.arange(60), estimated, ExaminationDesign(n=40, n_bins=2), rng)
    p = estimated[drawn.items]
    labels = ["hate" if item % 10 < 6 and item >= 50 else "benign" for item in drawn.items]
    found = examination_findings(drawn, labels, p, ["benign"] * 30, costs)
    whole = found.bins[1]
    assert whole.n_judged == whole.n_cases == 10
    assert whole.actual.value == pytest.approx(0.6)
    lower, upper = whole.actual.interval
    assert lower < whole.estimated < upper
    assert whole.calibrated
