"""Running commands as users do, without a new process for each."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from askpoint.cli.main import main


class Shell:
    """Runs askpoint in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, name, content):
        """Write a text, or rows (dicts) as CSV; return the path."""
        path = self.folder / name
        if isinstance(content, str):
            path.write_text(content, encoding="utf-8")
        else:
            with path.open("w", encoding="utf-8", newline="") as file:
                writer = csv.DictWriter(file, list(content[0]))
                writer.writeheader()
                writer.writerows(content)
        return str(path)

    def run(self, *words):
        """Run one command line."""
        return CliRunner().invoke(main, [str(word) for word in words])

    def said(self, *words):
        """Return what a command that succeeds prints."""
        result = self.run(*words)
        assert result.exit_code == 0, result.output
        return result.stdout

    def json(self, *words):
        """Return the one JSON object that a command prints, without NaN or infinity."""

        def refuse(name):
            raise AssertionError(f"JSON has no {name}")

        return json.loads(self.said(*words, "--json"), parse_constant=refuse)

    def answer(self, log, *words):
        """Return the JSON object of `askpoint value`."""
        return self.json("value", log, *words)

    def refusal(self, *words):
        """Return why a command refuses: one plain line on stderr, nothing else, exit code 2."""
        result = self.run(*words)
        assert result.exit_code == 2, (result.output, result.exception)
        assert isinstance(result.exception, SystemExit), result.exception
        assert result.stdout == ""
        assert result.stderr.startswith("askpoint: ")
        assert result.stderr.endswith("\n")
        assert result.stderr.count("\n") == 1, result.stderr
        assert "Traceback" not in result.stderr
        return result.stderr.removeprefix("askpoint: ").strip()


@pytest.fixture
def shell(tmp_path):
    return Shell(tmp_path)
