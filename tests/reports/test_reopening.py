"""When a closed policy answers again, in words and for programs."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import polars as pl

from askpoint.answers.live.reopening import NO_REOPENING, Reopening, answer_reopening
from askpoint.answers.live.training_cases import training_set
from askpoint.live.documents import PolicyDocument
from askpoint.live.forecast import Forecast
from askpoint.live.history import ClosedSpell, history_of
from askpoint.live.restarts import Restarts
from askpoint.live.state import fresh_state
from askpoint.live.worth import LivePrices
from askpoint.reports.live.reopening import reopening_text
from live.worlds import PROMISE, cases, live

INF = math.inf


def said(lower, upper, never=0.0, **past):
    return reopening_text(Reopening(True, Forecast(640, lower, lower, upper, never), **past))


def test_each_answer_has_its_words():
    assert "it answers after 400 to 1,250 more labels." in said(400.0, 1250.0)
    assert "it answers after about 50 more labels." in said(50.0, 50.0)
    assert "400 more labels at the least, or never." in said(400.0, INF)
    assert "fit the model again. The last 640 labels say so." in said(INF, INF, 0.9)
    assert "not yet known: it takes 200 labels" in reopening_text(Reopening(True))


def test_a_number_is_told_only_where_those_of_the_past_held():
    assert "held only 1 times of 2" in said(400.0, 1250.0, past=2, held=1)
    assert "400 to 1,250" in said(400.0, 1250.0, past=4, held=3)
    assert "fit the model again" in said(INF, INF, 1.0, past=2, held=0)


def test_earlier_spells_are_forecast_again():
    state = fresh_state(PROMISE, episode=2).copy_with(start=2, last_start=2, restarts=Restarts())
    c, wrong, draw = cases(600, seed=5)
    wrong[:] = np.random.default_rng([5, 1]).random(600) < 0.5
    state = live(PROMISE, c, wrong, draw, state=state)[0]
    history = history_of(PolicyDocument("posts", PROMISE, state, {}, ""), [], LivePrices())
    assert answer_reopening(history).past == 0
    spells = (ClosedSpell(state, 700), ClosedSpell(state, 700))
    again = answer_reopening(replace(history, spells=spells))
    assert (again.past, again.held, again.is_trusted) == (2, 0, False)  # it said never
    opened = PolicyDocument("posts", PROMISE, state.copy_with(threshold=0.8), {}, "")
    assert answer_reopening(history_of(opened, [], LivePrices())) == NO_REOPENING


def test_a_training_set_holds_the_first_label_of_what_was_asked_or_audited():
    decisions = pl.DataFrame(
        {
            "key": ["a", "b", "c"],
            "content": ["x", None, "z"],
            "prediction": ["yes", "no", "yes"],
            "confidence": [0.9, 0.6, 0.8],
            "episode": [1, 1, 2],
            "propensity": [0.05, 1.0, 0.05],
        }
    )
    labels = pl.DataFrame(
        {
            "key": ["b", "c", "a", "b"],
            "label": ["no", "no", "yes", "yes"],
            "source": ["asked", "feedback", "audit", "asked"],
        }
    )
    found = training_set(decisions, labels)
    assert found.select("key", "label", "propensity").rows() == [
        ("a", "yes", 0.05),
        ("b", "no", 1.0),
    ]
