"""First section of the value report: recommendation and expected results."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from askpoint.answers.value.answer import ValueAnswer
from askpoint.answers.value.tomorrow import Tomorrow
from askpoint.reports.document import Block, Figure, Figures, Grid, Notice, Paragraph
from askpoint.reports.value.surprises import surprise_blocks
from askpoint.reports.value.thresholds import format_threshold
from askpoint.reports.words import (
    amount,
    count,
    expected_number,
    money_text,
    plural,
    round_share,
    share,
)
from askpoint.value.posterior.prospects import Expected
from askpoint.value.posterior.recommendation import AskedLabels, Recommendation

if TYPE_CHECKING:
    from askpoint.answers.value.whole_output import WholeOutput
    from askpoint.answers.value.workload import Workload

__all__ = [
    "PRACTICALLY_NONE",
    "WORTH_SAYING",
    "cases_text",
    "chance_text",
    "cost_of_asking",
    "cost_text",
    "cost_unit",
    "expected_grid",
    "expected_object",
    "prices_grid",
    "tomorrow_blocks",
]

PRACTICALLY_NONE = 0.01
"""Share of cases decided alone, below which the report says to send all to review."""
_CERTAIN = 0.99
_LITTLE = 0.05  # of what is at stake
_TO = "\N{NO-BREAK SPACE}to\N{NO-BREAK SPACE}"
WORTH_SAYING = 1.0
"""Checks per 1,000 cases that labels must save to be worth a sentence."""
_PROPOSE = "Add --propose 100 to choose cases."
_FIGURES = (
    "People look at the cases that the model does not decide; one such look is a check.{cost}{sure} "
    "Below a number: {who} between these 95% of the time."
)


def tomorrow_blocks(
    answer: ValueAnswer,
    tomorrow: Tomorrow,
    in_money: tuple[Block, ...] = (),
    workload: Workload | None = None,
) -> Iterator[Block]:
    """Yield the verdict: the threshold, money and hours if stated, and what new cases bring."""
    best = tomorrow.best
    yield Paragraph(
        _lead(answer, tomorrow),
        lead=True,
        options="Say so with --look once." if _is_kept_once(answer, tomorrow) else "",
    )
    yield from in_money
    if (output := _find_promise_of_log(answer)) is not None:
        from askpoint.reports.value.whole_output import output_figures

        yield output_figures(answer, output)
    elif best.asked.mean < 1:
        yield _figures(answer, tomorrow, workload)
    if tomorrow.is_swapped:
        yield Notice(
            "The model is wrong in most cases. Are two classes swapped? Check the class of each "
            "probability column first."
        )
    if output is not None:
        yield Paragraph(
            "Nothing is promised of new cases. What to expect of them at this threshold:"
        )
    yield Paragraph(_next_thousand(tomorrow))
    if promise := _promise_of_new_cases(answer, best):
        yield Notice(promise)
    if answer.days is not None:
        from askpoint.reports.value.daily_load import days_paragraph

        yield days_paragraph(answer.days)
    if best.cost_per_1000 is not None:
        yield Paragraph(_costs(answer, tomorrow))
    yield from surprise_blocks(tomorrow)
    if best.kept is not None and answer.question.objective.is_limit:
        yield Paragraph(f"Chance that your limit holds on new cases: {chance_text(best.kept)}.")
    if not best.decided:
        if undecided := _indecision_text(answer, tomorrow):
            yield Notice(undecided, _PROPOSE if answer.whole_output is None else "")
    elif tomorrow.next_labels is not None and tomorrow.next_labels.mean >= WORTH_SAYING:
        yield Paragraph(_more_labels(answer, tomorrow), options=_PROPOSE)


def _find_promise_of_log(answer: ValueAnswer) -> WholeOutput | None:
    """Return what is promised of the whole output, if it is about the cases of the log."""
    output = answer.whole_output
    return output if output is not None and output.is_of_log else None


def _lead(answer: ValueAnswer, tomorrow: Tomorrow) -> str:
    best, output = tomorrow.best, _find_promise_of_log(answer)
    if output is not None:
        return (
            f"For these {count(answer.n_items)} cases, and no others: {_policy(answer, tomorrow)}. With a probability of "
            f"{round_share(1 - output.delta)}, at most {count(output.mistakes_allowed)} of them are then wrong in the end."
        )
    if best.decided:
        return f"Decided: {_policy(answer, tomorrow)}."
    labels = plural(answer.n_labelled, "label", "labels")
    if answer.whole_output is not None and math.isinf(best.threshold):
        return (
            f"Nothing can be promised of the whole output from {labels}: until it can, send every case to "
            "review."
        )
    if answer.guarantee is not None and math.isinf(best.threshold):
        if _is_kept_once(answer, tomorrow):
            return (
                f"Nothing can be promised yet from {labels} that stays true when this is run again: send "
                "every case to review, or say that you look only once."
            )
        return (
            f"Nothing can be promised yet from {labels}: until it can, send every case to review."
        )
    return f"Not decided yet from {labels}. The best guess is to {_policy(answer, tomorrow)}."


def _is_kept_once(answer: ValueAnswer, tomorrow: Tomorrow) -> bool:
    """Whether nothing is promised but to who looks only once."""
    if answer.guarantee is None or tomorrow.best.decided or answer.whole_output is not None:
        return False
    return math.isinf(tomorrow.best.threshold) and answer.guarantee.once.is_given


def _policy(answer: ValueAnswer, tomorrow: Tomorrow) -> str:
    best = tomorrow.best
    if best.asked.mean > 1 - PRACTICALLY_NONE:
        worth = "at your limit" if answer.question.objective.is_limit else "at this price"
        pays = tomorrow.pays_at()
        price = (
            ""
            if pays is None
            else f". It would pay at up to {_two_digits_down(pays)} checks per mistake"
        )
        return f"send every case to review; this model is not worth it {worth}{price}"
    if best.asked.mean <= 0:
        return "let the model decide every case"
    return f"let the model decide alone {_where(answer, tomorrow)}, and send the others to review"


def _two_digits_down(number: float) -> str:
    size = 10 ** (math.floor(math.log10(number)) - 1)
    return amount(math.floor(number / size + 1e-9) * size)


def _where(answer: ValueAnswer, tomorrow: Tomorrow) -> str:
    text = format_threshold(answer, tomorrow.best.threshold)
    if answer.question.objective.costs is not None:
        return f"where it is expected to save at least {text} against asking"
    measure = answer.question.measure
    name = "" if measure == "max_probability" else f" ({measure.replace('_', ' ')})"
    return f"where its confidence{name} is at least {text}"


def _figures(answer: ValueAnswer, tomorrow: Tomorrow, workload: Workload | None) -> Figures:
    """The four numbers of a masthead, of 1,000 new cases or of a period's: what is decided alone, and what it costs."""
    best, n = tomorrow.best, 1000.0 if workload is None else workload.volume.number
    asked, wrong = (n * np.array(part) for part in (best.asked, best.mistakes))
    alone = tuple(n - asked[[0, 2, 1]])
    review = Figure("go to review", expected_number(asked[0]), _between(*asked[1:]))
    if workload is not None and workload.hours is not None:
        hours, *ends = (workload.hours * part for part in best.asked)
        of = f"{_between(*ends)} of {expected_number(workload.hours)}".strip()
        review = Figure("hours of review", expected_number(hours), of)
    parts = [
        Figure("decided alone", expected_number(alone[0]), _between(*alone[1:])),
        review,
        Figure("decided wrongly", expected_number(wrong[0]), _between(*wrong[1:])),
    ]
    cost, asking, how = best.cost_per_1000, tomorrow.ask_all.cost_per_1000, ""
    if cost is not None and asking is not None:
        worth, rate = "as many as each mistake is worth", answer.question.objective.rate
        if answer.people is None and rate is not None and rate.checks_per_mistake == best.checks:
            worth = f"{amount(best.checks)} for each mistake"  # else the price itself is uncertain
        how = f" Cost: these checks, and {worth}."
        check = answer.question.check_in_money
        if check is not None:
            how = f" Cost: of checks, {money_text(check, answer.question.currency)} each, and of mistakes."
        unit = "cost in checks" if check is None else f"cost, {cost_unit(answer)}"
        mean, always = (
            expected_number(each.mean * (check or 1) * n / 1000) for each in (cost, asking)
        )
        spread = _between(*(end * (check or 1) * n / 1000 for end in cost[1:]))
        so_far = f"{spread}; " if spread else ""
        parts.append(Figure(unit, mean, f"{so_far}reviewing all: {always}"))
    elif best.kept is not None:
        parts.append(Figure("your limit holds", chance_text(best.kept), "the chance for new cases"))
    is_by_confidence = answer.question.objective.costs is None
    sure = " Confidence: how sure the model says that it is." if is_by_confidence else ""
    title, who = "Of the next 1,000 cases", "new cases stay"
    if workload is not None:
        period = workload.volume.period
        title, who = f"Of {count(n)} cases a {period}", f"the average {period} stays"
    return Figures(title, tuple(parts), _FIGURES.format(cost=how, sure=sure, who=who))


