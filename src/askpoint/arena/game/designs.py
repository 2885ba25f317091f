"""The reward designs of Beat the Machine, a record each: what they say, and what they pay.

A design goes into `DESIGNS` under its number. All that asks for designs reads them there: the
terms of a campaign, the command, the simulation, the organiser's form and the players' rules.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from askpoint.arena.game.feedback import Feedback
from askpoint.errors import InputError
from askpoint.registry import Records

if TYPE_CHECKING:
    from askpoint.arena.game.pay import Pay
    from askpoint.measures.cost_matrix import CostMatrix
    from askpoint.measures.model_answer import ModelAnswer

__all__ = [
    "DESIGNS",
    "PAPER_DESIGNS",
    "SOUGHT_FROM",
    "Design",
    "Stakes",
    "check_designs",
    "designs_of",
    "most_share",
]

_SURE = 0.75  # from here on the paper calls an answer a confident one


class Stakes(Protocol):
    """What a design may read of a campaign's terms."""

    @property
    def costs(self) -> CostMatrix:
        """The classes and what mistakes between them cost."""
        ...

    @property
    def pay(self) -> Pay:
        """The prices."""
        ...

    @property
    def most_prize(self) -> int:
        """The most points that a ruling can bring."""
        ...

    @property
    def sought(self) -> tuple[str, str] | None:
        """The true class and the decision of the error that is sought."""
        ...

    @property
    def scheme(self) -> str:
        """How the reward grows with the certainty of the model."""
        ...

    @property
    def scheme_end(self) -> float:
        """The cost at which the reward reaches 0."""
        ...

    @property
    def shrink(self) -> float:
        """Share of the reward that a copy of an earlier success loses."""
        ...


def _full_factor(*_of: object) -> float:
    return 1.0


def _all_of_it(stakes: Stakes, similarity: float) -> float:  # noqa: ARG001
    return 1.0


def _silent(feedback: Feedback, error: bool) -> str:  # noqa: ARG001
    return ""


@dataclass(frozen=True)
class Design:
    """One way to reward players.

    Parameters
    ----------
    title : str
        A few words, for tables.
    rule : callable
        From the terms to what a player must know, in a sentence or two.
    offer : str
        What an organiser ticks; empty where the design follows from another choice.
    factor : callable
        From the terms, the model's answer, the class that it missed and the similarity to an
        earlier success to what the reward for the error is multiplied by.
    kept : callable
        From the terms and the similarity to an earlier success to the share of the reward that
        is left.
    most : float
        The largest factor, 1 or more: the budget reserves that much.
    without : str
        What a player must know where the design is off.
    why : callable
        From what the player sees, and whether the best ruling is an error of the model, to
        why the case would bring its points.
    shows, seeks, weighs, compares : bool
        Whether players see the model's answer, whether one kind of error is looked for,
        whether the reward follows the terms' scheme (with a bonus where the model is right
        but unsure), and whether cases are compared with earlier successes.
    """

    title: str
    rule: Callable[[Stakes], str]
    offer: str = ""
    factor: Callable[[Stakes, ModelAnswer, str, float], float] = _full_factor
    kept: Callable[[Stakes, float], float] = _all_of_it
    most: float = 1.0
    without: str = ""
    why: Callable[[Feedback, bool], str] = _silent
    shows: bool = False
    seeks: bool = False
    weighs: bool = False
    compares: bool = False


def _pay_rule(stakes: Stakes) -> str:
    from askpoint.arena.game.pay import money

    return (
        f"A submitted case brings {money(stakes.pay.base)} once it is judged, and up to "
        f"{money(stakes.most_prize)} more if judges agree that the model is wrong."
    )


def _rejection_rule(stakes: Stakes) -> str:
    truth = "" if stakes.sought is None else stakes.sought[0]
    return f"What the model surely calls “{truth}” is turned away at once, and costs you nothing."


def _by_severity(stakes: Stakes) -> str:
    from askpoint.arena.game.pay import money
    from askpoint.arena.game.reward import BY_REPEATS

    grows = "The surer the model is of its mistake, the more you earn."
    if stakes.scheme == BY_REPEATS:
        grows = (
            "The model is asked several times. The more of its answers make the mistake, and the "
            "more the mistake costs, the more you earn."
        )
    return (
        f"{grows} Where it is right but unsure, there is a small bonus of up to "
        f"{money(stakes.pay.unsure)}."
    )


