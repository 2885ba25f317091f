"""A gate's verdicts, said: for people, for programs, for a build and for a pull request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from xml.etree import ElementTree as ET

from askpoint.answers.judges.gate import GateOutcome, Verdict, outcome_of
from askpoint.measures.intervals import Interval
from askpoint.reports.controls import without_controls
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
from askpoint.reports.judges.systems import points, points_range
from askpoint.reports.words import count, plural, round_share, share, share_range

__all__ = [
    "gate_object",
    "gate_section",
    "junit_text",
    "measurement_text",
    "requirement",
    "summary_text",
    "verdict_line",
]

_SAID = {
    GateOutcome.PASSES: "Passes",
    GateOutcome.FAILS: "Fails",
    GateOutcome.UNDECIDED: "Cannot be decided",
}
_MARK = {GateOutcome.PASSES: "✅", GateOutcome.FAILS: "❌", GateOutcome.UNDECIDED: "❓"}
_SHOWN = 30


def requirement(verdict: Verdict) -> str:
    """Write what is required."""
    edge = verdict.edge or 0.0
    if verdict.rule == "at least":
        return f"{verdict.subject} at least {round_share(edge)}"
    if verdict.rule == "right on":
        return f"{verdict.subject} is right on at least {round_share(edge)} of the cases"
    if verdict.rule == "no worse than":
        by = f" by more than {100 * -edge:g} points" if edge else ""
        return f"{verdict.subject} no worse than {verdict.against}{by}"
    return "no alarm" if verdict.rule == "alarm" else "no judge changed"


def measurement_text(verdict: Verdict) -> str:
    """Write what was found."""
    if verdict.value is None or verdict.interval is None:
        return verdict.reason
    one, many = ("case", "cases") if verdict.rule == "right on" else ("item", "items")
    labelled = f"{plural(verdict.n_gold, one, many)} labelled"
    if verdict.rule != "no worse than":
        return f"{share(verdict.value)} ({share_range(verdict.interval)}), {labelled}"
    return f"{points(verdict.value)} points ({points_range(verdict.interval)}), {labelled}"


def verdict_line(verdict: Verdict) -> str:
    """Write a verdict in one line."""
    found = measurement_text(verdict)
    told = f" Found: {found}." if found else ""
    line = f"{_SAID[verdict.outcome]}: {requirement(verdict)}.{told}"
    if verdict.outcome is GateOutcome.UNDECIDED:
        line += f" {_more(verdict)}"
    return line.rstrip()


def _more(verdict: Verdict) -> str:
    if verdict.value is not None and verdict.reason:
        left = f": label {plural(verdict.more, 'more', 'more')}" if verdict.more else ""
        return f"{verdict.reason}{left}."
    if verdict.more is None:
        return "More labels of these items would not decide it." if verdict.value else ""
    if not verdict.n_gold:
        believed = (
            "the model is as often right as it is confident"
            if verdict.rule == "right on"
            else "the votes are right on the whole"
        )
        return f"About {plural(verdict.more, 'label', 'labels')} would decide, if {believed}."
    more = plural(verdict.more, "more label", "more labels")
    return f"About {more} would decide, if the number stays where it is."


def gate_section(verdicts: Sequence[Verdict], proposed: Sequence[str] = ()) -> Section:
    """Return the section of the report that comes first."""
    return Section("The gate", tuple(_blocks(verdicts, proposed)))


def _blocks(verdicts: Sequence[Verdict], proposed: Sequence[str]) -> Iterator[Block]:
    for place, verdict in enumerate(verdicts):
        line = verdict_line(verdict)
        if verdict.outcome is GateOutcome.PASSES or not place:
            yield Paragraph(line, lead=not place)
        else:
            yield Notice(line)
        if not place and verdict.value is not None and verdict.interval is not None:
            yield _figures(verdict, verdict.value, verdict.interval)
    if proposed:
        left = len(proposed) - _SHOWN
        rest = f" and {left} more (--json has all)" if left > 0 else ""
        yield Paragraph(f"Label next: {', '.join(proposed[:_SHOWN])}{rest}.")


def _figures(verdict: Verdict, value: float, interval: Interval) -> Figures:
    """The numbers that a verdict rests on."""
    compared = verdict.rule == "no worse than"
    edge = verdict.edge or 0.0
    decided = "decided rightly" if verdict.rule == "right on" else f"are {verdict.subject}"
    parts = [
        Figure(
            "found, in points" if compared else decided,
            points(value) if compared else share(value),
            points_range(interval) if compared else share_range(interval),
        ),
        Figure("required, at least", points(edge) if compared else round_share(edge)),
        Figure("items labelled", count(verdict.n_gold)),
    ]
    if verdict.more is not None:
        parts.append(Figure("more labels would decide", count(verdict.more), "about"))
    title = f"{verdict.subject} minus {verdict.against}" if compared else verdict.subject
    return Figures(title, tuple(parts))


def gate_object(verdicts: Sequence[Verdict], proposed: Sequence[str] = ()) -> dict[str, Any]:
    """Return the gate as JSON."""
    return {
        "outcome": outcome_of(verdicts).value,
        "verdicts": [
            {
                "rule": one.rule,
                "subject": one.subject,
                "against": one.against or None,
                "outcome": one.outcome.value,
                "edge": one.edge,
                "value": one.value,
                "interval": None if one.interval is None else list(one.interval),
                "n_gold": one.n_gold,
                "more": one.more,
                "reason": one.reason or None,
            }
            for one in verdicts
        ],
        "proposed": list(proposed) or None,
    }


def junit_text(verdicts: Sequence[Verdict]) -> str:
    """Write the verdicts as JUnit's XML: what fails is a failure, what is undecided an error."""
    of = [verdict.outcome for verdict in verdicts]
    counts = {
        "name": "askpoint gate",
        "tests": str(len(of)),
        "failures": str(of.count(GateOutcome.FAILS)),
        "errors": str(of.count(GateOutcome.UNDECIDED)),
    }
    suites = ET.Element("testsuites")
    suite = ET.SubElement(suites, "testsuite", counts)
    for verdict in verdicts:
        names = {"classname": "askpoint.judges", "name": _plain(requirement(verdict))}
        case = ET.SubElement(suite, "testcase", names)
        if verdict.outcome is not GateOutcome.PASSES:
            tag = "failure" if verdict.outcome is GateOutcome.FAILS else "error"
            kind = {"type": verdict.outcome.value, "message": _plain(verdict_line(verdict))}
            ET.SubElement(case, tag, kind).text = _plain(verdict_line(verdict))
    ET.indent(suites)
    text = ET.tostring(suites, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def summary_text(
    document: Document, verdicts: Sequence[Verdict], proposed: Sequence[str] = ()
) -> str:
    """Write a summary in Markdown: the verdicts, the first lines of the answer, and its tables."""
    lines = [f"## {_cell(document.title)}", ""]
    if verdicts:
        lines += ["| | required | found |", "| --- | --- | --- |"]
        lines += [
            f"| {_MARK[one.outcome]} {_SAID[one.outcome].lower()} | {_cell(requirement(one))} | "
            f"{_cell(measurement_text(one))} |"
            for one in verdicts
        ]
        lines.append("")
    lines += [_cell(_more(one)) for one in verdicts if one.outcome is GateOutcome.UNDECIDED]
    if proposed:
        names = ", ".join(f"`{_code(name)}`" for name in proposed)
        n = plural(len(proposed), "item", "items")
        lines += [
            "",
            f"<details><summary>Label these {n} next</summary>",
            "",
            names,
            "",
            "</details>",
        ]
    for block in _first(document):
        if told := _markdown(block):
            lines += ["", *told]
    return "\n".join(lines) + "\n"


def _first(document: Document) -> list[Block]:
    sections = [section for section in document.sections if section.title != "The gate"]
    told = [block for section in sections[:1] for block in section.blocks]
    tables = [block for section in sections[1:2] for block in section.blocks]
    return [*told, *(block for block in tables if isinstance(block, Grid))]


def _markdown(block: Block) -> list[str]:
    if isinstance(block, Grid):
        rows = [block.columns, tuple("---" for _ in block.columns), *block.rows]
        return [f"**{_cell(block.title)}**", ""] + [
            f"| {' | '.join(_cell(cell) for cell in row)} |" for row in rows
        ]
    if isinstance(block, Paragraph | Notice):
        text = _cell(block.whole)
        return [f"**{text}**" if isinstance(block, Paragraph) and block.lead else text]
    return []


def _cell(text: str) -> str:
    """Escape what Markdown or HTML would take for more than text."""
    plain = _plain(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    for sign in "\\`*_[]|#":
        plain = plain.replace(sign, f"\\{sign}")
    return plain


def _code(text: str) -> str:
    return _plain(text).replace("`", "'").replace("\n", " ")


def _plain(text: str) -> str:
    return without_controls(" ".join(text.split()))
