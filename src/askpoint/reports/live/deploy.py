"""What a policy opens with, said: what it does, what its audits cost and detect, what can be lost."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from askpoint.answers.live.first_policy import Opening
from askpoint.reports.document import (
    Block,
    Document,
    Figure,
    Figures,
    Grid,
    Notice,
    Paragraph,
)
from askpoint.reports.live.policy_groups import opening_groups_blocks, opening_groups_object
from askpoint.reports.objects import record, with_reasons
from askpoint.reports.sections import guard_section
from askpoint.reports.words import (
    amount,
    count,
    money_text,
    plural,
    round_share,
    share,
    short_threshold,
)
from askpoint.value.posterior.prospects import Expected

__all__ = [
    "beside_policy_text",
    "beside_report_text",
    "opening_document",
    "opening_object",
    "opening_sentence",
]


def beside_report_text(opening: Opening, expected: Expected, threshold: float) -> str:
    """Return what a report on the log expects of new cases, what the policy begins with, and why they differ.

    Parameters
    ----------
    opening : Opening
        The policy.
    expected : Expected
        Share of new cases that the report sends to review.
    threshold : float
        From where the report lets the model decide.
    """
    alone, begins = 1 - expected.mean, opening.document.state.threshold
    lower, upper = 1 - expected.high, 1 - expected.low
    promises = opening.question.aim == "promise"
    if alone < _PRACTICALLY_NONE and promises:
        said = "The report on the log finds no threshold at which it can promise that limit."
    elif alone < _PRACTICALLY_NONE:
        said = "The report on the log expects nothing from letting the model decide alone."
    else:
        said = (
            f"The report on the log expects {count(1000 * alone)} of 1,000 new cases to be decided alone (between "
            f"{count(1000 * lower)} and {count(1000 * upper)}), from a confidence of {short_threshold(threshold)}."
        )
    if begins is None:
        does = "At first every case goes to review."
    else:
        begun = count(1000 * opening.coverage)
        does = f"The policy begins with {begun} of 1,000, from {short_threshold(begins)}."
    if begins is not None and round(opening.coverage, 2) == round(alone, 2):
        return f"{said} {does}"
    if begins is not None and opening.coverage > alone:
        why = (
            "That is more, because the policy learns from the labels in its own way. It closes itself if audits show too "
            "many mistakes."
        )
    elif promises:
        why = (
            "The report keeps the limit at one threshold, chosen once from these labels. The policy must keep it at every "
            "threshold that it ever uses, however often it looks, so it begins with less, and decides more as labels come."
        )
    else:
        why = (
            "The report is the best guess from these labels, looked at once. The policy must stay right however often it looks, "
            "so it begins with less, and decides more as labels come."
        )
    return f"{said} {does} {why}"


def beside_policy_text(in_use: float | None, expected: Expected, threshold: float) -> str:
    """Return why a policy does something else than the newest cases recommend; empty where both do the same.

    Parameters
    ----------
    in_use : float or None
        From where the policy decides alone; None where it sends every case to review.
    expected : Expected
        Share of new cases that the recommendation sends to review.
    threshold : float
        From where it lets the model decide.
    """
    asks_all = 1 - expected.mean < _PRACTICALLY_NONE
    if in_use is None and asks_all:
        return ""
    if in_use is None:
        return (
            f"At your price the newest cases recommend to decide alone from {short_threshold(threshold)}. The policy still sends "
            "every case to review: it waits until its labels make that sure, however often it looks."
        )
    if asks_all:
        return (
            "At your price the newest cases recommend to send every case to review. The policy decides alone because the labels of its "
            "whole time allowed it, and pauses on its own once they no longer do. If the newest cases are what matters, "
            "choose another version from them."
        )
    if short_threshold(in_use) == short_threshold(threshold):
        return ""
    more = "more" if threshold < in_use else "less"
    return (
        f"At your price the newest cases recommend to decide alone from {short_threshold(threshold)}, {more} than the policy does. "
        "That is a best guess, looked at once; the policy must stay right however often it looks."
    )


_PRACTICALLY_NONE = 0.005


def opening_sentence(
    opening: Opening, name: str, things: str, reported: float | None = None
) -> str:
    """Say in a sentence where a policy was written, how it begins, and how that differs from a report's share."""
    does = (
        f"it asks about every {things[:-1]} first"
        if opening.document.state.threshold is None
        else f"it decides {opening.coverage:.0%} of such {things} alone"
    )
    begins = "It must be sure however often it looks, so it begins with less than the report says."
    if reported is not None and round(opening.coverage, 2) == round(reported, 2):
        begins = "The report on the same labels agrees."
    elif reported is not None and opening.coverage > reported:
        begins = (
            f"That is more than the {reported:.0%} of the report: the policy learns in its own way, from each label "
            "that comes, and closes itself if audits show too many mistakes."
        )
    return f"Policy written to {name}: {does}, and more as labels come in. {begins}"


