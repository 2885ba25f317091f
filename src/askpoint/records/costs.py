"""costs.json at rest: the file that carries what a mistake costs from room to room."""

from __future__ import annotations

from pathlib import Path

from askpoint.errors import CostsError, InputError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.records.artefacts import read_text, write_text

__all__ = ["read_costs", "write_costs"]


def read_costs(path: str | Path) -> CostMatrix:
    """Read a file of costs."""
    try:
        text = read_text(path)
    except InputError as error:
        raise CostsError(str(error)) from None
    try:
        return CostMatrix.from_json(text)
    except InputError as error:
        raise CostsError(f"{path}: {error}") from None


def write_costs(costs: CostMatrix, path: str | Path) -> None:
    """Write costs to a file, in place of what it held."""
    write_text(path, costs.to_json())
