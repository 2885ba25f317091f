"""What is promised of the whole output, said."""

from __future__ import annotations

from typing import Any

from askpoint.answers.value.answer import ValueAnswer
from askpoint.answers.value.whole_output import OutputPromise, WholeOutput
from askpoint.reports.document import Block, Figure, Figures, Grid, Notice, Paragraph
from askpoint.reports.value.thresholds import format_threshold, threshold_number
from askpoint.reports.words import count, plural, round_share, share

__all__ = [
    "output_figures",
    "output_lead",
    "whole_output_blocks",
    "whole_output_object",
]


def whole_output_blocks(answer: ValueAnswer, output: WholeOutput) -> tuple[Block, ...]:
    """Return the promise in words, what it rests on, and the other forms beside it."""
    kept = output.kept
    blocks: list[Block] = []
    if kept.is_given:
        blocks.append(Paragraph(_promise(answer, output)))
        if answer.tomorrow is None or not output.is_of_log:  # else they stand in the answer
            blocks.append(output_figures(answer, output))
    else:
        blocks.append(Notice(_nothing(output)))
    blocks.append(_describe_assumption(output))
    if kept.is_given or kept.accepted is not None:
        blocks.append(_test(output))
    if output.next_labels is not None:
        blocks.append(
            Paragraph(
                f"With {count(output.next_labels)} labels one mistake more may be passed. A smaller increase "
                f"does not let the model decide more."
            )
        )
    if output.others:
        blocks.append(_forms(answer, output))
    return tuple(blocks)


def output_lead(answer: ValueAnswer, output: WholeOutput) -> str:
    """Return what to do, where nothing else can be said of the log."""
    kept = output.kept
    if not kept.is_given:
        return _nothing(output)
    return (
        f"Let the model decide {_what_it_decides(answer, kept)} Then, with a probability of "
        f"{round_share(1 - output.delta)}, at most {count(output.mistakes_allowed)} of the {count(answer.n_items)} cases are "
        "wrong in the end."
    )


def _nothing(output: WholeOutput) -> str:
    until = "" if output.people is not None else " Until then send every case to review."
    return f"Nothing can be promised of the whole output: {output.kept.reason}.{until}"


def _what_it_decides(answer: ValueAnswer, kept: OutputPromise) -> str:
    return (
        f"{plural(kept.answered, 'case', 'cases')} that nobody looks at, from confidence "
        f"{format_threshold(answer, kept.threshold)} on; people look at {count(kept.asked)} others, and "
        f"{count(kept.labelled)} {'has' if kept.labelled == 1 else 'have'} a label."
    )


def _promise(answer: ValueAnswer, output: WholeOutput) -> str:
    sure = round_share(1 - output.delta)
    models = (
        f" Of {output.n_models} models each gets its share of the probability to fail."
        if output.n_models > 1
        else ""
    )
    if output.kept.scope == "stream":
        return (
            f"What is promised: with a probability of {sure} over labels like these, at most "
            f"{round_share(output.share)} of all new cases are wrong in the end, those that people look at "
            f"included.{models}"
        )
    return (
        f"What is promised: with a probability of {sure}, at most {count(output.mistakes_allowed)} of these "
        f"{count(answer.n_items)} cases ({round_share(output.share)}) are wrong in the "
        f"end.{models} The model decides {_what_it_decides(answer, output.kept)} Of new cases this "
        "threshold promises nothing."
    )


def output_figures(answer: ValueAnswer, output: WholeOutput) -> Figures:
    """Return who decides the cases of the log, and how many may be wrong."""
    kept = output.kept
    from_ = format_threshold(answer, kept.threshold)
    return Figures(
        f"Of these {count(answer.n_items)} cases",
        (
            Figure("left to the model", count(kept.answered), f"from {from_}"),
            Figure("to review", count(kept.asked), "people look at them"),
            Figure("with a label", count(kept.labelled), "right from now on"),
            Figure(
                "may be wrong",
                count(output.mistakes_allowed),
                f"with {round_share(1 - output.delta)}",
            ),
        ),
    )


