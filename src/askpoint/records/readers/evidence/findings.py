"""What evidence found: the part of each column, why, and what it might have been."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from askpoint.records.readers.reading import Choices, Doubt, Finding

__all__ = ["Roles"]


@dataclass(frozen=True, kw_only=True)
class Roles:
    """What the columns of a table are taken for.

    Parameters
    ----------
    choices : Choices
        The roles, as somebody would have named them by options.
    weight : float
        Evidence for these roles, in nats.
    findings : sequence of Finding
        Why, column by column.
    doubts : sequence of Doubt
        What is said about it, or must be asked.
    form : str or None
        How a single score is to be used: "logarithm" where it is the logarithm of a confidence.
    abstentions : tuple of str
        Labels that judges say where they do not decide.
    """

    choices: Choices
    weight: float
    findings: Sequence[Finding] = ()
    doubts: Sequence[Doubt] = ()
    form: str | None = None
    abstentions: tuple[str, ...] = ()
