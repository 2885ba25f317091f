"""Which of two systems is better on the same items, as one panel and a few people see it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from askpoint.answers.judges.label_choice import label_of_interest
from askpoint.answers.judges.label_origin import FEWEST_SEALED, SELECTED_LABELS
from askpoint.errors import InputError
from askpoint.judges.gold.system_difference import SystemDifference, compare_systems
from askpoint.judges.gold.system_pairs import pair_systems
from askpoint.judges.gold.system_proposal import propose_for_systems
from askpoint.judges.gold.system_selection import SystemSelection, find_system_selection
from askpoint.judges.sketch.tables import VoteTable
from askpoint.measures.inputs import as_level
from askpoint.measures.seals import count_sealed, order_by_seal

__all__ = ["SystemSlice", "SystemsAnswer", "SystemsQuestion", "answer_systems", "compare_groups"]

_MOST = 50

_NO_LABELS = (
    "no item has both answers labelled by people; votes alone cannot show a panel that favours one "
    "system"
)


@dataclass(frozen=True)
class SystemsQuestion:
    """What is asked of two systems.

    Parameters
    ----------
    passing : str, optional
        The label of a good answer; by default what its word says.
    level : float, default=0.95
        Interval coverage.
    drawn : {"as proposed", "at random"}, default="as proposed"
        How labelled items were drawn.
    any_time : bool, default=False
        Whether somebody looks again and again while labels come in.
    propose : int, default=0
        How many items to propose for labelling.
    random : bool, default=False
        Whether to propose items in the sealed order that follows from their names.
    """

    passing: str | None = None
    level: float = 0.95
    drawn: str = "as proposed"
    any_time: bool = False
    propose: int = 0
    random: bool = False

    def __post_init__(self) -> None:
        as_level(self.level, "level")
        if self.propose < 0:
            raise InputError(f"propose a natural number of items; got {self.propose}")


@dataclass(frozen=True, kw_only=True)
class SystemsAnswer:
    """What is told about two systems.

    Attributes
    ----------
    question : SystemsQuestion
    names : (str, str)
        The first is the one to beat.
    tables : (VoteTable, VoteTable)
    passing : str
        The label of a good answer.
    by_votes : (float, float)
        Share that either passes, as the judges alone would say.
    n_items, n_left_out : int
        Items with answers of both systems, and of one.
    comparison : SystemDifference or None
        None without labels of both answers to an item.
    labelled : tuple of str
        Items whose answers are both labelled.
    n_half, n_elsewhere : int
        Items with one answer labelled, and labels on other items; they tell nothing here.
    proposed : tuple of str
        Items to label next.
    expected_spread : float
        Variance of an item's difference that the votes leave open.
    reason : str
        Why there is no comparison.
    selection : SystemSelection or None
        Whether labelled items can have been drawn at random; None without any, and where all were drawn in
        sealed order.
    n_sealed : int
        Labelled items that are complete from the beginning of the sealed order on.
    n_uncounted : int
        Labelled items that do not count, because only those in sealed order were drawn at random.
    """

    question: SystemsQuestion
    names: tuple[str, str]
    tables: tuple[VoteTable, VoteTable]
    passing: str
    by_votes: tuple[float, float]
    n_items: int
    n_left_out: int
    comparison: SystemDifference | None
    labelled: tuple[str, ...]
    n_half: int
    n_elsewhere: int
    proposed: tuple[str, ...]
    expected_spread: float
    reason: str = ""
    selection: SystemSelection | None = None
    n_sealed: int = 0
    n_uncounted: int = 0

    @property
    def n_gold(self) -> int:
        """Items whose answers are both labelled."""
        return len(self.labelled)

    @property
    def is_refused(self) -> bool:
        """Whether items are labelled, and nothing follows because they were selected."""
        return self.comparison is None and bool(self.labelled)

    @property
    def tasks(self) -> tuple[str, ...]:
        """Items that both systems answered."""
        both = set(self.tables[1].tasks)
        return tuple(task for task in self.tables[0].tasks if task in both)

    def propose(self, n: int) -> tuple[str, ...]:
        """Return so many items to label next, or all that are left; the same for the same labels."""
        n = min(n, self.n_items - self.n_gold)
        rng = np.random.default_rng(0)
        known = self.labelled
        if self.question.random or self.is_refused:
            open_ = (task for task in order_by_seal(self.tasks) if task not in set(known))
            return tuple(islice(open_, n))
        return (
            propose_for_systems(*self.tables, n, rng, passing=self.passing, labelled=known)
            if n > 0
            else ()
        )


def answer_systems(
    tables: Mapping[str, VoteTable],
    gold: Mapping[str, Mapping[str, str]],
    question: SystemsQuestion | None = None,
) -> SystemsAnswer:
    """Compare the second system with the first, item by item."""
    question = SystemsQuestion() if question is None else question
    (name_a, first), (name_b, second) = tables.items()
    passing = question.passing or label_of_interest(first.labels)
    if passing is None:
        raise InputError(
            f"which of the labels {', '.join(map(repr, first.labels))} is a good answer? Say "
            "--positive LABEL"
        )
    pairs = pair_systems(first, second, passing)
    of_a, of_b = (set(gold.get(name, {})) for name in (name_a, name_b))
    items = set(pairs.tasks)
    both = of_a & of_b & items
    if (of_a or of_b) and not (of_a | of_b) & items:
        raise InputError(
            f"people labelled other items: none of {len(of_a | of_b)}, such as "
            f"{min(of_a | of_b)!r}, was answered by both systems, as {pairs.tasks[0]!r} was"
        )
    found, counted = None, both
    selection: SystemSelection | None = None
    n_sealed = count_sealed(pairs.tasks, both)
    if n_sealed < len(both):
        seen = np.array([task in both for task in pairs.tasks])
        selection = find_system_selection(pairs, seen, np.random.default_rng(0))
        if selection.is_odd and n_sealed >= FEWEST_SEALED:
            counted = set(order_by_seal(pairs.tasks)[:n_sealed])
        elif selection.is_selected:
            counted = set()
    if counted:
        found = compare_systems(
            first,
            second,
            {task: gold[name_a][task] for task in counted},
            {task: gold[name_b][task] for task in counted},
            passing=passing,
            level=question.level,
            drawn=question.drawn,
            any_time=question.any_time,
        )
    votes = pairs.posterior.reshape(2, -1).mean(axis=1)
    answer = SystemsAnswer(
        question=question,
        names=(name_a, name_b),
        tables=(first, second),
        passing=passing,
        by_votes=(float(votes[0]), float(votes[1])),
        n_items=len(items),
        n_left_out=pairs.n_left_out,
        comparison=found,
        labelled=tuple(task for task in pairs.tasks if task in both),
        n_half=len((of_a ^ of_b) & items),
        n_elsewhere=len((of_a | of_b) - items),
        proposed=(),
        expected_spread=float(np.square(pairs.deviation[pairs.stratum]).mean()),
        reason="" if counted else SELECTED_LABELS if both else _NO_LABELS,
        selection=selection,
        n_sealed=n_sealed,
        n_uncounted=len(both) - len(counted) if counted else 0,
    )
    if not question.propose:
        return answer
    return replace(answer, proposed=answer.propose(question.propose))


@dataclass(frozen=True)
class SystemSlice:
    """The two systems on one part of the items.

    Attributes
    ----------
    n_items : int
        That both answered.
    comparison : SystemDifference or None
        None where no item of the part has both answers labelled.
    """

    n_items: int
    comparison: SystemDifference | None


def compare_groups(
    answer: SystemsAnswer, gold: Mapping[str, Mapping[str, str]], groups: Mapping[str, str]
) -> dict[str, SystemSlice]:
    """Compare the systems on each part of the items; the intervals of all parts hold together."""
    common = set(answer.tables[0].tasks) & set(answer.tables[1].tasks)
    names = sorted({groups[task] for task in common if task in groups})
    if not 0 < len(names) <= _MOST:
        raise InputError(
            f"--by takes a column of 1 to {_MOST} groups of the items that both answered; this one "
            f"has {len(names)}"
        )
    found = {}
    for name in names:
        first, second = (_part(table, groups, name) for table in answer.tables)
        of_a, of_b = (gold.get(system, {}) for system in answer.names)
        items = common & set(first.tasks)
        compared = None
        if items & set(of_a) & set(of_b) and not answer.is_refused:
            compared = compare_systems(
                first,
                second,
                of_a,
                of_b,
                passing=answer.passing,
                level=1 - (1 - answer.question.level) / len(names),
                drawn=answer.question.drawn,
                any_time=answer.question.any_time,
            )
        found[name] = SystemSlice(len(items), compared)
    return found


def _part(table: VoteTable, groups: Mapping[str, str], name: str) -> VoteTable:
    rows = [row for row, task in enumerate(table.tasks) if groups.get(task) == name]
    tasks = tuple(table.tasks[row] for row in rows)
    return replace(table, tasks=tasks, codes=table.codes[rows])
