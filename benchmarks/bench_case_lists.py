"""The case browser with many decisions: how long home, the classifier's page and the page of each filter take.

    python benchmarks/bench_case_lists.py DECISIONS [sqlite FOLDER | postgresql URL] [--keep]

One classifier holds DECISIONS rows (1e5) of 400 days, written in bulk as in `bench_control_room`, with the cases, labels and
votes of the quarter that went to people. Of these, one content in a hundred is deleted, reviewers differ on one in forty and are not
sure of another, and one in 5,000 is unsettled; one case in fifty has the group "tr". The model always says "hate", so no case has the
answer "fine", and none the group "nobody's". Each page is opened once, then seven times.
"""
# ruff: noqa: S608 - all that stands in its statements is made here

from __future__ import annotations

import sys

from bench_control_room import CLASSIFIERS, database, fill_one, measure, open_server, owner

FILTERS = {
    "all": "",
    "wrong": "show=wrong",
    "audited": "show=audited",
    "review": "show=review",
    "alone": "show=alone",
    "label": "label=fine",
    "answer": "answer=hate",
    "an answer of none": "answer=fine",
    "days": "from=2025-06-01&to=2025-06-30",
    "whole key": "key=post-777",
    "beginning of a key": "key=post-777*",
    "beginning of too many": "key=post-*",
    "content deleted": "deleted=1",
    "reviewers differ": "show=differ",
    "not sure": "show=unsure",
    "unsettled": "show=unsettled",
    "a group": "group=tr",
    "a group of none": "group=nobody%27s",
    "differ, a label": "show=differ&label=fine",
    "all at once": "show=audited&label=fine&answer=hate&from=2025-03-01&to=2025-12-01&deleted=1",
}


def keys_of(some):
    """Return the statement of the keys of some cases that went to people."""
    return f"SELECT key FROM deployments_receipt WHERE action > 0 AND {some}"


def fill(n):
    """Write the classifier; its id."""
    from django.db import connection

    used = fill_one(CLASSIFIERS - 1, n)
    some = "action > 0 AND seq % 100 = 7"
    deleted = "INSERT INTO deployments_deletedcontent (policy_id, seq, at, leaf)"
    gone = (
        f"{deleted} SELECT policy_id, seq, 0, -1 - seq FROM deployments_receipt WHERE {some}",
        f"UPDATE labelling_case SET content = NULL WHERE key IN ({keys_of('seq % 100 = 7')})",
        *(
            f"INSERT INTO deployments_casemark (policy_id, kind, seq) SELECT policy_id, '{kind}', seq "
            f"FROM deployments_receipt WHERE action > 0 AND seq % 40 = {rest}"
            for kind, rest in (("differ", 3), ("unsure", 8))
        ),
        f"UPDATE labelling_case SET state = 'referred', labelled = NULL WHERE key IN ({keys_of('seq % 1250 = 3')})",
        "ANALYZE",
    )
    with connection.cursor() as cursor:
        for statement in gone:
            cursor.execute(statement)
    for day in range(4):
        used.label(used.decide(150, f"new {day}", day))
    return used.id


def main(n, kind, place, *, keep):
    """Fill a database and print the table."""
    with database(kind, place, keep=keep) as url:
        open_server(url)
        name = fill(n)
        print(f"{kind}, {n:,} decisions")
        here = f"/classifiers/{name}/"
        pages = {"home": "/", "page": here}
        pages |= {f"cases, {it}": f"{here}cases/?{query}" for it, query in FILTERS.items()}
        measure(owner(), pages)


if __name__ == "__main__":
    given = [one for one in sys.argv[1:] if one != "--keep"]
    main(
        int(float(given[0])) if given else 100_000,
        given[1] if len(given) > 1 else "postgresql",
        given[2] if len(given) > 2 else "",
        keep="--keep" in sys.argv,
    )
