"""The summary of a week: a classifier's state, three numbers and one link, to the endpoints that chose it; no contents."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta

from django.db import transaction
from django.utils import timezone

from askpoint.reports.words import count, estimate_text, plural, share
from askpoint.server.deployments.models import Deployment
from askpoint.server.deployments.notifications import incident_page
from askpoint.server.deployments.policies import lock_deployment
from askpoint.server.deployments.state_lines import ClassifierRow, classifier_rows
from askpoint.server.webhooks.services import announce

__all__ = ["send_summaries", "summary_text"]

_HOUR = time(6, tzinfo=UTC)  # of Monday


def send_summaries(now: datetime | None = None) -> int:
    """Put the summary of the last seven days into the outbox, for each classifier once a week; return how many."""
    due = _last_monday(now or timezone.now())
    rows = Deployment.objects.filter(adopted__gt=0, archived=None, made__lt=due)
    rows = rows.exclude(summarised__gte=due).exclude(workspace__state="closed")
    return sum(_send(name, due) for name in list(rows.values_list("pk", flat=True)))


def summary_text(row: ClassifierRow) -> str:
    """Return three numbers of the last seven days, in words."""
    week, band = row.week, row.band
    waiting = f"{plural(row.waiting, 'case waits', 'cases wait')} for review."
    if not week.decided:
        return f"No case came in the last 7 days. {waiting}"
    would = "would have been " if row.state.kind == "shadow" else ""
    said = f"Last 7 days: {count(week.answered)} of {plural(week.decided, 'case', 'cases')} {would}decided alone"
    said += f" ({share(week.coverage or 0.0)})."
    if band is not None:
        known = week.estimate_per_1000
        mistakes = "not known yet" if known is None else estimate_text(known)
        said += f" Mistakes per 1,000 cases: {mistakes} ({band.words})."
    return f"{said} {waiting}"


def _last_monday(now: datetime) -> datetime:
    """Return the last moment at which a summary was due."""
    today = now.astimezone(UTC)
    monday = datetime.combine(today.date() - timedelta(days=today.weekday()), _HOUR)
    return monday if monday <= today else monday - timedelta(days=7)


@transaction.atomic
def _send(deployment: str, due: datetime) -> bool:
    row = lock_deployment(deployment)
    if row.summarised is not None and row.summarised >= due:  # another process did
        return False
    Deployment.objects.filter(pk=row.pk).update(summarised=due)
    (told,) = classifier_rows([row], ())
    owners = row.members.filter(role="owner").values_list("user_id", flat=True)
    data = {
        "classifier": row.pk,
        "title": row.title,
        "page": incident_page(row, None),
        "state": told.state.kind,
        "what": f"{told.state.word}. {told.state.why}",
        "count": summary_text(told),
        "decided": told.week.decided,
        "answered": told.week.answered,
        "mistakes_per_1000": told.week.estimate_per_1000,
        "waiting": told.waiting,
    }
    announce(row.workspace_id, "classifier.week", list(owners), data)
    return True
