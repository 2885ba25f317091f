"""The last of the paper's open questions: answers that say why ("arguments"), and what they add to a label."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import polars as pl

from askpoint.measures.inputs import BoolArray, FloatArray, IntArray
from askpoint.papers.data_files import Data
from askpoint.papers.grid import Configuration, Rows
from askpoint.papers.paper import PaperTable
from askpoint.reports.document import Block, Grid, Paragraph

__all__ = [
    "FIRST_POSTS",
    "REASONS",
    "compare_reasons",
    "hate_weights",
    "mark_words",
    "reason_cells",
    "reason_grid",
    "two_classes",
    "weigh_words",
]

FIRST_POSTS = 200
"""Posts that are learned before the stream begins."""

_RHO = 0.2
_PARTS = 10
_WORDS = 5  # of a reason, in a post of some 20
_CONTRAST = 0.3  # what a post without its reason weighs, chosen on other draws of these posts
_NEVER, _LABELS = "never", "labels"
_REASONS = {
    "reasons, as short posts": (0.0, False),
    "reasons, and posts without them": (0.0, True),
    "the same, 3 words of 10 by chance": (0.3, True),
    "the same, all words by chance": (1.0, True),
}
"""Share of words that are drawn by chance, and whether a post without its reason counts as a normal one."""


def reason_cells(quick: bool) -> list[Configuration]:
    """Draws of a stream of posts."""
    draws, stream = (2, 500) if quick else (20, 3000)
    return [{"draw": draw, "stream": stream} for draw in range(draws)]


def two_classes(data: Data) -> pl.DataFrame:
    """Return HateXplain's posts that are hateful or normal."""
    return (
        data.frame("hatexplain")
        .filter(pl.col("label").is_in(["normal", "hatespeech"]))
        .unique("text", keep="first", maintain_order=True)
    )


