"""The door on both databases: proposals, approvers, audits, what is lost, and what cannot be asked."""

from __future__ import annotations

import json
import threading
from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import connections
from django.utils import timezone

from askpoint.errors import InputError, LogError, RuleError
from askpoint.live.licences.policy import LicencePolicy
from askpoint.records.stores.licences import Licences
from askpoint.server.books import check_books
from askpoint.server.labelling import desk, services
from askpoint.server.labelling.models import Case, Claim, Reviewer
from askpoint.server.licences import door
from askpoint.server.licences.models import Agent, LicenceAction, LicenceEntry, LicenceUnit
from askpoint.server.webhooks.models import Delivery
from askpoint.server.webhooks.services import make_endpoint
from server.agents import TERMS, WithAgent


@pytest.fixture
def agent(database):
    return WithAgent()


@pytest.fixture
def one(sqlite):
    """The same on SQLite alone, for what does not hang on the database."""
    return WithAgent()


def test_a_licence_is_earned_used_audited_and_lost(agent):
    first = agent.propose("first")
    assert (first.verdict, first.status) == ("ask", "asked")
    assert agent.answer() == "first"
    assert agent.action("first").verdict == "allow"
    agent.earn()
    made = [agent.propose() for _ in range(20)]
    assert {one.verdict for one in made} == {"allow"}
    audited = {one.key for one in made if one.is_audit}
    assert 0 < len(audited) < 20
    assert set(agent.cases(purpose="audit").values_list("key", flat=True)) >= audited
    assert set(agent.answer_all("Do not run it")) & audited
    for _ in range(10):  # a few mistakes are within its budget
        if (unit := agent.unit()).state == "asks":
            break
        agent.propose()
        agent.answer_all("Do not run it")
    assert unit.state == "asks"
    assert unit.lost_because
    assert agent.propose().verdict == "ask"
    door.verify_agent(agent.row)


def test_an_action_is_its_drawn_approvers_for_half_of_its_time(database):
    """Then anybody's; what the other one takes over is no evidence without that one, and the page says what is missing."""
    agent = WithAgent(replace(TERMS, without_each_approver=True))
    made = [agent.propose(arguments={"amount": 20, "order": i}) for i in range(12)]
    of = {who: [one.key for one in made if one.approver == who] for who in ("rosa", "rudi")}
    assert of["rosa"]
    assert of["rudi"]
    assert agent.answer_all(who="rosa") == of["rosa"]
    assert services.claim(agent.queue, "rosa") is None
    case = agent.cases(key=of["rudi"][0]).get()
    claim = services.claim(agent.queue, "rudi")
    services.skip(agent.queue, "rudi", claim.case_id)
    assert agent.cases(key=claim.case.key).get().state == "open"  # kept from one, left by the other
    assert case.skipped == "|~rosa|"
    Agent.objects.filter(pk=agent.id).update(at=agent.row.made + timedelta(hours=2))
    assert agent.answer_all(who="rosa") == of["rudi"]  # the oldest first
    (row,) = LicenceUnit.objects.filter(agent=agent.id)
    apart = {name: (n, sum(bets)) for name, n, _, *bets in json.loads(row.content)["apart"]}
    assert {name: n for name, (n, _) in apart.items()} == {
        "rosa": len(of["rudi"]), "rudi": len(of["rosa"])
    }  # fmt: skip
    assert apart["rosa"][1] < 8 * 0.9 < apart["rudi"][1]  # bad, as nobody but rosa saw them
    (unit,) = agent.standing.units
    assert (unit.labels, unit.state, unit.pivot) == (12, "asks", None)
    while unit.pivot is None:
        made = agent.propose()
        assert agent.answer(who=made.approver) == made.key
        (unit,) = agent.standing.units
    assert unit.pivot.name == "rosa"
    door.verify_agent(agent.row)


def test_an_agent_does_not_choose_its_approver_by_naming_who_requested(sqlite):
    """The draw is over all; what was drawn for the requester is open to the others at once, and is theirs taken over."""
    agent = WithAgent(replace(TERMS, without_each_approver=True))
    made = [agent.propose(context={"requested_by": "rudi"}) for _ in range(12)]
    of = {who: {one.key for one in made if one.approver == who} for who in ("rosa", "rudi")}
    assert of["rosa"]
    assert of["rudi"]
    assert services.claim(agent.queue, "rudi") is None
    assert set(agent.answer_all(who="rosa")) == of["rosa"] | of["rudi"]
    (row,) = LicenceUnit.objects.filter(agent=agent.id)
    apart = {name: (n, sum(bets)) for name, n, _, *bets in json.loads(row.content)["apart"]}
    assert apart["rosa"][0] == len(of["rudi"])
    assert apart["rosa"][1] < 8 * 0.9


