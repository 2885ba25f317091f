"""Logs in several files: the same rows as in one, and a plain word where the files do not fit."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from askpoint.errors import LogError
from askpoint.records.tables import open_table

ROWS = 300
LOG = pl.DataFrame({
    "label": [("ham", "spam", None)[i % 3] for i in range(ROWS)],
    "proba_ham": np.linspace(0, 1, ROWS),
    "proba_spam": 1 - np.linspace(0, 1, ROWS),
})  # fmt: skip
WRITERS = {
    "parquet": pl.DataFrame.write_parquet,
    "csv": pl.DataFrame.write_csv,
    "jsonl": pl.DataFrame.write_ndjson,
}


def in_parts(folder, kind="parquet", log=LOG):
    """Write a log as three files, the second a single row."""
    folder.mkdir(exist_ok=True)
    for i, (start, stop) in enumerate([(0, 120), (120, 121), (121, ROWS)]):
        WRITERS[kind](log[start:stop], folder / f"day-{i}.{kind}")
    return folder


def read(source):
    table = open_table(str(source))
    return table.read(table.columns)


def message(source):
    with pytest.raises(LogError) as caught:
        read(source)
    return str(caught.value)


@pytest.mark.parametrize("kind", WRITERS)
def test_a_directory_and_a_pattern_are_their_rows_in_order(kind, tmp_path):
    WRITERS[kind](LOG, tmp_path / f"whole.{kind}")
    whole = open_table(tmp_path / f"whole.{kind}")
    folder = in_parts(tmp_path / "days", kind)
    (folder / "_SUCCESS").write_text("")
    (folder / ".day-0.parquet.crc").write_text("x")
    for source in (folder, folder / "day-*", tmp_path / "d*" / "*", tmp_path / "**" / "day-?.*"):
        table = open_table(str(source))
        assert table.columns == whole.columns
        assert table.n_rows() == ROWS
        assert table.read(["label", "proba_ham"]).equals(whole.read(["label", "proba_ham"]))
        batches = list(table.batches(["proba_spam"], 50))
        assert len(batches) > 3
        assert pl.concat(batches).equals(whole.read(["proba_spam"]))


def test_folders_that_are_named_for_a_column_are_one(tmp_path):
    for day, rows in (("1%2F2", LOG[:100]), ("__HIVE_DEFAULT_PARTITION__", LOG[100:])):
        (tmp_path / f"day={day}").mkdir()
        rows.write_parquet(tmp_path / f"day={day}" / "part-0.parquet")
    table = open_table(str(tmp_path))
    assert table.columns == (*LOG.columns, "day")
    assert (
        table.read(["day"])["day"].to_list() == [None] * 200 + ["1/2"] * 100
        or table.read(["day"])["day"].to_list() == ["1/2"] * 100 + [None] * 200
    )
    assert table.read(["day", "label"]).columns == ["day", "label"]
    assert sum(frame.height for frame in table.batches(["day"], 70)) == ROWS


def test_numbers_of_different_widths_fit_and_empty_columns_too(tmp_path):
    LOG[:10].with_columns(pl.col("proba_ham").cast(pl.Float32)).write_parquet(
        tmp_path / "a.parquet"
    )
    LOG[10:20].with_columns(label=pl.lit(None)).write_parquet(tmp_path / "b.parquet")
    frame = open_table(tmp_path).read(LOG.columns)
    assert frame.schema == LOG.schema
    assert frame["label"][10:].null_count() == 10


def test_files_of_different_columns(tmp_path):
    folder = in_parts(tmp_path / "days")
    LOG.rename({"label": "truth"}).write_parquet(folder / "day-9.parquet")
    assert "day-0.parquet has 'label', day-9.parquet has not" in message(folder)
    LOG.with_columns(more=1, other=2).write_parquet(folder / "day-9.parquet")
    assert "day-9.parquet has 'more', 'other', day-0.parquet has not" in message(folder)


def test_labels_that_are_texts_here_and_numbers_there_are_texts(tmp_path):
    LOG[:2].write_parquet(tmp_path / "a.parquet")
    LOG[2:4].with_columns(label=pl.Series([7, None])).write_parquet(tmp_path / "b.parquet")
    assert open_table(tmp_path).read(["label"])["label"].to_list() == ["ham", "spam", "7", None]


def test_files_whose_columns_hold_different_things(tmp_path):
    folder = in_parts(tmp_path / "days")
    LOG.with_columns(label=pl.struct(a=1)).write_parquet(folder / "day-9.parquet")
    told = message(folder)
    assert "hold different things in the column 'label': " in told
    assert "Struct({'a': Int32}) in day-9.parquet" in told


@pytest.mark.parametrize("kind", WRITERS)
def test_one_broken_part_is_named(kind, tmp_path):
    folder = in_parts(tmp_path / "days", kind)
    path = folder / f"day-2.{kind}"
    path.write_bytes(path.read_bytes()[:-40])
    assert f"day-2.{kind} is broken or cut off" in message(folder)
    path.write_bytes(b"")
    assert message(folder) == f"day-2.{kind} is empty"


def test_a_directory_of_nothing(tmp_path):
    assert message(tmp_path) == f"the directory {tmp_path} holds no file that could be read"
    (tmp_path / "_SUCCESS").write_text("")
    assert "holds no file" in message(tmp_path)


def test_a_pattern_that_matches_nothing(tmp_path):
    assert message(tmp_path / "*.parquet") == f"no file matches '{tmp_path}/*.parquet'"


@pytest.mark.parametrize("other", ["notes.txt", "more.csv"])
def test_files_of_several_kinds(other, tmp_path):
    folder = in_parts(tmp_path / "days")
    Path(folder, other).write_text("label\nham\n")
    assert (
        f"({'day-0.parquet, ' + other}): name those that belong together by a pattern"
        in message(folder)
    )


def test_parts_without_a_row(tmp_path):
    LOG[:0].write_parquet(tmp_path / "a.parquet")
    assert "holds names of columns and not a single row" in message(tmp_path)
    LOG.write_parquet(tmp_path / "b.parquet")
    assert open_table(str(tmp_path)).read(["label"]).height == ROWS
