"""Where a policy asks whatever the confidence: regions that an owner took out of what it may decide alone.

A rule reads what a case holds, so it is fixed before the case comes. Its cases go to review, are recorded under the
group `ASKED_BY_RULE`, and neither place thresholds nor count for certificates, alarms or the watch on confidences: a policy with a
rule is the policy of the other cases, and its promises are about these.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from askpoint.errors import InputError
from askpoint.measures.inputs import BoolArray
from askpoint.unknowns.conditions import Condition

__all__ = ["ASKED_BY_RULE", "AskRule", "asked_rows", "case_fields", "check_ask_rules", "rules_of"]

ASKED_BY_RULE = "asked by rule"
"""The group of its cases in the log."""

_RELATIONS = ("is", "is missing", "at most", "above", "has")
_SHAPES = ("ladder", "groups", "documents")


@dataclass(frozen=True)
class AskRule:
    """A region in which every case goes to review.

    Parameters
    ----------
    name : str
        The region, in words.
    conditions : tuple of Condition
        All hold of its cases; ``group`` is the case's group, ``text`` a case that is a text.
    """

    name: str
    conditions: tuple[Condition, ...]

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> AskRule:
        """Read a rule of a document.

        Raises
        ------
        InputError
            If it is none.
        """
        try:
            conditions = tuple(Condition(*map(_scalar, one)) for one in plain["conditions"])
            rule = cls(str(plain["name"]), conditions)
        except (KeyError, TypeError, ValueError):
            rule = cls("", ())
        if not rule.conditions or any(one.relation not in _RELATIONS for one in rule.conditions):
            raise InputError(
                "a rule that asks has a name and conditions [column, relation, value], with the relations "
                f"{', '.join(_RELATIONS)}; got {str(plain)[:200]}"
            )
        return rule

    def to_plain(self) -> dict[str, Any]:
        """Return what `from_plain` reads."""
        conditions = [[one.column, one.relation, one.value] for one in self.conditions]
        return {"name": self.name, "conditions": conditions}

    def covers(self, case: Mapping[str, Any]) -> bool:
        """Return whether a case is asked: all conditions hold, or it lacks what one reads."""
        return all(_holds(one, case) for one in self.conditions)


def _scalar(value: Any) -> Any:
    if not isinstance(value, str | int | float | None):
        raise TypeError(value)
    return value


def _holds(condition: Condition, case: Mapping[str, Any]) -> bool:
    if condition.column not in case:
        return True  # nobody knows whether it holds
    value = case[condition.column]
    if condition.relation in ("at most", "above") and not isinstance(value, int | float):
        return True
    if condition.relation == "has":
        return not isinstance(value, str) or bool(
            condition.holds({}, {condition.column: [value]})[0]
        )
    column = np.array([value], dtype=None if isinstance(value, int | float) else object)
    return bool(condition.holds({condition.column: column}, {})[0])


def rules_of(model: Mapping[str, Any]) -> list[AskRule]:
    """Return the rules of a policy's model; mostly none."""
    return [AskRule.from_plain(one) for one in model.get("ask_where") or ()]


def check_ask_rules(model: Mapping[str, Any]) -> None:
    """Refuse rules that cannot be kept.

    Raises
    ------
    InputError
        If one is no rule, or the policy is of a ladder, groups or documents.
    """
    if rules_of(model) and (shape := next((one for one in _SHAPES if model.get(one)), None)):
        raise InputError(
            f"a policy of {shape} takes no rule that asks: its cases are divided already"
        )


def asked_rows(
    model: Mapping[str, Any],
    content: Sequence[str | None] | None,
    group: Sequence[str | None] | None,
    n: int,
) -> BoolArray:
    """Return which of n cases a rule sends to review, by what they hold.

    Raises
    ------
    InputError
        If a case names the group that the log keeps for them.
    """
    rules, asked = rules_of(model), np.zeros(n, dtype=np.bool_)
    if not rules:
        return asked
    for i in range(n):
        name = group[i] if group else None
        if name == ASKED_BY_RULE:
            raise InputError(
                f"no case has the group {ASKED_BY_RULE!r}: the log names so what a rule of the policy asks"
            )
        case = case_fields(content[i] if content else None)
        if name is not None:
            case["group"] = name
        asked[i] = any(rule.covers(case) for rule in rules)
    return asked


def case_fields(content: str | None) -> dict[str, Any]:
    """Return what rules read of a content: the fields of a JSON object, else its text as ``text``."""
    if content is None:
        return {}
    if content.startswith("{"):
        try:
            found = json.loads(content)
        except ValueError:
            found = None
        if isinstance(found, dict):
            return found
    return {"text": content}
