"""A stranger who computes everything again: what was changed is found and named."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from askpoint.live.canonical import canonical_block, canonical_json, content_digest
from askpoint.live.documents import state_to_dict
from askpoint.live.draws import audit_draws
from askpoint.live.labels import apply_labels
from askpoint.live.policy import Policy
from askpoint.live.receipts import DecisionBlock, LabelBlock, replay_blocks
from askpoint.live.steps import decide_cases
from askpoint.live.verification import verify
from live.worlds import MONEY, block as block_of, cases

SECRET = b"sixteen or more bytes"
SIZE = 100


@pytest.fixture(scope="module")
def story():
    """A deployment of 3,000 decisions with a drift, as blocks, and how it ended."""
    c, wrong, _ = cases(600)
    document = Policy.from_log(c, ~wrong, MONEY, secret=SECRET, name="posts").document
    c, wrong, _ = cases(3000, seed=1, drift=1500)
    keys = [f"k{i}" for i in range(3000)]
    draws = audit_draws(SECRET, "posts", keys)
    state, events, heads = document.state, [], [document.digest, document.digest]
    blocks = []
    for start in range(0, 3000, SIZE):
        rows = slice(start, start + SIZE)
        state, made, happened = decide_cases(state, MONEY, c[rows], draws[rows])
        events += happened
        block = block_of(
            DecisionBlock,
            np.arange(start, start + SIZE),
            keys[rows],
            np.arange(start, start + SIZE) * 10,
            ["yes"] * SIZE,
            c[rows],
            draws[rows],
            made.propensity,
            made.answer,
            made.audit,
            made.episode,
            [
                content_digest(f"content {key}") if i % 2 else None
                for i, key in enumerate(keys[rows])
            ],
            [None] * SIZE,
            np.full(SIZE, MONEY.rate),
            np.zeros(SIZE, dtype=bool),
        )
        heads[0] = block.hash_after(heads[0])
        blocks.append(replace(block, chain=heads[0]))
        seq = start + np.flatnonzero(made.audit | ~made.answer)
        state, happened = apply_labels(state, MONEY, seq, wrong[seq])
        events += happened
        names = [keys[i] for i in seq]
        told = block_of(
            LabelBlock,
            start + SIZE,
            names,
            ["no" if wrong[i] else "yes" for i in seq],
            ["Bob"] * len(seq),
            ["asked"] * len(seq),
            seq,
            wrong[seq],
            np.ones(len(seq), dtype=bool),
            [None] * len(seq),
            np.zeros(len(seq), dtype=bool),
            np.arange(len(seq)),
        )
        heads[1] = told.hash_after(heads[1])
        blocks.append(replace(told, chain=heads[1]))
    return document, blocks, events, state, tuple(heads)


def test_a_true_record_is_verified(story):
    document, blocks, events, state, heads = story
    for secret in (SECRET, None):
        found = verify(document, blocks, events, secret)
        assert found.difference is None
        assert found.decisions == 3000
        assert found.replay.labels == sum(len(b.key) for b in blocks if isinstance(b, LabelBlock))
        assert tuple(found.replay.heads) == heads
        assert state_to_dict(found.replay.state) == state_to_dict(state)
    assert len(events) > 3


def test_a_replay_gives_the_state_bit_for_bit(story):
    document, blocks, events, state, heads = story
    replay = replay_blocks(document, blocks)
    assert state_to_dict(replay.state) == state_to_dict(state)
    assert replay.events == events
    assert tuple(replay.heads) == heads


CHANGES = {
    "seq": lambda b: replace(b, seq=b.seq + (b.seq == 703)),
    "draw": lambda b: replace(b, drawn=np.where(b.seq == 703, b.drawn / 2, b.drawn)),
    "answer": lambda b: replace(b, answer=b.answer ^ (b.seq == 703)),
    "audit": lambda b: replace(b, audit=b.audit ^ (b.seq == 703)),
    "propensity": lambda b: replace(b, propensity=b.propensity * np.where(b.seq == 703, 0.9, 1)),
    "episode": lambda b: replace(b, episode=b.episode + (b.seq == 703)),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_row_is_named(story, name):
    document, blocks, events, _, _ = story
    forged = [*blocks[:14], CHANGES[name](blocks[14]), *blocks[15:]]
    found = verify(document, forged, events, SECRET)
    assert found.difference.where == "decisions"
    assert found.difference.seq == 703
    assert str(found.difference).startswith(f"decisions, at decision 703: {name} is ")


@pytest.mark.parametrize("column", ["at", "prediction", "digest", "key", "confidence"])
def test_a_change_that_alters_no_decision_breaks_the_chain(story, column):
    document, blocks, events, _, _ = story
    block = blocks[14]
    values = getattr(block, column)
    if isinstance(values, np.ndarray):
        changed = values.copy()
        changed[3] = np.nextafter(values[3], 1) if column == "confidence" else values[3] + 1
    else:
        changed = [*values[:3], "no", *values[4:]]
    forged = [*blocks[:14], replace(block, **{column: changed}), *blocks[15:]]
    found = verify(document, forged, events, None)
    assert found.difference.where == "decisions"
    assert "rows 700 to 799 do not give the hash" in found.difference.what


def test_a_permuted_block_fails(story):
    document, blocks, events, _, _ = story
    order = np.random.default_rng(0).permutation(SIZE)
    block = blocks[14]
    columns = {
        name: [value[i] for i in order] if isinstance(value, list) else value[order]
        for name, value in vars(block).items()
        if name not in {"chain", "seq"}
    }
    forged = [*blocks[:14], replace(block, **columns), *blocks[15:]]
    assert verify(document, forged, events, None).difference is not None


def test_a_changed_label_breaks_its_chain(story):
    document, blocks, events, _, _ = story
    told = blocks[9]
    forged = [*blocks[:9], replace(told, judge=["Eve", *told.judge[1:]]), *blocks[10:]]
    found = verify(document, forged, events, SECRET)
    assert (found.difference.where, found.difference.seq) == ("labels", told.after)


def test_labels_out_of_their_place_are_found(story):
    document, blocks, events, _, _ = story
    forged = [*blocks[:8], blocks[9], blocks[8], *blocks[10:]]
    found = verify(document, forged, events, SECRET)
    assert (
        str(found.difference) == "labels, at decision 400: they came after 500 decisions, not 400"
    )


def test_missing_and_changed_events_are_found(story):
    document, blocks, events, _, _ = story
    for forged in (events[:-1], [*events, events[0]], [events[0]._replace(seq=1), *events[1:]]):
        found = verify(document, blocks, forged, SECRET)
        assert found.difference.where == "events"


def test_another_secret_is_found(story):
    document, blocks, events, _, _ = story
    found = verify(document, blocks, events, b"another secret, long")
    assert str(found.difference).startswith("secret, at decision 0: its hash is not")
    assert found.decisions == 0


def test_canonical_values_have_one_text():
    assert canonical_json({"b": 0.1, "a": [1, None, "ü"]}) == '{"a":[1,null,"ü"],"b":0.1}'
    with pytest.raises(ValueError, match="Out of range"):
        canonical_json(float("nan"))
    one = canonical_block({"x": np.array([1.0]), "y": ["a", None]})
    assert one == canonical_block({"x": np.array([1.0], dtype=">f8"), "y": ["a", None]})
    assert one != canonical_block({"x": np.array([1.0]), "y": ["a", "null"]})
    assert content_digest(None) is None


def test_rates_of_regions_and_golden_items_are_replayed():
    c, wrong, _ = cases(600)
    document = Policy.from_log(c, ~wrong, MONEY, secret=SECRET, name="posts").document
    keys, regions = (
        [f"k{i}" for i in range(SIZE)],
        ["slur" if i % 4 == 0 else None for i in range(SIZE)],
    )
    rates = np.where([name is not None for name in regions], 0.5, MONEY.rate)
    draws = audit_draws(SECRET, "posts", keys)
    _, made, _ = decide_cases(document.state, MONEY, c[:SIZE], draws, rates)
    block = block_of(DecisionBlock,
        np.arange(SIZE), keys, np.arange(SIZE), ["yes"] * SIZE, c[:SIZE], draws, made.propensity,
        made.answer, made.audit, made.episode, [None] * SIZE, regions, rates,
        np.zeros(SIZE, dtype=bool),
    )  # fmt: skip
    golden = block_of(LabelBlock,
        SIZE, ["g"], ["no"], ["Bob"], ["gold"], np.array([-1]), np.array([True]),
        np.array([False]), ["yes"], np.array([True]), np.array([0]),
    )  # fmt: skip
    head = block.hash_after(document.digest)
    blocks = [replace(block, chain=head), replace(golden, chain=golden.hash_after(document.digest))]
    replay = replay_blocks(document, blocks)
    raised = [event for event in replay.events if event.kind == "audit_rates"]
    assert [dict(event.numbers) for event in raised] == [{"slur": 0.5}]
    assert (replay.state.watches["people"].items, replay.state.watches["people"].mistakes) == (1, 1)
    assert verify(document, blocks, replay.events, SECRET).difference is None
    usual = replace(block, rate=np.full(SIZE, MONEY.rate), chain=head)
    assert verify(document, [usual], (), SECRET).difference is not None
