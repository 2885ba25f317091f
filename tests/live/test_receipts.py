"""A stranger who computes everything again: what was changed is found and named."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace

import numpy as np
import pytest

from askpoint.live.blocks import DecisionBlock, DeletionBlock, HandInBlock, LabelBlock, LeaseBlock
from askpoint.live.canonical import canonical_json, content_digest, is_same_but_rounding
from askpoint.live.documents import state_to_dict
from askpoint.live.draws import audit_draws
from askpoint.live.events import LoggedEvent
from askpoint.live.heads import LogRoot
from askpoint.live.leases.granting import grant_lease
from askpoint.live.log_rows import (
    decision_texts,
    deletion_texts,
    event_text,
    label_texts,
    policy_text,
)
from askpoint.live.merkle import leaf_hash
from askpoint.live.policy import Policy
from askpoint.live.receipts import Replay
from askpoint.live.steps import decide_cases
from askpoint.live.verification import verify
from live.replays import replay_blocks
from live.test_merkle import definition
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
    replay, blocks = Replay(document), []
    for start in range(0, 3000, SIZE):
        rows = slice(start, start + SIZE)
        _, made, _ = decide_cases(replay.state, MONEY, c[rows], draws[rows])
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
            ["7"] * SIZE,
            [None] * SIZE,
            replay.tree.size,
        )
        replay.decide(block)
        blocks.append(replace(block, chain=replay.chain))
        seq = start + np.flatnonzero(made.audit | ~made.answer)
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
            [None] * len(seq),
            replay.tree.size,
        )
        replay.label(told)
        blocks.append(replace(told, chain=replay.chain))
    events = [
        LoggedEvent(*one)
        for one in zip(replay.events, *zip(*replay.places, strict=True), strict=True)
    ]
    return document, blocks, events, replay.state, replay.head


def test_a_true_record_is_verified(story):
    document, blocks, events, state, head = story
    for secret in (SECRET, None):
        found = verify(document, blocks, events, secret)
        assert found.difference is None
        assert found.decisions == 3000
        assert found.replay.labels == sum(len(b.key) for b in blocks if isinstance(b, LabelBlock))
        assert found.replay.head == head
        assert state_to_dict(found.replay.state) == state_to_dict(state)
    assert len(events) > 3
    assert head.endswith(f"@{1 + 3000 + found.replay.labels + len(events)}")


def test_the_log_is_the_tree_of_its_rows_in_their_order(story):
    """By the definition of RFC 6962, over texts that another program would write."""
    document, blocks, events, _, head = story
    rows, n = {0: policy_text(document)}, 0
    for block in blocks:
        if isinstance(block, LabelBlock):
            texts = label_texts(document, block, n)
            n += len(block.key)
        else:
            texts = decision_texts(document, block)
            row = json.loads(texts[3])
            assert row["action"] == ("answer" if block.answer[3] else "ask")
            assert (row["key"], row["confidence"]) == (block.key[3], block.confidence[3])
        rows |= {block.leaf + i: text for i, text in enumerate(texts)}
    rows |= {leaf: event_text(document, event, at) for event, at, leaf in events}
    assert sorted(rows) == list(range(len(rows)))
    for text in rows.values():
        assert canonical_json(json.loads(text)) == text
    leaves = [rows[place].encode() for place in range(len(rows))]
    assert f"{definition(leaves).hex()}@{len(leaves)}" == head


def test_a_replay_gives_the_state_bit_for_bit(story):
    document, blocks, events, state, head = story
    replay = replay_blocks(document, blocks)
    assert state_to_dict(replay.state) == state_to_dict(state)
    assert replay.events == [one.event for one in events]
    assert replay.head == head


def test_a_head_of_the_first_rows_is_compared(story):
    document, blocks, events, _, head = story
    root, _, size = head.partition("@")
    early = replay_blocks(document, blocks[:20]).head.split("@")
    last = LogRoot(int(size), root)
    first = LogRoot(int(early[1]), early[0])
    found = verify(
        document,
        blocks,
        events,
        SECRET,
        roots=[first, last, LogRoot(1, Replay(document).head[:64])],
    )
    assert found.difference is None
    found = verify(document, blocks[:20], None, SECRET, roots=[first, last])
    assert str(found.difference) == (
        f"head, at decision 1000: the log has {first.size} rows, and this head is of {last.size}: its end "
        "was cut off, or the head is that of another deployment"
    )
    found = verify(document, blocks, events, SECRET, roots=[LogRoot(first.size + 1, first.root)])
    assert found.difference.where == "head"
    assert "they are not those that this head was made of" in found.difference.what


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


@pytest.mark.parametrize(
    "column",
    [
        "at",
        "prediction",
        "digest",
        "key",
        "confidence",
        "held",
        "group",
        "model_version",
        "clock_back",
    ],
)
def test_a_change_that_alters_no_decision_breaks_the_chain(story, column):
    document, blocks, events, _, _ = story
    block = blocks[14]
    values = getattr(block, column)
    if isinstance(values, np.ndarray):
        changed = values.copy()
        other = {"confidence": np.nextafter(values[3], 1), "held": True}
        changed[3] = other.get(column, values[3] + 1)
    else:
        changed = [*values[:3], 7 if column == "clock_back" else "no", *values[4:]]
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
        if name not in {"chain", "leaf", "lease", "seq"}
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
    forged = [replace(b, leaf=-1) for b in [*blocks[:8], blocks[9], blocks[8], *blocks[10:]]]
    found = verify(document, forged, events, SECRET)
    assert (
        str(found.difference) == "labels, at decision 400: they came after 500 decisions, not 400"
    )


def test_missing_and_changed_events_are_found(story):
    document, blocks, events, _, _ = story
    one = events[0]
    others = (
        one._replace(event=one.event._replace(seq=1)),
        one._replace(at=1),
        one._replace(leaf=1),
    )
    for forged in (events[:-1], [*events, one], *([other, *events[1:]] for other in others)):
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
    assert content_digest(None) is None
    assert content_digest("ü", b"salt") == hashlib.sha256(b"salt\xc3\xbc").hexdigest()


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
        np.zeros(SIZE, dtype=bool), [""] * SIZE, [None] * SIZE,
    )  # fmt: skip
    golden = block_of(LabelBlock,
        SIZE, ["g"], ["no"], ["Bob"], ["gold"], np.array([-1]), np.array([True]),
        np.array([False]), ["yes"], np.array([True]), np.array([0]), [None],
    )  # fmt: skip
    replay, blocks = Replay(document), []
    for one, take in ((block, replay.decide), (golden, replay.label)):
        take(one)
        blocks.append(replace(one, chain=replay.chain))
    raised = [event for event in replay.events if event.kind == "audit_rates"]
    assert [dict(event.numbers) for event in raised] == [{"slur": 0.5}]
    assert (replay.state.watches["people"].items, replay.state.watches["people"].mistakes) == (1, 1)
    events = [LoggedEvent(event, SIZE - 1) for event in replay.events]
    assert verify(document, blocks, events, SECRET).difference is None
    usual = replace(blocks[0], rate=np.full(SIZE, MONEY.rate))
    assert verify(document, [usual], (), SECRET).difference is not None


@pytest.mark.parametrize(
    ("one", "two", "same"),
    [
        ({"a": [1.0, 2, "x", None]}, {"a": [1.0 + 1e-12, 2, "x", None]}, True),
        ({"a": [1.0]}, {"a": [1.0 + 1e-6]}, False),
        ({"a": 1.0}, {"a": 1}, False),
        ({"a": 1}, {"b": 1}, False),
        ([1, 2], [1], False),
        ([1], [2], False),
        (True, 1, False),
    ],
)
def test_what_is_the_same_but_for_rounding(one, two, same):
    assert is_same_but_rounding(one, two) is same


@pytest.mark.parametrize(("nudge", "found"), [(1e-15, False), (1e-6, True)])
def test_another_processor_may_round_otherwise(story, monkeypatch, nudge, found):
    """NumPy's exp and log differ in their last digits between processors: that is no forgery."""
    document, blocks, events, _, head = story

    def decide(*given):
        state, made, told = decide_cases(*given)
        return (
            state,
            made,
            [
                event._replace(
                    numbers={
                        k: v * (1 + nudge) if isinstance(v, float) else v
                        for k, v in event.numbers.items()
                    }
                )
                for event in told
            ],
        )

    monkeypatch.setattr("askpoint.live.receipts.decide_cases", decide)
    made = verify(document, blocks, events, SECRET)
    assert (made.difference is not None) == found
    assert found or made.replay.head == head


