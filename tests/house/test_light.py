"""A lean install and another system: no plotting, no spreadsheets, nothing of POSIX; no missing file's traceback."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib

import pytest
import yaml

from audit import SOURCE
from cli.conftest import Shell
from cli.deployments import day_of, log_of
from house.without import POSIX_ONLY, run_without

ROOT = SOURCE.parents[1]
EXTRAS = ("matplotlib", "fastexcel", "PIL", "kiwisolver", "contourpy", "fontTools")
VOTES = [
    {"task": str(i), **{judge: "yes" if (i * k) % 7 < 4 else "no" for judge, k in PANEL}}
    for PANEL in [(("ann", 1), ("bob", 3), ("cy", 4), ("dee", 5))]
    for i in range(60)
]


def succeed(done):
    for answer in done["answers"]:
        assert answer["code"] == 0, answer
        assert "Traceback" not in answer["err"]
    return done["answers"]


@pytest.fixture
def posts(tmp_path):
    """A log, votes, two days of cases and their labels."""
    shell = Shell(tmp_path)
    shell.write("log.csv", log_of())
    shell.write("votes.csv", VOTES)
    rows, truth = day_of(1)
    shell.write("batch.csv", rows)
    shell.write("labels.csv", [{"key": k, "label": v, "judge": "Bob"} for k, v in truth.items()])
    return tmp_path


LIFE = (
    ("log.csv", "--rho", "0.1"),
    ("value", "log.csv", "--rho", "0.1", "--html", "value.html"),
    ("gate", "votes.csv", "--fail-on", "alarm", "--window", "20", "--html", "judges.html"),
    ("deploy", "log.csv", "--rho", "0.1", "--audit", "0.2", "--out", "posts/policy.json"),
    ("decide", "posts/policy.json", "batch.csv"),
    ("watch", "posts", "--to-label", "next.csv"),
    ("label", "posts/decisions.parquet", "labels.csv"),
    ("watch", "posts", "--rho", "0.1", "--html", "watch.html"),
    ("verify", "posts"),
)


@pytest.mark.whole
def test_where_nothing_of_posix_is_there_a_policy_lives_all_the_same(posts):
    succeed(run_without(POSIX_ONLY, LIFE, posts))
    assert "<img" in (posts / "value.html").read_text("utf-8")


@pytest.mark.whole
def test_pages_of_a_lean_install_have_no_pictures_and_say_so(posts):
    answers = succeed(run_without(EXTRAS, LIFE, posts))
    for words, answer in zip(LIFE, answers, strict=True):
        if "--html" not in words:
            assert "askpoint[" not in answer["err"]
            continue
        assert answer["err"].count("\n") == 1
        assert "without pictures" in answer["err"]
        assert "pip install 'askpoint[plots]'" in answer["err"]
        page = (posts / words[-1]).read_text("utf-8")
        assert "<img" not in page
        assert page.count("askpoint[plots]") == 1


def test_a_workbook_names_the_extra_that_reads_it(data, tmp_path):
    book = data / "files" / "tables" / "predictions_titles.xlsx"
    (answer,) = run_without(EXTRAS, [(book,)], tmp_path)["answers"]
    assert answer["code"] == 2
    assert answer["err"].count("\n") == 1
    assert "pip install 'askpoint[sheets]'" in answer["err"]


def test_a_display_names_the_extra_that_draws_it():
    code = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "import askpoint\n"
        "try: askpoint.BeliefDisplay\n"
        "except ModuleNotFoundError as error: print(error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    assert done == (
        "askpoint.BeliefDisplay draws, which is an extra part: pip install 'askpoint[plots]'\n"
    )


def test_the_shipped_workflow_runs_the_core_on_every_system_and_python():
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "tests.yml").read_text("utf-8"))
    core = workflow["jobs"]["core"]
    matrix = core["strategy"]["matrix"]
    assert matrix["python"] == ["3.11", "3.12", "3.13", "3.14"]
    assert matrix["os"] == ["ubuntu-latest", "windows-latest", "macos-latest"]
    assert core["runs-on"] == "${{ matrix.os }}"
    *_, tests = (step["run"] for step in core["steps"] if "run" in step)
    named = [word for word in tests.split() if word.startswith("tests/")]
    assert all((ROOT / name).exists() for name in named)
    missing = {path.name for path in (ROOT / "tests").iterdir() if path.is_dir()} - {
        name.split("/")[1] for name in named
    }
    assert missing <= {"server", "arena", "papers", "__pycache__"}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    told = {one.rpartition(" ")[2] for one in project["classifiers"] if " 3." in one}
    assert told >= set(matrix["python"])


def test_the_base_asks_for_no_plotting_and_no_spreadsheets():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    names = {re.match(r"[\w-]+", line)[0] for line in project["dependencies"]}
    assert names.isdisjoint({"matplotlib", "fastexcel", "pillow", "pandas", "pyarrow"})
    for extra in ("plots", "sheets"):
        (need,) = project["optional-dependencies"][extra]
        assert need in project["optional-dependencies"]["server"]


def test_no_module_outside_the_server_names_what_posix_alone_has():
    named = re.compile(rf"\b(import|from) ({'|'.join(POSIX_ONLY)})\b|\bos\.fork\b|\"fcntl\"")
    found = {
        str(path.relative_to(SOURCE))
        for path in SOURCE.rglob("*.py")
        if "server" not in path.relative_to(SOURCE).parts and named.search(path.read_text("utf-8"))
    }
    assert found == set()
