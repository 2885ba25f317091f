"""Experiments and feedback of LangSmith."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from askpoint.records.readers.evidence.decision import RoleEvidence
from askpoint.records.readers.reading import Choices, Reading
from askpoint.records.readers.score_rows import ScoreRow, read_rows, read_score_rows
from askpoint.records.readers.sources import Source
from askpoint.records.readers.table_opening import open_grids
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
    if {"run_id", "key", "feedback_source"} <= keys:
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
    grid = open_grids(sources[0], choices)[0]
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


def _rows(source: Source) -> Iterator[ScoreRow]:
    for row in read_rows(source):
        maker = row.get("feedback_source") or {}
        value = row.get("value")
        value = row.get("score") if value is None or isinstance(value, dict) else value
        kind = str(maker.get("type", "")) if isinstance(maker, dict) else str(maker)
        name = str(row["key"])
        yield ScoreRow(str(row["run_id"]), name, name, value, kind == "app")
