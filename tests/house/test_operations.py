"""What runs askpoint elsewhere, read by a parser of its own format where the thing itself does not run here."""

from __future__ import annotations

import ast
import configparser
import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import click
import pytest
import yaml

from askpoint.cli.main import main
from askpoint.reports.live.metrics import METRICS

FOLDER = Path(__file__).parents[2] / "examples" / "operations"
DOCS = Path(__file__).parents[2] / "docs" / "how-to" / "operations.md"
FILES = sorted(path.name for path in FOLDER.iterdir())
NAMES = {name + ("_total" if one.kind == "counter" else "") for name, one in METRICS.items()}


def text_of(name):
    return (FOLDER / name).read_text("utf-8")


def test_each_file_is_named_on_the_page():
    page = DOCS.read_text("utf-8")
    assert [name for name in FILES if name not in page] == []


def commands_in(text):
    """The command lines of askpoint in a text."""
    joined = re.sub(r"\s*\n\s+(?=\|\||--)", " ", text).replace("{DEPLOYMENT}", "/srv/posts")
    found = re.findall(r"askpoint (?:watch|notify|decide|label)[^\n>|]*", joined)
    return [shlex.split(line.replace('",', "").strip().strip('"')) for line in found]


@pytest.mark.parametrize(
    "name", ["crontab", "askpoint-watch.service", "kubernetes.yaml", "airflow_dag.py"]
)
def test_each_command_has_the_options_that_it_is_given(name):
    found = commands_in(text_of(name))
    assert found
    for _, command, *words in found:
        known = main.get_command(click.Context(main), command)
        options = {flag for parameter in known.params for flag in parameter.opts}
        assert {word for word in words if word.startswith("--")} <= options, (command, words)


def test_the_crontab_has_five_fields_a_line():
    lines = [line for line in text_of("crontab").splitlines() if line and not line.startswith("#")]
    jobs = [line for line in lines if not re.match(r"[A-Z_]+=", line)]
    assert len(jobs) == 3
    for line in jobs:
        *when, command = line.split(maxsplit=5)
        assert len(when) == 5
        assert all(re.fullmatch(r"(\*|\d+)(/\d+)?", field) for field in when), when
        assert command.startswith("/opt/askpoint/bin/askpoint ")
        assert "%" not in command  # cron takes it for the end of the line


@pytest.mark.parametrize("name", ["askpoint-watch.service", "askpoint-watch.timer"])
def test_the_units_are_read_and_belong_together(name, tmp_path):
    unit = configparser.ConfigParser(interpolation=None, strict=True)
    unit.optionxform = str
    unit.read_string(text_of(name))
    assert "Description" in unit["Unit"]
    if name.endswith("timer"):
        assert unit["Timer"]["Unit"] in FILES
    else:
        assert unit["Service"]["SuccessExitStatus"] == "0 1"
    if shutil.which("systemd-analyze"):
        place = tmp_path / name
        place.write_text(text_of(name).replace("/opt/askpoint/bin/askpoint", "/bin/true"))
        done = subprocess.run(
            ["systemd-analyze", "verify", place], capture_output=True, text=True, check=False
        )
        assert "Unknown" not in done.stderr, done.stderr


def test_the_cluster_s_objects_are_whole():
    secret, job = yaml.safe_load_all(text_of("kubernetes.yaml"))
    assert (secret["kind"], job["kind"], job["apiVersion"]) == ("Secret", "CronJob", "batch/v1")
    spec = job["spec"]
    assert spec["concurrencyPolicy"] == "Forbid"
    pod = spec["jobTemplate"]["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    named = {one["name"]: one for one in container["env"]}
    for variable in re.findall(r'"\$([A-Z]+)"', container["args"][0]):
        assert variable in named
    key = named["ADDRESS"]["valueFrom"]["secretKeyRef"]
    assert key["name"] == secret["metadata"]["name"]
    assert key["key"] in secret["stringData"]
    assert container["args"][0].endswith("|| [ $? -eq 1 ]")


def test_the_dag_is_python_with_three_tasks_in_a_row():
    tree = ast.parse(text_of("airflow_dag.py"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    made = [one for one in calls if getattr(one.func, "id", "") == "BashOperator"]
    ids = [
        keyword.value.value for one in made for keyword in one.keywords if keyword.arg == "task_id"
    ]
    assert ids == ["decide", "label", "watch"]
    assert "decide >> label >> watch" in text_of("airflow_dag.py")


def metrics_in(expression):
    return set(re.findall(r"askpoint_\w+", expression))


def test_the_dashboard_asks_for_metrics_that_there_are():
    board = json.loads(text_of("grafana.json"))
    panels = board["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    asked = set()
    for panel in panels:
        place = panel["gridPos"]
        assert place["x"] + place["w"] <= 24
        for target in panel["targets"]:
            assert target["expr"].count("(") == target["expr"].count(")")
            asked |= metrics_in(target["expr"])
    assert asked <= NAMES
    assert len(asked) > 10
    (query,) = [one["query"] for one in board["templating"]["list"] if one["type"] == "query"]
    assert metrics_in(query) <= NAMES


def test_the_rules_ask_for_metrics_that_there_are():
    (group,) = yaml.safe_load(text_of("alerts.yaml"))["groups"]
    assert len(group["rules"]) == 5
    for rule in group["rules"]:
        assert metrics_in(rule["expr"]) <= NAMES
        assert rule["annotations"]["summary"]
