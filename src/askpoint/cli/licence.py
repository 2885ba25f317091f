"""``askpoint licence``: the door in front of an agent's tools, as commands and as a hook."""

from __future__ import annotations

import getpass
import json
import sys
from typing import TYPE_CHECKING, Any

import click

from askpoint.cli.report import check_files, print_report, report_options
from askpoint.errors import AskpointError, InputError

if TYPE_CHECKING:
    from askpoint.records.approved_actions import ApprovalLog
    from askpoint.records.stores.licences import Licences

__all__ = ["licence_command"]

_RUN = ("PostToolUse", "PostToolUseFailure")
"""Events that say that an asked action ran, so that a person allowed it."""


@click.group("licence")
def licence_command() -> None:
    """Open, show and use licences: what an agent does alone.

    WHERE is a folder or postgresql://USER@HOST/DATABASE?deployment=NAME. `askpoint approvals LOG --policy FILE` writes
    the terms with which licences open.
    """


_where = click.argument("where", type=click.Path())
_key = click.argument("key")
_by = click.option("--by", metavar="NAME", help="Who does this.  [default: your login]")


@licence_command.command("open")
@_where
@click.argument("policy", type=click.Path())
@click.option(
    "--log", type=click.Path(), metavar="LOG",
    help="A log of approvals from before, whose evidence counts: the one of which the terms were made.",
)  # fmt: skip
def _open(where: str, policy: str, log: str | None) -> None:
    """Open licences in WHERE with the terms in POLICY."""
    with _licences(where, policy) as licences:
        n = len(licences.policy.classes)
        kinds = "1 class" if n == 1 else f"{n} classes"
        if log is None:
            click.echo(
                f"{licences.name}: {kinds} of actions; every action is asked until its class earns a licence"
            )
            return
        counted = licences.learn(_read_log(log))
        units = licences.units()
        may = sum(one.state == "licensed" for one in units)
        click.echo(
            f"{licences.name}: {kinds} of actions; {counted:,} labels of {log} count, and {may} of {len(units)} kinds of "
            "action may act alone"
        )


def _read_log(path: str) -> ApprovalLog:
    from askpoint.records.approved_actions import as_approvals
    from askpoint.records.readers.reading import Choices
    from askpoint.records.readers.registry import read_files

    return as_approvals(read_files([path], Choices(kind="approvals")))


@licence_command.command("show")
@_where
@report_options
def _show(where: str, **options: Any) -> None:
    """Show the units in WHERE, and what waits for people."""
    from askpoint.reports.approvals.licences import licences_document, licences_object

    check_files(options)
    with _licences(where) as licences:
        units, waiting = licences.units(), licences.wanted_actions()
        name = licences.name
    print_report(
        licences_document(units, waiting, name), lambda: licences_object(units, waiting), options
    )


@licence_command.command("decide")
@_where
@_key
@click.argument("decision", metavar="DECISION", type=click.Choice(["approve", "reject", "edit"]))
@_by
@click.option(
    "--seconds", type=float, metavar="S", help="How long you read.  [default: since the proposal]"
)
def _decide(where: str, key: str, decision: Any, by: str | None, seconds: float | None) -> None:
    """Approve, reject or edit an action.

    KEY is what the agent proposed in WHERE. If the action is an audit, DECISION is its label.
    """
    with _licences(where) as licences:
        made = licences.decide(key, decision, by=by or getpass.getuser(), seconds=seconds)
    click.echo(f"{key}: {made.status}")


@licence_command.command("undo")
@_where
@_key
@_by
@click.option(
    "--harm", type=click.Choice(["none", "low", "medium", "high", "irreversible"]),
    help="Harm that it did; high or worse ends the licence at once.",
)  # fmt: skip
def _undo(where: str, key: str, by: str | None, harm: str | None) -> None:
    """Report that the action KEY in WHERE was undone, or did harm."""
    who = by or getpass.getuser()
    with _licences(where) as licences:
        if harm is None:
            licences.undo(key, by=who)
        else:
            licences.incident(key, harm=harm, by=who)
    click.echo(f"{key}: undone" + (f", harm {harm}" if harm else ""))


@licence_command.command("sign")
@_where
@click.argument("agent")
@click.argument("tool")
@click.argument("name", default="any")
@_by
def _sign(where: str, agent: str, tool: str, name: str, by: str | None) -> None:
    """Let an agent earn a lost licence again.

    You sign that AGENT may earn the licence for TOOL, class NAME, in WHERE. It still needs the evidence.
    """
    with _licences(where) as licences:
        licences.sign(agent, tool, name, by=by or getpass.getuser())
    click.echo(f"signed: {agent} {tool}, {name}")


