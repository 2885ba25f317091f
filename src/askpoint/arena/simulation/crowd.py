"""Simulated players: bandits that do what has paid, and cheaters that file anything.

They show mechanisms. They are no evidence about people.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import numpy as np

from askpoint.errors import InputError

__all__ = ["COPY", "FLAGGED", "SPAM", "TICK", "Habits", "Person", "moment"]

FLAGGED = "flagged"
"""To look through what the model flagged as the sought class, for harmless cases."""

COPY = "copy"
"""To submit an own success again, changed so little that it is no exact copy."""

SPAM = "spam"
"""To file any case of the stream and insist that the model is wrong."""

_VARIANTS = 14  # of one find, that a flooder files at once

TICK = timedelta(seconds=10)
"""How long a step of one player takes."""


def moment(tick: int) -> datetime:
    """Return the time of a step of the simulation."""
    return datetime(2026, 1, 1, tzinfo=UTC) + tick * TICK


@dataclass(frozen=True, slots=True)
class Habits:
    """How the simulated crowd behaves; every number is an assumption that can be changed.

    Parameters
    ----------
    n_players : int, default=28
        Seats; whoever leaves is replaced by somebody new.
    cheaters : float, default=0.25
        Share of newcomers who file random cases.
    copiers : float, default=0.5
        Share of the honest newcomers who copy their successes when it pays.
    flooders : float, default=0
        Share of the honest newcomers who file variants of each find at once, before anybody has
        ruled on the first.
    blind_judges : int, default=0
        Judges who vote without looking: for what is common, and for the flooders, whose texts they
        know. Once gold or agreement stops one, somebody honest comes instead.
    topics_known : int, default=4
        Topics that a newcomer knows to search in.
    learning : float, default=0.04
        Chance, at each step, to get to know one more topic.
    search_precision : float, default=0.6
        Share of what a search in a topic finds that is of the sought class; the rest only
        looks so. To be calibrated.
    effort : dict of str to float
        What a step costs: a hunt in a topic 1 (or what is given under the topic's name), a
        look through flagged cases and a copy .25, spam .1.
    prior_points, prior_spread : float, default=150, 300
        What a player expects of an untried activity, and how unsure that is.
    leaving, content, scale : float, default=.06, 60, 20
        The chance of leaving at a step is leaving times sigmoid((content - known) / scale),
        known being the points per effort that the player knows of.
    delay : int, default=280
        Steps, of all players together, between submission and ruling.
    n_judges : int, default=6
        Judges.
    judge_error : float, default=0.04
        Chance that a vote is wrong.
    n_gold : int, default=40
        Gold items.
    retrain : int, default=25
        Rulings after which design 5's classifier learns anew.
    """

    n_players: int = 28
    cheaters: float = 0.25
    copiers: float = 0.5
    flooders: float = 0.0
    blind_judges: int = 0
    topics_known: int = 4
    learning: float = 0.04
    search_precision: float = 0.6
    effort: dict[str, float] = field(default_factory=lambda: {FLAGGED: 0.25, COPY: 0.25, SPAM: 0.1})
    prior_points: float = 150.0
    prior_spread: float = 300.0
    leaving: float = 0.06
    content: float = 60.0
    scale: float = 20.0
    delay: int = 280
    n_judges: int = 6
    judge_error: float = 0.04
    n_gold: int = 40
    retrain: int = 25

    def __post_init__(self) -> None:
        for name in (
            "cheaters",
            "copiers",
            "flooders",
            "learning",
            "search_precision",
            "leaving",
            "judge_error",
        ):
            if not 0 <= getattr(self, name) <= 1:
                raise InputError(f"{name} is a share between 0 and 1; got {getattr(self, name)}")
        for name in ("n_players", "topics_known", "delay", "retrain"):
            if getattr(self, name) < 1:
                raise InputError(f"{name} must be at least 1; got {getattr(self, name)}")
        if not 0 <= self.blind_judges <= self.n_judges:
            raise InputError(f"of {self.n_judges} judges, {self.blind_judges} cannot be blind")
        if self.n_judges < 3:
            raise InputError(f"a disagreement needs a third judge; got {self.n_judges} judges")

    def effort_of(self, activity: str) -> float:
        """What a step of an activity costs."""
        return self.effort.get(activity, 1.0)


@dataclass(slots=True)
class Person:
    """A player of the crowd, with what it has learned so far.

    Parameters
    ----------
    name : str
        The player's.
    honest : bool
        Cheaters only spam.
    activities : list of str
        What it knows to do: topics, and perhaps `FLAGGED`.
    copies : bool, default=False
        Whether it copies what it takes for a success.
    floods : bool, default=False
        Whether it files variants of each find at once.
    last : tuple of int and str, optional
        The row and the text of its last success, as far as it knows.
    left : int, default=0
        Variants of that one that it still files at once.
    steps : int, default=0
        Steps that it has taken.
    """

    name: str
    honest: bool
    activities: list[str]
    copies: bool = False
    floods: bool = False
    last: tuple[int, str] | None = None
    points: dict[str, float] = field(default_factory=dict)
    tried: dict[str, int] = field(default_factory=dict)
    known_points: float = 0.0
    effort: float = 0.0
    left: int = 0
    steps: int = 0

    def choose(self, habits: Habits, rng: np.random.Generator) -> str:
        """Choose what to do next, by Thompson sampling of points per effort."""
        if not self.honest:
            return SPAM
        if self.left:
            self.left -= 1
            return COPY
        return max(self.activities, key=lambda activity: self._draw_points(activity, habits, rng))

    def _draw_points(self, activity: str, habits: Habits, rng: np.random.Generator) -> float:
        weight = 1 + self.tried.get(activity, 0)
        mean = (habits.prior_points + self.points.get(activity, 0.0)) / weight
        spread = habits.prior_spread / math.sqrt(weight)
        return float(rng.normal(mean, spread)) / habits.effort_of(activity)

    def succeed(self, row: int, text: str) -> None:
        """Take note of what seems to be an error found."""
        self.last = (row, text)
        if (self.copies or self.floods) and COPY not in self.activities:
            self.activities.append(COPY)

    def flood(self, row: int, text: str) -> None:
        """File variants of what was just submitted next."""
        self.last, self.left = (row, text), _VARIANTS

    def work(self, activity: str, habits: Habits) -> None:
        """Spend the effort of a step."""
        self.effort += habits.effort_of(activity)
        self.steps += 1

    def learn(self, activity: str, points: float, *, first: bool) -> None:
        """Take note of points, the first time or to correct what was only provisional."""
        self.points[activity] = self.points.get(activity, 0.0) + points
        self.tried[activity] = self.tried.get(activity, 0) + first
        self.known_points += points

    def discover(self, topics: Sequence[str], habits: Habits, rng: np.random.Generator) -> None:
        """Perhaps get to know one more topic."""
        if rng.random() < habits.learning:
            new = [topic for topic in topics if topic not in self.activities]
            if new:
                self.activities.append(new[int(rng.integers(len(new)))])

    def leaves(self, habits: Habits, rng: np.random.Generator) -> bool:
        """Tell whether the player leaves now."""
        hourly_points = self.known_points / self.effort if self.effort else 0.0
        pull = max(-700.0, min(700.0, (hourly_points - habits.content) / habits.scale))
        return bool(rng.random() < habits.leaving / (1 + math.exp(pull)))
