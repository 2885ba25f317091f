"""Texts that people read keep to the project's words: one word for one thing, no riddles (words.toml says which)."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
RULES: list[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("words.toml").read_text())[
    "rule"
]
PLACES = (
    "*.md",
    "docs/evidence/*.md",
    "docs/index.md",
    "docs/project/*.md",
    "docs/explanation/*.md",
    "docs/how-to/*.md",
    "docs/reference/*.md",
    "docs/tutorials/*.md",
    "src/askpoint/**/*.html",
    "src/askpoint/**/*.txt",
    "src/askpoint/**/*.py",
)
READ_BY_PEOPLE = {
    "answers",
    "arena",
    "cli",
    "client",
    "displays",
    "elicitation",
    "live",
    "reports",
    "server",
    "wire",
}
"""Rooms whose every sentence is read; of the others, only errors are."""
EXCEPTIONS = {
    "CHANGELOG.md": "what was written for earlier versions",
    "docs/reference/roles.md": "its lines are those of the API's functions",
    "docs/reference/glossary.md": "it says which words the mathematics keeps",
    "docs/explanation/licences.md life": "simulated lives",
    "arena/server/demo.py": "invented posts, in the words of those who post",
    "server/demo.py": "invented posts, in the words of those who post",
    "server/demo_stream.py": "invented posts, in the words of those who post",
    "server/deployments/policy_tables.py": "SQL, whose columns have names of their own",
    "papers": "the papers' own terms, beside their tables",
    "migrations": "written by Django",
    "displays/hull.py greek": "omega is the line's name in the paper, and a public name",
    "elicitation/abstention.py greek": "omega is the answer's public name",
    "reports/value/tables.py greek": "AURC and AUGRC are what the field calls these two numbers",
}
"""Files, folders, and rules of a file (after a space) that need not keep to a rule, and why."""

CODE = re.compile(
    r"(?ms)^( *)(```|~~~).*?^\1\2|^\$\$.*?\$\$|`[^`\n]+`|\$[^$\n]+\$|\]\([^)]*\)|^\|[-: |]+\|$"
)
READ_ATTRIBUTE = re.compile(r'\b(?:aria-label|placeholder|alt|title)="([^"{]*)"')
TEMPLATE = re.compile(r"(?s)\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}")
MARKUP = re.compile(r"(?s)<(style|script|code|svg)\b.*?</\1>|<[^>]*>")


def blank(pattern: re.Pattern[str], text: str) -> str:
    """Replace matches by spaces, but for attributes that are read; lines keep their numbers."""

    def spaces(match: re.Match[str]) -> str:
        read = " ".join(READ_ATTRIBUTE.findall(match[0]))
        return (
            f" {read} " + "\n" * match[0].count("\n") if read else re.sub(r"[^\n]", " ", match[0])
        )

    return re.sub(r"(?m)^[ \t>]+", "", pattern.sub(spaces, text))


def text_of(node: ast.Constant | ast.JoinedStr) -> str:
    """Return the text of a string, with {} for each value of an f-string."""
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    texts = (part.value if isinstance(part, ast.Constant) else None for part in parts)
    return "".join(text if isinstance(text, str) else "{}" for text in texts)


def strings_of(source: str, *, is_read: bool, has_commands: bool) -> Iterator[tuple[str, int, str]]:
    """Yield kind, line and text of a module's errors and, where it is read, of its other strings."""
    nodes = list(ast.walk(ast.parse(source)))
    errors, silent, helps = set[int](), set[int](), set[int]()
    for node in nodes:
        if isinstance(node, ast.Raise):
            errors |= {id(part) for part in ast.walk(node)}
        elif isinstance(node, ast.JoinedStr):
            silent |= {id(part) for part in ast.walk(node) if part is not node}
        elif isinstance(node, ast.Expr):
            silent.add(id(node.value))  # a docstring
        elif isinstance(node, ast.FunctionDef) and node.decorator_list and has_commands:
            helps.add(id(getattr(node.body[0], "value", None)))  # the help of a command
    for node in nodes:
        if isinstance(node, ast.Constant | ast.JoinedStr) and id(node) not in silent - helps:
            text = re.sub(r"\n[ \t]+", "\n", text_of(node))
            if " " in text.strip() and (is_read or id(node) in errors):
                yield "errors" if id(node) in errors else "strings", node.lineno, text


