from __future__ import annotations

import numpy as np
from hypothesis import given, settings, strategies as st

from askpoint.arena.simulation.opponents import (
    encode_shades,
    misspell,
    pixels,
    smudge,
    train_on_pixels,
)
from askpoint.unknowns.duplicates import text_digest

RNG = st.integers(0, 2**32).map(np.random.default_rng)
IMAGE = st.text("0123456789abcdefg", min_size=1, max_size=64)


@settings(deadline=None)
@given(st.text("abcde xyz", min_size=1).filter(str.strip), RNG)
def test_a_misspelling_doubles_one_letter(text, rng):
    new = misspell(text, rng)
    assert len(new) == len(text) + 1
    assert any(new == text[: i + 1] + text[i:] for i in range(len(text)))


@settings(deadline=None)
@given(IMAGE, RNG)
def test_a_smudge_changes_three_pixels_by_one_shade(text, rng):
    new = smudge(text, rng)
    change = np.abs(pixels([new])[0] - pixels([text])[0]) * 16
    assert sorted(change[change > 0].round(9)) == [1.0] * min(3, len(text))
    assert text_digest(new) != text_digest(text)


def test_models_learn_what_they_are_shown():
    images = ["0" * 8 + "g" * 8, "g" * 8 + "0" * 8] * 5
    said = train_on_pixels(images, ["low", "high"] * 5)(images[:2])
    assert said.argmax(axis=1).tolist() == [1, 0]  # classes in their order: high, low
    np.testing.assert_allclose(said.sum(axis=1), 1)


def test_shades_say_where_they_are():
    signs = encode_shades("00a0")
    assert len(set(signs)) == 4  # the same shade elsewhere is another sign
    assert encode_shades("00a0")[:2] == encode_shades("00b0")[:2]
