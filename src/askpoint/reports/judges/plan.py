"""How many labels for which width, said."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from askpoint.answers.judges.plan import LabelPlan
from askpoint.reports.document import Grid, Paragraph, Section
from askpoint.reports.words import count, plural

__all__ = ["plan_object", "plan_section"]


def plan_section(plan: LabelPlan) -> Section:
    """Return the section on the plan."""
    wide = f"{100 * plan.within:g} points"
    seen = (
        f"as the {plural(plan.n_gold, 'label', 'labels')} so far suggest"
        if plan.n_gold
        else "if the votes are as good as they seem"
    )
    rows = tuple(
        (count(one.n), *(f"{100 * x:.1f}" for x in (one.proposed, one.random, one.labels_only)))
        for one in plan.widths
    )
    return Section(
        "How many labels?",
        (
            Paragraph(
                f"To know the share of a label to within {wide} takes {count(plan.proposed)} labels "
                f"drawn as proposed or {count(plan.random)} drawn at random, {seen}; and "
                f"{count(plan.labels_only)} if the votes are worth nothing.",
                lead=True,
            ),
            Grid(
                "Half width of the interval, in points",
                ("labels", "as proposed", "at random", "labels alone"),
                rows,
                "Plan again when the first labels are in: they show what the votes are worth."
                if not plan.n_gold
                else "",
            ),
        ),
    )


def plan_object(plan: LabelPlan) -> dict[str, Any]:
    """Return the plan as JSON."""
    return asdict(plan)
