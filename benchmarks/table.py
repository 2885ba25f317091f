"""One table: askpoint beside its peers, and how its times grow; one run, one machine, one date.

``python benchmarks/table.py run RUN.json`` measures (``starts`` only how soon commands start), ``show RUN.json`` prints the table, ``publish RUN.json
docs/evidence/benchmarks.md`` writes it into the page, and ``compare OLD.json NEW.json`` says which ratios changed by
more than the rounds of the two runs differ.

The two sides of a line run in turn, so that a busy machine disturbs both alike; the ratio of a line is the
median over the rounds, with its quartiles. A peer that is not installed is said to be so.
"""

from __future__ import annotations

import argparse
import datetime as dt
import importlib.metadata
import json
import os
import platform
import resource
import tempfile
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np
import polars as pl

ROUNDS = 7
OMEGA = 19.0
LEAST = 0.03  # processor seconds of a round: shorter calls are repeated
BEGIN, END = "<!-- the tables of a run -->", "<!-- end of the tables -->"
PACKAGES = ("askpoint", "numpy", "polars", "scikit-learn", "duckdb", "pyspark", "crowd-kit")

Side = Callable[[], object]


class Line:
    """What is measured beside what: the ratio is our time over the peer's."""

    def __init__(self, name: str, ours: Side, peer: Side, bar: float | None = None) -> None:
        self.name, self.ours, self.peer, self.bar = name, ours, peer, bar

    def measure(self, rounds: int) -> dict[str, Any]:
        """Run both in turn; the first round warms up and is left out."""
        times, processes = [], []
        for _ in range(rounds + 1):
            start, before = perf_counter(), _of_processes()
            self.ours()
            middle, between = perf_counter(), _of_processes()
            self.peer()
            times.append((middle - start, perf_counter() - middle))
            processes.append((between - before, _of_processes() - between))
        ours, peer = zip(*times[1:], strict=True)
        least = [min(side) for side in zip(*processes[1:], strict=True)]
        return {"bar": self.bar, "ours": ours, "peer": peer} | (
            {"processes": least} if all(least) else {}
        )