def weigh_words(posts: pl.DataFrame) -> tuple[Any, Any, BoolArray]:
    """Return the words' vectoriser, the weight of each word in each post, and which posts are hateful."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    vectoriser = TfidfVectorizer(sublinear_tf=True, min_df=2)
    words = vectoriser.fit_transform(posts["text"].to_list())
    return vectoriser, words, (posts["label"] == "hatespeech").to_numpy()


def _work(cell: Configuration, rng: np.random.Generator, *, data: Data) -> Rows:
    """Stream posts; those asked bring a label, or a label with the words that speak for it."""
    posts = two_classes(data)
    _, words, hateful = weigh_words(posts)
    order = rng.permutation(len(posts))
    words, hateful = words[order], hateful[order]
    n = FIRST_POSTS + int(cell["stream"])
    weight = hate_weights(words[n:], hateful[n:])
    marked = {
        way: (mark_words(words[:n], weight, by_chance, rng), contrast)
        for way, (by_chance, contrast) in _REASONS.items()
    }
    return compare_reasons(words[:n], hateful[:n], marked)


def compare_reasons(
    words: Any, hateful: BoolArray, marked: Mapping[str, tuple[Any, bool]]
) -> list[dict[str, object]]:
    """Learn a stream from nothing, from labels, and from labels with each kind of marks."""
    rows: list[dict[str, object]] = [
        {"way": way, **_learn_stream(words, hateful, learns=way != _NEVER)}
        for way in (_NEVER, _LABELS)
    ]
    for way, (marks, contrast) in marked.items():
        rows.append({"way": way, **_learn_stream(words, hateful, marks, contrast=contrast)})
    return rows


def hate_weights(words: Any, hateful: BoolArray) -> FloatArray:
    """Return how much each word speaks for hate in a model of posts."""
    weights: FloatArray = _fit(words, hateful).coef_[0]
    return weights


def mark_words(words: Any, weight: FloatArray, by_chance: float, rng: np.random.Generator) -> Any:
    """Mark in each text the words that most speak for hate, some of them in place of others by chance."""
    from scipy.sparse import csr_array

    marked: list[IntArray] = []
    for begin, end in zip(words.indptr[:-1], words.indptr[1:], strict=True):
        there, value = words.indices[begin:end], words.data[begin:end]
        best = there[np.argsort(-value * weight[there], kind="stable")[:_WORDS]].astype(np.int64)
        swapped = rng.random(len(best)) < by_chance
        best[swapped] = rng.choice(there, int(swapped.sum()))
        marked.append(np.unique(best))
    rows = np.repeat(np.arange(len(marked)), [len(one) for one in marked])
    return csr_array((np.ones(len(rows)), (rows, np.concatenate(marked))), shape=words.shape)


def _learn_stream(
    words: Any,
    hateful: BoolArray,
    marks: Any = None,
    *,
    contrast: bool = False,
    learns: bool = True,
) -> dict[str, float]:
    known, asked, accuracy = np.arange(FIRST_POSTS), 0, 0.0
    profits: list[float] = []
    for part in np.array_split(np.arange(FIRST_POSTS, len(hateful)), _PARTS):
        model = _fit_with_reasons(words, hateful, known, marks, contrast=contrast)
        p = model.predict_proba(words[part])
        right = model.classes_[p.argmax(axis=1)] == hateful[part]
        accuracy = float(right.mean())
        answered = p.max(axis=1) >= 1 - _RHO
        profits.append(float((right & answered).mean() + (1 - _RHO) * (~answered).mean()))
        asked += int((~answered).sum())
        if learns:
            known = np.concatenate([known, part[~answered]])
    return {
        "profit": float(np.mean(profits)),
        "asked": asked / (len(hateful) - FIRST_POSTS),
        "last_accuracy": accuracy,
    }


def _fit_with_reasons(
    words: Any, hateful: BoolArray, known: IntArray, marks: Any, *, contrast: bool
) -> Any:
    """Learn posts; the reason of a hateful one counts as a short post, and what is left of it as a normal one."""
    from scipy.sparse import vstack

    if marks is None:
        return _fit(words[known], hateful[known])
    spoken = known[hateful[known]]  # nobody says why a post is normal
    reasons = words[spoken].multiply(marks[spoken])
    parts, y, weight = [words[known], reasons], [hateful[known], hateful[spoken]], [1.0, 1.0]
    if contrast:
        parts.append(words[spoken] - reasons)
        y.append(~hateful[spoken])
        weight[1:] = [_CONTRAST, _CONTRAST]
    weights = np.repeat(weight, [len(one) for one in y])
    return _fit(vstack(parts).tocsr(), np.concatenate(y), weights)


def _fit(x: Any, y: BoolArray, weight: FloatArray | None = None) -> Any:
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=10.0, class_weight="balanced", max_iter=1000)
    return model.fit(x, y, sample_weight=weight)


def reason_grid(rows: pl.DataFrame) -> Grid:
    """Lay what each way of learning brings beside labels alone."""
    beside = rows
    for way, name in ((_NEVER, "without"), (_LABELS, "plain")):
        alone = rows.filter(pl.col("way") == way).select("draw", pl.col("profit").alias(name))
        beside = beside.join(alone, on="draw", maintain_order="left")
    lines = []
    for (way,), part in beside.group_by("way", maintain_order=True):
        asked = part["asked"].to_numpy()
        gained = (part["profit"] - part["without"]).to_numpy() / asked
        added = (part["profit"] - part["plain"]).to_numpy()
        lines.append(
            (
                str(way),
                *(
                    f"{part[name].to_numpy().mean():.4f}"
                    for name in ("profit", "asked", "last_accuracy")
                ),
                "–" if way == _NEVER else f"{gained.mean():.4f}",
                "–" if way in (_NEVER, _LABELS) else _with_error(added),
            )
        )
    return Grid(
        f"EP at rho = {_RHO} over {int(rows['stream'][0]):,} posts, by what is learned from those asked",
        ("", "EP", "asked", "accuracy at the end", "EP gained per asked label", "EP above labels"),
        tuple(lines),
        f"HateXplain, hateful or normal: words and logistic regression from {FIRST_POSTS} posts, the rest in {_PARTS} parts; who "
        f"is less sure than {1 - _RHO:g} is asked. Means of {rows['draw'].n_unique()} draws; ± spans 95% of the draws' mean.",
    )


def _blocks(rows: pl.DataFrame) -> Iterator[Block]:
    yield reason_grid(rows)
    yield Paragraph(
        f"These reasons are simulated: of each hateful post the {_WORDS} words that speak most for it in a model that learned "
        "all other posts. askpoint papers run interactive marked-reasons takes those that people marked. Words drawn by "
        "chance from the same posts tell what the additional rows do by themselves."
    )


def _with_error(values: FloatArray) -> str:
    if len(values) < 2:
        return f"{values.mean():+.4f}"
    error = 1.96 * values.std(ddof=1) / np.sqrt(len(values))
    return f"{values.mean():+.4f} ± {error:.4f}"


REASONS = PaperTable(
    name="reasons",
    title="Open question: labels with reasons",
    cells=reason_cells,
    work=_work,
    blocks=_blocks,
    data=("hatexplain",),
)
