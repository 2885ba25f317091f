"""Which earlier finds might say the same in other words? Nothing small decides that, so judges are shown the nearest.

Texts are compared by words and by the beginnings of words, rare ones first, and by runs of four letters. The player's
own finds come first: who writes the same again in other words is paid for each, and own finds are few enough for the
source to be among those that are shown.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from askpoint.arena.game.folding import fold_words

__all__ = ["MOST_SHOWN", "EarlierFind", "disguise_text", "nearest_finds"]

MOST_SHOWN = 5
"""Earlier finds that judges are shown at most."""

_OF_OTHERS = 1  # of those shown, where there are enough own ones
_STEM, _RUN = 5, 4  # letters
_LEAST_WORD = 3
_FEWEST = 4  # words of a text that can be told from its disguise and is still read as the same


class EarlierFind(NamedTuple):
    """A find that a text is compared with."""

    id: str
    text: str
    player: str


def nearest_finds(text: str, player: str, finds: Sequence[EarlierFind]) -> list[EarlierFind]:
    """Return the finds that a text of `player` most likely repeats in other words, the nearest first."""
    features = [_features(find.text) for find in finds]
    weights = _weights([*features, _features(text)])
    sought = _weigh(_features(text), weights)
    likeness = {
        find.id: _cosine(sought, _weigh(of, weights))
        for find, of in zip(finds, features, strict=True)
    }
    ranked = sorted(finds, key=lambda find: (-likeness[find.id], find.id))
    own = [find for find in ranked if find.player == player]
    others = [find for find in ranked if find.player != player]
    n_others = max(_OF_OTHERS, MOST_SHOWN - len(own))
    shown = [*others[:n_others], *own][:MOST_SHOWN]
    return sorted(shown, key=lambda find: (-likeness[find.id], find.id))


def _features(text: str) -> Counter[str]:
    words = [word for word in fold_words(text) if len(word) >= _LEAST_WORD]
    found = Counter(f"word {word}" for word in set(words))
    found.update(f"stem {word[:_STEM]}" for word in set(words))
    found.update(
        f"run {word[i : i + _RUN]}" for word in set(words) for i in range(len(word) - _RUN + 1)
    )
    return found


def _weights(texts: Sequence[Counter[str]]) -> dict[str, float]:
    """Return how much each feature tells: the fewer texts hold it, the more."""
    held = Counter(feature for text in texts for feature in text)
    return {feature: math.log((len(texts) + 1) / count) for feature, count in held.items()}


def _weigh(features: Counter[str], weights: dict[str, float]) -> dict[str, float]:
    return {feature: weights[feature] for feature in features}


def _cosine(one: dict[str, float], other: dict[str, float]) -> float:
    shared = sum(weight * other[feature] for feature, weight in one.items() if feature in other)
    norms = math.sqrt(sum(w * w for w in one.values()) * sum(w * w for w in other.values()))
    return shared / norms if norms else 0.0


def disguise_text(text: str) -> str | None:
    """Return a text that people read as the same: its second half first; None where it is too short."""
    words = text.split()
    if len(words) < _FEWEST:
        return None
    middle = len(words) // 2
    return " ".join([*words[middle:], *words[:middle]])
