"""``askpoint.evaluate``: what ``askpoint FILE`` answers, asked by a program, by the very same commands."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import click
import numpy as np

from askpoint.answers.value.answer import ValueAnswer
from askpoint.answers.value.ladder import LadderAnswer
from askpoint.answers.value.whole_documents import DocumentAnswer
from askpoint.cli.compare import compare_command
from askpoint.cli.file import file_command
from askpoint.cli.file_evaluation import evaluate_files
from askpoint.cli.judges import judges_command
from askpoint.cli.report import Hearing, hear_reports
from askpoint.cli.value import value_command
from askpoint.errors import AskpointError, InputError
from askpoint.records.predictions import PredictionLog
from askpoint.records.readers.python_data import is_column, source_of
from askpoint.reports.evaluations import PolicyReport, ValueReport
from askpoint.reports.notebook import Report

__all__ = ["evaluate"]

_COLUMNS = ("id", "label", "prediction", "confidence", "gold")
_NOT_HERE = {
    "json": "to_dict() of what evaluate returns",
    "html": "to_html(path) of what evaluate returns",
    "why": "`askpoint read FILE --why`",
    "help": "help(askpoint.evaluate)",
}
_FLAG = re.compile(r"--([a-z][a-z-]*[a-z])(?:([ =])(\"[^\"]*\"|[\w./,=%*-]+))?")


def evaluate(
    data: Any,
    *,
    mistake: float | None = None,
    check: float | None = None,
    **options: Any,
) -> Report:
    """Answer the question that data hold: which decisions may the model take alone, or how good are the judges?

    It does what the command ``askpoint FILE`` does, with the same options under the same names, and its
    ``to_dict()`` is the object that ``--json`` prints.

    Parameters
    ----------
    data : path, address, dataframe, arrays, or rows
        A file of any kind that ``askpoint read`` knows; a dataframe (pandas, polars, pyarrow, DuckDB, Ibis,
        Spark, a data set of Hugging Face); arrays or tensors by name, ``{"label": y, "proba": P}``, or an
        array of probabilities alone with ``label=y``; rows as dicts, such as a pipeline's outputs; the
        address of a database, or a connection, with ``query="SELECT ..."``.
    mistake, check : float, optional
        What a mistake and a check cost, in money.
    **options
        All options of ``askpoint FILE``, ``value``, ``judges`` and ``compare``: ``--ask-at-most`` is
        ``ask_at_most``. Flags take True, lists and dicts stand for what has commas or signs of equality.
        ``id``, ``label``, ``prediction``, ``confidence`` and ``gold`` take a column's name or its cells,
        and ``against`` data as well.

    Returns
    -------
    Report
        On predictions a `ValueReport` with ``rule``, ``asked``, ``mistakes``, ``cost`` and ``decided``; with ``rung=`` or
        ``document=`` a `PolicyReport`; on votes the judges' or the systems' report. All show their first sentence, as a page in a notebook.

    Raises
    ------
    InputError
        If an option is unknown, or the data can be read in two ways: it says which keyword settles it.
    AskpointError
        Whatever the command would refuse.

    Examples
    --------
    >>> import numpy as np
    >>> import askpoint
    >>> rng = np.random.default_rng(0)
    >>> proba = rng.uniform(size=1000)
    >>> label = (rng.uniform(size=1000) < proba).astype(int)
    >>> answer = askpoint.evaluate({"label": label, "proba": proba}, mistake=40, check=2.5)
    >>> answer
    Decided: let the model decide alone where its confidence is at least 0.9..., and send the others to review.
    >>> answer.asked
    0.87... (0.8... to 0...) of the cases
    """
    options = {"mistake": mistake, "check": check} | options
    beside, against = _columns(options), options.pop("against", None)
    words = [word for name, value in options.items() for word in _words(name, value)]
    try:
        with (
            hear_reports() as hearing,
            file_command.make_context("askpoint.evaluate", ["data", *words]) as context,
        ):
            rest = list(context.params.pop("files")[1:])
            context.params["against"] = against
            evaluate_files([_source(data, beside)], rest, context.params)
    except click.NoSuchOption as error:
        from askpoint.cli.main import COMMANDS
        from askpoint.cli.option_advice import advise_option

        raise InputError(_keywords(advise_option(error, COMMANDS))) from None
    except click.ClickException as error:
        raise InputError(_keywords(error.format_message())) from None
    except AskpointError as error:
        error.args = (_keywords(str(error)), *error.args[1:])
        raise
    return _report(hearing, options.get("by"))


def _source(data: Any, columns: Mapping[str, Any]) -> Any:
    """Return a path or an address as a text, and what must be joined with columns as a source."""
    if isinstance(data, os.PathLike):
        data = os.fspath(data)
    if not columns:
        return data
    if isinstance(data, str):
        names = " and ".join(columns)
        raise InputError(
            f"{names} must name a column of the file {data}; got cells. Cells go with data of the program"
        )
    return source_of(data, columns)


def _columns(options: dict[str, Any]) -> dict[str, Any]:
    """Take cells out of the options, and leave the column's name."""
    found = {name: options[name] for name in _COLUMNS if is_column(options.get(name))}
    options |= {name: name for name in found}
    return found


