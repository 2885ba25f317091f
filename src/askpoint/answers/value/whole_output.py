"""What is promised of a whole output: what the model answers, and what people say of the rest."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from askpoint.answers.value.model_cases import ModelCases
from askpoint.errors import InputError, LogError, ObjectiveError
from askpoint.measures.inputs import BoolArray
from askpoint.measures.intervals import clopper_pearson
from askpoint.value.acceptance import (
    audit_acceptance_number,
    batch_acceptance_number,
    labels_for_more,
    mistakes_allowed,
    stream_acceptance_number,
    threshold_before,
)
from askpoint.value.acceptance_again import threshold_at_any_time
from askpoint.value.acceptance_reviewers import ErringReviewers, threshold_with_reviewers
from askpoint.value.limits import MaxMistakes

__all__ = ["OutputPromise", "PeopleErrors", "Scope", "WholeOutput", "audit_rows", "whole_output_of"]

Scope = Literal["batch", "stream", "audit"]

_MEASURED = 0.4  # share of delta for how often people err, where that is measured


@dataclass(frozen=True)
class OutputPromise:
    """A threshold, and what is promised of all cases if the model answers from there on.

    Parameters
    ----------
    scope : {"batch", "stream", "audit"}
        Of which cases: those of the log by labels drawn at random; new ones; those of the log by audits
        from the surest case down.
    threshold : float
        Infinity where nothing can be promised.
    answered, labelled, asked : int
        Rows that the model decides and nobody looked at; rows with a label; the others.
    seen : int
        Labelled mistakes among the answers.
    accepted : int or None
        So many may be passed; None where the rule is no such number.
    reason : str or None
        Why nothing can be promised.
    """

    scope: Scope
    threshold: float
    answered: int
    labelled: int
    asked: int
    seen: int
    accepted: int | None
    reason: str | None = None

    @property
    def is_given(self) -> bool:
        """Whether anything is left to the model."""
        return math.isfinite(self.threshold)

    @property
    def coverage(self) -> float:
        """Share of all rows that are left to the model."""
        return self.answered / (self.answered + self.labelled + self.asked)


@dataclass(frozen=True)
class PeopleErrors:
    """How often people err, as far as the promise allows for it.

    Parameters
    ----------
    error_rate : float
        At most; as stated, or the upper end of an interval.
    n_cases : int or None
        On so many cases it was measured; None where it was stated.
    mistakes : int
        So many mistakes people may make in this output.
    """

    error_rate: float
    n_cases: int | None
    mistakes: int


@dataclass(frozen=True)
class WholeOutput:
    """A promise about every case, the part of people included.

    Parameters
    ----------
    share, delta : float
        At most this share is wrong, but for this probability.
    n_models : int
        So many models share delta.
    look : {"once", "again"}
        Whether it may be looked at again while labels come.
    mistakes_allowed : int
        Mistakes that the output may hold (symbol T).
    kept : OutputPromise
        The promise in force.
    others : tuple of OutputPromise
        What the other forms would leave to the model.
    people : PeopleErrors or None
        None where people are taken to be right.
    next_labels : int or None
        With so many labels one more mistake may be passed; None where more labels bring none.
    audit_share : float or None
        Chance of an audit, where they walk from the surest case down.
    next_audit : bool
        Whether the walk can go on.
    n_labels : int
        Labels so far.
    log_digest : str or None
        Of the cases without their labels, by which a later look knows the batch.
    """

    share: float
    delta: float
    n_models: int
    look: Literal["once", "again"]
    mistakes_allowed: int
    kept: OutputPromise
    others: tuple[OutputPromise, ...]
    people: PeopleErrors | None
    next_labels: int | None
    audit_share: float | None
    next_audit: bool
    n_labels: int
    log_digest: str | None

    @property
    def is_of_log(self) -> bool:
        """Whether something is promised of the cases of the log, and so of no others."""
        return self.kept.is_given and self.kept.scope != "stream"


def whole_output_of(case: ModelCases) -> WholeOutput | None:
    """Return the promise about the whole output that an objective makes; None for any other."""
    question, places = case.question, case.places
    objective = question.objective
    if not isinstance(objective, MaxMistakes):
        return None
    _refuse_other_labels(case)
    look = question.look or "once"
    n, n_labelled = int(places.items.sum()), round(float((places.right + places.wrong).sum()))
    delta = objective.delta / question.n_models
    digest = None if case.log is None else case.log.digest(labels=False)
    if look == "once":
        _refuse_second_look(question.since, digest, n_labelled)
    start = WholeOutput(
        share=objective.share,
        delta=objective.delta,
        n_models=question.n_models,
        look=look,
        mistakes_allowed=mistakes_allowed(n, objective.share),
        kept=_nothing(case, "batch", ""),
        others=(),
        people=None,
        next_labels=None,
        audit_share=question.audit_share,
        next_audit=False,
        n_labels=n_labelled,
        log_digest=digest,
    )
    if question.audit_share is not None:
        return _by_audits(case, start, delta)
    if objective.people_right is not None or (case.log is not None and case.log.people is not None):
        return _with_people(case, start, objective, delta)
    stream = _of_stream(case, n_labelled, start.share, delta)
    if n_labelled == n:
        if look == "again":
            raise ObjectiveError(
                "--look again is for labels that come into one batch; here every case has one, and a promise "
                "about new cases (--max-mistakes) is looked at once: leave out --look, or take --max-error"
            )
        return replace(start, kept=stream)
    batch, again = (
        _of_batch(case, n_labelled, start.mistakes_allowed, delta),
        _again(case, start, delta),
    )
    return replace(
        start,
        kept=batch if look == "once" else again,
        others=(again if look == "once" else batch, stream),
        next_labels=labels_for_more(n, n_labelled, start.mistakes_allowed, delta)
        if look == "once"
        else None,
    )


def audit_rows(case: ModelCases, chance: float, seed: int) -> BoolArray:
    """Which rows are audited on the way down: the same ones each time, whatever their labels."""
    coins = np.random.default_rng(seed).random(len(case.places.items))
    return np.asarray(coins < chance)


def _of_batch(case: ModelCases, n_labelled: int, allowed: int, delta: float) -> OutputPromise:
    n = int(case.places.items.sum())
    accepted = batch_acceptance_number(n, n_labelled, allowed, delta)
    if accepted < 0:
        needed = labels_for_more(n, n_labelled, allowed, delta)
        reason = (
            f"{n_labelled:,} labels cannot promise it, whatever they say: it takes {needed:,}"
            if needed is not None
            else "no number of labels can promise it"
        )
        return _nothing(case, "batch", reason, accepted)
    return _promise(
        case, "batch", threshold_before(*_confidences(case), accepted), accepted=accepted
    )


def _of_stream(case: ModelCases, n_labelled: int, share: float, delta: float) -> OutputPromise:
    accepted = stream_acceptance_number(n_labelled, share, delta)
    if accepted < 0:
        return _nothing(
            case, "stream", f"{n_labelled:,} labels cannot promise it of new cases", accepted
        )
    return _promise(
        case, "stream", threshold_before(*_confidences(case), accepted), accepted=accepted
    )


def _again(case: ModelCases, start: WholeOutput, delta: float) -> OutputPromise:
    log = case.log
    if log is None:
        return _nothing(case, "batch", "looked at again, it takes rows that are kept (--exact)")
    labelled = case.places.lowest[log.labelled]
    right = case.places.right[log.labelled] > 0
    threshold = threshold_at_any_time(
        case.places.lowest, labelled, right, allowed=start.mistakes_allowed, delta=delta
    )
    reason = f"after {start.n_labels:,} labels no threshold is proven yet at any time"
    return _promise(case, "batch", threshold, reason=reason)


def _by_audits(case: ModelCases, start: WholeOutput, delta: float) -> WholeOutput:
    """Walk down the audits as far as they have labels, or up to the mistake that is one too many."""
    log, chance, places = case.log, float(start.audit_share or 0.0), case.places
    if log is None:
        raise ObjectiveError("audits from the surest case down take rows that are kept (--exact)")
    if start.look == "again":
        start = replace(start, look="once")
    accepted = audit_acceptance_number(start.mistakes_allowed, chance, delta)
    if accepted < 0:
        reason = (
            f"audits of {chance:g} of the cases cannot promise at most {start.mistakes_allowed:,} mistakes: "
            "take a greater --audit-share"
        )
        return replace(start, kept=_nothing(case, "audit", reason, accepted))
    drawn = audit_rows(case, chance, case.question.seed)
    open_ones = places.lowest[drawn & ~log.labelled]
    mistakes = places.lowest[drawn & (places.wrong > 0)]
    threshold = threshold_before(places.lowest, mistakes, accepted)
    goes_on = bool(open_ones.size and open_ones.max() >= threshold)
    if goes_on:
        threshold = max(threshold, threshold_before(places.lowest, open_ones, 0))
    reason = "no audit has a label yet: --propose 50 writes down the first"
    kept = _promise(case, "audit", threshold, reason=reason, accepted=accepted, of=drawn)
    return replace(start, kept=kept, next_audit=goes_on)


def _with_people(
    case: ModelCases, start: WholeOutput, objective: MaxMistakes, delta: float
) -> WholeOutput:
    """The promise where people err: at a rate that is stated, or measured beside the labels."""
    log = case.log
    if log is None:
        raise ObjectiveError("people's errors take rows that are kept (--exact)")
    if start.look == "again":
        raise ObjectiveError(
            "where people err, a promise is looked at once: leave out --look again, or --people-right"
        )
    n_cases = None
    if objective.people_right is not None:
        rate, also_label = 1 - objective.people_right, True
    else:
        rate, n_cases = _measured_rate(case, _MEASURED * delta)
        delta, also_label = (1 - _MEASURED) * delta, False
    right = case.places.right[log.labelled]
    found = threshold_with_reviewers(
        case.places.lowest,
        case.places.lowest[log.labelled],
        right,
        share=start.share,
        delta=delta,
        reviewers=ErringReviewers(rate, also_label),
    )
    n = log.n_items
    reason = f"no threshold passes with {start.n_labels:,} labels"
    if not math.isfinite(found.threshold) and rate * n > start.mistakes_allowed:
        reason = (
            f"your people's errors alone exceed it: asked about all {n:,} cases they may get "
            f"{rate * n:,.0f} wrong, and the limit is {start.mistakes_allowed:,}"
        )
    kept = _promise(case, "batch", found.threshold, reason=reason)
    return replace(start, kept=kept, people=PeopleErrors(rate, n_cases, found.by_people))


def _measured_rate(case: ModelCases, delta: float) -> tuple[float, int]:
    """Upper end of how often people err (Clopper-Pearson), where labels are the truth."""
    log = case.log
    if log is None or log.people is None:
        raise LogError("name the column of people's answers (--people COLUMN)")
    both = log.labelled & log.people.given
    n = int(both.sum())
    if not n:
        raise LogError(
            "no row has both a label and a person's answer: ask another person to label some of the cases that people "
            "looked at"
        )
    wrong = log.people.codes[both[log.people.given]] != log.label[both[log.labelled]]
    return clopper_pearson(float(wrong.sum()), float(n), 1 - 2 * delta).upper, n


def _refuse_second_look(
    since: Mapping[str, Any] | None, digest: str | None, n_labelled: int
) -> None:
    """Refuse to look again at a batch that was looked at once, with fewer labels."""
    chosen: Any = {} if since is None else since.get("recommended") or {}
    earlier = chosen.get("whole_output")
    if not isinstance(earlier, Mapping) or earlier.get("audit_share") is not None:
        return
    n = earlier.get("n_labels")
    if digest is not None and earlier.get("log_digest") == digest and n != n_labelled:
        raise InputError(
            f"the report of {n} labels already looked at this batch, which has {n_labelled} by now: a promise "
            "for one look would be broken more often than it says; take --look again"
        )


def _refuse_other_labels(case: ModelCases) -> None:
    """Refuse labels that were not drawn one by one at random from these cases."""
    log = case.log
    if case.places.cluster is not None:
        raise ObjectiveError(
            "a promise counts cases drawn one by one, and --cluster says that some belong together: keep "
            "one row of each cluster, or leave out --max-mistakes"
        )
    if case.question.audit_share is not None:
        return
    if log is not None and log.chosen is not None:
        raise ObjectiveError(
            "labels that --propose chose are not drawn at random, so they promise nothing of the whole "
            "output: label cases drawn at random, or walk down from the surest case (--audit-share)"
        )
    if case.is_weighted:
        raise ObjectiveError(
            "guarantees count cases: they hold for unweighted labels drawn at random only"
        )


def _confidences(case: ModelCases) -> tuple[np.ndarray, np.ndarray]:
    """Confidences of all places, and of each labelled mistake."""
    places = case.places
    return places.lowest, np.repeat(places.lowest, places.wrong.astype(np.int64))


def _promise(
    case: ModelCases,
    scope: Scope,
    threshold: float,
    *,
    reason: str | None = None,
    accepted: int | None = None,
    of: BoolArray | None = None,
) -> OutputPromise:
    """Count what becomes of the rows at a threshold."""
    places = case.places
    if not math.isfinite(threshold):
        reason = reason or "the surest cases are wrong too often"
    else:
        reason = None
    known = places.right + places.wrong
    above = places.above(threshold)
    seen = places.wrong * above if of is None else places.wrong * (above & of)
    n, labelled = int(places.items.sum()), round(float(known.sum()))
    answered = round(float(((places.items - known) * above).sum()))
    return OutputPromise(
        scope=scope,
        threshold=threshold,
        answered=answered,
        labelled=labelled,
        asked=n - labelled - answered,
        seen=round(float(seen.sum())),
        accepted=accepted,
        reason=reason,
    )


def _nothing(
    case: ModelCases, scope: Scope, reason: str, accepted: int | None = None
) -> OutputPromise:
    return _promise(case, scope, math.inf, reason=reason, accepted=accepted)
