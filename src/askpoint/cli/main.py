"""The command ``askpoint``: its subcommands, and how errors reach the terminal."""

from __future__ import annotations

import contextlib
import difflib
import importlib
import io
import os
import re
import sys
from pathlib import Path
from typing import Any, NoReturn

import click
from click.shell_completion import CompletionItem

from askpoint.cli.cpu_features import disable_slow_features
from askpoint.cli.short_process import collect_rarely, leave_garbage
from askpoint.errors import AskpointError, PluginError, StoreError
from askpoint.registry import list_names, list_problems, load_record
from askpoint.reports.controls import without_controls

__all__ = ["COMMANDS", "main"]

# imported when called, so that one command does not wait for another's libraries
COMMANDS = {
    "approvals": "askpoint.cli.approvals:approvals_command",
    "archive": "askpoint.cli.archive:archive_command",
    "backup": "askpoint.cli.backup:backup_command",
    "check": "askpoint.cli.check:check_command",
    "compare": "askpoint.cli.compare:compare_command",
    "completion": "askpoint.cli.completion:completion_command",
    "dead": "askpoint.cli.dead:dead_command",
    "decide": "askpoint.cli.decide:decide_command",
    "demo": "askpoint.cli.demo:demo_command",
    "deploy": "askpoint.cli.deploy:deploy_command",
    "elicit": "askpoint.cli.elicit:elicit_command",
    "examine": "askpoint.cli.examine:examine_command",
    "forget": "askpoint.cli.forget:forget_command",
    "gate": "askpoint.cli.release_gate:gate_command",
    "judges": "askpoint.cli.judges:judges_command",
    "label": "askpoint.cli.label:label_command",
    "lease": "askpoint.cli.lease:lease_command",
    "licence": "askpoint.cli.licence:licence_command",
    "read": "askpoint.cli.read:read_command",
    "restore": "askpoint.cli.restore:restore_command",
    "serve": "askpoint.cli.serve:serve_command",
    "token": "askpoint.cli.token:token_command",
    "user": "askpoint.cli.user:user_command",
    "value": "askpoint.cli.value:value_command",
    "notify": "askpoint.cli.notify:notify_command",
    "prove": "askpoint.cli.prove:prove_command",
    "verify": "askpoint.cli.verify:verify_command",
    "watch": "askpoint.cli.watch:watch_command",
    "workspace": "askpoint.cli.workspace:workspace_command",
}

_LEFT_OUT = ("polars", "sklearn")  # where only the gate is installed: docs/how-to/install.md

_FILE = "FILE"  # no command, but what stands where one does


def _is_file(text: str) -> bool:
    """Say whether a word is a file rather than a command that was misspelled."""
    return text == "-" or Path(text).exists() or any(sign in text for sign in "/\\*.?")


class _Commands(click.Group):
    """Loads a subcommand when it is called; says an error in one line and exits with 2, or 4 where a store fails."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all subcommands."""
        del ctx
        return sorted(_names())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return one subcommand: NAME_command in its module."""
        del ctx
        if cmd_name == _FILE:
            opened: click.Command = importlib.import_module("askpoint.cli.file").file_command
            return opened
        where = COMMANDS.get(cmd_name)
        if where is None:
            with contextlib.suppress(PluginError):  # named once the command ends
                added: click.Command | None = load_record("commands", cmd_name)
                return added
            return None
        module, _, attribute = where.partition(":")
        command: click.Command = getattr(importlib.import_module(module), attribute)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the subcommand, or suggest the nearest."""
        if args[0] in COMMANDS or (args[0].startswith("-") and args[0] != "-"):
            return super().resolve_command(ctx, args)
        names = _names()
        if args[0] not in names and _is_file(args[0]):
            ctx.meta["askpoint.words"] = tuple(args)  # as `askpoint.cli.option_advice` names it
            return _FILE, self.get_command(ctx, _FILE), args
        if args[0] not in names:
            near = difflib.get_close_matches(args[0], names, n=1)
            hint = f"did you mean {near[0]!r}? There are" if near else "there are"
            known = ", ".join(sorted(names))
            raise click.UsageError(f"there is no command {args[0]!r}; {hint}: {known}", ctx)
        load_record("commands", args[0])  # says why, where it cannot be
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete a command, or else the name of a file, which may stand in its place."""
        file = CompletionItem(incomplete, type="file")  # first: bash forgets what comes before it
        return [file, *super().shell_complete(ctx, incomplete)]

    def main(self, *args: Any, **settings: Any) -> NoReturn:
        """Run a command line; never shows a traceback for what a user got wrong."""
        disable_slow_features()
        own_process = not args and "args" not in settings
        if own_process:
            collect_rarely()
        settings["standalone_mode"] = False
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):  # a terminal that knows fewer characters
                stream.reconfigure(errors="replace")
        try:
            code = super().main(*args, **settings)
        except click.Abort:
            click.echo("askpoint: stopped", err=True)
            sys.exit(130)
        except (AskpointError, click.ClickException) as error:
            line = " ".join(_text(error).split())
            _say_error(without_controls(line))
            sys.exit(4 if isinstance(error, StoreError) else 2)
        except ModuleNotFoundError as error:
            if error.name not in _LEFT_OUT:
                raise
            name = "scikit-learn" if error.name == "sklearn" else error.name
            _say_error(
                f"{name} is not installed. The gate alone works without it; for this command run: pip install askpoint"
            )
            sys.exit(2)
        finally:
            if own_process:
                leave_garbage()
        for problem in list_problems():
            click.echo(f"askpoint: {without_controls(problem)}", err=True)
        sys.exit(code if isinstance(code, int) else 0)


def _say_error(line: str) -> None:
    """Say what was wrong: a line, or a JSON line where logs are."""
    if os.environ.get("ASKPOINT_LOG", "").lower() == "json":
        from askpoint.cli.messages import say, set_up_logs

        set_up_logs()
        say(line, "error", level=40)
    else:
        click.echo(f"askpoint: {line}", err=True)


def _names() -> set[str]:
    """Return the names of all subcommands, those of wings and plugins too."""
    return {*COMMANDS, *list_names("commands")}


_NUMBERS = {"float": "40 or 2.50", "integer": "40"}
_NO_NUMBER = re.compile(r"Invalid value for '(--[\w-]+)': (.+) is not a valid (float|integer)\.?")


def _text(error: AskpointError | click.ClickException) -> str:
    if not isinstance(error, click.ClickException):
        return str(error)
    text = error.format_message()
    if isinstance(error, click.NoSuchOption) and error.ctx is not None:
        from askpoint.cli.option_advice import WORDS, advise_option

        return advise_option(error, COMMANDS, error.ctx.meta.get(WORDS, ()))
    number = _NO_NUMBER.fullmatch(text)
    if isinstance(error, click.BadParameter) and number is not None:
        return f"{number[1]} must be a number such as {_NUMBERS[number[3]]}; got {number[2]}"
    if isinstance(error, click.UsageError) and error.ctx is not None:
        text = f"{text.rstrip('.')} (see {error.ctx.command_path} --help)"
    return text


@click.group(
    cls=_Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(package_name="askpoint")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Which decisions may your model take alone, and what will that cost you?

    Try `askpoint demo`, then run `askpoint FILE` on your own data.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
