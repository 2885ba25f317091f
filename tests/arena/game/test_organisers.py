"""The exact figures of the guide for organisers follow from the rules."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from arena.game.scene import NOW, terms
from askpoint.arena.game.pay import PAPER_PAY, hourly_pay
from askpoint.arena.game.player import PlayerState, is_suspended
from askpoint.arena.game.ruling import Ruling
from askpoint.labelling.claims import add_claim
from askpoint.labelling.protocol import Protocol
from askpoint.labelling.reviewer import Reviewer, is_paused
from askpoint.labelling.votes import add_vote

PAPER = terms()
GUIDE = (Path(__file__).parents[3] / "docs" / "how-to" / "organisers.md").read_text("utf-8")


def row(start: str) -> list[str]:
    """The other cells of the table row of the guide that begins like this."""
    (line,) = (line for line in GUIDE.splitlines() if line.startswith(f"| {start}"))
    return [cell.strip() for cell in line.strip("| ").split("|")][1:]


def judged(error: Fraction, protocol: Protocol, ruling: Ruling | None = None, n: int = 0):
    """Chance of a wrong ruling, and votes on average, over every sequence of votes."""
    ruling = ruling or Ruling("7", "hate", "alice", ("hate", "normal"), NOW, NOW)
    if ruling.state != "open":
        return Fraction(ruling.answer != "hate"), Fraction(n)
    wrong = votes = Fraction(0)
    for choice, chance in (("hate", 1 - error), ("normal", error)):
        claimed = add_claim(ruling, f"judge-{n}", protocol, NOW)
        after = add_vote(claimed, f"judge-{n}", choice, protocol, NOW)
        rest = judged(error, protocol, after, n + 1)
        wrong, votes = wrong + chance * rest[0], votes + chance * rest[1]
    return wrong, votes


@pytest.mark.parametrize("percent", [4, 10, 15, 30])
def test_how_many_judges(percent):
    error = Fraction(percent, 100)
    alone, _ = judged(error, Protocol(votes=1))
    wrong, votes = judged(error, Protocol())
    assert alone == error
    assert wrong == judged(error, Protocol(votes=3))[0]
    first, second, third = row(f"{percent}% | {percent}% |")
    assert first == f"{percent}%"
    assert (second, third) == (f"{100 * float(wrong):.1f}%", f"{float(votes):.1f}")


def stopped(stops: Callable[[int, int], bool], good: Fraction, n_cases: int) -> Fraction:
    """Chance to be stopped at any time in `n_cases`, over every course of luck."""
    going = {0: Fraction(1)}
    for n in range(1, n_cases + 1):
        after: dict[int, Fraction] = {}
        for count, chance in going.items():
            for new, step in ((count + 1, good), (count, 1 - good)):
                if not stops(n, new):
                    after[new] = after.get(new, Fraction(0)) + chance * step
        going = after
    return 1 - sum(going.values())


def paused(wrong: float, n_items: int) -> float:
    """Chance to be paused at any time in `n_items`: over all places of the wrong votes in view."""
    rules, going, out = Protocol(), {(): 1.0}, 0.0
    for n in range(1, n_items + 1):
        seen, after = min(n, rules.gold_window), {}
        for ages, chance in going.items():
            older = tuple(age + 1 for age in ages if age + 1 < rules.gold_window)
            for now, step in ((older, 1 - wrong), ((*older, 0), wrong)):
                after[now] = after.get(now, 0.0) + chance * step
        going = {}
        for ages, chance in after.items():
            if pauses(seen, len(ages)):
                out += chance
            else:
                going[ages] = chance
    return out


@cache
def pauses(seen: int, wrong: int) -> bool:
    """Whether a judge is paused who was wrong so often in what is in view."""
    recent = (True,) * (seen - wrong) + (False,) * wrong
    return is_paused(Reviewer("bob", "hate", NOW, recent=recent), Protocol())


def suspends(judged: int, found: int) -> bool:
    player = PlayerState("eve", "hate", NOW, judged, found)
    return is_suspended(player, PAPER.precision_floor)


@pytest.mark.parametrize("percent", [4, 10, 20, 30, 50])
def test_how_often_gold_pauses_a_judge(percent):
    shares = [f"{100 * paused(percent / 100, n):.1f}%" for n in (10, 20, 40)]
    name = f"{percent}%, a coin" if percent == 50 else f"{percent}%"
    assert row(f"{name} | {shares[0]}") == [shares[0], *shares[1:]]


def test_how_often_precision_suspends_a_player():
    assert suspends(19, 0)
    assert not suspends(18, 0)
    for found, n_cases, chance in ((27, 100, "0.3%"), (5, 50, "81%"), (1, 20, "83%")):
        exact = stopped(suspends, Fraction(found, 100), n_cases)
        assert chance in GUIDE
        assert 100 * float(exact) == pytest.approx(float(chance[:-1]), abs=0.5)


def test_what_is_paid_and_promised():
    dear = hourly_pay(1200, seconds_per_case=60, seconds_per_vote=15)
    for start, field in (
        ("a submitted", "base"),
        ("a judge's vote", "vote"),
        ("an error", "top"),
        ("right but", "unsure"),
    ):
        for pay, cell in zip((PAPER_PAY, dear), row(start), strict=True):
            points = getattr(pay, field)
            assert cell.startswith(f"{points:,} points, {points / 50:g} cents")
    assert "500 cases: $131" in GUIDE
    assert 500 * PAPER.most_promised / 5000 == 131
    assert 50 * 12 * PAPER.most_promised / 5000 == pytest.approx(157, abs=0.5)
