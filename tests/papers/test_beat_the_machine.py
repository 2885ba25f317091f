"""Article of 2015: example 4.1 exactly, figures counted, and the challenges by the game's rules."""

from __future__ import annotations

import functools

import numpy as np
import polars as pl
import pytest

from askpoint.papers.beat_the_machine import real_attacks
from askpoint.papers.beat_the_machine.unknowns_paper import UNKNOWNS
from askpoint.papers.data_files import Data
from askpoint.papers.grid import run_grid
from askpoint.reports.document import Grid, Picture
from askpoint.unknowns.quadrants import QUADRANTS


def rows_of(name, folder, data=None, keep=bool, **changes):
    (table,) = UNKNOWNS.select(name)
    cells = [cell | changes for cell in table.cells(True) if keep(cell)]
    work = functools.partial(table.work, data=data or Data())
    rows = run_grid(name, cells, work, folder)
    return rows, list(table.blocks(rows))


class Texts(Data):
    """Two kinds of posts that words tell apart, and attacks in words that the model never saw."""

    def frame(self, name):
        rng = np.random.default_rng(len(name))
        of = {"normal": ("tea", "rain", "bread"), "hate": ("vile", "scum", "filth")}
        islands = {"normal": ("kite", "lamp", "pond"), "hate": ("thorn", "smoke", "wasp")}
        words = of if name == "hatexplain" else islands
        labels = rng.choice(["normal", "hate"], 400)
        texts = [
            f"{' '.join(rng.choice(words[label], 4))} tea post number{i}"
            for i, label in enumerate(labels)
        ]
        if name == "hatexplain":
            told = np.where(labels == "hate", "hatespeech", "normal")
            return pl.DataFrame({"text": texts, "label": told})
        if name == "reuters_grain":  # told apart by their last words only
            about = {"normal": ("coffee", "sugar", "ships"), "hate": ("wheat", "maize", "barley")}
            ends = [" ".join(rng.choice(about[label], 5)) for label in labels]
            kept = [f"said number{i} {'a report ' * 12}{end}" for i, end in enumerate(ends)]
            return pl.DataFrame(
                {"text": kept, "label": np.where(labels == "hate", "grain", "other")}
            )
        told = np.where(labels == "hate", "hate", "nothate")
        return pl.DataFrame(
            {
                "text": texts,
                "label": told,
                "set": ["original"] * 300 + ["perturbation"] * 100,
                "round": [str(5 + i % 3) for i in range(400)],
            }
        )


def test_example_4_1(tmp_path):
    rows, (grid,) = rows_of("example-4.1", tmp_path)
    assert [line[1:3] for line in grid.rows] == [
        ("about 20,000", "20,000"),
        ("around 1,000", "999"),
    ]
    pages = rows["pages"].to_numpy()
    assert abs(pages.mean() - 20_000) < 4 * pages.std() / 10
    assert rows["false_alarms"].sum() / pages.sum() == pytest.approx(0.999 * 0.05, rel=0.05)


def test_mistakes_on_islands_lie_outside_the_band(tmp_path):
    rows, (grid, picture, _) = rows_of("figure-2", tmp_path)
    known, island = rows.sort("kind", descending=True).iter_rows(named=True)
    assert known["in_band"] > known["mistakes"] / 2
    assert island["mistakes"] == island["cases"] > 0
    assert island["in_band"] == 0
    assert isinstance(picture, Picture)
    assert [line[0] for line in grid.rows] == ["known", "island"]


def test_designs_are_counted(tmp_path):
    rows, blocks = rows_of("designs", tmp_path, cases=20, designs=[2, 3])
    arms = rows.drop_nulls("judged")
    names = ("0-250", "250-500", "500-750", "750-1000")
    assert (arms.select(names).sum_horizontal() == arms["errors"]).all()
    by = {line["arm"]: line for line in arms.iter_rows(named=True)}
    assert by["design 2"]["others"] > by["design 3"]["others"] == 0
    assert [line[0] for line in blocks[0].rows] == arms["arm"].to_list()
    assert "too few" in blocks[-1].text  # 20 cases show no figure 5
    assert "25 and 27" not in blocks[1].text  # the paper's 500 cases stand beside no 20
    assert "The paper" not in blocks[2].note


