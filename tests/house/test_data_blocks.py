"""Blocks of JSON, TOML and YAML on the pages can be loaded as they are."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import yaml

HOME = Path(__file__).parents[2]
BLOCK = re.compile(r"(?ms)^ *```(json|toml|yaml)\n(.*?)^ *```")
LOADERS = {"json": json.loads, "toml": tomllib.loads, "yaml": yaml.safe_load}


def broken_blocks(text: str) -> Iterator[str]:
    """Yield for each block that cannot be loaded its kind, and why."""
    for kind, block in BLOCK.findall(text):
        try:
            LOADERS[kind](block)
        except (ValueError, yaml.YAMLError) as error:
            yield f"{kind}: {error}"


def test_blocks_can_be_loaded():
    pages = [*HOME.glob("*.md"), *(HOME / "docs").rglob("*.md")]
    blocks = {page.name: BLOCK.findall(page.read_text("utf-8")) for page in pages}
    assert sum(map(len, blocks.values())) >= 5
    broken = {page.name: list(broken_blocks(page.read_text("utf-8"))) for page in pages}
    assert {name: found for name, found in broken.items() if found} == {}


def test_blocks_that_cannot_be_loaded_are_found():
    good = '```json\n{"a": {"b": 1}}\n```\n\n```toml\na = 1\n```\n\n```yaml\na: [1]\n```\n'
    assert list(broken_blocks(good)) == []
    for part, kind in (("}}", "json"), ("a = 1", "toml"), ("[1]", "yaml")):
        (found,) = broken_blocks(good.replace(part, part[:-1]))
        assert found.startswith(f"{kind}: ")
