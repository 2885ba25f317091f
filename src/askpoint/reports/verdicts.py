"""Names of baseline policies, and reasons for no verdict."""

from __future__ import annotations

from askpoint.answers.value.baselines import Baseline
from askpoint.answers.value.refusals import (
    HeavyLabels,
    NoLabels,
    Refusal,
    SelectiveLabels,
    UnknownMistakes,
)
from askpoint.reports.document import join_options
from askpoint.reports.words import amount, count, plural, share

__all__ = ["policy_title", "refusal_options", "refusal_text", "refusal_words", "selection_text"]

_SHOWN = 3

_TITLES = {
    "threshold": "this threshold",
    "ask_all": "send every case to review",
    "answer_all": "let the model decide every case",
    "default": "decide {label!r} for every case",
    "upper_limit": "best possible: ask exactly when wrong",
}


def policy_title(baseline: Baseline) -> str:
    """Return what a policy does, for people."""
    return _TITLES[baseline.name].format(label=baseline.label)


def refusal_text(refusal: Refusal) -> str:
    """Say why no verdict is given, and what to do; without a full stop."""
    if isinstance(refusal, NoLabels):
        cases = plural(refusal.n_items, "case", "cases")
        return (
            f"none of {cases} has a label, so nothing is known of how often the model is right; until "
            "then send every case to review"
        )
    if isinstance(refusal, HeavyLabels):
        labels = plural(refusal.n_labels, "label speaks", "labels speak")
        return (
            f"only {labels} for the cases that were hardly ever labelled, each for up to "
            f"{count(refusal.weight)} cases; with fewer than 10 no interval can be trusted. If the model decided "
            f"every case, about {share(refusal.mistakes)} would be wrong, by these few. Label "
            f"{plural(10 - refusal.n_labels, 'more such case', 'more such cases')}, or more"
        )
    if isinstance(refusal, SelectiveLabels):
        return _selective_labels(refusal)
    if isinstance(refusal, UnknownMistakes):
        cases = plural(refusal.n_answered, "case", "cases")
        return (
            f"the model would decide {cases} of which none has a label, so nothing is "
            "known of its mistakes there; label some of them"
        )
    return refusal.message


def refusal_options(refusal: Refusal) -> str:
    """Return a sentence on the options that help, or nothing."""
    if isinstance(refusal, NoLabels):
        return "--propose 20 lists the cases to label first."
    if not isinstance(refusal, SelectiveLabels):
        return ""
    if refusal.hole:
        return "--propose 100 lists the cases to label, there first."
    known = "If you know that the labels are random, add --labels-are-random."
    return known if refusal.is_weighted else f"Name the chances with --propensity COLUMN. {known}"


def refusal_words(refusal: Refusal) -> str:
    """Return both for who types commands; without a full stop."""
    return join_options(f"{refusal_text(refusal)}.", refusal_options(refusal)).removesuffix(".")


def selection_text(refusal: SelectiveLabels) -> str:
    """Say where labels of a log are lacking, without what to do about it."""
    selection = refusal.selection
    if refusal.hole:
        where = "; ".join(
            f"{plural(n, 'case', 'cases')} with a confidence of {amount(low)} to {amount(high)}"
            for low, high, n in refusal.gaps[:_SHOWN]
        )
        return (
            f"{share(refusal.hole)} of the cases lie at confidences where no case has a label ({where}), which "
            "chance does not explain"
        )
    low, high = selection.shares[0], selection.shares[-1]
    return (
        f"labels are not spread evenly over confidence: {share(low)} of the least sure tenth have one, "
        f"{share(high)} of the surest"
    )


def _selective_labels(refusal: SelectiveLabels) -> str:
    where, selection = selection_text(refusal), refusal.selection
    if refusal.hole:
        return f"{where}: it is not known how often the model is right there"
    cases = plural(min(400, selection.unlabelled), "case", "cases")
    remedy = f"label {cases} drawn at random from all and use only those"
    if refusal.is_weighted:
        return (
            f"{where}, and the weights of the log do not make up for it: so weighted, the labelled cases "
            f"still look different from all (distance {selection.distance:.3f}). Where no case had a "
            f"chance to be labelled, no weight helps: {remedy}"
        )
    return (
        f"{where}, so a verdict from them would mislead. Say how likely each labelled case was to be "
        f"looked at, or {remedy}"
    )
