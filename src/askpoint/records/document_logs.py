"""A log with one row per field, and the column that says which document each belongs to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from askpoint.errors import LogError, UnknownColumnError
from askpoint.measures.inputs import IntArray
from askpoint.records.logs import read_log
from askpoint.records.predictions import PredictionLog
from askpoint.records.tables import open_table
from askpoint.records.texts import simple_column

__all__ = ["DocumentLog", "number_documents", "read_documents"]


@dataclass(frozen=True, eq=False)
class DocumentLog:
    """Fields of documents.

    Parameters
    ----------
    log : PredictionLog
        One row per field.
    column, by : str, str or None
        Which names the document, and the kind of field.
    names : list of str
        Of the documents, in the order in which they come.
    document : ndarray of int of shape (n_fields,)
        Which of them each row belongs to.
    """

    log: PredictionLog
    column: str
    by: str | None
    names: list[str]
    document: IntArray


def read_documents(
    source: Any, document: str, by: str | None = None, **columns: Any
) -> DocumentLog:
    """Read a log of fields; `columns` are those of `read_log`.

    Raises
    ------
    LogError
        If a row names no document.
    """
    log = read_log(source, group=by, need_labels=False, **columns)
    table = open_table(source)
    if document not in table.columns:
        raise UnknownColumnError(document, table.columns)
    names, codes = number_documents(table.read([document])[document])
    return DocumentLog(log, document, by, names, codes)


def number_documents(column: pl.Series) -> tuple[list[str], IntArray]:
    """Return the names of documents in the order in which they come, and which of them each row belongs to."""
    texts = simple_column(column).cast(pl.String)
    missing = (texts.is_null() | (texts == "")).to_numpy()
    if missing.any():
        raise LogError(
            f"the column {column.name!r} names no document in row {int(missing.argmax()) + 1}; each field belongs to "
            "one: fill it in, or leave the row out"
        )
    names = texts.unique(maintain_order=True).to_list()
    place = {name: code for code, name in enumerate(names)}
    return names, np.array([place[name] for name in texts.to_list()], dtype=np.int64)
