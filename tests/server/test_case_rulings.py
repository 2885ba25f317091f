"""Rulings of owners beside labels: kept, shown and downloaded; the first label stays the evidence."""

from __future__ import annotations

import csv
import io
from html import unescape

import pytest

from askpoint import InputError, RuleError
from askpoint.server.books import check_books
from askpoint.server.deployments.case_rulings import rule_on_case, rulings_of
from askpoint.server.deployments.labelling import forget
from askpoint.server.deployments.models import CaseRuling, Deployment, Label
from askpoint.server.deployments.policy_state import load_state
from askpoint.server.deployments.recent_log import newest_log
from askpoint.server.journal.models import LogLine
from askpoint.server.workspaces.services import first_workspace
from server.in_use import InUse


@pytest.fixture
def in_use(database):
    del database
    first_workspace()
    found = InUse()
    found.label(found.decide(150)[:140])
    return found


def wrong_one(in_use):
    return Label.objects.filter(policy__deployment=in_use.id, counts=True, wrong=True).first().key


def test_an_owner_rules_beside_the_label_and_the_evidence_stays(in_use, enter):
    key, tree = wrong_one(in_use), in_use.policy.log
    episode = load_state(in_use.policy).replay.state.episode
    here = f"/classifiers/{in_use.id}/cases/{key}/"
    log = newest_log(in_use.policy, episode).label.tolist()
    page = enter(in_use.wanda).get(here).content.decode()
    assert "Rule otherwise" in page
    form = {"ruling": "hate", "why": "it quotes a slur"}
    page = unescape(enter(in_use.wanda).post(here, form, follow=True).content.decode())
    assert "The ruling is kept with the label." in page
    assert "wanda: hate" in page
    assert "it quotes a slur" in page
    assert "Model wrong" in page  # as the label has it
    assert Label.objects.filter(key=key).count() == 1
    assert in_use.policy.log == tree
    assert newest_log(in_use.policy, episode).label.tolist() == log
    assert check_books().problems == ()
    line = LogLine.objects.get(what="case ruled")
    assert (line.who, line.about, line.said) == ("wanda", key, {"label": "hate"})
    answer = enter(in_use.wanda).get(f"/classifiers/{in_use.id}/cases.csv?key={key}")
    (row,) = csv.DictReader(io.StringIO(b"".join(answer.streaming_content).decode()))
    assert (row["label"], row["ruling"]) == ("fine", "hate")


def test_the_last_ruling_holds_and_the_same_again_changes_nothing(in_use):
    key = wrong_one(in_use)
    for label, why in (("hate", "a slur"), ("hate", "a slur, really"), ("fine", "it was a quote")):
        rule_on_case(in_use.id, in_use.wanda, key, label, why)
    assert [one.label for one in rulings_of(in_use.row, [key])] == ["hate", "fine"]
    assert LogLine.objects.filter(what="case ruled").count() == 2


def test_what_cannot_be_ruled_is_refused_in_words(in_use, enter):
    key = wrong_one(in_use)
    for label, why, said in (
        ("spam", "x", "a ruling"),
        ("hate", "  ", "a reason of 1 to 500"),
        ("hate", "x" * 501, "got 501"),
    ):
        with pytest.raises(InputError, match=said):
            rule_on_case(in_use.id, in_use.wanda, key, label, why)
    with pytest.raises(RuleError, match="was ever decided"):
        rule_on_case(in_use.id, in_use.wanda, "never", "hate", "x")
    made = next(one.key for one in in_use.decide(20, "new") if one.action == "ask")
    with pytest.raises(RuleError, match="no label yet"):
        rule_on_case(in_use.id, in_use.wanda, made, "hate", "x")
    page = enter(in_use.wanda).post(
        f"/classifiers/{in_use.id}/cases/{key}/", {"ruling": "hate"}, follow=True
    )
    assert "a ruling needs a reason" in page.content.decode().lower()
    assert not CaseRuling.objects.exists()


def test_the_reason_goes_with_the_content_and_nobody_but_owners_rules(in_use, enter):
    key = wrong_one(in_use)
    rule_on_case(in_use.id, in_use.wanda, key, "hate", "it says: the post")
    Deployment.objects.filter(pk=in_use.id).update(viewers_read=True)
    here = f"/classifiers/{in_use.id}/cases/{key}/"
    page = enter(in_use.vera).get(here).content.decode()
    assert "wanda: hate" in page
    assert "Rule otherwise" not in page
    for who in ("vera", "rosa", "oskar"):
        form = {"ruling": "fine", "why": "x"}
        assert enter(getattr(in_use, who)).post(here, form).status_code == 404
    forget(in_use.id, [key])
    (left,) = rulings_of(in_use.row, [key])
    assert (left.label, left.why) == ("hate", "")
