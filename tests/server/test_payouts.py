"""The outbox: whatever a provider does and wherever a process is killed, nobody is paid twice."""

from __future__ import annotations

import json
import os
import random
import signal
import threading
from collections import Counter
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connections, transaction
from django.utils import timezone

from askpoint.arena.game.payout import SILENCE
from askpoint.arena.game.transaction import LedgerAccount, transfer
from askpoint.arena.server.ledger.services import balance_of, post
from askpoint.arena.server.payouts import services
from askpoint.arena.server.payouts.models import Batch, Payout
from askpoint.arena.server.payouts.providers import Due, LostError, Prolific, RefusedError
from askpoint.arena.server.rulings.pools import join
from askpoint.errors import RuleError
from askpoint.server.accounts.models import User
from askpoint.server.books import check_books
from askpoint.server.workspaces.services import first_workspace
from server.stage import organiser

TOKEN = "x" * 12


class Killed(BaseException):
    """As if the process had gone: nothing catches it."""


class Fake:
    """A provider that keeps its own book, and delays, fails, and loses replies by chance."""

    name, most = "fake", 3

    def __init__(self, seed=0, kill=0.0, lose=0.0, fail=0.0, blind=0.0):
        self.rng = random.Random(seed)
        self.kill, self.lose, self.fail, self.blind = kill, lose, fail, blind
        self.batches: dict[str, list[Due]] = {}
        self.paid: Counter[str] = Counter()

    def chance(self, share):
        return self.rng.random() < share

    def set_up(self, dues):
        reference = f"batch-{len(self.batches) + 1}"
        self.batches[reference] = list(dues)
        if self.chance(self.kill):
            raise Killed
        if self.chance(self.lose):
            raise LostError("no answer")
        return reference

    def pay(self, reference):
        if self.chance(self.kill):
            raise Killed  # before anything was paid
        if self.chance(self.fail):
            raise RefusedError("not today")
        if not self.chance(self.lose / 2):  # else the request itself was lost
            self.paid.update(due.id for due in self.batches[reference])
        if self.chance(self.kill):
            raise Killed  # paid, and nobody was told
        if self.chance(self.lose):
            raise LostError("the reply was lost")
        if any(due.id not in self.paid for due in self.batches[reference]):
            raise LostError("no answer")

    def look_up(self, _, dues):
        if self.chance(self.kill):
            raise Killed
        return {due.id: None if self.chance(self.blind) else due.id in self.paid for due in dues}


def give(points):
    """Let people have earned, from nowhere."""
    with transaction.atomic():
        for name, amount in points.items():
            User.objects.get_or_create(username=name)
            funding, earned = LedgerAccount("funding", "test"), LedgerAccount("earned", name)
            gift = transfer(f"gift/{name}", timezone.now(), amount, funding, earned, "gift")
            post(first_workspace().pk, gift)


def everybody():
    return set(User.objects.values_list("username", flat=True))


def run(provider, rounds=60):
    """Work as the background does, started again after each kill."""
    kills = 0
    for _ in range(rounds):
        try:
            services.pay_out("main", provider)
        except Killed:
            kills += 1
    return kills


def check(provider):
    """Nobody was paid twice; who counts as sent was paid; what is unclear is held."""
    assert not [name for name, count in provider.paid.items() if count > 1]
    for row in Payout.objects.all():
        if row.state == "sent":
            assert provider.paid[row.pk] == 1, row.pk
        if row.state in ("planned", "cancelled"):
            assert provider.paid[row.pk] == 0, row.pk
    assert [it for it in check_books().problems if "payouts:" in it or "balance:" in it] == []


PEOPLE = {f"person-{number}": 1000 + 50 * number + number for number in range(8)}


@pytest.mark.parametrize("seed", range(4))
def test_kills_and_lost_replies_pay_nobody_twice(sqlite, seed):
    give(PEOPLE)
    assert services.plan_all("main", everybody()) == 8
    provider = Fake(seed, kill=0.3, lose=0.3, fail=0.1, blind=0.2)
    kills = run(provider)
    assert kills
    check(provider)
    assert set(Payout.objects.values_list("state", flat=True)) <= {"sent", "unknown", "cancelled"}
    for row in Payout.objects.filter(state="unknown"):
        paid = provider.paid[row.pk] == 1  # somebody asks the provider
        services.decide_payout(
            "main", row.pk, "paid" if paid else "not-paid", "asked by phone", people=everybody()
        )
    run(Fake())
    for name, points in PEOPLE.items():  # the points of a refused payout are theirs again
        cancelled = sum(row.points for row in Payout.objects.filter(payee=name, state="cancelled"))
        assert balance_of("main", LedgerAccount("earned", name)) == points % 50 + cancelled


