"""A gate on a log of a model's predictions: is the model right on enough of the cases?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from askpoint.cli.actions.quality_gate import finish_gate
from askpoint.cli.actions.vote_files import print_reading
from askpoint.cli.report import check_files, print_report, shown_name
from askpoint.errors import AskpointError, LogError, NotEstimableError
from askpoint.judges.sketch.codes import label_name
from askpoint.records.predictions import PredictionLog
from askpoint.records.readers.reading import Choices, Reading
from askpoint.records.readers.registry import read_files
from askpoint.records.tables import open_table

__all__ = ["LogToGate", "find_log", "gate_log"]

_OF_VOTES = (
    *("positive", "judges", "no_worse_than", "margin", "fail_on", "system", "systems", "pass_at"),
    *("window", "anchor", "group", "plan", "labels", "vote", "items", "engine", "cache"),
    *("covariate", "propose", "family"),
)
_MOST_ROWS = 1_000_000  # of a table that is read to see what it is


class LogToGate(NamedTuple):
    """A file that was read as a model's predictions, and the column of its labels if one was named."""

    reading: Reading
    label: str | None


def find_log(files: Sequence[str], options: Mapping[str, Any]) -> LogToGate | None:
    """Return the file as a log of predictions, if it is one and the gate may be about it.

    Options of votes, such as --positive, say that it is about votes.
    """
    asked = any(options[name] not in (None, (), False) for name in _OF_VOTES)
    if options["at_least"] is None or asked or len(files) != 1 or not Path(files[0]).exists():
        return None
    gold = options["gold"]
    label = gold if gold is not None and not Path(gold).exists() else None
    try:
        if open_table(files[0]).n_rows() > _MOST_ROWS:
            return None
        reading = read_files(files, Choices(label=label))
    except AskpointError:
        return None
    if reading.kind != "predictions" or reading.open_doubt is not None:
        return None
    if reading.systems[1:] or _is_panel(files):
        return None
    return LogToGate(reading, label)


def _is_panel(files: Sequence[str]) -> bool:
    """Say whether several columns could be judges' votes as well."""
    try:
        return len(read_files(files, Choices(kind="votes")).judges) > 1
    except AskpointError:
        return False


def gate_log(file: str, found: LogToGate, options: Mapping[str, Any]) -> int:
    """Say whether a model is right on enough of the cases, and return the gate's exit code."""
    check_files(options, "junit", "summary")
    from askpoint.answers.judges.gate import by_share
    from askpoint.answers.value.proposal import propose_at_random
    from askpoint.answers.value.refusals import SelectiveLabels
    from askpoint.answers.value.right_share import measure_right_share
    from askpoint.records.proposals import keep_sealed
    from askpoint.reports.document import Document
    from askpoint.reports.judges.gate import gate_object, gate_section
    from askpoint.reports.value.right_share import right_share_object, right_share_section
    from askpoint.reports.verdicts import selection_text

    log = keep_sealed(_read_log(found, options))
    right = measure_right_share(log, any_time=options["look"] == "again")
    edge: float = options["at_least"]
    share = None
    if right.value is not None and right.interval is not None:
        share = (right.value, right.interval, right.n_labels)
    begin = right.labels_to_begin(edge) if share is None and 0 < edge < 1 else None
    why = "no labels by people"
    if isinstance(right.refusal, SelectiveLabels):
        why = f"the labels were not drawn at random, {selection_text(right.refusal)}"
    elif right.n_labels:
        why = "too few labels speak for some of the cases"
        if right.refusal is None and options["look"] == "again":
            why = "--look again takes labels drawn with equal chances, one per case"
    verdict = by_share("the model", edge, share, right.n_items, begin, why, "right on")
    proposed: tuple[str, ...] = ()
    seal = None
    if verdict.outcome.value == "undecided":
        try:
            order, seal = propose_at_random(log, verdict.more or right.n_items)
            proposed = tuple(str(log.ids[row]) for row in order.rows.tolist())
        except (
            AskpointError,
            NotEstimableError,
        ):  # names that occur twice, or every case has a label
            seal = None
    document = Document(
        f"How often is the model of {shown_name(file)} right?",
        (gate_section([verdict], proposed), right_share_section(right, log.n_uncounted, seal)),
    )

    def content() -> dict[str, Any]:
        gate = {"gate": gate_object([verdict], proposed)}
        return right_share_object(right, log.n_uncounted, seal) | gate

    print_reading(found.reading, options)
    print_report(document, content, options, right)
    return finish_gate(document, [verdict], proposed, options)


def _read_log(found: LogToGate, options: Mapping[str, Any]) -> PredictionLog:
    """Return the log with the labels of --gold and the clusters of --clusters."""
    from askpoint.records.value_logs import LogRequest, open_reading

    reading, gold = found.reading, options["gold"]
    cluster = options["clusters"]
    if gold is None or found.label is not None:
        files: tuple[str, ...] = ()
    elif {"chance", "mark"} <= set(open_table(gold).columns):
        files = (gold,)  # as `askpoint value --propose` wrote it
    else:
        reading, files = _with_gold(reading, gold, options), ()
    request = LogRequest(others={"cluster": cluster}, labels=files)

    def refuse(*_: Any) -> Any:
        raise LogError("a gate reads its log exactly; got more rows than that")

    records = open_reading(reading, request, refuse).records
    if not isinstance(records, PredictionLog):
        raise LogError("a gate reads its log exactly; got counts")
    return records


def _with_gold(reading: Reading, gold: str, options: Mapping[str, Any]) -> Reading:
    """Return the reading with the labels of a file in place."""
    from dataclasses import replace

    from askpoint.records.proposals import FilledIn, with_labels
    from askpoint.records.votes import VoteColumns, read_gold

    columns = VoteColumns(options["worker"], options["task"], options["label"])
    frame = reading.frame
    ids = frame["id"] if "id" in frame.columns else range(frame.height)
    known = read_gold(gold, columns, lambda: list(map(label_name, ids)))
    file = FilledIn(gold, list(known), list(known.values()), [], [])
    return replace(reading, frame=with_labels(reading.frame, "label", [file]))