def _of_processes() -> float:
    """Return the processor seconds of the processes that were started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def write_log(path: Path, n: int, n_classes: int = 2, at_once: int | None = None) -> None:
    """Write labels and probabilities in single precision, a part of the rows `at_once`, in eight groups."""
    import pyarrow.parquet as pq

    rng, writer = np.random.default_rng(0), None
    size = min(n, at_once or max(10**6 // n_classes, 1))
    for start in range(0, n, size):
        some = min(size, n - start)
        p = rng.dirichlet(np.full(n_classes, 0.3), some).astype(np.float32)
        label = rng.integers(0, n_classes, some).astype(np.int32)
        columns = {f"proba_{i}": p[:, i] for i in range(n_classes)}
        part = pl.DataFrame({"label": label, **columns}).to_arrow()
        writer = writer or pq.ParquetWriter(path, part.schema)
        writer.write_table(part, row_group_size=max(size // 8, 1))
    assert writer is not None
    writer.close()


def lines(folder: Path, n: int) -> Iterator[Line | str]:
    """Yield what is measured, or what is not and why."""
    from sklearn.metrics import confusion_matrix_at_thresholds

    from askpoint.judges.sketch.vote_sketch import VoteSketch
    from askpoint.value.curve import ValueCurve
    from askpoint.value.sketch.score_sketch import ScoreSketch

    rng = np.random.default_rng(0)
    confidence = (1 - rng.beta(0.3, 3, 10**6) / 2).astype(np.float32)
    right = rng.random(10**6) < confidence

    def exact() -> float:
        _, wrong, _, hits, _ = confusion_matrix_at_thresholds(right, confidence)
        return float((hits - OMEGA * wrong).max())

    def curve() -> ValueCurve:
        return ValueCurve.from_outcomes(right, confidence)

    def areas() -> tuple[float, float]:
        made = curve()
        return made.aurc, made.augrc

    def reference_aurc() -> float:
        """The usual definition, an argsort and two cumulations; ties as they come."""
        errors = (~right)[np.argsort(-confidence)]
        return float((errors.cumsum() / np.arange(1, errors.size + 1)).mean())

    yield Line("best threshold at one price, 1e6 cases; scikit-learn's confusion_matrix_at_thresholds",
               lambda: curve().value(OMEGA), exact, 1 / 6)  # fmt: skip
    yield Line(
        "AURC and AUGRC, 1e6 cases; AURC alone by its definition in NumPy", areas, reference_aurc
    )

    log, votes = folder / "log.parquet", folder / "votes.parquet"
    write_log(log, n)
    cells = {name: rng.integers(0, 2, n, dtype=np.int8) for name in ("ann", "bob", "cid")}
    pl.DataFrame(cells).write_parquet(votes)
    proba, classes = ["proba_0", "proba_1"], [0, 1]

    def sketched(frame: Any) -> ScoreSketch:
        return ScoreSketch.from_frame(frame, proba=proba, classes=classes)

    yield Line(f"score sketch, {n:.0e} rows of Parquet; polars' scan of the columns",
               lambda: sketched(pl.scan_parquet(log)), lambda: pl.scan_parquet(log).collect(), 3)  # fmt: skip
    yield Line(f"drawing an examination, {n:.0e} rows; polars' scan",
               lambda: drawn(log), lambda: pl.scan_parquet(log).collect(), 4)  # fmt: skip
    examination = drawn(log).examination
    yield Line(f"finding its cases again, {n:.0e} rows; polars' scan",
               lambda: found_again(log, examination), lambda: pl.scan_parquet(log).collect())  # fmt: skip
    sql = (
        "SELECT CAST(floor(greatest(proba_0, proba_1) * 65536) AS INT) AS bin, "
        "sum(CASE WHEN (label = 1) = (proba_1 > proba_0) THEN 1 ELSE 0 END) AS hits, "
        "count(label) AS known, count(*) AS n FROM {} GROUP BY 1"
    )
    try:
        import duckdb
    except ImportError:
        yield "DuckDB: not installed"
    else:
        scan = f"SELECT sum(ann), sum(bob), sum(cid) FROM '{votes}'"  # noqa: S608  (a file of our own)
        yield Line(f"vote sketch, {n:.0e} items of 3 judges; DuckDB's scan of the columns",
                   lambda: VoteSketch.from_frame(pl.scan_parquet(votes)),
                   lambda: duckdb.sql(scan).fetchall(), 1 / 0.8)  # fmt: skip
        yield Line(f"score sketch on DuckDB, {n:.0e} rows; a plain GROUP BY in SQL there",
                   lambda: sketched(duckdb.read_parquet(str(log))),
                   lambda: duckdb.sql(sql.format(f"'{log}'")).fetchall())  # fmt: skip
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        yield "PySpark: not installed"
    else:
        builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
        session = builder.config("spark.sql.shuffle.partitions", "2").getOrCreate()
        frame = session.read.parquet(str(log))
        frame.createOrReplaceTempView("log")
        yield Line(f"score sketch on Spark, {n:.0e} rows, two workers; a plain GROUP BY in its SQL",
                   lambda: sketched(frame), lambda: session.sql(sql.format("log")).collect(), 1.2)  # fmt: skip
    yield from judged(rng)


def drawn(log: Path) -> Any:
    """Draw 500 cases for judges."""
    from askpoint.records.examinations import draw_sample
    from askpoint.records.scored_batches import ScoredTable
    from askpoint.records.tables import open_table
    from askpoint.unknowns.examination import ExaminationDesign

    return draw_sample(
        ScoredTable.open(open_table(log)), ExaminationDesign("stratified", 500, 10), 0
    )


def found_again(log: Path, examination: Any) -> object:
    """Find the cases that were drawn, and see that the log is the same."""
    from askpoint.records.judged_cases import find_cases
    from askpoint.records.scored_batches import ScoredTable
    from askpoint.records.tables import open_table

    return find_cases(ScoredTable.open(open_table(log)), examination)


def judged(rng: np.random.Generator) -> Iterator[Line | str]:
    """Yield Dawid and Skene's model beside crowd-kit's."""
    from askpoint.judges.methods.dawid_skene import evaluate_dawid_skene
    from askpoint.judges.sketch.vote_sketch import VoteSketch

    try:
        import pandas as pd
        from crowdkit.aggregation import DawidSkene
    except ImportError:
        yield "crowd-kit: not installed"
        return
    truth = rng.random(5000) < 0.4
    votes = np.where(rng.random((5000, 5)) < 0.8, truth[:, None], ~truth[:, None]).astype(int)
    sketch = VoteSketch(5, [0, 1])
    sketch.update_codes(votes)
    task, worker = np.indices(votes.shape)
    long = pd.DataFrame({"task": task.ravel(), "worker": worker.ravel(), "label": votes.ravel()})
    yield Line("Dawid and Skene, 5,000 items of 5 judges; crowd-kit",
               lambda: evaluate_dawid_skene(sketch), lambda: DawidSkene(100).fit_predict(long))  # fmt: skip


def growth(folder: Path, most: int, rounds: int) -> dict[str, Any]:
    """Measure how the processor time of a sketch grows: with rows, judges and classes.

    The work is proportional to rows x classes and to items x judges, all but one of them fixed: so each
    grows as its size to the power of 1, beside what a call takes whatever its size.
    """
    works = {
        "rows (of 2 classes)": _with_rows(folder, most),
        "judges (of 50,000 items, no two voted on alike)": _with_judges(),
        "classes (of 20,000 rows)": _with_classes(folder),
    }
    found = {}
    for name, of_size in works.items():
        times = processor_times(of_size, rounds)
        found[name] = {"times": times, "law": law(times)}
        print(f"grows with {name}", flush=True)
    return found


def _with_rows(folder: Path, most: int) -> dict[int, Side]:
    """From 100,000 rows on; beyond 10 million it is one file that goes by several times."""
    sizes = [n for n in (10**5, 316_000, 10**6, 3_160_000, 10**7) if n <= most]
    works = {}
    for n in sizes:
        write_log(folder / f"rows-{n}.parquet", n)
        works[n] = _sketching([folder / f"rows-{n}.parquet"], 2)
    for times in (3, 10):
        if times * sizes[-1] <= most:
            works[times * sizes[-1]] = _sketching([folder / f"rows-{sizes[-1]}.parquet"] * times, 2)
    return works


def _with_judges() -> dict[int, Side]:
    """Judges who vote at random, so that nearly each item has a pattern of its own: the worst case.

    From 20 on: fewer have few patterns, so that it is the patterns that grow.
    """
    from askpoint.judges.sketch.vote_sketch import VoteSketch

    rng = np.random.default_rng(1)
    works = {}
    for judges in (20, 40, 80, 160, 320, 640):
        votes = {f"judge {i}": rng.integers(0, 2, 50_000, np.int8) for i in range(judges)}
        works[judges] = partial(VoteSketch.from_frame, pl.DataFrame(votes).lazy())
    return works


def _with_classes(folder: Path) -> dict[int, Side]:
    """From 16 classes on: polars' engine counts fewer, in another time for each."""
    works = {}
    for k in (16, 32, 64, 125, 250, 500, 1000):
        path = folder / f"classes-{k}.parquet"
        write_log(path, 20_000, k, at_once=20_000)
        works[k] = _sketching([path], k)
    return works


