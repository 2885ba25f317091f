"""Every page, by every role, in every state, light and dark: read by machine as people read it."""

from __future__ import annotations

import re
from pathlib import Path

import axe_playwright_python
import pytest
from playwright.sync_api import expect, sync_playwright

import askpoint.arena.server.front.views as point_views
from server.matrix import ROUTES
from server.scenes.scenery import Scenery
from server.serving import Serving

# what N sees is seen by O, and of what is open to everybody who is signed in, by C
PAGES = {
    name: "".join(sorted(set(route.opens) - set("NWRV" if "C" in route.opens else "N")))
    for name, route in ROUTES.items()
}
NO_PAGES = {
    "health",
    "ready",
    "metrics",
    "log-file",
    "export",
    "case-image",
    "classifier-image",
    "review-image",
    "judge-image",
    "decide-image",
    "item-image",
    "links",
    "agent-links",
    "classifier-links",
    "classifier-work-file",
    "examination-file",
    "payout-list",
    "statement",
    "tag-file",
    "classifier-report",
    "costs-file",
    "log-page",
    "picture",
    "cases-file",
    "labels-file",
    "incident-file",
}  # what they send is not for reading
REFUSALS = {"403", "404", "405", "500"}
AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text("utf-8")
# what is sound is not described: that takes axe as long as to look for what is not
FOUND = """async (rules) => (await axe.run({resultTypes: ["violations"], ...rules})).violations.map(
    (it) => [it.id, ...it.nodes.map((node) => node.html.slice(0, 200))])"""
DARK = {"runOnly": ["color-contrast", "target-size"]}
# what axe looks at: which elements, of which classes, with which names, empty or not
SHAPE = """() => [...document.querySelectorAll("body, body *")].map((it) => [
    it.tagName, it.className.baseVal ?? it.className, it.getAttribute("role"), it.getAttribute("type"), it.hidden,
    it.getAttribute("style"), it.disabled, !it.textContent.trim()].join()).join("|")"""
WIDE = """() => [...document.querySelectorAll("body, body *")].filter(
    (it) => it.getBoundingClientRect().right > 321
).map((it) => it.outerHTML.slice(0, 200))"""

# What a screen reader says twice: a picture's name that stands beside it, too, and buttons that do not tell themselves apart.
TWICE = """() => {
    const seen = (it) => it.checkVisibility() && !it.closest('[aria-hidden=true]')
    const words = (it) => it.textContent.replace(/\\s+/g, ' ').trim()
    const copy = document.querySelector('main').cloneNode(true)
    copy.querySelectorAll('[aria-hidden=true], [role=img], figure').forEach((it) => it.remove())
    const said = words(copy)
    const drawn = [...document.querySelectorAll('main :is([role=img], progress, meter)[aria-label]')]
        .filter(seen).map((it) => it.ariaLabel).filter((name) => said.includes(name))
    const buttons = [...document.querySelectorAll('main button')].filter(seen)
        .map((it) => it.ariaLabel || words(it))
    return [...drawn, ...buttons.filter((name, i) => buttons.indexOf(name) !== i)]
}"""


@pytest.fixture
def scenery(build, tmp_path, monkeypatch):
    """All there is to see, and one account whose points cannot be read."""
    read = point_views.accounts_of

    def accounts_of(user):
        if user.username == "crash":
            raise OSError("the disk is full")
        return read(user)

    monkeypatch.setattr(point_views, "accounts_of", accounts_of)
    with build(Scenery).again(tmp_path, monkeypatch) as scenery:
        yield scenery


