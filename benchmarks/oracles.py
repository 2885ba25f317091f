"""Scoreboard: what askpoint and other people's code say of the same question, and who is right where they differ.

``python benchmarks/oracles.py run benchmarks/oracles.json`` asks all that are installed, ``show`` prints the table,
``publish benchmarks/oracles.json docs/evidence/oracles.md`` writes it into the page. `make oracles` does the first and the
last in an environment of its own. Rows on crowds and on Weka need ASKPOINT_DATA, and Weka needs Java.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

BEGIN, END = "<!-- the table of a run -->", "<!-- end of the table -->"


CROWDS = (
    *("bluebird", "rte", "temporal", "hit_spam", "movie_sentiment", "product", "trec", "dog"),
    *("weather_sentiment", "web", "adult_content"),
)


class Row(NamedTuple):
    """A question put to both: how many cases, the greatest difference, and the verdict."""

    question: str
    oracle: str
    cases: int
    difference: str
    verdict: str


class Missing(Exception):  # noqa: N818
    """An oracle is not installed, or its data are not here."""


def version(name: str) -> str:
    """Return a package with its version."""
    try:
        return f"{name} {importlib.metadata.version(name)}"
    except importlib.metadata.PackageNotFoundError:
        raise Missing(f"{name} is not installed") from None


def told(difference: float) -> str:
    """Write a difference: 0, rounding, or the number."""
    if difference == 0:
        return "0"
    return f"{difference:.0e}" if difference < 1e-6 else f"{difference:.4f}"


def data_folder() -> Path:
    """Return the folder of the shared data."""
    found = os.environ.get("ASKPOINT_DATA")
    if not found:
        raise Missing("ASKPOINT_DATA names no folder of data sets")
    return Path(found)


def cells_of(sketch: Any) -> list[int]:
    """Return the eight counts, aaa to bbb, of one of ntqr's sketches of both labels."""
    patterns = [(a, b, c) for a in "ab" for b in "ab" for c in "ab"]
    return [sketch["a"].get(p, 0) + sketch["b"].get(p, 0) for p in patterns]


def ntqr_sketches() -> list[Any]:
    """Return the sketches that the author's package brings."""
    version("ntqr")
    from ntqr.r2.examples import uciadult_label_counts
    from ntqr.r2.uci_adult_20240415 import data_sketches

    return [*data_sketches, uciadult_label_counts]


def independent() -> Iterator[Row]:
    """Yield the independent evaluator on each of the author's sketches, and on votes that no independent judges cast."""
    sketches = ntqr_sketches()
    from unittest import mock

    from ntqr.r2 import evaluators
    from ntqr.r2.datasketches import TrioVoteCounts

    from askpoint.judges.methods.algebra import TrioAlgebra

    worst, complex_there = 0.0, 0
    for sketch in sketches:
        cells = cells_of(sketch)
        patterns = [(a, b, c) for a in "ab" for b in "ab" for c in "ab"]
        votes = TrioVoteCounts(dict(zip(patterns, cells, strict=True)))
        # simplifying takes minutes and changes no value
        with mock.patch.object(evaluators.sympy, "simplify", lambda value: value):
            theirs = evaluators.ErrorIndependentEvaluation(votes).evaluation_exact
        trio = TrioAlgebra.from_cells(cells)
        if trio.discriminant <= 0:
            complex_there += 1
            continue
        ours = sorted(
            (float(p), [(float(a), float(b)) for a, b in accuracy])
            for p, accuracy in map(trio.point, (1, -1))
        )
        for (p, accuracy), other in zip(ours, theirs, strict=True):
            worst = max(worst, abs(p - float(other["prevalence"]["a"])))
            for (a, b), judge in zip(accuracy, other["accuracy"], strict=True):
                worst = max(worst, abs(a - float(judge["a"])), abs(b - float(judge["b"])))
    yield Row(
        "independent evaluator: prevalence and accuracies, both points",
        version("ntqr"),
        len(sketches),
        told(worst),
        "both" if not complex_there else f"both; {complex_there} without a real point",
    )


