"""The score sketch: what its bins lose, its speed beside polars' own, its memory on 1e8 rows."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from askpoint.value.curve import ValueCurve
from askpoint.value.sketch.score_sketch import ScoreSketch

CHUNK = 10**6
SHAPES = {
    "uniform": lambda u: 0.5 + u / 2,
    "sure": lambda u: 1 - (1 - u) ** 4 / 2,
    "few values": lambda u: 0.5 + np.floor(33 * u) / 64,
    "saturated": lambda u: np.where(u < 0.58, 0.5 + u / 1.16, 1 - (1 - u) / 0.42 * 2.0**-17),
}


def draw(shape: str, n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Confidences of a shape, and answers that are right a little less often than they say."""
    rng = np.random.default_rng(seed)
    confidence = SHAPES[shape](rng.random(n)).astype(np.float32)
    return rng.random(n) < confidence - 0.02 * (1 - confidence) - 1e-4, confidence


def parts(n: int) -> Iterator[pa.Table]:
    """Labels and probabilities, both float32."""
    rng = np.random.default_rng(0)
    for _ in range(n // CHUNK):
        p = rng.beta(0.3, 0.3, CHUNK).astype(np.float32)
        yield pa.table({"label": (rng.random(CHUNK) < p).astype(np.float32), "proba": p})


def write(path: Path, n: int) -> None:
    writer = None
    for part in parts(n):
        writer = writer or pq.ParquetWriter(path, part.schema)
        writer.write_table(part, row_group_size=CHUNK // 8)
    assert writer is not None
    writer.close()


def best_of(runs: int, work: Callable[[], object]) -> float:
    times = []
    for _ in range(runs):
        start = perf_counter()
        work()
        times.append(perf_counter() - start)
    return min(times)


def exactness() -> None:
    rho = np.append(np.geomspace(1e-6, 1, 400), np.linspace(0.01, 1, 100))
    omega = np.geomspace(10, 1e5, 60)
    print(
        "what the bins lose, 1e7 cases: EP at the worst rho; V in parts of itself; below the bound"
    )
    print(f"{'shape':12} {'bins':9} {'dEP':>8} {'dV / V':>8} {'bound - V*':>10}")
    for shape in SHAPES:
        right, confidence = draw(shape, 10**7)
        exact = ValueCurve.from_outcomes(right, confidence)
        best = exact.value(omega)
        for bins in ("relative", "linear"):
            sketch = ScoreSketch(bins=bins)
            sketch.update_many(right, confidence)
            curve = sketch.curve()
            lost = (exact.expected_profit(rho) - curve.expected_profit(rho)).max()
            worth = best > 1e-6
            part = ((best - curve.value(omega))[worth] / best[worth]).max()
            gap = (sketch.bound(omega) - best).max()
            print(f"{shape:12} {bins:9} {lost:8.1e} {part:8.1e} {gap:10.1e}", flush=True)


def speed(path: Path) -> None:
    def scan() -> pl.LazyFrame:
        return pl.scan_parquet(path)

    def polars_curve() -> None:
        score = pl.max_horizontal("proba", 1 - pl.col("proba"))
        right = (pl.col("proba") > 0.5) == (pl.col("label") == 1)
        groups = scan().group_by(score.alias("score")).agg(right.sum().alias("right"), pl.len())
        groups.sort("score", descending=True).with_columns(
            pl.col("right", "len").cum_sum()
        ).collect()

    def exact_curve() -> None:
        frame = scan().collect()
        p = frame["proba"].to_numpy()
        right = (p > 0.5) == (frame["label"].to_numpy() == 1)
        _ = ValueCurve.from_outcomes(right, np.maximum(p, 1 - p)).hull

    times = {
        "polars: scan of the columns": best_of(7, lambda: scan().collect()),
        "sketch": best_of(7, lambda: ScoreSketch.from_frame(scan(), proba="proba")),
        "polars: sorted group-by": best_of(2, polars_curve),
        "exact curve, with its hull": best_of(2, exact_curve),
    }
    names = list(times)
    print("\n1e7 rows of Parquet, two float32 columns")
    for name, peer in zip(names, [names[0], names[0], names[2], names[2]], strict=True):
        print(f"{name:28} {times[name]:6.3f} s {times[name] / times[peer]:5.2f} of {peer}")


def memory(path: Path) -> None:
    """Sketch a file, and say how long that took and how much memory the process had."""
    start = perf_counter()
    sketch = ScoreSketch.from_frame(pl.scan_parquet(path), proba="proba")
    seconds = perf_counter() - start
    # not getrusage, which counts the parent's memory, too
    status = Path("/proc/self/status").read_text()
    peak = int(status.partition("VmHWM:")[2].split()[0]) / 1024
    print(f"{sketch.n_items:>11,} rows: {seconds:6.2f} s, {peak:4.0f} MB", flush=True)


def main() -> None:
    if len(sys.argv) > 1:
        memory(Path(sys.argv[1]))
        return
    exactness()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "log.parquet")
        write(path, 10**7)
        speed(path)
        print("\nmemory of a process that sketches a file", flush=True)
        for n in (10**7, 10**8):
            write(path, n)
            subprocess.run([sys.executable, __file__, str(path)], check=True)


if __name__ == "__main__":
    main()
