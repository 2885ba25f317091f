"""What an examination says, in words."""

from __future__ import annotations

from collections.abc import Iterator

from askpoint.answers.examination.answer import ExaminationAnswer, LabelledAnswer
from askpoint.answers.examination.regions_answer import ExamineQuestion
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
from askpoint.reports.examination.comparison import compare_sections
from askpoint.reports.examination.tables import (
    bins_blocks,
    decisions_grid,
    quadrants_blocks,
    regions_blocks,
    releases_blocks,
    with_range,
)
from askpoint.reports.sections import guard_section
from askpoint.reports.words import amount, count, plural, round_share, share, share_range
from askpoint.unknowns.findings import FindingEstimate
from askpoint.unknowns.quadrants import Bounds

__all__ = ["COMPLEMENT", "document_of_labels", "examination_document"]

COMPLEMENT = (
    "An examination sees what the model sees, in its proportions, and rarely meets what is rare. "
    "People who are paid to beat the machine find the rare, but their rate says nothing of how "
    "common it is. The two complement each other."
)
"""The paper's warning."""

_TITLE = "What does the model not know?"
_BY = {
    "decision": "of the decision made",
    "minimum": "of the cheapest decision",
    "expected": "of truth and decision drawn apart (ExpCost)",
}


def examination_document(answer: ExaminationAnswer, name: str) -> Document:
    """Return the report on an examination."""
    findings = answer.findings
    quadrants = quadrants_blocks(
        findings.quadrants,
        findings.severities,
        sum(part.mistakes for part in findings.bins),
        "Of the cases judged, as they were drawn.",
    )
    drawn = findings.examination
    return Document(
        f"{_TITLE} {name}",
        (
            guard_section("The answer", _finding_blocks, answer),
            guard_section("Enough judged?", _enough, answer),
            guard_section("Does the model know how sure it may be?", bins_blocks, answer),
            guard_section("Known and unknown", lambda: quadrants),
            guard_section("Where the model is confident but wrong", _where, answer),
            *_releases(answer),
            *(() if answer.comparison is None else compare_sections(answer.comparison)),
            guard_section("How reliable these numbers are", _trust, answer),
        ),
        f"{plural(answer.n_items, 'case', 'cases')}; {count(findings.n_judged)} judged of "
        f"{count(len(drawn.items))} drawn ({drawn.method}, seed {drawn.seed}). "
        "Made by askpoint; nothing left this machine.",
    )


def document_of_labels(answer: LabelledAnswer, name: str) -> Document:
    """Return the report on the labels that a log has."""
    unknown = answer.quadrants.counts["unknown unknown"]
    blocks: list[Block] = [
        Paragraph(
            f"Of {plural(answer.n_labelled, 'labelled case', 'labelled cases')} "
            f"{count(answer.n_mistakes)} {'was' if answer.n_mistakes == 1 else 'were'} decided "
            f"wrongly; in {plural(unknown, 'case', 'cases')} the model was sure of what cost much: "
            "unknown unknowns.",
            lead=True,
        ),
        Figures(
            "In the log",
            (
                Figure(
                    "cases with a label", count(answer.n_labelled), f"of {count(answer.n_items)}"
                ),
                Figure("of them decided wrongly", count(answer.n_mistakes)),
                Figure("sure, and dearly wrong", count(unknown), "unknown unknowns"),
            ),
        ),
        _thresholds(answer.quadrants.bounds, answer.question),
    ]
    if answer.n_labelled < answer.n_items:
        blocks.append(
            Notice(
                f"Only {share(answer.n_labelled / answer.n_items)} of the cases have a label, and "
                "nothing says how they were chosen: these numbers are about them, not about the "
                "log. For the log draw an examination: askpoint examine LOG --n 500 --out "
                "sample.csv"
            )
        )
    quadrants = quadrants_blocks(
        answer.quadrants, answer.severities, answer.n_mistakes, "Of the labelled cases."
    )
    return Document(
        f"{_TITLE} {name}",
        (
            Section("The answer", tuple(blocks)),
            guard_section("Known and unknown", lambda: quadrants),
            guard_section("Where the model is confident but wrong", _where, answer),
            *_releases(answer),
            Section("How reliable these numbers are", (Paragraph(COMPLEMENT),)),
        ),
        f"{plural(answer.n_items, 'case', 'cases')}, {count(answer.n_labelled)} with a label. "
        "Made by askpoint; nothing left this machine.",
    )


def _releases(answer: ExaminationAnswer | LabelledAnswer) -> tuple[Section, ...]:
    if answer.releases is None:
        return ()
    return (guard_section("Where the model is unsure and right", releases_blocks, answer.releases),)


def _where(answer: ExaminationAnswer | LabelledAnswer) -> tuple[Block, ...]:
    """Which decisions, and which cases beside others of the same decision."""
    lines: tuple[Block, ...] = ()
    if any(line.surely_wrong for line in answer.by_decision):
        lines = (decisions_grid(answer.by_decision, answer.question.level),)
    return (*lines, *regions_blocks(answer.regions))


