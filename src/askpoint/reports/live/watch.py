"""Status report of a policy."""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Iterator
from typing import Any

from askpoint.answers.live.checkup import WatchAnswer
from askpoint.live.ladder_calls import call_prices
from askpoint.live.worth import LiveCost
from askpoint.measures.intervals import Interval
from askpoint.reports.document import (
    Block,
    Document,
    Figure,
    Figures,
    Grid,
    Notice,
    Paragraph,
    Picture,
    Section,
)
from askpoint.reports.live.doubles import doubles_blocks
from askpoint.reports.live.events import closing_reason, event_rows
from askpoint.reports.live.followers import followers_blocks
from askpoint.reports.live.policy_groups import groups_in_use_blocks
from askpoint.reports.live.reopening import reopening_text
from askpoint.reports.live.silence import silence_notices
from askpoint.reports.sections import guard_section
from askpoint.reports.words import (
    amount,
    count,
    plural,
    round_share,
    share,
    share_range,
    short_threshold,
)

__all__ = ["watch_document"]

_SHOWN = 10  # keys, and events
_ALARM_CAUSES = {
    "none": "Gold cases raise no alarm about reviewers, and audits none about the model.",
    "model": (
        "The model got worse: reviewers are as good on gold cases as was stated, and its "
        "decisions are wrong more often."
    ),
    "reviewers": (
        "Reviewers got worse: they are wrong on gold cases more often than was stated. Have their "
        "latest cases labelled again before you change the model."
    ),
}


def watch_document(answer: WatchAnswer, folder: str) -> Document:
    """Return the report of ``askpoint watch``."""
    document = answer.history.document
    return Document(
        f"Status of {document.id}",
        (
            guard_section("Now", lambda: (*_now(answer), *_figures(answer))),
            guard_section("Savings", _worth, answer),
            *_by_group(answer),
            guard_section("Quality", _good, answer),
            guard_section("Cases waiting for a label", _next, answer, folder),
            guard_section("How reliable these numbers are", _trust, answer),
        ),
        f"After {plural(answer.history.state.decided, 'decision', 'decisions')}; askpoint verify computes them "
        "again. Made by askpoint.",
    )


def _by_group(answer: WatchAnswer) -> Iterator[Section]:
    if answer.groups:
        yield guard_section("Group by group", groups_in_use_blocks, answer.groups)


def _now(answer: WatchAnswer) -> Iterator[Block]:
    history = answer.history
    state = history.state
    if history.held:
        every = "All" if history.held == state.decided else count(history.held)
        yield Notice(
            f"In shadow: {every} of {plural(state.decided, 'decision', 'decisions')} were held and "
            "not acted on. The numbers show what they would have been."
        )
    yield from _troubles(answer)
    yield from silence_notices(answer)
    if state.booked:
        yield Paragraph(
            f"{plural(state.booked, 'answer', 'answers')} may have been given under leases whose receipts are not here. "
            "They count as mistakes until askpoint lease hand-in has them."
        )
    if state.waiting:
        yield Paragraph(
            "Every case goes to review, because there were no labels for more than "
            f"{plural(answer.terms.max_label_delay, 'decision', 'decisions')}. Label the cases that wait, and it continues where it was.",
            lead=True,
        )
    elif state.threshold is not None:
        text = f"It decides alone where the model's confidence is at least {short_threshold(state.threshold)}"
        if history.document.group_scale is not None:
            text = (
                "It decides alone where the chance that the model is right, as learned in each group, is at least "
                f"{amount(state.threshold)}"
            )
        things = "case", "cases"
        if history.document.model.get("documents") is not None:
            things = "document", "documents"
            text = (
                f"Each case is a document with all its fields, and a mistake is one that went out with a wrong field. It releases one unseen where at most {amount(-math.log(state.threshold))} "
                "of its fields are expected to be wrong, all together"
            )
        lately = history.retreat.lately
        if lately.decided:
            answered = share(lately.answered / lately.decided)
            text += f": {answered} of the last {plural(lately.decided, *things)}"
        yield Paragraph(f"{text}. The rest goes to review.", lead=True)
    elif answer.closings:
        closed = answer.closings[-1].event
        yield Paragraph(
            f"Closed at decision {count(closed.seq)}: {closing_reason(closed)}. Every case goes to review.",
            lead=True,
        )
        forecast = answer.reopening.forecast
        text = "It starts over with reviewers' labels, and decides alone again when they allow it. "
        if forecast is None or not forecast.is_never:
            text += "Nothing has to be done for that but to label what it asks. "
        yield Paragraph(text + reopening_text(answer.reopening))
    else:
        pauses = any(timed.event.kind == "paused" for timed in history.events)
        why = "at no confidence is deciding alone cheaper now" if pauses else "it learns first"
        yield Paragraph(f"Every case goes to review: {why}.", lead=True)
        if state.decided:
            yield Paragraph(reopening_text(answer.reopening))
    if answer.retreats:
        yield Notice(
            "It decides alone less than half as often as since it was deployed "
            f"({share(state.answered / state.decided)}): what it was sure of has become wrong more often, "
            "or the cases have changed. Look at the mistakes that were found lately."
        )
    if answer.is_alarmed and answer.closings and state.threshold is not None:
        closed = answer.closings[-1].event
        yield Notice(
            f"It closed at decision {count(closed.seq)}: {closing_reason(closed)}. It has reopened "
            "since, with what it learned after that."
        )


