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

_CALLED = {"stata": "Stata (.dta)", "spss": "SPSS (.sav)", "sas": "SAS (.sas7bdat, .xpt)"}


def statistics_table(source: Source) -> pl.DataFrame:
    """Read a file of Stata, SPSS or SAS, its value labels in place of its codes.

    Raises
    ------
    LogError
        If the package that reads it is not installed, or the file is broken.
    """
    try:
        cells = _cells(source)
    except ImportError:
        raise LogError(
            f"{source.name} is a file of {_CALLED[source.shape]}: to read it run pip install 'askpoint[statistics]', "
            "or save it as CSV"
        ) from None
    except (ValueError, KeyError, EOFError, OSError, OverflowError) as error:
        raise LogError(f"{source.name} is broken or cut off: {error}") from None
    columns = {}
    for name, own in cells.items():
        values = [None if _is_missing(v) else v for v in own]
        if any(isinstance(v, str) for v in values):
            values = [None if v is None or v == "" else str(v) for v in values]
        elif all(v is None or (isinstance(v, float) and v.is_integer()) for v in values):
            values = [
                None if v is None else int(v) for v in values
            ]  # these packages know no others
        columns[name] = pl.Series(name, values, strict=False)
    return pl.DataFrame(columns)


def _is_missing(value: Any) -> bool:
    return value is None or value != value


def _cells(source: Source) -> dict[str, list[Any]]:
    """Read all with pyreadstat, which knows value labels; Stata with pandas where only that is there."""
    try:
        package = importlib.import_module("pyreadstat")
    except ImportError:
        if source.shape != "stata":
            raise
        frame = importlib.import_module("pandas").read_stata(io.BytesIO(source.data))
        return {str(name): frame[name].astype(object).tolist() for name in frame.columns}
    is_xport = source.data.startswith(b"HEADER RECORD")
    if is_xport and len(source.data) % 80:
        raise ValueError("a SAS transport file consists of lines of 80 bytes")
    read = {"stata": package.read_dta, "spss": package.read_sav}.get(
        source.shape, package.read_xport if is_xport else package.read_sas7bdat
    )
    labels = {} if source.shape == "sas" else {"apply_value_formats": True}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table"
        path.write_bytes(source.data)
        try:
            table, _ = read(str(path), output_format="polars", **labels)
        except (package.ReadstatError, package.PyreadstatError, UnicodeDecodeError) as error:
            raise ValueError(" ".join(str(error).split())) from None
    return {column.name: column.to_list() for column in table}


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
