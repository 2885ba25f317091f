"""Rows of an evaluation log, from whatever tool, as one reading."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from askpoint.errors import LogError
from askpoint.records.label_words import MOST_LABELS, same_labels
from askpoint.records.readers.reading import Choices, Counts, Doubt, Gold, Reading

__all__ = ["JudgedAnswer", "read_answers"]

_SHORT = 60  # characters of what can name a part of the items


@dataclass
class JudgedAnswer:
    """One answer of one system, and what judges said about it.

    Parameters
    ----------
    item : str
        The item that was answered; several answers to one item are its repeats.
    system, task : str
        Whose answer this is, and of which benchmark; empty where the log does not say.
    votes : dict of str to str
        What each judge said.
    missing : dict of str to str
        Why a judge said nothing.
    numbers : set of str
        Judges whose votes are numbers.
    gold : str or None
        What people said.
    declined, failed : bool
        Whether the system declined to answer, or the run failed.
    file : str
        Where it stands.
    parts : dict of str to str
        What else is known of the item, by which items may be parted.
    """

    item: str
    system: str = ""
    task: str = ""
    votes: dict[str, str] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)
    numbers: set[str] = field(default_factory=set)
    gold: str | None = None
    declined: bool = False
    failed: bool = False
    file: str = ""
    parts: dict[str, str] = field(default_factory=dict)

    def describe(self, *facts: object) -> None:
        """Note what short words and numbers of some objects say of the item."""
        for fact in facts:
            for name, value in fact.items() if isinstance(fact, dict) else ():
                if (
                    isinstance(value, str | int | float)
                    and len(text := _spell_vote(value)) <= _SHORT
                ):
                    self.parts.setdefault(str(name), text)

    def add(self, judge: str, value: Any) -> None:
        """Note a vote; None, NaN and an empty text are missing."""
        if value is None:
            self.missing[judge] = "no vote"
        elif isinstance(value, float) and math.isnan(value):
            self.missing[judge] = "NaN"
        elif not (text := _spell_vote(value)):
            self.missing[judge] = ""
        else:
            self.votes[judge] = text
            if isinstance(value, int | float) and not isinstance(value, bool):
                self.numbers.add(judge)


def _spell_vote(value: Any) -> str:
    """Return a vote as it stands in the file: True, 1.0, C."""
    return value.strip() if isinstance(value, str) else str(value)


def read_answers(
    rows: Iterable[JudgedAnswer],
    tool: str,
    files: Sequence[str],
    choices: Choices,
    *,
    gold_from: str = "",
    doubts: Sequence[Doubt] = (),
    not_judges: Sequence[str] = (),
    question_of: Callable[[str], str] | None = None,
) -> Reading:
    """Return the reading of judged answers.

    `question_of` says what a judge was asked, where a log names that: only judges who were asked
    the same can be compared.
    """
    answers = list(rows)
    found = [*doubts, *_runs_apart(answers)]
    answers = _select_answers(answers, choices)
    judges = list(dict.fromkeys(j for row in answers for j in (*row.votes, *row.missing)))
    if choices.judges:
        judges = _split_names(",".join(choices.judges), judges)
    if not answers:
        raise LogError(f"{files[0]} is a log of {tool} without a single answer")
    if not any(row.votes for row in answers):
        raise LogError(f"{files[0]} is a log of {tool} in which no judge said anything")
    of_task = {(row.task, judge) for row in answers for judge in (*row.votes, *row.missing)}
    for row in answers:
        for judge in judges:
            if row.failed and judge not in row.votes:
                row.missing[judge] = "failed"
            elif judge not in row.votes and (not row.task or (row.task, judge) in of_task):
                row.missing.setdefault(judge, "no vote")
    votes: Counts = {}
    missing: Counts = {}
    for judge in judges:
        votes[judge] = _sort_counts(Counter(r.votes[judge] for r in answers if judge in r.votes))
        gone = Counter(r.missing[judge] for r in answers if judge in r.missing)
        if gone:
            missing[judge] = _sort_counts(gone)
    texts = [j for j in judges if _is_text(j, votes[j], answers)]
    if texts:
        found.append(Doubt(f"{_list(texts)} {_says(votes[texts[0]])}: no votes"))
        judges = [judge for judge in judges if judge not in texts]
        votes = {judge: votes[judge] for judge in judges}
        missing = {judge: gone for judge, gone in missing.items() if judge in votes}
        if not judges:
            raise LogError(f"{files[0]}: {_list(texts)} {_says({})}, so no judge's votes are there")
    scales = tuple(j for j in judges if _is_scale(j, votes[j], answers))
    frame = _frame(answers, judges)
    systems = tuple(dict.fromkeys(row.system for row in answers if row.system))
    gold = {str(i): row.gold for i, row in enumerate(answers) if row.gold is not None}
    labels = [votes[j] for j in judges if j not in scales]
    together = same_labels([*labels, Counter(gold.values())])
    if question_of is not None and len(asked := dict.fromkeys(map(question_of, judges))) > 1:
        found.append(
            Doubt(
                f"{_list(asked)} are different questions, not judges of one: name those of one "
                f"question, for example --judges '{judges[0]}'",
                "--judges",
                must_be_settled=True,
            )
        )
    if together:
        found.append(Doubt(_describe_spellings(together), "--map"))
    if choices.labels_map:
        together = {**together, **choices.labels_map}
    if scales and choices.pass_at is None:
        found.append(
            Doubt(
                f"{_list(scales)} gives numbers on a scale: name the least that passes "
                "(--pass-at), or other judges (--judges)",
                "--pass-at",
                must_be_settled=not labels,
            )
        )
    return Reading(
        "evaluation",
        tool,
        tuple(files),
        frame,
        items=len({(row.task, row.item) for row in answers}),
        judges=tuple(judges),
        votes=votes,
        missing=missing,
        gold=Gold(gold_from, gold) if gold else None,
        systems=systems,
        scales=scales,
        one_label=together,
        states=pl.Series("state", [_state(row) for row in answers], dtype=pl.String),
        parts=_parts(answers),
        doubts=tuple(found),
        not_judges=(*not_judges, *texts),
    )


def _runs_apart(answers: Sequence[JudgedAnswer]) -> Iterator[Doubt]:
    """Name systems by their files where several files hold answers of one to the same items."""
    items: dict[tuple[str, str], dict[str, set[str]]] = {}
    for row in answers:
        of = items.setdefault((row.system, row.task), {})
        of.setdefault(row.file, set()).add(row.item)
    twice = {
        system
        for (system, _), files in items.items()
        if len(files) > 1 and sum(map(len, files.values())) > len(set().union(*files.values()))
    }
    for row in answers:
        if row.system in twice:
            row.system = f"{row.system} ({row.file})" if row.system else row.file
    for system in sorted(twice):
        yield Doubt(
            f"several files hold answers of {system or 'one system'} to the same items: each file is "
            "taken for a system"
        )


def _state(row: JudgedAnswer) -> str:
    return "declined" if row.declined else "failed" if row.failed else "answered"


def _parts(answers: Sequence[JudgedAnswer]) -> pl.DataFrame:
    names = dict.fromkeys(name for row in answers for name in row.parts)
    columns = [pl.Series(n, [r.parts.get(n) for r in answers], dtype=pl.String) for n in names]
    if any(row.task for row in answers) and "task" not in names:
        columns.append(pl.Series("task", [row.task for row in answers], dtype=pl.String))
    return pl.DataFrame(columns)


def _split_names(text: str, judges: Sequence[str]) -> list[str]:
    """Read judges with commas between them; names may hold commas, too."""
    found = []
    while text:
        fitting = [name for name in judges if text == name or text.startswith(f"{name},")]
        if not fitting:
            raise LogError(
                f"--judges: there is no judge {text.partition(',')[0]!r}; there are {_list(judges)}"
            )
        found.append(max(fitting, key=len))
        text = text[len(found[-1]) + 1 :]
    return found


def _select_answers(answers: list[JudgedAnswer], choices: Choices) -> list[JudgedAnswer]:
    for what, name in (("system", choices.system), ("task", choices.task)):
        if name is None:
            continue
        known = list(dict.fromkeys(getattr(row, what) for row in answers))
        if name not in known:
            raise LogError(f"--{what}: there is no {what} {name!r}; there are {_list(known)}")
        answers = [row for row in answers if getattr(row, what) == name]
    return answers


def _is_text(judge: str, counts: dict[str, int], answers: list[JudgedAnswer]) -> bool:
    return len(counts) > MOST_LABELS and not any(judge in row.numbers for row in answers)


def _says(counts: dict[str, int]) -> str:
    return f"says {len(counts) or f'more than {MOST_LABELS}'} different things, too many for labels"


def _is_scale(judge: str, counts: dict[str, int], answers: list[JudgedAnswer]) -> bool:
    if not any(judge in row.numbers for row in answers):
        return False
    try:
        return not {float(value) for value in counts} <= {0.0, 1.0}
    except ValueError:  # words among the numbers
        return False


def _frame(answers: list[JudgedAnswer], judges: list[str]) -> pl.DataFrame:
    columns: dict[str, pl.Series] = {
        "item": pl.Series([row.item for row in answers], dtype=pl.String)
    }
    for what in ("system", "task"):
        if any(getattr(row, what) for row in answers):
            columns[what] = pl.Series([getattr(row, what) for row in answers], dtype=pl.String)
    for judge in judges:
        name = f"{judge} (judge)" if judge in columns else judge
        columns[name] = pl.Series([row.votes.get(judge) for row in answers], dtype=pl.String)
    return pl.DataFrame(columns)


def _sort_counts(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items()))


def _list(names: Iterable[str]) -> str:
    names = list(names)
    return ", ".join(names[:10]) + (", ..." if len(names) > 10 else "")


def _describe_spellings(together: dict[str, str]) -> str:
    parts: dict[str, list[str]] = {}
    for spelling, label in together.items():
        parts.setdefault(label, []).append(spelling)
    said_parts = (f"{', '.join(spellings)} as {label}" for label, spellings in parts.items())
    return f"read {' and '.join(said_parts)}"
