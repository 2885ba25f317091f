"""What files were read as: in a line, in words, and as an object in the manifest's words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from askpoint.records.label_words import MOST_LABELS
from askpoint.records.readers.reading import Reading

__all__ = ["reading_line", "reading_lines", "reading_object", "reading_table"]

_FEW = 20  # different values of a judge that are counted one by one


def reading_line(reading: Reading) -> str:
    """Say in one line what was taken for what."""
    if reading.kind == "predictions":
        parts = [f"id {reading.id}" if reading.id else "rows numbered"]
        parts.append(f"label {reading.label}" if reading.label else "no labels")
        if reading.probabilities:
            columns = dict.fromkeys(reading.probabilities.values())
            parts.append(f"probabilities {_few(list(columns))}")
        else:
            sure = f", confidence {reading.confidence}" if reading.confidence else ""
            parts.append(f"answers {reading.prediction}{sure}")
        parts.append(f"classes {_few(reading.classes)}")
        if reading.time:
            parts.append(f"time {reading.time}")
        if n := reading.number("declined"):
            parts.append(f"{n} abstained")
    elif reading.kind == "approvals":
        parts = [f"decision {reading.label} ({_count_text(reading.label_counts)})"]
        if reading.systems:
            parts.append(f"tools {_few(reading.systems)}")
    else:
        judges = len(reading.judges)
        parts = [f"{judges} judge{'s' * (judges != 1)} ({_few(reading.judges)})"]
        if reading.systems:
            parts.append(f"systems {_few(reading.systems)}")
        if reading.gold is not None:
            parts.append(f"{len(reading.gold.labels)} labels by people from {reading.gold.source}")
        for state in ("declined", "failed"):
            if n := reading.number(state):
                parts.append(f"{n} {state}")
    unlabelled = sum(reading.missing.get(reading.label or "", {}).values())
    if reading.kind == "predictions" and unlabelled:
        parts.append(f"{unlabelled:,} without a label")
        gone = sum(sum(words.values()) for words in reading.missing.values()) - unlabelled
    else:
        gone = sum(sum(words.values()) for words in reading.missing.values())
    if gone:
        parts.append(f"{gone} cells missing")
    rows = reading.frame.height
    size = f"{reading.items:,} item{'s' * (reading.items != 1)}" + (
        f" in {rows:,} rows" if rows > reading.items else ""
    )
    tool = "" if reading.tool == "table" else f" of {reading.tool}"
    guess = "; columns guessed from names and values" if reading.is_guess else ""
    return f"read as {reading.kind}{tool}: {size}; {'; '.join(parts)}{guess}"


def reading_table(reading: Reading) -> list[str]:
    """Show the evidence: each column, what it was taken for, why, and what it would be next."""
    if not reading.findings:
        return [f"the format of {reading.tool} says what each part is"]
    rows = [("column", "taken for", "evidence", "next")]
    rows += [(f.column, f.part, f.why, f.other or "-") for f in reading.findings]
    known = {f.column for f in reading.findings}
    known |= {name for name in (reading.id, reading.time) if name}
    if reading.id is not None and reading.id not in {f.column for f in reading.findings}:
        rows.append((reading.id, "id", "names each row", "-"))
    if reading.time is not None:
        rows.append((reading.time, "time", "holds times", "-"))
    others = [n for n in (*reading.not_judges, *reading.frame.columns) if n not in known]
    made = {"id", "item", "label", "prediction", "confidence", "system"}
    others = [n for n in dict.fromkeys(others) if n not in made and not n.startswith("proba_")]
    rows += [(name, "not used", "-", "-") for name in others]
    widths = [max(len(row[i]) for row in rows) for i in range(3)]
    return [
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[3]])
        for row in rows
    ]


def reading_lines(reading: Reading) -> list[str]:
    """Say what was read: the line, the counts, and each doubt with its option."""
    lines = [reading_line(reading)]
    for label, count in reading.label_counts.items():
        lines.append(f"  label {label}: {count:,}")
    for judge, counts in reading.votes.items():
        lines.append(f"  {judge}: {_count_text(counts)}")
    if reading.gold is not None:
        lines.append(f"  people: {_count_text(reading.gold.counts())}")
    for column, words in reading.missing.items():
        named = ", ".join(f"{word or 'empty'} {count:,}" for word, count in words.items())
        lines.append(f"  missing in {column}: {named}")
    if reading.not_judges:
        lines.append(f"  no votes: {_few(reading.not_judges)}")
    for doubt in reading.doubts:
        option = f" ({doubt.option})" if doubt.option else ""
        lines.append(
            f"  {'to be settled' if doubt.must_be_settled else 'taken'}: {doubt.what}{option}"
        )
    return lines


def reading_object(reading: Reading) -> dict[str, Any]:
    """Return what was read as one object."""
    content: dict[str, Any] = {
        "kind": reading.kind,
        "tool": reading.tool,
        "files": list(reading.files),
        "items": _items(reading),
        "rows": reading.frame.height if reading.lines is None else reading.lines,
    }
    if reading.kind == "predictions":
        content |= {
            "item_id": reading.id,
            "label": reading.label,
            "prediction": reading.prediction,
            "confidence": reading.confidence,
            "probabilities": dict(reading.probabilities),
            "classes": list(reading.classes),
            "label_counts": dict(reading.label_counts),
            "abstained": reading.number("declined"),
            "time": reading.time,
        }
    elif reading.kind == "approvals":
        content |= {
            "item_id": reading.id,
            "decision": reading.label,
            "decisions": dict(reading.label_counts),
        }
    else:
        content |= {
            "item_id": reading.id,
            "votes": _votes(reading),
            "rows_with_error": reading.number("failed"),
            "scores": {judge: _value_counts(reading.votes[judge]) for judge in reading.scales},
            "not_judges": list(reading.not_judges),
            "declined": reading.number("declined"),
            "gold": None
            if reading.gold is None
            else {
                "from": reading.gold.source,
                "items": len(reading.gold.labels),
                "counts": reading.gold.counts(),
            },
        }
    return content | {
        "systems": list(reading.systems),
        "missing": {
            name: _plain(words, single=reading.kind == "evaluation")
            for name, words in reading.missing.items()
        },
        "read_as_one": dict(reading.one_label),
        "guess": reading.is_guess,
        "evidence": [f._asdict() for f in reading.findings],
        "doubts": [
            {"what": d.what, "option": d.option or None, "must_be_settled": d.must_be_settled}
            for d in reading.doubts
        ],
    }


def _items(reading: Reading) -> int | dict[str, int]:
    if "task" not in reading.frame.columns or reading.kind in ("predictions", "approvals"):
        return reading.items
    pairs = reading.frame.select("task", "item").unique()
    return dict(pairs["task"].value_counts().sort("task").iter_rows())


def _votes(reading: Reading) -> dict[str, Any]:
    """Count votes by judge; by system and task first where each file is of one system."""
    apart = [
        name
        for name in ("system", "task")
        if reading.kind == "evaluation"
        and name in reading.frame.columns
        and len(reading.files) > 1
        and reading.frame[name].n_unique() > 1
    ]
    if not apart:
        no_votes = reading.scales if reading.kind == "votes" else ()
        return {
            judge: _value_counts(counts)
            for judge, counts in reading.votes.items()
            if judge not in no_votes
        }
    content: dict[str, Any] = {}
    for key, part in reading.frame.group_by(apart, maintain_order=True):
        place = content
        for name in key:
            place = place.setdefault(str(name), {})
        for judge in reading.judges:
            cells = part[judge].drop_nulls()
            if len(cells):
                place[judge] = _value_counts(
                    dict(cells.value_counts(name="\x00n").sort(judge).iter_rows())
                )
    return content


def _value_counts(counts: Mapping[str, int]) -> dict[str, int] | str:
    if len(counts) <= _FEW:
        return dict(counts)
    try:
        numbers = sorted(map(float, counts))
    except ValueError:
        return dict(counts) if len(counts) <= MOST_LABELS else f"{len(counts)} different texts"
    return f"{sum(counts.values())} numbers from {numbers[0]:g} to {numbers[-1]:g}"


def _plain(words: Mapping[str, int], *, single: bool) -> dict[str, int] | int:
    if set(words) == {""} or (single and len(words) == 1):
        return next(iter(words.values()))
    return dict(words)


def _count_text(counts: Mapping[str, int]) -> str:
    shown = _value_counts(counts)
    if isinstance(shown, str):
        return shown
    return ", ".join(f"{value} {count:,}" for value, count in shown.items())


def _few(names: Sequence[str]) -> str:
    known = list(names)
    return ", ".join(known[:8]) + (f", ... ({len(known)})" if len(known) > 8 else "")
