"""An organiser's addresses."""

from __future__ import annotations

from django.urls import path, re_path

import askpoint.server.organisers.making as making
import askpoint.server.organisers.views as views

__all__ = ["urlpatterns"]

urlpatterns = [
    path("", making.new_campaign, name="new-campaign"),
    path("models/", making.new_model, name="new-model"),
    path("<str:campaign>/", views.watch, name="watch"),
    path("<str:campaign>/what/", making.what, name="what"),
    path("<str:campaign>/terms/", making.terms, name="terms"),
    path("<str:campaign>/judging/", making.judging, name="judging"),
    path("<str:campaign>/budget/", making.budget, name="budget"),
    path("<str:campaign>/people/", views.people, name="people"),
    path("<str:campaign>/people/standing/", views.standing, name="standing"),
    path("<str:campaign>/cases/", views.cases, name="cases"),
    path("<str:campaign>/cases/<str:name>/", views.case_to_decide, name="decide"),
    re_path(r"^(?P<campaign>[^/]+)/export\.(?P<kind>jsonl|csv)$", views.export, name="export"),
]
