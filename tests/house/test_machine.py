"""No file of the project names a developer's machine or the host of a package registry."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FORBIDDEN = re.compile(  # in brackets, so that this file does not match itself
    r"(?<![\w.<])/(?:wor[k]|far[m]|roo[t]|hom[e]/\w+|User[s]/\w+|tm[p]/wt)/"
    r"|[A-Z]:\\User[s]"
    r"|pyp[i]\.|pythonhoste[d]|registry\.np[m]|deb\.debia[n]|anacond[a]\.org",
    re.IGNORECASE,
)


MERGE = re.compile("^(?:<{7}|>{7}) ", re.MULTILINE)  # what a conflict leaves behind


def test_no_file_names_a_machine_or_a_registry_or_holds_a_conflict():
    if not (ROOT / ".git").exists():
        pytest.skip("not a checkout: which files belong to the project is unknown")
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    found = []
    for name in listed.stdout.splitlines():
        text = (ROOT / name).read_text(errors="replace") if (ROOT / name).is_file() else ""
        found += [f"{name}: {match.group()}" for match in FORBIDDEN.finditer(text)]
        found += [f"{name}: a conflict" for _ in MERGE.finditer(text)]
    assert not found


@pytest.mark.parametrize(
    "line",
    [
        'open("/hom' + 'e/someone/log.csv")',
        "cd /wor" + "k/main",
        "see /roo" + "t/.venv",
        "/User" + "s/someone/askpoint",
        "C:\\User" + "s\\someone",
        "--index-url https://pyp" + "i.org/simple",
        "https://files.pythonhoste" + "d.org/x.whl",
    ],
)
def test_such_a_line_is_found(line):
    assert FORBIDDEN.search(line)


def test_what_a_conflict_leaves_is_found():
    assert MERGE.search("one\n" + "<" * 7 + " HEAD\n")
    assert not MERGE.search("a\n" + "=" * 7 + "\n<<< x")


@pytest.mark.parametrize("line", ["GET /api/work/1", "./work/", "a homework/", "~/work"])
def test_other_lines_are_not(line):
    assert not FORBIDDEN.search(line)
