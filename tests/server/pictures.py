"""Images as strangers send them: honest ones, and ones that are made to do harm."""

from __future__ import annotations

import io
import struct
import zlib

import numpy as np
from PIL import Image

__all__ = ["SVG", "chunk", "encoded", "huge_png", "scene"]

SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'


def scene(seed: int = 0, size: tuple[int, int] = (96, 64)) -> Image.Image:
    """A picture of soft blotches, another one for each seed."""
    small = np.random.default_rng(seed).uniform(0, 255, (6, 8, 3)).astype(np.uint8)
    return Image.fromarray(small).resize(size, Image.Resampling.BICUBIC)


def encoded(image: Image.Image, kind: str = "PNG", **how: object) -> bytes:
    """The bytes of a file."""
    out = io.BytesIO()
    image.save(out, kind, **how)
    return out.getvalue()


def chunk(name: bytes, content: bytes) -> bytes:
    """A part of a PNG."""
    return (
        struct.pack(">I", len(content))
        + name
        + content
        + struct.pack(">I", zlib.crc32(name + content))
    )


def huge_png(width: int, height: int) -> bytes:
    """A small file that says it is a huge image, and would unpack into one."""
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = zlib.compress(bytes(min(width + 1, 1000) * min(height, 1000)))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
