"""Several models: pairs by id, ranges of prices, and what is said where they cannot be paired."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from matplotlib.figure import Figure
from scipy import stats

from askpoint.answers.value.models import compare_models
from askpoint.answers.value.question import ValueQuestion
from askpoint.answers.value.verdict import answer_question
from askpoint.errors import InputError
from askpoint.records.logs import read_log
from askpoint.reports.document import Grid, Notice, Picture
from askpoint.reports.value.document import value_sections
from askpoint.reports.value.json import value_object
from askpoint.reports.value.models import comparison_blocks, comparison_object
from askpoint.value.curve import ValueCurve
from askpoint.value.posterior.best_threshold import expected_best
from askpoint.value.posterior.choosing import CHOSEN_IN_FOLDS
from askpoint.value.posterior.cross_fitting import draw_folds
from askpoint.value.posterior.rightness import RightnessPosterior
from askpoint.value.priced import CheckCost
from askpoint.value.reviewer_errors import CheckWork
from displays.names import named

N = 400


def one(name, noise, seed=0):
    rng = np.random.default_rng(0)
    p = rng.beta(0.6, 0.6, N)
    label = (rng.random(N) < p).astype(int)
    blurred = np.clip(p + np.random.default_rng(seed).normal(0, noise, N), 0, 1)
    ids = [f"case {i}" for i in range(N)]
    return pl.DataFrame({"id": ids, "label": label, "proba": blurred, "model": [name] * N})


def log(*parts):
    return read_log(pl.concat(parts), model="model")


def blocks(answer):
    return next(s for s in value_sections(answer) if s.title == "Model by model").blocks


def test_differences_are_paired_by_id_whatever_the_order_of_rows():
    first, second = one("sharp", 0.05), one("blurred", 0.3, 1)
    straight = answer_question(log(first, second), ValueQuestion(CheckCost(0.1)))
    shuffled = answer_question(
        log(first, second.sample(fraction=1, shuffle=True, seed=3)), ValueQuestion(CheckCost(0.1))
    )
    assert straight.comparison.differences == shuffled.comparison.differences
    assert straight.comparison.ranges == shuffled.comparison.ranges
    ((name, paired),) = straight.comparison.differences
    assert name == "blurred"
    # an oracle: each case at a threshold of the cases of other folds
    order = np.argsort(first["id"].to_numpy(), kind="stable")
    folds = draw_folds(N, np.random.default_rng(0))
    costs = []
    for part in (first, second):
        p = part["proba"].to_numpy()[order]
        sure, right = np.maximum(p, 1 - p), (p > 0.5) == part["label"].to_numpy()[order]
        cost = np.empty(N)
        for fold in np.unique(folds):
            held = folds == fold
            others = RightnessPosterior().fit(sure[~held], right[~held], sure)
            answered = sure[held] >= expected_best(others, CheckCost(0.1))
            cost[held] = np.where(answered, np.where(right[held], 0, 10), 1)
        costs.append(cost)
    saved = costs[1] - costs[0]
    assert paired.difference == pytest.approx(saved.mean())
    half = stats.t.ppf(0.975, N - 1) * saved.std(ddof=1) * np.sqrt(CHOSEN_IN_FOLDS / N)
    assert paired.interval.upper == pytest.approx(saved.mean() + half, rel=0.02)


@pytest.mark.whole
def test_of_models_that_differ_by_noise_alone_none_is_called_better():
    parts = [one(f"m{i}", 0.1, i) for i in range(3)]
    answer = answer_question(log(*parts), ValueQuestion(CheckCost(0.1)))
    assert answer.comparison.shown_best is None
    lead = value_sections(answer)[0].blocks[0].text
    assert lead.startswith("Of 3 models none is shown to be better")
    assert min(answer.comparison.p_values) > 0.05
    sharp = one("m0", 0)
    hopeless = sharp.with_columns(proba=1 - pl.col("proba"), model=pl.lit("z"))
    answer = answer_question(log(sharp, hopeless), ValueQuestion(CheckCost(0.3)))
    assert answer.comparison.shown_best == "m0"
    lead = value_sections(answer)[0].blocks[0].text
    assert lead == "Of 2 models 'm0' is shown to be better than every other one."
    assert value_object(answer)["comparison"]["shown_best"] == "m0"


def test_models_on_weighted_and_clustered_cases_are_compared():
    parts = [
        part.with_columns(w=pl.int_range(N) % 2 + 1, user=pl.int_range(N) // 2)
        for part in (one("a", 0.05), one("b", 0.3, 1))
    ]
    both = read_log(pl.concat(parts), model="model", weight="w", cluster="user")
    answer = answer_question(both, ValueQuestion(CheckCost(0.1)))
    ((_, paired),) = answer.comparison.differences
    assert paired.interval.lower < paired.difference < paired.interval.upper
    alone = read_log(
        pl.concat([p.with_columns(user=0) for p in parts]), model="model", cluster="user"
    )
    answer = answer_question(alone, ValueQuestion(CheckCost(0.1)))
    assert answer.comparison.reason == "one case"


def test_ranges_and_differences_reach_words_json_and_page():
    answer = answer_question(log(one("a", 0.05), one("b", 0.3, 1)), ValueQuestion(CheckCost(0.1)))
    table, ranges, differences, picture = blocks(answer)
    assert [type(b) for b in (table, ranges, differences, picture)] == [Grid, Grid, Grid, Picture]
    assert ranges.rows[0][0].startswith("1 ")
    assert ranges.rows[-1][0].endswith(" and more")
    assert "at 10 checks" in differences.title
    figure = Figure()
    picture.draw(figure.subplots())
    assert {"a", "b", "your price"} <= set(named(figure.axes[0]))

    content = value_object(answer)["comparison"]
    assert content["best"] == answer.models[0][0]
    assert content["checks_per_mistake"] == pytest.approx(10)
    assert content["best_ranges"][0]["checks_per_mistake"][0] == 1
    assert content["best_ranges"][-1]["checks_per_mistake"][1] is None
    assert content["differences"][0]["interval"][0] < content["differences"][0]["value"]
    assert content["reason"] is None


def test_models_on_other_cases_cannot_be_paired():
    other = one("b", 0.3, 1).with_columns(id=pl.concat_str(pl.lit("other "), "id"))
    answer = answer_question(log(one("a", 0.05), other), ValueQuestion(CheckCost(0.1)))
    assert answer.comparison.reason == "other cases"
    _, notice = blocks(answer)
    assert isinstance(notice, Notice)
    assert notice.text.startswith("The models were not run on the same labelled cases")
    content = value_object(answer)["comparison"]
    assert content["best_ranges"] == content["differences"] == []
    assert "cannot be paired: name the cases in a column id" in content["reason"]


def test_rows_without_ids_cannot_be_paired():
    parts = [part.drop("id") for part in (one("a", 0.05), one("b", 0.3, 1))]
    answer = answer_question(log(*parts), ValueQuestion(CheckCost(0.1)))
    assert answer.comparison.reason == "other cases"
    assert "column id" in value_object(answer)["comparison"]["reason"]


def test_labels_that_differ_are_said():
    other = one("b", 0.3, 1).with_columns(label=1 - pl.col("label"))
    answer = answer_question(log(one("a", 0.05), other), ValueQuestion(CheckCost(0.1)))
    assert answer.comparison.reason == "other labels"
    assert "different labels" in value_object(answer)["comparison"]["reason"]


def test_without_a_price_there_are_ranges_but_no_differences():
    both = log(one("a", 0.05), one("b", 0.3, 1))
    answer = answer_question(both, ValueQuestion(CheckCost(0.1)))
    points = {name: replace(part.point, rate=None) for name, part in answer.models}
    bare = compare_models(dict(both.by_model()), answer.comparison.curves, points, answer.question)
    assert bare.reason == "no price"
    assert "no finite price" in comparison_object(bare)["reason"]
    assert bare.ranges == answer.comparison.ranges
    assert bare.differences == ()
    assert comparison_object(bare)["checks_per_mistake"] is None
    *_, notice, picture = comparison_blocks(bare)
    assert notice.text.startswith("No finite price")
    figure = Figure()
    picture.draw(figure.subplots())
    assert set(named(figure.axes[0])) == {"a", "b"}


def test_people_who_err_and_single_models_are_not_compared_at_prices():
    parts = (one("a", 0.05), one("b", 0.3, 1))
    erring = answer_question(log(*parts), ValueQuestion(CheckWork(0.05, people_right=0.9)))
    single = answer_question(log(parts[0]), ValueQuestion(is_assumed=True))
    for answer in (erring, single):
        assert answer.comparison is None
        assert value_object(answer)["comparison"] is None
        assert "compared at prices" in value_object(answer)["reasons"]["comparison"]
        assert len(blocks(answer)) == 1


def test_curves_must_know_their_cases():
    part = log(one("a", 0.05))
    curve = ValueCurve.from_outcomes(part.right, part.proba.max(axis=1))
    with pytest.raises(InputError, match="do not know the cases"):
        compare_models(
            {"a": part}, {"a": curve}, {"a": CheckCost(0.1).choose(curve)}, ValueQuestion()
        )
