"""All truths that the votes leave open, as one linear programme (no assumption at all).

A truth says how many items of each vote pattern have which label: integers x_vl with
sum_l x_vl = n_v. What a judge gets right, and how many items of a label he voted on, are linear
in them. The last label takes what the others leave.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, sparse

from askpoint.errors import InputError
from askpoint.judges.sketch.vote_sketch import VoteSketch
from askpoint.measures.inputs import FloatArray

__all__ = ["FeasibleLabelings", "Requirement", "as_required"]

Requirement = float | Mapping[str, float] | Mapping[str, Mapping[str, float]]

_NODES = 2000  # branches that an integer programme may try: a limit without a clock


def as_required(required: Requirement, sketch: VoteSketch) -> FloatArray:
    """Return the accuracy asked of each judge on each label."""
    asked = np.zeros((len(sketch.judges), len(sketch.labels)))
    by_name = required if isinstance(required, Mapping) else dict.fromkeys(sketch.judges, required)
    by_judge = set(by_name) <= set(sketch.judges)
    for name, value in by_name.items():
        if by_judge:
            row = value if isinstance(value, Mapping) else dict.fromkeys(sketch.labels, value)
            places = [(sketch.judges.index(name), label, share) for label, share in row.items()]
        else:
            places = [(slice(None), name, value)]  # type: ignore[list-item]
        for judge, label, share in places:
            if label not in sketch.labels:
                raise InputError(
                    f"required names {label!r}, which is neither a judge nor a label; judges are "
                    f"{', '.join(sketch.judges)}, labels {', '.join(sketch.labels)}"
                )
            if isinstance(share, bool | str | Mapping) or not 0 <= share <= 1:
                raise InputError(f"a required accuracy must be between 0 and 1; got {share!r}")
            asked[judge, sketch.labels.index(label)] = share
    return asked


class FeasibleLabelings:
    """The programme for some vote patterns.

    Parameters
    ----------
    votes : ndarray of int of shape (n_patterns, n_judges)
        Positions of labels, -1 for a missing vote. Every judge voted.
    counts : ndarray of int of shape (n_patterns,)
    n_labels : int
    """

    def __init__(
        self, votes: NDArray[np.integer], counts: NDArray[np.integer], n_labels: int
    ) -> None:
        m, n = votes.shape
        self.counts = counts
        self._votes = votes
        self._whole = [int(count) for count in counts]
        self._free = n_labels - 1
        # entries of the matrix: what x adds to right votes and to votes in each row, where rows
        # go label by label, judge by judge, and columns label by label, pattern by pattern
        patterns, judges = np.nonzero(votes >= 0)
        said = votes[patterns, judges]
        rows, columns, right, size = [], [], [], []
        for label in range(self._free):
            rows += [label * n + judges, self._free * n + judges]
            columns += [label * m + patterns] * 2
            right += [said == label, -(said == self._free).astype(float)]
            size += [np.ones(len(said)), -np.ones(len(said))]
        self._base = np.zeros((2, n_labels * n))  # with all items of the last label
        self._base[0, -n:] = counts @ (votes == self._free)
        self._base[1, -n:] = counts @ (votes >= 0)
        # one more column, the slack; and, where labels compete, a row for each pattern
        judged = np.arange(n_labels * n)
        limited = np.arange(self._free * m if self._free > 1 else 0)
        rows += [judged, len(judged) + limited % m]
        columns += [np.full(len(judged), self._free * m), limited]
        right += [-np.ones(len(judged)), -np.ones(len(limited))]
        size += [np.zeros(len(judged)), np.zeros(len(limited))]
        self._rows, self._columns = np.concatenate(rows), np.concatenate(columns)
        order = np.lexsort((self._columns, self._rows))
        self._rows, self._columns = self._rows[order], self._columns[order]
        self._right, self._size = np.concatenate(right)[order], np.concatenate(size)[order]
        self._n_rows = len(judged) + (m if len(limited) else 0)
        self._limits = np.tile(counts, self._free).astype(np.float64)

    def _matrix(self, values: FloatArray) -> sparse.csr_array:
        starts = np.searchsorted(self._rows, np.arange(self._n_rows + 1))
        return sparse.csr_array(
            (values, self._columns, starts), shape=(self._n_rows, len(self._limits) + 1)
        )

    def _programme(self, required: FloatArray) -> tuple[sparse.csr_array, FloatArray]:
        """A and b of A x <= b: slack and required votes within the right ones, x within n."""
        asked = required.T.ravel()
        padded = np.append(asked, np.zeros(self._n_rows - len(asked)))
        matrix = self._matrix(padded[self._rows] * self._size - self._right)
        within = self.counts.astype(np.float64) if self._free > 1 else np.zeros(0)
        return matrix, np.append(self._base[0] - asked * self._base[1], within)

    def widest(self, required: FloatArray) -> tuple[float, FloatArray, FloatArray]:
        """Return the truth by which the least satisfied judge exceeds what is required the most."""
        matrix, above = self._programme(required)
        n_free, most = len(self._limits), float(self.counts.sum())
        solution = optimize.linprog(
            np.append(np.zeros(n_free), -1.0),
            A_ub=matrix,
            b_ub=above,
            bounds=np.column_stack(
                [np.append(np.zeros(n_free), -most), np.append(self._limits, most)]
            ),
            method="highs",
        )
        weights = np.maximum(-solution.ineqlin.marginals[: required.size], 0)
        weights /= weights.sum()
        return self.bound(weights, required), weights, solution.x[:-1]

    def bound(self, weights: FloatArray, required: FloatArray) -> float:
        """Return what the weighted mean of right votes beyond the required cannot exceed."""
        asked = required.T.ravel()
        mine = self._rows < len(weights)
        rows = self._rows[mine]
        parts = weights[rows] * (self._right[mine] - asked[rows] * self._size[mine])
        gain = np.bincount(self._columns[mine], parts)[:-1].reshape(self._free, -1).max(axis=0)
        base = weights @ (self._base[0] - asked * self._base[1])
        return float(base + self.counts @ np.maximum(gain, 0))

    def whole(
        self, required: FloatArray, *, least: int | None = None
    ) -> tuple[bool, list[list[int]]]:
        """Search a truth in whole items that meets the requirement, by an integer programme."""
        matrix, above = self._programme(required)
        n_judges = len(required)
        upper = np.append(self._limits, 0.0)  # no slack
        if least is not None:  # a judge who is let off may miss all that is required of him
            missed = -required * self._base[1, -n_judges:, None]
            off = sparse.vstack([sparse.diags_array(row) for row in missed.T])
            off.resize(len(above), n_judges)
            budget = np.append(np.zeros(matrix.shape[1]), np.ones(n_judges))
            matrix = sparse.vstack([sparse.hstack([matrix, off]), budget[None]], format="csr")
            above = np.append(above, n_judges - least)
            upper = np.append(upper, np.ones(n_judges))
        solution = optimize.milp(
            np.zeros(len(upper)),
            integrality=np.ones(len(upper)),
            bounds=optimize.Bounds(np.zeros(len(upper)), upper),
            constraints=optimize.LinearConstraint(matrix, -np.inf, above),
            options={"node_limit": _NODES},
        )
        if solution.x is None:
            return solution.status == 2, []  # proved to have no solution, or given up
        truth = self.round_truth(solution.x[: len(self._limits)])
        is_met = self.n_meeting(truth, required) >= (n_judges if least is None else least)
        return (True, truth) if is_met else (False, [])

    def round_truth(self, truth: FloatArray) -> list[list[int]]:
        """Return a truth in whole items near one that is not."""
        parts = np.rint(truth).reshape(self._free, -1)
        over = parts.sum(axis=0) > self.counts  # never more than there are
        parts[:, over] = np.floor(truth.reshape(self._free, -1)[:, over])
        rows = [
            [min(max(int(x), 0), n) for x, n in zip(row, self._whole, strict=True)] for row in parts
        ]
        rest = [
            n - sum(column) for n, column in zip(self._whole, zip(*rows, strict=True), strict=True)
        ]
        return [*rows, rest]

    def count_right(self, truth: list[list[int]]) -> tuple[list[list[int]], list[list[int]]]:
        """Return what judges get right and voted on, by judge and label, in exact integers."""
        x = np.array(truth, dtype=object)
        judges = range(self._votes.shape[1])
        right = [[int(x[k][self._votes[:, i] == k].sum()) for k in range(len(x))] for i in judges]
        size = [[int(x[k][self._votes[:, i] >= 0].sum()) for k in range(len(x))] for i in judges]
        return right, size

    def shares(self, truth: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return what judges get right and voted on in a truth that may be fractional."""
        x = np.append(truth, 0.0)
        right, size = (
            (self._matrix(values) @ x)[: len(base)] + base
            for values, base in zip((self._right, self._size), self._base, strict=True)
        )
        shape = (self._free + 1, -1)
        return right.reshape(shape), size.reshape(shape)

    def n_meeting(self, truth: list[list[int]], required: FloatArray) -> int:
        """Return how many judges meet the requirement, in exact fractions."""
        right, size = self.count_right(truth)
        return sum(
            all(r >= Fraction(repr(t)) * n for r, n, t in zip(*row, strict=True))
            for row in zip(right, size, required.tolist(), strict=True)
        )
