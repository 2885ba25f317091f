"""Data sets that share their rows: counted, left out by a word, and the verdict without them."""

from __future__ import annotations

from collections import Counter

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner

from askpoint.cli.main import main
from askpoint.errors import InputError
from askpoint.papers.catalogue import expand_words, find_paper
from askpoint.papers.data_files import Data
from askpoint.papers.interactive.nominal_sets import COPIES, INDEPENDENT_SETS, SETS, without_copies
from askpoint.papers.interactive.paper_numbers import MEASURES, VERDICTS
from askpoint.papers.interactive.significance_tables import verdict_blocks
from askpoint.papers.interactive.stand_ins import CLASSIFIERS
from askpoint.papers.interactive.ways_to_ask import RHOS
from askpoint.reports.document import Grid, Paragraph

HEART = {
    "sex": ("female", "male"),
    "cp": (None, "typ_angina", "atyp_angina", "non_anginal", "asympt"),
    "fbs": ("f", "t"),
    "restecg": ("normal", "st_t_wave_abnormality", "left_vent_hyper"),
    "exang": ("no", "yes"),
    "slope": (None, "up", "flat", "down"),
    "thal": (None, None, None, "normal", None, None, "fixed_defect", "reversable_defect"),
    "class": ("absent", "present"),
}
"""The codes of heart, by the words of cleve."""


def shared(first, second):
    """Count the rows of one set that another has too, each as often as it occurs in both."""
    return sum((Counter(first) & Counter(second)).values())


def test_five_sets_are_copies_of_others(data):
    """In the errata: how many rows each of five pairs shares."""
    frames = Data(str(data)).frame
    pima, diabetes = frames("pima"), frames("diabetes")
    assert pima.drop("class").rows() == diabetes.drop("class").rows()
    assert pima["class"].to_list() == [c == "tested_positive" for c in diabetes["class"]]

    cleve = (
        frames("cleve")
        .drop_nulls()
        .with_columns(pl.col("class").replace({"<50": "absent", ">50_1": "present"}))
    )
    coded = [
        tuple(
            HEART[name].index(cell) if name in HEART and name != "class" else cell
            for name, cell in zip(cleve.columns, row, strict=True)
        )
        for row in cleve.iter_rows()
    ]
    assert shared(frames("heart").rows(), coded) == 269
    assert len(frames("heart")) == 270

    glass = {"build wind float": "float", "vehic wind float": "float"}
    renamed = [(*row[:-1], glass.get(row[-1], "non-float")) for row in frames("glass").rows()]
    assert shared(frames("glass2").rows(), renamed) == len(frames("glass2")) == 163

    dna = [(*row[:-1], row[-1].upper()) for row in frames("DNA-nominal").rows()]
    splice = frames("splice").rows()
    assert (shared(dna, splice), len(dna)) == (3175, 3186)
    sequences = {row[:-1] for row in dna}
    assert (len(sequences & {row[:-1] for row in splice}), len(sequences)) == (2990, 3001)

    crx, australian = frames("crx"), frames("australian")
    numbers = [
        (*(float(row[i]) for i in (1, 2, 7, 10, 13)), row[14] + 1, row[15] == "+")
        for row in crx.drop_nulls().rows()
    ]
    others = [
        (*(float(row[i]) for i in (1, 2, 6, 9, 12)), row[13], row[14] == 1)
        for row in australian.rows()
    ]
    assert shared(numbers, others) == len(numbers) == 653


def test_one_of_each_pair_is_left():
    assert len(INDEPENDENT_SETS) == 26
    assert set(without_copies(SETS)) == set(INDEPENDENT_SETS)
    assert without_copies(["heart", "iris"]) == ["heart", "iris"]  # cleve is not there
    assert without_copies(["cleve", "heart", "iris"]) == ["cleve", "iris"]
    assert not set(COPIES) & set(COPIES.values())