@licence_command.command("revoke")
@_where
@click.argument("agent")
@click.argument("tool")
@click.argument("name", default="any")
@_by
@click.option("--why", default="", metavar="TEXT", help="Shown next to the loss.")
def _revoke(where: str, agent: str, tool: str, name: str, by: str | None, why: str) -> None:
    """End the licence of an agent for a class of a tool, now.

    AGENT has it in WHERE for TOOL, class NAME.
    """
    with _licences(where) as licences:
        licences.revoke(agent, tool, name, by=by or getpass.getuser(), why=why)
    click.echo(f"revoked: {agent} {tool}, {name}")


@licence_command.command("minor")
@_where
@click.argument("agent")
@click.argument("version")
@click.option("--of", required=True, metavar="VERSION", help="The agent's version.")
@_by
def _minor(where: str, agent: str, version: str, of: str, by: str | None) -> None:
    """Declare that an agent's next version changes little.

    The licences of AGENT in WHERE then continue at level 1 with VERSION.
    """
    with _licences(where) as licences:
        licences.declare_minor(agent, version, of=of, by=by or getpass.getuser())
    click.echo(f"declared: {agent} {version} is a minor version of {of}")


@licence_command.command("verify")
@_where
def _verify(where: str) -> None:
    """Replay all steps and draws in WHERE, and compare the state."""
    with _licences(where) as licences:
        licences.verify()
        click.echo(f"{licences.name}: its entries lead to its state")


@licence_command.command("hook")
@_where
@click.option("--agent", default="claude-code", show_default=True, help="Whose licences these are.")
@click.option(
    "--version", "version", default="unknown", show_default=True, metavar="TEXT",
    help="Of model, prompt and tools together: a new one starts again without licences.",
)  # fmt: skip
@_by
def _hook(where: str, agent: str, version: str, by: str | None) -> None:
    """Answer a hook of Claude Code.

    It reads an event in JSON on standard input and writes the verdict on standard output.

    To PreToolUse it answers allow, ask or deny, from the licences in WHERE. PostToolUse and PostToolUseFailure show that
    you allowed an asked action. What you refuse never runs, and counts as rejected at its deadline. If anything fails
    here, the answer is "ask".
    """
    event: dict[str, Any] = {}
    try:
        event = _event(sys.stdin.read())
        with _licences(where) as licences:
            said = _answer(licences, event, agent, version, by or getpass.getuser())
    except Exception as error:  # noqa: BLE001  # a hook that fails must not let a tool run
        problem = str(error) if isinstance(error, AskpointError) else type(error).__name__
        said = ("ask", f"askpoint could not decide: {problem}")
        click.echo(f"askpoint: {problem}", err=True)
    if event.get("hook_event_name") in _RUN or said is None:
        return
    verdict, why = said
    answer = {
        "hookEventName": "PreToolUse",
        "permissionDecision": verdict,
        "permissionDecisionReason": why,
    }
    click.echo(json.dumps({"hookSpecificOutput": answer}))


def _event(text: str) -> dict[str, Any]:
    try:
        event = json.loads(text)
    except ValueError as error:
        raise InputError(f"standard input is not JSON: {error}") from None
    if not isinstance(event, dict):
        raise InputError(f"a hook's event is a JSON object; got {text!r:.60}")
    for name, kind in (
        ("hook_event_name", str),
        ("tool_name", str),
        ("tool_input", dict),
        ("tool_use_id", str),
    ):
        if not isinstance(event.get(name), kind):
            raise InputError(f"the event has no {name}, as PreToolUse and PostToolUse have it")
    return event


def _answer(
    licences: Licences, event: dict[str, Any], agent: str, version: str, by: str
) -> tuple[str, str] | None:
    """Return verdict and reason of a proposal; None of an event that only tells something."""
    name, key = event["hook_event_name"], event["tool_use_id"]
    if name == "PreToolUse":
        made = licences.propose(
            key, agent=agent, tool=event["tool_name"], arguments=event["tool_input"], version=version,
            silence_rejects=True,
        )  # fmt: skip
        if made.verdict == "allow":
            return "allow", f"licensed: {made.tool}, {made.name}"
        return made.verdict, made.why
    if name in _RUN:
        made = licences.action(key)
        if made.status == "asked":
            by_person = event.get("permission_mode") == "default"
            licences.decide(key, "approve", by=by, by_person=by_person)
    return None


def _licences(where: str, policy: str | None = None) -> Licences:
    from askpoint.records.stores.licences import Licences

    return Licences(where, policy)
