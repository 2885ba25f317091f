"""What an option's text may be, and the value that it stands for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import click

from askpoint.errors import InputError
from askpoint.judges.methods.identification import BetterThanChance, PrevalenceRange, RootPolicy
from askpoint.measures.exchange import Prices

__all__ = ["BY_NAME", "FAMILY", "FLOOR", "ONE_OF", "PRICES", "ROOT", "judge_families"]


class _Parsed(click.ParamType):  # type: ignore[type-arg]  # generic in newer clicks only
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


def _root(text: str) -> RootPolicy:
    if text == "better-than-chance":
        return BetterThanChance()
    low, high = map(float, text.split(","))
    return PrevalenceRange(low, high)


def _family(text: str) -> tuple[str, list[str]]:
    if text == BY_NAME[0]:
        return BY_NAME
    name, _, members = text.partition("=")
    kin = members.split(",")
    if not name or len(kin) < 2 or not all(kin):
        raise ValueError(text)
    return name, kin


def _one_of(text: str) -> tuple[str, list[str]]:
    name, _, values = text.partition("=")
    if not name or not all(values.split(",")):
        raise ValueError(text)
    return name, values.split(",")


BY_NAME: tuple[str, list[str]] = ("by-name", [])
"""Families as the judges' names suggest."""

ONE_OF = _Parsed("one of", "NAME=VALUE,..., for example classifier=NB,HC", _one_of)
FLOOR = _Parsed("floor", "CLASS=LEVEL, for example spam=0.95", _floor)
PRICES = _Parsed("prices", "three numbers, RIGHT,ASK,WRONG, for example 1,-0.5,-20", _prices)
ROOT = _Parsed(
    "root",
    "better-than-chance or LOW,HIGH, a range of the first label's prevalence such as 0,0.5",
    _root,
)
FAMILY = _Parsed("family", "by-name, or NAME=JUDGE,JUDGE,... with two judges or more", _family)


def judge_families(families: Sequence[tuple[str, list[str]]]) -> dict[str, str]:
    """Return each judge's family; a judge is in one."""
    found: dict[str, str] = {}
    for name, kin in families:
        if not kin:
            raise InputError("--family by-name stands alone: it names all families")
        for judge in kin:
            if judge in found:
                raise InputError(
                    f"--family: {judge!r} is named twice, in {found[judge]!r} and in {name!r}; "
                    "a judge is in one family"
                )
            found[judge] = name
    return found