def _finding_blocks(answer: ExaminationAnswer) -> Iterator[Block]:
    findings = answer.findings
    mistakes, unknown = findings.mistakes, findings.unknown_unknowns
    judged = plural(findings.n_judged, "case judged", "cases judged")
    if mistakes.estimate is None:
        yield Paragraph(
            f"Of {judged} {share(mistakes.found)} were decided wrongly. How many of all cases "
            "are is not known.",
            lead=True,
        )
        yield Notice(f"No estimate for all cases: {mistakes.reason}.")
    else:
        yield Paragraph(
            f"About {share(mistakes.estimate.value)} of all {count(answer.n_items)} decisions are "
            f"wrong ({share_range(mistakes.estimate.interval)}).",
            lead=True,
        )
    yield _figures(answer)
    if unknown.estimate is not None:
        yield Paragraph(
            f"In {with_range(unknown.estimate, share)} of all cases the model is sure of what "
            "costs much: unknown unknowns."
        )
    unit = f", {answer.costs.unit}" if answer.costs.unit else ""
    yield Grid(
        "Found, and what that means for all cases",
        ("", "among the judged", "estimate for all", "while looking"),
        (
            _line("wrong decisions", mistakes, shares=True),
            _line("unknown unknowns", unknown, shares=True),
            _line(f"mean cost{unit}", findings.cost, shares=False),
        ),
        f"Intervals of {round_share(findings.level)}. What was found says how the cases were drawn; "
        "the estimate (Horvitz-Thompson) says how good the model is. The interval while looking "
        "holds however often you look, and when you stop early.",
    )
    yield _thresholds(findings.bounds, answer.question)


def _figures(answer: ExaminationAnswer) -> Figures:
    findings, more = answer.findings, answer.advice.further
    parts = []
    for name, finding in (
        ("decided wrongly", findings.mistakes),
        ("sure, and dearly wrong", findings.unknown_unknowns),
    ):
        if finding.estimate is not None:
            estimate = finding.estimate
            parts.append(Figure(name, share(estimate.value), share_range(estimate.interval)))
        else:
            parts.append(Figure(f"of the judged {name}", share(finding.found)))
    parts.append(Figure("cases judged", count(findings.n_judged), f"of {count(answer.n_items)}"))
    if more:
        within = f"to know it within {share(answer.question.width)}"
        parts.append(Figure("more to judge", count(more), within))
    return Figures(
        "Of all cases",
        tuple(parts),
        f"Below a number: its {round_share(findings.level)} interval. Sure: the model itself expects little "
        "cost. The sure and dearly wrong are called unknown unknowns.",
    )


def _line(name: str, finding: FindingEstimate, *, shares: bool) -> tuple[str, ...]:
    say = share if shares else amount
    estimate = looking = "not estimable"
    if finding.estimate is not None:
        estimate = with_range(finding.estimate, say)
    if finding.looking is not None:
        looking = f"{say(finding.looking.lower)} to {say(finding.looking.upper)}"
    return name, say(finding.found), estimate, looking


def _thresholds(bounds: Bounds, question: ExamineQuestion) -> Block:
    unit = f" {bounds.unit}" if bounds.unit else ""
    return Paragraph(
        f"The model counts as sure of a case where it estimates a cost of at most "
        f"{amount(bounds.estimated)}{unit}; wholly uncertain it would be {amount(bounds.normaliser)} "
        f"(estimated cost {_BY[question.by]}). A case costs much where it really costs more than "
        f"{amount(bounds.actual)}{unit}."
    )


def _enough(answer: ExaminationAnswer) -> Iterator[Block]:
    advice, findings = answer.advice, answer.findings
    looking, wanted = findings.mistakes.looking, share(answer.question.width)
    left = len(findings.examination.items) - findings.n_judged
    if looking is None:
        yield Paragraph(f"That is not known: {advice.reason}.")
    elif advice.enough:
        yield Paragraph(
            f"Yes, you may stop: the share of wrong decisions is known to within {wanted}, as "
            "asked, and that holds however often you looked."
        )
    else:
        drawn = f", {count(left)} of which are drawn already" if left else ""
        further = advice.further or 0
        more = f"About {count(further)} more cases would do{drawn}"
        if findings.n_judged + further >= answer.n_items:
            more = f"All {count(answer.n_items)} cases of the log would have to be judged"
        yield Paragraph(
            "Not yet: while looking, the share of wrong decisions is known to within "
            f"{share(looking.upper - looking.lower)}, and {wanted} was asked. {more}."
        )


def _trust(answer: ExaminationAnswer) -> Iterator[Block]:
    drawn = answer.findings.examination
    if drawn.method == "stratified" and len(drawn.whole):
        yield Paragraph(
            f"{plural(len(drawn.whole), 'bin held', 'bins held')} no more cases than a full share "
            "and came whole; what was short was not made up for elsewhere."
        )
    empty = int((drawn.sizes == 0).sum())
    if empty:
        yield Paragraph(
            f"{plural(empty, 'bin is', 'bins are')} empty: no case is estimated to cost that."
        )
    if answer.regions.skipped:
        yield Paragraph(
            f"No region was sought in {', '.join(answer.regions.skipped)}: too many different values."
        )
    if answer.agreement is None:
        yield Paragraph(
            "Each case was judged once, so all rests on that judgement being right; a second judge "
            "shows how far it is."
        )
    else:
        several, agree = answer.agreement
        yield Paragraph(
            f"{plural(several, 'case was', 'cases were')} judged by more than one; on "
            f"{count(agree)} of them all agree. The majority decided."
        )
    yield Paragraph(COMPLEMENT)
