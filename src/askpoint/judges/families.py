"""Families of judges: runs of one judge, or judges made from one model, do not err independently."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from askpoint.errors import InputError

__all__ = ["families_of_judges", "same_family"]


def families_of_judges(
    judges: Sequence[str], families: Mapping[str, str] | None
) -> dict[str, tuple[str, ...]]:
    """Return the members of each family of two judges or more.

    Parameters
    ----------
    judges : sequence of str
        All judges; who is in no family stands alone.
    families : mapping of judge to family, or None

    Returns
    -------
    dict of family to tuple of judges

    Raises
    ------
    InputError
        If somebody in a family is none of the judges.

    Examples
    --------
    >>> from askpoint.judges.families import families_of_judges
    >>> families_of_judges(["a", "b", "c"], {"a": "gpt", "b": "gpt", "c": "own"})
    {'gpt': ('a', 'b')}
    """
    named = families or {}
    strange = [judge for judge in named if judge not in judges]
    if strange:
        raise InputError(
            f"{strange[0]!r} of the family {named[strange[0]]!r} is not a "
            f"judge; the judges are {', '.join(judges)}"
        )
    members: dict[str, tuple[str, ...]] = {}
    for judge in judges:
        if judge in named:
            members[named[judge]] = (*members.get(named[judge], ()), judge)
    return {family: kin for family, kin in members.items() if len(kin) > 1}


def same_family(judges: Sequence[str], families: Mapping[str, str] | None) -> NDArray[np.bool_]:
    """Return which pairs of judges are of one family.

    Parameters
    ----------
    judges : sequence of str
    families : mapping of judge to family, or None

    Returns
    -------
    ndarray of bool of shape (n_judges, n_judges)
        Symmetric, nothing on the diagonal.

    Raises
    ------
    InputError
        If somebody in a family is none of the judges.

    Examples
    --------
    >>> from askpoint.judges.families import same_family
    >>> same_family(["a", "b", "c"], {"a": "gpt", "c": "gpt"}).astype(int)
    array([[0, 0, 1],
           [0, 0, 0],
           [1, 0, 0]])
    """
    related = np.zeros((len(judges), len(judges)), dtype=bool)
    for kin in families_of_judges(judges, families).values():
        places = [judges.index(judge) for judge in kin]
        related[np.ix_(places, places)] = True
    np.fill_diagonal(related, val=False)
    return related
