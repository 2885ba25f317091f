"""Files as they lie on a disk: unpacked, and known by their content rather than by their name."""

from __future__ import annotations

import bz2
import csv
import glob
import gzip
import io
import json
import lzma
import sys
import zipfile as plain_zip
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from askpoint.errors import LogError
from askpoint.records.unchanged_files import refuse_changed

if sys.version_info >= (3, 14):
    import zipfile

    from compression import zstd
else:
    from backports import zstd
    from backports.zstd import zipfile

__all__ = ["Source", "find_sources", "system_names"]

_GZIP, _ZSTD, _ZIP = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"PK\x03\x04"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_BZIP2, _XZ = b"BZh", b"\xfd7zXZ\x00"
_TABLES = (".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".parquet", ".feather", ".xlsx")
_OLD_OFFICE = b"\xd0\xcf\x11\xe0"
_WORKBOOKS = {"xl/workbook.xml", "xl/workbook.bin", "content.xml"}
_PACKAGES = (
    (b"<stata_dta>", "stata"), (b"\x73\x01", "stata"), (b"\x73\x02", "stata"),
    (b"\x72\x01", "stata"), (b"\x72\x02", "stata"), (b"$FL2", "spss"), (b"$FL3", "spss"),
    (b"HEADER RECORD*******LIB", "sas"), (b"\xff\xff\xff\xff", "arrow stream"),
)  # fmt: skip
_SAS = b"\xc2\xea\x81\x60"
_DATASET = ("dataset_info.json", "state.json", "dataset_dict.json")
_HEAD = 1 << 16
_TOO_LARGE = 4 << 30


@dataclass(frozen=True)
class Source:
    """One file: its name, and its content once gzip or zstd around it is taken off.

    Parameters
    ----------
    name : str
        What messages call it.
    packed : bytes
        The content as it was stored.
    path : Path or None
        Where it lies; None for the standard input.
    """

    name: str
    packed: bytes
    path: Path | None = None

    @cached_property
    def data(self) -> bytes:
        """The content."""
        try:
            if self.packed.startswith(_GZIP):
                return gzip.decompress(self.packed)
            if self.packed.startswith(_ZSTD):
                return zstd.decompress(self.packed)
            if self.packed.startswith(_BZIP2):
                return bz2.decompress(self.packed)
            if self.packed.startswith(_XZ):
                return lzma.decompress(self.packed)
            if self.packed.startswith(_ZIP) and (only := _only_member(self.packed)) is not None:
                return only
        except (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError, zstd.ZstdError) as error:
            raise LogError(f"{self.name} is broken or cut off: {error}") from None
        return self.packed

    @cached_property
    def shape(self) -> str:
        """What kind of content this is.

        zip, xlsx (any workbook), arrays (of NumPy), stata, spss, sas, parquet, arrow, arrow stream,
        json, jsonl or text.
        """
        data = self.data
        if data.startswith(_ZIP):
            names = self.members
            if names and all(name.endswith(".npy") for name in names):
                return "arrays"
            return "xlsx" if _WORKBOOKS & set(names) else "zip"
        if kind := next((kind for magic, kind in _PACKAGES if data.startswith(magic)), None):
            return kind
        if data[12:16] == _SAS:
            return "sas"
        if data.startswith(_OLD_OFFICE):
            return "xlsx"
        for magic, shape in ((b"PAR1", "parquet"), (b"ARROW1", "arrow")):
            if data.startswith(magic):
                return shape
        start = data[:_HEAD].removeprefix(b"\xef\xbb\xbf").lstrip()
        if start[:1] == b"[" and not self.name.lower().endswith((".csv", ".tsv")):
            return "json"
        if start[:1] == b"{":
            return "jsonl" if self._has_lines(start) else "json"
        return "text"

    def _has_lines(self, start: bytes) -> bool:
        """Say whether the content is a JSON object a line."""
        if (
            self.name.lower()
            .removesuffix(".gz")
            .removesuffix(".zst")
            .endswith((".jsonl", ".ndjson"))
        ):
            return True
        line = start.partition(b"\n")
        if not line[2]:
            line = self.data.removeprefix(b"\xef\xbb\xbf").lstrip().partition(b"\n")
        if not line[2].strip():
            return False
        try:
            return isinstance(json.loads(line[0]), dict)
        except ValueError:
            return False

    @cached_property
    def members(self) -> tuple[str, ...]:
        """The names of a zip's members."""
        try:
            with zipfile.ZipFile(io.BytesIO(self.data)) as file:
                return tuple(file.namelist())
        except (zipfile.BadZipFile, plain_zip.BadZipFile, NotImplementedError, ValueError):
            raise LogError(
                f"{self.name} is broken or cut off: it begins like a zip and has no end; "
                "copy it again"
            ) from None

    def member(self, name: str) -> Any:
        """Return a zip's member, which is JSON."""
        try:
            with zipfile.ZipFile(io.BytesIO(self.data)) as file:
                return json.loads(file.read(name))
        except (OSError, EOFError, ValueError, RuntimeError, zlib.error, zstd.ZstdError) as error:
            raise LogError(f"{self.name} is broken: its part {name}: {error}") from None
        except (zipfile.BadZipFile, plain_zip.BadZipFile, NotImplementedError) as error:
            raise LogError(f"{self.name} is broken: its part {name}: {error}") from None

    @cached_property
    def text(self) -> str:
        """The content as text, for JSON."""
        encoding = "utf-16" if self.data.startswith(_UTF16) else "utf-8-sig"
        try:
            return self.data.decode(encoding)
        except UnicodeDecodeError as error:
            raise LogError(f"{self.name} is not UTF-8: {error}") from None

    @cached_property
    def document(self) -> Any:
        """The content of a JSON file, or the first object of a file with one a line."""
        if self.shape == "jsonl":
            first = self.data.removeprefix(b"\xef\xbb\xbf").lstrip().partition(b"\n")[0]
            return next(Source(self.name, first + b"\n").lines(), (0, {}))[1]
        try:
            return json.loads(self.text)
        except ValueError as error:
            raise LogError(f"{self.name} is broken or cut off: {error}") from None

    @cached_property
    def documents(self) -> list[Any]:
        """All objects of a JSON file: its lines, its list, or the one that it holds."""
        if self.shape == "jsonl":
            return [line for _, line in self.lines()]
        document = self.document
        return document if isinstance(document, list) else [document]

    def lines(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield the objects of a file with one a line, and their line numbers from 1."""
        for number, line in enumerate(io.StringIO(self.text), start=1):
            if not line.strip():
                continue
            try:
                value = json.loads(line)
            except ValueError as error:
                raise LogError(
                    f"{self.name} is broken or cut off: line {number} is not a JSON object: {error}"
                ) from None
            if not isinstance(value, dict):
                raise LogError(f"{self.name}: line {number} is not a JSON object")
            yield number, value

    @cached_property
    def first_row(self) -> dict[str, Any]:
        """The first object of JSON: of lines, of a list, or of the one list inside an object."""
        if self.shape not in ("json", "jsonl"):
            return {}
        document = self.document
        if isinstance(document, dict) and self.shape == "json":
            lists = [v for v in document.values() if isinstance(v, list) and v]
            if len(lists) == 1 and isinstance(lists[0][0], dict):
                document = lists[0]
        if isinstance(document, list):
            document = document[0] if document else {}
        return document if isinstance(document, dict) else {}

    @property
    def row_keys(self) -> set[str]:
        """The keys of the first object, or the names of columns."""
        return set(self.header) if self.shape == "text" else set(self.first_row)

    @cached_property
    def header(self) -> tuple[str, ...]:
        """The names in the first line of a text of comma-separated cells."""
        if self.shape != "text":
            return ()
        lines = self.data[:_HEAD].removeprefix(b"\xef\xbb\xbf").splitlines()
        text = lines[0].decode("utf-8", "replace") if lines else ""
        return tuple(next(csv.reader([text.replace("\x00", "")]), []))

    def has_keys(self, *keys: str) -> bool:
        """Say whether this is JSON whose first object has these keys."""
        if self.shape not in ("json", "jsonl"):
            return False
        document = self.document
        if isinstance(document, list):
            document = document[0] if document else {}
        return isinstance(document, dict) and all(key in document for key in keys)


def _only_member(packed: bytes) -> bytes | None:
    """Return what a zip around one table holds; None for other zips."""
    try:
        with zipfile.ZipFile(io.BytesIO(packed)) as file:
            names = [
                name
                for name in file.namelist()
                if not name.startswith("__MACOSX/") and name[-1] != "/"
            ]
            if len(names) == 1 and names[0].lower().endswith(_TABLES) and "header" not in names[0]:
                return file.read(names[0])
    except (zipfile.BadZipFile, plain_zip.BadZipFile, NotImplementedError, RuntimeError):
        return None
    return None


def find_sources(paths: Sequence[str | Path | Source]) -> list[Source]:
    """Open files, the files of directories, those that a pattern matches, and - for stdin.

    A source that is open already stays as it is.
    """
    found: list[Source] = []
    for given in paths:
        if isinstance(given, Source):
            found.append(given)
            continue
        if str(given) == "-":
            found.append(_source("standard input", sys.stdin.buffer.read(), None))
            continue
        path = Path(given)
        if path.is_dir():
            inside = sorted(
                file
                for file in path.rglob("*")
                if file.is_file()
                and not any(part.startswith((".", "_")) for part in file.relative_to(path).parts)
            )
            if not inside:
                raise LogError(f"the directory {path} holds no file that could be read")
            if any(file.suffix == ".arrow" for file in inside):  # a data set of Hugging Face
                inside = [file for file in inside if file.name not in _DATASET]
            found += [_open(file, str(file.relative_to(path))) for file in inside]
        elif path.exists():
            found.append(_open(path, path.name))
        elif matching := sorted(glob.glob(str(given))):
            found += find_sources(matching)
        else:
            raise LogError(f"there is no file {path}")
    places = [source.path.resolve() for source in found if source.path is not None]
    if twice := next((place for i, place in enumerate(places) if place in places[:i]), None):
        raise LogError(f"{twice.name} is given twice")
    names = [source.name for source in found]
    return [
        replace(source, name=str(source.path)) if names.count(source.name) > 1 else source
        for source in found
    ]


def system_names(files: Sequence[str]) -> list[str]:
    """Name systems by their files: without folder and ending where that tells them apart."""
    short = [Path(file).name.split(".")[0] for file in files]
    return short if len(set(short)) == len(short) else list(files)


def _open(path: Path, name: str) -> Source:
    if not path.is_file():
        raise LogError(f"{path} is not a file")
    size = path.stat().st_size
    if size > _TOO_LARGE:
        raise LogError(
            f"{name} has {size / 2**30:.1f} GiB, too much to look through: name its kind, "
            "askpoint value or askpoint judges, which read such files row by row"
        )
    with refuse_changed([path]):
        content = path.read_bytes()
    return _source(name, content, path)


def _source(name: str, content: bytes, path: Path | None) -> Source:
    if not content[:_HEAD].strip(b" \t\r\n\x00"):
        raise LogError(f"{name} is empty")
    return Source(name, content, path)
