"""Votes in windows of successive items, and the first label's prevalence in each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from askpoint.answers.judges.estimate import MethodEstimate
from askpoint.errors import InputError, NotEstimableError
from askpoint.judges.evaluator import Evaluator, JudgeEvidence
from askpoint.judges.evaluators import ENSEMBLE, INDEPENDENT
from askpoint.judges.gold.gold_sketch import GoldSketch
from askpoint.judges.sketch.tables import VoteTable
from askpoint.judges.sketch.vote_sketch import VoteSketch

__all__ = ["Window", "evaluate_window", "labels_by_window", "votes_on", "windows_of"]


@dataclass(frozen=True)
class Window:
    """Successive items and the first label's prevalence among them.

    Attributes
    ----------
    start, n_items : int
        Where it begins, and how many items it holds.
    prevalence : float or None
        None if the evaluator has no answer.
    """

    start: int
    n_items: int
    prevalence: float | None


def windows_of(
    table: VoteTable, size: int, evaluate: Callable[[VoteSketch], MethodEstimate | None]
) -> Iterator[tuple[VoteSketch, Window]]:
    """Yield the votes of each window, and what an evaluator says of them."""
    for start in range(0, len(table.codes), size):
        sketch = votes_on(table, slice(start, start + size))
        found, label = evaluate(sketch), table.labels[0]
        prevalence = None if found is None else found.prevalence[label]
        yield sketch, Window(start, sketch.n_items, prevalence)


def labels_by_window(table: VoteTable, size: int, known: Mapping[str, str]) -> list[GoldSketch]:
    """Count the labelled items of each window."""
    code = {label: i for i, label in enumerate(table.labels)}
    truth = np.array([code[known[task]] if task in known else -1 for task in table.tasks])
    voted = (table.codes >= 0).any(axis=1)
    found = []
    for start in range(0, len(table.codes), size):
        gold = GoldSketch(table.judges, table.labels)
        rows = start + np.flatnonzero(((truth >= 0) & voted)[start : start + size])
        gold.update_codes(table.codes[rows], truth[rows])
        found.append(gold)
    return found


def votes_on(table: VoteTable, rows: slice | NDArray[np.bool_] = slice(None)) -> VoteSketch:
    """Count the votes on some of the items."""
    sketch = VoteSketch(table.judges, table.labels)
    sketch.update_codes(table.codes[rows])
    return sketch


def evaluate_window(
    evidence: JudgeEvidence, families: Mapping[str, tuple[str, ...]], sketch: VoteSketch
) -> MethodEstimate | None:
    """Evaluate the votes of a window without labels: three of no family, or all pairs; None without an answer."""
    evaluator: Evaluator[Any] = ENSEMBLE
    if len(sketch.judges) == 3 and not families:
        evaluator = INDEPENDENT
    try:
        found = evaluator.evaluate(replace(evidence, sketch=sketch, gold=None))
        return MethodEstimate(evaluator, found, None)
    except (InputError, NotEstimableError):
        return None
