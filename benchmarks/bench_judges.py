"""Judges: how fast votes are counted and evaluated, whether intervals cover, how large a test must be.

Parts: speed, finite, coverage, latent, near, search, trust; all without an argument. The last two need the shared
data sets, in the folder that ASKPOINT_DATA names.
"""

from __future__ import annotations

import itertools
import os
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
import polars as pl
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from askpoint.judges.checks.alarms import alarm
from askpoint.judges.methods.algebra import TrioAlgebra
from askpoint.judges.methods.dawid_skene import evaluate_dawid_skene
from askpoint.judges.methods.independent import evaluate_independent
from askpoint.judges.methods.profile import profile_intervals
from askpoint.judges.sketch.vote_sketch import VoteSketch
from askpoint.judges.trios.batch import evaluate_moments
from askpoint.judges.trios.counts import pack_votes, trio_moments
from askpoint.judges.trios.search import feature_partitions, search_trios

ADULT = [986, 630, 5801, 7972, 562, 493, 7712, 12686]  # aaa, aab, ..., bbb
PATTERNS = list(itertools.product((0, 1), repeat=3))


def drawn(rng: np.random.Generator, n_items: int, p: float, accuracy: np.ndarray) -> tuple:
    truth = (rng.random(n_items) >= p).astype(np.int8)
    right = rng.random((n_items, len(accuracy))) < accuracy.T[truth]
    return truth, np.where(right, truth[:, None], 1 - truth[:, None]).astype(np.int8)


def best_of(rounds: int, work: Callable[[], object]) -> float:
    times = []
    for _ in range(rounds):
        start = perf_counter()
        work()
        times.append(perf_counter() - start)
    return min(times)


def part_of_ten_million(seed: int) -> bytes:
    sketch = VoteSketch(3, ["a", "b"])
    accuracy = np.array([[0.8, 0.7], [0.75, 0.85], [0.9, 0.8]])
    sketch.update_codes(drawn(np.random.default_rng(seed), 2_500_000, 0.3, accuracy)[1])
    return sketch.to_bytes()


def speed() -> None:
    """Times are the best of several rounds, in one process."""
    rng = np.random.default_rng(0)

    def one() -> None:
        trio = TrioAlgebra.from_cells(ADULT)
        _ = trio.outcome, trio.point(1), trio.point(-1)

    print(f"exact trio, both points        {1e6 * best_of(2000, one):8.1f} us   (bar 50)")
    votes = drawn(rng, 1_000_000, 0.4, rng.uniform(0.6, 0.9, (50, 2)))[1]
    packed = pack_votes(votes)
    print(f"pack 50 judges x 1e6 items     {best_of(1, lambda: pack_votes(votes)):8.2f} s")
    print(f"n_ijk of all 19,600 trios      {best_of(2, packed.triples):8.2f} s")
    small = VoteSketch(50, ["a", "b"])
    small.update_codes(votes[:20_000])
    moments = trio_moments(small)
    each = best_of(30, lambda: evaluate_moments(moments)) / len(moments.trios)
    print(f"batch, each of 19,600 trios    {1e6 * each:8.2f} us   (bar 0.5)")
    keys = votes[:, :3] @ np.array([4, 2, 1], dtype=np.int8)
    once = best_of(2, lambda: np.bincount(votes[:, :3] @ np.array([4, 2, 1], dtype=np.int8)))
    print(
        f"peer: a bincount a trio        {19_600 * once:8.0f} s    (19,600 times one of {1e3 * once:.1f} ms)"
    )
    three = pack_votes(np.concatenate([votes[:, :3]] * 10))
    print(f"n = 3 from packed votes        {1e7 / best_of(5, three.cells):8.2g} items/s (bar 1e8)")
    codes, sketch = np.concatenate([votes[:, :3]] * 10), VoteSketch(3, ["a", "b"])
    rate = 1e7 / best_of(3, lambda: sketch.update_codes(codes))
    print(f"n = 3 from codes               {rate:8.2g} items/s")
    assert np.bincount(keys, minlength=8).sum() == 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "votes.parquet")
        pl.DataFrame(codes, schema=["ann", "bob", "cid"]).write_parquet(file)
        scan = best_of(5, lambda: pl.scan_parquet(file).sum().collect(engine="streaming"))
        count = best_of(5, lambda: VoteSketch.from_frame(pl.scan_parquet(file)))
        print(
            f"1e7 votes from Parquet         {count:8.3f} s    {scan / count:.2f} of the scan rate (bar 0.8)"
        )
    million = VoteSketch(3, ["a", "b"])
    million.update_codes(votes[:, :3])
    took = best_of(3, lambda: alarm(million, required=0.7))
    print(f"alarm, 3 judges x 1e6 items    {1e3 * took:8.1f} ms   (bar 50)")
    start = perf_counter()
    with ProcessPoolExecutor(4) as pool:
        parts = [VoteSketch.from_bytes(data) for data in pool.map(part_of_ten_million, range(4))]
    whole = parts[0] + parts[1] + parts[2] + parts[3]
    p = evaluate_independent(whole).chosen.prevalence["a"]
    print(
        f"4 processes, {whole.n_items:,} items merged, p = {float(p):.4f} (drawn .3) in {perf_counter() - start:.1f} s"
    )


