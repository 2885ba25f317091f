"""The processes that answer requests, and beside them the one that works in the background."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter

from askpoint.server.options import Options

__all__ = ["serve"]


class _Arbiter(Arbiter):
    """Keeps the background process, too; it ends when its standard input is closed."""

    _background: subprocess.Popen[bytes] | None = None

    def manage_workers(self) -> None:
        """Called once a second, and when a worker has gone."""
        super().manage_workers()
        if self._background is None or self._background.poll() is not None:
            self._background = subprocess.Popen(
                [sys.executable, "-m", "askpoint.server.background"],
                stdin=subprocess.PIPE,
                env=self.app.options.environment(),
            )

    def stop(self, graceful: bool = True) -> None:
        """Called at the end."""
        if self._background is not None and self._background.stdin is not None:
            self._background.stdin.close()
        super().stop(graceful)


class _Application(BaseApplication):
    def __init__(self, options: Options, welcome: str) -> None:
        self.options = options
        self.welcome = welcome
        super().__init__()

    def load_config(self) -> None:
        """Hand gunicorn its settings."""
        options = self.options
        host = f"[{options.host}]" if ":" in options.host else options.host
        settings: dict[str, Any] = {
            "bind": f"{host}:{options.port}",
            "workers": options.workers,
            "preload_app": True,
            "threads": options.threads,
            "worker_class": "askpoint.server.reading.ReadingWorker",
            "loglevel": "warning",
            "timeout": 60,
            "graceful_timeout": 10,
            "keepalive": 65,
            "control_socket_disable": True,
            "when_ready": self._say_welcome,
        }
        for name, value in settings.items():
            if name in self.cfg.settings:
                self.cfg.set(name, value)

    def _say_welcome(self, _arbiter: Arbiter) -> None:
        """Say how to come in, once somebody can: a link that is clicked at once must open."""
        print(self.welcome, end="", flush=True)  # noqa: T201

    def load(self) -> Any:
        """Return what answers requests; called once, before the workers are made."""
        from django.core.wsgi import get_wsgi_application
        from django.db import connections
        from django.urls import get_resolver

        from askpoint.server.boot import set_up
        from askpoint.server.reading import Larger, read_first

        # Whoever holds a campaign's lock talks to the database some ten times, and must get this
        # process's turn back each time: not after 5 ms, as is Python's habit.
        sys.setswitchinterval(0.001)
        set_up(self.options)
        app = get_wsgi_application()
        _ = get_resolver().url_patterns  # pages and API are loaded once, not by each worker
        from askpoint.server.extensions import load_each
        from askpoint.server.reports.sending import most_sent, too_large

        for load_early in load_each("early"):
            load_early()
        connections.close_all()  # workers make their own

        larger = Larger(most_sent, too_large, self.options.uploads)
        return read_first(app, self.options.threads, larger)

    def run(self) -> None:
        """Serve until told to stop."""
        _Arbiter(self).run()


def serve(options: Options, welcome: str) -> None:
    """Serve until told to stop, and print `welcome` once the server listens; does not return."""
    _Application(options, welcome).run()
