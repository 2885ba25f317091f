"""A red afternoon: hostile organisers, a clicker, a colluding pair, a speller and an honest crowd on one server.

All of it goes through the pages, by HTTP or in a real browser, against real posts with their own labels; a clock counts
what each move takes. Afterwards the ledger is read line by line: what each earned an hour, what the honest lost, and
what the hostile moved. The table is that of docs/evidence/red-afternoon.md.
"""

from __future__ import annotations

import csv
import gzip
import json
import os
import re
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from statistics import median

import numpy as np
import pytest
from django.conf import settings
from django.db import connections
from playwright.sync_api import sync_playwright

from arena.game.test_spellings import NOISE
from askpoint.arena.game.prints import print_of
from askpoint.arena.game.terms import LEAST_LOOK, CampaignTerms, Sought, campaign_protocol
from askpoint.arena.server.campaigns import services as campaigns
from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.judges import services as judging
from askpoint.arena.server.ledger.models import Entry, Posting
from askpoint.arena.server.payouts.models import Payout
from askpoint.arena.server.probes.models import Probe
from askpoint.arena.server.rulings.models import Judge, Ruling
from askpoint.arena.server.rulings.pools import join
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.server.accounts.models import Seat, User
from askpoint.server.books import check_books
from askpoint.server.classifiers.models import Classifier
from askpoint.server.jobs.kinds import functions_of
from askpoint.server.jobs.services import run_next
from askpoint.server.labelling.models import Vote
from askpoint.server.workspaces.services import make_workspace
from server.afternoon_cast import (
    Afternoon,
    Person,
    Robot,
    Tab,
    clicker,
    colluder,
    honest_judge,
    honest_player,
    speller,
)
from server.serving import Serving
from server.stage import CLASSES, organiser

HOURS = float(os.environ.get("ASKPOINT_SOAK_HOURS", "2"))
PLAYERS = ("alice", "ann")
JUDGES = ("bob", "beth", "ben", "jane", "john")
FRIENDS = ("carl", "cleo")  # who judge for cora
GUESTS = ("pat", "jude", "jill")  # honest people in the hostile organiser's own campaign
OFFICE = ("ada", "olga", "mallory", "otto")
HONEST = (*PLAYERS, *JUDGES, *GUESTS)
IN_BROWSERS = ("alice", "bob", "clive", "sally")
_CLICKS = 6  # of each in a browser, before the same goes on by HTTP
_LANES = ("moves", "computing")
_FINAL = ("earned", "paying", "paid", "disputed")


def posts(data, seed):
    """Real posts with their labels, each once: what is clean, and what offends."""
    with gzip.open(data / "text" / "davidson.csv.gz", "rt", encoding="utf-8") as file:
        rows = [
            (" ".join(NOISE.sub(" ", row["text"]).split()), row["label"])
            for row in csv.DictReader(file)
        ]
    kept = {
        print_of(text).letters: (text, label)
        for text, label in rows
        if 30 <= sum(map(str.isalpha, text)) <= 200 and len(text) < 400
    }
    drawn = [list(kept.values())[i] for i in np.random.default_rng(seed).permutation(len(kept))]
    clean = [text for text, label in drawn if label == "neither"]
    return clean, [text for text, label in drawn if label != "neither"]


