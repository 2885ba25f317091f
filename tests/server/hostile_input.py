"""Input made to break a server: requests as bytes, forms, logs in Parquet, images."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from typing import NamedTuple

import numpy as np
import polars as pl
from PIL import Image

__all__ = [
    "RawRequest",
    "hostile_images",
    "hostile_logs",
    "odd_values",
    "raw_requests",
    "valid_images",
]

_HOST = b"Host: localhost\r\n"
_FORM = b"Content-Type: application/x-www-form-urlencoded\r\n"


class RawRequest(NamedTuple):
    """Bytes that are sent, and with which of these codes a server may answer; 0 is to hang up."""

    name: str
    parts: tuple[bytes, ...]
    codes: frozenset[int]


def _request(name, head, *parts, codes):
    return RawRequest(name, (head, *parts), frozenset(codes))


def raw_requests():
    """Requests that say two things at once, too much, or nothing that is HTTP."""
    post = b"POST /sign-in/ HTTP/1.1\r\n" + _HOST + _FORM
    get = b"GET /sign-in/ HTTP/1.1\r\n" + _HOST
    chunked = b"Transfer-Encoding: chunked\r\n"
    refused, large = {400, 403, 408, 411, 413, 501, 0}, {400, 413, 414, 431, 0}
    return [
        _request("10,000 headers", get + b"".join(b"X-%d: a\r\n" % n for n in range(10_000)) + b"\r\n", codes=large),
        _request("one header of 1 MB", get + b"X: " + b"a" * 1_000_000 + b"\r\n\r\n", codes=large),
        _request("an address of 100 KB", b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n" + _HOST + b"\r\n", codes=large),
        _request("two lengths", post + b"Content-Length: 3\r\nContent-Length: 30\r\n\r\na=b", codes=refused),
        _request("a length and chunks", post + b"Content-Length: 3\r\n" + chunked + b"\r\n0\r\n\r\n", codes=refused),
        _request("a length below nothing", post + b"Content-Length: -3\r\n\r\na=b", codes=refused),
        _request("a length in words", post + b"Content-Length: three\r\n\r\na=b", codes=refused),
        _request("a length of 1 TB", post + b"Content-Length: 1099511627776\r\n\r\na=b", codes=refused),
        _request("a length of 5,000 digits", post + b"Content-Length: " + b"9" * 5_000 + b"\r\n\r\n", codes=refused),
        _request("chunks without a size", post + chunked + b"\r\n", b"no size\r\n", codes=refused),
        _request("a chunk below nothing", post + chunked + b"\r\n", b"-1\r\nabc\r\n0\r\n\r\n", codes=refused),
        _request("a chunk of 16 EB", post + chunked + b"\r\n", b"ffffffffffffffff\r\nabc", codes=refused),
        _request("9 MB of chunks", post + chunked + b"\r\n", *[b"f4240\r\n" + b"a" * 1_000_000 + b"\r\n"] * 9, codes=refused),
        _request("100,000 chunks of a byte", post + chunked + b"\r\n", b"1\r\na\r\n" * 100_000 + b"0\r\n\r\n", codes=refused),
        _request("chunks of chunks", post + b"Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n", codes=refused),
        _request("chunks by another name", post + b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", codes=refused),
        _request("an end of chunks that goes on", post + chunked + b"\r\n", b"0\r\nX: " + b"a" * 100_000 + b"\r\n\r\n", codes=refused | {431}),
        _request("packed, and not", post + b"Content-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc", codes=refused),
        _request("a NUL in a header", get + b"X: a\x00b\r\n\r\n", codes={200, *refused}),
        _request("a header that goes on", get + b"X: a\r\n b\r\n\r\n", codes={200, *refused}),
        _request("a header without a name", get + b": a\r\n\r\n", codes=refused),
        _request("a space before the colon", get + b"Content-Length : 3\r\n\r\nabc", codes=refused),
        _request("line ends without a return", b"GET /sign-in/ HTTP/1.1\nHost: localhost\n\n", codes={200, *refused}),
        _request("no host", b"GET /sign-in/ HTTP/1.1\r\n\r\n", codes={200, *refused}),
        _request("another's host", b"GET /sign-in/ HTTP/1.1\r\nHost: evil.example\r\n\r\n", codes=refused),
        _request("two hosts", get + b"Host: evil.example\r\n\r\n", codes=refused),
        _request("a host that is none", b"GET /sign-in/ HTTP/1.1\r\nHost: a b/../\r\n\r\n", codes=refused),
        _request("another scheme's version", b"GET /sign-in/ HTTP/9.9\r\n" + _HOST + b"\r\n", codes={505, *refused}),
        _request("an older version", b"GET /sign-in/\r\n\r\n", codes={200, *refused}),
        _request("TLS", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(500), codes=refused),
        _request("a method that is none", b"\xff\xfe /sign-in/ HTTP/1.1\r\n" + _HOST + b"\r\n", codes={405, *refused}),
        _request("a method of 10 KB", b"A" * 10_000 + b" /sign-in/ HTTP/1.1\r\n" + _HOST + b"\r\n", codes={405, *large}),
        _request("TRACE", b"TRACE /sign-in/ HTTP/1.1\r\n" + _HOST + b"\r\n", codes={405, *refused}),
        _request("CONNECT", b"CONNECT evil.example:443 HTTP/1.1\r\n" + _HOST + b"\r\n", codes={404, 405, *refused}),
        _request("a path upwards", b"GET /static/../../../../etc/passwd HTTP/1.1\r\n" + _HOST + b"\r\n", codes={404, *refused}),
        _request("a path upwards, encoded", b"GET /static/%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\n" + _HOST + b"\r\n", codes={404, *refused}),
        _request("a path of half a letter", b"GET /%ff%fe/ HTTP/1.1\r\n" + _HOST + b"\r\n", codes={404, *refused}),
        _request("100,000 fields", post + b"Content-Length: 400000\r\n\r\n", b"a=b&" * 100_000, codes=refused),
        _request("a boundary that is missing", b"POST /sign-in/ HTTP/1.1\r\n" + _HOST + b"Content-Type: multipart/form-data\r\nContent-Length: 3\r\n\r\nabc", codes=refused),
        _request("half a part", b"POST /sign-in/ HTTP/1.1\r\n" + _HOST + b"Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 50\r\n\r\n--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nbcdef", codes=refused),
        _request("an upgrade", get + b"Connection: Upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: a\r\n\r\n", codes={200, *refused}),
        _request("a cookie of 60 KB", get + b"Cookie: sessionid=" + b"a" * 60_000 + b"\r\n\r\n", codes={200, *large}),
        _request("ranges without an end", get + b"Range: bytes=" + b"0-,".join([b""] * 1_000) + b"\r\n\r\n", codes={200, *refused, 416}),
    ]  # fmt: skip


def odd_values():
    """Values that no field of a form expects."""
    return [
        "", "\0", "\u202e right to left", "9" * 5_000, "-" + "9" * 400, "1e999", "nan", "\ud800", "a" * 1_000_000,
        "{" * 5_000, "<script>alert(1)</script>", "'; DROP TABLE x; --", "../../etc/passwd", "%00", "\u0300" * 2_000,
    ]  # fmt: skip


def _written(frame, **how):
    file = io.BytesIO()
    frame.write_parquet(file, **how)
    return file.getvalue()


def hostile_logs():
    """Yield names and files of logs that are no logs, or unpack into gigabytes."""
    fine = pl.DataFrame(
        {"label": ["a", "b"] * 50, "prediction": ["a"] * 100, "confidence": [0.9] * 100}
    )
    good = _written(fine)
    yield "a footer of 2 GB.parquet", good[:-8] + struct.pack("<I", 2**31 - 1) + b"PAR1"
    yield "a footer below nothing.parquet", good[:-8] + struct.pack("<i", -5) + b"PAR1"
    yield "half.parquet", good[: len(good) // 2] + good[-8:]
    yield "only magic.parquet", b"PAR1" * 3
    yield (
        "a footer of zeros.parquet",
        b"PAR1" + bytes(100_000) + struct.pack("<I", 100_000) + b"PAR1",
    )
    rng = np.random.default_rng(1)
    for number in range(6):  # some bytes of what describes the file are others
        bent = bytearray(good)
        size = struct.unpack("<I", good[-8:-4])[0]
        for place in rng.integers(len(good) - 8 - size, len(good) - 8, size=4):
            bent[place] = rng.integers(256)
        yield f"a bent footer {number}.parquet", bytes(bent)
    long = pl.Series(
        "label", ["x" * 1_000_000], dtype=pl.Categorical
    )  # written once, 3,000 times meant
    bomb = _written(pl.DataFrame(long.new_from_index(0, 3_000)), compression="zstd")
    yield "a dictionary bomb.parquet", bomb
    many = pl.DataFrame({f"c{n}": [1] for n in range(20_000)})
    yield "20,000 columns.parquet", _written(many)
    yield "a million rows of nothing.parquet", _written(pl.DataFrame({"label": [None] * 1_000_000}))
    yield "an archive.csv", _zipped(b"label,prediction,confidence\n" + b"a,a,0.9\n" * 10)
    yield "one line of 4 MB.csv", b"label,confidence\n" + b"a" * 4_000_000
    yield "quotes that never end.csv", b'label,prediction,confidence\n"' + b"a,b\n" * 100_000
    yield "nested.jsonl", b'{"a":' * 100_000 + b"1" + b"}" * 100_000
    yield "NUL.csv", b"label,prediction,confidence\n\0,a,0.9\n" * 100


def _zipped(content):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("log.csv", content)
    return file.getvalue()


def _chunk(kind, content):
    return (
        struct.pack(">I", len(content))
        + kind
        + content
        + struct.pack(">I", zlib.crc32(kind + content))
    )


def _png(width, height, *more, depth=8):
    header = struct.pack(">IIBBBBB", width, height, depth, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + b"".join(more) + _chunk(b"IEND", b"")


def _drawn(kind):
    """An image that one can see."""
    file = io.BytesIO()
    Image.radial_gradient("L").convert("RGB").resize((64, 64)).save(file, kind)
    return file.getvalue()


def valid_images():
    """Yield names and contents of images that are taken: what follows their pixels is not kept."""
    good = _drawn("PNG")
    yield "a PNG", good
    yield "a JPEG", _drawn("JPEG")
    yield "a WebP", _drawn("WEBP")
    yield "a page as well", good + b"<html><script>alert(1)</script>"
    yield "an archive as well", good + _zipped(b"x" * 100)


def hostile_images():
    """Yield names and contents of images that are bombs, something else, or broken."""
    nothing = zlib.compress(bytes(50_000_000), 9)
    good = _drawn("PNG")
    yield "900 megapixels", _png(30_000, 30_000, _chunk(b"IDAT", nothing))
    yield "a line of 2^31 pixels", _png(2**31 - 1, 1, _chunk(b"IDAT", nothing))
    yield "no pixels", _png(0, 0)
    yield (
        "text that unpacks into 50 MB",
        _png(
            8, 8, _chunk(b"zTXt", b"a\0\0" + nothing), _chunk(b"IDAT", zlib.compress(bytes(8 * 25)))
        ),
    )
    yield (
        "a colour profile of 50 MB",
        _png(
            8, 8, _chunk(b"iCCP", b"a\0\0" + nothing), _chunk(b"IDAT", zlib.compress(bytes(8 * 25)))
        ),
    )
    yield "half", good[: len(good) // 2]
    yield (
        "a GIF of 65,535 by 65,535",
        b"GIF89a" + struct.pack("<HH", 65_535, 65_535) + b"\xf0\0\0" + bytes(6) + b",",
    )
    yield "a JPEG without an end", b"\xff\xd8\xff\xe0" + bytes(200_000)
    yield "a program as well", b"\x7fELF" + good
    yield "SVG", b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'
    yield (
        "entities that unfold",
        b'<!DOCTYPE x [<!ENTITY a "' + b"a" * 1_000 + b'">]><svg>' + b"&a;" * 1_000 + b"</svg>",
    )
