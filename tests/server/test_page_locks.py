"""Who looks at a page waits for nobody, and nobody waits for who looks: on both databases."""

from __future__ import annotations

import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.db import DatabaseError, connection, connections, transaction
from django.utils import timezone

from askpoint.errors import LogError
from askpoint.server.accounts.models import User
from askpoint.server.consistent_reads import read_one_moment
from askpoint.server.deleted_bytes import AGAIN, clear_deleted_bytes
from askpoint.server.deployments.case_readings import WRITER, count_readings
from askpoint.server.deployments.case_records import case_record
from askpoint.server.deployments.cases import cases_of
from askpoint.server.deployments.models import CaseReading, Policy
from askpoint.server.deployments.policies import lock_deployment
from askpoint.server.deployments.policy_state import clear_states, load_state, read_state
from askpoint.server.deployments.status_page import standing_of
from askpoint.server.images.models import Image
from askpoint.server.images.services import delete_image
from askpoint.server.jobs.models import Job
from askpoint.server.jobs.services import run_next
from server.in_use import InUse
from server.talking import let_readings_be_counted

_LONG = 25  # seconds: under the minute after which SQLite gives up


def labelled_once():
    """A classifier in use, with labels of what it asked and audited."""
    made = InUse()
    made.label(made.decide(60))
    return made


@pytest.fixture
def in_use(stand_on_each):
    return stand_on_each(labelled_once)


@contextmanager
def held(classifier):
    """Hold the lock of a classifier in another thread, as who decides a long batch."""
    locked, go_on = threading.Event(), threading.Event()

    def hold():
        try:
            with transaction.atomic():
                lock_deployment(classifier)
                locked.set()
                go_on.wait(2 * _LONG)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        done = pool.submit(hold)
        assert locked.wait(_LONG)
        try:
            yield
        finally:
            go_on.set()
            done.result()


@pytest.mark.parametrize("path", ["/", "/classifiers/{}/", "/classifiers/{}/cases/"])
def test_a_page_is_there_while_a_batch_is_decided(in_use, enter, path):
    browser = enter(in_use.wanda)

    def look():
        try:
            return browser.get(path.format(in_use.id)).status_code
        finally:
            connections.close_all()

    with held(in_use.id), ThreadPoolExecutor(1) as pool:
        assert pool.submit(look).result(_LONG) == 200
    let_readings_be_counted()
    assert CaseReading.objects.exists() == ("cases" in path)  # once nobody holds the lock


def test_forty_pages_during_a_batch_wait_in_one_thread(in_use):
    cases = cases_of(in_use.row).filter(content__isnull=False).exclude(key="")
    records = [case_record(in_use.row, key) for key in cases.values_list("key", flat=True)[:8]]
    assert len(records) == 8
    with held(in_use.id):
        for place in range(40):  # each of another reader, some of the same cases
            count_readings(in_use.row, f"reader {place}", records[: 1 + place % 8])
        waiting = [one.name for one in threading.enumerate() if one.name == WRITER]
        assert waiting == [WRITER]
    let_readings_be_counted()
    assert CaseReading.objects.count() == 5 * sum(range(1, 9))
    assert CaseReading.objects.values("reader").distinct().count() == 40
    count_readings(
        in_use.row, "one more", records[:1]
    )  # a new thread, now that the first has ended
    let_readings_be_counted()
    assert CaseReading.objects.filter(reader="one more").count() == 1


def test_what_is_read_is_of_one_moment(in_use):
    """A batch that is written while a page reads is not half of it."""
    before = load_state(in_use.policy).replay.state.decided

    def decide():
        try:
            in_use.decide(30, "meanwhile", 5)
        finally:
            connections.close_all()

    with read_one_moment():
        policy = Policy.objects.get(pk=in_use.policy.pk)
        with ThreadPoolExecutor(1) as pool:
            pool.submit(decide).result(_LONG)
        assert read_state(policy).decided == before  # though this process knows more
        clear_states()
        assert read_state(policy).decided == before
    assert standing_of(in_use.row).state.decided == before + 30


def test_receipts_that_do_not_lead_to_the_state_are_refused(in_use):
    Policy.objects.filter(pk=in_use.policy.pk).update(log={**in_use.policy.log, "size": 3})
    with pytest.raises(LogError, match="restore the server"):
        standing_of(in_use.row)


def test_within_another_transaction_it_reads_as_that_one(in_use):
    with transaction.atomic():
        lock_deployment(in_use.id)
        with read_one_moment():
            assert connection.in_atomic_block
        made = in_use.decide(5, "later", 7)
        assert len(made) == 5


def test_who_reads_as_of_one_moment_is_refused_a_write_whether_another_wrote_or_not(in_use):
    """SQLite gives a reader no lock to write once another one wrote: at once, and "database is locked"."""
    with read_one_moment():
        assert Policy.objects.exists()
        with pytest.raises(DatabaseError, match=r"readonly|read-only"):
            Policy.objects.update(held=1)
    Policy.objects.update(held=2)
    assert in_use.policy.held == 2


def test_a_connection_may_begin_by_reading_as_of_one_moment(in_use):
    """As that of a thread whose first query it is; it writes by the usual lock later."""

    def look():
        try:
            with read_one_moment():
                found = Policy.objects.get().pk
            return found, getattr(connection, "transaction_mode", "IMMEDIATE")
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(look).result(_LONG) == (in_use.policy.pk, "IMMEDIATE")


def test_a_deleted_image_leaves_the_log_once_nobody_reads_and_nobody_is_locked_out_meanwhile(
    sqlite, monkeypatch
):
    """SQLite's own wait for readers holds the lock of who writes, for a minute."""
    now, content = timezone.now(), b"an unlawful image"
    for name in ("one", "two"):
        Image.objects.create(
            belongs_to="x",
            sha256=name,
            content=content,
            size=17,
            width=1,
            height=1,
            print=b"",
            user=User.objects.create(username=name),
            at=now,
        )
    path = sqlite.removeprefix("sqlite:///")
    log = Path(f"{path}-wal")
    reader, writer = (sqlite3.connect(path, timeout=0, isolation_level=None) for _ in range(2))
    waits = []

    def others_write(seconds):
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("ROLLBACK")
        waits.append(seconds)
        if len(waits) == 25:
            reader.execute("ROLLBACK")

    monkeypatch.setattr("askpoint.records.stores.sqlite.time.sleep", others_write)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM images_image").fetchall()
    delete_image("x", "one")
    assert sum(waits) == pytest.approx(1)  # seconds
    assert content in log.read_bytes()
    again = Job.objects.get(kind="clear", done=None)  # by the background
    assert again.due - timezone.now() > AGAIN / 2
    Job.objects.filter(pk=again.pk).update(due=now)
    assert run_next({"clear": clear_deleted_bytes})  # the reader ends meanwhile
    assert len(waits) == 25
    delete_image("x", "two")
    assert not Job.objects.filter(done=None).exists()
    assert content not in log.read_bytes() + Path(path).read_bytes()
    with connection.cursor() as cursor:
        assert cursor.execute("PRAGMA busy_timeout").fetchone() == (60_000,)
    reader.close()
    writer.close()
