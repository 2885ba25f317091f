"""Which earlier find does a text repeat? However it is spelled, it is no new one.

A text is compared with every earlier one in six ways. Each rule says how much longer the longer of the two may
be, how long the shorter must be, and from which score one repeats the other. The certain rules hold whoever sent it;
the rest hold for two texts of one player, as strangers may share a phrase.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from askpoint.arena.game.prints import RUN, TextPrint
from askpoint.errors import InputError
from askpoint.measures.inputs import BoolArray, FloatArray, IntArray

__all__ = ["Repeats"]

_ROOM = 1 << 20


class _Rule(NamedTuple):
    """How much longer the longer text is at most, how long the shorter is at least, and the score."""

    longer: float
    least: int
    score: float


_ANY = 1e9

_CERTAIN: dict[str, tuple[_Rule, ...]] = {
    "runs": (_Rule(1.4, 24, 0.70),),
    "consonant runs": (_Rule(1.4, 20, 0.70),),
    "letters": (
        _Rule(1.25, 48, 0.80),
        _Rule(1.25, 32, 0.86),
        _Rule(1.25, 24, 0.93),
        _Rule(1.75, 36, 0.93),
        _Rule(1.75, 24, 0.985),
        _Rule(2.2, 36, 0.96),
    ),
    "backwards": (_Rule(1.25, 20, 0.82),),
    "consonants": (_Rule(1.25, 32, 0.80), _Rule(1.25, 24, 0.90), _Rule(1.6, 32, 0.94)),
    "words": (_Rule(1.5, 28, 0.88),),
}
"""A repeat, whoever sent it."""

_OWN: dict[str, tuple[_Rule, ...]] = {
    "runs": (_Rule(3, 24, 0.70), _Rule(_ANY, 28, 0.85)),
    "consonant runs": (_Rule(3, 20, 0.70),),
    "letters": (_Rule(1.25, 24, 0.75), _Rule(1.6, 16, 0.93)),
    "backwards": (),
    "consonants": (_Rule(1.25, 12, 0.80),),
    "words": (_Rule(3, 36, 0.92), _Rule(1.5, 16, 0.80)),
}
"""A repeat of the same player's text; of another's only where judges say so."""


class _Column:
    """Numbers in an array that grows."""

    def __init__(self, dtype: str) -> None:
        self._room = np.zeros(1024, dtype=dtype)
        self._used = 0

    def extend(self, values: Any) -> None:
        end = self._used + len(values)
        while end > len(self._room):
            self._room = np.concatenate([self._room, np.zeros_like(self._room)])
        self._room[self._used : end] = values
        self._used = end

    def since(self, start: int) -> NDArray[Any]:
        return self._room[start : self._used]

    def __len__(self) -> int:
        return self._used


class _Sets:
    """Sets of weighted hashes, of which one is sought in all."""

    def __init__(self) -> None:
        self._hashes, self._weights = _Column("uint32"), _Column("float64")
        self._ends, self._lengths, self._totals = _Column("int64"), _Column("int64"), _Column("f8")
        self._is_in = np.zeros(_ROOM, dtype=bool)

    def add(self, hashes: NDArray[np.uint32], weights: FloatArray, length: int) -> None:
        self._hashes.extend(hashes)
        self._weights.extend(weights)
        self._ends.extend([len(self._hashes)])
        self._lengths.extend([length])
        self._totals.extend([weights.sum()])

    def lengths(self, start: int) -> IntArray:
        return self._lengths.since(start)

    def containment(
        self, hashes: NDArray[np.uint32], weights: FloatArray, start: int
    ) -> FloatArray:
        """Return how much of the lighter of two sets lies in the other, for each set from `start` on."""
        begin = int(self._ends.since(start - 1)[0]) if start else 0
        self._is_in[hashes] = True
        hits = np.flatnonzero(self._is_in[self._hashes.since(begin)])
        self._is_in[hashes] = False
        sums = np.concatenate([[0.0], np.cumsum(self._weights.since(begin)[hits])])
        upto = sums[np.searchsorted(hits, self._ends.since(start) - begin)]
        lighter = np.minimum(self._totals.since(start), weights.sum())
        shares: FloatArray = np.diff(upto, prepend=0.0) / np.maximum(lighter, 1e-9)
        return shares


class Repeats:
    """Prints in their order with their players, and which of them another one repeats."""

    def __init__(self) -> None:
        self._streams: dict[str, list[str]] = {"letters": [], "consonants": []}
        self._lengths = {stream: _Column("int64") for stream in self._streams}
        self._codes: dict[str, int] = {}
        self._players = _Column("int64")
        self._sets = {name: _Sets() for name in ("runs", "consonant runs", "words")}
        self._by_letters: dict[str, list[int]] = {}

    def __len__(self) -> int:
        return len(self._players)

    def add(self, text_print: TextPrint | None, player: str = "") -> None:
        """Take in one more; None holds the place of a case that is no text."""
        if text_print is not None:
            self._by_letters.setdefault(text_print.letters, []).append(len(self))
        for name, sets in self._sets.items():
            sets.add(*_set_of(text_print, name))
        for stream, texts in self._streams.items():
            texts.append("" if text_print is None else getattr(text_print, stream))
            self._lengths[stream].extend([len(texts[-1])])
        self._players.extend([self._codes.setdefault(player, len(self._codes))])

    def of(self, text_print: TextPrint, player: str = "", start: int = 0) -> IntArray:
        """Return the places, from `start` on, of what a text of `player` repeats, in their order."""
        n = len(self) - start
        if n <= 0:
            return np.zeros(0, dtype=np.int64)
        is_repeat = np.zeros(n, dtype=bool)
        for place in self._by_letters.get(text_print.letters, ()):
            if place >= start:
                is_repeat[place - start] = True
        is_own = self._players.since(start) == self._codes.get(player, -1)
        for name, sets in self._sets.items():
            hashes, weights, length = _set_of(text_print, name)
            scores = sets.containment(hashes, weights, start)
            lengths = sets.lengths(start)
            is_repeat |= _fires(_CERTAIN[name], scores, lengths, length)
            if is_own.any():
                is_repeat |= is_own & _fires(_OWN[name], scores, lengths, length)
        for name in ("letters", "backwards", "consonants"):
            self._compare(name, text_print, start, is_repeat, is_own)
        places: IntArray = np.flatnonzero(is_repeat) + start
        return places

    def _compare(
        self,
        name: str,
        text_print: TextPrint,
        start: int,
        is_repeat: BoolArray,
        is_own: BoolArray,
    ) -> None:
        """Find by the longest common subsequence what is not found yet."""
        stream = "consonants" if name == "consonants" else "letters"
        sought = getattr(text_print, stream)
        if name == "backwards":
            sought = sought[::-1]
        rules = _CERTAIN[name]
        lengths = self._lengths[stream].since(start)
        shorter = np.minimum(lengths, len(sought))
        longer = np.maximum(lengths, len(sought))
        fits = np.zeros(len(lengths), dtype=bool)
        for of, may in ((rules, True), (_OWN[name], is_own)):
            for rule in of:
                fits |= may & (longer <= rule.longer * shorter) & (shorter >= rule.least)
        rows = np.flatnonzero(fits & ~is_repeat)
        if not len(rows):
            return
        texts = [self._streams[stream][row] for row in (rows + start).tolist()]
        common = _subsequences(sought, texts)
        scores = common / np.maximum(shorter[rows], 1)
        is_repeat[rows] |= _fires(rules, scores, lengths[rows], len(sought))
        own = _fires(_OWN[name], scores, lengths[rows], len(sought))
        is_repeat[rows] |= is_own[rows] & own


def _set_of(text_print: TextPrint | None, name: str) -> tuple[NDArray[np.uint32], FloatArray, int]:
    if text_print is None:
        return np.zeros(0, dtype=np.uint32), np.zeros(0), 0
    if name == "words":
        return (*text_print.word_weights, text_print.n_word_letters)
    runs = text_print.runs if name == "runs" else text_print.consonant_runs
    return runs, np.ones(len(runs)), len(runs) + RUN - 1  # letters, but for what stands there twice


def _fires(
    rules: tuple[_Rule, ...], scores: FloatArray, lengths: IntArray, length: int
) -> BoolArray:
    shorter, longer = np.minimum(lengths, length), np.maximum(lengths, length)
    fired = np.zeros(len(scores), dtype=bool)
    for rule in rules:
        fired |= (
            (longer <= rule.longer * shorter)
            & (shorter >= rule.least)
            & (scores >= rule.score - 1e-9)
        )
    return fired


def _subsequences(sought: str, texts: list[str]) -> FloatArray:
    """Return the length of the longest common subsequence of one text with each of others."""
    try:
        from rapidfuzz.distance import LCSseq
        from rapidfuzz.process import cdist
    except ModuleNotFoundError:
        raise InputError(
            'comparing finds is an extra part: pip install "askpoint[arena]"'
        ) from None
    found: FloatArray = cdist([sought], texts, scorer=LCSseq.similarity, dtype=np.uint32)[0]
    return found
