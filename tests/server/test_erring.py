"""How often people err, and what asking then costs."""

from __future__ import annotations

import numpy as np
import pytest
from django.urls import reverse
from django.utils import timezone

from askpoint.answers.live.first_policy import OpeningQuestion
from askpoint.server.deployments import labelling, policies
from askpoint.server.deployments.labelling import IncomingLabel
from askpoint.server.deployments.policy_state import document_of
from askpoint.server.deployments.reviewer_errors import (
    charge_reviewer_errors,
    people_error,
    price_of_check,
)
from askpoint.server.labelling.models import Case, Vote
from askpoint.value.reviewer_errors import ReviewerErrors
from server.in_use import InUse


@pytest.fixture
def in_use(stand_on_each):
    return stand_on_each(InUse)


def golden(in_use, judge, wrong):
    """Let somebody label gold cases: which of them wrongly."""
    said = [
        IncomingLabel(f"golden-{i}", "fine" if one else "hate", judge, "gold", "hate")
        for i, one in enumerate(wrong)
    ]
    labelling.take_labels(in_use.id, said)


def shared(in_use, choices):
    """Let two people label cases, and a third where they differ."""
    now = timezone.now()
    for i, (first, second) in enumerate(choices):
        case = Case.objects.create(
            id=f"{i:016x}",
            queue=in_use.queue,
            key=f"twice-{i}",
            purpose="asked",
            wanted=2,
            content="x",
            opened=now,
            at=now,
        )
        names = ("rosa", "rudi") if i % 2 else ("rudi", "rosa")
        for name, choice in zip(names, (first, second), strict=True):
            Vote.objects.create(case=case, reviewer=name, choice=choice, at=now)
        if first != second:
            Vote.objects.create(case=case, reviewer="ruth", choice=first, at=now)


def page_of(in_use, enter):
    return (
        enter(in_use.wanda)
        .get(f"{reverse('classifier', args=[in_use.id])}?more=1")
        .content.decode()
    )


def test_people_are_priced_by_golden_items_and_where_two_differ(in_use, enter):
    policy = in_use.policy
    unknown = people_error(in_use.row)
    assert unknown.share is None
    assert price_of_check(policy, 0.1, unknown) == 0.1
    assert "How often reviewers err is not known" in page_of(in_use, enter)
    golden(in_use, "rosa", [False] * 12)
    assert people_error(in_use.row).share is None  # too few
    golden(in_use, "rudi", [True, True, *[False] * 26])
    found = people_error(in_use.row)
    assert (found.golden, found.wrong, found.share) == (40, 2, 0.05)
    assert found.by_golden.lower < 0.05 < found.by_golden.upper
    assert price_of_check(policy, 0.1, found) == pytest.approx(0.15)
    said = page_of(in_use, enter)
    assert "People err on 5.0% of the cases. 2 of 40 labels" in said.replace("  ", " ")
    assert "a check costs 0.15 of a mistake: 0.1 for its work, and 0.05" in said
    shared(in_use, [("hate", "hate")] * 15 + [("hate", "fine")] * 5)
    found = people_error(in_use.row)
    assert (found.pairs, found.differed) == (20, 5)
    assert "two looks at the same people" not in said
    assert "the greater share counts" in page_of(in_use, enter)
    assert found.share == 0.125  # half of a quarter: gold cases are easier than what they are given
    assert found.judges["ruth" if "ruth" in found.judges else "rosa"] == (12, 0, 20, 5)
    assert "ruth" not in found.judges  # a third is asked where two differ, so that tells nothing
    question = OpeningQuestion(aim="money", limit=0.1)
    assert charge_reviewer_errors(question, found).limit == pytest.approx(0.225)
    assert charge_reviewer_errors(question, unknown) == question
    promise = OpeningQuestion(aim="promise", limit=0.1)
    assert charge_reviewer_errors(promise, found) == promise


def test_a_version_is_chosen_by_what_asking_really_costs(in_use):
    before = document_of(in_use.policy)
    golden(in_use, "rosa", [True] * 8 + [False] * 32)
    row = in_use.propose()
    after = document_of(row)
    assert row.work == before.terms.limit == 0.1
    assert after.terms.limit == pytest.approx(0.3)
    assert (
        after.state.threshold < before.state.threshold
    )  # people are no better than that: ask less
    assert row.told[0]["title"] == "Cost of review"
    assert row.told[0]["blocks"][0]["lead"]
    again = policies.go_back(in_use.id, in_use.wanda, "as it was", row.number)
    assert again.work == row.work


def test_two_who_differ_never_tell_more_than_people_err():
    """Half of the share of differing bounds the mean error from below, however judges depend."""
    rng = np.random.default_rng(5)
    for _ in range(300):
        joint = rng.dirichlet(np.full(4, 0.4))  # both right, first wrong, second wrong, both wrong
        alike = rng.random()  # of cases that both get wrong, those with the same label
        differ = joint[1] + joint[2] + joint[3] * (1 - alike)
        mean = joint[1] / 2 + joint[2] / 2 + joint[3]
        assert differ / 2 <= mean + 1e-12
        assert ReviewerErrors([], [1 - mean], 0.05).rho(np.zeros(1))[0] == pytest.approx(
            mean + 0.05
        )