def test_the_word_narrows_what_is_asked_for():
    paper = find_paper("interactive")
    tables = paper.select("table-5")
    expand = lambda only, words: expand_words(paper, tables, only, words, quick=False)  # noqa: E731
    assert expand({}, ["independent"]) == {"data": list(INDEPENDENT_SETS)}
    only = {"classifier": ["NB"], "data": ["pima", "iris"]}
    assert expand(only, ["independent"]) == {"classifier": ["NB"], "data": ["iris"]}
    assert expand(only, []) == only
    assert expand({"data": ["irsi"]}, ["independent"]) == {"data": ["irsi"]}  # refused by its name
    with pytest.raises(InputError, match="must leave a cell; got data=pima"):
        expand({"data": ["pima"]}, ["independent"])


def test_the_command_takes_the_word(data, tmp_path):
    words = ["papers", "run", "interactive", "table-5", "--quick", "--data", str(data)]
    words += ["--out", str(tmp_path), "--only", "data=heart,iris,glass", "--only", "classifier=NB"]
    result = CliRunner().invoke(main, [*words, "--only", "independent"])
    assert result.exit_code == 0, result.output
    assert set(pl.read_parquet(tmp_path / "interactive-table-5.parquet")["data"]) == {
        "iris",
        "glass",
    }
    refused = CliRunner().invoke(main, [*words, "--only", "dependent"])
    assert refused.exit_code == 2
    assert "must be NAME=VALUE,... or independent; got 'dependent'" in refused.stderr


def made_rows(sets, gains, classifiers=CLASSIFIERS):
    """Scores of never asking and of five measures, which gain as much as is given for each set."""
    rng = np.random.default_rng(3)
    rows = []
    for name in classifiers:
        for one in sets:
            base = {"data": one, "classifier": name, "asked": 0.1}
            rows.append(
                base
                | {
                    "emic": None,
                    "parameter": None,
                    "threshold": "never",
                    "confidence": None,
                    "score": 0.8,
                }
            )
            rows += [
                base
                | {
                    "emic": "EP",
                    "parameter": rho,
                    "threshold": "realistic",
                    "confidence": measure,
                    "score": 0.8 + gains[one] + 1e-4 * rng.random(),
                }
                for rho in RHOS
                for measure in MEASURES
            ]
    return pl.DataFrame(rows, infer_schema_length=None)


def grid_of(rows):
    blocks = list(verdict_blocks(rows, "EP"))
    (grid,) = (block for block in blocks if isinstance(block, Grid))
    return {line[0]: list(map(int, line[1:])) for line in grid.rows}, blocks


def test_both_verdicts_stand_beside_each_other():
    """Copies that all gain make a verdict out of 26 sets that gain and lose alike."""
    better = {*COPIES, *INDEPENDENT_SETS[:14]}
    rows = made_rows(SETS, {name: 0.02 if name in better else -0.01 for name in SETS})
    both, _ = grid_of(rows)
    alone, _ = grid_of(rows.filter(pl.col("data").is_in(INDEPENDENT_SETS)))
    kinds = ("significantly better", "better", "worse", "significantly worse")
    for place, kind in enumerate(kinds):
        assert both[f"{kind}, independent"] == alone[f"{kind} here"]
        assert both[f"{kind} paper"] == list(VERDICTS["EP"][place])
        assert f"{kind}, independent" not in alone
    assert sum(both["significantly better here"]) > sum(both["significantly better, independent"])


def test_a_part_is_not_laid_beside_the_whole():
    gains = dict.fromkeys(SETS, 0.02)
    parts = (
        made_rows(SETS, gains, CLASSIFIERS[:3]),
        made_rows(SETS[:5], gains),
        made_rows(INDEPENDENT_SETS, gains),
    )
    for rows in parts:
        lines, blocks = grid_of(rows)
        assert not any(name.endswith("paper") for name in lines)
        assert any(
            isinstance(block, Paragraph) and "not of a part" in block.text for block in blocks
        )
