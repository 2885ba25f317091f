"""The cast of the game's tests: Alice and Eve play, Bob, Beth and Bill judge."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from askpoint.arena.game.campaign import CampaignState
from askpoint.arena.game.probe import ProbeState
from askpoint.arena.game.terms import CampaignTerms, Sought
from askpoint.arena.simulation.arena import Arena
from askpoint.labelling.protocol import Protocol
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.model_answer import ModelAnswer

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
TRAINING = [f"training-{i}" for i in range(5)]
COSTS = CostMatrix.zero_one(["normal", "hate"])
HATE = Sought(truth="hate", decision="normal")
AT_ONCE = {"hold": timedelta(0), "protocol": Protocol()}  # paid, not held
SURE = ModelAnswer((0.9, 0.1), "normal")


def terms(**changes) -> CampaignTerms:
    given = {"costs": COSTS, "sought": HATE, **AT_ONCE, **changes}
    if 3 not in given.get("designs", (3,)):
        given["sought"] = None
    return CampaignTerms(**given)


def arena(points: int = 100_000, judges=("bob", "beth", "bill"), **changes) -> Arena:
    """An open campaign with everybody at the table."""
    game = Arena(CampaignState("hate", terms(**changes), NOW))
    game.fund(points, NOW)
    game.open(NOW)
    for player in ("alice", "eve"):
        game.join(player, "player", NOW)
    for judge in judges:
        game.join(judge, "judge", NOW)
        game.train(judge, TRAINING, NOW)
    return game


def submitted(
    game: Arena, digest: str = "one", player: str = "alice", now=NOW, answer=SURE
) -> ProbeState:
    probe = game.try_case(player, digest, answer, now)
    return game.submit(probe.id, now)


def judged(game: Arena, case: str, votes: dict[str, str], now=NOW):
    """Let judges claim and vote in the order given; the case must be the only open one."""
    for judge, choice in votes.items():
        claimed = game.claim(judge, now)
        assert claimed is not None
        assert claimed.id == case
        ruling = game.vote(judge, case, choice, now)
    return ruling