def _sketching(paths: list[Path], k: int) -> Side:
    from askpoint.value.sketch.score_sketch import ScoreSketch

    names = [f"proba_{i}" for i in range(k)]
    return lambda: ScoreSketch.from_frame(
        pl.scan_parquet(paths), proba=names, classes=list(range(k))
    )


def processor_times(works: dict[int, Side], rounds: int) -> dict[int, list[float]]:
    """Return the processor time of one call in each round; short calls are repeated within it."""
    calls = {}
    for size, work in works.items():
        work()
        start = process_time()
        work()
        calls[size] = max(1, round(LEAST / max(process_time() - start, 1e-6)))
    times: dict[int, list[float]] = {size: [] for size in works}
    for _ in range(rounds):
        for size, work in works.items():
            start = process_time()
            for _ in range(calls[size]):
                work()
            times[size].append((process_time() - start) / calls[size])
    return times


def law(times: dict[int, list[float]]) -> dict[str, Any] | None:
    """Fit time = fixed + each * size ** exponent to the rounds' lower quartiles, which other work disturbs little.

    The interval of 95% comes from rounds drawn again (Efron's percentile bootstrap): it speaks of the
    rounds, not of another law than this. None of fewer than four sizes.
    """
    if len(times) < 4:
        return None
    sizes, rounds = np.array([*times], float), np.array([*times.values()])
    rng, n = np.random.default_rng(0), rounds.shape[1]
    drawn = [_exponent(sizes, _typical(rounds[:, rng.integers(0, n, n)])) for _ in range(400)]
    exponent = _exponent(sizes, _typical(rounds))
    fixed, each = _fitted(sizes, _typical(rounds), exponent)[0]
    low, high = np.percentile(drawn, [2.5, 97.5])
    return {
        "exponent": exponent,
        "interval": [float(low), float(high)],
        "fixed": float(fixed),
        "each": float(each),
    }


