"""One afternoon of an agent's owner: log, table, policy, LangGraph loop, approvals in a browser, a licence lost and regained."""

from __future__ import annotations

import csv
import itertools
import json
import os
import re
import subprocess
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from email import message_from_bytes
from email.policy import default
from pathlib import Path

import pytest
from allauth.account.models import EmailAddress
from click.testing import CliRunner
from django.conf import settings
from django.db import connections
from django.utils import timezone
from playwright.sync_api import expect

from askpoint import Client
from askpoint.cli.main import main
from askpoint.live.licences.certificate import Certificate, grant_bound
from askpoint.server.accounts.models import User
from askpoint.server.licences.door import verify_agent
from askpoint.server.licences.models import Agent
from askpoint.server.webhooks.delivery import deliver
from askpoint.server.webhooks.services import claim_due, make_endpoint
from askpoint.server.workspaces.services import first_workspace
from audit import SOURCE
from postbox import mail_server
from server.serving import Serving
from server.stage import organiser
from server.test_afternoon import person, screens, token_for  # noqa: F401 - fixtures

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "tutorials" / "agent.md"
LOOP = Path(__file__).with_name("agent_loop.py")
PYTHON = ROOT / ".venv" / "agents" / "bin" / "python"
BATCH = 6
REAL_NOW = timezone.now


@pytest.fixture
def frameworks():
    """The Python of the environment with LangGraph."""
    if not PYTHON.exists():
        words = "no LangGraph: make .venv/agents/ready"
        if "agents" in os.environ.get("ASKPOINT_REQUIRE", "").split(","):
            pytest.fail(words)
        pytest.skip(words)
    return PYTHON


class Clock:
    """Time as the test moves it."""

    def __init__(self, monkeypatch):
        self.ahead = timedelta()
        monkeypatch.setattr(timezone, "now", lambda: REAL_NOW() + self.ahead)

    def move(self, **span):
        self.ahead += timedelta(**span)


class Loop:
    """The agent's program; what it proposes is known to be right or wrong."""

    def __init__(self, python, address, agent, token):
        self.process = subprocess.Popen(
            [python, LOOP, PAGE, address, agent, token],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env={**os.environ, "PYTHONPATH": str(SOURCE.parent)},
        )  # fmt: skip
        self.ready, self.ran, self.truth = threading.Event(), [], {}
        self.numbers = itertools.count(10_001)
        threading.Thread(target=self._read, daemon=True).start()
        assert self.ready.wait(120)

    def _read(self):
        for line in self.process.stdout:
            if line == "ready\n":
                self.ready.set()
            else:
                self.ran.append(int(line.removeprefix("ran ")))

    def propose(self, tool, n=BATCH, *, bad=False):
        """Let the model propose so many actions at once; of bad ones every second goes wrong."""
        calls = []
        for i in range(n):
            order = next(self.numbers)
            wrong = bad and i % 2 == 1
            given = {"order": order}
            if tool == "refund":
                given |= {"amount": 20.5, "to": "another customer" if wrong else "the customer"}
            if tool == "send_reply":
                given |= {
                    "template": False,
                    "text": "Stop writing." if wrong else "It is on its way.",
                }
            self.truth[order] = wrong
            calls.append([f"call-{order}", tool, given])
        self.ready.clear()
        self.process.stdin.write(json.dumps(calls) + "\n")
        self.process.stdin.flush()
        return [int(key.removeprefix("call-")) for key, _, _ in calls]

    def end(self):
        """Let it end by itself."""
        self.process.stdin.close()
        assert self.process.wait(60) == 0
        self.process.stdout.close()


class Approver:
    """Rosa in her browser: she reads each action, and stops what goes to another customer."""

    def __init__(self, tab, owner, agent, clock):
        self.tab, self.owner, self.agent, self.clock = tab, owner, agent, clock
        self.approved, self.rejected = [], []

    def decide(self):
        """Decide all that waits."""
        while self.owner.agent(self.agent).to_read:
            tab = self.tab
            if tab.locator("h1").inner_text() == "Next case":
                tab.click("button:has-text('Next case')")
            expect(tab.locator("h1")).to_have_text("Would you let this run?")
            text = tab.locator(".case").inner_text()
            order = int(re.search(r"\b1\d{4}\b", text)[0])
            wrong = "another customer" in text or "Stop writing" in text
            self.clock.move(seconds=6)  # that it takes to read
            tab.click(f".choices button:has-text('{'Do not run it' if wrong else 'Let it run'}')")
            expect(tab.locator(f".case:has-text('{order}')")).to_have_count(0)
            (self.rejected if wrong else self.approved).append(order)

    def work(self, loop):
        """Decide until the loop wants more, and then the audits."""
        while not loop.ready.wait(0.05):
            self.decide()
        self.decide()


