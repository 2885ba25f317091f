"""What every module of the house keeps, read from its source."""

from __future__ import annotations

import ast
import functools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from audit import SOURCE

DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


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


class Facts(NamedTuple):
    """What the laws below ask of a file: it is parsed and walked once for all of them."""

    imports: list[str]
    is_silent: bool
    exported: list[str] | None
    defined: set[str]
    classes: list[str]
    named_as_done: list[str]
    long_calls: list[str]
    words: int
    code: int


def facts(path: Path) -> Facts:
    """Read a file."""
    text = path.read_text()
    tree = ast.parse(text)
    imports, classes, named_as_done, long_calls = [], [], [], []
    docstrings: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            imports += [node.module] if node.module else []
        elif isinstance(node, ast.Import):
            imports += [name.name for name in node.names]
        elif isinstance(node, ast.Call) and len(node.args) >= 8:
            long_calls.append(ast.unparse(node.func).rpartition(".")[2])
        if isinstance(node, ast.ClassDef):
            classes.append(node.name)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            named_as_done += [node.name] if is_named_as_done(node) else []
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node) is not None:
            docstrings |= set(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    lines = {i for i, line in enumerate(text.splitlines(), 1) if line.strip(" #")}
    comments = {i for i, line in enumerate(text.splitlines(), 1) if line.lstrip()[:1] == "#"}
    return Facts(
        imports=imports,
        is_silent=len(tree.body) == 1 and ast.get_docstring(tree) is not None,
        exported=exported(tree),
        defined=defined(tree),
        classes=classes,
        named_as_done=named_as_done,
        long_calls=long_calls,
        words=len(docstrings),
        code=len(lines - docstrings - comments),
    )


@functools.cache
def files_of(source: Path) -> list[tuple[str, Facts]]:
    """Return each file's name below the folder, and its facts."""
    return [
        (path.relative_to(source).as_posix(), facts(path)) for path in sorted(source.rglob("*.py"))
    ]


def problems(source: Path) -> Iterator[str]:
    """Yield what is wrong with the package in the folder `source`."""
    packages = {
        ".".join(init.parent.relative_to(source.parent).parts)
        for init in source.rglob("__init__.py")
    }
    for where, file in files_of(source):
        for package in file.imports:
            if package in packages:
                yield f"{where} imports through the front door {package}"
        if where in {"__init__.py", "__main__.py"}:
            continue
        if where.endswith("__init__.py"):
            if not file.is_silent:
                yield f"{where} holds more than a docstring"
            continue
        if file.exported is None:
            yield f"{where} has no __all__"
            continue
        names, own = (
            set(file.exported),
            {name for name in file.defined if not name.startswith("_")},
        )
        for name in sorted(names - own):
            yield f"{where} exports {name}, which it does not define"
        for name in sorted(own - names):
            yield f"{where} defines {name}, which is neither exported nor private"
        beside = (source / where).parent.glob("*.py")
        for name in sorted(names & {one.stem for one in beside} - {"main"}):  # the entry point
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


@pytest.fixture
def house(tmp_path: Path) -> Callable[[Mapping[str, str]], Path]:
    """Return a function: a few files in, the folder of a house that holds nothing else out."""

    def build(files: Mapping[str, str]) -> Path:
        source = tmp_path / "askpoint"
        for name in files:
            (source / name).parent.mkdir(parents=True, exist_ok=True)
        for room in (source, *source.rglob("*")):
            (room / "__init__.py").write_text('"""A room."""\n')
        for name, text in files.items():
            (source / name).write_text(text)
        return source

    return build


def test_a_sound_house_is_not_blamed(house):
    assert list(problems(house({"measures/inputs.py": GOOD, "value/rates.py": GOOD}))) == []


@pytest.mark.parametrize(("files", "problem"), BROKEN.values(), ids=BROKEN)
def test_a_broken_module_is_found(files, problem, house):
    assert problem in list(problems(house({"measures/inputs.py": GOOD, **files})))


def repeated_names(source: Path) -> dict[str, int]:
    """Return the file names that occur more than twice, the server's left out, with how often."""
    counts = Counter(
        path.stem
        for path in source.rglob("*.py")
        if path.name != "__init__.py" and "server" not in path.relative_to(source).parts
    )
    return {name: count for name, count in counts.items() if count > 2}


def class_names_that_stand_twice(source: Path) -> dict[str, list[str]]:
    """Return the names that several classes have, with their files; not what Django wants named so."""
    files: dict[str, list[str]] = {}
    for where, file in files_of(source):
        for name in file.classes:
            if name not in {"Meta", "Migration"}:
                files.setdefault(name, []).append(where)
    return {name: found for name, found in files.items() if len(found) > 1}


# Past participles that do not end in -ed; those that are verbs as well (read, run, put, set) name what does.
IRREGULAR = frozenset(
    [
        "begun",
        "borne",
        "bought",
        "broken",
        "brought",
        "built",
        "caught",
        "chosen",
        "come",
        "done",
        "drawn",
        "dealt",
        "driven",
        "fallen",
        "forgotten",
        "found",
        "frozen",
        "given",
        "gone",
        "grown",
        "heard",
        "held",
        "hidden",
        "kept",
        "known",
        "laid",
        "led",
        "left",
        "lent",
        "lost",
        "made",
        "meant",
        "met",
        "paid",
        "proven",
        "said",
        "seen",
        "sent",
        "shown",
        "sold",
        "spent",
        "spoken",
        "stood",
        "struck",
        "stuck",
        "taken",
        "taught",
        "thought",
        "thrown",
        "told",
        "understood",
        "won",
        "worn",
        "written",
    ]
)
VERBS = frozenset(
    {"bleed", "embed", "exceed", "feed", "need", "proceed", "seed", "shed", "speed", "succeed"}
)
AFTER = frozenset(
    [
        "after",
        "again",
        "at",
        "before",
        "by",
        "first",
        "for",
        "from",
        "in",
        "last",
        "of",
        "off",
        "on",
        "out",
        "over",
        "since",
        "to",
        "under",
        "while",
        "with",
        "without",
    ]
)
FIELD_TERMS = frozenset({"held_out"})


def is_participle(word: str) -> bool:
    return word in IRREGULAR or (word.endswith("ed") and word not in VERBS)


def is_done_in_its_name(name: str) -> bool:
    """Say whether a function is named as something done: `decided`, `_held_from`, `sets_said`."""
    words = name.strip("_").split("_")
    first, second = words[0], words[1] if len(words) > 1 else ""
    if f"{first}_{second}" in FIELD_TERMS:
        return False
    return (is_participle(first) and (not second or second in AFTER)) or words[-1] in {
        "said",
        "told",
    }


def is_named_as_done(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Say whether a function, and no property, is named as something done."""
    return is_done_in_its_name(node.name) and not any(
        "property" in ast.unparse(one) for one in node.decorator_list
    )


def functions_named_as_done(source: Path) -> list[str]:
    """Return the functions and methods, but no properties, whose names are past participles, as `file: name`."""
    return [f"{where}: {name}" for where, file in files_of(source) for name in file.named_as_done]


def words_and_code(source: Path) -> tuple[int, int]:
    """Return how many lines are docstrings, and how many code (no comment, not empty)."""
    files = [file for _, file in files_of(source)]
    return sum(file.words for file in files), sum(file.code for file in files)


def long_constructions(source: Path) -> list[str]:
    """Return the calls of classes with eight parts or more that nothing names, as `file: class`."""
    return [
        f"{where}: {name}"
        for where, file in files_of(source)
        for name in file.long_calls
        if name.strip("_")[:1].isupper()
    ]


def test_a_file_is_found_by_its_name():
    assert len(repeated_names(SOURCE)) <= 6


def test_a_class_is_found_by_its_name():
    """A name stands twice only for a thing and the table in which the server keeps it."""
    doubled = class_names_that_stand_twice(SOURCE)
    assert len(doubled) <= 10
    for name, files in doubled.items():
        assert len(files) == 2, (name, files)
        assert any(file.endswith("models.py") for file in files), (name, files)


def test_functions_are_named_by_verbs_and_values_by_nouns():
    assert functions_named_as_done(SOURCE) == []


def test_the_parts_of_a_large_object_are_named():
    assert long_constructions(SOURCE) == []


def test_large_objects_without_names_are_found(house):
    eight = ", ".join("12345678")
    where = house({"value/a.py": f"Rate({eight})\nRate(a=0, *[{eight}])\nfold({eight})\n"})
    assert long_constructions(where) == ["value/a.py: Rate"]


def test_words_around_code_are_half_as_long_as_the_code():
    words, code = words_and_code(SOURCE)
    assert words <= code / 2


def test_names_and_lines_are_counted(house, tmp_path):
    rooms = ("value", "judges", "records", "server")
    assert repeated_names(house({f"{room}/rate.py": GOOD for room in rooms})) == {"rate": 3}
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "file.py").write_text('"""One.\n\nTwo."""\n# A word.\n\nN = 1\n')
    assert words_and_code(tmp_path / "one") == (3, 1)


def test_classes_of_one_name_are_found(house):
    twice = house({"value/a.py": "class Rate: ...\n", "judges/a.py": "class Rate: ...\n"})
    assert class_names_that_stand_twice(twice) == {"Rate": ["judges/a.py", "value/a.py"]}


def test_functions_named_by_participles_are_found(house):
    text = """class Rate:
    @property
    def decided(self): ...
    def wanted(self): ...
    def read(self): ...
def _held_from(): ...
def sets_said(): ...
def held_out_rate(): ...
def expected_rate(): ...
def need(): ...
def _told(): ...
"""
    assert functions_named_as_done(house({"value/a.py": text})) == [
        "value/a.py: _held_from",
        "value/a.py: sets_said",
        "value/a.py: _told",
        "value/a.py: wanted",
    ]
