"""Precision, recall and error, and the sampling design behind each, said."""

from __future__ import annotations

from typing import Any

from askpoint.answers.value.accounts import Account, Accounts, Design
from askpoint.reports.document import Grid
from askpoint.reports.objects import as_json
from askpoint.reports.words import count, round_share, share, share_range

__all__ = ["accounts_grid", "accounts_object"]

_NOTHING = "–"
_DESIGNS: dict[Design, str] = {
    "all": "every case has a label",
    "random": "a sample that looks random in the model's confidence",
    "stated": "a sample that you stated is random",
    "propensity": "a sample of known chances (Hajek's estimate, linearised variance)",
    "weight": "labels counted by their weights (Hajek's estimate, linearised variance)",
    "proposed": "proposed cases, each with a known chance (Hajek's estimate)",
}


def accounts_grid(accounts: Accounts, level: float) -> Grid:
    """Return the table for those who must account for automated decisions."""
    design = _DESIGNS[accounts.design]
    if accounts.is_clustered:
        design += ", in clusters"
    rows = tuple(
        (
            _what(line),
            _NOTHING if line.estimate is None else share(line.estimate),
            _NOTHING if line.interval is None else share_range(line.interval),
            count(line.n_labels),
        )
        for line in accounts.lines
    )
    note = f"Sampling design: {design}."
    if accounts.is_cross_fitted:
        note += " Each case is judged at a threshold chosen without it (ten folds)."
    if any(line.estimate is not None and line.interval is None for line in accounts.lines):
        note += f" {_NOTHING} is shown where fewer than 10 labels speak for the cases that were hardly ever labelled."
    if accounts.more_classes:
        note += f" {count(accounts.more_classes)} rarer classes are left out."
    note += " Recall counts a case sent to review as not lost."
    return Grid(
        "Precision, recall and error of the decisions",
        ("what", "share", round_share(level), "labels"),
        rows,
        note,
    )


def _what(line: Account) -> str:
    if line.kind == "error":
        return "error: wrong among the answers"
    return f"{line.kind} of {line.label!r}"


def accounts_object(accounts: Accounts) -> dict[str, Any]:
    """Return the same as part of a JSON object."""
    return {
        "design": accounts.design,
        "design_in_words": _DESIGNS[accounts.design],
        "clustered": accounts.is_clustered,
        "cross_fitted": accounts.is_cross_fitted,
        "classes_left_out": accounts.more_classes,
        "shares": [
            {
                "what": line.kind,
                "class": line.label,
                "estimate": line.estimate,
                "interval": as_json(line.interval),
                "n_labels": line.n_labels,
                "reasons": _reasons(line),
            }
            for line in accounts.lines
        ],
    }


def _reasons(line: Account) -> dict[str, str]:
    reasons = {}
    if line.label is None:
        reasons["class"] = "of all classes"
    if line.estimate is None:
        reasons |= dict.fromkeys(("estimate", "interval"), "no label tells")
    elif line.interval is None:
        reasons["interval"] = (
            "fewer than 10 labels speak for the cases that were hardly ever labelled"
        )
    return reasons
