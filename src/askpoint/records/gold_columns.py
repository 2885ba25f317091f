"""True labels of items in a table: which column holds them, which names the items, and what they say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from askpoint.errors import InputError, LogError
from askpoint.judges.sketch.codes import label_name
from askpoint.records.column_words import GOLD_WORDS, looks_like
from askpoint.records.item_names import Items, Read, find_matching_column

__all__ = ["gold_of_columns", "gold_of_rows"]

_SEAL = "seal"  # of the order in which labels were drawn, beside them


def gold_of_columns(
    names: Sequence[str],
    read: Read,
    task: str,
    label: str,
    items: Items | None = None,
) -> dict[str, str]:
    """Return the true labels of items in a table that has a row an item.

    Parameters
    ----------
    names : sequence of str
        The table's columns.
    read : callable
        Returns the values of some of them.
    task, label : str
        What the columns of items and of labels are called, if they are there.
    items : callable, optional
        Returns the names of the items that were judged: a column with these is taken where none is called `task`.

    Raises
    ------
    LogError
        If no column names items, or several may hold the labels.
    InputError
        If two labels of one item differ.
    """
    said = label if label in names else _find_gold_column(names, task)
    others = [name for name in names if name not in (said, _SEAL)]
    place = find_matching_column(others, read, task, items)
    if said is None:
        others = [name for name in names if name not in (place or task, _SEAL)]
        if len(others) != 1:
            raise LogError(
                f"which column of the gold labels holds them: {', '.join(names)}? Name the column with --label"
            )
        said = others[0]
    if place is None:
        such = "" if items is None else f" as the votes do, such as {next(iter(items()), '')!r}"
        raise LogError(
            f"{task!r} is not a column of the gold labels, which have {', '.join(names)}, and none of these names "
            f"items{such}. Name the column of items with --task"
        )
    values = read([place, said])
    return gold_of_rows(values[place], values[said])


def gold_of_rows(tasks: Sequence[Any], labels: Sequence[Any]) -> dict[str, str]:
    """Return the true label of each item that has one."""
    gold: dict[str, str] = {}
    for item, said in zip(map(label_name, tasks), map(label_name, labels), strict=True):
        if said and gold.setdefault(item, said) != said:
            raise InputError(
                f"the gold labels say both {gold[item]!r} and {said!r} of {item!r}; keep one"
            )
    return gold


def _find_gold_column(names: Sequence[str], task: str) -> str | None:
    """Return the column that is called as labels by people are."""
    called = (name for word in GOLD_WORDS for name in names if looks_like(name, (word,)))
    return next((name for name in called if name != task), None)
