"""What an option's text may be, and the value that it stands for."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from askpoint.answers.value.volume import PERIODS, Volume
from askpoint.errors import InputError, LogError
from askpoint.measures.exchange import Prices
from askpoint.registry import Records

if TYPE_CHECKING:
    from askpoint.value.objectives import Objective

__all__ = [
    "ADDED_OBJECTIVES",
    "CAPACITY",
    "FLOOR",
    "MISSED",
    "ONE_OF",
    "PRICES",
    "RUNG",
    "SOURCE",
    "VOLUME",
    "ParsedText",
    "SourcePath",
    "check_source",
]

_SIGNS = set("*?[")  # of a pattern

ADDED_OBJECTIVES: Records[str, Callable[[str], Objective]] = Records("objectives", {})
"""The objectives that plugins add: what each makes of the VALUE in ``--objective NAME=VALUE``."""


class ParsedText(click.ParamType):  # type: ignore[type-arg]  # generic in newer clicks only
    """Reads a text, or says which option it was and what is allowed."""

    def __init__(self, name: str, allowed: str, read: Callable[[str], Any]) -> None:
        self.name, self.allowed, self.read = name, allowed, read

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read the text that was given."""
        del ctx
        try:
            return self.read(value)
        except InputError:  # it was understood, and is out of range
            raise
        except ValueError:
            option = "it" if param is None else param.opts[0]
            raise InputError(f"{option} must be {self.allowed}; got {value!r}") from None


class SourcePath(click.Path):
    """A file, folder, pattern or address that is read; a plain file that is missing is refused at once."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Refuse a missing file before what would read it is loaded."""
        if ctx is None or ctx.obj is None:  # else it was read already, and is only called so
            check_source(value)
        return super().convert(value, param, ctx)


def check_source(text: str) -> None:
    """Refuse the name of a plain file that is missing."""
    if text != "-" and "://" not in text and not _SIGNS & set(text) and not Path(text).exists():
        raise LogError(f"there is no file {Path(text)}{_like(Path(text))}")


def _like(path: Path) -> str:
    """Return a question after a file of nearly this name in the same folder; empty if there is none."""
    names = [file.name for file in path.parent.iterdir()] if path.parent.is_dir() else []
    folded = {name.casefold(): name for name in names}
    near = difflib.get_close_matches(path.name.casefold(), list(folded), n=1, cutoff=0.8)
    return f"; did you mean {path.parent / folded[near[0]]}?" if near else ""


def _floor(text: str) -> tuple[str, float]:
    label, _, level = text.rpartition("=")
    if not label:
        raise ValueError(text)
    return label, float(level)


def _class_words(text: str) -> tuple[str, str]:
    label, equals, words = (part.strip() for part in text.partition("="))
    if not (label and equals and words):
        raise ValueError(text)
    return label, words


def _prices(text: str) -> Prices:
    right, ask, wrong = map(float, text.split(","))
    return Prices(right, ask, wrong)


def _volume(text: str) -> Volume:
    number, _, period = text.partition("/")
    if period not in PERIODS:
        raise ValueError(text)
    return Volume(float(number), period)


def _capacity(text: str) -> float | Volume:
    return _volume(text) if "/" in text else float(text)


def _rung(text: str) -> tuple[str, str, float, float | None]:
    name, _, rest = text.partition("=")
    columns, _, last = rest.rpartition(":")
    before, _, price = columns.rpartition(":")
    if before and _is_number(price):
        return name, before, float(price), float(last)
    if not (name and columns):
        raise ValueError(text)
    return name, columns, float(last), None


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _one_of(text: str) -> tuple[str, list[str]]:
    name, equals, values = text.partition("=")
    if not equals and name.isalpha():
        return name, []  # a word that stands for values
    if not name or not all(values.split(",")):
        raise ValueError(text)
    return name, values.split(",")


SOURCE = SourcePath()
RUNG = ParsedText(
    "rung",
    "NAME=COLUMNS:PRICE, for example small=p_small_*:0.01, or NAME=COLUMNS:PRICE:SECONDS",
    _rung,
)
ONE_OF = ParsedText("one of", "NAME=VALUE,..., for example classifier=NB,HC", _one_of)
VOLUME = ParsedText("volume", f"N/PERIOD, for example 10000/month ({', '.join(PERIODS)})", _volume)
CAPACITY = ParsedText(
    "capacity",
    "N/PERIOD, for example 400/day, or a number of the log's cases or their share",
    _capacity,
)
FLOOR = ParsedText("floor", "CLASS=LEVEL, for example spam=0.95", _floor)
MISSED = ParsedText("missed", "CLASS=WORDS, for example spam='ads stay up'", _class_words)
PRICES = ParsedText("prices", "three numbers, RIGHT,ASK,WRONG, for example 1,-0.5,-20", _prices)
