"""One afternoon with a classifier in use, in a real browser: from a log to a policy that opens again.

A log is uploaded and reported, somebody answers twenty questions on what mistakes cost, the policy goes
into shadow and then decides all; a program sends real texts, reviewers work the queue; then spam comes with
good words behind it, which the model takes for ham. Screens are kept in the folder ASKPOINT_SCREENS.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from playwright.sync_api import expect, sync_playwright
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from askpoint import Client
from server.running import Server
from server.test_strangers import come_in

LEARNED, LOGGED = 1500, 700
WORTH = 8  # checks, to the person who is asked
BATCH = 60


class Texts:
    """A shared set of short messages, a model that learned from the first of them, and what comes."""

    def __init__(self, data) -> None:
        frame = pl.read_csv(data / "text" / "sms_spam.csv.gz").sample(
            fraction=1, shuffle=True, seed=0
        )
        text, label = frame["text"].to_list(), frame["label"].to_list()
        self.model = make_pipeline(TfidfVectorizer(), LogisticRegression(C=10))
        self.model.fit(text[:LEARNED], label[:LEARNED])
        self.classes = self.model.classes_.tolist()
        stop = LEARNED + LOGGED
        proba = self.model.predict_proba(text[LEARNED:stop])
        columns = {f"proba_{name}": proba[:, j] for j, name in enumerate(self.classes)}
        self.log = pl.DataFrame({"label": label[LEARNED:stop], **columns})
        self._come = list(zip(text[stop:], label[stop:], strict=True))
        self._spam = [one for one, what in self._come if what == "spam"]
        self._good = [one for one, what in zip(text, label, strict=True) if what == "ham"][:500]
        self._rng = np.random.default_rng(0)
        self.sent = 0
        self.truth = {}

    def batch(self, *, poisoned=False):
        """The next messages, as a program sends them; of poisoned ones a half is spam in disguise."""
        items = []
        for _ in range(BATCH):
            text, label = self._come[self.sent % len(self._come)]
            if poisoned and self.sent % 2:
                good = " ".join(self._rng.choice(self._good, 3))
                text, label = f"{self._spam[self.sent % len(self._spam)]} {good}", "spam"
            key = f"message-{self.sent}"
            self.truth[key] = label
            shares = self.model.predict_proba([text])[0].tolist()
            items.append(
                {
                    "key": key,
                    "probabilities": dict(zip(self.classes, shares, strict=True)),
                    "case": f"{text}\n({key})",
                }
            )
            self.sent += 1
        return items


@pytest.fixture
def screens(tmp_path):
    """Return a function that keeps what a page looks like: at a desk, on a phone, in the dark."""
    folder = Path(os.environ.get("ASKPOINT_SCREENS") or tmp_path / "screens")
    folder.mkdir(parents=True, exist_ok=True)

    def keep(page, name):
        page.mouse.wheel(0, 20_000)  # pictures that load late
        before = page.viewport_size
        for size, scheme in (((1280, 800), "light"), ((390, 800), "light"), ((390, 800), "dark")):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            page.emulate_media(color_scheme=scheme)
            page.wait_for_load_state("networkidle")
            page.screenshot(path=folder / f"{name}-{size[0]}-{scheme}.png", full_page=True)
            assert page.evaluate("document.documentElement.scrollWidth") <= size[0], name
        page.set_viewport_size(before)
        page.emulate_media(color_scheme="light")

    return keep


@pytest.fixture
def person(chromium):
    """Return a function: a window of somebody; what its console says fails the test."""
    said = []
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])

        def window(**how):
            context = browser.new_context(**{"viewport": {"width": 1200, "height": 800}, **how})
            context.set_default_timeout(90_000)
            page = context.new_page()
            page.on("console", lambda message: said.append(message.text))
            page.on("pageerror", lambda error: said.append(str(error)))
            return page

        yield window
        browser.close()
    assert [text for text in said if "status of 4" not in text] == []


def unfold(page):
    """Open what is folded away."""
    page.evaluate("document.querySelectorAll('main details').forEach((it) => { it.open = true; })")


def upload(olga, texts, folder, keep):
    """Have the log reported, and its policy proposed."""
    texts.log.write_csv(folder / "messages.csv")
    olga.click("text=Report on a log")
    olga.set_input_files("input[type=file]", folder / "messages.csv")
    unfold(olga)
    olga.get_by_label(re.compile("labelled cases are a random sample")).check()
    olga.click("text=Create report")
    expect(olga.locator("text=Deploy this policy")).to_be_visible(timeout=240_000)
    keep(olga, "1-report")
    olga.click("text=Deploy this policy")
    olga.get_by_label("Name of the classifier").fill("Which messages are spam?")
    unfold(olga)
    for label, value in (("Percent of its decisions", "20"), ("Planned decisions", "20000")):
        olga.get_by_label(re.compile(f"^{label}")).fill(value)
    olga.get_by_label("Version of the model").fill("7")
    olga.click("text=Save as draft")
    expect(olga.locator("h1")).to_have_text("Version 1")
    keep(olga, "2-version")


def ask_for_costs(olga, ana, texts, folder, keep):
    """Make a questionnaire, and let Ana answer its twenty questions."""
    olga.click(".tabs >> text=Costs")
    olga.set_input_files("input[type=file]", folder / "messages.csv")
    for label, value in (
        ("Choices between two", "6"),
        ("Clear choices", "4"),
        ("What one check", "0.5"),
    ):
        olga.get_by_label(re.compile(f"^{label}")).fill(value)
    olga.get_by_label("Of that money").fill("EUR")
    olga.click("text=Create questionnaire")
    olga.get_by_label("Whom to ask").fill("Ana")
    olga.click("text=Create links")
    ana.goto(olga.get_by_label("Ana", exact=True).input_value())
    keep(ana, "3-begin")
    ana.fill("#guess", str(WORTH))
    ana.click("button:has-text('Begin')")
    for number in range(1, 21):
        expect(ana.locator("main")).to_contain_text(f"Question {number},")
        if number in (2, 15):
            keep(ana, f"4-question-{number}")
        text = ana.locator("main").inner_text()
        pair = re.search(r"A decides ([\d,]+) cases? .*? B ([\d,]+) case", text)
        offer = re.search(r"([\d,]+) decided right\s+([\d,]+) decided wrong", text.replace("■", ""))
        more, less = (int(it.replace(",", "")) for it in (pair or offer).groups())
        first = more > (less if pair else (WORTH - 1) * less)
        ana.keyboard.press(("a" if first else "b") if pair else ("y" if first else "n"))
    expect(ana.locator("h1")).to_have_text("Your result")
    keep(ana, "5-found")
    olga.reload()
    olga.get_by_label("Ana", exact=True).and_(olga.locator("[type=radio]")).check()
    olga.fill("#id_why", "she reads what the filter lets through")
    olga.click("text=Use these costs")
    keep(olga, "6-settled")
    olga.get_by_label(re.compile("labelled cases are a random sample")).check()
    olga.click("text=Create version with these costs")
    expect(olga.locator("h1")).to_have_text("Version 2")
    olga.click("text=Activate version 2 in shadow")
    expect(olga.locator("main")).to_contain_text("In shadow: nobody acts on what it decides")


def token_for(page, server, role):
    """Create token in the browser, as it is shown once."""
    page.goto(f"{server.address}/tokens/")
    page.get_by_label("What it is for").fill("the afternoon")
    page.get_by_label("Acts as").select_option(role)
    page.get_by_label("May", exact=True).select_option("write")
    page.click("text=Create token")
    return page.locator("code.secret").inner_text()


def invite(olga, address, name):
    """Make a link for a reviewer."""
    olga.goto(f"{address}people/")
    olga.get_by_label("Role", exact=True).first.select_option("reviewer")
    olga.get_by_label(re.compile("^For whom")).fill(name)
    olga.click("text=Create links")
    return olga.get_by_label(re.compile(f"reviewer: {name}")).input_value()


def work(page, truth, n):
    """Label cases in the browser, by clicks alone."""
    page.click("button:has-text('Next case')")
    for _ in range(n):
        key = re.search(r"\((message-\d+)\)", page.locator(".case").inner_text())[1]
        page.click(f".choices button:has-text('{truth[key]}')")
        expect(page.locator(f".case:has-text('({key})')")).to_have_count(0)
    page.click("text=Take a break")


def work_off(client, truth):
    """Label what waits, as reviewers' programs do."""
    while (held := client.claim_label()) is not None:
        key = re.search(r"\((message-\d+)\)", held.case)[1]
        client.label_held(held.id, truth[key])


