"""A probe: a case that a player tries on the model, and then submits or drops.

::

    tried ──submit──> submitted ──ruled──> judged
      └──(never leaves)     turned-away, at once and with a reason
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from askpoint.arena.game.designs import designs_of
from askpoint.arena.game.feedback import Feedback, Resemblance
from askpoint.arena.game.reward import round_points, unsure_share
from askpoint.arena.game.terms import CampaignTerms
from askpoint.errors import InputError
from askpoint.measures.inputs import as_choice, as_probabilities
from askpoint.measures.model_answer import ModelAnswer

__all__ = [
    "Prize",
    "ProbeState",
    "check_answer",
    "feedback_on",
    "prizes_of",
    "turn_away_reason",
]


class Prize(NamedTuple):
    """What one ruling brings: reward points, and whether it counts as an error found."""

    points: int
    found: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeState:
    """A case, what the model said, and what each ruling would bring its player.

    Parameters
    ----------
    id : str
        Its name, which its ruling shares.
    campaign, player : str
        Where and whose.
    digest : str
        `askpoint.unknowns.duplicates.text_digest` of the case, to refuse exact copies.
    options : tuple of str
        What judges will choose from.
    prizes : tuple of Prize
        One for each option: provisional while tried, frozen once submitted.
    tried, at : datetime
        When it was tried, and when it last changed.
    answer : ModelAnswer, optional
        The model's; None where a tag is challenged.
    resemblance : Resemblance, optional
        To earlier successes.
    state : str, default="tried"
        tried, turned-away, submitted or judged.
    reason : str, default=""
        Why it was turned away.
    submitted : datetime, optional
        When.
    truth : str, optional
        What judges ruled it to be.
    awarded : int, default=0
        Points that its player has for it, base pay included.
    round : int, default=0
        How often it was awarded: corrections count.
    final : bool, default=False
        Whether its player may withdraw what was awarded.
    family : str, default=""
        The first submitted of the cases that it repeats, itself where it repeats none; empty
        until it is submitted.
    place : str, default=""
        Its place in its family, from the ruling on: first, waits or repeat; see
        `askpoint.arena.game.family`.
    """

    id: str
    campaign: str
    player: str
    digest: str
    options: tuple[str, ...]
    prizes: tuple[Prize, ...]
    tried: datetime
    at: datetime
    answer: ModelAnswer | None = None
    resemblance: Resemblance | None = None
    state: str = "tried"
    reason: str = ""
    submitted: datetime | None = None
    truth: str | None = None
    awarded: int = 0
    round: int = 0
    final: bool = False
    family: str = ""
    place: str = ""

    @property
    def best_prize(self) -> int:
        """The most points that a ruling can bring."""
        return max(prize.points for prize in self.prizes)

    @property
    def prize(self) -> Prize:
        """The prize of the ruling; none before it."""
        if self.truth is None:
            return Prize(0, found=False)
        return self.prizes[self.options.index(self.truth)]


def check_answer(answer: ModelAnswer, terms: CampaignTerms) -> None:
    """Check that a model's answer fits the campaign's classes."""
    if len(answer.probabilities) != len(terms.classes):
        raise InputError(
            f"the model must give a probability to each of {', '.join(terms.classes)}; "
            f"got {len(answer.probabilities)} of {len(terms.classes)}"
        )
    as_probabilities([answer.probabilities], n_classes=len(terms.classes))
    as_choice(answer.decision, terms.classes, "the model's decision")


def turn_away_reason(terms: CampaignTerms, answer: ModelAnswer) -> str:
    """Why a case is turned away where one kind of error is sought; empty when it is not."""
    sought = terms.sought
    if sought is None or answer.decision == sought.decision:
        return ""
    if answer.decision != sought.truth:
        return (
            f"the model decides for {answer.decision!r}; this campaign looks for "
            f"{sought.truth!r} that the model takes for {sought.decision!r}"
        )
    if answer.probabilities[terms.classes.index(sought.truth)] >= terms.turn_away:
        return f"the model is sure that this is {sought.truth!r}: it is not beaten here"
    return ""


def _reward(terms: CampaignTerms, answer: ModelAnswer, truth: str, similarity: float) -> int:
    factors = (d.factor(terms, answer, truth, similarity) for d in designs_of(terms.designs))
    return round_points(terms.pay.top * math.prod(factors))


def prizes_of(
    terms: CampaignTerms, answer: ModelAnswer, similarity: float = 0.0
) -> tuple[Prize, ...]:
    """Return what each ruling would bring, in whole points."""
    if not 0 <= similarity <= 1:
        raise InputError(f"a similarity must be between 0 and 1; got {similarity}")
    prizes = []
    for truth, probability in zip(terms.classes, answer.probabilities, strict=True):
        if truth != answer.decision:
            is_find = terms.sought in (None, (truth, answer.decision))
            prizes.append(
                Prize(_reward(terms, answer, truth, similarity) if is_find else 0, is_find)
            )
        elif terms.weighs and (terms.sought is None or truth == terms.sought.truth):
            unsure = terms.pay.unsure * unsure_share(probability, terms.turn_away)
            prizes.append(Prize(round_points(unsure), found=False))
        else:
            prizes.append(Prize(0, found=False))
    return tuple(prizes)


def feedback_on(terms: CampaignTerms, probe: ProbeState) -> Feedback | None:
    """Return what a player may see of a case before it is judged."""
    if probe.answer is None or (not terms.shows and not probe.reason):
        return None
    similarity = probe.resemblance.similarity if probe.resemblance is not None else 0.0
    kept = math.prod(d.kept(terms, similarity) for d in designs_of(terms.designs))
    return Feedback(
        probe.answer.decision,
        probe.answer.probabilities[terms.classes.index(probe.answer.decision)],
        0 if probe.reason else probe.best_prize,
        similarity,
        probe.reason,
        kept,
        kept_as_copy=math.prod(d.kept(terms, 1.0) for d in designs_of(terms.designs)),
        repeats=probe.family not in ("", probe.id),
    )
