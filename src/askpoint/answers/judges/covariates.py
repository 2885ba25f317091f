"""What covariates of the items show: whether they help, who leans to items of a kind, which to name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from askpoint.errors import InputError
from askpoint.judges.gold.covariate_leans import CovariateLean, explain_residuals, measure_leans
from askpoint.judges.gold.item_covariates import ItemCovariate, bin_covariate
from askpoint.judges.gold.labelled_patterns import LabelledPatterns, label_items
from askpoint.judges.gold.residual_totals import totals_of
from askpoint.judges.sketch.tables import VoteTable

__all__ = ["CovariateFindings", "bin_covariates", "explaining_columns", "find_in_covariates"]


@dataclass(frozen=True, kw_only=True)
class CovariateFindings:
    """What covariates of the items show beside labels.

    Attributes
    ----------
    names : tuple of str
        The covariates that were named.
    missing : mapping of str to int
        By name, the items without a value; they are items of a kind of their own.
    is_used : bool
        Whether the share that is told first rests on them, too.
    leans : tuple of CovariateLean
    explaining : mapping of str to float
        Columns that nobody named, by which the votes' errors differ, and p.
    """

    names: tuple[str, ...] = ()
    missing: Mapping[str, int] = field(default_factory=dict)
    is_used: bool = False
    leans: tuple[CovariateLean, ...] = ()
    explaining: Mapping[str, float] = field(default_factory=dict)


def bin_covariates(
    table: VoteTable, columns: Mapping[str, Mapping[str, Any]]
) -> tuple[ItemCovariate, ...]:
    """Return each covariate in levels, one of each item of the table."""
    for name, of_items in columns.items():
        if not any(task in of_items for task in table.tasks):
            raise InputError(
                f"the covariate {name!r} must name items that were voted on; got "
                f"{next(iter(of_items), 'none')!r}, where the votes name {table.tasks[0]!r}. Name the column "
                "of the items with --task."
            )
    return tuple(
        bin_covariate(name, [of_items.get(task) for task in table.tasks])
        for name, of_items in columns.items()
    )


def find_in_covariates(
    known: LabelledPatterns | None,
    covariates: tuple[ItemCovariate, ...],
    label: str,
    level: float,
    explaining: Mapping[str, float],
) -> CovariateFindings:
    """Say what named covariates show of the label that is told first."""
    missing = {
        of.name: int((of.codes >= of.n_valued).sum())
        for of in covariates
        if of.n_valued < len(of.levels)
    }
    names = tuple(of.name for of in covariates)
    if known is None:
        return CovariateFindings(names=names, missing=missing, explaining=explaining)
    drawn = known.as_drawn("as proposed")
    of_label = totals_of(drawn)[known.labels.index(label)]
    return CovariateFindings(
        names=names,
        missing=missing,
        is_used=of_label.curve.uses_covariates,
        leans=measure_leans(of_label.known, of_label, level),
        explaining=explaining,
    )


def explaining_columns(
    table: VoteTable,
    gold: Mapping[str, str],
    columns: Mapping[str, Mapping[str, Any]],
    label: str,
) -> dict[str, float]:
    """Return the columns that explain where the votes are wrong; those that cannot be told are passed over."""
    usable: list[ItemCovariate] = []
    for name, of_items in columns.items():
        try:
            usable += bin_covariates(table, {name: of_items})
        except InputError:
            continue
    found = [one for one in usable if len(one.levels) > 1]
    return explain_residuals(label_items(table, gold, found), label) if found else {}
