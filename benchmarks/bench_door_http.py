"""How long an agent waits for the door's answer over HTTP: proposals on a server's database, one caller or several.

    python benchmarks/bench_door_http.py postgresql://USER:PASSWORD@HOST/EMPTY_DATABASE [PROPOSALS [THREADS]]

The server's application in this process, its database where the address says; 200 units, each proposal a new action.
"Answered" is from the request to the verdict on the disk, 95 of 100 within, of the quickest of five rounds; beside it
the least processor time of this process, which hangs little on what else the machine does. The load says how busy it was.
"""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import time

import httpx
import numpy as np

from askpoint.server.boot import migrate, set_up
from askpoint.server.options import Options

_UNITS, _ROUNDS = 200, 5


def main(url: str, n: int, threads: int) -> None:
    set_up(Options(url, "a secret for figures," * 3, "", folder=tempfile.mkdtemp()))
    migrate()
    from django.core.wsgi import get_wsgi_application
    from django.db import connections

    from askpoint.live.licences.action_classes import ActionClass
    from askpoint.live.licences.policy import LicencePolicy
    from askpoint.server.accounts.models import User
    from askpoint.server.api.tokens import make_token
    from askpoint.server.licences.agents import make_agent
    from askpoint.server.workspaces.services import first_workspace

    user = User.objects.create(username="wanda")
    terms = LicencePolicy(tuple(ActionClass(f"tool{i}") for i in range(_UNITS)))
    agent = make_agent(first_workspace().pk, user, "Bot", terms).pk
    token = make_token(user, "agent", label="x", scope="write", resource=agent)[1]
    headers = {"Authorization": f"Bearer {token}"}
    took: list[float] = []

    def run(thread: int, turn: int = 0) -> None:
        with httpx.Client(transport=httpx.WSGITransport(get_wsgi_application())) as http:
            for i in range(min(20, n) if thread == threads else n // threads):
                body = {
                    "key": f"{turn}-{thread}-{i}",
                    "tool": f"tool{i % _UNITS}",
                    "arguments": {"i": i, "turn": turn},
                }
                begin = time.perf_counter()
                path = f"http://localhost/api/agents/{agent}/actions"
                answer = http.post(path, json=body, headers=headers)
                took.append(time.perf_counter() - begin)
                assert answer.status_code == 200, answer.text
        connections.close_all()

    run(threads)  # what is imported and opened at first
    rounds = []
    for turn in range(1, _ROUNDS + 1):
        took.clear()
        begin = time.process_time()
        callers = [threading.Thread(target=run, args=(i, turn)) for i in range(threads)]
        for one in callers:
            one.start()
        for one in callers:
            one.join()
        spent = (time.process_time() - begin) / len(took)
        rounds.append((*np.quantile(took, [0.95, 0.5]), spent))
    most, middle, _ = min(rounds)
    spent = min(one[-1] for one in rounds)
    print(
        f"{n} proposals by {threads}, the best of {_ROUNDS} rounds: half answered within {1e3 * middle:.1f} ms, 95 of 100 "
        f"within {1e3 * most:.1f} ms; {1e3 * spent:.1f} ms of processor time each; load {os.getloadavg()[0]:.0f} on "
        f"{os.cpu_count()} cores"
    )


if __name__ == "__main__":
    main(
        sys.argv[1],
        int(sys.argv[2]) if sys.argv[2:] else 1000,
        int(sys.argv[3]) if sys.argv[3:] else 1,
    )
