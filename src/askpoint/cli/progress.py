"""How far a command is: shown on a terminal once the work has taken a second, and never before."""

from __future__ import annotations

import sys
import threading
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Self

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn, TaskID

__all__ = ["LateProgress"]

_AFTER = 1.0  # seconds


class LateProgress:
    """A line on standard error that appears if the work takes long, and goes when it ends.

    What draws it is loaded only then, and not at all where standard error is no terminal.

    Parameters
    ----------
    text : str
        What is being done.
    total : float, optional
        How much there is to do.
    shows : {"share", "rows", "cells", "step"}, default="share"
        A bar with its share and the time left; rows without a bar; cells of all cells; or the text alone.
    """

    def __init__(
        self,
        text: str,
        total: float | None = None,
        *,
        shows: Literal["share", "rows", "cells", "step"] = "share",
    ) -> None:
        self._known: dict[str, Any] = {"description": text, "total": total, "completed": 0}
        self._shows = shows
        self._lock = threading.Lock()
        self._bar: tuple[Progress, TaskID] | None = None
        self._timer: threading.Timer | None = None

    def __enter__(self) -> Self:
        """Wait for the second."""
        if sys.stderr.isatty():
            self._timer = threading.Timer(_AFTER, self._show)
            self._timer.daemon = True
            self._timer.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Take the line away."""
        if self._timer is None:
            return
        self._timer.cancel()
        with self._lock:
            self._timer = None
            if self._bar is not None:
                self._bar[0].stop()

    def update(
        self, *, done: float | None = None, total: float | None = None, text: str | None = None
    ) -> None:
        """Say how much is done, of how much, or what is done now."""
        said = {"completed": done, "total": total, "description": text}
        news: dict[str, Any] = {name: value for name, value in said.items() if value is not None}
        self._known |= news
        if self._bar is not None:
            self._bar[0].update(self._bar[1], **news)

    def _show(self) -> None:
        from rich.console import Console
        from rich.progress import Progress

        with self._lock:
            if self._timer is None:  # it ended meanwhile
                return
            console = Console(stderr=True, force_jupyter=False)
            bar = Progress(
                *_columns(self._shows), console=console, transient=self._shows != "cells"
            )
            task = bar.add_task(**self._known)
            bar.start()
            self._bar = bar, task


def _columns(shows: str) -> tuple[ProgressColumn, ...]:
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
    )

    text = TextColumn("{task.description}")
    if shows == "rows":
        return (TextColumn("{task.completed:,.0f} rows read"),)
    if shows == "step":
        return SpinnerColumn(), text
    if shows == "cells":
        return text, BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    return Progress.get_default_columns()
