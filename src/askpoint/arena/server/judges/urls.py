"""A judge's addresses."""

from __future__ import annotations

from django.urls import path

import askpoint.arena.server.judges.views as views

__all__ = ["urlpatterns"]

urlpatterns = [
    path("<str:campaign>/", views.judge, name="judge"),
    path("<str:campaign>/image/<str:name>/", views.image, name="judge-image"),
    path("<str:campaign>/train/", views.train, name="train"),
    path("<str:campaign>/claim/", views.claim, name="claim"),
    path("<str:campaign>/vote/", views.vote, name="vote"),
    path("<str:campaign>/compare/", views.compare, name="compare-find"),
    path("<str:campaign>/skip/", views.skip, name="skip"),
    path("<str:campaign>/rest/", views.rest, name="rest"),
]
