"""Files and dataframes open alike; what cannot be read says why in one line."""

from __future__ import annotations

import gzip
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from askpoint.errors import LogError
from askpoint.records.tables import open_table

FRAME = pl.DataFrame({"label": ["ham", None, "spam"], "score": [0.25, 0.5, 1.0]})


def read(source, columns=None):
    table = open_table(source)
    return table.read(columns or table.columns)


def message(source, columns=None):
    with pytest.raises(LogError) as caught:
        read(source, columns)
    text = str(caught.value)
    assert "\n" not in text
    return text


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder to write broken files into; names in messages are then short."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(name, content):
    with open(name, "wb") as file:
        file.write(content.encode() if isinstance(content, str) else content)
    return name


@pytest.mark.parametrize(
    "name", ["log.parquet", "log.csv", "log.csv.gz", "log.jsonl", "log.NDJSON"]
)
def test_files_hold_the_same_table(folder, name):
    if "csv" in name:
        FRAME.to_pandas().to_csv(name, index=False)
    elif "parquet" in name:
        FRAME.write_parquet(name)
    else:
        FRAME.write_ndjson(name)
    table = open_table(name)
    assert table.columns == ("label", "score")
    frame = table.read(["score", "label"])
    assert frame["label"].to_list() == FRAME["label"].to_list()
    assert frame["score"].cast(pl.Float64).to_list() == FRAME["score"].to_list()
    assert open_table(folder / name).read(["score"]).columns == ["score"]


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_packed_and_plain_texts_are_told_by_content(folder, pack):
    for name in ("log.csv.gz", "log.jsonl.gz"):
        content = b"label\nham\n" if "csv" in name else b'{"label": "ham"}\n'
        write(name, pack(content))
        assert open_table(name).read(["label"])["label"].to_list() == ["ham"]


@pytest.mark.parametrize("name", ["lo[g]*.parquet", "lo[g]*.csv", "lo[g]*.jsonl"])
def test_a_name_is_no_pattern(folder, name):
    if "csv" in name:
        FRAME.write_csv(name)
    elif "parquet" in name:
        FRAME.write_parquet(name)
    else:
        FRAME.write_ndjson(name)
    assert open_table(name).read(["label"]).height == 3


def test_csv_cells_are_not_guessed(folder):
    write("log.csv", "id,label,other\n007,NA,x\n8,null,x\n9,,x\n10,1.0,x\n")
    frame = open_table("log.csv").read(["id", "label"])
    assert frame["id"].to_list() == ["007", "8", "9", "10"]
    assert frame["label"].to_list() == ["NA", "null", None, "1.0"]


def test_csv_with_byte_order_mark_quotes_and_carriage_returns(folder):
    write("log.csv", b'\xef\xbb\xbflabel,text\r\nham,"a, ""b""\r\nc"\r\nspam,\r\n')
    frame = open_table("log.csv").read(["label", "text"])
    assert frame.rows() == [("ham", 'a, "b"\r\nc'), ("spam", None)]


