"""The queue in long runs: as quick where a hundred thousand wait, many people at once, and cheats."""

from __future__ import annotations

import time
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from askpoint.server.deployments.classifier_settings import change_settings
from askpoint.server.deployments.queue import ClassifierQueue
from askpoint.server.labelling import services as reviewing
from askpoint.server.labelling.models import Case, Claim, Vote
from server.in_use import InUse

pytestmark = pytest.mark.soak


def wait_for_people(in_use, n):
    """Let so many cases wait after as many that are done; Rosa saw the oldest tenth, which waits for a second judge."""
    now = timezone.now()
    Case.objects.bulk_create(
        Case(
            id=f"{waits:d}{i:015x}",
            queue=in_use.queue,
            key=f"{waits}-{i}",
            purpose="asked" if i % 4 else "audit",
            wanted=1 + (i < n / 10),
            content="a post " * 30,
            free=1 + (i < n / 10) - (waits and i < n / 10),
            opened=now + timedelta(seconds=i // 100),
            at=now,
            labelled=None if waits else now,
            state="open" if waits else "ruled",
        )
        for waits in (False, True)
        for i in range(n)
    )
    seen = Case.objects.filter(wanted=2, labelled=None).values_list("pk", flat=True)
    Vote.objects.bulk_create(
        Vote(case_id=key, reviewer="rosa", choice="hate", at=now) for key in seen
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def seconds(in_use, name, n=60):
    """Median processor and wall time of a claim that is given back, in milliseconds."""
    spent = []
    for _ in range(n):
        start = time.perf_counter()
        held = reviewing.claim(in_use.queue, name)
        spent.append(time.perf_counter() - start)
        reviewing.give_back(in_use.queue, name, str(held.case_id))
    return 1000 * sorted(spent)[n // 2]


def test_a_claim_takes_as_long_where_a_hundred_thousand_wait(database):
    took = {}
    for n in (1_000, 100_000):
        Claim.objects.all().delete(), Vote.objects.all().delete(), Case.objects.all().delete()
        in_use = InUse()
        change_settings(in_use.id, capacity=None, second=0.0)
        wait_for_people(in_use, n)
        took[n] = {name: seconds(in_use, name) for name in ("rosa", "rudi")}
    print(connection.vendor, took)  # noqa: T201
    rows = ClassifierQueue(in_use.row)._open("rudi", "asked").order_by("opened", "pk")[:1]
    plan = rows.explain()
    assert "labelling_oldest" in plan
    for name in ("rosa", "rudi"):
        assert took[100_000][name] < 2 * took[1_000][name] + 15
