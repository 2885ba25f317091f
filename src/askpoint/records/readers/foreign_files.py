"""Files that are no tables: what they are instead, by how they begin."""

from __future__ import annotations

import re

from askpoint.errors import LogError

__all__ = ["refuse_foreign"]

_SQLITE = b"SQLite format 3"
_MAGIC = (
    (b"\x89PNG", "a picture (PNG)"),
    (b"\xff\xd8\xff", "a picture (JPEG)"),
    (b"GIF8", "a picture (GIF)"),
    (b"BM", "a picture (BMP)"),
    (b"II*\x00", "a picture (TIFF)"),
    (b"MM\x00*", "a picture (TIFF)"),
    (b"%PDF", "a PDF document"),
    (b"{\\rtf", "a text document (RTF)"),
    (_SQLITE, "an SQLite database"),
    (b"\x89HDF", "an HDF5 file: export the table as CSV or Parquet"),
    (b"Obj\x01", "an Avro file: export the table as CSV or Parquet"),
    (b"ORC", "an ORC file: export the table as CSV or Parquet"),
    (b"RDX", "a file of R: write the table with write.csv"),
    (b"X\n\x00\x00\x00", "a file of R: write the table with write.csv"),
    (b"\x80\x02", "a pickle of Python: save the table as CSV or Parquet"),
    (b"\x80\x03", "a pickle of Python: save the table as CSV or Parquet"),
    (b"\x80\x04", "a pickle of Python: save the table as CSV or Parquet"),
    (b"\x80\x05", "a pickle of Python: save the table as CSV or Parquet"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90", "a program"),
    (b"\x00\x00\x01\x00", "a picture (ICO)"),
)
_MARKUP = re.compile(rb"\s*(<!doctype\s+html|<html|<head|<body|<\?xml|<svg|<table)", re.IGNORECASE)
_LOGIN = re.compile(
    rb"type=[\"']?password|sign[ -]?in|log[ -]?in|anmelden|connexion", re.IGNORECASE
)
_START = 1 << 16


def refuse_foreign(name: str, data: bytes) -> None:
    """Refuse a file that is no table, and say what it is.

    Raises
    ------
    LogError
        If it is a web page, a picture, a document, a program or bytes that are no text.
    """
    for magic, what in _MAGIC:
        if data.startswith(magic) and (
            len(magic) > 3 or b"\x00" in data[:200] or magic == b"\xff\xd8\xff"
        ):
            ending = f": askpoint sqlite:///{name} --query TABLE" if magic == _SQLITE else ""
            raise LogError(f"{name} is {what}, not a table. Give the table itself{ending}")
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        raise LogError(f"{name} is a picture (WEBP), not a table. Give the table itself")
    start = data[:_START].removeprefix(b"\xef\xbb\xbf")
    if (match := _MARKUP.match(start)) is not None:
        kind = match[1].lower()
        if kind in (b"<?xml", b"<svg"):
            raise LogError(f"{name} is an XML document, not a table. Export the table as CSV")
        page = "a web page to sign in" if _LOGIN.search(start) else "a web page"
        raise LogError(
            f"{name} is {page} (HTML), not a table. Download the file again while you are signed in"
            if page.endswith("sign in")
            else f"{name} is {page} (HTML), not a table. Export the table as CSV"
        )
