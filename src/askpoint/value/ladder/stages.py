"""A ladder as a rule: in each state, a set of rungs seen, answer, ask or call by the confidence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from askpoint.measures.inputs import BoolArray, FloatArray, IntArray
from askpoint.value.ladder.outputs import RungOutputs
from askpoint.value.ladder.pooling import Opinion, pool

__all__ = ["ANSWER", "ASK", "Ladder", "Stage", "Walk", "rungs_of"]

ASK, ANSWER = -2, -1
"""Actions of a stage; from 0 on it calls the rung of that number."""


def rungs_of(state: int) -> list[int]:
    """Return the rungs of a state, whose bits they are."""
    return [rung for rung in range(state.bit_length()) if state >> rung & 1]


class Stage(NamedTuple):
    """What to do in one state: pieces of the confidence, from the least on.

    `weights` are those of the rungs of the state, in order. A piece begins at `lowest` (the first at 0), is right with
    probability `right`, and is given to `action`.
    """

    weights: FloatArray
    lowest: FloatArray
    right: FloatArray
    action: IntArray

    def piece_of(self, confidence: FloatArray) -> IntArray:
        """Return the piece of each confidence."""
        place: IntArray = np.searchsorted(self.lowest, confidence, side="right") - 1
        return place.clip(0)


class Walk(NamedTuple):
    """Where cases end: the state, its action and opinion.

    `action` is `ASK`, `ANSWER`, or the rung to call, whose output is missing. `right` is the probability that
    the answer is right. Before any rung is seen, `answer` is 0 and `right` is 0.
    """

    state: IntArray
    action: IntArray
    answer: IntArray
    right: FloatArray

    def costs(
        self, prices: FloatArray, label: IntArray, checks: float, asking: float
    ) -> FloatArray:
        """Return what each case cost in checks, where none waits for a rung."""
        called = np.array(
            [[state >> rung & 1 for rung in range(len(prices))] for state in self.state.tolist()]
        )
        end = np.where(self.action == ASK, asking, checks * (self.answer != label))
        return np.asarray(called.reshape(len(label), len(prices)) @ prices + end)


@dataclass(frozen=True, eq=False)
class Ladder:
    """Which rung to call first, and what to do in each state.

    Parameters
    ----------
    first : int
        The rung that every case goes to, or `ASK`.
    stages : mapping of int to Stage
        By state.
    """

    first: int
    stages: Mapping[int, Stage]

    def walk(self, outputs: RungOutputs) -> Walk:
        """Follow each case as far as its outputs go.

        Parameters
        ----------
        outputs : RungOutputs
            What was said so far; outputs of rungs that are not called are not looked at.

        Returns
        -------
        Walk
        """
        n = outputs.n_items
        found = Walk(
            np.zeros(n, dtype=np.int64),
            np.full(n, self.first, dtype=np.int64),
            np.zeros(n, dtype=np.int64),
            np.zeros(n),
        )
        _move(found, outputs, np.arange(n))
        for state in sorted(self.stages, key=lambda state: len(rungs_of(state))):
            rows = np.flatnonzero(found.state == state)
            if not rows.size:
                continue
            stage = self.stages[state]
            said = _opinion(outputs, state, stage.weights, rows)
            piece = stage.piece_of(said.confidence)
            found.action[rows], found.right[rows] = stage.action[piece], stage.right[piece]
            found.answer[rows] = said.answer
            _move(found, outputs, rows)
        return found

    def reachable_states(self) -> list[int]:
        """Return the states that cases can come to, in the order in which they do."""
        states = [0]
        for state in states:
            calls = [self.first] if state == 0 else np.unique(self.stages[state].action).tolist()
            states += [
                state | 1 << rung for rung in calls if rung >= 0 and state | 1 << rung not in states
            ]
        return sorted(states[1:], key=lambda state: (len(rungs_of(state)), state))


def _opinion(
    outputs: RungOutputs, state: int, weights: FloatArray, rows: BoolArray | IntArray
) -> Opinion:
    """Return what the rungs of a state say together of some cases."""
    return pool(outputs.log_p[rungs_of(state)][:, rows], weights)


def _move(found: Walk, outputs: RungOutputs, rows: IntArray) -> None:
    """Take cases on to the next state, where the rung that is called was called."""
    call = found.action[rows]
    on = call >= 0
    on[on] = outputs.seen[call[on], rows[on]]
    found.state[rows[on]] |= 1 << call[on]
