"""A ladder as a policy holds it: how columns are read, and what is done with what they say."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from askpoint.errors import InputError, LogError, UnknownColumnError
from askpoint.live.batches import DecisionBatch
from askpoint.live.ladder_calls import BETWEEN
from askpoint.records.batches import check_key, text_column, version_of
from askpoint.records.ladder_rungs import LadderReader
from askpoint.records.tables import open_table
from askpoint.value.ladder.stages import ANSWER, ASK, Ladder, Stage, Walk, rungs_of

__all__ = ["Call", "LadderRule", "read_ladder_batch", "read_outputs"]

_VERSION = "model_version"
_KEY, _CONTENT = " key", " content"  # no rung's column is called so


class Call(NamedTuple):
    """A case that waits for the output of a rung."""

    key: str
    rung: str


@dataclass(frozen=True, eq=False)
class LadderRule:
    """Which rung to call, and when to stop.

    Parameters
    ----------
    reader : LadderReader
        How the rungs' columns are read.
    ladder : Ladder
        What is done.
    """

    reader: LadderReader
    ladder: Ladder

    @property
    def names(self) -> list[str]:
        """Names of the rungs."""
        return [rung.name for rung in self.reader.rungs]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, for a policy."""
        names = self.names
        return {
            "reader": self.reader.to_dict(),
            "first": names[self.ladder.first],
            "stages": {
                self.path_of(state): _plain_stage(self.ladder.stages[state], names)
                for state in self.ladder.reachable_states()
            },
        }

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> LadderRule:
        """Return the rule that `to_dict` wrote.

        Raises
        ------
        InputError
            If it was changed so that it cannot be followed.
        """
        try:
            return cls._from_dict(plain)
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
            raise InputError(
                f"the ladder of this policy cannot be read ({type(error).__name__}: {error}); take the policy.json that "
                "askpoint value --rung --policy wrote"
            ) from None

    @classmethod
    def _from_dict(cls, plain: Mapping[str, Any]) -> LadderRule:
        reader = LadderReader.from_dict(plain["reader"])
        names = [rung.name for rung in reader.rungs]
        stages = {
            sum(1 << names.index(name) for name in path.split(BETWEEN)): _stage(stage, names)
            for path, stage in plain["stages"].items()
        }
        prices = plain.get("prices", [0.0] * len(names))
        if len(prices) != len(names) or not all(0 <= price < math.inf for price in prices):
            raise ValueError("there is not one price, 0 or more, for each rung")
        ladder = Ladder(names.index(plain["first"]), stages)
        for (
            state
        ) in ladder.reachable_states():  # all that a case can come to is there, and fits together
            stage = stages[state]
            pieces = {len(stage.lowest), len(stage.right), len(stage.action)}
            if len(stage.weights) != len(rungs_of(state)) or len(pieces) > 1 or pieces == {0}:
                raise ValueError("weights or pieces of a stage do not fit together")
        return cls(reader, ladder)

    def path_of(self, state: int) -> str:
        """Return the rungs of a state by their names."""
        return BETWEEN.join(self.names[rung] for rung in rungs_of(state))

    def walk(self, frame: pl.DataFrame) -> Walk:
        """Follow each row as far as its outputs go."""
        return self.ladder.walk(self.reader.read(frame))


