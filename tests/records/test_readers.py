"""Tables and logs that people bring, beside those of the manifest: read right, or refused by name."""

import io
import json
import zipfile

import polars as pl
import pytest
from backports import zstd

from askpoint.errors import LogError
from askpoint.records.label_words import same_labels
from askpoint.records.logs import read_log
from askpoint.records.readers.brought import collect_votes
from askpoint.records.readers.reading import Choices
from askpoint.records.readers.registry import read_files
from askpoint.records.roles import column_facts


def write(folder, name, rows):
    path = folder / name
    if name.endswith(".jsonl"):
        path.write_text("\n".join(map(json.dumps, rows)))
    elif name.endswith(".json"):
        path.write_text(json.dumps(rows))
    else:
        pl.DataFrame(rows).write_csv(path)
    return path


ROWS = [
    {"case_id": f"k{i}", "label": "yes" if i % 3 else "no", "p_yes": 0.6, "p_no": 0.4}
    for i in range(60)
]


@pytest.mark.parametrize("name", ["log.csv", "log.json", "log.jsonl"])
def test_one_table_in_several_formats(tmp_path, name):
    reading = read_files([write(tmp_path, name, ROWS)])
    assert reading.kind == "predictions"
    assert reading.label_counts == {"no": 20, "yes": 40}
    assert reading.probabilities == {"yes": "p_yes", "no": "p_no"}


def test_feather_and_parquet(tmp_path):
    frame = pl.DataFrame(ROWS)
    frame.write_ipc(tmp_path / "log.feather")
    frame.write_parquet(tmp_path / "log.parquet")
    for name in ("log.feather", "log.parquet"):
        assert read_files([tmp_path / name]).label_counts == {"no": 20, "yes": 40}


def test_a_pattern_joins_parts(tmp_path):
    write(tmp_path, "part1.csv", ROWS[:30])
    write(tmp_path, "part2.csv", ROWS[30:])
    assert read_files([str(tmp_path / "part*.csv")]).items == 60


def test_percent_without_a_sign(tmp_path):
    rows = [row | {"p_yes": 100 * row["p_yes"], "p_no": 100 * row["p_no"]} for row in ROWS]
    reading = read_files([write(tmp_path, "log.csv", rows)])
    assert reading.frame["proba_yes"].unique().to_list() == [0.6]
    assert any("percent" in doubt.what for doubt in reading.doubts)


def test_a_single_probability_is_of_the_label_that_says_yes(tmp_path):
    rows = [{"id": i, "target": i % 2, "proba": 0.25 + i / 100} for i in range(50)]
    assert read_files([write(tmp_path, "log.csv", rows)]).probabilities == {"1": "proba"}


def test_a_single_probability_of_unknown_class_is_asked(tmp_path):
    rows = [{"id": i, "target": "ab"[i % 2], "proba": 0.25 + i / 100} for i in range(50)]
    with pytest.raises(LogError, match="--classes"):
        read_files([write(tmp_path, "log.csv", rows)])


def test_a_probability_outside_is_named_by_its_row(tmp_path):
    rows = [*ROWS[:7], ROWS[7] | {"p_yes": 1.3}, *ROWS[8:]]
    with pytest.raises(LogError, match=r"row 7 .*outside 0 to 1"):
        read_files([write(tmp_path, "log.csv", rows)])


def test_a_row_a_vote(tmp_path):
    rows = [
        {"annotator": f"a{j}", "item": f"i{i}", "label": "xy"[(i + j) % 2]}
        for i in range(30)
        for j in range(3)
    ]
    reading = read_files([write(tmp_path, "votes.csv", rows)])
    assert reading.votes == {f"a{j}": {"x": 15, "y": 15} for j in range(3)}
    assert reading.items == 30


