"""A stranger's package adds to askpoint without touching its source; a broken one is named and left out."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from askpoint.registry import KINDS, Plugin
from audit import SOURCE

DOCS = Path(__file__).parents[2] / "docs"
PYPROJECT = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "{name}"
version = "1"

[project.entry-points.askpoint]
{name} = "{name}:PLUGIN"
"""
WEATHER = """
import click, numpy
from askpoint.registry import Plugin

@click.command("weather")
def command():
    "Say how the weather is."
    click.echo("dry")

def spread(p):
    return p.max(axis=1) - p.min(axis=1)

PLUGIN = Plugin(
    name="weather",
    commands={"weather": "weather:command"},
    names={"spread_of": "weather:spread"},
    confidence_measures={"spread": "weather:spread"},
)
"""
BROKEN = {
    "a module that fails": "raise RuntimeError('no rain')",
    "no plugin": "PLUGIN = 3",
    "a name of another": WEATHER.replace('name="weather"', 'name="other"'),
}


@pytest.fixture
def stranger(tmp_path):
    """Return a function: install a package of this source beside what is here, run a command with it."""
    site = tmp_path / "site"

    def install(name, text, pyproject=PYPROJECT):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "pyproject.toml").write_text(pyproject.replace("{name}", name))
        (folder / f"{name}.py").write_text(text)
        offline = ("--no-deps", "--no-build-isolation", "--no-index", "--quiet")
        pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "install")
        subprocess.run([*pip, *offline, "--target", site, folder], check=True, capture_output=True)

    def run(*words):
        paths = os.pathsep.join(map(str, (SOURCE.parent, site)))
        return subprocess.run(
            [sys.executable, *words],
            env={**os.environ, "PYTHONPATH": paths, "COLUMNS": "200"},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )

    def askpoint(*words):
        return run("-m", "askpoint", *map(str, words))

    install.run, install.askpoint, install.folder = run, askpoint, tmp_path
    return install


def write_log(folder):
    rows = [f"{i % 2},{0.2 + 0.6 * (i % 2)},{0.8 - 0.6 * (i % 2)}" for i in range(60)]
    (folder / "log.csv").write_text("\n".join(["label,proba_1,proba_0", *rows]))


@pytest.mark.whole
def test_ten_lines_add_a_command_a_name_and_a_measure(stranger):
    before = stranger.askpoint("--help")
    assert "weather" not in before.stdout
    stranger("weather", WEATHER)
    assert "weather" in stranger.askpoint("--help").stdout
    assert "Say how the weather is." in stranger.askpoint("--help").stdout
    assert stranger.askpoint("weather").stdout == "dry\n"
    assert "did you mean 'weather'" in stranger.askpoint("wether").stderr
    assert "spread" in stranger.askpoint("value", "--help").stdout
    write_log(stranger.folder)
    done = stranger.askpoint("value", "log.csv", "--measure", "spread", "--rho", "0.1", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["n_items"] == 60
    assert (
        stranger.run("-c", "import askpoint; print(askpoint.spread_of.__module__)").stdout
        == "weather\n"
    )


def code_of_the_docs(language):
    """Return what the page on plugins shows."""
    page = (DOCS / "how-to" / "plugins.md").read_text("utf-8")
    return re.search(rf"```{language}\n(.*?)```", page, re.DOTALL)[1]


def test_the_lines_of_the_docs_add_a_reader_and_a_notifier(stranger):
    code = code_of_the_docs("py")
    assert len([line for line in code.splitlines() if line and "import" not in line]) <= 20
    stranger("shouts", code, code_of_the_docs("toml"))
    votes = [
        {"id": str(i), "votes": {"ann": "no" if i % 3 else "yes", "bob": "no"}} for i in range(40)
    ]
    (stranger.folder / "day.json").write_text(json.dumps({"shouts": votes}))
    read = json.loads(stranger.askpoint("read", "day.json", "--json").stdout)
    assert ("Shouts" in str(read), read["items"]) == (True, 40), read
    assert "by plugins: Shouts." in stranger.askpoint("read", "--help").stdout
    assert "git, board" in stranger.askpoint("watch", "--help").stdout
    send = "from askpoint.records.notifications import Notification\nfrom askpoint.records.notifiers import find_notifier as f\n"
    send += "f('board=news.txt')(Notification(kind='k', subject='s', text='the policy closed'))"
    assert stranger.run("-c", send).stderr == ""
    assert (stranger.folder / "news.txt").read_text() == "the policy closed"


@pytest.mark.whole
def test_a_plugin_adds_an_objective(stranger):
    text = WEATHER.replace(
        "confidence_measures", 'objectives={"dear": "weather:dear"}, confidence_measures'
    )
    text += "\n\ndef dear(value):\n    from askpoint import CheckCost\n    return CheckCost(float(value))\n"
    write_log(stranger.folder)
    none = stranger.askpoint("value", "log.csv", "--objective", "dear=0.1")
    assert (none.returncode, "none is installed" in none.stderr) == (2, True)
    stranger("weather", text)
    dear = stranger.askpoint("value", "log.csv", "--objective", "dear=0.1", "--json")
    assert dear.returncode == 0, dear.stderr
    assert dear.stdout == stranger.askpoint("value", "log.csv", "--rho", "0.1", "--json").stdout
    cheap = stranger.askpoint("value", "log.csv", "--objective", "cheap=1")
    assert (cheap.returncode, "dear" in cheap.stderr) == (2, True)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(text, id=name, marks=pytest.mark.whole if n else ())
        for n, (name, text) in enumerate(BROKEN.items())
    ],
)
def test_a_broken_plugin_is_named_and_left_out(text, stranger):
    stranger("weather", WEATHER)
    stranger("whims", text.replace("weather:", "weather:"))
    done = stranger.askpoint("--help")
    assert done.returncode == 0
    assert "plugin 'whims' is left out" in done.stderr
    assert "Traceback" not in done.stderr
    assert stranger.askpoint("weather").stdout == "dry\n"  # all else works


def test_a_record_that_cannot_be_loaded_is_named_and_left_out(stranger):
    stranger("weather", WEATHER.replace('"weather:command"', '"weather:missing"'))
    done = stranger.askpoint("weather")
    assert (done.returncode, done.stdout) == (2, "")
    assert "plugin 'weather': its commands 'weather' is left out: AttributeError" in done.stderr
    assert "value" in stranger.askpoint("--help").stdout


def test_every_kind_has_words_for_people():
    for kind in KINDS:
        assert kind in Plugin.__doc__


def test_the_wings_are_found_as_plugins_are():
    names = {path.parent.name for path in SOURCE.glob("*/wing.py")}
    text = Path(SOURCE.parents[1] / "pyproject.toml").read_text()
    assert names == {"arena", "papers"}
    for name in names:
        assert f'{name} = "askpoint.{name}.wing:WING"' in text
