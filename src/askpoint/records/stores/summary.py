"""The state of a deployment as it is kept: what each decision changes in one short row, the rest apart."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from askpoint.live.canonical import canonical_json
from askpoint.live.documents import PolicyDocument, plain_part, state_from_dict
from askpoint.live.merkle import Tree
from askpoint.live.pending import PENDING, PendingCases
from askpoint.live.receipts import Replay
from askpoint.live.state import State

__all__ = ["find_changed_parts", "read_summary", "state_parts", "summary_text"]

_PARTS = (
    "bins",
    "first",
    "given_up",
    "heard",
    "labelled",
    "n",
    "places",
    "recent",
    "restarts",
    "silent",
    "stated",
    "w",
    "watches",
    "wrong",
)
_COUNTS = sorted({one.name for one in dataclasses.fields(State)} - {*_PARTS, "pending"})


def summary_text(replay: Replay) -> str:
    """Return the canonical JSON of counts, right edge of the log, rates and number of labels."""
    state = replay.state
    counts = {name: getattr(state, name) for name in _COUNTS}
    log = replay.tree.to_dict()
    return canonical_json(
        {
            "counts": counts,
            "granted": replay.granted,
            "handed_in": replay.handed_in,
            "labels": replay.labels,
            "log": log,
            "rates": replay.rates,
        }
    )


def state_parts(state: State) -> dict[str, str]:
    """Return the arrays and watches of a state, each as canonical JSON."""
    return {name: canonical_json(plain_part(getattr(state, name))) for name in _PARTS}


def find_changed_parts(state: State, before: State) -> list[tuple[str, str]]:
    """Return those that another state does not share: between two looks a decision changes none."""
    return [
        (canonical_json(plain_part(getattr(state, name))), name)
        for name in _PARTS
        if getattr(state, name) is not getattr(before, name)
    ]


def read_summary(
    text: str, parts: Mapping[str, str], entries: bytes, document: PolicyDocument
) -> Replay:
    """Return where a deployment is, from its summary, its parts and the entries of its pending cases."""
    plain = json.loads(text)
    state = {**plain["counts"], **{name: json.loads(parts[name]) for name in _PARTS}}
    replay = Replay(document)
    rows = np.frombuffer(entries, dtype=PENDING)
    made = state_from_dict({**state, "pending": []}, document.terms)
    replay.state = replace(made, pending=PendingCases(rows))
    replay.labels, replay.rates = plain["labels"], plain["rates"]
    replay.granted, replay.handed_in = plain["granted"], plain["handed_in"]
    replay.tree = Tree.from_dict(plain["log"])
    return replay
