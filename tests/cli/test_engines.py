"""`--engine`: the answer is the one that the rows give, bit for bit, from DuckDB and from Spark."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import polars as pl
import pytest

from askpoint.measures.confidence_measures import CONFIDENCE_MEASURES
from cast import require
from cli.test_several_files import ROWS, damaged, log, votes, written  # noqa: F401  (fixtures)
from value.test_frames import spark_session

ENGINES = ["duckdb", "spark"]
_ON_SPARK = ("groups and models", "an answer beside probabilities")


@pytest.fixture(params=ENGINES)
def engine(request):
    """The name of an engine that is here; Spark's session is the one that all tests share."""
    if request.param == "spark":
        require("spark")
        spark_session()
    return request.param


@pytest.fixture(autouse=True)
def pure():
    """PySpark asks its engine through a socket."""


def varied(log):  # noqa: F811
    """Logs of every form that is counted: what the columns are called, and hold."""
    p = log["proba_spam"].to_numpy()
    said = np.where(p > 0.5, "spam", "ham")
    truth = log["label"]
    own = pl.DataFrame({"label": truth, "prediction": said, "confidence": np.maximum(p, 1 - p)})
    three = {f"proba_{k}": log["proba_spam"] / n for k, n in (("a", 2), ("b", 4), ("c", 4))}
    return {
        "two columns": (log, []),
        "groups and models": (
            log.with_columns(
                part=pl.Series([("x", "y", None)[i % 3] for i in range(ROWS)]),
                who=pl.Series([("one", "two")[i % 2] for i in range(ROWS)]),
            ),
            ["--by", "part", "--model", "who"],
        ),
        "one column, of the first class": (log.drop("proba_spam"), []),
        "an answer and a confidence": (own, []),
        "an answer beside probabilities": (log.with_columns(prediction=pl.Series(said)), ["--proba", "proba_"]),
        "numbers for classes, single precision": (
            pl.DataFrame({
                "label": log["label"].replace_strict({"ham": 0, "spam": 1}),
                "proba": log["proba_spam"].cast(pl.Float32),
            }),
            [],
        ),
        "three classes, the margin": (
            pl.DataFrame({"label": log["label"].replace({"ham": "a", "spam": "b"}), **three}).with_columns(
                proba_c=1 - pl.col("proba_a") - pl.col("proba_b")
            ),
            ["--measure", "margin"],
        ),
    }  # fmt: skip


def test_value(engine, shell, log):  # noqa: F811
    for name, (frame, more) in varied(log).items():
        if engine == "spark" and name not in _ON_SPARK:
            continue  # each takes it seconds, and the expressions are those of DuckDB
        folder = shell.folder / name.replace(" ", "-")
        folder.mkdir()
        frame[:150].write_parquet(folder / "0.parquet")
        frame[150:].write_parquet(folder / "1.parquet")
        by_rows = shell.folder / "log.csv"  # which no engine counts
        frame.with_columns(pl.selectors.float().cast(pl.Float64)).write_csv(by_rows)
        expected = shell.answer(folder, *more, "--sketch")
        assert shell.answer(folder, *more, "--engine", engine) == expected, name
        if "single" not in name:
            assert shell.answer(by_rows, *more, "--sketch") == expected, name


@pytest.mark.parametrize("measure", list(CONFIDENCE_MEASURES))
def test_every_measure_of_the_record_is_counted(engine, measure, shell, log):  # noqa: F811
    frame, _ = varied(log)["three classes, the margin"]
    file = shell.folder / "log.parquet"
    frame.write_parquet(file)
    words = ("--measure", measure, "--ask-at-most", 0.5)
    ours, theirs = (
        shell.answer(file, *words, "--sketch"),
        shell.answer(file, *words, "--engine", engine),
    )
    assert ours["accuracy"] == theirs["accuracy"]
    # an engine rounds logarithms and roots otherwise: a case may lie in the next bin
    for rule, part, close in (("hindsight", "asked", 2 / ROWS), ("recommended", "asked", 0.01)):
        share = ours[rule][part]["share"]
        assert theirs[rule][part]["share"] == pytest.approx(share, abs=close)
    risk = ours["hindsight"]["risk"]["estimate"]
    assert theirs["hindsight"]["risk"]["estimate"] == pytest.approx(risk, abs=4 / ROWS)
    assert theirs["hindsight"]["rule"]["threshold"] == pytest.approx(
        ours["hindsight"]["rule"]["threshold"], rel=0.01
    )


def test_judges(engine, shell, votes):  # noqa: F811
    _, days = written(shell, votes, "parquet")
    assert shell.json("judges", days, "--engine", engine) == shell.json("judges", days)


def test_what_an_engine_cannot_do_is_said(engine, shell, log):  # noqa: F811
    _, days = written(shell, log, "parquet")

    def refused(*words):
        return shell.refusal(*words, "--engine", engine)

    assert "holds no file" in refused(
        "value", shell.folder.joinpath("none").mkdir() or shell.folder / "none"
    )
    assert "engines read Parquet, not log.csv" in refused(
        "value", shell.write("log.csv", [{"a": 1}])
    )
    assert "keeps them" in refused("value", days, "--exact")
    assert "reads them elsewhere" in refused("value", days, "--cache", shell.folder / "kept")
    assert "needs single items" in refused("judges", days, "--propose", 5)
    bad = log.with_columns(proba_ham=pl.col("proba_ham") + 7)
    bad.write_parquet(days / "0.parquet")
    assert "probabilities must be between 0 and 1; got" in refused("value", days)
    log.write_parquet(days / "0.parquet")
    damaged(days)
    said = refused("value", days)
    assert "the same command without an engine names the file" in said
    assert engine == "duckdb" or "1.parquet" in said
    log.write_parquet(days / "1.parquet")
    long = pl.DataFrame({"worker": ["a"], "task": ["t"], "label": ["x"]})
    long.write_parquet(shell.folder / "long.parquet")
    assert "has one row per vote" in refused("judges", shell.folder / "long.parquet")
    (days / "2.parquet").write_bytes(b"PAR1")
    assert "2.parquet is broken" in refused("value", days)


@pytest.mark.parametrize(
    "setting",
    [
        {"PYSPARK_SUBMIT_ARGS": "--master spark://127.0.0.1:9 pyspark-shell"},
        {"SPARK_REMOTE": "sc://127.0.0.1:9"},
    ],
    ids=["master", "connect"],
)
def test_a_cluster_that_is_not_there(setting, shell, log):  # noqa: F811
    require("spark")
    whole, _ = written(shell, log, "parquet")
    words = [sys.executable, "-m", "askpoint", "value", str(whole), "--engine", "spark"]
    done = subprocess.run(
        words, env=os.environ | setting, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "askpoint: no Spark cluster answers at s" in done.stderr
    assert "Traceback" not in done.stderr