def test_nothing_and_less_than_a_cent_stay_on_the_account(sqlite):
    give({"alice": 49, "bob": 50})
    assert services.plan_all("main", everybody()) == 1
    with pytest.raises(RuleError, match="0 whole cents"):
        services.withdraw("main", User.objects.get(username="alice"))
    assert dict(services.balances_of("main", everybody())) == {"alice": 49}


def test_of_racing_withdrawals_one_gets_the_money(both):
    give({"alice": 5030})
    alice, done = User.objects.get(username="alice"), Counter()

    def take():
        try:
            services.withdraw("main", alice)
        except RuleError:
            done["refused"] += 1
        else:
            done["paid"] += 1

    threads = [threading.Thread(target=both.in_thread(take)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert done == {"paid": 1, "refused": 7}
    assert balance_of("main", LedgerAccount("earned", "alice")) == 30
    assert Payout.objects.get().cents == 100


def test_a_list_is_paid_by_hand_and_its_receipts_come_back(stage, enter):
    give({"alice": 5030, "=bob": 1000, "a stranger": 70})
    join(stage.id, User.objects.get(username="=bob"), "player")
    alice, olga = enter(stage.alice), enter(stage.olga)
    assert b"Withdraw 100 cents" in alice.get("/points/").content
    assert b"100 cents are on their way" in alice.post("/payouts/withdraw/", follow=True).content
    olga.post("/payouts/", {"action": "plan"})
    assert (
        b"pay it, and upload the receipts"
        in olga.post("/payouts/", {"action": "hand-out"}, follow=True).content
    )
    path = f"/payouts/{Batch.objects.get().pk}.csv"
    assert alice.get(path).status_code == 404
    organiser("charlie")
    charlie = enter(User.objects.get(username="charlie"))  # organises, and not this campaign
    assert charlie.get(path).status_code == 404
    assert b"alice" not in charlie.get("/payouts/").content
    assert b"stranger" not in olga.get("/payouts/").content
    lines = b"".join(olga.get(path).streaming_content).decode().splitlines()
    assert lines[0] == "payout,person,participant,amount,reference"
    assert sorted(line.split(",", 1)[1] for line in lines[1:]) == ["'=bob,,0.20,", "alice,,1.00,"]
    assert set(Payout.objects.values_list("state", flat=True)) == {"sending"}
    mine = Payout.objects.get(payee="alice")

    def bring(text):
        file = SimpleUploadedFile("receipts.csv", text.encode())
        return olga.post("/payouts/", {"action": "receive", "file": file}, follow=True).content

    assert b"0 payouts are confirmed" in bring("\n".join(lines))  # no references in it
    told = "\n".join(line + "bank-7" if "alice" in line else line for line in lines)
    assert b"1 payouts are confirmed" in bring(told)
    assert b"0 payouts are confirmed" in bring(told)  # the same file again
    assert b"There is no payout" in bring("payout,reference\nnobody,x\n")
    assert b"the columns payout and reference" in bring("a,b\n1,2\n")
    mine.refresh_from_db()
    assert (mine.state, mine.reference) == ("said-paid", "bank-7")
    asked = alice.get("/points/").content.decode()
    assert "Has it come?" in asked
    charlie.post("/payouts/answer/", {"payout": mine.pk, "came": "yes"})  # is not asked
    mine.refresh_from_db()
    assert mine.state == "said-paid"
    alice.post("/payouts/answer/", {"payout": mine.pk, "came": "yes"})
    mine.refresh_from_db()
    assert mine.state == "sent"
    other = Payout.objects.get(payee="=bob")
    olga.post("/payouts/", {"action": "not-paid", "payout": other.pk})
    olga.post("/payouts/", {"action": "cancel", "payout": other.pk})
    assert balance_of("main", LedgerAccount("earned", "=bob")) == 1000
    assert (
        b"becomes"
        in olga.post("/payouts/", {"action": "cancel", "payout": mine.pk}, follow=True).content
    )
    page = alice.get("/points/").content.decode()
    assert "100 cents" in page
    assert services.completion_code(stage.alice, stage.id) in page
    assert services.completion_code(stage.ann, stage.id) not in page
    statement = b"".join(olga.get("/payouts/statement/alice.csv").streaming_content).decode()
    assert "payout" in statement
    assert [it for it in check_books().problems if it.startswith("payouts")] == []


def by_hand(name, points=5_000):
    """A payout that somebody says to have paid by hand."""
    give({name: points})
    row = services.withdraw("main", User.objects.get(username=name))
    services.hand_out("main", {name})
    assert services.receive("main", [(row.pk, "bank 1")], {name}) == (1, [])
    return row


def test_a_payee_disputes_and_an_owner_decides(stage, enter):
    ada = enter(organiser("ada", role="owner"))
    rows = {name: by_hand(name) for name in ("alice", "ann", "bob")}
    for name, row in rows.items():
        enter(getattr(stage, name)).post("/payouts/answer/", {"payout": row.pk, "came": "no"})
        assert balance_of("main", LedgerAccount("disputed", name)) == 5_000
        assert balance_of("main", LedgerAccount("paying", name)) == 0
    give({"beth": 100})
    services.withdraw("main", stage.beth)
    with pytest.raises(RuleError, match="3 people say"):
        services.hand_out("main", {"beth"})
    assert check_books().problems == ()
    olga = enter(stage.olga)
    refused = olga.post("/payouts/", {"action": "paid", "payout": rows["bob"].pk}, follow=True)
    assert "An owner of the workspace decides" in refused.content.decode()
    assert "Give the points back" not in olga.get("/payouts/").content.decode()
    assert "Give the points back" in ada.get("/payouts/").content.decode()
    ada.post("/payouts/", {"action": "not-paid", "payout": rows["bob"].pk})
    ada.post("/payouts/", {"action": "paid", "payout": rows["ann"].pk})
    assert balance_of("main", LedgerAccount("earned", "bob")) == 5_000
    assert balance_of("main", LedgerAccount("paid", "ann")) == 5_000
    assert services.hand_out("main", {"beth"}) is not None
    assert check_books().problems == ()


def test_who_says_nothing_for_two_weeks_has_been_paid(database):
    early, late = by_hand("alice"), by_hand("ben")
    Payout.objects.filter(pk=early.pk).update(at=timezone.now() - SILENCE)
    assert services.settle_silent() == 1
    states = dict(Payout.objects.values_list("pk", "state"))
    assert states == {early.pk: "sent", late.pk: "said-paid"}
    assert balance_of("main", LedgerAccount("paid", "alice")) == 5_000
    assert check_books().problems == ()


def test_a_clock_that_is_set_back_confirms_nothing_early_and_pays_nobody_twice(
    database, monkeypatch
):
    real = timezone.now
    give({"alice": 5_000})
    alice = User.objects.get(username="alice")
    row = services.withdraw("main", alice)
    monkeypatch.setattr(timezone, "now", lambda: real() - 2 * SILENCE)
    services.hand_out("main", {"alice"})
    assert services.receive("main", [(row.pk, "bank 1")], {"alice"}) == (1, [])
    assert services.receive("main", [(row.pk, "bank 1")], {"alice"})[0] == 0
    with pytest.raises(RuleError):
        services.withdraw("main", alice)
    assert services.settle_silent() == 0
    monkeypatch.setattr(timezone, "now", real)  # it is right again: her two weeks only begin
    assert services.settle_silent() == 0
    monkeypatch.setattr(timezone, "now", lambda: real() + SILENCE)
    assert services.settle_silent() == 1
    assert services.settle_silent() == 0
    assert balance_of("main", LedgerAccount("paid", "alice")) == 5_000
    assert check_books().problems == ()


class Wire:
    """Prolific, as its documentation has it: set up, pay once, list submissions."""

    def __init__(self):
        self.asked, self.bonuses, self.answers = [], [], {}

    def __call__(self, method, path, body):
        self.asked.append((method, path, body))
        if path in self.answers:
            answer = self.answers[path]
            if isinstance(answer, Exception):
                raise answer
            return answer
        if path == "submissions/bonus-payments/":
            return 201, b'{"id": "b1", "total_amount": 30}'
        if path.startswith("studies/"):
            results = [{"participant_id": "p1", "bonus_payments": self.bonuses}]
            return 200, json.dumps({"results": results}).encode()
        return 202, b""


def test_prolific_is_set_up_first_paid_once_and_looked_up_when_the_answer_is_lost(sqlite):
    give({"alice": 1500, "ben": 5000})
    User.objects.filter(username="alice").update(participant="p1")
    services.plan_all("main", everybody())
    wire = Wire()
    wire.answers["bulk-bonus-payments/b1/pay/"] = TimeoutError()
    wire.bonuses = [30]
    assert services.pay_out("main", Prolific("study", wire)) == 1
    assert wire.asked[0][2] == {"study_id": "study", "csv_bonuses": "p1,0.30"}
    assert [path for _, path, _ in wire.asked].count("bulk-bonus-payments/b1/pay/") == 1
    assert Payout.objects.get(payee="alice").state == "sent"
    assert Payout.objects.get(payee="ben").state == "planned"  # nobody knows him there
    with transaction.atomic():
        gift = transfer(
            "more",
            timezone.now(),
            1500,
            LedgerAccount("funding", "t"),
            LedgerAccount("earned", "alice"),
            "g",
        )
        post("main", gift)
    services.plan_all("main", everybody())
    services.pay_out(
        "main", Prolific("study", wire)
    )  # lost again, and one payment of 30 is the first one
    assert Payout.objects.filter(payee="alice", state="unknown").count() == 1


def test_the_token_goes_where_it_was_meant_to_and_no_further(monkeypatch):
    """A name that leads into this machine is refused before anything is sent, as is a redirect."""
    seen = []

    class Stand(BaseHTTPRequestHandler):
        def do_GET(self):
            seen.append(self.headers["Authorization"])
            self.send_response(307)
            self.send_header("Location", self.server.elsewhere)
            self.end_headers()

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Stand) as stand:
        threading.Thread(target=stand.serve_forever, args=(0.01,), daemon=True).start()
        stand.elsewhere = f"http://127.0.0.1:{stand.server_port}/again"
        monkeypatch.setenv("ASKPOINT_PROLIFIC_URL", f"http://localhost:{stand.server_port}/")
        with pytest.raises(RefusedError, match="not asked"):
            Prolific("study", token=TOKEN)._ask("GET", "x", None)
        assert seen == []
        monkeypatch.setenv("ASKPOINT_PROLIFIC_URL", f"http://127.0.0.1:{stand.server_port}/")
        with pytest.raises(LostError, match="307"):
            Prolific("study", token=TOKEN)._ask("GET", "x", None)
        assert seen == [f"Token {TOKEN}"]
        stand.shutdown()
    with pytest.raises(LostError):  # nobody listens any more
        Prolific("study", token=TOKEN)._ask("GET", "x", None)


@pytest.mark.parametrize(
    ("path", "answer", "state"),
    [
        ("submissions/bonus-payments/", (400, b""), "cancelled"),
        ("submissions/bonus-payments/", (201, b"{}"), "cancelled"),
        ("submissions/bonus-payments/", (502, b""), "planned"),
        ("bulk-bonus-payments/b1/pay/", (403, b""), "cancelled"),
        ("bulk-bonus-payments/b1/pay/", (500, b""), "unknown"),
        ("bulk-bonus-payments/b1/pay/", (202, b""), "sent"),
    ],
)
def test_each_answer_of_prolific_leads_to_its_state(sqlite, path, answer, state):
    give({"alice": 1500})
    User.objects.filter(username="alice").update(participant="p1")
    services.plan_all("main", everybody())
    wire = Wire()
    wire.answers[path] = answer
    services.pay_out("main", Prolific("study", wire))
    assert Payout.objects.get().state == state
    assert balance_of("main", LedgerAccount("earned", "alice")) == (
        1500 if state == "cancelled" else 0
    )


def lost(bonuses):
    """Alice's payout of 30 cents, whose answer was lost, and what Prolific shows then."""
    give({"alice": 1500})
    User.objects.filter(username="alice").update(participant="p1")
    services.plan_all("main", everybody())
    wire = Wire()
    wire.answers["bulk-bonus-payments/b1/pay/"] = TimeoutError()
    wire.bonuses = bonuses
    services.pay_out("main", Prolific("study", wire))
    return wire, Payout.objects.get()


@pytest.mark.parametrize(
    "bonuses", [[30, 30], [31], [3000], []], ids=["twice", "more", "far more", "never"]
)
def test_what_a_provider_paid_otherwise_is_for_a_person_to_decide(sqlite, bonuses):
    wire, row = lost(bonuses)
    assert row.state == "unknown"
    for _ in range(3):  # however often it is asked for
        services.plan_all("main", everybody())
        services.pay_out("main", Prolific("study", wire))
    assert [path for _, path, _ in wire.asked].count("bulk-bonus-payments/b1/pay/") == 1
    assert balance_of("main", LedgerAccount("earned", "alice")) == 0
    assert balance_of("main", LedgerAccount("paying", "alice")) == 1500


def test_what_a_provider_pays_late_counts_once_a_person_has_looked(sqlite):
    wire, row = lost([])
    wire.bonuses = [30]  # a day later
    services.pay_out("main", Prolific("study", wire))
    assert Payout.objects.get().state == "unknown"
    services.decide_payout("main", row.pk, "paid", "seen at Prolific", people=everybody())
    assert Payout.objects.get().state == "sent"
    with pytest.raises(RuleError):
        services.decide_payout("main", row.pk, "not-paid", people=everybody())
    assert check_books().problems == ()


@pytest.mark.parametrize("amount", [29, 3000, "30", None])
def test_a_payment_that_was_set_up_for_another_amount_is_not_made(sqlite, amount):
    give({"alice": 1500})
    User.objects.filter(username="alice").update(participant="p1")
    services.plan_all("main", everybody())
    wire = Wire()
    wire.answers["submissions/bonus-payments/"] = (
        201,
        json.dumps({"id": "b1", "amount": amount}).encode(),
    )
    services.pay_out("main", Prolific("study", wire))
    assert [path for _, path, _ in wire.asked] == ["submissions/bonus-payments/"]
    assert Payout.objects.get().state == "cancelled"
    assert balance_of("main", LedgerAccount("earned", "alice")) == 1500


class Ledgered(Fake):
    """The same with a book on disk, in a process that is ended by kill -9 at the same points."""

    def __init__(self, path, seed):
        super().__init__(seed, kill=0.4, lose=0.2, fail=0.02, blind=0.02)
        self.path = path
        path.touch()
        self.paid = _Lines(path)
        self.batches = _Lines.batches(path)

    def chance(self, share):
        if share == self.kill and self.rng.random() < share:
            os.kill(os.getpid(), signal.SIGKILL)
        return share != self.kill and super().chance(share)

    def set_up(self, dues):
        super().set_up(dues)
        reference = _Lines.keep(self.path, dues)
        self.batches = _Lines.batches(self.path)
        return reference


class _Lines(Counter):
    """What a file says was paid; an update is written through before anything else happens."""

    def __init__(self, path=None):
        super().__init__(path.read_text().split() if path else ())
        self.path = path

    def update(self, iterable=(), **named):
        names = list(iterable)
        super().update(names, **named)
        if getattr(self, "path", None) is not None and names:
            with self.path.open("a") as file:
                file.write("\n".join(names) + "\n")
                file.flush()
                os.fsync(file.fileno())

    @staticmethod
    def batches(path):
        whole = path.with_suffix(".batches")
        found = json.loads(whole.read_text()) if whole.exists() else {}
        return {name: [Due(*due) for due in dues] for name, dues in found.items()}

    @staticmethod
    def keep(path, dues):
        whole = path.with_suffix(".batches")
        found = json.loads(whole.read_text()) if whole.exists() else {}
        reference = f"batch-{len(found) + 1}"
        whole.write_text(json.dumps({**found, reference: dues}))
        return reference


@pytest.mark.soak
def test_two_hundred_processes_are_killed_and_nobody_is_paid_twice(both, tmp_path):
    kills = people = 0
    book = tmp_path / "paid"
    for seed in range(2000):
        if kills >= 200:
            break
        if not Payout.objects.filter(state__in=["planned", "sending", "lookup"]).exists():
            give({f"person-{people + number}": 1000 + number for number in range(30)})
            people += 30
            services.plan_all("main", everybody())
        connections.close_all()
        child = os.fork()
        if not child:
            provider = Ledgered(book, seed)
            for _ in range(5):
                services.pay_out("main", provider)
            os._exit(0)
        kills += os.WIFSIGNALED(os.waitpid(child, 0)[1])
    assert kills >= 200
    last = Fake()
    last.paid, last.batches = Counter(book.read_text().split()), _Lines.batches(book)
    run(last, 200)
    check(last)
    states = Counter(Payout.objects.values_list("state", flat=True))
    print(f"{kills} kills, {people} people, {dict(states)}")  # noqa: T201 - the figures


@pytest.mark.soak
def test_sixty_four_withdrawals_race_two_hundred_times(both):
    for number in range(200):
        name = f"racer-{number}"
        give({name: 5030})
        user, paid = User.objects.get(username=name), []

        def take(user=user, paid=paid):
            with suppress(RuleError):
                paid.append(services.withdraw("main", user))

        threads = [threading.Thread(target=both.in_thread(take)) for _ in range(64)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(paid) == 1
        assert balance_of("main", LedgerAccount("earned", name)) == 30
