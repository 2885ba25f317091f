"""The gate with NumPy and SciPy alone says byte for byte what it says beside polars."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys

import numpy as np
import pytest
from tests.cli.panels import gold_rows, system_rows

_FORBIDDEN = (
    "_polars_runtime_32",
    "django",
    "duckdb",
    "fastexcel",
    "joblib",
    "matplotlib",
    "pandas",
    "polars",
    "pyarrow",
    "pygments",
    "sklearn",
    "threadpoolctl",
)
_RUN = """
import sys
class Hiding:
    def __init__(self, finder):
        self.finder = finder
    def find_spec(self, name, path=None, target=None):
        hidden = name.partition(".")[0] in {}
        return None if hidden else self.finder.find_spec(name, path, target)
    def __getattr__(self, name):
        return getattr(self.finder, name)
sys.meta_path[:] = [Hiding(finder) for finder in sys.meta_path]
from askpoint.cli.main import main
"""
_ONE = f"{_RUN}main(sys.argv[1:])"
_EACH = f"""{_RUN}
import contextlib, io, json
told = []
for words in json.loads(sys.argv[1]):
    with contextlib.redirect_stderr(io.StringIO()) as stderr:
        try:
            code = main(words)
        except SystemExit as end:
            code = end.code
    told.append((code, stderr.getvalue()))
print(json.dumps(told))
"""


def run_alone(folder, *words, forbidden=_FORBIDDEN, program=_ONE):
    """Run a command in a Python of its own, in which some packages are not installed."""
    return subprocess.run(
        [sys.executable, "-c", program.format(forbidden), *map(str, words)],
        capture_output=True,
        text=True,
        cwd=folder,
        check=False,
    )


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Votes on two systems in the forms that a build has: wide, long, JSON lines, gzip; and labels of both."""
    from cli.conftest import Shell

    shell = Shell(tmp_path_factory.mktemp("gate"))
    rows, truth = system_rows(n_items=200)
    tasks = np.random.default_rng(0).permutation(list(truth["A"]))[:80].tolist()
    for name in "AB":
        shell.write(f"{name}.csv", rows[name])
    judges = [name for name in rows["B"][0] if name != "task"]
    shell.write("gold.csv", gold_rows(truth, tasks))
    shell.write("alone.csv", [{"task": t, "label": truth["B"][t]} for t in tasks])
    long = [
        {"worker": judge, "task": row["task"], "label": row[judge]}
        for row in rows["B"]
        for judge in judges
    ]
    shell.write("long.csv", long)
    lines = "".join(json.dumps(row) + "\n" for row in rows["B"])
    (shell.folder / "B.jsonl").write_text(lines, "utf-8")
    (shell.folder / "ids").mkdir()
    for name in ("A", "B", "alone", "gold"):  # the items are named otherwise
        lines = (shell.folder / f"{name}.csv").read_text("utf-8").replace("task,", "id,", 1)
        (shell.folder / "ids" / f"{name}.csv").write_text(lines, "utf-8")
    packed = gzip.compress((shell.folder / "B.csv").read_bytes())
    (shell.folder / "packed.csv.gz").write_bytes(packed)
    beside = [row | {"gold": truth["B"][row["task"]]} for row in rows["B"]]
    shell.write("beside.csv", beside)
    return shell, ",".join(judges)


CASES = {
    "a share": ("B.csv", "--gold", "alone.csv", "--at-least", "0.3"),
    "a share that is missed": ("B.csv", "--gold", "alone.csv", "--at-least", "0.97"),
    "a share without labels": ("B.csv", "--at-least", "0.6"),
    "labels in a column": ("beside.csv", "--gold", "gold", "--at-least", "0.6"),
    "items of another name": ("ids/B.csv", "--gold", "ids/alone.csv", "--at-least", "0.3"),
    "two systems of another name": (
        *("ids/B.csv", "--no-worse-than", "ids/A.csv", "--margin", "0.05"),
        *("--gold", "ids/gold.csv"),
    ),
    "faults": ("B.csv", "--fail-on", "alarm,drift", "--window", "50"),
    "JSON lines": ("B.jsonl", "--gold", "alone.csv", "--at-least", "0.5", "--positive", "pass"),
    "gzip": ("packed.csv.gz", "--gold", "alone.csv", "--at-least", "0.5"),
    "one row per vote": ("long.csv", "--gold", "alone.csv", "--at-least", "0.5"),
    "two systems": ("B.csv", "--no-worse-than", "A.csv", "--margin", "0.05", "--gold", "gold.csv"),
    "two without labels": ("B.csv", "--no-worse-than", "A.csv"),
}


