"""Other forms of the same files, as people have them: read alike, or refused with a reason."""

import bz2
import json
import lzma
import zipfile

import pytest

from askpoint.errors import LogError
from askpoint.records.readers.reading import Choices
from askpoint.records.readers.registry import read_files

ROWS = [
    {"id": f"q{i}", "gpt": ("pass", "fail")[i % 3 == 0], "claude": ("pass", "fail")[i % 4 == 0]}
    for i in range(40)
]
VOTES = {"gpt": {"fail": 14, "pass": 26}, "claude": {"fail": 10, "pass": 30}}
CSV = "\n".join([",".join(ROWS[0]), *(",".join(row.values()) for row in ROWS)])


def table(rows):
    return "\n".join([",".join(rows[0]), *(",".join(map(str, row.values())) for row in rows)])


def votes_of(tmp_path, name, content, choices=None):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_files([path], choices)


def by_judge():
    return {name: {row["id"]: row[name] for row in ROWS} for name in ("gpt", "claude")}


def with_list():
    return [
        {"id": r["id"], "votes": [{"judge": j, "vote": r[j]} for j in ("gpt", "claude")]}
        for r in ROWS
    ]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("v.csv.bz2", bz2.compress(CSV.encode())),
        ("v.csv.xz", lzma.compress(CSV.encode())),
        ("v.csv", CSV.replace("\n", "\r")),
        ("v.csv", CSV.replace("\n", "\r\n") + "\r\n"),
        ("v.json", json.dumps({r["id"]: {k: r[k] for k in ("gpt", "claude")} for r in ROWS})),
        ("v.json", json.dumps(by_judge())),
        ("v.json", json.dumps(with_list())),
    ],
)
def test_the_same_votes_in_another_form(tmp_path, name, content):
    assert votes_of(tmp_path, name, content).votes == VOTES


def test_a_zip_around_one_table(tmp_path):
    with zipfile.ZipFile(tmp_path / "v.zip", "w") as file:
        file.writestr("folder/v.csv", CSV)
        file.writestr("__MACOSX/v.csv", "x")
    assert read_files([tmp_path / "v.zip"]).votes == VOTES


def test_the_first_line_must_hold_names(tmp_path):
    with pytest.raises(LogError, match="no names of columns"):
        votes_of(tmp_path, "v.csv", "\n".join(CSV.split("\n")[4:]))


def test_a_column_made_of_the_others_is_no_judge(tmp_path):
    rows = [row | {"majority": row["gpt"]} for row in ROWS]
    found = votes_of(tmp_path, "v.csv", table(rows))
    assert (found.judges, found.not_judges) == (("gpt", "claude"), ("majority",))


def test_two_columns_of_people_are_asked(tmp_path):
    rows = [row | {"human_1": row["gpt"], "human_2": row["claude"]} for row in ROWS]
    with pytest.raises(LogError, match="--gold"):
        votes_of(tmp_path, "v.csv", table(rows))
    settled = Choices(gold="human_1", judges=("gpt", "claude"))
    assert votes_of(tmp_path, "v.csv", table(rows), settled).gold.source == "human_1"


def test_judges_with_confidences_are_judges(tmp_path):
    rows = [
        row | {"gpt_confidence": 0.5 + i % 5 / 10, "claude_confidence": 0.9 - i % 4 / 10,
               "human": row["gpt"]}
        for i, row in enumerate(ROWS)
    ]  # fmt: skip
    assert votes_of(tmp_path, "v.csv", table(rows)).votes == VOTES


def long(**runs):
    (name, values) = next(iter(runs.items()))
    return [
        {"question_id": row["id"], "judge_model": judge, name: value, "verdict": row[judge]}
        for row in ROWS
        for judge in ("gpt", "claude")
        for value in values
    ]


def test_orders_and_runs_of_a_judge_are_judges_of_one_family(tmp_path):
    found = votes_of(tmp_path, "v.csv", table(long(order=("AB", "BA"))))
    assert found.judges == ("gpt#AB", "gpt#BA", "claude#AB", "claude#BA")
    assert any("both orders: gpt 40 of 40, claude 40 of 40" in d.what for d in found.doubts)
    found = votes_of(tmp_path, "v.csv", table(long(run=(1, 2, 3))))
    assert found.votes["claude#3"] == VOTES["claude"]


