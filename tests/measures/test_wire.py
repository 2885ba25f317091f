"""Bytes: what was packed comes back, and what was cut or changed is refused."""

from __future__ import annotations

import zlib

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra import numpy as arrays

from askpoint.errors import SketchError
from askpoint.measures.wire import pack_arrays, unpack_arrays

NUMBERS = arrays.arrays(
    st.sampled_from([np.uint8, np.int64, np.float64, np.dtype(">i4")]),
    arrays.array_shapes(min_dims=1, max_dims=2, min_side=0, max_side=5),
)
HEADERS = st.dictionaries(
    st.text(max_size=5).filter(lambda key: key != "arrays"),
    st.integers() | st.text() | st.lists(st.text()) | st.none() | st.floats(allow_nan=False),
    max_size=3,
)


@settings(deadline=None)
@given(HEADERS, st.lists(NUMBERS, max_size=3))
def test_round_trip(header, packed):
    data = pack_arrays("votes", header, *packed)
    found, unpacked = unpack_arrays("votes", data)
    assert found == header
    assert len(unpacked) == len(packed)
    for mine, theirs in zip(packed, unpacked, strict=True):
        assert mine.shape == theirs.shape
        assert mine.tobytes() == theirs.astype(mine.dtype).tobytes()
        assert theirs.dtype.isnative
        theirs[...] = 0  # a copy, which may be written to
    assert pack_arrays("votes", found, *packed) == data


def test_the_order_of_bytes_is_the_same_on_every_machine():
    little, big = np.array([1, 2], "<i4"), np.array([1, 2], ">i4")
    assert pack_arrays("votes", {}, little) == pack_arrays("votes", {}, big)


DATA = pack_arrays("votes", {"judges": ["ann"]}, np.arange(3))


@pytest.mark.parametrize("length", range(len(DATA)))
def test_cut_off(length):
    with pytest.raises(SketchError):
        unpack_arrays("votes", DATA[:length])


@pytest.mark.parametrize("place", range(len(DATA)))
def test_changed(place):
    changed = bytearray(DATA)
    changed[place] ^= 1
    with pytest.raises(SketchError):
        unpack_arrays("votes", bytes(changed))


def test_longer():
    with pytest.raises(SketchError, match="checksum of the votes does not match"):
        unpack_arrays("votes", DATA + b"\n")


@pytest.mark.parametrize("data", [b"", b"GIF89a", DATA.replace(b"votes 1", b"votes 2")])
def test_another_kind_or_version(data):
    with pytest.raises(SketchError, match="are no votes that this version of askpoint reads"):
        unpack_arrays("votes", data)


def test_it_says_in_plain_sight_what_it_is():
    assert DATA.startswith(b"askpoint votes 1\n")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\2\0\0\0[]",
        b"\2\0\0\0{}",
        b"\2\0\0\0{]",
        b"\2\0\0\0\xff\xff",
        b'\x1a\0\0\0{"arrays":[["<i8",[2,3]]]}',
        b'\x16\0\0\0{"arrays":[["|O",[1]]]}' + bytes(8),
        b'\x10\0\0\0{"arrays":[["<",',
    ],
)
def test_nonsense_with_the_right_checksum(body):
    data = b"askpoint votes 1\n" + zlib.crc32(body).to_bytes(4, "little") + body
    with pytest.raises(SketchError, match="are no votes, though their checksum is right"):
        unpack_arrays("votes", data)
