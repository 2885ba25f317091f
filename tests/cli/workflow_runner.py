"""A stand-in for the runner of GitHub's workflows: environment, outputs, conditions and files of steps in bash."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
from tests.cli.panels import gold_rows, system_rows

__all__ = ["Runner", "swap_systems", "write_panel"]

SHELLS = {"bash": ["bash", "--noprofile", "--norc", "-eo", "pipefail"], None: ["bash", "-e"]}


class Runner:
    """A stand-in for the runner: the environment, outputs, conditions and files that it gives to steps."""

    def __init__(self, folder: Path, steps: list[dict], env: dict[str, str], **known: str) -> None:
        self.folder, self.steps, self.env = folder, steps, env
        self.known = {"github.token": "token", "github.event.pull_request.number": "7"} | known
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
        known |= self.known
        return re.sub(r"\$\{\{ *(.*?) *\}\}", lambda m: known.get(m[1], ""), text)

    def wants(self, condition: str | None, *, failed: bool) -> bool:
        if condition == "always()":
            return True
        if condition is None or failed:
            return not failed
        name, value = re.fullmatch(r"steps\.gate\.outputs\.(\w+) == '(.*)'", condition).groups()
        return self.outputs.get(name) == value

    def run(self) -> bool:
        """Run the steps, and return whether it succeeds."""
        failed = False
        for step in self.steps:
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
        env = os.environ | self.env | own
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


def write_panel(shell) -> None:
    """Write votes on two systems of which the second is better, a judge that writes them, and 120 labels."""
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


def swap_systems(folder: Path) -> None:
    """Make the new system the worse one."""
    old, new = folder / "old.csv", folder / "judged.csv"
    old.rename(folder / "other.csv")
    new.rename(old)
    (folder / "other.csv").rename(new)
    people = folder / "people.csv"
    text = people.read_text(encoding="utf-8")
    swapped = text.replace(",old,", ",x,").replace(",new,", ",old,").replace(",x,", ",new,")
    people.write_text(swapped, encoding="utf-8")
