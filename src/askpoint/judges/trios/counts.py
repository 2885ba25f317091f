"""Joint counts of votes for all trios of many judges, from votes packed into bits."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from askpoint.errors import InputError
from askpoint.judges.sketch.codes import MISSING
from askpoint.judges.sketch.vote_sketch import VoteSketch

__all__ = ["PackedVotes", "TrioMoments", "pack_votes", "trio_moments"]

_CHUNK = 1 << 11  # words a step, so that a pair's words stay in the nearest cache


@dataclass(frozen=True)
class TrioMoments:
    """Counts of votes for the second label, for each trio i < j < k of judges.

    Attributes
    ----------
    trios : ndarray of int64 of shape (n_trios, 3)
        Places of the judges.
    n_items : ndarray of int64 of shape (n_trios,)
        Items that all three judged: all else counts among these.
    singles, pairs : ndarray of int64 of shape (n_trios, 3)
        n_i, n_j, n_k and n_jk, n_ik, n_ij: the pair without a judge at that judge's place.
    triples : ndarray of int64 of shape (n_trios,)
        n_ijk.
    """

    trios: NDArray[np.int64]
    n_items: NDArray[np.int64]
    singles: NDArray[np.int64]
    pairs: NDArray[np.int64]
    triples: NDArray[np.int64]


@dataclass(frozen=True)
class PackedVotes:
    """Votes on two labels, none missing, one bit a vote.

    Attributes
    ----------
    words : ndarray of uint64 of shape (n_judges, n_words)
        Bit s of a judge is set where the judge voted for the second label on item s; bits
        beyond the last item are 0.
    n_items : int
        How many bits count.
    """

    words: NDArray[np.uint64]
    n_items: int

    def cells(self) -> NDArray[np.int64]:
        """Return the eight counts of three judges, n_aaa, n_aab, ..., n_bbb."""
        if len(self.words) != 3:
            raise InputError(f"the eight counts are of three judges; got {len(self.words)}")
        sums = np.zeros(8, dtype=np.int64)  # by the set of judges who all voted b
        for start in range(0, self.words.shape[1], _CHUNK):
            x, y, z = self.words[:, start : start + _CHUNK]
            yz, xy = y & z, x & y
            for place, words in enumerate((z, y, yz, x, x & z, xy, xy & z), start=1):
                sums[place] += np.bitwise_count(words).sum()
        sums[0] = self.n_items
        for bit in (1, 2, 4):  # from "at least these" to "exactly these"
            for place in range(8):
                if not place & bit:
                    sums[place] -= sums[place | bit]
        return sums

    def triples(self, progress: Callable[[float], None] | None = None) -> NDArray[np.int64]:
        """Return n_ijk of all trios, in the order of `itertools.combinations`."""
        n = len(self.words)
        blocks: list[NDArray[np.int64]] = []
        for i, j in itertools.combinations(range(n), 2):
            sums = np.zeros(n - j - 1, dtype=np.int64)
            for start in range(0, self.words.shape[1], _CHUNK):
                both = self.words[i, start : start + _CHUNK] & self.words[j, start : start + _CHUNK]
                third = self.words[j + 1 :, start : start + _CHUNK] & both
                sums += np.bitwise_count(third).sum(axis=1, dtype=np.uint32)
            blocks.append(sums)
            if progress is not None and j == n - 1:
                progress((i + 1) / (n - 1))
        return np.concatenate(blocks)


def pack_votes(codes: ArrayLike) -> PackedVotes:
    """Pack votes on two labels into bits."""
    votes = np.asarray(codes)
    if votes.ndim != 2 or (votes.size and not (votes.min() >= 0 and votes.max() <= 1)):
        raise InputError("packed votes are a table of zeros and ones, none missing")
    bits = np.packbits(votes.T.astype(bool), axis=1, bitorder="little")
    padded = np.zeros((bits.shape[0], -(-bits.shape[1] // 8) * 8), dtype=np.uint8)
    padded[:, : bits.shape[1]] = bits
    return PackedVotes(padded.view("<u8").astype(np.uint64), len(votes))


def trio_moments(
    sketch: VoteSketch, progress: Callable[[float], None] | None = None
) -> TrioMoments:
    """Count what the independent evaluator needs, for all trios of a sketch's judges."""
    n = len(sketch.judges)
    if n < 3 or len(sketch.labels) != 2:
        raise InputError(
            f"trios need at least three judges and two labels; got {n} and {len(sketch.labels)}"
        )
    votes, counts = sketch.cells()
    trios = np.array(list(itertools.combinations(range(n), 3)), dtype=np.int64)
    others = trios[:, [[1, 2], [0, 2], [0, 1]]]
    said_b = votes == 1
    if not (votes == MISSING).any():
        B = said_b.astype(np.int64)
        singles = counts @ B
        pairs = _pairs(B, counts)
        return TrioMoments(
            trios,
            np.full(len(trios), sketch.n_items, dtype=np.int64),
            singles[trios],
            pairs[others[:, :, 0], others[:, :, 1]],
            _triples(said_b, counts, progress),
        )
    return _with_gaps(trios, votes, counts, progress)


def _pairs(B: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.int64]:
    if counts.sum() < 1 << 53:  # exact in float64, where matrices multiply fast
        X = B.astype(np.float64)
        return np.rint(X.T @ (X * counts[:, None])).astype(np.int64)
    return B.T @ (B * counts[:, None])


def _triples(
    said_b: NDArray[np.bool_],
    counts: NDArray[np.int64],
    progress: Callable[[float], None] | None,
) -> NDArray[np.int64]:
    """n_ijk, as a sum over the binary digits of the counts: mostly one where patterns are many."""
    digits = int(counts.max(initial=0)).bit_length()
    total: NDArray[np.int64] = np.int64(0)  # type: ignore[assignment]
    for digit in range(digits):
        rows = counts >> digit & 1 == 1

        def part(share: float, digit: int = digit) -> None:
            if progress is not None:
                progress((digit + share) / digits)

        total = total + (pack_votes(said_b[rows]).triples(part) << digit)
    n = said_b.shape[1]
    return total + np.zeros(n * (n - 1) * (n - 2) // 6, dtype=np.int64)


def _with_gaps(
    trios: NDArray[np.int64],
    votes: NDArray[np.int16],
    counts: NDArray[np.int64],
    progress: Callable[[float], None] | None,
) -> TrioMoments:
    """Where votes are missing each trio has its own items: judge by judge, pairs among these."""
    n = votes.shape[1]
    B, M = (votes == 1).astype(np.int64), (votes != MISSING).astype(np.int64)
    n_items, triples = (np.zeros(len(trios), dtype=np.int64) for _ in range(2))
    singles, pairs = (np.zeros((len(trios), 3), dtype=np.int64) for _ in range(2))
    for i in range(n - 2):
        mine = trios[:, 0] == i
        j, k = trios[mine, 1], trios[mine, 2]
        both = np.concatenate([B, M], axis=1)
        said, was_there = (_pairs(both, counts * column[:, i]) for column in (B, M))
        n_items[mine], singles[mine, 0] = was_there[j + n, k + n], said[j + n, k + n]
        singles[mine, 1], singles[mine, 2] = was_there[j, k + n], was_there[j + n, k]
        pairs[mine, 0], pairs[mine, 1], pairs[mine, 2] = (
            was_there[j, k],
            said[j + n, k],
            said[j, k + n],
        )
        triples[mine] = said[j, k]
        if progress is not None:
            progress((i + 1) / (n - 2))
    return TrioMoments(trios, n_items, singles, pairs, triples)
