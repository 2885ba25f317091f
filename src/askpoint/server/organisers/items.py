"""Items with known answers, as an organiser types them or brings them in a file."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from django import forms

from askpoint.errors import AskpointError
from askpoint.game.challenge import two_labels
from askpoint.server.classifiers.models import Classifier
from askpoint.server.players.services import check_case
from askpoint.server.tags.bringing import LONGEST_LABEL

__all__ = ["KnownItems", "known_items", "known_items_of"]

KnownItems = list[tuple[Any, str, str]]
"""Of each item the case, the answer, and why."""

_MOST_ADDRESSES = 10
_MOST_BYTES = 900_000


class _Item(NamedTuple):
    answer: str
    case: str
    why: str
    shown: str


def known_items(text: str, classifier: Classifier, *, labels: bool = False) -> KnownItems:
    """Return case, answer and reason of lines like ``answer | case | why``.

    With `labels` an answer may also be ``better > worse``, two labels of any words.
    """
    return _checked(_lines(text), classifier, labels=labels)


def known_items_of(file: Any, classifier: Classifier, *, labels: bool = False) -> KnownItems:
    """Return those of a file: the same lines, or CSV with the columns answer, case and why."""
    if file is None:
        return []
    if file.size > _MOST_BYTES:
        raise forms.ValidationError(f"The file has more than {_MOST_BYTES:,} bytes; bring less.")
    try:
        text = file.read().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise forms.ValidationError("The file is no text in UTF-8.") from None
    head = text.partition("\n")[0].lower()
    if "," in head and {"answer", "case"} <= {cell.strip(' "\r') for cell in head.split(",")}:
        return _checked(_rows(text), classifier, labels=labels)
    return known_items(text, classifier, labels=labels)


def _lines(text: str) -> Iterator[_Item]:
    for line in filter(None, map(str.strip, text.splitlines())):
        truth, _, rest = (part.strip() for part in line.partition("|"))
        case, _, why = (part.strip() for part in rest.partition("|"))
        yield _Item(truth, case, why, line)


def _rows(text: str) -> Iterator[_Item]:
    try:
        for row in csv.DictReader(io.StringIO(text, newline="")):
            cells = {str(name).strip().lower(): cell for name, cell in row.items()}
            found = [str(cells.get(name) or "").strip() for name in ("answer", "case", "why")]
            answer, case, why = (cell.removeprefix("'") for cell in found)
            if any(found):
                yield _Item(answer, case, why, ", ".join(filter(None, found)))
    except csv.Error:
        raise forms.ValidationError("The file is no CSV: a quotation mark is not closed.") from None


def _is_pair(answer: str) -> bool:
    found = two_labels(answer)
    return found is not None and max(map(len, found)) <= LONGEST_LABEL


def _checked(items: Iterable[_Item], classifier: Classifier, *, labels: bool) -> KnownItems:
    found: KnownItems = []
    n_addresses = 0
    for item in items:
        shown = f"“{item.shown[:80]}”"
        named = item.answer in classifier.classes or (labels and _is_pair(item.answer))
        if not item.case or not named:
            more = " or “better label > worse label”" if labels else ""
            raise forms.ValidationError(
                f"An item is a line like “{classifier.classes[0]} | the case | why”, with an "
                f"answer among {', '.join(classifier.classes)}{more}; got {shown}"
            )
        by_address = classifier.cases == "page" and not item.case.startswith("{")
        n_addresses += by_address
        if n_addresses > _MOST_ADDRESSES:
            raise forms.ValidationError(f"At most {_MOST_ADDRESSES} pages are read at a time")
        plain = classifier.cases == "text" or by_address
        given = item.case if plain else _object(item.case)
        try:
            found.append((check_case(classifier, given), item.answer, item.why))
        except AskpointError as error:
            raise forms.ValidationError(f"{error}; in the line {shown}") from None
    return found


def _object(text: str) -> dict[str, Any]:
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        given = None
    if not isinstance(given, dict):
        raise forms.ValidationError(
            f"A row, or a page's segments, is written as JSON, got “{text[:80]}”"
        )
    return given