class Square:
    """The server's people: an honest workspace, and that of a hostile organiser."""

    def __init__(self, stage, data) -> None:
        clean, bad = posts(data, 5)
        self.clean, self.bad = iter(clean), iter(bad)
        self.truth = dict.fromkeys(clean, "clean") | dict.fromkeys(bad, "offensive")
        self.source = {text: text for text in self.truth}
        names = {*PLAYERS, *JUDGES, *FRIENDS, *GUESTS, *OFFICE, "clive", "sally", "cora"}
        for name in names:
            User.objects.get_or_create(username=name)
        self.people = {it.username: it for it in User.objects.filter(username__in=names)}
        organiser("ada", role="owner")
        organiser("otto")  # pays, too, in the honest workspace
        self.other = make_workspace("Other").pk
        organiser("mallory", self.other, "owner")
        self.campaign = self._open(stage.classifier, "olga", "Beat the filter")
        theirs = Classifier.objects.get(pk=stage.classifier.pk)
        theirs.pk, theirs.workspace_id, theirs.owner = None, self.other, self.people["mallory"]
        theirs.save(force_insert=True)
        self.hostile = self._open(theirs, "mallory", "Win a lot")
        self.ottos = self._open(stage.classifier, "otto", "Mine alone")
        for name in (*PLAYERS, "sally", "cora"):
            join(self.campaign, self.people[name], "player")
        for name in (*JUDGES, *FRIENDS, "clive"):
            join(self.campaign, self.people[name], "judge")
        join(self.hostile, self.people["pat"], "player")
        join(self.ottos, self.people["alice"], "player")  # so that otto may pay her
        for name in ("jude", "jill"):
            join(self.hostile, self.people[name], "judge")

    def _open(self, model, by, title) -> str:
        good, bad = CLASSES
        protocol = campaign_protocol(
            training_items=2, least_look=LEAST_LOOK
        )  # as the form makes it
        terms = CampaignTerms(
            CostMatrix.zero_one(CLASSES), sought=Sought(bad, good), protocol=protocol
        )
        row = campaigns.make_campaign(
            self.people[by], title=title, classifier=model, wanted="What it misses.", terms=terms
        )
        items = [(next(self.clean), good, ""), (next(self.bad), bad, "")]
        campaigns.set_training(row.pk, items)
        campaigns.fund(row.pk, 5_000_000, "first")
        campaigns.change_state(row.pk, "open")
        for _ in range(30):
            judging.add_gold(row.pk, next(self.clean), good)
            judging.add_gold(row.pk, next(self.bad), bad)
        return row.pk

    def searches(self, rng, n):
        """What an honest player submits: a third of it are finds."""
        return [next(self.bad) if rng.random() < 0.35 else next(self.clean) for _ in range(n)]


def lines_of(workspace, name):
    """The ledger's lines of somebody, by what they are: points on each kind of account."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    rows = Entry.objects.filter(workspace=workspace, owner=name).select_related("posting")
    for row in rows:
        found[row.kind][row.posting.key.split("/", 1)[0]] += row.points
    return {kind: dict(lines) for kind, lines in found.items()}


def final_points(lines):
    return sum(sum(lines.get(kind, {}).values()) for kind in _FINAL)


def footprint(campaign):
    """All that somebody else could want to move: the ledger, payouts, cases, standings, the campaign's state."""
    where = Campaign.objects.get(pk=campaign).workspace_id
    return (
        Posting.objects.filter(workspace=where).count(),
        tuple(Payout.objects.filter(workspace=where).order_by("pk").values_list("pk", "state")),
        tuple(Judge.objects.filter(campaign=campaign).order_by("pk").values_list("held", "barred", "stopped")),
        Vote.objects.filter(case__ruling__campaign=campaign, void=True).count(),
        tuple(Campaign.objects.filter(pk=campaign).values_list("state", "terms", "title")),
        tuple(Ruling.objects.filter(campaign=campaign).order_by().values_list("state").distinct()),
        Seat.objects.filter(workspace=where).count(),
    )  # fmt: skip


def attacks(square, payout, case):
    """What a hostile organiser sends at another's campaign and people."""
    run = f"/run/{square.campaign}/"
    for name, role, action in (
        ("alice", "player", "bar"), ("bob", "judge", "bar"), ("bob", "judge", "ask-again"),
        ("bob", "judge", "void-held"), ("clive", "judge", "pay-held"), ("olga", "colleague", "remove"),
    ):  # fmt: skip
        yield f"{run}people/standing/", {"role": role, "name": name, "action": action}
    for action in ("close", "return", "add"):
        yield f"{run}budget/", {"action": action, "points": "100000", "key": "k"}
    yield f"{run}cases/{case}/", {"choice": "clean"}
    yield f"{run}judging/", {"gold": "offensive | a good day to all | no"}
    yield f"{run}what/", {"title": "Taken", "wanted": "All."}
    yield f"{run}people/", {"role": "judge", "labels": "my friend", "places": "9", "days": "9"}
    yield f"{run}joining/", {"consent": "all is mine"}
    for action in ("paid", "not-paid", "cancel"):
        yield "/payouts/", {"action": action, "payout": payout, "reference": "bank 7"}
    yield "/payouts/answer/", {"payout": payout, "came": "yes"}
    yield f"/play/{square.campaign}/", {"case": "let me in", "key": "k"}
    yield f"/judge/{square.campaign}/claim/", {}


READS = ("people/", "cases/", "export.csv", "export.jsonl", "people/links.csv", "budget/")


