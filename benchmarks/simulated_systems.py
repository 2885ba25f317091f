"""Two systems answer the same items and one panel judges both: simulated, so that the truth is known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy import special
from simulated_panels import Panel

__all__ = ["SYSTEM_WORLDS", "SystemWorld", "simulate_systems"]

_TOGETHER = 0.6  # correlation of whether the two systems pass
_SHARED = 0.7**2  # of an item's difficulty, whoever answered it
_RIGHT = ((0.6, 0.88), (0.8, 0.97))


@dataclass(frozen=True)
class SystemWorld:
    """How two systems and a panel come about.

    Attributes
    ----------
    passes : (float, float)
        Share of items that A and B pass.
    difficulty : float
        Share of the latent variance common to all judges.
    favour : float
        How much more often a judge passes what B failed; a third of it where B passed.
    n_items, n_judges : int
    """

    passes: tuple[float, float] = (0.7, 0.75)
    difficulty: float = 0.0
    favour: float = 0.0
    n_items: int = 800
    n_judges: int = 5


SYSTEM_WORLDS: Mapping[str, SystemWorld] = {
    "independent": SystemWorld(),
    "shared difficulty": SystemWorld(difficulty=0.3),
    "lenient to B": SystemWorld(difficulty=0.3, favour=0.12),
    "weak": SystemWorld((0.5, 0.5), difficulty=0.5, favour=0.1),
}
"""The worlds that the figures on two systems name."""


def simulate_systems(world: SystemWorld, rng: np.random.Generator) -> tuple[Panel, Panel]:
    """Draw the votes on A's and on B's answers; truth 1 is a pass."""
    n, k = world.n_items, world.n_judges
    first = rng.standard_normal(n)
    second = _TOGETHER * first + np.sqrt(1 - _TOGETHER**2) * rng.standard_normal(n)
    accuracy = np.array([rng.uniform(*of, k) for of in _RIGHT])
    common = rng.standard_normal(n)
    panels = []
    for skill, passes, favour in zip((first, second), world.passes, (0, world.favour), strict=True):
        truth = (skill < special.ndtri(passes)).astype(np.int16)
        own = np.sqrt(_SHARED) * common + np.sqrt(1 - _SHARED) * rng.standard_normal(n)
        latent = np.sqrt(world.difficulty) * own[:, None]
        latent = latent + np.sqrt(1 - world.difficulty) * rng.standard_normal((n, k))
        shifted = (accuracy + np.array([[-favour], [favour / 3]])).clip(0.01, 0.99)
        right = latent < special.ndtri(shifted)[truth]
        votes = np.where(right, truth[:, None], 1 - truth[:, None]).astype(np.int16)
        panels.append(Panel(votes, truth))
    return panels[0], panels[1]
