"""The paper of 2012 as a record: its tables, once by stand-ins for its classifiers, once by its own."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

import polars as pl

from askpoint.papers.grid import Configuration
from askpoint.papers.interactive.labels_with_reasons import REASONS
from askpoint.papers.interactive.marked_reasons import MARKED_REASONS
from askpoint.papers.interactive.mean_tables import (
    EMICS,
    asking_blocks,
    figure_2_blocks,
    macro_blocks,
    means_blocks,
    random_blocks,
)
from askpoint.papers.interactive.nominal_sets import FOLDS, INDEPENDENT_SETS, QUICK_SETS, SETS
from askpoint.papers.interactive.open_questions import QUESTIONS
from askpoint.papers.interactive.partitions import (
    PARTITIONS,
    means_of_partitions,
    partition_blocks,
)
from askpoint.papers.interactive.set_means import of_sets
from askpoint.papers.interactive.significance_tables import pairs_blocks, verdict_blocks
from askpoint.papers.interactive.stand_ins import CLASSIFIERS
from askpoint.papers.interactive.trained_cells import cell_outcomes
from askpoint.papers.paper import Paper, PaperTable
from askpoint.reports.document import Block

__all__ = ["INTERACTIVE", "INTERACTIVE_WEKA", "MULTICLASS_SETS"]

_Blocks = Callable[[pl.DataFrame], Iterator[Block]]

MULTICLASS_SETS = (
    "car", "DNA-nominal", "glass", "iris", "letter", "lymphography", "nursery", "satimage", "segment",
    "shuttle-small", "soybean-large", "splice", "vehicle", "waveform-21",
)  # fmt: skip
"""The 14 with more than two classes."""


def _cells(quick: bool, by: str, partitions: tuple[int, ...] = (0,)) -> list[Configuration]:
    return [
        {"by": by, "data": name, "classifier": classifier, "fold": fold, "partition": partition}
        for partition in partitions
        for name in (QUICK_SETS if quick else SETS)
        for classifier in CLASSIFIERS
        for fold in range(FOLDS)
    ]


def _partition_cells(quick: bool, by: str) -> list[Configuration]:
    return _cells(quick, by, tuple(range(2 if quick else PARTITIONS)))


def _select_rows(
    rows: pl.DataFrame,
    emics: tuple[str, ...],
    parameters: tuple[float, ...],
    thresholds: tuple[str, ...] = ("realistic",),
    confidence: str | None = None,
    sets: tuple[str, ...] = SETS,
) -> pl.DataFrame:
    """Return what a table is about, as means of data sets; never asking always."""
    asked = (
        pl.col("emic").is_in(emics)
        & pl.col("parameter").is_in(parameters)
        & pl.col("threshold").is_in(thresholds)
    )
    if confidence is not None:
        asked &= pl.col("confidence") == confidence
    return of_sets(
        rows.filter(pl.col("data").is_in(sets) & ((pl.col("threshold") == "never") | asked))
    )


def _tables(by: str) -> tuple[PaperTable, ...]:
    both, half = ("F", "EP"), (0.5,)
    chance = ("realistic", "random")
    made: list[tuple[str, str, _Blocks, dict[str, Any]]] = [
        (
            "table-2",
            "Table 2: thresholds chosen on the test rows, the best that can be",
            functools.partial(means_blocks, threshold="optimistic"),
            {"emics": both, "parameters": half, "thresholds": ("optimistic",)},
        ),
        (
            "table-3",
            "Table 3: thresholds chosen on the training rows",
            functools.partial(means_blocks, threshold="realistic"),
            {"emics": both, "parameters": half},
        ),
    ]
    for number, emic in ((4, "F"), (5, "EP")):
        title = f"Table {number}: when asking pays, by {EMICS[emic][0]}"
        chosen: dict[str, Any] = {"emics": (emic,), "parameters": EMICS[emic][2]}
        blocks = functools.partial(verdict_blocks, emic=emic)
        made.append((f"table-{number}", title, blocks, chosen))
    for number, emic in ((6, "F"), (7, "EP")):
        title = f"Table {number}: the confidence measures against each other, by {EMICS[emic][0]}"
        chosen = {"emics": (emic,), "parameters": EMICS[emic][2][:5], "sets": MULTICLASS_SETS}
        blocks = functools.partial(pairs_blocks, emic=emic)
        made.append((f"table-{number}", title, blocks, chosen))
    for number, emic in ((8, "F"), (9, "EP")):
        title = f"Table {number}: the oracle's effort, by {EMICS[emic][0]}"
        chosen = {"emics": (emic,), "parameters": EMICS[emic][2][:5], "confidence": "margin"}
        blocks = functools.partial(asking_blocks, emic=emic)
        made.append((f"table-{number}", title, blocks, chosen))
    made.append(
        (
            "figure-2",
            "Figure 2: the oracle's effort on each data set",
            figure_2_blocks,
            {"emics": ("F",), "parameters": half, "confidence": "margin"},
        )
    )
    for number, emic in ((10, "F"), (11, "EP")):
        title = f"Table {number}: asking at random, by {EMICS[emic][0]}"
        chosen = {"emics": (emic,), "parameters": EMICS[emic][2], "thresholds": chance}
        blocks = functools.partial(macro_blocks, emic=emic)
        made.append((f"table-{number}", title, blocks, chosen))
    made.append(
        (
            "table-12",
            "Table 12: asking at random, by classifier",
            random_blocks,
            {"emics": both, "parameters": half, "thresholds": ("random",)},
        )
    )
    one_partition = tuple(
        PaperTable(
            name=name,
            title=title,
            cells=functools.partial(_cells, by=by),
            work=cell_outcomes,
            blocks=blocks,
            data=SETS,
            grid="outcomes",
            select=functools.partial(_select_rows, **chosen),
        )
        for name, title, blocks, chosen in made
    )
    partitions = PaperTable(
        name="partitions",
        title="Ten partitions: how far the rows' fall into folds moves the means",
        cells=functools.partial(_partition_cells, by=by),
        work=cell_outcomes,
        blocks=partition_blocks,
        data=SETS,
        grid="outcomes",
        select=means_of_partitions,
        on_request="it trains ten times as much as all other tables",
    )
    return (*one_partition, partitions)


_SOURCE = (
    "Acid, de Campos and Fernandez, Evaluation methods and strategies for the interactive use of "
    "classifiers, International Journal of Human-Computer Studies 70 (2012) 321-331."
)

_WORDS = {"independent": ("data", INDEPENDENT_SETS)}

INTERACTIVE = Paper(
    "interactive",
    "Evaluation methods and strategies for the interactive use of classifiers (2012)",
    _SOURCE,
    (*_tables("scikit-learn"), *QUESTIONS, REASONS, MARKED_REASONS),
    _WORDS,
)

INTERACTIVE_WEKA = Paper(
    "interactive-weka",
    "Interactive use of classifiers (2012), by Weka itself: needs Java and the extra [weka]",
    _SOURCE,
    _tables("Weka"),
    _WORDS,
)
