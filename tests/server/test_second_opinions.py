"""Second opinions: unmarked, to who has not seen the case, and never a label."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections
from django.urls import reverse
from scipy.stats import binomtest

from askpoint import RuleError
from askpoint.server.books import check_books
from askpoint.server.deployments import labelling
from askpoint.server.deployments.agreed_gold import make_agreed_gold
from askpoint.server.deployments.classifier_settings import change_settings
from askpoint.server.deployments.models import Label
from askpoint.server.deployments.second_opinions import (
    ask_second_opinions,
    list_opinions,
    summarise_opinions,
)
from askpoint.server.labelling import blind_queue, services as reviewing
from askpoint.server.labelling.models import Case
from server.in_use import InUse


def twelve_cases():
    """A classifier in use for twelve cases, each for one reviewer."""
    in_use = InUse()
    change_settings(in_use.id, capacity=None, second=0.0)
    in_use.decide(12)
    return in_use


@pytest.fixture
def in_use(stand):
    return stand(twelve_cases)


def labelled(in_use):
    """Let Rosa label a case, and take the others out of the queue."""
    case = reviewing.claim(in_use.queue, "rosa").case
    reviewing.cast(in_use.queue, "rosa", case.pk, "hate")
    Case.objects.exclude(pk=case.pk).delete()
    return Case.objects.get(pk=case.pk)


def test_an_owner_asks_and_reads_what_another_reviewer_says(in_use, enter):
    first = labelled(in_use)
    browser, here = enter(in_use.wanda), reverse("classifier-case", args=[in_use.id, first.key])
    page = browser.post(here, {"opinion": "1"}, follow=True).content.decode()
    assert "goes to a reviewer who has not seen it" in page
    assert "Waits for a reviewer" in page
    again = browser.post(here, {"opinion": "1"}, follow=True).content.decode()
    assert "one reviewer at a time" in again
    assert reviewing.claim(in_use.queue, "rosa") is None  # who labelled it
    held = reviewing.claim(in_use.queue, "rudi")
    assert held.case.content == first.content
    reviewing.cast(in_use.queue, "rudi", held.case_id, "fine")
    assert "differs from the label" in browser.get(here).content.decode()
    (label,) = Label.objects.all()
    assert (label.judge, label.label) == ("rosa", "hate")
    assert check_books().problems == ()
    assert ask_second_opinions(in_use.id, [first.key]) == 1
    assert reviewing.claim(in_use.queue, "rudi") is None  # nor who gave the first opinion
    assert [one.choice for one in list_opinions(in_use.row, first)] == ["fine", None]


def test_only_what_has_a_label_and_its_content_is_asked(in_use):
    waits = Case.objects.first()
    with pytest.raises(RuleError, match="needs a label and its content"):
        ask_second_opinions(in_use.id, [waits.key, "never"])
    first = labelled(in_use)
    ask_second_opinions(in_use.id, [first.key])
    labelling.forget(in_use.id, [first.key])  # its copy goes, too
    assert not Case.objects.exclude(content=None).exists()
    assert reviewing.claim(in_use.queue, "rudi") is None
    with pytest.raises(RuleError, match="needs a label"):
        ask_second_opinions(in_use.id, [first.key])


def test_who_is_not_sure_ends_it_without_asking_the_owner_for_a_label(in_use, enter):
    first = labelled(in_use)
    ask_second_opinions(in_use.id, [first.key])
    case = reviewing.claim(in_use.queue, "rudi").case
    reviewing.skip(in_use.queue, "rudi", case.pk, reason="several")
    assert list_opinions(in_use.row, first) == [(None, None, False)]
    page = enter(in_use.wanda).get(reverse("unsettled", args=[in_use.id])).content.decode()
    assert "No case needs your decision" in page


def test_they_are_added_up_on_the_page_and_for_programs(in_use, enter):
    """Six cases: three agree, one differs, one reviewer is not sure, one waits."""
    keys = []
    for _ in range(6):
        case = reviewing.claim(in_use.queue, "rosa").case
        reviewing.cast(in_use.queue, "rosa", case.pk, "hate")
        keys.append(case.key)
    assert ask_second_opinions(in_use.id, keys) == 6
    Case.objects.filter(votes=None).exclude(purpose="opinion").delete()
    for said in ("hate", "hate", "hate", "fine", None):
        case = reviewing.claim(in_use.queue, "rudi").case
        if said is None:
            reviewing.skip(in_use.queue, "rudi", case.pk, reason="unclear")
        else:
            reviewing.cast(in_use.queue, "rudi", case.pk, said)
    found = summarise_opinions(in_use.row)
    assert (found.asked, found.given, found.agreed) == (6, 4, 3)
    assert (found.waiting, found.not_sure) == (1, 1)
    (one,) = found.differing
    assert (one.label, one.opinion, one.reviewer) == ("hate", "fine", "rudi")
    assert binomtest(3, 4).proportion_ci(0.95) == pytest.approx(found.agreement)
    page = enter(in_use.wanda).get(reverse("work", args=[in_use.id])).content.decode()
    assert "On 3 of 4 cases the second reviewer agrees with the label: 19% to 99%" in page
    assert reverse("classifier-case", args=[in_use.id, one.key]) in page
    assert enter(in_use.rosa).get(reverse("work", args=[in_use.id])).status_code == 404
    in_use.join(in_use.will, "reviewer")
    differing = Case.objects.get(key=one.key)
    assert ask_second_opinions(in_use.id, [one.key]) == 1  # the first opinion on it stays
    again = Case.objects.get(source=differing.pk, state="open")
    assert "rudi" in again.skipped
    assert summarise_opinions(in_use.row) == found
    labelling.forget(in_use.id, keys)  # what has no opinion yet goes with its content
    assert (summarise_opinions(in_use.row).asked, summarise_opinions(in_use.row).waiting) == (4, 0)


def test_a_label_that_no_longer_counts_is_nothing_to_agree_with(in_use, enter):
    first = labelled(in_use)
    ask_second_opinions(in_use.id, [first.key])
    case = reviewing.claim(in_use.queue, "rudi").case
    reviewing.cast(in_use.queue, "rudi", case.pk, "fine")
    assert summarise_opinions(in_use.row).given == 1
    Label.objects.filter(key=first.key).update(counts=False)
    assert summarise_opinions(in_use.row).asked == 0
    assert enter(in_use.wanda).get(reverse("work", args=[in_use.id])).status_code == 200


def test_who_saw_one_copy_of_a_case_is_given_no_other(in_use):
    change_settings(in_use.id, capacity=None, second=1.0)
    in_use.decide(4, "tuesday")
    in_use.join(in_use.will, "reviewer")
    Case.objects.exclude(wanted=2).delete()
    for name in ("rosa", "rudi"):
        while (held := reviewing.claim(in_use.queue, name)) is not None:
            reviewing.cast(in_use.queue, name, held.case_id, "hate")
    first = Case.objects.filter(state="ruled").first()
    ask_second_opinions(in_use.id, [first.key])
    held = reviewing.claim(in_use.queue, "will")
    assert held.case.purpose == "opinion"
    reviewing.cast(in_use.queue, "will", held.case_id, "hate")
    make_agreed_gold(in_use.id, Case.objects.filter(state="ruled", wanted=2).count())
    gold = Case.objects.get(purpose="gold", source=first.pk)
    assert all(name in gold.skipped for name in ("rosa", "rudi", "will"))


def test_opinions_and_audits_come_by_turns_of_chance(in_use, monkeypatch):
    first = labelled(in_use)
    in_use.decide(60, "tuesday")
    ask_second_opinions(in_use.id, [first.key])
    for draw, purpose in ((1, "audit"), (0, "opinion")):
        monkeypatch.setattr(blind_queue.secrets, "randbelow", lambda _, draw=draw: draw)
        held = reviewing.claim(in_use.queue, "rudi", others=True)
        assert held.case.purpose == purpose
        reviewing.give_back(in_use.queue, "rudi", held.case_id)


def test_two_owners_who_press_at_once_ask_once(database):
    del database
    in_use = InUse()
    change_settings(in_use.id, capacity=None, second=0.0)
    in_use.decide(12)
    first = labelled(in_use)

    def press(_):
        try:
            return ask_second_opinions(in_use.id, [first.key])
        except RuleError as error:
            return error.rule
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as threads:
        said = list(threads.map(press, range(2)))
    assert sorted(map(str, said)) == ["1", "nothing-to-ask"]
    assert Case.objects.filter(purpose="opinion").count() == 1