def test_the_book_is_that_of_the_library(one):
    """The same steps lead to the same units, entry by entry."""
    one.earn()
    for i in range(10):
        one.propose(f"more-{i}")
    rows = LicenceEntry.objects.filter(agent=one.id).order_by("n")
    library = Licences(":memory:", TERMS, secret=door.licence_secret(one.row))
    for said in rows.values_list("content", flat=True):
        given = json.loads(said)
        do = given.pop("do")
        if do == "propose":
            arguments = json.loads(
                LicenceAction.objects.get(agent=one.id, key=given["key"]).arguments
            )
            library.propose(
                given["key"], agent=one.id, tool=given["tool"], arguments=arguments, version=given["version"],
                timeout_hours=given["timeout"] / 3.6e9, silence_rejects=given["silence_rejects"], at=given["at"],
            )  # fmt: skip
        else:
            library.decide(
                given["key"],
                given["kind"],
                by=given["by"],
                seconds=given["seconds"],
                at=given["at"],
            )
    assert library.units() == one.standing.units


def test_the_same_key_is_answered_as_before(agent):
    first = agent.propose("call", arguments={"amount": 5})
    assert agent.propose("call", arguments={"amount": 5}) == first
    assert agent.cases().count() == 1
    with pytest.raises(RuleError, match="was proposed with another action") as error:
        agent.propose("call", arguments={"amount": 6})
    assert error.value.rule == "other-content"
    assert agent.row.entries == 1


def test_threads_propose_the_same_and_others(agent):
    made, errors = [], []

    def run(thread):
        try:
            for i in range(5):
                given = {"tool": "mail", "arguments": {"to": i}, "version": "1"}
                made.append(door.propose(agent.id, f"shared-{i}", given, {}))
                door.propose(agent.id, f"{thread}-{i}", given, {})
        except Exception as error:
            errors.append(error)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert LicenceAction.objects.filter(agent=agent.id).count() == 25
    assert agent.cases().count() == 25
    assert agent.row.entries == 25
    door.verify_agent(agent.row)


def test_approvers_see_the_action_and_never_what_the_door_would_have_said(one):
    """Of an asked action and of an audit of what ran alone the queue shows the same things."""
    one.earn()
    while not (made := one.propose(context={"why": "charged twice"})).is_audit:
        pass
    asked = one.propose(
        tool="mail", arguments={"to": "x", "old": "a", "new": "b"}, context={"consequences": "sent"}
    )
    (audit,) = one.cases(key=made.key)
    (case,) = one.cases(key=asked.key)
    assert set(audit.content) == set(case.content)
    assert (audit.options, audit.gold, audit.author) == (case.options, case.gold, case.author)
    assert audit.content["arguments"] == [["amount", "20"], ["order", str(one.n - 1)]]
    assert audit.content["why"] == "charged twice"
    assert case.content["diff"] == ["- a", "+ b"]
    assert case.content["consequences"][0] == "sent"
    said = json.dumps([audit.content, case.content])
    for word in ("licen", "level", "audit", "alone", "allow", "drawn"):
        assert word not in said.lower()
    held = {desk.claim(desk.desk_of(who)).options[0] for who in (one.rosa, one.rudi)}
    assert held == {"Let it run"}


def test_the_requester_never_approves_and_neither_does_the_agent(one):
    made = one.propose(context={"requested_by": "rosa"})
    assert one.answer(who="rosa") is None
    with pytest.raises(RuleError, match="another person must decide") as error:
        door.change(
            one.id, lambda store: door.decide_in(store, made.key, "approve", by=one.id, seconds=9)
        )
    assert error.value.rule == "own-request"
    assert one.answer(who="rudi") == made.key


def test_an_approval_after_the_deadline_runs_nothing(one, monkeypatch):
    made = one.propose(timeout_hours=1)
    claim = services.claim(one.queue, "rosa")
    later = timezone.now() + timedelta(hours=2)
    monkeypatch.setattr(timezone, "now", lambda: later)
    Claim.objects.update(until=later + timedelta(minutes=5))
    services.cast(one.queue, "rosa", claim.case_id, "Let it run")
    assert one.action(made.key).as_of(int(later.timestamp() * 1e6)).status == "expired"
    assert one.cases(labelled=None).count() == 0
    one.propose()  # silence is a rejection by then
    assert one.standing.units[0].waiting == 1
    assert one.standing.units[0].labels == 1
    door.verify_agent(one.row)


