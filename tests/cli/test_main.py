"""The command `askpoint` itself, and whole processes: pipes, poor terminals, exit codes."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import metadata

import click
import pytest
from click.testing import CliRunner

from askpoint.cli import main as module
from askpoint.cli.main import main
from audit import SOURCE

LOG = "label,proba_ham,proba_spam\nham,0.9,0.1\nspam,0.2,0.8\nspam,0.6,0.4\n"


@pytest.fixture
def process(tmp_path):
    """Return a function that runs a real askpoint in a folder with a log."""
    (tmp_path / "log.csv").write_text(LOG)

    def run(*words, stdout=subprocess.PIPE, **environment):
        return subprocess.run(
            [sys.executable, "-m", "askpoint", *words],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(SOURCE.parent), **environment},
            stdout=stdout,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )

    return run


def test_alone_it_shows_what_there_is(shell):
    text = shell.said()
    assert "Usage:" in text
    assert "value" in text
    assert text == shell.said("--help") == shell.said("-h")


def test_its_version(shell):
    try:
        version = metadata.version("askpoint")
    except metadata.PackageNotFoundError:
        pytest.skip("askpoint is not installed")
    assert version in shell.said("--version")


@pytest.mark.parametrize(("typed", "meant"), [("valeu", "value"), ("dmeo", "demo")])
def test_an_unknown_command_suggests_the_nearest(typed, meant, shell):
    message = shell.refusal(typed, "log.csv")
    assert f"no command {typed!r}" in message
    assert f"did you mean {meant!r}?" in message


def test_an_unknown_command_like_no_other_lists_all(shell):
    message = shell.refusal("xyzzy")
    assert "did you mean" not in message
    assert ", ".join(sorted({*module.COMMANDS, "papers", "simulate"})) in message


def test_an_unknown_option_says_where_to_look(shell):
    assert "--help" in shell.refusal("--verbose")


def test_an_interruption_is_no_traceback(monkeypatch):
    @click.command()
    def slow():
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "COMMANDS", {"slow": "nowhere"})
    monkeypatch.setattr(type(main), "get_command", lambda *_: slow)
    result = CliRunner().invoke(main, ["slow"])
    assert result.exit_code == 130
    assert result.stderr.strip() == "askpoint: stopped"
    assert result.stdout == ""


def test_a_fault_of_ours_is_not_hidden(monkeypatch):
    @click.command()
    def broken():
        raise ZeroDivisionError

    monkeypatch.setattr(module, "COMMANDS", {"broken": "nowhere"})
    monkeypatch.setattr(type(main), "get_command", lambda *_: broken)
    assert isinstance(CliRunner().invoke(main, ["broken"]).exception, ZeroDivisionError)


def test_a_process_refuses_in_one_line_with_exit_code_2(process):
    done = process("value", "log.csv", "--rho", "-1")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == "askpoint: rho must be above 0 and at most 1; got -1.0\n"


def test_a_reader_that_goes_away_is_no_traceback_and_the_page_is_written(process, tmp_path):
    reader, writer = os.pipe()
    os.close(reader)  # as head does, once it has seen enough
    try:
        done = process("value", "log.csv", "--html", "page.html", stdout=writer)
    finally:
        os.close(writer)
    assert done.stderr == "page written to page.html\n"
    assert done.returncode != 0
    assert (tmp_path / "page.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_a_refusal_cannot_steer_the_terminal(shell):
    log = shell.write("log.csv", "la\x1b[2Jbel,proba_ham,proba_spam\nham,0.5,0.5\n")
    message = shell.refusal("value", log, "--label", "truth")
    assert "\x1b" not in message
    assert "[2Jbel" in message


def test_a_terminal_that_knows_few_characters_gets_others(process, tmp_path):
    (tmp_path / "log.csv").write_text(LOG.replace("spam", "späm 🎉"), encoding="utf-8")
    done = process("value", "log.csv", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert done.returncode == 0, done.stderr
    assert done.stdout.isascii()
    assert "The answer" in done.stdout
    done = process("value", "log.csv", "--label", "süß", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_a_pipe_carries_no_colours(process):
    done = process("value", "log.csv")
    assert "\x1b" not in done.stdout
    assert done.stderr == ""


def test_a_misspelled_command_or_option_names_the_nearest(shell):
    log = shell.write("log.csv", [{"label": 1, "proba": 0.5}])
    for words, nearest in (
        (("gat", log), "did you mean 'gate'?"),
        (("compar", log), "did you mean 'compare'?"),
        (("value", log, "--mistak", 40), "'--mistake'?"),
        (("judges", log, "--at-least", 0.7), "did you mean askpoint gate, which has it?"),
        (("judges", log, "--systems", "a,b"), "did you mean askpoint compare, which has it?"),
    ):
        assert nearest in shell.refusal(*words), words
