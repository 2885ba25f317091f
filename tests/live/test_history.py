"""A life, moment by moment: the last one is the state, and nothing depends on how it is cut."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from askpoint.live import history as module
from askpoint.live.alarms import evidence_share
from askpoint.live.blocks import DecisionBlock, DeletionBlock, HandInBlock, LabelBlock, LeaseBlock
from askpoint.live.documents import PolicyDocument, state_to_dict
from askpoint.live.draws import secret_hash
from askpoint.live.history import (
    HistoryPoint,
    draw_moments,
    history_of,
    is_moment_due,
    moment_text,
    read_moment,
)
from askpoint.live.leases.granting import grant_lease
from askpoint.live.state import fresh_state
from askpoint.live.terms import Terms
from askpoint.live.worth import LiveCounts, LivePrices, counts_of, worth_so_far
from live.replays import replay_blocks
from live.worlds import block as block_of, cases

TERMS = Terms("money", 0.1, rate=0.2, planned_decisions=4000)
PRICES = LivePrices(check=0.1)


def document(terms=TERMS):
    return PolicyDocument("posts", terms, fresh_state(terms), {}, secret_hash(b"sixteen or more!"))


def blocks(n=4000, size=50, drift=2500, told=True, terms=TERMS, held=0):
    """Decisions in blocks, labels of what was asked after each."""
    c, wrong, draw = cases(n, 1, drift)
    replay = replay_blocks(document(terms), [])
    for start in range(0, n, size):
        rows = slice(start, min(n, start + size))
        seq = np.arange(n)[rows]
        keys = [f"k{i}" for i in seq]
        k = len(seq)
        at = np.full(k, start, dtype=np.int64)
        empty = np.zeros(k)
        one = block_of(DecisionBlock,
            seq, keys, at, ["no"] * k, c[rows], draw[rows], empty, empty > 0, empty > 0,
            seq, [None] * k, [None] * k, np.full(k, TERMS.rate), seq < held,
        )  # fmt: skip
        made = replay.decide(one)
        yield block_of(DecisionBlock,
            seq, keys, at, ["no"] * k, c[rows], draw[rows], made.propensity, made.answer,
            made.audit, made.episode, [None] * k, [None] * k,
            np.full(k, TERMS.rate), seq < held,
        )  # fmt: skip
        asked = seq[made.audit | ~made.answer]
        if told and len(asked):
            m = len(asked)
            labels = block_of(LabelBlock,
                start + k, [f"k{i}" for i in asked], ["no"] * m, [""] * m, ["asked"] * m, asked,
                wrong[asked], np.ones(m, dtype=bool), [None] * m, np.zeros(m, dtype=bool),
                np.full(m, start + 1),
            )  # fmt: skip
            replay.label(labels)
            yield labels


def test_the_last_moment_is_now():
    found = history_of(document(), blocks(), PRICES)
    replay = replay_blocks(document(), blocks())
    assert found.state.decided == replay.state.decided == 4000
    assert [timed.event for timed in found.events] == replay.events
    assert found.worth == worth_so_far(replay.state, TERMS, PRICES)
    last = found.moments[-1]
    assert last.decided == 4000
    assert last.answered == replay.state.answered
    assert last.worth == found.worth
    assert last.evidence == evidence_share(replay.state)
    assert found.wanted == ()
    closed = next(timed for timed in found.events if timed.event.kind in {"alarm", "budget_spent"})
    assert closed.event.seq - 51 <= closed.at <= closed.event.seq
    assert [one.decided for one in found.moments] == list(range(50, 4001, 50))


def test_what_was_answered_recently():
    found = history_of(document(), blocks(n=2400, drift=None), PRICES)
    answers = np.concatenate([b.answer for b in blocks(2400, drift=None) if hasattr(b, "answer")])
    assert found.retreat.lately.decided == 1000
    assert found.retreat.lately.answered == answers[-1000:].sum()


def test_without_labels_the_wanted_are_named_and_there_is_no_moment():
    found = history_of(document(), blocks(n=300, drift=None, told=False), PRICES)
    assert found.wanted == tuple(f"k{i}" for i in range(300))
    assert found.moments == ()
    assert found.retreat.lately.decided == 300


def test_nothing_is_decided_yet():
    found = history_of(document(), [], PRICES)
    assert found.worth is None
    assert "no decisions yet" in found.missing_why
    assert found.moments == found.events == found.wanted == ()


def test_without_audit_labels_there_is_no_verdict():
    terms = Terms("money", 0.1, rate=0.2, planned_decisions=4000, max_label_delay=100)

    def careless():  # people label until it answers, and then only the latest cases
        for block in blocks(n=3000, drift=None, terms=terms):
            if isinstance(block, DecisionBlock) or not 1000 <= block.after < 2500:
                yield block

    found = history_of(document(terms), careless(), PRICES)
    assert found.worth is None
    assert "never got their label" in found.missing_why


@pytest.mark.parametrize(("most", "n"), [(10, 2000), (25, 2000), (10, 2050)])
def test_few_moments_are_kept_of_a_long_life(monkeypatch, most, n):
    monkeypatch.setattr(module, "_MOST", most)
    found = history_of(document(), blocks(n), PRICES)
    assert most / 4 <= len(found.moments) <= most + 1
    times = [one.decided for one in found.moments]
    assert times == sorted(times)
    assert times[-1] == found.state.decided


def test_a_moment_that_was_kept_is_the_one_of_then():
    found = history_of(document(), blocks(), PRICES)
    replay = replay_blocks(document(), blocks())
    kept = json.loads(moment_text(replay.state))
    evidence = kept.pop("evidence")
    assert read_moment(found.moments[-1].at, evidence, LiveCounts(**kept), TERMS, PRICES) == found.moments[-1]  # fmt: skip
    nothing = counts_of(document().state)
    assert read_moment(7, 0.0, nothing, TERMS, PRICES) == HistoryPoint(7, 0, 0, 0.0, None)


def test_a_life_keeps_some_hundred_moments_and_a_picture_shows_as_many():
    kept = [0]
    for decided in range(1, 10**6, 7):
        if is_moment_due(decided, kept[-1]):
            kept.append(decided)
    assert is_moment_due(5, None)
    assert not is_moment_due(1000, 999)
    assert 3000 < len(kept) < 5000  # 500 of each doubling, nearly
    for n in (1, 499, 500, 501, 4321):
        drawn = draw_moments(list(range(n)))
        assert (drawn[0], drawn[-1]) == (0, n - 1)
        assert min(n, 250) <= len(drawn) <= 502


def test_deleted_contents_are_no_part_of_a_life_and_leases_are():
    usual = history_of(document(), blocks(1500), PRICES)
    lease = grant_lease(document().state, TERMS, number=1, decider="edge", granted=1, expires=2)

    def more():
        yield LeaseBlock(lease=replace(lease, answers=5))
        for i, block in enumerate(blocks(1500)):
            yield block
            if i % 7 == 0:
                yield DeletionBlock(seq=(i,), key=(f"k{i}",), at=99)
        yield HandInBlock(lease=1, at=9, answers=0, cases=0, booked=0, digest="d")

    found = history_of(document(), more(), PRICES)
    assert found.moments == usual.moments
    assert [one.event for one in found.events] == [one.event for one in usual.events]
    assert state_to_dict(found.state) == state_to_dict(usual.state)  # what was not used is free
    granted = history_of(document(), [LeaseBlock(lease=replace(lease, answers=5))], PRICES)
    assert granted.state.booked == 5


def test_calls_of_a_ladder_are_kept_with_a_moment():
    """Of one model nothing is written of them, as before there were ladders."""
    state = replay_blocks(document(), blocks(800)).state
    assert "calls" not in json.loads(moment_text(state))
    called = state.copy_with(calls=(800, 60))
    kept = json.loads(moment_text(called))
    evidence = kept.pop("evidence")
    assert kept["calls"] == [800, 60]
    counts = LiveCounts(**{**kept, "calls": tuple(kept["calls"])})
    prices = replace(PRICES, calls=(0.1, 1.0))
    assert read_moment(3, evidence, counts, TERMS, prices).worth == worth_so_far(called, TERMS, prices)  # fmt: skip
