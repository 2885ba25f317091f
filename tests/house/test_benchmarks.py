"""Scripts of measurements name only what is there: nobody runs all of them before a change lands."""

from __future__ import annotations

import ast
import functools
from pathlib import Path

import pytest

from audit import SOURCE

HOME = Path(__file__).parents[2]
SCRIPTS = sorted(
    path for folder in ("benchmarks", "examples") for path in (HOME / folder).glob("*.py")
)


def missing_names(script):
    """Yield what a script imports from the package or from its neighbours, and is not there."""
    for node in ast.walk(ast.parse(script.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            there = names_of(script.parent, node.module)
            if there is not None:
                yield from (f"{node.module}.{a.name}" for a in node.names if a.name not in there)
        elif isinstance(node, ast.Import):
            ours = (a.name for a in node.names if a.name.split(".")[0] == SOURCE.name)
            yield from (name for name in ours if not names_of(script.parent, name))


@functools.cache
def names_of(folder, module):
    """Return the names of a module of ours, read and not imported; None for somebody else's."""
    place = SOURCE.parent.joinpath(*module.split("."))
    if module == SOURCE.name:
        files = [place / "__init__.pyi"]  # the shop window shows its names when they are asked for
    elif module.split(".")[0] == SOURCE.name:
        files = [place.with_suffix(".py")]
    else:
        files = [folder / f"{module}.py"]
    named = {
        name
        for file in files
        if file.exists()
        for node in ast.parse(file.read_text()).body
        for name in bound_by(node)
    }
    if place.is_dir():
        named |= {file.stem for file in place.iterdir()}
    return named if named or module.split(".")[0] == SOURCE.name else None


def bound_by(node):
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Import | ast.ImportFrom):
        yield from (alias.asname or alias.name for alias in node.names)
    else:
        names = (n for n in ast.walk(node) if isinstance(n, ast.Name))
        yield from (n.id for n in names if isinstance(n.ctx, ast.Store))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_a_script_imports_what_is_there(script):
    assert list(missing_names(script)) == []


def test_a_name_that_is_gone_is_found(tmp_path):
    (tmp_path / "beside.py").write_text("def kept(): ...\nSIZE, (A, B) = 1, (2, 3)\n")
    script = tmp_path / "script.py"
    script.write_text(
        "from beside import A, SIZE, dropped, kept\n"
        "import numpy\n"
        "def f():\n    from askpoint.records.tables import open_table, open_nothing\n"
    )
    assert list(missing_names(script)) == ["beside.dropped", "askpoint.records.tables.open_nothing"]
