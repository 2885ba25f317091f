"""Pages of an agent: its state, its units, approvers, golden actions."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from askpoint.errors import RuleError
from askpoint.live.licences.action_classes import ActionClass, classes_from
from askpoint.live.licences.amount_steps import AmountStep, classes_by_step
from askpoint.live.licences.certificate import grant_bound
from askpoint.live.licences.standings import count_missing
from askpoint.server.accounts.services import token_of, waiting
from askpoint.server.labelling import desk
from askpoint.server.labelling.models import Claim
from askpoint.server.licences import door, golden
from askpoint.server.licences.figures import agent_weeks
from askpoint.server.licences.models import (
    Agent,
    AgentMember,
    LicenceAction,
    LicenceEntry,
    LicenceUnit,
)
from askpoint.server.licences.standing import agent_standing
from askpoint.server.licences.store import policy_of
from askpoint.server.webhooks.models import Delivery
from askpoint.server.webhooks.services import make_endpoint
from server.agents import TERMS, WithAgent
from server.stage import organiser


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


def test_the_pages_say_on_whom_a_licence_hangs(sqlite):
    agent = WithAgent(replace(TERMS, without_each_approver=True))
    for _ in range(20):
        agent.decide(agent.propose().key, by="rosa")
    page = read(agent, "agent", agent.id)
    unit = agent.unit()
    assert unit.pivot.name == "rosa"
    words = f"hangs on rosa: without the decisions of rosa, {unit.pivot.missing} more approvals are needed"
    assert words in page
    text = read(agent, "agent-unit", agent.id, number(agent))
    assert f"What was approved suffices, but it {words}." in text
    assert "Evidence without each approver, the least, after each of 20 labels, 0 of them bad, on a scale of powers of ten. It has not reached the bound." in text  # fmt: skip
    agent.propose(tool="mail")
    text = read(agent, "agent-unit", agent.id, number(agent, "mail"))
    assert (
        "It asks. 36 more read approvals in a row, and it may act alone." in text
    )  # two of 18 each
    assert "the labels without any one of them must suffice" in text
    AgentMember.objects.filter(agent=agent.id, user=agent.rudi).delete()
    assert "Only rosa decides, and by its terms" in read(agent, "agent", agent.id)


def test_what_was_found_wrong_is_counted(agent):
    agent.earn()
    made = [agent.propose() for _ in range(12)]
    door.undo(agent.id, next(one for one in made if not one.is_audit).key, by="wanda")
    agent.decide(next(one for one in made if one.is_audit).key, "reject")
    weeks = agent_weeks(agent.row)
    assert (weeks.alone, weeks.wrong, weeks.asked) == (13, 2, agent.n - 13)


def test_the_page_says_what_was_saved_after_audits_and_bad_actions(sqlite):
    agent = WithAgent(
        replace(TERMS, check=2.0)
    )  # a limit of .2: a bad action is as dear as 5 checks
    Agent.objects.update(seconds=60, unit="EUR")
    agent.earn()
    for _ in range(60):
        agent.propose()
    rows = LicenceAction.objects.filter(agent=agent.id, status="allowed")
    made = [agent.action(key) for key in rows.values_list("key", flat=True)]
    text = read(agent, "agent", agent.id)
    assert "Not known yet how many more" in text
    assert "EUR" not in text.partition("Taken alone")[2]
    audits = [one for one in made if one.is_audit]
    for one in audits:
        agent.decide(one.key)
    unread = next(one for one in made if not one.is_audit)
    door.undo(agent.id, unread.key, by="wanda")
    alone = len(made)
    saving = agent_weeks(agent.row).saving
    assert saving.audits == len(audits)
    assert saving.checks == alone - len(audits) - 5  # one bad one, as dear as five
    assert saving.between.lower < saving.checks == saving.between.upper
    text = read(agent, "agent", agent.id)
    minutes = alone - len(audits)
    assert f"{minutes} minutes of approvers, less what audits took" in text
    assert re.search(rf"Saved {2 * saving.checks:.0f}\s*EUR", text)
    assert f"to {2 * saving.between.upper:.0f}, after audits and bad actions" in text
    assert f"in all 1 to {saving.bad_between.upper:.0f} of {alone} may be bad (95%)" in text


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
    assert "It may act alone, by a licence of level 1: people see one action in 7." in text
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
    assert "It never acts alone: it cannot be undone" in read(
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


def test_a_golden_action_never_has_the_ids_of_a_real_one_nor_of_another(agent, monkeypatch):
    for order in (11, 22, 33):
        made = agent.propose(arguments={"amount": 40, "order": order})
        agent.decide(made.key, "reject", by="rudi")
    # 33 is real, 65 is drawn already, 22 is real
    digits = iter([2, 3, 5, 5, 5, 5, 6, 6, 1, 2, 7, 7])
    monkeypatch.setattr(golden.secrets, "randbelow", lambda _: next(digits))
    assert golden.deal_rejected(agent.id, 3) == 3
    orders = {dict(one.content["arguments"])["order"] for one in agent.cases(purpose="gold")}
    assert orders == {"65", "76", "87"}


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


def test_a_link_makes_an_approver_of_somebody_without_an_account(agent):
    text = read(agent, "agent-people", agent.id, post={"part": "approver", "labels": "Rita"})
    assert "approver: Rita until" in text
    (link,) = waiting(agent.id)
    path = reverse("invitation", args=[token_of(link)])
    guest = Client()
    page = guest.get(path).content.decode()
    assert "Decide what may run, action by action, for “The support bot”, an agent." in page
    guest.post(path, {"name": "rita", "password": "tulips and 7 more"})
    assert agent.row.members.get(user__username="rita").role == "approver"
    agent.propose()
    assert agent.answer(who="rita") is not None
    assert not waiting(agent.id)
    assert guest.get(reverse("agent", args=[agent.id])).status_code == 404  # approvers stay blind
    again = Client()
    assert again.get(path).status_code == 410


def test_a_link_is_withdrawn_and_refused_to_who_sees_more(agent):
    read(agent, "agent-people", agent.id, post={"part": "approver"})
    (link,) = waiting(agent.id)
    path = reverse("invitation", args=[token_of(link)])
    browser = Client()
    browser.force_login(agent.vera)
    page = " ".join(re.sub(r"<[^>]+>", " ", browser.post(path).content.decode()).split())
    assert "Vera is viewer here already" in page
    assert agent.row.members.get(user=agent.vera).role == "viewer"
    other = WithAgent(title="Another bot")
    read(other, "agent-people", other.id, post={"withdraw": str(link.pk)})
    assert list(waiting(agent.id)) == [link]
    read(agent, "agent-people", agent.id, post={"withdraw": str(link.pk)})
    assert browser.get(path).status_code == 410
    text = read(agent, "agent-people", agent.id, post={"part": "king"})
    assert "king" in text


def test_terms_come_as_a_file(agent):
    browser = Client()
    browser.force_login(organiser("olga"))
    given = {"title": "A bot", "policy": "{}"}
    path = reverse("new-agent")
    for words, content in (
        (b"holds no licence", b"{}"), (b"not a text in UTF-8", b"\xff\xfe"), (b"terms at most", b" " * 200_001),
    ):  # fmt: skip
        answer = browser.post(path, given | {"file": SimpleUploadedFile("policy.json", content)})
        assert answer.status_code == 422
        assert words in answer.content
    terms = SimpleUploadedFile("policy.json", TERMS.to_json().encode())
    answer = browser.post(path, given | {"file": terms}, follow=True)
    assert b"Nobody approves yet" in answer.content
    assert policy_of(Agent.objects.get(title="A bot")) == TERMS
    assert "Nobody approves yet" not in read(agent, "agent", agent.id)


def test_an_owner_declares_a_minor_version(agent):
    assert "Minor version" not in read(agent, "agent", agent.id)  # of no version yet
    agent.earn()
    assert "Minor version" not in read(agent, "agent", agent.id, who="vera")
    text = read(agent, "agent", agent.id, post={"version": "1.1", "of": "0.9"})
    assert "0.9 is not one of the available choices" in text
    text = read(agent, "agent", agent.id, post={"version": "1.1", "of": "1"})
    assert "Declared: version 1.1 is a minor version of 1." in text
    made = agent.propose(version="1.1")
    assert (made.level, agent.unit().is_carried, agent.unit().labels) == (1, True, 0)
    text = read(agent, "agent", agent.id)
    assert "carried over" in text
    assert "Licence carried over : refund, up to 50. Version 1.1" in text
    text = read(agent, "agent-unit", agent.id, number(agent))
    (missing,) = agent.standing.missing
    assert "The licence was earned by the version before" in text
    assert f"{missing} more read approvals in a row would show it." in text
    text = read(agent, "agent", agent.id, post={"version": "1.1", "of": "1.1"})
    assert "has proposed actions already" in text
    while agent.unit().is_carried:
        made = agent.propose(version="1.1")
        if made.verdict == "ask" or made.is_audit:
            agent.decide(made.key)
    assert read(agent, "agent", agent.id).count("Licence earned") == 2  # of version 1, and of 1.1
    browser = Client()
    browser.force_login(agent.vera)
    path = reverse("agent", args=[agent.id])
    assert browser.post(path, {"version": "1.2", "of": "1.1"}).status_code == 404
    door.verify_agent(agent.row)


def test_the_picture_of_a_later_version_has_its_own_bound(agent):
    """At a limit of 20% the first licence takes 18 approvals, one of the second period takes 28 (`count_missing`)."""
    agent.earn()
    for n in range(28):
        assert agent.unit().state == "asks" or not n
        agent.decide(agent.propose(version="2").key)
        if n == 20:
            text = read(agent, "agent-unit", agent.id, number(agent))
            assert "Evidence after each of 21 labels" in text
            assert "has not reached the bound." in text
    text = read(agent, "agent-unit", agent.id, number(agent))
    assert "It reached the bound at label 28." in text


def test_terms_with_a_step_of_an_amount_divide_a_tool(agent):
    """As `askpoint approvals LOG --policy FILE` writes them: each part earns at its share of the chance."""
    step = AmountStep("amount", 50.0, 160, 0.0, tried=2, delta_share=0.5)
    terms = replace(TERMS, classes=classes_by_step(ActionClass("refund"), [step]))
    file = SimpleUploadedFile("policy.json", terms.to_json().encode())
    browser = Client()
    browser.force_login(organiser("olga"))
    browser.post(reverse("new-agent"), {"title": "A divided bot", "policy": "{}", "file": file})
    row = Agent.objects.get(title="A divided bot")
    given = {"tool": "refund", "version": "1"}
    for n in range(22):
        made = door.propose(row.pk, f"c{n}", given | {"arguments": {"amount": 50, "order": n}}, {})
        if made.verdict == "ask":
            door.decide(row.pk, made.key, "approve", by="rosa", seconds=9)
    assert (made.verdict, made.name) == ("allow", "amount up to 50")
    beyond = door.propose(row.pk, "beyond", given | {"arguments": {"amount": 50.5}}, {})
    assert (beyond.verdict, beyond.name) == ("ask", "amount over 50")
    bounds = {one.name: one.bound for one in agent_standing(row).units}
    expected = grant_bound(0.05 / 2)  # 40: of two steps that were tried
    assert bounds == pytest.approx({"amount up to 50": expected, "amount over 50": expected})
    door.verify_agent(Agent.objects.get(pk=row.pk))


def test_a_signature_is_asked_for_where_it_changes_something(agent):
    agent.decide(agent.propose().key)
    assert "Sign that" not in read(agent, "agent-unit", agent.id, number(agent))
    agent.earn()
    door.revoke_unit(agent.id, f"{agent.id} | refund | up to 50", by="wanda")
    text = read(agent, "agent-unit", agent.id, number(agent))
    assert "Sign that it may earn one" in text
    assert "Signing gives no licence" in text


def test_a_bold_step_waits_on_the_pages_until_the_cautious_one_is_licensed(sqlite):
    kinds = classes_from([{"tool": "refund", "steps": {"amount": [50]}}])
    agent = WithAgent(replace(TERMS, classes=kinds))
    make_endpoint(
        agent.row.workspace_id,
        agent.wanda,
        "https://hooks.example.org/",
        ["licence.earned", "licence.lost"],
    )
    for n in range(18):
        made = agent.propose(arguments={"amount": 90, "order": n})
        agent.decide(made.key)
    assert agent.propose(arguments={"amount": 90}).why.startswith(
        "amount up to 50, a more cautious"
    )
    assert "the step amount up to 50" in read(agent, "agent", agent.id)
    bold = LicenceUnit.objects.get(agent=agent.id, name__endswith="amount over 50").pk
    text = read(agent, "agent-unit", agent.id, bold)
    assert "acts alone once the step amount up to 50 does" in text
    assert "It acts alone only while the step amount up to 50 does" in text
    agent.earn()
    assert agent.propose(arguments={"amount": 91}).verdict == "allow"
    assert "the step amount up to 50" not in read(agent, "agent", agent.id)
    door.undo(agent.id, "call-20", by="rosa", harm="high")
    assert "the step amount up to 50" in read(agent, "agent", agent.id)
    told = [json.loads(one.body)["data"]["what"] for one in Delivery.objects.order_by("pk")]
    assert told == [
        "The support bot may now take refund, amount over 50 alone, while smaller amounts may act alone",
        "The support bot may now take refund, amount up to 50 alone",
        (
            "The support bot asks before refund, amount up to 50, and larger amounts, again: an incident of high harm, "
            "reported by rosa"
        ),
    ]
    door.verify_agent(agent.row)


def test_an_owner_is_told_what_a_second_approver_is_for(agent):
    words = "rests on the word of rosa alone"
    assert words not in read(agent, "agent", agent.id)
    agent.row.members.filter(user=agent.rudi).delete()
    assert words in read(agent, "agent", agent.id)
    assert words not in read(agent, "agent", agent.id, who="vera")
