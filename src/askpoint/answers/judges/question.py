"""What is asked of votes: what is known beside them, and what shall be told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from askpoint.errors import InputError
from askpoint.judges.checks.common_correlation import COMMON_CORRELATION
from askpoint.judges.methods.identification import BetterThanChance, RootPolicy
from askpoint.judges.sketch.tables import VoteTable
from askpoint.measures.inputs import as_level

__all__ = ["JudgesQuestion"]


@dataclass(frozen=True)
class JudgesQuestion:
    """What is known beside the votes, and what shall be told.

    Parameters
    ----------
    root : sequence of policies, default=(BetterThanChance(),)
        What settles which of the two points of three judges to believe.
    required : float, default=0.5
        Accuracy on each label below which the alarm asks whether all judges can be.
    gold : mapping of str to str, optional
        True labels of some items.
    propose : int, default=0
        How many items to propose for checking.
    window : int, optional
        Items a window, in the order of the file.
    level : float, default=0.95
        Interval coverage.
    families : mapping of judge to family, optional
        Judges made from one model, or runs of one judge; who is not named stands alone.
    within : float, default=0.05
        How near to each number the checking of items shall come.
    correlation : float, default=0.32
        How strongly errors that all judges share may correlate, for the band around votes alone.
    positive : str, optional
        The label of interest; by default the rarest one.
    guess_families : bool, default=True
        Whether to say which judges look like one family where none is named.
    looks : int, optional
        How many looks for drift are planned, each after another window.
    anchors : VoteTable, optional
        Earlier votes on items that are judged again.
    labels_named : bool, default=False
        Whether somebody named the labels, so that a rare one is no question.
    random : bool, default=False
        Whether items are proposed in the sealed random order.
    seal : str, optional
        That the labels carry, of the items that they were drawn from.
    check : float, optional
        What a label by a person costs.
    vote_prices : mapping of str to float, optional
        What a vote costs in the same money, by judge; that of the empty name holds for all others.
    covariates : mapping of str to mapping of str to object, optional
        By name, what is known of each item, such as its length: it is used where that helps.
    other_columns : mapping of str to mapping of str to object, optional
        What else is known of the items: it is only said whether it explains where votes are wrong.
    """

    root: Sequence[RootPolicy] = (BetterThanChance(),)
    required: float = 0.5
    gold: Mapping[str, str] = field(default_factory=dict)
    propose: int = 0
    window: int | None = None
    level: float = 0.95
    families: Mapping[str, str] = field(default_factory=dict)
    within: float = 0.05
    correlation: float = COMMON_CORRELATION
    positive: str | None = None
    guess_families: bool = True
    looks: int | None = None
    anchors: VoteTable | None = None
    labels_named: bool = False
    random: bool = False
    seal: str | None = None
    check: float | None = None
    vote_prices: Mapping[str, float] = field(default_factory=dict)
    covariates: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    other_columns: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        as_level(self.level, "level")
        if not 0 <= self.required <= 1:
            raise InputError(f"a required accuracy must be between 0 and 1; got {self.required}")
        if self.propose < 0:
            raise InputError(f"propose a natural number of items; got {self.propose}")
        if self.window is not None and self.window < 1:
            raise InputError(f"a window holds at least one item; got {self.window}")
        if not 0 <= self.correlation < 1:
            raise InputError(f"a correlation must be between 0 and 1; got {self.correlation}")
        if self.looks is not None and self.looks < 1:
            raise InputError(f"plan at least one look for drift; got {self.looks}")
        if not 0 < self.within < 1:
            raise InputError(f"come to within a share between 0 and 1; got {self.within}")
