"""What reviewers go by: a rule and examples for each label, in versions."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from askpoint.errors import InputError

__all__ = [
    "LONGEST_EXAMPLE",
    "LONGEST_RULE",
    "MOST_EXAMPLES",
    "Guideline",
    "LabelRule",
    "check_guideline",
    "read_guideline",
]

LONGEST_RULE = 1_000
"""Characters of a rule, and of what holds for all labels."""

LONGEST_EXAMPLE = 500
"""Characters."""

MOST_EXAMPLES = 10
"""Of one label."""


class LabelRule(NamedTuple):
    """When a label fits, and examples of it."""

    label: str
    rule: str
    examples: tuple[str, ...]


@dataclass(frozen=True)
class Guideline:
    """A guideline: what holds for all labels, and the rules of those that have one.

    Parameters
    ----------
    general : str
        What holds for all labels.
    rules : tuple of LabelRule
        In the order of the labels; a label without rule and examples has none.
    """

    general: str = ""
    rules: tuple[LabelRule, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether it says nothing."""
        return not (self.general or self.rules)

    @property
    def texts(self) -> frozenset[str]:
        """All that it says, each rule and example by itself."""
        parts = [one for rule in self.rules for one in (rule.rule, *rule.examples)]
        return frozenset(filter(None, (self.general, *parts)))

    def to_text(self) -> str:
        """Return it as one text, for programs."""
        blocks = [self.general] if self.general else []
        for rule in self.rules:
            lines = [
                f"{rule.label}: {rule.rule}".rstrip(": "),
                *(f"- {it}" for it in rule.examples),
            ]
            blocks.append("\n".join(lines))
        return "\n\n".join(blocks)

    def to_json(self) -> dict[str, Any]:
        """Return what is stored of it."""
        return {"general": self.general, "rules": [list(rule) for rule in self.rules]}

    def drop_examples(self, texts: Collection[str]) -> Guideline:
        """Return it without the examples that are one of these texts."""
        kept = (
            rule._replace(examples=tuple(it for it in rule.examples if it not in texts))
            for rule in self.rules
        )
        return Guideline(self.general, tuple(one for one in kept if one.rule or one.examples))


def read_guideline(stored: dict[str, Any]) -> Guideline:
    """Read what `Guideline.to_json` returned."""
    rules = (LabelRule(label, rule, tuple(shown)) for label, rule, shown in stored["rules"])
    return Guideline(stored["general"], tuple(rules))


def check_guideline(general: str, rules: Sequence[LabelRule], gold: Collection[str]) -> Guideline:
    """Return a guideline without blanks and what is empty.

    Parameters
    ----------
    general : str
        What holds for all labels.
    rules : sequence of LabelRule
        One for each label.
    gold : collection of str
        Contents of gold cases: as an example, one would tell its answer.

    Raises
    ------
    InputError
        If a rule or an example is too long, there are too many, or an example is a gold case.
    """
    made = []
    for label, rule, examples in rules:
        shown = tuple(dict.fromkeys(filter(None, map(str.strip, examples))))
        _check_length(f"the rule of {label!r}", rule.strip(), LONGEST_RULE)
        if len(shown) > MOST_EXAMPLES:
            raise InputError(
                f"a label has at most {MOST_EXAMPLES} examples; got {len(shown)} of {label!r}"
            )
        for text in shown:
            _check_length(f"an example of {label!r}", text, LONGEST_EXAMPLE)
            if text in gold:
                raise InputError(
                    f"the example {text[:60]!r} of {label!r} is a gold case: it would tell reviewers the answer; choose "
                    "another one"
                )
        if rule.strip() or shown:
            made.append(LabelRule(label, rule.strip(), shown))
    _check_length("what holds for all labels", general.strip(), LONGEST_RULE)
    return Guideline(general.strip(), tuple(made))


def _check_length(what: str, text: str, most: int) -> None:
    if len(text) > most:
        raise InputError(f"{what} has at most {most:,} characters; got {len(text):,}")
