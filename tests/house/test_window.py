"""The shop window: every name is there, known to type checkers too, and loaded only when asked."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib import import_module

import pytest

import askpoint
from audit import SOURCE

WINDOW = [
    (node.module, alias.name, alias.asname)
    for node in ast.parse((SOURCE / "__init__.pyi").read_text()).body
    for alias in node.names
]


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


def test_importing_askpoint_loads_nothing_heavy():
    assert loaded_by("import askpoint") == {"askpoint", "lazy_loader"}
    assert "numpy" in loaded_by("import askpoint; askpoint.CostMatrix")  # the probe sees


def test_the_commands_start_without_server_pictures_and_science():
    heavy = {"django", "matplotlib", "pandas", "polars", "pyarrow", "scipy", "sklearn"}
    assert not heavy & loaded_by("import askpoint.cli.main")


@pytest.mark.parametrize(("module", "name", "seen"), WINDOW)
def test_every_name_resolves_to_what_its_module_exports(module, name, seen):
    home = import_module(f"askpoint.{module}")
    assert name in home.__all__
    assert getattr(askpoint, name) is getattr(home, name)
    assert getattr(home, name).__module__ == home.__name__
    assert seen == name  # `name as name`: type checkers and editors see it, too


def test_the_window_holds_each_name_once():
    names = sorted(name for _, name, _ in WINDOW)
    assert names == sorted(askpoint.__all__)
    assert len(set(names)) == len(names)


def test_a_dozen_names_stand_in_the_window():
    assert len(dir(askpoint)) == 12
    assert "evaluate" in dir(askpoint)
    assert set(dir(askpoint)) < set(askpoint.__all__)


def test_no_name_hides_a_room():
    rooms = {path.stem for path in SOURCE.iterdir()}
    assert not rooms & set(askpoint.__all__)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="No askpoint attribute value_curv"):
        askpoint.value_curv  # noqa: B018
