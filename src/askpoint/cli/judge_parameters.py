"""Texts of options about judges: families, and which root of the equations is taken."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from askpoint.cli.parameters import ParsedText
from askpoint.errors import InputError

if TYPE_CHECKING:
    from askpoint.judges.methods.identification import RootPolicy

__all__ = ["BY_NAME", "FAMILY", "ROOT", "VOTE", "judge_families", "vote_prices"]


def _root(text: str) -> RootPolicy:
    from askpoint.judges.methods.identification import BetterThanChance, PrevalenceRange

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


def _vote(text: str) -> tuple[str, float]:
    judge, is_named, price = text.rpartition("=")
    if is_named and not judge:
        raise ValueError(text)
    return judge, float(price)


BY_NAME: tuple[str, list[str]] = ("by-name", [])
"""Families as the judges' names suggest."""

ROOT = ParsedText(
    "root",
    "better-than-chance or LOW,HIGH, a range of the first label's prevalence such as 0,0.5",
    _root,
)
VOTE = ParsedText("vote", "AMOUNT, or JUDGE=AMOUNT, such as gpt=0.002", _vote)
FAMILY = ParsedText("family", "by-name, or NAME=JUDGE,JUDGE,... with two judges or more", _family)


def judge_families(families: Sequence[tuple[str, list[str]]]) -> dict[str, str]:
    """Return each judge's family; a judge is in one."""
    found: dict[str, str] = {}
    for name, kin in families:
        if not kin:
            raise InputError("--family by-name must be the only --family: it names all families")
        for judge in kin:
            if judge in found:
                raise InputError(
                    f"--family: {judge!r} is named twice, in {found[judge]!r} and in {name!r}; "
                    "a judge is in one family"
                )
            found[judge] = name
    return found


def vote_prices(prices: Sequence[tuple[str, float]], check: float | None) -> dict[str, float]:
    """Return what a vote of each judge costs; that of the empty name holds for all others."""
    found: dict[str, float] = {}
    for judge, price in prices:
        if judge in found:
            raise InputError(f"--vote must name each judge once; got {judge or 'all judges'} twice")
        found[judge] = price
    if found and check is None:
        raise InputError("--vote needs --check, what a label by a person costs in the same money")
    if check is not None and found:
        for what, price in (
            ("--check", check),
            *((f"--vote {j}".strip(), p) for j, p in found.items()),
        ):
            if not 0 <= price < float("inf"):
                raise InputError(f"{what} must be a price from 0 up; got {price:g}")
    return found
