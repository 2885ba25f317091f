"""What the recommended rule does in each period, said."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from askpoint.answers.value.tomorrow import Tomorrow
from askpoint.answers.value.workload import Workload, workload_figures
from askpoint.reports.document import Block, Paragraph
from askpoint.reports.words import count, expected_number, work_time
from askpoint.value.posterior.prospects import Expected

__all__ = ["money_paragraph", "workload_object", "workload_paragraph"]

_MINUTE = 1 / 60  # in hours


def workload_paragraph(
    tomorrow: Tomorrow, workload: Workload, currency: str | None = None
) -> Paragraph:
    """Say how many cases, hours and how much money a period takes, and what is saved."""
    found, volume = workload_figures(tomorrow, workload), workload.volume
    parts = [
        (
            f"Of {count(volume.number)} cases a {volume.period}, on average {_between(found.asked)} go to review "
            f"and {_between(found.mistakes)} are decided wrongly."
        )
    ]
    if found.hours is not None and found.saved_hours is not None:
        parts.append(
            f"Review takes {_between(found.hours)} hours a {volume.period}, "
            f"{_gain(found.saved_hours)} than if every case went to review."
        )
        if found.audit_hours is not None and found.audit_hours >= _MINUTE:
            parts.append(
                "Audits of a policy in use come on top: if one in ten of what it decides alone is audited, "
                f"{work_time(3600 * found.audit_hours)} a {volume.period}."
            )
    if found.cost is not None and found.saved is not None:
        parts.append(
            f"Checks and mistakes together cost {_money(found.cost, currency)}, "
            f"{_gain(found.saved)} than if every case went to review."
        )
    return Paragraph(" ".join(parts))


def money_paragraph(
    tomorrow: Tomorrow, check: float, currency: str | None = None
) -> Iterator[Block]:
    """Say what 1,000 cases cost, where a check costs so much in money, and what is saved."""
    cost, always = tomorrow.best.cost_per_1000, tomorrow.ask_all.cost_per_1000
    if cost is None or always is None:
        return
    mean, low, high = (check * part for part in cost)
    yield Paragraph(
        f"Checks and mistakes together cost {_money(Expected(mean, low, high), currency)} per 1,000 cases, "
        f"{_gain(check * always.mean - mean)} than if every case went to review."
    )


def _money(cost: Expected, currency: str | None) -> str:
    """Write an amount of money with its interval and, if it is known, its currency."""
    mean, _, between = _between(cost).partition(" (")
    between = between and f" ({between}"
    return f"{mean}{between} in your money" if currency is None else f"{mean} {currency}{between}"


def _gain(saved: float) -> str:
    return f"{expected_number(abs(saved))} {'less' if saved >= 0 else 'more'}"


def _between(expected: Expected) -> str:
    mean, low, high = map(expected_number, expected)
    return mean if low == high else f"{mean} (between {low} and {high})"


def workload_object(tomorrow: Tomorrow, workload: Workload) -> dict[str, Any]:
    """Return the same as part of a JSON object."""
    found = workload_figures(tomorrow, workload)
    return {
        "n": workload.volume.number,
        "period": workload.volume.period,
        **{
            name: None if (part := getattr(found, name)) is None else part._asdict()
            for name in ("asked", "mistakes", "hours", "cost")
        },
        "saved": found.saved,
        "saved_hours": found.saved_hours,
        "audit_hours": found.audit_hours,
    }
