"""Jobs: done once, by whoever holds the lease, and again after a failure."""

from __future__ import annotations

import ast
import threading
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest
from django.db import DatabaseError
from django.utils import timezone

import askpoint
from askpoint.arena.game.terms import CampaignTerms
from askpoint.arena.server.organisers.simulation import simulate
from askpoint.arena.server.probes.models import Similar
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.server.jobs import services
from askpoint.server.jobs.kinds import functions_of, job_kinds, kinds_of
from askpoint.server.jobs.lanes import LANES, PATIENT, drop_strangers, keep_at
from askpoint.server.jobs.models import Job
from askpoint.server.jobs.services import LEASE, add_job, hold_leases, run_next
from server.works import WORKS


def test_a_job_is_done_once(both):
    Job.objects.all().delete()
    done = []
    for _ in range(2):
        add_job("learn", "a")
    assert run_next({"learn": done.append})
    assert not run_next({"learn": done.append})
    assert done == ["a"]
    add_job("learn", "a")  # new work after the old is done
    assert run_next({"learn": done.append})


def test_work_that_comes_while_the_same_is_being_done_waits_for_its_turn(stage):
    Job.objects.all().delete()
    seen = []

    def work(about):
        if not seen:
            add_job("learn", about)
        seen.append(about)

    add_job("learn", "a")
    while run_next({"learn": work}):
        pass
    assert seen == ["a", "a"]


def test_a_job_that_fails_is_tried_again_later_and_given_up_at_last(stage):
    Job.objects.all().delete()
    add_job("learn", "a")

    def fail(_):
        raise ValueError("broken")

    for attempt in range(1, 6):
        assert run_next({"learn": fail})
        assert not run_next({"learn": fail})  # not at once
        job = Job.objects.get()
        assert (job.attempts, job.error) == (attempt, "ValueError: broken")
        Job.objects.filter(done=None).update(until=timezone.now() - timedelta(seconds=1))
    assert job.done is not None


def test_a_job_whose_worker_died_is_taken_over(stage):
    Job.objects.all().delete()
    add_job("learn", "a")
    Job.objects.update(until=timezone.now() + timedelta(minutes=5))
    assert not run_next({"learn": print})
    Job.objects.update(until=timezone.now() - timedelta(seconds=1))
    assert run_next({"learn": lambda _: None})


class Rounds:
    """An event for a number of rounds; each begins when the one before has ended."""

    def __init__(self, n):
        self.left = n

    def wait(self, _):
        self.left -= 1
        return self.left < 0


def test_who_is_at_a_job_holds_its_lease_and_no_longer(both):
    Job.objects.all().delete()
    add_job("learn", "a")
    seen = []

    def work(_):
        Job.objects.update(until=timezone.now())  # as after the time of a lease
        hold_leases(Rounds(1))
        seen.append(Job.objects.get().until)
        assert not run_next({"learn": print})

    begun = timezone.now()
    assert run_next({"learn": work})
    assert seen[0] >= begun + LEASE
    done = Job.objects.get()
    assert done.done is not None
    hold_leases(Rounds(1))
    assert Job.objects.get().until == done.until
    add_job("learn", "a")
    assert run_next({"learn": lambda _: 1 / 0})
    held = Job.objects.get(done=None)
    hold_leases(Rounds(1))  # it failed, and is tried again when it is due
    assert Job.objects.get(done=None).until == held.until


def test_a_database_that_does_not_answer_ends_no_holding(stage, monkeypatch):
    del stage

    class Gone(set):
        def __iter__(self):
            raise DatabaseError("gone")

    monkeypatch.setattr(services, "_held", Gone({1}))
    hold_leases(rounds := Rounds(2))
    assert rounds.left == -1


