"""Files of statistics packages and arrays of NumPy as tables of cells."""

from __future__ import annotations

import importlib
import io
import tempfile
from pathlib import Path
from typing import Any

import polars as pl

from askpoint.errors import LogError
from askpoint.records.readers.sources import Source

__all__ = ["arrays", "statistics_table"]

_NEEDS = {"stata": "pandas", "spss": "pyreadstat", "sas": "pandas"}
_CALLED = {"stata": "Stata (.dta)", "spss": "SPSS (.sav)", "sas": "SAS (.sas7bdat, .xpt)"}


def statistics_table(source: Source) -> pl.DataFrame:
    """Read a file of Stata, SPSS or SAS, its value labels in place of its codes.

    Raises
    ------
    LogError
        If the package that reads it is not installed, or the file is broken.
    """
    try:
        frame = _frame(source)
    except ImportError:
        need = _NEEDS[source.shape]
        raise LogError(
            f"{source.name} is a file of {_CALLED[source.shape]}: to read it install {need} (pip install "
            f"{need}), or save it as CSV"
        ) from None
    except (ValueError, KeyError, EOFError, OSError, OverflowError) as error:
        raise LogError(f"{source.name} is broken or cut off: {error}") from None
    columns = {}
    for name in frame.columns:
        cells = frame[name]
        values = [None if _is_missing(v) else v for v in cells.astype(object).tolist()]
        if any(isinstance(v, str) for v in values):
            values = [None if v is None or v == "" else str(v) for v in values]
        columns[str(name)] = pl.Series(str(name), values, strict=False)
    return pl.DataFrame(columns)


def _is_missing(value: Any) -> bool:
    return value is None or value != value


def _frame(source: Source) -> Any:
    pandas = importlib.import_module("pandas")
    if source.shape == "stata":
        return pandas.read_stata(io.BytesIO(source.data), convert_missing=False)
    if source.shape == "sas":
        kind = "xport" if source.data.startswith(b"HEADER RECORD") else "sas7bdat"
        return pandas.read_sas(io.BytesIO(source.data), format=kind, encoding="utf-8")
    pyreadstat = importlib.import_module("pyreadstat")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.sav"
        path.write_bytes(source.data)
        frame, _ = pyreadstat.read_sav(str(path), apply_value_formats=True)
    return frame


def arrays(source: Source) -> pl.DataFrame:
    """Read arrays of one length that NumPy saved: a column each, or one for each place of a row.

    Raises
    ------
    LogError
        If they hold Python objects, or are of different lengths.
    """
    import numpy as np

    try:
        with np.load(io.BytesIO(source.data), allow_pickle=False) as saved:
            parts = {name: saved[name] for name in saved.files}
    except (ValueError, OSError, EOFError, KeyError) as error:
        raise LogError(
            f"{source.name} holds arrays of NumPy that cannot be read: {' '.join(str(error).split())}; save "
            "them without Python objects"
        ) from None
    lengths = {len(array) for array in parts.values() if array.ndim}
    most = max(lengths, default=0)
    columns = {}
    for name, array in parts.items():
        if array.ndim == 1 and len(array) == most:
            columns[name] = pl.Series(name, array.tolist(), strict=False)
        elif array.ndim == 2 and len(array) == most:
            for i in range(array.shape[1]):
                column = f"{name}[{i}]"
                columns[column] = pl.Series(column, array[:, i].tolist(), strict=False)
    if not columns:
        raise LogError(f"{source.name} holds no arrays with one entry or one row per case")
    return pl.DataFrame(columns)
