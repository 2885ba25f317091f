"""What is asked of a log of approvals."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from askpoint.errors import InputError
from askpoint.live.licences.action_classes import ActionClass
from askpoint.live.licences.label_rules import LabelRules

__all__ = ["ApprovalQuestion"]


@dataclass(frozen=True)
class ApprovalQuestion:
    """Terms of the licences, and how the log is read.

    Parameters
    ----------
    limit : float, default=0.05
        On the share of bad actions of a unit: (agent, tool, class).
    delta : float, default=0.05
        The chance that a unit at or above the limit ever earns a licence.
    aim : {"promise", "money"}, default="promise"
        Of classes that state none: what a licence follows from.
    classes : tuple of ActionClass, optional
        Declared before anybody looks at the labels; by default each tool is one.
    rules : LabelRules, optional
        Which decisions are labels.
    until : float, optional
        When the log was written, in seconds since 1970.
    golden : tuple of bool, optional
        Of golden actions, which the readers let pass.
    mistake, check : float, optional
        What a bad action and one approval cost, in money.
    minutes : float, optional
        What one approval takes.
    currency : str, default=""
        Of the prices.
    seed : int, default=0
        Of the forecasts.
    without_each : bool, default=False
        Whether a licence takes its evidence also without the decisions of each approver in turn.
    """

    limit: float = 0.05
    delta: float = 0.05
    aim: str = "promise"
    classes: tuple[ActionClass, ...] | None = None
    rules: LabelRules = field(default_factory=LabelRules)
    until: float | None = None
    golden: tuple[bool, ...] = ()
    mistake: float | None = None
    check: float | None = None
    minutes: float | None = None
    currency: str = ""
    seed: int = 0
    without_each: bool = False

    def __post_init__(self) -> None:
        for name, value in (("limit", self.limit), ("delta", self.delta)):
            if not 0 < value < 1:
                raise InputError(f"{name} must be between 0 and 1; got {value:g}")
        for name, price in (
            ("mistake", self.mistake),
            ("check", self.check),
            ("minutes", self.minutes),
        ):
            if price is not None and not 0 < price < math.inf:
                raise InputError(f"{name} is above 0; got {price:g}")
