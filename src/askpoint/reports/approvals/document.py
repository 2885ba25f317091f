"""A log of approvals, said: who may act alone, who still asks, and what the answer rests on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from askpoint.answers.approvals.answer import ApprovalAnswer
from askpoint.answers.approvals.unit_answers import UnitAnswer
from askpoint.live.licences.amount_steps import AmountStep
from askpoint.live.licences.forecast import FARTHEST
from askpoint.live.licences.label_rules import NOT_COUNTED
from askpoint.reports.approvals.approvers import one_approver_words, pivot_words
from askpoint.reports.approvals.picture import evidence_picture
from askpoint.reports.document import (
    Block,
    Document,
    Figure,
    Figures,
    Grid,
    Notice,
    Paragraph,
    Section,
)
from askpoint.reports.words import amount, count, plural, round_share, share

__all__ = ["approvals_document", "state_words", "unit_words"]

_HASTY = 0.5
_BARELY = 0.1  # of bad actions overlooked, which careful readers exceed
_FEWEST = 20  # decisions of an approver, before it is said how many were not read


def approvals_document(answer: ApprovalAnswer, name: str) -> Document:
    """Return the report on a log of approvals."""
    sections = [Section("May it act alone?", tuple(_lead(answer)))]
    if answer.licensed:
        sections.append(Section("These may act alone", tuple(_licence_grid(answer))))
    if len(answer.licensed) < len(answer.units):
        sections.append(Section("These still ask", tuple(_asking(answer))))
    sections.append(Section("What counts as a label", tuple(_labels(answer))))
    return Document(
        f"Approvals: {name}",
        tuple(sections),
        _promise(answer),
    )


def _promise(answer: ApprovalAnswer) -> str:
    delta, units = answer.question.delta, sum(one.aim == "promise" for one in answer.units)
    searched = answer.searched
    if not units:
        return (
            "Nothing is promised about how often these actions are wrong: each runs alone while that is expected to cost "
            "less than asking. In the door audits go on, and end what became worse."
        )
    each = (
        f"If a unit's share of bad actions stays at the limit or above, the chance that it ever earns a licence is at most "
        f"{round_share(delta)}, however often you look."
    )
    if units + searched == 1:
        return each
    steps = (
        f" and {plural(searched, 'search', 'searches')} for a step of an amount" if searched else ""
    )
    most = amount(delta * (units + searched))
    return f"{each} Over all {plural(units, 'unit', 'units')}{steps}, expect at most {most} undeserved licences."


def unit_words(unit: UnitAnswer) -> str:
    """Name a unit: agent, tool and class."""
    return f"{unit.agent} {unit.tool}" + ("" if unit.name == "any" else f", {unit.name}")


def state_words(unit: UnitAnswer) -> str:
    """Say what a unit without a licence lacks."""
    if unit.why:
        return f"never: {unit.why}"
    if unit.waits_for:
        return f"earned; waits for the step {unit.waits_for}"
    if unit.pivot is not None:
        return pivot_words(unit.pivot)
    forecast = unit.forecast
    if forecast is None:
        return "not until golden actions show that approvers read"
    if forecast.median is None:
        rarely = f"; {share(1 - forecast.never)} of futures earn it" if forecast.never < 1 else ""
        return f"unlikely as it is{rarely}"
    late = (
        f" (more than {count(FARTHEST)} in {share(forecast.never)} of futures)"
        if forecast.never
        else ""
    )
    return f"about {count(forecast.median)} more approvals{late}"


def _lead(answer: ApprovalAnswer) -> Iterator[Block]:
    question, may = answer.question, answer.licensed
    limit = round_share(question.limit)
    promised = [one for one in may if one.aim == "promise"]
    if promised:
        at = f"a limit of {limit} bad actions"
        if {one.limit for one in promised} != {question.limit}:
            at = "the limits of their classes"
        yield Paragraph(
            f"Decided: {_of_all(promised, answer)} may run without asking, at {at}: {_names(promised)}.",
            lead=True,
        )
    priced = [one for one in may if one.aim == "money"]
    if priced:
        yield Paragraph(
            f"Decided: {_of_all(priced, answer)} should cost less without asking: {_names(priced)}. That is a price, not a "
            "promise: their share of bad actions may be above the limit for a while.",
            lead=True,
        )
    if not may:
        yield Paragraph(
            f"Decided: nothing may run without asking yet, at a limit of {limit} bad actions.",
            lead=True,
        )
    for one in answer.units:
        if one.step is not None:
            yield Paragraph(_step_words(one, one.step))
    yield from _unknown(answer)
    for one in answer.unlicensed_alone:
        yield Notice(
            f"{unit_words(one)} ran {plural(one.by_rule, 'time', 'times')} by a rule, and has earned no licence: ask about "
            "it until it has."
        )
    if may:
        yield from _gains(answer)


def _step_words(unit: UnitAnswer, step: AmountStep) -> str:
    """Propose a step of an amount, and say how to declare it."""
    names = f"{unit.agent} {unit.tool} may run without asking where {step.argument} is at most {amount(step.up_to)}"
    labels = (
        f"{count(step.counted)} of its {count(unit.counted)} labels, {amount(step.bad)} of them bad"
    )
    tried = plural(step.tried, "step that was tried", "steps that were tried")
    rest = ", and larger amounts as steps that the door may earn" if step.bolder else ""
    return f"In part: {names} ({labels}), corrected for the {tried}. --policy FILE declares both parts{rest}."


def _of_all(units: Sequence[UnitAnswer], answer: ApprovalAnswer) -> str:
    kinds = "kinds" if len(answer.units) > 1 else "kind"
    return f"{len(units)} of {len(answer.units)} {kinds} of action"


def _names(units: Sequence[UnitAnswer]) -> str:
    others = f"; and {count(len(units) - 4)} more" if len(units) > 4 else ""
    return "; ".join(unit_words(one) for one in units[:4]) + others


def _unknown(answer: ApprovalAnswer) -> Iterator[Block]:
    """Say what the log cannot show."""
    columns = answer.log.columns
    if not answer.question.golden:
        holds = (
            "Each licence below holds if they overlook less than the share in its last column; to measure it"
            if answer.licensed
            else "To measure that"
        )
        yield Paragraph(
            f"A log cannot show whether approvers read what they approve. {holds}, deal them actions that you know to "
            "be bad, unmarked and never run (--golden)."
        )
    missing = [role for role in ("decided", "reviewer", "version") if role not in columns]
    if "seconds" in columns and "asked" in columns and "decided" in missing:
        missing.remove("decided")
    if "decided" in columns and "asked" not in columns:
        missing.insert(0, "asked")
    costs = {
        "asked": "when an action was proposed, so approvals within a second count as read",
        "decided": "when a decision was made, so approvals within a second count as read",
        "reviewer": "who decided, so approvals in bulk count as read",
        "version": "which version of the agent acted, so all count as one",
    }
    if missing:
        yield Notice(f"The log does not say {'; nor '.join(costs[role] for role in missing)}.")
    for one in answer.licensed:
        if one.holds_below is not None and one.holds_below < _BARELY and not answer.question.golden:
            yield Notice(
                f"{unit_words(one)}: this licence barely holds. It falls if approvers overlook {share(one.holds_below)} of bad "
                "actions."
            )
    if answer.licensed and len(answer.reviewers) == 1:
        yield Notice(one_approver_words(answer.reviewers[0].name))
    elif any(one.pivot for one in answer.licensed):
        hanging = [
            f"{unit_words(one)} {pivot_words(one.pivot)}" for one in answer.licensed if one.pivot
        ]
        yield Notice(
            f"{'; '.join(hanging)}. An approver who lets bad actions pass on purpose would not be seen; "
            "--without-each-approver takes evidence that stands without any one of them."
        )
    for pace in answer.reviewers:
        if pace.unread >= _HASTY and pace.decided >= _FEWEST:
            yield Notice(
                f"{pace.name} did not read {share(pace.unread)} of {count(pace.decided)} decisions ({count(pace.fast)} "
                f"within a second, {count(pace.bulk)} in bulk): none of these counts."
            )


def _gains(answer: ApprovalAnswer) -> Iterator[Block]:
    log, days, question = answer.log, answer.log.days, answer.question
    mean, between = answer.bad_alone
    if days:
        before, after = len(log) / days, answer.still_asked / days
        asked = f"People would see {amount(after)} actions a day instead of {amount(before)}"
    else:
        before = after = 0.0
        asked = f"People would see {count(answer.still_asked)} of these {count(len(log))} actions"
    yield Paragraph(
        f"{asked}, audits included. Of {count(answer.alone)} actions taken alone expect about "
        f"{plural(round(mean), 'bad one', 'bad ones')} "
        f"({count(between.lower)} to {count(between.upper)}, 95%); audits would see "
        f"{f'about {count(answer.bad_seen)}' if answer.bad_seen >= 0.5 else 'hardly any'} of them."
    )
    figures = [
        Figure("may act alone", f"{len(answer.licensed)} of {len(answer.units)}"),
        Figure(
            "bad actions alone", count(mean), f"{count(between.lower)} to {count(between.upper)}"
        ),
    ]
    if days:
        figures.insert(1, Figure("asked a day", amount(after), f"today {amount(before)}"))
        said = []
        saved = answer.saved
        if saved is not None and saved.hours is not None:
            said.append(f"{amount(saved.hours)} hours")
        if saved is not None and saved.money is not None and saved.checks is not None:
            unit = f" {question.currency}" if question.currency else ""
            low, high = saved.interval or (saved.money, saved.money)
            said.append(
                f"{amount(saved.money)}{unit} ({amount(low)} to {amount(high)}): {amount(saved.checks)} in checks, less the "
                "bad actions"
            )
            figures.append(
                Figure(
                    f"saved in 30 days{unit}",
                    amount(saved.money),
                    f"{amount(low)} to {amount(high)}",
                )
            )
        if said:
            yield Paragraph(f"In 30 days that saves {' and '.join(said)}.")
    yield Figures("What the licences change", tuple(figures))


def _licence_grid(answer: ApprovalAnswer) -> Iterator[Block]:
    by_limit = len({(one.limit, one.aim) for one in answer.licensed}) > 1
    yield Grid(
        "May act alone",
        (
            "agent, tool, class",
            "counted",
            "bad",
            *(("limit",) if by_limit else ()),
            "since approval",
            "one audit in",
            "holds if overlooked below",
        ),
        tuple(
            (
                f"{unit_words(one)}{_version(answer, one)}",
                count(one.counted),
                amount(one.bad),
                *((_limit_words(one),) if by_limit else ()),
                count(one.history.granted or 0),
                count(1 / one.audit_rate),
                "-" if one.holds_below is None else share(one.holds_below),
            )
            for one in answer.licensed
        ),
        "Since approval: labels until the evidence sufficed, or acting was expected to cost less. One audit in: of "
        "the actions taken alone, drawn at random after the proposal; fewer as evidence grows. Overlooked: bad actions "
        "that approvers let pass.",
    )
    if any(one.aim == "promise" for one in answer.licensed):
        yield evidence_picture(answer)


def _limit_words(unit: UnitAnswer) -> str:
    return round_share(unit.limit) + (" by money" if unit.aim == "money" else "")


def _asking(answer: ApprovalAnswer) -> Iterator[Block]:
    rows = [
        (
            f"{unit_words(one)}{_version(answer, one)}",
            count(one.counted),
            amount(one.bad),
            state_words(one),
        )
        for one in answer.units
        if one.state != "licensed"
    ]
    rows += [
        (
            f"{agent} {version} (older version)",
            count(n),
            amount(bad),
            "its labels do not count for a newer one",
        )
        for (agent, version), (n, bad) in answer.older.items()
    ]
    yield Grid(
        "Still asks",
        ("agent, tool, class", "counted", "bad", "until it may act alone"),
        tuple(rows),
    )


def _version(answer: ApprovalAnswer, unit: UnitAnswer) -> str:
    several = any(agent == unit.agent for agent, _ in answer.older)
    return f" ({unit.version})" if several else ""


def _labels(answer: ApprovalAnswer) -> Iterator[Block]:
    log = answer.log
    days = f" in {count(log.days)} days" if log.days and log.days >= 1 else ""
    yield Paragraph(
        f"{', '.join(dict.fromkeys(log.agents))} asked {plural(len(log), 'time', 'times')}{days}. "
        f"{plural(answer.counted, 'decision counts', 'decisions count')}: an approval is right unless it was undone "
        "later, a rejection or a change is wrong."
    )
    if answer.question.classes is None:
        for hint in answer.splits:
            yield Paragraph(
                f"{hint} may be split by its arguments, without a look at the labels: see --split and --actions."
            )
    taken = ", ".join(f"{role} from {name}" for role, name in log.columns.items() if role != name)
    if taken:
        yield Paragraph(f"Read: {taken}.")
    if answer.not_counted:
        yield Grid(
            "What does not count",
            ("why", "decisions"),
            tuple((NOT_COUNTED[reason], count(n)) for reason, n in answer.not_counted.items()),
        )
    if answer.reviewers:
        columns = log.columns
        timed = "asked" in columns and ("decided" in columns or "seconds" in columns)
        yield Grid(
            "How approvers decide",
            ("approver", "decisions", "within a second", "in bulk"),
            tuple(
                (
                    one.name,
                    count(one.decided),
                    count(one.fast) if timed else "not known",
                    count(one.bulk),
                )
                for one in answer.reviewers[:20]
            ),
        )