def _between(low: float, high: float) -> str:
    return "" if low == high else f"{expected_number(low)} to {expected_number(high)}"


def _next_thousand(tomorrow: Tomorrow) -> str:
    best = tomorrow.best
    if best.asked.mean >= 1:
        return (
            f"If the model decided every one of the next 1,000 cases, expect "
            f"{cases_text(tomorrow.answer_all.mistakes)} mistakes."
        )
    return (
        f"Of the next 1,000 cases expect {cases_text(best.asked)} to go to review, and "
        f"{cases_text(best.mistakes)} to be decided wrongly (in brackets: between these numbers 95% of "
        "the time)."
    )


def _promise_of_new_cases(answer: ValueAnswer, best: Recommendation) -> str | None:
    """Say where a threshold that keeps a promise about the cases of a log passes more in new ones."""
    output = _find_promise_of_log(answer)
    if output is None:
        return None
    if best.mistakes.mean <= output.share:
        return None
    stream = next((each for each in output.others if each.scope == "stream"), None)
    instead = ""
    if stream is not None and stream.is_given:
        instead = f" For new cases decide alone from {format_threshold(answer, stream.threshold)} up instead."
    return (
        f"Do not use this threshold for new cases: expect {amount(1000 * best.mistakes.mean)} mistakes in 1,000 of them, more "
        f"than the {amount(1000 * output.share)} that you allow. In this log {count(output.n_labels)} labels have put wrong "
        f"cases right already, and new cases come without labels.{instead}"
    )


