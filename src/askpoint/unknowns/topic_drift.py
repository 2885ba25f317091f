"""Early notice of drift among players' cases: which words do more and more verified errors hold?"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Sequence
from typing import NamedTuple

from askpoint.errors import NotEstimableError
from askpoint.unknowns.drift import DriftNotice, DriftWatch

__all__ = ["OTHER_WORDS", "TopicDrift", "watch_topics"]

OTHER_WORDS = "none of the watched words"

_MOST = 20  # words
_SHORTEST = 4  # letters of a word that tells a topic
_FEWEST = 3  # cases of the time of reference that hold it


class TopicDrift(NamedTuple):
    """What was watched, and what rose.

    Parameters
    ----------
    words : tuple of str
        The regions: cases that hold a word, and those that hold none of them.
    n_reference, n_periods : int
        Cases of the time of reference, and periods watched since.
    notices : tuple of DriftNotice
        The rises, in their order; a period is named by the number of its last case.
    """

    words: tuple[str, ...]
    n_reference: int
    n_periods: int
    notices: tuple[DriftNotice, ...]


def watch_topics(
    texts: Sequence[str], verified: Sequence[bool], *, reference: int = 50, period: int = 10
) -> TopicDrift:
    """Watch players' judged cases, in the order of their rulings, for a rise of verified errors.

    The words are those of the time of reference, whatever was ruled then: who would choose them
    by what rose later would find a rise in noise. What comes up later in new words is a region, too.
    """
    if len(texts) < reference + period:
        raise NotEstimableError(
            f"a time of reference takes {reference} judged cases and a period {period} more; there "
            f"are {len(texts)} so far"
        )
    held = [frozenset(re.findall(rf"\w{{{_SHORTEST},}}", text.casefold())) for text in texts]
    seen = Counter(word for words in held[:reference] for word in words)
    common = [word for word, n in sorted(seen.items(), key=lambda it: (-it[1], it[0]))]
    chosen = tuple(word for word in common if _FEWEST <= seen[word] <= reference // 2)[:_MOST]

    def count(start: int, stop: int) -> dict[Hashable, int]:
        errors = Counter[Hashable]()
        for words, error in zip(held[start:stop], verified[start:stop], strict=True):
            if error:
                errors.update(words.intersection(chosen) or {OTHER_WORDS})
        return dict(errors)

    before = count(0, reference)
    regions = (*chosen, OTHER_WORDS)
    watch = DriftWatch({word: (before.get(word, 0), reference) for word in regions})
    notices: list[DriftNotice] = []
    stops = range(reference + period, len(texts) + 1, period)
    for stop in stops:
        notices += watch.update(stop, count(stop - period, stop), period)
    return TopicDrift(regions, reference, len(stops), tuple(notices))
