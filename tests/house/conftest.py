"""A copy of the house, to break on purpose."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def broken(tmp_path: Path) -> Callable[[Mapping[str, str]], Path]:
    """Return a function: files to write over a copy of the project in, its folder out."""

    def copy(files: Mapping[str, str]) -> Path:
        shutil.copy(ROOT / "pyproject.toml", tmp_path)
        shutil.copytree(
            ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__")
        )
        for name, text in files.items():
            file = tmp_path / "src" / "askpoint" / name
            if not file.parent.exists():
                file.parent.mkdir(parents=True)
                (file.parent / "__init__.py").write_text('"""A room."""\n')
            file.write_text(text)
        return tmp_path

    return copy


@pytest.fixture
def tool() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Return a function that runs a tool of this Python's environment in a copy's folder."""

    def run(folder: Path, name: str, *args: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [Path(sys.executable).with_name(name), *args],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(folder / "src")},
            capture_output=True,
            text=True,
            check=False,
        )

    return run
