"""People of an afternoon: each is a generator that does one thing by the pages, and yields the seconds it took.

A robot sends what a page's form would send; a tab is a real browser, whose buttons are clicked.
"""

from __future__ import annotations

import heapq
import html
import http.client
import re
from collections import Counter
from datetime import datetime, timedelta
from urllib.parse import urlencode, urlsplit

import numpy as np
from django.utils import timezone

from arena.game.spellings import SPELLINGS, spell

__all__ = [
    "Afternoon",
    "Person",
    "Robot",
    "Tab",
    "clicker",
    "colluder",
    "honest_judge",
    "honest_player",
    "speller",
]

_CSRF = "t" * 32
_FORM = re.compile(r"<form[^>]*>.*?</form>", re.DOTALL)
_ACTION = re.compile(r'action="([^"]*)"')
_HIDDEN = re.compile(r'type="hidden" name="(\w+)" value="([^"]*)"')
_CASE = re.compile(r'<div class="case"[^>]*>\s*<blockquote[^>]*>(.*?)</blockquote>', re.DOTALL)
_SAME = re.compile(r'name="same" value="([1-9]\d*)".*?<span dir="auto">(.*?)</span>', re.DOTALL)


def _text(markup: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "\n", markup)).split())


class Robot:
    """Somebody's window on the server, by HTTP: opens pages, and sends their forms."""

    def __init__(self, address: str, session: str) -> None:
        where = urlsplit(address)
        self._wire = http.client.HTTPConnection(where.hostname, where.port, timeout=120)
        cookies = f"csrftoken={_CSRF}" + (f"; sessionid={session}" if session else "")
        self._headers = {"Cookie": cookies, "X-CSRFToken": _CSRF}
        self.page = self.path = ""
        self.status = 0

    def _ask(self, method: str, path: str, body=None, kind="application/x-www-form-urlencoded"):
        headers = self._headers if body is None else {**self._headers, "Content-Type": kind}
        self._wire.request(method, path, body, headers)
        answer = self._wire.getresponse()
        self.page, self.status = answer.read().decode("utf-8", "replace"), answer.status
        return answer.getheader("Location", "")

    def open(self, path: str) -> int:
        """Open a page, and what it leads to."""
        self.path = path
        there = self._ask("GET", path)
        while there:
            self.path = urlsplit(there).path
            there = self._ask("GET", self.path)
        return self.status

    def post(self, path: str, form, kind="application/x-www-form-urlencoded") -> int:
        """Send any form anywhere; the status, before what it leads to."""
        body = urlencode(form) if isinstance(form, dict) else form
        there = self._ask("POST", path, body, kind)
        first = self.status
        if there:
            self.open(urlsplit(there).path)
        return first

    def press(self, action: str, **given: str) -> None:
        """Send the page's form that leads there, with its hidden fields."""
        for form in _FORM.findall(self.page):
            found = _ACTION.search(form.partition(">")[0])
            if (urlsplit(found[1]).path if found else self.path) == action:
                self.post(action, dict(_HIDDEN.findall(form)) | given)
                return
        raise AssertionError(f"no form at {self.path} leads to {action}: {_text(self.page)[:300]}")

    def has(self, action: str) -> bool:
        """Whether the page has a form that leads there."""
        return f'action="{action}"' in self.page

    def close(self) -> None:
        """Leave."""
        self._wire.close()


class Tab(Robot):
    """The same in a real browser: fields are filled in, buttons are clicked."""

    def __init__(self, address: str, session: str, page, clicks: int) -> None:
        super().__init__(address, session)
        self._address, self.tab, self.clicks = address, page, clicks
        page.context.add_cookies([{"name": "sessionid", "value": session, "url": address}])

    def _read(self) -> None:
        self.path = urlsplit(self.tab.url).path
        self.page = self.tab.content()

    def open(self, path: str) -> int:
        """Open a page."""
        if not self.clicks:
            return super().open(path)
        answer = self.tab.goto(self._address + path)
        self._read()
        self.status = answer.status
        return self.status

    def press(self, action: str, **given: str) -> None:
        """Fill the form in and click; after so many clicks, send it as a robot does."""
        if self.clicks <= 1:
            if self.clicks:
                self.clicks = 0
                super().open(self.path)
            return super().press(action, **given)
        self.clicks -= 1
        form = f"main form[action='{action}']" if self.has(action) else "main form:not([action])"
        click = f"{form} button"
        for name, value in given.items():
            field = self.tab.locator(f"{form} [name='{name}']:not(button)")
            if field.count():
                field.fill(value)
            else:
                click = f"{form} button[name='{name}'][value='{value}']"
        with self.tab.expect_navigation(wait_until="load"):
            self.tab.locator(click).first.click()
        self._read()
        return None


class Person:
    """Somebody, with a window, and what their script counted: hours, votes, cases."""

    def __init__(self, name: str, window: Robot, seed: int) -> None:
        self.name, self.window, self.rng = name, window, np.random.default_rng(seed)
        self.seconds, self.idle, self.did, self.told = 0.0, 0.0, Counter(), []

    @property
    def hours(self) -> float:
        """What it took, without the waiting for work."""
        return (self.seconds - self.idle) / 3600


