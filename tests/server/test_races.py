"""Many at once: one wins, the budget holds, nothing is paid twice; on both databases.

A few rounds here; the many of `make soak` are marked so.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from django.db import transaction

from askpoint.arena.server.campaigns import services as campaigns
from askpoint.arena.server.judges import services as judging
from askpoint.arena.server.players import services as playing
from askpoint.arena.server.rulings.models import Ruling
from askpoint.arena.server.rulings.pools import join
from askpoint.errors import RuleError
from askpoint.server.deployments import asked_regions, policies, renewal
from askpoint.server.deployments.models import Incident, Policy
from askpoint.server.labelling.models import Vote
from server.in_use import MODEL, InUse
from server.stage import Stage


def race(stage, work, jobs, n_threads=16):
    """Do all jobs at once; return what each returned, or the rule that refused it."""
    start = threading.Barrier(n_threads)

    def one(job):
        try:
            return work(job)
        except RuleError as error:
            return error.rule

    def lane(mine):
        start.wait()
        return [one(job) for job in mine]

    lanes = [jobs[i::n_threads] for i in range(n_threads)]
    with ThreadPoolExecutor(n_threads) as pool:
        return [item for found in pool.map(stage.in_thread(lane), lanes) for item in found]


def new_text():
    """A text that repeats no other, for what repeats a find is no find."""
    return hashlib.sha256(str(Ruling.objects.count()).encode()).hexdigest()


def votes_race(stage, n_judges=64):
    """All judges want the last two votes of a case: two vote, and it is settled once."""
    from askpoint.server.accounts.models import User

    names = [f"judge-{i}" for i in range(n_judges)]
    for name in names:
        user, new = User.objects.get_or_create(username=name)
        if new:
            join(stage.id, user, "judge")
            for number in (1, 2):
                judging.answer_training(stage.id, name, number, "clean")
    probe = stage.submit(new_text())
    before = stage.earned("alice")

    def vote(name):
        case = judging.claim(stage.id, name)
        if case is None:
            return "nothing"
        judging.vote(stage.id, name, case.pk, "offensive")
        return "voted"

    found = race(stage, vote, names)
    assert found.count("voted") == 2
    assert Vote.objects.filter(case=probe.pk).count() == 2
    assert stage.earned("alice") == before + 910


def one_judge_votes_often(stage, n_clicks=64):
    """One judge clicks in many tabs at once: one vote counts."""
    probe = stage.submit(new_text())
    judging.claim(stage.id, "bob")
    found = race(
        stage, lambda _: judging.vote(stage.id, "bob", probe.pk, "clean").pk, list(range(n_clicks))
    )
    assert found.count(probe.pk) == 1
    assert found.count("second-vote") == n_clicks - 1
    judging.claim(stage.id, "beth")
    judging.vote(stage.id, "beth", probe.pk, "clean")


def budget_race(stage, n_cases=100, room=7):
    """Many submit at the budget's edge: as many get in as it carries."""
    count = Ruling.objects.count()
    stage.fund(200_000)
    probes = [stage.try_case(f"edge {count} {i}") for i in range(n_cases)]
    stage.fund(room * 1310)
    player = stage.player()
    found = race(stage, lambda item: playing.submit(player, item).pk, probes)
    # each reserves 1210, and there must be 1310 for the next: so one more may fit
    fits = 1 + (room * 1310 - 1310) // 1210
    assert found.count("budget") == n_cases - fits
    assert campaigns.budget_left(stage.campaign) == room * 1310 - fits * 1210
    Ruling.objects.filter(state="open").update(state="referred")  # out of the judges' way


def same_case_race(stage, n_clicks=32):
    """One case is submitted from many tabs: once."""
    probe = stage.try_case(new_text())
    player = stage.player()
    found = race(stage, lambda _: playing.submit(player, probe).pk, list(range(n_clicks)))
    assert found.count(probe.pk) == 1
    assert found.count("submitted-before") == n_clicks - 1