def opening_document(opening: Opening, folder: str, work: Sequence[Block] = ()) -> Document:
    """Return the report of ``askpoint deploy``; `work` says what the policy takes of people's time."""
    document = opening.document
    return Document(
        f"What will the policy do? {document.id}",
        (
            guard_section("What it does", _does, opening, work),
            guard_section("What audits cost, and what they detect", _audits, opening),
            guard_section("Worst case", _loss_bound, opening),
            guard_section("Next steps", _next, folder),
        ),
        f"Written to {folder}: {_list_files(folder)}. The policy's hash is {document.digest[:16]}.",
    )


def _list_files(place: str) -> str:
    if "://" in place:
        return "the policy, and its keys, which only you may read until the policy closes"
    return (
        "policy.json, state.sqlite, and the keys secret.key and signing.key, which only you may read until the policy "
        "closes"
    )


def _does(opening: Opening, work: Sequence[Block]) -> Iterator[Block]:
    question, threshold = opening.question, opening.document.state.threshold
    rows = plural(opening.n_labelled, "labelled case", "labelled cases")
    if threshold is not None:
        text = (
            f"It decides alone where {_what_counts(opening)} is at least {_threshold(opening, threshold)}, "
            f"{share(opening.coverage)} of the cases of the log; the rest goes to review."
        )
    elif opening.n_labelled:
        text = (
            f"Every case goes to review first: the labels of {rows} do not allow it to decide any "
            "yet. A report on the same log may say that answering is likely to be cheaper; a policy that "
            "decides alone must be sure of it, however often it looks. It starts as soon as labels allow it."
        )
    else:
        text = (
            "Every case goes to review first, and it starts to decide alone as soon as the "
            "labels allow it."
        )
    yield Paragraph(text, lead=True)
    yield from work
    yield _figures(opening)
    yield from opening_groups_blocks(opening)
    if question.aim == "money":
        checks = f"{amount(1 / question.limit)} checks are worth one mistake"
        if question.check_in_money is not None and question.mistake_in_money is not None:
            mistake = money_text(question.mistake_in_money, question.currency)
            check = money_text(question.check_in_money, question.currency)
            stated = question.check_in_money / question.mistake_in_money
            errs = "" if math.isclose(stated, question.limit) else "with reviewers' errors "
            checks = f"A mistake costs {mistake}, a check {check}, so {errs}{checks}"
        yield Paragraph(
            f"{checks}{', which is assumed' if question.assumed else ''}. The policy decides alone where "
            "that is cheaper than review.",
            options="Add --mistake with --check, --rho, --costs or --max-error."
            if question.assumed
            else "",
        )
    elif question.of_all_cases:
        people = (
            "people are taken to be right"
            if question.people_right is None
            else f"people get at most {round_share(1 - question.people_right)} of what they see wrong"
        )
        yield Paragraph(
            f"As long as new cases look like these, at most {round_share(question.limit)} of all cases are wrong in the "
            f"end, reviewed cases included (chance that this fails: {round_share(question.delta)}): its decisions keep that limit at every threshold it ever uses, and {people}. That is stricter than it need be for a batch "
            "that is released as a whole.",
            options="For such a batch, askpoint value --max-mistakes leaves more to the model.",
        )
    else:
        yield Paragraph(
            f"As long as new cases look like these, at most {round_share(question.limit)} of its "
            f"decisions are wrong, at every threshold it ever uses (chance that this fails: {round_share(question.delta)}). No method can promise that where cases change; for that it has audits and a mistake budget."
        )


def _what_counts(opening: Opening) -> str:
    if opening.document.group_scale is None:
        return "the model's confidence"
    return "the chance that the model is right, as learned in each group,"


def _threshold(opening: Opening, threshold: float) -> str:
    """Write the threshold; all its digits stand in the policy, and those of each group act."""
    return short_threshold(threshold) if opening.document.group_scale is None else amount(threshold)


def _figures(opening: Opening) -> Figures:
    terms, threshold = opening.document.terms, opening.document.state.threshold
    assumed = "assumed, no data yet" if opening.is_assumed else "of the log's cases"
    return Figures(
        "What is agreed",
        (
            Figure("decided alone", share(opening.coverage), assumed),
            Figure(
                "confidence threshold"
                if opening.document.group_scale is None
                else "threshold on the chance to be right",
                "none yet" if threshold is None else _threshold(opening, threshold),
            ),
            Figure("audits", amount(opening.audits_per_thousand), "of 1,000 cases"),
            Figure("lost before it stops", count(terms.budget), "mistakes, at most"),
        ),
        "An audit is a decision that a person checks, drawn at random. Lost: expected mistakes beyond what is "
        f"agreed, whatever happens (chance that this fails: {round_share(terms.delta)}).",
    )


