"""Simulated panels of judges: what the judges' figures are measured on, beside real panels.

An item's difficulty is shared by all judges, a family's turn of mind by its members.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from askpoint.measures.inputs import FloatArray

__all__ = ["PANEL_WORLDS", "Panel", "PanelWorld", "simulate_panel"]

_Range = tuple[float, float]


@dataclass(frozen=True)
class Panel:
    """Judges' votes and what is true.

    Attributes
    ----------
    votes : ndarray of int16 of shape (n_items, n_judges)
        Labels 0 and 1, -1 for a missing vote.
    truth : ndarray of int16 of shape (n_items,)
    """

    votes: NDArray[np.int16]
    truth: NDArray[np.int16]


@dataclass(frozen=True)
class PanelWorld:
    """How a panel comes about.

    Attributes
    ----------
    families : tuple of int
        Judges of each family.
    accuracy : two tuples of float
        On the labels 0 and 1: a range to draw each judge's from, or each judge's own.
    prevalence : (float, float)
        Range of the share of label 1.
    kinship : float
        Share of the latent variance common to a family (symbol rho).
    difficulty : float
        Share of the latent variance common to all judges (symbol s).
    n_items : int
    missing : tuple of float
        Share of each judge's votes that are missing.
    last : callable, optional
        What the last judge votes instead, from the truth.
    """

    families: tuple[int, ...]
    accuracy: tuple[tuple[float, ...], tuple[float, ...]] = ((0.6, 0.9), (0.75, 0.97))
    prevalence: _Range = (0.5, 0.9)
    kinship: float = 0.0
    difficulty: float = 0.0
    n_items: int = 2000
    missing: tuple[float, ...] = ()
    last: Callable[[NDArray[np.int16]], NDArray[np.int16]] | None = None


_ALONE = {n: (1,) * n for n in (1, 3, 5, 7)}
_RARE = (0.8, 0.75, 0.7, 0.85, 0.8)

PANEL_WORLDS: Mapping[str, PanelWorld] = {
    **{f"indep{n}": PanelWorld(_ALONE[n]) for n in (3, 5, 7)},
    "family5": PanelWorld((3, 1, 1), kinship=0.4, difficulty=0.05),
    "family7": PanelWorld((3, 2, 1, 1), kinship=0.4, difficulty=0.05),
    "bothfam7": PanelWorld((4, 3), kinship=0.4, difficulty=0.1),
    **{f"mild{n}": PanelWorld(_ALONE[n], difficulty=0.02) for n in (5, 7)},
    **{f"hard{n}": PanelWorld(_ALONE[n], difficulty=0.3) for n in (3, 5)},
    "lenient5": PanelWorld(_ALONE[5], ((0.35, 0.65), (0.93, 0.99)), difficulty=0.1),
    "rogue5": PanelWorld(_ALONE[5], last=lambda truth: (1 - truth).astype(np.int16)),
    "const5": PanelWorld(_ALONE[5], last=np.ones_like),
    "abstain5": PanelWorld(_ALONE[5], missing=(0.02, 0.1, 0.3, 0.05, 0.5)),
    "rare5": PanelWorld(
        _ALONE[5], ((0.97, 0.95, 0.98, 0.96, 0.95), _RARE), (0.05, 0.05), n_items=3000
    ),
    "rarehard5": PanelWorld(
        _ALONE[5], ((0.95, 0.93, 0.96, 0.94, 0.93), _RARE), (0.06, 0.06), 0.0, 0.3, 3000
    ),
    "one1": PanelWorld(_ALONE[1], ((0.8,), (0.85,)), (0.3, 0.3)),
}
"""The worlds that the figures on judges name."""


def simulate_panel(world: PanelWorld, rng: np.random.Generator) -> Panel:
    """Draw judges, items and votes: normal latent ability, right where it passes a threshold."""
    n, k = world.n_items, sum(world.families)
    truth = (rng.random(n) < rng.uniform(*world.prevalence)).astype(np.int16)
    accuracy = np.array([_accuracies(of, k, rng) for of in world.accuracy])
    family = np.repeat(np.arange(len(world.families)), world.families)
    own = np.sqrt(1 - world.kinship - world.difficulty) * rng.standard_normal((n, k))
    kin = np.sqrt(world.kinship) * rng.standard_normal((n, len(world.families)))[:, family]
    common = np.sqrt(world.difficulty) * rng.standard_normal((n, 1))
    right = own + kin + common < special.ndtri(accuracy)[truth]
    votes = np.where(right, truth[:, None], 1 - truth[:, None]).astype(np.int16)
    if world.last is not None:
        votes[:, -1] = world.last(truth)
    if world.missing:
        votes[rng.random((n, k)) < np.array(world.missing)] = -1
    return Panel(votes, truth)


def _accuracies(given: tuple[float, ...], n_judges: int, rng: np.random.Generator) -> FloatArray:
    if len(given) == n_judges:
        return np.array(given)
    low, high = given
    return rng.uniform(low, high, n_judges)
