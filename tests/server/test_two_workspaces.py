"""Two workspaces on one server: nobody of one reads, moves, reserves or promises anything of the other."""

from __future__ import annotations

import json

import pytest
from django.db import connection, transaction
from django.test import Client
from hypothesis import HealthCheck, Phase, given, settings, strategies as st

from askpoint.arena.game.transaction import LedgerAccount
from askpoint.arena.server.ledger.services import balance_of
from askpoint.arena.server.payouts import services as payouts
from askpoint.arena.server.payouts.models import Payout
from askpoint.arena.server.payouts.services import people_of
from askpoint.server.accounts.seats import seat_in
from askpoint.server.books import check_books
from askpoint.server.workspaces.models import In
from server.matrix import API, ROUTES
from server.neighbours import OTHERS, Neighbours
from server.stage import TITLE, Stage

_OBJECTS = ("{campaign}", "{classifier}", "{agent}", "{report}", "{workspace}")
_FORM = "application/x-www-form-urlencoded"


class Street(Stage):
    """The stage, with hostile neighbours."""

    def __init__(self, monkeypatch):
        super().__init__(monkeypatch)
        self.street = Neighbours(self)


@pytest.fixture
def street(build, tmp_path, monkeypatch):
    """Two workspaces on SQLite."""
    with build(Street).again(tmp_path, monkeypatch) as stage:
        yield stage.street


@pytest.fixture(params=["sqlite", "emptied_postgres"], ids=["sqlite", "postgres"])
def both_streets(request, monkeypatch):
    """Two workspaces on each database."""
    if request.param == "sqlite":
        return request.getfixturevalue("street")
    request.getfixturevalue(request.param)
    return Street(monkeypatch).street


def fill(template, street, *, theirs=False):
    """Fill an address in with what is of the stage's workspace, or of the neighbours' own."""
    values = {
        "campaign": street.campaign if theirs else street.stage.id,
        "classifier": street.used_there if theirs else street.used,
        "agent": "none" if theirs else street.agent,
        "workspace": street.where if theirs else "main",
        "case": street.case,
        "ticket": "none",
        "name": street.case,
        "report": "report",
        "number": street.batch,
        "person": 1,
        "kind": "csv",
        "key": 1,
        "token": "none",
        "uidb36": "1",
        "provider_id": "nobody",
    }
    if "statement" in template:
        values["name"] = "ann"
    return template.format(**values)


def enter(street, name):
    browser = Client()
    browser.force_login(street.people[name])
    return browser


@pytest.mark.parametrize("name", OTHERS)
def test_every_address_of_another_workspace_is_not_there_for_anybody_of_this_one(name, street):
    browser, before, walked = enter(street, name), street.digest(), 0
    for route in ROUTES.values():
        if not any(it in route.address for it in _OBJECTS) and "statement" not in route.address:
            continue
        path = fill(route.address, street)
        for method in ("GET", "POST"):
            answer = browser.generic(
                method, path, data=b"name=alice&action=bar", content_type=_FORM
            )
            assert answer.status_code in (404, 405), (method, path, answer.status_code)
            assert TITLE.encode() not in answer.content
            walked += 1
    for request in API:
        method, template = request.split()
        if name in street.tokens and any(it in template for it in _OBJECTS):
            answer = ask(street, name, method, fill(template, street), b"{}")
            # 403 of a token for another role, 422 of a body that no role may send; 401 of a signature
            assert answer.status_code in (401, 403, 404, 405, 422), (request, answer.status_code)
            assert TITLE.encode() not in answer.content
            walked += 1
    assert walked > 100
    assert street.digest() == before


def ask(street, name, method, path, body):
    """Ask the API with somebody's token."""
    headers = {"Authorization": f"Bearer {street.tokens.get(name, 'none')}", "Idempotency-Key": "k"}
    more = {} if method == "GET" else {"data": body, "content_type": "application/json"}
    return Client().generic(method, path, headers=headers, **more)


@pytest.mark.parametrize("name", ["mallory", "otto", "walt"])
def test_pages_without_an_object_name_nothing_of_another_workspace(name, street):
    browser = enter(street, name)
    for path in ("/", "/log/", "/log/log.csv", "/payouts/", "/webhooks/", "/run/", "/reports/"):
        answer = browser.get(path)
        content = answer.getvalue() if answer.streaming else answer.content
        for word in (TITLE, "hooks.example.org/main", street.planned, "Posts that hate", "ann"):
            assert f">{word}<".encode() not in content, (path, word)
            assert word == "ann" or word.encode() not in content, (path, word)


def test_a_shared_person_has_an_account_in_each_and_each_sees_its_own(street):
    file = enter(street, "mallory").get("/payouts/statement/alice.csv")
    lines = b"".join(file.streaming_content).decode()
    assert "700" in lines
    assert "5000" not in lines
    alice = Client()
    alice.force_login(street.stage.alice)
    page = alice.get("/points/").content.decode()
    assert "Main" in page
    assert "Other" in page
    before = balance_of("main", LedgerAccount("earned", "alice"))
    alice.post("/payouts/withdraw/", {"workspace": street.where})
    assert balance_of("main", LedgerAccount("earned", "alice")) == before
    assert Payout.within(street.where).get(payee="alice").points == 700
    refused = alice.post("/payouts/withdraw/", follow=True).content.decode()
    assert "accounts in the workspaces main, other" in refused
    unknown = alice.post("/payouts/withdraw/", {"workspace": "none"}, follow=True)
    assert "no account in a workspace" in unknown.content.decode()


