"""What mistakes cost: a matrix with named axes, and costs.json, the file that joins the rooms."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from askpoint.errors import CostsError
from askpoint.measures.inputs import FloatArray, as_classes

__all__ = ["CostMatrix"]


@dataclass(frozen=True, eq=False)
class CostMatrix:
    """Cost of each decision under each truth, in one unit.

    Parameters
    ----------
    classes : sequence of length k
        Class names, in the order of rows and columns; compared as text in files.
    cost : array-like of shape (k, k)
        ``cost[i, j]`` is the cost when the truth is class i and the decision class j
        (symbol c_ij). A right decision never costs more than a wrong one on the same truth.
    reject_cost : float or array-like of shape (k,), optional
        Cost of asking a person, one number or one for each truth (symbol rho, in the
        same unit).
    unit : str, default=""
        What one unit is: "mean mistakes", "EUR", ...
    interval : mapping, optional
        What is known of the uncertainty, as the maker of the costs states it: in ratios, or
        with a unit of its own, since a change of unit leaves it as it is. Anything JSON holds.
    source : mapping, optional
        Where the costs come from: method, number of questions, digest of the log.

    Raises
    ------
    CostsError
        If the matrix is not square over the classes, a cell is missing, infinite or negative,
        a mistake costs less than the right decision, or JSON cannot hold the rest.
    InputError
        If there are fewer than two classes, or one is named twice.

    Examples
    --------
    >>> from askpoint.measures.cost_matrix import CostMatrix
    >>> costs = CostMatrix(["ham", "spam"], [[0, 5], [1, 0]], reject_cost=0.5, unit="EUR")
    >>> float(costs.cost[0, 1])  # the truth is ham, the decision spam
    5.0
    >>> CostMatrix.from_json(costs.to_json()) == costs
    True
    """

    classes: tuple[Any, ...]
    cost: FloatArray
    reject_cost: FloatArray | None = None
    unit: str = ""
    interval: Mapping[str, Any] = field(default_factory=dict)
    source: Mapping[str, Any] = field(default_factory=dict)

    def __init__(
        self,
        classes: Sequence[Any],
        cost: ArrayLike,
        reject_cost: ArrayLike | None = None,
        unit: str = "",
        interval: Mapping[str, Any] | None = None,
        source: Mapping[str, Any] | None = None,
    ) -> None:
        names = as_classes(classes)
        matrix = _as_costs(cost, "cost")
        if matrix.shape != (len(names), len(names)):
            shape = " x ".join(map(str, matrix.shape)) or "a single number"
            raise CostsError(
                f"the costs must be square, one row and column for each of the {len(names)} "
                f"classes; got {shape}"
            )
        if len(set(map(str, names))) < len(names):
            raise CostsError(f"two classes read the same as text: {', '.join(map(repr, names))}")
        right = np.diag(matrix)[:, None]
        below = np.argwhere(matrix < right)
        if len(below):
            i, j = below[0]
            raise CostsError(
                f"a mistake must not pay: with truth {names[i]!r} the decision {names[j]!r} "
                f"costs {matrix[i, j]}, less than the right decision ({matrix[i, i]})"
            )
        if (matrix == right).all():
            raise CostsError("no mistake costs anything: at least one must cost more than 0")
        reject = None
        if reject_cost is not None:
            reject = _as_costs(reject_cost, "reject_cost")
            if reject.shape not in ((), (len(names),)):
                raise CostsError(
                    "reject_cost must be one number, or one for each class as the truth; "
                    f"got {reject.size} for {len(names)} classes"
                )
            reject.flags.writeable = False
        matrix.flags.writeable = False
        for name, value in {
            "classes": names,
            "cost": matrix,
            "reject_cost": reject,
            "unit": unit,
            "interval": _as_json_object(interval, "interval"),
            "source": _as_json_object(source, "source"),
        }.items():
            object.__setattr__(self, name, value)

    @classmethod
    def zero_one(cls, classes: Sequence[Any], reject_cost: ArrayLike | None = None) -> CostMatrix:
        """Every mistake costs 1, right decisions nothing.

        Parameters
        ----------
        classes : sequence
            Class names.
        reject_cost : float or array-like, optional
            Cost of asking.

        Returns
        -------
        CostMatrix

        Examples
        --------
        >>> from askpoint.measures.cost_matrix import CostMatrix
        >>> CostMatrix.zero_one(["a", "b"]).cost.tolist()
        [[0.0, 1.0], [1.0, 0.0]]
        """
        k = len(classes)
        return cls(classes, 1 - np.eye(k), reject_cost, unit="mistakes")

    @property
    def reject_costs(self) -> FloatArray:
        """Cost of asking under each truth, of shape (k,)."""
        if self.reject_cost is None:
            raise CostsError("these costs say nothing of asking: give reject_cost")
        return np.broadcast_to(self.reject_cost, (len(self.classes),))

    @property
    def one_price(self) -> tuple[float, float] | None:
        """What a mistake and a check cost beyond a right answer; None where that differs by class."""
        right = self.cost.diagonal()
        wrong = (self.cost - right[:, None])[~np.eye(len(right), dtype=np.bool_)]
        asked = self.reject_costs - right
        if np.ptp(wrong) or np.ptp(asked):
            return None
        return float(wrong[0]), float(asked[0])

    def scale(self, factor: float, unit: str) -> CostMatrix:
        """Return the same costs in another unit.

        Parameters
        ----------
        factor : float
            How many new units one old unit is; above 0.
        unit : str
            Name of the new unit.

        Returns
        -------
        CostMatrix

        Examples
        --------
        >>> from askpoint.measures.cost_matrix import CostMatrix
        >>> CostMatrix.zero_one(["a", "b"]).scale(20, "EUR").cost.max()
        np.float64(20.0)
        """
        if not (np.isfinite(factor) and factor > 0):
            raise CostsError(f"a factor between units must be above 0; got {factor}")
        reject = None if self.reject_cost is None else self.reject_cost * factor
        return CostMatrix(
            self.classes, self.cost * factor, reject, unit, self.interval, self.source
        )

    def reorder(self, classes: Sequence[Any]) -> CostMatrix:
        """Return the same costs with rows and columns in the order of `classes`.

        Names are compared as text, as in files.

        Parameters
        ----------
        classes : sequence
            The same classes in another order.

        Returns
        -------
        CostMatrix

        Raises
        ------
        CostsError
            If the classes are not the same.

        Examples
        --------
        >>> from askpoint.measures.cost_matrix import CostMatrix
        >>> costs = CostMatrix(["ham", "spam"], [[0, 5], [1, 0]])
        >>> costs.reorder(["spam", "ham"]).cost.tolist()
        [[0.0, 1.0], [5.0, 0.0]]
        """
        mine = [str(name) for name in self.classes]
        wanted = [str(name) for name in classes]
        if sorted(mine) != sorted(wanted):
            raise CostsError(
                f"the costs are for the classes {', '.join(mine)}, "
                f"but these were given: {', '.join(wanted)}"
            )
        order = [mine.index(name) for name in wanted]
        reject = self.reject_cost
        if reject is not None and reject.ndim:
            reject = reject[order]
        return CostMatrix(
            classes, self.cost[np.ix_(order, order)], reject, self.unit, self.interval, self.source
        )

    def to_json(self) -> str:
        """Return the text of costs.json, with named axes.

        Returns
        -------
        str
        """
        names = [str(name) for name in self.classes]
        reject: Any = None
        if self.reject_cost is not None:
            values = self.reject_cost.tolist()
            reject = dict(zip(names, values, strict=True)) if self.reject_cost.ndim else values
        content = {
            "classes": names,
            "rows": "truth",
            "columns": "decision",
            "cost": {
                row: dict(zip(names, self.cost[i].tolist(), strict=True))
                for i, row in enumerate(names)
            },
            "reject_cost": reject,
            "unit": self.unit,
            "interval": dict(self.interval),
            "source": dict(self.source),
        }
        return json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n"

    @classmethod
    def from_json(cls, text: str) -> CostMatrix:
        """Read the text of costs.json.

        Parameters
        ----------
        text : str
            A JSON object with classes, rows ("truth"), columns ("decision"), cost, and
            optionally reject_cost, unit, interval, source.

        Returns
        -------
        CostMatrix

        Raises
        ------
        CostsError
            If the text is no such object, an axis is not named, a cell is missing, negative
            or given twice, or mistakes are rewarded.
        InputError
            If there are fewer than two classes, or one is named twice.

        Examples
        --------
        >>> from askpoint.measures.cost_matrix import CostMatrix
        >>> CostMatrix.from_json('{"classes": ["a", "b"]}')
        Traceback (most recent call last):
        askpoint.errors.CostsError: costs must name their axes: "rows": "truth" and \
