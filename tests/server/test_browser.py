"""A whole campaign in a real browser, against the real server, by five accounts."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect, sync_playwright

from cast import require
from server.running import Server
from server.stage import score

LOOKED = 4000  # milliseconds on a case, before which a vote is refused


@pytest.fixture(scope="module")
def browser(chromium):
    with sync_playwright() as play:
        running = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield running
        running.close()


@pytest.fixture
def people(browser):
    """Return a function: a window of somebody; what its console says fails the test."""
    contexts, said = [], []

    def person(**how):
        context = browser.new_context(**{"viewport": {"width": 1200, "height": 800}, **how})
        context.set_default_timeout(60_000)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: said.append(f"{page.url}: {message.text}"))
        page.on("pageerror", lambda error: said.append(f"{page.url}: {error}"))
        return page

    yield person
    for context in contexts:
        context.close()
    # a refused form is an answer with a status of its own, which browsers report
    assert [item for item in said if "status of 422" not in item] == []


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.soak)])
def server(request, tmp_path):
    database, dropped = "", None
    if request.param == "postgres":
        import psycopg

        url = require("postgres")
        name = f"askpoint_web_{os.getpid()}"
        dropped = f"DROP DATABASE {name} WITH (FORCE)"
        with psycopg.connect(url, autocommit=True) as wire:
            wire.execute(f"CREATE DATABASE {name}")
        database = urlsplit(url)._replace(path=f"/{name}").geturl()
    running = Server(tmp_path, database, "--workers", "1").wait()
    yield running
    running.stop()
    if dropped:
        with psycopg.connect(url, autocommit=True) as wire:
            wire.execute(dropped)


def group_of(leader):
    """The processes that a server started and that are still there."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        if int(fields[2]) == leader and fields[0] != "Z":
            found.append(stat.parent.name)
    return found


def wait_for_seeds(database, seconds=120):
    """Wait until the model runs: a job submits the demo's first cases to it."""
    ends = time.monotonic() + seconds
    with closing(sqlite3.connect(database)) as wire:
        query = "SELECT count(*) FROM probes_probe WHERE state = 'submitted'"
        while wire.execute(query).fetchone() != (3,):
            assert time.monotonic() < ends
            time.sleep(0.1)


def enter(page, link, name):
    page.goto(link)
    page.fill("#name", name)
    page.fill("#password", "a long enough password")
    page.click("main button")
    page.wait_for_url(re.compile(r"://[^/]+/$"))


def invite(olga, role, name):
    olga.fill("#id_labels", name)
    olga.click(f"button:has-text('Invite {role}s')")
    field = olga.get_by_label(f"{role}: {name}")
    expect(field).to_be_visible()
    return field.input_value()


def train(page):
    page.click("main li a")
    for done, answer in enumerate(("clean", "offensive")):
        expect(page.locator("h1")).to_have_text(f"Training: {done} of 2")
        page.click(f"#choose button:has-text('{answer}')")
    expect(page.locator("main >> text=That was the whole training set")).to_be_visible()


