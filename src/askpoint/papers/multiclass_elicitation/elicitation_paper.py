"""The paper of 2019 as a record: its tables and figures in their order."""

from __future__ import annotations

from askpoint.papers.multiclass_elicitation.fewest_questions import (
    POSTERIOR,
    POSTERIOR_CLASSES,
    QUESTIONS,
)
from askpoint.papers.multiclass_elicitation.fractions import LINEAR_FRACTIONAL
from askpoint.papers.multiclass_elicitation.printed_tables import TABLE_2, TABLE_3
from askpoint.papers.multiclass_elicitation.real_data import (
    FIGURE_3,
    FIGURE_3_CAUSES,
    FIGURE_3_SENSIT,
)
from askpoint.papers.multiclass_elicitation.votes_against_noise import NOISE
from askpoint.papers.paper import Paper

__all__ = ["ELICITATION"]

ELICITATION = Paper(
    "elicitation",
    "Multiclass Performance Metric Elicitation (2019)",
    "Hiranandani, Boodaghians, Mehta and Koyejo, Multiclass Performance Metric Elicitation, "
    "NeurIPS 2019. Its appendices were not at hand.",
    (
        TABLE_2,
        TABLE_3,
        FIGURE_3,
        FIGURE_3_CAUSES,
        FIGURE_3_SENSIT,
        LINEAR_FRACTIONAL,
        NOISE,
        POSTERIOR,
        QUESTIONS,
        POSTERIOR_CLASSES,
    ),
)
