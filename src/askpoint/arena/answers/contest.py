"""What a simulated crowd plays against: a model, the cases, and the error that is looked for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from askpoint.arena.game.terms import Sought
from askpoint.arena.simulation.opponents import (
    answers_of,
    encode_shades,
    misspell,
    pixel_classifier,
    pixels,
    smudge,
    text_classifier,
)
from askpoint.arena.simulation.world import Cases, Edit, Model, World, build_world

__all__ = ["Contest", "contest_world", "digit_contest", "hate_contest"]


@dataclass(frozen=True, eq=False)
class Contest:
    """A model and the cases to beat it with.

    Parameters
    ----------
    name : str
        What is played on.
    story : str
        In a sentence or two, for the report.
    cases : Cases
        Of all roles.
    classifier : classifier
        The model, to be trained on the cases of role "train".
    sought : Sought
        The kind of error.
    edit : callable
        As in `askpoint.arena.simulation.world.World`.
    embed : callable, optional
        As in `askpoint.arena.simulation.world.World`.
    n_stream : int, default=20000
        Length of the deployed model's stream.
    """

    name: str
    story: str
    cases: Cases
    classifier: Any
    sought: Sought
    edit: Edit
    embed: Model | None = None
    n_stream: int = 20_000

    @cached_property
    def fitted(self) -> Any:
        """The model as its training left it."""
        texts, truths = self.training
        return self.classifier.fit(list(texts), list(truths))

    @property
    def training(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Texts and classes that the model learned from."""
        rows = [i for i, role in enumerate(self.cases.roles) if role == "train"]
        return (
            tuple(self.cases.texts[i] for i in rows),
            tuple(self.cases.truths[i] for i in rows),
        )


def contest_world(
    contest: Contest, rng: np.random.Generator, *, cases: Cases | None = None
) -> World:
    """Lay out a world of a contest."""
    return build_world(
        contest.cases if cases is None else cases,
        answers_of(contest.fitted),
        contest.edit,
        contest.sought,
        rng,
        n_stream=contest.n_stream,
        embed=contest.embed,
        embedding="" if contest.embed is None else "pixels",
        spell=str if contest.embed is None else encode_shades,
    )


def digit_contest(table: pl.DataFrame) -> Contest:
    """Handwritten digits (`digit_cases`): find high ones that the model takes for low ones."""
    return _contest(
        "handwritten digits",
        "A model tells high digits (5 to 9) from low ones (0 to 4). It never saw a 7 or a 9: "
        "six ways of writing them are its islands.",
        table,
        pixel_classifier(),
        Sought("high", "low"),
        smudge,
        pixels,
    )


def hate_contest(table: pl.DataFrame) -> Contest:
    """Posts and statements (`hate_cases`): find hate that the model takes for normal."""
    return _contest(
        "hate speech",
        "A model tells hate from normal posts (HateXplain). Statements about 13 groups of people "
        "(ToxiGen) are its islands: hate without slurs, of which it never saw any.",
        table,
        text_classifier(),
        Sought("hate", "normal"),
        misspell,
    )


def _contest(
    name: str,
    story: str,
    table: pl.DataFrame,
    model: Any,
    sought: Sought,
    edit: Edit,
    embed: Model | None = None,
) -> Contest:
    cases = Cases(
        *(tuple(table[column].to_list()) for column in ("text", "label", "topic", "role"))
    )
    return Contest(name, story, cases, model, sought, edit, embed)