class Play:
    """One afternoon: who takes part, and through which window."""

    def __init__(self, square, serving, monkeypatch, aside) -> None:
        self.square, self.serving, self.aside = square, serving, aside
        self.day = Afternoon(monkeypatch, square.truth, square.source)
        self.cast: dict[str, Person] = {}

    def behind(self, work, *args):
        """Ask the database: not where a browser's loop runs."""
        return self.aside.submit(work, *args).result()

    def tick(self):
        """Do what the background process does."""
        self.behind(self._jobs)

    def _jobs(self):
        from askpoint.arena.server.front.regular import do_what_is_due

        do_what_is_due()
        for lane in _LANES:
            while run_next(functions_of(lane)):
                pass

    def person(self, name, seed, page=None):
        """Somebody with a window of their own."""
        address, session = self.serving.address, self.serving._sessions[name]
        window = Robot(address, session) if page is None else Tab(address, session, page, _CLICKS)
        self.cast[name] = Person(name, window, seed)
        return self.cast[name]

    def enter(self, pages):
        """Let all begin within the first minutes."""
        square, day, n = self.square, self.day, int(HOURS * 60) + 2
        for number, name in enumerate((*PLAYERS, *JUDGES, *FRIENDS, *GUESTS, "clive", "sally", "cora")):  # fmt: skip
            who = self.person(name, number, pages.get(name))
            here = square.hostile if name in GUESTS else square.campaign
            if name in PLAYERS or name == "pat":
                moves = honest_player(who, here, square.searches(who.rng, n))
            elif name == "sally":
                moves = speller(day, who, here, [next(square.bad) for _ in range(n // 5 + 1)])
            elif name == "cora":
                bought = [next(square.clean) for _ in range(n * 6)]
                self.bought = set(bought)
                moves = colluder(who, here, bought)
            elif name == "clive":
                moves = clicker(day, who, here)
            elif name in FRIENDS:
                moves = honest_judge(
                    day, who, here, say=lambda it: "offensive" if it in self.bought else None
                )
            else:
                moves = honest_judge(day, who, here)
            day.enter(who, moves, after=5.0 * number)
        for name in OFFICE:
            self.person(name, 99)
        self.refusals = Counter()
        for name in ("mallory", "otto"):
            day.enter(self.cast[name], self.attack(self.cast[name]), after=120)

    def attack(self, who):
        """Send all that could hurt another's campaign, and check after each that nothing moved."""
        square = self.square
        while True:
            payout, case = self.behind(self._targets)
            for path, form in attacks(square, payout, case):
                before = self.behind(footprint, square.campaign)
                status = who.window.post(path, form)
                assert self.behind(footprint, square.campaign) == before, (who.name, path, form)
                assert status in (302, 403, 404), (who.name, path, form, status)
                self.refusals[who.name] += 1
            for path in READS:
                assert who.window.open(f"/run/{square.campaign}/{path}") == 404, (who.name, path)
                self.refusals[who.name] += 1
            if who.name == "mallory":
                assert who.window.open("/payouts/statement/alice.csv") == 404
            yield 900

    def _targets(self):
        payout = Payout.objects.filter(workspace="main").values_list("pk", flat=True).first()
        case = Ruling.objects.filter(campaign=self.square.campaign).exclude(purpose="gold").first()
        return payout or "none", case.pk if case else "none"


@pytest.fixture
def square(both, data, monkeypatch):
    """Its people, on each database."""
    monkeypatch.setattr(settings, "SESSION_COOKIE_AGE", 10 * 366 * 86_400)  # weeks pass
    return Square(both, data)


def decide_referred(play):
    """Olga decides by the truth what judges leave to her; how many cases."""
    olga, base = play.cast["olga"].window, f"/run/{play.square.campaign}/cases/"

    def waiting():
        found = Ruling.objects.filter(campaign=play.square.campaign, state="referred")
        return [(it.pk, " ".join(str(it.content).split())) for it in found]

    found = play.behind(waiting)
    for name, text in found:
        olga.open(f"{base}{name}/")
        olga.post(f"{base}{name}/", {"choice": play.square.truth[text]})
    return len(found)


def is_judged(square):
    """Whether no judge has anything left to do."""
    rows = Ruling.objects.filter(campaign=square.campaign, state="open")
    return not rows.exclude(purpose="gold").exists()


def rob_own_people(play):
    """Mallory gets the labels, and then takes back all of the pay that an organiser can; what it was."""
    window, run = play.cast["mallory"].window, f"/run/{play.square.hostile}/"
    for name in ("jude", "jill"):
        again = {"role": "judge", "name": name, "action": "ask-again"}
        window.post(f"{run}people/standing/", again)
    window.post(f"{run}people/standing/", {"role": "player", "name": "pat", "action": "bar"})
    window.post(f"{run}budget/", {"action": "close"})
    for name in ("jude", "jill"):
        status = window.post(
            f"{run}people/standing/", {"role": "judge", "name": name, "action": "void-held"}
        )
        assert status < 500


def live(play, pages):
    """The afternoon, the evening in which judges end the queue, and the eight days after it; cases left to Olga.

    On each of these days judges look whether something waits for them.
    """
    day = play.day
    play.enter(pages)
    day.last(timedelta(hours=HOURS), play.tick)
    day.leave({*PLAYERS, "pat", "sally", "cora", "mallory", "otto"})
    for _ in range(36):
        if play.behind(is_judged, play.square):
            break
        day.last(timedelta(minutes=5), play.tick)
    rob_own_people(play)
    day.leave({*GUESTS, "clive"})
    for _ in range(8):
        day.now += timedelta(days=1)
        play.tick()
        for _ in range(12):
            if play.behind(is_judged, play.square):
                break
            day.last(timedelta(minutes=5), play.tick)
    day.leave(set(play.cast))
    referred = decide_referred(play)
    day.now += timedelta(days=3)
    play.tick()
    play.cast["olga"].window.post(f"/run/{play.square.campaign}/budget/", {"action": "close"})
    play.tick()
    return referred


def marked_as_paid(play):
    """Otto marks as paid what Alice withdrew; she says that nothing came, and Ada gives it back."""
    alice, otto, ada = (play.cast[name].window for name in ("alice", "otto", "ada"))
    alice.press("/payouts/withdraw/")
    receipts = _list_of(play, otto)
    upload(otto, receipts)
    alice.open("/points/")
    alice.press("/payouts/answer/", came="no")
    otto.post("/payouts/", {"action": "paid", "payout": receipts[0][0]})
    assert play.behind(states_of, "alice") == ["disputed"]
    ada.post("/payouts/", {"action": "not-paid", "payout": receipts[0][0]})


def pay_out(play):
    """All withdraw; Otto says that he has paid Alice; she says no, Ada gives it back, and pays all by a list."""
    cast, day = play.cast, play.day
    alice, ada = cast["alice"].window, cast["ada"].window
    alice.open("/points/")
    saw = _words(alice.page)
    if alice.has("/payouts/withdraw/"):  # of a few minutes there may be no cent
        marked_as_paid(play)
    for name in cast:
        if name not in OFFICE:
            cast[name].window.post("/payouts/withdraw/", {"workspace": "main"})
    upload(ada, _list_of(play, ada))
    for name in HONEST:
        for payout in play.behind(said_paid, name):
            cast[name].window.post("/payouts/answer/", {"payout": payout, "came": "yes"})
    day.now += timedelta(days=15)  # who says nothing has agreed
    play.tick()
    return saw


def _words(page):
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def _list_of(play, payer):
    payer.post("/payouts/", {"action": "hand-out"})
    number = re.findall(r"/payouts/(\d+)\.csv", payer.page)[0]
    payer.open(f"/payouts/{number}.csv")
    return [(row["payout"], row["person"]) for row in csv.DictReader(payer.page.splitlines())]


def upload(payer, receipts):
    """Bring the list back with a reference in each line."""
    lines = [
        "payout,reference",
        *(f"{name},bank {number}" for number, (name, _) in enumerate(receipts)),
    ]
    parts = [
        '--b\r\nContent-Disposition: form-data; name="action"\r\n\r\nreceive\r\n',
        '--b\r\nContent-Disposition: form-data; name="file"; filename="r.csv"\r\n',
        "Content-Type: text/csv\r\n\r\n" + "\n".join(lines) + "\r\n--b--\r\n",
    ]
    payer.post("/payouts/", "".join(parts).encode(), "multipart/form-data; boundary=b")


def states_of(name):
    return list(
        Payout.objects.filter(payee=name).order_by("planned").values_list("state", flat=True)
    )


def said_paid(name):
    return list(Payout.objects.filter(payee=name, state="said-paid").values_list("pk", flat=True))


def fate_of(square, name):
    """What became of an honest player's cases that are finds by their label, and of points that were due."""
    rows = Probe.objects.filter(player__user__username=name, submitted__isnull=False)
    found: Counter[str] = Counter()
    for row in rows.exclude(player__campaign=square.ottos):
        text = " ".join(str(row.case).split())
        if square.truth[text] != "offensive":
            found["no finds, paid as finds"] += row.awarded > 10
            continue
        found["finds"] += 1
        if row.truth != "offensive":
            found["finds, not seen by the judges"] += 1
        elif row.place in ("repeat", "unpaid"):
            found["finds, taken for repeats"] += 1
        elif not row.final:
            found["finds, not final"] += 1
    return found


def table_of(play):
    """One line a person, from the ledger alone: hours, final points, what stands on each account."""
    rows = {}
    for name, who in play.cast.items():
        where = play.square.other if name in GUESTS else "main"
        lines = lines_of(where, name)
        hours = who.hours
        rows[name] = {
            "hours": round(hours, 2),
            "did": dict(who.did),
            "final": final_points(lines),
            "an hour": round(final_points(lines) / hours) if hours else 0,
            "lines": lines,
            "payouts": states_of(name),
        }
    return rows


def check_ledger(play, rows, *, whole=True):
    """The books are sound, no cheat has more than an honest hour, the honest have all that was due.

    Of a few minutes there are too few finds to compare players.
    """
    assert check_books().problems == ()
    for name in OFFICE:
        assert rows[name]["lines"] == {}, name
    of_judges = median(rows[name]["an hour"] for name in JUDGES)
    of_players = median(rows[name]["an hour"] for name in PLAYERS)
    assert rows["clive"]["final"] == 0
    assert play.refusals["mallory"] > 20 < play.refusals["otto"]
    for name in ("sally", "cora") if whole else ():
        assert rows[name]["an hour"] < of_players, (name, rows[name], of_players)
    for name in FRIENDS if whole else ():
        assert rows[name]["an hour"] <= 1.01 * of_judges, (name, rows[name])
    for name in ("jude", "jill"):  # whose organiser asked again, closed, and refused to pay
        assert rows[name]["final"] == 100 * rows[name]["did"]["votes"], name
    assert "held" not in rows["pat"]["lines"] or not sum(rows["pat"]["lines"]["held"].values())
    stopped = set(
        Judge.objects.filter(campaign=play.square.campaign, stopped=True).values_list("user__username", flat=True)
    )  # fmt: skip
    assert (
        "clive" in stopped or not whole
    )  # of few gold cases enough are wrong for him to go unpaid
    for name in set(JUDGES) - stopped:
        mine = Vote.objects.filter(reviewer=name, case__ruling__campaign=play.square.campaign)
        assert mine.count() == rows[name]["did"]["votes"]
        assert rows[name]["final"] == 100 * mine.count(), name


def play_it(square, monkeypatch, chromium=None):
    """Live through it; the rows of the table, and what else was seen."""
    with Serving(list(square.people.values())) as serving, ThreadPoolExecutor(1) as aside:
        play = Play(square, serving, monkeypatch, aside)

        def all_of_it(pages):
            referred = live(play, pages)
            return referred, pay_out(play)

        if chromium is None:
            referred, saw = all_of_it({})
        else:
            with sync_playwright() as playing:
                browser = playing.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
                pages = {name: browser.new_context().new_page() for name in IN_BROWSERS}
                referred, saw = all_of_it(pages)
                browser.close()
        for who in play.cast.values():
            who.window.close()
        aside.submit(connections.close_all).result()
    rows = table_of(play)
    print(json.dumps(rows, indent=1))  # noqa: T201 - the table
    fates = {name: dict(fate_of(square, name)) for name in (*PLAYERS, "pat")}
    print(json.dumps({"fates": fates, "referred": referred, "refused": dict(play.refusals)}))  # noqa: T201
    print(saw[:1500])  # noqa: T201
    print({name: who.told[-1:] for name, who in play.cast.items() if who.told})  # noqa: T201
    return play, rows


@pytest.mark.soak
def test_a_red_afternoon_pays_who_is_honest(square, monkeypatch, chromium):
    check_ledger(*play_it(square, monkeypatch, chromium), whole=HOURS >= 0.3)


@pytest.mark.soak
def test_the_same_by_http_alone(square, monkeypatch):
    check_ledger(*play_it(square, monkeypatch), whole=HOURS >= 0.3)