def _troubles(answer: WatchAnswer) -> Iterator[Notice]:
    dead, clock_back = answer.troubles
    if dead:
        yield Notice(
            f"{plural(dead, 'line', 'lines')} could not be decided; askpoint dead shows which, and why."
        )
    if clock_back:
        yield Notice(
            f"The clock went back: {plural(clock_back, 'decision or label', 'decisions and labels')} came "
            "before the moment that was recorded last, and were recorded at that moment."
        )


def _figures(answer: WatchAnswer) -> Iterator[Figures]:
    worth = answer.worth
    if worth is None:
        return
    parts = [
        Figure("decided alone", share(worth.coverage), f"of {count(worth.decided)} cases"),
        Figure("mistakes among them", amount(worth.estimate), _range(worth.mistakes)),
    ]
    if answer.priced:
        middle = worth.cost_estimate - 1000 * answer.prices.check
        least, most = worth.saved
        saved = "saved" if middle <= 0 else "lost"
        parts.append(
            Figure(
                f"{saved} per 1,000 cases, {answer.unit}",
                amount(abs(middle)),
                f"between {_gain(least)} and {_gain(most)}",
            )
        )
    parts.append(Figure("waiting for a label", count(answer.history.n_wanted)))
    yield Figures(
        "So far",
        tuple(parts),
        "Mistakes are estimated from audits, decisions drawn at random for a person to check. Below a number stands "
        "its 95% interval, however often you look. Saved: compared with sending every case to review.",
    )


