"""Addresses of classifiers in use."""

from __future__ import annotations

from django.urls import path

import askpoint.server.deployments.case_views as case_views
import askpoint.server.deployments.guideline_views as guideline_views
import askpoint.server.deployments.incident_views as incident_views
import askpoint.server.deployments.label_views as label_views
import askpoint.server.deployments.renewal_views as renewal_views
import askpoint.server.deployments.team_views as team_views
import askpoint.server.deployments.views as views
import askpoint.server.deployments.workload_views as workloads

__all__ = ["urlpatterns"]

urlpatterns = [
    path("", views.new_classifier, name="new-classifier"),
    path("<str:classifier>/", views.classifier, name="classifier"),
    path("<str:classifier>/report.html", views.report, name="classifier-report"),
    path("<str:classifier>/pictures/<str:name>.svg", views.picture, name="picture"),
    path("<str:classifier>/traffic/", views.traffic, name="traffic"),
    path("<str:classifier>/cases/", case_views.show_cases, name="classifier-cases"),
    path("<str:classifier>/cases.<str:kind>", case_views.export_cases, name="cases-file"),
    path("<str:classifier>/images/<str:name>/", case_views.show_image, name="classifier-image"),
    path("<str:classifier>/cases/<path:key>/", case_views.show_case, name="classifier-case"),
    path("<str:classifier>/incidents/", incident_views.show_incidents, name="incidents"),
    path("<str:classifier>/incidents/<int:number>/", incident_views.show_incident, name="incident"),
    path(
        "<str:classifier>/incidents/<int:number>/cases.csv",
        incident_views.export_incident,
        name="incident-file",
    ),
    path("<str:classifier>/log/", case_views.show_log, name="decision-log"),
    path("<str:classifier>/policies/", views.versions, name="policies"),
    path("<str:classifier>/policies/again/", renewal_views.choose_again, name="choose-again"),
    path("<str:classifier>/audits/", renewal_views.audits, name="audits"),
    path("<str:classifier>/settings/", renewal_views.settings, name="classifier-settings"),
    path("<str:classifier>/policies/beside/", views.two_versions, name="two-versions"),
    path("<str:classifier>/policies/<int:number>/", views.version, name="policy"),
    path("<str:classifier>/guideline/", guideline_views.guideline, name="guideline"),
    path("<str:classifier>/workload/", workloads.workload, name="work"),
    path("<str:classifier>/labels/", label_views.labels, name="labels"),
    path("<str:classifier>/labels.<str:kind>", label_views.labels_file, name="labels-file"),
    path("<str:classifier>/unsettled/", workloads.list_disputes, name="unsettled"),
    path("<str:classifier>/people/", team_views.classifier_people, name="classifier-people"),
    path("<str:classifier>/people/links.csv", team_views.links_file, name="classifier-links"),
    path("<str:classifier>/people/work.csv", team_views.work_file, name="classifier-work-file"),
]
