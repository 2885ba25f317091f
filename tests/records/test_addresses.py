"""Parquet at an address, from a web server of the test's own."""

from __future__ import annotations

import re
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import polars as pl
import pytest
from click.testing import CliRunner

from askpoint.cli.main import main
from askpoint.errors import LogError, StoreError
from askpoint.records import addresses, object_folder
from askpoint.records.tables import open_table

STORE = {
    "AWS_ACCESS_KEY_ID": "a",
    "AWS_SECRET_ACCESS_KEY": "b",
    "AWS_REGION": "x",
    "AWS_ALLOW_HTTP": "true",
}
LOG = pl.DataFrame({"label": ["ham", None, "spam"], "proba_ham": [0.9, 0.5, 0.1]})


@pytest.fixture
def web(tmp_path):
    """The address of a server of a folder that answers ranges, as stores of objects do."""

    class Files(BaseHTTPRequestHandler):
        def do_HEAD(self):
            self._answer(with_body=False)

        def do_GET(self):
            self._answer(with_body=True)

        def _answer(self, *, with_body):
            path = tmp_path / self.path.partition("?")[0].lstrip("/")
            content = path.read_bytes() if path.is_file() else None
            if content is None:
                self.send_error(404)
                return
            first, last = 0, len(content) - 1
            if asked := re.fullmatch(r"bytes=(\d*)-(\d*)", self.headers.get("Range", "")):
                start, stop = asked.groups()
                first = int(start) if start else max(len(content) - int(stop), 0)
                last = min(int(stop), last) if start and stop else last
            body = content[first : last + 1]
            self.send_response(206 if asked else 200)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Accept-Ranges", "bytes")
            self.send_header("Content-Range", f"bytes {first}-{last}/{len(content)}")
            self.end_headers()
            if with_body:
                self.wfile.write(body)

        def log_message(self, *_):
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Files)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_parquet_at_an_address(web, tmp_path):
    LOG.write_parquet(tmp_path / "log.parquet")
    table = open_table(f"{web}/log.parquet?key=secret")
    assert table.name == f"{web}/log.parquet"
    assert table.columns == ("label", "proba_ham")
    assert table.n_rows() == 3
    assert table.read(["label"]).equals(LOG.select("label"))
    assert pl.concat(table.batches(["proba_ham"], 2)).equals(LOG.select("proba_ham"))


def test_what_is_not_there_or_broken_is_said_without_the_key(web, tmp_path):
    (tmp_path / "cut.parquet").write_bytes(b"PAR1 and no more")
    for name in ("none", "cut"):
        with pytest.raises(LogError, match=rf"/{name}.parquet cannot be read: ") as caught:
            open_table(f"{web}/{name}.parquet?key=secret")
        assert "secret" not in str(caught.value)


def test_other_kinds_are_fetched_first():
    with pytest.raises(LogError, match=r"not an address of Parquet .* fetch them first"):
        open_table("s3://bucket/logs/today.csv")


def test_a_page_in_place_of_the_file_is_said(web, tmp_path):
    (tmp_path / "log.parquet").write_text("<!doctype html><title>Sign in</title>")
    with pytest.raises(
        LogError, match=r"/log.parquet answered with .* which is not Parquet"
    ) as caught:
        open_table(f"{web}/log.parquet?key=secret")
    assert "secret" not in str(caught.value)


def test_who_never_answers_is_not_waited_for(monkeypatch):
    monkeypatch.setattr(addresses, "_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:  # takes connections, and says nothing
        place = f"http://127.0.0.1:{silent.getsockname()[1]}/log.parquet"
        with pytest.raises(LogError, match=r"did not begin to answer within 0.2 seconds: fetch"):
            open_table(f"{place}?key=secret")


def test_a_store_of_objects_that_never_answers_is_not_waited_for(monkeypatch):
    monkeypatch.setattr(addresses, "_SECONDS", 0.4)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{silent.getsockname()[1]}")
        for name, value in STORE.items():
            monkeypatch.setenv(name, value)
        start = time.monotonic()
        with pytest.raises(
            LogError, match=r"^s3://b/x.parquet did not begin to answer within 0.4 s"
        ):
            open_table("s3://b/x.parquet")
    assert time.monotonic() - start < 10  # polars alone waits for two minutes


def test_an_archive_in_a_store_that_never_answers_is_given_up(monkeypatch):
    pytest.importorskip("obstore")
    monkeypatch.setenv("AWS_TIMEOUT", "300ms")  # by default half a minute
    with socket.create_server(("127.0.0.1", 0)) as silent:
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{silent.getsockname()[1]}")
        for name, value in STORE.items():
            monkeypatch.setenv(name, value)
        folder = object_folder.ObjectFolder("s3://b/audit")
        start = time.monotonic()
        for work in (
            lambda: folder.write_new("day", b"x"),
            lambda: folder.read("day"),
            folder.names,
        ):
            with pytest.raises(StoreError, match=r"the store did not answer in 60 seconds"):
                work()
    assert time.monotonic() - start < 20


def test_the_bare_command_reads_an_address(web, tmp_path):
    rows = {"label": ["ham", "spam"] * 30, "prediction": ["ham", "spam"] * 30}
    rows["confidence"] = [i / 61 for i in range(60)]
    pl.DataFrame(rows).write_parquet(tmp_path / "log.parquet")
    for words in (["read"], []):
        result = CliRunner().invoke(main, [*words, f"{web}/log.parquet?key=secret"])
        assert result.exit_code == 0, result.output
        assert "read as predictions: 60 items" in result.output.replace("\n", " ")
        assert "secret" not in result.output
