"""Parts of a report as plain values: kept beside what they tell of, shown by templates."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from django.utils.text import slugify

from askpoint.reports.document import Figures, Grid, Notice, Paragraph, Picture, Section, WhatIf

__all__ = ["plain_sections"]


def plain_sections(sections: Iterable[Section]) -> list[dict[str, Any]]:
    """Return sections as JSON, without options of commands; of a picture its name, by which it is drawn."""
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
    if isinstance(block, Figures):
        return {
            "kind": "figures",
            "title": block.title,
            "parts": [asdict(part) for part in block.parts],
            "note": block.note,
        }
    if isinstance(block, WhatIf):
        stops = block.stops()
        now, *follows = stops[block.start]
        return {
            "kind": "what-if",
            "title": block.title,
            "label": block.label,
            "now": now,
            "follows": list(zip(block.names, follows, strict=True)),
            "stops": json.dumps(stops),
            "last": len(stops) - 1,
            "start": block.start,
            "picture": None if block.picture is None else _plain(block.picture),
        }
    return {}
