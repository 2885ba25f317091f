"""Which earlier image does an image repeat? One that is scaled, packed anew or cropped is not new.

An image is known by its print: the low frequencies of its brightness (a cosine transform), which
hardly change when it is scaled, saved again, made brighter or grey. What was cut off at the edges is
found by comparing the print with those of parts of the other image, computed from its own print.
"""

from __future__ import annotations

import functools

import numpy as np
from numpy.typing import NDArray
from scipy.fft import dct, dctn

from askpoint.errors import InputError
from askpoint.measures.inputs import FloatArray, IntArray, as_finite

__all__ = ["LIKE", "PRINT", "SIDE", "ImageRepeats", "image_print"]

SIDE = 64
"""Rows and columns of the brightness from which a print is made."""

PRINT = 400
"""Numbers of a print."""

LIKE = 0.85
"""Cosine of two prints, or of one and a part of the other, from which one repeats the other."""

_KEPT = 20  # frequencies of a print, in each direction
_USED = 12  # the sum of those compared lies below
_EDGES = (0.0, 0.05, 0.11)  # shares that may be cut off, at each of four edges
_LEAST = 1e-6

_Vectors = NDArray[np.float32]


def image_print(brightness: FloatArray) -> FloatArray:
    """Return the print of an image: its low frequencies.

    Parameters
    ----------
    brightness : array-like of shape (64, 64)
        Of the whole image, scaled to this size whatever its proportions.

    Returns
    -------
    ndarray of shape (400,)

    Raises
    ------
    InputError
        If it has another shape, or is the same everywhere.

    Examples
    --------
    >>> import numpy as np
    >>> from askpoint.unknowns.image_repeats import ImageRepeats, image_print
    >>> rng = np.random.default_rng(0)
    >>> scene, other = (np.kron(rng.uniform(0, 255, (8, 8)), np.ones((8, 8))) for _ in range(2))
    >>> known = ImageRepeats()
    >>> known.add(image_print(scene))
    >>> known.of(image_print(scene[::-1] * 0.5 + 30)), known.of(image_print(other))
    (array([0]), array([], dtype=int64))
    """
    values = as_finite(brightness, "brightness", ndim=2)
    if values.shape != (SIDE, SIDE):
        raise InputError(f"a print is made of {SIDE} by {SIDE} values; got {values.shape}")
    if np.ptp(values) < _LEAST:
        raise InputError("an image that is the same everywhere has no print")
    low_frequencies: FloatArray = dctn(values, norm="ortho")[:_KEPT, :_KEPT].reshape(-1)
    return low_frequencies


@functools.cache
def _parts() -> _Vectors:
    """From a print to the weighted frequencies of each part of the image; the first is the whole.

    Shape (parts, frequencies, PRINT).
    """
    waves = dct(np.eye(SIDE), axis=0, norm="ortho")[:_KEPT]
    points = (np.arange(SIDE) + 0.5) / SIDE
    lines = []
    for before in _EDGES:
        for after in _EDGES:
            inside = (points >= before) & (points <= 1 - after)
            along = np.pi * (points - before) / (1 - before - after)
            lines.append((np.cos(np.arange(_USED)[:, None] * along) * inside) @ waves.T)
    u, v = np.meshgrid(range(_USED), range(_USED), indexing="ij")
    used = (u + v > 0) & (u + v < _USED)
    u, v = u[used], v[used]
    rows = np.array(lines)
    # high frequencies are weak in pictures, and tell them apart
    maps = np.einsum("aki,bkj,k->abkij", rows[:, u], rows[:, v], np.sqrt(np.hypot(u, v)))
    prints: _Vectors = maps.reshape(len(lines) ** 2, len(u), PRINT).astype(np.float32)
    return prints


def _turn_print(print_: _Vectors) -> _Vectors:
    """Return the prints of an image mirrored and turned, in all eight ways."""
    square, signs = print_.reshape(_KEPT, _KEPT), (-1.0) ** np.arange(_KEPT)
    return np.array(
        [
            (way * rows[:, None] * columns).reshape(-1)
            for way in (square, square.T)
            for rows in (np.ones(_KEPT), signs)
            for columns in (np.ones(_KEPT), signs)
        ],
        dtype=np.float32,
    )


def _length(vectors: _Vectors) -> _Vectors:
    length: _Vectors = np.maximum(np.linalg.norm(vectors, axis=-1), np.float32(_LEAST))
    return length


class ImageRepeats:
    """Images in their order, by their prints, and which of them another one repeats.

    An image repeats an earlier one when their prints have a cosine of 0.85 or more, or that of one
    and a part of the other, of which up to 11% were cut off at each edge; however it is mirrored or
    turned by right angles.
    """

    def __init__(self) -> None:
        self._prints: list[_Vectors] = []
        self._wholes: list[_Vectors] = []
        self._lengths: list[_Vectors] = []

    def __len__(self) -> int:
        return len(self._prints)

    def add(self, print_: FloatArray) -> None:
        """Take in one more image."""
        vector = _as_print(print_)
        parts = _parts() @ vector
        self._prints.append(vector)
        self._wholes.append(parts[0] / _length(parts[0]))
        self._lengths.append(_length(parts))

    def of(self, print_: FloatArray, start: int = 0) -> IntArray:
        """Return the places of the images, from `start` on, that one repeats, in their order."""
        vector = _as_print(print_)
        if start >= len(self):
            return np.zeros(0, dtype=np.int64)
        maps, ways = _parts(), _turn_print(vector)
        parts = np.einsum("wki,oi->wok", maps, ways, optimize=True)
        parts /= _length(parts)[..., None]
        n_used = parts.shape[2]
        cut = np.array(self._wholes[start:]) @ parts.reshape(-1, n_used).T  # the new one is a part
        back = np.einsum("wki,ok->owi", maps, parts[0], optimize=True)  # or an earlier one is
        wider = np.array(self._prints[start:]) @ back.reshape(-1, PRINT).T
        shape = (len(self) - start, len(ways), len(maps))
        wider = wider.reshape(shape) / np.array(self._lengths[start:])[:, None, :]
        places: IntArray = np.flatnonzero(np.maximum(cut.max(1), wider.max((1, 2))) >= LIKE)
        return places + start


def _as_print(print_: FloatArray) -> _Vectors:
    vector = as_finite(print_, "print", ndim=1)
    if vector.shape != (PRINT,):
        raise InputError(f"a print has {PRINT} numbers; got {vector.shape}")
    return vector.astype(np.float32)
