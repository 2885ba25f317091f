"""What time it is for a move: now, or where the clock was set back, when its records last changed."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.utils import timezone

__all__ = ["moment"]


def moment(*rows: Any) -> datetime:
    """Return now, unless one of these rows changed later: then that moment.

    So a clock that is set back by an hour stops nobody for that hour.
    """
    return max(timezone.now(), *(row.at for row in rows if row is not None))
