"""Addresses of classifiers in use."""

from __future__ import annotations

from django.urls import path

import askpoint.server.deployments.reviewing as reviewing
import askpoint.server.deployments.views as views

__all__ = ["urlpatterns"]

urlpatterns = [
    path("", views.new_classifier, name="new-classifier"),
    path("<str:classifier>/", views.classifier, name="classifier"),
    path("<str:classifier>/report.html", views.report, name="classifier-report"),
    path("<str:classifier>/pictures/<str:name>.svg", views.picture, name="picture"),
    path("<str:classifier>/traffic/", views.traffic, name="traffic"),
    path("<str:classifier>/policies/", views.versions, name="policies"),
    path("<str:classifier>/policies/<int:number>/", views.version, name="policy"),
    path("<str:classifier>/workload/", views.workload, name="work"),
    path("<str:classifier>/review/", reviewing.review, name="review"),
    path("<str:classifier>/review/claim/", reviewing.claim_next, name="review-claim"),
    path("<str:classifier>/review/vote/", reviewing.vote_on, name="review-vote"),
    path("<str:classifier>/review/skip/", reviewing.skip_case, name="review-skip"),
    path("<str:classifier>/review/leave/", reviewing.leave, name="review-leave"),
    path("<str:classifier>/people/", views.classifier_people, name="classifier-people"),
]