def test_what_is_over_leaves_the_queue(one, monkeypatch):
    one.propose(timeout_hours=1)
    later = timezone.now() + timedelta(hours=2)
    monkeypatch.setattr(timezone, "now", lambda: later)
    assert one.answer() is None
    assert one.cases(labelled=None).count() == 0


def test_what_waits_may_be_taken_back_and_counts_as_silence(one):
    made = one.propose()
    assert door.withdraw(one.id, made.key).verdict == "deny"
    assert one.answer() is None
    assert one.unit().labels == 1
    assert one.unit().evidence < 0.9  # it counted as bad
    with pytest.raises(RuleError, match="no action 'never' was ever proposed"):
        door.withdraw(one.id, "never")


def test_an_undo_and_an_incident(one):
    one.earn()
    made = one.propose()
    assert made.verdict == "allow"
    first = door.undo(one.id, made.key, by="wanda")
    entries = one.row.entries
    assert door.undo(one.id, made.key, by="wanda") == first  # once more changes nothing
    assert one.row.entries == entries + 1
    door.undo(one.id, made.key, by="wanda", harm="high")
    assert one.unit().lost_because == "an incident of high harm, reported by wanda"
    asked = one.propose()
    with pytest.raises(RuleError, match="it never ran, and cannot be undone"):
        door.undo(one.id, asked.key, by="wanda")
    with pytest.raises(InputError, match="a harm is one of none, low"):
        door.undo(one.id, made.key, by="wanda", harm="awful")


def test_an_outcome_is_kept_and_is_no_label(one):
    made = one.propose()
    with pytest.raises(RuleError, match="it never ran"):
        door.report_outcome(one.id, made.key, "succeeded")
    one.answer()
    labels = one.unit().labels
    door.report_outcome(one.id, made.key, "succeeded", "sent")
    door.report_outcome(one.id, made.key, "succeeded", "sent")
    assert one.unit().labels == labels
    assert door.find_action(one.row, made.key).outcome == {"status": "succeeded", "note": "sent"}
    with pytest.raises(RuleError, match="another outcome"):
        door.report_outcome(one.id, made.key, "failed")
    with pytest.raises(InputError, match="an outcome is succeeded or failed"):
        door.report_outcome(one.id, made.key, "fine")


def test_arguments_that_match_no_class_are_asked_and_never_licensed(one):
    one.earn()
    for arguments in ({"amount": "20"}, {"amount": {"is": 20}}, {"amount": True}, {}, None):
        made = one.propose(arguments=arguments or {})
        assert (made.verdict, made.name) == ("ask", "other")
    assert one.propose(tool="refund_v2").verdict == "ask"  # a tool renamed
    assert one.propose(tool="format", arguments={}).verdict == "deny"
    one.propose(arguments={"amount": 5, "text": "x" * 900_000})
    with pytest.raises(InputError, match="at most 1,000,000 are kept"):
        one.propose(arguments={"text": "x" * 1_000_000})


def test_a_clock_that_goes_back_stops_nothing(one, monkeypatch):
    one.propose()
    earlier = timezone.now() - timedelta(hours=3)
    monkeypatch.setattr(timezone, "now", lambda: earlier)
    made = one.propose()
    assert made.at >= one.row.last_at - 1
    door.verify_agent(one.row)


def test_of_two_readers_either_rejects(one):
    Agent.objects.update(second=1.0)
    one.earn()
    for who in ("rosa", "rudi"):
        one.answer(who=who)  # of the first action alone, if it was drawn
    while not (made := one.propose()).is_audit:
        pass
    assert one.cases(key=made.key).get().wanted == 2
    assert one.answer(who="rosa") == made.key
    assert one.cases(key=made.key, labelled=None).count() == 1
    before = one.unit()
    assert one.answer("Do not run it", who="rudi") == made.key
    assert one.cases(key=made.key, labelled=None).count() == 0
    assert one.unit().budget_left == before.budget_left - 1  # counted, and so charged
    door.verify_agent(one.row)


def test_with_one_approver_nothing_waits_for_a_second(one):
    Agent.objects.update(second=1.0)
    one.row.members.filter(user=one.rudi).delete()
    one.earn()
    while not (made := one.propose()).is_audit:
        pass
    assert one.cases(key=made.key).get().wanted == 1


