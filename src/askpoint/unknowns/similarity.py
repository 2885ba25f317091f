"""Is a probe like an earlier successful one? The classifier of the game's design 5.

Whoever finds a vulnerability can submit it again and again in other words. A probe that is
like an earlier success earns less, so that players look for new kinds of mistakes. The
classifier learns from earlier probes only, and its version names all that it learned from:
score and version can be frozen at submission.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy import special
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

from askpoint.errors import InputError
from askpoint.measures.inputs import FloatArray, as_finite
from askpoint.unknowns.duplicates import (
    NEAR,
    canonical_text,
    minhash_signatures,
    resemblances,
    text_digest,
)

__all__ = ["Similarities", "SimilarityClassifier"]

_INVERSE_PENALTY = 10.0
_BELOW = 0.95  # share of the texts known to be unlike that the floors leave at 0
_FEWEST = 4  # of them, to learn floors from
_NEAREST = (
    0.6  # cosine below which runs of characters make no like find; benchmarks/bench_similarity.py
)

_Vectors = Callable[[Sequence[str]], Any]
_Told = Callable[[Sequence[str]], tuple[FloatArray, FloatArray]]


class Similarities(NamedTuple):
    """How similar texts are to earlier successful probes, and why.

    Parameters
    ----------
    scores : ndarray of shape (n_texts,)
        0 unlike all, 1 the same (symbol s).
    reasons : tuple of str
        "same text", "near-duplicate", "classifier", or "nothing earlier" for each.
    """

    scores: FloatArray
    reasons: tuple[str, ...]


class SimilarityClassifier:
    """Scores how similar a text is to earlier successful probes, between 0 and 1.

    A text that reads the same as an earlier success, or resembles one by 0.8, scores 1. Of all
    others a logistic regression tells how likely each is to be one more of the earlier successes
    and not of the other texts, over runs of two to four characters (TF-IDF) or over embeddings,
    and the cosine of the nearest success how near. Both are measured from a floor: what the other
    texts, of which each is known to be unlike, reach where they were not learned from (95 of 100
    lie below), and over characters a cosine of 0.6 at least, since finds of other kinds share more
    with each other than with everyday texts. The score is the one above its floor times the root of
    the other above its own, so that what is as unlike as those scores 0. Without an earlier success everything scores 0;
    without other texts only the first two rules hold.

    Parameters
    ----------
    successful : sequence of str
        Earlier probes whose mistakes were verified, of one kind of mistake.
    others : sequence of str
        Earlier probes that failed, and a sample of the model's training or reference texts.
    embed : callable, optional
        Takes a sequence of texts and returns an array of shape (n_texts, n_dimensions); used
        in place of the characters.
    embedding : str, optional
        The name of that embedding and its version; needed with `embed`.

    Attributes
    ----------
    version : str
        Digest of all that was learned from; the same for the same texts in any order.
    floor : float
        Probability of a success that other texts reach; near 1, successes cannot be told from
        them, and nothing but near-duplicates scores above 0.

    Raises
    ------
    InputError
        If a text is empty, an embedding has no name, or does not give one vector a text.

    References
    ----------
    Attenberg, Ipeirotis and Provost, "Beat the Machine", ACM JDIQ 6 (2015), design 5.

    Examples
    --------
    >>> from askpoint.unknowns.similarity import SimilarityClassifier
    >>> earlier = ["you people from the north", "people from the north again"]
    >>> others = ["nice weather today", "the match starts at nine", "see you at lunch", "so late"]
    >>> classifier = SimilarityClassifier(earlier, others)
    >>> scores, reasons = classifier.similarities(
    ...     ["You people from the north", "the people in the north", "lunch at nine"]
    ... )
    >>> reasons
    ('same text', 'classifier', 'classifier')
    >>> bool(scores[0] == 1 and scores[1] > 0.3 and scores[2] == 0)
    True
    """

    def __init__(
        self,
        successful: Sequence[str],
        others: Sequence[str],
        *,
        embed: _Vectors | None = None,
        embedding: str = "",
    ) -> None:
        if (embed is None) != (not embedding):
            raise InputError(
                "an embedding needs both its function and its name: give embed and embedding"
            )
        # sorted, so that the same texts in another order learn the same
        wanted = sorted(map(canonical_text, successful))
        unwanted = sorted(map(canonical_text, others))
        self.embedding = embedding or "characters"
        digest = hashlib.sha256(f"3 {self.embedding}".encode())
        for texts in (wanted, unwanted):
            digest.update("\0".join(["", *map(text_digest, texts)]).encode() + b"\1")
        self.version = digest.hexdigest()[:16]
        self._digests = frozenset(map(text_digest, wanted))
        self._signatures = minhash_signatures(wanted)
        self._told: _Told | None = None
        least = _NEAREST if embed is None else 0.0
        self.floor, self._near_floor = 0.0, least
        if wanted and unwanted:
            self._told = _learn(wanted, unwanted, embed)
            if len(unwanted) >= _FEWEST:
                self.floor, near = _floors(wanted, unwanted, embed)
                self._near_floor = max(near, least)

    def similarities(self, texts: Sequence[str]) -> Similarities:
        """Score texts against all that the classifier learned from.

        Parameters
        ----------
        texts : sequence of str
            Texts, none empty.

        Returns
        -------
        Similarities

        Raises
        ------
        InputError
            If a text is empty.
        """
        shown = [canonical_text(text) for text in texts]
        if not self._digests or not shown:
            return Similarities(np.zeros(len(shown)), ("nothing earlier",) * len(shown))
        scores: FloatArray = np.zeros(len(shown))
        if self._told is not None:
            likely, near = self._told(shown)
            scores = _above(likely, self.floor) * np.sqrt(_above(near, self._near_floor))
        same = np.array([text_digest(text) in self._digests for text in shown])
        copies = resemblances(minhash_signatures(shown), self._signatures).max(axis=1) >= NEAR
        scores[same | copies] = 1.0
        reasons = np.select([same, copies], ["same text", "near-duplicate"], "classifier")
        return Similarities(scores, tuple(reasons.tolist()))


def _learn(wanted: Sequence[str], unwanted: Sequence[str], embed: _Vectors | None) -> _Told:
    """Return the probability of a success, and the nearest one's cosine, as functions of texts."""
    texts, success = [*wanted, *unwanted], np.repeat([1, 0], [len(wanted), len(unwanted)])
    if embed is None:
        tfidf = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 4), sublinear_tf=True)
        features = tfidf.fit_transform(texts)
        vectors: _Vectors = tfidf.transform
    else:
        vectors = _unit_vectors(embed)
        features = vectors(texts)
    model = LogisticRegression(C=_INVERSE_PENALTY, class_weight="balanced", max_iter=1000)
    model.fit(features, success)
    weights, intercept = model.coef_[0], model.intercept_[0]
    successes = features[: len(wanted)].T

    def score(new: Sequence[str]) -> tuple[FloatArray, FloatArray]:
        at = vectors(new)
        cosines = at @ successes
        cosines = cosines if embed is not None else cosines.toarray()
        return special.expit(np.asarray(at @ weights + intercept)), cosines.max(axis=1)

    return score


def _floors(
    wanted: Sequence[str], unwanted: Sequence[str], embed: _Vectors | None
) -> tuple[float, float]:
    """What the unlike texts reach where they were not learned from: each half by the other."""
    halves = unwanted[::2], unwanted[1::2]
    scores = [
        _learn(wanted, half, embed)(held) for half, held in zip(halves, halves[::-1], strict=True)
    ]
    likely, near = (np.concatenate(column) for column in zip(*scores, strict=True))
    return float(np.quantile(likely, _BELOW)), float(np.quantile(near, _BELOW))


def _above(values: FloatArray, floor: float) -> FloatArray:
    """How far values lie above a floor, as a share of what is above it."""
    above: FloatArray = np.clip((values - floor) / max(1 - floor, 1e-9), 0.0, 1.0)
    return above


def _unit_vectors(embed: _Vectors) -> _Vectors:
    def vectors(texts: Sequence[str]) -> FloatArray:
        array = as_finite(embed(texts), "embeddings", ndim=2)
        if len(array) != len(texts):
            raise InputError(
                f"an embedding must give one vector a text: got {len(array)} for {len(texts)} texts"
            )
        length = np.linalg.norm(array, axis=1, keepdims=True)
        return array / np.where(length > 0, length, 1)

    return vectors
