"""Rows and the pure room's own objects: cases with their votes and claims, and reviewers."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

import askpoint.labelling.case as pure
import askpoint.server.labelling.models as models
from askpoint.labelling.claims import count_missing_votes
from askpoint.labelling.protocol import Protocol
from askpoint.labelling.reviewer import Reviewer
from askpoint.server.labelling.guidelines import version_at

__all__ = [
    "case_of",
    "join_skippers",
    "new_ids",
    "reviewer_of",
    "skippers_of",
    "store_case",
    "store_reviewer",
]

_BETWEEN = "|"  # no name holds it


def new_ids(n: int) -> list[str]:
    """Return ids for cases that come together: by these they are in their order, and tell nothing."""
    return sorted(secrets.token_hex(8) for _ in range(n))


def join_skippers(*reviewers: str) -> str:
    """Write those to whom a case is not offered again, so that the database can look for one."""
    return "".join(f"{_BETWEEN}{name}{_BETWEEN}" for name in reviewers)


def skippers_of(row: models.Case) -> tuple[str, ...]:
    """Return those to whom a case is not offered again."""
    return tuple(filter(None, row.skipped.split(_BETWEEN)))


def case_of(row: models.Case, options: Sequence[str] = ()) -> pure.Case:
    """Return a case for the rules; prefetch ``votes`` and ``claims`` of many."""
    return pure.Case(
        id=row.id,
        queue=row.queue,
        author=row.author,
        options=tuple(row.options or options),
        opened=row.opened,
        at=row.at,
        state=row.state,
        votes=_votes_of(row),
        claims=_claims_of(row),
        answer=row.answer,
        ruled_at=row.ruled_at,
        n_claims=row.n_claims,
        gold=row.gold,
        purpose=row.purpose,
        skipped=skippers_of(row),
    )


def _votes_of(row: models.Case) -> tuple[pure.Vote, ...]:
    """Return the votes on a case, in their order."""
    return tuple(
        pure.Vote(vote.reviewer, vote.choice, vote.at, vote.void, vote.said)
        for vote in row.votes.all()
    )


def _claims_of(row: models.Case) -> tuple[pure.Claim, ...]:
    """Return the claims on a case."""
    return tuple(
        pure.Claim(one.reviewer, one.until, one.number, one.choice, one.said, one.before)
        for one in row.claims.all()
    )


_CHANGING = ("at", "state", "answer", "ruled_at", "n_claims", "promised", "free", "skipped")


def store_case(
    row: models.Case,
    before: pure.Case,
    after: pure.Case,
    protocol: Protocol,
    *,
    also: Sequence[str] = (),
) -> None:
    """Keep what changed: the case, new and void votes, each with the guideline that stood, claims that came and went."""
    row.at, row.state, row.answer = after.at, after.state, after.answer
    row.ruled_at, row.n_claims = after.ruled_at, after.n_claims
    row.promised = len(after.counted) + len(after.claims)
    row.free = 1 if after.is_gold else count_missing_votes(after, protocol) - len(after.claims)
    row.skipped = join_skippers(*after.skipped)
    row.save(update_fields=(*_CHANGING, *also))
    known = {vote.reviewer: vote for vote in before.votes}
    for vote in after.votes:
        if vote.reviewer not in known:
            version = version_at(row.queue, vote.said or vote.at)
            models.Vote.objects.create(case_id=row.pk, guideline=version, **vote._asdict())
        elif vote.void != known[vote.reviewer].void:
            row.votes.filter(reviewer=vote.reviewer).update(void=vote.void)
    gone = [claim.reviewer for claim in before.claims if claim not in after.claims]
    if gone:
        row.claims.filter(reviewer__in=gone).delete()
    for claim in after.claims:
        if claim not in before.claims:
            models.Claim.objects.create(case_id=row.pk, **claim._asdict())


def reviewer_of(row: Any) -> Reviewer:
    """Return a reviewer for the rules."""
    return Reviewer(
        row.user.username,
        row.queue,
        row.at,
        frozenset(row.trained),
        row.gold_seen,
        row.gold_right,
        barred=row.barred,
        recent=tuple(row.recent),
        voted=row.voted,
        skipped=row.skipped,
        since=row.since,
        gold_skipped=row.gold_skipped,
        evidence=row.evidence,
        passes=row.passes,
        proven=row.proven,
        held=row.held,
        stopped=row.stopped,
        grace=row.grace,
    )


def store_reviewer(row: Any, reviewer: Reviewer) -> None:
    """Keep what changed."""
    row.at, row.trained = reviewer.at, sorted(reviewer.trained)
    row.gold_seen, row.gold_right = reviewer.gold_seen, reviewer.gold_right
    row.barred, row.recent, row.since = reviewer.barred, list(reviewer.recent), reviewer.since
    row.voted, row.skipped = reviewer.voted, reviewer.skipped
    row.gold_skipped = reviewer.gold_skipped
    row.evidence, row.passes, row.proven = reviewer.evidence, reviewer.passes, reviewer.proven
    row.held, row.stopped, row.grace = reviewer.held, reviewer.stopped, reviewer.grace
    row.save()
