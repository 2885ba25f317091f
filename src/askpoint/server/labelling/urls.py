"""Addresses of who labels."""

from __future__ import annotations

from django.urls import path

import askpoint.server.labelling.views as views

__all__ = ["urlpatterns"]

urlpatterns = [
    path("", views.review, name="review"),
    path("claim/", views.claim_next, name="review-claim"),
    path("vote/", views.vote_on, name="review-vote"),
    path("not-sure/", views.leave_unsure, name="review-not-sure"),
    path("undo/", views.undo, name="review-undo"),
    path("image/<str:ticket>/", views.image, name="review-image"),
    path("mine/", views.mine, name="review-mine"),
    path("mine/appeal/", views.appeal_case, name="review-appeal"),
    path("leave/", views.leave, name="review-leave"),
]