def test_owners_hear_that_a_licence_was_earned_and_lost(one):
    make_endpoint(
        one.row.workspace_id,
        one.wanda,
        "https://example.org/hook",
        ["licence.lost", "licence.earned"],
    )
    one.earn()
    made = one.propose()
    door.undo(one.id, made.key, by="wanda", harm="high")
    door.undo(one.id, made.key, by="wanda", harm="high")
    told = [json.loads(row.body) for row in Delivery.objects.order_by("pk")]
    assert [row["type"] for row in told] == ["licence.earned", "licence.lost"]
    assert told[1]["data"]["what"] == (
        "The support bot asks before refund, up to 50 again: an incident of high harm, reported by wanda"
    )


def test_revoked_and_signed_by_hand(one):
    one.earn()
    unit = f"{one.id} | refund | up to 50"
    door.revoke_unit(one.id, unit, by="wanda", why="a holiday")
    assert one.unit().lost_because == "revoked by wanda: a holiday"
    with pytest.raises(RuleError, match="holds no licence"):
        door.revoke_unit(one.id, unit, by="wanda")
    door.sign_unit(one.id, unit, by="wanda")
    with pytest.raises(RuleError, match="was ever proposed"):
        door.sign_unit(one.id, "bot | never | any", by="wanda")
    door.verify_agent(one.row)


def test_another_version_begins_anew(one):
    one.earn()
    assert one.propose(version="2").verdict == "ask"
    assert one.unit().labels == 0


@pytest.mark.parametrize("what", ["entry", "unit", "action", "missing"])
def test_what_was_changed_behind_its_back_is_found(one, what):
    one.propose()
    one.answer()
    assert check_books().problems == ()
    if what == "entry":
        row = LicenceEntry.objects.first()
        LicenceEntry.objects.filter(pk=row.pk).update(
            content=row.content.replace('"ask', '"act') + " "
        )
    elif what == "unit":
        LicenceUnit.objects.update(content="{}")
    elif what == "action":
        LicenceAction.objects.update(content="{}")
    else:
        LicenceEntry.objects.order_by("-n").first().delete()
    with pytest.raises(LogError):
        door.verify_agent(one.row)
    (problem,) = check_books().problems
    assert problem.startswith(f"agent {one.id}: ")


def test_a_failure_in_the_middle_keeps_nothing(agent, monkeypatch):
    def fail(*_):
        raise OSError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(Case.objects, "create", lambda **_: fail())
        with pytest.raises(OSError, match="the disk is full"):
            agent.propose("lost")
    assert LicenceAction.objects.count() == LicenceEntry.objects.count() == 0
    assert agent.propose("lost").verdict == "ask"
    door.verify_agent(agent.row)


def test_a_new_part_is_given_and_taken_away(one):
    from askpoint.server.licences.agents import give_agent_part, take_agent_part_away

    with pytest.raises(RuleError, match="rosa is approver here already"):
        give_agent_part(one.id, one.rosa, "owner")
    assert give_agent_part(one.id, one.rosa, "approver").role == "approver"
    one.propose()
    one.answer()
    take_agent_part_away(one.id, "rosa")
    give_agent_part(one.id, one.rosa, "viewer")
    assert not Reviewer.objects.filter(queue=one.queue, user=one.rosa).exists()
    with pytest.raises(RuleError, match="is the only owner"):
        take_agent_part_away(one.id, "wanda")
    with pytest.raises(RuleError, match="has no role here"):
        take_agent_part_away(one.id, "nobody")


def test_a_policy_is_kept_as_it_was(one):
    assert LicencePolicy.from_json(one.row.policy) == TERMS


def test_what_was_told_after_the_outcome_decides_nothing(one):
    """An approval that comes when the action has run; and another outcome."""
    made = one.propose()
    one.decide(made.key)
    door.report_outcome(one.id, made.key, "succeeded")
    before = one.unit()
    assert one.decide(made.key).decided_by == "rosa"  # the same again: sent twice
    for kind, who in (("approve", "rudi"), ("reject", "rosa")):
        with pytest.raises(RuleError) as error:
            one.decide(made.key, kind, by=who)
        assert error.value.rule == "decided"
    assert one.unit() == before
    with pytest.raises(RuleError) as error:
        door.report_outcome(one.id, made.key, "failed")
    assert error.value.rule == "outcome"
    door.verify_agent(one.row)
