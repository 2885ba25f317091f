"""Labels that did not come, in words: what cannot be known, said first."""

from __future__ import annotations

from collections.abc import Iterator

from askpoint.answers.live.checkup import WatchAnswer
from askpoint.reports.document import Notice
from askpoint.reports.words import plural, share

__all__ = ["silence_notices"]

_TOLD = 0.5  # of the limit: so many missing labels leave little of it


def silence_notices(answer: WatchAnswer) -> Iterator[Notice]:
    """Say how many labels are missing, what that hides, and whom to ask."""
    missing = answer.missing_share
    if missing > _TOLD * answer.terms.answer_below:
        text = (
            f"{share(missing)} of what was asked has no label. Nobody can tell these from mistakes, so they "
            f"count as mistakes, and {share(answer.terms.answer_below)} is all that is allowed."
        )
        if answer.shows_nothing:
            text += " While this lasts, nothing can show that it may decide alone."
        elif answer.is_too_silent:
            text += " Where more than a tenth is missing, it does not open before more is known."
        if answer.asked_again:
            text += (
                f" Ask a second reviewer for the {plural(answer.asked_again, 'case', 'cases')} of them drawn "
                "for that: they stand first among those to label, and show what the others are."
            )
        if answer.terms.aim == "promise":
            text += (
                " A promise still counts every missing label as a mistake: have each case labelled before "
                f"{plural(answer.terms.max_label_delay, 'later decision', 'later decisions')} have labels."
            )
        yield Notice(text)
    if answer.late_audits:
        yield Notice(
            f"{plural(answer.late_audits, 'audit waits', 'audits wait')} for a label for more than half of "
            "the time that there is: then they count as mistakes. Ask a second reviewer."
        )
