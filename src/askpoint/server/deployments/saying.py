"""Parts of a report as plain values: kept beside what they tell of, shown by templates."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.utils.text import slugify

from askpoint.reports.document import Grid, Notice, Paragraph, Picture, Section

__all__ = ["plain_sections"]


def plain_sections(sections: Iterable[Section]) -> list[dict[str, Any]]:
    """Return sections as JSON; of a picture its name, by which it is drawn."""
    return [
        {
            "title": section.title,
            "blocks": [_plain(block) for block in section.blocks if _plain(block)],
        }
        for section in sections
    ]


def _plain(block: object) -> dict[str, Any]:
    if isinstance(block, Paragraph):
        return {"kind": "paragraph", "text": block.text, "lead": block.lead}
    if isinstance(block, Notice):
        return {"kind": "notice", "text": block.text}
    if isinstance(block, Grid):
        return {
            "kind": "grid",
            "title": block.title,
            "columns": list(block.columns),
            "rows": [list(row) for row in block.rows],
            "note": block.note,
        }
    if isinstance(block, Picture):
        return {
            "kind": "picture",
            "name": slugify(block.title),
            "title": block.title,
            "alternative": block.alternative,
        }
    return {}
