"""What a page must show and be worth in a browser, before anybody scrolls or thinks: one browser, one server."""

from __future__ import annotations

import re

import pytest
from allauth.account.models import EmailAddress
from playwright.sync_api import expect, sync_playwright

from askpoint.server.deployments.audit_rates import look_for_regions
from askpoint.server.deployments.classifier_settings import change_settings
from askpoint.server.deployments.models import Deployment
from askpoint.server.webhooks.services import EVENTS, make_endpoint
from postbox import mail_server
from server.in_use import InUse, posts
from server.serving import Serving
from server.stage import organiser
from server.test_incidents import island

PHONE, DESK = {"width": 390, "height": 844}, {"width": 1280, "height": 800}
IN_SIGHT = """(bottom) => {
  const seen = [], walk = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    if (box.height && box.top < bottom && node.parentElement.checkVisibility()) seen.push(node.textContent);
  }
  return seen.join(" ").replace(/\\s+/g, " ");
}"""
TINTED = """() => [...document.querySelectorAll("main *")].filter((it) => {
  const red = (text) => { const [r, g, b, a] = text.match(/[\\d.]+/g).map(Number); return a !== 0 && r > g + 12 && r > b + 12; };
  const style = getComputedStyle(it);
  return red(style.backgroundColor) && it.checkVisibility();
}).map((it) => it.className.baseVal ?? it.className)"""


class Town:
    """Five classifiers of Wanda: one closed, with a region; one answers; three wait for a first case."""

    def __init__(self) -> None:
        self.closed = InUse()
        island(self.closed)
        look_for_regions(self.closed.id)
        self.answers = InUse()
        self.answers.label(self.answers.decide(60))
        self.answers.decide(20, "tuesday")  # of these some wait
        change_settings(self.answers.id, capacity=None, second=0.0, hold=60)
        self.new = [InUse(mode="shadow") for _ in range(3)]
        names = ("Offensive posts", "Spam", "Letters", "Photos", "Bills")
        for one, title in zip((self.closed, self.answers, *self.new), names, strict=True):
            Deployment.objects.filter(pk=one.id).update(title=title)
        organiser("wanda")
        self.people = [getattr(self.closed, name) for name in ("wanda", "rosa", "vera")]


@pytest.fixture
def town(stand):
    return stand(Town)


@pytest.fixture
def mailbox(town, monkeypatch):
    """Wanda's mail, to which notifications go."""
    wanda, address = town.answers.wanda, "wanda@example.org"
    EmailAddress.objects.create(user=wanda, email=address, verified=True)
    with mail_server() as post:
        monkeypatch.setenv("ASKPOINT_SMTP", f"smtp://127.0.0.1:{post.server_address[1]}")
        make_endpoint(town.answers.row.workspace_id, wanda, address, EVENTS, "mail")
        yield post


@pytest.fixture
def window(town, chromium):
    """Return a function: a window of somebody; what its console says fails the test."""
    said = []
    with Serving(town.people) as server, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])

        def tab(name, size=PHONE, **how):
            context = browser.new_context(base_url=server.address, viewport=size, **how)
            context.set_default_timeout(60_000)
            page = context.new_page()
            server.seat(page, name)
            page.on("console", lambda message: said.append(message.text))
            page.on("pageerror", lambda error: said.append(str(error)))
            return page

        yield tab
        browser.close()
    assert [text for text in said if "status of 4" not in text] == []


