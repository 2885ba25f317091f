"""Requests that nobody thought of: schemathesis makes them from the OpenAPI document."""

from __future__ import annotations

import os

import pytest
import schemathesis
from django.core.wsgi import get_wsgi_application
from hypothesis import HealthCheck, given, settings, strategies as st
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import ignored_auth, positive_data_acceptance

from askpoint.server.api.tokens import make_token

# tokens are ours, not those that it makes; and what a campaign's classes are no document can say
LEFT_OUT = [ignored_auth, positive_data_acceptance]
ROLES = {"organiser": "olga", "player": "alice", "judge": "bob"}


def fuzzed(stage, n):
    """Send `n` requests to each operation, half of them against the document, by any role."""
    case = stage.submit("you are not from here").pk
    stage.submit("another case, by somebody else, oh dear", "ann")
    tokens = [
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
                token = data.draw(st.sampled_from(tokens))
                answer = sent.call(headers={"Authorization": f"Bearer {token}"})
                seen.add(answer.status_code)
                sent.validate_response(answer, excluded_checks=LEFT_OUT)

            send()
    stage.check_ledger()
    return seen


def test_no_request_breaks_what_the_document_promises(stage):
    assert {200, 400, 403, 404} <= fuzzed(stage, 2)


@pytest.mark.soak
def test_nor_do_many(stage):
    fuzzed(stage, int(os.environ.get("ASKPOINT_SOAK_ROUNDS", "200")))
