"""Sketches as bytes: a NumPy archive that says what it holds, with a checksum over all of it."""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from askpoint.errors import SketchError

__all__ = ["pack_arrays", "unpack_arrays"]

_VERSION = 1
_START = b"PK\x03\x04"
_DIGITS = 8


def pack_arrays(kind: str, header: dict[str, Any], *arrays: NDArray[Any]) -> bytes:
    """Write a header and arrays as `numpy.load` reads them; equal content gives equal bytes."""
    little = [np.asarray(array, array.dtype.newbyteorder("<"), order="C") for array in arrays]
    about = {"askpoint": kind, "version": _VERSION, "arrays": len(arrays), "header": header}
    text = json.dumps(about, separators=(",", ":")).encode()
    file = io.BytesIO()
    np.savez(file, *little, header=np.frombuffer(text, np.uint8))  # noqa: TID251  (in memory)
    with zipfile.ZipFile(file, "a") as archive:  # NumPy's checksums leave names and sizes out
        archive.comment = bytes(_DIGITS)
    body = file.getvalue()[:-_DIGITS]
    return body + _checksum(body)


def unpack_arrays(kind: str, data: bytes) -> tuple[dict[str, Any], list[NDArray[Any]]]:
    """Read what `pack_arrays` wrote."""
    stranger = SketchError(f"these bytes are no {kind} that this version of askpoint reads")
    if not data.startswith(_START):
        raise stranger
    if data[-_DIGITS:] != _checksum(data[:-_DIGITS]):
        raise SketchError(f"the checksum of the {kind} does not match: it was cut off or changed")
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as archive:  # noqa: TID251  (in memory)
            about = json.loads(archive["header"].tobytes())
            is_readable, header = (
                (about["askpoint"], about["version"]) == (kind, _VERSION),
                about["header"],
            )
            arrays = [archive[f"arr_{i}"] for i in range(about["arrays"])]
    except (
        AttributeError,
        EOFError,
        KeyError,
        MemoryError,
        RuntimeError,
        TypeError,
        ValueError,
        zipfile.BadZipFile,
    ) as error:
        raise SketchError(f"these bytes are no {kind}, though their checksum is right") from error
    if not is_readable:
        raise stranger
    return header, [array.astype(array.dtype.newbyteorder("="), copy=False) for array in arrays]


def _checksum(body: bytes) -> bytes:
    return f"{zlib.crc32(body):0{_DIGITS}x}".encode()