def test_two_systems_on_the_same_items(tmp_path):
    rows = [
        {"id": i // 2, "model": "AB"[i % 2], "j1": "pf"[i % 3 > 0], "j2": "pf"[i % 5 > 0]}
        for i in range(60)
    ]
    path = write(tmp_path, "votes.csv", rows)
    reading = read_files([path])
    assert (reading.items, reading.systems) == (30, ("A", "B"))
    with pytest.raises(LogError, match="--system"):
        collect_votes(reading, Choices())
    assert len(collect_votes(reading, Choices(system="A")).table.tasks) == 30


def test_a_column_that_says_one_thing_is_no_vote(tmp_path):
    with pytest.raises(LogError, match="no column holds votes"):
        read_files([write(tmp_path, "t.csv", [{"id": i, "text": "the same"} for i in range(30)])])


def test_scores_between_0_and_1_pass_at_a_level(tmp_path):
    rows = [{"id": i, "g1": i / 59, "g2": i * 7 % 60 / 59} for i in range(60)]
    path = write(tmp_path, "votes.csv", rows)
    with pytest.raises(LogError, match="--pass-at"):
        read_files([path])
    reading = read_files([path], Choices(judges=("g1", "g2"), pass_at=0.5))
    assert reading.votes["g1"] == {"fail": 30, "pass": 30}


def test_what_passes_comes_first(tmp_path):
    rows = [{"id": i, "a": "FAIL" if i % 3 else "pass", "b": "fail"} for i in range(30)]
    votes = collect_votes(read_files([write(tmp_path, "v.csv", rows)]), Choices())
    assert votes.table.labels == ("pass", "fail")


def inspect_log(samples, status="success", **header):
    log = {"version": 2, "status": status, "eval": {"model": "m", "task": "t"}, **header}
    return log | {"samples": samples}


def test_repeats_of_one_item_are_one_cluster(tmp_path):
    samples = [
        {"id": i, "epoch": e, "scores": {"s": {"value": "C" if i % 2 else "I"}}}
        for i in range(5)
        for e in (1, 2, 3)
    ]
    reading = read_files([write(tmp_path, "log.json", inspect_log(samples))])
    votes = collect_votes(reading, Choices())
    assert reading.items == 5
    assert len(set(votes.repeats.values())) == 5
    assert len(votes.table.tasks) == 15


def test_an_invalidated_log_is_refused_and_a_sample_left_out(tmp_path):
    samples = [{"id": i, "epoch": 1, "scores": {"s": {"value": "C"}}} for i in range(4)]
    with pytest.raises(LogError, match="invalid"):
        read_files([write(tmp_path, "a.json", inspect_log(samples, invalidated=True))])
    samples[0]["invalidation"] = {"author": "x"}
    assert read_files([write(tmp_path, "b.json", inspect_log(samples))]).items == 3


def test_a_cut_zip_is_refused(tmp_path, data):
    content = (data / "files" / "inspect" / "human_edits.eval").read_bytes()
    path = tmp_path / "cut.eval"
    path.write_bytes(content[: len(content) // 2])
    with pytest.raises(LogError, match="broken or cut off"):
        read_files([path])


def test_a_zip_of_no_tool_is_refused(tmp_path):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        file.writestr("a.txt", "x")
    (tmp_path / "a.zip").write_bytes(packed.getvalue())
    with pytest.raises(LogError, match="no kind that is known"):
        read_files([tmp_path / "a.zip"])


def test_promptfoo_of_another_version_is_refused(tmp_path):
    log = {"evalId": "x", "results": {"version": 99, "results": []}}
    with pytest.raises(LogError, match="version 99"):
        read_files([write(tmp_path, "log.json", log)])


def test_metrics_that_ask_different_things_are_not_compared(tmp_path, data):
    reading = read_files([data / "files" / "deepeval" / "latest_test_run.json"])
    assert reading.open_doubt is not None
    one = Choices(judges=("Faithfulness",))
    reading = read_files([data / "files" / "deepeval" / "latest_test_run.json"], one)
    assert reading.open_doubt is None


def label_studio(i, label, by=1, **more):
    result = [{"from_name": "c", "type": "choices", "value": {"choices": [label]}}]
    return {
        "id": i,
        "data": {"text": "t"},
        "annotations": [{"completed_by": by, "was_cancelled": False, "result": result}],
        **more,
    }


def test_label_studio_people_are_gold_where_models_voted(tmp_path):
    vote = [{"from_name": "c", "type": "choices", "value": {"choices": ["pos"]}}]
    tasks = [
        label_studio(
            i, "pos" if i % 2 else "neg", predictions=[{"model_version": "m1", "result": vote}]
        )
        for i in range(10)
    ]
    reading = read_files([write(tmp_path, "export.json", tasks)])
    assert reading.votes == {"m1": {"pos": 10}}
    assert reading.gold.counts() == {"neg": 5, "pos": 5}


def test_label_studio_people_alone_are_judges(tmp_path):
    tasks = [label_studio(i, "pos" if i % 2 else "neg", by=i % 3) for i in range(12)]
    reading = read_files([write(tmp_path, "export.json", tasks)])
    assert len(reading.judges) == 3
    assert reading.gold is None


def test_files_of_two_kinds_are_refused(tmp_path):
    write(tmp_path, "a.json", inspect_log([{"id": 1, "scores": {"s": {"value": "C"}}}]))
    write(tmp_path, "b.csv", ROWS)
    with pytest.raises(LogError, match="several kinds"):
        read_files([tmp_path])


def test_words_are_joined_only_where_all_say_yes_or_no():
    assert same_labels([{"pass": 3, "PASS": 1, "1": 1, "fail": 2}]) == {"PASS": "pass", "1": "pass"}
    assert same_labels([{"1": 3, "2": 1, "yes": 1}]) == {}
    assert same_labels([{"pass": 3, "fail": 1}]) == {}


@pytest.mark.parametrize(
    ("name", "cells", "role"),
    [
        ("case_id", [f"c{i}" for i in range(100)], "id"),
        ("anything", [f"c{i}" for i in range(100)], "id"),
        ("cost_usd", [f"0.{i:03}" for i in range(100)], "measure"),
        ("when", [f"2026-01-{1 + i % 28:02}" for i in range(100)], "time"),
        ("answer", [f"This is a long answer to question {i}, in many words." for i in range(100)], "text"),
        ("judge", ["pass", "fail"] * 50, "label"),
        ("nothing", ["", None] * 50, "empty"),
        ("height", [f"{i * 1.7:.3f}" for i in range(100)], "number"),
    ],
)  # fmt: skip
def test_what_a_column_is(name, cells, role):
    assert column_facts(pl.Series(name, cells)).role == role


@pytest.mark.parametrize("name", ["log.tsv", "log.feather", "log.json", "log.csv.zst"])
def test_a_command_reads_what_the_readers_know(tmp_path, name):
    frame = pl.DataFrame(ROWS)
    path = tmp_path / name
    if name.endswith("feather"):
        frame.write_ipc(path)
    elif name.endswith("json"):
        path.write_text(json.dumps(ROWS))
    elif name.endswith("zst"):
        path.write_bytes(zstd.compress(frame.write_csv().encode()))
    else:
        frame.write_csv(path, separator="\t")
    log = read_log(path, proba="p_")
    assert (log.n_items, log.classes) == (60, ("yes", "no"))
