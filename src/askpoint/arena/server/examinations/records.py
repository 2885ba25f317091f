"""Rows as the science knows them: the sample as a log, and what was drawn of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from askpoint.arena.game.terms import CampaignTerms
from askpoint.arena.server.examinations.models import Examination, SampleCase
from askpoint.arena.server.rulings.models import Ruling
from askpoint.unknowns.examination import ExaminationSample as Drawn

if TYPE_CHECKING:
    from askpoint.records.scored_batches import ScoredTable

__all__ = ["Judged", "draw_of", "judgements_of", "log_of", "log_rows"]


def log_rows(cases: Iterable[SampleCase], terms: CampaignTerms) -> Iterator[dict[str, Any]]:
    """Yield answered cases as rows of a log of predictions, as ``askpoint examine`` reads it."""
    for case in cases:
        named = zip(terms.classes, case.probabilities, strict=True)
        yield {
            "id": case.place,
            **{f"proba_{name}": p for name, p in named},
            "prediction": case.decision,
        }


def log_of(cases: Iterable[SampleCase], terms: CampaignTerms) -> ScoredTable:
    """Return answered cases as a log."""
    import polars as pl  # takes a while, and most pages do without

    from askpoint.records.scored_batches import ScoredTable
    from askpoint.records.tables import open_table

    return ScoredTable.open(
        open_table(pl.DataFrame(list(log_rows(cases, terms)))),
        proba=[f"proba_{name}" for name in terms.classes],
        classes=terms.classes,
        costs=terms.costs,
    )


def draw_of(row: Examination, cases: list[SampleCase]) -> Drawn:
    """Return what was drawn; the cases are in the order of judging."""
    return Drawn(
        method=row.method,
        items=np.array([str(case.place) for case in cases], dtype=object),
        bins=np.array([case.bin for case in cases], dtype=np.int64),
        inclusion=np.array([case.inclusion for case in cases], dtype=np.float64),
        sizes=np.array(row.sizes, dtype=np.int64),
        edges=np.array(row.edges, dtype=np.float64),
        seed=row.seed,
        digest=row.digest,
    )


class Judged(NamedTuple):
    """How far judging is.

    Parameters
    ----------
    cases : list of SampleCase
        All that were drawn, in the order of judging.
    answers : list of str
        Those of the first cases, up to the first that is not ruled yet.
    n_ruled : int
        Ruled cases, also behind one that is not.
    waiting : list of Ruling
        Those that wait for the organiser.
    """

    cases: list[SampleCase]
    answers: list[str]
    n_ruled: int
    waiting: list[Ruling]


def judgements_of(row: Examination) -> Judged:
    """Return the drawn cases and what judges have said of them.

    A case left out before others that were ruled would make the model look better, for what
    judges agree on at once is easy. So nothing is read behind the first that is not ruled.
    """
    cases = list(
        row.cases.exclude(ruling=None)
        .select_related("ruling")
        .order_by("order")
        .prefetch_related("ruling__votes")
    )
    said = [
        case.ruling.answer if case.ruling.state in ("ruled", "final") else None for case in cases
    ]
    first = next((place for place, answer in enumerate(said) if answer is None), len(said))
    return Judged(
        cases,
        [answer for answer in said[:first] if answer is not None],
        sum(answer is not None for answer in said),
        [case.ruling for case in cases if case.ruling.state == "referred"],
    )
