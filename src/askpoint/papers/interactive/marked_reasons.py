"""Labels with the reasons that people marked: the words of HateXplain's hateful posts, by its annotators."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from askpoint.measures.inputs import IntArray
from askpoint.papers.data_files import Data
from askpoint.papers.grid import Configuration, Rows
from askpoint.papers.interactive.labels_with_reasons import (
    FIRST_POSTS,
    compare_reasons,
    hate_weights,
    mark_words,
    reason_cells,
    reason_grid,
    two_classes,
    weigh_words,
)
from askpoint.papers.paper import PaperTable
from askpoint.reports.document import Block, Paragraph

__all__ = ["MARKED_REASONS"]

_FILES = tuple(f"{part}_split{n}" for part in ("test", "val") for n in (1, 2, 3))


def _marked_texts(frames: Iterable[pl.DataFrame]) -> dict[str, list[str]]:
    """Return the marked pieces of each post, by its identifier; a normal post has none."""
    marked: dict[str, list[str]] = {}
    for frame in frames:
        for post, groups in frame.select("annotation_id", "evidences").iter_rows():
            marked[post] = [piece["text"] for group in groups for piece in group]
    return marked


def _work(cell: Configuration, rng: np.random.Generator, *, data: Data) -> Rows:
    """Stream posts whose reasons people marked; all others teach the model that marks in their place."""
    posts = two_classes(data)
    pieces = _marked_texts(map(data.frame, _FILES))
    vectoriser, words, hateful = weigh_words(posts)
    ids = posts["post_id"].to_list()
    order = rng.permutation(len(posts))
    has_marks = np.array([ids[place] in pieces for place in order])
    n = FIRST_POSTS + int(cell["stream"])
    stream = order[has_marks][:n]
    others = np.setdiff1d(order, stream)
    streamed = words[stream]
    people = _mark_pieces(streamed, [pieces[ids[place]] for place in stream], vectoriser)
    weight = hate_weights(words[others], hateful[others])
    marked: Mapping[str, tuple[Any, bool]] = {
        "people's reasons, as short posts": (people, False),
        "people's reasons, and posts without them": (people, True),
        "as many words by chance, and posts without them": (_shuffle(streamed, people, rng), True),
        "a model's five words, and posts without them": (
            mark_words(streamed, weight, 0.0, rng),
            True,
        ),
    }
    share = people.sum() / max(1, streamed[hateful[stream]].nnz)
    rows = compare_reasons(streamed, hateful[stream], marked)
    return [{**row, "marked": float(share)} for row in rows]


def _mark_pieces(words: Any, pieces: list[list[str]], vectoriser: Any) -> Any:
    """Mark in each post the words of its marked pieces."""
    analyse, place_of = vectoriser.build_analyzer(), vectoriser.vocabulary_
    marked = []
    for begin, end, of_post in zip(words.indptr[:-1], words.indptr[1:], pieces, strict=True):
        found = {place_of.get(word, -1) for piece in of_post for word in analyse(piece)}
        marked.append(np.intersect1d(words.indices[begin:end], list(found)).astype(np.int64))
    return _rows_of(marked, words.shape)


def _shuffle(words: Any, marks: Any, rng: np.random.Generator) -> Any:
    """Mark as many words of each post, drawn by chance."""
    marked = [
        rng.choice(words.indices[begin:end], int(n), replace=False).astype(np.int64)
        for begin, end, n in zip(
            words.indptr[:-1], words.indptr[1:], np.diff(marks.indptr), strict=True
        )
    ]
    return _rows_of(marked, words.shape)


def _rows_of(marked: Sequence[IntArray], shape: tuple[int, int]) -> Any:
    from scipy.sparse import csr_array

    rows = np.repeat(np.arange(len(marked)), [len(one) for one in marked])
    return csr_array((np.ones(len(rows)), (rows, np.concatenate(marked))), shape=shape)


def _blocks(rows: pl.DataFrame) -> Iterator[Block]:
    yield reason_grid(rows)
    marked = float(np.mean(rows["marked"].to_numpy()))
    yield Paragraph(
        f"The reasons are those that HateXplain's annotators marked, on average {100 * marked:.0f}% of a hateful "
        "post's words. A model's five words are the simulated reasons of the table before; words by chance tell "
        "what the additional rows do by themselves."
    )


MARKED_REASONS = PaperTable(
    name="marked-reasons",
    title="Open question: labels with the reasons that people marked",
    cells=reason_cells,
    work=_work,
    blocks=_blocks,
    data=("hatexplain", *_FILES),
    on_request="its reasons are in files of their own",
)
