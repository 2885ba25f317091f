"""The owner's pages with many classifiers and many decision records: how long each takes, and which statement is slowest.

    python benchmarks/bench_control_room.py RECEIPTS OPENED [sqlite FOLDER | postgresql URL] [--keep]

Fifty classifiers in use share RECEIPTS decision records (1e6). The four whose pages are opened have OPENED each (a fiftieth): with 2e6
they are as long as in a server of a hundred million. They were written in bulk, with the cases, labels and votes of those
that went to people (a quarter), a row for each day of 400 days and 400 events each; then each decides 600 cases through
the service, so that its state is a real one. Three decide otherwise: one has closed, one never decided alone, one has decided
nothing alone since its first tenth. A database is made for it (ASKPOINT_POSTGRES names the server), and dropped afterwards unless --keep.
Each page is opened once, then seven times: the table shows the first, the median and the longest, in milliseconds, and
what processors worked for one of the seven, here and in PostgreSQL: what it takes on a machine that does nothing else.
"""
# ruff: noqa: S608 - all that stands in its statements is made here

from __future__ import annotations

import os
import re
import statistics
import sys
import tempfile
import time
import uuid
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from askpoint.server.boot import migrate, set_up
from askpoint.server.options import Options

CLASSIFIERS, DAYS, EVENTS, TIMES = 50, 400, 400, 7
CLOSED, NEVER, LONG_AGO = 0, 1, 2  # places of those that decide otherwise
OPENED = (CLOSED, NEVER, LONG_AGO, CLASSIFIERS - 1)
BEFORE = datetime(2026, 1, 1, tzinfo=UTC)

_SERIES = {
    "postgresql": "(SELECT generate_series(0, {n} - 1) AS i) AS s",
    "sqlite": "(WITH RECURSIVE c(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM c WHERE i < {n} - 1) SELECT i FROM c) AS s",
}
_AT = {
    "postgresql": "TIMESTAMPTZ '2025-01-01 00:00:00+00' + i * INTERVAL '1 second' * {step}",
    "sqlite": "strftime('%Y-%m-%d %H:%M:%f', 1735689600 + i * {step}, 'unixepoch') || '000'",
}
_ACTIONS = {  # of decision i, of n: 1 is asked, 2 audited, 0 answered alone
    NEVER: "1",
    LONG_AGO: "CASE WHEN i > {n} / 10 THEN 1 ELSE CASE WHEN (i % 1000) * 919 % 1000 < 200 THEN 1 WHEN (i % 1000) * 919 % 1000 < 250 THEN 2 ELSE 0 END END",
}
_ACTION = "CASE WHEN (i % 1000) * 919 % 1000 < 200 THEN 1 WHEN (i % 1000) * 919 % 1000 < 250 THEN 2 ELSE 0 END"
_GROUP = "CASE WHEN i % 50 = 0 THEN 'tr' END"
_ZEROS, _EMPTY = (
    {"postgresql": "'\\x00'::bytea", "sqlite": "x'00'"},
    {"postgresql": "'[]'::jsonb", "sqlite": "'[]'"},
)
_NO, _YES = {"postgresql": "false", "sqlite": "0"}, {"postgresql": "true", "sqlite": "1"}


@contextmanager
def database(kind, place, *, keep):
    """Talk to a new database; its URL."""
    if kind == "sqlite":
        file = Path(place or tempfile.mkdtemp()) / "control-room.sqlite3"
        yield f"sqlite:///{file}"
        if not keep:
            file.unlink()
        return
    import psycopg

    server, name = place or os.environ["ASKPOINT_POSTGRES"], f"askpoint_room_{uuid.uuid4().hex[:6]}"
    with psycopg.connect(server, autocommit=True) as wire:
        wire.execute(f"CREATE DATABASE {name}")
    try:
        yield urlsplit(server)._replace(path=f"/{name}").geturl()
    finally:
        if not keep:
            from django.db import connections

            connections.close_all()
            with psycopg.connect(server, autocommit=True) as wire:
                wire.execute(f"DROP DATABASE {name} WITH (FORCE)")


def fill(total, opened):
    """Write the classifiers, `opened` decision records in those that are looked at; their ids."""
    from django.db import connection

    others = (total - len(OPENED) * opened) // (CLASSIFIERS - len(OPENED))
    made = [fill_one(it, opened if it in OPENED else others) for it in range(CLASSIFIERS)]
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    for place, used in enumerate(made):
        for day in range(4 if place else 30):
            used.label(used.decide(150, f"new {day}", day, broken=place == CLOSED and day > 1))
    return [used.id for used in made]


