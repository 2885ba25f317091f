"""The next version: chosen again from live rows by a person, or by the loop at the end of a life."""

from __future__ import annotations

import numpy as np
import pytest
from django.db.models import Max, Min

from askpoint import NotEstimableError
from askpoint.answers.live.first_policy import answer_opening
from askpoint.server.deployments import policies
from askpoint.server.deployments.classifier_settings import change_settings
from askpoint.server.deployments.models import Event, Label, Policy, Receipt
from askpoint.server.deployments.policy_state import document_of, load_state
from askpoint.server.deployments.renewal import (
    LOOP,
    evidence_log,
    propose_again,
    question_of,
    renew,
)
from askpoint.server.jobs.models import Job
from askpoint.server.jobs.services import run_next
from askpoint.server.journal.models import LogLine
from server.in_use import MODEL, InUse
from server.works import WORKS


def used(in_use, days=4, n=300):
    """Some days of decisions, all labelled."""
    for day in range(days):
        in_use.label(in_use.decide(n, f"day {day}", 20 + day))
    return in_use.policy


def _range_of(policy):
    """The least and the greatest confidence that it decided on."""
    found = Receipt.objects.filter(policy=policy).aggregate(Min("confidence"), Max("confidence"))
    return list(found.values())


def test_for_least_cost_all_labels_count_and_the_library_opens_from_them(in_use):
    policy = used(in_use)
    log = evidence_log(policy, "money")
    sent = Receipt.objects.filter(policy=policy, action__gt=0).count()
    assert (log.n_items, log.n_labelled) == (1200, sent)
    made = propose_again(in_use.id, "wanda", "a month of it", question_of(policy))
    found = document_of(made)
    assert (made.number, made.parent, made.who, made.why) == (2, 1, "wanda", "a month of it")
    assert found.terms == document_of(policy).terms
    alone = answer_opening(
        log,
        question_of(made),
        name=found.id,
        model=MODEL,
        secret_hash="",
        labels_are_random=True,
    ).document
    assert found.state.threshold == alone.state.threshold is not None
    counts = {"rows": 1200, "labelled": sent, "log": log.digest()}
    assert found.evidence == {**counts, "confidence": _range_of(policy)}


def test_for_a_promise_only_the_uniform_sample_counts(in_use):
    policy = used(in_use)
    rate = document_of(policy).terms.rate
    log = evidence_log(policy, "promise")
    rows = Receipt.objects.filter(policy=policy).order_by("seq")
    uniform = [drawn < rate for drawn in rows.values_list("drawn", flat=True)]
    assert log.labelled.tolist() == uniform
    # while everything was asked, all labels were to come, whatever was drawn
    Event.objects.create(
        policy=policy, seq=300, kind="paused", numbers={}, at=policy.made, n=900, leaf=900
    )
    Event.objects.create(
        policy=policy, seq=310, kind="opened", numbers={}, at=policy.made, n=901, leaf=901
    )
    asked = rows.filter(seq__gte=300, seq__lt=310, action__gt=0).values_list("seq", flat=True)
    again = evidence_log(policy, "promise")
    assert set(np.flatnonzero(again.labelled != log.labelled)) <= set(asked)
    assert again.labelled[list(asked)].all()


def test_where_labels_are_missing_nothing_is_chosen(in_use):
    in_use.decide(300)
    with pytest.raises(NotEstimableError, match="label what waits"):
        evidence_log(in_use.policy, "money")
    in_use = InUse()
    with pytest.raises(NotEstimableError, match="nothing has been decided"):
        evidence_log(in_use.policy, "money")


def test_cases_before_an_alarm_choose_nothing(in_use):
    for day in range(7):
        in_use.label(in_use.decide(150, f"day {day}", day, broken=day > 2))
    log = evidence_log(in_use.policy, "money")
    assert log.n_items == Receipt.objects.filter(episode=2).count() < 1050


