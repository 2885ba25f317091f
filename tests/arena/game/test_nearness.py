"""Which earlier finds judges are shown: the nearest, own ones first."""

from __future__ import annotations

import pytest

from askpoint.arena.game.nearness import (
    MOST_SHOWN,
    EarlierFind,
    disguise_text,
    nearest_finds,
)

TOPICS = [
    "the harbour is closed on sundays because the crane is broken",
    "my neighbour plays the trumpet whenever I try to sleep",
    "seven trains were late this morning, as they always are",
    "our teacher lost the exams in the river near the mill",
    "the soup in the canteen tastes like warm dishwater",
    "nobody has painted the bridge since my grandfather was young",
    "the mayor promised a swimming pool and built a car park",
]


def finds(player, start=0):
    return [EarlierFind(f"{player}{i}", text, player) for i, text in enumerate(TOPICS[start:])]


def test_the_source_of_a_paraphrase_comes_first():
    shown = nearest_finds("on Sunday that harbour shuts: a broken crane", "ann", finds("ann"))
    assert shown[0].id == "ann0"
    assert len(shown) == MOST_SHOWN


def test_own_finds_come_before_those_of_others_though_these_are_nearer():
    others = [EarlierFind(f"bob{i}", "the soup tastes like warm water", "bob") for i in range(9)]
    shown = nearest_finds("the soup tastes of warm water", "ann", [*others, *finds("ann")])
    assert [find.player for find in shown].count("ann") == MOST_SHOWN - 1
    assert "ann4" in [find.id for find in shown]


def test_others_fill_the_places_where_own_ones_lack():
    shown = nearest_finds("warm soup", "ann", [*finds("bob"), *finds("ann", 6)])
    assert [find.player for find in shown].count("bob") == MOST_SHOWN - 1
    assert nearest_finds("warm soup", "ann", []) == []


@pytest.mark.parametrize("text", ["!!!", "a b", "..."])
def test_a_text_without_words_is_like_nothing(text):
    ids = [find.id for find in nearest_finds(text, "ann", finds("ann"))]
    assert ids == sorted(ids)


def test_the_order_in_which_finds_are_given_changes_nothing():
    given = [*finds("ann"), *finds("bob")]
    assert nearest_finds("late trains", "ann", given) == nearest_finds(
        "late trains", "ann", given[::-1]
    )


def test_a_disguise_holds_the_same_words_in_another_order():
    disguised = disguise_text(TOPICS[0])
    assert sorted(disguised.split()) == sorted(TOPICS[0].split())
    assert disguised.startswith("sundays because")
    assert disguise_text("far too short") is None
