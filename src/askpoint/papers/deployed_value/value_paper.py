"""The poster of 2021 as a record."""

from __future__ import annotations

from askpoint.papers.deployed_value.fictitious_models import FICTITIOUS, NO_MODEL
from askpoint.papers.deployed_value.text_models import VALUE_CURVES
from askpoint.papers.paper import Paper

__all__ = ["VALUE"]

VALUE = Paper(
    "value",
    "On the Value of ML Models (2021)",
    "Casati, Noel and Yang, On the Value of ML Models, Workshop on Human and Machine Decisions at "
    "NeurIPS 2021. The poster was at hand, whose curves have no numbers.",
    (FICTITIOUS, NO_MODEL, VALUE_CURVES),
)
