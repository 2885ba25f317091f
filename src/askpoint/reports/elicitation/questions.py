"""Questions on a terminal: flow charts and rows of icons, no matrices."""

from __future__ import annotations

import textwrap

from askpoint.elicitation.session import ElicitSession
from askpoint.reports.controls import without_controls
from askpoint.reports.elicitation.asking import (
    Fate,
    Scene,
    ToldOffer,
    ToldPair,
    describe_offer,
    describe_pair,
    guess_words,
)
from askpoint.reports.words import count

__all__ = ["guess_text", "question_text"]

_WIDTH = 76
_MARKS = 30  # in a row of icons
_ARRAYED = 100  # cases that are pictured one by one


def guess_text(session: ElicitSession, scene: Scene) -> str:
    """Return the direct question: how many checks is one mistake worth?"""
    return without_controls(_wrap(guess_words(session, scene)))


def question_text(session: ElicitSession, scene: Scene) -> str:
    """Return the question that a session puts now."""
    question = session.question
    if question is None:
        return ""
    if session.estimate.stage == "omega":
        text = _offer(describe_offer(session, question, scene))
    else:
        text = _pair(describe_pair(session, question, scene))
    return without_controls(text)


def _pair(told: ToldPair) -> str:
    lines = [told.lead, ""]
    width = max(len(fate.name) for fate in told.sides[0])
    for letter, fates in zip("AB", told.sides, strict=True):
        for row, fate in enumerate(fates):
            head = f"  {letter}  " if row == 0 else "     "
            fork = f"really '{fate.name}'{' ' * (width - len(fate.name))} {count(fate.total):>7}"
            lines.append(f"{head}{fork} ─┬─ right {count(fate.right):>7}")
            blank = " " * (len(head) + len(fork))
            lines.append(f"{blank}  └─ wrong {count(fate.wrong):>7}  {_row(fate)}")
        lines.append("")
    lines.append(textwrap.indent(_wrap(told.difference), "  "))
    if told.others:
        lines.append("  All other cases are the same.")
    return "\n".join(lines).rstrip()


def _row(fate: Fate) -> str:
    """A row of icons: crosses for what is wrong, dots for the rest."""
    crosses = max(round(_MARKS * fate.wrong / fate.total), min(fate.wrong, 1))
    return "×" * crosses + "·" * (_MARKS - crosses)


def _offer(told: ToldOffer) -> str:
    n = told.right + told.wrong
    if n <= _ARRAYED:
        icons = "●" * told.right + "×" * told.wrong
        rows = [" ".join(icons[k : k + 20]) for k in range(0, n, 20)]
        note = "● decided right   × decided wrong"
    else:
        rows = ["●" * 50] * 2
        rows.append(" ".join("×" * told.wrong) if told.wrong <= 38 else "×" * told.wrong)
        note = f"each ● about {count(n / 100)} cases decided right   each × one decided wrong"
    return "\n".join([_wrap(told.text), "", *("    " + row for row in rows), "", "    " + note])


def _wrap(text: str) -> str:
    return textwrap.fill(text, _WIDTH, break_on_hyphens=False)
