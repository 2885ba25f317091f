"""Pages of an agent: its state, its units, approvers, golden actions."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from askpoint.errors import RuleError
from askpoint.live.licences.standings import count_missing
from askpoint.server.labelling import desk
from askpoint.server.labelling.models import Claim
from askpoint.server.licences import door, golden
from askpoint.server.licences.figures import agent_weeks
from askpoint.server.licences.models import Agent, LicenceAction, LicenceEntry, LicenceUnit
from server.agents import TERMS, WithAgent


@pytest.fixture
def agent(sqlite):
    return WithAgent()


def read(agent, name, *args, who="wanda", post=None):
    """A page as text, without its tags."""
    browser = Client()
    browser.force_login(getattr(agent, who))
    path = reverse(name, args=args)
    answer = browser.get(path) if post is None else browser.post(path, post, follow=True)
    assert answer.status_code in (200, 422), answer.status_code
    text = re.sub(r"<script.*?</script>|<[^>]+>", " ", answer.content.decode())
    return " ".join(text.replace("&#x27;", "'").split())


def number(agent, tool="refund"):
    return LicenceUnit.objects.get(agent=agent.id, name__contains=f"| {tool} |").pk


def test_the_page_says_the_state_and_what_is_missing(agent):
    assert "No action yet Send one action" in read(agent, "agent", agent.id)
    agent.decide(agent.propose().key)
    text = read(agent, "agent", agent.id)
    (missing,) = [one for one in agent.standing.missing if one]
    assert missing == 17  # of a unit of limit .2, after one label: by brute force below
    assert f"Asks about everything The nearest, refund, up to 50, needs {missing} more read" in text
    assert f"{missing} more read approvals" in text
    agent.earn()
    assert "Acts alone 1 kind of action of 1 without asking. Nothing to do." in read(
        agent, "agent", agent.id, who="vera"
    )
    unit = f"{agent.id} | refund | up to 50"
    door.revoke_unit(agent.id, unit, by="wanda", why="a holiday")
    text = read(agent, "agent", agent.id)
    assert "Lost a licence since" in text
    assert "It asks before refund, up to 50 again: revoked by wanda: a holiday." in text
    assert "Licence lost : refund, up to 50" in text


def test_what_was_found_wrong_is_counted(agent):
    agent.earn()
    made = [agent.propose() for _ in range(12)]
    door.undo(agent.id, next(one for one in made if not one.is_audit).key, by="wanda")
    agent.decide(next(one for one in made if one.is_audit).key, "reject")
    weeks = agent_weeks(agent.row)
    assert (weeks.alone, weeks.wrong, weeks.asked) == (13, 2, agent.n - 13)


def test_what_is_missing_is_what_it_takes(agent):
    """Read approvals, one by one, until it is licensed: as many as were said."""
    agent.decide(agent.propose().key)
    (left,) = agent.standing.missing
    for n in range(left):
        assert agent.unit().state == "asks", n
        agent.decide(agent.propose().key)
    assert agent.unit().state == "licensed"
    assert count_missing(TERMS, []) == []


def test_a_unit_that_is_wrong_too_often_misses_too_much(agent):
    for _ in range(60):
        agent.decide(agent.propose().key, "reject")
    left = agent.standing.missing[0]
    assert left is None or left > 30


def test_a_units_page_and_its_buttons(agent):
    agent.earn()
    for _ in range(5):
        agent.propose()
    text = read(agent, "agent-unit", agent.id, number(agent))
    assert "It may go alone, by a licence of level 1: people see one action in 5." in text
    assert "Evidence after each of" in text or "bound" in text
    assert "At most 20% of its actions may be bad." in text
    assert "Revoke the licence" not in read(
        agent, "agent-unit", agent.id, number(agent), who="vera"
    )
    text = read(agent, "agent-unit", agent.id, number(agent), post={"action": "revoke"})
    assert "Its licence is revoked" in text
    assert "Its last licence ended: revoked by wanda" in text
    text = read(agent, "agent-unit", agent.id, number(agent), post={"action": "sign"})
    assert "Signed: it may earn a licence" in text
    agent.propose(tool="wipe", arguments={})
    assert "It never goes alone: it cannot be undone" in read(
        agent, "agent-unit", agent.id, number(agent, "wipe")
    )
    browser = Client()
    browser.force_login(agent.vera)
    path = reverse("agent-unit", args=[agent.id, number(agent)])
    assert browser.post(path, {"action": "sign"}).status_code == 404


def test_viewers_see_no_draw(agent):
    agent.propose()
    assert "Draw" in read(agent, "agent-unit", agent.id, number(agent))
    assert "Draw" not in read(agent, "agent-unit", agent.id, number(agent), who="vera")


def test_a_script_in_an_argument_is_text(agent):
    agent.propose(tool="mail", arguments={"text": "<script>alert(1)</script>"})
    browser = Client()
    browser.force_login(agent.rosa)
    browser.post(reverse("review-claim"))
    for page in (browser.get(reverse("review")).content.decode(),):
        assert "Would you let this run?" in page
        assert "<script>alert" not in page
        assert "&lt;script&gt;alert(1)" in page


def test_an_approver_decides_in_the_browser(agent):
    made = agent.propose(context={"why": "charged twice", "diff": "- a\n+ b"})
    browser = Client()
    browser.force_login(agent.rosa)
    page = browser.post(reverse("review-claim"), follow=True).content.decode()
    for words in ("refund", "charged twice", "+ b", "Does little harm", "Let it run"):
        assert words in page
    ticket = re.search(r'name="case" value="(\w+)"', page)[1]
    browser.post(reverse("review-vote"), {"case": ticket, "choice": "Do not run it"})
    assert agent.action(made.key).status == "rejected"


def test_rubber_stamping_is_said_in_words(agent):
    Agent.objects.filter(pk=agent.id).update(policy=json_policy(fast_seconds=1.0))
    for _ in range(30):
        made = agent.propose()
        door.change(
            agent.id,
            lambda store, made=made: door.decide_in(
                store, made.key, "approve", by="rosa", seconds=0.4
            ),
        )
    text = read(agent, "agent-approver", agent.id, "rosa")
    assert "rosa approves fast: 30 of 30 within a second" in text
    assert "Deal golden actions to see whether rosa reads." in text
    assert agent.unit().labels + agent.unit().waiting == 0  # and taught nothing


def json_policy(**rules):
    from dataclasses import replace

    return replace(TERMS, labels=replace(TERMS.labels, **rules)).to_json()


def bad_actions(agent, n=25):
    """Actions that Rudi rejected."""
    for i in range(n):
        made = agent.propose(
            arguments={"amount": 40, "order": 4711 + i}, context={"why": "a reason"}
        )
        agent.decide(made.key, "reject", by="rudi")


def test_golden_actions_are_made_of_rejected_ones_and_never_run(agent):
    bad_actions(agent)
    text = read(agent, "agent-golden", agent.id, post={})
    assert "20 golden actions lie in the queue." in text
    gold = agent.cases(purpose="gold")
    assert gold.count() == 20
    real = {json.dumps(one.content, sort_keys=True) for one in agent.cases(purpose="asked")}
    for one in gold:
        assert json.dumps(one.content, sort_keys=True) not in real  # with other ids
        assert dict(one.content["arguments"])["amount"] == "40"
        assert one.content["why"] == "a reason"
        assert set(one.content) == set(agent.cases(purpose="asked").first().content)
        with pytest.raises(RuleError, match="it must not run") as error:
            agent.propose(one.key)
        assert error.value.rule == "golden"
        with pytest.raises(RuleError, match="no action"):
            door.find_action(agent.row, one.key)
        assert "rudi" in one.skipped  # who rejected the real one would know it
    assert LicenceAction.objects.count() == 25


def test_a_golden_action_that_is_approved_runs_nothing_and_is_counted(agent, monkeypatch):
    golden.deal_golden(
        agent.id, [{"tool": "refund", "arguments": {"amount": i}} for i in range(12)]
    )
    monkeypatch.setattr(desk.services, "draws_others", lambda: True)
    entries = agent.row.entries
    from askpoint.server.labelling import blind_queue, services

    monkeypatch.setattr(blind_queue.secrets, "randbelow", lambda n: n - 1)
    for i in range(6):
        agent.propose(f"wait-{i}")
        claim = services.claim(agent.queue, "rosa", others=True)
        assert claim.case.purpose == "gold"
        services.cast(agent.queue, "rosa", claim.case_id, "Let it run")
    steps = [
        json.loads(one)["do"]
        for one in LicenceEntry.objects.filter(n__gte=entries).values_list("content", flat=True)
    ]
    assert steps == ["propose", "golden"] * 6  # nothing ran
    assert golden.gold_votes(agent.row) == [("rosa", True)] * 6
    text = read(agent, "agent-golden", agent.id)
    assert "Approvers let 6 of 6 actions pass that were known to be bad." in text
    assert (
        "rosa let 6 of 6 actions pass that were known to be bad: approvals of rosa show little."
        in text
    )


def test_who_has_a_part(agent):
    text = read(agent, "agent-people", agent.id, post={"name": "rosa", "role": "owner"})
    assert "Rosa is approver here already" in text or "rosa is approver here already" in text
    assert "vera" in read(agent, "agent-people", agent.id)
    read(agent, "agent-people", agent.id, post={"remove": "vera"})
    assert not agent.row.members.filter(user=agent.vera).exists()
    read(agent, "agent-people", agent.id, post={"second": "50", "seconds": "40", "unit": "EUR"})
    assert (agent.row.second, agent.row.seconds, agent.row.unit) == (0.5, 40.0, "EUR")


def test_audits_near_their_deadline_are_said(agent, monkeypatch):
    agent.earn()
    while not agent.propose().is_audit:
        pass
    later = timezone.now() + timedelta(hours=62)
    monkeypatch.setattr(timezone, "now", lambda: later)
    Claim.objects.all().delete()
    state = agent.standing.state
    assert (state.kind, state.word) == ("waiting", "Audits wait")


def test_careless_approvers_are_shown_until_an_owner_signs(sqlite):
    agent = WithAgent(replace(TERMS, overlooked=0.05))
    agent.earn()
    Agent.objects.filter(pk=agent.id).update(second=0.0)
    while not agent.row.house["is_careless"]:  # they let each golden action pass
        door.change(
            agent.id, lambda store: store.enter("golden", by="rosa", missed=True, at=store.last_at)
        )
    assert agent.standing.state.word == "Approvers overlook too much"
    text = read(agent, "agent-golden", agent.id)
    assert "They overlook more than the terms state." in text
    assert agent.unit().level >= 1
    while not (made := agent.propose()).is_audit:
        pass
    assert agent.cases(key=made.key).get().wanted == 2  # else none is
    read(agent, "agent-golden", agent.id, post={"sign": "1"})
    assert agent.row.house["is_careless"] is False
    assert "They overlook more" not in read(agent, "agent-golden", agent.id)
    door.verify_agent(agent.row)