def correlations() -> Iterator[Row]:
    """Yield true error correlations of pairs on each of the author's sketches."""
    worst, sketches = 0.0, ntqr_sketches()
    from ntqr.r2.datasketches import TrioLabelVoteCounts
    from ntqr.r2.evaluators import SupervisedEvaluation

    from askpoint.judges.checks.correlation import error_correlations
    from askpoint.judges.sketch.vote_sketch import VoteSketch

    names = ["0", "1", "2"]
    for sketch in sketches:
        theirs = SupervisedEvaluation(TrioLabelVoteCounts(sketch)).evaluation_exact
        by_label = {label: VoteSketch(names, ["a", "b"]) for label in "ab"}
        for label, votes in by_label.items():
            votes.update_codes([["ab".index(v) for v in p] for p in sketch[label]], list(sketch[label].values()))  # fmt: skip
        ours = error_correlations(by_label)
        for label in "ab":
            for i, j in ((0, 1), (0, 2), (1, 2)):
                other = float(theirs["pair_correlation"][i, j][label])
                worst = max(worst, abs(float(ours.pair(names[i], names[j], label) or 0) - other))
    yield Row("error correlations of pairs", version("ntqr"), 6 * len(sketches), told(worst), "both")  # fmt: skip


def crowds() -> Iterator[Row]:
    """Yield Dawid and Skene's model on crowds: whose likelihood is higher."""
    name = version("crowd-kit")
    import polars as pl
    from crowdkit.aggregation import DawidSkene

    from askpoint.judges.methods.dawid_skene import fit_labels
    from askpoint.judges.sketch.tables import table_from_frame
    from askpoint.judges.sketch.vote_sketch import VoteSketch

    folder = data_folder() / "crowd"
    for crowd in CROWDS:
        votes = pl.read_csv(folder / f"{crowd}.csv.gz", infer_schema=False).unique(
            ["worker", "task"], keep="last", maintain_order=True
        )
        labels = sorted(set(votes["label"]))
        table = table_from_frame(votes, worker="worker", task="task", label="label", labels=labels, repeats="last")  # fmt: skip
        sketch = VoteSketch(table.judges, labels)
        sketch.update_codes(table.codes)
        ours = fit_labels(sketch.cells(), len(labels)).prevalence
        frame = votes.select("task", "worker", "label").to_pandas()
        fitted = DawidSkene(n_iter=100).fit(frame)
        theirs = np.array([float(fitted.priors_.get(label, 0)) for label in labels])
        rounds = len(fitted.loss_history_)
        maximum = _plain_maximum(votes, labels)
        mine, other = (float(np.abs(one - maximum).max()) for one in (ours, theirs))
        if max(mine, other) < 1e-3:
            verdict = "both"
        elif mine < other:
            verdict = f"askpoint; crowd-kit stops after {rounds} rounds, {other:.4f} away"
        else:
            verdict = f"crowd-kit; askpoint is {mine:.4f} off, by its prior of .1 votes, which keeps shares from 0"
        question = (
            "Dawid and Skene on {}: share of the first label {:.4f}, {:.4f}; at the maximum {:.4f}"
        )
        shares = [float(one[0]) for one in (ours, theirs, maximum)]
        apart = float(np.abs(ours - theirs).max())
        yield Row(question.format(crowd, *shares), name, len(table.tasks), told(apart), verdict)


