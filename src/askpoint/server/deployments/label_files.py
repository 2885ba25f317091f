"""Labels as files: CSV and JSON lines, read line by line, so that a wrong line costs no other."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

from askpoint.errors import InputError
from askpoint.server.deployments.cases import queue_of
from askpoint.server.deployments.labelling import IncomingLabel, problems_of, take_labels
from askpoint.server.deployments.models import Deployment, Label
from askpoint.server.labelling.models import Vote
from askpoint.server.spreadsheets import plain_text, to_csv
from askpoint.wire.fields import LONGEST_KEY, MOST_LABELS

__all__ = ["KINDS", "MOST_LINES", "Brought", "Refused", "bring_labels", "label_lines"]

KINDS = {"csv": "text/csv", "jsonl": "application/x-ndjson"}
"""Of files, with their content types."""

MOST_LINES = 20_000
"""Of one file."""

_COLUMNS = ("key", "label", "judge", "source", "truth", "counts", "at", "guideline")
_READ = _COLUMNS[:5]
_PART = 2000
_LONGEST = {"key": LONGEST_KEY, "label": 80, "judge": 150, "source": 8, "truth": 80}


class Refused(NamedTuple):
    """A line that was not taken, as it came, and why."""

    line: int
    text: str
    why: str


class Brought(NamedTuple):
    """What became of a file.

    Attributes
    ----------
    kept, counted : int
        How many labels are new, and how many of them count.
    refused : list of Refused
        The lines that were not taken; all others were.
    head : str
        The line of column names, where the file has one: with the refused lines it is a file again.
    """

    kept: int
    counted: int
    refused: list[Refused]
    head: str


def bring_labels(deployment: str, text: str, kind: str, judge: str) -> Brought:
    """Take the labels of a file in: all lines that can be taken, in their order.

    Parameters
    ----------
    deployment : str
        The classifier.
    text : str
        The file.
    kind : {"csv", "jsonl"}
        CSV with the columns key and label, and if known judge, source and truth; or JSON lines with these
        names. What `label_lines` wrote can be brought, too.
    judge : str
        Who said it, where a line does not tell.

    Raises
    ------
    InputError
        If it is no such file at all, or too long; then nothing was taken.
    """
    if kind not in KINDS:
        raise InputError(f"labels come as {' or '.join(KINDS)}; got {kind[:20]!r}")
    head, lines = _csv_lines(text) if kind == "csv" else ("", list(_json_lines(text)))
    if len(lines) > MOST_LINES:
        raise InputError(
            f"a file has at most {MOST_LINES:,} lines, and this one {len(lines):,}; upload it in parts"
        )
    refused, fit = [], []
    for number, raw, found in lines:
        said = found if isinstance(found, str) else _label_of(found, judge)
        if isinstance(said, str):
            refused.append(Refused(number, raw, said))
        else:
            fit.append((number, raw, said))
    row = Deployment.objects.get(pk=deployment)
    good = []
    for (number, raw, said), why in zip(
        fit, problems_of(row, [said for *_, said in fit]), strict=True
    ):
        if why is None:
            good.append(said)
        else:
            refused.append(Refused(number, raw, why))
    told = [
        take_labels(deployment, good[start : start + MOST_LABELS])
        for start in range(0, len(good), MOST_LABELS)
    ]
    kept, counted = sum(one.kept for one in told), sum(one.counted for one in told)
    return Brought(kept, counted, sorted(refused), head)


_Line = tuple[int, str, dict[str, Any] | str]


def _csv_lines(text: str) -> tuple[str, list[_Line]]:
    reader = csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), strict=True)
    lines: list[_Line] = []
    try:
        columns = [name.strip() for name in next(reader, [])]
        _check_columns(columns)
        head = _as_csv(columns)
        for cells in reader:
            raw = _as_csv(cells)
            if len(cells) == len(columns):
                found = {name: plain_text(cell) for name, cell in zip(columns, cells, strict=True)}
                lines.append((reader.line_num, raw, found))
            elif cells:
                said = f"it has {len(cells)} fields, and the first line {len(columns)}"
                lines.append((reader.line_num, raw, said))
    except csv.Error as error:
        raise InputError(
            f"line {reader.line_num} is not CSV ({error}); nothing was taken: correct it and upload the file again"
        ) from None
    return head, lines


def _check_columns(columns: list[str]) -> None:
    unknown = [name for name in columns if name not in _COLUMNS]
    twice = len(set(columns)) < len(columns)
    if unknown or twice or not {"key", "label"} <= set(columns):
        raise InputError(
            f"the first line names the columns: key and label, and if known {', '.join(_READ[2:])}; got "
            f"{', '.join(columns)[:200] or 'nothing'}"
        )


def _as_csv(cells: list[str]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(cells)
    return line.getvalue()


def _json_lines(text: str) -> Iterator[_Line]:
    for number, raw in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        if not raw.strip():
            continue
        try:
            found = json.loads(raw)
        except (ValueError, RecursionError) as error:
            yield number, raw, f"it is not JSON: {str(error)[:80]}"
            continue
        if not isinstance(found, dict):
            yield number, raw, "it is not an object of JSON"
        elif unknown := sorted(set(found) - set(_COLUMNS)):
            yield number, raw, f"there is no {unknown[0][:40]!r}; it has {', '.join(_READ)}"
        else:
            yield number, raw, found


def _label_of(found: dict[str, Any], judge: str) -> IncomingLabel | str:
    """Return the label of a line, or why it is none."""
    words: dict[str, str] = {}
    for name in _READ:
        value = found.get(name)
        if value is None or value == "":
            continue
        if not isinstance(value, str):
            return f"its {name} is not text"
        if "\0" in value or any("\ud800" <= sign <= "\udfff" for sign in value):
            return f"its {name} holds NUL or half a character"
        if len(value) > _LONGEST[name]:
            return f"its {name} has more than {_LONGEST[name]} characters"
        words[name] = value
    if "key" not in words or "label" not in words:
        return "it has no key, or no label"
    return IncomingLabel(
        words["key"],
        words["label"],
        words.get("judge", judge),
        words.get("source"),
        words.get("truth"),
    )


def _find_versions(row: Deployment, labels: Sequence[Label]) -> dict[tuple[str, str], str]:
    """Return the versions of the guideline by which reviewers gave labels, by case and label."""
    votes = Vote.objects.filter(
        case__queue=queue_of(row.pk), case__key__in=[one.key for one in labels]
    )
    votes = votes.exclude(guideline=None).order_by("guideline")
    found: dict[tuple[str, str], list[str]] = {}
    for key, choice, version in votes.values_list("case__key", "choice", "guideline").distinct():
        found.setdefault((key, choice), []).append(str(version))
    return {place: ", ".join(versions) for place, versions in found.items()}


def _label_rows(row: Deployment, labels: Iterator[Label]) -> Iterator[dict[str, Any]]:
    while part := list(islice(labels, _PART)):
        versions = _find_versions(row, part)
        for one in part:
            told = {name: getattr(one, name) for name in _COLUMNS[:-1]}
            told |= {"at": one.at.isoformat(), "guideline": versions.get((one.key, one.label))}
            yield told


def label_lines(row: Deployment, kind: str) -> Iterator[str]:
    """Yield all labels of a classifier as a file, in the order in which they came."""
    labels = Label.objects.filter(policy__deployment=row).order_by("pk")
    rows = _label_rows(row, labels.iterator(chunk_size=_PART))
    if kind == "csv":
        yield from to_csv(_COLUMNS, rows)
    else:
        for one in rows:
            yield json.dumps(one, ensure_ascii=False) + "\n"
