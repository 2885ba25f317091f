"""Bins of confidence: by the bits in NumPy, by arithmetic on an engine, with the same counts.

Keys are integers that rise as confidence falls: sorted keys go from the surest bin down.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import narwhals as nw
import numpy as np
from numpy.typing import ArrayLike

from askpoint.errors import InputError
from askpoint.measures.inputs import BoolArray, FloatArray, IntArray, as_choice, as_finite

__all__ = ["BINS", "Bins", "DistinctBins", "LinearBins", "Precision", "RelativeBins", "as_bins"]

_DROPPED = 16  # low bits of a float32 that a relative bin leaves out
_FEW = 255  # up to here no whole number has more bits than a bin keeps
_DIGITS: dict[type[nw.Float32 | nw.Float64], int] = {nw.Float32: 24, nw.Float64: 53}
_UPPER = 17  # bits of a group at which Spark looks
_WIDEST = 100  # power of two by which confidences are multiplied
Precision = type[nw.Float32 | nw.Float64]
_MOST = float(np.finfo(np.float32).max)


@dataclass(frozen=True)
class Bins:
    """Which confidences of a range are counted together.

    Parameters
    ----------
    low, high : float
        The least and the greatest confidence that is allowed.
    """

    low: float = 0.0
    high: float = 1.0

    def __post_init__(self) -> None:
        if not -_MOST <= self.low < self.high <= _MOST:
            raise InputError(
                f"bins need two finite numbers, low below high; got {self.low} and {self.high}"
            )

    def check(self, confidence: ArrayLike) -> FloatArray:
        """Check that confidences are finite and lie in the range."""
        scores = as_finite(confidence, "confidence")
        if scores.size and not (self.low <= scores.min() and scores.max() <= self.high):
            row = int(np.flatnonzero((scores < self.low) | (scores > self.high))[0])
            raise InputError(self.outside(f"{scores[row]:.9g} in row {row}"))
        return scores

    def outside(self, found: str) -> str:
        """Say that a confidence lies outside the range, and what to do."""
        return (
            f"confidence must be between {self.low:g} and {self.high:g} for these bins; got "
            f"{found}; RelativeBins(low, high) and LinearBins(low, high) take another range, "
            "DistinctBins() any"
        )

    def keys(self, scores: FloatArray) -> IntArray:
        """Return the bin of each confidence."""
        raise NotImplementedError

    def lowest(self, keys: IntArray) -> FloatArray:
        """Return the least confidence of each bin."""
        # bisect the doubles from low to high, ordered as integers
        below = np.full(len(keys), _order_key(self.low) - 1)
        above = np.full(len(keys), _order_key(self.high))
        while (apart := below + 1 < above).any():
            middle = (below & above) + ((below ^ above) >> 1)  # their mean, without overflow
            sure = self.keys(_doubles(middle)) <= keys
            above = np.where(apart & sure, middle, above)
            below = np.where(apart & ~sure, middle, below)
        return _doubles(above)

    def highest(self, keys: IntArray) -> FloatArray:
        """Return the greatest confidence of each bin."""
        surest = keys <= self.keys(np.array([self.high]))
        return np.where(surest, self.high, np.nextafter(self.lowest(keys - 1), -np.inf))

    def steps(self, precision: Precision, sound: nw.Expr) -> list[dict[str, nw.Expr]]:
        """Return columns that an engine computes one after the other, the last of them `group`.

        They begin with the column `confidence`; rows that are not `sound` have no bin. Plain arithmetic,
        which rounds alike everywhere.
        """
        raise NotImplementedError

    def without(self, groups: FloatArray | IntArray) -> BoolArray:
        """Say which groups are of rows that have no bin."""
        return groups < 0

    def locate(self, groups: FloatArray | IntArray, precision: Precision) -> IntArray:
        """Return the bins of the groups that an engine found."""
        raise NotImplementedError


@dataclass(frozen=True)
class RelativeBins(Bins):
    """The top 16 bits of float32(high - c): narrow where the model is sure.

    A bin is at most 1/128 as wide as its distance from certainty, so that thresholds are as
    fine as they matter, however expensive a mistake is. From 0 to 1 there are 16,257 bins.

    Parameters
    ----------
    low, high : float, default=0, 1
        The least and the greatest confidence.
    """

    def keys(self, scores: FloatArray) -> IntArray:
        """Return the bin of each confidence."""
        return _top_bits(self.high - scores.astype(np.float64, copy=False))

    def steps(self, precision: Precision, sound: nw.Expr) -> list[dict[str, nw.Expr]]:
        """Return distances from `high` of few bits, of which each lies in its bin.

        Where all that differs is a whole number of some 2^-p, the group is one, too, with its upper bits
        added to the lower ones: Spark's quick table of groups looks at the lower bits alone, and those of
        a float, or of a multiple of a large power of two, are zero.
        """
        units = self._units(precision)
        high, unit = (nw.lit(part * 2.0 ** (units or 0), precision) for part in (self.high, 1))
        distance = (
            nw.when(sound)
            .then(high - nw.col("confidence") * unit)
            .otherwise(nw.lit(-1.0, precision))
            .cast(nw.Float32)
        )
        # Veltkamp's splitting rounds to the 8 bits that a bin keeps; what was rounded up, to
        # the edge of the next bin, goes back behind it
        scaled = nw.col("distance") * nw.lit(float((1 << _DROPPED) + 1), nw.Float32)
        scaled = scaled.cast(nw.Float32)  # pandas on Arrow computes with constants in doubles
        near = scaled - (scaled - nw.col("distance"))
        is_up = nw.col("near") > nw.col("distance")
        if units is None:
            back = nw.col("near") * nw.lit(1 - 2.0**-9, nw.Float32)
            group = nw.when(is_up).then(back).otherwise(nw.col("near"))
            return [{"distance": distance}, {"near": near}, {"group": group}]
        one_down = nw.when(is_up).then(nw.lit(1, nw.Int64)).otherwise(nw.lit(0, nw.Int64))
        whole = nw.col("near").cast(nw.Int64) - one_down
        upper = (nw.col("whole") * 2.0 ** -_lower_bits(precision)).floor().cast(nw.Int64)
        group = nw.col("whole") + upper
        return [{"distance": distance}, {"near": near}, {"whole": whole}, {"group": group}]

    def locate(self, groups: FloatArray | IntArray, precision: Precision) -> IntArray:
        """Return the bins of the distances that `steps` gave."""
        units = self._units(precision)
        if units is None:
            return _top_bits(groups.astype(np.float64, copy=False))
        positions = groups.astype(np.int64, copy=False)
        whole = positions - positions // ((1 << _lower_bits(precision)) + 1)
        is_back = whole & (whole > _FEW)  # only what went back behind an edge is odd
        return _top_bits((whole + is_back) * 2.0**-units) - is_back

    def _units(self, precision: Precision) -> int | None:
        """Return p where all that differs is one of the whole numbers of 2^-p that doubles hold, else None."""
        digits = _DIGITS[precision]
        units = digits + 1 - math.frexp(self.high)[1]
        if not self.high or abs(units) > _WIDEST:
            return None
        return units if (self.high - self.low) * 2.0**units <= 2.0**digits else None


@dataclass(frozen=True)
class LinearBins(Bins):
    """Bins of equal width.

    Where many confidences lie within one bin's width of certainty, they cannot be told
    apart: prefer `RelativeBins` unless a picture asks for equal steps.

    Parameters
    ----------
    low, high : float, default=0, 1
        The least and the greatest confidence.
    n_bins : int, default=65536
        How many.
    """

    n_bins: int = 1 << 16

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 1 <= self.n_bins < 1 << 31:
            raise InputError(f"n_bins must be between 1 and 2^31 - 1; got {self.n_bins}")

    @property
    def _per_unit(self) -> float:
        return self.n_bins / (self.high - self.low)

    def keys(self, scores: FloatArray) -> IntArray:
        """Return the bin of each confidence."""
        steps = (scores.astype(np.float64, copy=False) - self.low) * self._per_unit
        return self._number(np.floor(steps))

    def steps(self, precision: Precision, sound: nw.Expr) -> list[dict[str, nw.Expr]]:
        """Return the number of the bin, from the least sure up."""
        del precision
        number = ((nw.col("confidence").cast(nw.Float64) - self.low) * self._per_unit).floor()
        return [{"group": nw.when(sound).then(number).otherwise(nw.lit(-1.0)).cast(nw.Int64)}]

    def locate(self, groups: FloatArray | IntArray, precision: Precision) -> IntArray:
        """Return the bins of the numbers that `steps` gave."""
        del precision
        return self._number(groups)

    def _number(self, groups: FloatArray | IntArray) -> IntArray:
        # `high` itself would begin one bin more
        return self.n_bins - 1 - np.minimum(groups.astype(np.int64), self.n_bins - 1)


@dataclass(frozen=True)
class DistinctBins(Bins):
    """Each float32 is a bin of its own: exact, but in memory that grows with the distinct ones.

    Between 0.5 and 1 there are 2^23 of them. Confidences count as their nearest float32.

    Parameters
    ----------
    low, high : float, optional
        The least and the greatest confidence; by default any.
    """

    low: float = -_MOST
    high: float = _MOST

    def keys(self, scores: FloatArray) -> IntArray:
        """Return the bin of each confidence."""
        bits = (scores.astype(np.float32, copy=False) + np.float32(0)).view(np.int32)  # no -0.0
        return -_flip_order(bits).astype(np.int64)

    def lowest(self, keys: IntArray) -> FloatArray:
        """Return the least confidence that rounds to each float32."""
        single = _flip_order((-keys).astype(np.int32)).view(np.float32)
        before = np.nextafter(single, np.float32(-np.inf))
        with np.errstate(over="ignore"):
            halfway = np.maximum((single.astype(np.float64) + before) / 2, self.low)
        # halfway rounds to the even one of the two
        mine: FloatArray = np.where(
            self.keys(halfway) == keys, halfway, np.nextafter(halfway, np.inf)
        )
        return mine

    def steps(self, precision: Precision, sound: nw.Expr) -> list[dict[str, nw.Expr]]:
        """Return the float32."""
        del precision
        group = nw.when(sound).then(nw.col("confidence")).otherwise(nw.lit(math.inf))
        return [{"group": group.cast(nw.Float32)}]

    def without(self, groups: FloatArray | IntArray) -> BoolArray:
        """Say which groups are of rows that have no bin."""
        return np.isinf(groups)

    def locate(self, groups: FloatArray | IntArray, precision: Precision) -> IntArray:
        """Return the bins of the float32 that an engine found."""
        del precision
        return self.keys(groups.astype(np.float64, copy=False))


BINS: dict[str, type[Bins]] = {
    "relative": RelativeBins,
    "linear": LinearBins,
    "distinct": DistinctBins,
}
"""The kinds of bins by the name under which they are chosen."""


def as_bins(bins: str | Bins) -> Bins:
    """Return bins by their name, or as they are."""
    return bins if isinstance(bins, Bins) else BINS[as_choice(bins, tuple(BINS), "bins")]()


def _top_bits(distance: FloatArray) -> IntArray:
    bits = distance.astype(np.float32).view(np.uint32)
    unsigned = bits & np.uint32(0x7FFFFFFF)  # some engines give -0.0
    return (unsigned >> np.uint32(_DROPPED)).astype(np.int64)


def _lower_bits(precision: Precision) -> int:
    return _DIGITS[precision] - _UPPER


def _flip_order(bits: IntArray) -> IntArray:
    """Integers in the order of the floats whose bits they are, and back again."""
    width = 8 * bits.itemsize - 1
    return bits ^ ((bits >> width) & bits.dtype.type((1 << width) - 1))


def _order_key(number: float) -> int:
    return int(_flip_order(np.array([number + 0.0]).view(np.int64))[0])


def _doubles(ordered: IntArray) -> FloatArray:
    return _flip_order(ordered).view(np.float64)
