"""The background's part: what is due goes out, each endpoint by itself; models that stay down."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.db import connections

from askpoint.server.webhooks.delivery import deliver
from askpoint.server.webhooks.models import Delivery
from askpoint.server.webhooks.services import announce, claim_due

__all__ = ["DownWatch", "Postman"]

_AT_ONCE = 8
_PATIENCE = 30.0


class Postman:
    """Hands deliveries to threads; an endpoint that is slow keeps only itself waiting."""

    def __init__(self, work: Callable[[Delivery], None] = deliver) -> None:
        self._work = work
        self._pool = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="webhooks")
        self._busy: set[int] = set()

    def go(self) -> int:
        """Send what is due; how many went out. Called again and again."""
        if len(self._busy) >= _AT_ONCE:
            return 0
        rows = claim_due(self._busy)[: _AT_ONCE - len(self._busy)]
        for row in rows:
            self._busy.add(row.endpoint_id)
            self._pool.submit(self._send, row)
        return len(rows)

    def _send(self, row: Delivery) -> None:
        try:
            self._work(row)
        finally:
            self._busy.discard(row.endpoint_id)
            connections.close_all()


class DownWatch:
    """Tells once of a model that has had trouble for half a minute, and again after it was well."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._since: dict[str, float] = {}
        self._told: set[str] = set()

    def look(self, models: Mapping[str, Any], trouble: Callable[[str], str]) -> None:
        """Look at each model, a row of it by its name among the processes."""
        for name, row in models.items():
            words = trouble(name)
            if not words:
                self._since.pop(name, None)
                self._told.discard(name)
            elif name not in self._since:
                self._since[name] = self._clock()
            elif name not in self._told and self._clock() - self._since[name] >= _PATIENCE:
                self._told.add(name)
                data = {"model": row.name, "trouble": words}
                announce(row.workspace_id, "model.down", [row.owner_id], data)
