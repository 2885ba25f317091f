"""Unknown unknowns: do the intervals cover, what does Neyman save, are planted islands named?

Parts: coverage, neyman, regions, similarity, repair; all without an argument. The parts after
the first need the shared data sets, in the folder that ASKPOINT_DATA names.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
import polars as pl
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.naive_bayes import GaussianNB
from sklearn.preprocessing import StandardScaler

from askpoint.measures.cost_matrix import CostMatrix
from askpoint.unknowns.examination import ExaminationDesign, draw_examination
from askpoint.unknowns.learning import text_model
from askpoint.unknowns.population import looking_interval, population_mean
from askpoint.unknowns.regions import find_regions
from askpoint.unknowns.repair_outcomes import repair_effects
from askpoint.unknowns.retraining import REPAIRS, retrain
from askpoint.unknowns.severity import severities
from askpoint.unknowns.similarity import SimilarityClassifier

DRAWS = ("stratified", "neyman", "random")


def table(name: str) -> pl.DataFrame:
    file = Path(os.environ["ASKPOINT_DATA"], f"{name}.csv.gz")
    return pl.read_csv(file, infer_schema_length=None).with_columns(pl.col(pl.String).fill_null(""))


def features(frame: pl.DataFrame) -> np.ndarray:
    return StandardScaler().fit_transform(
        frame.to_dummies([c for c, kind in frame.schema.items() if kind == pl.String])
        .fill_null(0)
        .to_numpy()
    )


def coverage() -> None:
    """1,000 examinations of 100,000 cases; a fifth of the mistakes are unknown unknowns."""
    print("Interval coverage of the share of mistakes, 1,000 examinations each, level 95%")
    print(
        f"{'mistakes':>9} {'n':>5} {'draw':11} {'found':>6} {'covered':>8} {'width':>7} {'looking':>8} {'width':>7}"
    )
    for rate in (0.001, 0.01, 0.1):
        rng = np.random.default_rng(1)
        shape = (0.25, 6) if rate < 0.02 else (0.4, 2)
        estimated = rng.beta(*shape, 100_000) / 2
        wrong = rng.random(100_000) < 0.8 * rate * estimated / estimated.mean() + 0.2 * rate
        for n in (500, 2000):
            for method in DRAWS:
                design = ExaminationDesign(method, n)
                rows = []
                for i in range(1000):
                    drawn = draw_examination(np.arange(100_000), estimated, design, rng)
                    y = wrong[drawn.items].astype(float)
                    lower, upper = population_mean(y, drawn.bins, drawn.sizes).interval
                    low, high = 0.0, 0.0
                    if i < 200:
                        low, high = looking_interval(y, drawn.bins, drawn.planned, drawn.sizes)
                    rows.append(
                        (
                            y.sum(),
                            lower <= wrong.mean() <= upper,
                            upper - lower,
                            low <= wrong.mean() <= high,
                            high - low,
                        )
                    )
                found, held, width, _, _ = np.mean(rows, axis=0)
                _, _, _, looked, wide = np.mean(rows[:200], axis=0)
                print(
                    f"{wrong.mean():9.4f} {n:5} {method:11} {found:6.1f} {held:8.1%} {width:7.4f} {looked:8.1%} {wide:7.4f}"
                )


def scored_logs() -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Yield real sets as name, estimated cost and mistake of each case."""
    for name, model, n in (
        ("uci/adult", GaussianNB(), 10_000),
        ("uci/adult", HistGradientBoostingClassifier(random_state=0), 10_000),
        ("large/shuttle", LogisticRegression(max_iter=300), 5000),
        ("uci/letter", LogisticRegression(max_iter=300), 5000),
    ):
        frame = table(name).sample(fraction=1, shuffle=True, seed=0)
        x, y = features(frame.drop("class")), frame["class"].to_numpy()
        proba = model.fit(x[:n], y[:n]).predict_proba(x[n:])
        said = model.classes_[proba.argmax(axis=1)]
        kind = "".join(c for c in type(model).__name__ if c.isupper())
        yield f"{name} {kind}", 1 - proba.max(axis=1), said != y[n:]
    for name, sought in (("text/sms_spam", ["spam"]), ("text/davidson", ["hate", "offensive"])):
        frame = table(name).sample(fraction=1, shuffle=True, seed=0)
        y, n = frame["label"].is_in(sought).to_numpy(), len(frame) // 3
        tfidf = TfidfVectorizer(min_df=2, sublinear_tf=True)
        model = LogisticRegression(C=10).fit(tfidf.fit_transform(frame["text"][:n]), y[:n])
        p = model.predict_proba(tfidf.transform(frame["text"][n:]))[:, 1]
        yield name, np.minimum(p, 1 - p), (p > 0.5) != y[n:]


def mean_width(
    estimated: np.ndarray, wrong: np.ndarray, design: ExaminationDesign
) -> tuple[float, float]:
    rng = np.random.default_rng(2)
    widths, judged = [], []
    for _ in range(30):
        drawn = draw_examination(np.arange(len(wrong)), estimated, design, rng)
        y = wrong[drawn.items].astype(float)
        lower, upper = population_mean(y, drawn.bins, drawn.sizes).interval
        widths.append(upper - lower)
        judged.append(len(y))
    return float(np.mean(widths)), float(np.mean(judged))


