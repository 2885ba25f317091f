"""Cases for a simulated crowd: what a model learns from, new cases, and islands it never saw.

Tables with the columns text, truth, topic and role ("train", "known" or "island").
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from askpoint.errors import InputError

__all__ = ["digit_cases", "hate_cases"]

_DIGIT_ISLANDS = (7, 9)
_STYLES = 6  # ways of writing an island's digit: each a topic of its own
_KNOWN_KINDS = 5
_SHADES = "0123456789abcdefg"
_SHIFTS = ((0, 0), (0, -1), (0, 1), (-1, 0), (1, 0))
_SEED = 0  # the same topics for everybody


def digit_cases() -> pl.DataFrame:
    """Handwritten digits, low (0 to 4) or high (5 to 9), without a 7 or a 9 to learn from.

    Six ways of writing a 7 and six of writing a 9 are the islands. New images come as they are
    and a pixel further left, right, up and down, so that there are enough of them.

    Returns
    -------
    polars.DataFrame
        A text is an image, one digit to base 17 for each of 64 pixels.

    References
    ----------
    Optical Recognition of Handwritten Digits, UCI repository, as shipped with scikit-learn.

    Examples
    --------
    >>> from askpoint.records.islands import digit_cases
    >>> cases = digit_cases()
    >>> cases.height, sorted(cases["role"].unique())
    (5645, ['island', 'known', 'train'])
    """
    from sklearn.datasets import load_digits

    data = load_digits()
    digits = np.asarray(data.target)
    topics = np.full(len(digits), "", dtype=object)
    for digit in range(5, 10):
        rows = np.flatnonzero(digits == digit)
        if digit in _DIGIT_ISLANDS:
            styles = _clusters(data.data[rows], _STYLES)
            topics[rows] = [f"{digit}, style {style + 1}" for style in styles]
        else:
            topics[rows] = str(digit)
    island = np.isin(digits, _DIGIT_ISLANDS)
    train = np.random.Generator(np.random.PCG64(_SEED)).random(len(digits)) < 0.6
    roles = np.where(island, "island", np.where(train, "train", "known"))
    cases = []
    for image, digit, topic, role in zip(data.images, digits, topics, roles, strict=True):
        for shift in _SHIFTS[: 1 if role == "train" else None]:
            shades = np.roll(image, shift, axis=(0, 1)).astype(int).ravel()
            text = "".join(_SHADES[shade] for shade in shades)
            cases.append((text, "high" if digit >= 5 else "low", topic, role))
    columns = ["text", "truth", "topic", "role"]
    return pl.DataFrame(cases, columns, orient="row").unique(
        "text", keep="first", maintain_order=True
    )


def hate_cases(folder: str | Path) -> pl.DataFrame:
    """Posts of Gab and Twitter to learn from, and statements about 13 groups as islands.

    HateXplain's training posts are learned from, its other posts are new ones of known kinds
    (hate falls into five topics by its words), ToxiGen's statements are the islands; benign
    statements about the same groups stand beside them.

    Parameters
    ----------
    folder : str or path
        Holds ``text/hatexplain.csv.gz`` and ``text/toxigen_annotated.csv.gz``, or these two
        files themselves.

    Returns
    -------
    polars.DataFrame

    Raises
    ------
    InputError
        If a file is not there, can not be read or lacks a column.

    References
    ----------
    Mathew et al., "HateXplain", AAAI 2021; Hartvigsen et al., "ToxiGen", ACL 2022.
    """
    posts = _read(folder, "hatexplain.csv.gz", ("text", "label", "split"))
    posts = posts.filter(pl.col("label").is_in(["normal", "hatespeech"]))
    hate = posts["label"].to_numpy() == "hatespeech"
    train = posts["split"].to_numpy() == "train"
    topics = np.full(posts.height, "", dtype=object)
    if hate.any():
        kinds = _clusters(_words(posts["text"].filter(pl.Series(hate)).to_list()), _KNOWN_KINDS)
        topics[hate] = [f"posts, kind {kind + 1}" for kind in kinds]
    known = pl.DataFrame(
        {
            "text": posts["text"],
            "truth": np.where(hate, "hate", "normal").tolist(),
            "topic": topics.tolist(),
            "role": np.where(train, "train", "known").tolist(),
        }
    )
    said = _read(folder, "toxigen_annotated.csv.gz", ("text", "label", "group"))
    islands = said.select(
        "text",
        truth=pl.when(pl.col("label") == "toxic").then(pl.lit("hate")).otherwise(pl.lit("normal")),
        topic="group",
        role=pl.lit("island"),
    )
    # a text that came up before would be refused as a duplicate of another case
    return pl.concat([known, islands]).unique("text", keep="first", maintain_order=True)


def _read(folder: str | Path, name: str, columns: tuple[str, ...]) -> pl.DataFrame:
    places = [Path(folder) / "text" / name, Path(folder) / name]
    place = next((place for place in places if place.is_file()), None)
    if place is None:
        raise InputError(
            f"there is no {name} in {folder} or in its folder text; leave --data out to play on "
            "digits that scikit-learn ships"
        )
    try:
        table = pl.read_csv(place, infer_schema=False)
    except (pl.exceptions.PolarsError, OSError, EOFError) as error:
        raise InputError(f"{place} can not be read as a compressed CSV file: {error}") from None
    lacking = [column for column in columns if column not in table.columns]
    if lacking:
        raise InputError(
            f"{place} needs the columns {', '.join(columns)}; it lacks {', '.join(lacking)}"
        )
    return table.select(columns).filter(pl.col("text").str.strip_chars() != "").drop_nulls()


def _words(texts: list[str]) -> Any:
    from sklearn.feature_extraction.text import TfidfVectorizer

    return TfidfVectorizer(max_features=2000, stop_words="english").fit_transform(texts)


def _clusters(points: Any, k: int) -> list[int]:
    from sklearn.cluster import KMeans

    k = min(k, points.shape[0])
    labels: list[int] = KMeans(k, n_init=3, random_state=_SEED).fit_predict(points).tolist()
    return labels
