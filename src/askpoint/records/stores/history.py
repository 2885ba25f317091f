"""What a look at a deployment needs to know of its past: events, who waits for a label, and how it does lately."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Sequence
from typing import TypeVar, overload

from askpoint.errors import NotEstimableError
from askpoint.live.documents import PolicyDocument
from askpoint.live.history import History, HistoryPoint, draw_moments, read_moment
from askpoint.live.silence import list_wanted
from askpoint.live.watches.retreat import LATELY, DecidedBlock, RetreatWatch
from askpoint.live.worth import LiveCost, LiveCounts, LivePrices, worth_so_far
from askpoint.records.stores.database import StoreReader
from askpoint.records.stores.table_verification import read_events
from askpoint.records.stores.transactions import load_standing

__all__ = ["Later", "read_history"]

_LATELY = f"SELECT answer FROM decisions ORDER BY seq DESC LIMIT {LATELY}"  # noqa: S608


_T = TypeVar("_T")


class Later(Sequence[_T]):
    """What is read when it is first looked at.

    Parameters
    ----------
    read : callable
        Returns it.
    """

    def __init__(self, read: Callable[[], Sequence[_T]]) -> None:
        self._read = read

    @functools.cached_property
    def _values(self) -> Sequence[_T]:
        return self._read()

    def __len__(self) -> int:
        return len(self._values)

    @overload
    def __getitem__(self, place: int) -> _T: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[_T]: ...
    def __getitem__(self, place: int | slice) -> _T | Sequence[_T]:
        return self._values[place]


def read_history(
    reader: StoreReader, document: PolicyDocument, prices: LivePrices, whole: Callable[[], History]
) -> History:
    """Return a life up to now, as quickly after a long life as after a short one.

    Its moments, which pictures show, were kept as labels came. Only the spells in which it was closed, by which a
    forecast is checked, are those of `whole`, which is called when somebody first asks for them.
    """
    whole = functools.cache(whole)
    state = load_standing(reader, document).replay.state
    wanted = sorted(reader.find("SELECT seq, key FROM decisions WHERE seq IN", list_wanted(state)))
    events = tuple(read_events(reader))
    ((held,),) = reader.execute("SELECT count(*) FROM decisions WHERE held > 0")
    lately = [answer for (answer,) in reader.execute(_LATELY)]
    recent = (DecidedBlock(len(lately), sum(lately)),) if lately else ()
    worth: LiveCost | None = None
    why = ""
    try:
        worth = worth_so_far(state, document.terms, prices)
    except NotEstimableError as error:
        why = str(error)
    return History(
        document=document,
        state=state,
        moments=_moments(reader, document, prices),
        worth=worth,
        events=events,
        wanted=tuple(key for _, key in wanted),
        retreat=RetreatWatch(document.terms, 1, state.decided, state.answered, recent),
        held=held,
        missing_why=why,
        n_wanted=len(wanted),
        spells=Later(lambda: whole().spells) if events else (),
    )


def _moments(
    reader: StoreReader, document: PolicyDocument, prices: LivePrices
) -> tuple[HistoryPoint, ...]:
    rows = draw_moments(reader.execute("SELECT at, content FROM moments ORDER BY n"))
    found = []
    for at, content in rows:
        counts = json.loads(content)
        evidence = counts.pop("evidence")
        found.append(read_moment(at, evidence, LiveCounts(**counts), document.terms, prices))
    return tuple(found)
