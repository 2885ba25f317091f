"""Figures, logs and the object of watch, as programs read them."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema_rs
import pytest

from askpoint.records.stores.deployment import Deployment
from cli.conftest import Shell
from cli.deployments import Folder, log_of, moment
from reports.test_metrics import read

SCHEMA = json.loads(
    (Path(__file__).parents[2] / "docs" / "_static" / "watch.schema.json").read_text("utf-8")
)


TERMS = ("--rho", 0.1, "--audit", 0.2, "--planned-decisions", 20000)


@pytest.fixture(scope="module")
def lived(tmp_path_factory):
    """A deployment of four good days, then a broken model, until it closed."""
    folder = Folder(Shell(tmp_path_factory.mktemp("operations")))
    assert folder.deploy(*TERMS, log=log_of()).exit_code == 0
    for day in range(1, 9):
        folder.live(day, broken=day > 4)
    return folder


@pytest.fixture
def young(shell):
    """A deployment after one day."""
    folder = Folder(shell)
    assert folder.deploy(*TERMS, log=log_of()).exit_code == 0
    folder.live(1)
    return folder


def test_the_object_of_watch_is_that_of_its_schema(lived, young, shell):
    check = jsonschema_rs.validator_for(SCHEMA, validate_formats=True)
    objects = [
        json.loads(shell.run("watch", folder.path, "--at", at, *words, "--json").stdout)
        for folder, at in ((young, moment(2, 9)), (lived, moment(8, 20)))
        for words in ((), ("--rho", "0.2"))
    ]
    for found in objects:
        assert [str(error) for error in check.iter_errors(found)] == []
        assert found.keys() == SCHEMA["properties"].keys()  # a new key is explained there
        assert all(found[name] is None for name in found["reasons"])
    assert any(found["events"] for found in objects)
    assert not check.is_valid({**objects[0], "decided": "many"})
    assert all(one["description"] for one in SCHEMA["properties"].values())


def test_few_gold_labels_leave_the_cause_of_an_alarm_unknown(lived, shell):
    folder = lived.copy(shell)
    told = ("watch", folder.path, "--at", moment(8, 20), "--json")
    before = json.loads(shell.run(*told).stdout)
    assert before["alarm_cause"] is None
    assert "these labels cannot tell" in before["reasons"]["alarm_cause"]
    gold = {"judge": "Bob", "label": "yes", "source": "gold", "truth": "yes"}
    assert folder.label([{"key": f"gold-{i}"} | gold for i in range(3)], 8).exit_code == 0
    after = json.loads(shell.run(*told).stdout)
    assert after["alarm_cause"] == "unknown"
    assert jsonschema_rs.validator_for(SCHEMA).is_valid(after)


def test_figures_are_written_whole_and_say_what_watch_says(lived, shell):
    file = shell.folder / "posts.prom"
    shell.run("watch", lived.path, "--metrics", file, "--at", moment(8, 20))
    found = json.loads(shell.run("watch", lived.path, "--at", moment(8, 20), "--json").stdout)
    families = read(file.read_text())
    said = {name: value for name, one in families.items() for value in one["samples"].values()}
    for name in ("decided", "answered", "asked", "audited", "episode"):
        assert said[f"askpoint_{'decisions' if name == 'decided' else name}"] == found[name]
    assert said["askpoint_open"] == (found["threshold"] is not None)
    assert said["askpoint_evidence_ratio"] == pytest.approx(found["evidence"])
    assert said["askpoint_labels_awaited"] == len(found["waiting_for_label"])
    with Deployment(lived.path) as deployment:
        assert said["askpoint_log_rows"] == deployment.vitals().log_rows
    (labels,) = families["askpoint_open"]["samples"]
    assert labels == f'policy="{found["policy"]}"'  # and no key
    assert "cannot be written" in shell.refusal(
        "watch", lived.path, "--metrics", shell.folder / "nowhere" / "x.prom"
    )


def test_messages_are_json_lines_where_they_are_wanted(young, shell, monkeypatch):
    monkeypatch.setenv("ASKPOINT_LOG", "json")
    with Deployment(young.path) as deployment:
        deployment.decide("late", prediction="no", confidence=0.9)
    row = {"key": "later", "proba_no": 0.9, "proba_yes": 0.1}
    batch = shell.write("one.csv", [row])
    done = shell.run("decide", young.path, batch, "--at", moment(1))
    (line,) = [json.loads(text) for text in done.stderr.splitlines()]
    assert (line["event"], line["level"], line["logger"]) == (
        "clock_back",
        "warning",
        "askpoint.cli",
    )
    assert line["microseconds"] > 0
    assert done.stdout.startswith("1 case: ")  # the result stays as it was
    refused = shell.run("decide", young.path, shell.folder / "nowhere.csv")
    line = json.loads(refused.stderr)
    assert (refused.exit_code, line["event"], line["level"]) == (2, "error", "error")
    monkeypatch.delenv("ASKPOINT_LOG")
    assert shell.refusal("decide", young.path, shell.folder / "nowhere.csv")
