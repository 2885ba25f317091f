"""Players who play over HTTP as fast as they are told to, on this machine only."""

from __future__ import annotations

import http.client
import json
import random
import re
import threading
import time
from dataclasses import dataclass, field
from urllib.parse import urlencode

import numpy as np
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore

from askpoint.arena.server.rulings.pools import join
from askpoint.server.accounts.models import User

__all__ = ["Crowd", "Figures", "Panel", "Rush", "enter_players", "session_of", "show"]

_TOKEN = "t" * 32


def enter_players(campaign: str, count: int) -> list[str]:
    """Make players who are signed in; return the keys of their sessions."""
    keys = []
    for number in range(count):
        user, new = User.objects.get_or_create(username=f"load-{number}")
        if new:
            join(campaign, user, "player")
        keys.append(session_of(user))
    assert settings.SECRET_KEY
    return keys


def session_of(user: User) -> str:
    """Sign somebody in; return the key of the session."""
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    return str(session.session_key)


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
    """Threads that try and submit cases, each with a session and a connection of its own.

    Parameters
    ----------
    port, campaign, sessions
        Where, and by whom: one thread for each session.
    pause : float
        Seconds that a player thinks between cases, on average; each begins at another moment.
    patient : bool
        Whether a server that is gone is waited for.
    """

    def __init__(self, port, campaign, sessions, *, pause=0.0, patient=False):
        self.figures = Figures()
        self._port, self._campaign, self._pause = port, campaign, pause
        self._patient = patient
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._threads = [self._thread(self._play, key) for key in sessions]

    def _thread(self, work, session):
        return threading.Thread(target=work, args=(session,))

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

    def _wire(self):
        return http.client.HTTPConnection("127.0.0.1", self._port, timeout=30)

    def _play(self, session):
        rng, wire = random.Random(session), self._wire()
        self._stop.wait(rng.uniform(0, self._pause))
        while not self._stop.is_set():
            try:
                case = self._try(wire, session, rng)
                if case is not None:
                    self._submit(wire, session, case)
            except (OSError, http.client.HTTPException) as error:
                wire.close()
                if not self._patient:
                    self._note(f"{type(error).__name__}: {error}")
                time.sleep(0.1)
            if self._pause:
                self._stop.wait(rng.expovariate(1 / self._pause))
        wire.close()

    def _try(self, wire, session, rng):
        case = f"you are not from here {rng.getrandbits(64):x}"
        form = {"case": case, "key": f"{rng.getrandbits(64):x}"}
        begun = time.monotonic()
        status, there = self._post(wire, session, f"/play/{self._campaign}/", form)
        if status == 302:  # what a player waits for is the page with the answer
            wire.request("GET", there, headers=self._headers(session))
            page = wire.getresponse()
            page.read()
            status = page.status if page.status != 200 else 302
        if status != 302:
            if not (self._patient and status in (500, 503)):
                self._note(f"try: {status}")
            return None
        with self._lock:
            self.figures.feedback.append(time.monotonic() - begun)
        return there

    def _submit(self, wire, session, there):
        begun = time.monotonic()
        status, _ = self._post(wire, session, f"{there}submit/", {})
        with self._lock:
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


class Rush(Crowd):
    """Players who have tried their cases before, and submit them all at the same time.

    Parameters
    ----------
    count : int
        Cases of each player.
    """

    def __init__(self, port, campaign, sessions, count):
        super().__init__(port, campaign, sessions)
        self._count = count
        self._together = threading.Barrier(len(sessions) + 1)
        self._threads = [self._thread(self._submit_all, key) for key in sessions]

    def begin(self):
        """Wait until all cases are tried, and let them be submitted."""
        self.start()
        self._together.wait()
        self._begun = time.monotonic()

    def _submit_all(self, session):
        rng, wire = random.Random(session), self._wire()
        cases = [self._try(wire, session, rng) for _ in range(self._count)]
        wire.close()  # a server hangs up on who waits
        self._together.wait()
        for case in filter(None, cases):
            self._submit(wire, session, case)
        wire.close()


class Panel(Crowd):
    """Judges who vote on what comes, after a second or so."""

    def _play(self, session):
        rng, wire = random.Random(session), self._wire()
        while not self._stop.wait(rng.expovariate(1 / self._pause)):
            wire.request("GET", f"/judge/{self._campaign}/", headers=self._headers(session))
            page = wire.getresponse()
            case = re.search(rb'name="case" value="(\w+)"', page.read())
            move, form = "claim", {}
            if case is not None:
                choice = rng.choice(["clean", "offensive", "offensive"])
                move, form = "vote", {"case": case[1].decode(), "choice": choice}
            begun = time.monotonic()
            status, _ = self._post(wire, session, f"/judge/{self._campaign}/{move}/", form)
            if (page.status, status) != (200, 302):
                self._note(f"{move}: {page.status}, {status}")
            elif form:
                self.figures.feedback.append(time.monotonic() - begun)
        wire.close()


def show(name: str, figures: Figures) -> None:
    """Print the figures of a run as one line of JSON."""
    print(json.dumps({"run": name, **figures.summary()}))  # noqa: T201
