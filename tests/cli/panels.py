"""Votes on two systems and people's labels, as files, from panels whose truth is known."""

import numpy as np
from simulated_systems import SYSTEM_WORLDS, SystemWorld, simulate_systems

LABELS = ("fail", "pass")


def system_rows(name="shared difficulty", seed=1, n_items=300, passes=None):
    """Rows of votes by system, and the truth of each answer."""
    known = SYSTEM_WORLDS[name]
    world = SystemWorld(passes or known.passes, known.difficulty, known.favour, n_items)
    panels = simulate_systems(world, np.random.default_rng(seed))
    rows = {
        system: [
            {"task": f"q{i}"} | {f"j{k}": LABELS[v] for k, v in enumerate(votes)}
            for i, votes in enumerate(panel.votes)
        ]
        for system, panel in zip("AB", panels, strict=True)
    }
    truth = {
        system: {f"q{i}": LABELS[v] for i, v in enumerate(panel.truth)}
        for system, panel in zip("AB", panels, strict=True)
    }
    return rows, truth


def gold_rows(truth, tasks, systems="AB"):
    """Rows of labels of both systems' answers."""
    return [
        {"task": task, "system": system, "label": truth[system][task]}
        for task in tasks
        for system in systems
    ]
