"""Which column of a log is what, and which class a column of probabilities stands for."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from itertools import takewhile
from typing import NamedTuple

from askpoint.errors import LogError, UnknownColumnError
from askpoint.measures.class_spellings import class_codes
from askpoint.measures.inputs import as_classes

__all__ = ["Columns", "find_columns", "order_classes", "second_class"]

_PREFIXES = ("proba_", "probability_", "prob_")
_WEAK = "p_"  # a p_value is no probability of a class
_SINGLE = ("proba", "probability", "prob")
_SEPARATORS = "_-.:/ "


class Columns(NamedTuple):
    """What the columns of a log are, by their names in the table.

    Attributes
    ----------
    id, label, prediction, confidence, group, model, weight, propensity, people, cluster, time : str or None
        None where the log has no such column, or it is not wanted.
    proba : tuple of str
        One column per class, or one for the second of two, or none.
    prefix : str or None
        What is known to stand before the class's name, for a single column.
    """

    id: str | None
    label: str | None
    proba: tuple[str, ...]
    prefix: str | None
    prediction: str | None
    confidence: str | None
    group: str | None
    model: str | None
    weight: str | None
    propensity: str | None
    people: str | None = None
    cluster: str | None = None
    time: str | None = None

    @property
    def wanted(self) -> list[str]:
        """Names of all columns to read, each once."""
        single = [value for key, value in self._asdict().items() if key not in ("proba", "prefix")]
        return list(dict.fromkeys([*filter(None, single), *self.proba]))


def find_columns(
    names: Sequence[str],
    *,
    label: str | None = "label",
    proba: str | Sequence[str] | None = None,
    prediction: str | None = None,
    confidence: str | None = None,
    group: str | None = None,
    model: str | None = None,
    weight: str | None = None,
    propensity: str | None = None,
    people: str | None = None,
    cluster: str | None = None,
    time: str | None = None,
) -> Columns:
    """Find the columns that were named, and those that go by their usual names."""
    if weight is not None and propensity is not None:
        raise LogError(
            "give weight or propensity, not both: a row's weight is one over its propensity"
        )
    if propensity is not None and label is None:
        raise LogError("a propensity belongs to the labels: name the label column, too")
    columns: tuple[str, ...] = ()
    prefix: str | None = None
    if proba is not None:
        columns, prefix = _match_proba(names, proba)
    elif prediction is None and (confidence is None or "prediction" not in names):
        columns, prefix = _usual_proba(names)
        if columns and "prediction" in names:
            prediction = "prediction"
    if not columns:
        if prediction is None and "prediction" not in names:
            raise LogError(_no_scores(names))
        prediction = prediction or "prediction"
        confidence = confidence or "confidence"
    parts = (group, model, weight, propensity, people, cluster, time)
    for name in (label, prediction, confidence, *parts):
        if name is not None and name not in names:
            raise UnknownColumnError(name, names)
    row_id = "id" if "id" in names else None
    return Columns(row_id, label, columns, prefix, prediction, confidence, *parts)


def _no_scores(names: Sequence[str]) -> str:
    shown = ", ".join(names[:20]) + (", ..." if len(names) > 20 else "")
    return (
        "the log has no column of probabilities that goes by a usual name (proba_CLASS): name "
        "them with proba, one for each class or one for the second class; or name prediction "
        f"and confidence; it has: {shown}"
    )


def _match_proba(
    names: Sequence[str], proba: str | Sequence[str]
) -> tuple[tuple[str, ...], str | None]:
    patterns = [proba] if isinstance(proba, str) else [str(pattern) for pattern in proba]
    if not patterns:
        raise LogError("proba names no column; give one for each class, or one for the second")
    matched: list[str] = []
    prefix = None
    for pattern in patterns:
        if pattern in names:
            matching = [pattern]
        elif "*" in pattern:
            matching = [name for name in names if fnmatchcase(name, pattern)]
            prefix = pattern.partition("*")[0]
        else:
            matching = [name for name in names if name.startswith(pattern)]
            prefix = pattern
        if not matching:
            raise UnknownColumnError(pattern, names)
        matched += matching
    twice = next((name for i, name in enumerate(matched) if name in matched[:i]), None)
    if twice is not None:
        raise LogError(f"proba names the column {twice!r} twice")
    if len(patterns) > 1 or prefix is None:
        prefix = next(
            (p for p in (*_PREFIXES, _WEAK) if all(name.startswith(p) for name in matched)), None
        )
    return tuple(matched), prefix


def _usual_proba(names: Sequence[str]) -> tuple[tuple[str, ...], str | None]:
    kinds = {}
    for prefix in _PREFIXES:
        if matched := tuple(name for name in names if name.startswith(prefix)):
            kinds[prefix] = matched
    for name in _SINGLE:
        if name in names:
            kinds[name] = (name,)
    if len(kinds) > 1:
        shown = " or ".join(", ".join(matched[:3]) for matched in kinds.values())
        raise LogError(f"the log has several kinds of probabilities; name proba: {shown}")
    for prefix, matched in kinds.items():
        return matched, (None if prefix in _SINGLE else prefix)
    weak = tuple(name for name in names if name.startswith(_WEAK))
    if len(weak) > 1 and not {"prediction", "confidence"} <= set(names):
        return weak, _WEAK
    return (), None


def _namings(columns: Sequence[str]) -> list[list[str]]:
    """Class names after the common prefix up to its last separator, then up to earlier ones."""
    common = takewhile(lambda characters: len(set(characters)) == 1, zip(*columns, strict=False))
    cuts = [i for i, (character, *_) in enumerate(common, start=1) if character in _SEPARATORS]
    namings = [[name[cut:] for name in columns] for cut in [*reversed(cuts), 0]]
    return [names for names in namings if all(names)]


def order_classes(
    columns: Sequence[str], seen: Sequence[str], classes: Sequence[object] | None
) -> tuple[tuple[str, ...], list[int]]:
    """Return the classes that columns of probabilities stand for, and the columns' order.

    A class's name is what follows the columns' common prefix up to its last separator; where
    the labels say that classes themselves begin alike (new_york, new_jersey), up to an
    earlier one.
    """
    namings = _namings(columns)
    fitting = (names for names in namings if None not in class_codes(seen, names))
    usual = next(fitting, namings[0])
    if classes is None:
        return tuple(as_classes(usual)), list(range(len(columns)))
    wanted = [str(name) for name in as_classes(classes)]
    if len(wanted) != len(columns):
        raise LogError(
            f"{len(wanted)} classes are named, but there are {len(columns)} columns of "
            f"probabilities: {', '.join(columns[:10])}"
        )
    for names in namings:
        order = class_codes(wanted, names)
        if None not in order:
            return tuple(wanted), [i for i in order if i is not None]
    strangers = [
        name for name, i in zip(wanted, class_codes(wanted, usual), strict=True) if i is None
    ]
    if len(strangers) < len(wanted):
        raise LogError(
            f"no column of probabilities is named for the class {strangers[0]!r}; "
            f"the columns are for: {', '.join(usual)}"
        )
    return tuple(wanted), list(range(len(columns)))


def second_class(
    column: str, prefix: str | None, seen: Sequence[str], classes: Sequence[object] | None
) -> tuple[tuple[str, ...], int]:
    """Return the two classes of a single column of probabilities, and which it stands for.

    It stands for the class in its name, else for the second.
    """
    class_name = column.removeprefix(prefix).lstrip(_SEPARATORS) if prefix else None
    names = [class_name] if class_name else [naming[0] for naming in reversed(_namings([column]))]
    candidates = seen if classes is None else [str(name) for name in as_classes(classes)]
    if len(candidates) == 1 and class_name and class_codes([class_name], candidates) == [None]:
        candidates = [*candidates, class_name]
    if len(candidates) != 2:
        raise LogError(
            f"the single column of probabilities {column!r} needs two classes, but "
            f"{len(candidates)} {'are named' if classes else 'occur'}"
            f"{': ' * bool(candidates)}{', '.join(candidates[:10])}; name classes, first the "
            "other one, or give one column for each class"
        )
    codes = class_codes(names, candidates)
    position = next((i for i in codes if i is not None), 1)
    if classes is None and position == 0:
        return (candidates[1], candidates[0]), 1
    return (candidates[0], candidates[1]), position
