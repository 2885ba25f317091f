"""A key names one case for ever: what comes again, which keys a rollout covers, what labels change."""

from __future__ import annotations

import hashlib
import hmac

import numpy as np
import pytest

from askpoint.errors import InputError, RuleError
from askpoint.live.batches import DecisionBatch, LabelRows
from askpoint.live.canonical import content_digest
from askpoint.live.gateway import (
    BLOCK,
    KnownCase,
    Rollout,
    apply_label_rows,
    block_slices,
    decide_batch,
    label_in,
)
from askpoint.live.ladder_calls import count_calls
from askpoint.live.policy import Policy
from askpoint.live.receipts import Replay
from live.memory_store import MemoryStore
from live.worlds import MONEY, cases

SECRET = b"sixteen or more bytes"
RUNGS = {"rungs": [{"name": "small"}, {"name": "large"}]}


def store(**model):
    c, wrong, _ = cases(600)
    return MemoryStore(
        Policy.from_log(c, ~wrong, MONEY, secret=SECRET, name="posts", model=model), SECRET
    )


def batch(n, **more):
    c, _, _ = cases(n, seed=9)
    return DecisionBatch([f"k{i}" for i in range(n)], ["right"] * n, c.tolist(), **more)


def test_once_its_content_is_deleted_any_content_is_the_same_case():
    """Nothing is left to compare it with; that there was one is known."""
    posts = store()
    digest = content_digest("hello", b"salt")
    kept = KnownCase("right", 0.9, digest, None, b"salt")
    gone = kept._replace(salt=None)
    for known, content, is_same in [
        (kept, "hello", True), (kept, "hullo", False), (kept, None, False),
        (gone, "hello", True), (gone, "hullo", True), (gone, None, False),
        (KnownCase("right", 0.9, None, None, None), None, True),
        (KnownCase("right", 0.9, None, None, None), "hello", False),
    ]:  # fmt: skip
        one = DecisionBatch(["a"], ["right"], [0.9], None if content is None else [content])
        given = posts.replay, one, {"a": known}, SECRET, 0
        if is_same:
            assert decide_batch(*given).decided == []
            continue
        with pytest.raises(RuleError, match="'a' was decided with other content than it comes"):
            decide_batch(*given)


def test_within_a_batch_a_key_comes_again_with_the_same_content_only():
    posts = store()
    one = DecisionBatch(["a", "a"], ["right"] * 2, [0.9] * 2, ["hello", "hello"])
    assert decide_batch(posts.replay, one, {}, SECRET, 0, salts=[b"x", b"y"]).decided == [0]
    one.content[1] = "hullo"
    with pytest.raises(RuleError, match="a key always names the same case") as error:
        decide_batch(posts.replay, one, {}, SECRET, 0, salts=[b"x", b"y"])
    assert error.value.rule == "other-content"


def test_a_rollout_covers_its_share_by_key_and_only_grows():
    salt, keys = b"a salt of its own", [f"k{i}" for i in range(400)]
    draws = [hmac.new(salt, f"traffic\x1f{key}".encode(), hashlib.sha256).digest() for key in keys]
    before = np.zeros(400, dtype=bool)
    for share in (0.0, 0.1, 0.5, 1.0):
        inside = np.array(Rollout(share, salt).covers(keys))
        bound = int(share * 2**64)
        assert inside.tolist() == [int.from_bytes(one[:8], "big") < bound for one in draws]
        assert (inside >= before).all()
        outcome = decide_batch(
            store().replay, batch(400), {}, SECRET, 0, rollout=Rollout(share, salt)
        )
        assert outcome.decided == np.flatnonzero(inside).tolist()
        before = inside
    assert before.all()


def test_labels_that_are_there_already_change_nothing():
    posts = store()
    posts.decide(["a", "b"], [0.51, 0.52])
    rows = LabelRows(["a", "b"], ["right", "wrong"], ["ann"] * 2, [None] * 2)
    first = label_in(posts, rows, 7)
    assert first.counted == 2
    assert label_in(None, LabelRows([], [], [], []), 8) is None  # no store is asked
    size, blocks = posts.replay.tree.size, len(posts.blocks)
    assert label_in(posts, rows, 8) is None  # sent again
    assert (posts.replay.tree.size, len(posts.blocks)) == (size, blocks)
    second = LabelRows(["a"], ["wrong"], ["ben"], [None])
    outcome = apply_label_rows(posts.replay, second, posts.label_context(second), 9)
    assert (outcome.counted, outcome.block.counts.tolist()) == (0, [False])  # the first one counts


def test_a_label_says_where_it_comes_from_as_its_case_was_decided():
    posts = store()
    posts.decide(["a"], [0.51])
    for source in ("audit", "elsewhere"):
        with pytest.raises(InputError, match=f"comes from '{source}', but .* its labels are 'asked'"):  # fmt: skip
            posts.label({"a": True}, source=source)
    posts.label({"a": True}, source="feedback")  # which nobody asked for, and shows nothing
    assert posts.blocks[-1].counts.tolist() == [False]
    posts.label({"a": True}, source="asked")
    assert posts.blocks[-1].counts.tolist() == [True]


def test_blocks_of_decisions_are_of_a_thousand_at_most():
    for n in (0, 1, BLOCK, BLOCK + 1, 2 * BLOCK, 2 * BLOCK + 5):
        rows = [list(range(n))[one] for one in block_slices(n)]
        assert [i for one in rows for i in one] == list(range(n))
        assert all(len(one) == BLOCK for one in rows[:-1])
        assert all(0 < len(one) <= BLOCK for one in rows)


def test_the_same_rates_again_are_no_event():
    posts, group = store(), ["slang", None]
    for i, rate in enumerate((0.5, 0.5, 0.2, 0.2)):
        keys = [f"{i}-{name}" for name in group]
        posts.decide(keys, [0.99, 0.98], group=group, audit_rates={"slang": rate})
    rates = [dict(event.numbers) for event in posts.events if event.kind == "audit_rates"]
    assert rates == [{"slang": 0.5}, {"slang": 0.2}]


def test_calls_of_a_ladder_are_those_of_the_paths_of_its_decisions():
    model = {"ladder": {"reader": RUNGS, "stages": ["small", "small+large"], "prices": [0.1, 2.0]}}
    posts, c = store(**model), cases(100, seed=9)[0]
    paths = ["small" if i % 3 else "small+large" for i in range(100)]
    for rows in (slice(0, 30), slice(30, 100)):
        posts.decide([f"k{i}" for i in range(100)[rows]], c[rows], group=paths[rows])
    assert posts.policy.state.calls == (100, 34) == count_calls(model, {"small": 66, "small+large": 34})  # fmt: skip
    again = Replay(posts.replay.document)
    for block in posts.blocks:
        again.decide(block)
    assert again.state.calls == (100, 34)
    assert again.head == posts.replay.head
