"""Forms that ask two things and fold the rest away: each fold says in a sentence what holds if nobody opens it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar, NamedTuple

from django import forms
from django.forms.boundfield import BoundField

__all__ = ["Fold", "FoldedForm", "Limit", "ShownFold", "number_text"]


class Fold(NamedTuple):
    """Fields that belong together: a title, their names, and what says which values hold now."""

    title: str
    names: tuple[str, ...]
    says: Callable[[Any], str]


class ShownFold(NamedTuple):
    """A fold of one form as the page shows it."""

    title: str
    says: str
    fields: list[BoundField]
    is_open: bool


class Limit(NamedTuple):
    """One answer to what limits somebody, with the fields that belong to it."""

    box: Any
    fields: list[BoundField]


class FoldedForm(forms.Form):
    """A form with a few fields in sight."""

    first: ClassVar[tuple[str, ...]] = ()
    numbers: ClassVar[dict[str, tuple[str, ...]]] = {}
    folds: ClassVar[tuple[Fold, ...]] = ()

    def list_first(self) -> list[BoundField]:
        """Return the fields in sight."""
        return [self[name] for name in self.first]

    def list_limits(self) -> Iterator[Limit]:
        """Yield what may limit somebody, each with its numbers."""
        for box in self["aim"]:
            yield Limit(box, [self[name] for name in self.numbers[str(box.data["value"])]])

    def list_folds(self) -> Iterator[ShownFold]:
        """Yield what is folded away; open where something of it was refused."""
        for fold in self.folds:
            fields = [self[name] for name in fold.names]
            is_open = any(field.errors for field in fields)
            yield ShownFold(fold.title, fold.says(self), fields, is_open)


def number_text(form: forms.Form, name: str) -> str:
    """Return the number that stands in a field, with commas; as it was typed where it is none."""
    value = form[name].value()
    try:
        return f"{float(value):,.10g}"
    except (TypeError, ValueError):
        return str(value or "–")
