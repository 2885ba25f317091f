"""How many items of each stratum to label: partly where labels are worth most, partly everywhere."""

from __future__ import annotations

import numpy as np

from askpoint.measures.inputs import FloatArray, IntArray

__all__ = ["top_up"]

_EACH = 2  # labels a stratum shall have at least


def top_up(
    sizes: FloatArray | IntArray,
    draws: FloatArray | IntArray,
    deviation: FloatArray,
    uniform: float,
    n: int,
) -> IntArray:
    """Bring every stratum nearer to its share of all labels: by Neyman's rule, and by size."""
    share = (1 - uniform) * sizes * deviation / (sizes @ deviation) + uniform * sizes / sizes.sum()
    room = sizes - draws
    wanted = np.maximum((draws.sum() + n) * share, np.minimum(_EACH, sizes))
    short = (wanted - draws).clip(0, room)
    while short.sum() < n - 1e-9:  # full strata leave more to the others
        open_ = short < room - 1e-12
        short[open_] += (n - short.sum()) * share[open_] / share[open_].sum()
        short = short.clip(0, room)
    short *= n / short.sum()
    whole = np.floor(short + 1e-9)
    order = np.argsort(whole - short, kind="stable")
    order = order[whole[order] < room[order]]
    whole[order[: n - int(whole.sum())]] += 1
    chosen: IntArray = whole.astype(np.int64)
    return chosen
