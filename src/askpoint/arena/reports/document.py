"""The simulation in words, tables and pictures."""

from __future__ import annotations

from askpoint.arena.answers.answer import CrowdAnswer
from askpoint.arena.answers.over_seeds import (
    ArmLine,
    arm_lines,
    cost_step,
    curve_lines,
    falls,
    severity_comparison,
    severity_gain,
    times_stratified,
)
from askpoint.arena.answers.rematch import rematch_lines
from askpoint.arena.displays.crowd import ArmsDisplay
from askpoint.arena.reports.json import crowd_object
from askpoint.arena.reports.tables import (
    arm_name,
    cost_grid,
    curve_grid,
    figure_headline,
    figure_text,
    findings_grid,
    rematch_grid,
    severity_grid,
    uneven_grid,
    within,
)
from askpoint.arena.simulation.experiment import EXAMINATIONS, SeedFigure
from askpoint.displays.learning_curves import LearningDisplay
from askpoint.measures.intervals import Interval
from askpoint.reports.document import (
    Block,
    Document,
    Figures,
    Notice,
    Paragraph,
    Picture,
    Section,
)
from askpoint.reports.words import amount, plural, share, share_range

__all__ = ["CROWD_REPORT", "crowd_document"]

_CAVEAT = (
    "These players are simulated. They show by which mechanism a rule works, and what it cannot "
    "cure; they are not evidence about people."
)


def crowd_document(answer: CrowdAnswer) -> Document:
    """Say what a simulation shows."""
    lines = arm_lines(answer)
    sections = [
        _summary(answer, lines),
        _findings_section(lines),
        _costs(answer, lines),
        _kinds(answer),
    ]
    if (gain := severity_gain(answer)) is not None:
        sections += [_uneven(*gain), _learning_section(answer)]
    if answer.plan.rematch:
        sections.append(_rematch(answer))
    sections.append(_how(answer))
    return Document(
        f"Beat the Machine, simulated: {answer.contest.name}",
        tuple(sections),
        f"{plural(len(answer.results), 'seed', 'seeds')}, from {answer.results[0].seed} to "
        f"{answer.results[-1].seed}. Made by askpoint; nothing left this machine.",
    )


def _summary(answer: CrowdAnswer, lines: tuple[ArmLine, ...]) -> Section:
    by_name = {line.name: line for line in lines}
    last, examined = by_name[answer.plan.last], by_name["stratified"]
    times = times_stratified(answer)
    beside = f"stratified examination finds {figure_text(examined.unknown, least=0)}"
    if times.value is not None:
        beside += f"; that is {figure_text(times, least=0)} times as many"
    return Section(
        "The answer",
        (
            Paragraph(
                f"In 100 cases that players submit under design {max(answer.plan.designs)} there are "
                f"{figure_text(last.unknown, least=0)} unknown unknowns. In 100 cases inspected, {beside}.",
                lead=True,
            ),
            _figures(answer, last, examined),
            Notice(_CAVEAT),
            Paragraph(answer.contest.story),
        ),
    )


def _figures(answer: CrowdAnswer, last: ArmLine, examined: ArmLine) -> Figures:
    parts = [
        figure_headline("found by players", last.unknown),
        figure_headline("found by examination", examined.unknown),
    ]
    times = times_stratified(answer)
    if times.value is not None:
        parts.append(figure_headline("times as many", times))
    parts.append(figure_headline("cents for each found by players", last.cents))
    return Figures(
        "Unknown unknowns in 100 cases",
        tuple(parts),
        f"Unknown unknowns are cases where the model is confident but wrong. Players: design "
        f"{max(answer.plan.designs)}; examination: stratified. Below a number: its 95% interval over seeds.",
    )


def _findings_section(lines: tuple[ArmLine, ...]) -> Section:
    by_name = {line.name: line for line in lines}
    blocks: list[Block] = [findings_grid(lines)]
    if "design 2" in by_name:
        line = by_name["design 2"]
        blocks.append(
            Paragraph(
                f"Who sees the answer looks through what the model flags: {_percent(line.other_share)} "
                "of the errors rewarded under design 2 are of the other kind, which nobody sought. "
                "From design 3 it is zero, as such cases are turned away."
            )
        )
    blocks.append(
        _picture(lines, "errors", "sought errors per 100 cases judged", "What each way finds")
    )
    return Section("What each way of looking finds", tuple(blocks))


def _costs(answer: CrowdAnswer, lines: tuple[ArmLine, ...]) -> Section:
    blocks: list[Block] = [cost_grid(lines)]
    for earlier, later in answer.steps:
        blocks.append(Paragraph(_step_text(earlier, later, cost_step(answer, earlier, later))))
    blocks.append(
        _picture(lines, "cents", "cents for each unknown unknown", "What one costs", log=True)
    )
    return Section("What an unknown unknown costs", tuple(blocks))


def _step_text(earlier: int, later: int, step: SeedFigure) -> str:
    if step.value is None:
        return f"Design {later} cannot be compared with {earlier}: one of them found none."
    change = (
        f"From design {earlier} to design {later} the cost changes by {figure_text(step)} cents"
    )
    if falls(step):
        return f"{change}: it falls, beyond its interval."
    if step.interval is None:
        return f"{change}, in a single seed; play more to know whether that is luck."
    if step.interval.lower > 0:
        return f"{change}: it rises, beyond its interval."
    return f"{change}: these seeds do not tell a fall from luck."