def _costs(answer: ValueAnswer, tomorrow: Tomorrow) -> str:
    best = tomorrow.best
    asking, answering = tomorrow.ask_all.cost_per_1000, tomorrow.answer_all.cost_per_1000
    if best.cost_per_1000 is None or asking is None or answering is None:
        return ""
    ends = (
        f"Sending every case to review costs {_worth(answer, asking.mean)}, letting the model decide "
        f"every case {_worth_between(answer, answering)}."
    )
    if best.asked.mean >= 1:
        return f"{ends} {_comparison_text(best, asking=False)}"
    if best.asked.mean <= 0:
        return f"{ends} {_comparison_text(best, answering=False)}"
    said = (
        f"Total cost, checks and mistakes: {cost_text(best.cost_per_1000)} checks per 1,000 cases. "
    )
    if answer.question.check_in_money is not None:
        said = "Per 1,000 cases: "  # what the threshold costs was said first, in money
        ends = ends[0].lower() + ends[1:]
    return f"{said}{ends} {_comparison_text(best)}{_small_gap(answer, tomorrow)}"


def _small_gap(answer: ValueAnswer, tomorrow: Tomorrow) -> str:
    """Say what little a threshold saves as a share of what is at stake."""
    part, saving = _small_saving(tomorrow), tomorrow.best.saving_per_1000
    if part is None or saving is None or not tomorrow.best.decided:
        return ""
    asking = _is_asking_better(tomorrow)
    end = "sending every case to review" if asking else "letting the model decide all"
    if saving <= 0:
        return f" It is expected to save nothing against {end}."
    return f" The gain is small: {_worth(answer, saving)} per 1,000 cases, {share(part)} of what {end} costs."


