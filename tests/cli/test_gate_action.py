"""The gate as an action, `action.yml`: each of its steps run in bash, with inputs as a workflow gives them."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from tests.cli.workflow_runner import Runner, swap_systems, write_panel

ACTION = Path(__file__).parents[2] / "action.yml"
GIVEN = {"votes": "new.csv", "no-worse-than": "old.csv", "margin": "0.02", "gold": "people.csv"}


@pytest.fixture
def gate(shell):
    """A function that runs the action with inputs, and returns whether it succeeds, and its runner."""
    write_panel(shell)
    action = yaml.safe_load(ACTION.read_text(encoding="utf-8"))

    def run(**given):
        (shell.folder / "judged.csv").replace(shell.folder / "new.csv")
        defaults = {name: one.get("default", "") for name, one in action["inputs"].items()}
        known = {f"inputs.{name}": text for name, text in (defaults | GIVEN | given).items()}
        place = {"GITHUB_ACTION_PATH": str(ACTION.parent)}
        runner = Runner(shell.folder, action["runs"]["steps"], place, **known)
        return runner.run(), runner

    return run


def test_it_installs_the_version_that_the_workflow_names(gate):
    done, runner = gate()
    assert done, runner.log
    installed = (runner.folder / "pip.txt").read_text(encoding="utf-8")
    assert installed.strip() == f"install --quiet {ACTION.parent}"


def test_a_better_system_passes_and_its_files_are_named(gate):
    done, runner = gate()
    assert done, runner.log
    assert runner.outputs["verdict"] == "passes"
    assert Path(runner.outputs["junit"]).exists()
    assert Path(runner.outputs["html"]).exists()
    assert "no worse than old" in runner.summary


def test_a_worse_system_fails(gate, shell):
    swap_systems(shell.folder)
    done, runner = gate()
    assert not done
    assert runner.outputs["verdict"] == "fails"
    assert "::error title=askpoint gate::fails" in runner.log


@pytest.mark.parametrize(("let", "passes"), [("false", False), ("true", True)])
def test_who_calls_chooses_what_undecided_means(gate, shell, let, passes):
    people = shell.folder / "people.csv"
    lines = people.read_text(encoding="utf-8").splitlines()
    people.write_text("\n".join(lines[:21]) + "\n", encoding="utf-8")  # ten items
    done, runner = gate(**{"undecided-passes": let})
    assert (done, runner.outputs["verdict"]) == (passes, "undecided")
    assert "::warning title=askpoint gate::cannot be decided yet" in runner.log


def test_an_input_is_never_read_as_a_command(gate, shell):
    done, runner = gate(votes='new.csv"; touch broken; "', arguments="--fail-on\n$(touch broken)")
    assert (done, runner.outputs["verdict"]) == (False, "bad-input")
    assert not (shell.folder / "broken").exists()


def test_further_arguments_come_one_a_line(gate):
    done, runner = gate(arguments="--systems\nnew,old\n")
    assert not done  # the one to beat is now the better one
    assert runner.outputs["verdict"] == "fails", runner.log
