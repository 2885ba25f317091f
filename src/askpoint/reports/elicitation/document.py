"""What an interview found, in plain sentences, and the threshold that follows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from askpoint.answers.elicitation.answer import ElicitationAnswer
from askpoint.answers.value.answer import ValueAnswer
from askpoint.answers.value.verdict import answer_value
from askpoint.elicitation.costing import GroupCost
from askpoint.elicitation.reliability import Reliability
from askpoint.elicitation.session import ElicitSession
from askpoint.errors import AskpointError
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
)
from askpoint.reports.elicitation.asking import Scene
from askpoint.reports.sections import guard_section
from askpoint.reports.verdicts import refusal_options, refusal_text
from askpoint.reports.words import amount, count, plural, round_share, share
from askpoint.value.posterior.prospects import Expected
from askpoint.value.reviewer_errors import work_of_check

__all__ = [
    "UNRELIABLE",
    "elicit_document",
    "following_answer",
    "no_costs_text",
    "signal_text",
]

_FEW_ANSWERS = 10
_FEW_PER_WEIGHT = 3
_MANY_NAMES = 6
_SAID_GROUPS = 3
_ORDERLY_GUESS = 1.5

_SIGNALS = {
    "careless": "Some clear choices contradict each other more often than careful answers do.",
    "contradicts": "Repeated questions, or questions that were clear by then, got other answers.",
    "first": "The first of the two was chosen far more often than the second, whatever it showed.",
    "second": "The second of the two was chosen far more often than the first, whatever it showed.",
    "lets": "You let the system decide nearly every time, so a mistake may cost even less than shown.",
    "keeps": "Nearly every case was kept for a person, whatever was offered: a mistake may cost more still.",
}


def following_answer(answer: ElicitationAnswer) -> ValueAnswer | AskpointError:
    """Return what the costs are worth on the same log, or why it cannot be told."""
    try:
        return answer_value(answer.log, answer.found.costs)
    except AskpointError as error:
        return error


def elicit_document(
    answer: ElicitationAnswer,
    next_command: str = "",
    scene: Scene | None = None,
    following: ValueAnswer | AskpointError | None = None,
) -> Document:
    """Say what mistakes cost, what follows, and how far the answers can be relied on.

    `following` is the `following_answer`, where the caller knows it already.
    """
    if following is None and not answer.decides_alone:
        following = following_answer(answer)
    return Document(
        "What mistakes cost you",
        (
            guard_section("In checks by a person", _costs, answer, following, scene or Scene()),
            guard_section("What follows for this model", _following, answer, following),
            guard_section("How far these answers can be relied on", _trust, answer),
        ),
        f"Next: {next_command}" if next_command else "",
    )


def _costs(
    answer: ElicitationAnswer, following: ValueAnswer | AskpointError | None, scene: Scene
) -> Iterator[Block]:
    session, found = answer.session, answer.found
    if answer.decides_alone:
        yield Notice(f"{no_costs_text(answer)}.", "--together does that.")
        return
    if len(found.groups) == 1:
        yield Paragraph(f"One wrong answer {_worth(found.groups[0])}.", lead=True)
        yield _figures(answer, following)
    else:
        told = list(found.groups)
        if len(told) > _SAID_GROUPS:
            told.sort(key=lambda group: group.checks)
            told = [told[-1], told[0]]  # the others are in the table
        for group in told:
            yield Paragraph(_sentence(group), lead=True)
        yield _figures(answer, following)
        yield Grid(
            "One mistake on a case that is really",
            ("class", "checks", "90% interval", "cost in the file"),
            tuple(
                (
                    ", ".join(map(str, group.classes)),
                    amount(group.checks),
                    _range(group.checks_interval),
                    amount(group.cost),
                )
                for group in found.groups
            ),
            f"In the file the model's mean mistake costs 1, a check "
            f"{amount(float(found.costs.reject_costs[0]))}.",
        )
    if scene.check_cost is not None:
        each = (f"{_either(group.classes)}: {_in_money(group, scene)}" for group in found.groups)
        said = "; ".join(each) if len(found.groups) > 1 else _in_money(found.groups[0], scene)
        yield Paragraph(f"At {scene.money(1)} a check one mistake costs, in money: {said}.")
    if scene.people_right is not None and len(found.groups) == 1:
        yield _charge(answer, scene.people_right)
    guess, named = session.guess, found.groups[session.reference]
    if guess is not None:
        off = max(guess / named.checks, named.checks / guess)
        yield Paragraph(
            f"Asked directly you said {amount(guess)} {'check' if guess == 1 else 'checks'}; your choices say "
            f"{amount(named.checks)}."
            + (" Choices are the better guide." if off > _ORDERLY_GUESS else "")
        )
    if len(session.estimate.history) > 1:
        yield Picture(
            "How it narrowed",
            f"The cost of a mistake on each group of classes after each answer, with 90% bands: "
            f"{'; '.join(_sentence(group) for group in found.groups)}",
            lambda ax: _draw(answer, ax),
        )


def _charge(answer: ElicitationAnswer, right: float) -> Paragraph:
    rho = answer.session.estimate.omega.rate.rho
    told = (
        f"The questions said that a person is right {100 * right:g} times in 100, so this price holds "
        f"reviewers' errors already: a check costs {amount(rho)} of a mistake in all. Do not charge them again."
    )
    if rho <= 1 - right:
        return Paragraph(
            f"{told} Yet a person who is wrong that often costs more: {amount(1 - right)}. One of the two "
            "is not meant. Ask again."
        )
    work = work_of_check(rho, right)
    return Paragraph(
        f"{told} Its work alone costs {amount(work)}.", options="With --check-price, state that."
    )


def _in_money(group: GroupCost, scene: Scene) -> str:
    low, high = (scene.money(bound) for bound in group.checks_interval)
    return f"{scene.money(group.checks)} ({low} to {high})"


def _figures(answer: ElicitationAnswer, following: ValueAnswer | AskpointError | None) -> Figures:
    groups = sorted(answer.found.groups, key=lambda group: group.checks)
    named = {"one mistake is worth": groups[0]}
    if len(groups) > 1:
        named = {
            f"mistake on {_either(groups[-1].classes)}": groups[-1],
            f"mistake on {_either(groups[0].classes)}": groups[0],
        }
    parts = [
        Figure(name, f"{amount(group.checks)} checks", _range(group.checks_interval))
        for name, group in named.items()
    ]
    if isinstance(following, ValueAnswer) and following.tomorrow is not None:
        best = following.tomorrow.best
        for name, expected in (("go to review", best.asked), ("decided wrongly", best.mistakes)):
            mean, low, high = (count(1000 * part) for part in expected)
            parts.append(Figure(f"{name}, of 1,000 cases", mean, f"{low} to {high}"))
    return Figures(
        f"By {plural(len(answer.session.log), 'choice', 'choices')}",
        tuple(parts),
        "A check is one look of a person at one case.",
    )


def no_costs_text(answer: ElicitationAnswer) -> str:
    """Say why no costs follow from choices that one class decided alone."""
    return (
        f"No costs: whatever did better on {_either(answer.decides_alone)} was chosen, at nearly any price. "
        "Such choices say what comes first, and nothing of how much it is worth, so no costs are "
        "written. Ask again and weigh the two numbers against each other, or put classes together"
    )


def _draw(answer: ElicitationAnswer, ax: Any) -> object:
    from askpoint.displays.elicitation import BeliefDisplay  # only pages need matplotlib

    names = [", ".join(map(str, group.classes)) for group in answer.found.groups]
    session = answer.session
    return BeliefDisplay(session.estimate.history, names, session.reference).plot(ax)


def _sentence(group: GroupCost) -> str:
    return f"One case that is really {_either(group.classes)} and decided wrongly {_worth(group)}."


def _either(names: Sequence[Any]) -> str:
    """Write alternatives, not all of them where they are many."""
    quoted = [f"'{name}'" for name in names]
    if len(quoted) > _MANY_NAMES:
        quoted[2:-1] = ["..."]
    listed = ", ".join(quoted[:-1])
    return f"{listed} or {quoted[-1]}" if listed else quoted[-1]


def _worth(group: GroupCost) -> str:
    checks = amount(group.checks)
    noun = "check" if checks == "1" else "checks"
    return f"costs you as much as {checks} {noun} ({_range(group.checks_interval)})"


def _range(interval: Interval) -> str:
    return f"{amount(interval.lower)} to {amount(interval.upper)}"


def _following(
    found: ElicitationAnswer, answer: ValueAnswer | AskpointError | None
) -> Iterator[Block]:
    if answer is None:
        yield Notice("No threshold follows, because no costs do.")
        return
    omega = found.session.estimate.omega
    if len(found.session.groups) == 1:
        low, high = (bound / (1 + bound) for bound in omega.interval)
        yield Paragraph(
            f"A wrong answer costs you as much as {amount(omega.omega)} right answers gain "
            f"({_range(omega.interval)}): a calibrated system should answer above "
            f"{round_share(round(omega.rate.calibrated_threshold, 3))} confidence "
            f"({share(low)} to {share(high)})."
        )
    if isinstance(answer, AskpointError):
        yield Notice(f"No threshold follows from these costs on this log: {answer}")
        return
    if answer.refusal is not None:
        why = refusal_text(answer.refusal)
        yield Notice(
            f"No threshold follows from these costs on this log: {why}.",
            refusal_options(answer.refusal),
        )
    if answer.tomorrow is None:
        return
    tomorrow, best = answer.tomorrow, answer.tomorrow.best
    right = max(1 - best.asked.mean - best.mistakes.mean, 0.0)
    yield Paragraph(
        f"{'' if best.decided else 'Not decided yet. '}Of 1,000 new cases expect the model to decide "
        f"{count(1000 * right)} right and {_of_thousand(best.mistakes)} wrong, and to send "
        f"{_of_thousand(best.asked)} to review: it takes the decision that is expected to cost least, and "
        "asks where that saves too little against a check.",
        lead=True,
    )
    yield Grid(
        "Cost per 1,000 new cases, in checks",
        ("policy", "cost"),
        tuple(
            (title, _of_thousand(each.cost_per_1000, 1.0))
            for title, each in (
                ("this threshold", best),
                ("send every case to review", tomorrow.ask_all),
                ("let the model decide every case", tomorrow.answer_all),
            )
            if each.cost_per_1000 is not None
        ),
        "In brackets: between these numbers 95% of the time; what your choices leave open "
        "of the costs is in them.",
    )


def _of_thousand(expected: Expected, factor: float = 1000.0) -> str:
    mean, low, high = (count(factor * part) for part in expected)
    return mean if low == high else f"{mean} ({low} to {high})"


def _trust(answer: ElicitationAnswer) -> Iterator[Block]:
    session, parts = answer.session, tuple(answer.reliability.values())
    belief, n_answers = session.estimate.mistakes, len(session.log)
    n_questions = session.settings["n_questions"]
    if not session.done:
        yield Notice(
            f"The interview was stopped after {plural(n_answers, 'choice', 'choices')}; up to "
            f"{session.remaining} were left. The intervals are as wide as that leaves them."
        )
    said = [] if belief is None else list(_foretold(belief.reliability))
    if said:
        yield Paragraph("; ".join(said) + ".")
    if n_answers >= _FEW_ANSWERS:
        yield Paragraph(
            "For a clear choice (five to one), your costs predict your answer about "
            f"{round(100 * min(part.score for part in parts))} times in 100."
        )
    n_weights = len(session.groups)
    if belief is not None and n_questions < _FEW_PER_WEIGHT * n_weights:
        yield Notice(
            f"{plural(n_questions, 'choice', 'choices')} cannot tell the costs of "
            f"{n_weights} kinds of mistakes apart: put classes together or ask more questions.",
            "--together and --questions do that.",
        )
    for signal in dict.fromkeys(signal for part in parts for signal in part.signals):
        yield Notice(f"{signal_text(session, signal)} Take the costs with care, or ask again.")
    for warning in session.estimate.omega.warnings:
        yield Notice(f"{warning[0].upper()}{warning[1:]}.")


def _foretold(given: Reliability) -> Iterator[str]:
    if given.n_repeats:
        yield (
            f"{given.n_agreeing} of {plural(given.n_repeats, 'repeated question', 'repeated questions')}, "
            "with the sides swapped, got the same answer"
        )
    if given.n_checks:
        yield (
            f"{given.n_confirmed} of {plural(given.n_checks, 'choice', 'choices')} at the end came out "
            "as the answers before them foretold"
        )


UNRELIABLE = (_SIGNALS["careless"], _SIGNALS["contradicts"])
"""What is said of answers that hang together badly, whoever gave them."""


def signal_text(session: ElicitSession, signal: str) -> str:
    """Say in words what a signal of unreliable answers means."""
    kind, _, number = signal.partition(":")
    if kind != "one-sided":
        return _SIGNALS[kind]
    members = session.groups[int(number)]
    return (
        "You always chose the side that does better on "
        f"{_either([session.classes[i] for i in members])}. That shows it comes first, but not "
        "what a mistake costs."
    )