def _small_saving(tomorrow: Tomorrow) -> float | None:
    """Return the share of what is at stake that is saved, where that is little."""
    part = tomorrow.saved_share
    return None if part is None or part >= _LITTLE else max(part, 0.0)


def _is_asking_better(tomorrow: Tomorrow) -> bool:
    asking, answering = tomorrow.ask_all.cost_per_1000, tomorrow.answer_all.cost_per_1000
    return asking is not None and answering is not None and asking.mean <= answering.mean


def _comparison_text(best: Recommendation, *, asking: bool = True, answering: bool = True) -> str:
    parts = []
    if asking and best.cheaper_than_asking is not None:
        parts.append(
            f"than sending every case to review with a probability of {chance_text(best.cheaper_than_asking)}"
        )
    if answering and best.cheaper_than_answering is not None:
        parts.append(
            f"than letting the model decide all with {chance_text(best.cheaper_than_answering)}"
            if parts
            else "than letting the model decide all with a probability of "
            f"{chance_text(best.cheaper_than_answering)}"
        )
    return f"This is cheaper {', and '.join(parts)}." if parts else ""


def _indecision_text(answer: ValueAnswer, tomorrow: Tomorrow) -> str:
    best = tomorrow.best
    parts = []
    saving, chance = best.saving_per_1000, best.cheaper_than_asking
    if saving is not None and chance is not None and best.asked.mean < 1:
        little = _small_saving(tomorrow)
        of = "" if not little else f", {share(little)} of what that costs"
        parts.append(
            f"Following the best guess now saves {_worth(answer, max(saving, 0))} per 1,000 "
            f"cases on average against the better of sending every case to review and deciding all{of}, but "
            f"costs more than sending every case to review with a probability of "
            f"{chance_text(1 - chance)}."
        )
    if best.kept is not None:
        parts.append(
            "More labels may show a threshold that keeps your limit."
            if best.asked.mean == 1
            else "The limit may not hold for new cases: only more labels can show it."
        )
    if best.reason == "untested" and best.asked_labels is not None:
        parts.append(_name_untested(best.asked_labels))
    if answer.whole_output is not None:  # which takes labels drawn at random
        return " ".join(parts)
    parts.append(_more_labels(answer, tomorrow))
    return " ".join(part for part in parts if part) or "More labels can settle it."


def _name_untested(seen: AskedLabels) -> str:
    n, wrong = round(seen.n), round(seen.wrong)
    labels = plural(n, "label", "labels")
    return (
        "Whether letting the model decide all is as good is not known yet: of "
        f"{labels} where it would ask, {count(wrong)} {'was' if wrong == 1 else 'were'} wrong."
    )


def _more_labels(answer: ValueAnswer, tomorrow: Tomorrow) -> str:
    saved = tomorrow.next_labels
    if saved is None:
        return ""
    if saved.mean < WORTH_SAYING:
        return f"More labels at random would save at most {_worth(answer, saved.at_most)} per 1,000 cases, however many."
    return (
        f"100 more labels would save {_worth(answer, saved.mean)} per 1,000 cases on average, all labels at "
        f"most {_worth(answer, saved.at_most)}."
    )


