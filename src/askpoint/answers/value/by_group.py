"""A threshold for each group beside the common one, and a promise for each group under one delta."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from askpoint.answers.value.model_cases import CasePlaces, ModelCases
from askpoint.answers.value.posteriors import posterior_of
from askpoint.answers.value.tomorrow import Tomorrow
from askpoint.errors import NotEstimableError, UnmetError
from askpoint.measures.inputs import FloatArray, IntArray
from askpoint.measures.label_draws import SELECTED
from askpoint.value.curve import ValueCurve
from askpoint.value.guarantees import learn_then_test, rows_needed
from askpoint.value.posterior.group_posterior import GroupCounts, GroupPosterior, fit_groups
from askpoint.value.posterior.group_thresholds import GroupThreshold, choose_group_thresholds
from askpoint.value.posterior.rightness_model import RightnessModel

__all__ = ["GroupPromise", "GroupThresholds", "group_promises", "group_regret", "group_thresholds"]


@dataclass(frozen=True)
class GroupThresholds:
    """Thresholds of groups at a price.

    Parameters
    ----------
    names : tuple of str or None
        Of the groups; None is that of rows that name none.
    groups : tuple of GroupThreshold
        One for each.
    alike : float
        Probability that all groups are alike.
    saved_per_1000 : float
        Checks per 1,000 cases that own thresholds are expected to save against the common one.
    """

    names: tuple[str | None, ...]
    groups: tuple[GroupThreshold, ...]
    alike: float
    saved_per_1000: float

    def find_missed(self) -> tuple[str | None, ...]:
        """Return the groups without a label that as many labels drawn at random would hardly have missed.

        A group of a share q is missed by n labels with a probability of (1 - q)^n; the level is that of labels that
        follow the confidence, divided among the groups (Bonferroni).
        """
        cases = sum(each.n_items for each in self.groups)
        n_labels = sum(each.n_labelled for each in self.groups)
        level = SELECTED / len(self.groups)
        return tuple(
            name
            for name, each in zip(self.names, self.groups, strict=True)
            if each.n_labelled == 0 and (1 - each.n_items / cases) ** n_labels < level
        )


@dataclass(frozen=True)
class GroupPromise:
    """What is promised of a group, under one delta for all groups.

    Parameters
    ----------
    name : str or None
        The group.
    threshold : float
        Infinity where nothing can be promised.
    coverage : float
        Share of its cases answered.
    n_labelled, n_needed : int
        Its labels, and how many it takes to be tested at all.
    is_tested : bool
        Whether it has enough labels to share in delta.
    """

    name: str | None
    threshold: float
    coverage: float
    n_labelled: int
    n_needed: int
    is_tested: bool


def group_thresholds(case: ModelCases, tomorrow: Tomorrow) -> GroupThresholds | None:
    """Return the threshold of each group; None where no one price is stated, or labels are not alike."""
    log, places, objective = case.log, case.places, case.question.objective
    checks = tomorrow.best.checks
    if log is None or log.group is None or checks is None or not objective.has_one_price:
        return None
    if case.is_weighted or places.cluster is not None:
        return None
    names, codes = _groups_of(case)
    common = posterior_of(places, is_weighted=False)
    counts, posterior = _fit(places, common, codes, len(names))
    rng = np.random.default_rng(case.question.seed)
    found = choose_group_thresholds(counts, posterior, checks, tomorrow.best.threshold, rng)
    saved = sum(each.saved_per_1000 * each.n_items for each in found) / log.n_items
    return GroupThresholds(names, found, posterior.alike, saved)


def group_regret(case: ModelCases, common: RightnessModel, rho: float) -> FloatArray:
    """Return what the verdict of now may lose at each row, as far as its group and confidence are known."""
    names, codes = _groups_of(case)
    _, posterior = _fit(case.places, common, codes, len(names))
    place = common.evidence_.group_of(case.places.lowest)
    return np.asarray(posterior.regret(rho)[codes, place], dtype=np.float64)


def _fit(
    places: CasePlaces, common: RightnessModel, codes: IntArray, n_groups: int
) -> tuple[GroupCounts, GroupPosterior]:
    evidence = common.evidence_
    counts = GroupCounts.of_cases(
        evidence, codes, n_groups, places.lowest, places.right, places.wrong
    )
    return counts, fit_groups(counts, common.right_, evidence)


def group_promises(case: ModelCases) -> tuple[GroupPromise, ...]:
    """Return a promise for each group: with probability 1 - delta none of them is broken.

    Which groups are tested follows from numbers of labels alone, so the others cost nothing.
    """
    log, places, objective = case.log, case.places, case.question.objective
    risk, delta = objective.error_limit, objective.promise_delta
    if log is None or log.group is None or risk is None or delta is None:
        return ()
    delta /= case.question.n_models
    names, codes = _groups_of(case)
    labels = np.bincount(codes[log.labelled], minlength=len(names))
    n_tested, needed = _testable(labels, risk, delta)
    found = []
    for code, name in enumerate(names):
        rows, threshold = codes == code, np.inf
        is_tested = bool(n_tested and labels[code] >= needed)
        if is_tested:
            some = rows & log.labelled
            curve = ValueCurve.from_outcomes(places.right[some], places.lowest[some])
            try:
                threshold = learn_then_test(curve, risk, delta, n_models=n_tested)
            except (UnmetError, NotEstimableError):
                threshold = np.inf
        answered = float((places.lowest[rows] >= threshold).mean())
        found.append(GroupPromise(name, threshold, answered, int(labels[code]), needed, is_tested))
    return tuple(found)


def _testable(labels: IntArray, risk: float, delta: float) -> tuple[int, int]:
    """How many groups share delta, and the labels each needs: the most that all have enough."""
    ordered = np.sort(labels)[::-1]
    for m in range(len(ordered), 0, -1):
        needed = rows_needed(risk, delta / m)
        if ordered[m - 1] >= needed:
            return m, needed
    return 0, rows_needed(risk, delta)


def _groups_of(case: ModelCases) -> tuple[tuple[str | None, ...], IntArray]:
    """Names of the groups that occur, and the group of each row."""
    log = case.log
    if log is None or log.group is None:
        return (), np.zeros(0, dtype=np.int64)
    used, codes = np.unique(log.group.codes, return_inverse=True)
    return tuple(log.group.names[code] for code in used.tolist()), codes
