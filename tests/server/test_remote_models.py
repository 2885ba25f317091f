"""Models behind an address: what they may say, and to whom a key is sent."""

from __future__ import annotations

import json
import threading
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from django.conf import settings

from askpoint.errors import InputError, ModelError
from askpoint.server.classifiers.keys import check_keys, header_for
from askpoint.server.classifiers.models import Classifier
from askpoint.server.classifiers.remote import load_remote
from askpoint.server.classifiers.scorer import _Server
from askpoint.server.classifiers.services import register
from askpoint.server.outgoing import read_url
from server.workshop import GOOD


@pytest.fixture
def web():
    """A model behind an address; what it answers is set by the test."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            server.headers.append(self.headers)
            n_cases = len(json.loads(self.rfile.read(int(self.headers["Content-Length"])))["cases"])
            status, body = server.says(n_cases)
            self.send_response(status)
            self.end_headers()
            self.wfile.write(body if isinstance(body, bytes) else json.dumps(body).encode())

        def log_message(self, *_):
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    server.headers = []
    server.url = f"http://127.0.0.1:{server.server_port}/"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_model_behind_an_address(workshop, web):
    http = {**GOOD, "adapter": "http", "target": web.url}
    web.says = lambda n: (200, {"probabilities": [[0.2, 0.8]] * n, "version": "7"})
    assert register("main", workshop.olga, **http).adapter == "http"
    web.says = lambda _: (500, b"a secret of theirs")
    with pytest.raises(ModelError, match=r"failed on this.*status 500") as caught:
        register("main", workshop.olga, **http)
    assert "secret" not in str(caught.value)


BAD_ANSWERS = [
    ((200, b"<html>"), "bad-answer", "is not JSON"),
    ((200, b"[" * 100_000), "bad-answer", "is not JSON"),
    ((200, {"probabilities": [[0.2, 0.9]]}), "bad-answer", "sum to 1"),
    ((200, {"probabilities": [[0.2, 0.8]], "classes": ["b", "a"]}), "bad-answer", "this order"),
    (
        (200, {"probabilities": [[0.2, 0.8]], "decisions": ["maybe"]}),
        "bad-answer",
        "decisions must",
    ),
    ((200, {"probabilities": [["x", None]]}), "bad-answer", "convert"),
    ((200, b'{"probabilities": "' + b"x" * 2_000_000), "bad-answer", "more than 1,000,000 bytes"),
    ((302, {}), "refused", "no redirect is followed"),
    ((429, {}), "busy", "status 429"),
    ((401, {}), "refused", "status 401"),
    ((503, {}), "busy", "status 503"),
    ((500, {}), "failed", "status 500"),
]


@pytest.mark.parametrize(("answer", "kind", "says"), BAD_ANSWERS)
def test_what_a_model_behind_an_address_may_say(answer, kind, says, web, tmp_path):
    web.says = lambda _: answer
    with served(web.url, tmp_path) as server:
        reply = server.reply(b'{"cases": ["one"]}')
    assert reply["fault"] == kind
    assert says in reply["detail"]


def served(url, tmp_path, **more):
    config = {
        "adapter": "http",
        "target": url,
        "classes": ["a", "b"],
        "seconds": 2,
        "socket": str(tmp_path / "s"),
        "networks": ["127.0.0.1"],
        **more,
    }
    return _Server(config, load_remote(config), lambda **_: None, alone=False)


def test_a_model_that_is_away_or_not_to_be_reached(tmp_path, web):
    for url, networks, kind in (
        ("http://127.0.0.1:9/", ["127.0.0.1"], "unreachable"),
        (web.url, [], "refused"),
        (web.url.replace("127.0.0.1", "localhost"), ["10.0.0.0/8"], "refused"),
    ):
        with served(url, tmp_path, networks=networks) as server:
            assert server.reply(b'{"cases": ["one"]}')["fault"] == kind
        (tmp_path / "s").unlink()
    assert web.headers == []


def test_a_key_goes_to_its_origin_alone_and_shows_nowhere(
    workshop, web, monkeypatch, tmp_path, capsys
):
    monkeypatch.setenv("A_KEY", "sk-very-secret")
    origin = web.url.rstrip("/")
    options = replace(settings.ASKPOINT, model_keys=(f"{origin}=env:A_KEY",))
    monkeypatch.setattr(settings, "ASKPOINT", options)
    web.says = lambda n: (200, {"probabilities": [[0.2, 0.8]] * n})
    row = register(
        "main", workshop.olga, **{**GOOD, "adapter": "http", "target": f"{web.url}predict"}
    )
    assert web.headers[-1]["Authorization"] == "Bearer sk-very-secret"
    kept = [str(value) for value in Classifier.objects.filter(pk=row.pk).values_list()[0]]
    assert not any("secret" in value for value in kept)
    # the model itself says it again: not in the log, not to anybody
    web.says = lambda _: (500, b"you sent Bearer sk-very-secret")
    config = {**row.scorer(), "socket": str(tmp_path / "s")}
    with _Server(config, load_remote(config), lambda **_: None, alone=False) as server:
        assert "secret" not in str(server.reply(b'{"cases": ["one"]}'))
    said = capsys.readouterr().err
    assert "***" in said
    assert "secret" not in said
    # another port is another origin
    elsewhere = Classifier(adapter="http", target="http://127.0.0.1:9/")
    assert elsewhere.scorer()["header"] is None
    # in the clear only where the network was named
    config |= {"networks": [], "target": "http://example.com/"}
    (tmp_path / "s").unlink()
    with _Server(config, load_remote(config), lambda **_: None, alone=False) as server:
        assert server.reply(b'{"cases": ["one"]}')["fault"] in ("refused", "unreachable")


def test_a_key_is_read_where_it_is_said_to_be(tmp_path, monkeypatch):
    place = tmp_path / "key"
    place.write_text("X-Api-Key: abc\n")
    key = f"https://api.example.org={place}"
    url = read_url("https://api.example.org/v1/x")
    assert header_for(url, [key]) == ("X-Api-Key", "abc")
    assert header_for(read_url("https://api.example.org.evil.example/"), [key]) is None
    assert header_for(read_url("http://api.example.org/"), [key]) is None
    check_keys([key])
    for text in ("", "two\nlines", "späß"):
        place.write_text(text)
        with pytest.raises(InputError, match="must be one line") as caught:
            check_keys([key])
        assert "lines" not in str(caught.value)
    for wrong in ("https://api.example.org", "api.example.org=x", "https://a/b=env:X", "=x"):
        with pytest.raises(InputError, match="ORIGIN=FILE"):
            check_keys([wrong])
    for missing in ("env:NO_SUCH", str(tmp_path / "none")):
        with pytest.raises(InputError, match="the key of https"):
            check_keys([f"https://api.example.org={missing}"])
    row = Classifier(adapter="http", target="https://api.example.org/x", classes=["a", "b"])
    options = replace(settings.ASKPOINT, model_keys=(f"https://api.example.org={tmp_path}/none",))
    monkeypatch.setattr(settings, "ASKPOINT", options)
    assert "cannot be read" in row.scorer()["refused"]
