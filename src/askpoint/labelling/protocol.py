"""How cases are judged: how many votes, how long a claim lasts, how judges are checked."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from askpoint.errors import InputError

__all__ = ["Protocol"]


@dataclass(frozen=True, slots=True)
class Protocol:
    """The rules of judging.

    Parameters
    ----------
    votes : {1, 2, 3}, default=2
        Independent votes on a case; where no option has more than half of an even number,
        one further judge votes, and after that the organiser decides.
    lease : timedelta, default=15 minutes
        How long a claimed case stays with its judge.
    appeal_window : timedelta, default=7 days
        How long after the ruling its player may appeal, once.
    recall_window : timedelta, default=7 days
        How far back a paused judge's votes are void and their cases queued again.
    patience : timedelta, default=1 day
        A case that has waited longer goes before those with fewer votes.
    training_items : int, default=5
        Items with their answers that a judge sees first.
    gold_least : int, default=10
        Gold items seen before a judge's accuracy is held against anyone.
    gold_accuracy : float, default=0.8
        Share of the newest gold votes that must be right; below, the judge is paused.
    gold_share : float, default=0.1
        How often a claim is answered with a gold item, while cases wait and there are fresh
        items; never on more than one and twice this share of the judge's votes.
    gold_window : int, default=20
        The newest gold votes, by which a judge is measured.
    agreement_window : int, default=30
        The newest votes on ruled cases, by which a judge is measured beside gold.
    agreement_least : float, default=0.6
        Share of them that must agree with the rulings; below, the organiser has to look.
    skips_free : int, default=5
        Cases that a judge may skip in any case.
    skip_share : float, default=0.2
        Cases that a judge may skip beyond, as a share of the votes.
    most_skips : int, default=3
        A case that so many judges have skipped goes to the organiser.
    """

    votes: int = 2
    lease: timedelta = timedelta(minutes=15)
    appeal_window: timedelta = timedelta(days=7)
    recall_window: timedelta = timedelta(days=7)
    patience: timedelta = timedelta(days=1)
    training_items: int = 5
    gold_least: int = 10
    gold_accuracy: float = 0.8
    gold_share: float = 0.1
    gold_window: int = 20
    agreement_window: int = 30
    agreement_least: float = 0.6
    skips_free: int = 5
    skip_share: float = 0.2
    most_skips: int = 3

    def __post_init__(self) -> None:
        if self.votes not in (1, 2, 3):
            raise InputError(f"a case is judged by 1, 2 or 3 judges first, got {self.votes}")
        for name in ("lease", "appeal_window", "recall_window", "patience"):
            if getattr(self, name) <= timedelta(0):
                raise InputError(f"{name} must be longer than nothing, got {getattr(self, name)}")
        for name, least in (
            ("training_items", 0),
            ("gold_least", 1),
            ("gold_window", self.gold_least),
            ("agreement_window", 1),
            ("skips_free", 0),
            ("most_skips", 1),
        ):
            if getattr(self, name) < least:
                raise InputError(f"{name} must be at least {least}, got {getattr(self, name)}")
        for name in ("gold_accuracy", "gold_share", "agreement_least", "skip_share"):
            if not 0 <= getattr(self, name) <= 1:
                raise InputError(f"{name} is a share between 0 and 1, got {getattr(self, name)}")

    @property
    def most_votes(self) -> int:
        """The number of counted votes after which the organiser decides."""
        return self.votes + (self.votes + 1) % 2
