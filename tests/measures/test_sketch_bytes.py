"""Bytes: what was packed comes back, and what was cut or changed is refused."""

from __future__ import annotations

import io
import json
import zipfile
import zlib

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra import numpy as arrays

from askpoint.errors import SketchError
from askpoint.measures.sketch_bytes import pack_arrays, unpack_arrays

NUMBERS = arrays.arrays(
    st.sampled_from([np.uint8, np.int64, np.float64, np.dtype(">i4")]),
    arrays.array_shapes(min_dims=1, max_dims=2, min_side=0, max_side=5),
)
HEADERS = st.dictionaries(
    st.text(max_size=5),
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


HEADER, ARRAY = {"judges": ["ann"]}, np.arange(3)
DATA = pack_arrays("votes", HEADER, ARRAY)


def archive(**members):
    """Return an archive, with right checksums, of members that are what they are."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as file:
        for name, content in members.items():
            file.writestr(f"{name}.npy", content)
        file.comment = bytes(8)
    body = made.getvalue()[:-8]
    return body + f"{zlib.crc32(body):08x}".encode()


def member(array):
    made = io.BytesIO()
    np.lib.format.write_array(made, array, allow_pickle=True)
    return made.getvalue()


def told(text):
    return member(np.frombuffer(text, np.uint8))


def test_equal_content_gives_equal_bytes_in_whatever_order_of_memory():
    table = np.arange(6).reshape(2, 3)
    assert pack_arrays("votes", {}, table) == pack_arrays("votes", {}, np.asfortranarray(table))


def test_numpy_reads_it_and_it_says_what_it_is():
    with np.load(io.BytesIO(DATA)) as read:
        assert read["arr_0"].tolist() == ARRAY.tolist()
        about = json.loads(read["header"].tobytes())
    assert about == {"askpoint": "votes", "version": 1, "arrays": 1, "header": HEADER}


def test_cut_off():
    for length in range(len(DATA)):
        with pytest.raises(SketchError):
            unpack_arrays("votes", DATA[:length])


def test_changed():
    for place in range(len(DATA)):
        changed = bytearray(DATA)
        changed[place] ^= 1
        with pytest.raises(SketchError):
            unpack_arrays("votes", bytes(changed))


def test_longer():
    with pytest.raises(SketchError, match="checksum of the votes does not match"):
        unpack_arrays("votes", DATA + b"\n")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"GIF89a",
        pack_arrays("scores", HEADER, ARRAY),
        archive(header=told(b'{"askpoint":"votes","version":2,"arrays":0,"header":{}}')),
    ],
)
def test_another_kind_or_version(data):
    with pytest.raises(SketchError, match="are no votes that this version of askpoint reads"):
        unpack_arrays("votes", data)


ABOUT = told(b'{"askpoint":"votes","version":1,"arrays":1,"header":{}}')


@pytest.mark.parametrize(
    "members",
    [
        {"other": b""},
        {"header": b""},
        {"header": told(b"")},
        {"header": told(b"[]")},
        {"header": told(b"{}")},
        {"header": told(b"{]")},
        {"header": told(b"\xff\xff")},
        {"header": ABOUT},
        {"header": ABOUT, "other": member(np.arange(3))},
        {"header": ABOUT, "arr_0": member(np.arange(3))[:-1]},
        {"header": ABOUT, "arr_0": member(np.array([None]))},
        {
            "header": ABOUT,
            "arr_0": member(np.arange(3)).replace(b"(3,)", b"(9999999999999999999,)"),
        },
    ],
)
def test_nonsense_with_the_right_checksum(members):
    with pytest.raises(SketchError, match="are no votes, though their checksum is right"):
        unpack_arrays("votes", archive(**members))