def test_figure_5_where_it_can_be_estimated():
    (table,) = UNKNOWNS.select("designs")
    arm = {"arm": "stratified", "judged": 5, "errors": 0, "unknown": 0, "distinct": 0, "others": 0}
    arm |= {"cases": 500, "cents": 1.0, "0-250": 0, "250-500": 0, "500-750": 0, "750-1000": 0}
    points = [{"arm": "players only", "size": n, "area": n / 100} for n in (60, 80, 80)]
    _, said, *_, grid, picture = table.blocks(
        pl.DataFrame([arm, *points], infer_schema_length=None)
    )
    assert "25 and 27" in said.text
    assert grid.rows == (("players only", "0.600", "0.800"),)
    assert "players only 0.80" in picture.alternative


def test_more_than_two_classes(tmp_path):
    rows, blocks = rows_of("multi-class", tmp_path, cases=20, designs=[3])
    (played,) = rows.filter(pl.col("arm") == "design 3").iter_rows(named=True)
    assert played["judged"] == 20
    assert played["others"] == 0
    assert isinstance(blocks[0], Grid)


def test_a_tag_changes_where_judges_find_better(tmp_path):
    rows, (grid, _) = rows_of("tags", tmp_path, items=40)
    for line in rows.iter_rows(named=True):
        assert line["upheld"] <= line["challenged"]
        assert 2 * line["challenged"] <= line["votes"] <= 3 * line["challenged"]
        # a point of base pay in ten, the top reward for what is upheld
        assert line["points"] == 1000 * line["upheld"] + 10 * line["challenged"]
    careful = rows.filter(pl.col("judge_error") < 0.1, pl.col("knows") > 0.8)
    assert (careful["right_after"] > careful["right_before"]).all()
    assert len(grid.rows) == 4


def test_attacks_in_words_never_seen(tmp_path):
    rows, blocks = rows_of("attacks", tmp_path, Texts(), cases=100)
    people, examined = rows.drop_nulls("judged").iter_rows(named=True)
    for line in (people, examined):
        assert sum(line[which] for which in QUADRANTS) == line["judged"]
    assert people["errors"] / people["judged"] > 0.3
    assert examined["errors"] == 0
    titles = [block.title for block in blocks]
    assert titles[0] == "Figure 1, counted: where the cases lie"
    assert titles[1:] == [
        "Figure 4: hate that passes, by severity",
        "Figure 4, drawn",
        "Figure 5: area under the ROC curve, by cases learned from",
        "Figure 5, drawn",
    ]


def test_whole_documents_teach_what_their_first_words_do_not(tmp_path):
    rows, _ = rows_of("documents", tmp_path / "whole", Texts(), cases=100)
    (table,) = UNKNOWNS.select("documents")
    cells = [cell for cell in table.cells(False) if "20 words" in cell["texts"]][:1]
    work = functools.partial(table.work, data=Texts())
    short = run_grid("documents", [{**cells[0], "cases": 100}], work, tmp_path / "short")
    of = [part.drop_nulls("area")["area"].mean() for part in (rows, short)]
    assert of[0] > 0.95
    assert abs(of[1] - 0.5) < 0.2
    grid, _ = table.blocks(pl.concat([rows, short]))
    # of too few cases that differ no area is told, and no line
    assert [line[-1] for line in grid.rows][-1].startswith("0.")
    assert 3 <= len(grid.rows) <= 4
    assert all("None" not in cell for line in grid.rows for cell in line)


def test_each_round_is_learned_and_edits_are_left_out(tmp_path):
    assert len(real_attacks._attacks(Texts())) == 300
    rows, (grid, _) = rows_of("rounds", tmp_path, Texts(), keep=lambda c: c["method"] == "plain")
    wrong = {(line["learned"], line["against"]): line["wrong"] for line in rows.to_dicts()}
    assert set(wrong) == {
        *((0, f"round {n}") for n in (5, 6, 7)),
        *((1, f"round {n}") for n in (6, 7)),
        (2, "round 7"),
        *((n, "stream") for n in range(3)),
    }
    assert wrong[0, "round 6"] > 0.3 > wrong[1, "round 6"]
    assert len(grid.rows) == 9
