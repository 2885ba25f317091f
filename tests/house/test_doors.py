"""What stands in the source is used: by the source, the shop window, a template, documentation or an example.

What only tests and benchmarks call stands with them. A name counts as used where its word stands outside docstrings,
`__all__` and its own definition.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from audit import SOURCE

HOME = SOURCE.parents[1]
WORD = re.compile(r"[A-Za-z_]\w*")
INNER = ("dataclass", "cache", "functools.", "property", "classmethod", "staticmethod", "final")
PLAIN = {"ABC", "Protocol", "Generic", "NamedTuple", "object", "Exception", "StrEnum", "Enum"}
ALONE = {
    "_repr_html_": "notebooks call it",
    "clear_states": "tests stand for another process, which holds no state yet",
}
TOLD = re.compile(
    r"(sniff|read)_\w+"
)  # of a reader of files: `_tool` finds them by the tool's name

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class Module(NamedTuple):
    """A file: its tree, and its lines without docstrings and `__all__`."""

    tree: ast.Module
    lines: list[str]

    @classmethod
    def read(cls, path: Path) -> Module:
        text = path.read_text(encoding="utf-8")
        tree, lines = ast.parse(text), text.splitlines()
        for node in silent_parts(tree):
            lines[node.lineno - 1 : node.end_lineno] = [""] * (node.end_lineno - node.lineno + 1)
        return cls(tree, lines)

    def count(self, node: ast.stmt | None = None) -> Counter[str]:
        """Count the words of it, or of a part."""
        lines = self.lines[node.lineno - 1 : node.end_lineno] if node else self.lines
        return Counter(WORD.findall("\n".join(lines)))


def silent_parts(node: ast.AST) -> Iterator[ast.stmt]:
    """Yield docstrings and `__all__`, of a module, its classes and functions."""
    if ast.get_docstring(node, clean=False) is not None:
        yield node.body[0]
    for part in node.body:
        if isinstance(part, Definition):
            yield from silent_parts(part)
        elif isinstance(part, ast.Assign) and ast.unparse(part.targets[0]) == "__all__":
            yield part


def definitions(tree: ast.Module) -> Iterator[tuple[str, ast.stmt]]:
    """Yield the names that a module and its classes define for others; not what a framework calls."""
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                yield from ((n.id, node) for n in ast.walk(target) if isinstance(n, ast.Name))
        elif isinstance(node, Definition) and not is_handed_on(node):
            yield node.name, node
            for part in node.body if isinstance(node, ast.ClassDef) else ():
                if isinstance(part, Definition) and not is_handed_on(part):
                    yield part.name, part


def is_handed_on(node: Definition) -> bool:
    """Say whether a decorator hands it on: to a router, a command, a signal."""
    return any(not ast.unparse(one).startswith(INNER) for one in node.decorator_list)


def is_of_a_framework(node: ast.ClassDef, classes: dict[str, ast.ClassDef]) -> bool:
    """Say whether a class, or one above it, has a base of another package, which may call what it defines."""
    bases = [ast.unparse(base).partition("[")[0] for base in node.bases]
    return any(
        is_of_a_framework(classes[base], classes) if base in classes else base not in PLAIN
        for base in bases
    )


def names_without_a_door(source: Path, pages: Iterable[Path], window: str) -> list[str]:
    """Return what nothing but tests and benchmarks can call, as `file: name`."""
    modules = {path: Module.read(path) for path in sorted(source.rglob("*.py"))}
    used = Counter(WORD.findall(window))
    for module in modules.values():
        used.update(module.count())
    for page in [*pages, *source.rglob("*.html")]:
        used.update(WORD.findall(page.read_text(encoding="utf-8")))
    classes = {
        node.name: node
        for module in modules.values()
        for node in module.tree.body
        if isinstance(node, ast.ClassDef)
    }
    shown = set(WORD.findall(window))
    theirs = {  # whose methods a user, or a framework, calls
        id(part)
        for name, node in classes.items()
        if name in shown or name.endswith("Client") or is_of_a_framework(node, classes)
        for part in [node, *node.body]
    }
    found = []
    for path, module in modules.items():
        if "migrations" in path.parts or path.name in {"__init__.py", "urls.py"}:
            continue
        for name, node in definitions(module.tree):
            is_told = "readers" in path.parts and TOLD.fullmatch(name)
            if is_told or name.startswith("__") or id(node) in theirs or name in ALONE:
                continue
            if used[name] <= module.count(node)[name]:
                found.append(f"{path.relative_to(source).as_posix()}: {name}")
    return found


def test_everything_has_a_door():
    pages = [*(HOME / "docs").rglob("*.md"), *(HOME / "examples").rglob("*.py"), HOME / "README.md"]
    window = (SOURCE / "__init__.pyi").read_text(encoding="utf-8")
    assert names_without_a_door(SOURCE, pages, window) == []


def test_exceptions_are_still_there():
    text = "".join(path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.py"))
    assert all(f"def {name}(" in text for name in ALONE)


def test_a_name_that_only_tests_use_is_found(tmp_path):
    source, page = tmp_path / "askpoint", tmp_path / "page.md"
    source.mkdir()
    page.write_text("`documented`")
    (source / "a.py").write_text(
        '"""Says alone."""\n__all__ = ["alone", "shown"]\n_USED, _DEAD = 1, 2\n\n\n'
        "def shown(): return _USED\n\n\ndef documented(): ...\n\n\ndef alone(): return alone()\n\n\n"
        "@router.get\ndef route(): ...\n\n\nclass Kept:\n    def never(self): ...\n\n\n"
        "class Form(django.Form):\n    def clean(self): ...\n"
    )
    (source / "b.py").write_text("from askpoint.a import Kept\n")
    assert names_without_a_door(source, [page], "from .a import shown\n") == [
        "a.py: _DEAD",
        "a.py: alone",
        "a.py: never",
    ]
