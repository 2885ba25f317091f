"""What every watch is: memory as a value, evidence, and the bound at which it raises its alarm."""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple, Self

import numpy as np

from askpoint.live.terms import Terms

__all__ = ["Audit", "GoldLabel", "Watch", "watch_from_dict", "watch_to_dict"]


class Audit(NamedTuple):
    """An audited answer whose label came (or never will); audits are heard in the order of decisions.

    Attributes
    ----------
    wrong : bool
        Whether the model's answer was wrong.
    share : float
        Least audit rate over this case's own.
    place : int
        Its bin of confidence.
    stated : float or None
        The error that is stated for its bin; None while none is.
    is_sure : bool
        Whether it lies in the surer half of what is answered.
    """

    wrong: bool
    share: float = 1.0
    place: int = 0
    stated: float | None = None
    is_sure: bool = False


class GoldLabel(NamedTuple):
    """A reviewer's first label of a gold case, a case of known truth that stands unmarked in the queue."""

    wrong: bool


@dataclass(frozen=True, eq=False)
class Watch(ABC):
    """A detector of one kind of trouble; the kind of event that it raises names it in `EVENTS`.

    A subclass adds the fields of its memory, numbers and arrays, which policy.json holds by their
    names, and begins them in `start`.

    Parameters
    ----------
    terms : Terms
        What was agreed.
    episode : int
        Which episode of the policy it watches; a later one needs more evidence.
    """

    terms: Terms
    episode: int

    hears: ClassVar[Literal["audits", "gold", "decisions", "confidences"]] = "audits"
    """What `update` takes: `Audit`, `GoldLabel`, decisions (only when somebody looks), or confidences."""
    is_lifelong: ClassVar[bool] = False
    """Whether its memory outlives a closing of the policy."""

    @classmethod
    @abstractmethod
    def start(cls, terms: Terms, episode: int = 1) -> Self:
        """Return the watch that has heard nothing."""

    @abstractmethod
    def update(self, finding: Any) -> Self:
        """Return the watch after one more finding."""

    @property
    @abstractmethod
    def evidence(self) -> float:
        """Evidence of trouble so far; only a mistake can lift it to the bound."""

    @property
    def bound(self) -> float:
        """The evidence that raises the alarm: over all episodes, false ones sum to watch_delta."""
        return self.episode * (self.episode + 1) / self.terms.watch_delta

    @property
    def is_alarmed(self) -> bool:
        """Whether the evidence raises the alarm."""
        return self.evidence >= self.bound

    @property
    def numbers(self) -> dict[str, float]:
        """What its event tells."""
        return {"evidence": self.evidence, "bound": self.bound}

    def restart(self) -> Self:
        """Return what goes on after its own alarm, where that does not close the policy."""
        return self.start(self.terms, self.episode + 1)


def watch_to_dict(watch: Watch) -> dict[str, Any]:
    """Return the memory of a watch as plain values."""
    plain: dict[str, Any] = {}
    for part in dataclasses.fields(watch):
        value = getattr(watch, part.name)
        if part.name == "terms":
            continue
        if isinstance(value, Watch):
            value = watch_to_dict(value)
        elif isinstance(value, np.ndarray):
            value = value.tolist()
        plain[part.name] = value
    return plain


def watch_from_dict(kind: type[Watch], terms: Terms, plain: Mapping[str, Any]) -> Watch:
    """Return the watch that `watch_to_dict` wrote."""
    fresh = kind.start(terms)
    if set(plain) != {part.name for part in dataclasses.fields(fresh)} - {"terms"}:
        raise KeyError(f"memory of {kind.__name__}")
    values: dict[str, Any] = {}
    for name, value in plain.items():
        start = getattr(fresh, name)
        if isinstance(start, Watch):
            value = watch_from_dict(type(start), terms, value)
        elif isinstance(start, np.ndarray):
            value = np.array(value, dtype=start.dtype)
        values[name] = value
    return dataclasses.replace(fresh, **values)
