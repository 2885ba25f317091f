"""Reviewers of a queue: training with the answers first, then gold among the cases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from askpoint.errors import RuleError
from askpoint.labelling.clock import check_clock
from askpoint.labelling.gold_test import add_evidence, has_failed, has_passed
from askpoint.labelling.protocol import Protocol

__all__ = [
    "Agreement",
    "Reviewer",
    "bar_reviewer",
    "check_reviewer",
    "is_astray",
    "is_paused",
    "is_trained",
    "may_skip",
    "readmit_reviewer",
    "see_gold",
    "skip_gold",
    "train",
]

Agreement = tuple[str, bool]
"""How a case is ruled, and whether a reviewer's vote on it agrees."""


@dataclass(frozen=True, slots=True)
class Reviewer:
    """The standing of a reviewer in a queue.

    Parameters
    ----------
    id : str
        The person.
    queue : str
        The queue.
    at : datetime
        When the record last changed.
    trained : frozenset of str, default=empty
        Training items answered, whose right answers were then shown.
    gold_seen, gold_right : int, default=0
        Gold cases voted on, and those voted on rightly, since the reviewer was last readmitted.
    barred : bool, default=False
        Whether the owner has shut the reviewer out.
    recent : tuple of bool, default=()
        The newest of the gold votes, as many as the protocol's window holds: which were right.
    voted, skipped : int, default=0
        Cases voted on and cases skipped, gold apart from the votes, since then.
    since : datetime, optional
        When the reviewer was last readmitted.
    gold_skipped : int, default=0
        Gold cases skipped since then, which are among `skipped`.
    evidence : float, default=0
        Of the gold votes since the last pass; see `askpoint.labelling.gold_test`.
    passes : int, default=0
        How often the test was passed.
    proven : datetime, optional
        When it was passed last: votes until then are a careful reviewer's.
    held : int, default=0
        Votes since then, gold cases among them.
    due : int, default=0
        Votes that were held, and that a pass has just proven.
    stopped : bool, default=False
        Whether the test has failed.
    grace : int, optional
        How many more cases one is given who is to be stopped; None where nobody is to be.
    """

    id: str
    queue: str
    at: datetime
    trained: frozenset[str] = frozenset()
    gold_seen: int = 0
    gold_right: int = 0
    barred: bool = False
    recent: tuple[bool, ...] = ()
    voted: int = 0
    skipped: int = 0
    since: datetime | None = None
    gold_skipped: int = 0
    evidence: float = 0.0
    passes: int = 0
    proven: datetime | None = None
    held: int = 0
    due: int = 0
    stopped: bool = False
    grace: int | None = None


def train(reviewer: Reviewer, item: str, now: datetime) -> Reviewer:
    """Record that a reviewer has answered a training item and seen its right answer."""
    return replace(reviewer, trained=reviewer.trained | {item}, at=check_clock(now, reviewer.at))


def is_trained(reviewer: Reviewer, protocol: Protocol) -> bool:
    """Tell whether a reviewer has seen the whole training set."""
    return len(reviewer.trained) >= protocol.training_items


def see_gold(
    reviewer: Reviewer, *, right: bool, protocol: Protocol, now: datetime, n_options: int = 2
) -> Reviewer:
    """Record a reviewer's vote on a gold case, and what the test says of the votes that are held."""
    after = replace(
        reviewer,
        gold_seen=reviewer.gold_seen + 1,
        gold_right=reviewer.gold_right + right,
        recent=(*reviewer.recent, right)[-protocol.gold_window :],
        at=check_clock(now, reviewer.at),
    )
    if not protocol.holds_pay:
        return after
    evidence = add_evidence(after.evidence, right=right, n_options=n_options)
    if has_passed(evidence):
        passes = after.passes + 1
        return replace(after, evidence=0.0, passes=passes, proven=now, due=after.held, held=0)
    return replace(after, evidence=evidence, stopped=after.stopped or has_failed(evidence))


