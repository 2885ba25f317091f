"""The confidence measures by name: who only offers the names loads no arithmetic."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from askpoint.registry import Places, Records

if TYPE_CHECKING:
    from askpoint.measures.inputs import FloatArray

__all__ = ["CONFIDENCE_MEASURES"]

CONFIDENCE_MEASURES: Records[str, Callable[[FloatArray], FloatArray]] = Records(
    "confidence_measures",
    Places(
        {
            "max_probability": "askpoint.measures.confidence:max_probability",
            "margin": "askpoint.measures.confidence:margin",
            "negative_entropy": "askpoint.measures.confidence:negative_entropy",
            "standard_deviation": "askpoint.measures.confidence:standard_deviation",
            "euclidean_distance": "askpoint.measures.confidence:euclidean_distance",
        }
    ),
)
"""The measures by the name under which they are chosen, those of plugins too."""
