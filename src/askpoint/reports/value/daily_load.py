"""What a day asks of people, said."""

from __future__ import annotations

from typing import Any

from askpoint.answers.value.daily_load import DailyLoadAnswer
from askpoint.reports.document import Paragraph
from askpoint.reports.words import count, plural, round_share

__all__ = ["days_object", "days_paragraph"]


def days_paragraph(days: DailyLoadAnswer) -> Paragraph:
    """Say what the next day asks, and how often it is more than people can take."""
    load = days.found.load
    cut = " (its first and last day, which may be cut short, left out)" if days.cut_short else ""
    return Paragraph(
        f"The next day then asks about {count(load.mean)} cases ({load.low} to {load.high} on 95% of "
        f"days), and more than {count(days.limit)} with a probability of "
        f"{round_share(round(days.found.chance_above, 3))}: you asked to keep it on "
        f"{round_share(days.kept)} of the days. Learned from {plural(days.n_days, 'day', 'days')} of the log{cut}, "
        f"which differ by more than chance; a threshold that asks {count(days.limit)} on an "
        f"average day would exceed it on {round_share(round(days.on_average, 2))} of the days.",
        options="--kept sets on how many of the days.",
    )


def days_object(days: DailyLoadAnswer) -> dict[str, Any]:
    """Return the same as part of a JSON object."""
    load = days.found.load
    return {
        "limit": days.limit,
        "kept": days.kept,
        "n_days": days.n_days,
        "first_and_last_left_out": days.cut_short,
        "asked": {"mean": load.mean, "low": load.low, "high": load.high},
        "chance_above": days.found.chance_above,
        "chance_above_if_on_average": days.on_average,
    }
