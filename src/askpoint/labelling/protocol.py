"""How cases are labelled: how many votes, how long a claim lasts, how reviewers are checked."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from askpoint.errors import InputError
from askpoint.measures.inputs import as_choice

__all__ = ["Protocol"]


@dataclass(frozen=True, slots=True)
class Protocol:
    """The rules of a queue.

    Parameters
    ----------
    votes : {1, 2, 3}, default=2
        Independent votes on a case; where no option has more than half of an even number,
        one further reviewer votes, and after that the owner decides.
    claim_time : timedelta, default=15 minutes
        How long a claimed case stays with its reviewer.
    recall_window : timedelta, default=7 days
        How far back a paused reviewer's votes are void and their cases queued again.
    overdue_after : timedelta, default=1 day
        A case that has waited longer goes before those with fewer votes.
    training_items : int, default=5
        Items with their answers that a reviewer sees first.
    gold_least : int, default=10
        Gold cases seen before a reviewer's accuracy is held against anyone.
    gold_accuracy : float, default=0.8
        Share of the newest gold votes that must be right; below, the reviewer is paused.
    gold_share : float, default=0.1
        How often a claim is answered with a gold case, while cases wait and there are fresh
        ones; never on more than one and twice this share of the reviewer's votes.
    gold_window : int, default=20
        The newest gold votes, by which a reviewer is measured.
    gold_test : bool, default=False
        Measure reviewers by the test of `askpoint.labelling.gold_test` in place of the window, and hold
        the pay of votes until it is passed.
    gold_first : int, default=0
        With the test, a reviewer's first claims that are gold cases.
    gold_probation : float, default=0.5
        With the test, the share of gold cases until it is passed once.
    least_look : timedelta, default=0
        How long after its claim a vote may come; earlier ones are refused.
    agreement_votes : int, default=12
        Votes on cases ruled the same before a reviewer's agreement on that answer counts.
    agreement_window : int, default=20
        The newest of them, by which a reviewer is measured besides gold.
    agreement_least : float, default=0.65
        Share of them that must agree with the rulings, in the mean over answers; below, the owner has to look. Who
        always votes for the common answer reaches one half.
    skips_free : int, default=5
        Cases that a reviewer may skip in any case.
    skip_share : float, default=0.2
        Cases that a reviewer may skip beyond, as a share of the votes.
    gold_skips_free : int, default=2
        Gold cases that a reviewer may skip; each further one counts as a wrong vote on it.
    most_skips : int, default=3
        A case that so many reviewers have skipped goes to the owner.
    order : {"fewest", "oldest"}, default="fewest"
        What comes first in the queue: what is overdue and then what has fewest votes, or what
        came first.
    """

    votes: int = 2
    claim_time: timedelta = timedelta(minutes=15)
    recall_window: timedelta = timedelta(days=7)
    overdue_after: timedelta = timedelta(days=1)
    training_items: int = 5
    gold_least: int = 10
    gold_accuracy: float = 0.8
    gold_share: float = 0.1
    gold_window: int = 20
    gold_test: bool = False
    gold_first: int = 0
    gold_probation: float = 0.5
    least_look: timedelta = timedelta(0)
    agreement_votes: int = 12
    agreement_window: int = 20
    agreement_least: float = 0.65
    skips_free: int = 5
    skip_share: float = 0.2
    gold_skips_free: int = 2
    most_skips: int = 3
    order: str = "fewest"

    def __post_init__(self) -> None:
        as_choice(self.order, ("fewest", "oldest"), "order")
        if self.votes not in (1, 2, 3):
            raise InputError(f"a case is judged by 1, 2 or 3 judges first; got {self.votes}")
        for name in ("claim_time", "recall_window", "overdue_after"):
            if getattr(self, name) <= timedelta(0):
                raise InputError(f"{name} must be longer than nothing; got {getattr(self, name)}")
        for name, least in (
            ("training_items", 0),
            ("gold_first", 0),
            ("gold_least", 1),
            ("gold_window", self.gold_least),
            ("agreement_votes", 1),
            ("agreement_window", self.agreement_votes),
            ("skips_free", 0),
            ("gold_skips_free", 0),
            ("most_skips", 1),
        ):
            if getattr(self, name) < least:
                raise InputError(f"{name} must be at least {least}; got {getattr(self, name)}")
        if not timedelta(0) <= self.least_look < self.claim_time:
            raise InputError(
                f"least_look must be shorter than a claim, {self.claim_time}; got {self.least_look}"
            )
        for name in (
            "gold_accuracy",
            "gold_share",
            "gold_probation",
            "agreement_least",
            "skip_share",
        ):
            if not 0 <= getattr(self, name) <= 1:
                raise InputError(f"{name} is a share between 0 and 1; got {getattr(self, name)}")

    @property
    def holds_pay(self) -> bool:
        """Whether votes are held until the test is passed, for which gold cases are needed."""
        return self.gold_test and self.gold_share > 0

    @property
    def agreement_sought(self) -> int:
        """How many of the newest votes are looked at for those on a rare answer: one in twenty."""
        return 20 * self.agreement_window

    @property
    def most_votes(self) -> int:
        """The number of counted votes after which the owner decides."""
        return self.votes + (self.votes + 1) % 2
