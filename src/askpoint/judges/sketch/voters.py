"""Which judges voted at all, and whether they are enough."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from askpoint.errors import NotEstimableError
from askpoint.judges.sketch.vote_sketch import VoteSketch

__all__ = ["usable_judges"]


def usable_judges(
    sketch: VoteSketch, votes: NDArray[np.int16], least: int = 3
) -> tuple[NDArray[np.bool_], dict[str, str]]:
    """Return which judges voted at all, and why the others have no evaluation."""
    usable: NDArray[np.bool_] = np.any(votes >= 0, axis=0)
    if usable.sum() < least:
        who: Sequence[str] = [j for j, used in zip(sketch.judges, usable, strict=True) if used]
        raise NotEstimableError(
            f"at least {least} judges must have voted to be evaluated without labels; here "
            f"{len(who)} of {len(sketch.judges)} did ({', '.join(who) or 'none'}); add judges or "
            "label some items"
        )
    silent = [j for j, used in zip(sketch.judges, usable, strict=True) if not used]
    return usable, dict.fromkeys(silent, "never voted")
