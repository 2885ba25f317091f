"""The state of a policy in use as one value: what it has decided, counted and suspects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from askpoint.live.calibration import BINS, ConfidenceBins
from askpoint.live.events import EVENTS
from askpoint.live.pending import SILENT, PendingCases
from askpoint.live.restarts import Restarts
from askpoint.live.terms import Terms
from askpoint.live.watches.base import Watch
from askpoint.measures.inputs import FloatArray, IntArray

__all__ = ["State", "fresh_state"]

_GRID = 32
_STARTS = (0, 7, 16)


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
    watches : mapping of str to Watch
        Detectors, by the kind of event that they raise: those that it opened with.
    pending : PendingCases
        Cases whose label is awaited, in the order of decisions.
    latest : int
        The latest decision that has a label; -1 without any.
    waiting : bool
        Whether it asks everything because no labels come.
    grace : int
        Decision before which nothing counts as lost: after a wait there is a backlog.
    unheard : tuple of int
        Confidences since the last look, as `mix_codes` writes them.
    raised_until : int
        Decision before which twice as many answers are audited.
    given_up : ndarray of shape (40,)
        Labels in each bin that did not come in time; they count as mistakes as far as they may be.
    silent : ndarray of SILENT
        The last of these cases: their label may still come.
    heard : ndarray of int of shape (2, 4)
        By region of confidence, silent cases whose label came, or will not, when asked again; mistakes.
    is_short : bool
        Whether so many labels are missing that somebody was told.
    start, last_start : int
        Number of the start whose certificates these are, and the last one given, over the whole life.
    since : int
        Decisions before that start began.
    restarts : Restarts or None
        What is counted anew beside; None while it answers, and before it ever has.
    relapses : int
        Openings in a row that did not last.
    opened : int
        Decisions before it last opened.
    booked : int
        Answers of the episode that deciders elsewhere may have given under leases and that are not handed in.
    calls : tuple of int
        How often each rung of a ladder was called for a case that was decided; empty without a ladder.
    """

    episode: int
    watches: Mapping[str, Watch]
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
    pending: PendingCases = field(default_factory=PendingCases)
    latest: int = -1
    waiting: bool = False
    grace: int = 0
    unheard: tuple[int, ...] = ()
    raised_until: int = 0
    given_up: IntArray = field(default_factory=lambda: np.zeros(BINS, dtype=np.int64))
    silent: NDArray[np.void] = field(default_factory=lambda: np.empty(0, dtype=SILENT))
    heard: IntArray = field(default_factory=lambda: np.zeros((2, 4), dtype=np.int64))
    is_short: bool = False
    start: int = 1
    last_start: int = 1
    since: int = 0
    restarts: Restarts | None = None
    relapses: int = 0
    opened: int = 0
    booked: int = 0
    calls: tuple[int, ...] = ()

    def copy_with(self, **changes: Any) -> State:
        """Return what `dataclasses.replace` does, several times as fast: each single decision needs one."""
        other = object.__new__(State)
        other.__dict__.update(self.__dict__)
        other.__dict__.update(changes)
        return other


def fresh_state(terms: Terms, episode: int = 1) -> State:
    """Return a state that knows nothing and sends everything to review."""
    return State(
        episode,
        {
            kind: record.watch.start(terms, episode)
            for kind, record in EVENTS.items()
            if record.watch is not None
        },
    )