def test_owners_see_what_is_wrong_and_reach_each_answer(town, window, tmp_path):
    """PAGES (a) 1, 4; (b) 1, 3, 4; (c); (d): from signing in to an answer, on a phone."""
    owner = window("wanda")
    # home: the closed one is first, with its word and since when; one press opens its incident
    owner.goto("/")
    cards = owner.locator("table.fleet tbody tr")
    assert cards.count() == 5
    first = cards.first
    expect(first).to_contain_text("Offensive posts")
    expect(first.locator(".tag")).to_contain_text("Closed")
    expect(first).to_contain_text("since")
    for card in cards.all():  # the state stands in the first 200 px of each card
        tops = [it.bounding_box() for it in (card, card.locator(".tag"))]
        assert tops[1]["y"] + tops[1]["height"] <= tops[0]["y"] + 200
    assert owner.locator("main a.button:not(.quiet), main button:not(.quiet)").count() == 1
    assert "1 of 5 needs you" in owner.evaluate(IN_SIGHT, 300)
    first.get_by_role("link", name=re.compile("Open incident")).click()
    # the incident: what, since when, how many, and the four answers within two presses
    expect(owner.locator("h1")).to_contain_text("Wrong where")
    top = owner.evaluate(IN_SIGHT, 844)
    assert "Closed" in top
    assert "since" in top
    assert "Wrong decisions that went out" in top
    for name in ("Keep it closed", "Propose a version", "Ask for second opinions"):
        expect(owner.get_by_role("button", name=name).first).to_be_visible()
    expect(owner.get_by_role("link", name="Export labelled cases")).to_be_visible()
    shown = owner.locator("main button:not(.quiet), main a.button:not(.quiet)")
    assert shown.all_inner_texts() == ["Propose a version"]  # one primary: where a region is known
    expect(owner.get_by_role("table", name=re.compile("Mistakes, drawn"))).to_be_visible()
    # the classifier's page: the first 200 px of what it says, in red and nothing else
    owner.goto(f"/classifiers/{town.closed.id}/")
    place = owner.locator(".state").bounding_box()
    assert place["y"] + place["height"] < 200 + owner.locator("main").bounding_box()["y"]
    state = owner.locator(".state").inner_text()
    for words in ("Closed", "since", "Every case goes to review"):
        assert words in state
    assert [one for one in owner.evaluate(TINTED) if "state" not in one] == []
    words = owner.locator("main").evaluate(
        "it => [...it.children].filter(one => one.tagName !== 'DETAILS').map(one => one.innerText).join(' ')"
    )
    assert len(words.split()) < 250
    assert not re.search(
        r"\b(checks?|evidence|units)\b", words
    )  # no unit but money, hours, per 1,000
    # all mistakes: one press; a case: two; as gold: three
    owner.get_by_role("link", name="See the mistakes").click()
    expect(owner.locator("h1")).to_have_text("Cases")
    rows = owner.locator("table tbody tr")
    expect(rows.first).to_be_visible()
    box = rows.first.bounding_box()
    assert box["x"] + box["width"] <= 390  # a card, nothing to scroll sideways
    assert owner.evaluate("document.documentElement.scrollWidth") <= 390
    rows.first.locator("a").first.click()
    expect(owner.locator("main")).to_contain_text("Model wrong")
    assert owner.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_reviewer_starts_by_enter_and_has_a_second_thought_by_a_key(town, window):
    """PAGES (a) 2, (e): Enter, a digit, u; not sure in two presses; labels in sight on a phone."""
    reviewer = window("rosa", DESK)
    reviewer.goto("/")
    expect(reviewer.locator("button:has-text('Next case')")).to_be_focused()
    reviewer.keyboard.press("Enter")
    expect(reviewer.locator(".case")).to_be_visible()
    case = reviewer.locator(".case").inner_text()
    reviewer.keyboard.press("1")
    expect(reviewer.locator(f".case:has-text('{case}')")).to_have_count(0)
    if reviewer.locator("[data-key=u]").count():  # the queue's vote is held
        expect(reviewer.locator(".htmx-request")).to_have_count(0)
        reviewer.keyboard.press("u")
        expect(reviewer.locator(".case")).to_have_text(case)
    reviewer.set_viewport_size(PHONE)
    for button in reviewer.locator(".choices button:visible").all()[:2]:
        box = button.bounding_box()
        assert 0 <= box["y"] < box["y"] + box["height"] <= PHONE["height"]
    reviewer.locator("summary:has-text('Not sure')").click()
    before = reviewer.locator(".case").inner_text()
    reviewer.locator("button[name=reason]").first.click()
    expect(reviewer.locator(f".case:has-text('{before}')")).to_have_count(0)


