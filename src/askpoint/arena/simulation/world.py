"""A world to play in: the cases that exist, what they are, and what a model says of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from askpoint.arena.game.terms import Sought
from askpoint.errors import InputError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.inputs import BoolArray, FloatArray, IntArray, as_codes, as_probabilities

__all__ = ["Cases", "Edit", "Model", "World", "build_world"]

Model = Callable[[Sequence[str]], FloatArray]
"""Texts in, probabilities of shape (n_texts, n_classes) out."""

Edit = Callable[[str, np.random.Generator], str]
"""A case in, another one out that people read as the same."""


class Cases(NamedTuple):
    """Labelled cases of three roles, one entry per case in each field.

    Parameters
    ----------
    texts : tuple of str
        The cases.
    truths : tuple of str
        Their classes.
    topics : tuple of str
        What they are about; empty where that does not matter.
    roles : tuple of str
        "train" for what the model learned from, "known" for new cases of the same kinds,
        "island" for kinds that the model has never seen.
    """

    texts: tuple[str, ...]
    truths: tuple[str, ...]
    topics: tuple[str, ...]
    roles: tuple[str, ...]


@dataclass(frozen=True, eq=False, kw_only=True)
class World:
    """All cases but those of training, what the model says of each, and a stream of them.

    Parameters
    ----------
    costs : CostMatrix
        The classes and what mistakes cost.
    sought : Sought
        The kind of error that a campaign looks for.
    texts : tuple of str
        The cases.
    truths : ndarray of int of shape (n_cases,)
        Their classes as codes in the order of the costs.
    topics : tuple of str
        For each case; empty where it has none.
    islands : ndarray of bool of shape (n_cases,)
        Whether the case is of a kind that the model never saw.
    proba : ndarray of shape (n_cases, n_classes)
        What the model says.
    stream : ndarray of int of shape (n_stream,)
        The deployed model's stream: cases by their rows, the same case more than once.
    reference : tuple of str
        A sample of the training texts, for design 5's classifier.
    model : Model
        Answers new texts.
    edit : Edit
        Makes a copy of a case that is no exact one.
    embed : callable, optional
        Vectors of texts for design 5's classifier, where runs of characters say nothing.
    embedding : str, default=""
        Its name.
    spell : callable
        Writes a case so that what people read as the same shares most runs of signs.
    """

    costs: CostMatrix
    sought: Sought
    texts: tuple[str, ...]
    truths: IntArray
    topics: tuple[str, ...]
    islands: BoolArray
    proba: FloatArray
    stream: IntArray
    reference: tuple[str, ...]
    model: Model
    edit: Edit
    embed: Model | None = None
    embedding: str = ""
    spell: Callable[[str], str] = str

    @property
    def classes(self) -> tuple[str, ...]:
        """Class names."""
        return tuple(str(name) for name in self.costs.classes)

    @property
    def decisions(self) -> IntArray:
        """The likeliest class of each case, which the deployed system decides for."""
        decisions: IntArray = self.proba.argmax(axis=1)
        return decisions


def build_world(
    cases: Cases,
    model: Model,
    edit: Edit,
    sought: Sought,
    rng: np.random.Generator,
    *,
    n_stream: int = 20_000,
    sought_share: float = 0.01,
    island_share: float = 0.001,
    n_reference: int = 300,
    embed: Model | None = None,
    embedding: str = "",
    spell: Callable[[str], str] = str,
) -> World:
    """Lay out a world: cases beside training, and a stream in which the sought class is rare."""
    if not 0 < island_share < sought_share < 1 - island_share:
        raise InputError(
            "the shares of the stream must be 0 < island_share < sought_share < 1; got "
            f"{island_share} and {sought_share}"
        )
    roles = np.array(cases.roles)
    training = np.flatnonzero(roles == "train")
    rows = np.flatnonzero(roles != "train")
    texts = tuple(cases.texts[i] for i in rows)
    classes = sorted(set(cases.truths))
    costs = CostMatrix.zero_one(classes)
    truths = as_codes([cases.truths[i] for i in rows], costs.classes)
    islands = roles[rows] == "island"
    is_sought = truths == costs.classes.index(sought.truth)
    beside = island_share if (islands & ~is_sought).any() else 0.0
    shares = {
        (True, True): island_share,
        (True, False): sought_share - island_share,
        (False, True): beside,
        (False, False): 1 - sought_share - beside,
    }
    stream = []
    for (wanted, island), share in shares.items():
        pool = np.flatnonzero((is_sought == wanted) & (islands == island))
        if share and not (pool.size and training.size):
            raise InputError(
                f"a world needs training cases, and new cases of {sought.truth!r} of known kinds "
                "and of islands, and others of known kinds; some of these are missing"
            )
        stream.append(rng.choice(pool, size=round(n_stream * share)) if share else pool[:0])
    chosen = rng.choice(training, size=min(n_reference, len(training)), replace=False)
    return World(
        costs=costs,
        sought=sought,
        texts=texts,
        truths=truths,
        topics=tuple(cases.topics[i] for i in rows),
        islands=islands,
        proba=as_probabilities(model(texts), n_classes=len(classes)),
        stream=rng.permutation(np.concatenate(stream)),
        reference=tuple(cases.texts[i] for i in chosen),
        model=model,
        edit=edit,
        embed=embed,
        embedding=embedding,
        spell=spell,
    )