@pytest.mark.soak
def test_from_a_log_to_a_policy_that_closes_and_opens_again(tmp_path, data, person, screens):
    texts = Texts(data)
    server = Server(tmp_path, "", "--workers", "2").wait()
    try:
        olga, ana = person(), person()
        come_in(olga, server.first_link, "olga")
        upload(olga, texts, tmp_path, screens)
        ask_for_costs(olga, ana, texts, tmp_path, screens)
        here = olga.url
        name = here.rstrip("/").rpartition("/")[2]
        rosa, rudi = (
            person(java_script_enabled=False),
            person(viewport={"width": 390, "height": 800}),
        )
        for page, who in ((rosa, "rosa"), (rudi, "rudi")):
            come_in(page, invite(olga, here, who), who)
        with (
            Client(server.address, token_for(olga, server, "owner")) as program,
            Client(server.address, token_for(rosa, server, "reviewer")) as reviewer,
            Client(server.address, token_for(rudi, server, "reviewer")) as second,
        ):

            def send(**how):
                return program.decide_cases(name, texts.batch(**how), model_version="7")

            def label():
                for _ in range(2):  # where the two differ by whom a case waits for
                    work_off(reviewer, texts.truth)
                    work_off(second, texts.truth)

            # in shadow it decides nothing, and people label what it would have asked
            for _ in range(3):
                assert {one.action for one in send()} == {"hold"}
            rosa.goto(f"{server.address}/review/")
            work(rosa, texts.truth, 5)
            label()
            olga.goto(here)
            screens(olga, "7-shadow")
            # for all
            olga.click("text=Change the rollout")
            olga.get_by_label("It decides").select_option("all")
            olga.click("text=Save rollout")
            expect(olga.locator(".state .word")).to_contain_text("Answering")
            said = [one.action for _ in range(6) for one in send()]
            assert said.count("answer") > len(said) / 2
            rudi.goto(f"{server.address}/review/")
            rudi.click("button:has-text('Next case')")
            screens(rudi, "8-review")
            rudi.click("text=Take a break")
            work(rudi, texts.truth, 5)
            label()
            olga.goto(here)
            screens(olga, "9-all")
            # the stream is poisoned: it closes, and says why
            for _ in range(60):
                closed = send(poisoned=True)
                label()
                if all(one.action == "ask" for one in closed):
                    break
            olga.goto(here)
            expect(olga.locator(".state .word")).to_contain_text("Closed")
            expect(olga.locator(".state")).to_contain_text("Every case goes to review")
            expect(olga.locator("main")).to_contain_text("It closes")
            screens(olga, "10-closed")
            # those who poison stop; it learns anew, and answers again by itself
            for _ in range(120):
                opened = send()
                label()
                if any(one.action == "answer" for one in opened):
                    break
            olga.goto(here)
            expect(olga.locator("main")).to_contain_text("It opens")
            screens(olga, "11-open")
            assert any(one.action == "answer" for one in opened)
    finally:
        server.stop()
