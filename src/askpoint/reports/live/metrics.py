"""Figures of policies in use for a monitor: OpenMetrics text, for a scrape or a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from askpoint.live.status import Status

__all__ = ["CONTENT_TYPE", "METRICS", "Metric", "MetricSample", "metrics_text", "status_samples"]

CONTENT_TYPE = "application/openmetrics-text; version=1.0.0; charset=utf-8"


class Metric(NamedTuple):
    """A figure: its kind, its unit if its name has one, and what it is.

    Attributes
    ----------
    kind : {"counter", "gauge"}
        Counters only grow.
    help : str
        What it is.
    unit : str
        Seconds, or empty.
    """

    kind: str
    help: str
    unit: str = ""


METRICS: Mapping[str, Metric] = {
    "askpoint_decisions": Metric("counter", "Decisions made."),
    "askpoint_answered": Metric("counter", "Cases that the model decided alone."),
    "askpoint_asked": Metric("counter", "Cases that went to review."),
    "askpoint_audited": Metric("counter", "Answers drawn for an audit."),
    "askpoint_open": Metric("gauge", "1 while it answers, 0 while every case goes to review."),
    "askpoint_threshold": Metric("gauge", "It answers from this confidence on; none while closed."),
    "askpoint_waiting_for_labels": Metric("gauge", "1 while it is closed because no labels come."),
    "askpoint_episode": Metric("gauge", "1, and one more after each closing."),
    "askpoint_evidence_ratio": Metric("gauge", "Evidence towards an alarm; 1 is the alarm."),
    "askpoint_mistakes_at_most": Metric(
        "gauge", "Mistakes to be expected since it last reopened, at most."
    ),
    "askpoint_mistakes_allowed": Metric("gauge", "Mistakes that were agreed by now."),
    "askpoint_leased_answers": Metric(
        "gauge", "Answers under leases that are not handed in; they count as mistakes."
    ),
    "askpoint_mistakes_estimate": Metric(
        "gauge", "Mistakes so far, estimated; none while not known."
    ),
    "askpoint_labels_awaited": Metric("gauge", "Cases whose label is awaited."),
    "askpoint_oldest_awaited_seconds": Metric(
        "gauge", "How long the oldest label has been awaited.", "seconds"
    ),
    "askpoint_labels_missing": Metric(
        "gauge", "Audits whose label did not come; none while not known."
    ),
    "askpoint_dead_lines": Metric("counter", "Lines that could not be decided."),
    "askpoint_clock_back": Metric(
        "counter", "Decisions and labels that came while the clock went back."
    ),
    "askpoint_log_rows": Metric("counter", "Rows of the log."),
    "askpoint_recipients_delayed": Metric(
        "gauge", "Recipients whose notifications could not be sent."
    ),
    "askpoint_jobs_waiting": Metric("gauge", "Jobs of the server that are due."),
    "askpoint_oldest_job_seconds": Metric(
        "gauge", "How long the oldest job has been due.", "seconds"
    ),
    "askpoint_models": Metric("gauge", "Model processes of the server, by whether they answer."),
}
"""By name, without the suffix of counters."""


class MetricSample(NamedTuple):
    """One number of a metric; None is left out."""

    name: str
    value: float | None
    labels: Mapping[str, str]


def status_samples(
    policy: str,
    status: Status,
    *,
    log_rows: int,
    oldest_awaited: float | None = None,
    delayed: int | None = None,
) -> list[MetricSample]:
    """Return the figures of a policy in use; labels are the policy's name only, never a key.

    Parameters
    ----------
    policy : str
        Its name.
    status : Status
        How it stands.
    log_rows : int
        Of its log.
    oldest_awaited : float, optional
        Seconds for which the oldest label has been awaited; None if none is.
    delayed : int, optional
        Recipients who could not be told.

    Returns
    -------
    list of MetricSample
    """
    worth = status.worth
    figures: dict[str, float | None] = {
        "decisions": status.decided,
        "answered": status.answered,
        "asked": status.asked,
        "audited": status.audited,
        "open": status.threshold is not None and not status.waiting,
        "threshold": status.threshold,
        "waiting_for_labels": status.waiting,
        "episode": status.episode,
        "evidence_ratio": status.evidence,
        "mistakes_at_most": status.mistakes_at_most,
        "mistakes_allowed": status.mistakes_allowed,
        "leased_answers": status.booked,
        "mistakes_estimate": None if worth is None else worth.estimate,
        "labels_awaited": status.awaited,
        "oldest_awaited_seconds": 0 if oldest_awaited is None else oldest_awaited,
        "labels_missing": None if worth is None else worth.missing,
        "dead_lines": status.troubles.dead,
        "clock_back": status.troubles.clock_back,
        "log_rows": log_rows,
        "recipients_delayed": delayed,
    }
    return [
        MetricSample(f"askpoint_{name}", value, {"policy": policy})
        for name, value in figures.items()
    ]


def metrics_text(samples: Iterable[MetricSample]) -> str:
    """Return OpenMetrics text: each metric with its kind, unit and help, its samples, and the end mark."""
    by_name: dict[str, list[MetricSample]] = {}
    for sample in samples:
        if sample.value is not None:
            by_name.setdefault(sample.name, []).append(sample)
    lines = []
    for name, metric in METRICS.items():
        if name not in by_name:
            continue
        lines.append(f"# TYPE {name} {metric.kind}")
        if metric.unit:
            lines.append(f"# UNIT {name} {metric.unit}")
        lines.append(f"# HELP {name} {metric.help}")
        suffix = "_total" if metric.kind == "counter" else ""
        for sample in by_name[name]:
            labels = ",".join(f'{key}="{_escape_label(one)}"' for key, one in sample.labels.items())
            mark = f"{{{labels}}}" if labels else ""
            lines.append(f"{name}{suffix}{mark} {_number(sample.value)}")
    return "\n".join([*lines, "# EOF"]) + "\n"


def _escape_label(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _number(value: float | None) -> str:
    number = float(value or 0)
    if number in {float("inf"), float("-inf")}:
        return "+Inf" if number > 0 else "-Inf"
    return str(int(number)) if number.is_integer() and abs(number) < 2**53 else repr(number)
