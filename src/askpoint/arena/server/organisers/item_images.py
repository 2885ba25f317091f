"""The images of training and gold items: an organiser looks at them, and takes away what should not be there."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_POST

from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.judges.services import forget_image
from askpoint.arena.server.rulings.access import for_organiser
from askpoint.errors import AskpointError
from askpoint.server.classifiers.cases import image_of
from askpoint.server.images.services import find_deleted_images
from askpoint.server.images.serving import send_image

__all__ = ["KnownImage", "list_item_images", "send_item_image", "take_away"]


class KnownImage(NamedTuple):
    """An image of a training or gold item.

    Parameters
    ----------
    sha256 : str
    kind : {"training", "gold"}
    truth : str
        The known answer.
    case : dict
    there : bool
        Whether it was not taken away.
    """

    sha256: str
    kind: str
    truth: str
    case: Any
    there: bool


def list_item_images(campaign: Campaign) -> list[KnownImage]:
    """Return the images of a campaign's training items, in their order, and of its gold items, the newest first."""
    gone = set(find_deleted_images(campaign.pk))
    rows = [("training", it.truth, it.case) for it in campaign.training.all()]
    gold = campaign.rulings.filter(purpose="gold").order_by("-opened", "pk")
    rows += [("gold", it.gold, it.content) for it in gold]
    found = [(kind, truth, case, image_of(case)) for kind, truth, case in rows]
    return [
        KnownImage(image["sha256"], kind, truth, case, image["sha256"] not in gone)
        for kind, truth, case, image in found
        if image is not None
    ]


def _find_image(campaign: Campaign, name: str) -> KnownImage:
    found = next((it for it in list_item_images(campaign) if it.sha256 == name), None)
    if found is None:
        raise Http404
    return found


@require_GET
@for_organiser
def send_item_image(request: HttpRequest, campaign: Campaign, name: str) -> HttpResponse:
    """Send the image of an item."""
    del request
    return send_image(campaign.pk, _find_image(campaign, name).case)


@require_POST
@for_organiser
def take_away(request: HttpRequest, campaign: Campaign, name: str) -> HttpResponse:
    """Delete the image of items, for good."""
    try:
        forget_image(campaign.pk, _find_image(campaign, name).sha256)
    except AskpointError as error:
        messages.error(request, str(error))
    else:
        messages.info(
            request, "The image is taken away. What was voted on it, ruled and paid stays."
        )
    return redirect("judging", campaign.pk)
