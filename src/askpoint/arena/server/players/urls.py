"""A player's addresses."""

from __future__ import annotations

from django.urls import path

import askpoint.arena.server.players.views as views

__all__ = ["urlpatterns"]

urlpatterns = [
    path("<str:campaign>/", views.play, name="play"),
    path("<str:campaign>/cases/", views.history, name="history"),
    path("<str:campaign>/standings/", views.standings, name="standings"),
    path("<str:campaign>/cases/<str:name>/", views.case, name="case"),
    path("<str:campaign>/cases/<str:name>/image/", views.case_image, name="case-image"),
    path("<str:campaign>/cases/<str:name>/submit/", views.submit, name="submit"),
    path("<str:campaign>/cases/<str:name>/drop/", views.drop, name="drop"),
    path("<str:campaign>/cases/<str:name>/appeal/", views.appeal, name="appeal"),
]
