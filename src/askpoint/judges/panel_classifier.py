"""A panel as one classifier: what its judges say together of an item, and how surely."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from askpoint.errors import InputError
from askpoint.judges.checks.common_correlation import COMMON_CORRELATION
from askpoint.judges.families import same_family
from askpoint.judges.methods.dawid_skene import fit_labels
from askpoint.judges.sketch.vote_sketch import VoteSketch
from askpoint.measures.inputs import FloatArray, IntArray

__all__ = ["PanelClassifier", "PanelOpinion", "fit_panel", "pool_probabilities"]

_FEWEST = 3 - 1e-9  # of families: fewer do not determine accuracies
_ALIKE = 0.8  # of judges whose accuracies votes do not tell: any number above 1 / 2 gives one order
_CLIP = 1e-4  # no token is surer than that (spec V13)


@dataclass(frozen=True)
class PanelOpinion:
    """What a panel says of items.

    Attributes
    ----------
    prediction : ndarray of int of shape (n_items,)
        Position of the label that it gives.
    confidence : ndarray of shape (n_items,)
        Probability of that label, as if errors of the judges correlated as those of model judges do: an
        order, which labels by people must calibrate.
    """

    prediction: IntArray
    confidence: FloatArray


@dataclass(frozen=True, kw_only=True, eq=False)
class PanelClassifier:
    """What each judge's vote says of the true label, learned from votes alone.

    Parameters
    ----------
    judges, labels : tuple of str
    prevalence : ndarray of shape (n_labels,)
    meaning : ndarray of shape (n_judges, n_labels, n_labels)
        By judge, vote and true label, the logarithm of the share of such votes; of k judges of one family
        the k-th part, and of n families less, as if their errors correlated by .32.

    See Also
    --------
    fit_panel : Learn it from votes.
    """

    judges: tuple[str, ...]
    labels: tuple[str, ...]
    prevalence: FloatArray
    meaning: FloatArray

    def opine(self, codes: ArrayLike) -> PanelOpinion:
        """Say of each row of votes (positions of labels, -1 for no vote) which label, and how surely."""
        votes = np.asarray(codes, dtype=np.int64)
        if votes.ndim != 2 or votes.shape[1] != len(self.judges):
            raise InputError(
                f"votes must have a column for each of {len(self.judges)} judges; got the shape {votes.shape}"
            )
        if votes.size and not (votes.min() >= -1 and votes.max() < len(self.labels)):
            raise InputError(
                f"votes must be positions from -1 (none) to {len(self.labels) - 1}; got {votes.min()} to "
                f"{votes.max()}"
            )
        joint = np.tile(np.log(np.maximum(self.prevalence, np.finfo(float).tiny)), (len(votes), 1))
        for of_judge, own in zip(self.meaning, votes.T, strict=True):
            joint += np.where(own[:, None] >= 0, of_judge[own], 0.0)
        posterior = special.softmax(joint, axis=1)
        return PanelOpinion(posterior.argmax(axis=1), posterior.max(axis=1))

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, for a policy."""
        return {
            "judges": list(self.judges),
            "labels": list(self.labels),
            "prevalence": self.prevalence.tolist(),
            "meaning": self.meaning.tolist(),
        }

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> PanelClassifier:
        """Return the panel that `to_dict` wrote."""
        judges, labels = tuple(plain["judges"]), tuple(plain["labels"])
        prevalence, meaning = np.array(plain["prevalence"]), np.array(plain["meaning"])
        if meaning.shape != (len(judges), len(labels), len(labels)) or len(prevalence) != len(
            labels
        ):
            raise InputError(
                f"a panel of {len(judges)} judges and {len(labels)} labels must have as many votes explained; "
                f"got the shape {meaning.shape}. Write the policy again."
            )
        return cls(judges=judges, labels=labels, prevalence=prevalence, meaning=meaning)


def fit_panel(sketch: VoteSketch, families: Mapping[str, str] | None = None) -> PanelClassifier:
    """Learn what each judge's vote says of the true label, from votes alone.

    Parameters
    ----------
    sketch : VoteSketch
    families : mapping of judge to family, optional
        Of k judges of one family each one's vote says the k-th part.

    Returns
    -------
    PanelClassifier
        Dawid and Skene's model, its evidence damped for errors that correlate by .32. Of fewer than three judges or families accuracies cannot be told, and all
        count alike.

    Examples
    --------
    >>> from askpoint import VoteSketch
    >>> from askpoint.judges.panel_classifier import fit_panel
    >>> votes = VoteSketch(3, ["no", "yes"])
    >>> votes.update_codes([[0, 0, 0], [0, 0, 1], [0, 1, 1], [1, 1, 1]], [400, 60, 50, 300])
    >>> said = fit_panel(votes).opine([[0, 0, 0], [0, 1, 1]])
    >>> said.prediction.tolist(), bool(said.confidence[0] > said.confidence[1])
    ([0, 1], True)
    """
    cells, r = sketch.cells(), len(sketch.labels)
    kin = same_family(sketch.judges, families)
    voice = 1 / (1 + kin.sum(axis=1))
    if voice.sum() < _FEWEST:
        share = np.full((r, r), (1 - _ALIKE) / (r - 1))
        np.fill_diagonal(share, _ALIKE)
        confusion = np.tile(share, (len(sketch.judges), 1, 1))
        prevalence = np.full(r, 1 / r)
    else:
        model = fit_labels(cells, r, voice=voice if kin.any() else None)
        confusion, prevalence = model.confusion.transpose(0, 2, 1), model.prevalence
    # so that the confidence of many judges does not run into 1: an order that labels calibrate anyway
    shared = 1 + max(float(voice.sum()) - 1, 0.0) * COMMON_CORRELATION
    return PanelClassifier(
        judges=sketch.judges,
        labels=sketch.labels,
        prevalence=prevalence,
        meaning=np.log(confusion) * voice[:, None, None] / shared,
    )


def pool_probabilities(probability: ArrayLike) -> PanelOpinion:
    """Pool judges' own probabilities of the second of two labels: the mean of their logits.

    Parameters
    ----------
    probability : array-like of shape (n_items, n_judges)
        NaN where a judge says nothing; clipped to [1e-4, 1 - 1e-4].

    Returns
    -------
    PanelOpinion
        Where no judge says anything: the second label, with a confidence of 1 / 2.

    Examples
    --------
    >>> from askpoint.judges.panel_classifier import pool_probabilities
    >>> said = pool_probabilities([[0.9, 0.8], [0.1, float("nan")]])
    >>> said.prediction.tolist(), said.confidence.round(2).tolist()
    ([1, 0], [0.86, 0.9])
    """
    said = np.atleast_2d(np.asarray(probability, dtype=np.float64))
    given = ~np.isnan(said)
    if not ((said[given] >= 0) & (said[given] <= 1)).all():
        raise InputError(
            f"probabilities must be between 0 and 1; got {np.nanmin(said):g} to {np.nanmax(said):g}"
        )
    logit = np.where(given, special.logit(np.where(given, said, 0.5).clip(_CLIP, 1 - _CLIP)), 0.0)
    second = special.expit(logit.sum(axis=1) / np.maximum(given.sum(axis=1), 1))
    prediction = (second >= 0.5).astype(np.int64)
    return PanelOpinion(prediction, np.maximum(second, 1 - second))
