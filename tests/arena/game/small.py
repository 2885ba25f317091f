"""A small world whose model is known: it knows "bad", is unsure of "rude", never saw "vile"."""

from __future__ import annotations

import numpy as np

from askpoint.arena.game.terms import Sought
from askpoint.arena.simulation.opponents import misspell
from askpoint.arena.simulation.world import Cases, World, build_world

HATE = Sought(truth="hate", decision="normal")
WORDS = [
    "the",
    "of",
    "and",
    "to",
    "in",
    "that",
    "it",
    "was",
    "for",
    "on",
    "are",
    "as",
    "with",
    "his",
    "they",
    "at",
    "be",
    "this",
    "from",
    "have",
    "or",
    "by",
    "one",
]


def model(texts) -> np.ndarray:
    """Probabilities of hate and normal."""
    hate = [0.95 if "bad" in item else 0.65 if "rude" in item else 0.1 for item in texts]
    hate = [0.02 if "vile" in item else p for item, p in zip(texts, hate, strict=True)]
    return np.column_stack([hate, 1 - np.array(hate)])


def sentence(word: str, i: int) -> str:
    filling = np.random.default_rng(i).choice(WORDS, 6)
    return " ".join([str(i), *filling[:3], word, *filling[3:]])


def cases(n: int = 120) -> Cases:
    rows = []
    for i in range(n):
        rows.append((sentence("calm", i), "normal", "", "train"))
        rows.append((sentence("bad", i), "hate", "", "train"))
        rows += [(sentence("quiet", j), "normal", "", "known") for j in range(4 * i, 4 * i + 4)]
        rows.append((sentence("bad or calm", i), "normal", "", "known"))  # a false alarm
        rows.append((sentence("so bad", i), "hate", f"known {i % 2}", "known"))
        rows.append((sentence("rude", i), "hate", "known 2", "known"))
        rows += [(sentence(f"vile {j}", i), "hate", f"island {j}", "island") for j in range(3)]
        rows += [(sentence(f"tale {j}", i), "normal", f"island {j}", "island") for j in range(3)]
    return Cases(*(tuple(column) for column in zip(*rows, strict=True)))


def small_world(seed: int = 0, **given) -> World:
    rng = np.random.default_rng(seed)
    settings = {"n_stream": 5000, "sought_share": 0.02, "island_share": 0.002, **given}
    return build_world(cases(), model, misspell, HATE, rng, **settings)
