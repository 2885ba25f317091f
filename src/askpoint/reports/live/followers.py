"""Whether people label as the model answered, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from askpoint.answers.live.followers import Followers
from askpoint.reports.document import Block, Notice, Paragraph
from askpoint.reports.objects import as_json
from askpoint.reports.words import plural, share

__all__ = ["followers_blocks", "followers_object"]


def followers_blocks(found: Followers | None) -> Iterator[Block]:
    """Say how many of the model's mistakes people find on gold cases, and who finds fewer than the others."""
    if found is None or found.share_found is None:
        return
    low, high = found.share_found
    yield Paragraph(
        f"On {plural(found.mistakes, 'gold case', 'gold cases')} the model was wrong, and people saw it on {found.found}: "
        f"they find {share(low)} to {share(high)} of its mistakes. Where it was right they erred on {found.blamed} of "
        f"{found.right}."
    )
    if found.follows:
        yield Notice(
            "People err more often where the model does. They may see its answer and follow it, or the same cases are "
            "hard for both: the mistakes counted here are too few either way. Hide its answers, and divide a limit by the "
            "share that people find."
        )
    if found.more_than_others:
        yield Notice(
            "These people label as the model answered, where it was wrong, more often than the others do: "
            f"{', '.join(found.more_than_others)}."
        )


def followers_object(found: Followers | None) -> Any:
    """Return the same for programs."""
    if found is None:
        return None
    return {
        "mistakes": found.mistakes,
        "found": found.found,
        "right": found.right,
        "blamed": found.blamed,
        "share_found": None if found.share_found is None else as_json(found.share_found),
        "follows": found.follows,
        "more_than_others": list(found.more_than_others),
    }