def test_from_a_log_to_shadow_and_the_first_case(town, window, tmp_path):
    """PAGES (f): a preview keeps the file; five presses and three fields; the first case two presses on."""
    frame = log_file(tmp_path)
    owner = window("wanda", DESK)
    owner.goto("/")
    owner.click("text=New classifier")
    owner.get_by_label("Name of the classifier").fill("New posts")
    owner.set_input_files("input[type=file]", frame)
    numbers = owner.locator(".limits .inline:visible")
    assert numbers.count() == 0  # a limit's numbers come once it is chosen
    owner.get_by_label("Cost: the least").check()
    assert numbers.locator("input").count() == 4
    owner.click("text=Preview policy")
    expect(owner.locator("#preview")).to_contain_text("It decides alone where")
    assert owner.locator("input[type=file]").evaluate("it => it.files.length") == 1
    assert owner.locator("main button:not(.quiet)").all_inner_texts() == ["Start in shadow"]
    owner.click("text=Start in shadow")
    expect(owner.locator("h1")).to_have_text("New posts")
    expect(owner.locator(".state")).to_contain_text("No case yet")
    owner.click("text=Send the first case")
    owner.click("main button")
    expect(owner.locator("main")).to_contain_text("shown only once")


def log_file(folder):
    sure, right = posts(600, 1)
    rows = ["label,proba_fine,proba_hate"]
    for p, is_right in zip(sure, right, strict=True):
        rows.append(f"{'hate' if is_right else 'fine'},{1 - p},{p}")
    path = folder / "log.csv"
    path.write_text("\n".join(rows))
    return path


def test_all_of_it_without_a_script(town, window, tmp_path):
    """PAGES 0: pages work without a script."""
    reviewer = window("rosa", java_script_enabled=False)
    reviewer.goto("/")
    reviewer.click("button:has-text('Next case')")
    reviewer.click(".choices button >> nth=0")
    expect(reviewer.locator(".case")).to_be_visible()
    owner = window("wanda", java_script_enabled=False)
    owner.goto("/classifiers/")
    owner.get_by_label("Name of the classifier").fill("By hand")
    owner.get_by_label("Mistakes: a limit").check()
    assert owner.locator(".limits .inline:visible input").count() == 1
    owner.get_by_label("Highest percentage of wrong decisions").fill("2")
    owner.locator("summary:has-text('Without a log')").click()
    owner.locator("[name=classes]").fill("a, b")
    owner.click("text=Preview policy")
    expect(owner.locator("#preview")).to_contain_text("Every case goes to review first")
    owner.click("text=Start in shadow")
    expect(owner.locator("h1")).to_have_text("By hand")


def test_twenty_reviewers_come_by_one_press_and_a_test_mail_by_another(town, mailbox, window):
    """PAGES, the script of acceptance: 20 links on a phone; "arrived"."""
    owner = window("wanda")
    owner.goto(f"/classifiers/{town.answers.id}/people/")
    expect(owner.locator("h1")).to_have_text("Team")
    owner.locator("#invite select").select_option("reviewer")
    owner.get_by_label(re.compile("^For whom")).fill("\n".join(f"Reviewer {n}" for n in range(20)))
    owner.click("text=Create links")
    expect(owner.get_by_label(re.compile(r"^reviewer: Reviewer \d+"))).to_have_count(20)
    assert owner.evaluate("document.documentElement.scrollWidth") <= 390
    with owner.expect_download() as file:
        owner.click("text=Download all links")
    assert len(file.value.path().read_text().splitlines()) == 21
    owner.goto("/webhooks/")
    owner.click("text=Send a test")
    expect(owner.locator("main")).to_contain_text("The test arrived")
    assert len(mailbox.heard) == 1
