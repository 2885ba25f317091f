"""Cases for the simulated crowd: hateful texts from a folder of data, or scikit-learn's digits.

A table of cases has the columns text, label, topic and role: "train" for what a model learns
from, "known" for new cases of the same kinds, "island" for kinds that it never sees.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from askpoint.errors import LogError, UnknownColumnError
from askpoint.records.tables import open_table

__all__ = ["digit_cases", "hate_cases"]

_N_TOPICS = 13


def _styles(vectors: Any, n_styles: int) -> Any:
    """Cut cases into topics: groups of like ones, numbered."""
    from sklearn.cluster import KMeans

    return KMeans(n_styles, n_init=4, random_state=0).fit_predict(vectors)


def digit_cases() -> pl.DataFrame:
    """Handwritten digits below five and of five or more; sevens and nines are islands.

    Each of the 1,797 images of 8 x 8 pixels comes five times: as it is, and moved by one
    pixel in each direction. A text holds one digit to base 17 for each pixel.

    References
    ----------
    Optical Recognition of Handwritten Digits, UCI repository, as shipped with scikit-learn.
    """
    from sklearn.datasets import load_digits

    data = load_digits()
    y = data.target
    first = np.random.default_rng(0).permutation(len(y)) < len(y) // 2
    island = np.isin(y, [7, 9])
    role = np.where(island, "island", np.where(first, "train", "known"))
    topic = np.full(len(y), "", dtype=object)
    for digit, n_styles in {5: 2, 6: 2, 7: 3, 8: 2, 9: 3}.items():
        rows = np.flatnonzero(y == digit)
        topic[rows] = [f"{digit} style {style}" for style in _styles(data.data[rows], n_styles)]
    padded = np.pad(data.images.astype(int), ((0, 0), (1, 1), (1, 1)))
    frames = [
        pl.DataFrame(
            {
                "text": [
                    "".join("0123456789abcdefg"[shade] for shade in image.ravel())
                    for image in padded[:, down : down + 8, right : right + 8]
                ],
                "label": np.where(y < 5, "low", "high"),
                "topic": topic,
                "role": role,
            }
        )
        for down, right in ((1, 1), (0, 1), (2, 1), (1, 0), (1, 2))
    ]
    return pl.concat(frames).unique("text", keep="first", maintain_order=True)


def hate_cases(folder: str | Path) -> pl.DataFrame:
    """Posts with hate or without, and texts on 13 groups of people as islands.

    Every second post is for training.

    References
    ----------
    Mathew et al., "HateXplain", AAAI 2021; Hartvigsen et al., "ToxiGen", ACL 2022.
    """
    posts = _table(folder, "hatexplain", ["text", "label"])
    island = _table(folder, "toxigen_annotated", ["text", "label", "group"])
    posts = (
        posts.filter(pl.col("label").is_in(["normal", "hatespeech"]))
        .unique("text", keep="first", maintain_order=True)
        .with_row_index()
        .select(
            "text",
            label=pl.when(label="normal").then(pl.lit("normal")).otherwise(pl.lit("hate")),
            topic=pl.lit(""),
            role=pl.when(pl.col("index") % 2 == 0).then(pl.lit("train")).otherwise(pl.lit("known")),
        )
    )
    known = (pl.col("label") == "hate") & (pl.col("role") == "known")
    texts = posts.filter(known)["text"].to_list()
    if len(texts) < 10 * _N_TOPICS:
        raise LogError(
            f"{len(texts)} hateful posts besides those for training are too few to be cut into "
            f"{_N_TOPICS} topics; hatexplain.csv.gz must hold at least {20 * _N_TOPICS} in all"
        )
    topics = pl.Series(
        "topic", [f"known {style}" for style in _styles(_meanings(texts), _N_TOPICS)]
    )
    island = island.select(
        "text",
        label=pl.when(label="toxic").then(pl.lit("hate")).otherwise(pl.lit("normal")),
        topic=pl.col("group"),
        role=pl.lit("island"),
    )
    cut = posts.filter(known).with_columns(topics)
    return pl.concat([posts.filter(~known), cut, island]).unique(
        "text", keep="first", maintain_order=True
    )


def _meanings(texts: list[str]) -> Any:
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import Normalizer

    words = TfidfVectorizer(stop_words="english", sublinear_tf=True, min_df=3)
    axes = make_pipeline(words, TruncatedSVD(50, random_state=0), Normalizer())
    return axes.fit_transform(texts)


def _table(folder: str | Path, name: str, columns: list[str]) -> pl.DataFrame:
    path = Path(folder, "text", f"{name}.csv.gz")
    if not path.is_file():
        raise LogError(
            f"{path} is missing: the crowd plays on HateXplain and ToxiGen in that folder, or "
            "without a folder on scikit-learn's digits"
        )
    table = open_table(path)
    for column in columns:
        if column not in table.columns:
            raise UnknownColumnError(column, table.columns)
    return table.read(columns)