@pytest.mark.soak  # each step has a test of its own through the pages; a case is played and judged by keyboard below
def test_a_whole_campaign_by_five_accounts(server, people):
    olga, alice = people(), people(color_scheme="dark")
    bob, beth, ben = people(java_script_enabled=False), people(), people()
    # the organiser sets up
    enter(olga, server.first_link, "olga")
    olga.click("text=New campaign")
    for label, value in {
        "Name": "Toy",
        "Function or address": "toy_model:score",
        "Classes": "offensive, clean",  # the wrong order
        "A trial case": "a badword",
        "What the model must say": "offensive",
    }.items():
        olga.get_by_label(re.compile(f"^{label}")).fill(value)
    olga.click("text=Test and save the model")
    expect(olga.locator("main [role=alert]")).to_contain_text("in the order of its probabilities")
    olga.get_by_label("Classes").fill("clean, offensive")
    olga.click("text=Test and save the model")
    expect(olga.locator("h1")).to_have_text("New campaign")
    olga.get_by_label("Title").fill("Polite offence")
    olga.get_by_label("What players should look for").fill("Offend without a bad word.")
    olga.get_by_label("Model", exact=True).select_option("Toy")
    olga.click("text=Next: costs and prices")
    expect(olga.locator("h1")).to_have_text("Costs and prices")
    olga.get_by_label("A warning").fill("Texts may hurt.")
    olga.click("text=Next: judging")
    olga.get_by_label("What judges should go by").fill("Go by what is meant.")
    olga.get_by_label("Training items", exact=True).fill(
        "clean | good day | harmless\noffensive | you fool |"
    )
    olga.click("text=Next: joining")
    olga.click("text=Next: budget")
    olga.get_by_label("Points to move").fill("20000")
    olga.click("text=Add to the budget")
    expect(olga.locator(".figures")).to_contain_text("20,000")
    olga.click("text=Open the campaign")
    expect(olga.locator("text=Close the campaign")).to_be_visible()
    olga.click(".tabs >> text=People")
    links = {name: invite(olga, "player", name) for name in ("alice",)}
    links |= {name: invite(olga, "judge", name) for name in ("bob", "beth", "ben")}
    # everybody comes in
    alice.goto(links["alice"])
    for page, name in ((alice, "alice"), (bob, "bob"), (beth, "beth"), (ben, "ben")):
        enter(page, links[name], name)
    # alice plays
    alice.click("main li a")
    alice.fill("#case", "a badword")
    alice.click("text=Ask the machine")
    expect(alice.locator("main")).to_contain_text("Turned away")
    alice.click("text=Change it")
    assert alice.input_value("#case") == "a badword"  # the draft
    alice.fill("#case", "you are not from here")
    alice.click("text=Ask the machine")
    expect(alice.locator("main")).to_contain_text("95% sure")
    expect(alice.locator("main")).to_contain_text("Up to 910 points (18.2 cents)")
    alice.click("button:has-text('Submit')")
    expect(alice.locator("main")).to_contain_text("It waits for the judges")
    assert score("you are not from here") == 0.05
    # judges disagree; bob has no script, beth uses keys only
    for page in (bob, beth, ben):
        train(page)
    for page, choice in ((bob, "clean"), (beth, "offensive"), (ben, "clean")):
        page.click("button:has-text('Next case')")
        expect(page.locator("blockquote")).to_have_text("you are not from here")
        page.wait_for_timeout(LOOKED)
        page.click(f".choices button:has-text('{choice}')")
        expect(page.locator("text=Nothing waits")).to_be_visible()
    # alice appeals
    alice.click(".tabs >> text=Your cases")
    alice.click("th a:has-text('not from here')")
    expect(alice.locator("main")).to_contain_text("Judges agree with the machine")
    alice.click("summary")
    alice.get_by_label("Why is the ruling wrong?").fill("It tells somebody to leave.")
    alice.click("main button:has-text('Appeal')")
    expect(alice.locator("main")).to_contain_text("The organiser will decide")
    # the organiser reverses
    olga.click(".tabs >> text=Watch")
    olga.click("text=1 case waits for your decision")
    olga.click("th a")
    expect(olga.locator("main")).to_contain_text("It tells somebody to leave.")
    olga.click(".choices button:has-text('offensive')")
    expect(olga.locator("main")).to_contain_text("910 points (18.2 cents) awarded")
    alice.goto(server.address + "/points/")
    # of the award, its reversal and the new one this is left; it is final when its judges have been checked
    expect(alice.locator("main li", has_text="910 points")).to_contain_text("not from here")
    expect(alice.locator("main")).to_contain_text("Nothing yet")
    alice.goto(server.address)
    alice.click("main li a")
    alice.click(".tabs >> text=Standings")
    expect(alice.locator("tbody")).to_contain_text("alice (you)")
    # the organiser draws from the stream, and the same judges rule on it
    olga.click(".tabs >> text=Examination")
    expect(olga.locator("main")).to_contain_text("Draw cases from it")
    stream = "\n".join(f"{'badword' if i % 3 else 'mild'} {i}" for i in range(30))
    olga.fill("#id_sample", stream + "\n\x07")
    olga.click("main button:has-text('answer it')")
    expect(olga.locator(".errors")).to_contain_text("line 31", ignore_case=True)
    expect(olga.locator("#id_sample")).to_have_value(stream + "\n\x07")
    olga.fill("#id_sample", stream)
    olga.click("main button:has-text('answer it')")
    expect(olga.locator("main")).to_contain_text("has answered all 30 cases")
    olga.select_option("#id_method", "random")
    olga.fill("#id_n", "2")
    olga.click("text=Show what it costs")
    expect(olga.locator("main")).to_contain_text("Draw 2 cases")
    expect(olga.locator(".htmx-request")).to_have_count(0)
    olga.click("text=Draw 2 cases")
    expect(olga.locator("main")).to_contain_text("No drawn case has a ruling yet")
    for page in (bob, beth):
        page.click("button:has-text('Look again')")
        for _ in range(2):
            expect(page.locator("blockquote")).to_have_count(1)
            case = page.locator("blockquote").inner_text()
            page.wait_for_timeout(LOOKED)
            page.click(f".choices button:has-text('{'offensive' if 'bad' in case else 'clean'}')")
            expect(page.locator(f"blockquote:text-is('{case}')")).to_have_count(0)
        expect(page.locator("text=Nothing waits")).to_be_visible()
    olga.click(".tabs >> text=Examination")
    expect(olga.locator("main")).to_contain_text("Compared with what players found")
    olga.click("text=Compute what can be learned")
    expect(olga.locator("main")).to_contain_text("collect at least 10 of each")
    # export
    olga.click(".tabs >> text=Watch")
    with olga.expect_download() as download:
        olga.click("text=Everything, as JSON lines")
    lines = download.value.path().read_text("utf-8").splitlines()
    assert sum(json.loads(line)["kind"] == "transaction" for line in lines) >= 8
    # a stranger sees nothing
    charlie = people()
    charlie.goto(olga.url)
    expect(charlie.locator("h1")).to_have_text("Beat the machine")
    olga.click("nav >> text=Sign out")
    expect(olga.locator("h1")).to_have_text("Beat the machine")


