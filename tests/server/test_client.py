"""The client: each request of the API is a method, and what it returns is what the document says."""

from __future__ import annotations

import json
import pkgutil
import re
import types
from dataclasses import fields, is_dataclass, make_dataclass, replace
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import httpx
import pytest
from django.core.wsgi import get_wsgi_application
from hypothesis import given, settings, strategies as st
from pydantic import TypeAdapter
from typing_extensions import is_typeddict

from askpoint import InputError, ModelError, RuleError, ServerError, wire
from askpoint.arena import wire as arena_wire
from askpoint.arena.client.arena_client import ArenaClient
from askpoint.arena.server.judges import services as judging
from askpoint.arena.server.players import services as playing
from askpoint.client import connection, decoding
from askpoint.client.decoding import decode_record
from askpoint.server.api.json_api import api
from askpoint.server.api.tokens import make_token
from askpoint.wire.fields import Length
from askpoint.wire.token_account import TokenAccount
from server.matrix import API
from server.serving import Serving

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture
def clients(stage):
    """A client of each role, in this process."""
    through = httpx.WSGITransport(get_wsgi_application(), raise_app_exceptions=False)
    found = {}
    for role, user in (("organiser", stage.olga), ("player", stage.alice), ("judge", stage.bob)):
        token = make_token(user, role, label="x", scope="write")[1]
        found[role] = ArenaClient("http://localhost", token, transport=through)
    return found


def test_a_campaign_by_three_programs(stage, clients, monkeypatch):
    olga, alice, bob = clients.values()
    asked = set()
    monkeypatch.setattr(connection, "_PART", 2)

    def note(client):
        client._connection.http.event_hooks["request"].append(
            lambda request: asked.add(f"{request.method} {request.url.path}")
        )

    for client in clients.values():
        note(client)
    assert [it.id for it in alice.campaigns()] == [stage.id]
    assert alice.rules(stage.id).most == 1310
    tried = alice.try_case(stage.id, "you are not from here", key="one")
    assert alice.try_case(stage.id, "you are not from here", key="one") == tried
    assert alice.submit(stage.id, tried.id).state == "submitted"
    aside = alice.try_case(stage.id, "put aside")
    assert alice.drop(stage.id, aside.id).state == "tried"
    assert bob.held_case(stage.id) is None
    held = bob.claim(stage.id)
    assert held == bob.held_case(stage.id)
    bob.rest(stage.id, held.id)
    assert bob.claim(stage.id) == replace(held, until=bob.held_case(stage.id).until)
    bob.vote(stage.id, held.id, "clean")
    stage.vote("beth", "clean")
    assert alice.appeal(stage.id, tried.id, "read it again").ruling == "appealed"
    waits = next(olga.cases(stage.id, waiting=True))
    assert [vote.judge for vote in waits.votes] == ["bob", "beth"]
    assert isinstance(waits.votes[0].at, datetime)
    assert next(olga.rulings(stage.id, "appealed")).id == tried.id
    assert olga.decide(stage.id, tried.id, "offensive").state == "final"
    assert alice.own_case(stage.id, tried.id).awarded == 910
    assert len(list(alice.own_cases(stage.id))) == 2
    assert alice.withdraw(key="pay") == alice.withdraw(key="pay") == next(alice.payouts())
    assert sum(line.points for line in alice.statement()) == alice.account().balances["main"] == 10
    for _ in range(3):
        stage.submit(f"more to look at: {_}, and so on", "ann")
    assert len(list(olga.cases(stage.id))) == 4  # over several parts
    ledger = list(olga.ledger(stage.id))
    assert all(sum(entry.points for entry in it.entries) == 0 for it in ledger)
    assert olga.fund(stage.id, 5).budget == olga.campaign(stage.id).budget
    assert olga.change_state(stage.id, "closed").state == "closed"
    held = bob.claim(stage.id)
    bob.skip(stage.id, held.id)
    tags = challenge_by_programs(stage, clients)
    shapes_of = {
        request.format(campaign=stage.id, case="CASE", number=2)
        for request in API
        if not re.search("/(agents|classifiers|review)\\b|/image|/find$", request)
        # test_agent_programs.py, test_gateway.py, test_pool.py, test_images.py, test_comparing.py
    }
    names = {
        re.sub(r"/[0-9a-f]{16}(?=/|$)", "/CASE", path).replace(tags, stage.id) for path in asked
    }
    left_out = {
        f"GET /api/judge/{stage.id}",  # of what a page says already
        f"GET /api/run/{stage.id}/cases/CASE",
        f"GET /api/run/{stage.id}/payouts",
        "GET /api/run",
        "GET /api/judge",
    }
    assert names == shapes_of - left_out
    stage.check_ledger()


def challenge_by_programs(stage, clients):
    """A tag challenge by the same programs, from the items to the ruling; its name."""
    olga, alice, bob = clients.values()
    tags = stage.open_tags()
    assert [(it.item, it.label, it.state) for it in alice.items(tags)] == [
        ("a beagle", "dog", "as-tagged"),
        ("a tabby", "dog", "as-tagged"),
    ]
    made = alice.propose(tags, 2, "cat", key="cat")
    assert alice.propose(tags, 2, "cat", key="cat") == made  # once
    with pytest.raises(RuleError) as refusal:
        alice.propose(tags, 2, "lion", key="cat")
    assert refusal.value.rule == "idempotency-key"
    with pytest.raises(RuleError):  # it is challenged already
        alice.propose(tags, 2, "lion")
    assert [it.proposal for it in olga.tagged_items(tags)] == [None, made.id]
    held = bob.claim(tags)
    assert (held.case, held.options) == ("a tabby", ["cat", "dog"])
    bob.vote(tags, held.id, "cat")
    judging.vote(tags, "beth", judging.claim(tags, "beth").pk, "cat")
    ruled = next(alice.own_proposals(tags))
    assert (ruled.against, ruled.label, ruled.preferred) == ("dog", "cat", "cat")
    assert (ruled.ruling, ruled.awarded > 0) == ("ruled", True)
    assert list(olga.proposals(tags)) == [ruled]
    item = list(olga.tagged_items(tags))[1]
    assert (item.label, item.first, item.holder, item.state) == ("cat", "dog", "alice", "replaced")
    assert [it.own for it in alice.items(tags)] == [False, True]
    with pytest.raises(RuleError, match="nothing here"):  # no tag challenge
        list(alice.items(stage.id))
    return tags


