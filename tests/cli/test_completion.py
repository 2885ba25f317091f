"""The Tab key: what shells ask the command, and the scripts by which they do."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from cli.conftest import Shell
from cli.test_loaded import HEAVY

_ASK = (
    "import sys\n"
    "from askpoint.cli.main import main\n"
    "try: main(prog_name='askpoint')\n"
    "except SystemExit: print(*sorted(sys.modules), file=sys.stderr)\n"
)


def completed(*words):
    """Return what bash is told of the last word, as (type, text), and the modules that are loaded for it."""
    asked = {"COMP_WORDS": " ".join(("askpoint", *words)), "COMP_CWORD": str(len(words))}
    done = subprocess.run(
        [sys.executable, "-c", _ASK],
        env=os.environ | asked | {"_ASKPOINT_COMPLETE": "bash_complete"},
        capture_output=True,
        text=True,
        check=True,
    )
    pairs = [tuple(line.split(",", 1)) for line in done.stdout.splitlines()]
    return pairs, set(done.stderr.split())


@pytest.mark.parametrize(
    ("words", "texts"),
    [
        (("val",), {"value"}),
        (("co",), {"compare", "completion"}),
        (("sim",), {"simulate"}),  # of a wing
        (("value", "log.csv", "--max-"), {"--max-error", "--max-mistakes"}),
        (("value", "log.csv", "--measure", "m"), {"max_probability", "margin"}),
        (("papers", "r"), {"run"}),
        (("completion", "z"), {"zsh"}),
    ],
)
def test_commands_options_and_values_are_completed_and_nothing_heavy_is_loaded(words, texts):
    pairs, loaded = completed(*words)
    assert {text for kind, text in pairs if kind == "plain"} == texts
    assert not HEAVY & loaded


@pytest.mark.parametrize("words", [("",), ("log",), ("value", "lo"), ("judges", "a.csv", "b")])
def test_where_a_file_may_stand_files_are_completed(words):
    pairs, _ = completed(*words)
    assert pairs[0][0] == "file"  # first: bash forgets what comes before it


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_has_a_script_that_it_can_read(tmp_path, shell):
    script = Shell(tmp_path).said("completion", shell)
    assert "_ASKPOINT_COMPLETE" in script
    assert "askpoint" in script
    if shutil.which(shell) is not None:
        subprocess.run([shell, "-n"], input=script, text=True, check=True)


def test_bash_completes_with_the_script(tmp_path):
    if shutil.which("bash") is None:
        pytest.skip("no bash")
    script = Shell(tmp_path).said("completion", "bash")
    (tmp_path / "askpoint").write_text(f"#!{sys.executable}\n{_ASK}")
    (tmp_path / "askpoint").chmod(0o755)
    ask = (
        f"{script}\nCOMP_WORDS=(askpoint value log.csv --max-); COMP_CWORD=3\n"
        '_askpoint_completion askpoint 2>/dev/null; echo "${COMPREPLY[@]}"'
    )
    done = subprocess.run(
        ["bash", "-c", ask],
        env=os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
    )
    assert done.stdout.split() == ["--max-error", "--max-mistakes"], done.stderr


def test_another_shell_is_refused(tmp_path):
    assert "bash" in Shell(tmp_path).refusal("completion", "tcsh")