def fill_one(place, n):
    """Write one classifier with so many decision records."""
    from dataclasses import replace

    from django.db import connection

    from askpoint.live.receipts import Replay
    from askpoint.server.deployments.models import Deployment, Policy
    from askpoint.server.deployments.policy_state import document_of
    from server.in_use import InUse

    used = InUse()
    policy = used.policy
    old = document_of(policy)
    counts = {"decided": n, "answered": n * 3 // 4, "asked": n // 4, "audited": n // 20}
    document = replace(old, state=replace(old.state, **counts))
    policy.document, policy.digest, policy.decided = document.to_json(), document.digest, n
    policy.log = Replay(document).tree.to_dict()
    policy.save()
    Policy.objects.filter(pk=policy.pk).update(adopted=BEFORE - timedelta(days=DAYS))
    Deployment.objects.filter(pk=used.id).update(title=f"Classifier {place}", capacity=400)
    begun = time.perf_counter()
    with connection.cursor() as cursor:
        for statement in statements(place, used.id, policy.pk, n):
            cursor.execute(statement)
    print(f"{place}: {n:,} records in {time.perf_counter() - begun:.0f} s", file=sys.stderr)
    return used


def statements(place, name, policy, n):
    """Yield what fills a classifier."""
    from django.db import connection

    vendor = connection.vendor
    step = DAYS * 86400 / n
    series = _SERIES[vendor].format(n=n)
    at = _AT[vendor].format(step=step)
    action = _ACTIONS.get(place, _ACTION).format(n=n)
    no, yes = _NO[vendor], _YES[vendor]
    wrong = "i % 101 < 4" if vendor == "postgresql" else "CASE WHEN i % 101 < 4 THEN 1 ELSE 0 END"
    yield (
        "INSERT INTO deployments_receipt (deployment_id, policy_id, seq, key, at, digest, prediction, confidence, drawn, "
        'propensity, action, held, episode, "group", rate, chain, leaf, salt, lease, clock_back) '
        f"SELECT '{name}', {policy}, i, 'post-' || i, {at}, NULL, 1, 0.5 + ((i % 1000) * 919 % 1000) / 2000.0, 0.5, "
        f"CASE WHEN {action} = 1 THEN 1.0 ELSE 0.1 END, {action}, {no}, 1, {_GROUP}, 0.1, NULL, i, {_ZEROS[vendor]}, NULL, NULL "
        f"FROM {series}"
    )
    people = f"{series} WHERE {action} > 0"
    said = "CASE WHEN i % 101 < 4 THEN 'fine' ELSE 'hate' END"
    purpose = f"CASE WHEN {action} = 1 THEN 'asked' ELSE 'audit' END"
    content = """'"some words of the post ' || i || ', as people read them"'"""
    if vendor == "postgresql":
        content = f"({content})::jsonb"
    yield (
        "INSERT INTO labelling_case (id, queue, purpose, key, author, content, options, wanted, opened, at, state, answer, "
        "ruled_at, labelled, gold, skipped, source, n_claims, promised, free) "
        f"SELECT '{place}-' || i, 'classifier/{name}', {purpose}, 'post-' || i, '', {content}, {_EMPTY[vendor]}, 1, {at}, {at}, 'settled', "
        f"{said}, {at}, {at}, NULL, '', '', 1, 1, 0 FROM {people}"
    )
    yield (
        "INSERT INTO labelling_vote (case_id, reviewer, choice, at, void, said) "
        f"SELECT '{place}-' || i, 'rosa', {said}, {at}, {no}, NULL FROM {people}"
    )
    source = f"CASE WHEN {action} = 1 THEN 'asked' ELSE 'audit' END"
    yield (
        "INSERT INTO deployments_label (policy_id, n, after, key, seq, label, judge, source, truth, wrong, counts, at, chain, leaf) "
        f"SELECT {policy}, -1 - i, i + 1, 'post-' || i, i, {said}, 'rosa', {source}, NULL, {wrong}, {yes}, {at}, NULL, -1 "
        f"FROM {people}"
    )
    day = _SERIES[vendor].format(n=DAYS)
    date = (
        "DATE '2025-01-01' + i"
        if vendor == "postgresql"
        else "date(1735689600 + i * 86400, 'unixepoch')"
    )
    daily = n // DAYS
    answered = 0 if place == NEVER else daily * 4 // 5
    yield (
        "INSERT INTO deployments_day (policy_id, date, held, rate, decided, answered, audited, checked, seen, labelled, bought) "
        f"SELECT {policy}, {date}, {no}, 0.1, {daily}, {answered}, {answered // 16}, {answered // 16}, {answered // 400}, {daily // 4}, 0 "
        f"FROM {day}"
    )
    event = _SERIES[vendor].format(n=EVENTS)
    numbers = '\'{"threshold": 0.9, "episode": 1}\''
    late = at.replace(f"{step}", f"{DAYS * 86400 / EVENTS}")
    yield (
        "INSERT INTO deployments_event (policy_id, seq, kind, numbers, at, n, leaf) "
        f"SELECT {policy}, i * {n // EVENTS}, 'threshold', {numbers}, {late}, -1 - i, -1 FROM {event}"
    )


def look(browser, path):
    """Open a page; milliseconds, queries, and the slowest statement."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as queries:
        begun = time.perf_counter()
        answer = browser.get(path)
        took = 1000 * (time.perf_counter() - begun)
    assert answer.status_code == 200, (path, answer.status_code)
    slowest = max(queries, key=lambda one: float(one["time"]))
    return took, len(queries), slowest


def worked():
    """Return the seconds that this process, and the one of PostgreSQL that answers it, have worked."""
    from django.db import connection

    spent = time.process_time()
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            (pid,) = cursor.fetchone()
        stat = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        spent += (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")
    return spent


def paths_of(ids):
    """Return what is opened, by name."""
    usual = ids[-1]
    found = {"home": "/"}
    for what, name in (("answering", usual), ("closed", ids[CLOSED]), ("never alone", ids[NEVER])):
        found[f"page, {what}"] = f"/classifiers/{name}/"
    found["page, all days"] = f"/classifiers/{usual}/?days=all"
    found["history"] = f"/classifiers/{usual}/incidents/"
    found["incident"] = f"/classifiers/{ids[CLOSED]}/incidents/1/"
    for show in ("all", "wrong", "audited", "review", "alone"):
        found[f"cases, {show}"] = f"/classifiers/{usual}/cases/?show={show}"
    for show in ("audited", "alone"):
        found[f"cases, {show}, never alone"] = f"/classifiers/{ids[NEVER]}/cases/?show={show}"
        found[f"cases, {show}, long ago"] = f"/classifiers/{ids[LONG_AGO]}/cases/?show={show}"
    found["cases, wrong, deep"] = f"/classifiers/{usual}/cases/?show=wrong&before=1.20000"
    found["a case"] = f"/classifiers/{usual}/cases/post-1000/"
    return found


def measure(browser, paths):
    """Print the table of pages, by name."""
    print(
        f"{'page':32} {'first':>7} {'median':>7} {'longest':>7} {'worked':>7}  queries  slowest statement"
    )
    for name, path in paths.items():
        first, queries, _ = look(browser, path)
        times, slow, begun = [], None, worked()
        for _ in range(TIMES):
            took, queries, slow = look(browser, path)
            times.append(took)
        text = re.sub(r"\s+", " ", slow["sql"])
        spent = 1000 * (worked() - begun) / TIMES
        numbers = f"{first:7.0f} {statistics.median(times):7.0f} {max(times):7.0f} {spent:7.0f}  {queries:7}"
        print(f"{name:32} {numbers}  {1000 * float(slow['time']):.0f} ms {text[:60]}", flush=True)


def open_server(url):
    """Make a server on a new database."""
    folder = tempfile.mkdtemp()
    set_up(Options(url, "a secret of a benchmark " * 3, "", models=(), folder=Path(folder)))
    migrate()
    from django.test.utils import setup_test_environment

    setup_test_environment()


def owner():
    """Return a browser in which the owner is signed in."""
    from django.contrib.auth import get_user_model
    from django.test import Client

    browser = Client()
    browser.force_login(get_user_model().objects.get(username="wanda"))
    return browser


def main(n, opened, kind, place, *, keep):
    """Fill a database and print the table."""
    with database(kind, place, keep=keep) as url:
        open_server(url)
        ids = fill(n, opened)
        browser = owner()
        print(
            f"{kind}, {n:,} decision records, {opened:,} in each of those opened, {CLASSIFIERS} classifiers"
        )
        measure(browser, paths_of(ids))
        if keep:
            print(url)


if __name__ == "__main__":
    given = [one for one in sys.argv[1:] if one != "--keep"]
    total = int(float(given[0])) if given else 1_000_000
    main(
        total,
        int(float(given[1])) if len(given) > 1 else total // CLASSIFIERS,
        given[2] if len(given) > 2 else "postgresql",
        given[3] if len(given) > 3 else "",
        keep="--keep" in sys.argv,
    )