def _typical(rounds: np.ndarray) -> np.ndarray:
    return np.quantile(rounds, 0.25, axis=-1)


def _exponent(sizes: np.ndarray, times: np.ndarray) -> float:
    from scipy.optimize import minimize_scalar

    found = minimize_scalar(
        lambda k: _fitted(sizes, times, k)[1], bounds=(0.3, 3), method="bounded"
    )
    return float(found.x)


def _fitted(sizes: np.ndarray, times: np.ndarray, exponent: float) -> tuple[np.ndarray, float]:
    """Return the fixed time and that of each, neither negative, of least relative error; and the error."""
    from scipy.optimize import nnls

    largest = sizes[-1] ** exponent
    design = np.column_stack([np.ones(len(sizes)), sizes**exponent / largest]) / times[:, None]
    (fixed, each), error = nnls(design, np.ones(len(sizes)))
    return np.array([fixed, each / largest]), float(error)


def run(path: Path, n: int, most: int, rounds: int) -> None:
    found = begun(rounds)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        measure(chain(started(folder), lines(folder, n)), found, rounds)
        found["growth"] = growth(folder, most, rounds)
    finish(found, path)


def begun(rounds: int) -> dict[str, Any]:
    """Return what a run is about, with no figure yet."""
    about = {
        "date": dt.datetime.now(dt.UTC).date().isoformat(),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "load": os.getloadavg()[0],
        "python": platform.python_version(),
        "packages": {name: _version(name) for name in PACKAGES},
        "rounds": rounds,
    }
    return {"lines": {}, "missing": [], "growth": {}, "about": about}


def measure(some: Iterable[Line | str], found: dict[str, Any], rounds: int) -> None:
    """Measure line by line."""
    for line in some:
        if isinstance(line, str):
            found["missing"].append(line)
        else:
            found["lines"][line.name] = line.measure(rounds)
            print(line.name, flush=True)


def finish(found: dict[str, Any], path: Path) -> None:
    """Write down a run, and print its tables."""
    found["about"]["load_after"] = os.getloadavg()[0]
    path.write_text(json.dumps(found, indent=1, allow_nan=False) + "\n")
    show(path)


def started(folder: Path) -> Iterator[Line | str]:
    """Yield how soon commands start."""
    from starts import starts  # beside this file

    for line in starts(folder):
        yield line if isinstance(line, str) else Line(*line)


def run_starts(path: Path, rounds: int) -> None:
    """Measure only how soon commands start."""
    found = begun(rounds)
    with tempfile.TemporaryDirectory() as name:
        measure(started(Path(name)), found, rounds)
    finish(found, path)


def show(path: Path) -> None:
    print(tables(json.loads(path.read_text())))


def publish(path: Path, page: Path) -> None:
    """Write the tables of a run into a page, between the two comments that mark their place."""
    head, begin, rest = page.read_text().partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not (begin and end):
        raise SystemExit(f"{page} has no place for the tables: {BEGIN} and {END}")
    page.write_text(f"{head}{BEGIN}\n\n{tables(json.loads(path.read_text()))}\n\n{END}{tail}")