def expected_grid(answer: ValueAnswer, tomorrow: Tomorrow) -> Grid:
    """Return what the threshold and the two simplest policies bring, each with its interval."""
    priced = tomorrow.best.cost_per_1000 is not None
    check = answer.question.check_in_money
    rows = []
    for title, each in (
        ("this threshold", tomorrow.best),
        ("send every case to review", tomorrow.ask_all),
        ("let the model decide every case", tomorrow.answer_all),
    ):
        row: tuple[str, ...] = (title, cases_text(each.asked), cases_text(each.mistakes))
        if priced and each.cost_per_1000 is not None:
            cost = each.cost_per_1000
            row = (*row, cost_text(Expected(*(part * (check or 1) for part in cost))))
        rows.append(row)
    if tomorrow.best.asked.mean in (0, 1):
        rows = rows[1:]
    columns = (
        "policy",
        "to review",
        "mistakes",
        *((f"cost, {cost_unit(answer)}",) if priced else ()),
    )
    people = (
        " People's own mistakes are in the cost." if answer.people is not None and priced else ""
    )
    return Grid(
        "Of the next 1,000 cases",
        columns,
        tuple(rows),
        "In brackets: between these numbers 95% of the time. From all labelled cases and from many "
        f"other models, so that a lucky log does not flatter.{people}",
    )


def cost_unit(answer: ValueAnswer) -> str:
    """Return what costs are told in: checks, unless a mistake and a check were stated in money."""
    if answer.question.check_in_money is None:
        return "checks"
    return answer.question.currency or "your money"


def prices_grid(answer: ValueAnswer, tomorrow: Tomorrow) -> Grid:
    """Return what to do at other prices."""
    rows = tuple(
        (
            amount(checks),
            format_threshold(answer, each.threshold),
            cases_text(each.asked),
            cases_text(each.mistakes),
            "decided" if each.decided else "not yet",
        )
        for checks, each in tomorrow.prices
    )
    return Grid(
        "Of the next 1,000 cases, at other prices",
        ("checks per mistake", "threshold", "to review", "mistakes", "verdict"),
        rows,
        "In brackets: between these numbers 95% of the time.",
    )


def cases_text(expected: Expected) -> str:
    """So many of 1,000."""
    mean, low, high = (1000 * part for part in expected)
    if low == high:
        return expected_number(mean)
    return f"{expected_number(mean)} ({expected_number(low)}{_TO}{expected_number(high)})"


def _worth(answer: ValueAnswer, checks: float) -> str:
    """Write what is worth so many checks: in money, where a check was stated in it."""
    check = answer.question.check_in_money
    if check is None:
        return _checks(checks)
    return money_text(_round_money(checks * check), answer.question.currency)


def _worth_between(answer: ValueAnswer, checks: Expected) -> str:
    """Write the same with its interval."""
    check = answer.question.check_in_money
    if check is None:
        return cost_text(checks)
    unit = money_text(_round_money(checks.mean * check), answer.question.currency)
    return f"{unit} ({count(checks.low * check)}{_TO}{count(checks.high * check)})"


def _round_money(value: float) -> float:
    return round(value) if abs(value) >= 10 else round(value, 2)


def _checks(number: float) -> str:
    rounded = round(number)
    return (
        plural(rounded, "check", "checks")
        if number >= 1 or rounded == number
        else f"{amount(round(number, 2))} checks"
    )


def cost_text(cost: Expected) -> str:
    """Checks per 1,000 cases."""
    if cost.low == cost.high:
        return count(cost.mean)
    return f"{count(cost.mean)} ({count(cost.low)}{_TO}{count(cost.high)})"


def chance_text(probability: float) -> str:
    """Write a probability; nothing is certain."""
    if probability > _CERTAIN:
        return "more than 99%"
    if probability < 1 - _CERTAIN:
        return "less than 1%"
    return f"{100 * probability:.0f}%"


def cost_of_asking(tomorrow: Tomorrow) -> float | None:
    """Return what asking about all of 1,000 cases costs; None where no price is stated."""
    cost = tomorrow.ask_all.cost_per_1000
    return None if cost is None else cost.mean


def expected_object(best: Recommendation) -> dict[str, Any]:
    """Return what to expect of the recommended threshold as part of a JSON object."""
    return {
        "asked": best.asked._asdict(),
        "mistakes": best.mistakes._asdict(),
        "risk": None if best.risk is None else best.risk._asdict(),
        "cost_per_1000": None if best.cost_per_1000 is None else best.cost_per_1000._asdict(),
        "cheaper_than_asking": best.cheaper_than_asking,
        "cheaper_than_answering": best.cheaper_than_answering,
        "kept": best.kept,
    }