def test_who_verifies_hears_of_each_block_of_labels(story):
    document, blocks, *_ = story
    told = []
    found = verify(
        document, blocks, None, SECRET, heard=lambda replay, at: told.append((replay.labels, at))
    )
    labels = [block for block in blocks if isinstance(block, LabelBlock)]
    assert [at for _, at in told] == [int(block.at[-1]) for block in labels]
    assert [n for n, _ in told] == np.cumsum([len(block.key) for block in labels]).tolist()
    assert found.difference is None


def deletion(replay, *seq, at=7):
    return DeletionBlock(seq=seq, key=tuple(f"k{i}" for i in seq), at=at, leaf=replay.tree.size)


def test_whose_content_was_deleted_is_in_the_log_and_nothing_else_changes(story):
    document, blocks, *_ = story
    replay = replay_blocks(document, blocks[:4])
    before, tree = state_to_dict(replay.state), replay.tree.copy()
    gone = deletion(replay, 3, 150)
    replay.add(gone)
    assert state_to_dict(replay.state) == before
    rows = [
        {"at": 7, "key": f"k{i}", "policy": "posts", "row": "forgotten", "seq": i, "version": 1}
        for i in (3, 150)
    ]
    texts = [json.dumps(row, sort_keys=True, separators=(",", ":")) for row in rows]
    assert deletion_texts(document, gone) == texts
    tree.append([leaf_hash(text.encode()) for text in texts])
    assert replay.head == f"{tree.root().hex()}@{tree.size}"
    events = [LoggedEvent(*one) for one in zip(replay.events, *zip(*replay.places, strict=True), strict=True)]  # fmt: skip
    roots = [LogRoot(tree.size, tree.root().hex())]
    told = [*blocks[:4], gone]
    assert verify(document, told, events, SECRET, roots=roots).difference is None
    for other in ({"at": 8}, {"key": ("k3", "k151")}, {"seq": (3, 149)}):
        told[-1] = replace(gone, **other)
        found = verify(document, told, events, SECRET, roots=roots)
        assert found.difference.where == "head"
    told[-1] = replace(gone, leaf=gone.leaf + 1)
    assert verify(document, told, events, SECRET).difference is not None


def test_a_replay_without_a_log_leads_to_the_same_state(story):
    """Leases included: what a picture of the past needs."""
    document, blocks, *_ = story
    lease = grant_lease(document.state, MONEY, number=1, decider="edge", granted=1, expires=2)
    lease = replace(lease, answers=9)
    ends = {}
    for logs in (True, False):
        replay = Replay(document, logs=logs)
        size = replay.tree.size
        replay.add(LeaseBlock(lease=replace(lease, leaf=size)))
        booked = replay.state.booked
        replay.add(HandInBlock(lease=1, at=2, answers=4, cases=6, booked=0, digest="d", leaf=size + 1))  # fmt: skip
        assert (replay.granted, replay.handed_in, replay.left) == (1, 1, {1: 4})
        assert (booked, replay.state.booked) == (9, 4)
        assert replay.tree.size - size == 2 * logs
        for block in blocks[:6]:
            (replay.label if isinstance(block, LabelBlock) else replay.decide)(block)
        ends[logs] = state_to_dict(replay.state), replay.events
        assert (replay.tree.size > size) == logs
    assert ends[True] == ends[False]
