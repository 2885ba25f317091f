"""People who err, from a log's column or by somebody's word: costs against a plain count."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from askpoint.answers.value.people import charge_baselines
from askpoint.answers.value.verdict import answer_value
from askpoint.errors import InputError, LogError, ObjectiveError
from askpoint.records.logs import read_log
from askpoint.reports.value.document import value_sections
from askpoint.reports.value.json import value_object
from askpoint.value.curve import ValueCurve
from askpoint.value.priced import CheckCost
from askpoint.value.reviewer_errors import CheckWork, ReviewerErrors

N = 1000


def frame(seed=0):
    rng = np.random.default_rng(seed)
    p = rng.beta(0.6, 0.6, N)
    label = (rng.random(N) < p).astype(int)
    said = np.where(rng.random(N) < 0.7 + 0.29 * np.abs(2 * p - 1), label, 1 - label)
    looked = rng.random(N) < 0.6
    return pl.DataFrame(
        {
            "label": label,
            "proba": p,
            "reviewer": [int(x) if y else None for x, y in zip(said, looked, strict=True)],
        }
    )


def answer(table, **settings):
    columns = {name: settings.pop(name) for name in ("people", "weight") if name in settings}
    if "check_price" in settings:
        price, right = settings.pop("check_price"), settings.pop("people_right", None)
        settings["objective"] = CheckWork(price, right)
    return answer_value(read_log(table, **columns), **settings)


def section(found):
    return next((s for s in value_sections(found) if s.title == "People err, too"), None)


def test_people_are_measured_where_a_case_has_their_answer_and_a_label():
    table = frame().with_columns(
        label=pl.when(pl.int_range(N) % 4 == 0).then(None).otherwise("label")
    )
    people = answer(table, people="reviewer", check_price=0.02).people
    both = table.filter(pl.col("label").is_not_null() & pl.col("reviewer").is_not_null())
    confidence = pl.max_horizontal("proba", 1 - pl.col("proba"))
    edges = [-np.inf, *people.edges, np.inf]
    assert len(people.right) == 5
    for i, right in enumerate(people.right):
        part = both.filter((confidence >= edges[i]) & (confidence < edges[i + 1]))
        assert right == pytest.approx((part["label"] == part["reviewer"]).mean(), abs=1e-12)
        assert people.intervals[i].lower < right < people.intervals[i].upper


def test_every_policy_is_charged_for_the_mistakes_of_people():
    table = frame()
    found = answer(table, people="reviewer", check_price=0.05)
    p, label = table["proba"].to_numpy(), table["label"].to_numpy()
    wrong = (p > 0.5) != label
    confidence = np.maximum(p, 1 - p)
    h = found.people.right[np.searchsorted(found.people.edges, confidence, side="right")]
    for baseline, asked, mistakes in zip(
        found.baselines,
        (confidence < found.point.threshold, np.ones(N, bool), np.zeros(N, bool), None, wrong),
        (wrong & (confidence >= found.point.threshold), 0 * wrong, wrong, None, 0 * wrong),
        strict=True,
    ):
        if asked is None:  # one decision for all
            assert baseline.cost == pytest.approx(1000 * min(label.mean(), 1 - label.mean()))
            continue
        assert baseline.people_wrong == pytest.approx((1 - h)[asked].sum())
        cost = baseline.people_wrong + mistakes.sum() + 0.05 * asked.sum()
        assert baseline.cost == pytest.approx(1000 * cost / N)
    assert found.baselines[0].cost == min(b.cost for b in found.baselines[:3])


def test_weights_count_in_every_policy():
    doubled = frame().with_columns(w=pl.Series(np.resize([1.0, 2.0], N)))
    rows = np.repeat(np.arange(N), np.resize([1, 2], N))
    weighted = answer(doubled, weight="w", people_right=0.9, check_price=0.05)
    repeated = answer(doubled[rows], people_right=0.9, check_price=0.05)
    assert weighted.point.threshold == repeated.point.threshold
    assert [b.cost for b in weighted.baselines] == pytest.approx(
        [b.cost for b in repeated.baselines]
    )


def test_people_who_never_err_are_the_plain_price():
    plain = answer(frame(), objective=CheckCost(0.05))
    exact = answer(frame(), people_right=1.0, check_price=0.05)
    assert exact.point.threshold == plain.point.threshold
    # in checks, at 20 a mistake
    assert [20 * b.cost for b in exact.baselines] == pytest.approx(
        [b.cost for b in plain.baselines]
    )
    assert all(b.people_wrong == 0 for b in exact.baselines)
    assert value_object(exact)["recommended"]["people"]["bins"] == [
        {
            "from_confidence": None,
            "to_below_confidence": None,
            "right": 1.0,
            "interval": None,
            "rho": 0.05,
            "asking_can_pay": True,
        }
    ]
    grid = section(exact).blocks[0]
    assert grid.rows[0][0] == "any"
    assert grid.rows[0][2] == "as you stated"
    assert len(section(exact).blocks) == 1


def test_where_asking_costs_a_mistake_it_never_pays():
    found = answer(frame(), people_right=0.4, check_price=0.5)
    assert found.asked == 0
    assert "never pays" in section(found).blocks[1].text
    assert value_object(found)["recommended"]["people"]["bins"][0]["asking_can_pay"] is False


def test_words_and_json_say_what_was_measured():
    found = answer(frame(), people="reviewer", check_price=0.05)
    content = value_object(found)
    assert content["recommended"]["objective"]["name"] == "ReviewerErrors"
    assert content["recommended"]["people"]["measured"] is True
    bins = content["recommended"]["people"]["bins"]
    assert [b["from_confidence"] for b in bins[1:]] == [b["to_below_confidence"] for b in bins[:-1]]
    assert all(b["rho"] == pytest.approx(1 - b["right"] + 0.05) for b in bins)
    assert all(b["interval"][0] <= b["right"] <= b["interval"][1] for b in bins)
    texts = [b.text for s in value_sections(found) for b in s.blocks if hasattr(b, "text")]
    assert any("people err, too: they are right in" in text for text in texts)
    assert any("the label counts as the truth" in text for text in texts)
    assert "people_wrong" in content["hindsight"]["baselines"][0]


def test_labels_that_are_peoples_own_answers_measure_nothing():
    found = answer(frame(), people="label", check_price=0.05)
    assert "this measures nothing" in section(found).blocks[-1].text


def test_few_answers_make_one_bin():
    few = frame().with_columns(
        reviewer=pl.when(pl.int_range(N) < 60).then("reviewer").otherwise(None)
    )
    found = answer(few, people="reviewer", check_price=0.05)
    assert len(found.people.right) == 1


def test_without_people_the_report_says_that_they_are_taken_to_be_right():
    content = value_object(answer(frame()))
    assert content["recommended"]["people"] is None
    assert "taken to be always right" in content["reasons"]["recommended.people"]


def test_policies_are_charged_on_known_cases():
    found, log = answer(frame(), people_right=0.9, check_price=0.05), read_log(frame())
    unknown = ValueCurve.from_outcomes(log.right, log.proba.max(axis=1))
    with pytest.raises(InputError, match="does not know them"):
        charge_baselines(found.baselines, found.people, log, unknown, log.proba.max(axis=1), 0.9)


def test_bad_input():
    with pytest.raises(LogError, match="--people-right SHARE"):
        answer(frame(), check_price=0.05)
    apart = frame().with_columns(
        label=pl.when(pl.col("reviewer").is_null()).then("label").otherwise(None)
    )
    with pytest.raises(LogError, match="no row has both a label and a person's answer"):
        answer(apart, people="reviewer", check_price=0.05, labels_are_random=True)
    with pytest.raises(InputError, match="rate between 0 and 1"):
        answer(frame(), people_right=1.5, check_price=0.05)
    with pytest.raises(ObjectiveError, match="price of a check must be 0 or more"):
        answer(frame(), people_right=0.9, check_price=-1)


def test_people_who_were_measured_elsewhere_are_an_objective():
    table = frame()
    stated = answer(table, objective=ReviewerErrors([], [0.9], 0.05))
    assert stated.baselines == answer(table, check_price=0.05, people_right=0.9).baselines
    assert value_object(stated)["recommended"]["objective"] == {
        "name": "ReviewerErrors",
        "check_price": 0.05,
        "people_right": None,
        "assumed": False,
    }
