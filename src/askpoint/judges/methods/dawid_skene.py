"""Dawid and Skene's model: judges whose votes depend on the true label alone, fitted by EM."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from askpoint.errors import NotEstimableError
from askpoint.judges.evaluation import Evaluation, EvaluationIntervals, name_evaluation
from askpoint.judges.families import same_family
from askpoint.judges.methods.information import effective_interval, effective_sizes
from askpoint.judges.sketch.vote_sketch import VoteCells, VoteSketch
from askpoint.judges.sketch.voters import usable_judges
from askpoint.measures.inputs import FloatArray, as_level

__all__ = [
    "FEW_VOTES",
    "ConfusionsEvaluation",
    "LabelModel",
    "as_confusions",
    "evaluate_dawid_skene",
    "fit_labels",
]

FEW_VOTES = 20
"""On fewer votes on a label intervals hold the truth less often than they say: measured."""

_FEWEST = 3 - 1e-9  # of families; fewer do not determine accuracies
_STEPS = 300
_PRECISION = 1e-8
_GAIN = 1e-4  # of the log likelihood: more would show beside the intervals of a million items
_PRIOR = 0.1  # of a vote on each entry of a confusion matrix, so that none becomes impossible


@dataclass(frozen=True)
class LabelModel:
    """Prevalences and confusion matrices, and what they say of each pattern.

    Attributes
    ----------
    prevalence : ndarray of shape (n_labels,)
    confusion : ndarray of shape (n_judges, n_labels, n_labels)
        Share of the votes for each label (last axis) on items of each true label.
    posterior : ndarray of shape (n_patterns, n_labels)
        Probability of each true label given the votes.
    log_likelihood : float
    """

    prevalence: FloatArray
    confusion: FloatArray
    posterior: FloatArray
    log_likelihood: float


def fit_labels(
    cells: VoteCells,
    n_labels: int,
    start: FloatArray | None = None,
    voice: FloatArray | None = None,
) -> LabelModel:
    """Fit the model to vote patterns by expectation and maximisation.

    `voice` is how much each judge's vote says of the truth, by default all of it.
    """
    votes, counts = cells
    (m, n), weights = votes.shape, counts.astype(np.float64)
    rows, judges = np.nonzero(votes >= 0)
    columns = judges * n_labels + votes[rows, judges]
    said = sparse.csr_array((np.ones(len(rows)), (rows, columns)), shape=(m, n * n_labels))
    by_vote = sparse.csr_array(said.T)
    if start is None:
        tally = np.column_stack([(votes == label).sum(axis=1) for label in range(n_labels)])
        posterior = (tally + 1 / n_labels) / (tally.sum(axis=1, keepdims=True) + 1)
    else:
        posterior = start
    before = -np.inf
    for _ in range(_STEPS):
        mass = posterior * weights[:, None]
        prevalence = mass.sum(axis=0) / weights.sum()
        confusion_counts = (by_vote @ mass).reshape(
            n, n_labels, n_labels
        ) + _PRIOR  # judge, vote, truth
        confusion_counts /= confusion_counts.sum(axis=1, keepdims=True)
        with np.errstate(divide="ignore"):  # a label may die out
            meaning = (
                np.log(confusion_counts)
                if voice is None
                else np.log(confusion_counts) * voice[:, None, None]
            )
            joint = said @ meaning.reshape(-1, n_labels) + np.log(prevalence)
        # as SciPy's logsumexp, which takes ten times as long over the few patterns of a panel
        top = joint.max(axis=1, keepdims=True)
        share = np.exp(joint - top)
        total = share.sum(axis=1, keepdims=True)
        evidence = top + np.log(total)
        posterior = share / total
        reached = float(weights @ evidence[:, 0])
        if reached - before <= min(_PRECISION * abs(reached), _GAIN):
            break
        before = reached
    return LabelModel(prevalence, confusion_counts.transpose(0, 2, 1), posterior, reached)


@dataclass(frozen=True)
class ConfusionsEvaluation(Evaluation):
    """An evaluation that knows what judges say instead: see `Evaluation`, and beside it:

    Attributes
    ----------
    confusion : mapping of judge to mapping of label to mapping of label to float
        ``confusion[judge][true][said]``, shares of the votes on items of a true label; no
        entry for a judge who never voted.
    n_votes : mapping of judge to mapping of label to float
        Votes of the judge on items of that true label, as the fit sees them.
    """

    confusion: Mapping[str, Mapping[str, Mapping[str, float]]] = field(default_factory=dict)
    n_votes: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    _fit: tuple[VoteCells, LabelModel] = field(kw_only=True, repr=False, compare=False)

    @property
    def posterior(self) -> FloatArray:
        """Probability of each true label, by vote pattern in the order of the sketch's cells."""
        return self._fit[1].posterior

    @property
    def few_votes(self) -> tuple[str, ...]:
        """Judges with fewer than `FEW_VOTES` votes on the items of a label."""
        return tuple(judge for judge, row in self.n_votes.items() if min(row.values()) < FEW_VOTES)

    def interval(self, level: float = 0.95) -> EvaluationIntervals:
        """Intervals for the shares in the long run, as far as the judges err independently.

        They are of the prevalence and the accuracies of which these items are a sample, and so
        wider than for the shares among these items. Below `FEW_VOTES` votes of a judge on a
        label they hold the truth less often than `level` says.
        """
        as_level(level, "level")
        cells, model = self._fit
        sizes, of_judges = effective_sizes(
            cells, model.prevalence, model.confusion, model.posterior, _PRIOR
        )
        sizes_of = dict(zip(self.confusion, of_judges.tolist(), strict=True))
        return EvaluationIntervals(
            {
                label: effective_interval(float(share), size, level)
                for (label, share), size in zip(self.prevalence.items(), sizes, strict=True)
            },
            {
                judge: {
                    label: None if share is None else effective_interval(float(share), size, level)
                    for (label, share), size in zip(
                        row.items(), sizes_of.get(judge, [0.0] * len(row)), strict=True
                    )
                }
                for judge, row in self.accuracy.items()
            },
        )


