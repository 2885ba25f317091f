"""The state of a policy in use as one value: what it has decided, counted and suspects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from askpoint.live.calibration import BINS, ConfidenceBins
from askpoint.live.terms import Terms
from askpoint.measures.inputs import FloatArray, IntArray
from askpoint.measures.restarts import STATED_RISES, level_bets

__all__ = ["PENDING", "REGIONS", "UNKNOWN", "Event", "State", "fresh_state"]

REGIONS = 8
"""Parts of the range of confidence that are watched each on its own."""
UNKNOWN = -1
"""The label of a pending case that has not come."""
_GRID = 32
_STARTS = (0, 7, 16)

PENDING = np.dtype(
    [
        ("seq", np.int64),
        ("confidence", np.float64),
        ("share", np.float64),  # least audit rate over this case's
        ("episode", np.int32),
        ("answered", np.bool_),
        ("uniform", np.bool_),  # in the random sample of all decisions, and not of the grid's
        ("wrong", np.int8),
    ]
)
"""What is kept of a case whose label is awaited."""


class Event(NamedTuple):
    """Something that a step did, with the numbers that made it.

    opened, threshold, paused; waiting, resumed (for labels); alarm, gate; people; audits.
    """

    seq: int
    kind: str
    numbers: Mapping[str, float]


@dataclass(frozen=True, eq=False)
class State:
    """Everything that the next step depends on.

    Parameters
    ----------
    decided, answered, asked, audited : int
        Decisions of the whole life.
    seen, missing : float, int
        Audited mistakes of the life, each times least audit rate over its own; audits whose label
        never came.
    episode, age : int
        Which episode this is, and its decisions (rows of a log that began it included).
    first : ndarray
        Confidences gathered to place bins and grid; empty afterwards.
    bins : ConfidenceBins or None
        Bins of confidence and thresholds under test.
    threshold : float or None
        It answers from here on; None asks everything.
    n, w, places : ndarray
        Labels and mistakes of the uniform sample at each threshold of the grid; the chains.
    labelled, wrong : ndarray of shape (40,)
        Labels and mistakes in each bin.
    recent : ndarray of shape (2, 40)
        The same, those of long ago counting less.
    stated : ndarray or None
        The error stated for each bin, as frozen last.
    answers, mistakes : int, float
        Answers of the episode, and its audited mistakes (symbols A and S).
    level, level_t, region, region_t : ndarray
        Evidence of the watch, and how far each stream is.
    golden, golden_t : ndarray, int
        Evidence that people err more than stated, and how far its stream is.
    golden_items, golden_mistakes, people_alarms : int
        Golden items of the life that people labelled, those that they got wrong, and alarms.
    pending : ndarray
        Cases whose label is awaited, in the order of decisions.
    latest : int
        The latest decision that has a label; -1 without any.
    waiting : bool
        Whether it asks everything because no labels come.
    grace : int
        Decision before which nothing counts as lost: after a wait there is a backlog.
    """

    episode: int
    level: FloatArray
    level_t: IntArray
    golden: FloatArray
    decided: int = 0
    answered: int = 0
    asked: int = 0
    audited: int = 0
    seen: float = 0.0
    missing: int = 0
    age: int = 0
    first: FloatArray = field(default_factory=lambda: np.empty(0))
    bins: ConfidenceBins | None = None
    threshold: float | None = None
    n: IntArray = field(default_factory=lambda: np.zeros(_GRID, dtype=np.int64))
    w: IntArray = field(default_factory=lambda: np.zeros(_GRID, dtype=np.int64))
    places: IntArray = field(default_factory=lambda: np.array(_STARTS))
    labelled: IntArray = field(default_factory=lambda: np.zeros(BINS, dtype=np.int64))
    wrong: IntArray = field(default_factory=lambda: np.zeros(BINS, dtype=np.int64))
    recent: FloatArray = field(default_factory=lambda: np.zeros((2, BINS)))
    stated: FloatArray | None = None
    answers: int = 0
    mistakes: float = 0.0
    region: FloatArray = field(default_factory=lambda: np.zeros((1 + REGIONS, len(STATED_RISES))))
    region_t: IntArray = field(default_factory=lambda: np.zeros(1 + REGIONS, dtype=np.int64))
    golden_t: int = 0
    golden_items: int = 0
    golden_mistakes: int = 0
    people_alarms: int = 0
    pending: NDArray[np.void] = field(default_factory=lambda: np.empty(0, dtype=PENDING))
    latest: int = -1
    waiting: bool = False
    grace: int = 0

    def replaced(self, **changes: Any) -> State:
        """The same as `dataclasses.replace`, several times as fast: each single decision needs one."""
        other = object.__new__(State)
        other.__dict__.update(self.__dict__)
        other.__dict__.update(changes)
        return other


def fresh_state(terms: Terms, episode: int = 1) -> State:
    """A state that knows nothing and asks everything."""
    streams = 3 if terms.aim == "money" else 1
    bets = len(level_bets(terms.answer_below))
    golden = np.zeros(len(level_bets(terms.people_limit)))
    return State(episode, np.zeros((streams, bets)), np.zeros(streams, dtype=np.int64), golden)
