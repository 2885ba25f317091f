"""Cases for the simulated crowd: digits of scikit-learn, and posts with statements as islands."""

from __future__ import annotations

import gzip

import numpy as np
import polars as pl
import pytest
from sklearn.datasets import load_digits

from askpoint.errors import InputError
from askpoint.records.islands import digit_cases, hate_cases


def image(text):
    return np.array([int(sign, 17) for sign in text])


def test_digits_are_learned_without_the_islands():
    cases, data = digit_cases(), load_digits()
    digits = {tuple(row): digit for row, digit in zip(data.data, data.target, strict=True)}
    assert cases["text"].is_unique().all()
    by_role = {role: part for (role,), part in cases.group_by("role")}
    for role, allowed in (("train", {0, 1, 2, 3, 4, 5, 6, 8}), ("island", {7, 9})):
        seen = {digits.get(tuple(image(text))) for text in by_role[role]["text"]} - {None}
        assert seen == allowed
    assert set(by_role["island"]["truth"]) == {"high"}
    assert by_role["island"]["topic"].n_unique() == 12
    for text, truth, topic in cases.select("text", "truth", "topic").iter_rows():
        digit = digits.get(tuple(image(text)))
        if digit is not None:
            assert truth == ("high" if digit >= 5 else "low")
            assert topic.startswith(str(digit)) if digit >= 5 else topic == ""


def test_new_digits_come_a_pixel_off_too_and_training_never():
    cases, data = digit_cases(), load_digits()
    plain = {tuple(row) for row in data.images.reshape(-1, 64)}
    moves = [(0, 0), (0, -1), (0, 1), (-1, 0), (1, 0)]
    every = {
        tuple(np.roll(it, move, (0, 1)).ravel().astype(int)) for it in data.images for move in moves
    }
    shown = {tuple(image(text)) for text in cases["text"]}
    assert shown <= every
    train = cases.filter(pl.col("role") == "train")["text"]
    assert {tuple(image(text)) for text in train} <= plain


POSTS = """text,label,split
good morning,normal,train
they are vermin,hatespeech,train
they are rats,hatespeech,test
what a day,normal,val
so so,offensive,train
,normal,train
"""
SAID = """text,label,group
good morning,benign,women
women should not vote,toxic,women
women vote,benign,women
"""


def folder_of(tmp_path, posts=POSTS, said=SAID, *, nested=True):
    folder = tmp_path / "text" if nested else tmp_path
    folder.mkdir(exist_ok=True)
    for name, text in (("hatexplain", posts), ("toxigen_annotated", said)):
        (folder / f"{name}.csv.gz").write_bytes(gzip.compress(text.encode()))
    return tmp_path


@pytest.mark.parametrize("nested", [True, False])
def test_posts_and_statements(tmp_path, nested):
    rows = hate_cases(folder_of(tmp_path, nested=nested)).rows_by_key("text", named=True)
    assert {text: (it[0]["truth"], it[0]["role"]) for text, it in rows.items()} == {
        "good morning": ("normal", "train"),  # not an island's case once more
        "they are vermin": ("hate", "train"),
        "they are rats": ("hate", "known"),
        "what a day": ("normal", "known"),
        "women should not vote": ("hate", "island"),
        "women vote": ("normal", "island"),
    }
    assert rows["women vote"][0]["topic"] == "women"
    assert rows["what a day"][0]["topic"] == ""
    assert rows["they are rats"][0]["topic"].startswith("posts, kind ")


def test_no_hate_among_the_posts(tmp_path):
    posts = "text,label,split\ngood morning,normal,train\n"
    assert set(hate_cases(folder_of(tmp_path, posts))["role"]) == {"train", "island"}


def test_what_can_not_be_read(tmp_path):
    with pytest.raises(InputError, match=r"there is no hatexplain\.csv\.gz in .*leave --data out"):
        hate_cases(tmp_path)
    with pytest.raises(InputError, match="needs the columns text, label, group; it lacks group"):
        hate_cases(folder_of(tmp_path, said="text,label\na,toxic\n"))
    (tmp_path / "text" / "hatexplain.csv.gz").write_bytes(b"\x1f\x8b broken")
    with pytest.raises(InputError, match="can not be read as a compressed CSV"):
        hate_cases(tmp_path)


def test_the_real_data(data):
    cases = hate_cases(data)
    islands = cases.filter(pl.col("role") == "island")
    assert islands["topic"].n_unique() == 13
    assert cases.filter(pl.col("role") == "train").height > 10_000
