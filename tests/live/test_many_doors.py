"""The doors of the benchmarks are the book's, step by step, under the same draws and labels."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from askpoint.live.licences.action_classes import ActionClass, classes_from
from askpoint.live.licences.audit_ladder import AuditLadder
from askpoint.live.licences.book import Book
from askpoint.live.licences.label_rules import LabelRules
from askpoint.live.licences.policy import LicencePolicy
from askpoint.live.licences.waiting import HOUR

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

from many_doors import Doors, Steps

MINUTE = 60_000_000
WORLDS = {
    "promise": ({"limit": 0.2}, (0.02, 0.6), ()),
    "three levels": (
        {"limit": 0.2, "audits": AuditLadder((0.5, 0.2, 0.05), 10.0, 0)},
        (0.05, 0.5),
        (),
    ),
    "money": ({"aim": "money", "limit": 0.2}, (0.05, 0.5), ()),
    "another version": ({"limit": 0.2}, (0.02, 0.1), (150,)),
    "minor versions": ({"limit": 0.2}, (0.02, 0.5), (60, 75, 150)),
}


@pytest.mark.parametrize("world", WORLDS)
def test_doors_in_rows_are_the_book(world):
    terms, rates, versions = WORLDS[world]
    policy = LicencePolicy(
        (ActionClass("t"),), **terms, mistake_budget=8.0, in_flight=9999, labels=LabelRules(settle_hours=0.0)
    )  # fmt: skip
    n, rng, at = 6, np.random.default_rng(3), HOUR
    doors, books = Doors(n, policy, money=policy.aim == "money"), [Book(policy) for _ in range(n)]
    for i in range(300):
        at += MINUTE
        rate = np.where(i % 150 < 90, rates[0], np.linspace(rates[0], rates[1], n))
        bad, draws = rng.random(n) < rate, rng.random(n)
        version = str(1 + sum(i >= begin for begin in versions))
        if i in versions:
            if world == "minor versions":
                doors.tell_minor()
                before = str(int(version) - 1)
                for book in books:
                    book.declare_minor("a", version, before, by="eve", at=at)
            else:
                doors.tell_version()
        alone, looked = doors.act(bad, draws)
        for row, book in enumerate(books):
            made = book.propose(
                f"k{i}", "a", version, "t", kind=0, digest=f"d{i}", at=at,
                drawn=draws[row], amount=0.0, timeout=HOUR,
            )  # fmt: skip
            assert (made.verdict == "allow") == alone[row], (i, row)
            if looked[row]:
                book.decide(
                    made.key, "reject" if bad[row] else "approve", by="p", at=at, seconds=9.0
                )
            (unit,) = book.units.values()
            assert unit.is_granted == doors.granted[row]
            assert unit.is_carried == doors.carried[row]
            assert (unit.episode, unit.losses, unit.alert) == (
                doors.episode[row], doors.losses[row], doors.alert[row],
            )  # fmt: skip
            assert unit.evidence == pytest.approx(doors.evidence[row], rel=1e-9)
            assert unit.watch.evidence == pytest.approx(
                doors.watch[row].mean(), rel=1e-9, abs=1e-12
            )
            assert (unit.seen, unit.drawn) == pytest.approx((doors.seen[row], doors.drawn[row]))
    assert doors.ever.sum() >= n - 1
    assert doors.losses.any() or versions


def test_steps_in_rows_are_the_book():
    """Right while the bold step waits, then bad and right again: it waits, acts, loses with the cautious one, and is back."""
    kinds = classes_from([{"tool": "t", "steps": {"amount": [50]}}])
    policy = LicencePolicy(
        kinds, limit=0.2, mistake_budget=8.0, in_flight=9999, labels=LabelRules(settle_hours=0.0)
    )
    n, rng, at = 4, np.random.default_rng(5), HOUR
    rows, books = Steps(n, policy, 2), [Book(policy) for _ in range(n)]
    waits = alone_bold = 0
    for i in range(260):
        at += MINUTE
        step = np.where(rng.random(n) < (0.2 if i < 60 else 0.6), 0, 1)
        bad, draws = rng.random(n) < (0.5 if 120 <= i < 170 else 0.01), rng.random(n)
        before = rows.units.granted.reshape(n, 2).copy()
        alone, looked = rows.act(step, bad, draws)
        waits += (before[:, 1] & ~before[:, 0]).sum()
        alone_bold += (alone & (step == 1)).sum()
        for row, book in enumerate(books):
            made = book.propose(
                f"k{i}", "a", "1", "t", kind=int(step[row]), digest=f"d{i}", at=at, drawn=draws[row], amount=0.0,
                timeout=HOUR,
            )  # fmt: skip
            assert (made.verdict == "allow") == alone[row], (i, row)
            if looked[row]:
                book.decide(
                    made.key, "reject" if bad[row] else "approve", by="p", at=at, seconds=9.0
                )
            unit, place = book.units[made.unit], 2 * row + step[row]
            assert unit.is_granted == rows.units.granted[place], (i, row)
            assert (unit.episode, unit.losses) == (
                rows.units.episode[place],
                rows.units.losses[place],
            )
            assert unit.evidence == pytest.approx(rows.units.evidence[place], rel=1e-9)
    assert waits
    assert alone_bold
    assert rows.units.losses.any()