def test_no_short_job_waits_for_a_long_one(both):
    Job.objects.all().delete()
    begun, free, stop = threading.Event(), threading.Event(), threading.Event()
    done = {kind: threading.Event() for kind in job_kinds()}
    works = {kind: lambda _, it=it: it.set() for kind, it in done.items()}

    def long(_):
        begun.set()
        assert free.wait(60)
        done["report"].set()

    works["report"] = long
    lanes = [{kind: works[kind] for kind in kinds_of(lane)} for lane in LANES]
    threads = [threading.Thread(target=both.in_thread(keep_at), args=(it, stop)) for it in lanes]
    try:
        for thread in threads:
            thread.start()
        add_job("report", "a log")
        assert begun.wait(60)
        for kind in done:
            add_job(kind, "another")
        for kind in set(done) - {"report"}:
            assert done[kind].wait(60), kind
        assert not done["report"].is_set()  # that one was still going on
    finally:
        free.set()
        stop.set()
        for thread in threads:
            thread.join()


def test_every_kind_of_job_that_is_queued_has_one_lane():
    folder = Path(askpoint.__file__).parent
    calls = [
        node
        for path in folder.rglob("*.py")
        if "add_job" in (text := path.read_text("utf-8"))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "add_job"
    ]
    words = [it for call in calls for it in ast.walk(call.args[0]) if isinstance(it, ast.Constant)]
    queued = {it.value for it in words if isinstance(it.value, str)}
    assert queued - {"drawn"} == {*job_kinds()}
    assert {job.lane for job in job_kinds().values()} == {*LANES}
    assert {kind for lane in LANES for kind in functions_of(lane)} == {*job_kinds()}
    assert {*LANES} > PATIENT


def test_work_of_another_version_is_given_up_and_said(stage):
    Job.objects.all().delete()
    add_job("embroider", "a")
    add_job("learn", "a")
    assert not run_next({"expire": print})
    assert drop_strangers() == 1
    assert Job.objects.get(kind="embroider").error == "this version knows no such work"
    assert Job.objects.get(kind="learn").done is None


def test_learning_anew_waits_the_longer_the_more_there_is_to_learn(stage):
    find(stage, "people from the north are all thieves")
    run_all()
    first = Similar.objects.get()
    keys = first.successful * 200  # 200 cases: 2 seconds, and one more
    made = timezone.now() + timedelta(hours=1)  # a slow machine has not come there when it looks
    Similar.objects.filter(pk=first.pk).update(successful=keys, made=made)
    begun = find(stage, "she cannot even park a car")
    run_all()
    took = timezone.now() - begun
    assert Similar.objects.count() == 1
    waits = Job.objects.get(kind="learn", done=None).due - made
    assert timedelta(seconds=3) <= waits <= timedelta(seconds=3) + took
    Job.objects.filter(done=None).update(due=timezone.now())
    Similar.objects.update(made=timezone.now() - timedelta(seconds=3))
    run_all()
    assert len(Similar.objects.last().successful) == 2


def find(stage, text):
    now = timezone.now()
    stage.submit(text)
    for name in ("bob", "beth"):
        stage.vote(name, "offensive")
    return now


def run_all():
    while run_next(WORKS):
        pass


def test_every_kind_of_job_runs(stage, monkeypatch):
    from askpoint.arena.server.organisers import simulation

    monkeypatch.setattr(simulation, "_CASES", 10)
    monkeypatch.setattr(simulation, "_SEEDS", 2)
    row = stage.examine(["one", "two"], 1)
    Job.objects.all().delete()
    for kind in WORKS:
        add_job(kind, str(row.pk) if kind in ("answer", "compare") else stage.id)
    while run_next(WORKS):
        pass
    assert {job.kind for job in Job.objects.all()} == set(WORKS)
    assert [job.error for job in Job.objects.all()] == [""] * len(WORKS)
    found = stage.campaign.simulated
    assert found["cents_per_case"][1] <= found["cents_per_case"][0] <= found["cents_per_case"][2]


@pytest.mark.parametrize("designs", [[1], [1, 2, 4], [1, 2, 4, 5]])
def test_the_crowd_plays_whatever_terms(designs, monkeypatch):
    from askpoint.arena.server.organisers import simulation

    monkeypatch.setattr(simulation, "_CASES", 8)
    monkeypatch.setattr(simulation, "_SEEDS", 2)
    terms = CampaignTerms(CostMatrix.zero_one(["a", "b", "c"]), designs=designs)
    found = simulate(terms, np.random.default_rng(0), 0.5)
    assert found["calibrated"]
    assert found["cents_per_case"][0] > 0