def _audits(opening: Opening) -> Iterator[Block]:
    terms = opening.document.terms
    assumed = " (assumed, no data yet)" if opening.is_assumed else ""
    price = ""
    if terms.aim == "money":
        price = f", as much as {amount(opening.audits_per_thousand * terms.limit)} mistakes"
        if (check := opening.question.check_in_money) is not None:
            cost = money_text(opening.audits_per_thousand * check, opening.question.currency)
            price = f", which cost {cost}{price}"
    yield Paragraph(
        f"{share(terms.rate)} of its answers are drawn at random for people to check: about "
        f"{amount(opening.audits_per_thousand)} audits for 1,000 cases{price}, at a coverage of "
        f"{share(opening.coverage)}{assumed}. Without audits you cannot know how many decisions are wrong."
    )
    if opening.detected:
        yield Grid(
            "Rises of the error that they detect",
            ("from at most the limit to", "audits", "cases until the alarm (9 times in 10)"),
            tuple(
                (share(rise.risk), count(rise.audits), count(rise.decisions))
                for rise in opening.detected
            ),
            "Half of the alarms come after 50% to 80% of that. In "
            f"{count(terms.planned_decisions)} planned decisions "
            f"any false alarm has a probability of at most {round_share(terms.watch_delta)}.",
        )
    yield Paragraph(
        f"Labels may come late: without labels the policy decides {count(terms.max_label_delay)} more cases. Then "
        "every case goes to review until labels arrive. Set the longest label delay to at least "
        "the cases of your longest weekend and of your largest batch. A case counts as a mistake if it has no label when a case this many "
        "decisions later has one.",
        options="Set the delay with --max-label-delay.",
    )
    if opening.is_blind:
        yield Notice(
            f"Its planned decisions have about {count(opening.planned_audits)} audits: a slow or small drift "
            "cannot be detected in them. Audit more, or plan more decisions."
        )


def _loss_bound(opening: Opening) -> Iterator[Block]:
    terms = opening.document.terms
    against = (
        "sending everything to review would have cost"
        if terms.aim == "money"
        else f"{round_share(terms.limit)} of its answers"
    )
    yield Paragraph(
        f"If all of its decisions became wrong at once, "
        f"{plural(round(opening.mistakes_before_first_audit), 'mistake', 'mistakes')} beyond the limit may pass before the "
        f"first audit (probability {round_share(terms.delta)}). Only more audits lower this number."
    )
    yield Paragraph(
        f"Whatever happens, the expected mistakes are at most {count(terms.budget)} more than {against} (chance that "
        f"this fails: {round_share(terms.delta)}). Before they can be more, the policy closes automatically. After each "
        "alarm it starts over with the same number. While labels are late, add what it decides meanwhile."
    )


def _next(folder: str) -> Iterator[Block]:
    yield Paragraph(
        f"askpoint decide {folder} BATCH: decide cases. askpoint label {folder} LABELS: "
        f"add reviewers' labels. askpoint watch {folder}: see its status."
    )


def _amounts(opening: Opening) -> dict[str, Any]:
    """Return what was stated in money, if it was."""
    question = opening.question
    if question.check_in_money is None:
        return {}
    amounts = {"mistake": question.mistake_in_money, "check": question.check_in_money}
    return {"in_money": amounts | ({"currency": question.currency} if question.currency else {})}


def opening_object(opening: Opening) -> dict[str, Any]:
    """Return the object that ``askpoint deploy --json`` prints."""
    document, terms = opening.document, opening.document.terms
    content = {
        "policy": document.id,
        "hash": document.digest,
        "aim": terms.aim,
        "limit": terms.limit,
        **_amounts(opening),
        "assumed": opening.question.assumed,
        "delta": terms.delta,
        "threshold": document.state.threshold,
        "coverage": opening.coverage,
        "coverage_is_assumed": opening.is_assumed,
        "rows": opening.n_rows,
        "labelled": opening.n_labelled,
        "audit_rate": terms.rate,
        "audits_per_thousand": opening.audits_per_thousand,
        "planned_audits": opening.planned_audits,
        "planned_decisions": terms.planned_decisions,
        "mistake_budget": terms.budget,
        "mistakes_before_first_audit": opening.mistakes_before_first_audit,
        "detected": [record(rise) for rise in opening.detected],
        "can_detect_drift": not opening.is_blind,
    }
    if opening.document.group_scale is not None:
        content["groups"] = opening_groups_object(opening)
    return with_reasons(content, "every case goes to review until labels allow a decision")