def texts_of(path: Path, source: str) -> Iterator[tuple[str, int, str]]:
    """Yield kind, first line and text of what people read in a file."""
    room = path.as_posix().partition("askpoint/")[2].partition("/")[0]
    if path.suffix == ".py":
        yield from strings_of(
            source, is_read=room in READ_BY_PEOPLE, has_commands="cli" in path.parts
        )
    elif path.suffix == ".md":
        yield "docs", 1, blank(CODE, source)
    else:
        yield "templates", 1, blank(MARKUP, blank(TEMPLATE, source))


def find_hits(kind: str, text: str) -> Iterator[tuple[int, dict[str, Any], str]]:
    """Yield where a rule is broken in a text: line from 0, rule and words."""
    for rule in RULES:
        if kind in rule.get("in", kind):
            for match in re.finditer(rule["pattern"].replace(" ", r"\s"), text, re.IGNORECASE):
                yield text.count("\n", 0, match.start()), rule, " ".join(match[0].split())


def hits_of(path: Path, root: Path) -> Iterator[str]:
    """Yield what is wrong in a file, with its line and what to write."""
    name = path.relative_to(root).as_posix()
    short = name.removeprefix("src/askpoint/")
    if short in EXCEPTIONS or any(part in EXCEPTIONS for part in short.split("/")[:-1]):
        return
    for kind, first, text in texts_of(path, path.read_text(encoding="utf-8")):
        for below, rule, found in find_hits(kind, text):
            if f"{short} {rule['id']}" not in EXCEPTIONS:
                line = first if kind in ("strings", "errors") else first + below
                yield f"{name}:{line}: {found!r}: write {rule['use']}"


def all_hits(root: Path, places: tuple[str, ...]) -> list[str]:
    paths = sorted(path for place in places for path in root.glob(place) if path.is_file())
    return [hit for path in paths for hit in hits_of(path, root)]


def test_texts_keep_to_the_words():
    hits = all_hits(ROOT, PLACES)
    assert not hits, "\n".join(hits)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule["id"])
def test_each_rule_finds_its_example(rule):
    kinds = rule.get("in", ["docs"])
    assert rule["id"] in {found["id"] for _, found, _ in find_hits(kinds[0], rule["bad"])}


def test_each_kind_of_text_is_read(tmp_path):
    room = tmp_path / "src" / "askpoint" / "cli"
    room.mkdir(parents=True)
    (room / "one.py").write_text(
        '"""Start anew: a docstring is not read."""\n'
        "@command()\n"
        "def start():\n"
        '    """Start anew."""\n'
        '    raise InputError(f"line {1} is no CSV")\n'
    )
    (room / "page.html").write_text(
        '{# anew #}<p class="anew">\nStart <b>anew</b></p><input aria-label="Anew">\n'
    )
    (tmp_path / "page.md").write_text("`anew`\n\nStart\nanew.\n")
    found = [
        hit.partition("src/askpoint/cli/")[2] or hit for hit in all_hits(tmp_path, ("**/*.*",))
    ]
    assert [hit.partition(": write")[0] for hit in found] == [
        "page.md:4: 'anew'",
        "one.py:4: 'anew'",
        "one.py:5: 'is no'",
        "page.html:2: 'anew'",
        "page.html:2: 'Anew'",
    ]


def test_exceptions_are_needed():
    for name in EXCEPTIONS:
        path, _, _ = name.partition(" ")
        assert any((*(ROOT / "src/askpoint").glob(f"**/{path}"), *ROOT.glob(path))), (
            f"{name} is no exception any more"
        )
