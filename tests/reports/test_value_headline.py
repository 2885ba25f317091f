"""The title of the value report is the answer, in every state, and agrees with the answer below it."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from askpoint.answers.value.question import ValueQuestion
from askpoint.answers.value.refusals import HeavyLabels, NoLabels, UnknownMistakes, Unmet
from askpoint.answers.value.verdict import answer_question
from askpoint.answers.value.volume import Volume
from askpoint.answers.value.workload import Workload, workload_figures
from askpoint.records.logs import read_log
from askpoint.reports.document import Paragraph
from askpoint.reports.value.document import value_document
from askpoint.reports.value.headline import headline_text
from askpoint.reports.value.json import value_object
from askpoint.value.limits import AskAtMost, MaxError, MaxMistakes
from askpoint.value.priced import CheckCost, MistakeCost

BOTH = {"classes": ["ham", "spam"]}


def frame(right, confidence, **columns):
    """A log of answers "spam" with a given confidence; None is no label."""
    labels = [None if ok is None else ("spam" if ok else "ham") for ok in right]
    scores = {"proba_ham": 1 - confidence, "proba_spam": confidence}
    return pl.DataFrame({"label": labels, **scores, **columns}, schema_overrides={"label": str})


def draw(n, seed=0):
    """Cases that are right as often as their confidence says."""
    rng = np.random.default_rng(seed)
    sure = rng.beta(5, 1.5, n)
    return (rng.random(n) < sure).astype(int).tolist(), sure


def answer(log, objective, **columns):
    question = ValueQuestion(objective, labels_are_random=True)
    return answer_question(read_log(log, **columns), question)


LOG = frame(*draw(4000))


@pytest.mark.parametrize(
    "objective", [CheckCost(0.2), AskAtMost(0.3), MaxError(0.1)], ids=["price", "capacity", "limit"]
)
def test_it_says_which_share_the_model_decides_alone(objective):
    made = answer(LOG, objective)
    title = value_document(made, "posts.csv").title
    (share,) = re.fullmatch(r"Let the model decide (\d+)% alone\.", title).groups()
    assert int(share) == pytest.approx(100 * (1 - made.tomorrow.best.asked.mean), abs=0.51)


@pytest.mark.parametrize("seconds", [40.0, 1.0, None])
def test_it_says_what_that_frees(seconds):
    made = answer(LOG, CheckCost(0.2))
    work = Workload(volume=Volume(3_000, "month"), seconds_per_check=seconds)
    title = value_document(made, "posts.csv", work).title
    first, freed = title.split(". That frees ")
    assert re.fullmatch(r"Let the model decide 5\d% alone", first)
    n, unit = re.fullmatch(r"([\d,.]+) (hours|minutes|checks) a month\.", freed).groups()
    found = workload_figures(made.tomorrow, work)
    told = value_object(made, work)
    assert told["recommended"]["workload"]["saved_hours"] == found.saved_hours
    assert round(100 * (1 - told["recommended"]["asked"]["share"])) == int(first[-9:-7])
    if seconds is None:
        expected = work.volume.number - found.asked.mean
    else:
        expected = found.saved_hours * (60 if unit == "minutes" else 1)
    assert {40.0: "hours", 1.0: "minutes", None: "checks"}[seconds] == unit
    assert float(n.replace(",", "")) == pytest.approx(expected, rel=0.05)


@pytest.mark.parametrize(
    ("log", "objective", "title"),
    [
        (LOG, MistakeCost(0), "Let the model decide every case."),
        (LOG, MaxError(0.001), "Send every case to review."),
        (frame([0] * 400, np.linspace(0.5, 0.99, 400)), CheckCost(0.05), "Send every case to review."),
        (frame(*draw(400)), CheckCost(0.1), "Not yet: label 100 more cases, then ask again."),
        (LOG, CheckCost(0.5), "Not yet: too close to tell at this price."),
        (frame(*draw(40)), MaxError(0.001, 0.05), "Not yet: nothing can be promised from 40 labels."),
        (frame(*draw(40)), MaxMistakes(0.001, 0.05), "Not yet: nothing can be promised from 40 labels."),
    ],
)  # fmt: skip
def test_it_says_what_to_do_where_no_threshold_parts_the_cases(log, objective, title):
    made = answer(log, objective)
    document = value_document(made, "posts.csv")
    assert document.title == title
    lead = next(one for one in document.sections[0].blocks if isinstance(one, Paragraph)).text
    if title.startswith("Not yet"):
        assert re.match("Not decided yet|Nothing can be promised", lead)
    else:
        assert title[:20].casefold().rstrip(".") in lead.casefold()


def test_of_several_models_it_names_the_one_that_decides():
    good = frame([1] * 90 + [0] * 10, np.linspace(0.9, 0.6, 100), model=["good"] * 100)
    bad = frame([0] * 100, np.linspace(0.9, 0.6, 100), model=["bad"] * 100)
    made = answer(pl.concat([good, bad]), CheckCost(0.2), model="model")
    assert re.fullmatch(r"Let 'good' decide \d+% alone\.", headline_text(made))


def test_of_groups_it_gives_the_share_at_the_common_threshold():
    right, sure = draw(2000)
    made = answer(frame(right, sure, g=["a", "b"] * 1000), CheckCost(0.2), group="g")
    assert made.own_thresholds is not None
    assert headline_text(made) == headline_text(answer(frame(right, sure), CheckCost(0.2)))


def test_a_promise_about_the_log_is_about_these_cases():
    right, sure = draw(2000)
    some = [one if i % 4 == 0 else None for i, one in enumerate(right)]
    made = answer(frame(some, sure), MaxMistakes(0.1, 0.05), **BOTH)
    kept = made.whole_output.kept
    title = headline_text(made)
    (share,) = re.fullmatch(r"Let the model decide (\d+)% of these cases alone\.", title).groups()
    assert int(share) == pytest.approx(100 * kept.answered / 2000, abs=0.51)


def test_labels_that_carry_no_verdict_say_what_to_label():
    score = np.linspace(0.51, 0.99, 400)
    hole = frame([1 if one < 0.7 else None for one in score], score)
    made = answer_question(read_log(hole, **BOTH), ValueQuestion(is_assumed=True))
    assert headline_text(made) == "Not yet: 60% of the cases lie where no case has a label."
    rng = np.random.default_rng(0)
    right, sure = draw(2000)
    seen = rng.random(2000) < np.where(sure < 0.8, 0.9, 0.5)
    uneven = frame([one if saw else None for one, saw in zip(right, seen, strict=True)], sure)
    made = answer_question(read_log(uneven), ValueQuestion(CheckCost(0.1)))
    assert made.refusal is None or headline_text(made).startswith("Not yet: ")
    for refusal, title in (
        (NoLabels(5), "Not yet: no case has a label."),
        (HeavyLabels(3, 50.0, 0.1), "Not yet: label 7 more of the cases that were hardly ever labelled."),
        (UnknownMistakes(5), "Not yet: no case that the model would decide has a label."),
        (Unmet("x"), "No threshold does what you ask."),
    ):  # fmt: skip
        bare = replace(made, tomorrow=None, refusal=refusal)
        assert headline_text(bare) == title
