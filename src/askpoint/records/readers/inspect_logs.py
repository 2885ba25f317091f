"""Logs of Inspect: ``.eval``, a zip of JSON that new versions pack with zstd, and ``.json``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from askpoint.errors import LogError
from askpoint.records.readers.evaluations import JudgedAnswer, read_answers
from askpoint.records.readers.reading import Choices, Doubt, Reading
from askpoint.records.readers.sources import Source

__all__ = ["read_inspect", "sniff_inspect"]

_MACHINE = re.compile(
    r"bot\b|\bbot|auto|script|rescor|grader|judge|gpt|claude|gemini|llama|llm|model|system|cron|\bci\b",
    re.IGNORECASE,
)
_UNCHANGED = "UNCHANGED"


def sniff_inspect(source: Source) -> float | None:
    """Say how sure it is that a file is a log of Inspect."""
    if source.shape == "zip":
        members = source.members
        known = "header.json" in members or "_journal/start.json" in members
        return 1.0 if known else None
    if source.name.lower().endswith(".eval"):
        raise LogError(
            f"{source.name} ends like a log of Inspect, but is not a zip file: copy it again, or run "
            "inspect log convert --to json"
        )
    return 0.95 if source.has_keys("eval", "status") and source.has_keys("version") else None


def read_inspect(sources: Sequence[Source], choices: Choices) -> Reading:
    """Read logs of Inspect."""
    rows: list[JudgedAnswer] = []
    doubts: list[Doubt] = []
    authors: set[str] = set()
    parts: set[str] = set()
    for source in sources:
        header = _header(source)
        samples = list(_samples(source))
        _check_finished(source.name, header, samples, choices)
        model = str(header.get("eval", {}).get("model", ""))
        task = str(header.get("eval", {}).get("task", ""))
        if header.get("invalidated"):
            raise LogError(f"{source.name} was marked as invalid by its makers; leave it out")
        left_out = [sample for sample in samples if sample.get("invalidation")]
        if left_out:
            doubts.append(
                Doubt(f"{len(left_out)} samples of {source.name} marked invalid, left out")
            )
        for sample in samples:
            if not sample.get("invalidation"):
                row = _row(sample, model, task, choices, authors)
                row.file = source.name
                row.describe(sample.get("metadata"))
                rows.append(row)
                parts |= _parts(sample)
    tasks = {row.task for row in rows}
    if len(tasks) == 1:
        for row in rows:
            row.task = ""
    machines = {name for name in authors if not _is_person(name, choices)}
    if machines:
        doubts.append(
            Doubt(
                f"edits by {', '.join(sorted(machines))} taken for a machine's, not people's",
                "--people",
            )
        )
    if people := authors - machines:
        doubts.append(Doubt(f"edits by {', '.join(sorted(people))} taken for people's", "--people"))
    return read_answers(
        rows,
        "Inspect",
        [source.name for source in sources],
        choices,
        gold_from=f"edits of scores by {', '.join(sorted(authors - machines))}",
        doubts=doubts,
        question_of=lambda judge: judge if "." in judge and judge in parts else "",
    )


def _header(source: Source) -> dict[str, Any]:
    if source.shape != "zip":
        document = source.document
    elif "header.json" in source.members:
        document = source.member("header.json")
    else:
        document = source.member("_journal/start.json") | {"status": "started"}
    if not isinstance(document, dict) or not isinstance(document.get("eval"), dict):
        raise LogError(f"{source.name} is a log of a version of Inspect that is not known here")
    return document


def _samples(source: Source) -> Iterator[dict[str, Any]]:
    if source.shape != "zip":
        samples = source.document.get("samples")
        if not samples:
            raise LogError(f"{source.name} holds no samples: write the log with --log-samples")
        yield from samples
        return
    names = [name for name in source.members if name.startswith("samples/")]
    if not names:
        raise LogError(f"{source.name} holds no samples: write the log with --log-samples")
    for name in names:
        yield source.member(name)


def _check_finished(
    name: str, header: dict[str, Any], samples: Sequence[dict[str, Any]], choices: Choices
) -> None:
    status = header.get("status")
    if status == "success" or choices.unfinished == "keep":
        return
    failed = [str(s.get("id")) for s in samples if s.get("error")]
    where = f"sample {', '.join(failed[:5])} failed" if failed else "it did not end"
    raise LogError(
        f"{name} is of a run that did not finish (status {status!r}: {where}; {len(samples)} samples "
        "are there): repeat the run, or read what is there with --unfinished keep"
    )


def _is_person(author: str, choices: Choices) -> bool:
    return author in choices.people if choices.people else not _MACHINE.search(author)


def _row(
    sample: dict[str, Any], model: str, task: str, choices: Choices, authors: set[str]
) -> JudgedAnswer:
    failed = bool(sample.get("error"))
    output = (sample.get("output") or {}).get("choices") or [{}]
    row = JudgedAnswer(
        str(sample.get("id")),
        model,
        task,
        declined=output[0].get("stop_reason") == "content_filter",
        failed=failed,
    )
    for name, score in (sample.get("scores") or {}).items():
        own, edits = _history(score)
        for value, author in edits:
            authors.add(author)
            if value != _UNCHANGED and _is_person(author, choices):
                row.gold = str(value)
        if own is None:
            continue
        if isinstance(own[0], dict):
            for part, value in own[0].items():
                row.add(f"{name}.{part}", value)
        elif isinstance(own[0], list):
            for place, value in enumerate(own[0]):
                row.add(f"{name}.{place}", value)
        else:
            row.add(name, own[0])
    return row


def _parts(sample: dict[str, Any]) -> set[str]:
    """Return the names of the parts of scores that are mappings."""
    scores = (sample.get("scores") or {}).items()
    return {
        f"{name}.{part}"
        for name, score in scores
        if isinstance(score.get("value"), dict)
        for part in score["value"]
    }


def _history(score: dict[str, Any]) -> tuple[tuple[Any] | None, list[tuple[Any, str]]]:
    """Return the judge's own value, if there is one, and the edits with their authors."""
    history = score.get("history") or []
    edits = [
        (entry.get("value"), str(entry["provenance"].get("author", "")))
        for entry in history
        if entry.get("provenance")
    ]
    if not history:
        return (score.get("value"),), edits
    first = history[0]
    return (None if first.get("provenance") else (first.get("value"),)), edits
