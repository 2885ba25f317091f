"""Texts that are the same, or nearly: digests, MinHash signatures and groups.

The resemblance of two texts is the share of runs of five characters that they have in common
(Jaccard's coefficient); MinHash estimates it from 128 numbers a text.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from askpoint.errors import InputError
from askpoint.measures.inputs import FloatArray, IntArray, as_level

__all__ = [
    "NEAR",
    "canonical_text",
    "minhash_signatures",
    "near_duplicate_groups",
    "resemblances",
    "text_digest",
]

NEAR = 0.8
"""Resemblance from which two texts count as near-duplicates."""

_Signatures = NDArray[np.uint32]

_SHINGLE = 5
_N_HASHES = 128
_BAND = 4  # 32 bands of 4: texts that resemble by NEAR share a band almost surely (1 - 5e-8)


def canonical_text(text: str) -> str:
    r"""Return the text without differences of case, width, white space and invisible signs."""
    if not text.isascii():  # none of ASCII is invisible or wide
        seen = (sign for sign in text if unicodedata.category(sign) != "Cf")
        text = unicodedata.normalize("NFKC", "".join(seen))
    shown = " ".join(text.casefold().split())
    if not shown:
        raise InputError("a text must hold more than white space")
    return shown


def text_digest(text: str) -> str:
    """Return a fingerprint that is the same for texts that read the same."""
    return hashlib.sha256(canonical_text(text).encode("utf-8", "surrogatepass")).hexdigest()


def minhash_signatures(texts: Sequence[str]) -> _Signatures:
    """Return 128 numbers a text; the share that two texts have in common is their resemblance.

    References
    ----------
    Broder, "On the resemblance and containment of documents", SEQUENCES (1997).
    """
    signatures = np.empty((len(texts), _N_HASHES), dtype=np.uint32)
    for row, text in enumerate(texts):
        points = np.frombuffer(
            canonical_text(text).encode("utf-32-le", "surrogatepass"), dtype=np.uint32
        )
        size = min(_SHINGLE, len(points))
        runs = np.lib.stride_tricks.sliding_window_view(points.astype(np.uint64), size)
        shingles = np.unique(_scatter_bits(runs @ _POWERS[:size]))
        hashed = np.multiply.outer(_FACTORS, shingles) + _OFFSETS[:, None]
        signatures[row] = (hashed.min(axis=1) >> np.uint64(32)).astype(np.uint32)
    return signatures


def resemblances(first: _Signatures, second: _Signatures) -> FloatArray:
    """Estimate how much each text of one list resembles each of another."""
    return np.array([(row == second).mean(axis=1) for row in first]).reshape(
        len(first), len(second)
    )


def near_duplicate_groups(texts: Sequence[str], *, at_least: float = NEAR) -> IntArray:
    """Number the groups of texts that resemble one another, directly or through others."""
    as_level(at_least, "at_least")
    signatures, member = np.unique(minhash_signatures(texts), axis=0, return_inverse=True)
    member = member.reshape(-1)
    pairs: set[tuple[int, int]] = set()
    for start in range(0, _N_HASHES, _BAND):
        _, bucket = np.unique(signatures[:, start : start + _BAND], axis=0, return_inverse=True)
        order = np.argsort(bucket.reshape(-1), kind="stable")
        ends = np.cumsum(np.bincount(bucket.reshape(-1)))
        for rows in np.split(order, ends[:-1]):
            pairs.update(combinations(rows.tolist(), 2))
    i, j = np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2).T
    near = (signatures[i] == signatures[j]).mean(axis=1) >= at_least
    links = coo_array((np.ones(near.sum()), (i[near], j[near])), shape=(len(signatures),) * 2)
    group = connected_components(links, directed=False)[1][member]
    _, first, code = np.unique(group, return_index=True, return_inverse=True)
    numbers: IntArray = np.argsort(np.argsort(first))[code.reshape(-1)]
    return numbers


def _scatter_bits(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Scatter numbers over 64 bits (SplitMix64's finaliser)."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


# constants of the hash functions: fixed, so that a signature never changes
_CONSTANTS = _scatter_bits(
    np.arange(1, 2 * _N_HASHES + _SHINGLE + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
)
_POWERS = _CONSTANTS[:_SHINGLE] | np.uint64(1)
_FACTORS = _CONSTANTS[_SHINGLE : _SHINGLE + _N_HASHES] | np.uint64(1)
_OFFSETS = _CONSTANTS[_SHINGLE + _N_HASHES :]
