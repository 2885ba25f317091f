"""Cases that the model did not answer itself, said beside those that it did."""

from __future__ import annotations

from askpoint.reports.document import Paragraph, Section
from askpoint.reports.words import count, plural, share

__all__ = ["abstentions_section"]


def abstentions_section(abstained: int, cases: int) -> Section:
    """Return what must be added to numbers about answered cases alone."""
    return Section(
        "Cases that the model did not answer",
        (
            Paragraph(
                f"Of {plural(cases, 'case', 'cases')} the model itself left {count(abstained)} "
                f"unanswered ({share(abstained / cases)}). They go to review whatever the threshold "
                f"is; all numbers above are about the other {count(cases - abstained)}, and 1,000 cases "
                f"that come are {count(round(1000 * (1 - abstained / cases)))} of these and "
                f"{count(round(1000 * abstained / cases))} that nobody but people answers."
            ),
        ),
    )
