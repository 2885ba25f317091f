"""What every module of the house keeps, read from its source."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from audit import SOURCE


def defined(tree: ast.Module) -> set[str]:
    """Return the names that a module defines itself at its top level."""
    names = set()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names |= {
                name.id
                for target in targets
                for name in ast.walk(target)
                if isinstance(name, ast.Name)
            }
    return names


def exported(tree: ast.Module) -> list[str] | None:
    """Return what `__all__` lists, None without one."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return ast.literal_eval(node.value)
    return None


def imported_packages(tree: ast.Module, packages: set[str]) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module in packages:
            yield node.module
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names if name.name in packages)


def problems(source: Path) -> Iterator[str]:
    """Yield what is wrong with the package in the folder `source`."""
    packages = {
        ".".join(init.parent.relative_to(source.parent).parts)
        for init in source.rglob("__init__.py")
    }
    for path in sorted(source.rglob("*.py")):
        where = path.relative_to(source).as_posix()
        tree = ast.parse(path.read_text())
        for package in imported_packages(tree, packages):
            yield f"{where} imports through the front door {package}"
        if where in {"__init__.py", "__main__.py"}:
            continue
        if path.name == "__init__.py":
            if len(tree.body) != 1 or ast.get_docstring(tree) is None:
                yield f"{where} holds more than a docstring"
            continue
        names = exported(tree)
        if names is None:
            yield f"{where} has no __all__"
            continue
        own = {name for name in defined(tree) if not name.startswith("_")}
        for name in sorted(set(names) - own):
            yield f"{where} exports {name}, which it does not define"
        for name in sorted(own - set(names)):
            yield f"{where} defines {name}, which is neither exported nor private"
        files = {file.stem for file in path.parent.glob("*.py")} - {"main"}  # the entry point
        for name in sorted(set(names) & files):
            yield f"{where} exports {name}, which is also a file of its room"


def test_the_house_has_no_problems():
    assert list(problems(SOURCE)) == []


GOOD = '"""A module."""\n__all__ = ["rate"]\n\n\ndef rate(): ...\n'
BROKEN = {
    "a room that does more": (
        {"value/__init__.py": '"""A room."""\nfrom askpoint.value.rates import rate\n'},
        "value/__init__.py holds more than a docstring",
    ),
    "a name through a front door": (
        {"value/rates.py": GOOD + "from askpoint.measures import as_right\n"},
        "value/rates.py imports through the front door askpoint.measures",
    ),
    "a module through a front door": (
        {"value/rates.py": GOOD + "import askpoint.measures\n"},
        "value/rates.py imports through the front door askpoint.measures",
    ),
    "the shop window from inside": (
        {"value/rates.py": GOOD + "def late():\n    from askpoint import CostMatrix\n"},
        "value/rates.py imports through the front door askpoint",
    ),
    "no __all__": ({"value/rates.py": '"""A module."""\n'}, "value/rates.py has no __all__"),
    "a name that is not there": (
        {"value/rates.py": GOOD.replace('["rate"]', '["rate", "ratio"]')},
        "value/rates.py exports ratio, which it does not define",
    ),
    "a name from elsewhere": (
        {"value/rates.py": GOOD.replace("def rate(): ...", "from numpy import sum as rate")},
        "value/rates.py exports rate, which it does not define",
    ),
    "a name left out": (
        {"value/rates.py": GOOD + "LIMIT: int = 3\n"},
        "value/rates.py defines LIMIT, which is neither exported nor private",
    ),
    "a name that is a file": (
        {"value/rate.py": GOOD},
        "value/rate.py exports rate, which is also a file of its room",
    ),
}


@pytest.mark.parametrize(("files", "problem"), BROKEN.values(), ids=BROKEN)
def test_a_broken_module_is_found(files, problem, broken):
    assert problem in list(problems(broken(files) / "src" / "askpoint"))
