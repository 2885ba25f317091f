"""CONTRIBUTING.md speaks of the house as it stands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from audit import SOURCE

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "CONTRIBUTING.md").read_text()
INSIDE = (ROOT / "docs" / "project" / "inside.md").read_text()


def rooms(text: str) -> set[str]:
    """Return the rooms that the drawing of the house names."""
    drawing = re.search(r"```\n(papers.*?)```", text, re.DOTALL)[1]
    names = (re.split(r"  +", line)[0] for line in drawing.splitlines())
    return {name for line in names for name in re.split(r"[ ,|]+", line)}


def missing_files(text: str) -> list[str]:
    """Return the files and folders named that are not there; NAME stands for any."""
    named = re.findall(r"`((?:src|tests|docs|locks)/[\w./]+)`", text)
    return [name for name in named if "NAME" not in name and not (ROOT / name).exists()]


def test_the_drawing_names_every_room_and_no_other():
    there = {path.stem for path in SOURCE.iterdir() if not path.name.startswith(("_", "py.typed"))}
    assert rooms(TEXT) == there


@pytest.mark.parametrize("text", [TEXT, INSIDE], ids=["contributing", "inside"])
def test_every_file_named_is_there(text):
    assert len(re.findall("`src/", text)) > 10
    assert missing_files(text) == []


def test_the_page_for_newcomers_is_read_in_ten_minutes():
    assert len(INSIDE.split()) < 2000  # at 200 words a minute


def test_classes_that_the_page_names_stand_where_it_says():
    for files, named in re.findall(
        r"^\| \d\. [^|]+\| ([^|]+) \| ([^|]+) \|$", INSIDE, re.MULTILINE
    ):
        source = "".join(
            part.read_text()
            for name in re.findall("`(.+?)`", files)
            for part in ([ROOT / name] if name.endswith(".py") else (ROOT / name).glob("*.py"))
        )
        for name in re.findall("`([A-Z]\\w+)`", named):
            assert re.search(rf"\b{name}\b", source), name


@pytest.mark.parametrize("name", ["src/askpoint/papers/NAME.py", "tests/house"])
def test_what_is_there_or_stands_for_any_is_not_missing(name):
    assert missing_files(f"write `{name}`") == []


def test_a_file_that_is_not_there_is_found():
    assert missing_files("see `docs/ghost.md`") == ["docs/ghost.md"]
