"""How a server is started, and what it refuses to start like."""
# ruff: noqa: S104, S108 - nothing is bound or written

from __future__ import annotations

import socket
import stat

import pytest
from click.testing import CliRunner

from askpoint.cli.main import main
from askpoint.errors import InputError
from askpoint.server.databases import database_of
from askpoint.server.options import Options, load_secret, options_of_parent
from askpoint.server.settings import settings_of
from askpoint.server.web import _Application

LOCAL = Options("sqlite:////tmp/x", "s", "/tmp")


def test_options_reach_a_child_through_its_environment(monkeypatch):
    options = Options("sqlite:////tmp/x", "s", "/tmp", models=("a:b",))
    for name, value in options.environment().items():
        monkeypatch.setenv(name, value)
    assert options_of_parent() == options


def test_how_to_come_in_is_said_once_the_server_listens_and_no_sooner(capsys):
    server = _Application(LOCAL, "askpoint listens on ...\n")
    assert capsys.readouterr().out == ""
    server.cfg.when_ready(None)
    assert capsys.readouterr().out == "askpoint listens on ...\n"


def test_others_come_by_https_or_by_a_stated_switch():
    with pytest.raises(InputError, match="--plain-http"):
        Options("sqlite:////tmp/x", "s", "/tmp", host="0.0.0.0")
    with pytest.raises(InputError, match="public https address"):
        Options("sqlite:////tmp/x", "s", "/tmp", url="http://example.org")
    open_to_all = Options("sqlite:////tmp/x", "s", "/tmp", host="0.0.0.0", plain_http=True)
    assert not settings_of(open_to_all)["SESSION_COOKIE_SECURE"]
    behind = Options("sqlite:////tmp/x", "s", "/tmp", url="https://play.example.org")
    found = settings_of(behind)
    assert found["SESSION_COOKIE_SECURE"]
    assert "play.example.org" in found["ALLOWED_HOSTS"]
    assert "*" not in found["ALLOWED_HOSTS"]
    assert LOCAL.address == "http://127.0.0.1:8000"


def test_the_demo_stays_on_this_machine():
    with pytest.raises(InputError, match="this machine only"):
        Options("sqlite:////tmp/x", "s", "/tmp", host="0.0.0.0", plain_http=True, demo=True)


def test_a_secret_is_made_once_for_its_owner_only(tmp_path):
    first = load_secret(tmp_path / "new")
    assert load_secret(tmp_path / "new") == first
    assert len(first) >= 50
    kept = tmp_path / "new" / "askpoint-secret"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600


@pytest.mark.parametrize("url", ["", "mysql://x/y", "sqlite://", "postgresql://host", "/a/file"])
def test_another_database_is_refused_without_showing_a_password(url):
    with pytest.raises(InputError, match="sqlite:///FILE or postgresql://") as caught:
        database_of(url)
    assert "host" not in str(caught.value).replace("HOST", "")


def test_a_postgres_url_is_read():
    found = database_of("postgresql://me:p%40ss@db:5433/play?sslmode=require")
    wanted = {"NAME": "play", "USER": "me", "PASSWORD": "p@ss", "HOST": "db", "PORT": "5433"}
    assert wanted.items() <= found.items()
    assert found["OPTIONS"] == {"sslmode": "require"}


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--host", "0.0.0.0"], "--plain-http"),
        (["--model", "nonsense"], "MODULE:FUNCTION"),
        (["--database", "mysql://x/y", "--port", "28765"], "the reason is above"),
        (["--model-key", "https://a.example"], "--model-key is ORIGIN=FILE"),
        (["--model-key", "https://a.example=env:NO_SUCH_KEY"], "the key of https://a.example"),
        (["--model-network", "10.0.0.0/33"], "an address or a range"),
        (["--host", "192.0.2.1", "--plain-http"], "cannot listen on 192.0.2.1, port 8000"),
    ],
)
def test_the_command_refuses_in_one_line(words, says, tmp_path):
    done = CliRunner().invoke(main, ["serve", "--folder", str(tmp_path), *words])
    assert done.exit_code == 2
    assert says in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_port_that_is_taken_is_said_before_anything_else(tmp_path):
    with socket.socket() as wire:
        wire.bind(("127.0.0.1", 0))
        wire.listen()
        port = str(wire.getsockname()[1])
        words = ["serve", "--folder", str(tmp_path), "--port", port]
        done = CliRunner().invoke(main, words)
    assert done.exit_code == 2
    assert "is the server running already?" in done.stderr
    assert "listens on" not in done.output
