"""A process in which agents propose and people decide, until it is killed; it says what it was promised."""

from __future__ import annotations

import sys
import threading

from askpoint.records.stores.licences import Licences


def lived(place, name, threads):
    """Propose without end, by several threads; each verdict that was given away is a line of its own."""
    licences = Licences(place)

    def work(thread):
        for i in range(100_000):
            key = f"{name}-{thread}-{i}"
            made = licences.propose(key, agent="bot", tool="refund", arguments={"amount": i % 40})
            sys.stdout.write(f"{key} {made.verdict} {made.drawn!r}\n")
            sys.stdout.flush()
            if (made.verdict == "ask" or made.is_audit) and i % 3 < 2:
                said = licences.decide(key, "approve", by=f"p{thread}", seconds=9.0)
                sys.stdout.write(f"{key} {said.verdict} {said.drawn!r}\n")
                sys.stdout.flush()

    workers = [threading.Thread(target=work, args=(thread,)) for thread in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()


if __name__ == "__main__":
    lived(sys.argv[1], sys.argv[2], int(sys.argv[3]))
