"""Which of the two points to believe: the votes cannot say, so it is said aloud."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from askpoint.errors import InputError
from askpoint.judges.evaluation import Evaluation

__all__ = ["BetterThanChance", "PrevalenceRange", "RootPolicy", "as_policies", "choose_point"]


@dataclass(frozen=True)
class BetterThanChance:
    """Most judges are better than chance: P_ia + P_ib > 1."""

    def __str__(self) -> str:
        return "most judges are better than chance"

    def allows(self, point: Evaluation) -> bool:
        """Say whether it holds at a point."""
        first, second = point.prevalence
        better = sum(
            2 * ((of[first] or 0) + (of[second] or 0) > 1) - 1 for of in point.accuracy.values()
        )
        return better > 0


@dataclass(frozen=True)
class PrevalenceRange:
    """The prevalence of a label is known to lie in a range.

    Parameters
    ----------
    low, high : float
        Both in [0, 1].
    label : str, optional
        Which; by default the first.

    Examples
    --------
    >>> from askpoint.judges.methods.identification import PrevalenceRange
    >>> print(PrevalenceRange(0, 0.5, "spam"))
    the prevalence of spam lies between 0 and 0.5
    """

    low: float
    high: float
    label: str | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.low <= self.high <= 1:
            raise InputError(
                f"a range of prevalence needs 0 <= low <= high <= 1; got {self.low} to {self.high}"
            )

    def __str__(self) -> str:
        label = "the first label" if self.label is None else self.label
        return f"the prevalence of {label} lies between {self.low:g} and {self.high:g}"

    def allows(self, point: Evaluation) -> bool:
        """Say whether it holds at a point."""
        label = next(iter(point.prevalence)) if self.label is None else self.label
        if label not in point.prevalence:
            raise InputError(f"there is no label {label!r} among {', '.join(point.prevalence)}")
        return self.low <= point.prevalence[label] <= self.high


RootPolicy = BetterThanChance | PrevalenceRange
_Point = TypeVar("_Point", bound=Evaluation)


def as_policies(root: str | RootPolicy | Sequence[RootPolicy]) -> tuple[RootPolicy, ...]:
    """Check what was given as a policy, or several that must all hold."""
    if root == "better-than-chance":
        return (BetterThanChance(),)
    policies = (root,) if isinstance(root, RootPolicy) else root
    if (
        isinstance(policies, str)
        or not policies
        or not all(isinstance(p, RootPolicy) for p in policies)
    ):
        raise InputError(
            "root must be 'better-than-chance', PrevalenceRange(low, high), or a list of "
            f"policies that shall all hold; got {root!r}"
        )
    return tuple(policies)


def choose_point(
    points: Sequence[_Point], policies: Sequence[RootPolicy]
) -> tuple[_Point | None, str]:
    """Choose the one point that all policies allow."""
    rule = " and ".join(map(str, policies))
    allowed = [point for point in points if all(policy.allows(point) for policy in policies)]
    if len(allowed) == 1:
        return allowed[0], rule
    return None, f"{rule}: {'both points allow' if allowed else 'neither point allows'} that"
