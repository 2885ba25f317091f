"""The example workflow, each of its steps run in bash as the runner would: passes, fails, undecided, bad."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path

import pytest
import yaml
from tests.cli.workflow_runner import Runner, swap_systems, write_panel

EXAMPLE = Path(__file__).parents[2] / "examples" / "gate.yml"


@pytest.fixture
def runner(shell):
    write_panel(shell)
    workflow = yaml.safe_load(EXAMPLE.read_text(encoding="utf-8"))
    (job,) = workflow["jobs"].values()
    return Runner(shell.folder, job["steps"], workflow["env"])


@pytest.mark.whole
def test_it_names_the_version_that_it_was_tested_with(runner):
    assert runner.env["ASKPOINT_VERSION"] == metadata.version("askpoint")
    assert runner.run(), runner.log
    installed = (runner.folder / "pip.txt").read_text(encoding="utf-8")
    assert installed.strip() == f"install askpoint=={metadata.version('askpoint')}"


@pytest.mark.whole
def test_a_better_model_passes(runner):
    assert runner.run(), runner.log
    assert runner.outputs["code"] == "0"
    assert "::notice title=Model gate::passes" in runner.log
    assert "| ✅ passes | new no worse than old" in runner.summary
    assert (runner.folder / "gate.xml").exists()
    assert not (runner.folder / "gh.txt").exists()


def test_a_worse_model_fails(runner):
    swap_systems(runner.folder)
    assert not runner.run()
    assert runner.outputs["code"] == "1"
    assert "::error title=Model gate::fails" in runner.log
    assert not (runner.folder / "gh.txt").exists()


@pytest.mark.whole
def test_what_cannot_be_decided_is_told_apart_and_commented(runner):
    people = runner.folder / "people.csv"
    lines = people.read_text(encoding="utf-8").splitlines()
    people.write_text("\n".join(lines[:21]) + "\n", encoding="utf-8")  # ten items
    assert not runner.run()
    assert runner.outputs["code"] == "3"
    assert "::warning title=Model gate::cannot be decided yet" in runner.log
    assert "::error" not in runner.log
    called = (runner.folder / "gh.txt").read_text(encoding="utf-8")
    assert called.startswith("pr comment 7 --body-file")
    comment = (runner.folder / "comment.md").read_text(encoding="utf-8")
    assert comment.strip() == runner.summary.strip()
    assert "items next</summary>" in comment


def test_bad_input_is_no_verdict(runner):
    (runner.folder / "people.csv").write_text("task,label\n", encoding="utf-8")
    assert not runner.run()
    assert runner.outputs["code"] == "2"
    assert "the input is bad, see the log" in runner.log
