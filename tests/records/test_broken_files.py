"""Files that were cut, mixed up or edited: read, or refused in one line, and never anything else."""

import io
import json
import random
import zipfile

import pytest

from askpoint.errors import AskpointError, LogError
from askpoint.records.readers.reading import Choices
from askpoint.records.readers.registry import read_files
from askpoint.records.tables import open_table
from askpoint.reports.readings import reading_object

TABLE = b"id,label,p_a,p_b\n" + b"\n".join(
    b"%d,%s,0.%d,0.%d" % (i, b"ab"[i % 2 : i % 2 + 1], 40 + i, 60 - i) for i in range(1, 30)
)
VOTES = b"case,j1,j2,human\n" + b"\n".join(
    b"c%d,%s,%s,%s" % (i, b"pass", (b"pass", b"fail")[i % 2], (b"fail", b"")[i % 3 > 0])
    for i in range(30)
)
INSPECT = {
    "version": 2, "status": "success", "eval": {"model": "m", "task": "t"},
    "samples": [
        {"id": i, "epoch": 1, "metadata": {"topic": "x"}, "output": {"choices": [{"stop_reason": "stop"}]},
         "scores": {"s": {"value": "CI"[i % 2], "history": [
             {"value": "C"}, {"value": "I", "provenance": {"author": "ann"}}]}}}
        for i in range(6)
    ],
}  # fmt: skip
PROMPTFOO = {
    "evalId": "e", "results": {"version": 3, "results": [
        {"testIdx": i, "promptIdx": 0, "provider": {"label": "m"}, "failureReason": 0,
         "response": {"output": "x"}, "testCase": {"metadata": {}}, "vars": {"a": 1},
         "gradingResult": {"componentResults": [{"pass": i % 2 == 0, "assertion": {"metric": "j"}}]}}
        for i in range(6)
    ]},
}  # fmt: skip
LM_EVAL = [
    {"doc_id": i, "doc": {"q": "x"}, "target": "0", "filter": "none", "metrics": ["acc"], "acc": 1.0,
     "resps": [], "filtered_resps": [], "doc_hash": "h"}
    for i in range(6)
]  # fmt: skip
SPANS = [
    {"context": {"span_id": str(i)}, "attributes": {
        "openinference.span.kind": "LLM", "annotations.0.annotation.name": "ok",
        "annotations.0.annotation.label": "yes", "annotations.0.annotation.annotator_kind": "LLM"}}
    for i in range(6)
]  # fmt: skip
HELM = [{"instance_id": str(i), "train_trial_index": 0, "stats": [
    {"name": {"name": "exact_match", "split": "test"}, "count": 1, "mean": 1.0}]} for i in range(6)]  # fmt: skip
STUDIO = [{"id": i, "data": {"t": "x"}, "annotations": [{"completed_by": 1, "result": [
    {"type": "choices", "from_name": "f", "value": {"choices": ["ab"[i % 2]]}}]}]} for i in range(6)]  # fmt: skip
OTLP = {"resourceLogs": [{"scopeLogs": [{"logRecords": [
    {"eventName": "gen_ai.evaluation.result", "spanId": str(i), "attributes": [
        {"key": "gen_ai.evaluation.name", "value": {"stringValue": "ok"}},
        {"key": "gen_ai.evaluation.score.label", "value": {"stringValue": "pass"}}]} for i in range(6)]}]}]}  # fmt: skip
DOCUMENTS = [INSPECT, PROMPTFOO, SPANS, HELM, STUDIO, OTLP]
STRANGE = [None, [], {}, "x", -1, float("nan"), True, "", [None], [[]], {"a": None}]


def lines(rows):
    return "\n".join(map(json.dumps, rows)).encode()


def mixed_up(document, rng):
    """A copy of which some part is gone, or another thing."""
    copy = json.loads(json.dumps(document))
    place = copy
    while True:
        keys = list(place) if isinstance(place, dict) else range(len(place))
        if not keys:
            return copy
        key = rng.choice(list(keys))
        if isinstance(place[key], dict | list) and rng.random() < 0.7:
            place = place[key]
            continue
        if isinstance(place, dict) and rng.random() < 0.4:
            del place[key]
        else:
            place[key] = rng.choice(STRANGE)
        return copy


def damaged(rng):
    """A damaged file: its name and content."""
    kind = rng.randrange(4)
    if kind == 0:
        content = rng.choice([TABLE, VOTES, lines(LM_EVAL), json.dumps(INSPECT).encode()])
        cut = rng.randrange(len(content))
        return "cut.csv", content[:cut]
    if kind == 1:
        text = rng.choice([TABLE, VOTES]).decode()
        encoding = rng.choice(["utf-16", "utf-16-le", "utf-8-sig", "latin-1"])
        return "mixed.csv", text.replace(",", rng.choice([";", "\t", ",,"]), 9).encode(encoding)
    if kind == 2:
        rows = [mixed_up(row, rng) for row in LM_EVAL]
        return "lines.jsonl", lines(rows)
    return "log.json", json.dumps(mixed_up(rng.choice(DOCUMENTS), rng)).encode()


def outcome(path):
    try:
        return json.dumps(reading_object(read_files([path])), allow_nan=False)
    except AskpointError as error:
        return str(error)


@pytest.mark.parametrize("seed", range(6))
def test_a_damaged_file_is_read_or_refused_in_one_line(tmp_path, seed):
    rng = random.Random(seed)
    for _ in range(25):
        name, content = damaged(rng)
        path = tmp_path / name
        path.write_bytes(content)
        said = outcome(path)
        assert said.startswith("{") or "\n" not in said


def zipped(members):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        for name, content in members.items():
            file.writestr(name, content)
    return buffer.getvalue()


HEADER = {key: value for key, value in INSPECT.items() if key != "samples"}


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({"header.json": json.dumps(HEADER)}, "holds no samples"),
        ({"header.json": "{", "samples/1.json": "{}"}, "its part header.json"),
        ({"header.json": json.dumps(HEADER), "samples/1.json": "{"}, "its part samples/1.json"),
        ({"header.json": "[]", "samples/1.json": "{}"}, "version of Inspect that is not known"),
        ({"header.json": json.dumps(HEADER), "samples/1.json": '{"id": 1, "scores": 3}'}, "log.eval"),
        ({"_journal/start.json": json.dumps(HEADER), "samples/1.json": "{}"}, "did not finish"),
    ],
)  # fmt: skip
def test_a_zip_that_lacks_a_part(tmp_path, members, said):
    path = tmp_path / "log.eval"
    path.write_bytes(zipped(members))
    with pytest.raises(AskpointError, match=said):
        read_files([path])


def test_a_log_of_an_unknown_layout_names_the_tool(tmp_path):
    path = tmp_path / "log.json"
    path.write_text(json.dumps(PROMPTFOO | {"results": {"version": 3, "results": [3]}}))
    with pytest.raises(AskpointError, match="not as promptfoo writes its logs"):
        read_files([path])


def test_a_million_columns_are_refused_before_they_are_looked_at(tmp_path):
    path = tmp_path / "wide.csv"
    row = ",".join(map(str, range(1_000_000)))
    path.write_text(f"{row}\n{row}\n", "utf-8")
    with pytest.raises(LogError, match="at most 20,000 columns; got 1,000,000"):
        open_table(path)


def test_runs_of_nul_bytes_are_no_wide_characters(tmp_path):
    path = tmp_path / "log.csv"
    path.write_bytes(b"id,label,prediction,confidence\n" + bytes(4000))
    with pytest.raises(LogError, match="must hold text; got NUL bytes, the first in line 2"):
        read_files([path], Choices())
