"""Licences in use, said: how each unit stands, and what waits for people."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from askpoint.live.licences.action import Action
from askpoint.live.licences.standings import UnitStatus
from askpoint.reports.approvals.approvers import pivot_words
from askpoint.reports.document import Block, Document, Grid, Paragraph, Section
from askpoint.reports.objects import record
from askpoint.reports.words import amount, count, plural

__all__ = ["licences_document", "licences_object"]

_SHOWN = 20  # of what waits
_LONGEST = 60  # characters of its arguments


def licences_document(
    units: Sequence[UnitStatus], waiting: Sequence[tuple[Action, Any]], name: str
) -> Document:
    """Return the page on licences."""
    licensed = sum(one.state == "licensed" for one in units)
    lead = (
        f"{plural(licensed, 'unit acts', 'units act')} alone; {plural(len(units) - licensed, 'unit asks', 'units ask')}; "
        f"{plural(len(waiting), 'action waits', 'actions wait')} for people."
        if units
        else "No action was proposed yet."
    )
    sections = [Section("How they stand", (Paragraph(lead, lead=True), *_units(units)))]
    if waiting:
        sections.append(Section("What waits for people", tuple(_waiting(waiting))))
    return Document(f"Licences: {name}", tuple(sections))


def licences_object(
    units: Sequence[UnitStatus], waiting: Sequence[tuple[Action, Any]]
) -> dict[str, Any]:
    """Return the object of ``--json``."""
    return {
        "units": [{"class" if name == "name" else name: value for name, value in record(one).items()} for one in units],
        "waiting": [
            {
                "key": one.key,
                "agent": one.agent,
                "tool": one.tool,
                "class": one.name,
                "status": one.status,
                "at": one.at,
                "deadline": one.deadline,
                "approver": one.approver,
                "arguments": said,
            }
            for one, said in waiting
        ],
    }  # fmt: skip


def _units(units: Sequence[UnitStatus]) -> Iterator[Block]:
    if not units:
        return
    yield Grid(
        "Units",
        ("agent, tool, class", "labels", "evidence", "state"),
        tuple(
            (
                f"{one.agent} {one.tool}" + ("" if one.name == "any" else f", {one.name}"),
                count(one.labels),
                f"{amount(one.evidence)} of {amount(one.bound)}",
                _state(one),
            )
            for one in units
        ),
        "Labels: counted since the licence was last earned or lost. Evidence: a licence begins when it reaches the second number.",
    )


def _state(one: UnitStatus) -> str:
    if one.state == "licensed":
        carried = "; its licence is that of the version before" if one.is_carried else ""
        return f"acts alone, level {one.level}: one audit in {count(1 / one.audit_rate)}, {count(one.alone)} so far{carried}"
    if one.state == "never":
        return "always asks"
    if one.pivot is not None:
        return f"asks: {pivot_words(one.pivot)}"
    if one.waits_for and one.evidence >= one.bound:
        return f"asks: earned, and waits for the step {one.waits_for}"
    return f"asks; lost its licence: {one.lost_because}" if one.lost_because else "asks"


def _waiting(waiting: Sequence[tuple[Action, Any]]) -> Iterator[Block]:
    rows, is_dealt = [], any(one.approver for one, _ in waiting)
    for one, said in waiting[:_SHOWN]:
        text = json.dumps(said, ensure_ascii=False)
        rows.append(
            (
                one.key,
                *((one.approver or "anyone",) if is_dealt else ()),
                f"{one.agent} {one.tool}",
                text if len(text) <= _LONGEST else text[:_LONGEST] + "...",
            )
        )
    more = len(waiting) - _SHOWN
    yield Grid(
        "The oldest first",
        ("key", *(("drawn to decide",) if is_dealt else ()), "what", "arguments"),
        tuple(rows),
        f"And {plural(more, 'other', 'others')}." if more > 0 else "",
    )
