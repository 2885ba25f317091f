"""An examination as files that ``askpoint examine`` reads: LOG, and what ``--judged`` takes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from askpoint.arena.game.terms import CampaignTerms
from askpoint.arena.server.campaigns.pseudonyms import Called, by_name
from askpoint.arena.server.examinations.models import Examination, SampleCase
from askpoint.arena.server.examinations.records import Judged, judgements_of, log_rows
from askpoint.arena.server.rulings.records import export_votes
from askpoint.server.classifiers.cases import case_cells, case_columns

__all__ = ["examination_records", "export_rows", "sample_rows"]

_WHAT = ("probabilities", "decision", "model", "ruling", "truth", "votes")
_ORGANISER = "organiser"  # who signs where the organiser decided


def sample_rows(
    row: Examination, terms: CampaignTerms
) -> tuple[list[str], Iterator[dict[str, Any]]]:
    """Return columns and rows of the whole sample as a log of predictions."""
    kind = _kind_of(row)
    shown = case_columns(kind)
    columns = ["id", *(f"proba_{name}" for name in terms.classes), "prediction", *shown]
    cases = row.cases.all()
    rows = (
        {**line, **case_cells(case.case, kind)}
        for case, line in zip(cases, log_rows(cases, terms), strict=True)
    )
    return columns, rows


def export_rows(
    row: Examination, terms: CampaignTerms, called: Called = by_name
) -> tuple[tuple[str, ...], Iterator[dict[str, Any]]]:
    """Return columns and rows of the drawn cases: one row for each vote on a case that is read.

    First come the columns of a sample that judges filled in, then all there is.

    A case behind the first that is not ruled has one row without label and judge, for an
    examination is read in its order; what was said of it is in its last columns.
    """
    from askpoint.records.examinations import OWN_COLUMNS  # takes a while

    shown = case_columns(_kind_of(row))
    return (*OWN_COLUMNS, *shown, *_WHAT), _vote_rows(row, terms, judgements_of(row), called)


def _kind_of(row: Examination) -> str:
    return str(row.campaign.classifier.cases)


def _vote_rows(
    row: Examination, terms: CampaignTerms, judged: Judged, called: Called
) -> Iterator[dict[str, Any]]:
    kind = _kind_of(row)
    for place, case in enumerate(judged.cases):
        said: list[tuple[str | None, str | None]] = [(None, None)]
        if place < len(judged.answers) and case.ruling.state == "final":
            said = [(case.ruling.answer, _ORGANISER)]
        elif place < len(judged.answers):
            votes = [vote for vote in case.ruling.votes.all() if not vote.void]
            said = [(vote.choice, called(vote.reviewer)) for vote in votes]
        line = {**_how(row, case, len(judged.cases)), **_what(case, terms, called, kind)}
        for label, judge in said:
            yield {**line, "label": label, "judge": judge}


def _how(row: Examination, case: SampleCase, n_drawn: int) -> dict[str, Any]:
    return {
        "id": case.place,
        "order": case.order,
        "drawn": n_drawn,
        "bin": case.bin + 1,
        "bins": len(row.sizes),
        "low": row.edges[case.bin],
        "high": row.edges[case.bin + 1],
        "size": row.sizes[case.bin],
        "inclusion": case.inclusion,
        "method": row.method,
        "seed": row.seed,
        "digest": row.digest,
    }


def _what(case: SampleCase, terms: CampaignTerms, called: Called, kind: str) -> dict[str, Any]:
    return {
        **case_cells(case.case, kind),
        "probabilities": dict(zip(terms.classes, case.probabilities, strict=True)),
        "decision": case.decision,
        "model": case.model,
        "ruling": case.ruling.state,
        "truth": case.ruling.answer if case.ruling.state in ("ruled", "final") else None,
        "votes": export_votes(case.ruling, called),
    }


def examination_records(
    row: Examination, terms: CampaignTerms, called: Called = by_name
) -> Iterator[dict[str, Any]]:
    """Yield an examination and its drawn cases, for JSON lines."""
    cases = judgements_of(row).cases
    yield {
        "kind": "examination",
        "examination": row.pk,
        "drawn_at": None if row.drawn is None else row.drawn.isoformat(),
        "method": row.method,
        "wanted": row.wanted,
        "seed": row.seed,
        "digest": row.digest,
        "edges": row.edges,
        "sizes": row.sizes,
        "n_cases": sum(row.sizes),
        "n_drawn": len(cases),
    }
    for case in cases:
        how = _how(row, case, len(cases))
        kept = {name: how[name] for name in ("id", "order", "bin", "inclusion")}
        line = {"kind": "drawn", "examination": row.pk, "case_id": case.ruling_id, **kept}
        yield {**line, **_what(case, terms, called, _kind_of(row))}