"columns": "decision" (the numbers do not show whether the table is transposed)
        """
        try:
            content = json.loads(text, object_pairs_hook=_no_name_twice)
        except (ValueError, RecursionError) as error:
            raise CostsError(f"costs must be a JSON object: {error}") from None
        if not isinstance(content, dict):
            raise CostsError(f"costs must be a JSON object; got {type(content).__name__}")
        if content.get("rows") != "truth" or content.get("columns") != "decision":
            raise CostsError(
                'costs must name their axes: "rows": "truth" and "columns": "decision" '
                "(the numbers do not show whether the table is transposed)"
            )
        classes, cost = content.get("classes"), content.get("cost")
        if not isinstance(classes, list) or not all(isinstance(name, str) for name in classes):
            raise CostsError('costs must list their "classes" as texts')
        if not isinstance(cost, dict):
            raise CostsError('costs must give "cost" as {truth: {decision: number}}')
        table = [[_cell(cost, row, column) for column in classes] for row in classes]
        reject = content.get("reject_cost")
        asking: float | list[float] | None = None
        if isinstance(reject, dict):
            asking = [_number(reject.get(name), f"reject_cost of {name!r}") for name in classes]
        elif reject is not None:
            asking = _number(reject, "reject_cost")
        for line in (cost, *cost.values(), reject if isinstance(reject, dict) else ()):
            unknown = [name for name in line if name not in classes]
            if unknown:
                raise CostsError(f"costs name {unknown[0]!r}, which is not among the classes")
        unit = content.get("unit", "")
        if not isinstance(unit, str):
            raise CostsError(f'the "unit" of costs must be a text; got {unit!r}')
        return cls(classes, table, asking, unit, content.get("interval"), content.get("source"))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CostMatrix):
            return NotImplemented
        return self.to_json() == other.to_json()

    def __hash__(self) -> int:
        return hash(self.to_json())


def _as_costs(values: ArrayLike, name: str) -> FloatArray:
    try:
        array = np.array(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise CostsError(f"{name} must hold numbers in a table without gaps") from None
    if not np.isfinite(array).all():
        raise CostsError(f"{name} has a missing or infinite cell; every cell needs a number")
    if (array < 0).any():
        raise CostsError(f"{name} must not be negative; got {array.min()}; state gains as prices")
    return array


def _cell(cost: Mapping[str, Any], row: str, column: str) -> float:
    line = cost.get(row)
    if not isinstance(line, dict) or column not in line:
        raise CostsError(f"costs lack the cell truth {row!r}, decision {column!r}")
    return _number(line[column], f"the cost of truth {row!r}, decision {column!r}")


def _number(value: Any, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise CostsError(f"{name} must be a number; got {value!r}")
    return value


def _no_name_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content: dict[str, Any] = {}
    for name, value in pairs:
        if name in content:
            raise ValueError(f"{name!r} is given twice")
        content[name] = value
    return content


def _as_json_object(content: Mapping[str, Any] | None, name: str) -> dict[str, Any]:
    try:
        copy: dict[str, Any] = json.loads(json.dumps(dict(content or {}), allow_nan=False))
    except (TypeError, ValueError) as error:
        raise CostsError(f"{name} must be an object that JSON can hold: {error}") from None
    return copy
