"""Figures on the front pages are in docs/figures.toml, and what measured them is there."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

import pytest

HOME = Path(__file__).parents[2]
sys.path.insert(0, str(HOME / "docs" / "_ext"))

import figures  # noqa: E402

FILE = tomllib.loads((HOME / "docs" / "figures.toml").read_text("utf-8"))
NOT_READ = re.compile(
    r"(?ms)^```.*?^```$|`[^`\n]*`|\]\([^)]*\)|<img (?:(?!alt=)[^>])*|src=\"[^\"]*\".*?>"
)
NUMBER = re.compile(r"(?<![\w.,-])\d[\d,]*(?:\.\d+)?")


def numbers(text):
    """The numbers that a reader of the page sees; code and links are no statements."""
    return set(NUMBER.findall(NOT_READ.sub(" ", text)))


def unknown_numbers(text, file):
    known = {one for figure in file["figure"] for one in numbers(figure["value"])}
    return sorted(numbers(text) - known - set(file["given"]))


def missing_parts(figure, home):
    """What a figure names and is not there."""
    named = [figure["script"], *figure.get("code", ())]
    missing = [name for name in named if not (home / name).exists()]
    if figure["script"].startswith("benchmarks/") and not {"commit", "code"} <= set(figure):
        missing.append("commit and code")
    return missing


@pytest.mark.parametrize("page", ["README.md", "docs/index.md"])
def test_each_number_of_a_front_page_is_in_the_file(page):
    assert unknown_numbers((HOME / page).read_text("utf-8"), FILE) == []


@pytest.mark.parametrize("figure", FILE["figure"], ids=lambda figure: figure["name"])
def test_what_measured_a_figure_is_there(figure):
    assert missing_parts(figure, HOME) == []


def test_each_figure_is_named_once_and_used():
    names = [figure["name"] for figure in FILE["figure"]]
    pages = "".join(path.read_text("utf-8") for path in (HOME / "docs").rglob("*.md"))
    assert len(set(names)) == len(names)
    assert [
        name
        for name in names
        if not name.startswith("demo-") and f"{{measured}}`{name}`" not in pages
    ] == []


def test_a_number_that_nobody_measured_and_a_script_that_is_gone_are_found(tmp_path):
    file = {"given": ["100"], "figure": [{"value": "91% (84% to 95%)"}]}
    text = "With 100 labels 92% (84% to 95%).\n```\n77\n```\n`--rho 0.1` [page](7.md)"
    assert unknown_numbers(text, file) == ["92"]
    gone = {"script": "benchmarks/gone.py"}
    assert missing_parts(gone, tmp_path) == ["benchmarks/gone.py", "commit and code"]


def test_a_change_after_the_measurement_is_flagged(monkeypatch):
    figure = {"commit": "abc", "code": ["src"], "script": "benchmarks/x.py"}
    asked, told = [], {"stdout": "def later\n", "returncode": 0}

    def run(words, **_):
        asked.append(words)
        return type("Done", (), told)

    monkeypatch.setattr(figures.subprocess, "run", run)
    assert figures.why_stale(figure) == "1 change since"
    assert asked == [["git", "log", "--oneline", "abc..", "--", "src"]]
    assert figures.why_stale({"script": "tests/x.py"}) == ""
    told["stdout"] = ""
    assert figures.why_stale(figure) == ""
    told["returncode"] = 128  # as git says of a commit that it does not have
    assert figures.why_stale(figure) == "its commit abc is not in this history"