def _worth(answer: WatchAnswer) -> Iterator[Block]:
    worth = answer.worth
    if worth is None:
        yield Notice(f"No number: {answer.history.missing_why}.")
        return
    yield Paragraph(_summary(answer, worth), lead=True)
    rows = [("decided alone", count(worth.answered), share(worth.coverage))]
    rows += [("sent to review", count(worth.asked), share(worth.asked / worth.decided))]
    rows += [("audited", count(worth.audited), share(worth.audited / worth.decided))]
    rows += [
        (f"{name} called", count(n), share(n / worth.decided))
        for name, n in zip(call_prices(answer.history.document.model), worth.calls, strict=False)
    ]
    yield Grid("Of all decisions", ("", "cases", "share"), tuple(rows))
    lines = [
        (
            "mistakes among those decided alone",
            _estimate_text(worth, amount(worth.estimate)),
            _range(worth.mistakes),
            _range(worth.at_a_fixed_time),
        )
    ]
    if worth.risk is not None and worth.answered:
        fixed = Interval(
            worth.at_a_fixed_time.lower / worth.answered,
            worth.at_a_fixed_time.upper / worth.answered,
        )
        lines += [
            (
                "mistake rate",
                _estimate_text(worth, share(min(1.0, worth.estimate / worth.answered))),
                share_range(worth.risk),
                share_range(fixed),
            )
        ]
    if answer.priced:
        asking = 1000 * answer.prices.check
        middle = worth.cost_estimate
        bought = 1000 * worth.spent_on_calls / worth.decided
        if worth.calls:
            lines += [(f"calls of 1,000 cases, {answer.unit}", amount(bought), "", "")]
        lines += [
            (
                f"cost of 1,000 cases, {answer.unit}",
                _estimate_text(worth, amount(middle)),
                _range(worth.cost),
                "",
            ),
            (
                f"saved against sending every case to review ({amount(asking)})",
                _estimate_text(worth, amount(asking - middle)),
                _range(worth.saved),
                "",
            ),
        ]
    yield Grid(
        "Estimated from the audits",
        ("", "estimate", "95%, however often you look", "95%, looking once"),
        tuple(lines),
        'If you check every day, read the column "however often you look". The last one is valid only for a '
        "date fixed in advance.",
    )
    if answer.priced:
        yield Picture(
            "What 1,000 cases cost so far",
            _summary(answer, worth),
            _draw("LiveCostDisplay", answer.history, answer.prices, answer.unit),
        )
        spent = answer.prices.of_audit * worth.audited
        yield Picture(
            "Cost of audits and of mistakes",
            f"The audits cost {amount(spent)} {answer.unit} so far; the mistakes among the answers "
            f"cost {_range(worth.mistakes)} (95%, at all times), and the answers saved "
            f"{amount(answer.prices.check * worth.answered)} {answer.unit} of checks.",
            _draw("AuditMoneyDisplay", answer.history, answer.prices, answer.unit),
        )
    yield Picture(
        "Share decided alone",
        f"{share(worth.coverage)} of all cases were decided alone so far; it opened, closed or moved its threshold "
        f"{plural(len(answer.history.events), 'time', 'times')}.",
        _draw("CoverageDisplay", answer.history),
    )


def _draw(name: str, *parts: Any) -> Callable[[Any], object]:
    """Return what draws a display: loaded only then, for only pages need matplotlib."""
    return lambda ax: getattr(importlib.import_module("askpoint.displays.live"), name)(*parts).plot(
        ax
    )


def _summary(answer: WatchAnswer, worth: LiveCost) -> str:
    why = (
        f"{plural(worth.missing, 'audit waits', 'audits wait')} for a label"
        if worth.audited
        else "no decision was audited"
    )
    if not answer.priced:
        about = (
            f"Of {count(worth.answered)} decisions made alone about {amount(worth.estimate)} are wrong "
            f"({_range(worth.mistakes)}, however often you look)."
            if _is_known(worth)
            else f"Not known yet how many of {count(worth.answered)} decisions made alone are wrong: {why}."
        )
        return f"{about} A promise has no prices, so no cost is shown."
    if not _is_known(worth):
        return (
            f"Not known yet what it saves compared with sending every case to review: {why}. Between "
            f"{_gain(worth.saved.lower)} and {_gain(worth.saved.upper)} per 1,000 cases, in {answer.unit}, however "
            "often you look."
        )
    middle = worth.cost_estimate - 1000 * answer.prices.check
    saves = "saved" if middle <= 0 else "lost"
    return (
        f"Compared with sending every case to review it {saves} about {amount(abs(middle))} "
        f"{answer.unit} per 1,000 cases, between {_gain(worth.saved.lower)} and "
        f"{_gain(worth.saved.upper)}, however often you look."
    )


def _estimate_text(worth: LiveCost, text: str) -> str:
    return text if _is_known(worth) else "not known yet"


def _is_known(worth: LiveCost) -> bool:
    """Say whether any audit of decisions made alone has a label."""
    return worth.audited > worth.missing or not worth.answered


