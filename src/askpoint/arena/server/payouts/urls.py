"""Addresses of payouts."""

from __future__ import annotations

from django.urls import path

import askpoint.arena.server.payouts.views as views

__all__ = ["urlpatterns"]

urlpatterns = [
    path("", views.payouts, name="payouts"),
    path("answer/", views.answer, name="answer-payout"),
    path("withdraw/", views.take, name="withdraw"),
    path("<int:number>.csv", views.send_list, name="payout-list"),
    path("statement/<str:name>.csv", views.statement_of, name="statement"),
]
