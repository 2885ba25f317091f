"""What cannot be known, said first."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from askpoint.answers.live.checkup import watch_of
from askpoint.live.documents import PolicyDocument
from askpoint.live.history import history_of
from askpoint.live.worth import LivePrices
from askpoint.reports.live.json import watch_object
from askpoint.reports.live.reopening import reopening_text
from askpoint.reports.live.silence import silence_notices
from live.worlds import MONEY, cases, live

TERMS = replace(MONEY, max_label_delay=200, has_budget=False, watch_delta=1e-300)


def answered(state, terms=TERMS):
    document = PolicyDocument("posts", terms, state, {}, "")
    return watch_of(history_of(document, [], LivePrices(check=0.1)), now=0)


def test_labels_that_are_missing_are_told_before_all_else():
    c, wrong, draw = cases(1500, seed=2)
    lost = np.flatnonzero(np.random.default_rng(0).random(1500) < 0.3)
    told = answered(live(TERMS, c, wrong, draw, lost=lost)[0])
    texts = [notice.text for notice in silence_notices(told)]
    assert "of what was asked has no label. Nobody can tell these from mistakes" in texts[0]
    assert "While this lasts, nothing can show that it may decide alone." in texts[0]
    assert (
        f"Ask a second reviewer for the {told.asked_again} cases of them drawn for that" in texts[0]
    )
    assert "A promise" not in texts[0]
    content = watch_object(told)
    assert content["missing_share"] == told.missing_share > 0.25
    assert content["asked_again"] == told.asked_again > 0


def test_a_promise_says_that_what_is_missing_stays_a_mistake():
    terms = replace(TERMS, aim="promise")
    lost = np.flatnonzero(np.random.default_rng(0).random(1500) < 0.12)
    told = answered(live(terms, *cases(1500, seed=2), lost=lost)[0], terms)
    assert told.shows_nothing
    (text,) = (n.text for n in silence_notices(told) if "nothing can show that it may" in n.text)
    assert "A promise still counts every missing label as a mistake" in text
    assert "before 200 later decisions have labels" in text
    forecast = told.reopening.forecast
    assert forecast.is_never
    assert "as many labels are missing as now" in reopening_text(told.reopening)


def test_labels_missing_where_it_would_ask_anyway_hide_nothing():
    terms = replace(TERMS, aim="promise")
    c, wrong, draw = cases(1500, seed=2)
    told = answered(live(terms, c, wrong, draw, lost=np.flatnonzero(c < 0.6))[0], terms)
    assert told.missing_share > terms.limit
    assert not told.shows_nothing


def test_audits_that_soon_count_as_mistakes_are_told():
    c, wrong, draw = cases(1500, seed=1)
    told = answered(live(TERMS, c, wrong, draw, lost=np.arange(1300, 1400))[0])
    texts = [notice.text for notice in silence_notices(told)]
    assert any("for more than half of the time that there is" in text for text in texts)
    assert watch_object(told)["late_audits"] == told.late_audits > 0


def test_where_all_labels_come_nothing_is_said():
    c, wrong, draw = cases(1500, seed=1)
    assert list(silence_notices(answered(live(TERMS, c, wrong, draw)[0]))) == []