def read_ladder_batch(
    source: Any,
    model: Mapping[str, Any],
    *,
    key: str = "key",
    content: str | None = None,
    version: str | None = None,
    **others: Any,
) -> tuple[DecisionBatch, list[Call]]:
    """Read cases for the policy of a ladder: those that are at its end, and those that wait for a rung.

    Their group is the path that they took. The confidence is the probability that the answer is right.

    Raises
    ------
    InputError
        If columns of one model are named, or a key comes twice.
    """
    stated = [name for name, value in others.items() if value]
    if stated:
        raise InputError(
            f"the policy is one of a ladder: it reads its rungs' columns and notes the path as the group, so leave out "
            f"--{stated[0]}"
        )
    rule = LadderRule.from_dict(model["ladder"])
    table = open_table(source)
    check_key(key, table.columns)
    if content is not None and content not in table.columns:
        raise UnknownColumnError(content, table.columns)
    columns = [name for rung in rule.reader.rungs for name in rung.columns]
    wanted = [name for name in (key, content, _VERSION, *columns) if name in table.columns]
    frame = table.read(list(dict.fromkeys(wanted)))
    keys = text_column(frame[key])
    if len(set(keys)) < len(keys):
        raise LogError(
            f"a case is one row with the outputs so far; the column {key!r} names one twice"
        )
    walk = rule.walk(frame)
    classes = model["classes"]
    done = np.flatnonzero(walk.action < 0)
    batch = DecisionBatch(
        [keys[i] for i in done],
        [classes[code] for code in walk.answer[done].tolist()],
        walk.right[done].tolist(),
        None if content is None else frame[content].cast(pl.String).gather(done).to_list(),
        version_of(frame, version),
        [rule.path_of(state) for state in walk.state[done].tolist()],
    )
    waiting = np.flatnonzero(walk.action >= 0)
    return batch, [Call(keys[i], rule.names[walk.action[i]]) for i in waiting]


def read_outputs(
    model: Mapping[str, Any],
    keys: list[str],
    outputs: Mapping[str, Any],
    *,
    content: list[Any] | None = None,
    version: str | None = None,
    one: bool = False,
) -> tuple[DecisionBatch, dict[str, str]]:
    """Return the cases that are at the end of a ladder, and which rung each of the others waits for.

    Parameters
    ----------
    model : mapping
        Of the policy.
    keys : list of str
        Names of the cases.
    outputs : mapping of str to a value or a sequence
        By column, of one case or of each.
    content : list of str or None, optional
        Of each case.
    version : str, optional
        Of the model; by default the policy's.
    one : bool, default=False
        Whether there is one case, and each column is a value.

    Raises
    ------
    InputError
        If the policy is not of a ladder, or a column has another length or a name that no rung has.
    """
    if model.get("ladder") is None:
        raise InputError(
            "outputs are those of a ladder's rungs, and this policy is of one model: give confidence=... or "
            "probabilities=..."
        )
    wanted = [name for rung in model["ladder"]["reader"]["rungs"] for name in rung["columns"]]
    columns: dict[str, list[Any]] = {}
    for name, values in outputs.items():
        if name not in wanted:
            raise UnknownColumnError(name, wanted)
        columns[name] = [values] if one else list(values)
        if len(columns[name]) != len(keys):
            raise InputError(
                f"give one output {name!r} for each of {len(keys)} cases; got {len(columns[name])}"
            )
    if content is not None:
        columns[_CONTENT] = content
    frame = pl.DataFrame({_KEY: keys} | columns, strict=False)
    cases, calls = read_ladder_batch(
        frame,
        model,
        key=_KEY,
        content=None if content is None else _CONTENT,
        version=model.get("version", "") if version is None else version,
    )
    return cases, {call.key: call.rung for call in calls}


def _plain_stage(stage: Stage, names: list[str]) -> dict[str, Any]:
    actions = {ASK: "ask", ANSWER: "answer"} | {i: f"call {name}" for i, name in enumerate(names)}
    return {
        "weights": stage.weights.tolist(),
        "from": stage.lowest.tolist(),
        "right": stage.right.tolist(),
        "action": [actions[action] for action in stage.action.tolist()],
    }


def _stage(plain: Mapping[str, Any], names: list[str]) -> Stage:
    codes = {"ask": ASK, "answer": ANSWER} | {f"call {name}": i for i, name in enumerate(names)}
    return Stage(
        np.array(plain["weights"], dtype=np.float64),
        np.array(plain["from"], dtype=np.float64),
        np.array(plain["right"], dtype=np.float64),
        np.array([codes[action] for action in plain["action"]], dtype=np.int64),
    )
