"""Ask what a simulated crowd finds, by each design."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection
from contextlib import AbstractContextManager
from dataclasses import dataclass

import numpy as np

from askpoint.arena.answers.contest import Contest, contest_world, digit_contest
from askpoint.arena.answers.seed import CrowdPlan, SeedResult, play_seed
from askpoint.arena.game.designs import DESIGNS, SOUGHT_FROM
from askpoint.arena.simulation.crowd import Habits
from askpoint.arena.simulation.experiment import calibrate
from askpoint.arena.simulation.outcome import WayOutcome
from askpoint.errors import InputError
from askpoint.records.cases import digit_cases

__all__ = ["CrowdAnswer", "answer_simulation"]

_CALIBRATION = 0  # the seed that no played seed shares: those start at 1


@dataclass(frozen=True, eq=False)
class CrowdAnswer:
    """All that was played.

    Parameters
    ----------
    contest : Contest
        On what.
    plan : CrowdPlan
        Which arms.
    habits : Habits
        The crowd's, with the search precision that was used.
    calibrated : bool
        Whether that precision was calibrated, or given.
    results : tuple of SeedResult
        One for each seed.
    """

    contest: Contest
    plan: CrowdPlan
    habits: Habits
    calibrated: bool
    results: tuple[SeedResult, ...]

    @property
    def steps(self) -> tuple[tuple[int, int], ...]:
        """Designs played with the one before, where both look for the same kind of error."""
        pairs = itertools.pairwise(n for n in DESIGNS if n >= SOUGHT_FROM)
        return tuple(pair for pair in pairs if {*pair} <= {*self.plan.designs})

    def outcomes(self, arm: str) -> list[WayOutcome]:
        """What an arm brought, seed by seed."""
        return [result.arms[arm] for result in self.results]


def answer_simulation(
    contest: Contest | None = None,
    *,
    designs: Collection[int] | None = None,
    seeds: int = 5,
    cases: int = 500,
    search_precision: float | None = None,
    extras: bool = True,
    rematch: bool = True,
    machine: bool = False,
    jobs: int = 1,
    progress: Callable[[str], None] | None = None,
) -> CrowdAnswer:
    """Let a simulated crowd play Beat the Machine, design by design, beside examinations.

    It shows by which mechanism each design works. It is no evidence about people.

    Parameters
    ----------
    contest : Contest, optional
        The model and the cases to beat it with; handwritten digits if it is left out.
    designs : collection of int, optional
        The designs to play, each with those below it; all if they are left out.
    seeds : int, default=5
        How often everything is played, from the seeds 1, 2, ...
    cases : int, default=500
        Cases examined or submitted in each arm, at least 20.
    search_precision : float, optional
        How often a search brings a case of the sought class; if it is left out, it is
        calibrated so that design 4 finds errors at the paper's rate.
    extras : bool, default=True
        Play the uneven variant and estimate learning curves, too.
    rematch : bool, default=True
        Let the model learn from a campaign and play against it again.
    machine : bool, default=False
        Let a machine play, too.
    jobs : int, default=1
        Seeds played at the same time, each in a process.
    progress : callable, optional
        Told in a line what has been done.

    Returns
    -------
    CrowdAnswer
        What every arm of every seed brought.

    Raises
    ------
    InputError
        If a number is out of its range, or there is no such design.
    NotEstimableError
        If the crowd cannot be calibrated, because the model errs too seldom.

    References
    ----------
    Attenberg, Ipeirotis and Provost, "Beat the Machine", ACM JDIQ 6 (2015).

    Examples
    --------
    >>> from askpoint.arena.answers.answer import answer_simulation
    >>> answer = answer_simulation(
    ...     designs=[4], seeds=1, cases=20, search_precision=0.4, extras=False, rematch=False
    ... )
    >>> sorted(answer.results[0].arms)
    ['design 4', 'random', 'stratified', 'uncertainty']
    """
    plan = CrowdPlan(
        tuple(sorted(set(DESIGNS if designs is None else designs))),
        cases,
        extras=extras,
        rematch=rematch,
        machine=machine,
    )
    for name, number in (("seeds", seeds), ("jobs", jobs)):
        if number < 1:
            raise InputError(f"{name} must be at least 1; got {number}")
    habits = Habits() if search_precision is None else Habits(search_precision=search_precision)
    contest = digit_contest(digit_cases()) if contest is None else contest
    tell = progress or (lambda _: None)
    tell(f"training the model: {len(contest.training[0]):,} cases")
    with _on_one_core():
        contest.fitted  # noqa: B018 - trained here once, not in every process
        if search_precision is None:
            habits = _calibrate_habits(contest, plan, min(6, seeds), tell)
        results = _results(contest, plan, habits, seeds, jobs, tell)
    return CrowdAnswer(contest, plan, habits, search_precision is None, results)


def _calibrate_habits(
    contest: Contest, plan: CrowdPlan, n_seeds: int, tell: Callable[[str], None]
) -> Habits:
    layout, luck = np.random.Generator(np.random.PCG64(_CALIBRATION)).spawn(2)
    return calibrate(
        contest_world(contest, layout),
        Habits(),
        luck,
        n_seeds=n_seeds,
        n_cases=plan.n_cases,
        pay=plan.pay,
        progress=lambda line: tell(f"calibrating: {line}"),
    )


def _on_one_core() -> AbstractContextManager[object]:
    """Return a context without threads of linear algebra, whose sums hang on their number in the last digits."""
    from threadpoolctl import threadpool_limits

    limits: AbstractContextManager[object] = threadpool_limits(1)
    return limits


def _play_on_one_core(contest: Contest, plan: CrowdPlan, habits: Habits, seed: int) -> SeedResult:
    with _on_one_core():  # in a process of `jobs`, too
        return play_seed(contest, plan, habits, seed)


def _results(
    contest: Contest,
    plan: CrowdPlan,
    habits: Habits,
    n_seeds: int,
    jobs: int,
    tell: Callable[[str], None],
) -> tuple[SeedResult, ...]:
    from joblib import Parallel, delayed

    play = delayed(_play_on_one_core)
    tasks = (play(contest, plan, habits, seed + 1) for seed in range(n_seeds))
    results = []
    for result in Parallel(n_jobs=jobs, return_as="generator")(tasks):
        results.append(result)
        tell(f"playing: {len(results)} of {n_seeds} seeds done")
    return tuple(results)
