"""A paid campaign of strangers in a real browser: bulk links in, settled statements out.

Eight accounts; one plays by copies of one find, one judges without looking; the provider that pays them
fails, pays and loses the reply.
"""

from __future__ import annotations

import csv
import io
import json
import re
import sqlite3
import threading
import time
from collections import defaultdict
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import expect, sync_playwright

from server.running import Server

HONEST, CHEAT = ("anna", "arne"), "carl"
JUDGES, BLIND = ("bea", "ben", "bo"), "cleo"
FINDS = {
    "anna": ("go home, nobody wants you", "your kind cannot think", "they all steal, you know"),
    "arne": ("what a pity you were born", "such people smell", "women belong in the kitchen"),
}
MILD = ("a sunny morning", "tea and bread")
COPIES = ("you are not from here", "you are not from here!", "you are not from here today")
STUDY = "study7"


class Prolific(ThreadingHTTPServer):
    """Stands where Prolific does, and behaves worse: it fails, and pays without saying so."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), _Answers)
        self.batches, self.paid, self.asked = {}, defaultdict(list), 0
        self.address = f"http://127.0.0.1:{self.server_address[1]}/"


class _Answers(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        assert self.headers["Authorization"] == "Token secret"
        if self.path == "/submissions/bonus-payments/":
            name = f"batch{len(self.server.batches) + 1}"
            self.server.batches[name] = body["csv_bonuses"]
            if name == "batch1":
                self.close_connection = True  # it was set up, and nobody is told
                return
            self.answer({"id": name})
            return
        name = self.path.split("/")[2]
        for line in self.server.batches[name].splitlines():
            participant, amount = line.split(",")
            self.server.paid[participant].append(round(100 * float(amount)))
        self.close_connection = True  # all are paid, and the reply is lost

    def do_GET(self):
        self.server.asked += 1
        if self.server.asked == 1:
            self.send_error(503)
            return
        self.answer(
            {
                "results": [
                    {"participant_id": name, "bonus_payments": amounts}
                    for name, amounts in self.server.paid.items()
                ]
            }
        )

    def answer(self, content):
        text = json.dumps(content).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)


@pytest.fixture
def prolific(monkeypatch):
    server = Prolific()
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    monkeypatch.setenv("ASKPOINT_PROLIFIC_URL", server.address)
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def people(chromium):
    """Return a function: a window of somebody; what its console says fails the test."""
    said = []
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])

        def person():
            context = browser.new_context(viewport={"width": 1000, "height": 800})
            context.set_default_timeout(90_000)
            page = context.new_page()
            page.on("console", lambda message: said.append(message.text))
            page.on("pageerror", lambda error: said.append(str(error)))
            return page

        yield person
        browser.close()
    assert [text for text in said if "status of 422" not in text] == []


def come_in(page, link, name):
    page.goto(link)
    for box in page.locator("main input[type=checkbox]").all():
        box.check()
    page.fill("#name", name)
    page.fill("#password", "a long enough password")
    page.click("main button")
    page.wait_for_url(re.compile(r"://[^/]+/$"))


def set_up(olga, first_link):
    come_in(olga, first_link, "olga")
    olga.click("text=New campaign")
    for label, value in {
        "Name": "Toy",
        "Function or address": "toy_model:score",
        "Classes": "clean, offensive",
        "A trial case": "a badword",
        "What the model must say": "offensive",
    }.items():
        olga.get_by_label(re.compile(f"^{label}")).fill(value)
    olga.click("text=Test and save the model")
    olga.get_by_label("Title").fill("Strangers")
    olga.get_by_label("What players should look for").fill("Offend without a bad word.")
    olga.get_by_label("Model", exact=True).select_option("Toy")
    olga.click("text=Next: costs and prices")
    olga.click("text=Next: judging")
    olga.get_by_label("What judges should go by").fill("Go by what is meant.")
    olga.get_by_label("Training items", exact=True).fill(
        "clean | good day | harmless\noffensive | you fool |"
    )
    olga.click("text=Next: joining")
    expect(olga.locator("h1")).to_have_text("Joining")
    olga.get_by_label("What people agree to").fill("What you write is kept.")
    olga.click("text=Next: budget")
    olga.get_by_label("Points to move").fill("40000")
    olga.click("text=Add to the budget")
    expect(olga.locator(".figures")).to_contain_text("40,000")
    olga.click("text=Open the campaign")
    expect(olga.locator("text=Close the campaign")).to_be_visible()


def bulk_links(olga, role, names):
    """Create links for many, and read them from the file that the page offers."""
    olga.fill("#id_labels", "\n".join(names))
    olga.click(f"button:has-text('Invite {role}s')")
    expect(olga.locator("text=All of them as a file")).to_be_visible()
    with olga.expect_download() as download:
        olga.click("text=All of them as a file")
    rows = csv.DictReader(io.StringIO(download.value.path().read_text("utf-8")))
    return {row["label"]: row["link"] for row in rows if row["role"] == role}


def play(page, text):
    """Try a case, and submit it if it may be."""
    page.goto(re.sub(r"/cases/.*", "/", page.url))
    page.fill("#case", text)
    page.click("text=Ask the machine")
    expect(page.locator("#case")).to_have_count(0)
    submit = page.locator("button:has-text('Submit')")
    if submit.count():
        submit.click()
        expect(page.locator("main")).to_contain_text("It waits for the judges")
        return True
    return False


def judge_all(page, choose):
    """Vote on what there is, until nothing waits or nothing may be judged; how many votes."""
    votes = 0
    while page.locator("button:has-text('Next case'), button:has-text('Look again')").count():
        page.locator("button:has-text('Next case'), button:has-text('Look again')").first.click()
        expect(page.locator(".htmx-request")).to_have_count(0)
        while page.locator("blockquote").count():
            text = page.locator("blockquote").inner_text()
            new = page.locator("button:has-text('None of these')")
            if new.count():  # a find beside others
                with page.expect_response(lambda answer: "/compare/" in answer.url):
                    new.click()
                expect(page.locator(".htmx-request")).to_have_count(0)
                continue
            shown = page.locator(f"blockquote:text-is({json.dumps(text)})")
            while (
                shown.count() and not new.count()
            ):  # no vote is taken before a case was looked at for some seconds
                page.click(f".choices button:has-text('{choose(text)}')")
                expect(page.locator(".htmx-request")).to_have_count(0)
                page.wait_for_timeout(250)
            votes += 1
        if page.locator("text=Nothing waits").count() or not page.locator("button").count():
            break
    return votes


def earned(page, server):
    page.goto(server.address + "/points/")
    balances = page.locator("tbody tr td:last-child")
    return int(balances.first.inner_text().replace(",", "")) if balances.count() else 0


def held(page, server):
    """Points that somebody has and cannot withdraw yet."""
    page.goto(server.address + "/points/")
    lines = page.locator("main li:has-text('final')").all_inner_texts()
    return sum(int(re.match(r"([\d,]+) points:", line)[1].replace(",", "")) for line in lines)


def end_campaign(olga, server, judges):
    """Close the campaign, and decide on the votes that no test has proven: who did not read is not paid."""
    olga.goto(server.address)
    olga.click("main li a")
    olga.click(".tabs >> text=Set-up")
    olga.click("text=Close the campaign")
    expect(olga.locator("text=Open the campaign")).to_be_visible()
    for name in judges:
        olga.click(".tabs >> text=People")
        expect(olga.locator("h1")).to_have_text("People")
        pays = name != BLIND
        what = "Pay the votes of" if pays else "Do not pay the votes of"
        olga.get_by_label(f"{what} {name}", exact=True).click()
        olga.click(f"main button:has-text('{'Pay votes' if pays else 'Do not pay'}')")
        expect(olga.locator("h1")).to_have_text("People")


def eight_days_later(folder):
    """Let all rulings have been made eight days earlier: no award is held longer than a week."""
    with closing(sqlite3.connect(folder / "askpoint.sqlite3", timeout=30)) as database, database:
        moved = "UPDATE labelling_case SET ruled_at = datetime(ruled_at, '-8 days') WHERE ruled_at IS NOT NULL"
        assert database.execute(moved).rowcount


@pytest.mark.soak
def test_strangers_are_paid_once_and_cheats_no_more_than_others(tmp_path, prolific, people):
    server = Server(tmp_path, "", "--workers", "2").wait()
    try:
        olga = people()
        set_up(olga, server.first_link)
        olga.click(".tabs >> text=People")
        links = bulk_links(olga, "player", [*HONEST, CHEAT])
        links |= bulk_links(olga, "judge", [*JUDGES, BLIND])
        pages = {name: people() for name in links}
        assert len(pages) + 1 == 8
        for name, page in pages.items():
            come_in(page, f"{links[name]}?PROLIFIC_PID=pid{name}", name)
            page.click("main li a")
        for name in (*JUDGES, BLIND):
            for done, answer in enumerate(("clean", "offensive")):
                expect(pages[name].locator("h1")).to_have_text(f"Training: {done} of 2")
                pages[name].click(f"#choose button:has-text('{answer}')")
        for name in HONEST:
            for text in FINDS[name]:
                assert play(pages[name], text)
        # the cheat submits one find three times, and everyday texts
        assert sum(play(pages[CHEAT], text) for text in (*COPIES, *MILD)) >= 3
        offensive = {*COPIES, *(text for finds in FINDS.values() for text in finds)}

        def looks(text):
            return "offensive" if text in offensive else "clean"

        for _ in range(3):
            judge_all(pages[BLIND], lambda _: "clean")
            for name in JUDGES:
                judge_all(pages[name], looks)
        olga.goto(server.address)
        olga.click("main li a")
        olga.click(".tabs >> text=Cases")
        while olga.locator("th a", has_text=re.compile(".")).count():  # what waits for her word
            waiting = olga.locator("tr:has-text('your word') th a, tr:has-text('referred') th a")
            if not waiting.count():
                break
            text = waiting.first.inner_text()
            waiting.first.click()
            olga.click(f".choices button:has-text('{looks(text)}')")
            olga.click(".tabs >> text=Cases")
        assert [name for name, page in pages.items() if earned(page, server)] == []
        waits = {name: held(page, server) for name, page in pages.items()}
        assert 0 < waits[CHEAT] < min(waits[name] for name in HONEST)
        assert 0 < waits[BLIND] <= max(waits[name] for name in JUDGES)
        end_campaign(olga, server, [name for name in (*JUDGES, BLIND) if waits[name]])
        eight_days_later(tmp_path)
        ends = time.monotonic() + 120  # what is due is let go twice a minute
        while left := {name for name, page in pages.items() if held(page, server)}:
            assert time.monotonic() < ends, left
            time.sleep(1)
        points = {name: earned(page, server) for name, page in pages.items()}
        assert points == waits | {BLIND: 0}  # honest people lost nothing but the wait
        # everybody is paid by the provider, whatever it does
        olga.goto(server.address + "/payouts/")
        olga.click("text=Plan a payout for each")
        olga.fill("#token", "secret")
        olga.click("text=Save token")
        olga.fill("#study", STUDY)
        olga.click("text=Pay by Prolific")
        ends = time.monotonic() + 120
        while True:
            olga.goto(server.address + "/payouts/")
            states = set(olga.locator("main li strong").all_inner_texts())
            if states <= {"unknown"}:
                break
            if "planned" in states:  # the first batch was lost at its set-up
                olga.fill("#study", STUDY)
                olga.click("text=Pay by Prolific")
            assert time.monotonic() < ends, states
            time.sleep(1)
        for _ in olga.locator("button:has-text('It was paid')").all():
            # unclear ones are the organiser's: she looks at the provider's own book
            row = olga.locator("li:has(button:has-text('It was paid'))").first
            payee = row.inner_text().split(":")[0]
            was = bool(prolific.paid[f"pid{payee}"])
            before = olga.locator("main li:has(strong)").count()
            row.get_by_label("Reference").fill("looked up by hand")
            row.locator(f"button:has-text('It was {'paid' if was else 'not paid'}')").click()
            expect(olga.locator("main li:has(strong)")).to_have_count(before - 1)
        cents = {name: points[name] // 50 for name in points if points[name] >= 50}
        assert prolific.paid == {f"pid{name}": [amount] for name, amount in cents.items()}
        # settled statements: what was earned is paid but for less than a cent
        for name, page in pages.items():
            assert earned(page, server) == points[name] % 50
    finally:
        server.stop()
