"""`askpoint papers run interactive`: tables, what is kept, a killed run, and what it refuses."""

from __future__ import annotations

import gzip
import hashlib
import os
import shutil
import signal
import subprocess
import sys
import time

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner
from scipy import stats

from askpoint.cli.main import main
from askpoint.errors import InputError
from askpoint.papers import data_files
from askpoint.papers.catalogue import find_paper, run_tables
from askpoint.papers.data_files import DATA_FILES, Data, DataFile
from askpoint.papers.interactive import trained_cells as module, weka
from askpoint.papers.interactive.nominal_sets import QUICK_SETS
from askpoint.papers.interactive.paper_numbers import NEVER
from askpoint.papers.interactive.set_means import against_never
from askpoint.papers.interactive.stand_ins import CLASSIFIERS
from askpoint.papers.interactive.trained_cells import load_posteriors
from askpoint.papers.interactive.ways_to_ask import BETAS, RHOS
from askpoint.reports.document import Grid

FAST = ("HC", "J48", "NB")


def run(*words):
    return CliRunner().invoke(main, ["papers", "run", *map(str, words)])


def refused(*words):
    result = run(*words)
    assert result.exit_code == 2, result.output
    return result.stderr


@pytest.fixture(scope="module")
def quick(data, tmp_path_factory):
    """All tables of the quick run, of three sets and three classifiers."""
    folder = tmp_path_factory.mktemp("quick")
    only = {"classifier": FAST, "data": ("glass", "heart", "iris")}
    paper = find_paper("interactive")
    tables = tuple(table for table in paper.tables if table.grid and not table.on_request)
    return folder, run_tables(paper, tables, folder, data=Data(str(data)), quick=True, only=only)


def test_a_table_holds_what_it_tells(quick):
    folder, results = quick
    for name, rows in results.items():
        assert rows.equals(pl.read_parquet(folder / f"interactive-{name}.parquet"))
        assert {"experiment", "version", "seed", "by", "data", "classifier"} <= set(rows.columns)
        assert rows.filter(pl.col("threshold") == "never").height in (6, 9)
    assert results["table-3"].height == 9 * (1 + 2 * 5)
    assert results["table-8"].height == 9 * (1 + 5)
    assert results["table-5"].height == 9 * (1 + 5 * len(RHOS))
    assert results["table-10"].height == 9 * (1 + 6 * len(BETAS))
    assert set(results["table-6"]["data"]) == {"glass", "iris"}


def test_tables_agree_with_each_other(quick):
    """Table 10 averages table 3; table 2 is never worse; two classes make all measures one."""
    _, results = quick
    at = (pl.col("emic") == "F") & (pl.col("parameter") == 0.5) & (pl.col("threshold") != "random")
    keys = ("data", "classifier", "confidence")
    table_3 = results["table-3"].filter(at).sort(keys)
    assert (
        table_3["score"].to_list() == results["table-10"].filter(at).sort(keys)["score"].to_list()
    )
    optimistic = results["table-2"].filter(at | (pl.col("emic") == "EP")).sort("emic", *keys)
    realistic = results["table-3"].filter(at | (pl.col("emic") == "EP")).sort("emic", *keys)
    assert (optimistic["score"] - realistic["score"]).min() >= -1e-12
    two = table_3.filter(pl.col("data") == "heart")
    assert two.height == len(FAST) * 5
    for _, part in two.group_by("data", "classifier"):
        assert part["score"].max() - part["score"].min() < 1e-12


def test_pages_lay_no_part_beside_the_papers_whole(quick):
    folder, results = quick
    for table in (table for table in find_paper("interactive").tables if table.name in results):
        blocks = list(table.blocks(results[table.name]))
        assert any(isinstance(block, Grid) for block in blocks)
    said = CliRunner().invoke(
        main, ["papers", "show", "interactive", "table-3", "--out", str(folder)]
    )
    for number in (0.8896, 0.8757, NEVER["HC"]):
        assert f"{number:.4f}" not in said.stdout
    words = " ".join(said.stdout.split())
    assert "Means over 3 of the paper's 31 data sets" in words
    assert "they stand beside a run of all, not of a part" in words


