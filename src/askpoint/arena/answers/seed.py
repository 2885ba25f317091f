"""One seed of the experiment: every arm once, the uneven variant, learning, and the rematch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression

from askpoint.arena.answers.contest import Contest, contest_world
from askpoint.arena.game.designs import check_designs
from askpoint.arena.game.pay import PAPER_PAY, Pay
from askpoint.arena.simulation.campaign import PlayedCampaign, play_campaign
from askpoint.arena.simulation.crowd import Habits
from askpoint.arena.simulation.experiment import play_all, terms_of
from askpoint.arena.simulation.outcome import WayOutcome, examine, outcome_of
from askpoint.arena.simulation.rematch import Rematch, halve_cases, play_rematch
from askpoint.arena.simulation.uneven_skills import uneven_habits
from askpoint.arena.simulation.world import World
from askpoint.errors import InputError
from askpoint.unknowns.duplicates import near_duplicate_groups
from askpoint.unknowns.learning import CaseSet, LearningCurve, learning_curves

__all__ = ["BTM", "EXAMINED", "CrowdPlan", "SeedResult", "play_one", "play_seed"]

BTM, EXAMINED = "players", "examination"
_FEWEST = 20  # cases in each arm, for learning curves and intervals
_SHARES = (0.2, 0.4, 0.6, 0.8)  # training sizes of the learning curves, of the cases judged
_TIMES = 5  # to learn from an examination takes more cases: few of them are of the sought class


@dataclass(frozen=True)
class CrowdPlan:
    """What is played for each seed.

    Parameters
    ----------
    designs : tuple of int
        The designs, each with those below it.
    n_cases : int, default=500
        Cases examined or submitted in each arm, at least 20.
    extras : bool, default=True
        Play the uneven variant and estimate the learning curves, too.
    rematch : bool, default=True
        Let the model learn and play against it again.
    machine : bool, default=False
        Let the machine play, too; it takes its time.
    folds : int, default=10
        Folds of the learning curves.
    pay : Pay, default=PAPER_PAY
        The prices.
    """

    designs: tuple[int, ...]
    n_cases: int = 500
    extras: bool = True
    rematch: bool = True
    machine: bool = False
    folds: int = 10
    pay: Pay = PAPER_PAY

    def __post_init__(self) -> None:
        check_designs(self.designs)
        if not self.designs:
            raise InputError("name at least one design to play")
        if self.n_cases < _FEWEST:
            raise InputError(f"cases must be at least {_FEWEST}; got {self.n_cases}")

    @property
    def last(self) -> str:
        """The arm that examinations are compared with."""
        return f"design {max(self.designs)}"


@dataclass(frozen=True, eq=False)
class SeedResult:
    """What one seed brought.

    Parameters
    ----------
    seed : int
        Its number.
    arms : dict of str to Outcome
        "random", "stratified", "uncertainty", "design 1" and so on, "machine".
    uneven : dict of str to Outcome
        "design 3" and "design 4" where grave errors are harder to find; empty without extras.
    curves : tuple of LearningCurve
        Within the last design, within stratified examination, and across; empty without extras.
    rematch : Rematch or None
        None without a rematch.
    """

    seed: int
    arms: dict[str, WayOutcome]
    uneven: dict[str, WayOutcome]
    curves: tuple[LearningCurve, ...]
    rematch: Rematch | None


def play_seed(
    contest: Contest,
    plan: CrowdPlan,
    habits: Habits,
    seed: int,
    progress: Callable[[str], None] | None = None,
) -> SeedResult:
    """Play everything once."""
    layout, main, variant, folds, again = _generators(seed)
    world = contest_world(contest, layout)
    n_cases = plan.n_cases
    arms = play_all(
        world,
        habits,
        main,
        designs=plan.designs,
        machine=plan.machine,
        n_cases=n_cases,
        pay=plan.pay,
        progress=progress,
    )
    rematch = _rematch(contest, plan, habits, again) if plan.rematch else None
    if not plan.extras:
        return SeedResult(seed, arms, {}, (), rematch)
    uphill = uneven_habits(world, habits)
    uneven = {}
    for design, state in zip((3, 4), _alike(variant), strict=True):
        terms = terms_of(world, design, plan.pay)
        uneven[f"design {design}"] = outcome_of(
            play_campaign(world, terms, uphill, state, n_cases=n_cases)
        )
    larger = examine(world, "stratified", habits, plan.pay, folds, n_cases=_TIMES * n_cases)
    curves = _curves(contest, world, arms[plan.last], larger, folds, plan.folds)
    return SeedResult(seed, arms, uneven, curves, rematch)


def play_one(contest: Contest, plan: CrowdPlan, habits: Habits, seed: int) -> PlayedCampaign:
    """Play the last design's campaign of a seed alone, to read its ledger."""
    layout, main, *_ = _generators(seed)
    world = contest_world(contest, layout)
    terms = terms_of(world, max(plan.designs), plan.pay)
    return play_campaign(world, terms, habits, main, n_cases=plan.n_cases)


def _generators(seed: int) -> list[np.random.Generator]:
    return np.random.Generator(np.random.PCG64(seed)).spawn(5)


def _alike(rng: np.random.Generator) -> Sequence[np.random.Generator]:
    state = rng.integers(2**63)
    return [np.random.Generator(np.random.PCG64(state)) for _ in range(2)]


def _curves(
    contest: Contest,
    world: World,
    played: WayOutcome,
    examined: WayOutcome,
    rng: np.random.Generator,
    n_folds: int,
) -> tuple[LearningCurve, ...]:
    """Figure 5; copies of a case, and near-duplicates of texts, stay in one fold."""
    rows = np.concatenate([played.rows, examined.rows])
    sets: list[Any] = [played.texts, examined.texts]
    if contest.embed is None:
        groups, model = near_duplicate_groups([world.texts[row] for row in rows]), None
    else:
        groups, model = rows, LogisticRegression(max_iter=1000)
        sets = [contest.embed(texts) for texts in sets]
    cut = played.n_cases
    least = min(played.n_cases, examined.n_cases)
    return learning_curves(
        CaseSet(BTM, sets[0], played.positive),
        CaseSet(EXAMINED, sets[1], examined.positive),
        rng,
        model=model,
        sizes=[round(share * least) for share in _SHARES],
        folds=n_folds,
        groups=(groups[:cut], groups[cut:]),
    )


def _rematch(
    contest: Contest, plan: CrowdPlan, habits: Habits, rng: np.random.Generator
) -> Rematch:
    halves = halve_cases(contest.cases, rng)
    first, second = (contest_world(contest, rng, cases=half) for half in halves)
    terms = terms_of(first, 4, plan.pay)
    played = play_campaign(first, terms, habits, rng, n_cases=plan.n_cases)
    trained = (contest.fitted, *contest.training)
    return play_rematch(played, second, trained, terms, habits, rng, n_cases=plan.n_cases)
