"""Requests that nobody thought of: schemathesis makes them from the OpenAPI document."""

from __future__ import annotations

import os
import re

import pytest
import schemathesis
from django.core.wsgi import get_wsgi_application
from hypothesis import HealthCheck, given, settings, strategies as st
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import ignored_auth, positive_data_acceptance

from askpoint.server.api import tokens
from askpoint.server.api.json_api import api
from askpoint.server.api.roles import token_roles
from askpoint.server.api.tokens import make_token

# tokens are ours, not those that it makes; and what a campaign's classes are no document can say
LEFT_OUT = [ignored_auth, positive_data_acceptance]
ROLES = {"organiser": "olga", "player": "alice", "judge": "bob"}


def fuzzed(stage, n):
    """Send `n` requests to each operation, half of them against the document, by any role."""
    case = stage.submit("you are not from here").pk
    stage.submit("another case, by somebody else, oh dear", "ann")
    words = [
        make_token(getattr(stage, name), role, label="x", scope="write")[1]
        for role, name in ROLES.items()
    ]
    schema = schemathesis.openapi.from_wsgi("/api/openapi.json", get_wsgi_application())
    seen = set()
    for found in schema.get_all_operations():
        operation = found.ok()
        for mode in GenerationMode:

            @given(sent=operation.as_strategy(generation_mode=mode), data=st.data())
            @settings(
                max_examples=n,
                deadline=None,
                derandomize=True,
                database=None,
                suppress_health_check=list(HealthCheck),
            )
            def send(sent, data):
                for name, there in (("campaign", stage.id), ("case", case)):
                    if name in sent.path_parameters and data.draw(st.booleans()):
                        sent.path_parameters[name] = there
                token = data.draw(st.sampled_from(words))
                answer = sent.call(headers={"Authorization": f"Bearer {token}"})
                seen.add(answer.status_code)
                sent.validate_response(answer, excluded_checks=LEFT_OUT)

            send()
    stage.check_ledger()
    return seen


@pytest.mark.whole
def test_no_request_breaks_what_the_document_promises(stage):
    assert {200, 403, 404} <= fuzzed(stage, 2)


def test_a_body_that_is_none_is_refused_by_each_request_that_takes_one(stage, enter, monkeypatch):
    """No JSON is 400, JSON of another shape 422. Whoever may send the request is told so, before it is looked at what the address names."""
    every = list(token_roles())
    monkeypatch.setattr(tokens, "list_roles", lambda _: every)
    words = [make_token(stage.olga, role, label="x", scope="write")[1] for role in every]
    schema, refused = api.get_openapi_schema(path_prefix="/api/"), 0
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            if "requestBody" not in operation or path.endswith("/signed"):
                continue  # whose signature comes before what it says: test_labelling_tools.py
            send, address = getattr(enter(), method), re.sub(r"{\w+}", "1", path)

            def ask(body, send=send, address=address):
                """Ask by the first role that may."""
                for token in words:
                    headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": "k"}
                    answer = send(address, body, "application/json", headers=headers)
                    if answer.status_code != 403:
                        return answer
                raise AssertionError(address)

            answer = ask("{no json")
            assert (answer.status_code, answer.json()["type"]) == (400, "json"), path
            assert "should be a valid dictionary" in ask([]).json()["detail"], path
            answer = ask({"misspelled": 1})
            assert answer.status_code == 422, path
            name = operation["requestBody"]["content"]["application/json"]["schema"]["$ref"]
            fields = schema["components"]["schemas"][name.rpartition("/")[2]]["required"]
            where = {error["where"].rpartition(".")[2] for error in answer.json()["errors"]}
            assert where == {"misspelled", *fields}, path
            refused += 1
    assert refused


@pytest.mark.soak
def test_nor_do_many(stage):
    fuzzed(stage, int(os.environ.get("ASKPOINT_SOAK_ROUNDS", "200")))
