"""Whole runs of pytest with this project's conftest: what should make them red does."""

from __future__ import annotations

import subprocess
import sys

import pytest

from audit import SOURCE

ROOT = SOURCE.parents[1]
LEAK = """\
from audit import SOURCE

def test_leak():
    space = {}
    code = compile("def act(): open(__file__)", str(SOURCE / "judges" / "leak.py"), "exec")
    exec(code, {"__file__": __file__}, space)
    space["act"]().close()
"""
TRACED = """\
import sys

def test_nobody_traces():
    assert sys.gettrace() is None
"""
ON_POSTGRES = """\
import pytest

from server.conftest import empty_postgres

@pytest.mark.parametrize("turn", range(4))
def test_on_a_database(empty_postgres, turn):
    assert empty_postgres
"""
PAGE = """\
# A page

```python
>>> 1 + 1
2
```

Plain code counts too:

```python
assert 1 + 1 == {sum}
```

```python
>>> 2 + 2
{double}
```
"""


@pytest.fixture
def run(tmp_path):
    """Return a function that runs pytest on one file."""

    def pytest_on(name, text, *words):
        (tmp_path / "conftest.py").write_text((ROOT / "conftest.py").read_text())
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider"]
        settings = ["-c", ROOT / "pyproject.toml", f"--rootdir={tmp_path}"]
        paths = ["-o", f"pythonpath={SOURCE.parent} {ROOT / 'tests'}"]
        return subprocess.run(
            [*command, *settings, *paths, *words, tmp_path],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )

    return pytest_on


def test_a_leak_of_a_pure_room_is_red(run):
    done = run("test_leak.py", LEAK)
    assert done.returncode == 1, done.stdout
    assert "judges/leak.py:1 did open" in done.stdout


@pytest.mark.whole
def test_true_examples_in_the_documents_are_green(run):
    done = run("docs/page.md", PAGE.format(sum=2, double=4))
    assert done.returncode == 0, done.stdout
    assert "3 passed" in done.stdout


@pytest.mark.parametrize(
    "wrong",
    [{"sum": 3, "double": 4}, pytest.param({"sum": 2, "double": 5}, marks=pytest.mark.whole)],
)
def test_a_false_example_in_the_documents_is_red(run, wrong):
    done = run("docs/page.md", PAGE.format(**wrong))
    assert done.returncode == 1, done.stdout
    assert "1 failed, 2 passed" in done.stdout


@pytest.mark.parametrize("workers", [1, pytest.param(0, marks=pytest.mark.whole)])
def test_a_test_of_another_room_is_not_traced(run, workers):
    done = run("test_traced.py", TRACED, f"-n{workers}", "--cov", "--cov-report=")
    assert done.returncode == 0, done.stdout
    assert "1 passed" in done.stdout


@pytest.mark.whole
def test_where_no_database_is_every_worker_skips(run, monkeypatch):
    """The database is made by one worker for all, and none waits for what cannot be made."""
    for name in ("ASKPOINT_POSTGRES", "ASKPOINT_REQUIRE"):
        monkeypatch.delenv(name, raising=False)
    done = run("test_on_postgres.py", ON_POSTGRES, "-n2")
    assert done.returncode == 0, done.stdout
    assert "4 skipped" in done.stdout
