"""The Agent Approval Protocol as a server: a token of the role agent, limited to an agent, is its credential."""

from __future__ import annotations

import json
import re
import threading
import time
import uuid
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt

from askpoint.errors import AskpointError, InputError, RuleError
from askpoint.server.api.aap_instances import instance_of, make_instance
from askpoint.server.api.tokens import find_token
from askpoint.server.licences.aap import (
    cancel_request,
    consume_request,
    create_request,
    find_request,
    is_pending,
    tell_outcome,
    wire_request,
)
from askpoint.server.licences.access import agent_part
from askpoint.server.licences.models import Agent

__all__ = ["instance_make", "request_consume", "request_outcome", "request_state", "requests"]

_LONGEST_KEY = 255
_LONGEST_WAIT = 25.0  # seconds
_LOOK_EVERY = 0.25
_waiters = threading.BoundedSemaphore(4)  # threads of this process that may wait for a decision
_NOT_FOUND = HTTPStatus.NOT_FOUND
_UNPROCESSABLE = HTTPStatus.UNPROCESSABLE_ENTITY
_View = Callable[..., HttpResponse]


def _error(status: int, kind: str, code: str, message: str) -> HttpResponse:
    said = {"type": kind, "code": code, "message": message, "request_id": str(uuid.uuid4())}
    response = JsonResponse({"error": said}, status=status)
    if status == HTTPStatus.UNAUTHORIZED:
        response["WWW-Authenticate"] = 'Bearer realm="askpoint"'
    return response


def _agent_of(request: HttpRequest, role: str) -> Agent | None:
    """Return the agent whose credential came with a request: its own, or that of an owner."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    row = find_token(token.strip()) if scheme.lower() == "bearer" else None
    if row is None or row.role != role or row.scope != "write" or not row.resource:
        return None
    request.user = row.user
    request.instance = instance_of(row.pk) if role == "agent" else None
    return agent_part(row.user, row.resource, "owner")


def _for_agents(*methods: str, role: str = "agent") -> Callable[[_View], _View]:
    def decorate(view: _View) -> _View:
        @csrf_exempt
        def answer(request: HttpRequest, **named: str) -> HttpResponse:
            if request.method not in methods:
                return HttpResponse(
                    status=HTTPStatus.METHOD_NOT_ALLOWED, headers={"Allow": ", ".join(methods)}
                )
            try:
                agent = _agent_of(request, role)
                if agent is None:
                    words = f"send a token of the role {role} that may write, limited to an agent"
                    return _error(HTTPStatus.UNAUTHORIZED, "unauthorized", "invalid_token", words)
                _check_open(request, agent)
                return view(request, agent, **named)
            except _NoKeyError:
                words = "give the header Idempotency-Key, 1 to 255 letters, digits or signs"
                return _error(
                    HTTPStatus.BAD_REQUEST, "invalid_request", "missing_idempotency_key", words
                )
            except RuleError as error:
                if error.rule == "not_found":
                    return _error(_NOT_FOUND, "not_found", error.rule, str(error))
                if error.rule == "webhook_verification_failed":
                    return _error(_UNPROCESSABLE, "invalid_request", error.rule, str(error))
                return _error(
                    HTTPStatus.CONFLICT, "conflict", error.rule.replace("-", "_"), str(error)
                )
            except AskpointError as error:
                return _error(
                    HTTPStatus.BAD_REQUEST, "invalid_request", "invalid_request", str(error)
                )
            except DatabaseError:  # never "approved": the client asks again
                words = "the server cannot keep anything just now; nothing was decided"
                return _error(HTTPStatus.SERVICE_UNAVAILABLE, "unavailable", "unavailable", words)

        return answer

    return decorate


def _check_open(request: HttpRequest, agent: Agent) -> None:
    if agent.workspace.state != "open" and request.method != "GET":
        raise RuleError("frozen", "the workspace of this agent is frozen: nothing changes there")


class _NoKeyError(Exception):
    """A request has no key by which it could be sent again."""


def _key(request: HttpRequest) -> str:
    key = request.headers.get("Idempotency-Key", "")
    if not re.fullmatch(rf"[!-~]{{1,{_LONGEST_KEY}}}", key):
        raise _NoKeyError
    return str(key)


def _body(request: HttpRequest) -> Any:
    try:
        return json.loads(request.body or b"null", object_pairs_hook=_no_twice)
    except ValueError:
        raise InputError("the body is not valid JSON, or has a name twice") from None


def _no_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name twice")
    return found


@_for_agents("POST", role="owner")
def instance_make(request: HttpRequest, agent: Agent) -> HttpResponse:
    """Make a credential for a program of the agent; its receiver is asked first, where it names one."""
    said, is_new = make_instance(agent.pk, request.user, _key(request), _body(request))
    return JsonResponse(said, status=HTTPStatus.CREATED if is_new else HTTPStatus.OK)


@_for_agents("POST")
def requests(request: HttpRequest, agent: Agent) -> HttpResponse:
    """Make a request: it is approved at once where the agent is licensed, and else waits for an approver."""
    row, is_new = create_request(agent.pk, _key(request), _body(request), request.instance)
    return JsonResponse(wire_request(row), status=HTTPStatus.CREATED if is_new else HTTPStatus.OK)


@_for_agents("GET", "DELETE")
def request_state(request: HttpRequest, agent: Agent, key: str) -> HttpResponse:
    """Say what was decided, waiting a little for it if asked to; or take the request back."""
    row = find_request(agent, key, request.instance)
    if request.method == "DELETE":
        return JsonResponse(wire_request(cancel_request(row)))
    found = re.fullmatch(r"(\d{1,3})s", request.GET.get("wait", ""))
    if found and _waiters.acquire(blocking=False):
        try:
            until = time.monotonic() + min(float(found[1]), _LONGEST_WAIT)
            while time.monotonic() < until and is_pending(row):
                time.sleep(_LOOK_EVERY)
        finally:
            _waiters.release()
    return JsonResponse(wire_request(row))


@_for_agents("POST")
def request_consume(request: HttpRequest, agent: Agent, key: str) -> HttpResponse:
    """Use an approval: only now may the action run, once."""
    row = find_request(agent, key, request.instance)
    return JsonResponse(wire_request(consume_request(row, _key(request))))


@_for_agents("POST")
def request_outcome(request: HttpRequest, agent: Agent, key: str) -> HttpResponse:
    """Keep what became of an action."""
    row = find_request(agent, key, request.instance)
    return JsonResponse(wire_request(tell_outcome(row, _body(request))))