def _describe_assumption(output: WholeOutput) -> Paragraph:
    people = output.people
    if people is None:
        return Paragraph(
            "The labels, and people who are asked, are taken to be right. Where they err, say how often they "
            "are right.",
            options="Add --people-right 0.98, or --people COLUMN.",
        )
    rate = round_share(round(people.error_rate, 4))
    how = (
        f"By {plural(people.n_cases, 'case', 'cases')} that have both a label and a person's answer, people "
        f"err on at most {rate} of the cases; labels are taken to be right."
        if people.n_cases is not None
        else f"People, who label too, are taken to err on {rate} of the cases."
    )
    theirs = (
        f" So up to {plural(people.mistakes, 'mistake', 'mistakes')} of the {count(output.mistakes_allowed)} may be "
        "theirs."
        if output.kept.is_given
        else ""
    )
    return Paragraph(
        f"{how}{theirs} They are taken to err as often where the model is wrong "
        "as elsewhere, independently from case to case."
    )


def _test(output: WholeOutput) -> Paragraph:
    kept = output.kept
    if output.people is not None:
        return Paragraph(
            "Up to 20 thresholds are tested one after the other, from cautious to bold, for fewer people are "
            "asked as the model decides more. The labels must be drawn at random from these cases, as many "
            "as were fixed before."
        )
    if kept.scope == "audit":
        more = (
            " The audits are not finished: each round lets the model decide more."
            if output.next_audit
            else ""
        )
        return Paragraph(
            f"From the surest case down each is audited with a chance of {share(output.audit_share or 0.0)}; the "
            f"answers stop before mistake number {_number(kept.accepted, 1)} that audits find "
            f"({_number(kept.seen)} so far), or where audits have no label yet. You may stop at any audit and go "
            f"on later.{more}",
            options="--propose writes down the next audits." if output.next_audit else "",
        )
    if output.look == "again":
        return Paragraph(
            "You look again and again: the promise stays true after every label, as long as labels "
            "are drawn at random from these cases. Looked at once, at a number of labels fixed before, the model "
            "decides more."
        )
    labels = plural(output.n_labels, "label", "labels")
    return Paragraph(
        f"One exact test: of {labels} drawn at random {'from these cases' if kept.scope == 'batch' else 'from cases like the new ones'}, the answers "
        f"stop before mistake number {_number(kept.accepted, 1)}. The number of labels must have been fixed "
        "before.",
        options="While labels still come, say --look again.",
    )


def _number(value: int | None, more: int = 0) -> str:
    return count((value or 0) + more)


def _forms(answer: ValueAnswer, output: WholeOutput) -> Grid:
    other = "again" if output.look == "once" else "once"
    names = (
        f"these cases, looked at {output.look}",
        f"these cases, looked at {other}",
        "new cases, looked at once",
    )
    rows = tuple(
        (
            name,
            format_threshold(answer, each.threshold),
            share(each.coverage),
            "–" if each.accepted is None or each.accepted < 0 else count(each.accepted),
            "–" if each.is_given else str(each.reason),
        )
        for name, each in zip(names, (output.kept, *output.others), strict=True)
    )
    return Grid(
        "What each form of the promise leaves to the model",
        ("promise about", "threshold", "left to the model", "mistakes passed", "why not"),
        rows,
        "Left to the model: decided, and looked at by nobody. Mistakes passed: labelled mistakes above "
        "the threshold, at most.",
    )


def whole_output_object(answer: ValueAnswer, output: WholeOutput) -> dict[str, Any]:
    """Return the same as part of a JSON object."""
    people, new = output.people, answer.tomorrow
    return {
        "limit": output.share,
        "delta": output.delta,
        "n_models": output.n_models,
        "look": output.look,
        "mistakes_allowed": output.mistakes_allowed,
        **_form(answer, output.kept),
        "others": [_form(answer, each) for each in output.others],
        "people": None
        if people is None
        else {
            "error_rate": people.error_rate,
            "measured_on": people.n_cases,
            "mistakes": people.mistakes,
        },
        "new_cases_within_limit": None if new is None else new.best.mistakes.mean <= output.share,
        "next_labels": output.next_labels,
        "audit_share": output.audit_share,
        "audits_go_on": output.next_audit,
        "n_labels": output.n_labels,
        "log_digest": output.log_digest,
    }


def _form(answer: ValueAnswer, each: OutputPromise) -> dict[str, Any]:
    return {
        "scope": each.scope,
        "threshold": threshold_number(answer, each.threshold),
        "left_to_the_model": {"rows": each.answered, "share": each.coverage},
        "asked": each.asked,
        "labelled": each.labelled,
        "mistakes_seen": each.seen,
        "acceptance_number": each.accepted,
        "reasons": {"threshold": each.reason} if each.reason else {},
    }