def neyman() -> None:
    print("Cases to judge for the same mean width of the interval: equal bins, and Neyman")
    print(
        f"{'log':24} {'cases':>6} {'mistakes':>8} {'equal':>6} {'width':>7} {'neyman':>7} {'ratio':>6}"
    )
    for name, estimated, wrong in scored_logs():
        for n in (300, 1000):
            width, judged = mean_width(estimated, wrong, ExaminationDesign("stratified", n))
            low, high = 20, int(2 * judged)
            while high - low > 10:
                middle = (low + high) // 2
                if mean_width(estimated, wrong, ExaminationDesign("neyman", middle))[0] > width:
                    low = middle
                else:
                    high = middle
            print(
                f"{name:24} {len(wrong):6} {wrong.mean():8.4f} {judged:6.0f} {width:7.4f} {high:7} {judged / high:6.2f}"
            )


def text_trials(planted: bool, n: int) -> Iterator[tuple[str, bool, int, float]]:
    """A model trained on HateXplain, in a stream of it, with the toxic texts of a ToxiGen group."""
    stream = table("text/hatexplain").filter(pl.col("label").is_in(["normal", "hatespeech"]))
    islands = table("text/toxigen_annotated").filter(pl.col("label") == "toxic")
    groups = sorted(islands["group"].unique())
    words, hateful = stream["text"].to_numpy(), (stream["label"] == "hatespeech").to_numpy()
    for seed in range(n):
        rng = np.random.default_rng(seed)
        group = groups[seed % len(groups)]
        train, rest = np.split(rng.permutation(len(words))[:12_000], [8000])
        tfidf = TfidfVectorizer(min_df=2, ngram_range=(1, 2), sublinear_tf=True)
        model = LogisticRegression(C=5, max_iter=500).fit(
            tfidf.fit_transform(words[train]), hateful[train]
        )
        texts, truth = words[rest], hateful[rest]
        island = np.zeros(len(texts), dtype=bool)
        if planted:
            more = islands.filter(pl.col("group") == group)["text"].to_numpy()
            texts, truth = np.append(texts, more), np.append(truth, np.ones(len(more), bool))
            island = np.append(island, np.ones(len(more), bool))
        proba = model.predict_proba(tfidf.transform(texts))
        yield from one_trial(group, proba, truth, island, rng, texts={"text": list(texts)})


def adult_trials(planted: bool, n: int) -> Iterator[tuple[str, bool, int, float]]:
    """A model of adult that saw no rich case of one slice, in a stream that has them."""
    frame = table("uci/adult")
    rich = (frame["class"] == sorted(frame["class"].unique())[1]).to_numpy()
    columns = {name: frame[name].to_numpy() for name in frame.columns if name != "class"}
    x = features(frame.drop("class"))
    slices = [
        (name, value)
        for name, values in columns.items()
        if values.dtype == object
        for value in sorted(set(values) - {""})
        if 1000 <= (values == value).sum() <= 12_000 and rich[values == value].mean() > 0.25
    ]
    for seed in range(n):
        rng = np.random.default_rng(seed)
        name, value = slices[seed % len(slices)]
        inside = columns[name] == value
        train, rest = np.split(rng.permutation(len(rich))[:20_000], [12_000])
        if planted:
            train = train[~(inside & rich)[train]]
        model = (
            HistGradientBoostingClassifier(max_iter=40, random_state=0)
            if seed % 2
            else LogisticRegression(C=0.1)
        )
        proba = model.fit(x[train], rich[train]).predict_proba(x[rest])
        seen = {key: values[rest] for key, values in columns.items()}
        yield from one_trial(f"{name}={value}", proba, rich[rest], inside[rest], rng, columns=seen)


def one_trial(
    name, proba, truth, island, rng, columns=None, texts=None
) -> Iterator[tuple[str, bool, int, float]]:
    decided = proba[:, 1] > 0.5
    start = perf_counter()
    found = find_regions(
        proba, CostMatrix.zero_one([False, True]), decided, truth, rng, columns=columns, texts=texts
    )
    took = perf_counter() - start
    wrong = decided != truth
    # named: most of the region's mistakes are the island's
    named = False
    for region in found.confirmed[:3]:
        rows = region.holds(columns or {}, texts or {})
        named |= bool(island[rows][wrong[rows]].mean() > 0.5)
    yield name, named, len(found.confirmed), took


def regions() -> None:
    print("Planted islands: named among the first three regions; and regions where none is planted")
    print(f"{'trials':>22} {'named':>7} {'regions':>8} {'no region':>10} {'s a search':>11}")
    for kind, trials in (("ToxiGen in HateXplain", text_trials), ("slices of adult", adult_trials)):
        for planted in (True, False):
            rows = list(trials(planted, 50))
            named, n, took = np.mean([row[1:] for row in rows], axis=0)
            none = np.mean([row[2] == 0 for row in rows])
            print(
                f"{kind if planted else 'without':>22} {named:7.0%} {n:8.2f} {none:10.0%} {took:11.2f}"
            )
            missed = sorted(row[0] for row in rows if not row[1])
            if planted and missed:
                print(f"{'':>22} not named: {', '.join(missed)}")


