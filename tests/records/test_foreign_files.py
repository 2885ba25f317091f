"""Files that are no tables are refused in one line that says what they are instead."""

import contextlib
import gzip
import os
import warnings

import polars as pl
import pytest

from askpoint.errors import LogError
from askpoint.records.readers.reading import Choices
from askpoint.records.readers.registry import read_files

HEAD = b"id,prediction,confidence,label\n"
ROWS = b"".join(
    b"%d,%s,0.%d,%s\n" % (i, b"ab"[i % 2 : i % 2 + 1], 50 + i, b"ab"[i % 3 > 0 :][:1])
    for i in range(40)
)
LOGIN = b"<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body><input type='password'></body></html>"


def refusal(tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(LogError) as caught:
        read_files([tmp_path / name])
    line = str(caught.value)
    assert "\n" not in line
    assert name in line
    return line


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("export.csv", LOGIN, "a web page to sign in"),
        ("page.csv", b"\xef\xbb\xbf  <html><body>" + b"<p>x</p>" * 99, "a web page (HTML)"),
        ("x.csv", b"<?xml version='1.0'?><rows><row/></rows>", "an XML document"),
        ("p.csv", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 9, "a picture (PNG)"),
        ("p.jpg", b"\xff\xd8\xff\xe0\x00\x10JFIF" + bytes(range(256)), "a picture (JPEG)"),
        ("d.csv", b"%PDF-1.7\n" + bytes(range(256)), "a PDF"),
        ("db.csv", b"SQLite format 3\x00" + bytes(400), "table itself: askpoint sqlite:///db.csv --query TABLE"),
        ("m.csv", b"\x80\x04\x95" + bytes(range(256)), "a pickle"),
        ("nul.csv", HEAD + ROWS[:200] + b"7,a\x00,0.5,b\n" + ROWS[200:], "NUL bytes"),
        ("zero.csv", HEAD[:50] + bytes([7, 0, 3]) * 90, "NUL bytes"),
        ("one.csv", HEAD, "not a single row"),
        ("twice.csv", b"id,a,a\n1,x,y\n2,y,x\n", "'a'"),
    ],
)  # fmt: skip
def test_what_it_is_is_said(tmp_path, name, content, said):
    assert said in refusal(tmp_path, name, content)


def test_a_packed_page_is_known(tmp_path):
    assert "sign in" in refusal(tmp_path, "log.csv.gz", gzip.compress(LOGIN))


def test_too_many_columns_are_refused_before_they_are_read(tmp_path):
    head = ",".join(f"c{i}" for i in range(1_000_000)).encode()
    line = refusal(tmp_path, "wide.csv", head + b"\n" + b",".join([b"1"] * 1_000_000) + b"\n")
    assert "got 1,000,000" in line


def test_a_file_that_changes_while_it_is_read_is_refused(tmp_path, monkeypatch):
    from pathlib import Path

    path = tmp_path / "log.csv"
    path.write_bytes(HEAD + ROWS)
    read = Path.read_bytes

    def and_grow(self):
        content = read(self)
        with open(self, "ab") as file:
            file.write(b"99,a,0.5,a\n")
        return content

    monkeypatch.setattr(Path, "read_bytes", and_grow)
    with pytest.raises(LogError, match="changed while it was read"):
        read_files([path])
    assert os.path.getsize(path) > len(HEAD + ROWS)


def test_one_row_is_read(tmp_path):
    path = tmp_path / "log.csv"
    path.write_bytes(HEAD + b"1,a,0.9,a\n")
    found = read_files([path])
    assert (found.items, found.prediction, found.confidence, found.label) == (
        1, "prediction", "confidence", "label",
    )  # fmt: skip


def test_a_score_in_percent_beside_probabilities_is_left_alone(tmp_path):
    p = [round(0.02 + i / 45, 3) for i in range(40)]
    frame = pl.DataFrame({
        "id": [f"k{i}" for i in range(40)], "label": ["ny"[i % 3 > 0] for i in range(40)],
        "score": [round(100 * x, 1) for x in p], "p_y": p, "p_n": [round(1 - x, 3) for x in p],
    })  # fmt: skip
    frame.write_csv(tmp_path / "log.csv")
    found = read_files([tmp_path / "log.csv"])
    assert found.probabilities == {"y": "p_y", "n": "p_n"}
    assert found.frame["proba_y"].to_list() == pytest.approx(p)


def test_answers_and_labels_of_other_words_are_asked(tmp_path):
    path = tmp_path / "log.csv"
    rows = [f"k{i},{i % 3},0.{50 + i},{'abc'[i % 3]}" for i in range(40)]
    path.write_text("\n".join(["id,pred_id,conf,label", *rows]))
    with pytest.raises(LogError, match='--map "0=a"'):
        read_files([path])
    names = {"0": "a", "1": "b", "2": "c"}
    found = read_files([path], Choices(label="label", prediction="pred_id", labels_map=names))
    assert found.classes == ("a", "b", "c")


