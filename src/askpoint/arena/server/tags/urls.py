"""Addresses of a tag challenge."""

from __future__ import annotations

from django.urls import path, re_path

import askpoint.arena.server.tags.views as views

__all__ = ["urlpatterns"]

urlpatterns = [
    path("", views.tags, name="tags"),
    path("items/", views.items, name="items"),
    path("items/<int:number>/", views.tag, name="tag"),
    re_path(r"^tags\.(?P<kind>csv)$", views.tag_file, name="tag-file"),
]