def test_a_type_that_shows_late_in_json_counts(folder):
    write("log.jsonl", '{"label": 1}\n' * 500 + '{"label": "x", "late": 2}\n')
    frame = open_table("log.jsonl").read(["label", "late"])
    assert frame["label"].to_list()[-2:] == ["1", "x"]
    assert frame["late"].to_list()[-2:] == [None, 2]


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("log.txt", "a", "log.txt is of no known kind: it must end in .parquet, .csv, .csv.gz, "),
        ("log.parquet", "", "log.parquet is empty"),
        ("log.csv", "", "log.csv is empty"),
        ("log.jsonl", "", "log.jsonl is empty"),
        ("log.csv.gz", gzip.compress(b"", mtime=0), "log.csv.gz is broken or cut off: empty CSV"),
        ("log.csv", "\n\n", "log.csv is broken or cut off: empty CSV"),
        (
            "log.csv",
            "label,score\n",
            "log.csv holds names of columns and not a single row. Export it with its rows",
        ),
        ("log.csv", "a,b,a\n1,2,3\n", "two columns of log.csv are named 'a'; rename one"),
        ("log.csv", "a,b\n1,2\n3", "cut off: line 3 has 1 cells, the header has 2 cells"),
        ("log.csv", "a,b\n1,2,3\n", "cut off: line 2 has 3 cells, the header has 2 cells"),
        ("log.csv", "a,b\n1,2\n\n3,4\n", "cut off: line 3 is empty, the header has 2 cells"),
        ("log.csv", 'a,b\n1,2\n3,"4\n5,6\n', "cut off: line 4: unexpected end of data"),
        ("log.csv", b"a,b\n1,\xe9\n", "cut off: 'utf-8' codec can't decode byte 0xe9"),
        ("log.csv", "a" * 200_000 + "\n1\n", "cut off: field larger than field limit (131072)"),
        ("log.jsonl", '{"a": 1}\n{"a": 2', "line 2 is not a JSON object: Expecting ',' delimiter"),
        ("log.jsonl", '{"a": 1}\n\n{"a": \n', "line 3 is not a JSON object: Expecting value (char"),
        ("log.jsonl", '[{"a": 1}]\n', "line 1 is not a JSON object but a list"),
        ("log.jsonl", '{"a": NaN}\n', "line 1: JSON has no NaN; write null"),
        ("log.jsonl", '{"a": 1}\n{"a": 1.5}\n{"a": true}\n', "cannot parse 'true' (bool) as Fl"),
        (
            "log.jsonl",
            b'\xef\xbb\xbf{"a": 1}\n',
            "line 1 is not a JSON object: Unexpected UTF-8 BOM",
        ),
        ("log.parquet", "no table at all", "log.parquet is broken or cut off: parquet: File out"),
    ],
)
def test_broken_files_say_what_is_wrong(folder, name, content, expected):
    assert expected in message(write(name, content))


