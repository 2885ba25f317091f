"""Addresses of questionnaires, below those of a classifier in use."""

from __future__ import annotations

from django.urls import path

import askpoint.server.questionnaires.views as views

__all__ = ["urlpatterns"]

urlpatterns = [
    path("", views.questionnaires, name="questionnaires"),
    path("<int:number>/", views.questionnaire, name="questionnaire"),
    path("<int:number>/<int:person>.json", views.costs_file, name="costs-file"),
]
