"""Experiments and feedback of LangSmith."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from askpoint.records.readers.evidence.decision import RoleEvidence
from askpoint.records.readers.evidence.words import hints_of
from askpoint.records.readers.grids import CellGrid
from askpoint.records.readers.reading import Choices, Reading
from askpoint.records.readers.score_rows import ScoreRow, read_rows, read_score_rows
from askpoint.records.readers.sources import Source
from askpoint.records.readers.table_opening import open_grids
from askpoint.records.readers.tables import read_tables
from askpoint.records.readers.vote_tables import read_vote_table
from askpoint.records.roles import column_facts

__all__ = ["read_langsmith", "sniff_langsmith"]

# what an experiment's download holds next to the scores
_RUN = ("inputs", "outputs", "reference_outputs", "reference", "latency", "status", "error", "tokens",
        "total_tokens", "total_cost", "start_time", "end_time", "metadata", "execution_time", "run",
        "example_id", "feedback_comment", "notes", "attempt", "split")  # fmt: skip


def sniff_langsmith(source: Source) -> float | None:
    """Say how sure it is that a file is an experiment or feedback of LangSmith."""
    keys = source.row_keys
    if {"run_id", "key", "feedback_source"} <= keys or {"run_type", "feedback_stats"} <= keys:
        return 0.97
    names = {name.partition(".")[0].casefold() for name in keys | set(source.header)}
    has_reference = bool({"reference_outputs", "reference"} & names)
    return 0.9 if {"inputs", "outputs"} <= names and has_reference else None


def read_langsmith(sources: Sequence[Source], choices: Choices) -> Reading:
    """Read feedback keys as judges; a key that is named for people is gold."""
    files = [source.name for source in sources]
    if {"run_id", "key", "feedback_source"} <= sources[0].row_keys:
        rows = (row for source in sources for row in _rows(source))
        return read_score_rows(rows, "LangSmith", files, choices, gold_from="feedback from the app")
    if {"run_type", "feedback_stats"} <= sources[0].row_keys:
        rows = (row for source in sources for row in _statistics(source))
        return read_score_rows(rows, "LangSmith", files, choices, gold_from="feedback by people")
    grid = open_grids(sources[0], choices)[0]
    if not choices.judges and _holds_classes(grid, choices):
        return replace(read_tables(sources, choices), tool="LangSmith")
    kept = [
        name
        for name in grid.frame.columns
        if name.partition(".")[0].strip().casefold() not in _RUN
        and name.rpartition("_")[2] not in ("comment", "reasoning", "rationale")
    ]
    grid = grid._replace(frame=grid.frame.select(kept))
    facts = [column_facts(column, missing=choices.missing) for column in grid.frame]
    roles = RoleEvidence(grid, facts, choices).votes()
    given = choices if roles is None else roles.choices
    reading = read_vote_table(grid, facts, given, files)
    doubts = reading.doubts if roles is None else (*reading.doubts, *roles.doubts)
    findings = () if roles is None else tuple(roles.findings)
    return replace(reading, tool="LangSmith", doubts=doubts, findings=findings)


def _holds_classes(grid: CellGrid, choices: Choices) -> bool:
    """Say whether what a run answered and what was expected are labels of one vocabulary: more than their comparison says."""
    facts = [column_facts(column, missing=choices.missing) for column in grid.frame]
    parts = [(f.name.partition(".")[0].casefold(), f) for f in facts if f.role == "label"]
    answers = [set(f.counts or ()) for name, f in parts if name == "outputs"]
    expected = [
        set(f.counts or ()) for name, f in parts if name in ("reference", "reference_outputs")
    ]
    return any(len(a) > 1 and len(a & e) * 2 > len(a | e) for a in answers for e in expected)


def _statistics(source: Source) -> Iterator[ScoreRow]:
    """Yield the feedback of runs that an export counts: of one vote each, for more have a mean and no label."""
    for place, row in enumerate(read_rows(source)):
        for name, part in (row["feedback_stats"] or {}).items():
            value = part.get("avg") if part.get("n") == 1 else None
            is_person = bool({"person", "truth"} & hints_of(name))
            yield ScoreRow(str(row.get("id") or place), name, name, value, is_person)


def _rows(source: Source) -> Iterator[ScoreRow]:
    for row in read_rows(source):
        maker = row.get("feedback_source") or {}
        value = row.get("value")
        value = row.get("score") if value is None or isinstance(value, dict) else value
        kind = str(maker.get("type", "")) if isinstance(maker, dict) else str(maker)
        name = str(row["key"])
        yield ScoreRow(str(row["run_id"]), name, name, value, kind == "app")
