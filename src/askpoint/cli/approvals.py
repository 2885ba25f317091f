"""``askpoint approvals``: which of its actions an agent may take alone, from a log of approvals."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from askpoint.cli.parameters import SOURCE
from askpoint.cli.reading_context import current_reading
from askpoint.cli.report import check_files, print_report, report_options, say, shown_name
from askpoint.errors import InputError
from askpoint.live.licences.action_classes import ActionClass, classes_from

__all__ = ["approvals_command"]

_NEEDS_LICENCE = 3
_HOURS = 72.0


@click.command("approvals", context_settings={"show_default": True})
@click.argument("logs", metavar="LOG...", nargs=-1, required=True, type=SOURCE)
@click.option(
    "--limit",
    type=float,
    metavar="SHARE",
    help="Most bad actions of a unit.  [default: 0.05, or CHECK / MISTAKE]",
)
@click.option("--mistake", type=float, metavar="AMOUNT", help="What a bad action costs, in money.")
@click.option(
    "--check", type=float, metavar="AMOUNT", help="With --mistake: what one approval costs."
)
@click.option(
    "--currency", default="", metavar="NAME", help="Currency of the amounts, such as EUR."
)
@click.option(
    "--minutes", type=float, metavar="M", help="What one approval takes, for hours saved."
)
@click.option(
    "--delta", type=float, default=0.05, metavar="CHANCE",
    help="The chance that a unit at the limit or worse ever earns a licence.",
)  # fmt: skip
@click.option(
    "--actions", type=click.Path(), metavar="FILE",
    help="Classes of actions, in JSON: [{\"tool\": \"refund\", \"if\": {\"amount\": {\"max\": 50}}, \"harm\": \"medium\"}].",
)  # fmt: skip
@click.option(
    "--split", multiple=True, metavar="TOOL.PATH[=A,B]",
    help="A class for each value of an argument, or for each range between A, B, ...: refund.amount=50,200.",
)  # fmt: skip
@click.option(
    "--settle", type=float, default=_HOURS, metavar="HOURS",
    help="An approval counts as right when the action was not undone for so long.",
)  # fmt: skip
@click.option(
    "--until",
    metavar="TIME",
    help="When the log was written: 2026-10-12, or with the time.  [default: now]",
)
@click.option(
    "--golden", type=click.Path(), metavar="FILE",
    help="A table of what was decided about actions known to be bad: it measures what approvers overlook.",
)  # fmt: skip
@click.option(
    "--policy", type=click.Path(), metavar="FILE",
    help="Write the terms with which askpoint.Licences begins, for the door in front of the agent's tools.",
)  # fmt: skip
@click.option(
    "--aim", type=click.Choice(["promise", "money"]), default="promise",
    help="What a licence follows from: evidence that holds whenever you look, or what is expected to cost least.",
)  # fmt: skip
@click.option(
    "--without-each-approver", is_flag=True,
    help="A licence must hold also without the decisions of each approver in turn.",
)  # fmt: skip
@click.option("--seed", type=int, default=0, help="Random seed of the forecasts.")
@report_options
def approvals_command(logs: tuple[str, ...], **options: Any) -> int:
    """Find the actions that an agent may take without asking.

    LOG is a table with a row for each action that the agent proposed, its tool and what was decided (agent, version,
    arguments, times and approver where there are columns for them), or events of AAIS, requests of AAP, interrupts of
    LangGraph. A tool with a class of arguments earns a licence when the evidence that its bad actions are rarer than
    --limit suffices, whenever you look. Exit code 3 says that something acts alone by a rule and has no licence.
    """
    from askpoint.answers.approvals.answer import answer_approvals
    from askpoint.answers.approvals.licence_question import ApprovalQuestion
    from askpoint.live.licences.label_rules import LabelRules
    from askpoint.records.approved_actions import as_approvals, as_golden
    from askpoint.reports.approvals.document import approvals_document
    from askpoint.reports.approvals.json import approvals_object

    check_files(options, "policy")
    log = as_approvals(_read(logs, options))
    question = ApprovalQuestion(
        limit=_limit(options),
        delta=options["delta"],
        aim=options["aim"],
        classes=_classes(options, log.tools, log.arguments),
        rules=LabelRules(settle_hours=options["settle"]),
        until=_until(options["until"]),
        golden=() if options["golden"] is None else tuple(as_golden(_table(options["golden"]), options["golden"])),
        mistake=options["mistake"],
        check=options["check"],
        minutes=options["minutes"],
        currency=options["currency"],
        seed=options["seed"],
        without_each=options["without_each_approver"],
    )  # fmt: skip
    answer = answer_approvals(log, question)
    if options["policy"] is not None:  # before the report, whose reader may stop early: `| head`
        from askpoint.records.artefacts import write_text

        write_text(options["policy"], answer.policy.to_json() + "\n")
    print_report(
        approvals_document(answer, shown_name(logs[0])),
        lambda: approvals_object(answer),
        options,
        answer,
    )
    if options["policy"] is not None:
        say(f"Terms written to {options['policy']}. Next: askpoint licence open FOLDER {options['policy']}. There every "
            "action is asked until new approvals earn its licence; those of the log do not count.",
            err=options["as_json"])  # fmt: skip
    return _NEEDS_LICENCE if answer.unlicensed_alone else 0


def _read(logs: Sequence[str], options: dict[str, Any]) -> Any:
    context = current_reading()
    if context is not None:
        return context.reading
    from askpoint.records.readers.reading import Choices
    from askpoint.records.readers.registry import read_files
    from askpoint.reports.readings import reading_line

    reading = read_files(list(logs), Choices(kind="approvals"))
    say(reading_line(reading), err=options["as_json"])
    return reading


def _table(path: str) -> Any:
    from askpoint.records.tables import open_table

    table = open_table(path)
    return table.read(table.columns)


def _limit(options: dict[str, Any]) -> float:
    mistake, check, limit = options["mistake"], options["check"], options["limit"]
    if (mistake is None) != (check is None):
        raise InputError(
            "--mistake and --check belong together: what a bad action costs, and what an approval does"
        )
    if mistake is None:
        return 0.05 if limit is None else float(limit)
    if not 0 < check < mistake < float("inf"):
        raise InputError(
            f"--mistake must be more than --check, and both above 0; got {mistake:g} and {check:g}"
        )
    return float(check / mistake if limit is None else limit)


def _until(text: str | None) -> float:
    if text is None:
        return time.time()
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise InputError(
            f"--until is a time, such as 2026-10-12 or 2026-10-12T18:00:00Z; got {text!r:.40}"
        ) from None
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp()


def _classes(
    options: dict[str, Any], tools: Sequence[str], arguments: Sequence[dict[str, Any] | None]
) -> tuple[ActionClass, ...] | None:
    """Return the classes that a file and --split declare; further tools are a class each."""
    if options["actions"] is None and not options["split"]:
        return None
    declared: list[ActionClass] = []
    if options["actions"] is not None:
        declared += classes_from(_json(options["actions"]))
    for text in options["split"]:
        declared += _split(text, tools, arguments)
    named = {tool for tool in tools if any(one.tool == tool for one in declared)}
    if options["actions"] is None:  # a file says all: what it does not match is never licensed
        declared += [ActionClass(tool) for tool in dict.fromkeys(tools) if tool not in named]
    return tuple(declared)


def _json(path: str) -> Any:
    try:
        return json.loads(Path(path).read_text("utf-8"))
    except OSError as error:
        raise InputError(f"--actions: {path} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise InputError(f"--actions: {path} is not JSON: {error}") from None


def _split(
    text: str, tools: Sequence[str], arguments: Sequence[dict[str, Any] | None]
) -> list[ActionClass]:
    """Read one --split: ranges between stated numbers, or the values that the argument takes."""
    what, _, ends = text.partition("=")
    tool = next(
        (one for one in sorted(set(tools), key=len, reverse=True) if what.startswith(f"{one}.")),
        None,
    )
    if tool is None:
        raise InputError(
            f"--split begins with one of the tools ({', '.join(sorted(set(tools)))}) and a point; got {text!r:.60}"
        )
    path = what[len(tool) + 1 :]
    if ends:
        return _ranges(tool, path, ends)
    of_tool = [given for one, given in zip(tools, arguments, strict=True) if one == tool]
    values = {
        json.dumps(value): value
        for given in of_tool
        if (value := (given or {}).get(path)) is not None
    }
    if not 1 < len(values) <= 20:
        raise InputError(
            f"--split {what}: a class for each value takes 2 to 20 values, and there are {len(values)}; for a number "
            f"state where ranges end: --split {what}=50,200"
        )
    return [
        ActionClass(tool, f"{path} {name}", ((path, "is", value),))
        for name, value in sorted(values.items())
    ]


def _ranges(tool: str, path: str, ends: str) -> list[ActionClass]:
    try:
        edges = sorted({float(one) for one in ends.split(",")})
    except ValueError:
        raise InputError(
            f"--split {tool}.{path}=50,200 takes numbers with commas; got {ends!r:.60}"
        ) from None
    ranges = [ActionClass(tool, f"{path} up to {edges[0]:g}", ((path, "max", edges[0]),))]
    for low, high in itertools.pairwise(edges):
        between = ((path, "above", low), (path, "max", high))
        ranges.append(ActionClass(tool, f"{path} {low:g} to {high:g}", between))
    return [*ranges, ActionClass(tool, f"{path} over {edges[-1]:g}", ((path, "above", edges[-1]),))]