class Afternoon:
    """A clock that goes from move to move, so that an hour costs what its moves cost the server."""

    def __init__(self, monkeypatch, truth, source) -> None:
        self.now, self._n = timezone.now(), 0
        self.truth, self.source = (
            truth,
            source,
        )  # of each text: its label, and the find that it repeats
        self._due: list[tuple[datetime, int, Person, object]] = []
        monkeypatch.setattr(timezone, "now", lambda: self.now)

    def enter(self, person: Person, moves, after: float = 0.0) -> None:
        """Let somebody begin."""
        self._n += 1
        heapq.heappush(self._due, (self.now + timedelta(seconds=after), self._n, person, moves))

    def last(self, span: timedelta, tick) -> None:
        """Let all do what they do until the span is over; `tick` is what the background does each minute."""
        ends, ticked = self.now + span, self.now
        while self._due and self._due[0][0] < ends:
            at, _, person, moves = heapq.heappop(self._due)
            self.now = max(self.now, at)
            if self.now - ticked > timedelta(minutes=1):
                tick()
                ticked = self.now
            took = next(moves, None)
            if took is not None:
                person.seconds += took
                self._n += 1
                heapq.heappush(
                    self._due, (self.now + timedelta(seconds=took), self._n, person, moves)
                )
        self.now = ends
        tick()

    def leave(self, names) -> None:
        """Let some go home."""
        self._due = [it for it in self._due if it[2].name not in names]
        heapq.heapify(self._due)

    def is_same(self, shown: str, text: str) -> bool:
        """Whether an honest judge would call a shown text the same find."""
        if self.source.get(shown) == self.source[text]:
            return True
        return sorted(shown.split()) == sorted(text.split())  # its halves changed places


def honest_judge(day: Afternoon, who: Person, campaign: str, *, seconds=15.0, wrong=0.08, say=None):
    """Read each case; be wrong in a share of them. `say` may know better what to answer."""
    base, window = f"/judge/{campaign}/", who.window
    yield 40
    window.open(base)
    while True:
        case = _CASE.search(window.page)
        text = None if case is None else _text(case[1])
        if window.has(f"{base}train/"):
            yield 10
            window.press(f"{base}train/", choice=day.truth[text])
        elif window.has(f"{base}compare/"):
            yield 8
            shown = [(number, _text(it)) for number, it in _SAME.findall(window.page)]
            same = [number for number, it in shown if day.is_same(it, text)]
            sees = same and who.rng.random() < 0.9
            window.press(f"{base}compare/", same=same[0] if sees else "0")
            who.did["comparisons"] += 1
        elif window.has(f"{base}vote/"):
            yield seconds
            others = [name for name in ("clean", "offensive") if name != day.truth[text]]
            answer = others[0] if who.rng.random() < wrong else day.truth[text]
            answer = (say and say(text)) or answer
            window.press(f"{base}vote/", choice=answer)
            who.did["votes"] += 1
        elif window.has(f"{base}claim/"):
            window.press(f"{base}claim/")
            if window.has(f"{base}claim/"):  # nothing waits
                who.idle += 60
                yield 60
                window.open(base)
        else:
            who.told.append(_text(window.page))
            return


def clicker(day: Afternoon, who: Person, campaign: str):
    """Click the common answer as fast as votes are taken."""
    yield from honest_judge(day, who, campaign, seconds=4.0, wrong=0.0, say=lambda _: "clean")


def _submit(who: Person, campaign: str, text: str):
    window, base = who.window, f"/play/{campaign}/"
    if window.open(base) != 200 or "<textarea" not in window.page:
        who.told.append(_text(window.page))
        return False
    window.press(base, case=text)
    send = f"{window.path}submit/"
    if not window.has(send):
        who.told.append(_text(window.page))
        who.did["refused"] += 1
        return False
    window.press(send)
    who.did["cases"] += 1
    return True


def honest_player(who: Person, campaign: str, texts, *, seconds=60.0):
    """Look for a text for a minute, and submit it."""
    yield 60
    for text in texts:
        yield seconds
        _submit(who, campaign, text)


def speller(day: Afternoon, who: Person, campaign: str, finds):
    """Look for a find for a minute, and submit it in 25 spellings, ten seconds each."""
    yield 60
    for number, find in enumerate(finds):
        yield 60
        _submit(who, campaign, find)
        for name in SPELLINGS:
            text = " ".join(spell(find, name, number).split())
            day.truth.setdefault(text, day.truth[find])
            day.source.setdefault(text, day.source[find])
            yield 10
            _submit(who, campaign, text)


def colluder(who: Person, campaign: str, texts):
    """Submit what is no find every ten seconds: two friends among the judges call it one."""
    yield 60
    for text in texts:
        yield 10
        _submit(who, campaign, text)
