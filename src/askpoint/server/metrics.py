"""Figures for a monitor: of the server for everybody, of classifiers for who brings a token of theirs."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_GET

from askpoint.answers.live.checkup import prices_of
from askpoint.live.status import Troubles, status_of
from askpoint.reports.live.metrics import CONTENT_TYPE, MetricSample, metrics_text, status_samples
from askpoint.server.api.access import Bearer
from askpoint.server.api.models import Token
from askpoint.server.api.problems import ProblemError
from askpoint.server.classifiers.models import Classifier
from askpoint.server.deployments.cases import waiting_cases
from askpoint.server.deployments.models import Deployment
from askpoint.server.deployments.status_page import standing_of
from askpoint.server.deployments.version_diff import owner_prices
from askpoint.server.health import jobs_health, model_health

__all__ = ["tell_metrics"]

_READ = Bearer("owner", "viewer")


@require_GET
def tell_metrics(request: HttpRequest) -> HttpResponse:
    """Say how the server is, as OpenMetrics text; with a token, how its owner's classifiers fare, too."""
    samples = _server_samples()
    if "Authorization" in request.headers:
        try:
            token: Token = _READ(request)
        except ProblemError as error:
            return HttpResponse(f"{error.detail}\n", content_type="text/plain", status=error.status)
        samples += _classifier_samples(token)
    return HttpResponse(metrics_text(samples), content_type=CONTENT_TYPE)


def _server_samples() -> list[MetricSample]:
    jobs = jobs_health()
    well = [model_health(row).is_well for row in Classifier.objects.all()]
    return [
        MetricSample("askpoint_jobs_waiting", jobs.waiting, {}),
        MetricSample("askpoint_oldest_job_seconds", jobs.oldest.total_seconds(), {}),
        MetricSample("askpoint_models", sum(well), {"state": "answers"}),
        MetricSample("askpoint_models", len(well) - sum(well), {"state": "silent"}),
    ]


def _classifier_samples(token: Token) -> list[MetricSample]:
    mine = Deployment.objects.filter(members__user=token.user, members__role=token.role)
    mine = mine.filter(archived=None)
    rows = mine.filter(pk=token.resource) if token.resource else mine
    samples = []
    for row in rows.order_by("pk"):
        found = standing_of(row)
        if found is None:
            continue
        terms = found.document.terms
        prices = prices_of(found.document, owner_prices(row, found.policy))[0]
        oldest = waiting_cases(row).order_by("opened").values_list("opened", flat=True).first()
        samples += status_samples(
            row.pk,
            status_of(found.state, terms, prices, Troubles()),
            log_rows=found.policy.log["size"],
            oldest_awaited=None if oldest is None else (timezone.now() - oldest).total_seconds(),
        )
    return samples
