"""The policy as a document: terms, model, state and evidence, each version vouching for the last."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from askpoint.errors import InputError, NoDeploymentError
from askpoint.live.ask_rules import check_ask_rules
from askpoint.live.calibration import ConfidenceBins
from askpoint.live.canonical import canonical_json, chain_hash
from askpoint.live.events import event_kind
from askpoint.live.group_scale import GroupScale
from askpoint.live.pending import PENDING, SILENT, PendingCases
from askpoint.live.restarts import Restarts
from askpoint.live.state import State
from askpoint.live.terms import Terms
from askpoint.live.watches.base import Watch, watch_from_dict, watch_to_dict

__all__ = ["PolicyDocument", "plain_part", "state_from_dict", "state_to_dict"]

_FORMAT, _WITH_SHAPES = 1, 2
_SHAPES = (
    "ladder",
    "groups",
    "documents",
    "ask_where",
)  # parts of a model that an older version would not heed


def state_to_dict(state: State) -> dict[str, Any]:
    """Return a state as plain values."""
    plain = {part.name: plain_part(getattr(state, part.name)) for part in dataclasses.fields(state)}
    if not state.calls:
        del plain["calls"]  # policies of one model are written as before there were ladders
    return plain


def plain_part(value: Any) -> Any:
    """Return a part of a state as a plain value."""
    if isinstance(value, PendingCases):
        return [list(row) for row in value.rows().tolist()]
    if isinstance(value, ConfidenceBins):
        return {name: array.tolist() for name, array in value._asdict().items()}
    if isinstance(value, tuple):
        return list(value)
    if isinstance(value, Restarts):
        return value.to_plain()
    if isinstance(value, Mapping):
        return {kind: watch_to_dict(watch) for kind, watch in value.items()}
    return value.tolist() if isinstance(value, np.ndarray) else value


def state_from_dict(plain: Mapping[str, Any], terms: Terms) -> State:
    """Return the state that `state_to_dict` wrote; it keeps to the watches with which it opened.

    Raises
    ------
    InputError
        If it has a watch that this version does not know.
    """
    values = dict(plain)
    values["watches"] = {
        kind: watch_from_dict(_watch_kind(kind), terms, memory)
        for kind, memory in plain["watches"].items()
    }
    rows = [tuple(row) for row in values["pending"]]
    values["pending"] = PendingCases(np.array(rows, dtype=PENDING))
    if values["bins"] is not None:
        values["bins"] = ConfidenceBins(**{k: np.array(v) for k, v in values["bins"].items()})
    if values["restarts"] is not None:
        values["restarts"] = Restarts.from_plain(values["restarts"])
    for name in ("unheard", "calls"):
        values[name] = tuple(values.get(name, ()))
    silent = [tuple(row) for row in values["silent"]]
    values["silent"] = np.array(silent, dtype=SILENT)
    for name in ("n", "w", "places", "labelled", "wrong", "given_up", "heard"):
        values[name] = np.array(values[name], dtype=np.int64)
    for name in ("first", "recent", "stated"):
        if values[name] is not None:
            values[name] = np.array(values[name], dtype=np.float64)
    return State(**values)


def _watch_kind(kind: str) -> type[Watch]:
    watch = event_kind(kind).watch
    if watch is None:
        raise InputError(
            f"the policy has a watch {kind!r} that this version of askpoint does not know; update askpoint"
        )
    return watch


@dataclass(frozen=True, eq=False)
class PolicyDocument:
    """What policy.json holds.

    Parameters
    ----------
    id : str
        Name of the policy; draws depend on it.
    terms : Terms
        What was agreed.
    state : State
        With which it opened.
    model : mapping
        Name, version and classes of the model whose confidences it takes.
    secret_hash : str
        SHA-256 of the secret, published before the first decision.
    evidence : mapping
        Where the state came from: rows, labelled, hash of the log.
    version : int
        1, 2, ...
    previous : str
        Hash of the version before; empty for the first.
    """

    id: str
    terms: Terms
    state: State
    model: Mapping[str, Any]
    secret_hash: str
    evidence: Mapping[str, Any] = field(default_factory=dict)
    version: int = 1
    previous: str = ""

    def _content(self) -> dict[str, Any]:
        return {
            "format": _WITH_SHAPES if any(map(self.model.get, _SHAPES)) else _FORMAT,
            "id": self.id,
            "version": self.version,
            "model": dict(self.model),
            "terms": dataclasses.asdict(self.terms),
            "state": state_to_dict(self.state),
            "evidence": dict(self.evidence),
            "secret_hash": self.secret_hash,
            "previous": self.previous,
        }

    @cached_property
    def group_scale(self) -> GroupScale | None:
        """The scale on which cases of groups are decided; None without groups."""
        plain = self.model.get("groups")
        return None if plain is None else GroupScale.from_dict(plain)

    @cached_property
    def digest(self) -> str:
        """Hash of the version before and of all of this one."""
        return chain_hash(self.previous, canonical_json(self._content()).encode())

    def to_json(self) -> str:
        """The canonical text, with its hash."""
        return canonical_json({**self._content(), "hash": self.digest}) + "\n"

    @classmethod
    def from_json(cls, text: str) -> PolicyDocument:
        """Read a policy; one that was changed by hand is refused."""
        try:
            plain = json.loads(text)
            if isinstance(plain, dict) and "licence" in plain:
                raise NoDeploymentError(
                    "this is the policy of an agent's licences, not of a model's decisions; askpoint licence show "
                    "reads it, and askpoint.Licences"
                )
            terms = Terms(**plain["terms"])
            document = cls(
                id=plain["id"],
                terms=terms,
                state=state_from_dict(plain["state"], terms),
                model=plain["model"],
                secret_hash=plain["secret_hash"],
                evidence=plain["evidence"],
                version=plain["version"],
                previous=plain["previous"],
            )
        except InputError:
            raise
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(f"this is not a policy that askpoint reads: {error!r}") from None
        check_ask_rules(document.model)
        if document.to_json().rstrip("\n") != text.rstrip("\n"):
            raise InputError(
                "the policy was changed after it was made: its hash does not match; "
                "deploy a new one instead of editing it"
            )
        return document
