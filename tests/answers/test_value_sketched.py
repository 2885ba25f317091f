"""The answer from counts is the answer from rows, wherever each confidence has its own bin."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from askpoint.answers.value.question import ValueQuestion
from askpoint.answers.value.verdict import answer_question
from askpoint.errors import InputError, LogError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.exchange import Prices
from askpoint.records.logs import read_log
from askpoint.records.streams import sketch_log
from askpoint.records.tables import open_table
from askpoint.reports.value.document import value_document
from askpoint.reports.value.json import value_object
from askpoint.value.by_class import MinRecall
from askpoint.value.cost_curves import GreatestWorth, LeastCost
from askpoint.value.limits import AskAtMost, MaxError
from askpoint.value.priced import FBeta, MistakeCost

N = 3000


def log(*, all_labelled=False):
    """Confidences in steps of 1/64: each has its own bin."""
    rng = np.random.default_rng(5)
    p = rng.integers(0, 65, N) / 64
    label = pl.Series((rng.random(N) < p).astype(int))
    known = np.full(N, fill_value=True) if all_labelled else rng.random(N) < 0.7
    return pl.DataFrame({
        "label": label.set(pl.Series(~known), None),
        "proba": p,
        "group": pl.Series(np.array(["a", "b"])[rng.integers(0, 2, N)]).set(
            pl.Series(rng.random(N) < 0.1), None
        ),
        "model": np.array(["one", "two"])[rng.integers(0, 2, N)],
    })  # fmt: skip


def both(source, question, **columns):
    exact = answer_question(read_log(source, **columns), question)
    sketched = answer_question(sketch_log(open_table(source), **columns), question)
    return exact, sketched


DRAWN = {
    "decided",
    "undecided",
    "expected",
    "next_labels",
    "at_other_prices",
    "fall",
    "misfit",
    "interval_rule",
    "stake",
}


def assert_alike(exact, sketched, steps=1):
    """Equal numbers; the threshold may lie anywhere between two confidences."""
    if isinstance(exact, dict):
        is_expected = (exact.get("rule") or {}).get("name") not in (None, "hindsight")
        assert exact.keys() ^ sketched.keys() <= {
            "accounts",
            "recommended.accounts",
            "recommended.own_thresholds",
            *(f"recommended.{name}" for name in DRAWN),
        }
        for key, value in exact.items():
            if key in DRAWN:
                continue  # drawn: the test below compares them
            if key in ("asked", "mistakes", "cost") and is_expected:
                continue  # drawn, too
            if key == "accounts":
                continue  # a sketch does not keep classes
            if key == "own_thresholds":
                continue  # nor which labels are of which group
            if key == "groups" and exact["rule"]["threshold"] != sketched["rule"]["threshold"]:
                continue  # they are told at the threshold for new cases
            if key == "cross_fitted" and "group" in exact:
                assert not sketched[key]  # a sketch says that its own are not
                continue
            if key in ("risk", "interval", "p_value") and "group" in exact:
                continue  # of rows each is judged at a threshold chosen without it
            if key == "threshold" and isinstance(value, float):
                # anywhere between two confidences; a limit kept with .9 may flip at the next, since
                # the posterior of a sketch sees the lower ends of bins
                assert abs(value - sketched[key]) <= steps / 64
            else:
                assert_alike(value, sketched[key], steps)
    elif isinstance(exact, list):
        assert len(exact) == len(sketched)
        for one, other in zip(exact, sketched, strict=True):
            assert_alike(one, other, steps)
    elif isinstance(exact, float):
        assert sketched == pytest.approx(exact, rel=1e-9, abs=1e-12)
    else:
        assert exact == sketched


QUESTIONS = [
    ValueQuestion(is_assumed=True),
    ValueQuestion(MistakeCost(0.0)),
    ValueQuestion(MistakeCost(1e6)),
    ValueQuestion(AskAtMost(0.25)),
    ValueQuestion(AskAtMost(400)),
    ValueQuestion(MaxError(0.05)),
    ValueQuestion(FBeta(0.5)),
    ValueQuestion(GreatestWorth(Prices(1, -0.5, -20)), default="0"),
]


@pytest.mark.parametrize("question", QUESTIONS, ids=str)
@pytest.mark.parametrize("all_labelled", [True, False])
@pytest.mark.parametrize("columns", [{}, {"group": "group"}, {"group": "group", "model": "model"}])
def test_the_same_numbers(question, all_labelled, columns):
    exact, sketched = both(log(all_labelled=all_labelled), question, **columns)
    rows, counts = value_object(exact), value_object(sketched)
    for found in (rows, counts):  # cases that were only counted cannot be paired
        found.pop("comparison", None)
        found["reasons"].pop("comparison", None)
    assert_alike(rows, counts, 2 if question.objective.name in ("MaxError", "FBeta") else 1)
    assert sketched.is_sketched
    assert not exact.is_sketched


def test_the_words_say_that_it_is_a_sketch():
    exact, sketched = both(log(), ValueQuestion(is_assumed=True))
    words = repr(value_document(sketched, "log"))
    assert "The cases were counted in bins of confidence" in words
    assert "The cases were counted in bins" not in repr(value_document(exact, "log"))
    # the threshold divides the cases as the exact one does
    k = int(np.searchsorted(np.arange(33, 65) / 64, sketched.point.threshold))
    written = words.split("is at least ")[2].split()[0].rstrip(".")
    assert (32 + k) / 64 < float(written) <= (33 + k) / 64


@pytest.mark.parametrize(
    "question",
    [
        ValueQuestion(MinRecall("1", 0.9)),
        ValueQuestion(LeastCost(CostMatrix(("0", "1"), [[0, 1], [5, 0]], reject_cost=0.5))),
    ],
)
def test_what_needs_the_cases(question):
    with pytest.raises(InputError, match="which a sketch does not keep"):
        answer_question(sketch_log(open_table(log())), question)


def test_a_model_without_labels():
    source = log().with_columns(label=pl.when(pl.col("model") == "one").then("label"))
    with pytest.raises(LogError, match="model 'two': no row has a label; label at least some"):
        answer_question(
            sketch_log(open_table(source), model="model"), ValueQuestion(is_assumed=True)
        )


@pytest.mark.parametrize("objective", [MistakeCost(4.0), AskAtMost(0.25), MaxError(0.05)], ids=str)
def test_new_cases_are_expected_alike(objective):
    exact, sketched = both(log(), ValueQuestion(objective))
    for name in ("asked", "mistakes"):
        one, other = (getattr(found.tomorrow.best, name) for found in (exact, sketched))
        assert abs(one.mean - other.mean) < 0.02
        assert abs(one.high - other.high) < 0.03
    shares = [found.tomorrow.saved_share for found in (exact, sketched)]
    assert (None in shares) == (objective.__class__ is not MistakeCost)
    if None not in shares:  # of what is at stake
        assert abs(shares[0] - shares[1]) < 0.05
