"""Sketches as bytes: what they are, a header as JSON, arrays, and a checksum."""

from __future__ import annotations

import json
import math
import struct
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from askpoint.errors import SketchError

__all__ = ["pack_arrays", "unpack_arrays"]

_VERSION = 1
_NUMBER = struct.Struct("<I")


def pack_arrays(kind: str, header: dict[str, Any], *arrays: NDArray[Any]) -> bytes:
    """Write a header and arrays so that cut or changed bytes are noticed."""
    little = [array.astype(array.dtype.newbyteorder("<")) for array in arrays]
    shapes = [(array.dtype.str, array.shape) for array in little]
    text = json.dumps({**header, "arrays": shapes}, separators=(",", ":")).encode()
    body = _NUMBER.pack(len(text)) + text + b"".join(array.tobytes() for array in little)
    return _magic(kind) + _NUMBER.pack(zlib.crc32(body)) + body


def unpack_arrays(kind: str, data: bytes) -> tuple[dict[str, Any], list[NDArray[Any]]]:
    """Read what `pack_arrays` wrote."""
    magic = _magic(kind)
    if not data.startswith(magic):
        raise SketchError(f"these bytes are no {kind} that this version of askpoint reads")
    start = len(magic) + _NUMBER.size
    body = data[start:]
    if data[len(magic) : start] != _NUMBER.pack(zlib.crc32(body)):
        raise SketchError(f"the checksum of the {kind} does not match: it was cut off or changed")
    try:
        length = _NUMBER.size + _NUMBER.unpack_from(body)[0]
        header = json.loads(body[_NUMBER.size : length])
        arrays, place = [], length
        for dtype, shape in header.pop("arrays"):
            array = np.frombuffer(body, dtype, math.prod(shape), place).reshape(shape)
            arrays.append(array.astype(array.dtype.newbyteorder("=")))
            place += array.nbytes
    except (AttributeError, KeyError, TypeError, ValueError, struct.error) as error:
        raise SketchError(f"these bytes are no {kind}, though their checksum is right") from error
    return header, arrays


def _magic(kind: str) -> bytes:
    return f"askpoint {kind} {_VERSION}\n".encode()