def test_no_page_is_hard_to_read_for_anybody(scenery, chromium):
    """Axe finds nothing, nothing scrolls sideways on a phone, and titles tell pages apart.

    A page whose elements are those of another role's or state's is not looked at by axe again.
    """
    scenes = list(scenery)
    seen = {(scene.page, scene.role) for scene in scenes}
    pages = {(page, role) for page, roles in PAGES.items() for role in roles}
    # who owns the workspace sees what its organisers see
    pages = {(page, role) for page, role in pages if role != "M" or page == "workspace"}
    assert {item for item in pages if item[0] not in NO_PAGES} - seen == set()  # none is forgotten
    assert {page for page, _ in seen} - set(PAGES) == REFUSALS
    found, titles, looked_at = [], {}, set()
    with Serving(scenery.cast.values()) as server, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        tab = server.tab(browser)
        tab.context.add_init_script(AXE)
        for scene in scenes:
            server.seat(tab, scene.who)
            tab.set_viewport_size({"width": 1280, "height": 800})
            tab.emulate_media(color_scheme="light")
            server.show(tab, scene)
            shape = (scene.page, tab.evaluate(SHAPE))
            is_new = shape not in looked_at
            found += [(scene.path, "said twice", item) for item in tab.evaluate(TWICE)]
            looked_at.add(shape)
            if is_new:
                violations = tab.evaluate(FOUND, {})
                found += [(scene.path, scene.says, "light", *item) for item in violations]
            tab.set_viewport_size({"width": 320, "height": 740})
            tab.emulate_media(color_scheme="dark")
            if is_new:
                violations = tab.evaluate(FOUND, DARK)
                found += [(scene.path, scene.says, "dark", *item) for item in violations]
            found += [(scene.path, scene.says, "too wide", item) for item in tab.evaluate(WIDE)]
            if scene.page in set(PAGES) - {
                "invitation",
                "sample",
                "questions",
            }:  # shown elsewhere, too
                titles.setdefault(tab.title(), set()).add(scene.page)
        browser.close()
    assert not found, "\n".join(map(str, found))
    assert {title: pages for title, pages in titles.items() if len(pages) > 1} == {}


def test_pages_change_as_people_expect(scenery, chromium):
    """Focus, title, what is said aloud, the back button, two clicks, and a server that fails."""
    with Serving(scenery.cast.values()) as server, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        alice = server.tab(browser, "alice")
        first = f"{server.address}/play/{scenery.empty}/"
        alice.goto(first)
        alice.click("text=Standings")
        expect(alice).to_have_title(re.compile("^Standings"))
        expect(alice.locator("h1")).to_be_focused()
        alice.click(".tabs >> text=Play")
        alice.fill("#case", "only typed")
        alice.click("text=Ask the machine")
        expect(alice.locator("#news")).to_contain_text("The machine says clean")
        alice.go_back()
        expect(alice).to_have_title(re.compile("^Play"))
        assert alice.url == first
        assert alice.input_value("#case") == "only typed"
        assert alice.evaluate("document.querySelectorAll('h1').length") == 1
        # refused, and the focus is where it was
        alice.fill("#case", "a machine that is down")
        alice.click("text=Ask the machine")
        expect(alice.locator("#case")).to_be_focused()
        expect(alice.locator("#problem")).to_contain_text("did not answer")
        # two clicks make one
        olga = server.tab(browser, "olga")
        olga.goto(f"/run/{scenery.empty}/people/")
        olga.dblclick("text=Invite players")
        expect(olga.locator("input[readonly]")).to_have_count(1)
        olga.reload()
        expect(olga.locator("input[readonly]")).to_have_count(1)
        # what fails changes nothing
        trouble = alice.locator("#trouble")
        for status, says in (
            (500, "has a problem (500)"),
            (413, "far too large"),
            (403, "too long"),
        ):
            alice.route(
                "**/play/*/", lambda item, _, status=status: item.fulfill(status=status, body="x")
            )
            alice.fill("#case", f"half a day's thought {status}")
            alice.click("text=Ask the machine")
            expect(trouble).to_contain_text(says)
            assert alice.input_value("#case") == f"half a day's thought {status}"
            alice.unroute("**/play/*/")
        alice.route("**/play/*/", lambda item: item.abort())
        alice.click("text=Ask the machine")
        expect(trouble).to_contain_text("The server does not answer")
        assert alice.input_value("#case") == "half a day's thought 403"
        alice.unroute("**/play/*/")
        alice.click("text=Ask the machine")
        expect(alice.locator("h1")).to_have_text("Your case")
        expect(trouble).to_be_empty()
        browser.close()
