"""The page that shows how to send a first case: lines to copy, with a token, until one comes."""

from __future__ import annotations

import json
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from askpoint.errors import InputError
from askpoint.live.group_scale import GroupScale
from askpoint.server.accounts.second_factor import with_fresh_factor
from askpoint.server.api.tokens import make_token
from askpoint.server.deployments.access import for_owner
from askpoint.server.deployments.cases import waiting_cases
from askpoint.server.deployments.models import Deployment, Receipt
from askpoint.server.deployments.policy_state import document_of
from askpoint.server.deployments.state_lines import state_line_of

__all__ = ["first_case"]

_SURE = 0.61
_NO_TOKEN = "YOUR_TOKEN"  # noqa: S105
_DECIDED = (
    "answer (decided alone)",
    "ask (it goes to review)",
    "audit (decided alone, and audited)",
)
_HELD = (
    "hold, because it is in shadow (it would be decided alone)",
    "hold, because it is in shadow (it would go to review)",
    "hold, because it is in shadow (it would be decided alone, and audited)",
)


@for_owner
@with_fresh_factor
def first_case(request: HttpRequest, deployment: Deployment) -> HttpResponse:
    """Show lines that send a case, make a token for them, and show the newest case once it came."""
    words, problem = "", ""
    if request.method == "POST":
        try:
            _, words = make_token(
                request.user,
                "owner",
                label=f"First case of {deployment.title}"[:80],
                scope="write",
                resource=deployment.pk,
            )
        except InputError as error:
            problem = str(error)
    policy = deployment.policies.filter(number=deployment.adopted).first()
    page: dict[str, Any] = {"deployment": deployment, "owns": True, "words": words}
    page |= {"problem": problem, "state": state_line_of(deployment)}
    if policy is not None:
        address = request.build_absolute_uri("/").rstrip("/")
        newest = (
            Receipt.objects.filter(policy__in=deployment.policies.filter(number=deployment.adopted))
            .order_by("-seq")
            .first()
        )
        document = document_of(policy)
        item, version = _sample(document.model, document.group_scale)
        page["curl"] = _curl(address, deployment.pk, words or _NO_TOKEN, item, version)
        page["python"] = _python(address, deployment.pk, words or _NO_TOKEN, item, version)
        if document.model.get("ladder") is None:
            page["csv"] = _from_csv(address, deployment.pk, words or _NO_TOKEN, item, version)
        page |= {"newest": newest, "delay": document.terms.max_label_delay}
        if newest is not None:
            page["decision"] = (_HELD if newest.held else _DECIDED)[newest.action]
            if waiting_cases(deployment).filter(key=newest.key).exists():
                page["labelling"] = _label_lines(address, words or _NO_TOKEN, newest)
    status = 422 if problem else 200
    return render(request, "api/first_case.html", page, status=status)


def _sample(model: Any, scale: GroupScale | None) -> tuple[dict[str, Any], str]:
    """Return a case that this policy can decide, and the version of its model."""
    classes: list[str] = model["classes"]
    item: dict[str, Any] = {"key": "first-case"}
    if model.get("ladder") is not None:
        item["outputs"] = _outputs(model["ladder"]["reader"]["rungs"], classes)
    else:
        rest = round((1 - _SURE) / max(1, len(classes) - 1), 6)
        last = round(1 - _SURE - rest * (len(classes) - 2), 6)
        chances = [_SURE, *[rest] * (len(classes) - 2), last]
        item["probabilities"] = dict(zip(classes, chances, strict=True))
    if scale is not None:
        item["group"] = next(name for name in scale.names if name is not None)
    return {**item, "case": "what reviewers will read of it"}, str(model.get("version") or "")


def _outputs(rungs: list[dict[str, Any]], classes: list[str]) -> dict[str, Any]:
    """Return what the first rung of a ladder says; the answer may be which rung to call next."""
    first = rungs[0]
    if first["kind"] == "answer":
        return {first["columns"][0]: classes[0]}
    if first["kind"] == "confidence":
        said, sure = first["columns"]
        return {said: classes[0], sure: _SURE}
    rest = (1 - _SURE) / max(1, len(first["columns"]) - 1)
    return {name: _SURE if i == 0 else round(rest, 6) for i, name in enumerate(first["columns"])}


def _curl(address: str, name: str, token: str, item: dict[str, Any], version: str) -> str:
    body: dict[str, Any] = {"items": [item]}
    if version:
        body["model_version"] = version
    text = json.dumps(body).replace("'", "'\\''")
    return (
        f"curl -X POST {address}/api/classifiers/{name}/decisions \\\n"
        f'  -H "Authorization: Bearer {token}" -H "Content-Type: application/json" \\\n'
        f"  -d '{text}'"
    )


def _label_lines(address: str, token: str, newest: Receipt) -> str:
    """Return the lines that label a case; the model's answer is not proposed as its label."""
    text = json.dumps({"items": [{"key": newest.key, "label": "YOUR_LABEL"}]}).replace("'", "'\\''")
    return (
        f"curl -X POST {address}/api/classifiers/{newest.deployment_id}/labels \\\n"
        f'  -H "Authorization: Bearer {token}" -H "Content-Type: application/json" \\\n'
        f"  -d '{text}'"
    )


def _python(address: str, name: str, token: str, item: dict[str, Any], version: str) -> str:
    more = f", model_version={version!r}" if version else ""
    return (
        "from askpoint import Client\n\n"
        f"with Client({address!r}, {token!r}) as client:\n"
        f"    (made,) = client.decide_cases({name!r}, [{item!r}]{more})\n"
        "    print(made.action)"
    )


def _from_csv(address: str, name: str, token: str, item: dict[str, Any], version: str) -> str:
    """Return lines that send the rows of a file, 1,000 at a time; its columns are named as the fields of a case."""
    more = f", model_version={version!r}" if version else ""
    group = ', "group": row["group"]' if "group" in item else ""
    return (
        "import csv\n\n"
        "from askpoint import Client\n\n"
        'with open("cases.csv", newline="", encoding="utf-8") as file:\n'
        "    items = [\n"
        '        {"key": row["key"], "prediction": row["prediction"], "confidence": float(row["confidence"]), '
        f'"case": row["case"]{group}}}\n'
        "        for row in csv.DictReader(file)\n"
        "    ]\n"
        f"with Client({address!r}, {token!r}) as client:\n"
        "    for start in range(0, len(items), 1000):\n"
        f"        for made in client.decide_cases({name!r}, items[start : start + 1000]{more}):\n"
        "            print(made.key, made.action)"
    )
