"""costs.json at rest: the file that carries what a mistake costs from room to room."""

from __future__ import annotations

from pathlib import Path

from askpoint.errors import CostsError, InputError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.records.artefacts import read_text, write_text

__all__ = ["read_costs", "write_costs"]


def read_costs(path: str | Path) -> CostMatrix:
    """Read a file of costs.

    Parameters
    ----------
    path : str or path
        A JSON file as `write_costs` makes it.

    Returns
    -------
    CostMatrix

    Raises
    ------
    CostsError
        If the file can not be read, or its content can not be used; the message says which
        file and why.

    Examples
    --------
    >>> from askpoint.records.costs import read_costs
    >>> read_costs("no/such/costs.json")
    Traceback (most recent call last):
    askpoint.errors.CostsError: no/such/costs.json can not be read: No such file or directory
    """
    try:
        text = read_text(path)
    except InputError as error:
        raise CostsError(str(error)) from None
    try:
        return CostMatrix.from_json(text)
    except InputError as error:
        raise CostsError(f"{path}: {error}") from None


def write_costs(costs: CostMatrix, path: str | Path) -> None:
    """Write costs to a file, in place of what it held.

    Parameters
    ----------
    costs : CostMatrix
        The costs.
    path : str or path
        Where to; usually called costs.json.

    Raises
    ------
    InputError
        If the file can not be written.

    Examples
    --------
    >>> from askpoint.measures.cost_matrix import CostMatrix
    >>> from askpoint.records.costs import write_costs
    >>> write_costs(CostMatrix.zero_one(["ham", "spam"]), "no/such/costs.json")
    Traceback (most recent call last):
    askpoint.errors.InputError: no/such/costs.json can not be written: No such file or directory
    """
    write_text(path, costs.to_json())
