"""Gold cases made of cases on which reviewers agreed, or an owner ruled."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from askpoint.labelling.guideline import Guideline, LabelRule
from askpoint.server.books import check_books
from askpoint.server.deployments.agreed_gold import agreed_cases, make_agreed_gold, make_gold_of
from askpoint.server.deployments.case_rulings import rule_on_case
from askpoint.server.deployments.classifier_settings import change_settings
from askpoint.server.deployments.labelling import forget
from askpoint.server.deployments.models import Label
from askpoint.server.journal.models import LogLine
from askpoint.server.labelling import blind_queue, services as reviewing
from askpoint.server.labelling.guidelines import add_version
from askpoint.server.labelling.models import Case, Claim, Vote
from server.in_use import InUse
from server.stage import refused


def for_two():
    """A classifier of which a second reviewer labels each case."""
    in_use = InUse()
    change_settings(in_use.id, capacity=None, second=1.0)
    in_use.join(in_use.will, "reviewer")
    return in_use


@pytest.fixture
def in_use(stand_on_each, monkeypatch):
    """Asked cases come first."""
    in_use = stand_on_each(for_two)
    monkeypatch.setattr(blind_queue.secrets, "randbelow", lambda n: n - 1)
    return in_use


def label(in_use, n, labels=("hate", "hate")):
    """Let Rosa and Rudi label so many asked cases, by these labels."""
    in_use.decide(2 * n)
    for name, choice in zip(("rosa", "rudi"), labels, strict=True):
        for _ in range(n):
            held = reviewing.claim(in_use.queue, name)
            reviewing.cast(in_use.queue, name, str(held.case.pk), choice)


def prefer_gold(monkeypatch):
    """Give gold cases wherever they may come."""
    monkeypatch.setattr(blind_queue.secrets, "randbelow", lambda n: min(1, n - 1))
    monkeypatch.setattr(blind_queue, "draws_others", lambda: True)


def gold():
    return Case.objects.filter(purpose="gold").order_by("pk")


def test_gold_is_made_of_what_two_agreed_on_as_many_of_each_label(in_use):
    label(in_use, 6)
    label(in_use, 2, ("fine", "fine"))
    found = agreed_cases(in_use.row)
    assert Counter(row.answer for row in found) == {"hate": 6, "fine": 2}
    assert make_agreed_gold(in_use.id, 4) == 4
    assert Counter(row.gold for row in gold()) == {"hate": 2, "fine": 2}
    sources = {row.pk: row for row in found}
    for row in gold():
        assert row.content == sources[row.source].content
        assert row.gold == sources[row.source].answer
    assert make_agreed_gold(in_use.id, 4) == 4
    assert len({row.source for row in gold()}) == 8  # none twice


def test_what_they_differ_on_or_one_labelled_makes_none(in_use):
    label(in_use, 2, ("hate", "fine"))
    change_settings(in_use.id, capacity=None, second=0.0)
    held = in_use.decide(1, "alone") and reviewing.claim(in_use.queue, "will")
    while held is not None:  # the third of two who differ decides, and more
        reviewing.cast(in_use.queue, "will", str(held.case.pk), "hate")
        held = reviewing.claim(in_use.queue, "will")
    assert agreed_cases(in_use.row) == []
    with refused("too-few"):
        make_agreed_gold(in_use.id, 1)
    assert not gold().exists()


def test_too_many_makes_none_and_says_how_many_there_are(in_use):
    label(in_use, 2)
    with refused("too-few"):
        make_agreed_gold(in_use.id, 3)
    assert not gold().exists()


def test_who_voted_is_not_given_it_and_others_are_scored_by_it(in_use, monkeypatch):
    label(in_use, 3)
    make_agreed_gold(in_use.id, 3)
    in_use.decide(4, "more")
    prefer_gold(monkeypatch)
    held = reviewing.claim(in_use.queue, "rosa")
    assert held.case.purpose != "gold"
    held = reviewing.claim(in_use.queue, "will")
    assert held.case.purpose == "gold"
    reviewing.cast(in_use.queue, "will", str(held.case.pk), "fine")
    row = Label.objects.get(source="gold")
    assert (row.judge, row.label, row.truth) == ("will", "fine", "hate")
    assert check_books().problems == ()


def ruled_one(in_use, ruling="fine"):
    """A case that Rosa and Rudi label hate, and an owner rules on."""
    label(in_use, 1)
    case = Case.objects.get(state="ruled")
    rule_on_case(in_use.id, in_use.wanda, case.key, ruling, "the guideline says so")
    return case


def test_an_owners_ruling_makes_gold_though_reviewers_agreed_otherwise(in_use, monkeypatch, enter):
    case = ruled_one(in_use)
    here = f"/classifiers/{in_use.id}/cases/{case.key}/"
    assert "The ruling is its answer." in enter(in_use.wanda).get(here).content.decode()
    page = enter(in_use.wanda).post(here, {"gold": "1"}, follow=True).content.decode()
    assert "A gold case was made of it." in page
    (made,) = gold()
    assert (made.gold, made.content, made.source) == ("fine", case.content, case.pk)
    with refused("not-agreed"):  # once
        make_gold_of(in_use.id, case.key)
    in_use.decide(4, "more")
    prefer_gold(monkeypatch)
    for name in ("rosa", "rudi"):  # who saw the case
        assert reviewing.claim(in_use.queue, name).case.purpose != "gold"
    held = reviewing.claim(in_use.queue, "will")
    assert held.case.pk == made.pk
    reviewing.cast(in_use.queue, "will", made.pk, "hate")
    row = Label.objects.get(source="gold")
    assert (row.judge, row.label, row.truth, row.wrong) == ("will", "hate", "fine", True)
    assert check_books().problems == ()


def test_many_are_made_with_the_rulings_of_an_owner_as_their_truths(in_use):
    in_use.decide(12)
    label(in_use, 3)
    label(in_use, 1, ("hate", "fine"))  # nobody knows, until the owner says so
    agreed, overruled, changed = agreed_cases(in_use.row)
    differing = Case.objects.get(votes__choice="fine")
    for case, ruling in ((overruled, "fine"), (changed, "fine"), (changed, "hate")):
        rule_on_case(in_use.id, in_use.wanda, case.key, ruling, "it is so")
    change_settings(in_use.id, second=0.0)
    in_use.decide(4, "alone")
    held = reviewing.claim(in_use.queue, "rosa", others=False)
    reviewing.cast(in_use.queue, "rosa", held.case.pk, "fine")  # one vote, and no ruling
    with refused("too-few"):
        make_agreed_gold(in_use.id, 4)
    made = {agreed.pk: "hate", changed.pk: "hate", overruled.pk: "fine"}
    assert make_agreed_gold(in_use.id, 2) == 2
    assert sorted(row.gold for row in gold()) == ["fine", "hate"]  # as many of each
    assert make_agreed_gold(in_use.id, 1) == 1
    assert {row.source: row.gold for row in gold()} == made
    with refused("too-few"):  # none twice
        make_agreed_gold(in_use.id, 1)
    settle_by_third(in_use, differing)
    rule_on_case(in_use.id, in_use.wanda, differing.key, "fine", "it is so")
    assert make_agreed_gold(in_use.id, 1) == 1
    assert gold().get(source=differing.pk).gold == "fine"
    assert check_books().problems == ()


def settle_by_third(in_use, case):
    """Let a third reviewer decide a case on which two differ."""
    while case.state == "open":
        held = reviewing.claim(in_use.queue, "will", others=False)
        reviewing.cast(in_use.queue, "will", held.case.pk, "hate")
        case.refresh_from_db()


def test_none_of_many_is_made_of_a_ruled_case_that_is_deleted_or_an_example(in_use):
    case = ruled_one(in_use)
    example = Guideline(rules=(LabelRule("hate", "", (case.content,)),))
    add_version(in_use.queue, "wanda", example, 0, timezone.now())
    with refused("too-few"):
        make_agreed_gold(in_use.id, 1)
    forget(in_use.id, [case.key])
    with refused("too-few"):
        make_agreed_gold(in_use.id, 1)
    assert not gold().exists()


def test_one_vote_and_a_ruling_make_gold_and_one_vote_alone_does_not(in_use):
    change_settings(in_use.id, second=0.0)
    in_use.decide(4)
    held = reviewing.claim(in_use.queue, "rosa")
    reviewing.cast(in_use.queue, "rosa", held.case.pk, "hate")
    with refused("not-agreed"):
        make_gold_of(in_use.id, held.case.key)
    rule_on_case(in_use.id, in_use.wanda, held.case.key, "hate", "a slur")
    make_gold_of(in_use.id, held.case.key)
    assert gold().get().gold == "hate"


def test_a_later_ruling_is_the_truth_of_the_gold_made_before(in_use):
    case = ruled_one(in_use)
    make_gold_of(in_use.id, case.key)
    rule_on_case(in_use.id, in_use.wanda, case.key, "hate", "on second thoughts")
    assert gold().get().gold == "hate"


def test_no_ruling_makes_gold_of_what_was_deleted_or_is_an_example(in_use):
    case = ruled_one(in_use)
    example = Guideline(rules=(LabelRule("hate", "", (case.content,)),))
    add_version(in_use.queue, "wanda", example, 0, timezone.now())
    with refused("not-agreed"):
        make_gold_of(in_use.id, case.key)
    forget(in_use.id, [case.key])
    with refused("not-agreed"):
        make_gold_of(in_use.id, case.key)
    assert not gold().exists()


def test_a_content_that_is_deleted_is_deleted_in_the_gold_made_of_it(in_use, monkeypatch):
    label(in_use, 2)
    make_agreed_gold(in_use.id, 2)
    prefer_gold(monkeypatch)
    in_use.decide(4, "more")
    held = reviewing.claim(in_use.queue, "will").case
    source = Case.objects.get(pk=held.source)
    assert forget(in_use.id, [source.key]) == 1
    assert not Claim.objects.filter(case=held.pk).exists()
    held.refresh_from_db()
    assert (held.content, held.state) == (None, "forgotten")
    other = gold().exclude(pk=held.pk).get()
    assert (other.content, other.state) != (None, "forgotten")
    assert forget(in_use.id, [source.key]) == 0


def test_a_held_label_on_such_gold_counts_before_its_content_goes(in_use, monkeypatch):
    label(in_use, 1)
    make_agreed_gold(in_use.id, 1)
    prefer_gold(monkeypatch)
    in_use.decide(4, "more")
    held = reviewing.claim(in_use.queue, "will").case
    reviewing.hold(in_use.queue, "will", held.pk, "hate", timedelta(minutes=2))
    assert not Vote.objects.filter(case=held.pk).exists()
    forget(in_use.id, [Case.objects.get(pk=held.source).key])
    assert Vote.objects.get(case=held.pk).choice == "hate"
    assert Vote.objects.get(case=held.pk).at <= timezone.now()


def test_the_page_makes_them_and_says_why_it_does_not(in_use, enter):
    label(in_use, 2)
    wanda, where = enter(in_use.wanda), reverse("work", args=[in_use.id])
    given = {"capacity": "", "second": "100", "hold": "0", "gold": ""}
    page = wanda.post(where, given | {"agreed": "5"}, follow=True).content.decode()
    assert "at most 2 cases" in page
    assert "two reviewers agreed or an owner ruled" in page
    assert not gold().exists()
    for bad in ("-1", "many", "1001"):
        wanda.post(where, given | {"agreed": bad})
    assert not gold().exists()
    wanda.post(where, given | {"agreed": "2"})
    assert gold().count() == 2


def test_an_owner_makes_one_of_a_case_on_its_page(in_use, enter):
    label(in_use, 2)
    label(in_use, 1, ("hate", "fine"))
    agreed, differing = agreed_cases(in_use.row)[0], Case.objects.get(votes__choice="fine")
    owner = enter(in_use.wanda)
    here, there = (
        reverse("classifier-case", args=[in_use.id, one.key]) for one in (agreed, differing)
    )
    assert "Create gold case" in owner.get(here).content.decode()
    assert "Create gold case" not in owner.get(there).content.decode()
    for _ in range(2):  # pressed twice, it is one
        page = owner.post(here, {"gold": "1"}, follow=True).content.decode()
    assert "at least two reviewers agreed or an owner ruled, once" in page
    (made,) = gold()
    assert (made.source, made.gold) == (agreed.pk, "hate")
    assert "A gold case was made of it." in owner.get(here).content.decode()
    assert "ask a second reviewer" in owner.post(there, {"gold": "1"}, follow=True).content.decode()
    assert [one.about for one in LogLine.objects.filter(what="gold made")] == [agreed.key]
    assert enter(in_use.rosa).post(here, {"gold": "1"}).status_code == 404