def as_confusions(
    sketch: VoteSketch,
    cells: VoteCells,
    model: LabelModel,
    usable: NDArray[np.bool_],
    undefined: Mapping[str, str],
) -> ConfusionsEvaluation:
    """Name the numbers of prevalences and confusion matrices."""
    accuracy = np.full((len(sketch.judges), len(sketch.labels)), np.nan)
    accuracy[usable] = np.diagonal(model.confusion, axis1=1, axis2=2)
    names = [judge for judge, used in zip(sketch.judges, usable, strict=True) if used]
    there = sparse.csr_array(cells.votes >= 0)
    n_votes = there.T @ (model.posterior * cells.counts[:, None])
    return ConfusionsEvaluation(
        **vars(name_evaluation(sketch, model.prevalence, accuracy, undefined)),
        confusion={
            judge: {
                true: dict(zip(sketch.labels, row, strict=True))
                for true, row in zip(sketch.labels, matrix, strict=True)
            }
            for judge, matrix in zip(names, model.confusion.tolist(), strict=True)
        },
        n_votes={
            judge: dict(zip(sketch.labels, row, strict=True))
            for judge, row in zip(names, n_votes.tolist(), strict=True)
        },
        _fit=(cells, model),
    )


def evaluate_dawid_skene(
    sketch: VoteSketch, *, families: Mapping[str, str] | None = None
) -> ConfusionsEvaluation:
    """Evaluate judges by Dawid and Skene's latent labels.

    The usual answer for crowds: many judges, few votes each, any number of labels. It assumes
    that judges err independently given the label, and takes no notice where they do not; the
    start from the majority takes most judges to be better than chance.

    Parameters
    ----------
    sketch : VoteSketch
        At least three judges must have voted: with two, accuracies and chance agreement cannot be
        told apart.
    families : mapping of judge to family, optional
        Judges made from one model, or runs of one judge: of k such judges each one's vote says
        the k-th part of what it would say alone.

    Returns
    -------
    ConfusionsEvaluation

    Raises
    ------
    NotEstimableError
        If fewer than three judges, or judges of fewer than three families, voted.

    References
    ----------
    Dawid and Skene, Applied Statistics 28 (1979).

    Examples
    --------
    >>> from askpoint.judges.methods.dawid_skene import evaluate_dawid_skene
    >>> from askpoint.judges.sketch.vote_sketch import VoteSketch
    >>> sketch = VoteSketch(["ann", "bob", "cy"], ["ham", "spam"])
    >>> sketch.update_codes([[0, 0, 0], [0, 0, 1], [1, 1, 1], [1, -1, 1]], [40, 20, 35, 5])
    >>> round(evaluate_dawid_skene(sketch).prevalence["ham"], 2)
    0.6
    """
    cells = sketch.cells()
    usable, undefined = usable_judges(sketch, cells.votes)
    own = VoteCells(cells.votes[:, usable], cells.counts)
    voice = None
    if families:
        kin = same_family(sketch.judges, families)[np.ix_(usable, usable)]
        voice = 1 / (1 + kin.sum(axis=1))
        if voice.sum() < _FEWEST:
            raise NotEstimableError(
                "the judges who voted are of fewer than three families, and judges of one family "
                "do not err independently; add judges of another, or label some items"
            )
    model = fit_labels(own, len(sketch.labels), voice=voice)
    return as_confusions(sketch, own, model, usable, undefined)