def test_a_receipt_for_a_payout_of_another_workspace_confirms_nothing(street):
    before = street.digest()
    everybody = people_of(seat_in("main", street.ada)) | {"alice", "ann"}
    count, wrong = payouts.receive(street.where, [(street.sending, "bank 1")], everybody)
    assert (count, wrong) == (0, [f"there is no payout {street.sending!r}"])
    assert street.digest() == before


class Payer:
    """Pays whatever it is asked to."""

    name, most = "payer", 100

    def __init__(self) -> None:
        self.paid = []

    def set_up(self, dues):
        self.paid += dues
        return "batch"

    def pay(self, _):
        pass

    def look_up(self, _, dues):
        return {due.id: True for due in dues}


def test_a_payment_run_pays_the_plans_of_its_own_workspace_alone(street):
    before, payer = street.digest(), Payer()
    mine = payouts.withdraw(street.where, street.people["pat"])
    assert payouts.pay_out(street.where, payer) == 1
    assert [due.id for due in payer.paid] == [mine.pk]
    assert street.digest() == before
    assert check_books().problems == ()


def test_the_pages_see_through_a_manager_that_forgets_its_workspace(street, monkeypatch):
    """The walk can fail: without the filter the neighbours' payouts page lists what is another's."""
    monkeypatch.setattr(In, "__call__", lambda self, _: self.get_queryset())
    page = enter(street, "mallory").get("/payouts/").content.decode()
    assert street.planned in page


_WORDS = [
    "plan",
    "hand-out",
    "receive",
    "prolific",
    "token",
    "paid",
    "not-paid",
    "cancel",
    "bar",
    "readmit",
    "ask-again",
    "remove",
    "add",
    "return",
    "open",
    "close",
    "simulate",
    "add-owner",
    "invite",
    "withdraw",
    "share",
    "unshare",
    "delete",
    "again",
]


_FIELDS = [
    "action",
    "name",
    "role",
    "workspace",
    "payout",
    "reference",
    "points",
    "choice",
    "case",
    "remove",
    "withdraw",
    "share",
    "unshare",
    "campaign",
    "part",
    "study",
    "token",
    "key",
    "invite",
    "rights",
    "pays",
    "share_cents",
    "number",
    "label",
    "note",
    "title",
    "send",
]


def actions():
    """What somebody of the other workspace may send: any address, any form, names and keys of both."""
    field = st.sampled_from(_FIELDS)
    return st.tuples(
        st.sampled_from(sorted(OTHERS)),
        st.sampled_from(sorted(ROUTES) + sorted(API)),
        st.booleans(),
        st.booleans(),
        st.dictionaries(field, st.integers(0, 40), max_size=5),
    )


def word(street, field, number):
    """Return what stands in a field: names, keys and ids of both workspaces, or a word of a form."""
    values = {
        "name": ["alice", "ann", "bob", "olga", "ada", "pat", "jude"],
        "role": ["player", "judge", "colleague", "organiser", "owner", "watcher", "reviewer"],
        "part": ["owner", "reviewer", "viewer"],
        "workspace": ["main", street.where],
        "payout": [street.planned, street.sending],
        "case": [street.case, "none"],
        "points": ["7", "-7", "100000"],
        "choice": ["clean", "offensive"],
        "campaign": [street.stage.id, street.campaign],
        "share": [street.stage.id, street.campaign],
        "unshare": [street.stage.id, street.campaign],
        "remove": ["alice", "olga", "ada", "ben", "otto"],
        "withdraw": [str(street.link), "1"],
        "study": ["study7"],
        "token": ["stolen"],
        "share_cents": ["5", ""],
    }.get(field, _WORDS)
    return values[number % len(values)]


def act(street, browsers, action):
    """Send what an action says."""
    name, target, sends, theirs, given = action
    if target == "sign-out":
        return
    said = {field: word(street, field, number) for field, number in given.items()}
    if target in ROUTES:
        path, browser = fill(ROUTES[target].address, street, theirs=theirs), browsers[name]
        answer = browser.post(path, said) if sends else browser.get(path, said)
    else:
        method, template = target.split()
        answer = ask(
            street, name, method, fill(template, street, theirs=theirs), json.dumps(said).encode()
        )
    assert answer.status_code != 500
    if answer.streaming:
        answer.getvalue()


def walk(street, n_examples, n_steps):
    """Let the neighbours do what they like, many times from the same beginning."""
    before, browsers = street.digest(), {name: enter(street, name) for name in OTHERS}

    @settings(
        max_examples=n_examples,
        deadline=None,
        database=None,
        derandomize=True,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    @given(st.lists(actions(), min_size=n_steps, max_size=n_steps))
    def hold(taken):
        with transaction.atomic():
            for action in taken:
                act(street, browsers, action)
            if connection.vendor == "postgresql":
                with connection.cursor() as cursor:
                    cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            after = street.digest()
            problems = check_books().problems
            transaction.set_rollback(True)
        assert after == before
        assert problems == ()

    hold()


def test_nothing_that_neighbours_send_moves_anything_of_another_workspace(both_streets):
    walk(both_streets, 8, 40)


@pytest.mark.whole
def test_nothing_that_neighbours_send_in_2000_steps_moves_anything(both_streets):
    walk(both_streets, 50, 40)


@pytest.mark.soak
def test_nothing_that_neighbours_send_moves_anything_in_long(both_streets):
    walk(both_streets, 1_250, 40)  # 50,000 on each database
