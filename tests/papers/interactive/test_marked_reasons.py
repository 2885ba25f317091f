"""Reasons that people marked: which words they are, and a run on invented posts whose reasons are known."""

from __future__ import annotations

import gzip
import hashlib
import json

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner
from sklearn.feature_extraction.text import TfidfVectorizer

from askpoint.cli.main import main
from askpoint.papers import data_files
from askpoint.papers.catalogue import find_paper, run_tables
from askpoint.papers.data_files import DATA_FILES, Data, DataFile
from askpoint.papers.interactive.marked_reasons import _mark_pieces, _marked_texts, _shuffle

FILES = tuple(f"{part}_split{n}" for part in ("test", "val") for n in (1, 2, 3))
PAPER = find_paper("interactive")
TABLE = PAPER.select("marked-reasons")
NEUTRAL = [f"word{i}" for i in range(60)]
HATEFUL = ["vermin", "scum", "parasite"]


@pytest.fixture
def posts():
    """Posts of eight neutral words; a hateful one has a ninth, which is its reason."""
    rng = np.random.default_rng(3)
    made = []
    for number in range(1000):
        words = rng.choice(NEUTRAL, 8, replace=False).tolist()
        reason = str(rng.choice(HATEFUL)) if number % 2 else None
        if reason:
            words.insert(int(rng.integers(9)), reason)
        made.append((f"post-{number}", " ".join(words), reason))
    return made


@pytest.fixture
def folder(posts, tmp_path, monkeypatch):
    """Files of these posts: all with their labels, 800 with their reasons, some of them twice."""
    lines = [
        f"{text},{'hatespeech' if reason else 'normal'},{name}" for name, text, reason in posts
    ]
    contents = {"hatexplain": gzip.compress("\n".join(["text,label,post_id", *lines]).encode())}
    for place, name in enumerate(FILES):
        entries = [
            {
                "annotation_id": post,
                "classification": "toxic" if reason else "non-toxic",
                "evidences": [[{"text": reason, "start_token": 0}] if reason else []],
            }
            for post, _, reason in posts[120 * place : 120 * place + 200]
        ]
        contents[name] = json.dumps(entries).encode()
    for name, content in contents.items():
        file = DATA_FILES[name].file
        (tmp_path / file).write_bytes(content)
        digest = hashlib.sha256(content).hexdigest()
        monkeypatch.setitem(DATA_FILES, name, DataFile(file, digest, None, 0, is_text=True))
    data_files._read.cache_clear()
    yield tmp_path
    data_files._read.cache_clear()


def test_the_words_of_marked_pieces_are_marked():
    texts = ["the old red house", "a blue house"]
    vectoriser = TfidfVectorizer()
    words = vectoriser.fit_transform(texts)
    names = vectoriser.get_feature_names_out()
    marks = _mark_pieces(words, [["The Old", "green"], []], vectoriser).toarray()
    assert names[marks[0] > 0].tolist() == ["old", "the"]  # green is in no post
    assert not marks[1].any()
    people = _mark_pieces(words, [["old red"], ["blue"]], vectoriser)
    other = _shuffle(words, people, np.random.default_rng(0)).toarray()
    assert other.sum(axis=1).tolist() == [2, 1]
    assert (other <= (words.toarray() > 0)).all()


def test_a_post_that_is_in_two_files_has_its_pieces_once(folder):
    data = Data(str(folder))
    pieces = _marked_texts(map(data.frame, FILES))
    assert len(pieces) == 800
    assert set(map(len, pieces.values())) == {0, 1}


def test_reasons_ask_less_than_words_by_chance(folder, tmp_path):
    rows = run_tables(PAPER, TABLE, tmp_path, data=Data(str(folder)), quick=True)["marked-reasons"]
    assert rows["marked"].unique().to_list() == [pytest.approx(1 / 9)]
    asked = dict(rows.group_by("way").agg(pl.col("asked").mean()).iter_rows())
    chance = asked["as many words by chance, and posts without them"]
    assert asked["people's reasons, and posts without them"] < chance
    grid, said = TABLE[0].blocks(rows)
    assert len(grid.rows) == 6
    assert "on average 11% of a hateful post's words" in said.text
    one, _ = TABLE[0].blocks(rows.filter(draw=0))
    assert not any("nan" in cell for line in one.rows for cell in line)


def test_it_runs_where_it_is_named(tmp_path):
    """Its files are in no other table, so a run of all does not ask for them."""
    assert "files of their own" in TABLE[0].on_request
    words = ["papers", "run", "interactive", "marked-reasons", "--data", str(tmp_path)]
    refused = CliRunner().invoke(main, [*words, "--out", str(tmp_path / "out")])
    assert refused.exit_code == 2
    assert DATA_FILES["hatexplain"].file in refused.stderr
