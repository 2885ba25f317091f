"""Who looks at a page waits for nobody, and nobody waits for who looks: on both databases."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from django.db import connection, connections, transaction

from askpoint.errors import LogError
from askpoint.server.consistent_reads import read_one_moment
from askpoint.server.deployments.models import Policy
from askpoint.server.deployments.policies import lock_deployment
from askpoint.server.deployments.policy_state import clear_states, load_state, read_state
from askpoint.server.deployments.status_page import standing_of
from server.in_use import InUse

_LONG = 25  # seconds: under the half minute after which SQLite gives up


@pytest.fixture
def in_use(database):
    del database
    made = InUse()
    made.label(made.decide(60))
    return made


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
