"""Have an image read by the process that does that."""

from __future__ import annotations

import base64
import binascii
import secrets
from typing import Any

from django.conf import settings

from askpoint.errors import InputError, ModelError
from askpoint.server.classifiers.processes import Scorer, socket_path
from askpoint.server.classifiers.scorer_sockets import talk
from askpoint.server.uploads.decoding import MOST_BYTES, DecodedImage

__all__ = ["READER", "from_data", "image_reader", "read_image"]

READER = "images"
"""The process's name among those that are watched."""

_SECONDS = 10.0
_AWAY = "images cannot be read just now; try again in a moment"
_HEAD = "data:image/"


def image_reader() -> dict[str, Any]:
    """Return what its process is told when it starts."""
    return {"name": READER, "adapter": READER, "target": READER, "classes": [], "seconds": _SECONDS}


def read_image(content: bytes, *, apart: bool = False) -> DecodedImage:
    """Return an image as it is kept; `apart` by a process made for it, where none runs yet.

    Raises
    ------
    InputError
        If it is no image that is taken; it says why.
    ModelError
        If none can be read just now.
    """
    if not content:
        raise InputError("choose an image: a PNG, JPEG or WebP file")
    if len(content) > MOST_BYTES:
        raise InputError(f"an image has at most {MOST_BYTES:,} bytes; got {len(content):,}")
    if not apart:
        return _ask_process(socket_path(settings.ASKPOINT.sockets, READER), content)
    path = socket_path(settings.ASKPOINT.sockets, f"{READER}-{secrets.token_hex(4)}")
    scorer = Scorer(image_reader(), path)
    try:
        if scorer.wait_until_ready():
            raise ModelError(_AWAY, "not-running")
        return _ask_process(path, content)
    finally:
        scorer.stop()


def _ask_process(path: str, content: bytes) -> DecodedImage:
    try:
        found = talk(path, {"cases": [base64.b64encode(content).decode()]}, _SECONDS)
    except ModelError as error:
        raise ModelError(_AWAY, error.kind) from None
    if "fault" in found:
        words = found["detail"] if found["fault"] == "bad-answer" else "the image cannot be read"
        raise InputError(f"{words}; try another one")
    return DecodedImage(
        base64.b64decode(found["content"]),
        found["kind"],
        found["width"],
        found["height"],
        base64.b64decode(found["print"]),
    )


def from_data(given: Any) -> bytes:
    """Return the bytes of ``{"image": "data:image/png;base64,..."}``, as a program sends them.

    Raises
    ------
    InputError
        If it is something else.
    """
    text = given.get("image") if isinstance(given, dict) and set(given) == {"image"} else None
    head, _, rest = str(text or "").partition(";base64,")
    try:
        content = base64.b64decode(rest, validate=True) if head.startswith(_HEAD) else b""
    except (binascii.Error, ValueError):
        content = b""
    if not content:
        raise InputError(
            'a case is an image here: send {"image": "data:image/png;base64,..."}, or its file on the '
            "page"
        )
    return content
