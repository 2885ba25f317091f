from __future__ import annotations

from hypothesis import given, strategies as st

from arena.game.scene import NOW, SURE, arena, judged, submitted
from askpoint.arena.game.standings import PlayerTally, rank_players, tally_probes


def test_the_table_counts_what_was_awarded():
    game = arena()
    judged(game, submitted(game, "one").id, {"bob": "hate", "beth": "hate"})
    judged(game, submitted(game, "two", "eve").id, {"bob": "normal", "beth": "normal"})
    submitted(game, "three", "eve")
    game.try_case("eve", "four", SURE, NOW)
    alice, eve = tally_probes(game.probes.values())
    assert alice == PlayerTally("alice", game.withdrawable("alice"), 1, 1, 1)
    assert eve == PlayerTally("eve", game.withdrawable("eve"), 2, 1, 0)
    first, second = rank_players([eve, alice])
    assert (first.tally, first.rank, second.rank) == (alice, 1, 2)
    assert first.precision.upper == 1.0
    assert rank_players([PlayerTally("new", 0, 1, 0, 0)])[0].precision is None


@given(st.lists(st.integers(0, 5), max_size=30))
def test_equal_points_share_a_rank(points):
    table = rank_players(PlayerTally(f"p{i:02}", value, 1, 1, 0) for i, value in enumerate(points))
    for line in table:
        assert line.rank == 1 + sum(value > line.tally.points for value in points)
    assert [line.tally.points for line in table] == sorted(points, reverse=True)
