"""The judges' bench of a simulation: judges who err now and then, and gold among the cases."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import suppress

import numpy as np

from askpoint.arena.simulation.arena import Arena
from askpoint.arena.simulation.crowd import Habits, moment
from askpoint.arena.simulation.world import World
from askpoint.errors import RuleError
from askpoint.labelling.gold import gold_is_due
from askpoint.labelling.reviewer import is_astray, is_paused, readmit_reviewer

__all__ = ["Bench"]


class Bench:
    """Judges who rule on each case some time after its submission.

    Parameters
    ----------
    arena : Arena
        Open; the judges join it.
    world : World
        Whose classes they choose from, and where the gold items come from.
    habits : Habits
        How many judges, how often they err, how long a ruling takes.
    rng : numpy.random.Generator
        Their errors and the gold.
    """

    def __init__(
        self, arena: Arena, world: World, habits: Habits, rng: np.random.Generator
    ) -> None:
        self._arena, self._habits, self._rng = arena, habits, rng
        self._truths: dict[str, str] = {}
        self._due: deque[tuple[int, str]] = deque()
        self._judges: deque[str] = deque()
        self._idle = 0
        self._favoured: set[str] = set()
        self._common = world.sought.decision, world.sought.truth
        for _ in range(habits.n_judges):
            self._recruit(0)
        self.blind = tuple(list(self._judges)[: habits.blind_judges])
        for i, row in enumerate(rng.choice(len(world.texts), habits.n_gold)):
            arena.add_gold(f"gold-{i + 1}", world.classes[world.truths[row]], moment(0))

    def favour(self, player: str) -> None:
        """Let the blind judges know a player's texts, and find each of them an error."""
        self._favoured.add(player)

    def take(self, case: str, truth: str, tick: int) -> None:
        """Take a submitted case; its truth is what a judge who does not err will say."""
        self._truths[case] = truth
        self._due.append((tick + self._habits.delay, case))

    @property
    def busy(self) -> bool:
        """Whether cases are still waiting."""
        return bool(self._due)

    def rule(self, tick: int) -> Iterator[str]:
        """Rule on what is due, and yield each case that is ruled."""
        while self._due and self._due[0][0] <= tick:
            _, case = self._due.popleft()
            while self._arena.rulings[case].state == "open":
                self._vote(tick)
            self._decide(case, tick)
            yield case

    def _decide(self, case: str, tick: int) -> None:
        """Give the organiser's word on what was referred, if the budget carries it."""
        if self._arena.rulings[case].state == "referred":
            with suppress(RuleError):
                self._arena.decide(case, self._truths[case], moment(tick))

    def _vote(self, tick: int) -> None:
        arena, judge = self._arena, self._judges[0]
        self._judges.rotate(-1)
        terms = arena.campaign.terms
        if is_paused(arena.judges[judge], terms.protocol) or is_astray(
            arena.agreements(judge), terms.protocol
        ):
            if judge in self.blind:  # the organiser looks why, and does not take this one back
                self._judges.remove(judge)
                self._recruit(tick)
                return
            # an organiser would train it anew
            arena.judges[judge] = readmit_reviewer(arena.judges[judge], moment(tick))
            self._train(judge, tick)
        draw, record = self._rng.random(), arena.judges[judge]
        gold = (
            gold_is_due(terms.protocol, record, draw)
            and arena.available >= terms.pay.vote
            and arena.next_case(judge, moment(tick)) is not None
        )
        ruling = arena.claim(judge, moment(tick), gold=gold)
        if ruling is None and gold:
            ruling = arena.claim(judge, moment(tick))
        if ruling is None:
            self._idle += 1
            if self._idle > len(self._judges):  # all have voted on what is left
                self._recruit(tick)
            return
        self._idle = 0
        answer = ruling.gold if ruling.gold is not None else self._truths[ruling.id]
        if judge in self.blind:
            answer = self._common[ruling.author in self._favoured]
        elif self._rng.random() < self._habits.judge_error:
            wrong = [option for option in ruling.options if option != answer]
            answer = wrong[int(self._rng.integers(len(wrong)))]
        arena.vote(judge, ruling.id, answer, moment(tick))
        if is_paused(arena.judges[judge], terms.protocol):
            waiting = {case for _, case in self._due}
            self._due.extend(
                (tick, case)
                for case in self._truths
                if arena.rulings[case].state == "open" and case not in waiting
            )

    def _recruit(self, tick: int) -> None:
        judge = f"judge-{len(self._arena.judges) + 1}"
        self._arena.join(judge, "judge", moment(tick))
        self._train(judge, tick)
        self._judges.appendleft(judge)
        self._idle = 0

    def _train(self, judge: str, tick: int) -> None:
        n_items = self._arena.campaign.terms.protocol.training_items
        self._arena.train(judge, [f"training-{i + 1}" for i in range(n_items)], moment(tick))