def read_log(data, folder):
    """What the command says of the month's log; it writes the terms for the door."""
    words = ["approvals", str(data / "approvals" / "approvals.csv"), "--mistake", "5", "--check", "1",
             "--split", "refund.amount=50,200", "--split", "send_reply.template",
             "--policy", str(folder / "policy.json"), "--json"]  # fmt: skip
    result = CliRunner().invoke(main, words, catch_exceptions=False)
    return json.loads(result.stdout)


def check_log(found, data):
    """What the table says beside the truth of the log: which nobody saw."""
    names = {"template true": "template", "template false": "free text", "amount up to 50": "up to 50",
             "amount 50 to 200": "50 to 200", "amount over 200": "over 200"}  # fmt: skip
    with (data / "approvals" / "approvals_truth.csv").open(encoding="utf-8") as file:
        truth = {row["approval_id"]: row for row in csv.DictReader(file)}
    bad, asked = Counter(), Counter()
    with (data / "approvals" / "approvals.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["agent_version"] != "0.9":
                one = truth[row["approval_id"]]
                place = row["tool"], one["class"] if one["class"] in names.values() else "any"
                asked[place] += 1
                bad[place] += int(one["should_not"])
    licensed = [
        (one["tool"], names.get(one["class"], "any"))
        for one in found["units"]
        if one["state"] == "licensed"
    ]
    assert len(licensed) == 7
    assert sum(asked[one] for one in licensed) == found["alone"]["actions"]
    assert all(bad[one] / asked[one] < found["limit"] for one in licensed)  # all deserved
    low, high = found["alone"]["bad_interval"]
    assert low <= sum(bad[one] for one in licensed) == 31 <= high


def right_labels(limit, episode=1):
    """How many approvals in a row a licence takes, by the certificate alone."""
    certificate, n = Certificate.start(limit, again=episode > 1), 0
    while certificate.evidence < grant_bound(0.05, episode):
        certificate, n = certificate.update(0.0), n + 1
    return n


class Story:
    """Who takes part, and what they do over and over."""

    def __init__(self, loop, rosa, owner, clock):
        self.loop, self.rosa, self.owner, self.clock = loop, rosa, owner, clock

    def unit(self, tool):
        (one,) = [one for one in self.owner.agent(self.rosa.agent).units if one.tool == tool]
        return one

    def act(self, tool, *, hours=73, **how):
        """Let the agent propose, Rosa decide, and three days pass; the orders that were proposed."""
        orders = self.loop.propose(tool, **how)
        self.rosa.work(self.loop)
        self.clock.move(hours=hours)
        return orders

    def earn(self, tool):
        """Let a tool be approved until it acts alone; after how many approvals."""
        before = len(self.rosa.approved)
        for _ in range(60):
            self.act(tool)
            if self.unit(tool).state == "licensed":
                return len(self.rosa.approved) - before
        raise AssertionError(self.unit(tool))


def make_the_agent(tab, address, policy):
    """Wanda makes the agent from its terms, and Rosa its approver; its name."""
    tab.goto(f"{address}/agents/")
    tab.locator("#id_title").fill("The support bot")
    tab.locator("textarea").fill(policy)
    tab.click("text=Create agent")
    expect(tab.locator("main")).to_contain_text("No action yet")
    agent = tab.url.rstrip("/").rpartition("/")[2]
    tab.click("text=Approvers")
    tab.get_by_label("Name of the account").fill("rosa")
    tab.get_by_label("Role").select_option("approver")
    tab.click("text=Add role")
    expect(tab.locator("main ul.list")).to_contain_text("rosa")
    return agent


@pytest.fixture
def serving(sqlite, monkeypatch):
    """A server with Wanda, who is told by mail, and Rosa; before a browser's loop runs."""
    monkeypatch.setenv("ASKPOINT_SMTP", "smtp://127.0.0.1:1")
    monkeypatch.setattr(
        settings, "SESSION_COOKIE_AGE", 10 * 366 * 86_400
    )  # the clock moves by weeks
    wanda, rosa = organiser("wanda"), User.objects.create(username="rosa")
    EmailAddress.objects.create(user=wanda, email="wanda@example.org", verified=True)
    told = ["licence.lost", "licence.earned"]
    make_endpoint(first_workspace().pk, wanda, "wanda@example.org", told, "mail")
    with Serving([wanda, rosa]) as serving:
        yield serving


@pytest.mark.soak
def test_from_a_log_to_a_licence_that_is_lost_and_regained(
    serving, tmp_path, data, frameworks, person, screens, monkeypatch  # noqa: F811
):  # fmt: skip
    check_log(read_log(data, tmp_path), data)
    policy = (tmp_path / "policy.json").read_text("utf-8")
    limit = json.loads(policy)["licence"]["limit"]
    clock = Clock(monkeypatch)
    with mail_server() as post, ThreadPoolExecutor(1) as aside:
        monkeypatch.setenv("ASKPOINT_SMTP", f"smtp://127.0.0.1:{post.server_address[1]}")

        def mails():
            """Send what is due; what arrived so far."""
            while aside.submit(lambda: [deliver(row) for row in claim_due()]).result():
                pass
            heard = [message_from_bytes(one.encode(), policy=default) for one in post.heard]
            return [one.get_content() for one in heard]

        tab, other = person(), person()
        serving.seat(tab, "wanda")
        serving.seat(other, "rosa")
        agent = make_the_agent(tab, serving.address, policy)
        page = f"{serving.address}/agents/{agent}/"
        tokens = {role: token_for(tab, serving, role) for role in ("agent", "owner")}
        with Client(serving.address, tokens["owner"]) as owner:
            loop = Loop(frameworks, serving.address, agent, tokens["agent"])
            other.goto(f"{serving.address}/review/")
            rosa = Approver(other, owner, agent, clock)
            story = Story(loop, rosa, owner, clock)

            # two tools earn their licences, a third one does not
            story.act("send_reply", bad=True)
            for tool in ("read_order", "refund"):
                needed = right_labels(limit)
                assert needed <= story.earn(tool) < needed + BATCH
            assert story.unit("send_reply").state == "asks"
            tab.goto(page)
            expect(tab.locator(".state")).to_contain_text("2 kinds of action of 3 without asking")
            screens(tab, "1-acts-alone")

            # alone, and right: Rosa sees its audits, and finds nothing
            orders = story.act("refund")
            assert set(orders) <= set(loop.ran)
            assert not set(rosa.rejected) & set(orders)
            story.act("read_order")
            assert len([one for one in mails() if "may now take" in one]) == 2

            # another model behind the same name: every second refund goes to another customer
            orders, found = [], len(rosa.rejected)
            while story.unit("refund").state == "licensed":
                orders += story.act("refund", bad=True, hours=0)
                assert len(orders) < 200 * BATCH
            wrong = {one for one in orders if loop.truth[one]}
            ran = wrong & set(loop.ran)
            seen = ran & set(rosa.rejected)
            assert wrong == ran | set(rosa.rejected[found:])
            assert seen
            tab.goto(page)
            expect(tab.locator(".state")).to_contain_text(
                "It asks before refund, amount up to 50 again"
            )
            expect(tab.locator("main")).to_contain_text(re.compile(rf"Found wrong\s*{len(seen)}\b"))
            screens(tab, "2-lost")
            assert "asks before refund, amount up to 50 again" in mails()[-1]

            # mended: it comes back, by more approvals than the first time, and nothing wrong runs meanwhile
            again = story.earn("refund")
            assert again > right_labels(limit)
            assert not {one for one in loop.ran if loop.truth[one]} - ran
            tab.goto(page)
            expect(tab.locator(".state")).to_contain_text("2 kinds of action of 3 without asking")
            screens(tab, "3-regained")
            story.act("refund")
            assert "may now take refund, amount up to 50 alone" in mails()[-1]
            loop.end()
            aside.submit(lambda: verify_agent(Agent.objects.get())).result()
        aside.submit(connections.close_all).result()