def _gain(saved: float) -> str:
    return f"{amount(abs(saved))} {'saved' if saved >= 0 else 'lost'}"


def _range(interval: Interval) -> str:
    return f"{amount(interval.lower)} to {amount(interval.upper)}"


def _good(answer: WatchAnswer) -> Iterator[Block]:
    terms = answer.terms
    if not answer.history.state.decided:
        yield Paragraph("No decisions yet.")
        return
    yield Paragraph(
        f"Alarm level: evidence that its decisions are wrong more often than "
        f"agreed ({share(terms.answer_below)}) or than it states itself: {amount(answer.evidence)} of "
        "what raises an alarm. A false alarm in all its planned decisions has a probability of at most "
        f"{round_share(terms.watch_delta)}."
    )
    if terms.has_budget:
        yield Paragraph(
            f"Since it last reopened, at most {amount(answer.mistakes_at_most)} mistakes were to be expected. Its "
            f"mistake budget allows {amount(answer.mistakes_allowed)} by now; where they may be more, the policy closes."
        )
    rows = event_rows(answer.history.events)
    if rows:
        yield Grid(
            "What happened" if len(rows) <= _SHOWN else f"Latest of {len(rows)} events",
            ("what", "at decision", "when, UTC"),
            tuple(rows[-_SHOWN:]),
        )
    yield Picture(
        "Evidence towards an alarm",
        f"The evidence is at {amount(answer.evidence)} of what raises an alarm; there were "
        f"{plural(len(answer.closings), 'closing', 'closings')} so far.",
        _draw("EvidenceDisplay", answer.history),
    )
    yield from doubles_blocks(answer.doubles, terms)
    yield from followers_blocks(answer.followers)
    if answer.knows_gold:
        yield Paragraph(_alarm_cause_text(answer))
    elif answer.closings:
        yield Notice(
            "These labels do not show whether the model or its reviewers got worse: have a second "
            "reviewer check the mistakes behind the alarm before you change the model."
        )


def _alarm_cause_text(answer: WatchAnswer) -> str:
    if answer.alarm_cause != "unknown":
        return _ALARM_CAUSES[answer.alarm_cause]
    needed = answer.gold_needed
    if needed is None:
        return (
            "Whether the model or its reviewers got worse is not known: reviewers are wrong on gold cases so often "
            "that more gold cases would not clear them. Have a second reviewer check the mistakes behind the alarm."
        )
    return (
        "Whether the model or its reviewers got worse is not known yet: too few gold cases were labelled to see "
        f"people err as often as is watched for. About {plural(needed, 'more label', 'more labels')} of such items would."
    )


def _next(answer: WatchAnswer, folder: str) -> Iterator[Block]:
    forecast = answer.reopening.forecast
    if forecast is not None and forecast.is_never and not answer.shows_nothing:
        yield Notice(
            f"What people labelled is a training set: askpoint watch {folder} --to-train FILE writes it."
        )
    wanted = answer.history.wanted
    if not wanted:
        yield Paragraph("No case waits for a label.")
        return
    others = f" and {count(len(wanted) - _SHOWN)} more" if len(wanted) > _SHOWN else ""
    shown = ", ".join(wanted[:_SHOWN]) + others
    yield Paragraph(
        f"{plural(len(wanted), 'case waits', 'cases wait')} for a label, the oldest first: {shown}. "
        f"askpoint watch {folder} --to-label FILE writes them out without the model's "
        "decision, so that it does not influence reviewers."
    )


def _trust(answer: WatchAnswer) -> Iterator[Block]:
    worth = answer.worth
    if worth is not None and worth.missing:
        yield Notice(
            f"{plural(worth.missing, 'audit has', 'audits have')} no label yet. The intervals above count them as "
            "mistakes at the upper end and as right at the lower end."
        )
    yield Paragraph(
        "These numbers come from random audits and from the labels of reviewed cases, and assume that "
        "labels are right: a mistake that reviewers miss is missed here too. User reports do not show how often "
        "decisions are wrong: they are not a random sample."
    )
