"""Send an image to whoever may see it, as an image and nothing else; who may is for the view."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpResponse

from askpoint.server.images.models import Image
from askpoint.server.images.services import content_of

__all__ = ["IMAGE_POLICY", "image_there", "send_image"]

IMAGE_POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'"
"""Of an image that is opened by itself: were it a page, it could do nothing."""


def _name(case: Any) -> str:
    image = case.get("image") if isinstance(case, dict) else None
    return str(image["sha256"]) if isinstance(image, dict) else ""


def image_there(belongs_to: str, case: Any) -> bool:
    """Tell whether a case is an image that can be sent: it was not deleted."""
    rows = Image.objects.filter(belongs_to=belongs_to, sha256=_name(case), deleted=None)
    return bool(_name(case)) and rows.exists()


def send_image(belongs_to: str, case: Any) -> HttpResponse:
    """Send the image that a case is; what is no image, or was deleted, is not there."""
    row = content_of(belongs_to, _name(case))
    if row is None:
        raise Http404
    response = HttpResponse(bytes(row.content), content_type=row.kind)
    response["Content-Security-Policy"] = IMAGE_POLICY
    response["X-Content-Type-Options"] = "nosniff"
    response["Cross-Origin-Resource-Policy"] = "same-origin"
    response["Content-Disposition"] = "inline"
    return response