def _how_sure(feedback: Feedback, error: bool) -> str:
    if not error:
        return "The model is right to be unsure here: that is worth the small bonus."
    sure = feedback.confidence >= _SURE
    return (
        f"The model is {'sure' if sure else 'unsure'} of “{feedback.decision}” "
        f"({feedback.confidence:.0%}): "
        + (
            "an error that it is sure of is worth much."
            if sure
            else "an error that it half expects is worth less."
        )
    )


def _scheme_share(
    stakes: Stakes,
    answer: ModelAnswer,
    truth: str,
    _similarity: float,
) -> float:
    from askpoint.arena.game.reward import error_share

    return error_share(
        answer.probabilities,
        answer.decision,
        stakes.costs,
        truth=truth,
        scheme=stakes.scheme,
        end=stakes.scheme_end,
    )


def _less_for_the_like(stakes: Stakes) -> str:
    return (
        "What resembles an earlier find earns less, down to "
        f"{1 - stakes.shrink:.0%} of the reward; the first of its kind earns in full. What nearly "
        "repeats a case that was submitted before, ruled or not, brings no base pay, and earns in "
        "full only if no earlier one turns out to be a find."
    )


def _unlike_factor(stakes: Stakes, similarity: float) -> float:
    return 1 - stakes.shrink * similarity


def _how_new(feedback: Feedback, error: bool) -> str:  # noqa: ARG001
    if feedback.repeats and feedback.similarity < 1:
        return (
            "It nearly repeats a case that was submitted before and is not ruled yet: if that is a "
            f"find, this one earns {feedback.kept_as_copy:.0%} of the reward; base pay it brings "
            "only if it is the first find."
        )
    if feedback.repeats or feedback.similarity >= 1:
        return f"It nearly repeats an earlier find: it earns {feedback.kept:.0%} of the reward."
    if round(feedback.kept, 2) == 1:
        return "It is new: unlike what was found before, it earns in full."
    return f"It resembles earlier finds: it earns {feedback.kept:.0%} of the reward."


DESIGNS: Records[int, Design] = Records(
    "reward_designs",
    {
        1: Design("submit and be paid", _pay_rule),
        2: Design(
            "see the answer",
            lambda _: (
                "You see the model's answer before you submit. Points are provisional until judges "
                "have ruled."
            ),
            "Show the machine's answer before submitting",
            without="The model's answer stays hidden; you see what you earned after judging.",
            shows=True,
        ),
        3: Design("one kind of error", _rejection_rule, seeks=True),
        4: Design(
            "pay by severity",
            _by_severity,
            "Pay more for errors that the machine was sure of",
            _scheme_share,
            why=_how_sure,
            weighs=True,
        ),
        5: Design(
            "less for the like",
            _less_for_the_like,
            "Pay less for what resembles an earlier find",
            lambda stakes, _answer, _truth, similarity: _unlike_factor(stakes, similarity),
            _unlike_factor,
            why=_how_new,
            compares=True,
        ),
    },
    key=int,
)
"""The designs by their numbers, those of plugins too; the first is always on."""

SOUGHT_FROM = next(number for number, design in DESIGNS.items() if design.seeks)
"""The first design that looks for one kind of error alone."""

PAPER_DESIGNS = (1, 2, 3, 4, 5)
"""Those of Attenberg, Ipeirotis and Provost, ACM JDIQ 6 (2015)."""


def check_designs(numbers: Collection[int]) -> None:
    """Check that there are such designs."""
    if not set(numbers) <= set(DESIGNS):
        *most, last = map(str, DESIGNS)
        raise InputError(f"the designs are {', '.join(most)} and {last}; got {sorted(numbers)}")


def designs_of(numbers: Collection[int]) -> Iterator[Design]:
    """Yield the designs of these numbers, in their order."""
    return (DESIGNS[number] for number in sorted(numbers))


def most_share(numbers: Collection[int]) -> float:
    """Return the largest share of the top reward that these designs can pay together."""
    return math.prod(design.most for design in designs_of(numbers))
