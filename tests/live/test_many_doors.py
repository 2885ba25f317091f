"""The doors of the benchmarks are the book's, step by step, under the same draws and labels."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from askpoint.live.licences.action_classes import ActionClass
from askpoint.live.licences.audit_ladder import AuditLadder
from askpoint.live.licences.book import Book
from askpoint.live.licences.label_rules import LabelRules
from askpoint.live.licences.policy import LicencePolicy
from askpoint.live.licences.unit import HOUR

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

from many_doors import Doors

MINUTE = 60_000_000
WORLDS = {
    "promise": ({"limit": 0.2}, (0.02, 0.6), 0),
    "three levels": (
        {"limit": 0.2, "audits": AuditLadder((0.5, 0.2, 0.05), 10.0, 0)},
        (0.05, 0.5),
        0,
    ),
    "money": ({"aim": "money", "limit": 0.2}, (0.05, 0.5), 0),
    "another version": ({"limit": 0.2}, (0.02, 0.1), 150),
}


@pytest.mark.parametrize("world", WORLDS)
def test_doors_in_rows_are_the_book(world):
    terms, rates, version = WORLDS[world]
    policy = LicencePolicy(
        (ActionClass("t"),), **terms, mistake_budget=8.0, in_flight=9999, labels=LabelRules(settle_hours=0.0)
    )  # fmt: skip
    n, rng, at = 6, np.random.default_rng(3), HOUR
    doors, books = Doors(n, policy, money=policy.aim == "money"), [Book(policy) for _ in range(n)]
    for i in range(300):
        at += MINUTE
        rate = np.where(i % 150 < 90, rates[0], np.linspace(rates[0], rates[1], n))
        bad, draws = rng.random(n) < rate, rng.random(n)
        if version and i == version:
            doors.tell_version()
        alone, looked = doors.act(bad, draws)
        for row, book in enumerate(books):
            made = book.propose(
                f"k{i}", "a", "2" if version and i >= version else "1", "t", kind=0, digest=f"d{i}", at=at,
                drawn=draws[row], amount=0.0, timeout=HOUR,
            )  # fmt: skip
            assert (made.verdict == "allow") == alone[row], (i, row)
            if looked[row]:
                book.decide(
                    made.key, "reject" if bad[row] else "approve", by="p", at=at, seconds=9.0
                )
            (unit,) = book.units.values()
            assert unit.is_granted == doors.granted[row]
            assert (unit.episode, unit.losses, unit.alert) == (
                doors.episode[row], doors.losses[row], doors.alert[row],
            )  # fmt: skip
            assert unit.evidence == pytest.approx(doors.evidence[row], rel=1e-9)
            assert unit.watch.evidence == pytest.approx(
                doors.watch[row].mean(), rel=1e-9, abs=1e-12
            )
            assert (unit.seen, unit.drawn) == pytest.approx((doors.seen[row], doors.drawn[row]))
    assert doors.ever.sum() >= n - 1
    assert doors.losses.any() or version
