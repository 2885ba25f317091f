"""A case as it is stored: a text, a row of features, or a web page with its segments."""

from __future__ import annotations

import json
from typing import Any

__all__ = [
    "SEGMENTS",
    "asked_as",
    "case_cells",
    "case_columns",
    "case_text",
    "page_case",
    "page_of",
]

SEGMENTS = ("url", "title", "body", "metadata")
"""Of a page, by their names in exports."""


def page_case(segments: dict[str, Any]) -> dict[str, Any]:
    """Return a page as a case: apart from a row, whose values are no dicts."""
    page = {name: str(segments.get(name) or "") for name in SEGMENTS}
    return {"page": {**page, "cut": bool(segments.get("cut"))}}


def page_of(case: Any) -> dict[str, Any] | None:
    """Return a page's segments; None for a text or a row of features."""
    page = case.get("page") if isinstance(case, dict) else None
    return page if isinstance(page, dict) else None


def case_text(case: Any) -> str:
    """Return a case as a text: itself, a page's title and body, or a row of features as lines."""
    if isinstance(case, str):
        return case
    page = page_of(case)
    if page is not None:
        return f"{page['title']}\n\n{page['body']}".strip()
    return "\n".join(f"{name}: {value}" for name, value in case.items())


def asked_as(case: Any) -> Any:
    """Return what a model gets: of a page its text."""
    return case if page_of(case) is None else case_text(case)


def case_columns(*, pages: bool) -> tuple[str, ...]:
    """Return the columns of an export that hold a case."""
    return SEGMENTS if pages else ("case",)


def case_cells(case: Any, *, pages: bool) -> dict[str, str]:
    """Return a case as cells of an export: a page by its segments, else one cell."""
    page = page_of(case)
    if pages:
        shown = page or {"body": case_text(case)}
        return {name: shown.get(name, "") for name in SEGMENTS}
    return {"case": case if isinstance(case, str) else json.dumps(case, ensure_ascii=False)}