def tables(found: dict[str, Any]) -> str:
    """Return the tables of a run, and what it ran on."""
    said = [
        "| what; compared with | askpoint | peer | ratio (quartiles) | bar | |",
        "|---|---|---|---|---|---|",
    ]
    for name, line in found["lines"].items():
        low, middle, high = np.percentile(ratios(line), [25, 50, 75])
        bar = line["bar"]
        verdict = "" if bar is None else ("kept" if middle <= bar else "missed")
        ours, peer = np.median(line["ours"]), np.median(line["peer"])
        limit = "" if bar is None else f"{bar:.2g}"
        said.append(
            f"| {name} | {ours:.3g} s | {peer:.3g} s | {middle:.2f} ({low:.2f} to {high:.2f}) | {limit} | {verdict} |"
        )
    started = {name: line for name, line in found["lines"].items() if "processes" in line}
    if started:
        said += [
            "",
            "| starts; compared with | processor seconds, least of all rounds | peer |",
            "|---|---|---|",
        ]
        for name, line in started.items():
            ours, peer = line["processes"]
            said.append(f"| {name} | {ours:.2f} | {peer:.2f} |")
    if found["growth"]:
        said += [
            "",
            "| grows with | sizes | processor seconds | exponent (95%) | fixed |",
            "|---|---|---|---|---|",
        ]
    for name, grown in found["growth"].items():
        sizes = ", ".join(f"{int(size):,}" for size in grown["times"])
        seconds = ", ".join(f"{_typical(np.array(times)):.2g}" for times in grown["times"].values())
        fit, told = grown["law"], "too few sizes | "
        if fit is not None:
            low, high = fit["interval"]
            told = f"{fit['exponent']:.2f} ({low:.2f} to {high:.2f}) | {fit['fixed']:.2g} s"
        said.append(f"| {name} | {sizes} | {seconds} | {told} |")
    about = found["about"]
    packages = ", ".join(f"{name} {number}" for name, number in about["packages"].items() if number)
    said += [
        "",
        f"{about['date']}, {about['cores']} cores of {about['processor']}, load {about['load']:.0f} to "
        f"{about['load_after']:.0f}; {about['rounds']} rounds; Python {about['python']}, {packages}. "
        + " ".join(f"{line}." for line in found["missing"]),
    ]
    return "\n".join(line.rstrip() for line in said)


def ratios(line: dict[str, Any]) -> np.ndarray:
    """Return our time over the peer's, of each round."""
    return np.array(line["ours"]) / np.array(line["peer"])


def compare(old: Path, new: Path) -> None:
    """Say which ratios changed beyond what the rounds differ among themselves (Mann and Whitney, 1%)."""
    from scipy.stats import mannwhitneyu

    before, after = (json.loads(path.read_text())["lines"] for path in (old, new))
    for name in [name for name in after if name in before]:
        one, two = ratios(before[name]), ratios(after[name])
        level = float(mannwhitneyu(one, two).pvalue)
        change = float(np.median(two) / np.median(one))
        word = "within noise" if level >= 0.01 else ("slower" if change > 1 else "faster")
        print(f"{word:13} {change:5.2f} times, p = {level:.3f}: {name}")


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _processor() -> str:
    about = Path("/proc/cpuinfo")
    lines = about.read_text().splitlines() if about.exists() else []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.processor() or platform.machine())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", choices=["run", "starts", "show", "publish", "compare"])
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--rows", type=float, default=1e7, help="of the files")
    parser.add_argument(
        "--most-rows", type=float, default=1e8, help="up to which growth is measured"
    )
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    given = parser.parse_args()
    if given.part == "run":
        run(given.files[0], int(given.rows), int(given.most_rows), given.rounds)
    elif given.part == "starts":
        run_starts(given.files[0], given.rounds)
    elif given.part == "show":
        show(given.files[0])
    elif given.part == "publish":
        publish(given.files[0], given.files[1])
    else:
        compare(given.files[0], given.files[1])


if __name__ == "__main__":
    main()
