"""A simulated tag challenge: a crowd proposes better labels than a model's, by the game's rules.

It shows what the rules do to labels, honest people and cheats apart; it is no evidence about people.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from askpoint.arena.game.challenge import ItemTag, challenge_tag, settle_tag, tag_terms
from askpoint.arena.game.pay import PAPER_PAY, Pay
from askpoint.arena.simulation.arena import Arena
from askpoint.arena.simulation.campaign import open_arena
from askpoint.arena.simulation.crowd import Habits, moment
from askpoint.arena.simulation.simulated_judges import Bench
from askpoint.arena.simulation.world import World
from askpoint.errors import InputError, RuleError

__all__ = ["TagOutcome", "play_tags"]

_LOOKS = 10  # items that a player reads in a step, to find one to better


class TagOutcome(NamedTuple):
    """What a tag challenge did to the labels of its items.

    Parameters
    ----------
    n_items : int
        Items.
    right_before, right_after : int
        Labels that were right as the model gave them, and at the end.
    corrected, spoiled : int
        Items whose label was wrong before and is right now, and the other way round.
    n_challenges, n_better : int
        Challenges judged, and those that judges preferred.
    honest_points, cheat_points : float
        Points for a step of an honest player and of a cheat; 0 where there is none.
    paid : int
        Points paid to players and judges.
    arena : Arena
        With all records and the ledger.
    """

    n_items: int
    right_before: int
    right_after: int
    corrected: int
    spoiled: int
    n_challenges: int
    n_better: int
    honest_points: float
    cheat_points: float
    paid: int
    arena: Arena


def play_tags(
    world: World,
    habits: Habits,
    rng: np.random.Generator,
    *,
    n_items: int = 300,
    looks: int = 3,
    pay: Pay = PAPER_PAY,
) -> TagOutcome:
    """Let a crowd challenge the model's labels of `n_items` cases, drawn at random.

    An honest player reads items until one seems to be labelled wrongly, is mistaken as often as a
    judge is, and proposes what it seems to be. A cheat proposes anything for any item. It ends when
    players could have read each item `looks` times, and all that was proposed is ruled.
    """
    if not 1 <= n_items <= len(world.texts):
        raise InputError(f"there are {len(world.texts)} cases to tag, and {n_items} were asked for")
    play = _TagRun(world, habits, rng, n_items, pay)
    for _ in range(looks * n_items):
        play.rule()
        play.step(play.tick % habits.n_players)
        play.tick += 1
    play.arena.close(moment(play.tick))
    while play.bench.busy:
        play.tick += 1
        play.rule()
    return play.outcome()


class _TagRun:
    def __init__(
        self, world: World, habits: Habits, rng: np.random.Generator, n_items: int, pay: Pay
    ) -> None:
        self.world, self.habits, self.rng = world, habits, rng
        terms = tag_terms(pay, labels=world.classes)
        self.arena = open_arena(terms, habits, 3 * n_items)
        self.bench = Bench(self.arena, world, habits, rng)
        self.rows = rng.choice(len(world.texts), n_items, replace=False)
        self.truths = [world.classes[world.truths[row]] for row in self.rows]
        self.first = [world.classes[world.decisions[row]] for row in self.rows]
        self.tags = [
            ItemTag(str(item), label, "", moment(0)) for item, label in enumerate(self.first)
        ]
        self.items: dict[str, int] = {}
        self.steps = {True: 0, False: 0}
        self.honest: dict[str, bool] = {}
        self.tick = 0
        self.seats = [self.newcomer() for _ in range(habits.n_players)]

    def newcomer(self) -> str:
        name = f"player-{len(self.honest) + 1}"
        self.honest[name] = bool(self.rng.random() >= self.habits.cheaters)
        self.arena.join(name, "player", moment(self.tick))
        return name

    def step(self, seat: int) -> None:
        name = self.seats[seat]
        self.steps[self.honest[name]] += 1
        found = self.find(name)
        if found is None:
            return
        item, label = found
        try:
            self.propose(name, item, label)
        except RuleError as error:
            if error.rule == "suspended":
                self.seats[seat] = self.newcomer()

    def find(self, name: str) -> tuple[int, str] | None:
        """Return an item and what its label should be, as this player thinks."""
        if not self.honest[name]:
            item = int(self.rng.integers(len(self.tags)))
            return item, self.other(self.tags[item].label)
        for item in self.rng.integers(len(self.tags), size=_LOOKS).tolist():
            seems = self.truths[item]
            if self.rng.random() < self.habits.judge_error:
                seems = self.other(seems)
            tag = self.tags[item]
            if seems != tag.label and not tag.challenge and tag.holder != name:
                return item, seems
        return None

    def other(self, label: str) -> str:
        names = [name for name in self.world.classes if name != label]
        return names[int(self.rng.integers(len(names)))]

    def propose(self, name: str, item: int, label: str) -> None:
        arena, now = self.arena, moment(self.tick)
        probe = challenge_tag(
            arena.campaign,
            arena.players[name],
            self.tags[item],
            label,
            now,
            id=f"case-{len(arena.probes) + 1}",
            available=arena.available,
            earlier=arena.submitted,
        )
        arena.probes[probe.id] = probe
        arena.submit(probe.id, now)
        self.items[probe.id] = item
        self.tags[item] = settle_tag(self.tags[item], arena.probes[probe.id], now)
        # where neither label is right, judges take the one that was there
        truth = self.truths[item]
        self.bench.take(
            probe.id, truth if truth in probe.options else self.tags[item].label, self.tick
        )

    def rule(self) -> None:
        for case in self.bench.rule(self.tick):
            item, now = self.items[case], moment(self.tick)
            self.tags[item] = settle_tag(self.tags[item], self.arena.probes[case], now)

    def outcome(self) -> TagOutcome:
        before = np.array(self.first) == np.array(self.truths)
        after = np.array([tag.label for tag in self.tags]) == np.array(self.truths)
        probes = [probe for probe in self.arena.probes.values() if probe.truth is not None]
        points = {True: 0, False: 0}
        for name, honest in self.honest.items():
            points[honest] += self.arena.points(name)
        judges = sum(self.arena.points(name) for name in self.arena.judges)
        return TagOutcome(
            n_items=len(self.tags),
            right_before=int(before.sum()),
            right_after=int(after.sum()),
            corrected=int((after & ~before).sum()),
            spoiled=int((before & ~after).sum()),
            n_challenges=len(probes),
            n_better=sum(probe.prize.found for probe in probes),
            honest_points=points[True] / max(1, self.steps[True]),
            cheat_points=points[False] / max(1, self.steps[False]),
            paid=points[True] + points[False] + judges,
            arena=self.arena,
        )