def _plain_maximum(votes: Any, labels: list[str]) -> np.ndarray:
    """Prevalences at the maximum of the likelihood that the majority leads to: no prior, no early stop."""
    from scipy.sparse import csr_array

    task, worker = (votes[name].rank("dense").to_numpy().astype(int) - 1 for name in ("task", "worker"))  # fmt: skip
    said = np.searchsorted(labels, votes["label"].to_numpy())
    k, n_workers = len(labels), worker.max() + 1
    size = n_workers * k, task.max() + 1
    cast = csr_array((np.ones(len(said)), (worker * k + said, task)), shape=size)
    back = cast.T.tocsr()
    belief = np.zeros((size[1], k))
    np.add.at(belief, (task, said), 1)
    belief /= belief.sum(axis=1, keepdims=True)
    before = np.zeros(k)
    for _ in range(5_000):
        prevalence = belief.mean(axis=0)
        counts = (cast @ belief).reshape(n_workers, k, k)  # worker, said, true
        shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1e-300)
        joint = np.log(np.maximum(prevalence, 1e-300)) + back @ np.log(
            np.maximum(shares.reshape(-1, k), 1e-300)
        )
        belief = np.exp(joint - joint.max(axis=1, keepdims=True))
        belief /= belief.sum(axis=1, keepdims=True)
        if np.abs(prevalence - before).max() < 1e-9:
            break
        before = prevalence
    return before


