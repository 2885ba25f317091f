"""A case as it is stored: a text, a row of features, a web page with its segments, or an image."""

from __future__ import annotations

import base64
import hashlib
import json
from typing import Any

__all__ = [
    "SEGMENTS",
    "case_cells",
    "case_columns",
    "case_text",
    "image_case",
    "image_data",
    "image_file",
    "image_of",
    "model_input",
    "page_case",
    "page_of",
    "without_content",
]

SEGMENTS = ("url", "title", "body", "metadata")
"""Of a page, by their names in exports."""

_IMAGE = ("image", "width", "height")  # its columns
_ENDINGS = {"image/png": "png", "image/jpeg": "jpg"}


def page_case(segments: dict[str, Any]) -> dict[str, Any]:
    """Return a page as a case: apart from a row, whose values are no dicts."""
    page = {name: str(segments.get(name) or "") for name in SEGMENTS}
    return {"page": {**page, "cut": bool(segments.get("cut"))}}


def page_of(case: Any) -> dict[str, Any] | None:
    """Return a page's segments; None for a text or a row of features."""
    page = case.get("page") if isinstance(case, dict) else None
    return page if isinstance(page, dict) else None


def image_case(sha256: str, kind: str, width: int, height: int) -> dict[str, Any]:
    """Return an image as a case: what names it, for it is kept once and aside."""
    return {"image": {"sha256": sha256, "kind": kind, "width": width, "height": height}}


def image_of(case: Any) -> dict[str, Any] | None:
    """Return what names an image; None for other cases."""
    image = case.get("image") if isinstance(case, dict) else None
    return image if isinstance(image, dict) else None


def image_file(image: dict[str, Any]) -> str:
    """Return the name of an image's file in an export."""
    return f"images/{image['sha256']}.{_ENDINGS[image['kind']]}"


def image_data(kind: str, content: bytes) -> dict[str, str]:
    """Return an image as a model is asked about it: with its content."""
    return {"image": f"data:{kind};base64,{base64.b64encode(content).decode()}"}


def without_content(asked: Any) -> Any:
    """Return what a model was asked, as it is stored: of an image what names it."""
    data = asked.get("image") if isinstance(asked, dict) else None
    if not isinstance(data, str) or not data.startswith("data:image/"):
        return asked
    kind, _, content = data.removeprefix("data:").partition(";base64,")
    return image_case(hashlib.sha256(base64.b64decode(content)).hexdigest(), kind, 0, 0)


def case_text(case: Any) -> str:
    """Return a case as a text: itself, a page's title and body, a row as lines, an image's name."""
    if isinstance(case, str):
        return case
    page = page_of(case)
    if page is not None:
        return f"{page['title']}\n\n{page['body']}".strip()
    image = image_of(case)
    if image is not None:
        return f"image {image['sha256']}"
    return "\n".join(f"{name}: {value}" for name, value in case.items())


def model_input(case: Any) -> Any:
    """Return what a model gets: of a page its text."""
    return case if page_of(case) is None else case_text(case)


def case_columns(cases: str) -> tuple[str, ...]:
    """Return the columns of an export that hold a case of this kind."""
    return {"page": SEGMENTS, "image": _IMAGE}.get(cases, ("case",))


def case_cells(case: Any, cases: str) -> dict[str, Any]:
    """Return a case as cells of an export: a page by its segments, an image by its file, else one."""
    image = image_of(case)
    if cases == "image" and image is not None:
        return {"image": image_file(image), "width": image["width"], "height": image["height"]}
    page = page_of(case)
    if cases == "page":
        shown = page or {"body": case_text(case)}
        return {name: shown.get(name, "") for name in SEGMENTS}
    return {"case": case if isinstance(case, str) else json.dumps(case, ensure_ascii=False)}
