"""What the pages say: a question with its icons, and people's costs beside each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from django.utils.safestring import SafeString, mark_safe

from askpoint.displays.icons import icon_array
from askpoint.displays.stakeholders import StakeholdersDisplay
from askpoint.displays.theme import svg
from askpoint.elicitation.disagreement import NamedCost, disagreement_of
from askpoint.elicitation.questionnaire import Question
from askpoint.elicitation.retest import RetestAgreement
from askpoint.elicitation.session import ElicitSession
from askpoint.measures.intervals import Interval
from askpoint.reports.elicitation.asking import Scene, describe_offer, describe_pair
from askpoint.reports.elicitation.document import UNRELIABLE
from askpoint.reports.words import amount, count, plural
from askpoint.server.questionnaires.models import Interview

__all__ = [
    "costs_beside_each_other",
    "marked_name",
    "question_context",
    "steadiness",
    "unreliable_signals",
]

_FEW, _MANY = 20, 40  # squares in a row, as a phone can show them
_COUNTED = 100  # so many cases people count with their eyes
_PICTURED = 1000  # of more, a square is several


def _icons(right: int, wrong: int, each: int, columns: int = _MANY) -> SafeString:
    crosses = max(round(wrong / each), min(wrong, 1))
    squares = [("right", round((right + wrong) / each) - crosses), ("wrong", crosses)]
    return mark_safe(icon_array(squares, columns))  # noqa: S308 - numbers and fixed words alone


def _each(cases: int) -> int:
    """How many cases a square stands for: the same number in all arrays of a question."""
    return max(1, cases // _PICTURED)


def question_context(session: ElicitSession, question: Question, scene: Scene) -> dict[str, Any]:
    """Return a question as a template shows it."""
    if "classes" not in question.details:
        offer = describe_offer(session, question, scene)
        each = _each(offer.right + offer.wrong)
        columns = _FEW if offer.right + offer.wrong <= _COUNTED else _MANY
        icons = _icons(offer.right, offer.wrong, each, columns)
        return {"kind": "offer", "text": offer.text, "icons": icons, "told": offer, "each": each}
    pair = describe_pair(session, question, scene)
    each = _each(pair.cases)
    few = max(1, max(one.wrong for one in pair.extras) // _PICTURED)
    sides = [
        (
            letter,
            value,
            extra,
            _icons(0, extra.wrong, few),
            [(fate, _icons(fate.right, fate.wrong, each)) for fate in fates],
        )
        for letter, value, extra, fates in zip(
            "AB", ("first", "second"), pair.extras, pair.sides, strict=True
        )
    ]
    return {"kind": "pair", "told": pair, "sides": sides, "each": each, "few": few}


def unreliable_signals(row: Interview) -> list[str]:
    """Return why somebody's answers should settle nothing, in sentences; none where they hang together."""
    parts = (row.found or {}).get("reliability", {}).values()
    said = dict.fromkeys(signal for part in parts for signal in part["signals"])
    return [signal for signal in said if signal in UNRELIABLE]


def marked_name(row: Interview) -> str:
    """Return a person's name, marked where the answers are not reliable."""
    return f"{row.name} (not reliable)" if unreliable_signals(row) else row.name


def costs_beside_each_other(people: Sequence[Interview]) -> list[dict[str, Any]]:
    """Return for each group of classes what everybody's answers say of it, and how far they differ."""
    rows = [row for row in people if row.costs]
    found = []
    for place in range(len(rows[0].found["groups"]) if rows else 0):
        believed: list[NamedCost] = []
        for row in rows:
            group = row.found["groups"][place]
            believed.append(
                (marked_name(row), group["checks"], Interval(*group["checks_interval"]))
            )
        found.append(
            {
                "classes": " or ".join(map(str, rows[0].found["groups"][place]["classes"])),
                "rows": [
                    (n, amount(x), f"{amount(i[0])} to {amount(i[1])}") for n, x, i in believed
                ],
                "said": _differ(
                    [
                        one
                        for row, one in zip(rows, believed, strict=True)
                        if not unreliable_signals(row)
                    ]
                ),
                "picture": _picture(believed),
            }
        )
    return found


def _differ(believed: Sequence[NamedCost]) -> str:
    if not believed:
        return "Nobody's answers are reliable enough to be compared."
    if len(believed) < 2:
        return "The answers of one person: there are no other reliable ones to compare them with."
    found = disagreement_of(believed)
    (least, low, _), (most, high, _) = found.least, found.most
    said = (
        f"{most} takes a mistake for {amount(high)} checks, {least} for {amount(low)}: "
        f"{amount(found.factor)} times as much."
    )
    if found.shared is None:
        return f"{said} No cost lies in everybody's interval, so they differ by more than answers waver."
    low, high = found.shared
    return (
        f"{said} {amount(low)} to {amount(high)} checks lie in everybody's interval: their answers do "
        "not show that they differ."
    )


def _picture(believed: Sequence[NamedCost]) -> str:
    height = 1.1 + 0.32 * len(believed)
    drawn = svg(StakeholdersDisplay(believed).plot, height=height)
    return "data:image/svg+xml," + quote(drawn)


def steadiness(found: RetestAgreement) -> str:
    """Return how many repeated questions got the same answer, in words."""
    if not found.n:
        return ""
    low, high = (round(100 * bound) for bound in found.interval)
    return (
        f"{count(found.agreeing)} of {plural(found.n, 'repeated question', 'repeated questions')} got the same "
        f"answer ({low} to {high} of 100, with 90% confidence)."
    )
