"""The client: each request of the API is a method, and what it returns is what the document says."""

from __future__ import annotations

import re
import types
from dataclasses import fields, is_dataclass
from datetime import datetime
from pathlib import Path
from typing import get_args, get_origin, get_type_hints

import httpx
import pytest
from django.core.wsgi import get_wsgi_application

from askpoint import Client, InputError, ModelError, RuleError, ServerError
from askpoint.arena.server.judges import services as judging
from askpoint.arena.server.players import services as playing
from askpoint.client import records, session
from askpoint.server.api import shapes
from askpoint.server.api.tokens import make_token
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
        found[role] = Client("http://localhost", token, transport=through)
    return found


def test_a_campaign_by_three_programs(stage, clients, monkeypatch):
    olga, alice, bob = clients.values()
    asked = set()
    monkeypatch.setattr(session, "_PART", 2)

    def note(client):
        client._wire.event_hooks["request"].append(
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
    assert bob.held(stage.id) is None
    held = bob.claim(stage.id)
    assert held == bob.held(stage.id)
    bob.rest(stage.id, held.id)
    assert bob.claim(stage.id) == records.Held(
        held.id, held.case, held.options, bob.held(stage.id).until
    )
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
    assert sum(line.points for line in alice.statement()) == alice.account().balance == 10
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
        if not re.search("/(classifiers|review)\\b|/image", request)
        # test_gateway.py, test_pool.py, test_images.py
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


def plain(hint):
    """A type without what pydantic adds."""
    if get_origin(hint) is list:
        return list, plain(get_args(hint)[0])
    if isinstance(hint, types.UnionType):
        # a row of features, a web page and an image are plain objects to the client
        parts = get_args(hint)
        named = (shapes.WebPage, shapes.ImageCase)
        objects = [part for part in parts if get_origin(part) is dict or part in named]
        return frozenset(plain(part) for part in parts if part not in objects) | {bool(objects)}
    return hint.__name__ if isinstance(hint, type) else str(hint)


def test_the_records_are_those_of_the_document():
    kinds = [getattr(records, name) for name in records.__all__]
    for kind in filter(is_dataclass, kinds):
        shape = getattr(shapes, kind.__name__)
        assert [field.name for field in fields(kind)] == list(shape.model_fields)
        told, mine = get_type_hints(shape), get_type_hints(kind)
        for name in shape.model_fields:
            assert plain(mine[name]) == plain(told[name]), (kind, name)


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
            Client(*wrong)


def test_a_lost_answer_is_asked_for_again_with_the_same_key(monkeypatch):
    monkeypatch.setattr(session, "_PAUSES", (0.0, 0.0))
    keys = []

    def lose(request):
        keys.append(request.headers["Idempotency-Key"])
        raise httpx.ReadTimeout("lost")

    with (
        Client("http://localhost", "t", transport=httpx.MockTransport(lose)) as client,
        pytest.raises(ServerError, match="does not answer"),
    ):
        client.withdraw()
    assert len(keys) == 3
    assert len(set(keys)) == 1
    odd = httpx.MockTransport(lambda _: httpx.Response(502, text="<html>"))
    with pytest.raises(ServerError, match="502"):
        Client("http://localhost", "t", transport=odd).account()


def test_the_example_of_the_docs_runs(stage, capsys):
    code = re.search(r"```py\n(.*?)```", (DOCS / "api.md").read_text(), re.DOTALL)[1]
    token = make_token(stage.alice, "player", label="x", scope="write")[1]
    with Serving([]) as server:
        exec(code, {"address": server.address, "token": token})  # noqa: S102
    said = capsys.readouterr().out.splitlines()
    assert said[1:] == [
        "clean 0.95 {'clean': 10, 'offensive': 910}",
        "submitted",
        "0",
    ]
