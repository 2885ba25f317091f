"""How the evidence of each licence grew, label by label."""

from __future__ import annotations

from typing import Any

import numpy as np

from askpoint.answers.approvals.answer import ApprovalAnswer
from askpoint.reports.document import Picture
from askpoint.reports.words import amount

__all__ = ["evidence_picture"]

_SHOWN = 6


def evidence_picture(answer: ApprovalAnswer) -> Picture:
    """Return the picture of evidence over labels, the bound beside it."""
    shown = [one for one in answer.licensed if one.aim == "promise"][:_SHOWN]

    def draw(ax: Any) -> None:
        for unit in shown:
            path = unit.history.evidence
            name = unit.tool if unit.name == "any" else f"{unit.tool}, {unit.name}"
            ax.plot(np.arange(1, len(path) + 1), np.maximum(path, 1e-2), label=name, linewidth=1.5)
        ax.axhline(shown[0].bound, color="0.4", linestyle="--", linewidth=1)
        ax.set_yscale("log")
        ax.set_xlabel("labels of the unit")
        ax.set_ylabel("evidence")
        ax.legend(loc="best", fontsize="small")

    said = "; ".join(
        f"{unit.tool} {unit.name}: {amount(unit.evidence)} after {unit.counted} labels, enough after "
        f"{unit.history.granted}"
        for unit in shown
    )
    return Picture(
        f"Evidence that bad actions are rarer than the limit; a licence takes {amount(shown[0].bound)} (dashed).",
        said,
        draw,
    )