def wire_types():
    """All dataclasses that server and client say to each other."""
    for room in (wire, arena_wire):
        for found in pkgutil.iter_modules(room.__path__):
            module = import_module(f"{room.__name__}.{found.name}")
            kinds = (getattr(module, name) for name in module.__all__)
            yield from (kind for kind in kinds if is_dataclass(kind) and kind is not Length)


def test_the_document_has_each_wire_type_with_its_fields():
    components = api.get_openapi_schema(path_prefix="/api/")["components"]["schemas"]
    for kind in wire_types():
        if kind is not TokenAccount:  # with its balance, where there is an arena
            assert [field.name for field in fields(kind)] == list(
                components[kind.__name__]["properties"]
            )


def values(hint):
    """Values of a type, as a server may have them."""
    kind, parts = get_origin(hint), get_args(hint)
    if hint is Any:
        return st.text(max_size=5)
    if hint is datetime:
        return st.datetimes(timezones=st.just(UTC))
    if is_dataclass(hint) or is_typeddict(hint):
        inner = {name: values(part) for name, part in get_type_hints(hint).items()}
        inner.pop("__pydantic_config__", None)
        return st.builds(hint, **inner) if is_dataclass(hint) else st.fixed_dictionaries(inner)
    if kind is list:
        return st.lists(values(parts[0]), max_size=2)
    if kind is dict:
        return st.dictionaries(st.text(max_size=5), values(parts[1]), max_size=2)
    if kind is Literal:
        return st.sampled_from(parts)
    if kind in (types.UnionType, Union):
        return st.one_of(*map(values, parts))
    return {float: st.floats(allow_nan=False, allow_infinity=False)}.get(hint, st.from_type(hint))


@pytest.mark.parametrize("kind", list(wire_types()), ids=lambda kind: kind.__name__)
@settings(max_examples=20, derandomize=True, database=None, deadline=None)
@given(data=st.data())
def test_what_a_server_says_comes_back_as_the_same_record(kind, data):
    record = data.draw(values(kind))
    said = json.loads(TypeAdapter(kind).dump_json(record))
    assert decode_record(kind, said) == record
    assert decode_record(kind, {**said, "of a newer server": 1}) == record


def test_hints_of_a_record_are_evaluated_once_however_many_come(monkeypatch):
    read = []
    monkeypatch.setattr(
        decoding, "get_type_hints", lambda kind: read.append(kind) or get_type_hints(kind)
    )

    kind = make_dataclass("Said", [("at", datetime | None)])
    said = [decode_record(kind, {"at": at}).at for at in ("2026-03-01T00:00:00+00:00", None)]
    assert said == [datetime(2026, 3, 1, tzinfo=UTC), None]
    assert read == [kind]


def test_refusals_are_the_librarys_errors(stage, clients, monkeypatch):
    alice = clients["player"]
    with pytest.raises(RuleError, match="nothing here") as refusal:
        alice.rules("none")
    assert refusal.value.rule == "not-found"
    with pytest.raises(RuleError, match="for a player"):
        alice.campaign(stage.id)
    with pytest.raises(InputError, match="empty"):
        alice.try_case(stage.id, " ")

    def slow(*_):
        raise ModelError("the model did not answer")

    monkeypatch.setattr(playing, "ask", slow)
    with pytest.raises(ModelError, match="did not answer"):
        alice.try_case(stage.id, "good")
    for wrong in (("ftp://x", "t"), ("https://x", ""), ("https://x", "a\nb")):
        with pytest.raises(InputError):
            ArenaClient(*wrong)


def test_a_lost_answer_is_asked_for_again_with_the_same_key(monkeypatch):
    monkeypatch.setattr(connection, "_PAUSES", (0.0, 0.0))
    keys = []

    def lose(request):
        keys.append(request.headers["Idempotency-Key"])
        raise httpx.ReadTimeout("lost")

    with (
        ArenaClient("http://localhost", "t", transport=httpx.MockTransport(lose)) as client,
        pytest.raises(ServerError, match="does not answer"),
    ):
        client.withdraw()
    assert len(keys) == 3
    assert len(set(keys)) == 1
    odd = httpx.MockTransport(lambda _: httpx.Response(502, text="<html>"))
    with pytest.raises(ServerError, match="502"):
        ArenaClient("http://localhost", "t", transport=odd).account()


def test_the_example_of_the_docs_runs(stage, capsys):
    code = re.search(r"```py\n(.*?)```", (DOCS / "how-to" / "api.md").read_text(), re.DOTALL)[1]
    token = make_token(stage.alice, "player", label="x", scope="write")[1]
    with Serving([]) as server:
        exec(code, {"address": server.address, "token": token})  # noqa: S102
    said = capsys.readouterr().out.splitlines()
    assert said[1:] == [
        "clean 0.95 {'clean': 10, 'offensive': 910}",
        "submitted",
        "0",
    ]
