"""Scripts of measurements name only what is there: nobody runs all of them before a change lands."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import pytest

HOME = Path(__file__).parents[2]
SCRIPTS = sorted((HOME / "benchmarks").glob("*.py"))


def missing_names(script):
    """Yield what a script imports from the package or from its neighbours, and is not there."""
    for node in ast.walk(ast.parse(script.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            there = names_of(script.parent, node.module)
            if there is not None:
                yield from (f"{node.module}.{a.name}" for a in node.names if a.name not in there)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.split(".")[0] == "askpoint":
                    importlib.import_module(alias.name)


def names_of(folder, module):
    """Return the names of a module of ours; None for that of somebody else."""
    neighbour = folder / f"{module}.py"
    if neighbour.exists():
        return {name for node in ast.parse(neighbour.read_text()).body for name in bound_by(node)}
    if module.split(".")[0] != "askpoint":
        return None
    found = importlib.import_module(module)
    return (
        set(dir(found)) | {f.stem for place in found.__path__ for f in Path(place).iterdir()}
        if hasattr(found, "__path__")
        else set(dir(found))
    )


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
