"""Images as cases of a classifier: uploaded first, named by a case, kept while a case that people see names them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from askpoint.errors import InputError, ModelError
from askpoint.server.accounts.models import User
from askpoint.server.classifiers.cases import image_case, image_of
from askpoint.server.deployments.cases import cases_of
from askpoint.server.deployments.models import Deployment, Receipt
from askpoint.server.deployments.policies import check_open_to_cases
from askpoint.server.images.models import Image
from askpoint.server.images.services import (
    delete_image,
    expire_images,
    hold_image,
)
from askpoint.server.uploads.services import read_image

__all__ = [
    "add_image",
    "delete_unnamed_images",
    "keep_images",
    "keep_named_images",
    "name_images",
]


def add_image(deployment: str, user: User, content: bytes) -> dict[str, Any]:
    """Read an image and keep it for a day, or for good once a case that people see names it; the case that names it.

    Raises
    ------
    InputError
        If it is no image that is taken.
    ModelError
        If none can be read just now.
    RuleError
        ``archived`` or ``deleted``; ``too-many-images``; ``image-deleted``.
    """
    check_open_to_cases(Deployment.objects.get(pk=deployment))
    try:
        picture = read_image(content)
    except ModelError as error:
        if error.kind != "not-running":
            raise
        picture = read_image(content, apart=True)  # the first one: from now on a process waits
    expire_images(deployment)
    row = hold_image(deployment, user, picture, alone=False)
    return image_case(row.sha256, row.kind, row.width, row.height)


def name_images(deployment: str, cases: Sequence[tuple[str, Any]]) -> list[Any]:
    """Return the contents of cases; those that are images as they are stored, whatever else they say of the image.

    Parameters
    ----------
    deployment : str
        The classifier.
    cases : sequence of (str, content)
        Key and content of each.

    Raises
    ------
    InputError
        If an image was never uploaded here or is gone, and its case was not decided before.
    """
    contents = [content for _, content in cases]
    named = [None if (it := image_of(one)) is None else str(it.get("sha256")) for one in contents]
    names = set(filter(None, named))
    if not names:
        return contents
    rows = Image.objects.filter(belongs_to=deployment, sha256__in=names, deleted=None)
    known: dict[str | None, Any] = {
        row.sha256: image_case(row.sha256, row.kind, row.width, row.height)
        for row in rows.defer("content")
    }
    missing = [
        (key, name)
        for (key, _), name in zip(cases, named, strict=True)
        if name is not None and name not in known
    ]
    found = Receipt.objects.filter(deployment=deployment, key__in=[key for key, _ in missing])
    decided = set(found.values_list("key", flat=True))
    for key, name in missing:
        if key not in decided:
            raise InputError(
                f"no image {name[:80]!r} of the case {key[:80]!r} is kept here: upload it, and send what that answers as the "
                "case; an image that no case names is deleted after a day"
            )
    return [known.get(name, content) for name, content in zip(named, contents, strict=True)]


def keep_named_images(row: Deployment, cases: Sequence[tuple[str, Any]]) -> None:
    """Keep the images of those cases, by key and content, that people see."""
    named = {key: content for key, content in cases if image_of(content) is not None}
    if named:
        seen = cases_of(row, named).filter(content__isnull=False)
        keep_images(row.pk, [named[key] for key in seen.values_list("key", flat=True)])


def keep_images(deployment: str, contents: Iterable[Any]) -> None:
    """Keep the images among contents of cases for good; one that was deleted stays so."""
    names = {it["sha256"] for it in map(image_of, contents) if it is not None}
    if names:
        rows = Image.objects.filter(belongs_to=deployment, sha256__in=names, deleted=None)
        rows.update(kept=True)


def delete_unnamed_images(row: Deployment, contents: Iterable[Any]) -> None:
    """Delete the images of contents that were deleted, but for those that another case still names."""
    for name in {it["sha256"] for it in map(image_of, contents) if it is not None}:
        if not cases_of(row).filter(content__image__sha256=name).exists():
            delete_image(row.pk, name)
