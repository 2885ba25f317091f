"""Two systems' answers to the same items: each one's votes, and people's labels in the judges' words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from askpoint.errors import InputError, LogError, UnknownColumnError
from askpoint.judges.sketch.codes import label_name
from askpoint.judges.sketch.tables import VoteTable
from askpoint.records.gold_columns import gold_of_columns
from askpoint.records.item_names import Read, find_matching_column
from askpoint.records.label_words import spelling_key, truth_of

__all__ = ["item_key", "read_labelled_systems", "sort_gold", "split_systems"]

_KEY, _BETWEEN = "item of a system", " \N{MIDDLE DOT} "


def item_key(system: str, item: str) -> str:
    """Return the name of a system's answer to an item among the answers of all."""
    return f"{system}{_BETWEEN}{item}"


def split_systems(table: VoteTable, systems: Sequence[str]) -> dict[str, VoteTable]:
    """Return the votes on each system's answers, from a table of all answers by their keys.

    Raises
    ------
    InputError
        If a system has several rows for an item.
    """
    found = {}
    for system in systems:
        start = item_key(system, "")
        rows = [row for row, task in enumerate(table.tasks) if task.startswith(start)]
        tasks = tuple(table.tasks[row].removeprefix(start) for row in rows)
        if len(set(tasks)) < len(tasks):
            twice = next(task for task in tasks if tasks.count(task) > 1)
            raise InputError(
                f"the system {system!r} has several rows for the item {twice!r}; keep one, or name "
                "the column of items with --task"
            )
        found[system] = replace(table, tasks=tasks, codes=table.codes[rows])
    return found


def read_labelled_systems(
    names: Sequence[str],
    read: Read,
    tables: Mapping[str, VoteTable],
    *,
    system: str,
    task: str,
    label: str,
) -> dict[str, dict[str, str]]:
    """Return people's labels by system and item, of a table with a row an answer.

    Parameters
    ----------
    names, read
        The table's columns, and the values of some.
    tables : mapping of str to VoteTable
        The votes on each system.
    system, task, label : str
        What its columns of systems, items and labels are called, if they are there.

    Raises
    ------
    LogError
        If the labels do not say of which system.
    UnknownColumnError
        If no column names the items.
    """
    if system not in names:
        raise LogError(
            f"the labels must say of which system's answers they are: {', '.join(names)} are their columns, and "
            f"none is {system!r}. Add a column {system!r} with the systems' names"
        )
    others = [name for name in names if name not in (system, label)]
    known = {item for table in tables.values() for item in table.tasks}
    item = find_matching_column(others, read, task, lambda: known)
    if item is None:
        raise UnknownColumnError(task, names)
    columns = dict(read(names))
    pairs = zip(columns.pop(system), columns.pop(item), strict=True)
    columns[_KEY] = [item_key(label_name(whose), label_name(of)) for whose, of in pairs]
    return sort_gold(gold_of_columns(list(columns), lambda _: columns, _KEY, label), tables)


def sort_gold(
    found: Mapping[str, str], tables: Mapping[str, VoteTable]
) -> dict[str, dict[str, str]]:
    """Return labels of answers, by their keys, by system and item.

    Raises
    ------
    InputError
        If none is of an answer of these systems.
    """
    gold: dict[str, dict[str, str]] = {name: {} for name in tables}
    labels = next(iter(tables.values())).labels
    for key, label in found.items():
        name, _, item = key.partition(_BETWEEN)
        name = name if name in gold else name.split(".")[0]
        if name in gold:
            gold[name][item] = _match_label(label, labels)
    if found and not any(gold.values()):
        strange = next(iter(found)).partition(_BETWEEN)[0]
        raise InputError(
            f"people labelled answers of {strange!r}, but the systems are {' and '.join(map(repr, tables))}"
        )
    return gold


def _match_label(label: str, labels: Sequence[str]) -> str:
    """Return one of the judges' labels that is the same word, or says the same."""
    if label in labels:
        return label
    for same in (spelling_key, truth_of):
        alike = [own for own in labels if same(own) is not None and same(own) == same(label)]
        if len(alike) == 1:
            return alike[0]
    return label
