"""Which judges to keep: a row a judge, with what leaving that one out would cost in labels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from askpoint.answers.judges.answer import JudgesAnswer
from askpoint.judges.gold.fewest_judges import FewestJudges
from askpoint.judges.gold.label_worth import JudgeWorth, LabelWorth
from askpoint.judges.gold.panel_choice import PanelChoice
from askpoint.reports.document import Block, Grid, Notice, Paragraph
from askpoint.reports.judges.lead import list_names
from askpoint.reports.objects import as_json
from askpoint.reports.words import count, estimate_text, plural, round_share

__all__ = ["choice_object", "keep_lead", "keep_or_drop_blocks", "worth_object"]

_MOST_ROWS = 20
_OTHERS = 8  # of many judges, beside those to keep
_NOTHING = 1.1  # times as many labels: below, the votes bring nothing, spec J21
_LITTLE = 0.05  # of the labels given


class _AdviceRow(NamedTuple):
    judge: str
    verdict: str
    why: str
    labels: str
    money: str = ""


def keep_lead(answer: JudgesAnswer) -> Iterator[Block]:
    """Yield which judges to keep or to pay for, where that is known."""
    if answer.worth is None or _is_complete(answer):
        return
    if answer.choice is not None:
        yield Paragraph(_money_words(answer, answer.worth, answer.choice), lead=True)
    elif answer.fewest is not None and answer.fewest.judges:
        yield Paragraph(_keep_words(answer, answer.fewest), lead=True)


def keep_or_drop_blocks(answer: JudgesAnswer) -> Iterator[Block]:
    """Yield what the panel is worth, and the table of whom to keep."""
    worth = answer.worth
    if _is_complete(answer):
        yield Paragraph(
            "Every item has a label, so votes can save none here. Judge by judge below shows whom to keep for "
            "other items."
        )
    elif worth is not None:
        yield _panel_words(answer, worth)
    rows = [_row(answer, judge) for judge in answer.judges]
    if all(row.verdict == "not known" for row in rows):
        return
    shown = _most_useful(answer, rows)
    note = (
        "Worth: how many of the labels that the votes save go if this judge alone is left out, and the "
        f"{round_share(answer.question.level)} interval."
    )
    if len(rows) > _MOST_ROWS:
        note += f" {len(shown)} of {count(len(rows))} judges; --json has all."
    columns: tuple[str, ...] = ("judge", "verdict", "why", "worth in labels")
    if answer.choice is not None:
        columns = (*columns, "saves in money")
        note += (
            " Saves: these labels at --check, less the judge's votes at --vote, next to all others; whom to "
            "pay for follows from all together."
        )
    yield Grid(
        "Which judges to keep",
        columns,
        tuple(tuple(row)[: len(columns)] for row in shown),
        note if worth is not None else "Labels by people show what the others are worth.",
    )


def _is_complete(answer: JudgesAnswer) -> bool:
    """Say whether every item has a label: then votes tell nothing more of these items."""
    return answer.worth is not None and answer.worth.n_gold >= answer.sketch.n_items


def _most_useful(answer: JudgesAnswer, rows: Sequence[_AdviceRow]) -> list[_AdviceRow]:
    """Return the rows of the judges to keep first, then by worth; of many judges not all the others."""
    order = {"pay for": 0, "keep": 0, "drop": 2}
    worth = {} if answer.worth is None else answer.worth.judges

    def rank(row: _AdviceRow) -> tuple[int, float]:
        lost = worth.get(row.judge)
        return order.get(row.verdict, 1), 0.0 if lost is None else -lost.labels

    ranked = sorted(rows, key=rank)
    if len(rows) <= _MOST_ROWS:
        return ranked
    first = [row for row in ranked if order.get(row.verdict, 1) == 0][:_MOST_ROWS]
    return [*first, *ranked[len(first) :][: min(_OTHERS, _MOST_ROWS - len(first))]]


def _money_words(answer: JudgesAnswer, worth: LabelWorth, choice: PanelChoice) -> str:
    """Say whom to pay for, and how many labels' price that saves; a best guess where all together may lose or save.

    Judges who were chosen among others were chosen on these labels: what they save has no interval, and is a guess.
    """
    none = (
        f"Pay for none of these judges: together they cost {_money(-choice.saved_by_all)} more than the labels that they "
        "save. Label without them."
    )
    check = answer.question.check
    if not check:
        return none
    ends = [end - worth.n_plain + choice.saved_by_all / check for end in worth.interval]
    low, high = min(ends), max(ends)
    if not choice.paid and high > 0:
        return (
            "Not decided yet whom to pay for. Best guess: none of these judges; at the same precision, labels that all of "
            f"them save: {_between(low, high)}."
        )
    if not choice.paid:
        return none
    is_all = len(choice.paid) == len(answer.sketch.judges)
    names = list_names(choice.paid, _OTHERS)
    begin = (
        f"Pay for {names}:"
        if is_all and low >= 0
        else f"Not decided yet whom to pay for. Best guess: {names};"
    )
    whom = "that judge saves" if len(choice.paid) == 1 else "together they save"
    paid = f"{begin} {whom} the price of {estimate_text(choice.saved / check)} labels"
    if is_all:
        return f"{paid} ({_between(low, high)}) at the same precision."
    by_all = choice.saved_by_all / check
    verb = "save" if by_all >= 0 else "lose"
    return f"{paid} at the same precision. All judges together would {verb} {estimate_text(abs(by_all))} ({_between(low, high)})."


def _between(low: float, high: float) -> str:
    """Say between how many labels are saved, or lost, or either."""
    if low < 0 < high:
        return f"between {estimate_text(-low)} lost and {estimate_text(high)} saved"
    ends = sorted(abs(end) for end in (low, high))
    return f"between {estimate_text(ends[0])} and {estimate_text(ends[1])}"


def _money(value: float) -> str:
    """Write money, a loss with a minus."""
    digits = 2 if abs(value) < 100 else 0
    text = f"{abs(value):,.{digits}f}"
    return f"\N{MINUS SIGN}{text}" if value < 0 and text.strip("0.,") else text


def _keep_words(answer: JudgesAnswer, fewest: FewestJudges) -> str:
    """Say which judges to keep, all together."""
    n, kept = len(answer.sketch.judges), len(fewest.judges)
    if kept == n:
        return f"Keep {'this judge' if n == 1 else f'all {n}'}."
    tell = "this one tells" if kept == 1 else f"these {kept} tell"
    names = ", ".join(fewest.judges)
    if not fewest.is_sure:
        alone = " alone" if kept == 1 else ""
        return (
            f"Not decided yet which judges to keep. Best guess: {names}{alone}. More labels would show what the others "
            "add."
        )
    return f"Keep {names}: {tell} as much about {answer.label!r} as all {count(n)}."


def _panel_words(answer: JudgesAnswer, worth: LabelWorth) -> Block:
    """Say what the panel is worth, and whether to label without it."""
    given = plural(worth.n_gold, "label", "labels")
    if not worth.uses_votes:
        return Notice(
            f"These votes bring nothing for {answer.label!r}: they tell less than {given} alone, so labels "
            f"alone are used. {_other_labels(answer, worth)}"
        )
    low, high = (count(round(end)) for end in worth.interval)
    told = (
        f"with them {given} tell as much about {answer.label!r} as {count(round(worth.n_plain))} without (between "
        f"{low} and {high})"
    )
    if worth.factor < _NOTHING:
        return Notice(f"These votes bring next to nothing: {told}. {_other_labels(answer, worth)}")
    return Paragraph(f"These votes save labels: {told}, {worth.factor:.1f} times as many.")


def _other_labels(answer: JudgesAnswer, worth: LabelWorth) -> str:
    """Say what to do where votes tell nothing of the label that is told first."""
    better = [
        f"{label} ({count(round(n))})"
        for label, n in worth.by_label.items()
        if n >= _NOTHING * worth.n_gold
    ]
    if better:
        return f"About other labels they tell more than {count(worth.n_gold)} labels do: {', '.join(better)}."
    selection = answer.origin.selection
    if selection is not None and selection.is_uneven:
        return (
            f"This can also mean that labels were picked for the judges' mistakes. Label {count(worth.n_gold)} items "
            "in sealed order (--propose with --random) before you drop a judge."
        )
    return "Label at random, without the judges."


def _row(answer: JudgesAnswer, judge: str) -> _AdviceRow:
    redundant = answer.redundant
    why = (
        f"constant: always {redundant.constant[judge]}" if judge in redundant.constant
        else f"copy of {redundant.copies[judge]}" if judge in redundant.copies
        else f"opposite of {redundant.opposites[judge]}" if judge in redundant.opposites
        else None
    )  # fmt: skip
    if why is not None:
        return _AdviceRow(judge, "drop", why, "0", _money(-answer.wasted.get(judge, 0.0)))
    worth, choice = answer.worth, answer.choice
    if worth is None:
        why = "labels not at random" if answer.origin.is_refused else "no labels"
        return _AdviceRow(judge, "not known", why, "")
    if _is_complete(answer):
        return _AdviceRow(judge, "not known", "every item has a label", "")
    money = "" if choice is None else _money(choice.judges[judge].saved)
    lost = worth.judges.get(judge)
    told = "" if lost is None else _labels(lost)
    if not worth.uses_votes:
        return _AdviceRow(judge, "may go", f"tells nothing about {answer.label}", "0", money)
    if choice is not None:
        if judge in choice.paid:
            why = (
                "saves more than it costs"
                if choice.judges[judge].saved > 0
                else "saves without the rest"
            )
            return _AdviceRow(judge, "pay for", why, told, money)
        return _AdviceRow(judge, "do not pay", "costs more than it saves", told, money)
    if answer.fewest is not None:
        if judge in answer.fewest.judges:
            return _AdviceRow(judge, "keep", "needed", told)
        why = "those kept tell as much" if answer.fewest.judges else "all bring next to nothing"
        return _AdviceRow(judge, "may go", why, told)
    if lost is None:
        return _AdviceRow(judge, "not known", "not measured", "")
    least = _LITTLE * worth.n_gold
    if lost.labels < least:
        sure = "" if lost.interval.upper < least else ", it seems"
        return _AdviceRow(judge, "may go", f"the others tell as much{sure}", told)
    sure = "" if lost.interval.lower > 0 else ", it seems"
    return _AdviceRow(judge, "keep", f"useful{sure}", told)


def _labels(lost: JudgeWorth) -> str:
    value, low, high = (max(round(end), 0) for end in (lost.labels, *lost.interval))
    return f"{count(value)} ({count(low)} to {count(high)})"


def worth_object(answer: JudgesAnswer) -> dict[str, Any] | None:
    """Return the same as JSON."""
    worth: LabelWorth | None = answer.worth
    if worth is None:
        return None
    return {
        "label": answer.label,
        "n_gold": worth.n_gold,
        "n_plain": worth.n_plain,
        "factor": worth.factor,
        "interval": as_json(worth.interval),
        "uses_votes": worth.uses_votes,
        "by_label": dict(worth.by_label),
        "keep": None
        if answer.fewest is None or _is_complete(answer)
        else list(answer.fewest.judges),
        "judges": [
            {
                "judge": row.judge,
                "verdict": row.verdict,
                "why": row.why,
                "labels": None if (lost := worth.judges.get(row.judge)) is None else lost.labels,
                "interval": None if lost is None else as_json(lost.interval),
            }
            for row in (_row(answer, judge) for judge in answer.judges)
        ],
    }


def choice_object(answer: JudgesAnswer) -> dict[str, Any] | None:
    """Return as JSON whom to pay for."""
    choice = answer.choice
    if choice is None:
        return None
    return {
        "paid": list(choice.paid),
        "saved": choice.saved,
        "saved_by_all": choice.saved_by_all,
        "judges": [
            {"judge": judge, "cost": of.cost, "saved": of.saved, "interval": as_json(of.interval)}
            for judge, of in choice.judges.items()
        ],
    }
