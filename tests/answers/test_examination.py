"""An examination as a function: the numbers of the command, from files or dataframes."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner

from askpoint.answers.examination.reading import answer_examination
from askpoint.cli.main import main
from askpoint.errors import InputError
from askpoint.records.examinations import draw_sample
from askpoint.records.samples import sample_csv
from askpoint.records.scored_batches import ScoredTable
from askpoint.records.tables import open_table
from askpoint.reports.notebook import report
from askpoint.unknowns.examination import ExaminationDesign

_RNG = np.random.default_rng(0)
_SPAM = _RNG.random(300)
LOG = pl.DataFrame(
    {
        "id": [f"c{i}" for i in range(300)],
        "p_ham": 1 - _SPAM,
        "p_spam": _SPAM,
        "label": np.where(_RNG.random(300) < _SPAM, "spam", "ham"),
    }
)


@pytest.fixture(scope="module")
def judged():
    drawn = draw_sample(ScoredTable.open(open_table(LOG)), ExaminationDesign(n=80), 0)
    sample = pl.read_csv(sample_csv(drawn).encode(), infer_schema_length=0)
    truth = dict(LOG.select("id", "label").iter_rows())
    return sample.with_columns(label=pl.Series([truth[item] for item in sample["id"]]))


def test_labels_at_hand():
    answer = answer_examination(LOG)
    wrong = LOG.filter((pl.col("p_spam") > 0.5) != (pl.col("label") == "spam"))
    assert (answer.n_labelled, answer.n_mistakes) == (300, wrong.height)
    assert str(report(answer, "mail.csv")).startswith("What does the model not know? mail.csv")


def test_a_judged_sample_is_told_as_the_command_tells_it(judged, tmp_path):
    log, sample = tmp_path / "log.csv", tmp_path / "judged.csv"
    LOG.write_csv(log)
    judged.write_csv(sample)
    words = ["examine", str(log), "--judged", str(sample), "--seed", "3", "--json"]
    said = CliRunner().invoke(main, words)
    content = report(answer_examination(LOG, judged=judged, seed=3)).content
    assert json.loads(said.stdout) == json.loads(json.dumps(content))


def test_a_comparison_is_part_of_the_answer(judged):
    finds = pl.DataFrame({"severity": [900, None, 1000, 300] * 5})
    answer = answer_examination(LOG, judged=judged, compare=finds, names=("drawn", "brought"))
    methods = json.loads(json.dumps(report(answer).content))["comparison"]["methods"]
    assert [method["name"] for method in methods] == ["drawn", "brought"]
    assert methods[1]["n_errors"] == 15
    assert "drawn and brought: how severe is what they find?" in str(report(answer))


def test_nothing_is_compared_with_nothing():
    with pytest.raises(InputError, match="no judged sample"):
        answer_examination(LOG, compare=LOG)


def test_clusters_are_no_feature_and_count_once(tmp_path):
    rng = np.random.default_rng(1)
    spam = rng.random(300) / 3
    log = pl.DataFrame(
        {
            "p_ham": 1 - spam,
            "p_spam": spam,
            "label": np.where(rng.random(300) < spam, "spam", "ham"),
            "place": rng.choice(["north", "south", "west"], 300),
            "user": [f"u{i}" for i in range(300)],
        }
    )
    four = pl.concat([log] * 4).with_columns(id=pl.Series(range(1200)))
    regions = answer_examination(four, cluster="user").regions
    assert "user" not in regions.sought_in
    assert regions.found.confirmed == ()
    assert regions.found.n_search % 4 == 0
    four.write_csv(tmp_path / "log.csv")
    told = CliRunner().invoke(
        main, ["examine", str(tmp_path / "log.csv"), "--cluster", "user", "--json"]
    )
    assert told.exit_code == 0, told.output
    with pytest.raises(InputError, match="no column 'who' for clusters"):
        answer_examination(four, cluster="who")
