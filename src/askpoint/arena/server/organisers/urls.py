"""An organiser's addresses."""

from __future__ import annotations

from django.urls import path, re_path

import askpoint.arena.server.organisers.item_images as item_images
import askpoint.arena.server.organisers.making as making
import askpoint.arena.server.organisers.people as people
import askpoint.arena.server.organisers.views as views
from askpoint.arena.server.organisers.joining import receive

__all__ = ["urlpatterns"]

urlpatterns = [
    path("", making.new_campaign, name="new-campaign"),
    path("models/", making.new_model, name="new-model"),
    path("<str:campaign>/", views.watch, name="watch"),
    path("<str:campaign>/what/", making.what, name="what"),
    path("<str:campaign>/terms/", making.terms, name="terms"),
    path("<str:campaign>/judging/", making.judging, name="judging"),
    path(
        "<str:campaign>/judging/<str:name>/image/", item_images.send_item_image, name="item-image"
    ),
    path("<str:campaign>/judging/<str:name>/delete/", item_images.take_away, name="take-away"),
    path("<str:campaign>/budget/", making.budget, name="budget"),
    path("<str:campaign>/joining/", receive, name="joining"),
    path("<str:campaign>/people/", people.show_people, name="people"),
    path("<str:campaign>/people/links.csv", people.links_file, name="links"),
    path("<str:campaign>/people/standing/", people.standing, name="standing"),
    path("<str:campaign>/cases/", views.cases, name="cases"),
    path("<str:campaign>/cases/<str:name>/", views.case_to_decide, name="decide"),
    path("<str:campaign>/cases/<str:name>/image/", views.decide_image, name="decide-image"),
    path("<str:campaign>/cases/<str:name>/image/delete/", views.forget, name="delete-image"),
    re_path(r"^(?P<campaign>[^/]+)/export\.(?P<kind>jsonl|csv|zip)$", views.export, name="export"),
]
