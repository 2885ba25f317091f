"""What cheats earn, in words, as tables, and as one JSON object."""

from __future__ import annotations

from typing import Any

from askpoint.arena.answers.cheats import CheatAnswer, CheatLine
from askpoint.arena.reports.json import figure_object
from askpoint.arena.reports.tables import figure_text
from askpoint.reports.document import Document, Grid, Notice, Paragraph, Section
from askpoint.reports.words import share

__all__ = ["cheat_document", "cheat_object"]

_CAVEAT = (
    "These people are simulated, by the rules of queue, test and pay. Two numbers are measured elsewhere: how often "
    "spellings are caught. What people would try, nobody knows."
)


def _above(line: CheatLine) -> bool:
    interval = line.per_hour_of_honest.interval
    return not line.honest and interval is not None and interval.upper > 1


def cheat_document(answer: CheatAnswer) -> Document:
    """Say which cheats earn more than honest people."""
    cheats = [line for line in answer.lines if not line.honest]
    above = [line for line in cheats if _above(line)]
    names = "; ".join(
        f"{line.name} ({figure_text(line.per_hour_of_honest, least=0)} of an honest hour)"
        for line in above
    )
    lead = f"{len(cheats) - len(above)} of {len(cheats)} cheats earn less than an honest hour."
    if above:
        lead += f" More may bring: {names}."
    return Document(
        "What cheats earn",
        (
            Section("The answer", (Paragraph(lead, lead=True), Notice(_CAVEAT))),
            Section(
                "Judges", (_grid(answer, "judge"), Paragraph(f"A visit is {answer.votes} votes."))
            ),
            Section("Players", (_grid(answer, "player"), Paragraph("A visit is 100 searches."))),
        ),
        f"{answer.visits} visits each. Made by askpoint; nothing left this machine.",
    )


def _grid(answer: CheatAnswer, role: str) -> Grid:
    return Grid(
        f"Final points of {role}s",
        ("", "an hour", "of an honest hour", "a visit", "of an honest visit", "stopped"),
        tuple(
            (
                line.name,
                f"{line.per_hour:,.0f}",
                figure_text(line.per_hour_of_honest, least=0),
                f"{line.per_visit:,.0f}",
                figure_text(line.per_visit_of_honest, least=0),
                share(line.stopped) if role == "judge" else "",
            )
            for line in answer.lines
            if line.role == role
        ),
        "Points that may be withdrawn in the end, with 95% intervals over visits. The first line is the honest person.",
    )


def cheat_object(answer: CheatAnswer) -> dict[str, Any]:
    """Return the object that ``askpoint simulate --cheats --json`` prints."""
    return {
        "evidence": "simulated people: mechanisms, not people",
        "visits": answer.visits,
        "votes": answer.votes,
        "cheats": [
            {
                "name": line.name,
                "role": line.role,
                "honest": line.honest,
                "per_hour": line.per_hour,
                "per_visit": line.per_visit,
                "per_hour_of_honest": figure_object(line.per_hour_of_honest),
                "per_visit_of_honest": figure_object(line.per_visit_of_honest),
                "stopped": line.stopped,
            }
            for line in answer.lines
        ],
    }
