"""A process that decides and labels from several threads until it is killed, and says what it was promised."""

from __future__ import annotations

import sys
import threading

from askpoint.records.stores.deployment import Deployment
from live.worlds import cases


def lived(place, name, threads, n):
    """Decide n cases by each thread; each decision that was given away is a line of its own."""
    deployment = Deployment(place)
    c, wrong, _ = cases(3000, 3)

    def work(thread):
        for i in range(n):
            key = f"{name}-{thread}-{i}"
            place = (97 * thread + i) % 3000
            made = deployment.decide(key, prediction="no", confidence=float(c[place]), content=key)
            sys.stdout.write(f"{key} {made.seq} {made.action} {made.audit}\n")
            sys.stdout.flush()
            if (made.action == "ask" or made.audit) and i % 5 == 0:
                said = "yes" if wrong[place] else "no"
                counted = deployment.label(key, said, by="Bob").counted
                sys.stdout.write(f"label {key} {counted}\n")
                sys.stdout.flush()

    workers = [threading.Thread(target=work, args=(thread,)) for thread in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()


if __name__ == "__main__":
    lived(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