def _kinds(answer: CrowdAnswer) -> Section:
    comparison = severity_comparison(answer)
    grid = severity_grid(comparison)
    blocks: list[Block] = [grid]
    if comparison.difference is not None and comparison.difference_interval is not None:
        blocks.append(
            Paragraph(
                f"Of the errors that players find, {_points(comparison.difference)} more are in the "
                f"severest bucket (95% interval {share_range(comparison.difference_interval)})."
                if comparison.difference >= 0
                else f"Of the errors that players find, {_points(-comparison.difference)} fewer are in "
                "the severest bucket."
            )
        )
    return Section("How severe they are (figure 4 of the paper)", tuple(blocks))


def _points(value: float) -> str:
    return f"{100 * value:.1f} in 100"


def _uneven(third: ArmLine, fourth: ArmLine, gain: SeedFigure) -> Section:
    if gain.value is None or gain.interval is None:
        text = "One seed, or no errors: whether design 4 changes severity is not known."
    else:
        sure = gain.interval.lower > 0 or gain.interval.upper < 0
        text = f"Design 4 changes the mean severity of what is found by {figure_text(gain)}: " + (
            "beyond its interval." if sure else "these seeds do not tell it from luck."
        )
    return Section(
        "If grave errors are hard to find",
        (
            Paragraph(
                "In the plain simulation every topic is as easy to search. Here effort rises with "
                "the severity of what a topic holds, so that paying by severity has work to do."
            ),
            uneven_grid(third, fourth),
            Paragraph(text),
        ),
    )


def _learning_section(answer: CrowdAnswer) -> Section:
    lines = curve_lines(answer)
    points = {
        line.name: [
            (size, area.value, _cut(area, 1))
            for size, area in zip(line.sizes, line.areas, strict=True)
        ]
        for line in lines
    }
    across = [line for line in lines[2:] if line.less.value is not None]
    sure = [
        line for line in across if line.less.interval is not None and line.less.interval.lower > 0
    ]
    text = (
        "What players find can be learned better from what players found than across the two "
        "methods: they look at different parts of the problem."
        if len(sure) == len(lines[2:])
        else "These seeds do not show whether the two methods look at different parts of the problem."
    )
    picture = Picture(
        "What can be learned within a method, and across",
        "; ".join(
            f"{line.name}: {figure_text(line.areas[-1], least=0, most=1)} from {line.sizes[-1]} cases"
            for line in lines
        ),
        LearningDisplay(points, "cases learned from").plot,
        3.6,
    )
    is_known = any(area.value is not None for line in lines for area in line.areas)
    return Section(
        "Different parts of the problem (figure 5 of the paper)",
        (curve_grid(lines), Paragraph(text), *([picture] if is_known else [])),
    )


def _rematch(answer: CrowdAnswer) -> Section:
    errors, _, stream, _ = rematch_lines(answer)
    harder = _choose_words(
        errors.change,
        "harder to beat",
        "easier to beat",
        "as hard to beat, as far as these seeds tell",
    )
    price = _choose_words(
        stream.change,
        "It also errs less on its stream.",
        "But it errs more often on its ordinary stream: a repair must be checked there, too.",
        "On its ordinary stream no change is seen.",
    )
    return Section(
        "After the model has learned from what was found",
        (
            Paragraph(
                "The model is trained again with one campaign's judged cases, weighed by severity "
                f"with a cap, and played against once more: it is {harder}. {price}"
            ),
            rematch_grid(answer),
        ),
    )


def _choose_words(change: SeedFigure, less: str, more: str, neither: str) -> str:
    if falls(change):
        return less
    if change.interval is not None and change.interval.lower > 0:
        return more
    return neither


def _how(answer: CrowdAnswer) -> Section:
    habits, pay = answer.habits, answer.plan.pay
    source = (
        "calibrated so that design 4 finds sought errors at the paper's rate, 27 in 100"
        if answer.calibrated
        else "given, not calibrated"
    )
    return Section(
        "How it was played",
        (
            Paragraph(
                f"{answer.plan.n_cases} cases in each arm. {habits.n_players} seats; "
                f"{share(habits.cheaters)} of newcomers cheat, the others try what has paid. A search "
                f"in a topic brings the sought class with probability {amount(habits.search_precision)} "
                f"({source}). A judge errs in {share(habits.judge_error)} of votes; a case has two, "
                "and a third where they differ."
            ),
            Paragraph(
                f"Pay in points, 50 to the cent: {pay.base} for a case judged, up to {pay.top} for an "
                f"error, {pay.vote} for a vote. Every design of a seed starts from the same state."
            ),
        ),
    )


def _percent(figure: SeedFigure) -> str:
    if figure.value is None:
        return "none"
    text = share(figure.value)
    if figure.interval is None:
        return text
    return f"{text} ({share_range(within(figure.interval, 0, 1))})"


def _cut(figure: SeedFigure, most: float | None) -> Interval | None:
    return None if figure.interval is None else within(figure.interval, 0, most)


def _picture(
    lines: tuple[ArmLine, ...], name: str, label: str, title: str, *, log: bool = False
) -> Picture:
    arms = {arm_name(line.name): getattr(line, name) for line in lines}
    quiet = [arm_name(name) for name in (*EXAMINATIONS, "machine")]
    return Picture(
        title,
        "; ".join(f"{arm}: {figure_text(figure, least=0)}" for arm, figure in arms.items()),
        ArmsDisplay(
            {arm: (figure.value, _cut(figure, None)) for arm, figure in arms.items()},
            label,
            log,
            quiet,
        ).plot,
    )


CROWD_REPORT = (lambda answer, _: crowd_document(answer), crowd_object)
"""How a notebook says a `CrowdAnswer`."""