def _options() -> dict[str, click.Option]:
    """Return the options of the commands that may answer, by keyword."""
    found: dict[str, click.Option] = {}
    for command in (file_command, value_command, judges_command, compare_command):
        for option in command.params:
            if isinstance(option, click.Option):
                for flag in (*option.opts, *option.secondary_opts):
                    found.setdefault(flag.removeprefix("--").replace("-", "_"), option)
    return found


def _words(name: str, value: Any) -> Iterable[str]:
    """Return an option as it is typed."""
    if value is None or (value is False and name not in ("sketch", "exact")):
        return
    known = _options()
    if name in _NOT_HERE:
        raise InputError(f"{name}= is for the command; use {_NOT_HERE[name]}")
    if name not in known:
        near = difflib.get_close_matches(name, known, n=1)
        hint = f"Did you mean {near[0]}=?" if near else "See `askpoint value --help`."
        raise InputError(f"evaluate takes the options of askpoint FILE; got {name}=. {hint}")
    option, flag = known[name], "--" + name.replace("_", "-")
    if option.is_flag:
        if not isinstance(value, bool):
            raise InputError(f"{name} must be True or False; got {value!r}")
        yield flag if value else "--exact" if name == "sketch" else "--sketch"
        return
    if isinstance(value, Mapping):
        parts = [f"{_text(name, key)}={_text(name, part)}" for key, part in value.items()]
    elif isinstance(value, list | tuple | np.ndarray):
        parts = [_text(name, part) for part in value]
    else:
        parts = [_text(name, value)]
    if option.multiple:
        yield from (f"{flag}={part}" for part in parts)
        return
    if len(parts) > 1 and (strange := next((part for part in parts if "," in part), None)):
        raise InputError(f"{name} must be names without commas; got {strange!r}. Rename it")
    yield f"{flag}={','.join(parts)}"


def _text(name: str, value: Any) -> str:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, str | int | float | Path):
        return str(value)
    raise InputError(
        f"{name} must be a text, a number, or several of them; got {type(value).__name__}"
    )


def _keywords(text: str) -> str:
    """Say options as a program states them: --pass-at as pass_at=."""
    known = _options()

    def keyword(match: re.Match[str]) -> str:
        name, between, value = match[1].replace("-", "_"), match[2], match[3]
        if name not in known:
            return match[0]
        bare = (value or "").rstrip(".,")
        rest = (value or "")[len(bare) :]
        choices = getattr(known[name].type, "choices", ())
        if bare in choices:
            return f"{name}={bare!r}{rest}"
        if bare.isupper() or bare.replace(".", "").isdigit() or bare.startswith('"'):
            return f"{name}={bare}{rest}"
        return f"{name}={between or ''}{value or ''}"

    return _FLAG.sub(keyword, text)


def _report(hearing: Hearing, by: str | None) -> Report:
    document, content, subject = hearing.reports[-1]
    reading = tuple(_keywords(line) for line in hearing.lines)
    if isinstance(subject, tuple) and isinstance(subject[0], ValueAnswer):
        answer, log = subject
        is_one = isinstance(log, PredictionLog) and log.model is None
        return ValueReport(document, content(), answer, reading, log if is_one else None, by)
    kind = PolicyReport if isinstance(subject, LadderAnswer | DocumentAnswer) else Report
    return kind(document, content(), subject, reading)
