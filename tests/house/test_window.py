"""The shop window: every name is there, known to type checkers too, and loaded only when asked."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib import import_module

import pytest

import askpoint
from audit import SOURCE


def loaded_by(code: str) -> set[str]:
    """Return the third-party packages that a fresh Python loads while it runs `code`."""
    script = (
        f"import sys; sys.path.insert(0, {str(SOURCE.parent)!r}); before = set(sys.modules); "
        f"{code}; print(*{{name.split('.')[0] for name in set(sys.modules) - before}})"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    return set(done.stdout.split()) - sys.stdlib_module_names


def test_importing_askpoint_loads_nothing_else():
    assert loaded_by("import askpoint") == {"askpoint"}
    assert "numpy" in loaded_by("import askpoint; askpoint.CostMatrix")  # the probe sees


def test_the_commands_start_without_server_pictures_and_science():
    heavy = {"django", "matplotlib", "pandas", "polars", "pyarrow", "scipy", "sklearn"}
    assert not heavy & loaded_by("import askpoint.cli.main")


@pytest.mark.parametrize("name", askpoint.__all__)
def test_every_name_resolves_to_what_its_module_exports(name):
    module = import_module(askpoint._WINDOW[name])
    assert name in module.__all__
    assert getattr(askpoint, name) is getattr(module, name)


def test_type_checkers_see_the_same_names():
    tree = ast.parse((SOURCE / "__init__.py").read_text())
    seen = {
        alias.asname: node.module
        for branch in tree.body
        if isinstance(branch, ast.If) and ast.unparse(branch.test) == "TYPE_CHECKING"
        for node in branch.body
        for alias in node.names
    }
    assert seen == askpoint._WINDOW


def test_dir_lists_the_window():
    assert dir(askpoint) == sorted(askpoint.__all__)


def test_no_name_hides_a_room():
    rooms = {path.stem for path in SOURCE.iterdir()}
    assert not rooms & set(askpoint.__all__)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="has no attribute 'value_curv'"):
        askpoint.value_curv  # noqa: B018
