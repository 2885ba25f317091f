"""Cases for the crowd: digits that come with scikit-learn, and texts from the folder of data."""

from __future__ import annotations

import gzip

import numpy as np
import polars as pl
import pytest
from sklearn.datasets import load_digits

from askpoint.errors import LogError, UnknownColumnError
from askpoint.records.cases import digit_cases, hate_cases


def test_digits_of_five_or_more_with_islands():
    table = digit_cases()
    assert table.columns == ["text", "label", "topic", "role"]
    assert table["text"].n_unique() == len(table)
    assert table["text"].str.len_chars().unique().to_list() == [64]
    islands = table.filter(role="island")
    assert islands["label"].unique().to_list() == ["high"]
    assert set(islands["topic"]) == {f"{d} style {s}" for d in (7, 9) for s in range(3)}
    low = table.filter(label="low")
    assert low["topic"].unique().to_list() == [""]
    assert set(low["role"]) == {"train", "known"}
    assert not set(table.filter(role="train")["topic"]) & set(islands["topic"])


def test_a_text_is_its_image():
    data = load_digits()
    first = data.images[:1797].astype(int)
    texts = digit_cases()["text"]
    for i in (0, 500, 1700):
        shades = [int(sign, 17) for sign in texts[i]]
        assert np.array_equal(np.reshape(shades, (8, 8)), first[i])


def write(folder, name, text):
    (folder / "text").mkdir(exist_ok=True)
    (folder / "text" / f"{name}.csv.gz").write_bytes(gzip.compress(text.encode()))


def test_a_folder_without_the_texts(tmp_path):
    with pytest.raises(LogError, match=r"hatexplain.csv.gz is missing: .* scikit-learn's digits"):
        hate_cases(tmp_path)
    write(tmp_path, "hatexplain", "text,label\na,normal\n")
    with pytest.raises(LogError, match="toxigen_annotated"):
        hate_cases(tmp_path)
    write(tmp_path, "toxigen_annotated", "text,verdict\na,toxic\n")
    with pytest.raises(UnknownColumnError, match="'label'"):
        hate_cases(tmp_path)


def test_too_few_posts_to_cut_into_topics(tmp_path):
    write(tmp_path, "hatexplain", "text,label\na b,normal\nc d,hatespeech\n")
    write(tmp_path, "toxigen_annotated", "text,label,group\ne,toxic,women\n")
    with pytest.raises(LogError, match="at least"):
        hate_cases(tmp_path)


def test_hateful_posts_and_texts_on_groups_of_people(data):
    table = hate_cases(data)
    assert table["text"].n_unique() == len(table)
    counts = {
        (row["role"], row["label"]): row["len"]
        for row in table.group_by("role", "label").len().iter_rows(named=True)
    }
    assert counts["train", "hate"] == pytest.approx(5935 / 2, rel=0.05)
    assert counts["known", "normal"] == pytest.approx(7814 / 2, rel=0.05)
    assert counts["island", "hate"] + counts["island", "normal"] == 8960
    assert table.filter(role="island")["topic"].n_unique() == 13
    known = table.filter(role="known", label="hate")
    assert known["topic"].n_unique() == 13
    assert set(table.filter(pl.col("role") != "island", label="normal")["topic"]) == {""}
