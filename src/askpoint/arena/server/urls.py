"""All addresses of the arena."""

from __future__ import annotations

from django.urls import include, path

import askpoint.arena.server.front.views as views
from askpoint.arena.server.front.invitations import agree
from askpoint.arena.server.front.pool_offers import pool_offer

__all__ = ["urlpatterns"]

urlpatterns = [
    path("points/", views.points, name="points"),
    path("agree/<str:campaign>/", agree, name="agree"),
    path("review/<str:classifier>/<str:campaign>/", pool_offer, name="pool-offer"),
    path("play/", include("askpoint.arena.server.players.urls")),
    path("judge/", include("askpoint.arena.server.judges.urls")),
    path("run/<str:campaign>/examination/", include("askpoint.arena.server.examinations.urls")),
    path("tags/<str:campaign>/", include("askpoint.arena.server.tags.urls")),
    path("payouts/", include("askpoint.arena.server.payouts.urls")),
    path("run/", include("askpoint.arena.server.organisers.urls")),
]
