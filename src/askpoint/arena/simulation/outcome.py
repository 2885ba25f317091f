"""What a simulated campaign or examination brought, by the truth that only a simulation knows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from askpoint.arena.game.pay import Pay
from askpoint.arena.game.reward import SCHEMES, scheme_severities
from askpoint.arena.game.transaction import POINTS_PER_CENT
from askpoint.arena.simulation.campaign import PlayedCampaign
from askpoint.arena.simulation.crowd import Habits
from askpoint.arena.simulation.world import World
from askpoint.measures.inputs import BoolArray, FloatArray, IntArray
from askpoint.unknowns.case_costs import decision_cost
from askpoint.unknowns.examination import ExaminationDesign, draw_examination
from askpoint.unknowns.quadrants import item_quadrants

__all__ = ["WayOutcome", "examine", "outcome_of"]


@dataclass(frozen=True, eq=False, kw_only=True)
class WayOutcome:
    """What one way of looking for errors brought.

    An error counts when judges ruled it to be of the sought kind and it is.

    Parameters
    ----------
    n_cases : int
        Cases judged: submitted, or drawn.
    severities : ndarray of shape (n_errors,)
        Of the sought errors, in the terms in which the campaign pays for them
        (`askpoint.arena.game.reward.scheme_severities`).
    unknown : ndarray of bool of shape (n_errors,)
        Which of them are unknown unknowns.
    origins : ndarray of int of shape (n_errors,)
        The world's case behind each; copies share it.
    topics : tuple of str
        The islands that unknown unknowns were found on.
    majority : int
        Errors of the other direction for which a player was rewarded.
    cents : float
        All that was paid, to players and judges.
    texts : tuple of str
        The cases judged.
    positive : ndarray of bool of shape (n_cases,)
        Which were ruled to be of the sought class.
    rows : ndarray of int of shape (n_cases,)
        The world's case behind each case judged.
    recruited, suspended, ticks : int
        Players who took part, those suspended, and steps; 0 for an examination.
    """

    n_cases: int
    severities: FloatArray
    unknown: BoolArray
    origins: IntArray
    topics: tuple[str, ...]
    majority: int
    cents: float
    texts: tuple[str, ...]
    positive: BoolArray
    rows: IntArray
    recruited: int = 0
    suspended: int = 0
    ticks: int = 0

    @property
    def n_errors(self) -> int:
        """Sought errors."""
        return len(self.severities)

    @property
    def n_unknown(self) -> int:
        """Unknown unknowns, with copies."""
        return int(self.unknown.sum())

    @property
    def n_distinct(self) -> int:
        """Unknown unknowns, each counted once however often it was copied."""
        return len(np.unique(self.origins[self.unknown]))


def outcome_of(played: PlayedCampaign) -> WayOutcome:
    """Sum up a campaign."""
    world, probes, filed = played.world, played.probes, tuple(played.filed.values())
    answers = [probe.answer for probe in probes if probe.answer is not None]
    ruled = [str(probe.truth) for probe in probes]
    paid = sum(
        points
        for account, points in played.arena.ledger.balances.items()
        if account.kind in ("held", "earned")
    )
    majority = sum(probe.prize.found and probe.truth != world.sought.truth for probe in probes)
    return _outcome(
        world=world,
        scheme=played.arena.campaign.terms.scheme,
        proba=np.array([answer.probabilities for answer in answers]),
        decided=[answer.decision for answer in answers],
        truths=[case.truth for case in filed],
        ruled=ruled,
        rows=np.array([case.row for case in filed]),
        texts=[case.text for case in filed],
        majority=majority,
        cents=paid / POINTS_PER_CENT,
        counts=(played.recruited, played.suspended, played.ticks),
    )


def examine(
    world: World,
    method: str,
    habits: Habits,
    pay: Pay,
    rng: np.random.Generator,
    *,
    n_cases: int = 500,
    gold_share: float = 0.1,
    scheme: str = SCHEMES[0],
) -> WayOutcome:
    """Draw cases of the stream, let the same kind of judges rule on them, and sum up.

    To stand beside a campaign it is given the campaign's `scheme`, so that severity is one thing.
    """
    names = world.classes
    decided = [names[code] for code in world.decisions[world.stream]]
    estimated = decision_cost(world.proba[world.stream], world.costs, decided)
    drawn = draw_examination(
        np.arange(len(world.stream)), estimated, ExaminationDesign(method, n=n_cases), rng
    )
    places = drawn.items.astype(np.int64)
    rows = world.stream[places]
    truths = world.truths[rows]
    votes = np.stack([_vote(truths, len(names), habits.judge_error, rng) for _ in range(3)])
    differ = votes[0] != votes[1]
    # where all three differ, which takes three classes, the organiser knows
    third = np.where((votes[2] == votes[0]) | (votes[2] == votes[1]), votes[2], truths)
    ruled = np.where(differ, third, votes[0])
    n_votes = 2 * len(rows) + int(differ.sum())
    return _outcome(
        world=world,
        scheme=scheme,
        proba=world.proba[rows],
        decided=[decided[place] for place in places],
        truths=[names[code] for code in truths],
        ruled=[names[code] for code in ruled],
        rows=rows,
        texts=[world.texts[row] for row in rows],
        majority=0,
        cents=n_votes * pay.vote / (1 - gold_share) / POINTS_PER_CENT,
    )


def _vote(truths: IntArray, k: int, error: float, rng: np.random.Generator) -> IntArray:
    wrong = (truths + rng.integers(1, k, size=len(truths))) % k
    votes: IntArray = np.where(rng.random(len(truths)) < error, wrong, truths)
    return votes


def _outcome(
    world: World,
    scheme: str,
    proba: FloatArray,
    decided: Sequence[str],
    truths: Sequence[str],
    ruled: Sequence[str],
    rows: IntArray,
    texts: Sequence[str],
    majority: int,
    cents: float,
    counts: tuple[int, int, int] = (0, 0, 0),
) -> WayOutcome:
    positive = np.array(ruled) == world.sought.truth
    errors = positive & (np.array(decided) == world.sought.decision) & (np.array(truths) == ruled)
    severity = scheme_severities(proba, world.costs, decided, truths, scheme=scheme)
    quadrants = item_quadrants(proba, world.costs, decided, truths)
    unknown = np.zeros(len(rows), dtype=bool)
    unknown[quadrants.rows("unknown unknown")] = True
    error_rows = np.flatnonzero(errors)
    islands = {world.topics[rows[i]] for i in error_rows if unknown[i] and world.islands[rows[i]]}
    recruited, suspended, ticks = counts
    return WayOutcome(
        n_cases=len(rows),
        severities=severity[error_rows],
        unknown=unknown[error_rows],
        origins=rows[error_rows],
        topics=tuple(sorted(islands)),
        majority=majority,
        cents=cents,
        texts=tuple(texts),
        positive=positive,
        rows=np.asarray(rows, dtype=np.int64),
        recruited=recruited,
        suspended=suspended,
        ticks=ticks,
    )
