"""How long a proposal to `Licences` takes, by one caller and by many threads at once; each is decided, too.

    python benchmarks/bench_licence_threads.py FOLDER|postgresql://USER:PASSWORD@HOST/DATABASE [ACTIONS [THREADS ...]] [--approvers N]

With --approvers a licence has to hold without each of so many, among whom actions are dealt. 200 units; "answered" is from the call to the verdict on the disk. Beside it the processor time of this process for a
proposal and its approval, which does not hang on what else the machine does.
"""

from __future__ import annotations

import sys
import threading
import time

import numpy as np

from askpoint import Licences
from askpoint.live.licences.action_classes import ActionClass
from askpoint.live.licences.policy import LicencePolicy

_UNITS = 200


def measure(
    licences: Licences, n: int, threads: int, people: list[str]
) -> tuple[float, float, float]:
    """Return half and 95 of 100 in milliseconds, and processor time for each action."""
    took: list[float] = []

    def run(thread: int) -> None:
        for i in range(n // threads):
            key = f"{threads}-{thread}-{i}"
            begin = time.perf_counter()
            made = licences.propose(
                key, agent="bot", tool=f"tool{i % _UNITS}", arguments={"i": key}, approvers=people
            )
            took.append(time.perf_counter() - begin)
            if made.verdict == "ask":
                licences.decide(key, "approve", by=made.approver or f"person{thread}", seconds=9.0)

    callers = [threading.Thread(target=run, args=(i,)) for i in range(threads)]
    begin = time.process_time()
    for one in callers:
        one.start()
    for one in callers:
        one.join()
    spent = 1e3 * (time.process_time() - begin) / len(took)
    middle, most = 1e3 * np.quantile(took, [0.5, 0.95])
    return float(middle), float(most), spent


def main(where: str, n: int, many: list[int], approvers: int) -> None:
    people = [f"approver{i}" for i in range(approvers)]
    classes = tuple(ActionClass(f"tool{i}") for i in range(_UNITS))
    policy = LicencePolicy(classes, without_each_approver=bool(people))
    with Licences(where, policy) as licences:
        measure(licences, 40, 1, people)  # what is imported and opened at first
        for threads in many:
            middle, most, spent = measure(licences, n, threads, people)
            print(
                f"{n} actions by {threads}: half answered within {middle:.1f} ms, 95 of 100 within {most:.1f} ms; "
                f"{spent:.1f} ms of processor time each"
            )


if __name__ == "__main__":
    words, approvers = sys.argv[1:], 0
    if "--approvers" in words:
        place = words.index("--approvers")
        approvers, words = int(words[place + 1]), words[:place] + words[place + 2 :]
    main(
        words[0],
        int(words[1]) if words[1:] else 2000,
        [int(one) for one in words[2:]] or [1, 40],
        approvers,
    )
