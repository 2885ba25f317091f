"""The OpenAPI document of the API: what it says of every operation alike."""

from __future__ import annotations

from typing import Any

from ninja import NinjaAPI

from askpoint.server.api.idempotency import HEADER
from askpoint.server.api.problems import PROBLEM
from askpoint.server.extensions import server_parts

__all__ = ["DocumentedApi", "describe_api"]

_REFUSALS = {
    "400": "the request cannot be read, or an Idempotency-Key is missing",
    "401": "no token, or none that holds",
    "403": "a token of another role, or one that may only read",
    "404": "there is nothing, or nothing that the token may see",
    "409": "the rules do not allow it now",
    "410": "the classifier was archived or deleted: send it nothing more",
    "413": "a body of more than a megabyte",
    "415": "a body that is not application/json",
    "422": "what was given cannot be used",
    "429": "too many tries; as on the pages",
    "503": "the model does not answer; nothing has happened, try again",
}
_PROBLEM = {
    "title": "Problem",
    "description": "A refusal.",
    "type": "object",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string", "description": "Short name of the rule; stays the same."},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "What was given, allowed, and to do."},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["where", "detail"],
                "properties": {"where": {"type": "string"}, "detail": {"type": "string"}},
            },
        },
    },
}


_KEY = {
    "in": "header",
    "name": HEADER,
    "required": True,
    "description": "Sent again with the same key, a request acts once and is answered alike.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 64, "pattern": "^[!-~]+$"},
}


class DocumentedApi(NinjaAPI):
    """An API whose document says refusals and keys once for all."""

    def get_openapi_operation_id(self, operation: Any) -> str:
        """Return the name of an operation: that of its function."""
        return str(operation.view_func.__name__)

    def get_openapi_schema(self, **options: Any) -> Any:
        """Return the document; refusals and keys are described here once."""
        schema = super().get_openapi_schema(**options)
        schema["components"]["schemas"]["Problem"] = _PROBLEM
        content = {PROBLEM: {"schema": {"$ref": "#/components/schemas/Problem"}}}
        for path in schema["paths"].values():
            for method, operation in path.items():
                for status, words in _REFUSALS.items():
                    refusal = {"description": words, "content": content}
                    operation["responses"].setdefault(status, refusal)
                description = operation.get("description", "")
                if method == "post" and HEADER in description:
                    needed = f"Needs an {HEADER}" in description
                    operation["parameters"].append({**_KEY, "required": needed})
        return schema


def describe_api() -> str:
    """Return what the document says of the API, and for whom it is."""
    roles = [f"{role}s" for parts in server_parts() for role in parts.token_roles]
    others = f"{', '.join(roles[:-1])} and {roles[-1]}, and of " if roles else ""
    return (
        f"For programs of {others}those who use a classifier. What a page refuses is refused here, in "
        "the same words: an object of RFC 9457, whose `type` is the name of the rule. Send a token as "
        "`Authorization: Bearer`, and JSON as application/json."
    )
