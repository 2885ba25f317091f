"""The example workflow, each of its steps run in bash as the runner would: passes, fails, undecided, bad."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import numpy as np
import pytest
import yaml
from tests.cli.panels import gold_rows, system_rows

EXAMPLE = Path(__file__).parents[2] / "examples" / "gate.yml"
SHELLS = {"bash": ["bash", "--noprofile", "--norc", "-eo", "pipefail"], None: ["bash", "-e"]}


class Runner:
    """A stand-in for the runner: the environment, outputs, conditions and files that it gives to steps."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.workflow = folder, yaml.safe_load(EXAMPLE.read_text(encoding="utf-8"))
        self.temp, self.bin = folder / "temp", folder / "bin"
        self.outputs: dict[str, str] = {}
        self.log = self.summary = ""
        for path in (self.temp, self.bin):
            path.mkdir()
        for name in ("askpoint", "python"):
            words = "-m askpoint " if name == "askpoint" else ""
            self.tool(name, f'exec "{sys.executable}" {words}"$@"')
        self.tool("pip", f'echo "$@" >> "{folder}/pip.txt"')
        self.tool("gh", f'echo "$@" >> "{folder}/gh.txt"; cat "$5" >> "{folder}/comment.md"')

    def tool(self, name: str, script: str) -> None:
        path = self.bin / name
        path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        path.chmod(0o755)

    def filled(self, text: str) -> str:
        known = {f"steps.gate.outputs.{name}": value for name, value in self.outputs.items()}
        known |= {"github.token": "token", "github.event.pull_request.number": "7"}
        return re.sub(r"\$\{\{ *(.*?) *\}\}", lambda m: known.get(m[1], ""), text)

    def wants(self, condition: str | None, *, failed: bool) -> bool:
        if condition == "always()":
            return True
        if condition is None or failed:
            return not failed
        name, value = re.fullmatch(r"steps\.gate\.outputs\.(\w+) == '(.*)'", condition).groups()
        return self.outputs.get(name) == value

    def run(self) -> bool:
        """Run the job's steps, and return whether it succeeds."""
        (job,) = self.workflow["jobs"].values()
        failed = False
        for step in job["steps"]:
            if "run" not in step or not self.wants(step.get("if"), failed=failed):
                continue
            failed |= self.step(step) != 0
        return not failed

    def step(self, step: dict) -> int:
        output, summary = self.temp / "output", self.temp / "summary"
        output.write_text("", encoding="utf-8")
        summary.write_text("", encoding="utf-8")
        script = self.temp / "step.sh"
        script.write_text(self.filled(step["run"]), encoding="utf-8")
        own = {name: self.filled(value) for name, value in step.get("env", {}).items()}
        env = os.environ | self.workflow["env"] | own
        env |= {"PATH": f"{self.bin}:{os.environ['PATH']}", "RUNNER_TEMP": str(self.temp)}
        env |= {"GITHUB_OUTPUT": str(output), "GITHUB_STEP_SUMMARY": str(summary), "CI": "true"}
        done = subprocess.run(
            [*SHELLS[step.get("shell")], str(script)],
            cwd=self.folder, env=env, capture_output=True, text=True, check=False,
        )  # fmt: skip
        self.log += done.stdout + done.stderr
        self.summary += summary.read_text(encoding="utf-8")
        for line in output.read_text(encoding="utf-8").splitlines():
            name, _, value = line.partition("=")
            self.outputs[name] = value
        return done.returncode


@pytest.fixture
def runner(shell):
    """Votes on two systems of which the second is better, a judge that writes them, and 120 labels."""
    rows, truth = system_rows(n_items=400, passes=(0.6, 0.9))
    named = {"old": truth["A"], "new": truth["B"]}
    shell.write("old.csv", rows["A"])
    shell.write("judged.csv", rows["B"])
    tasks = np.random.default_rng(0).permutation(list(truth["A"]))[:120].tolist()
    shell.write("people.csv", gold_rows(named, tasks, ("old", "new")))
    (shell.folder / "judge.py").write_text(
        "import shutil, sys\nshutil.copy('judged.csv', sys.argv[sys.argv.index('--out') + 1])\n",
        encoding="utf-8",
    )
    return Runner(shell.folder)


def test_it_names_the_version_that_it_was_tested_with(runner):
    assert runner.workflow["env"]["ASKPOINT_VERSION"] == metadata.version("askpoint")
    assert runner.run(), runner.log
    installed = (runner.folder / "pip.txt").read_text(encoding="utf-8")
    assert installed.strip() == f"install askpoint=={metadata.version('askpoint')}"


def test_a_better_model_passes(runner):
    assert runner.run(), runner.log
    assert runner.outputs["code"] == "0"
    assert "::notice title=Model gate::passes" in runner.log
    assert "| ✅ passes | new no worse than old" in runner.summary
    assert (runner.folder / "gate.xml").exists()
    assert not (runner.folder / "gh.txt").exists()


def test_a_worse_model_fails(runner):
    old, new = runner.folder / "old.csv", runner.folder / "judged.csv"
    old.rename(runner.folder / "other.csv")
    new.rename(old)
    (runner.folder / "other.csv").rename(new)
    people = runner.folder / "people.csv"
    text = people.read_text(encoding="utf-8")
    swapped = text.replace(",old,", ",x,").replace(",new,", ",old,").replace(",x,", ",new,")
    people.write_text(swapped, encoding="utf-8")
    assert not runner.run()
    assert runner.outputs["code"] == "1"
    assert "::error title=Model gate::fails" in runner.log
    assert not (runner.folder / "gh.txt").exists()


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
