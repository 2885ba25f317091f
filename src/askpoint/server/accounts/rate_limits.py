"""Attempts, counted atomically for all processes, in windows that survive a clock set back."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import F, Q
from django.utils import timezone
from django.utils.crypto import salted_hmac

from askpoint.server.accounts.models import Attempts

__all__ = ["attempts_of", "count_attempt", "forget_attempts", "uncount_attempt"]


def _key(*parts: str) -> str:
    return salted_hmac("askpoint.attempts", "\0".join(parts)).hexdigest()


def attempts_of(window: timedelta, *parts: str) -> int:
    """Return how often it was tried in the window that runs."""
    now = timezone.now()
    row = Attempts.objects.filter(key=_key(*parts)).first()
    if row is None or not now - window < row.since <= now:
        return 0
    return row.count


def count_attempt(window: timedelta, limit: int, *parts: str) -> bool:
    """Count one more, unless the limit is reached; of those who race, no more than that get in."""
    now, key = timezone.now(), _key(*parts)
    row = Attempts.objects.filter(key=key)
    running = row.filter(since__gt=now - window, since__lte=now, count__lt=limit)
    if running.update(count=F("count") + 1):
        return True
    # a window that lies in the future is one of a clock that was set back
    if row.filter(Q(since__lte=now - window) | Q(since__gt=now)).update(count=0, since=now) == 0:
        Attempts.objects.get_or_create(key=key, defaults={"since": now})
    return bool(row.filter(count__lt=limit).update(count=F("count") + 1))


def uncount_attempt(*parts: str) -> None:
    """Take one back that did not come to anything."""
    Attempts.objects.filter(key=_key(*parts), count__gt=0).update(count=F("count") - 1)


def forget_attempts(*parts: str) -> None:
    """Begin anew."""
    Attempts.objects.filter(key=_key(*parts)).delete()
