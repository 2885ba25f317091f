"""Parts of an answer that failed: each is named, noted and logged, and the rest stands."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator, MutableMapping

from askpoint.errors import AskpointError

__all__ = ["guard_part"]

_LOGGER = logging.getLogger("askpoint")


@contextlib.contextmanager
def guard_part(name: str, lost: MutableMapping[str, str]) -> Iterator[None]:
    """Go on after a failure inside, and write down under the part's name why it failed.

    For what stands beside an answer, never for the answer itself or for what a user stated: that is
    refused, not lost.

    Examples
    --------
    >>> from askpoint.records.lost_parts import guard_part
    >>> lost = {}
    >>> with guard_part("the mean", lost):
    ...     sum([]) / 0
    >>> lost
    {'the mean': 'ZeroDivisionError: division by zero'}
    """
    try:
        yield
    except Exception as error:
        text = " ".join(str(error).split())
        why = text if isinstance(error, AskpointError) else f"{type(error).__name__}: {text}"
        lost[name] = why.rstrip(".: ")
        _LOGGER.warning("lost from the report: %s (%s)", name, lost[name])
        _LOGGER.debug("what was lost", exc_info=error)