def similarity() -> None:
    print("Similarity, 5 examples of a kind against 100 other texts: AUC on the rest")
    check = table("text/hatecheck")
    identities = "trans people|trans person|trans wom[ae]n|trans|women|woman|black people|black person|blacks?|disabled people|disabled person|disabled|gay people|gay person|gays?|muslim people|muslim person|muslims?|immigrants?"
    masked = [re.sub(rf"\ban? X\b|\b({identities})\b", "X", text.lower()) for text in check["text"]]
    toxic = table("text/toxigen_annotated")
    kinds = {
        "HateCheck templates": (check["text"], masked, 7),
        "HateCheck functionalities": (check["text"], check["functionality"], 20),
        "HateCheck target groups": (check["text"], check["group"], 20),
        "ToxiGen groups": (toxic["text"], toxic["group"], 20),
    }
    print(
        f"{'kinds':26} {'n':>3} {'AUC':>6} {'s same':>7} {'s other':>8} {'learn ms':>9} {'score ms':>9}"
    )
    for name, (texts, kind, least) in kinds.items():
        text, of = np.array(list(texts), dtype=object), np.array(list(kind))
        names, counts = np.unique(of, return_counts=True)
        names = names[(counts >= least) & (names != "")]
        rng = np.random.default_rng(0)
        rows = []
        for one in rng.choice(names, min(40, len(names)), replace=False):
            mine, others = rng.permutation(text[of == one]), rng.permutation(text[of != one])
            start = process_time()
            classifier = SimilarityClassifier(mine[:5].tolist(), others[:100].tolist())
            learned = process_time()
            tests = [*mine[5:], *others[100:400]]
            scores = np.array([classifier.similarities([test]).scores[0] for test in tests])
            took = process_time() - learned
            same = np.arange(len(tests)) < len(mine) - 5
            rows.append(
                (
                    roc_auc_score(same, scores),
                    np.median(scores[same]),
                    np.median(scores[~same]),
                    1000 * (learned - start),
                    1000 * took / len(tests),
                )
            )
        area, same_s, other_s, learn, score = np.mean(rows, axis=0)
        print(
            f"{name:26} {len(rows):3} {area:6.3f} {same_s:7.2f} {other_s:8.2f} {learn:9.1f} {score:9.2f}"
        )


def repair() -> None:
    print("Retraining on 60 found texts of each of 6 ToxiGen groups: mistakes before and after")
    stream = table("text/hatexplain").filter(pl.col("label").is_in(["normal", "hatespeech"]))
    toxic = table("text/toxigen_annotated").filter(pl.col("label") == "toxic")
    groups = sorted(toxic["group"].unique())
    words, hateful = stream["text"].to_numpy(), (stream["label"] == "hatespeech").to_numpy()
    rng = np.random.default_rng(0)
    train, rest = np.split(rng.permutation(len(words))[:12_000], [8000])
    model = text_model().fit(words[train], hateful[train])
    texts = {
        group: rng.permutation(toxic.filter(pl.col("group") == group)["text"].to_numpy())
        for group in groups
    }
    found = np.concatenate([texts[group][:60] for group in groups[:6]])
    costs = CostMatrix.zero_one([False, True])
    proba = model.predict_proba(found)
    severe = severities(proba, costs, proba[:, 1] > 0.5, np.ones(len(found), bool))
    sets = {
        "stream": (words[rest], hateful[rest]),
        "found islands": tuple_of(np.concatenate([texts[group][60:] for group in groups[:6]])),
        "other islands": tuple_of(np.concatenate([texts[group] for group in groups[6:]])),
    }
    print(
        f"{'repair':>20} {'cases':14} {'n':>5} {'before':>7} {'after':>7} {'mended':>7} {'broken':>7} {'harm':>5}"
    )
    unbounded = {"cap": 50.0, "share": 0.9}
    for method, limits in [*((name, {}) for name in REPAIRS), ("capped", unbounded)]:
        better = retrain(
            model,
            words[train],
            hateful[train],
            found,
            np.ones(len(found), bool),
            rng,
            method=method,
            severities=severe,
            **limits,
        )
        for effect in repair_effects(model, better, sets, costs):
            name = f"{method}{' (cap 50, 90%)' if limits else ''}"
            print(
                f"{name:>20} {effect.name:14} {effect.n_cases:5} {effect.mistakes_before:7.3f} {effect.mistakes_after:7.3f} {effect.mended:7} {effect.broken:7} {'yes' if effect.harm else 'no':>5}"
            )


def tuple_of(texts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return texts, np.ones(len(texts), dtype=bool)


PARTS = {part.__name__: part for part in (coverage, neyman, regions, similarity, repair)}

if __name__ == "__main__":
    for name in sys.argv[1:] or PARTS:
        if name != "coverage" and not os.environ.get("ASKPOINT_DATA"):
            print(f"{name}: skipped, ASKPOINT_DATA names no folder of shared data")
            continue
        PARTS[name]()
        print()
