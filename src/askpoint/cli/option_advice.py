"""What to type instead of an option that a command does not have."""

from __future__ import annotations

import difflib
import importlib
import shlex
from collections.abc import Iterable, Mapping, Sequence

import click

__all__ = ["WORDS", "advise_option", "find_commands"]

WORDS = "askpoint.words"
"""Where the context keeps the words that were typed."""

_ANSWERS = {
    "predictions": ("value", "deploy", "examine", "elicit"),
    "votes": ("judges", "compare", "gate"),
    "approvals": ("approvals",),
}
_NEEDED = {
    "gate": (("--at-least", "--no-worse-than", "--fail-on"), ("--at-least", "0.9")),
    "deploy": (("--audit", "--detect", "--changes-per-year"), ("--audit", "0.05")),
}
"""What a command takes one of, and an example of it."""
_NOT_ALONE = {
    "--compare",
    "--decision",
    "--detect",
    "--margin",
    "--names",
    "--release-limit",
    "--within",
}
"""Options that take another one, too, or a column that few files have."""

_IN_USE = ("decide", "label", "watch")


def find_commands(option: str, commands: Mapping[str, str]) -> list[str]:
    """Return the commands that have an option, those that answer a question first."""
    names = [name for answering in _ANSWERS.values() for name in answering]
    return [
        name
        for name in (*names, *_IN_USE)
        if _find_option(_load(name, commands), option) is not None
    ]


def advise_option(
    error: click.NoSuchOption,
    commands: Mapping[str, str],
    words: Sequence[str] = (),
) -> str:
    """Say what works instead of an option that a command does not have.

    Parameters
    ----------
    error : click.NoSuchOption
        With the context of the command that refused it.
    commands : mapping
        Where each command is.
    words : sequence of str, optional
        What was typed after ``askpoint``, if a file stood first.

    Returns
    -------
    str
        A sentence; a line in backticks works as it stands.
    """
    option = error.option_name
    having = find_commands(option, commands)
    if error.ctx is None:
        return error.format_message()
    path = error.ctx.command_path
    kind = _kind_of(path.rpartition(" ")[2])
    same = [name for name in having if name in _ANSWERS.get(kind or "", ())]
    whole = [name for name in same if name != "compare" and _takes(_load(name, commands), words)]
    if words and whole and option not in _NOT_ALONE:
        same = whole
        needed, example = _NEEDED.get(same[0], ((), ()))
        more = example if needed and not _names(words, needed) else ()
        line = shlex.join(["askpoint", same[0], *words, *more])
        return f"{option} is an option of askpoint {same[0]}: `{line}`"
    if same:
        return (
            f"there is no option {option} here; did you mean askpoint {same[0]}, which has it? See "
            f"`askpoint {same[0]} --help`"
        )
    without = _without(words, error.ctx.command, commands)
    leave = f". Without it: `{without}`" if without else ""
    if having and kind is not None:
        other = _kind_of(having[0])
        what = f"is about {other}" if other else "is for a policy in use"
        read = f", and {words[0]} was read as {kind}" if words else f", and {path} is about {kind}"
        return f"{option} is an option of askpoint {having[0]}, which {what}{read}{leave}"
    near = difflib.get_close_matches(option, _flags(error.ctx.command), n=1, cutoff=0.7)
    hint = f"there is no option {option}"
    if near:
        return f"{hint}; did you mean {near[0]!r}? (see `{path} --help`)"
    return f"{hint}{leave} (see `{path} --help`)"


def _load(name: str, commands: Mapping[str, str]) -> click.Command:
    module, _, attribute = commands[name].partition(":")
    command: click.Command = getattr(importlib.import_module(module), attribute)
    return command


def _kind_of(name: str) -> str | None:
    return next((kind for kind, names in _ANSWERS.items() if name in names), None)


def _flags(command: click.Command) -> list[str]:
    return [flag for param in command.params for flag in (*param.opts, *param.secondary_opts)]


def _find_option(command: click.Command, flag: str) -> click.Option | None:
    found = (
        param
        for param in command.params
        if isinstance(param, click.Option) and flag in (*param.opts, *param.secondary_opts)
    )
    return next(found, None)


def _options(words: Sequence[str]) -> Iterable[str]:
    return (word.partition("=")[0] for word in words if word.startswith("--"))


def _names(words: Sequence[str], options: Sequence[str]) -> bool:
    return any(option in options for option in _options(words))


def _takes(command: click.Command, words: Sequence[str]) -> bool:
    """Say whether a command has all options that were typed."""
    return all(_find_option(command, option) is not None for option in _options(words))


def _without(words: Sequence[str], command: click.Command, commands: Mapping[str, str]) -> str:
    """Return the line that was typed, without the options that the command does not have."""
    reading = importlib.import_module("askpoint.cli.file").file_command
    kept, rest = [], list(words)
    while rest:
        word = rest.pop(0)
        flag, _, value = word.partition("=")
        if not word.startswith("--") or any(_find_option(one, flag) for one in (command, reading)):
            kept.append(word)
            continue
        named = [
            _find_option(_load(name, commands), flag) for name in find_commands(flag, commands)
        ]
        has_value = not named[0].is_flag if named and named[0] else not value
        if has_value and not value and rest and not rest[0].startswith("--"):
            rest.pop(0)
    return shlex.join(["askpoint", *kept]) if words else ""
