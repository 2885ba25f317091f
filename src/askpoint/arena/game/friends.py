"""Judges who decide a player's finds together, or call them finds alone, more often than chance has it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence

from askpoint.arena.game.ruling import Ruling

__all__ = ["deciding_judges", "suspects", "suspicious_judges", "suspicious_pairs"]

_RARE = 0.001  # chance, for honest judges, that any pair or any judge is named
_FEWEST = 3
_ALONE = 0.25  # of an honest judge's votes, at most, call a find what another judge does not


def deciding_judges(ruling: Ruling) -> frozenset[str]:
    """Return the judges whose votes decided a case."""
    return frozenset(vote.reviewer for vote in ruling.counted if vote.choice == ruling.answer)


def suspects(
    cases: Iterable[Sequence[tuple[str, bool]]], n_judges: int
) -> frozenset[frozenset[str]]:
    """Return the judges, alone or in pairs, whose votes on one player's cases are set aside.

    Parameters
    ----------
    cases : iterable of sequence of (str, bool)
        Of each case its votes in their order, void ones too: who voted, and whether that calls it a find. So who was
        named stays named when others have judged again.
    n_judges : int
        How many judges the campaign has.
    """
    votes = [list(case) for case in cases]
    firsts = ([judge for judge, found in case if found][:2] for case in votes)
    pairs = suspicious_pairs(map(frozenset, firsts), n_judges)
    return pairs | {frozenset({judge}) for judge in suspicious_judges(votes, n_judges)}


def suspicious_judges(cases: Iterable[Sequence[tuple[str, bool]]], n_judges: int) -> frozenset[str]:
    """Return the judges who too often call a find of one player what another judge does not.

    A friend does so with most texts that are no finds, and an honest judge by error, or where the other one errs.
    """
    voted, alone = Counter[str](), Counter[str]()
    for votes in cases:
        if len(votes) > 1:
            voted.update(judge for judge, _ in votes)
        if not all(found for _, found in votes):
            alone.update(judge for judge, found in votes if found and len(votes) > 1)
    return frozenset(
        judge
        for judge, count in alone.items()
        if n_judges > 2
        and count >= _FEWEST
        and n_judges * _tail(count, voted[judge], _ALONE) < _RARE
    )


def suspicious_pairs(
    deciding: Iterable[frozenset[str]], n_judges: int
) -> frozenset[frozenset[str]]:
    """Return the pairs of judges that decided too many of one player's finds, of those who decided each.

    Judges are drawn by the queue: each of their pairs decides as often as another. A pair is named where chance brings
    as many finds to any of them once in 1,000 players.
    """
    n_pairs = math.comb(n_judges, 2)
    pairs = [pair for pair in deciding if len(pair) == 2]
    if n_pairs < 2:
        return frozenset()
    return frozenset(
        pair
        for pair, count in Counter(pairs).items()
        if count >= _FEWEST and n_pairs * _tail(count, len(pairs), 1 / n_pairs) < _RARE
    )


def _tail(count: int, n: int, share: float) -> float:
    """Return the chance of `count` or more of `n`."""
    return sum(math.comb(n, k) * share**k * (1 - share) ** (n - k) for k in range(count, n + 1))
