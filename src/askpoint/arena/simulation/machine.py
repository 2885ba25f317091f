"""A machine that plays: it searches a pool, edits known cases, and obeys the same rules."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from askpoint.arena.game.terms import CampaignTerms
from askpoint.arena.simulation.campaign import Filed, PlayedCampaign, SimilarityFilter, open_arena
from askpoint.arena.simulation.crowd import Habits, Person, moment
from askpoint.arena.simulation.simulated_judges import Bench
from askpoint.arena.simulation.world import World
from askpoint.errors import RuleError
from askpoint.measures.model_answer import ModelAnswer
from askpoint.unknowns.duplicates import text_digest
from askpoint.unknowns.similarity import SimilarityClassifier

__all__ = ["play_machine"]

_SEARCH, _EDIT = "search", "edit"
_NAME = "machine"
_MAX_EDITS = 30
_LIKELY = 0.5


def play_machine(
    world: World,
    terms: CampaignTerms,
    habits: Habits,
    rng: np.random.Generator,
    *,
    n_cases: int = 500,
    n_examples: int = 30,
    n_pool: int = 3000,
    max_ticks: int = 20_000,
) -> PlayedCampaign:
    """Let a machine play alone until `n_cases` are submitted, or until it is suspended.

    It knows a few examples of the sought class, as anybody could. It searches the stream for
    what is most like them, and like what it has found since, among the cases that the model
    takes for the other class, and files what is likely. And it edits examples that the model gets right, one try at a
    time, keeping what makes the model less sure, until the model decides otherwise. Which of
    both it does, it learns from the points, when they are permanent.
    """
    machine = _Machine(world, terms, habits, rng, n_cases, n_examples, n_pool)
    while len(machine.filed) < n_cases and machine.tick < max_ticks:
        machine.rule()
        try:
            machine.step()
        except RuleError as error:
            if error.rule == "suspended":
                machine.suspended = 1
                break
            # too many tries in an hour: wait; a case that was submitted before: the next
        machine.tick += 1
    machine.arena.close(moment(machine.tick))
    while machine.bench.busy:
        machine.tick += 1
        machine.rule()
    return PlayedCampaign(
        world=world,
        arena=machine.arena,
        filed=machine.filed,
        recruited=1,
        suspended=machine.suspended,
        ticks=machine.tick,
    )


class _Machine:
    def __init__(
        self,
        world: World,
        terms: CampaignTerms,
        habits: Habits,
        rng: np.random.Generator,
        n_cases: int,
        n_examples: int,
        n_pool: int,
    ) -> None:
        self.world, self.terms, self.habits, self.rng = world, terms, habits, rng
        self.tick = self.suspended = 0
        self.arena = open_arena(terms, habits, n_cases)
        self.bench = Bench(self.arena, world, habits, rng)
        self.arena.join(_NAME, "player", moment(0))
        self.person = Person(_NAME, honest=True, activities=[_SEARCH, _EDIT])
        self.similar = SimilarityFilter(world, habits.retrain) if terms.compares else None
        self.filed: dict[str, Filed] = {}
        sought = world.truths == world.classes.index(world.sought.truth)
        outside = np.flatnonzero(sought & ~world.islands)
        self.examples = rng.choice(outside, size=min(n_examples, len(outside)), replace=False)
        pool = np.unique(world.stream)
        pool = pool[world.decisions[pool] == world.classes.index(world.sought.decision)]
        self.pool = rng.permutation(pool)[:n_pool]
        self.finds: list[tuple[str, bool]] = []
        self.ranked: Iterator[int] = self.ranking()
        self.edited: tuple[int, str, float, int] | None = None

    def ranking(self) -> Iterator[int]:
        """The pool, most promising first, by all that is known now."""
        texts = self.world.texts
        wanted = [texts[i] for i in self.examples] + [text for text, good in self.finds if good]
        others = [text for text, good in self.finds if not good] + list(self.world.reference)
        judge = SimilarityClassifier(
            wanted, others, embed=self.world.embed, embedding=self.world.embedding
        )
        scores = judge.similarities([texts[i] for i in self.pool]).scores
        likely = np.argsort(-scores, kind="stable")[: int((scores >= _LIKELY).sum())]
        return iter(self.pool[likely].tolist())

    def step(self) -> None:
        activity = self.person.choose(self.habits, self.rng)
        self.person.work(activity, self.habits)
        if activity == _EDIT:
            self.edit()
            return
        row = next(self.ranked, None)
        if row is None:
            self.person.learn(_SEARCH, 0.0, first=True)
        else:
            self.submit_if_paid(row, self.world.texts[row], self.world.proba[row], _SEARCH)

    def edit(self) -> None:
        """One try: an edit of the case at hand, kept if the model is less sure of its class."""
        world = self.world
        sought = world.classes.index(world.sought.truth)
        if self.edited is None:
            row = int(self.rng.choice(self.examples))
            self.edited = (row, world.texts[row], float(world.proba[row, sought]), 0)
        row, text, sure, n_edits = self.edited
        new = world.edit(text, self.rng)
        proba = world.model([new])[0]
        if proba[sought] < sure:
            text, sure = new, float(proba[sought])
        self.edited = (row, text, sure, n_edits + 1)
        if self.submit_if_paid(row, new, proba, _EDIT) or n_edits + 1 >= _MAX_EDITS:
            self.edited = None

    def submit_if_paid(self, row: int, text: str, proba: np.ndarray, activity: str) -> bool:
        world, arena, now = self.world, self.arena, moment(self.tick)
        answer = ModelAnswer(tuple(proba.tolist()), world.classes[int(proba.argmax())])
        resembles = None if self.similar is None else self.similar.resemblance(text)
        spelt = world.spell(text)
        probe = arena.try_case(_NAME, text_digest(text), answer, now, resembles, text=spelt)
        prize = probe.prizes[probe.options.index(world.sought.truth)]
        if probe.reason or not prize.found:
            self.person.learn(activity, 0.0, first=True)
            return False
        arena.submit(probe.id, now)
        truth = world.classes[world.truths[row]]
        self.filed[probe.id] = Filed(row, text, truth, activity)
        self.bench.take(probe.id, truth, self.tick)
        return True

    def rule(self) -> None:
        for case in self.bench.rule(self.tick):
            probe, filed = self.arena.probes[case], self.filed[case]
            self.person.learn(filed.activity, probe.awarded, first=True)
            self.finds.append((filed.text, probe.prize.found))
            if self.similar is not None:
                self.similar.note(filed.text, success=probe.prize.found)
            if len(self.finds) % self.habits.retrain == 0:
                self.ranked = self.ranking()
