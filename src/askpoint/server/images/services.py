"""Keep images within limits, find them again, and delete them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Protocol

import numpy as np
from django.db import transaction
from django.db.models import Sum
from django.utils import timezone

from askpoint.errors import RuleError
from askpoint.measures.inputs import FloatArray
from askpoint.server.accounts.models import User
from askpoint.server.deleted_bytes import clear_deleted_bytes
from askpoint.server.images.models import Image
from askpoint.server.journal.services import note

__all__ = [
    "MOST_OF_PERSON",
    "MOST_TOGETHER",
    "UNSUBMITTED",
    "any_content",
    "content_of",
    "delete_image",
    "expire_images",
    "find_deleted_images",
    "find_kept_image",
    "has_images",
    "hold_image",
    "keep_for_good",
    "prints_of",
]

MOST_TOGETHER = 1_000_000_000
"""Bytes of the images of one campaign or classifier."""

MOST_OF_PERSON = 100_000_000
"""Bytes of images that one person brought there."""

UNSUBMITTED = timedelta(days=1)
"""How long an image is kept that was tried and not submitted."""


class _Picture(Protocol):
    @property
    def content(self) -> bytes: ...
    @property
    def kind(self) -> str: ...
    @property
    def width(self) -> int: ...
    @property
    def height(self) -> int: ...
    @property
    def print(self) -> bytes: ...
    @property
    def sha256(self) -> str: ...


@transaction.atomic
def hold_image(
    belongs_to: str, user: User, picture: _Picture, *, kept: bool = False, alone: bool = True
) -> Image:
    """Keep an image, for a day or for good; the same one again is the same row.

    One that is not kept for good counts against its person's room, too, if they bring it for themselves (`alone`).

    Raises
    ------
    RuleError
        ``too-many-images`` if there is no room, ``image-deleted`` if it was deleted before.
    """
    now, rows = timezone.now(), Image.objects.filter(belongs_to=belongs_to)
    there = rows.filter(sha256=picture.sha256)
    row = there.defer("content").first()
    if row is not None:
        if row.deleted is not None:
            raise RuleError("image-deleted", "the organiser deleted this image; upload another")
        there.update(at=now, **({"kept": True} if kept else {}))
        return row
    _check_room(belongs_to, user, len(picture.content), own=alone and not kept)
    row, _ = rows.get_or_create(
        belongs_to=belongs_to,
        sha256=picture.sha256,
        defaults={
            "kind": picture.kind,
            "content": picture.content,
            "width": picture.width,
            "height": picture.height,
            "size": len(picture.content),
            "print": picture.print,
            "user": user,
            "at": now,
            "kept": kept,
        },
    )
    return row


def _check_room(belongs_to: str, user: User, n_bytes: int, *, own: bool) -> None:
    rows = Image.objects.filter(belongs_to=belongs_to)
    for most, found, whose in (
        (MOST_TOGETHER, rows, "all images here"),
        (MOST_OF_PERSON, rows.filter(user=user) if own else rows.none(), "your images here"),
    ):
        held = found.aggregate(held=Sum("size"))["held"] or 0
        if held + n_bytes > most:
            raise RuleError(
                "too-many-images",
                f"{whose} hold {held:,} of {most:,} bytes, so no more are taken; what was tried and "
                "not submitted is deleted after a day",
            )


def has_images() -> bool:
    """Tell whether any image was brought that is not deleted: then more may come."""
    return Image.objects.filter(deleted=None).exists()


def keep_for_good(belongs_to: str, sha256: str) -> None:
    """Keep an image that is submitted.

    Raises
    ------
    RuleError
        ``image-gone``, if it was not kept so long.
    """
    rows = Image.objects.filter(belongs_to=belongs_to, sha256=sha256, deleted=None)
    if not rows.update(kept=True):
        raise RuleError(
            "image-gone",
            "the image was deleted, as one that is not submitted within a day; upload it again",
        )


def find_kept_image(belongs_to: str, sha256: str) -> Image | None:
    """Return an image that is kept for good, without its content."""
    rows = Image.objects.filter(belongs_to=belongs_to, sha256=sha256, kept=True, deleted=None)
    return rows.defer("content").first()


def content_of(belongs_to: str, sha256: str) -> Image | None:
    """Return an image with its content; None where it is not there, or deleted."""
    return Image.objects.filter(belongs_to=belongs_to, sha256=sha256, deleted=None).first()


def any_content(sha256: str) -> tuple[str, bytes] | None:
    """Return media type and content of an image, wherever it is kept."""
    rows = Image.objects.filter(sha256=sha256, deleted=None)
    found = rows.values_list("kind", "content").first()
    return None if found is None else (found[0], bytes(found[1]))


def prints_of(belongs_to: str, names: Sequence[str]) -> dict[str, FloatArray]:
    """Return the prints of images, by their SHA-256; deleted ones keep theirs."""
    rows = Image.objects.filter(belongs_to=belongs_to, sha256__in=names).values_list(
        "sha256", "print"
    )
    return {name: np.frombuffer(bytes(kept), dtype="<f2").astype(np.float64) for name, kept in rows}


def expire_images(belongs_to: str) -> int:
    """Delete the images that nobody submitted within a day; how many."""
    old = timezone.now() - UNSUBMITTED
    rows = Image.objects.filter(belongs_to=belongs_to, kept=False, deleted=None, at__lt=old)
    return rows.delete()[0]


@transaction.atomic
def delete_image(belongs_to: str, sha256: str) -> None:
    """Delete what an image shows, for good; its row stays, so that nobody brings it again.

    Deleting it twice changes nothing.
    """
    rows = Image.objects.filter(belongs_to=belongs_to, sha256=sha256, deleted=None)
    if rows.update(content=b"", size=0, deleted=timezone.now()):
        note("image deleted", campaign=belongs_to, about=sha256)
        transaction.on_commit(clear_deleted_bytes)


def find_deleted_images(belongs_to: str) -> list[str]:
    """Return the SHA-256 of the images that were deleted."""
    rows = Image.objects.filter(belongs_to=belongs_to).exclude(deleted=None)
    return list(rows.values_list("sha256", flat=True))
