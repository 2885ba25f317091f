"""Judges by name, of whom one says in numbers what another says in words: they are one, and that is said."""

from __future__ import annotations

import polars as pl
import pytest

from askpoint import LogError
from askpoint.records.readers.reading import Choices
from askpoint.records.readers.registry import read_files

WORDS = ["good", "bad"] * 40
OTHER = ["good", "good", "bad", "bad"] * 20


def read(tmp_path, judges, **columns):
    file = tmp_path / "votes.csv"
    pl.DataFrame({"item": [f"i{n}" for n in range(80)], **columns}).write_csv(file)
    return read_files((str(file),), Choices(kind="votes", judges=judges))


def test_a_numeric_twin_is_refused_by_name(tmp_path):
    votes = {"ana": WORDS, "ana_score": [int(word == "good") for word in WORDS], "ben": OTHER}
    with pytest.raises(LogError, match="'ana_score' says in numbers what 'ana' says in words"):
        read(tmp_path, ("ana", "ana_score", "ben"), **votes)
    assert read(tmp_path, ("ana", "ben"), **votes).judges == ("ana", "ben")


def test_numbers_that_say_something_else_are_votes(tmp_path):
    votes = {"ana": WORDS, "ana_score": [int(word == "good") for word in OTHER], "ben": OTHER}
    assert read(tmp_path, ("ana", "ana_score"), **votes).judges == ("ana", "ana_score")
