"""The independent evaluator's algebra, in integers until the last step.

X_i = 1 iff judge i votes b. With Q items and counts n_i, n_ij, n_123 of b votes,

    A_ij = Q n_ij - n_i n_j                                           = Q^2 Delta_ij
    B    = Q^2 n_123 - Q (n_1 n_23 + n_2 n_13 + n_3 n_12) + 2 n_1 n_2 n_3
    Pi   = A_12 A_13 A_23,      N = B^2 + 4 Pi,      R = +-sqrt(N)

    p    = 1/2 + B / (2 R)
    P_kb = n_k / Q + (R + B) / (2 Q A_ij)
    P_ka = 1 - n_k / Q + (R - B) / (2 Q A_ij)

because under independence Delta_ij = p q d_i d_j and T = p q (p - q) d_1 d_2 d_3, where
d_i = P_ia + P_ib - 1. Nothing divides by T, so balanced labels are no special case. The sign
printed in the paper's table 1 gives P_b for judges better than chance, not P_a.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from askpoint.judges.evaluation import Number

__all__ = ["OUTCOMES", "TrioAlgebra"]

OUTCOMES = ("empty", "positive-dimensional", "complex", "outside", "inside")
_DIGITS = 64  # binary digits beyond the point of a root that is no integer


@dataclass(frozen=True)
class TrioAlgebra:
    """Counts of three judges' votes for the second label, and what follows from them.

    Attributes
    ----------
    n_items : int
        Q, all of them judged by all three.
    singles : tuple of int
        n_1, n_2, n_3.
    pairs : tuple of int
        n_23, n_13, n_12: the pair without judge k comes k-th.
    triple : int
        n_123.
    """

    n_items: int
    singles: tuple[int, int, int]
    pairs: tuple[int, int, int]
    triple: int

    @classmethod
    def from_cells(cls, cells: Sequence[int]) -> TrioAlgebra:
        """Make it from the eight counts n_aaa, n_aab, n_aba, n_abb, n_baa, ... n_bbb."""
        _, aab, aba, abb, baa, bab, bba, bbb = cells
        singles = (baa + bab + bba + bbb, aba + abb + bba + bbb, aab + abb + bab + bbb)
        return cls(sum(cells), singles, (abb + bbb, bab + bbb, bba + bbb), bbb)

    @cached_property
    def covariances(self) -> tuple[int, int, int]:
        """A_23, A_13, A_12."""
        Q, (n1, n2, n3), (n23, n13, n12) = self.n_items, self.singles, self.pairs
        return Q * n23 - n2 * n3, Q * n13 - n1 * n3, Q * n12 - n1 * n2

    @cached_property
    def third_moment(self) -> int:
        """B."""
        Q, (n1, n2, n3), (n23, n13, n12) = self.n_items, self.singles, self.pairs
        mixed = n1 * n23 + n2 * n13 + n3 * n12
        return Q * (Q * self.triple - mixed) + 2 * n1 * n2 * n3

    @cached_property
    def discriminant(self) -> int:
        """N; of the order Q^6, beyond 64 bits from about 1000 items on."""
        return self.third_moment**2 + 4 * math.prod(self.covariances)

    @cached_property
    def root(self) -> int:
        """The integer part of sqrt(N), 0 for negative N."""
        return math.isqrt(max(self.discriminant, 0))

    @cached_property
    def is_square(self) -> bool:
        """Whether N is the square of an integer, so that all numbers are rational."""
        return self.root * self.root == self.discriminant

    @cached_property
    def outcome(self) -> str:
        """One of `OUTCOMES`: exact and complete."""
        zeros = self.covariances.count(0)
        if zeros >= 2 and self.third_moment == 0:
            return "positive-dimensional"
        if zeros or self.discriminant == 0:
            return "empty"
        if self.discriminant < 0:
            return "complex"
        if math.prod(self.covariances) < 0:
            return "outside"
        return "inside" if all(map(self._is_share, range(3))) else "outside"

    def point(self, sign: int) -> tuple[Number, list[tuple[Number, Number]]]:
        """Return p and the pairs (P_ka, P_kb) for one root."""
        shift = 0 if self.is_square else _DIGITS
        R = sign * (self.root if self.is_square else math.isqrt(self.discriminant << 2 * shift))
        B, Q = self.third_moment << shift, self.n_items
        ratio = Fraction if self.is_square else int.__truediv__
        accuracy: list[tuple[Number, Number]] = []
        for n, A in zip(self.singles, self.covariances, strict=True):
            whole = 2 * Q * (A << shift)
            of_b = 2 * n * (A << shift)
            accuracy.append((ratio(whole - of_b + R - B, whole), ratio(of_b + R + B, whole)))
        return ratio(R + B, 2 * R), accuracy

    def _is_share(self, k: int) -> bool:
        """Whether both accuracies of a judge lie in [0, 1], for either root, without rounding."""
        n, A, B = self.singles[k], self.covariances[k], self.third_moment
        sign = 1 if A > 0 else -1
        low, high = sign * (2 * n * A + B), sign * (2 * (self.n_items - n) * A - B)
        return min(low, high) >= 0 and min(low, high) ** 2 >= self.discriminant
