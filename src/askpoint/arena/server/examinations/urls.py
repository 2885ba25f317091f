"""Addresses of a campaign's examinations."""

from __future__ import annotations

from django.urls import path, re_path

import askpoint.arena.server.examinations.views as views

__all__ = ["urlpatterns"]

urlpatterns = [
    path("", views.examination, name="examination"),
    path("sample/", views.sample, name="sample"),
    path("draw/", views.draw, name="draw"),
    path("compare/", views.compare, name="compare"),
    re_path(r"^(?P<kind>log|cases)\.csv$", views.files, name="examination-file"),
]