def test_show_lists_each_checksum_once(quick):
    folder, _ = quick
    for out in (folder, folder / "empty"):
        said = CliRunner().invoke(main, ["papers", "show", "interactive", "--out", str(out)])
        assert said.exit_code == 0, said.output
        text = "".join(said.stdout.split())
        for name in ("adult", "iris", "letter"):
            assert text.count(DATA_FILES[name].sha256) <= 1
    assert text.count(DATA_FILES["adult"].sha256) == 1


def test_verdicts_count_every_classifier_and_measure(quick):
    _, results = quick
    grid, *_ = next(t for t in find_paper("interactive").tables if t.name == "table-4").blocks(
        results["table-4"]
    )
    counts = np.array(
        [[int(x) for x in line[1:]] for line in grid.rows if line[0].endswith("here")]
    )
    assert counts.shape == (4, len(BETAS))
    assert (counts.sum(axis=0) <= 5 * len(FAST)).all()
    assert counts[:2, 0].sum() > 12  # who asks for little gains


def test_against_never_is_friedman_then_hommel():
    rng = np.random.default_rng(1)
    scores = rng.random((12, 6))
    scores[:, 5] -= 0.5
    apart, p_values = against_never(scores)
    assert apart == (stats.friedmanchisquare(*scores.T).pvalue < 0.05)
    ranks = stats.rankdata(-scores, axis=1).mean(axis=0)
    p = [2 * stats.norm.sf(abs(r - ranks[5]) / np.sqrt(6 * 7 / (6 * 12))) for r in ranks[:5]]
    # Hommel: the least level at which a closed test by Simes rejects every subset with the hypothesis
    for i, found in enumerate(p_values):
        worst = 0.0
        for mask in range(1, 32):
            members = [p[j] for j in range(5) if mask >> j & 1]
            if mask >> i & 1:
                ordered = sorted(members)
                simes = min(len(ordered) * q / (k + 1) for k, q in enumerate(ordered))
                worst = max(worst, simes)
        assert found == pytest.approx(min(worst, 1))


def test_without_statsmodels_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "statsmodels.stats.multitest", None)
    with pytest.raises(InputError, match=r"pip install 'askpoint\[papers\]'"):
        against_never(np.random.default_rng(1).random((12, 6)))


CELL = {"by": "scikit-learn", "data": "iris", "classifier": "NB", "fold": 0, "partition": 0}


def test_posteriors_are_kept_and_half_of_them_made_anew(data, tmp_path, monkeypatch):
    there = Data(str(data), kept=tmp_path)
    first = load_posteriors(CELL, np.random.default_rng(1), there)
    assert first.height == 150
    assert first["is_test"].sum() == 30
    monkeypatch.setattr(module, "stand_in_posteriors", None)
    again = load_posteriors(CELL, np.random.default_rng(1), there)
    assert again.equals(first)
    monkeypatch.undo()
    (path,) = (tmp_path / "cells").iterdir()
    path.write_bytes(path.read_bytes()[:300])
    assert load_posteriors(CELL, np.random.default_rng(1), there).equals(first)


