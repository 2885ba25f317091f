"""What would have been best for the very rows of a log, in words."""

from __future__ import annotations

import math
from collections.abc import Iterator

from askpoint.answers.value.answer import ValueAnswer
from askpoint.reports.document import Block, Notice, Paragraph
from askpoint.reports.value.tables import baselines_blocks, value_picture
from askpoint.reports.value.thresholds import format_threshold
from askpoint.reports.words import (
    amount,
    count,
    money_text,
    plural,
    round_share,
    share,
    share_range,
)

__all__ = ["hindsight_blocks"]

_FEW_ANSWERS = 100


def hindsight_blocks(answer: ValueAnswer) -> Iterator[Block]:
    """Say what would have been best for these rows, and what that would have brought."""
    if answer.point is None:
        yield Paragraph(f"On these rows {answer.unmet}.")
        return
    yield Paragraph(
        "What would have been best for these very rows, now that their labels are known. A "
        "threshold picked like that is a lucky one: for new cases take the answer above."
    )
    yield Paragraph(_lead(answer))
    yield from _mistakes(answer)
    if answer.unit == "money":
        yield Paragraph(_money(answer))
    yield from baselines_blocks(answer)
    yield from value_picture(answer)


def _lead(answer: ValueAnswer) -> str:
    cases = plural(answer.n_items, "case", "cases")
    answered = answer.n_items - answer.asked
    if answered == 0:
        if answer.question.objective.is_limit:
            return (
                f"Send all {cases} to review: the surest answers of the model are no better "
                "than your limit."
            )
        return (
            f"Send all {cases} to review: at this price the mistakes of the model cost more than "
            "asking, however sure it is."
        )
    if answer.asked == 0:
        if answer.question.objective.is_capacity:
            return f"Let the model decide all {cases}."
        why = (
            "that already meets your limit"
            if answer.question.objective.is_limit
            else "at this price review costs more than it saves"
        )
        return f"Let the model decide all {cases}: {why}."
    by_weight = "" if _same(answered / answer.n_items, answer.coverage) else " by weight"
    return (
        f"Let the model decide alone {_where_it_answers(answer)}. It then decides "
        f"{count(answered)} of {cases} ({share(answer.coverage)}{by_weight}) and sends "
        f"{count(answer.asked)} to review."
    )


def _where_it_answers(answer: ValueAnswer) -> str:
    threshold = math.inf if answer.point is None else answer.point.threshold
    if answer.question.objective.costs is not None:
        least = format_threshold(answer, threshold)
        if threshold <= 0:
            return f"where deciding is expected to cost at most {least.removeprefix('-')} more than asking"
        return f"where deciding is expected to save at least {least} against asking"
    measure = answer.question.measure
    name = "" if measure == "max_probability" else f" ({measure.replace('_', ' ')})"
    return f"where its confidence{name} is at least {format_threshold(answer, threshold)}"


def _mistakes(answer: ValueAnswer) -> Iterator[Block]:
    point, intervals = answer.point, answer.intervals
    if point is None or intervals is None or intervals.risk is None:
        return
    risk = 0.0 if point.outcomes.risk is None else point.outcomes.risk
    everything = share(1 - answer.curve.accuracy)
    passing = amount(1000 * point.outcomes.wrong / point.outcomes.total)
    yield Paragraph(
        f"Of these decisions {share(risk)} are wrong ({round_share(answer.question.level)} interval "
        f"{share_range(intervals.risk)}): per 1,000 cases "
        f"{passing} {'mistake passes' if passing == '1' else 'mistakes pass'}."
        + (f" If it decided every case, {everything} would be wrong." if answer.asked else "")
    )
    curve = answer.curve
    labelled = int(curve.items[(curve.thresholds >= point.threshold).sum() - 1])
    if labelled < _FEW_ANSWERS:
        of = f" of the {count(answer.n_items - answer.asked)}" if answer.n_unlabelled else ""
        yield Notice(
            f"Only {plural(labelled, 'label', 'labels')}{of} show how accurate these decisions "
            f"are. Up to {share(intervals.risk.upper)} of them may be wrong. Label more of these "
            "cases."
        )


def _money(answer: ValueAnswer) -> str:
    """Say what the rows cost, or with a gain for right decisions what they are worth."""
    check, currency = answer.question.check_in_money, answer.question.currency
    sign = -1 if check is None else 1
    worth = {
        baseline.name: money_text(
            round(sign * (baseline.cost or 0.0) * answer.mass / 1000, 2), currency
        )
        for baseline in answer.baselines
    }
    if check is None:
        noun = plural(answer.mass, "case comes", "cases come")
        return (
            f"At your prices {noun} to {worth['threshold']} so, to {worth['answer_all']} if the model "
            f"decided every case, to {worth['ask_all']} if people reviewed every case."
        )
    return (
        f"At your prices that costs {worth['threshold']} for these {count(answer.mass)} cases, {worth['answer_all']} if the model "
        f"decided every case, {worth['ask_all']} if people reviewed every case."
    )


def _same(one: float, other: float) -> bool:
    return share(one) == share(other)
