"""Players who play over HTTP as fast as they are told to, on this machine only."""

from __future__ import annotations

import http.client
import json
import random
import threading
import time
from dataclasses import dataclass, field
from urllib.parse import urlencode

import numpy as np
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore

from askpoint.server.accounts.models import User
from askpoint.server.rulings.pools import join

__all__ = ["Crowd", "Figures", "enter_players", "show"]

_TOKEN = "t" * 32


def enter_players(campaign: str, count: int) -> list[str]:
    """Make players who are signed in; return the keys of their sessions."""
    keys = []
    for number in range(count):
        user, new = User.objects.get_or_create(username=f"load-{number}")
        if new:
            join(campaign, user, "player")
        session = SessionStore()
        session[SESSION_KEY] = str(user.pk)
        session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
        session[HASH_SESSION_KEY] = user.get_session_auth_hash()
        session.create()
        keys.append(session.session_key)
    assert settings.SECRET_KEY
    return keys


@dataclass
class Figures:
    """What a crowd met."""

    feedback: list[float] = field(default_factory=list)
    submission: list[float] = field(default_factory=list)
    acknowledged: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    seconds: float = 0.0
    cpu_seconds: float = 0.0

    def summary(self) -> dict[str, float | int]:
        """Return the figures of a run."""
        return {
            "seconds": round(self.seconds, 1),
            "submissions": len(self.acknowledged),
            "submissions a second": round(len(self.acknowledged) / self.seconds, 1),
            "feedback p50, ms": round(1000 * float(np.percentile(self.feedback, 50))),
            "feedback p95, ms": round(1000 * float(np.percentile(self.feedback, 95))),
            "submit p95, ms": round(1000 * float(np.percentile(self.submission, 95))),
            "server's processor time for one, ms": round(
                1000 * self.cpu_seconds / max(1, len(self.acknowledged)), 1
            ),
            "errors": len(self.errors),
        }


class Crowd:
    """Threads that try and submit cases, each with a session and a connection of its own."""

    def __init__(self, port, campaign, sessions, *, pause=0.0, patient=False):
        self.figures = Figures()
        self._port, self._campaign, self._pause = port, campaign, pause
        self._patient = patient  # whether a server that is gone is waited for
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._threads = [threading.Thread(target=self._play, args=(key,)) for key in sessions]

    def start(self):
        """Let all play."""
        self._begun = time.monotonic()
        for thread in self._threads:
            thread.start()

    def stop(self):
        """Wait until all have ended their round."""
        self._stop.set()
        for thread in self._threads:
            thread.join()
        self.figures.seconds = time.monotonic() - self._begun
        return self.figures

    def _play(self, session):
        rng = random.Random(session)
        wire = http.client.HTTPConnection("127.0.0.1", self._port, timeout=30)
        while not self._stop.is_set():
            try:
                self._round(wire, session, rng)
            except (OSError, http.client.HTTPException) as error:
                wire.close()
                if not self._patient:
                    self._note(f"{type(error).__name__}: {error}")
                time.sleep(0.1)
            if self._pause:
                self._stop.wait(rng.expovariate(1 / self._pause))
        wire.close()

    def _round(self, wire, session, rng):
        case = f"you are not from here {rng.getrandbits(64):x}"
        form = {"case": case, "key": f"{rng.getrandbits(64):x}"}
        begun = time.monotonic()
        status, there = self._post(wire, session, f"/play/{self._campaign}/", form)
        if status == 302:  # what a player waits for is the page with the answer
            wire.request("GET", there, headers=self._headers(session))
            page = wire.getresponse()
            page.read()
            status = page.status if page.status != 200 else 302
        took = time.monotonic() - begun
        if status != 302:
            if not (self._patient and status in (500, 503)):
                self._note(f"try: {status}")
            return
        begun = time.monotonic()
        status, _ = self._post(wire, session, f"{there}submit/", {})
        with self._lock:
            self.figures.feedback.append(took)
            if status == 302:
                self.figures.submission.append(time.monotonic() - begun)
                self.figures.acknowledged.append(there.rstrip("/").rsplit("/", 1)[1])
        if status != 302 and not self._patient:
            self._note(f"submit: {status}")

    def _headers(self, session):
        return {
            "Cookie": f"sessionid={session}; csrftoken={_TOKEN}",
            "X-CSRFToken": _TOKEN,
            "Content-Type": "application/x-www-form-urlencoded",
        }

    def _post(self, wire, session, path, form):
        wire.request("POST", path, urlencode(form), self._headers(session))
        answer = wire.getresponse()
        answer.read()
        return answer.status, answer.getheader("Location", "")

    def _note(self, error):
        with self._lock:
            self.figures.errors.append(error)


def show(name: str, figures: Figures) -> None:
    """Print the figures of a run as one line of JSON."""
    print(json.dumps({"run": name, **figures.summary()}))  # noqa: T201
