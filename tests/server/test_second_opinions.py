"""Second opinions: unmarked, to who has not seen the case, and never a label."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections
from django.urls import reverse

from askpoint import RuleError
from askpoint.server.books import check_books
from askpoint.server.deployments import labelling, policies
from askpoint.server.deployments.models import Label
from askpoint.server.deployments.second_opinions import ask_second_opinions, list_opinions
from askpoint.server.labelling import blind_queue, services as reviewing
from askpoint.server.labelling.models import Case
from server.in_use import InUse


@pytest.fixture
def in_use(sqlite):
    del sqlite
    in_use = InUse()
    policies.set_work(in_use.id, None, 0.0)
    in_use.decide(12)
    return in_use


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
    assert "Nothing: wherever" in page


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
    policies.set_work(in_use.id, None, 0.0)
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