def intervals() -> Iterator[Row]:
    """Yield intervals of a share beside statsmodels'."""
    name = version("statsmodels")
    from statsmodels.stats.proportion import proportion_confint

    from askpoint.measures.intervals import clopper_pearson

    worst, cases = 0.0, 0
    for n in (1, 2, 7, 50, 1000, 100_000):
        for k in sorted({0, 1, n // 3, n - 1, n}):
            for level in (0.8, 0.95, 0.999):
                theirs = proportion_confint(k, n, 1 - level, method="beta")
                worst = max(worst, float(np.abs(np.subtract(clopper_pearson(k, n, level), np.nan_to_num(theirs, nan=k / n))).max()))  # fmt: skip
                cases += 1
    yield Row("Clopper and Pearson's interval", name, cases, told(worst), "both")


def areas() -> Iterator[Row]:
    """Yield AURC and AUGRC beside their definitions, as torch-uncertainty states them, ties in all orders."""
    from askpoint.value.curve import ValueCurve

    rng, worst, tied = np.random.default_rng(0), 0.0, 0.0
    for _ in range(200):
        n = int(rng.integers(1, 60))
        right, confidence = rng.random(n) < 0.8, rng.permutation(n) / n
        curve = ValueCurve.from_outcomes(right, confidence)
        wrong = np.cumsum(~right[np.argsort(-confidence)])
        worst = max(
            worst,
            abs(curve.aurc - float(np.mean(wrong / np.arange(1, n + 1)))),
            abs(curve.augrc - float(np.mean(wrong / n))),
        )
    for _ in range(20):
        n = 6
        right, confidence = rng.random(n) < 0.6, rng.integers(0, 3, n) / 3
        curve = ValueCurve.from_outcomes(right, confidence)
        means = [_mean_over_orders(right, confidence, kind) for kind in ("aurc", "augrc")]
        tied = max(tied, abs(curve.aurc - means[0]), abs(curve.augrc - means[1]))
    yield Row("AURC and AUGRC, no ties", "their definition, torch-uncertainty's", 200, told(worst), "both")  # fmt: skip
    yield Row("AURC and AUGRC, ties: mean over all orders", "brute force", 20, told(tied), "askpoint; an order that the file happens to have moves a plain sum" if tied < 1e-9 else "they differ")  # fmt: skip


def _mean_over_orders(right: np.ndarray, confidence: np.ndarray, kind: str) -> float:
    import itertools

    found = []
    for order in itertools.permutations(range(len(right))):
        if all(confidence[a] >= confidence[b] for a, b in itertools.pairwise(order)):
            wrong = np.cumsum(~right[list(order)])
            divisor = np.arange(1, len(right) + 1) if kind == "aurc" else len(right)
            found.append(np.mean(wrong / divisor))
    return float(np.mean(found))


def thresholds() -> Iterator[Row]:
    """Yield the best threshold beside all thresholds, in fractions."""
    from askpoint.value.curve import ValueCurve

    rng, missed = np.random.default_rng(1), 0
    for _ in range(300):
        n = int(rng.integers(1, 40))
        right, confidence = rng.random(n) < 0.7, rng.integers(0, 20, n) / 20
        omega = Fraction(int(rng.integers(0, 200)), 10)
        chosen = ValueCurve.from_outcomes(right, confidence).threshold(float(omega))

        def worth(threshold: float) -> Fraction:
            answered = confidence >= threshold  # noqa: B023
            return int((answered & right).sum()) - omega * int((answered & ~right).sum())  # noqa: B023

        missed += worth(chosen) < max(map(worth, [*confidence.tolist(), 2.0]))
    yield Row("the best threshold at a price", "brute force in fractions", 300, f"{missed} missed", "both" if not missed else "brute force")  # fmt: skip


def weka() -> Iterator[Row]:
    """Yield posteriors of the two stand-ins that claim to be Weka's."""
    name = version("python-weka-wrapper3")
    from askpoint.papers.data_files import Data
    from askpoint.papers.interactive.nominal_sets import folds, nominal_set
    from askpoint.papers.interactive.stand_ins import stand_in_posteriors
    from askpoint.papers.interactive.weka import weka_posteriors

    data, sets = Data(str(data_folder())), ("iris", "heart", "vote", "glass")
    for classifier, title in (("NB", "naive Bayes"), ("IBk", "three nearest neighbours")):
        worst, rows = 0.0, 0
        for one in sets:
            prepared = nominal_set(data, one)
            fold = folds(prepared.y, one, 0)
            train, test = np.flatnonzero(fold != 0), np.flatnonzero(fold == 0)
            _, ours = stand_in_posteriors(classifier, prepared, train, test, np.random.default_rng(0))  # fmt: skip
            _, theirs = weka_posteriors(classifier, prepared, train, test)
            worst, rows = max(worst, float(np.abs(ours - theirs).max())), rows + len(test)
        yield Row(f"posteriors of {title}", f"Weka, {name}", rows, told(worst), "both")


ORACLES: dict[str, Callable[[], Iterator[Row]]] = {
    "independent": independent,
    "correlations": correlations,
    "crowds": crowds,
    "weka": weka,
    "intervals": intervals,
    "areas": areas,
    "thresholds": thresholds,
}


def run(names: list[str]) -> dict[str, Any]:
    """Ask the oracles; one that is missing is said to be so."""
    rows, missing = [], {}
    for name in names:
        try:
            rows += [{"part": name, **row._asdict()} for row in ORACLES[name]()]
        except Missing as why:
            missing[name] = str(why)
        print(f"{name}: {missing.get(name, 'asked')}", flush=True)
    return {"askpoint": importlib.metadata.version("askpoint"), "rows": rows, "missing": missing}


def table(found: dict[str, Any]) -> str:
    """Return the rows of a run as a table of the page."""
    lines = ["| asked | oracle | cases | greatest difference | right |", "|---|---|---|---|---|"]
    for row in found["rows"]:
        cells = (row["question"], row["oracle"], f"{row['cases']:,}", row["difference"], row["verdict"])  # fmt: skip
        lines.append(f"| {' | '.join(cells)} |")
    lines += [f"\nNot asked: {name}, since {why}." for name, why in found["missing"].items()]
    return "\n".join(lines)


def publish(found: dict[str, Any], page: Path) -> None:
    """Write the table between its marks."""
    text = page.read_text(encoding="utf-8")
    head, rest = text.split(BEGIN)
    _, tail = rest.split(END)
    page.write_text(f"{head}{BEGIN}\n\n{table(found)}\n\n{END}{tail}", encoding="utf-8")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("run", "show", "publish"))
    parser.add_argument("found", type=Path, help="JSON of a run")
    parser.add_argument("page", type=Path, nargs="?")
    parser.add_argument("--only", choices=ORACLES, nargs="+", default=list(ORACLES))
    options = parser.parse_args()
    if options.what == "run":
        text = json.dumps(run(options.only), indent=1, ensure_ascii=False)
        options.found.write_text(f"{text}\n", encoding="utf-8")
        return
    found = json.loads(options.found.read_text(encoding="utf-8"))
    if options.what == "show":
        print(table(found))
    elif options.page is None:
        parser.error("publish needs the page: publish RUN.json docs/evidence/oracles.md")
    else:
        publish(found, options.page)


if __name__ == "__main__":
    main()
