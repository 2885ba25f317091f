"""Which pairs of judges a picture shows, known before anything is drawn."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from askpoint.measures.inputs import FloatArray

__all__ = ["strongest_pairs"]


def strongest_pairs(
    judges: Sequence[str],
    residuals: FloatArray,
    flagged: Sequence[tuple[str, str]],
    most: int = 12,
) -> list[tuple[str, str]]:
    """Return at most so many pairs: those beyond chance, then the others, strongest first.

    Examples
    --------
    >>> import numpy as np
    >>> from askpoint.displays.pair_order import strongest_pairs
    >>> residuals = np.array([[0, 0.1, 0], [0.1, 0, -0.3], [0, -0.3, 0]])
    >>> strongest_pairs("abc", residuals, [])
    [('b', 'c'), ('a', 'b')]
    """
    size = np.abs(residuals)
    place = {judge: i for i, judge in enumerate(judges)}
    beyond = sorted(flagged, key=lambda pair: -size[place[pair[0]], place[pair[1]]])
    known = {frozenset(pair) for pair in beyond}
    first, second = np.triu_indices(len(judges), 1)
    order = np.argsort(-size[first, second], kind="stable")[: most + len(known)]
    apart = [i for i in order.tolist() if size[first[i], second[i]] > 0]
    named = ((judges[first[i]], judges[second[i]]) for i in apart)
    return [*beyond, *(pair for pair in named if frozenset(pair) not in known)][:most]