def test_the_whole_game_by_keyboard_alone(empty_sqlite, tmp_path, people):
    """Tab, Enter and letters: a case is played and judged, and the focus is always seen."""
    shutil.copy(empty_sqlite, tmp_path / "askpoint.sqlite3")
    server = Server(tmp_path, "", "--workers", "1", "--demo").wait()
    try:
        alice, bob = people(), people()
        wait_for_seeds(tmp_path / "askpoint.sqlite3")

        def go(page, words, limit=60):
            """Press Tab until what has the focus is called `words`; it must show that it has."""
            for _ in range(limit):
                page.keyboard.press("Tab")
                seen = page.evaluate(
                    "() => { const e = document.activeElement, s = getComputedStyle(e);"
                    " return [e.innerText || e.id || e.value || '', s.outlineStyle,"
                    " s.outlineWidth] }"
                )
                assert seen[1] != "none", seen
                if words in seen[0]:
                    return
            raise AssertionError(f"{words} is not reached by Tab")

        def press(page, words):
            go(page, words)
            page.keyboard.press("Enter")

        def key(name):
            expect(bob.locator(".htmx-request")).to_have_count(0)  # else keys do nothing
            bob.keyboard.press(name)

        for page, name in ((alice, "Alice"), (bob, "Bob")):
            page.goto(f"{server.address}/sign-in/")
            press(page, name)
            page.wait_for_url(re.compile(r"://[^/]+/$"))
            press(page, "Offence without")
        alice.wait_for_url("**/play/*/")
        go(alice, "case")
        alice.keyboard.type("you are not from here")
        press(alice, "Ask the machine")
        alice.wait_for_url("**/cases/*/")
        expect(alice.locator("button:has-text('Submit')")).to_be_focused()
        alice.keyboard.press("Enter")
        expect(alice.locator("main")).to_contain_text("Submitted.")
        bob.wait_for_url("**/judge/*/")
        for done in range(5):
            expect(bob.locator("h1")).to_have_text(f"Training: {done} of 5")
            key("1")
        expect(bob.locator("button:has-text('Next case')")).to_be_focused()
        key("Enter")
        expect(bob.locator("h1")).to_have_text("What is this?")
        skipped = bob.locator("blockquote").inner_text()
        key("s")
        expect(bob.locator("blockquote")).not_to_have_text(skipped)
        key("2")
        expect(bob.locator(".note").last).to_contain_text("voted on 1")
        key("b")
        expect(bob.locator("main")).to_contain_text("You are taking a break")
        # the classifier in use is busy by now, and somebody can label for it
        rita, wanda = people(), people()
        for page, name in ((rita, "Rita"), (wanda, "Wanda")):
            page.goto(f"{server.address}/sign-in/")
            press(page, name)
            page.wait_for_url(re.compile(r"://[^/]+/$"))
            page.click("text=May it read the digits alone")
        expect(wanda.locator(".state .word")).to_be_visible()
        rita.click("button:has-text('Next case')")
        expect(rita.locator(".case")).to_contain_text("░")
        rita.keyboard.press("7")
        expect(rita.locator("main")).to_contain_text("labelled 1 so far")
        assert "enter by a click, without a password" in server.log.read_text()
    finally:
        os.killpg(server.process.pid, signal.SIGINT)  # as Ctrl-C does
        server.process.wait(20)
    left = []
    ends = time.monotonic() + 20
    while time.monotonic() < ends and (left := group_of(server.process.pid)):
        time.sleep(0.1)
    assert left == []
