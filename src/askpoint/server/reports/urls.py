"""Addresses of uploaded logs and their reports."""

from __future__ import annotations

from django.urls import path

import askpoint.server.reports.views as views

__all__ = ["urlpatterns"]

urlpatterns = [
    path("", views.list_reports, name="log-reports"),
    path("<str:report>/", views.log_report, name="log-report"),
    path("<str:report>/page.html", views.log_page, name="log-page"),
    path("<str:report>/policy/", views.choose_policy, name="choose-policy"),
]
