"""Labels with reasons: which words are one, how it is learned from, and a run beside labels alone."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from scipy.sparse import csr_array

from askpoint.papers.catalogue import find_paper, run_tables
from askpoint.papers.data_files import Data
from askpoint.papers.interactive import labels_with_reasons
from askpoint.papers.interactive.labels_with_reasons import _fit_with_reasons, mark_words


def test_a_reason_is_the_words_that_speak_most_for_hate():
    words = csr_array(np.array([[0.1, 0.9, 0.2, 0.3, 0.4, 0.5, 0.6], [0, 0, 0.7, 0, 0, 0, 0.7]]))
    weight = np.array([9.0, 1.0, -1.0, 1.0, 1.0, 1.0, 1.0])
    marks = mark_words(words, weight, 0.0, np.random.default_rng(0)).toarray()
    assert marks[0].tolist() == [1, 1, 0, 0, 1, 1, 1]  # not the one against it, nor the weakest
    assert marks[1].tolist() == [0, 0, 1, 0, 0, 0, 1]  # no word that the post lacks


def test_words_by_chance_are_words_of_the_post():
    words = csr_array((np.random.default_rng(0).random((200, 30)) < 0.4) * 1.0)
    weight = np.arange(30.0)
    chosen, chance = (
        mark_words(words, weight, share, np.random.default_rng(1)).toarray() for share in (0, 1)
    )
    assert (chance <= words.toarray()).all()
    assert (chosen @ weight).mean() > 1.3 * (chance @ weight).mean()


def test_a_reason_is_a_short_post_and_what_is_left_a_normal_one(monkeypatch):
    learned = {}
    monkeypatch.setattr(
        labels_with_reasons,
        "_fit",
        lambda x, y, weight=None: learned.update(x=x.toarray(), y=y, weight=weight),
    )
    words = csr_array(np.array([[0.6, 0.8, 0], [0, 0.6, 0.8], [0.5, 0.5, 0.5]]))
    marks = csr_array(np.array([[1.0, 0, 0], [0, 1, 0], [0, 0, 1]]))
    hateful = np.array([True, False, True])
    _fit_with_reasons(words, hateful, np.array([0, 1]), marks, contrast=True)
    assert learned["x"].tolist() == [[0.6, 0.8, 0], [0, 0.6, 0.8], [0.6, 0, 0], [0, 0.8, 0]]
    assert learned["y"].tolist() == [True, False, True, False]
    assert learned["weight"].tolist() == [1, 1, 0.3, 0.3]
    _fit_with_reasons(words, hateful, np.array([0, 1]), marks, contrast=False)
    assert learned["y"].tolist() == [True, False, True]
    assert learned["weight"].tolist() == [1, 1, 1]
    _fit_with_reasons(words, hateful, np.array([1]), None, contrast=False)
    assert learned["y"].tolist() == [False]


def test_chosen_reasons_ask_less_than_words_by_chance(data, tmp_path):
    paper = find_paper("interactive")
    tables = paper.select("reasons")
    rows = run_tables(paper, tables, tmp_path, data=Data(str(data)), quick=True)["reasons"]
    asked = dict(rows.group_by("way").agg(pl.col("asked").mean()).iter_rows())
    assert asked["reasons, and posts without them"] < asked["the same, all words by chance"] - 0.05
    grid, _ = tables[0].blocks(rows)
    beside = {line[0]: line for line in grid.rows}
    labels = rows.filter(way="labels")
    never = rows.filter(way="never")
    gained = ((labels["profit"] - never["profit"]) / labels["asked"]).mean()
    assert float(beside["labels"][4]) == pytest.approx(gained, abs=1e-4)
    assert beside["labels"][5] == beside["never"][4] == "–"
