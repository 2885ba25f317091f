"""Repeats: what small changes leave the same, and what is another text."""

import csv
import gzip

import numpy as np
import pytest

from askpoint.arena.simulation.opponents import misspell
from askpoint.unknowns.repeats import Repeats

FIND = "Women belong in the kitchen and nowhere else"


@pytest.mark.parametrize(
    "variant",
    [
        FIND + "!",
        FIND + " today",
        "Well, you know, " + FIND.lower(),
        "and nowhere else: women belong in the kitchen",
        " ".join(FIND),
        FIND.replace("kitchen", "kitchenn"),
        FIND.replace("belong", "b-e-l-o-n-g"),
        f"wtf: {FIND}, and that is what I always tell my friends at work when we meet",
    ],
)
def test_a_variant_repeats(variant):
    texts = Repeats()
    assert texts.of(variant).tolist() == []
    texts.add("something else that was submitted before")
    texts.add(FIND)
    assert texts.of(variant).tolist() == [1]
    texts.add(variant)
    assert texts.of(FIND).tolist() == [1, 2]
    assert len(texts) == 3


@pytest.mark.parametrize(
    "other",
    [
        "Women should run this country",
        "They belong in jail",
        " ".join([FIND, *map(str, range(1000, 1060))]),
        "ok",
    ],
)
def test_another_text_does_not(other):
    texts = Repeats()
    texts.add(FIND)
    assert texts.of(other).size == 0


def test_many_are_kept_apart():
    texts = Repeats()
    for i in range(400):
        texts.add(f"{i} " + " ".join(np.random.default_rng(i).permutation(list("abcdefghijklm"))))
    assert texts.of("nothing of these at all").size == 0
    assert texts.of("🙂🙂🙂").size == 0
    texts.add("🙂🙂🙂")
    assert texts.of("🙂🙂🙂").tolist() == [400]


def test_posts_of_strangers_repeat_nobody_and_misspelt_ones_repeat(data):
    with gzip.open(data / "text" / "hatexplain.csv.gz", "rt", encoding="utf-8") as file:
        posts = [row["text"] for row in csv.DictReader(file)]
    rng = np.random.default_rng(5)
    texts, repeats = Repeats(), 0
    chosen = rng.choice(posts, 400, replace=False).tolist()
    for post in chosen:
        repeats += texts.of(post).size > 0
        texts.add(post)
    assert repeats <= 4
    edited = [misspell(post, rng) for post in chosen if len(post) > 25][:100]
    assert all(texts.of(post).size for post in edited)
