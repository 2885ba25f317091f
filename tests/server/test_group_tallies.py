"""Cases, audits and mistakes by group: each record is counted once, and by every call."""

from __future__ import annotations

from collections import defaultdict

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from askpoint.answers.live.group_standings import GroupTally
from askpoint.server.deployments import decisions, group_tallies
from askpoint.server.deployments.decisions import IncomingCase
from askpoint.server.deployments.group_tallies import tally_receipts
from askpoint.server.deployments.models import Label, Receipt
from askpoint.server.deployments.rows import ASK
from server.in_use import InUse, posts


@pytest.fixture
def in_use(stand_on_each):
    return stand_on_each(InUse)


def decide(in_use, n, day, seed):
    """Decide posts of three groups, one of which is none."""
    sure, right = posts(n, seed)
    keys = [f"{day}-{i}" for i in range(n)]
    in_use.truth |= {key: "hate" if one else "fine" for key, one in zip(keys, right, strict=True)}
    items = [
        IncomingCase(key, prediction="hate", confidence=one, group=(None, "en", "tr")[i % 3])
        for i, (key, one) in enumerate(zip(keys, sure, strict=True))
    ]
    return decisions.decide(in_use.id, items, "7")


def counted(in_use):
    """The same, record by record."""
    found = defaultdict(GroupTally)
    groups = {}
    for row in Receipt.objects.filter(policy=in_use.policy):
        was, groups[row.seq] = found[row.group], row.group
        answered = was.answered + (row.action != ASK)
        found[row.group] = was._replace(decided=was.decided + 1, answered=answered)
    for row in Label.objects.filter(policy=in_use.policy, counts=True, source="audit"):
        was = found[groups[row.seq]]
        found[groups[row.seq]] = was._replace(
            audits=was.audits + 1, mistakes=was.mistakes + row.wrong
        )
    return dict(found)


def test_what_came_since_is_added_to_what_was_counted_before(in_use):
    first = decide(in_use, 300, "monday", 1)
    in_use.label(first[:150])
    assert tally_receipts(in_use.policy) == counted(in_use)
    decide(in_use, 200, "tuesday", 2)
    in_use.label(first[150:])  # of what was counted without their labels
    found = tally_receipts(in_use.policy)
    assert found == counted(in_use)
    assert set(found) == {None, "en", "tr"}
    assert min(one.audits for one in found.values()) > 0
    with CaptureQueriesContext(connection) as queries:
        assert tally_receipts(in_use.policy) == found
    (scan,) = (
        one["sql"] for one in queries if "GROUP BY" in one["sql"] and "label" not in one["sql"]
    )
    assert ">= 500" in scan  # nothing is counted twice, nor read


@pytest.mark.parametrize("last", [(("other", None, 7), None), (None, ("other", None, 7))])
def test_what_was_counted_of_another_log_is_forgotten(in_use, last):
    in_use.label(decide(in_use, 90, "monday", 1))
    policy = in_use.policy
    wrong = {None: GroupTally(1000, 1000, 1000, 1000)}
    group_tallies._known[policy.pk] = group_tallies._CountedReceipts(50, 3, last, wrong)
    assert tally_receipts(policy) == counted(in_use)


def test_a_policy_that_decided_nothing_has_no_groups(in_use):
    assert tally_receipts(in_use.policy) == {}