_ALWAYS = {"items of another name", "two systems of another name"}


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(words, id=name, marks=[] if name in _ALWAYS else pytest.mark.whole)
        for name, words in CASES.items()
    ],
)
def test_a_gate_without_polars_says_the_same(made, words):
    shell, judges = made
    named = () if words[0] == "long.csv" else ("--judges", judges)
    whole = run_alone(shell.folder, "gate", *words, *named, "--json", forbidden=())
    alone = run_alone(shell.folder, "gate", *words, *named, "--json")
    assert alone.returncode == whole.returncode, alone.stderr
    assert whole.returncode in (0, 1, 3), whole.stderr
    assert alone.stdout == whole.stdout


def test_it_writes_words_a_page_and_the_files_of_a_build(made):
    shell, judges = made
    files = ("--html", "gate.html", "--junit", "gate.xml", "--summary", "gate.md")
    words = ("gate", "B.csv", "--gold", "alone.csv", "--at-least", "0.3", "--judges", judges)
    alone = run_alone(shell.folder, *words, *files)
    assert alone.returncode == 0, alone.stderr
    assert "The gate" in alone.stdout
    assert "Passes: pass at least 30" in alone.stdout
    for name in files[1::2]:
        assert (shell.folder / name).stat().st_size > 100


@pytest.mark.parametrize("words", [("B.csv",), ("value", "B.csv"), ("judges", "B.csv")])
def test_other_commands_say_in_one_line_what_is_missing(made, words):
    shell, _ = made
    done = run_alone(shell.folder, *words)
    assert done.returncode == 2
    assert done.stderr == (
        "askpoint: polars is not installed. The gate alone works without it; for this command run: "
        "pip install askpoint\n"
    )


BAD = {
    "judges that are not named": (
        ("B.csv", "--at-least", "0.5"),
        "--judges must name the judges' columns of B.csv",
    ),
    "a kind that polars reads": (
        ("votes.parquet", "--at-least", "0.5"),
        "votes.parquet must end in .csv, .csv.gz",
    ),
    "a web page": (("page.csv", "--at-least", "0.5"), "page.csv is a web page to sign in (HTML)"),
    "a picture": (("picture.csv", "--at-least", "0.5"), "picture.csv is a picture (PNG)"),
    "a row too short": (
        ("short.csv", "--at-least", "0.5", "--judges", "ann,bob"),
        "line 3 has 2 cells, the header has 3 cells",
    ),
    "names alone": (("names.csv", "--at-least", "0.5", "--judges", "ann,bob"), "not a single row"),
    "semicolons": (("semi.csv", "--at-least", "0.5", "--judges", "ann,bob"), "has semicolons"),
    "one name twice": (("twice.csv", "--at-least", "0.5"), "two columns of twice.csv are named"),
    "a line that is not an object": (
        ("list.jsonl", "--at-least", "0.5"),
        "line 2 is not a JSON object but a list",
    ),
    "an option of tables": (
        ("B.csv", "--at-least", "0.5", "--by", "topic"),
        "--by takes polars",
    ),
    "an unknown judge": (("B.csv", "--at-least", "0.5", "--judges", "nobody"), "'nobody'"),
    "a missing file": (("gone.csv", "--at-least", "0.5"), "gone.csv"),
}


def test_what_it_cannot_read_is_told_in_one_line(made):
    shell, _ = made
    folder = shell.folder
    (folder / "votes.parquet").write_bytes(b"PAR1")
    (folder / "page.csv").write_text("<!DOCTYPE html><form><input type=password></form>", "utf-8")
    (folder / "picture.csv").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(99))
    (folder / "short.csv").write_text("task,ann,bob\n1,x,y\n2,x\n", "utf-8")
    (folder / "names.csv").write_text("task,ann,bob\n", "utf-8")
    (folder / "semi.csv").write_text("task;ann;bob\n1;x;y\n", "utf-8")
    (folder / "twice.csv").write_text("task,ann,ann\n1,x,y\n", "utf-8")
    (folder / "list.jsonl").write_text('{"task": 1}\n[1]\n', "utf-8")
    lines = json.dumps([("gate", *words) for words, _ in BAD.values()])
    done = run_alone(folder, lines, program=_EACH)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)  # and nothing else
    for (name, (_, expected)), (code, said) in zip(BAD.items(), told, strict=True):
        assert code == 2, (name, said)
        assert expected in said, (name, said)
        assert len(said.strip().splitlines()) == 1, (name, said)
