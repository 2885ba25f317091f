"""Items that two systems answered, and what one panel's votes say of either answer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from askpoint.errors import InputError, NotEstimableError
from askpoint.judges.methods.dawid_skene import fit_labels
from askpoint.judges.sketch.tables import VoteTable
from askpoint.judges.sketch.vote_sketch import VoteCells
from askpoint.measures.inputs import FloatArray, IntArray, as_choice

__all__ = ["SystemPairs", "pair_systems"]

_STRATA = 5
_LEAST = 0.04  # of the spread: what votes are sure of must be looked at too


@dataclass(frozen=True, kw_only=True)
class SystemPairs:
    """Items with an answer of both systems: arrays have the first system's rows, then the second's.

    Attributes
    ----------
    tasks : tuple of str
    votes : ndarray of int16 of shape (2 n_items, n_judges)
    passing : int
        Position of the label of a good answer.
    posterior : ndarray of shape (2 n_items,)
        Chance that an answer passes, by Dawid and Skene's model fitted to all answers.
    vote_share : ndarray of shape (2 n_items,)
        Share of the votes that pass it, one vote spread over both labels added.
    stratum : ndarray of int of shape (n_items,)
        Items whose difference the votes leave alike open.
    deviation : ndarray of shape (n_strata,)
        How open that is.
    n_left_out : int
        Items that only one of the systems answered.
    """

    tasks: tuple[str, ...]
    votes: NDArray[np.int16]
    passing: int
    posterior: FloatArray
    vote_share: FloatArray
    stratum: IntArray
    deviation: FloatArray
    n_left_out: int


def pair_systems(first: VoteTable, second: VoteTable, passing: str) -> SystemPairs:
    """Pair the items of two tables of votes."""
    for what in ("judges", "labels"):
        one, other = getattr(first, what), getattr(second, what)
        if one != other:
            raise InputError(f"the systems' votes have other {what}: {one} and {other}")
    labels = first.labels
    as_choice(passing, labels, "passing")
    if len(labels) != 2:
        raise InputError(
            f"systems are compared by two labels; got {', '.join(labels)}; join them to two"
        )
    place = {task: row for row, task in enumerate(second.tasks)}
    rows = [row for row, task in enumerate(first.tasks) if task in place]
    tasks = tuple(first.tasks[row] for row in rows)
    if not tasks:
        raise NotEstimableError("no item was answered by both systems: tasks must have one name")
    votes = np.concatenate([first.codes[rows], second.codes[[place[task] for task in tasks]]])
    k = labels.index(passing)
    posterior = _posterior(votes)[:, k] if len(first.judges) > 1 else _passing_votes(votes[:, 0], k)
    cast, passes = (votes >= 0).sum(axis=1), (votes == k).sum(axis=1)
    n_left_out = len(first.tasks) + len(second.tasks) - 2 * len(tasks)
    stratum, deviation = _strata(_open(posterior))
    share = (passes + 0.5) / (cast + 1)
    return SystemPairs(
        tasks=tasks,
        votes=votes,
        passing=k,
        posterior=posterior,
        vote_share=share,
        stratum=stratum,
        deviation=deviation,
        n_left_out=n_left_out,
    )


def _posterior(votes: NDArray[np.int16]) -> FloatArray:
    patterns, at, counts = np.unique(votes, axis=0, return_inverse=True, return_counts=True)
    return fit_labels(VoteCells(patterns, counts), 2).posterior[at.ravel()]


def _passing_votes(votes: NDArray[np.int16], passing: int) -> FloatArray:
    """What the only judge said: no model can tell how often one judge alone is wrong."""
    voted = votes >= 0
    passes = (votes == passing).astype(np.float64)
    return np.where(voted, passes, passes[voted].mean() if voted.any() else 0.5)


def _open(posterior: FloatArray) -> FloatArray:
    """How open the votes leave each item's difference."""
    of_a, of_b = posterior.reshape(2, -1)
    return np.sqrt(0.8 * of_a * (1 - of_a) + 0.8 * of_b * (1 - of_b) + _LEAST)


def _strata(open_: FloatArray) -> tuple[IntArray, FloatArray]:
    """Cut the items into parts of equal expected spread, those alike together; and the mean of each."""
    values, at, counts = np.unique(open_, return_inverse=True, return_counts=True)
    mass = values * counts
    middle = (np.cumsum(mass) - mass / 2) / mass.sum()
    cut = np.minimum((_STRATA * middle).astype(np.int64), _STRATA - 1)
    stratum = np.unique(cut, return_inverse=True)[1].ravel()[at.ravel()]
    return stratum, np.bincount(stratum, open_) / np.bincount(stratum)