def skip_gold(
    reviewer: Reviewer, protocol: Protocol, now: datetime, *, n_options: int = 2
) -> Reviewer:
    """Record that a reviewer skipped a gold case: no vote the first times, then a wrong one.

    Who skips what has a known answer would otherwise never be wrong.
    """
    after = replace(reviewer, gold_skipped=reviewer.gold_skipped + 1)
    if after.gold_skipped <= protocol.gold_skips_free:
        return after
    return see_gold(after, right=False, protocol=protocol, now=now, n_options=n_options)


def is_paused(reviewer: Reviewer, protocol: Protocol) -> bool:
    """Tell whether a reviewer was wrong on too many gold cases to go on: by the test, or of the newest."""
    if protocol.holds_pay:
        return reviewer.stopped
    seen = len(reviewer.recent)
    return seen >= protocol.gold_least and sum(reviewer.recent) < round(
        protocol.gold_accuracy * seen, 9
    )


def is_astray(agreements: Sequence[Agreement], protocol: Protocol) -> bool:
    """Tell whether the newest votes agree too seldom with what was ruled, in the mean over answers.

    It needs no gold. The votes stay until the owner has looked: a reviewer whom others
    outvote may be the one who is right.

    Parameters
    ----------
    agreements : sequence of (str, bool)
        Of votes in their order: how the case is ruled, and whether the vote agrees.
    protocol : Protocol
        How many votes on an answer count, and how many must agree.

    Examples
    --------
    >>> common, rare = [("normal", True)] * 20, [("hate", False)] * 12
    >>> is_astray(common, Protocol()), is_astray(common + rare, Protocol())
    (False, True)
    """
    by_answer: dict[str, list[bool]] = {}
    for answer, agrees in agreements:
        by_answer.setdefault(answer, []).append(agrees)
    newest = [
        agreed[-protocol.agreement_window :]
        for agreed in by_answer.values()
        if len(agreed) >= protocol.agreement_votes
    ]
    shares = [sum(agreed) / len(agreed) for agreed in newest]
    return bool(shares) and round(sum(shares) / len(shares), 9) < protocol.agreement_least


def may_skip(reviewer: Reviewer, protocol: Protocol) -> bool:
    """Tell whether a reviewer has a skip left: a few at first, and then a share of the votes."""
    return reviewer.skipped < protocol.skips_free + protocol.skip_share * reviewer.voted


def check_reviewer(
    reviewer: Reviewer, queue: str, protocol: Protocol, agreements: Sequence[Agreement] = ()
) -> None:
    """Check that a reviewer may vote in a queue.

    `agreements` tells of the reviewer's votes since the last readmission, in their order and where
    the case is ruled, what the ruling is and whether they agree with it.
    """
    if reviewer.queue != queue:
        raise RuleError(
            "other-queue", f"{reviewer.id} judges in {reviewer.queue!r}, not in {queue!r}"
        )
    if reviewer.barred:
        raise RuleError("barred", f"the organiser has shut {reviewer.id} out of this campaign")
    if not is_trained(reviewer, protocol):
        raise RuleError(
            "untrained",
            f"{reviewer.id} has seen {len(reviewer.trained)} of {protocol.training_items} training "
            "items; finish them first",
        )
    if is_paused(reviewer, protocol) and not reviewer.grace:
        raise RuleError(
            "paused",
            f"{sum(reviewer.recent)} of the last {len(reviewer.recent)} votes on cases with a known "
            f"answer were right, and below {protocol.gold_accuracy:.0%} nobody judges on; the "
            "organiser can readmit",
        )
    if is_astray(agreements, protocol):
        raise RuleError(
            "astray",
            f"fewer than {protocol.agreement_least:.0%} of the newest votes agree with what was ruled, in the "
            "mean over answers, and so nobody judges on until the organiser has looked",
        )


def bar_reviewer(reviewer: Reviewer, now: datetime) -> Reviewer:
    """Shut a reviewer out, by the owner's decision."""
    return replace(reviewer, barred=True, at=check_clock(now, reviewer.at))


def readmit_reviewer(reviewer: Reviewer, now: datetime) -> Reviewer:
    """Let a reviewer go on, after training anew, by the owner's decision."""
    return Reviewer(
        reviewer.id,
        reviewer.queue,
        check_clock(now, reviewer.at),
        since=now,
        passes=reviewer.passes,
        proven=reviewer.proven,
        held=reviewer.held,
    )
