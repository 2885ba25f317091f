"""A simulated campaign: the crowd plays in an arena until enough cases are submitted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from askpoint.arena.game.campaign import CampaignState
from askpoint.arena.game.family import worth
from askpoint.arena.game.feedback import Resemblance
from askpoint.arena.game.held_pay import DECIDED_AFTER
from askpoint.arena.game.probe import ProbeState
from askpoint.arena.game.terms import CampaignTerms
from askpoint.arena.simulation.arena import Arena
from askpoint.arena.simulation.crowd import COPY, FLAGGED, SPAM, TICK, Habits, Person, moment
from askpoint.arena.simulation.simulated_judges import Bench
from askpoint.arena.simulation.world import World
from askpoint.errors import RuleError
from askpoint.measures.inputs import IntArray
from askpoint.measures.model_answer import ModelAnswer
from askpoint.unknowns.duplicates import text_digest
from askpoint.unknowns.similarity import SimilarityClassifier

__all__ = [
    "Filed",
    "PlayedCampaign",
    "SimilarityFilter",
    "TopicTip",
    "hunting_grounds",
    "open_arena",
    "play_campaign",
]

_MAX_TICKS = 200_000
_FRESH = 5  # looks at what was submitted before until a player files it all the same


class TopicTip(NamedTuple):
    """A topic in which nobody searches until all players are told of it, after so many cases."""

    topic: str
    after: int


@dataclass(frozen=True, slots=True)
class Filed:
    """What the simulation knows of a submitted case and the game does not.

    Parameters
    ----------
    row : int
        The world's case that it is, or is a copy of.
    text : str
        What was submitted.
    truth : str
        What it is.
    activity : str
        What its player did to find it.
    """

    row: int
    text: str
    truth: str
    activity: str


@dataclass(frozen=True, eq=False, kw_only=True)
class PlayedCampaign:
    """A campaign that was played to its end.

    Parameters
    ----------
    world : World
        Where.
    arena : Arena
        With all records and the ledger.
    filed : dict of str to Filed
        The submitted cases by their names, in their order.
    recruited, suspended : int
        Players who took a seat, and those whom their precision suspended.
    ticks : int
        Steps of all players together.
    people : tuple of Person
        Everybody who took a seat.
    blind : tuple of str
        The judges who voted without looking.
    """

    world: World
    arena: Arena
    filed: dict[str, Filed]
    recruited: int
    suspended: int
    ticks: int
    people: tuple[Person, ...] = ()
    blind: tuple[str, ...] = ()

    @property
    def probes(self) -> tuple[ProbeState, ...]:
        """The submitted cases in their order."""
        return tuple(self.arena.probes[case] for case in self.filed)


def open_arena(
    terms: CampaignTerms, habits: Habits, n_cases: int, budget: int | None = None
) -> Arena:
    """Open a campaign with a budget that carries `n_cases` and the gold items, or another one."""
    protocol = replace(terms.protocol, overdue_after=max(TICK, (habits.delay - 1) * TICK))
    terms = replace(terms, protocol=protocol)
    arena = Arena(CampaignState("simulated", terms, moment(0)))
    if budget is None:
        gold = habits.n_gold * habits.n_judges * terms.pay.vote
        budget = (n_cases + 1) * terms.most_promised + gold
    arena.fund(budget, moment(0))
    arena.open(moment(0))
    return arena


def play_campaign(
    world: World,
    terms: CampaignTerms,
    habits: Habits,
    rng: np.random.Generator,
    *,
    n_cases: int = 500,
    budget: int | None = None,
    told: TopicTip | None = None,
    progress: Callable[[int], None] | None = None,
) -> PlayedCampaign:
    """Let the crowd play until `n_cases` are submitted and judged, or the budget is used up.

    While all that is left of the budget is promised, players wait for rulings, which release
    what they do not cost.
    """
    play = _CampaignRun(world, terms, habits, rng, n_cases, budget, told)
    while len(play.filed) < n_cases and play.tick < _MAX_TICKS:
        before = len(play.filed)
        play.rule()
        if play.arena.available >= terms.most_promised:
            play.step(play.tick % habits.n_players)
        elif not play.bench.busy:
            break
        if progress is not None and len(play.filed) > before:
            progress(len(play.filed))
        play.tick += 1
    play.arena.close(moment(play.tick))
    while play.bench.busy:
        play.tick += 1
        play.rule()
    play.arena.finish(moment(play.tick) + DECIDED_AFTER)  # when nothing is held any longer
    return PlayedCampaign(
        world=world,
        arena=play.arena,
        filed=play.filed,
        recruited=play.recruited,
        suspended=play.suspended,
        ticks=play.tick,
        people=tuple(play.people),
        blind=play.bench.blind,
    )


class _CampaignRun:
    def __init__(
        self,
        world: World,
        terms: CampaignTerms,
        habits: Habits,
        rng: np.random.Generator,
        n_cases: int,
        budget: int | None,
        told: TopicTip | None = None,
    ) -> None:
        self.world, self.terms, self.habits, self.rng = world, terms, habits, rng
        self.tick = self.recruited = self.suspended = 0
        self.arena = open_arena(terms, habits, n_cases, budget)
        self.bench = Bench(self.arena, world, habits, rng)
        self.hunts = hunting_grounds(world)
        self.told = told
        self.untold = {} if told is None else {told.topic: self.hunts.pop(told.topic)}
        sought = world.classes.index(world.sought.truth)
        self.flagged = world.stream[world.decisions[world.stream] == sought]
        self.sees = terms.shows
        self.filed: dict[str, Filed] = {}
        self.finders: dict[str, tuple[Person, float]] = {}
        self.digests: dict[int, str] = {}
        self.similar = SimilarityFilter(world, habits.retrain) if terms.compares else None
        self.people: list[Person] = []
        self.seats = [self.newcomer() for _ in range(habits.n_players)]

    def newcomer(self) -> Person:
        habits, rng = self.habits, self.rng
        self.recruited += 1
        name = f"player-{self.recruited}"
        self.arena.join(name, "player", moment(self.tick))
        n_known = min(habits.topics_known, len(self.hunts))
        grounds = rng.choice(sorted(self.hunts), n_known, replace=False).tolist()
        if self.sees and self.terms.sought is None:
            grounds.append(FLAGGED)
        if self.told is not None and not self.untold and self.told.topic not in grounds:
            grounds.append(self.told.topic)
        honest = bool(rng.random() >= habits.cheaters)
        copies = bool(rng.random() < habits.copiers)
        floods = honest and bool(habits.flooders) and bool(rng.random() < habits.flooders)
        person = Person(name, honest, grounds, copies=copies, floods=floods)
        self.people.append(person)
        if floods:
            self.bench.favour(name)
        return person

    def tell(self) -> None:
        """Let everybody know of the topic that nobody searched."""
        self.hunts |= self.untold
        for person in self.seats:
            person.activities += self.untold
        self.untold = {}

    def step(self, seat: int) -> None:
        if self.untold and self.told is not None and len(self.filed) >= self.told.after:
            self.tell()
        person = self.seats[seat]
        activity = person.choose(self.habits, self.rng)
        person.work(activity, self.habits)
        try:
            self.play(person, activity, *self.find(person, activity))
        except RuleError as error:
            if error.rule == "suspended":
                self.suspended += 1
                self.seats[seat] = self.newcomer()
                return
            person.learn(activity, 0.0, first=True)  # somebody was faster with the same case
        person.discover(sorted(self.hunts), self.habits, self.rng)
        if person.leaves(self.habits, self.rng):
            self.seats[seat] = self.newcomer()

    def find(self, person: Person, activity: str) -> tuple[int, str]:
        """Find a case that was not submitted yet, if a few looks suffice."""
        if activity == COPY and person.last is not None:
            row, text = person.last
            return row, self.world.edit(text, self.rng)
        row = self.look(activity)
        for _ in range(_FRESH):
            if self.digest(row) not in self.arena.submitted:
                break
            row = self.look(activity)
        return row, self.world.texts[row]

    def look(self, activity: str) -> int:
        if activity == SPAM:
            return int(self.rng.choice(self.world.stream))
        if activity == FLAGGED:
            return int(self.rng.choice(self.flagged))
        right = self.rng.random() < self.habits.search_precision
        return int(self.rng.choice(self.hunts[activity][int(right)]))

    def digest(self, row: int) -> str:
        if row not in self.digests:
            self.digests[row] = text_digest(self.world.texts[row])
        return self.digests[row]

    def play(self, person: Person, activity: str, row: int, text: str) -> None:
        world, arena, now = self.world, self.arena, moment(self.tick)
        if activity == COPY:
            proba, digest = world.model([text])[0], text_digest(text)
        else:
            proba, digest = world.proba[row], self.digest(row)
        answer = ModelAnswer(tuple(proba.tolist()), world.classes[int(proba.argmax())])
        claimed = self.choose_claim(activity, answer)
        resembles = None
        if self.similar is not None and answer.decision == world.sought.decision:
            resembles = self.similar.resemblance(text)
        probe = arena.try_case(person.name, digest, answer, now, resembles, text=world.spell(text))
        prize = probe.prizes[probe.options.index(claimed)]
        if probe.reason or (self.sees and prize.points == 0):
            person.learn(activity, 0.0, first=True)
            return
        arena.submit(probe.id, now)
        truth = world.classes[world.truths[row]]
        self.filed[probe.id] = Filed(row, text, truth, activity)
        self.bench.take(probe.id, truth, self.tick)
        promised = worth(
            self.terms, replace(probe, truth=claimed), "repeat" if probe.family else "first"
        )
        if person.floods and activity != COPY:
            person.flood(row, text)
        provisional = float(promised) if self.sees else 0.0
        self.finders[probe.id] = (person, provisional)
        if self.sees:
            person.learn(activity, provisional, first=True)

    def choose_claim(self, activity: str, answer: ModelAnswer) -> str:
        """What the player says that the case is."""
        if self.terms.sought is None and activity in (FLAGGED, SPAM):
            others = [name for name in self.world.classes if name != answer.decision]
            return others[int(self.rng.integers(len(others)))]
        return self.world.sought.truth

    def rule(self) -> None:
        for case in self.bench.rule(self.tick):
            probe, filed = self.arena.probes[case], self.filed[case]
            if case in self.finders:  # else a ruling that was recalled
                person, provisional = self.finders.pop(case)
                person.learn(filed.activity, probe.awarded - provisional, first=not self.sees)
                if probe.prize.found:
                    person.succeed(filed.row, filed.text)
            if self.similar is not None:
                self.similar.note(filed.text, success=probe.prize.found)


class SimilarityFilter:
    """Design 5's classifier in a simulated world, which learns from judged cases now and then.

    Parameters
    ----------
    world : World
        Whose reference texts and embedding it uses.
    retrain : int
        Rulings after which it learns anew.
    """

    def __init__(self, world: World, retrain: int) -> None:
        self._world, self._retrain = world, retrain
        self._judged: list[tuple[str, bool]] = []
        self._classifier = SimilarityClassifier([], [])

    def note(self, text: str, *, success: bool) -> None:
        """Take a judged case; learn when there are enough new ones."""
        self._judged.append((text, success))
        if len(self._judged) % self._retrain == 0:
            failed = [text for text, success in self._judged if not success]
            self._classifier = SimilarityClassifier(
                [text for text, success in self._judged if success],
                [*failed, *self._world.reference],
                embed=self._world.embed,
                embedding=self._world.embedding,
            )

    def resemblance(self, text: str) -> Resemblance:
        """How like an earlier success a text is."""
        score = self._classifier.similarities([text]).scores[0]
        return Resemblance(float(score), self._classifier.version)


def hunting_grounds(world: World) -> dict[str, tuple[IntArray, IntArray]]:
    """Where to search: for each topic of the sought class, false finds and true ones.

    What only looks like the sought class comes from the same topic, or where the topic has
    nothing else, from all other cases without a topic.
    """
    sought = world.truths == world.classes.index(world.sought.truth)
    topics = np.array(world.topics)
    plain = np.flatnonzero(~sought & (topics == ""))
    grounds: dict[str, tuple[IntArray, IntArray]] = {}
    for topic in sorted(set(topics[sought].tolist()) - {""}):
        inside = topics == topic
        false = np.flatnonzero(inside & ~sought)
        grounds[topic] = (false if false.size else plain, np.flatnonzero(inside & sought))
    return grounds
