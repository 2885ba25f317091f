"""Addresses of one's tokens."""

from __future__ import annotations

from django.urls import path

import askpoint.server.api.views as views

__all__ = ["urlpatterns"]

urlpatterns = [
    path("", views.own_tokens, name="tokens"),
    path("<int:key>/revoke/", views.revoke, name="revoke-token"),
]
