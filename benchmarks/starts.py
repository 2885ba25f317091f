"""How long commands take from the Enter key on, beside the starts of programs that their users know.

Part of ``python benchmarks/table.py run RUN.json``; alone ``python benchmarks/table.py starts RUN.json``.
Each side is a process of its own, from its start to its end, or to its first answer.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
import polars as pl

Side = Callable[[], object]
_ASKPOINT = (sys.executable, "-m", "askpoint")
_PEERS = {
    "python -c pass": (sys.executable, "-c", "pass"),
    "import duckdb": (sys.executable, "-c", "import duckdb"),
    "import polars": (sys.executable, "-c", "import polars"),
    "import polars and sklearn.metrics": (sys.executable, "-c", "import polars, sklearn.metrics"),
}
_COMMANDS = {"ruff": ("ruff", "--version"), "promptfoo": ("promptfoo", "--version")}


def starts(folder: Path) -> Iterator[tuple[str, Side, Side] | str]:
    """Yield a name and two sides each, or what is missing."""
    rows, votes = folder / "thousand.csv", folder / "votes.csv"
    write_thousand(rows, votes)
    helped = _ended(*_ASKPOINT, "--help")
    for name, words in _COMMANDS.items():
        if shutil.which(words[0]) is None:
            yield f"{name}: not installed"
        else:
            yield f"askpoint --help; {' '.join(words)}", helped, _ended(*words)
    yield "askpoint --help; python -c pass", helped, _peer("python -c pass")
    for name, words in (
        ("a misspelled command", ("valeu", str(rows))),
        ("a missing file", ("value", "nosuch.csv")),
        ("value --help", ("value", "--help")),
    ):
        yield f"askpoint, {name}; import duckdb", _ended(*_ASKPOINT, *words), _peer("import duckdb")
    bare = _ended(sys.executable, "-c", "import askpoint")
    yield "import askpoint; python -c pass", bare, _peer("python -c pass")
    page = str(folder / "page.html")
    for name, words in (
        ("value, 1,000 rows", ("value", str(rows))),
        ("value, 1,000 rows, with a page", ("value", str(rows), "--html", page)),
        ("judges, 1,000 items of 5 judges", ("judges", str(votes))),
    ):
        ours, usual = _ended(*_ASKPOINT, *words), "import polars and sklearn.metrics"
        yield f"askpoint {name}; {usual}", ours, _peer(usual)
    policy = folder / "policy"
    deploy = ("deploy", str(rows), "--rho", "0.1", "--labels-are-random")
    _ended(*_ASKPOINT, *deploy, "--out", str(policy / "policy.json"))()
    yield (
        "askpoint decide -, to its first answer; import polars",
        partial(first_answer, policy, iter(range(10**6))),
        _peer("import polars"),
    )


def write_thousand(rows: Path, votes: Path) -> None:
    """Write 1,000 rows of a log, and 1,000 items that five judges voted on."""
    rng = np.random.default_rng(0)
    sure = rng.beta(5, 1.5, 1000)
    label = np.where(rng.random(1000) < sure, "yes", "no")
    said = np.full(1000, "yes")
    pl.DataFrame({"label": label, "prediction": said, "confidence": sure}).write_csv(rows)
    truth = rng.random(1000) < 0.4
    cast = {
        f"judge {i}": np.where(rng.random(1000) < right, truth, ~truth)
        for i, right in enumerate((0.9, 0.85, 0.8, 0.75, 0.7))
    }
    words = {name: np.where(of, "yes", "no") for name, of in cast.items()}
    pl.DataFrame({"task": np.arange(1000), **words}).write_csv(votes)


def first_answer(policy: Path, keys: Iterator[int]) -> None:
    """Wait for one answer, then end the process."""
    words = (*_ASKPOINT, "decide", str(policy), "-")
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        line = {"key": f"case {next(keys)}", "prediction": "yes", "confidence": 0.99}
        process.stdin.write(json.dumps(line) + "\n")
        process.stdin.flush()
        assert "action" in process.stdout.readline()
        process.kill()  # its other work is not waited for


def _peer(name: str) -> Side:
    return _ended(*_PEERS[name])


def _ended(*words: str) -> Side:
    return partial(subprocess.run, words, capture_output=True, check=False)
