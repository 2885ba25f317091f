"""Judges' accuracies on the organiser's page: planted ones are found, and reasons are given."""

from __future__ import annotations

import numpy as np
import pytest
from django.urls import reverse
from django.utils import timezone

from askpoint.arena.game.ruling import Ruling
from askpoint.arena.server.organisers.accuracies import accuracies_of
from askpoint.arena.server.rulings import pools
from askpoint.arena.server.rulings.records import add_rulings, new_ruling, queue_of
from askpoint.judges.methods.dawid_skene import evaluate_dawid_skene
from askpoint.judges.sketch.vote_sketch import VoteSketch
from askpoint.server.accounts.models import User
from askpoint.server.labelling.models import Vote
from server.stage import CLASSES

PLANTED = {"bob": (0.95, 0.9), "beth": (0.85, 0.9), "ben": (0.9, 0.7)}  # clean, offensive


def ruled(stage, n, prefix="case", gold=None):
    """Put rulings by hand, as many cases are not played one by one."""
    now, campaign = timezone.now(), stage.campaign
    purpose = "submitted" if gold is None else "gold"
    rows = [
        new_ruling(
            campaign,
            Ruling(
                f"{prefix}-{number}",
                queue_of(stage.id),
                "",
                tuple(CLASSES),
                now,
                now,
                gold=gold,
                purpose=purpose,
            ),
            "a case",
        )
        for number in range(n)
    ]
    add_rulings(rows)
    return rows


def cast(votes):
    """Store (ruling, judge, choice) as votes."""
    now = timezone.now()
    Vote.objects.bulk_create(
        Vote(case_id=ruling.pk, reviewer=judge, choice=choice, at=now)
        for ruling, judge, choice in votes
    )


def draw(n, seed=0):
    """Return n cases: two votes of judges of planted accuracies, a third where they differ."""
    rng = np.random.default_rng(seed)
    cases = []
    for _ in range(n):
        truth = int(rng.random() < 0.4)
        case = {}
        for judge in rng.permutation(list(PLANTED)).tolist():
            if len(case) == 2 and len(set(case.values())) == 1:
                break
            right = rng.random() < PLANTED[judge][truth]
            case[judge] = CLASSES[truth if right else 1 - truth]
        cases.append(case)
    return cases


def simulate(stage, n):
    """Store the votes on n cases."""
    pairs = zip(ruled(stage, n), draw(n), strict=True)
    cast((ruling, judge, choice) for ruling, case in pairs for judge, choice in case.items())


def page(stage, enter):
    """What the organiser reads."""
    return enter(stage.olga).get(reverse("watch", args=[stage.id])).text


def test_planted_accuracies_are_found(both):
    simulate(both, 2000)
    found = accuracies_of(both.campaign)
    assert found.reason == ""
    assert found.n_cases == 2000
    for judge, planted in PLANTED.items():
        assert [told.share for told in found.of(judge)] == pytest.approx(planted, abs=0.06)
        for told, share in zip(found.of(judge), planted, strict=True):
            assert told.interval.lower < share < told.interval.upper
            assert told.interval.upper - told.interval.lower < 0.15
    assert found.few_votes == ()


@pytest.mark.parametrize(("n", "published"), [(200, 0.05), (500, 0.04), (2000, 0.02)])
def test_the_published_errors_are_those_of_simulated_campaigns(n, published):
    errors, held = [], []
    for seed in range(60):
        sketch = VoteSketch(list(PLANTED), CLASSES)
        rows = [[case.get(judge) for judge in PLANTED] for case in draw(n, seed)]
        sketch.update_many(np.array(rows, dtype=object))
        found = evaluate_dawid_skene(sketch)
        errors.append(
            [np.subtract([*found.accuracy[judge].values()], PLANTED[judge]) for judge in PLANTED]
        )
        around = found.interval().accuracy
        held.append(
            [
                lower < share < upper
                for judge, planted in PLANTED.items()
                for (lower, upper), share in zip(around[judge].values(), planted, strict=True)
            ]
        )
    assert np.sqrt(np.mean(np.square(errors))) == pytest.approx(published, abs=0.005)
    noise = np.std(errors, axis=0) / np.sqrt(len(errors))
    assert (np.abs(np.mean(errors, axis=0)) < 4 * noise).all()  # no bias, for all the third votes
    assert np.mean(held) == pytest.approx(0.97, abs=0.015)


