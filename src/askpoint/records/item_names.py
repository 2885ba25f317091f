"""The column that names the items of a table: by its values first, by its own name second."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from askpoint.judges.sketch.codes import label_name
from askpoint.records.column_words import ITEM_WORDS, is_called_id, looks_like

__all__ = ["Items", "Read", "find_item_column", "find_matching_column"]

Read = Callable[[Sequence[str]], Mapping[str, Sequence[Any]]]
"""Returns the values of some columns of a table."""

Items = Callable[[], Collection[str]]
"""Returns the names of the items that were judged."""

_LONG = 40  # characters of a name on average, beyond which it is a text
_MOST = 0.5  # share of a column's values that must be names of items


def find_item_column(columns: Mapping[str, Sequence[Any]]) -> str | None:
    """Return the column that names each row by a value of its own, or None.

    Numbers name items only in a column that is called so; of other columns there must be only one.
    """
    texts = {name: [label_name(value) for value in values] for name, values in columns.items()}
    unique = [name for name, of in texts.items() if all(of) and len(set(of)) == len(of) > 1]
    called = [name for word in ITEM_WORDS for name in unique if looks_like(name, (word,))]
    called += [name for name in unique if is_called_id(name) and not _is_unnamed(name)]
    called += [name for name in unique if _is_unnamed(name)]
    if called:
        return called[0]
    names = [name for name in unique if _are_names(texts[name])]
    return names[0] if len(names) == 1 else None


def find_matching_column(
    names: Sequence[str], read: Read, task: str, items: Items | None
) -> str | None:
    """Return the column of another table that names items: called as in the first, or with the items' names.

    Of several the one with the largest share of names of items, and numbers name items only in a column that is
    called so. Where most of each one's values name none, it is the one that is called as items are.
    """
    if task in names:
        return task
    known = set(() if items is None else items())
    best: tuple[float, str] | None = None
    for name, values in read(names).items() if known else ():
        texts = {label_name(value) for value in values} - {""}
        share = len(texts & known) / max(len(texts), 1)
        is_name = is_called_id(name) or not all(map(_is_number, texts))
        if is_name and share > _MOST and (best is None or share > best[0]):
            best = share, name
    called = (name for word in ITEM_WORDS for name in names if looks_like(name, (word,)))
    return next(called, None) if best is None else best[1]


def _is_unnamed(name: str) -> bool:
    return name == "" or name.casefold().startswith("unnamed") or name == "column_1"


def _are_names(texts: Sequence[str]) -> bool:
    """Say whether texts are short, without spaces and no numbers."""
    if sum(map(len, texts)) > _LONG * len(texts) or any(" " in text for text in texts):
        return False
    return not any(_is_number(text) for text in texts)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