def test_repeated_votes_without_a_column_that_tells_them_apart(tmp_path):
    rows = long(remark=("", ""))
    with pytest.raises(LogError, match="--repeats"):
        votes_of(tmp_path, "v.csv", table(rows))
    first = votes_of(tmp_path, "v.csv", table(rows), Choices(repeats="first"))
    assert first.votes == VOTES
    each = votes_of(tmp_path, "v.csv", table(rows), Choices(repeats="judges"))
    assert each.judges == ("gpt#run1", "gpt#run2", "claude#run1", "claude#run2")


def test_a_row_an_annotation_of_label_studio(tmp_path):
    rows = [
        {"text": f"text {row['id']}", "id": row["id"], "sentiment": row[judge], "annotator": k}
        for row in ROWS
        for k, judge in enumerate(("gpt", "claude"))
    ]
    assert votes_of(tmp_path, "v.json", json.dumps(rows)).votes == {
        "0": VOTES["gpt"],
        "1": VOTES["claude"],
    }


@pytest.mark.parametrize("head", ["spam_pct", "spam %", "P(spam) [%]", "spam percent"])
def test_percent_in_the_name(tmp_path, head):
    rows = [{"id": i, "label": ("ham", "spam")[i % 2], head: 20 + i} for i in range(40)]
    found = votes_of(tmp_path, "p.csv", table(rows))
    assert found.classes == ("spam", "ham")
    assert found.frame["proba_spam"][0] == pytest.approx(0.2)


def test_other_files_in_a_folder_of_a_tool_are_left_out_and_named(tmp_path):
    stats = [{"name": {"name": "exact_match", "split": "test"}, "count": 1, "mean": float(i % 2)}
             for i in range(2)]  # fmt: skip
    rows = [{"instance_id": f"id{i}", "stats": [stats[i % 2]]} for i in range(10)]
    for name, content in (
        ("per_instance_stats.json", rows),
        ("run_spec.json", {"adapter_spec": {"model": "m"}}),
        ("stats.json", stats),
        ("instances.json", [{"id": "id1", "input": {"text": "x"}}]),
    ):
        (tmp_path / name).write_text(json.dumps(content))
    found = read_files([tmp_path])
    assert (found.tool, found.items, found.systems) == ("HELM", 10, ("m",))
    assert any("instances.json, stats.json" in doubt.what for doubt in found.doubts)
    with pytest.raises(LogError, match="several kinds"):
        read_files([tmp_path / "per_instance_stats.json", tmp_path / "stats.json"])


def predictions_table(rows=40):
    return [
        {"id": i, "label": "ab"[i % 2], "prediction": "ab"[(i + (i % 5 == 0)) % 2],
         "confidence": round(0.95 - 0.4 * (i % 5 == 0) - i / 1000, 3)}
        for i in range(rows)
    ]  # fmt: skip


@pytest.mark.parametrize(
    "wrap",
    [
        lambda text: "# exported by lab 7\n# model 3.1, 2026-02-01\n" + text,
        lambda text: text + "Total,20,22,0.85\n",
        lambda text: "".join(
            f"| {line.replace(',', ' | ')} |\n" + "| --- | :-: | --- | ---: |\n" * (i == 0)
            for i, line in enumerate(text.splitlines())
        ),
    ],
    ids=["comments", "total", "markdown"],
)
def test_what_stands_around_a_table_is_left_out(tmp_path, wrap):
    path = tmp_path / "log.csv"
    path.write_text(wrap(table(predictions_table()) + "\n"))
    reading = read_files([path])
    assert (reading.items, reading.label_counts) == (40, {"a": 20, "b": 20})
    assert (reading.prediction, reading.confidence) == ("prediction", "confidence")


def test_a_header_that_begins_with_a_hash_is_a_header(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("# of lab 7\n#" + table(predictions_table()) + "\n")
    assert read_files([path]).frame.height == 40


def test_tasks_of_label_studio_one_a_line_are_all_read(tmp_path):
    def said(label):
        return {"result": [{"type": "choices", "value": {"choices": [label]}}]}

    tasks = [
        {
            "id": row["id"],
            "data": {"text": "the same"},
            "predictions": [{"model_version": "gpt", **said(row["gpt"])}],
            "annotations": [{"completed_by": 1, **said(row["claude"])}],
        }
        for row in ROWS
    ]
    whole = votes_of(tmp_path, "tasks.json", json.dumps(tasks))
    lines = votes_of(tmp_path, "tasks.jsonl", "\n".join(map(json.dumps, tasks)))
    assert lines.votes == whole.votes == {"gpt": VOTES["gpt"]}
    assert lines.gold.labels == whole.gold.labels
    assert list(lines.gold.labels.values()) == [row["claude"] for row in ROWS]
