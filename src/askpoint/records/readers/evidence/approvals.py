"""Logs in which people allowed or refused what an agent wanted to do."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from askpoint.records.label_words import spelling_key, truth_of
from askpoint.records.readers.evidence.columns import Column

__all__ = ["ApprovalRoles", "approval_roles", "decision_kind", "is_decision"]

_YES = re.compile(r"^(auto[ _-]?)?(approv|allow|accept|grant|permit|genehmig|erlaub|freigegeben|approuv|autoris|accord"
                  r"|aprob|autoriz|permit|approvat|autorizz|aprovad|goedgekeurd|toegestaan|承認|許可)", re.IGNORECASE)  # fmt: skip
_NO = re.compile(r"^(auto[ _-]?)?(den(y|ied)|reject|refus|declin|block|disallow|forbid|terminat|abgelehnt|ablehn|verweiger|refus"
                 r"|rejet|rechaz|deneg|rifiut|negat|respint|rejeit|recus|negad|afgewezen|geweigerd|却下|拒否|否認)",
                 re.IGNORECASE)  # fmt: skip
_OTHER = re.compile(r"^(edit|modif|chang|expir|timeout|timed|cancel|escalat|ask|defer|pending|respond|ignore|bearbeit|geändert"
                    r"|abgelaufen|expirad|scadut|verlopen|修正|期限)", re.IGNORECASE)  # fmt: skip
_NAMED = {"decision", "approval", "approved", "outcome", "status"}
_LEAST = 2.5  # of evidence
_CALL = re.compile(r"^[A-Za-z][A-Za-z0-9]*([._:/-][A-Za-z0-9]+)+$|^[a-z]+[A-Z][A-Za-z]+$")


_EDIT = re.compile(r"^(edit|modif|chang|bearbeit|geändert|修正)", re.IGNORECASE)


class ApprovalRoles(NamedTuple):
    """Columns of a log of approvals."""

    decision: str
    tool: str | None
    weight: float
    why: str


def decision_kind(value: str) -> Literal["approve", "reject", "edit", "open"] | None:
    """Return what a word decides about a request; open is expired or cancelled. None if it decides nothing."""
    word = spelling_key(value)
    if _YES.search(word):
        return "approve"
    if _NO.search(word) or word.startswith("respond"):
        return "reject"
    if _EDIT.search(word):
        return "edit"
    return "open" if _OTHER.search(word) else None


def is_decision(values: Sequence[str], *, alone: bool = False) -> bool:
    """Say whether labels are what somebody decides about a request: approve, deny, edit, expire.

    Where all were approved, or all rejected, there is one word alone, which takes a name that says so.
    """
    words = [spelling_key(value) for value in values]
    if not all(_YES.search(w) or _NO.search(w) or _OTHER.search(w) for w in words):
        return False
    yes, no = (any(which.search(w) for w in words) for which in (_YES, _NO))
    return (yes or no) if alone else yes and any(not _YES.search(w) for w in words)


def approval_roles(columns: Sequence[Column], *, told: bool = False) -> ApprovalRoles | None:
    """Return the decision and the tool of a log of approvals, or None if a table is none.

    Where somebody told that it is one, the decision and the tool are enough.
    """
    decisions = [c for c in columns if c.fact.counts and is_decision(_words(c))]
    if not decisions:
        decisions = [
            c for c in columns
            if c.fact.counts and _NAMED & set(c.tokens) and is_decision(_words(c), alone=True)
        ]  # fmt: skip
    decisions += [
        c for c in columns
        if c.is_label and "approval" in c.hints and all(truth_of(v) is not None for v in c.labels)
        and len(c.labels) == 2
    ]  # fmt: skip
    if not decisions:
        return None
    decision = max(decisions, key=lambda c: ("person" in c.hints, "label" in c.hints, c.place))
    others = [c for c in columns if c not in decisions]
    weight, reasons = 0.0, []
    called = [c for c in others if "tool" in c.hints and c.fact.role in ("label", "text", "id")]
    called = [
        c for c in called if "agent" not in (c.tokens[0], c.tokens[-1])
    ]  # who, not what was to be done
    calls = [c for c in others if _are_calls(c)]
    for found, what, more in (
        (called, "names a tool", 2.0),
        (calls, "holds names of functions", 1.5),
    ):
        if found:
            weight += more
            reasons.append(f"{found[0].name} {what}")
    if any("approval" in c.hints for c in columns if c.fact.role != "measure"):
        weight += 1.5
        reasons.append("a column is named for approvals")
    words = {t for c in columns for t in c.tokens}
    for word in (
        "risk",
        "arguments",
        "args",
        "params",
        "parameters",
        "kwargs",
        "scope",
        "agent",
        "tool",
    ):
        if word in words:
            weight += 0.75
    if not (called or calls) or (weight < _LEAST and not told):
        return None
    tool = min(called or calls, key=lambda c: (_place(c), c not in calls, c.place)).name
    said = ", ".join(sorted(spelling_key(v) for v in _words(decision))[:5])
    return ApprovalRoles(decision.name, tool, weight + 2, f"it says {said}; {'; '.join(reasons)}")


def _place(column: Column) -> int:
    """Return how well a name says that a column holds what was to be done."""
    words = ("tool", "function", "fn", "action", "command", "operation")
    return next((i for i, word in enumerate(words) if word in column.tokens), len(words))


def _words(column: Column) -> list[str]:
    return [*(column.fact.counts or {}), *(w for w in column.fact.absent if len(w) > 3 and w not in
                                           ("null", "none", "#n/a", "<na>"))]  # fmt: skip


def _are_calls(column: Column) -> bool:
    """Say whether a column holds names of functions: read_file, crm.update, sendEmail."""
    if column.fact.counts is None or column.fact.is_number or column.fact.role != "label":
        return False
    if {"person", "judge", "time", "id"} & column.hints:
        return False
    values = list(column.fact.counts)
    return len(values) > 1 and all(_CALL.match(v.strip()) for v in values)
