"""The value curve beside scikit-learn, torch-uncertainty and the machine's own sort.

One run prints one table. A ratio is the median over rounds in which both sides ran in turn, so
that a busy machine disturbs both alike. Peers that are not installed are said to be so.

On some processors (AMD Zen 4) NumPy's AVX-512 sort is several times slower than its AVX2 sort, and
all that sorts with it. The last column repeats the ratios with AVX-512 switched off in NumPy.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np

N = 10**6
OMEGA = 19.0  # twenty checks are worth one mistake
ROUNDS = 7

Timed = Callable[[], object]


def cases(n: int) -> tuple[Any, Any]:
    """A calibrated model, mostly sure: whether it is right, and its confidence in float32."""
    rng = np.random.default_rng(0)
    confidence = 1 - rng.beta(0.3, 3, n) / 2
    return rng.random(n) < confidence, confidence.astype(np.float32)


def in_turn(ours: Timed, peer: Timed, rounds: int = ROUNDS) -> tuple[float, float, float]:
    """Median seconds of both, and median of the ratios peer / ours."""
    times = []
    for _ in range(rounds):
        start = perf_counter()
        ours()
        middle = perf_counter()
        peer()
        times.append((middle - start, perf_counter() - middle))
    ratios = [b / a for a, b in times]
    mine, theirs = (statistics.median(column) for column in zip(*times, strict=True))
    return mine, theirs, statistics.median(ratios)


def speeds() -> dict[str, Any]:
    """Run what is timed; from the name of a row to its numbers, or to why there are none."""
    from sklearn.base import BaseEstimator, ClassifierMixin
    from sklearn.metrics import confusion_matrix, confusion_matrix_at_thresholds, make_scorer
    from sklearn.metrics._scorer import _CurveScorer

    from askpoint.value.curve import ValueCurve

    class Fitted(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
        """A fitted classifier whose features are its probabilities."""

        classes_ = np.array([False, True])

        def predict_proba(self, X: Any) -> Any:
            return X

    right, confidence = cases(N)
    double = confidence + 1e-9 * np.arange(N) / N
    weight = np.random.default_rng(1).random(N) + 0.5
    probabilities = np.column_stack([1 - confidence, confidence])

    def curve() -> ValueCurve:
        return ValueCurve.from_outcomes(right, confidence)

    def one(score: Any = confidence, weight: Any = None) -> float:
        return ValueCurve.from_outcomes(right, score, sample_weight=weight).value(OMEGA)

    def exact(score: Any = confidence, weight: Any = None) -> float:
        _, wrong, _, hits, _ = confusion_matrix_at_thresholds(right, score, sample_weight=weight)
        worth = hits - OMEGA * wrong
        return max(worth[worth.argmax()] / N, 0.0)

    def scoring(score: Callable[..., float]) -> Callable[[], float]:
        """What TunedThresholdClassifierCV does with a fitted model: 100 thresholds."""
        scorer = _CurveScorer.from_scorer(make_scorer(score), "predict_proba", 100)
        return lambda: max(scorer(Fitted(), probabilities, right)[0])

    def counted(answerable: Any, answered: Any) -> float:
        hits = np.count_nonzero(answered & answerable)
        return (hits - OMEGA * (np.count_nonzero(answered) - hits)) / N

    def by_matrix(answerable: Any, answered: Any) -> float:
        gain = np.array([[0, -OMEGA], [0, 1]])
        return float((confusion_matrix(answerable, answered) * gain).sum() / N)

    grid = scoring(counted)
    found: dict[str, Any] = {
        "value": {"ours": one(), "exact": exact(), "grid": grid()},
        "one price, scikit-learn exact": in_turn(one, exact),
        "the same in float64": in_turn(lambda: one(double), lambda: exact(double)),
        "the same with weights": in_turn(
            lambda: one(confidence, weight), lambda: exact(confidence, weight)
        ),
        "one price, 100 thresholds": in_turn(one, scoring(by_matrix), 1),
        "one price, 100 thresholds, counted by NumPy": in_turn(one, grid, 3),
        "all prices, 100 thresholds": in_turn(lambda: curve().breakpoints, scoring(by_matrix), 1),
        "all prices, 100 thresholds, counted by NumPy": in_turn(
            lambda: curve().breakpoints, grid, 3
        ),
        "curve, np.sort": in_turn(curve, lambda: np.sort(confidence)),
    }

    def areas() -> tuple[float, float]:
        made = curve()
        return made.aurc, made.augrc

    try:
        import torch
        from torch_uncertainty.metrics.classification import AURC
    except ImportError:
        found["AURC and AUGRC, torch-uncertainty AURC"] = "not installed"
        return found
    torch.set_num_threads(1)
    p, labels = torch.from_numpy(probabilities), torch.from_numpy(right.astype(np.int64))

    def aurc() -> float:
        metric = AURC()
        metric.update(p, labels)
        return float(metric.compute())

    found["AURC and AUGRC, torch-uncertainty AURC"] = in_turn(areas, aurc)
    return found


def memory() -> dict[str, float]:
    """Make a curve of 1e8 cases; peak memory of the process with its input, in GB."""
    from askpoint.value.curve import ValueCurve

    n, piece = 10**8, 10**6
    confidence, right = np.empty(n, np.float32), np.empty(n, np.bool_)
    rng = np.random.default_rng(0)
    for start in range(0, n, piece):
        part = confidence[start : start + piece]
        rng.random(out=part, dtype=np.float32)
        part /= 2
        part += 0.5
        right[start : start + piece] = rng.random(piece, dtype=np.float32) < part
    start_time = perf_counter()
    curve = ValueCurve.from_outcomes(right, confidence)
    seconds = perf_counter() - start_time
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9  # from KiB
    return {"seconds": seconds, "peak": peak, "groups": len(curve.thresholds) - 1}


def import_seconds() -> float:
    """What `import askpoint` adds to starting Python: median difference."""
    return statistics.median(_start("import askpoint") - _start("pass") for _ in range(ROUNDS))


def _start(code: str) -> float:
    start = perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return perf_counter() - start


def _child(part: str, *, without_avx512: bool = False) -> Any:
    """Run a part of this file in a process of its own and read its JSON."""
    env = dict(os.environ, OMP_NUM_THREADS="1")
    if without_avx512:
        env["NPY_DISABLE_CPU_FEATURES"] = " ".join(_avx512())
    output = subprocess.run(
        [sys.executable, "-W", "ignore", __file__, part],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        env=env,
    ).stdout
    return json.loads(output.splitlines()[-1])


def _avx512() -> list[str]:
    """What NumPy calls the AVX-512 features that it found and may leave aside."""
    from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

    names = [name for name in __cpu_dispatch__ if "512" in name or name == "X86_V4"]
    return [name for name in names if __cpu_features__.get(name)]


BARS = {
    "one price, scikit-learn exact": 6,
    "the same in float64": "",
    "the same with weights": "",
    "one price, 100 thresholds": 45,
    "one price, 100 thresholds, counted by NumPy": 45,
    "all prices, 100 thresholds": 15,
    "all prices, 100 thresholds, counted by NumPy": 15,
    "AURC and AUGRC, torch-uncertainty AURC": 6,
    "curve, np.sort": 0.3,
}


def table() -> None:
    found = _child("speeds")
    other = _child("speeds", without_avx512=True) if _avx512() else found
    lines = [
        ["what, compared with which peer", "askpoint", "peer", "ratio", "bar", "without AVX-512"]
    ]
    for name, bar in BARS.items():
        if isinstance(found[name], str):
            lines.append([name, "", found[name], "", f"{bar}", ""])
            continue
        mine, theirs, ratio = found[name]
        lines.append([
            name, f"{1000 * mine:.1f} ms", f"{1000 * theirs:.1f} ms", _digits(ratio), f"{bar}",
            _digits(other[name][2]),
        ])  # fmt: skip
    big, seconds = _child("memory"), import_seconds()
    lines += [
        ["memory at 1e8 cases", f"{big['peak']:.2f} GB", "", "", "1.5 GB", ""],
        ["time at 1e8 cases", f"{big['seconds']:.1f} s", "", "", "", ""],
        ["import askpoint", f"{seconds:.3f} s", "", "", "0.2 s", ""],
    ]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    lines.insert(1, ["-" * width for width in widths])
    for line in lines:
        print("| " + " | ".join(map(str.ljust, line, widths)) + " |")
    values = found["value"]
    print(
        f"\nbest value at omega = {OMEGA:g}, {N:,} cases in float32: askpoint {values['ours']:.6f}, "
        f"scikit-learn exact {values['exact']:.6f}, 100 thresholds {values['grid']:.6f}"
    )


def _digits(ratio: float) -> str:
    return f"{ratio:.2f}" if ratio < 1 else f"{ratio:.1f}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", nargs="?", choices=["speeds", "memory"], help="as JSON")
    part = parser.parse_args().part
    if part is None:
        table()
    else:
        print(json.dumps({"speeds": speeds, "memory": memory}[part]()))
