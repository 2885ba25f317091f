"""Items with known answers, as an organiser types them or brings them in a file, images in a ZIP."""

from __future__ import annotations

import csv
import io
import json
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from django import forms

from askpoint.arena.game.challenge import two_labels
from askpoint.arena.server.players.services import check_case
from askpoint.arena.wire.tags import LONGEST_LABEL
from askpoint.errors import AskpointError, InputError
from askpoint.server.accounts.models import User
from askpoint.server.classifiers.cases import image_case
from askpoint.server.classifiers.models import Classifier
from askpoint.server.images.services import find_kept_image, hold_image
from askpoint.server.uploads.decoding import MOST_BYTES, DecodedImage
from askpoint.server.uploads.services import read_image

__all__ = ["ItemImages", "KnownItems", "parse_items", "parse_items_file"]

KnownItems = list[tuple[Any, str, str]]
"""Of each item the case, the answer, and why."""

_MOST_ADDRESSES = 10
_MOST_BYTES = 900_000
_MOST_PACKED = 7_000_000
_MOST_IMAGES = 50
_LIST = "items.csv"
_SHA256 = 64


class _Item(NamedTuple):
    answer: str
    case: str
    why: str
    shown: str


class ItemImages:
    """The images that items name: those that a campaign keeps, and new ones of a ZIP file.

    Parameters
    ----------
    campaign : str
        Its name.
    """

    def __init__(self, campaign: str) -> None:
        self._campaign = campaign
        self._pack: zipfile.ZipFile | None = None
        self._new: dict[str, DecodedImage] = {}

    def open(self, file: Any) -> str:
        """Take the images of a ZIP file; return the list beside them."""
        if file.size > _MOST_PACKED:
            raise forms.ValidationError(f"The ZIP file has more than {_MOST_PACKED:,} bytes.")
        try:
            self._pack = zipfile.ZipFile(file)
            return self._read(_LIST, _MOST_BYTES).decode("utf-8-sig")
        except zipfile.BadZipFile:
            raise forms.ValidationError(
                "Upload a ZIP file with the images and items.csv."
            ) from None
        except InputError as error:
            raise forms.ValidationError(str(error)) from None
        except UnicodeDecodeError:
            raise forms.ValidationError(f"{_LIST} is not UTF-8 text.") from None

    def case(self, name: str) -> dict[str, Any]:
        """Return the image of a name as a case.

        Raises
        ------
        InputError
            If there is none, or it is no image that is taken.
        """
        kept = find_kept_image(self._campaign, name) if len(name) == _SHA256 else None
        if kept is not None:
            return image_case(name, kept.kind, kept.width, kept.height)
        if len(self._new) >= _MOST_IMAGES:
            raise InputError(f"at most {_MOST_IMAGES} images are read at a time")
        picture = read_image(self._read(name, MOST_BYTES))
        self._new[picture.sha256] = picture
        return image_case(picture.sha256, picture.kind, picture.width, picture.height)

    def _read(self, name: str, most: int) -> bytes:
        if self._pack is None or name not in self._pack.namelist():
            raise InputError(f"the ZIP file holds no {name!r:.80}")
        try:
            with self._pack.open(name) as part:
                content = part.read(most + 1)
        except (
            zipfile.BadZipFile,
            RuntimeError,
            NotImplementedError,
            zlib.error,
            EOFError,
            OSError,
        ):
            raise InputError(f"{name[:80]!r} in the ZIP file cannot be unpacked") from None
        if len(content) > most:
            raise InputError(f"{name[:80]!r} in the ZIP file has more than {most:,} bytes")
        return content

    def keep(self, user: User) -> None:
        """Keep the new ones for good."""
        for picture in self._new.values():
            hold_image(self._campaign, user, picture, kept=True)


def parse_items(
    text: str, classifier: Classifier, images: ItemImages, *, labels: bool = False
) -> KnownItems:
    """Return case, answer and reason of lines like ``answer | case | why``.

    With `labels` an answer may also be ``better > worse``, two labels of any words.
    """
    return _check_items(_lines(text), classifier, images, labels=labels)


def parse_items_file(
    file: Any, classifier: Classifier, images: ItemImages, *, labels: bool = False
) -> KnownItems:
    """Return those of a file: the same lines, or CSV with the columns answer, case and why."""
    if file is None:
        return []
    if classifier.cases == "image":
        return _check_items(_rows(images.open(file)), classifier, images, labels=False)
    if file.size > _MOST_BYTES:
        raise forms.ValidationError(f"The file has more than {_MOST_BYTES:,} bytes; upload less.")
    try:
        text = file.read().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise forms.ValidationError("The file is not UTF-8 text.") from None
    head = text.partition("\n")[0].lower()
    if "," in head and {"answer", "case"} <= {cell.strip(' "\r') for cell in head.split(",")}:
        return _check_items(_rows(text), classifier, images, labels=labels)
    return parse_items(text, classifier, images, labels=labels)


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
        raise forms.ValidationError(
            "The file is not CSV: a quotation mark is not closed."
        ) from None


def _is_pair(answer: str) -> bool:
    found = two_labels(answer)
    return found is not None and max(map(len, found)) <= LONGEST_LABEL


def _check_items(
    items: Iterable[_Item], classifier: Classifier, images: ItemImages, *, labels: bool
) -> KnownItems:
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
        try:
            if classifier.cases == "image":
                case = images.case(item.case)
            else:
                case = check_case(classifier, item.case if plain else _object(item.case))
            found.append((case, item.answer, item.why))
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
            f"A row, or a page's segments, is written as JSON; got “{text[:80]}”"
        )
    return given
