"""Models to beat: trained on texts, or on small images that are written as texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from askpoint.arena.simulation.world import Model
from askpoint.measures.inputs import FloatArray

__all__ = [
    "answers_of",
    "encode_shades",
    "misspell",
    "pixel_classifier",
    "pixels",
    "smudge",
    "text_classifier",
    "train_on_pixels",
]


_SHADES = "0123456789abcdefg"
_SIGNS = 0x4E00  # letters, of which there are enough


def text_classifier() -> Any:
    """Return a logistic regression on runs of two to four characters (TF-IDF)."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    return make_pipeline(
        TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 4), sublinear_tf=True),
        LogisticRegression(C=3, max_iter=1000),
    )


def answers_of(fitted: Any) -> Model:
    """Return what a fitted estimator says of texts."""
    return lambda new: np.asarray(fitted.predict_proba(list(new)))


def pixels(texts: Sequence[str]) -> FloatArray:
    """Return images as vectors of shades between 0 and 1."""
    signs = np.frombuffer("".join(texts).encode("ascii"), dtype=np.uint8)
    shades = signs - np.where(signs < ord("a"), ord("0"), ord("a") - 10)
    return shades.reshape(len(texts), -1) / 16


def pixel_classifier(n_components: int = 300) -> Any:
    """Return a logistic regression on radial features of images that are written as texts."""
    from sklearn.kernel_approximation import Nystroem
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import FunctionTransformer

    return make_pipeline(
        FunctionTransformer(pixels),
        Nystroem(gamma=0.05, n_components=n_components, random_state=0),
        LogisticRegression(C=10, max_iter=1000),
    )


def train_on_pixels(texts: Sequence[str], labels: Sequence[str]) -> Model:
    """Train a logistic regression on 300 radial features of small images."""
    model = pixel_classifier(min(300, len(texts)))
    return answers_of(model.fit(list(texts), list(labels)))


def misspell(text: str, rng: np.random.Generator) -> str:
    """Double one letter: another text that people read as the same."""
    place = int(rng.integers(len(text)))
    return text[: place + 1] + text[place:]


def encode_shades(text: str) -> str:
    """Write each shade as a sign that also says where it is: images are alike place by place."""
    return "".join(chr(_SIGNS + 17 * i + int(sign, 17)) for i, sign in enumerate(text))


def smudge(text: str, rng: np.random.Generator) -> str:
    """Change the shades of three pixels by one: another image that people read as the same."""
    shades = [int(sign, 17) for sign in text]
    for place in rng.choice(len(shades), size=min(3, len(shades)), replace=False):
        shades[place] += 1 if shades[place] < 16 else -1
    return "".join(_SHADES[shade] for shade in shades)
