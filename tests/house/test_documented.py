"""What users meet is documented: every public name, command, option and error."""

from __future__ import annotations

import inspect
import re
import sys
from importlib import import_module
from pathlib import Path

import click
import pytest
from numpydoc.validate import validate

import askpoint
from askpoint import errors

DOCS = Path(__file__).parents[2] / "docs"
sys.path.insert(0, str(DOCS / "_ext"))

import commands  # noqa: E402
import library  # noqa: E402

# numpydoc's codes: no docstring, parameters missing, unknown, returned value missing
FAULTS = {"GL08", "PR01", "PR02", "RT01"}


def undocumented_parts(name: str) -> list[str]:
    """Return what the docstring of `module.name` leaves out, and its methods without any."""
    found = [text for code, text in validate(name)["errors"] if code in FAULTS]
    module, _, attribute = name.rpartition(".")
    value = getattr(import_module(module), attribute)
    methods = vars(value).items() if inspect.isclass(value) else ()
    return found + [
        key
        for key, method in methods
        if not key.startswith("_")
        and (inspect.isroutine(method) or isinstance(method, property))
        and not inspect.getdoc(getattr(method, "func", method))
    ]


def undocumented_commands(command: click.Command) -> list[str]:
    """Return the commands, options and arguments below `command` without a help text."""
    found = []
    for context in commands.walk(command):
        words, text = context.command_path, context.command.help or ""
        if not text:
            found.append(words)
        for parameter in context.command.params:
            if isinstance(parameter, click.Option):
                if not parameter.help:
                    found.append(f"{words} {parameter.opts[0]}")
            elif parameter.make_metavar(context).strip("[].") not in text:
                found.append(f"{words} {parameter.name}")
    return found


def undocumented_errors(names: list[str], page: str, drawing: str) -> list[str]:
    """Return the errors that the page of errors, or the drawing of their tree, does not name."""
    return [
        name for name in names for text in (page, drawing) if not re.search(rf"\b{name}\b", text)
    ]


@pytest.mark.parametrize("name", askpoint.__all__)
def test_every_public_name_is_documented(name):
    module = getattr(askpoint, name).__module__
    assert undocumented_parts(f"{module}.{name}") == []
    assert name in library.modules()[module]
    assert f"<{module}.{name}>" in library.window()


def test_every_command_and_option_is_documented():
    assert {"askpoint", "askpoint value"} <= {context.command_path for context in commands.walk()}
    assert undocumented_commands(commands.main) == []
    for context in commands.walk():
        section = commands.section(context)
        for parameter in context.command.params:
            if isinstance(parameter, click.Option) and not parameter.hidden:
                assert all(f" {name}" in section for name in parameter.opts)


def test_every_error_is_documented():
    page = (DOCS / "reference" / "errors.md").read_text()
    assert undocumented_errors(errors.__all__, page, errors.__doc__) == []


def undescribed(left, right):
    """Divide.

    Parameters
    ----------
    left : float
        Above the line.
    """
    return left / right


def test_a_missing_parameter_is_found(monkeypatch):
    monkeypatch.setattr(errors, "undescribed", undescribed, raising=False)
    missing_parameter, missing_returns = undocumented_parts("askpoint.errors.undescribed")
    assert "right" in missing_parameter
    assert "Returns" in missing_returns


def test_a_method_without_docstring_is_found(monkeypatch):
    monkeypatch.setattr(errors.LogError, "row", property(lambda _: 1), raising=False)
    assert undocumented_parts("askpoint.errors.LogError") == ["row"]


def test_a_missing_help_is_found():
    @click.group(help="All.")
    def every(): ...

    @every.command(help="Reads LOG.")
    @click.argument("log")
    @click.argument("other")
    @click.option("--told", help="Said.")
    @click.option("--untold")
    def one(): ...

    @every.command()
    def two(): ...

    assert undocumented_commands(every) == [
        "askpoint one other",
        "askpoint one --untold",
        "askpoint two",
    ]


def test_a_missing_error_is_found():
    assert undocumented_errors(["LogError", "Log"], "LogError", "LogError Log") == ["Log"]
