"""The print of a text: what stays when it is spelled in another way."""

from __future__ import annotations

import functools
import hashlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from askpoint.arena.game.folding import fold_words
from askpoint.measures.inputs import FloatArray
from askpoint.unknowns.duplicates import canonical_text

__all__ = ["RUN", "TextPrint", "print_of", "read_print"]

RUN = 5
"""Letters of a run that is compared."""

_VOWELS = frozenset("aeiou" + "еёиоуыэюяіїє" + "αεηιουω")
_LEAST_WORD = 3

_Hashes = NDArray[np.uint32]


@dataclass(frozen=True, eq=False)
class TextPrint:
    """Three streams of a text, and what is compared of them.

    Parameters
    ----------
    letters : str
        Letters and digits without spaces, each run of one letter as one, l as i.
    consonants : str
        The same without vowels.
    words : tuple of str
        The words of three letters or more, each with its letters sorted.
    """

    letters: str
    consonants: str
    words: tuple[str, ...]

    @functools.cached_property
    def runs(self) -> _Hashes:
        """_Hashes of the runs of five letters."""
        return _runs(self.letters)

    @functools.cached_property
    def consonant_runs(self) -> _Hashes:
        """_Hashes of the runs of five consonants."""
        return _runs(self.consonants)

    @functools.cached_property
    def word_weights(self) -> tuple[_Hashes, FloatArray]:
        """_Hashes of the different words, and the root of the length of each."""
        words = sorted(set(self.words))
        digests = [hashlib.blake2b(word.encode(), digest_size=4).digest() for word in words]
        hashes = np.frombuffer(b"".join(digests), dtype=np.uint32) >> np.uint32(12)
        return hashes, np.sqrt([float(len(word)) for word in words])

    @property
    def n_word_letters(self) -> int:
        """Letters of the different words that are compared."""
        return sum(map(len, set(self.words)))

    def __str__(self) -> str:
        return " ".join([self.letters, *self.words])


def print_of(text: str) -> TextPrint:
    """Return the print of a text; one without letters and digits is compared by its signs."""
    words = fold_words(text) or ["".join(canonical_text(text).split())]
    words = [word for word, before in zip(words, ["", *words], strict=False) if word != before]
    return _print("".join(words), tuple(map(_sorted_word, words)))


def read_print(written: str) -> TextPrint:
    """Read a print that was written as a text."""
    letters, *words = written.split(" ")
    return _print(letters, tuple(words))


def _print(letters: str, words: tuple[str, ...]) -> TextPrint:
    single = _single(letters)
    consonants = _single("".join(sign for sign in single if sign not in _VOWELS))
    return TextPrint(single, consonants, tuple(it for it in words if len(it) >= _LEAST_WORD))


def _sorted_word(word: str) -> str:
    return "".join(sorted(_single(word)))


def _single(letters: str) -> str:
    """Return letters with l as i, and each run of one letter as one."""
    signs = letters.replace("l", "i")
    return "".join(sign for sign, before in zip(signs, " " + signs, strict=False) if sign != before)


def _runs(letters: str) -> _Hashes:
    size = min(RUN, len(letters))
    if not size:
        return np.zeros(0, dtype=np.uint32)
    points = np.frombuffer(letters.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    windows = np.lib.stride_tricks.sliding_window_view(points.astype(np.uint64), size)
    mixed = (windows * _FACTORS[:size]).sum(axis=1)
    return np.unique((mixed >> np.uint64(44)).astype(np.uint32))


_FACTORS = np.array(
    [int.from_bytes(hashlib.sha256(bytes([i])).digest()[:8], "little") | 1 for i in range(RUN)],
    dtype=np.uint64,
)
