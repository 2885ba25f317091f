"""How long an agent waits for the door's answer over HTTP: proposals on a server's database, one caller or several.

    python benchmarks/bench_door_http.py postgresql://USER:PASSWORD@HOST/EMPTY_DATABASE [PROPOSALS [THREADS]]

The server's application in this process, its database where the address says; 200 units, each proposal a new action.
"Answered" is from the request to the verdict on the disk, 95 of 100 within; beside it the processor time of this
process, which does not hang on what else the machine does.
"""

from __future__ import annotations

import sys
import tempfile
import threading
import time

import httpx
import numpy as np

from askpoint.server.boot import migrate, set_up
from askpoint.server.options import Options

_UNITS = 200


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

    def run(thread: int) -> None:
        with httpx.Client(transport=httpx.WSGITransport(get_wsgi_application())) as http:
            for i in range(min(20, n) if thread == threads else n // threads):
                body = {"key": f"{thread}-{i}", "tool": f"tool{i % _UNITS}", "arguments": {"i": i}}
                begin = time.perf_counter()
                path = f"http://localhost/api/agents/{agent}/actions"
                answer = http.post(path, json=body, headers=headers)
                took.append(time.perf_counter() - begin)
                assert answer.status_code == 200, answer.text
        connections.close_all()

    run(threads)  # what is imported and opened at first
    took.clear()
    begin = time.process_time()
    callers = [threading.Thread(target=run, args=(i,)) for i in range(threads)]
    for one in callers:
        one.start()
    for one in callers:
        one.join()
    spent = (time.process_time() - begin) / len(took)
    middle, most = 1e3 * np.quantile(took, [0.5, 0.95])
    print(
        f"{len(took)} proposals by {threads}: half answered within {middle:.1f} ms, 95 of 100 within {most:.1f} ms; "
        f"{1e3 * spent:.1f} ms of processor time each"
    )


if __name__ == "__main__":
    main(
        sys.argv[1],
        int(sys.argv[2]) if sys.argv[2:] else 1000,
        int(sys.argv[3]) if sys.argv[3:] else 1,
    )