@pytest.fixture
def ready(database, monkeypatch):
    return Stage(monkeypatch, tries_per_hour=10**6, tries_per_address=10**6, precision_floor=0)


def rounds(stage, n_rounds, **sizes):
    for _ in range(n_rounds):
        stage.fund(500_000)
        votes_race(stage, sizes.get("judges", 64))
        one_judge_votes_often(stage, sizes.get("judges", 64))
        same_case_race(stage)
        Ruling.objects.filter(state="open").update(state="referred")
        budget_race(stage, sizes.get("cases", 100))
    stage.check_ledger()


@pytest.mark.whole
def test_races_have_one_winner(ready):
    rounds(ready, 1, judges=24, cases=30)


def together(*works):
    """Do several things at once, each in a thread; what each returned, or the rule that refused it."""

    def one(work):
        try:
            return work()
        except RuleError as error:
            return error.rule

    with ThreadPoolExecutor(len(works)) as pool:
        return list(pool.map(Stage.in_thread(one), works))


def meeting(function, seconds=20.0):
    """Return `function` that waits, when a thread calls it first, until another one calls it, too: so long at most."""
    both, first = threading.Barrier(2), threading.local()

    def wrapped(*args, **options):
        if not getattr(first, "came", False):
            first.came = True
            with contextlib.suppress(threading.BrokenBarrierError):
                both.wait(seconds)
        return function(*args, **options)

    return wrapped


def test_of_two_owners_who_propose_the_same_at_once_one_gets_the_version_of_the_other(
    database, monkeypatch
):
    del database
    in_use = InUse(rows=0)
    region = {"name": "text has 'post'", "share": 0.1, "conditions": [["text", "has", "post"]]}
    incident = Incident.objects.create(
        deployment=in_use.row,
        policy=in_use.policy,
        number=1,
        kind="alarm",
        seq=0,
        at=in_use.row.at,
        regions={"found": [region]},
    )
    # both have looked, and found that nobody has proposed it yet
    monkeypatch.setattr(asked_regions, "open_policy", meeting(asked_regions.open_policy))
    made = together(
        *(lambda who=who: asked_regions.propose_asking(incident, 0, who).pk for who in "ab")
    )
    assert made[0] == made[1]
    assert list(in_use.row.policies.values_list("number", flat=True)) == [1, 2]


def test_two_jobs_at_the_planned_end_propose_one_version(database, monkeypatch):
    del database
    in_use = InUse(rows=0, planned_decisions=1000)
    Policy.objects.update(decided=1000)

    def propose(name, by, why, question):
        return policies.propose_by(name, by, why, None, question, MODEL)

    monkeypatch.setattr(renewal, "propose_again", propose)
    monkeypatch.setattr(renewal, "transaction", SimpleNamespace(atomic=meeting(transaction.atomic)))
    together(*[lambda: renewal.renew(in_use.id)] * 2)
    assert list(in_use.row.policies.values_list("number", "who")) == [
        (1, "wanda"),
        (2, renewal.LOOP),
    ]


def test_of_two_owners_who_activate_versions_at_once_one_is_told(database, monkeypatch):
    del database
    in_use = InUse(rows=0)
    for _ in range(2):
        in_use.propose(rows=0)
    # whoever comes that far waits for the other, who must not
    monkeypatch.setattr(policies, "moment", meeting(policies.moment, 0.2))
    found = together(
        *(
            lambda number=n: policies.adopt(in_use.id, in_use.wanda, number, 1).number
            for n in (2, 3)
        )
    )
    assert sorted(map(str, found))[1] == "adopted-meanwhile"
    assert in_use.row.adopted in found
    assert Policy.objects.exclude(adopted=None).count() == 2


@pytest.mark.soak
def test_races_have_one_winner_200_times(ready):
    rounds(ready, int(os.environ.get("ASKPOINT_SOAK_ROUNDS", "200")))
