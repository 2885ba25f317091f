"""A rule that asks: asked there whatever the confidence, and the promise of the others as if nothing else came."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, strategies as st

from askpoint.errors import InputError, RuleError
from askpoint.live.ask_rules import ASKED_BY_RULE, AskRule, asked_rows, check_ask_rules
from askpoint.live.documents import PolicyDocument, state_to_dict
from askpoint.live.labels import apply_labels
from askpoint.live.policy import Policy
from askpoint.live.receipts import Replay
from askpoint.live.state import fresh_state
from askpoint.live.steps import decide_cases
from askpoint.live.terms import Terms
from askpoint.live.verification import verify
from live.memory_store import MemoryStore
from live.worlds import PROMISE

SECRET = b"sixteen or more bytes"
RULE = {"name": "text has 'verified'", "conditions": [["text", "has", "verified"]]}
MODEL = {"name": "m", "version": "1", "classes": ["right", "wrong"], "ask_where": [RULE]}


def island(n, seed, share=0.12):
    """A model that is sure and wrong of a region, and good where it is sure elsewhere."""
    rng = np.random.default_rng(seed)
    sure, there = 0.5 + 0.5 * rng.random(n) ** 0.5, rng.random(n) < share
    risk = np.where(there, 0.8, np.minimum(0.5, 1.2 * (1 - sure) ** 1.5))
    sure[there] = rng.uniform(0.9, 1, int(there.sum()))
    return sure, there, risk, rng.random(n) < risk, rng.random(n)


def live(terms, seed, n, *, heeds):
    """Live through n cases; the mean risk of what was answered, the share answered, and answers in the region."""
    sure, there, risk, wrong, draw = island(n, seed)
    state, answers = fresh_state(terms), []
    for start in range(0, n, 50):
        rows = slice(start, start + 50)
        asked = there[rows] if heeds else None
        state, made, _ = decide_cases(state, terms, sure[rows], draw[rows], asked=asked)
        answers.append(made.answer)
        wanted = start + np.flatnonzero(made.audit | ~made.answer)
        state, _ = apply_labels(state, terms, wanted, wrong[wanted])
    answer = np.concatenate(answers)
    known = float(risk[answer].mean()) if answer.any() else 0.0
    return known, float(answer.mean()), int((answer & there).sum())


def lives(terms, n_lives, n, *, heeds):
    found = [live(terms, 1000 + seed, n, heeds=heeds) for seed in range(n_lives)]
    return [np.array(column) for column in zip(*found, strict=True)]


def test_the_promise_is_kept_outside_and_nothing_inside_is_answered():
    risk, coverage, inside = lives(PROMISE, 12, 3000, heeds=True)
    assert (inside == 0).all()
    assert (risk > PROMISE.limit).sum() <= 2  # of 12 at delta 0.05: three or more in 2 of 100
    without = lives(PROMISE, 12, 3000, heeds=False)
    assert np.median(coverage) > np.median(without[1]) + 0.1  # or there were no use in it


@pytest.mark.soak
def test_the_promise_over_many_lives():
    risk, coverage, inside = lives(PROMISE, 400, 4000, heeds=True)
    assert (inside == 0).all()
    assert (risk > PROMISE.limit).mean() <= PROMISE.delta + 3 * (0.05 * 0.95 / 400) ** 0.5
    assert np.median(coverage) > 0.3


@given(st.integers(0, 2**32 - 1))
def test_what_a_rule_asks_says_nothing_of_the_others(seed):
    """Confidences and labels of the region may be whatever they are: all else of the state stays."""
    rng = np.random.default_rng(seed)
    sure, there, _, wrong, draw = island(600, 3)
    states = []
    for turned in (False, True):
        c, w = sure.copy(), wrong.copy()
        if turned:
            c[there], w[there] = (
                rng.uniform(0, 1, int(there.sum())),
                rng.random(int(there.sum())) < 0.5,
            )
        state = fresh_state(PROMISE)
        for start in range(0, 600, 100):
            rows = slice(start, start + 100)
            state, made, _ = decide_cases(state, PROMISE, c[rows], draw[rows], asked=there[rows])
            wanted = start + np.flatnonzero(made.audit | ~made.answer)
            state, _ = apply_labels(state, PROMISE, wanted, w[wanted])
        states.append(state_to_dict(state))
    assert states[0] == states[1]


def store_of(model=MODEL, terms=PROMISE):
    document = Policy.from_nothing(terms, secret=SECRET, name="posts").document
    document = replace(document, model=model)
    return MemoryStore(Policy.from_document(document), SECRET)


def test_the_log_says_which_a_rule_asked_and_leads_to_the_state_again():
    store = store_of()
    sure, there, _, wrong, _ = island(900, 5)
    for start in range(0, 900, 100):
        keys = [f"k{i}" for i in range(start, start + 100)]
        texts = ["a Verified seller" if there[i] else "a chair" for i in range(start, start + 100)]
        made = store.decide(keys, sure[start : start + 100], content=texts)
        waits = [i for i in range(100) if made.audit[i] or not made.answer[i]]
        store.label({keys[i]: bool(not wrong[start + i]) for i in waits})
    groups = np.concatenate([block.group for block in store.blocks if hasattr(block, "drawn")])
    assert ((groups == ASKED_BY_RULE) == there).all()
    found = verify(store.policy.document, store.blocks, None, SECRET)
    assert found.decisions == 900
    again = Replay(store.policy.document)
    for block in store.blocks:
        again.decide(block) if hasattr(block, "drawn") else again.label(block)
    assert state_to_dict(again.state) == state_to_dict(store.policy.state)


def test_a_key_that_comes_again_keeps_its_decision():
    store = store_of()
    first = store.decide(["a", "b"], [0.99, 0.99], content=["verified", "x"], group=["north", None])
    assert not first.answer.any()
    store.decide(["a", "b"], [0.99, 0.99], content=["verified", "x"], group=["north", None])
    with pytest.raises(RuleError, match="other content"):
        store.decide(["b"], [0.99], content=["x"], group=["south"])


@pytest.mark.parametrize(
    ("conditions", "content", "group", "asked"),
    [
        ([["text", "has", "verified"]], "a VERIFIED seller", None, True),
        ([["text", "has", "verified"]], "unverified", None, False),
        ([["text", "has", "verified"]], None, None, True),  # it lacks what the rule reads
        ([["price", "above", 10.0]], {"price": 11}, None, True),
        ([["price", "above", 10.0]], {"price": 10}, None, False),
        ([["price", "at most", 10.0]], {"price": "cheap"}, None, True),
        ([["price", "at most", 10.0]], {"other": 1}, None, True),
        ([["language", "is", "fr"]], {"language": "fr"}, None, True),
        ([["language", "is", "fr"]], {"language": "de"}, None, False),
        ([["language", "is missing", None]], {"language": None}, None, True),
        ([["group", "is", "north"]], "text", "north", True),
        ([["group", "is", "north"]], "text", "south", False),
        (
            [["text", "has", "seller"], ["price", "above", 10.0]],
            {"text": "seller", "price": 3},
            None,
            False,
        ),
        ([["text", "has", "seller"]], "{not json", None, False),
    ],
)
def test_what_a_rule_covers(conditions, content, group, asked):
    model = {"ask_where": [{"name": "x", "conditions": conditions}]}
    text = json.dumps(content) if isinstance(content, dict) else content
    assert asked_rows(model, [text], [group], 1).tolist() == [asked]


@pytest.mark.parametrize(
    "rule",
    [
        {},
        {"name": "x", "conditions": []},
        {"name": "x", "conditions": [["text", "like", "y"]]},
        {"name": "x", "conditions": [["text", "has"]] * 2 + [[]]},
        {"name": "x", "conditions": [["text", "has", ["list"]]]},
        {"conditions": [["text", "has", "y"]]},
    ],
)
def test_what_is_no_rule_is_refused(rule):
    with pytest.raises(InputError, match="a rule that asks has"):
        check_ask_rules({"ask_where": [rule]})


@pytest.mark.parametrize("shape", ["ladder", "groups", "documents"])
def test_policies_whose_cases_are_divided_take_none(shape):
    with pytest.raises(InputError, match="divided already"):
        check_ask_rules({"ask_where": [RULE], shape: {"x": 1}})


def test_the_name_of_the_log_is_no_group_of_a_case():
    with pytest.raises(InputError, match="no case has the group"):
        store_of().decide(["a"], [0.9], content=["x"], group=[ASKED_BY_RULE])


def test_the_document_carries_it_and_an_older_version_would_not_read_it():
    document = store_of().policy.document
    assert AskRule.from_plain(RULE).to_plain() == RULE
    again = PolicyDocument.from_json(document.to_json())
    assert again.model["ask_where"] == [RULE]
    assert json.loads(document.to_json())["format"] == 2
    other = replace(document, model={**MODEL, "ask_where": None})
    assert other.digest != document.digest


def test_terms_of_money_take_a_rule_too():
    risk, coverage, inside = lives(
        Terms("money", 0.1, rate=0.2, planned_decisions=4000), 4, 2000, heeds=True
    )
    assert (inside == 0).all()
    assert coverage.min() > 0.1
    assert risk.max() < 0.15
