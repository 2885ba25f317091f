"""Logs with one row per score: what was scored, by whom, and whether that was a person."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from askpoint.errors import LogError
from askpoint.records.readers.evaluations import JudgedAnswer, read_answers
from askpoint.records.readers.evidence.words import hints_of
from askpoint.records.readers.reading import Choices, Doubt, Reading
from askpoint.records.readers.sources import Source
from askpoint.records.readers.table_opening import open_grids

__all__ = ["ScoreRow", "read_rows", "read_score_rows"]

_SAME = 2  # judges from which it counts whether they were asked the same


class ScoreRow(NamedTuple):
    """One score.

    Attributes
    ----------
    item : str
        What was scored.
    question, judge : str
        What was asked, and who answered.
    value : object
        The answer: a text, a truth value or a number; None where there is none.
    is_person : bool
        Whether a person answered.
    why_missing : str
        Why there is no answer.
    """

    item: str
    question: str
    judge: str
    value: Any
    is_person: bool
    why_missing: str = ""


def read_rows(source: Source) -> Iterator[dict[str, Any]]:
    """Yield the objects of a list, of lines, or of the one list inside an object; or rows of a CSV."""
    if source.shape == "text":
        yield from open_grids(source, Choices())[0].frame.iter_rows(named=True)
        return
    if source.shape == "jsonl":
        for _, line in source.lines():
            yield line
        return
    document = source.document
    if isinstance(document, dict):
        lists = [
            v for v in document.values() if isinstance(v, list) and v and isinstance(v[0], dict)
        ]
        document = lists[0] if lists else [document]
    for place, row in enumerate(document):
        if not isinstance(row, dict):
            raise LogError(f"{source.name}: entry {place} is not an object")
        yield row


def read_score_rows(
    rows: Iterable[ScoreRow],
    tool: str,
    files: Sequence[str],
    choices: Choices,
    *,
    gold_from: str,
) -> Reading:
    """Return scores as votes, and people's as gold: the label that all who looked gave.

    Several questions are not judges of one thing: which one is meant is asked, unless people
    answered only one of them.
    """
    known = list(rows)
    people = {row.question for row in known if row.is_person and row.value is not None}
    measured = sorted({r.judge for r in known if not r.is_person and _is_measure(r.question)})
    machine = [r for r in known if not r.is_person and r.judge not in measured]
    doubts: list[Doubt] = []
    chosen = choices.gold if choices.gold in people else None
    if chosen is None and len(people) > 1:
        asked = {row.question for row in machine}
        common = sorted(people & asked)
        chosen = common[0] if len(common) == 1 else None
    if chosen is None and len(people) > 1 and machine:
        doubts.append(
            Doubt(
                f"people answered {', '.join(sorted(people))}: name the question that counts with --gold",
                "--gold",
                must_be_settled=True,
            )
        )
    gold = chosen or next(iter(sorted(people)), None)
    answers: dict[str, JudgedAnswer] = {}
    said: dict[str, dict[str, None]] = {}
    as_judges = not machine  # people alone are judges of each other
    for row in known:
        answer = answers.setdefault(row.item, JudgedAnswer(row.item))
        if row.is_person and not as_judges:
            if row.question == gold and row.value is not None:
                said.setdefault(row.item, {})[_text(row.value)] = None
        elif row.judge not in measured:
            answer.add(row.judge, row.value)
            if row.value is None and row.why_missing:
                answer.missing[row.judge] = row.why_missing
    disagreed = 0
    for item, labels in said.items():
        if len(labels) == 1:
            answers[item].gold = next(iter(labels))
        else:
            disagreed += 1
    if disagreed:
        doubts.append(Doubt(f"people disagree on {disagreed} items: no label by people there"))
    question = {row.judge: row.question for row in machine}
    stems = {judge: _stem(text, people) for judge, text in question.items()}
    reading = read_answers(
        answers.values(),
        tool,
        files,
        choices if choices.gold is None else replace(choices, gold=None),
        gold_from=gold_from,
        doubts=doubts,
        not_judges=measured,
        question_of=stems.__getitem__ if len(stems) >= _SAME else None,
    )
    return replace(reading, lines=len(known))


def _text(value: Any) -> str:
    return value.strip() if isinstance(value, str) else str(value)


def _is_measure(name: str) -> bool:
    """Say whether a score is called like a time, a length or money: no vote."""
    return bool({"measure", "time"} & hints_of(name)) and not ({"label", "judge"} & hints_of(name))


def _stem(question: str, people: set[str]) -> str:
    """Return the question without the judge's name, where people were asked the same one."""
    for name in sorted(people, key=len, reverse=True):
        if question == name or question.startswith(
            (f"{name}-", f"{name}_", f"{name}/", f"{name} ")
        ):
            return name
    return question.split("/", maxsplit=1)[0]