def test_a_few_repeated_ids_are_asked_and_even_ones_are_clusters(tmp_path):
    def rows(name):
        return [f"{name(i)},{'ab'[i % 2]},0.{50 + i % 49},{'ab'[i % 3 > 0]}" for i in range(80)]

    path = tmp_path / "log.csv"
    head = HEAD.decode().strip()
    path.write_text("\n".join([head, *rows(lambda i: i if i > 3 else 9)]))
    doubt = read_files([path]).open_doubt
    assert (doubt.option, doubt.must_be_settled) == ("--repeats", True)
    assert read_files([path], Choices(repeats="first")).items == 76
    assert read_files([path], Choices(repeats="rows")).open_doubt is None
    path.write_text("\n".join([head, *rows(lambda i: f"document {i // 8}")]))
    found = read_files([path])
    assert found.open_doubt is None
    assert any("--cluster id" in doubt.what for doubt in found.doubts)


@pytest.mark.parametrize(
    "table",
    [
        {
            "id": range(60),
            "grade": list("ABC") * 20,
            "income": range(60, 120),
            "approved": ["yes", "no"] * 30,
        },
        {
            "user": range(60),
            "variant": list("AB") * 30,
            "converted": [0, 1, 1] * 20,
            "money": range(60),
        },
    ],
)
def test_a_class_and_features_are_no_votes(tmp_path, table):
    pl.DataFrame({name: list(map(str, cells)) for name, cells in table.items()}).write_csv(
        tmp_path / "t.csv"
    )
    with pytest.raises(LogError, match="training data"):
        read_files([tmp_path / "t.csv"])


def test_two_people_who_label_are_asked_who_counts(tmp_path):
    rows = [
        f"k{i},{'ab'[i % 2]},{'ab'[(i + (i % 9 > 7)) % 2]},{'ab'[(i + (i % 7 > 5)) % 2]},0.{50 + i % 49}"
        for i in range(80)
    ]
    (tmp_path / "t.csv").write_text(
        "\n".join(["id,human_1,human_2,model_label,model_score", *rows])
    )
    assert read_files([tmp_path / "t.csv"]).open_doubt.option == "--label"


def test_stata_files_keep_their_value_labels_and_spss_names_its_package(tmp_path):
    pandas = pytest.importorskip("pandas")
    names = pandas.Categorical(["no", "yes"] * 30)
    frame = pandas.DataFrame({
        "key": range(60), "truth": names, "pred": names, "conf": [0.5 + i / 130 for i in range(60)],
    })  # fmt: skip
    frame.to_stata(tmp_path / "t.dta", write_index=False)
    found = read_files([tmp_path / "t.dta"])
    assert (found.label, found.label_counts) == ("truth", {"no": 30, "yes": 30})
    try:
        import pyreadstat  # noqa: F401
    except ImportError:
        assert "pip install pyreadstat" in refusal(
            tmp_path, "t.sav", b"$FL2@(#) SPSS DATA FILE" + bytes(200)
        )


def test_arrays_with_python_objects_are_refused(tmp_path):
    import numpy as np

    np.savez(tmp_path / "t.npz", a=np.array([{"x": 1}], dtype=object))
    with pytest.raises(LogError, match="NumPy"):
        read_files([tmp_path / "t.npz"])


def test_no_warning_reaches_a_terminal(tmp_path, capfd):
    path = tmp_path / "log.csv"
    path.write_bytes(HEAD + ROWS.replace(b",0.55,", b",,"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with contextlib.suppress(LogError):
            read_files([path])
    assert capfd.readouterr().err == ""


def test_a_column_called_count_is_a_column(tmp_path):
    rows = [f"k{i},{'ab'[i % 2]},{'ab'[(i + (i % 7 > 5)) % 2]},{i % 3}" for i in range(60)]
    (tmp_path / "t.csv").write_text("\n".join(["id,judge_1,judge_2,count", *rows]))
    assert read_files([tmp_path / "t.csv"]).judges == ("judge_1", "judge_2")
    cells = [f"{a},{b},{3 * (a == b) + 1}" for a in "abc" for b in "abc"]
    (tmp_path / "m.csv").write_text("\n".join(["actual,predicted,count", *cells]))
    found = read_files([tmp_path / "m.csv"])
    assert found.open_doubt is not None


def test_probabilities_in_percent_beside_shares_are_refused(tmp_path):
    rows = [(i, "ab"[i % 2], 60 + i % 40, round(1 - (60 + i % 40) / 100, 2)) for i in range(120)]
    text = "id,label,prob_a,prob_b\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)
    path = tmp_path / "log.csv"
    path.write_text(text)
    with pytest.raises(
        LogError, match=r"prob_a is in percent .* prob_b from 0 to 1\. Divide prob_a"
    ):
        read_files([path])
