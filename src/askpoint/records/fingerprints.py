"""A fingerprint of columns that come whole or in batches; it does not tell which."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

__all__ = ["Fingerprint"]

_ROWS = 1 << 20  # copied at a time
_SEPARATOR = "\x1f"
_NO_NUMBER = -(1 << 63)


class Fingerprint:
    """A digest of named columns, the same however their rows are cut into batches."""

    def __init__(self) -> None:
        self._columns: dict[str, Any] = {}

    def __bool__(self) -> bool:
        return bool(self._columns)

    def add_numbers(self, name: str, array: NDArray[Any], kind: str) -> None:
        """Add rows of a column of numbers, or of several side by side."""
        shape = "x".join(map(str, array.shape[1:]))
        column = self._column(f"{name} {kind} {shape}")
        for start in range(0, len(array), _ROWS):
            column.update(np.ascontiguousarray(array[start : start + _ROWS], dtype=kind).data)

    def add_texts(self, name: str, texts: Sequence[str]) -> None:
        """Add rows of a column of texts."""
        if len(texts):
            text = _SEPARATOR.join([*texts, ""])
            self._column(name).update(text.encode())

    def add_ids(self, ids: NDArray[Any] | pl.Series) -> None:
        """Add the names of cases: 7 and "7" are one name, whatever the names beside it are."""
        names = ids if isinstance(ids, pl.Series) else pl.Series(ids.tolist())
        if names.dtype != pl.String:
            self.add_numbers("ids", names.to_numpy(), "<i8")
            return
        numbers = names.cast(pl.Int64, strict=False)
        is_number = (numbers.cast(pl.String) == names).fill_null(value=False)
        held = numbers.to_frame().select(pl.when(is_number).then(pl.first()).otherwise(_NO_NUMBER))
        self.add_numbers("ids", held.to_series().to_numpy(), "<i8")
        texts = names.filter(~is_number)
        if len(texts):
            self._column("ids that are no numbers").update(
                f"{texts.str.join(_SEPARATOR).item()}{_SEPARATOR}".encode()
            )

    def digest(self) -> str:
        """Return the fingerprint of all that was added."""
        whole = hashlib.sha256()
        for name, column in sorted(self._columns.items()):
            whole.update(f"{name}\n{column.hexdigest()}\n".encode())
        return f"sha256:{whole.hexdigest()}"

    def _column(self, name: str) -> Any:
        return self._columns.setdefault(name, hashlib.sha256())
