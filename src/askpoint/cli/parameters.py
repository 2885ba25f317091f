"""What an option's text may be, and the value that it stands for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from askpoint.answers.value.workload import PERIODS, Volume
from askpoint.errors import InputError
from askpoint.measures.exchange import Prices

__all__ = ["CAPACITY", "FLOOR", "ONE_OF", "PRICES", "VOLUME", "ParsedText"]


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


def _floor(text: str) -> tuple[str, float]:
    label, _, level = text.rpartition("=")
    if not label:
        raise ValueError(text)
    return label, float(level)


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


def _one_of(text: str) -> tuple[str, list[str]]:
    name, equals, values = text.partition("=")
    if not equals and name.isalpha():
        return name, []  # a word that stands for values
    if not name or not all(values.split(",")):
        raise ValueError(text)
    return name, values.split(",")


ONE_OF = ParsedText("one of", "NAME=VALUE,..., for example classifier=NB,HC", _one_of)
VOLUME = ParsedText("volume", f"N/PERIOD, for example 10000/month ({', '.join(PERIODS)})", _volume)
CAPACITY = ParsedText(
    "capacity",
    "N/PERIOD, for example 400/day, or a number of the log's cases or their share",
    _capacity,
)
FLOOR = ParsedText("floor", "CLASS=LEVEL, for example spam=0.95", _floor)
PRICES = ParsedText("prices", "three numbers, RIGHT,ASK,WRONG, for example 1,-0.5,-20", _prices)
