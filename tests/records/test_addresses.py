"""Parquet at an address, from a web server of the test's own."""

from __future__ import annotations

import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import polars as pl
import pytest

from askpoint.errors import LogError
from askpoint.records.tables import open_table

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
    with pytest.raises(LogError, match=r"no address of Parquet .* fetch them first"):
        open_table("s3://bucket/logs/today.csv")