def test_cut_off_parquet(folder):
    pl.DataFrame({"a": range(10_000)}).write_parquet("log.parquet")
    whole = (folder / "log.parquet").read_bytes()
    write("log.parquet", whole[: len(whole) // 2])
    assert message("log.parquet").startswith("log.parquet is broken or cut off: parquet:")


@pytest.mark.parametrize("name", ["log.csv.gz", "log.jsonl.gz"])
@pytest.mark.parametrize("damage", ["cut", "scrambled"])
def test_damaged_gzip(folder, name, damage):
    rng = np.random.default_rng(0)
    lines = [f'{{"a": {x}}}' if "json" in name else str(x) for x in rng.random(5000)]
    packed = gzip.compress("\n".join(["a", *lines] if "csv" in name else lines).encode())
    half = len(packed) // 2
    write(name, packed[:half] if damage == "cut" else packed[:half] + bytes(99) + packed[half:])
    assert message(name).startswith(f"{name} is broken or cut off: ")


def test_gzip_that_is_damaged_at_its_start(folder):
    packed = gzip.compress(b"a\n" + b"12\n" * 1000)
    write("log.csv.gz", packed[:10] + b"\xff" * 20)
    assert message("log.csv.gz").startswith("log.csv.gz is broken or cut off: Error -3")


def test_short_rows_are_found_without_reading_the_last_column(folder):
    write("log.csv", "a,b,c\n1,2,3\n4,5\n")
    assert "line 3 has 2 cells" in message("log.csv", ["a"])


def test_gaps_in_the_last_column_are_no_fault(folder):
    # a cell may be longer than the csv module's limit, and quotes may be sloppy
    long = "x" * 200_000
    write("log.csv", f'text,label\n{long},\n"a" b,ham\n')
    assert open_table("log.csv").read(["label"])["label"].to_list() == [None, "ham"]


def test_missing_files_directories_and_other_things(folder):
    assert message("none.csv") == "there is no file none.csv"
    assert message(folder) == f"the directory {folder} holds no file that could be read"
    assert message([1, 2]).startswith("a log must be the path of a file or a dataframe")
    assert message([1, 2]).endswith("got list")


@pytest.mark.skipif(sys.platform == "win32", reason="no permissions of this kind")
def test_a_file_that_may_not_be_read(folder, monkeypatch):
    write("log.csv", "a\n1\n")

    def refuse(*args, **kwargs):
        raise PermissionError(13, "Permission denied", "log.csv")

    monkeypatch.setattr("askpoint.records.table_files._text", refuse)
    monkeypatch.setattr(pl, "scan_csv", refuse)
    assert message("log.csv").startswith("log.csv is broken or cut off: [Errno 13] Permission den")


@pytest.mark.parametrize(
    "make",
    [
        lambda columns: pl.DataFrame(columns),
        lambda columns: pl.LazyFrame(columns),
        lambda columns: pa.table(columns),
        lambda columns: pd.DataFrame(columns),
        lambda columns: pd.DataFrame(columns).convert_dtypes(),
        lambda columns: pd.DataFrame(columns).astype(object),
        lambda columns: pd.DataFrame(columns).astype({"label": "category"}),
        lambda columns: pl.DataFrame(columns).to_pandas(use_pyarrow_extension_array=True),
    ],
    ids=["polars", "lazy", "pyarrow", "pandas", "nullable", "object", "category", "arrow-pandas"],
)
def test_dataframes_hold_the_same_table(make):
    columns = {"label": ["ham", None, "spam"], "seen": [True, None, False], "n": [1, None, 3]}
    frame = open_table(make(columns)).read(["label", "seen", "n"])
    assert frame["label"].cast(pl.String).to_list() == ["ham", None, "spam"]
    assert frame["seen"].to_list() == [True, None, False]
    assert frame["n"].cast(pl.Float64).fill_nan(None).to_list() == [1, None, 3]


def test_pandas_columns_may_be_numbers_and_types_mixed():
    table = open_table(pd.DataFrame({0: [0.5, 0.25], 1: [1, "x"]}))
    assert table.columns == ("0", "1")
    assert table.read(["1", "0"]).rows() == [("1", 0.5), ("x", 0.25)]


def test_dataframes_that_cannot_be_used():
    twice = pd.DataFrame([[1, 2]], columns=["a", "a"])
    assert message(twice).startswith("two columns of the dataframe have one name: ")
    assert message(pl.DataFrame({"a": []})).startswith(
        "the dataframe holds names of columns and not a single row"
    )


def test_an_index_of_several_levels_is_left_alone():
    frame = pd.DataFrame({"label": ["a", "b", "a", "b"], "score": [0.1, 0.9, 0.2, 0.8]})
    levels = pd.MultiIndex.from_product([["x", "y"], [1, 2]], names=["document", "line"])
    table = open_table(frame.set_index(levels))
    assert table.columns == ("label", "score")
    assert table.read(["label", "score"]).equals(open_table(frame).read(["label", "score"]))


def test_columns_of_several_levels_are_refused_with_what_makes_one():
    frame = pd.DataFrame([["a", 0.5], ["b", 0.25]])
    frame.columns = pd.MultiIndex.from_tuples([("truth", "label"), ("model", "score")])
    said = message(frame)
    assert said.startswith("the columns of the dataframe have several levels, such as truth, label")
    frame.columns = ["_".join(map(str, name)) for name in frame.columns]  # as it says
    assert "['_'.join(map(str, name)) for name in frame.columns]" in said
    assert open_table(frame).columns == ("truth_label", "model_score")


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"<!doctype html><html><form><input type=password>", "is a web page to sign in (HTML)"),
        (b"\x89PNG\r\n\x1a\n0000IHDR", "is a picture (PNG)"),
        (b"%PDF-1.7", "is a PDF document"),
    ],
)
def test_what_is_no_table_is_named_by_what_it_is(tmp_path, ending, content, said):
    path = tmp_path / f"log.{ending}"
    path.write_bytes(content)
    assert message(path).startswith(f"log.{ending} {said}")


def test_pandas_without_pyarrow(monkeypatch):
    """Neither polars nor pandas needs pyarrow: a log in pandas must not, either."""
    frame = pd.DataFrame({"label": ["ham", None], "score": [0.5, 1.0]})
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert read(frame).rows() == [("ham", 0.5), (None, 1.0)]