def test_a_judge_with_few_cases_is_not_told_of_and_the_others_are(stage):
    simulate(stage, 400)
    (new,) = ruled(stage, 1, prefix="more")
    cast([(new, "carl", "clean"), (new, "bob", "clean")])
    found = accuracies_of(stage.campaign)
    assert found.of("carl") == (None, None)
    assert None not in found.of("bob")


def test_of_a_label_that_nobody_sees_nothing_is_told(stage):
    cast(
        (ruling, judge, "clean") for ruling in ruled(stage, 60) for judge in ("bob", "beth", "ben")
    )
    found = accuracies_of(stage.campaign)
    clean, offensive = found.of("bob")
    assert clean.share > 0.98
    assert clean.interval == pytest.approx((0.025 ** (1 / 60), 1), abs=0.01)  # as of 60 known cases
    assert offensive is None


def test_the_page_shows_the_accuracies_and_what_they_assume(stage, enter):
    simulate(stage, 2000)
    read = page(stage, enter)
    assert "Right on “clean”" in read
    assert "Right on “offensive”" in read
    assert "err independently" in read
    assert "in the long run" in read
    assert "too few for intervals" not in read
    for judge in PLANTED:
        row = read.split(f'<th scope="row" class="text">{judge}</th>')[1].split("</tr>")[0]
        for share, (lower, upper) in accuracies_of(stage.campaign).of(judge):
            assert f">{share:.0%} <small>{lower:.0%} to {upper:.0%}</small></td>" in row


def test_the_page_says_that_intervals_of_few_votes_are_not_to_be_relied_on(stage, enter):
    simulate(stage, 40)
    read = page(stage, enter)
    assert "Right on “clean”" in read
    assert "3 of the judges shown have fewer than 20 votes on cases of a class" in read


def test_the_page_says_why_there_are_too_many_judges_to_tell(stage, enter, monkeypatch):
    monkeypatch.setattr("askpoint.judges.methods.information._MOST", 6)
    simulate(stage, 400)
    assert "3 judges and 2 labels make 7 numbers" in page(stage, enter)


def test_the_page_says_why_nothing_can_be_told_of_two_judges(stage, enter):
    cast((ruling, judge, "clean") for ruling in ruled(stage, 50) for judge in ("bob", "beth"))
    read = page(stage, enter)
    assert "Right on" not in read
    assert "3 judges or more have voted; here 2 did" in read


def test_the_page_says_why_nothing_can_be_told_of_few_common_cases(stage, enter):
    simulate(stage, 15)
    read = page(stage, enter)
    assert "Right on" not in read
    assert "20 cases each in common with others" in read
    assert "so far 0 of 3 have" in read


def test_judges_who_never_meet_a_third_tell_nothing_of_each_other(stage):
    first, second = ("bob", "beth"), ("ben", "carl")
    cast(
        (ruling, judge, "clean")
        for number, ruling in enumerate(ruled(stage, 80))
        for judge in (first if number % 2 else second)
    )
    assert "so far 0 of 4 have" in accuracies_of(stage.campaign).reason


def test_gold_and_void_votes_stay_out(stage):
    simulate(stage, 300)
    before = accuracies_of(stage.campaign)
    wrong = [
        (ruling, judge, "clean")
        for ruling in ruled(stage, 200, "gold", gold="offensive")
        for judge in PLANTED
    ]
    cast(wrong)
    assert accuracies_of(stage.campaign) == before
    Vote.objects.filter(reviewer="ben").update(void=True)
    assert "here 2 did" in accuracies_of(stage.campaign).reason


def test_a_judge_who_never_voted_has_dashes(stage, enter):
    simulate(stage, 400)
    user = User.objects.create(username="idle")
    pools.join(stage.id, user, "judge")
    row = page(stage, enter).split('<th scope="row" class="text">idle</th>')[1].split("</tr>")[0]
    assert row.count(">–</td>") == 3  # agreement and two classes