def finite() -> None:
    """10,000 exactly independent tests."""
    rng, right = np.random.default_rng(1), 0
    for _ in range(10_000):
        counts, truth = [0] * 8, []
        for label in (0, 1):
            parts = rng.integers(2, 12, 3)
            size = int(parts.prod() * rng.integers(1, 4))
            correct = [int(rng.integers(m // 2 + 1, m + 1)) * size // int(m) for m in parts]
            for i, pattern in enumerate(PATTERNS):
                ways = 1
                for vote, c in zip(pattern, correct, strict=True):
                    ways *= c if vote == label else size - c
                counts[i] += ways // size**2
            truth.append((size, [Fraction(c, size) for c in correct]))
        sketch = VoteSketch(3, ["a", "b"])
        sketch.update_codes(PATTERNS, counts)
        chosen = evaluate_independent(sketch).chosen
        found = [[chosen.accuracy[j][label] for j in sketch.judges] for label in "ab"]
        p = Fraction(truth[0][0], truth[0][0] + truth[1][0])
        right += chosen.prevalence["a"] == p and found == [truth[0][1], truth[1][1]]
    print(f"exactly independent tests given back as exact Fractions: {right} of 10,000")


def coverage() -> None:
    """2,000 tests of each size, 95% intervals of prevalence and all six accuracies."""
    accuracy = np.array([[0.85, 0.8], [0.75, 0.9], [0.8, 0.7]])
    for n_items in (300, 1000, 5000, 20_000):
        rng, hits = np.random.default_rng(n_items), []
        while len(hits) < 2000:
            truth, votes = drawn(rng, n_items, 0.35, accuracy)
            sketch = VoteSketch(3, ["a", "b"])
            sketch.update_codes(votes)
            around = evaluate_independent(sketch).interval()
            if around is None:
                continue
            of_a, of_b = votes[truth == 0], votes[truth == 1]
            known = np.column_stack([1 - of_a.mean(axis=0), of_b.mean(axis=0)]).ravel()
            intervals = [i for of in around.accuracy.values() for i in of.values()]
            pairs = zip(
                [around.prevalence["a"], *intervals], [1 - truth.mean(), *known], strict=True
            )
            hits.append([low <= x <= high for (low, high), x in pairs])
        each = np.mean(hits, axis=0)
        print(
            f"Q = {n_items:6,}: interval coverage of p {each[0]:.3f}, of accuracies {each[1:].min():.3f} to {each[1:].max():.3f}"
        )


def latent() -> None:
    """400 tests a cell: 95% intervals of Dawid and Skene's model, for judges drawn anew each time."""
    print("cells: the first label's prevalence is .5, .2, .1; accuracies are drawn from .7 to .95")
    print(
        "| votes | judges | items | accuracies | prevalence | on these items | half width | warned |"
    )
    times = []
    for third, n_judges, n_items in itertools.product((False, True), (3, 5, 8), (100, 500, 2000)):
        cells = []
        for p in (0.5, 0.2, 0.1):
            rng, runs = np.random.default_rng([n_judges, n_items]), []
            for _ in range(400):
                accuracy = rng.uniform(0.7, 0.95, (n_judges, 2))
                truth, votes = drawn(rng, n_items, p, accuracy)
                if third:  # two judges by lot, and a third one where they differ
                    order = rng.random(votes.shape).argsort(axis=1)
                    first, second = np.take_along_axis(votes, order[:, :2], axis=1).T
                    rank = order.argsort(axis=1)
                    votes = np.where(rank < 2 + (first != second)[:, None], votes, -1)
                sketch = VoteSketch(n_judges, ["a", "b"])
                sketch.update_codes(votes)
                found = evaluate_dawid_skene(sketch)
                start = perf_counter()
                around = found.interval()
                times.append(perf_counter() - start)
                low, high = np.array([[*of.values()] for of in around.accuracy.values()]).T
                size = [((votes >= 0) & (truth == k)[:, None]).sum(axis=0) for k in (0, 1)]
                right = [((votes == k) & (truth == k)[:, None]).sum(axis=0) for k in (0, 1)]
                share = np.divide(
                    right, size, out=np.full((2, n_judges), np.nan), where=np.array(size) > 0
                )
                held = ((low <= share) & (share <= high))[~np.isnan(share)]
                around_p = around.prevalence["a"]
                runs.append(
                    [
                        ((low <= accuracy.T) & (high >= accuracy.T)).mean(),
                        around_p.lower <= p <= around_p.upper,
                        held.mean(),
                        (high - low).mean() / 2,
                        bool(found.few_votes),
                    ]
                )
            cells.append(np.mean(runs, axis=0))
        columns = [
            " ".join(f"{x:.3f}".removeprefix("0") for x in column) for column in np.transpose(cells)
        ]
        kind = "a third where two differ" if third else "all"
        print(f"| {kind} | {n_judges} | {n_items:,} | " + " | ".join(columns) + " |", flush=True)
    print(f"intervals of one test: {1e3 * np.median(times):.1f} ms")


NEAR = {  # prevalence, d of each judge or accuracies, items, share of votes that are missing
    "weak, d .2 to .3, 1,000 items": (0.5, "weak", 3, 1000, 0.0),
    "weak, 10,000 items": (0.5, "weak", 3, 10_000, 0.0),
    "weak, prevalence .2, 10,000 items": (0.2, "weak", 3, 10_000, 0.0),
    "rare, .05 of 100 items": (0.05, "good", 3, 100, 0.0),
    "rare, .05 of 300 items": (0.05, "good", 3, 300, 0.0),
    "good, 500 items": (0.5, "good", 3, 500, 0.0),
    "good, 500 items, a quarter of votes missing": (0.5, "good", 3, 500, 0.25),
    "5 judges, .1 of 100 items": (0.1, "good", 5, 100, 0.0),
    "5 weak judges, 1,000 items": (0.5, "weak", 5, 1000, 0.0),
}


def near() -> None:
    """Coverage of the profile likelihood's intervals near failure, and how often there is one."""
    runs = 40
    print(f"| world ({runs} tests) | prevalence | accuracies | with an interval | s |")
    print("| --- | --- | --- | --- | --- |")
    for world, (p, kind, k, n, missing) in NEAR.items():
        held: dict[str, list[bool]] = {"prevalence": [], "accuracies": []}
        asked, seconds = 0, []
        for seed in range(runs):
            rng = np.random.default_rng([seed, n, k])
            on_a = rng.uniform(0.7, 0.95, k) if kind == "good" else rng.uniform(0.5, 0.7, k)
            on_b = rng.uniform(0.7, 0.95, k) if kind == "good" else 1.2 + 0.1 * rng.random(k) - on_a
            truth = (rng.random(n) >= p).astype(int)
            right = rng.random((n, k)) < np.array([on_a, on_b])[truth]
            votes = np.where(right, truth[:, None], 1 - truth[:, None])
            votes[rng.random(votes.shape) < missing] = -1
            sketch = VoteSketch(k, ["a", "b"])
            sketch.update_codes(votes)
            start = process_time()
            found = profile_intervals(sketch)
            seconds.append(process_time() - start)
            shares = [("prevalence", found.prevalence["a"], np.mean(truth == 0))]
            for j, judge in enumerate(sketch.judges):
                for code, label in enumerate("ab"):
                    of = (truth == code) & (votes[:, j] >= 0)
                    if of.any():
                        share = np.mean(votes[of, j] == code)
                        shares.append(("accuracies", found.accuracy[judge][label], share))
            asked += len(shares)
            for what, around, share in shares:
                if around is not None:
                    held[what].append(around.lower - 1e-9 <= share <= around.upper + 1e-9)
        told = sum(map(len, held.values())) / asked
        rates = " | ".join(f"{np.mean(of):.3f}" if of else "-" for of in held.values())
        print(f"| {world} | {rates} | {told:.2f} | {np.median(seconds):.2f} |", flush=True)


def encoded(name: str, folder: str) -> tuple[list[np.ndarray], np.ndarray]:
    """Features, a nominal one as its one-hot columns, and the class, rarer first as in the paper."""
    file = Path(os.environ["ASKPOINT_DATA"], folder, f"{name}.csv.gz")
    text = pl.read_csv(file, infer_schema=False).with_columns(pl.all().str.strip_chars())
    numbers = text.with_columns(pl.all().cast(pl.Float64, strict=False))  # some have blanks before
    frame = text.with_columns(
        *(numbers[c] for c in text.columns[:-1] if numbers[c].null_count() == 0)
    )
    frame = frame.with_columns(pl.col(pl.String).fill_null("missing"))
    columns = []
    for feature in frame.columns[:-1]:
        if frame[feature].dtype == pl.String:
            columns.append(frame.select(feature).to_dummies().to_numpy().astype(float))
        else:
            x = frame[feature].to_numpy().astype(float)
            columns.append(((x - x.mean()) / (x.std() or 1))[:, None])
    label = frame[frame.columns[-1]].cast(pl.String)
    rare = label.value_counts().sort("count")[frame.columns[-1]][0]
    return columns, (label != rare).to_numpy().astype(int)


def search() -> None:
    """Section 4.1: 300 partitions of the features (two repeats here), figures 2a and 2b."""
    sizes = (25, 100, 500, 2000)
    print(
        "size = held-out items of each label; judges: logistic regression, 200 items a label each"
    )
    print(
        f"{'data':9} {'size':>5} {'2a inside':>9} {'2b never':>9} {'within 1%':>10} {'error':>7} {'majority':>9}"
    )
    for name, folder in (("twonorm", "large"), ("adult", "uci"), ("mushroom", "uci")):
        rng = np.random.default_rng(4)
        columns, y = encoded(name, folder)
        keep = np.concatenate(
            [rng.permutation(np.flatnonzero(y == label))[:4000] for label in (0, 1)]
        )
        columns, y = [column[keep] for column in columns], y[keep]
        able = tuple(size for size in sizes if size <= min(np.bincount(y)) - 600)
        model = GaussianNB() if name == "twonorm" else LogisticRegression(max_iter=200)
        partitions = feature_partitions(len(columns), 150, rng)
        found = search_trios(model, columns, y, partitions, sizes=able, rng=rng, n_repeats=2)
        within = (found.error <= 0.01).sum(axis=(1, 2))
        within = within / np.maximum(found.is_inside.sum(axis=(1, 2)), 1)
        for i, size in enumerate(able):
            kept = found.error[i][found.is_inside[i]]
            print(
                f"{name:9} {size:5} {found.share_inside[i]:9.0%} {found.share_never[i]:9.0%} "
                f"{within[i]:10.1%} {kept.mean() if kept.size else np.nan:7.4f} "
                f"{found.majority_error[i].mean():9.4f}"
            )


PARTS = {
    "speed": speed,
    "finite": finite,
    "coverage": coverage,
    "latent": latent,
    "near": near,
    "search": search,
}

if __name__ == "__main__":
    for part in sys.argv[1:] or PARTS:
        PARTS[part]()
        print()
