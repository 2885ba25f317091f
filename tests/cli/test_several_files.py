"""The three commands on a directory: the answer is that of the one file."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

ROWS = 400


@pytest.fixture(scope="module")
def log():
    rng = np.random.default_rng(3)
    p = rng.random(ROWS).round(3)
    said = np.where(rng.random(ROWS) < p, "spam", "ham")
    return pl.DataFrame({
        "label": pl.Series(said).set(pl.Series(rng.random(ROWS) < 0.2), None),
        "proba_ham": 1 - p,
        "proba_spam": p,
        "length": rng.integers(0, 9, ROWS),
    })  # fmt: skip


@pytest.fixture(scope="module")
def votes():
    rng = np.random.default_rng(4)
    truth = rng.random(ROWS) < 0.6
    wrong = rng.random((4, ROWS)) < 0.2
    return pl.DataFrame(
        {f"judge {i}": np.where(truth ^ row, "yes", "no") for i, row in enumerate(wrong)}
    )


def written(shell, frame, kind):
    """Write a table as one file and as three; return both."""
    write = frame.__class__.write_csv if kind == "csv" else frame.__class__.write_parquet
    write(frame, shell.folder / f"whole.{kind}")
    (shell.folder / "days").mkdir()
    for i, start in enumerate(range(0, ROWS, 150)):
        write(frame[start : start + 150], shell.folder / "days" / f"{i}.{kind}")
    return shell.folder / f"whole.{kind}", shell.folder / "days"


@pytest.mark.parametrize("kind", ["csv", "parquet"])
@pytest.mark.parametrize("more", [[], ["--sketch"]], ids=["exact", "sketch"])
def test_value(kind, more, shell, log):
    whole, days = written(shell, log, kind)
    expected = shell.answer(whole, *more)
    assert shell.answer(days, *more) == expected
    assert shell.answer(f"{days}/*.{kind}", *more) == expected


def test_judges(shell, votes):
    whole, days = written(shell, votes, "csv")
    expected = shell.json("judges", whole)
    assert expected["judges"]
    assert shell.json("judges", days) == expected


def test_examine(shell, log):
    whole, days = written(shell, log, "parquet")
    expected = shell.json("examine", whole)
    assert expected["n_labelled"] > 300
    assert shell.json("examine", days) == expected
    for source, out in ((whole, "a.csv"), (days, "b.csv")):
        shell.said("examine", source, "--out", shell.folder / out, "--n", 40)
    assert (shell.folder / "a.csv").read_text() == (shell.folder / "b.csv").read_text()


@pytest.mark.parametrize("command", ["value", "judges", "examine"])
def test_what_is_wrong_is_said(command, shell, log):
    (shell.folder / "nothing").mkdir()
    assert "holds no file" in shell.refusal(command, shell.folder / "nothing")
    _, days = written(shell, log, "parquet")
    path = days / "1.parquet"
    path.write_bytes(path.read_bytes()[:-10])
    assert "1.parquet is broken or cut off" in shell.refusal(command, days)
    log.rename({"proba_ham": "ham"}).write_parquet(path)
    assert "1.parquet has not" in shell.refusal(command, days)
    assert "no file matches" in shell.refusal(command, days / "*.csv")


def damaged(folder):
    """Spoil what one part holds, not its ends: it opens, and breaks when it is read."""
    path = folder / "1.parquet"
    bytes_ = bytearray(path.read_bytes())
    bytes_[4:120] = np.random.default_rng(5).bytes(116)
    path.write_bytes(bytes_)


@pytest.mark.parametrize("more", [[], ["--sketch"], ["--cache", "kept"]], ids=str)
def test_a_part_that_is_broken_inside_is_named(more, shell, log, votes, monkeypatch):
    monkeypatch.chdir(shell.folder)
    _, days = written(shell, log, "parquet")
    damaged(days)
    assert "1.parquet is broken or cut off" in shell.refusal("value", days, *more)
    if more != ["--sketch"]:
        for path in days.iterdir():
            path.unlink()
        days.rmdir()
        _, days = written(shell, votes, "parquet")
        damaged(days)
        assert "1.parquet is broken or cut off" in shell.refusal("judges", days, *more)
