"""Rows and the game's own objects: judges, and rulings with their votes and leases."""

from __future__ import annotations

from typing import Any

import askpoint.arena.server.rulings.models as models
from askpoint.arena.game.ruling import Ruling
from askpoint.arena.server.campaigns.pseudonyms import Called, by_name
from askpoint.labelling.case import Claim, Vote
from askpoint.labelling.reviewer import Reviewer

__all__ = ["judge_of", "ruling_of", "skipped_by", "store_judge", "store_ruling", "votes_given"]


def judge_of(row: models.Judge) -> Reviewer:
    """Return the game's judge."""
    return Reviewer(
        row.user.username,
        row.campaign_id,
        row.at,
        frozenset(row.trained),
        row.gold_seen,
        row.gold_right,
        barred=row.barred,
        recent=tuple(row.recent),
        voted=row.voted,
        skipped=row.skipped,
        since=row.since,
    )


def store_judge(row: models.Judge, judge: Reviewer) -> None:
    """Keep what changed."""
    row.at, row.trained = judge.at, sorted(judge.trained)
    row.gold_seen, row.gold_right = judge.gold_seen, judge.gold_right
    row.barred, row.recent, row.since = judge.barred, list(judge.recent), judge.since
    row.voted, row.skipped = judge.voted, judge.skipped
    row.save()


def ruling_of(row: models.Ruling) -> Ruling:
    """Return the game's ruling; prefetch ``votes`` and ``leases`` of many."""
    return Ruling(
        row.id,
        row.campaign_id,
        row.author,
        tuple(row.options),
        row.opened,
        row.at,
        row.state,
        tuple(Vote(vote.judge, vote.choice, vote.at, vote.void) for vote in row.votes.all()),
        tuple(Claim(lease.judge, lease.until, lease.number) for lease in row.leases.all()),
        row.answer,
        row.ruled_at,
        row.claims,
        row.gold,
        row.kind,
        tuple(filter(None, row.skipped.split(_BETWEEN))),
        row.reserved,
    )


def votes_given(row: models.Ruling, called: Called = by_name) -> list[list[Any]]:
    """Return votes as exports hold them: judge, choice, when, and whether it is void."""
    return [
        [called(vote.judge), vote.choice, vote.at.isoformat(), vote.void]
        for vote in row.votes.all()
    ]


_BETWEEN = "|"  # no name holds it
_CHANGING = ("at", "state", "answer", "ruled_at", "reserved", "claims", "promised", "skipped")


def skipped_by(*judges: str) -> str:
    """Write those to whom a case is not offered again, so that the database can look for one."""
    return "".join(f"{_BETWEEN}{judge}{_BETWEEN}" for judge in judges)


def store_ruling(row: models.Ruling, before: Ruling, after: Ruling) -> None:
    """Keep what changed: the ruling, new and void votes, leases that came and went."""
    row.at, row.state, row.answer = after.at, after.state, after.answer
    row.ruled_at, row.reserved, row.claims = after.ruled_at, after.reserved, after.n_claims
    row.promised = len(after.counted) + len(after.claims)
    row.skipped = skipped_by(*after.skipped)
    row.save(
        update_fields=_CHANGING
        if row.pk and not row._state.adding  # noqa: SLF001 - Django's own way to ask
        else None
    )
    known = {vote.reviewer: vote for vote in before.votes}
    for vote in after.votes:
        if vote.reviewer not in known:
            models.Vote.objects.create(
                ruling=row, judge=vote.reviewer, choice=vote.choice, at=vote.at, void=vote.void
            )
        elif vote.void != known[vote.reviewer].void:
            row.votes.filter(judge=vote.reviewer).update(void=vote.void)
    gone = [lease.number for lease in before.claims if lease not in after.claims]
    if gone:
        row.leases.filter(number__in=gone).delete()
    for lease in after.claims:
        if lease not in before.claims:
            models.Lease.objects.create(
                ruling=row, judge=lease.reviewer, until=lease.until, number=lease.number
            )
