"""An image as it is kept: decoded, made upright, scaled down, and written anew without metadata.

What is kept holds the pixels and nothing else: no place, time or camera, no second picture behind the
first, no file of another kind that begins like an image. Transparent parts become white, so that
judges see what the model is given.
"""

from __future__ import annotations

import hashlib
import io
import struct
import warnings
import zlib
from dataclasses import dataclass
from typing import Any

import numpy as np
from PIL import Image, ImageOps, UnidentifiedImageError

from askpoint.errors import InputError
from askpoint.unknowns.image_repeats import SIDE, image_print

__all__ = ["MOST_BYTES", "MOST_KEPT", "MOST_PIXELS", "MOST_SIDE", "DecodedImage", "read_picture"]

MOST_BYTES = 6_000_000
"""Of a file that is sent."""

MOST_PIXELS = 25_000_000
"""Of an image, as its header says; more are not decoded."""

MOST_SIDE = 1_600
"""Pixels of the longer side that is kept."""

MOST_KEPT = 1_000_000
"""Bytes of an image that is kept."""

_LEAST_SIDE = 16
_LEAST_CONTRAST = 8  # of 255; below, nobody sees anything
_KINDS = ("PNG", "JPEG", "WEBP")
_BROKEN = (OSError, SyntaxError, ValueError, EOFError, IndexError, struct.error, zlib.error)
_QUALITIES = (90, 75, 60)


@dataclass(frozen=True)
class DecodedImage:
    """An image as it is kept.

    Parameters
    ----------
    content : bytes
        PNG or JPEG.
    kind : str
        Its media type.
    width, height : int
        Pixels.
    print : bytes
        As `askpoint.unknowns.image_repeats.image_print` makes it, in half precision.
    """

    content: bytes
    kind: str
    width: int
    height: int
    print: bytes

    @property
    def sha256(self) -> str:
        """By which it is found."""
        return hashlib.sha256(self.content).hexdigest()


def read_picture(content: bytes) -> DecodedImage:
    """Return what a file shows.

    Raises
    ------
    InputError
        If it is no image that is taken; it says why.
    """
    if len(content) > MOST_BYTES:
        raise InputError(f"an image has at most {MOST_BYTES:,} bytes; got {len(content):,}")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what is said of odd metadata
            with _open(content) as image:
                shown = _normalise(image)
    except InputError:
        raise
    except Image.DecompressionBombError:
        raise _too_large() from None
    except _BROKEN:
        raise InputError(
            "the image cannot be read: it is damaged, or ends early; save it again"
        ) from None
    if min(shown.size) < _LEAST_SIDE:
        raise InputError(
            f"an image has at least {_LEAST_SIDE} pixels each way, scaled to at most {MOST_SIDE:,}; "
            f"got {shown.width} by {shown.height}"
        )
    grey = shown.convert("L")
    low, high = grey.getextrema()
    if float(high) - float(low) < _LEAST_CONTRAST:  # type: ignore[arg-type]
        raise InputError("the image shows nothing that one could see: it is of one colour")
    saved, kind = _encode(shown, _is_drawn(content))
    small = grey.resize((SIDE, SIDE), Image.Resampling.BOX)
    found = image_print(np.asarray(small, dtype=np.float64)).astype("<f2")
    return DecodedImage(saved, kind, *shown.size, found.tobytes())


def _too_large() -> InputError:
    return InputError(
        f"an image has at most {MOST_PIXELS:,} pixels; scale it down, to {MOST_SIDE:,} on its longer "
        "side, say"
    )


def _open(content: bytes) -> Image.Image:
    try:
        image = Image.open(io.BytesIO(content), formats=_KINDS)
    except UnidentifiedImageError:
        raise InputError(
            "this is not a PNG, JPEG or WebP image, whatever its name says; SVG, GIF and HEIC are not "
            "taken: save it as PNG or JPEG"
        ) from None
    if image.width * image.height > MOST_PIXELS:
        raise _too_large()
    if image.format != "MPO" and getattr(image, "n_frames", 1) > 1:  # phones add small pictures
        raise InputError("an image has one frame, and this one moves; upload one of its frames")
    return image


def _is_drawn(content: bytes) -> bool:
    """Tell whether an image is kept without loss: as PNG is, and others are not."""
    return content.startswith(b"\x89PNG")


def _normalise(image: Image.Image) -> Image.Image:
    """Return the pixels as one sees them: upright, in colours, on white, and not too many."""
    image.draft("RGB", (MOST_SIDE, MOST_SIDE))  # a JPEG is scaled down while it is read
    image.load()
    turned = ImageOps.exif_transpose(image)
    seen = _in_colours(turned)
    seen.thumbnail((MOST_SIDE, MOST_SIDE), Image.Resampling.LANCZOS)
    return seen


def _in_colours(image: Image.Image) -> Image.Image:
    if image.mode.startswith("I"):  # 16 bits of grey
        deep: Any = np.asarray(image, dtype=np.int64)
        return Image.fromarray((deep.clip(0, 65_535) // 257).astype(np.uint8)).convert("RGB")
    if image.mode in ("PA", "LA", "RGBA", "La", "RGBa") or "transparency" in image.info:
        clear = image.convert("RGBA")
        white = Image.new("RGBA", clear.size, "white")
        return Image.alpha_composite(white, clear).convert("RGB")
    return image.convert("RGB")


def _encode(image: Image.Image, drawn: bool) -> tuple[bytes, str]:
    """Return the bytes that are kept, and their media type."""
    bare = Image.frombytes("RGB", image.size, image.tobytes())  # pixels, and no metadata
    if drawn:
        content = _write(bare, "PNG", optimize=False)
        if len(content) <= MOST_KEPT:
            return content, "image/png"
    while True:
        for quality in _QUALITIES:
            content = _write(bare, "JPEG", quality=quality)
            if len(content) <= MOST_KEPT:
                return content, "image/jpeg"
        bare = bare.reduce(2)


def _write(image: Image.Image, kind: str, **how: Any) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **how)
    return out.getvalue()