@pytest.mark.parametrize("renews", [False, True])
def test_at_the_end_of_a_life_the_loop_proposes_and_adopts_if_so_set(in_use, enter, renews):
    change_settings(in_use.id, mistake=40.0, unit="EUR", renews=renews)
    made = in_use.propose(planned_decisions=1500, why="short", rows=1500)
    policies.adopt(in_use.id, in_use.wanda, made.number, 1)
    Job.objects.all().delete()
    used(in_use, 4)
    assert not Job.objects.filter(kind="renew").exists()
    in_use.label(in_use.decide(400, "the last", 5))
    assert Job.objects.filter(kind="renew", done=None).count() == 1
    assert run_next({"renew": WORKS["renew"]})
    found = Policy.objects.get(deployment=in_use.id, number=3)
    assert (found.who, found.parent) == (LOOP, 2)
    assert "has decided the 1,500 cases" in found.why
    assert in_use.row.adopted == (3 if renews else 2)
    assert found.adopted_by == (LOOP if renews else "")
    renew(in_use.id)
    assert Policy.objects.filter(deployment=in_use.id).count() == 3
    page = enter(in_use.wanda).get(f"/classifiers/{in_use.id}/?more=1").content.decode()
    assert ("Version 3 is proposed by the loop" in page) == (not renews)
    page = enter(in_use.wanda).get(f"/classifiers/{in_use.id}/policies/3/").content.decode()
    assert "A mistake costs 40 EUR, so a check costs 4" in page
    assert "of 1,000 answers 100 are audited, for 400 EUR" in page


def test_a_currency_that_changes_is_said_of_all_amounts_and_moves_no_threshold(in_use, enter):
    """Prices are a ratio to what is chosen: amounts follow the newest price, and no page mixes the two."""
    used(in_use)
    browser, settings = enter(in_use.wanda), f"/classifiers/{in_use.id}/settings/"
    version = f"/classifiers/{in_use.id}/policies/1/"

    def say(mistake, unit):
        browser.post(settings, {"title": "Posts", "mistake": mistake, "unit": unit})
        return browser.get(version).content.decode()

    before, state = say("40", "EUR"), load_state(in_use.policy).replay.state
    assert "A mistake costs 40 EUR, so a check costs 4" in before
    after = say("6000", "JPY")
    assert "A mistake costs 6,000 JPY, so a check costs 600" in after
    assert "EUR" not in after
    assert load_state(in_use.policy).replay.state == state
    answer = browser.post(settings, {"title": "Posts", "mistake": "", "unit": "USD"})
    assert answer.status_code == 422
    assert (in_use.row.mistake, in_use.row.unit) == (6000, "JPY")
    changes = LogLine.objects.filter(what="settings", campaign=in_use.id)
    assert [it.said["unit"] for it in changes.order_by("pk")] == ["EUR", "JPY"]


def test_an_owner_chooses_again_and_states_prices_in_a_browser(in_use, enter):
    used(in_use)
    browser = enter(in_use.wanda)
    again = f"/classifiers/{in_use.id}/policies/again/"
    page = browser.get(again).content.decode()
    assert 'name="checks" value="10"' in page
    given = {
        "aim": "promise",
        "error": "20",
        "audits": "10",
        "planned_decisions": "20000",
        "max_label_delay": "2000",
    }
    answer = browser.post(again, {**given, "version": "7", "why": "a promise instead"})
    assert answer["Location"].endswith("/policies/2/"), answer.content.decode()
    assert document_of(Policy.objects.get(number=2)).terms.aim == "promise"
    Label.objects.all().delete()
    answer = browser.post(again, {**given, "version": "7", "why": "x"})
    assert answer.status_code == 422
    prices = f"/classifiers/{in_use.id}/settings/"
    assert browser.post(prices, {"title": "Posts", "mistake": "40"}).status_code == 422
    assert (
        browser.post(prices, {"title": "Posts", "mistake": "1e999", "unit": "EUR"}).status_code
        == 422
    )
    browser.post(prices, {"title": "Posts", "mistake": "40", "unit": "EUR", "renews": "on"})
    row = in_use.row
    assert (row.mistake, row.unit, row.renews) == (40, "EUR", True)
    browser.post(prices, {"title": "Posts", "mistake": "", "unit": "", "renews": ""})
    assert (in_use.row.mistake, in_use.row.renews) == (None, False)
    empty = policies.make_deployment("main", in_use.wanda, "Nothing")
    assert browser.get(f"/classifiers/{empty.pk}/policies/again/").status_code == 302
    assert load_state(in_use.policy).replay.state.decided == 1200
