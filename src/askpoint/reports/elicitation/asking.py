"""What a question says: its cases, its sentences, and what may be told beside the numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from askpoint.elicitation.abstention import AbstentionOffer
from askpoint.elicitation.questionnaire import Question
from askpoint.elicitation.session import ElicitSession
from askpoint.errors import InputError
from askpoint.measures.inputs import FloatArray
from askpoint.reports.words import count, money_text, plural

__all__ = [
    "Extra",
    "Fate",
    "Scene",
    "ToldOffer",
    "ToldPair",
    "check_missed",
    "describe_offer",
    "describe_pair",
    "guess_words",
]

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
    check_cost : float or None
        What a person's check of one case costs, in money.
    unit : str
        Of that money.
    missed : sequence of (str, str)
        Classes, and what happens when a case of one is missed, as it follows a number: insults stay up.
    """

    minutes: float | None = None
    people_right: float | None = None
    consequence: str = ""
    check_cost: float | None = None
    unit: str = ""
    missed: Sequence[tuple[str, str]] = ()

    def words_of(self, name: object) -> str:
        """Return what happens when a case of a class is missed; empty where nobody said it."""
        return dict(self.missed).get(str(name), "").strip().rstrip(".")

    def money(self, checks: float) -> str:
        """Return what so many checks cost; nothing where no price is known."""
        if self.check_cost is None:
            return ""
        return money_text(checks * self.check_cost, self.unit or None)


class Fate(NamedTuple):
    """What becomes of the cases of one class.

    Attributes
    ----------
    name : str
        The class.
    total, wrong : int
        Cases, and those of them that are decided wrongly.
    """

    name: str
    total: int
    wrong: int

    @property
    def right(self) -> int:
        """Cases that are decided right."""
        return self.total - self.wrong


class Extra(NamedTuple):
    """Cases of a class that only one side decides wrongly.

    Attributes
    ----------
    name : str
        What they really are.
    wrong : int
        How many.
    words : str, default=""
        What happens then.
    """

    name: str
    wrong: int
    words: str = ""

    @property
    def text(self) -> str:
        """What follows their number."""
        if self.words and self.wrong != 1:
            return f"more {self.words}"
        cases = "case" if self.wrong == 1 else "cases"
        if self.words:
            return f"more {cases} decided wrong: {self.words}"
        return f"more {cases} decided wrong, really “{self.name}”"


class ToldPair(NamedTuple):
    """Two outcomes of which one is to be chosen.

    Attributes
    ----------
    cases : int
        Of how many cases it is told.
    lead : str
        The question.
    sides : tuple of (Fate, Fate)
        What becomes of the two classes in A and in B; all else goes alike.
    difference : str
        Who does better on what.
    extras : tuple of Extra
        What A decides wrongly and B does not, and what B does and A does not: all that differs.
    others : bool
        Whether there are other classes.
    """

    cases: int
    lead: str
    sides: tuple[tuple[Fate, Fate], tuple[Fate, Fate]]
    difference: str
    extras: tuple[Extra, Extra]
    others: bool


class ToldOffer(NamedTuple):
    """Cases that the system would take from people.

    Attributes
    ----------
    text : str
        The question.
    right, wrong : int
        What it would decide of them.
    """

    text: str
    right: int
    wrong: int


def check_missed(
    scene: Scene, classes: Sequence[object], called: str = "the class that is missed"
) -> None:
    """Check that what happens when a class is missed is said of classes that there are.

    Parameters
    ----------
    scene : Scene
        What questions tell.
    classes : sequence
        Those of the log.
    called : str
        What a class is called where it was typed.

    Raises
    ------
    InputError
        If there is no such class.
    """
    names = [str(name) for name in classes]
    for name, _ in scene.missed:
        if name not in names:
            raise InputError(
                f"{called} must be one of the classes {', '.join(names)}; got {name!r}"
            )


def guess_words(session: ElicitSession, scene: Scene) -> str:
    """Return the direct question: how many checks is one mistake worth?"""
    truth, decision = session.named
    return (
        f"First, a rough estimate. The most common mistake: a case is '{truth}' but the system "
        f"decides '{decision}'{_words_after(scene, truth)}.{_happens(scene)} A person could "
        f"look at the cases instead{_effort(scene)}. How many cases would you have a reviewer "
        "check to catch one such mistake?"
    )


def describe_pair(session: ElicitSession, question: Question, scene: Scene) -> ToldPair:
    """Tell a choice between two outcomes in whole cases."""
    i, j = sorted(question.details["classes"])
    names = session.classes
    first, second = (np.diag(matrix) for matrix in (question.first, question.second))
    cases = _scale(np.abs(first - second)[[i, j]])

    def side(right: FloatArray) -> tuple[Fate, Fate]:
        found = []
        for c in (i, j):
            total = round(session.zeta[c] * cases)
            found.append(Fate(str(names[c]), total, total - round(right[c] * cases)))
        return found[0], found[1]

    gains = {c: round(first[c] * cases) - round(second[c] * cases) for c in (i, j)}
    better = max(gains, key=lambda c: gains[c])
    other = i + j - better
    more = [plural(abs(gains[c]), "case", "cases") for c in (better, other)]
    difference = f"A decides {more[0]} more of '{names[better]}' right, B {more[1]} more of '{names[other]}'."
    extras = (
        Extra(str(names[other]), abs(gains[other]), scene.words_of(names[other])),
        Extra(str(names[better]), abs(gains[better]), scene.words_of(names[better])),
    )
    if any(one.words for one in extras):
        in_a, in_b = (f"{count(one.wrong)} {one.text}" for one in extras)
        difference = f"A: {in_a}. B: {in_b}."
    return ToldPair(
        cases,
        f"Of {count(cases)} cases, what would you rather have?",
        (side(first), side(second)),
        difference,
        extras,
        len(names) > 2,
    )


def _scale(differences: FloatArray) -> int:
    """How many cases to speak of, so that whole cases show the smaller difference well."""
    cases = 1000
    while cases < 10**7 and differences.min() * cases < _LEAST_SHOWN:
        cases *= 10
    return cases


def describe_offer(session: ElicitSession, question: Question, scene: Scene) -> ToldOffer:
    """Tell what the system would decide of some cases that go to review now."""
    truth, decision = session.named
    offer = AbstentionOffer(question.details["n"], question.details["right"])
    saved = scene.money(offer.n)
    text = (
        f"{count(offer.n)} cases now go to a reviewer{_effort(scene)}. The system would decide all "
        f"of them as '{decision}': {count(offer.right)} right, {count(offer.wrong)} wrong "
        f"(actually '{truth}'{_words_after(scene, truth)}).{_happens(scene)}{f' Checking them costs {saved}.' if saved else ''} "
        "Let it?"
    )
    return ToldOffer(text, offer.right, offer.wrong)


def _effort(scene: Scene) -> str:
    parts = []
    if scene.minutes is not None:
        unit = "minute" if scene.minutes == 1 else "minutes"
        parts.append(f"takes {scene.minutes:g} {unit} a case")
    if scene.people_right is not None:
        parts.append(f"is right {100 * scene.people_right:g} times in 100")
    return f" (who {' and '.join(parts)})" if parts else ""


def _words_after(scene: Scene, truth: object) -> str:
    words = scene.words_of(truth)
    return f": {words}" if words else ""


def _happens(scene: Scene) -> str:
    return f" Then {scene.consequence.rstrip('.')}." if scene.consequence else ""
