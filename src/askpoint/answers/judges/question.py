"""What is asked of votes: what is known beside them, and what shall be told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from askpoint.errors import InputError
from askpoint.judges.methods.identification import BetterThanChance, PrevalenceRange, RootPolicy
from askpoint.measures.inputs import as_level

__all__ = ["JudgesQuestion", "judge_families", "root_policies"]


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
    """

    root: Sequence[RootPolicy] = (BetterThanChance(),)
    required: float = 0.5
    gold: Mapping[str, str] = field(default_factory=dict)
    propose: int = 0
    window: int | None = None
    level: float = 0.95
    families: Mapping[str, str] = field(default_factory=dict)
    within: float = 0.05

    def __post_init__(self) -> None:
        as_level(self.level, "level")
        if not 0 <= self.required <= 1:
            raise InputError(f"a required accuracy lies between 0 and 1, got {self.required}")
        if self.propose < 0:
            raise InputError(f"propose a natural number of items, got {self.propose}")
        if self.window is not None and self.window < 1:
            raise InputError(f"a window holds at least one item, got {self.window}")
        if not 0 < self.within < 1:
            raise InputError(f"come to within a share between 0 and 1, got {self.within}")


def judge_families(texts: Sequence[str]) -> dict[str, str]:
    """Read families of judges as the command line states them."""
    families: dict[str, str] = {}
    for text in texts:
        name, _, members = text.partition("=")
        kin = members.split(",")
        if not name or len(kin) < 2 or not all(kin):
            raise InputError(
                f"--family must be NAME=JUDGE,JUDGE,... with two judges or more; got {text!r}"
            )
        for judge in kin:
            if judge in families:
                raise InputError(
                    f"--family: {judge!r} is named twice, in {families[judge]!r} and in {name!r}; "
                    "a judge is in one family"
                )
            families[judge] = name
    return families


def root_policies(texts: Sequence[str]) -> tuple[RootPolicy, ...]:
    """Read policies as the command line states them."""
    policies: list[RootPolicy] = []
    for text in texts or ("better-than-chance",):
        if text == "better-than-chance":
            policies.append(BetterThanChance())
            continue
        try:
            low, high = map(float, text.split(","))
        except ValueError:
            raise InputError(
                "--root must be better-than-chance or LOW,HIGH, a range of the first label's "
                f"prevalence such as 0,0.5; got {text!r}"
            ) from None
        policies.append(PrevalenceRange(low, high))
    return tuple(policies)
