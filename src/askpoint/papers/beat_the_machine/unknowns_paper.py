"""The article of 2015 as a record."""

from __future__ import annotations

from askpoint.papers.beat_the_machine.documents import DOCUMENTS
from askpoint.papers.beat_the_machine.played_designs import DESIGNS_PLAYED, MULTI_CLASS
from askpoint.papers.beat_the_machine.rare_mistakes import EXAMPLE, FIGURE_2
from askpoint.papers.beat_the_machine.real_attacks import ATTACKS, ROUNDS
from askpoint.papers.beat_the_machine.tags import TAGS
from askpoint.papers.paper import Paper

__all__ = ["UNKNOWNS"]

UNKNOWNS = Paper(
    "unknowns",
    "Beat the Machine (2015)",
    "Attenberg, Ipeirotis and Provost, Beat the Machine: Challenging Humans to Find a Predictive Model's "
    "'Unknown Unknowns', ACM JDIQ 6 (2015). Its web pages and its players are not at hand; figure 3 is a "
    "screen, whose successor is askpoint serve.",
    (EXAMPLE, FIGURE_2, DESIGNS_PLAYED, ATTACKS, DOCUMENTS, ROUNDS, MULTI_CLASS, TAGS),
)
