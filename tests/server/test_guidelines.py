"""The guideline: written by owners, read beside each case, and kept with each label."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from askpoint import InputError
from askpoint.labelling.guideline import Guideline, LabelRule
from askpoint.server.deployments import labelling, queue
from askpoint.server.deployments.agreed_gold import make_agreed_gold
from askpoint.server.deployments.classifier_settings import change_settings
from askpoint.server.deployments.label_files import label_lines
from askpoint.server.labelling import desk as pool, services as reviewing
from askpoint.server.labelling.guidelines import guideline_of, list_versions
from askpoint.server.labelling.models import Case, GuidelineVersion, Vote
from server.in_use import InUse
from server.stage import refused


def forty_cases():
    """A classifier in use for forty cases, whose labels count at once."""
    in_use = InUse()
    change_settings(in_use.id, capacity=None, second=0.0, hold=0)
    in_use.decide(40)
    return in_use


@pytest.fixture
def in_use(stand):
    return stand(forty_cases)


def form(seen=0, **given):
    """What the page sends: the labels are fine and hate."""
    filled = dict.fromkeys(("general", "rule_0", "examples_0", "rule_1", "examples_1"), "")
    return filled | {"seen": seen, "rule_1": "attacks a group"} | given


def write(enter, in_use, seen=0, **given):
    where = reverse("guideline", args=[in_use.id])
    return enter(in_use.wanda).post(where, form(seen, **given), follow=True)


def test_the_reviewer_reads_what_the_owner_wrote_and_what_is_new(in_use, enter):
    page = write(enter, in_use, examples_1="you <fool>\ngo home").content.decode()
    assert "Version 1 is shown with each case" in page
    browser = enter(in_use.rosa)
    page = browser.post(reverse("review-claim"), follow=True).content.decode()
    assert "attacks a group" in page
    assert "you &lt;fool&gt;" in page
    assert "<strong>new</strong>" not in page  # the first version is new as a whole
    write(enter, in_use, 1, examples_1="you <fool>\nget lost")
    page = browser.get(reverse("review")).content.decode()
    assert "<q>get lost</q> <strong>new</strong>" in page
    assert page.count("<strong>new</strong>") == 1
    assert "go home" not in page
    start = enter(in_use.rudi).get(reverse("review")).content.decode()
    assert "Guideline of Posts that hate, version 2" in start
    assert enter(in_use.rosa).get(reverse("guideline", args=[in_use.id])).status_code == 404


def test_each_label_keeps_the_version_that_stood_when_it_was_said(in_use, enter):
    change_settings(in_use.id, capacity=None, second=0.0, hold=120)
    desk = pool.desk_of(in_use.rosa)
    for seen in (None, 0, 1):
        if seen is not None:
            write(enter, in_use, seen, general=f"what holds, {seen}")
        held = pool.claim(desk)
        pool.vote(desk, held.ticket, "hate")
    write(enter, in_use, 2, general="later than all that was said")
    pool.count_votes_of("rosa")
    votes = Vote.objects.order_by("said")
    assert [vote.guideline for vote in votes] == [None, 1, 2]
    lines = [json.loads(line) for line in label_lines(in_use.row, "jsonl")]
    told = {line["key"]: line["guideline"] for line in lines}
    assert told == {
        vote.case.key: None if vote.guideline is None else str(vote.guideline) for vote in votes
    }
    page = enter(in_use.wanda).get(reverse("classifier-case", args=[in_use.id, votes[2].case.key]))
    assert "guideline 2," in page.content.decode()


def test_two_owners_who_write_at_once_do_not_write_over_each_other(in_use, enter):
    write(enter, in_use, general="the first")
    page = write(enter, in_use, 0, general="the second")
    assert page.status_code == 422
    assert "version 1 of the guideline came meanwhile" in page.content.decode().lower()
    write(enter, in_use, 1, general="the first")  # the same again is no version
    assert GuidelineVersion.objects.count() == 1
    assert [it.number for it in list_versions(in_use.queue)] == [1]
    for bad in ("", "x"):
        assert write(enter, in_use, bad).status_code == 422
    write(enter, in_use, 1, rule_1="")
    assert guideline_of(in_use.queue) is None  # emptied: nothing stands beside the cases
    assert guideline_of("classifier/another") is None


def test_a_gold_case_is_no_example_and_an_example_becomes_no_gold_case(in_use, enter):
    Case.objects.update(content="as it came")
    queue.add_gold(in_use.id, [("you fool", "hate")])
    page = write(enter, in_use, examples_1=" you fool ")
    assert page.status_code == 422
    assert "is a gold case" in page.content.decode()
    write(enter, in_use, examples_1="go home")
    with pytest.raises(InputError, match="every reviewer knows its answer"):
        queue.add_gold(in_use.id, [(" go home", "hate")])


def test_no_gold_is_made_of_an_agreed_case_that_is_an_example(in_use, enter):
    change_settings(in_use.id, capacity=None, second=1.0, hold=0)
    in_use.decide(6, "tuesday")
    for name in ("rosa", "rudi"):
        while (held := reviewing.claim(in_use.queue, name)) is not None:
            reviewing.cast(in_use.queue, name, held.case_id, "hate")
    agreed = Case.objects.filter(state="ruled", wanted=2)
    n = agreed.count()
    agreed.filter(pk=agreed.first().pk).update(content="go home")
    write(enter, in_use, examples_1="go home")
    with refused("too-few"):
        make_agreed_gold(in_use.id, n)
    assert make_agreed_gold(in_use.id, n - 1) == n - 1


def test_an_example_goes_with_the_content_of_which_it_was_made(in_use, enter):
    case = reviewing.claim(in_use.queue, "rosa").case
    reviewing.cast(in_use.queue, "rosa", case.pk, "hate")
    Case.objects.filter(pk=case.pk).update(content=" go home ")
    write(enter, in_use, examples_1="go home\nget lost")
    write(enter, in_use, 1, examples_1="go home")
    labelling.forget(in_use.id, [case.key])
    texts = [it.text for it in list_versions(in_use.queue)]
    assert texts == [
        Guideline("", (LabelRule("hate", "attacks a group", ()),)),
        Guideline("", (LabelRule("hate", "attacks a group", ("get lost",)),)),
    ]


def test_a_program_reads_it_with_the_case(in_use, enter):
    write(enter, in_use, examples_1="go home")
    held = pool.claim(pool.desk_of(in_use.rosa))
    assert held.guideline.text.to_text() == "hate: attacks a group\n- go home"
    assert held.guideline.at <= timezone.now() + timedelta(seconds=1)
