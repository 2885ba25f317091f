"""Addresses of agents."""

from __future__ import annotations

from django.urls import path

import askpoint.server.licences.views as views

__all__ = ["urlpatterns"]

urlpatterns = [
    path("", views.new_agent, name="new-agent"),
    path("<str:agent>/", views.agent, name="agent"),
    path("<str:agent>/units/<int:number>/", views.agent_unit, name="agent-unit"),
    path("<str:agent>/links.csv", views.agent_links, name="agent-links"),
    path("<str:agent>/people/", views.agent_people, name="agent-people"),
    path("<str:agent>/people/<str:name>/", views.agent_approver, name="agent-approver"),
    path("<str:agent>/golden/", views.agent_golden, name="agent-golden"),
]
