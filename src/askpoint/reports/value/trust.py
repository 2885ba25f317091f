"""How far to trust the numbers: how many labels there are, where they lie, and what was chosen on them."""

from __future__ import annotations

import math
from collections.abc import Iterator

from askpoint.answers.value.answer import ValueAnswer
from askpoint.reports.document import Block, Notice, Paragraph
from askpoint.reports.words import amount, count, plural, probability, round_share, share

__all__ = ["trust_blocks"]

_FEW_LABELS = 300


def trust_blocks(answer: ValueAnswer) -> Iterator[Block]:
    """Say what the intervals rest on, and what they leave out."""
    n = answer.n_labelled
    labels = plural(n, "label", "labels")
    if answer.point is not None:
        weights = (
            ""
            if math.isclose(answer.n_effective, n)
            else f", worth {count(answer.n_effective)} equally weighted ones"
        )
        yield Paragraph(
            f"These intervals are based on {labels}{weights} and assume that the threshold was "
            "fixed in advance. The recommendation above already corrects for choosing it here."
        )
    if (
        answer.point is not None
        and answer.band is not None
        and answer.question.objective.costs is None
    ):
        yield Paragraph(
            f"To allow for that: with {_level(answer)} confidence the cost of every threshold at "
            f"every price lies within the cost of {amount(1000 * answer.band)} mistakes per 1,000 cases "
            "from what it is here. This band is wide, because it holds everywhere at once."
        )
    if answer.p_value is not None:
        yield _test_of_answering(answer.p_value)
    if answer.point is not None and _is_learned(answer):
        yield Notice(
            "The limit is met on these cases; a threshold chosen this way misses it on new cases "
            "about every second time." + answer.question.objective.hint
        )
    if 0 < n < _FEW_LABELS:
        yield Notice(
            f"{labels} {'is' if n == 1 else 'are'} few: rare mistakes may not have shown yet. Even "
            f"without a mistake among {n}, up to {share(_unseen(answer))} of all cases could "
            f"go wrong ({_level(answer)} confidence). Label more cases drawn at random."
        )
    if answer.is_sketched:
        yield Paragraph(
            "The cases were counted in bins of confidence, each at most 1/128 as wide as its "
            "distance from certainty (a sketch), and not kept. The counts at a threshold are exact; the "
            f"very best threshold in hindsight may lie inside a bin{_loss_text(answer)}. "
            "Thresholds in tables are rounded to their bin. "
            "Whether a case occurs twice was not checked."
        )
    yield from _selection(answer)


def _loss_text(answer: ValueAnswer) -> str:
    lost, rate = answer.lost_in_bins, answer.rate
    if lost is None or rate is None:
        return ""
    return f", which loses at most {amount(1000 * max(lost, 0.0))} checks per 1,000 cases"


def _unseen(answer: ValueAnswer) -> float:
    """The greatest rate of mistakes that would likely leave none among the labelled cases."""
    return float(1 - (1 - answer.question.level) ** (1 / answer.n_labelled))


def _level(answer: ValueAnswer) -> str:
    return round_share(answer.question.level)


def _is_learned(answer: ValueAnswer) -> bool:
    """Whether the limit is on mistakes, which new cases make anew, and not promised."""
    objective = answer.question.objective
    return objective.is_limit and not objective.is_capacity and not objective.is_promised


def _selection(answer: ValueAnswer) -> Iterator[Block]:
    selection = answer.selection
    if not answer.n_labelled:
        return
    if answer.n_proposed:
        yield Paragraph(
            f"{plural(answer.n_proposed, 'label is', 'labels are')} of cases that were chosen by the "
            "model's confidence, each with a known chance. The answer about new cases takes them as "
            "they are; the numbers of the rows themselves weigh them by their chances."
        )
        return
    if answer.n_uncounted:
        yield Notice(
            f"Counted: {plural(answer.n_labelled, 'label', 'labels')} that are first in the sealed order, so drawn "
            f"at random. {plural(answer.n_uncounted, 'other does', 'others do')} not count: all together were "
            "not drawn with equal chances."
        )
    if selection is None:
        yield Paragraph(
            "Every case here has a label. If cases without one were left out of the log, put them "
            "in: only then can it be seen whether labels are missing where the model is sure."
        )
        return
    if answer.refusal is not None:
        return
    shares = f"{share(selection.shares[0])} of the least sure tenth have a label, "
    shares += f"{share(selection.shares[-1])} of the surest"
    distance = f"greatest difference {selection.distance:.3f}"
    if answer.is_balanced:
        return  # said first
    if selection.is_selective:
        yield Notice(
            f"Labels depend on confidence: {shares}. You stated that they are random; the numbers "
            "rest on that."
        )
    elif answer.curve.cases is not None and answer.curve.cases.weight is not None:
        yield Paragraph(
            f"{plural(answer.n_unlabelled, 'case has', 'cases have')} no label: {shares}. So "
            "weighted, the labelled cases look like all of them in the model's confidence "
            f"({distance})."
        )
    else:
        yield Paragraph(
            f"{plural(answer.n_unlabelled, 'case has', 'cases have')} no label; the others look "
            f"like them in the model's confidence ({distance})."
        )


def _test_of_answering(p_value: float) -> Paragraph:
    return Paragraph(
        "If answering were no better than asking at this price, this number of right answers "
        f"would have a probability of {probability(p_value)} (exact binomial test). The threshold was chosen on "
        "the same cases, so this is a hint. Only new cases can prove it."
    )
