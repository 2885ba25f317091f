"""Small worlds to live through."""

from __future__ import annotations

from dataclasses import fields

import numpy as np

from askpoint.live.blocks import DecisionBlock
from askpoint.live.labels import apply_labels
from askpoint.live.state import fresh_state
from askpoint.live.steps import decide_cases
from askpoint.live.terms import Terms

PROMISE = Terms("promise", 0.1, rate=0.2, planned_decisions=4000)
MONEY = Terms("money", 0.1, rate=0.2, planned_decisions=4000)


def cases(n, seed=0, drift=None):
    """Confidences, mistakes and draws of a model that is good where it is sure."""
    rng = np.random.default_rng(seed)
    c = rng.uniform(0.5, 1, n)
    p = np.minimum(0.5, 1.2 * (1 - c) ** 1.5)
    if drift is not None:
        p[drift:] = 0.6
    return c, rng.random(n) < p, rng.random(n)


def live(terms, c, wrong, draw, *, batch=50, delay=0, state=None, lost=()):
    """Decide in batches; labels come after so many batches. Returns state, answers, events."""
    state = fresh_state(terms) if state is None else state
    first = state.decided
    answers, events, queue = [], [], []
    for start in range(0, len(c), batch):
        rows = slice(start, start + batch)
        state, made, happened = decide_cases(state, terms, c[rows], draw[rows])
        answers.append(made.answer)
        wanted = start + np.flatnonzero(made.audit | ~made.answer)
        queue.append(np.setdiff1d(wanted, lost))
        events += happened
        if len(queue) > delay:
            known = queue.pop(0)
            state, happened = apply_labels(state, terms, first + known, wrong[known])
            events += happened
    return state, np.concatenate(answers), events


def block(kind, *columns, **more):
    """A block of decisions or labels, by its columns in their order."""
    names = (part.name for part in fields(kind))
    given = dict(zip(names, columns, strict=False))
    n = len(given["key"])
    usual = {"clock_back": [None] * n}
    if kind is DecisionBlock:
        usual["model_version"] = [""] * n
    return kind(**{**usual, **given, **more})
