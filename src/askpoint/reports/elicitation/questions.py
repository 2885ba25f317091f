"""Questions as people read them: flow charts and rows of icons, no matrices."""

from __future__ import annotations

import textwrap
from typing import NamedTuple

import numpy as np

from askpoint.elicitation.abstention import Offer
from askpoint.elicitation.questionnaire import Question
from askpoint.elicitation.session import ElicitSession
from askpoint.measures.inputs import FloatArray
from askpoint.reports.controls import without_controls
from askpoint.reports.words import count, plural

__all__ = ["Scene", "guess_text", "question_text"]

_WIDTH = 76
_MARKS = 30  # in a row of icons
_ARRAYED = 100  # cases that are pictured one by one
_LEAST_SHOWN = 20  # so that whole cases show the ratio to a few per cent


class Scene(NamedTuple):
    """What may be told of the work beside the numbers.

    Attributes
    ----------
    minutes : float or None
        A person's time for a case.
    people_right : float or None
        Share of cases that people get right.
    consequence : str
        What happens after a mistake.
    """

    minutes: float | None = None
    people_right: float | None = None
    consequence: str = ""


def guess_text(session: ElicitSession, scene: Scene) -> str:
    """Return the direct question: how many checks is one mistake worth?"""
    truth, decision = session.named
    text = _wrapped(
        f"First a direct question. The most frequent mistake of the system is this: a case is "
        f"really '{truth}', and the system decides '{decision}'.{_happens(scene)} A person could "
        f"look at the cases instead{_effort(scene)}. How many cases would you have a person check to "
        "catch ONE such mistake?"
    )
    return without_controls(text)


def question_text(session: ElicitSession, scene: Scene) -> str:
    """Return the question that a session puts now."""
    question = session.question
    if question is None:
        return ""
    if session.estimate.stage == "omega":
        text = _offer(session, Offer(question.details["n"], question.details["right"]), scene)
    else:
        text = _pair(session, question)
    return without_controls(text)


def _pair(session: ElicitSession, question: Question) -> str:
    i, j = sorted(question.details["classes"])
    names = session.classes
    first, second = (np.diag(matrix) for matrix in (question.first, question.second))
    cases = _scale(np.abs(first - second)[[i, j]])
    lines = [f"Of {count(cases)} cases, what would you rather have?", ""]
    width = max(len(names[i]), len(names[j]))
    for letter, right in (("A", first), ("B", second)):
        for row, c in enumerate((i, j)):
            head = f"  {letter}  " if row == 0 else "     "
            total = round(session.zeta[c] * cases)
            wrong = total - round(right[c] * cases)
            fork = f"really '{names[c]}'{' ' * (width - len(names[c]))} {count(total):>7}"
            lines.append(f"{head}{fork} ─┬─ right {count(total - wrong):>7}")
            blank = " " * (len(head) + len(fork))
            lines.append(f"{blank}  └─ wrong {count(wrong):>7}  {_row(wrong, total)}")
        lines.append("")
    gains = {c: round(first[c] * cases) - round(second[c] * cases) for c in (i, j)}
    better = max(gains, key=lambda c: gains[c])
    other = i + j - better
    more = [plural(abs(gains[c]), "case", "cases") for c in (better, other)]
    lines.append(
        f"  A decides {more[0]} more of '{names[better]}' right, B {more[1]} more of '{names[other]}'."
    )
    if len(names) > 2:
        lines.append("  The other cases go alike in both.")
    return "\n".join(lines).rstrip()


def _scale(differences: FloatArray) -> int:
    """How many cases to speak of, so that whole cases show the smaller difference well."""
    cases = 1000
    while cases < 10**7 and differences.min() * cases < _LEAST_SHOWN:
        cases *= 10
    return cases


def _row(wrong: int, total: int) -> str:
    """A row of icons: crosses for what is wrong, dots for the rest."""
    crosses = max(round(_MARKS * wrong / total), min(wrong, 1))
    return "×" * crosses + "·" * (_MARKS - crosses)


def _offer(session: ElicitSession, offer: Offer, scene: Scene) -> str:
    truth, decision = session.named
    text = _wrapped(
        f"Of {count(offer.n)} cases that now go to a person{_effort(scene)} the system would decide "
        f"them itself, as '{decision}': {count(offer.right)} right, {count(offer.wrong)} wrong "
        f"(really '{truth}').{_happens(scene)} Let it?"
    )
    if offer.n <= _ARRAYED:
        icons = "●" * offer.right + "×" * offer.wrong
        rows = [" ".join(icons[k : k + 20]) for k in range(0, offer.n, 20)]
        note = "● decided right   × decided wrong"
    else:
        rows = ["●" * 50] * 2
        rows.append(" ".join("×" * offer.wrong) if offer.wrong <= 38 else "×" * offer.wrong)
        note = f"each ● about {count(offer.n / 100)} cases decided right   each × one decided wrong"
    return "\n".join([text, "", *("    " + row for row in rows), "", "    " + note])


def _effort(scene: Scene) -> str:
    parts = []
    if scene.minutes is not None:
        unit = "minute" if scene.minutes == 1 else "minutes"
        parts.append(f"takes {scene.minutes:g} {unit} a case")
    if scene.people_right is not None:
        parts.append(f"is right {100 * scene.people_right:g} times in 100")
    return f" (who {' and '.join(parts)})" if parts else ""


def _happens(scene: Scene) -> str:
    return f" Then {scene.consequence.rstrip('.')}." if scene.consequence else ""


def _wrapped(text: str) -> str:
    return textwrap.fill(text, _WIDTH, break_on_hyphens=False)