@pytest.mark.soak
def test_a_killed_run_goes_on_and_repeats_no_cell(data, quick, tmp_path):
    words = ["interactive", "table-3", "--quick", "--data", data, "--out", tmp_path]
    words += ["--only", "classifier=HC", "--only", "data=glass,heart"]
    command = [sys.executable, "-m", "askpoint", "papers", "run", *map(str, words)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 120
    while len(list(tmp_path.glob("cells/interactive-outcomes-*.parquet"))) < 3:
        assert time.monotonic() < deadline
        assert process.poll() is None
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    before = {
        path: path.stat().st_mtime_ns for path in tmp_path.glob("cells/interactive-*.parquet")
    }
    again = run(*words)
    done = [path for path in before if "outcomes" in path.name]
    assert f"{len(done)} of 10 cells were done before" in again.stderr
    assert before == {path: path.stat().st_mtime_ns for path in before}
    whole = quick[1]["table-3"].filter(
        pl.col("classifier") == "HC", pl.col("data").is_in(["glass", "heart"])
    )
    assert pl.read_parquet(tmp_path / "interactive-table-3.parquet").equals(whole)


def test_a_missing_or_altered_file_is_refused_before_any_work(data, tmp_path):
    for name in QUICK_SETS[:-1]:
        shutil.copy(data / "uci" / f"{name}.csv.gz", tmp_path)
    out = tmp_path / "out"
    words = ("interactive", "table-3", "--quick", "--data", tmp_path, "--out", out)
    said = refused(*words)
    assert f"lymphography.csv.gz (sha256 {DATA_FILES['lymphography'].sha256})" in said
    (tmp_path / "lymphography.csv.gz").write_bytes(gzip.compress(b"class\nyes\n"))
    assert "lymphography.csv.gz was altered" in refused(*words)
    assert not out.exists()
    assert run(*words, "--only", "data=iris", "--only", "classifier=NB").exit_code == 0


def test_a_set_with_too_few_rows_is_refused(tmp_path, monkeypatch):
    content = gzip.compress(b"size,class\n1,a\n2,b\n3,a\n4,b\n", mtime=0)
    (tmp_path / "iris.csv.gz").write_bytes(content)
    record = DataFile("iris.csv.gz", hashlib.sha256(content).hexdigest(), None, 4)
    monkeypatch.setitem(DATA_FILES, "iris", record)
    data_files._read.cache_clear()
    said = refused(
        "interactive", "table-3", "--only", "data=iris", "--data", tmp_path, "--out", tmp_path
    )
    assert "iris has 4 complete rows, 2 of its largest class; 5 folds need at least 5" in said


def test_without_java_it_says_what_to_install(data, tmp_path, monkeypatch):
    words = ("interactive-weka", "--quick", "--data", data, "--out", tmp_path)
    weka._java.cache_clear()
    monkeypatch.setitem(sys.modules, "jpype", None)
    assert "pip install 'askpoint[weka]'" in refused(*words)


def test_nothing_of_weka_is_needed_by_the_stand_ins(quick):
    _, results = quick
    assert set(results["table-3"]["by"]) == {"scikit-learn"}
    assert len(CLASSIFIERS) == len(weka.WEKA)


@pytest.mark.soak
def test_the_quick_run_has_all_six_classifiers(data, tmp_path):
    result = run("interactive", "--quick", "--data", data, "--out", tmp_path)
    assert result.exit_code == 0, result.output
    assert "MP here" in result.stdout


def test_open_questions_are_answered_with_numbers(data, tmp_path):
    paper = find_paper("interactive")
    tables = tuple(table for table in paper.tables if not (table.grid or table.on_request))
    results = run_tables(paper, tables, tmp_path, data=Data(str(data)), quick=True)
    classes = results["classes"].filter(pl.col("kind") == "classes").sort("level")
    assert classes["level"].to_list() == [2, 3, 5, 9, 13, 26]
    assert classes.filter(pl.col("level") == 2)["accuracy"][0] > 0.55
    for name, rows in results.items():
        assert rows["profit"].is_between(0, 1).all()
        assert rows["asked"].is_between(0, 1).all(), name
    assert results["external"].group_by("data", "fold").len()["len"].to_list() == [3] * 5
    learned = results["learning"].pivot("way", index="draw", values="last_accuracy")
    assert (learned["all rows"] >= learned["never"] - 0.05).all()
    for table in tables:
        assert all(
            len(line) == len(block.columns)
            for block in table.blocks(results[table.name])
            if isinstance(block, Grid)
            for line in block.rows
        )
