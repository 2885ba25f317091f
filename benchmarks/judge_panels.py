"""Panels of judges whose truth is known: simulated, of crowds, of language models, of classifiers."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl
from simulated_panels import PANEL_WORLDS, simulate_panel
from sklearn.linear_model import LogisticRegression

from askpoint.judges.sketch.tables import VoteTable, table_from_frame

TWO_LABELS = ["bluebird", "rte", "temporal", "trec", "product", "movie_sentiment", "hit_spam"]
MORE_LABELS = ["dog", "weather_sentiment", "web", "adult_content"]
BASE_MODELS = ("ChatGPT", "GPT-4", "PaLM2", "LLaMA2", "Falcon")
CLASSIFIERS = {
    "twonorm": ("large/twonorm", None),
    "mushroom": ("uci/mushroom", None),
    "adult": ("uci/adult", None),
    "german": ("uci/german", None),
    "letter": ("uci/letter", "A"),
    "satimage": ("uci/satimage", None),
    "nursery": ("uci/nursery", None),
    "chess": ("uci/chess", None),
}
Panel = tuple[np.ndarray, np.ndarray, int]  # votes, truth, number of labels


def folder() -> Path | None:
    found = os.environ.get("ASKPOINT_DATA")
    return Path(found) if found else None


def table_with_gold(name: str) -> tuple[VoteTable, np.ndarray]:
    """Votes on the tasks with gold, and their truth; `name` is folder and set."""
    path = Path(os.environ["ASKPOINT_DATA"], name)
    votes = pl.read_csv(f"{path}.csv.gz", infer_schema=False)
    gold = pl.read_csv(f"{path}.gold.csv.gz", infer_schema=False)
    labels = sorted(set(gold["label"]))
    if path.parent.name == "crowd":
        labels = sorted({*labels, *votes["label"]})
    votes = votes.filter(pl.col("label").is_in(labels))
    table = table_from_frame(
        votes, worker="worker", task="task", label="label", labels=labels, repeats="last"
    )
    known = dict(zip(gold["task"], gold["label"], strict=True))
    rows = [i for i, task in enumerate(table.tasks) if task in known]
    truth = np.array([labels.index(known[table.tasks[i]]) for i in rows])
    codes = table.codes[rows]
    voted = (codes >= 0).any(axis=0)
    judges = tuple(j for j, v in zip(table.judges, voted, strict=True) if v)
    return VoteTable(
        tuple(table.tasks[i] for i in rows), judges, table.labels, codes[:, voted]
    ), truth


def crowd(name: str) -> Panel:
    table, truth = table_with_gold(f"crowd/{name}")
    return table.codes, truth, len(table.labels)


def language_models() -> Iterator[tuple[str, Panel]]:
    table, truth = table_with_gold("panels/llmbar")
    for k in (5, 3):
        places = [table.judges.index(f"{model}|Vanilla|AB") for model in BASE_MODELS[:k]]
        yield f"llmbar{k}", (table.codes[:, places], truth, 2)
    table, truth = table_with_gold("panels/rewardbench2")
    yield "rewardbench9", (table.codes, truth, 2)
    table, truth = table_with_gold("panels/llmjudge_trec")
    codes = np.where(table.codes < 0, -1, (table.codes >= 2).astype(np.int16))
    yield "trec33 0-1/2-3", (codes, (truth >= 2).astype(int), 2)


def language_models_of_more_labels() -> Iterator[tuple[str, Panel]]:
    for name in ("pandalm", "llmjudge_trec"):
        table, truth = table_with_gold(f"panels/{name}")
        yield name, (table.codes, truth, len(table.labels))


def columns(name: str, positive: str | None = None) -> tuple[list[np.ndarray], np.ndarray]:
    """The features of a set, each as a block of numbers, and whether it is of a class."""
    frame = pl.read_csv(
        Path(os.environ["ASKPOINT_DATA"], f"{name}.csv.gz"), infer_schema_length=None
    )
    classes = frame["class"].cast(pl.String)
    y = classes.to_numpy() == (sorted(set(classes))[1] if positive is None else positive)
    blocks = []
    for series in frame.drop("class"):
        number = series.cast(pl.String).str.strip_chars().cast(pl.Float64, strict=False)
        if number.null_count() > len(number) / 10:
            blocks.append(series.fill_null("?").to_dummies().to_numpy().astype(float))
        else:
            x = number.fill_null(0).to_numpy()[:, None]
            blocks.append((x - x.mean()) / (x.std() + 1e-9))
    return blocks, y.astype(int)


def classifiers(name: str, k: int, seed: int = 0) -> Panel:
    """Logistic regressions on disjoint random parts of features and of rows, on other rows."""
    blocks, y = columns(*CLASSIFIERS[name])
    rng = np.random.default_rng(seed)
    parts = np.array_split(rng.permutation(len(blocks)), k)
    rows = rng.permutation(len(y))[:6000]
    train, test = np.split(rows, [len(rows) // 2])
    votes = []
    for part, of in zip(parts, np.array_split(train, k), strict=True):
        x = np.hstack([blocks[i] for i in part])
        if len(set(y[of])) == 1:
            votes.append(np.full(len(test), y[of][0]))
        else:
            votes.append(LogisticRegression(max_iter=200).fit(x[of], y[of]).predict(x[test]))
    return np.column_stack(votes).astype(np.int16), y[test], 2


def panels(quick: bool = False) -> Iterator[tuple[str, Panel]]:
    """All panels of two labels that are at hand."""
    worlds = ("indep5", "hard5", "rare5") if quick else PANEL_WORLDS
    for seed, name in enumerate(worlds):
        panel = simulate_panel(PANEL_WORLDS[name], np.random.default_rng(seed))
        yield name, (panel.votes, panel.truth, 2)
    if folder() is None:
        return
    for name in TWO_LABELS[:2] if quick else TWO_LABELS:
        yield name, crowd(name)
    yield from list(language_models())[: 1 if quick else None]
    for name in ("adult",) if quick else CLASSIFIERS:
        yield f"{name},5", classifiers(name, 5)
        if name in ("mushroom", "adult") and not quick:
            yield f"{name},3", classifiers(name, 3)


def panels_of_more_labels() -> Iterator[tuple[str, Panel]]:
    """All panels of more than two labels that are at hand."""
    if folder() is not None:
        for name in MORE_LABELS:
            yield name, crowd(name)
        yield from language_models_of_more_labels()
