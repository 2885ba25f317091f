"""Data that somebody brings, or that OpenML gives: missing, altered, out of reach."""

from __future__ import annotations

import gzip
import hashlib
import importlib.resources
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import numpy as np
import pytest

from askpoint.errors import InputError
from askpoint.papers import data_files
from askpoint.papers.data_files import DATA_FILES, Data, DataFile

TABLE = "size,colour,class\n1, red,yes\n 2.5,?,no\n"


@pytest.fixture
def toy(tmp_path, monkeypatch):
    """A folder with the file of a data set named toy."""
    content = gzip.compress(TABLE.encode(), mtime=0)
    record = DataFile("toy.csv.gz", hashlib.sha256(content).hexdigest(), 7, 2)
    monkeypatch.setitem(DATA_FILES, "toy", record)
    (tmp_path / "uci").mkdir()
    (tmp_path / "uci" / "toy.csv.gz").write_bytes(content)
    data_files._fetch_openml.cache_clear()
    return tmp_path


def test_a_table_is_read(toy):
    data = Data(str(toy))
    data.check(["toy"])
    frame = data.frame("toy")
    assert frame.to_dict(as_series=False) == {
        "size": [1, 2.5],
        "colour": ["red", None],
        "class": ["yes", "no"],
    }


def test_what_is_missing_is_named_with_its_checksum(toy):
    (toy / "uci" / "toy.csv.gz").unlink()
    checksum = DATA_FILES["toy"].sha256
    for data, reason in (
        (Data(), "give --data DIR"),
        (Data(str(toy)), "lacks a data file"),
        (Data(str(toy / "nowhere")), "no folder"),
    ):
        with pytest.raises(InputError, match=reason) as error:
            data.check(["toy"])
        assert f"toy.csv.gz (sha256 {checksum})" in str(error.value)
    Data().check([])


def test_an_altered_file_is_refused(toy):
    path = toy / "uci" / "toy.csv.gz"
    path.write_bytes(gzip.compress(TABLE.replace("yes", "YES").encode(), mtime=0))
    with pytest.raises(InputError, match=r"altered: its sha256 is .*bring the file again"):
        Data(str(toy)).check(["toy"])


class OpenML(BaseHTTPRequestHandler):
    """OpenML's own answers, as scikit-learn ships them for its tests; of adult the first rows only."""

    def do_GET(self):
        *_, kind, last = self.path.split("/")
        answer = f"jd{ {'features': 'f', 'qualities': 'q'}.get(kind, '') }-{last}.json.gz"
        if last.endswith(".arff"):
            answer = f"dl-{kind}.arff.gz"
        folders = importlib.resources.files("sklearn.datasets.tests.data.openml").iterdir()
        found = [
            file
            for folder in folders
            if folder.is_dir()
            for file in folder.iterdir()
            if file.name in (f"api-v1-{answer}", f"data-v1-{answer}")
        ]
        self.send_response(200 if found else 412)
        self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        error = b'{"error": {"code": "111", "message": "Unknown dataset"}}'
        self.wfile.write(found[0].read_bytes() if found else gzip.compress(error))

    def log_message(self, *said):
        pass


@pytest.fixture
def openml(tmp_path, monkeypatch):
    """A server here that scikit-learn takes for OpenML."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), OpenML)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()

    def here(request):
        path = urlsplit(request.full_url).path
        url = f"http://127.0.0.1:{server.server_port}{path}"
        return urlopen(Request(url, headers=dict(request.headers)))

    monkeypatch.setattr("sklearn.datasets._openml.urlopen", here)
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path))  # nothing kept from before
    data_files._fetch_openml.cache_clear()
    yield server
    server.shutdown()
    server.server_close()
    data_files._fetch_openml.cache_clear()


@pytest.mark.parametrize("name", ["iris", "chess"])
def test_openml_gives_what_the_file_holds(name, openml, data):
    """Names, order of the rows and all cells: results from either are the same."""
    fetched = Data(fetch=True)
    fetched.check([name])
    assert fetched.frame(name).equals(Data(str(data)).frame(name))


@pytest.mark.parametrize(
    ("name", "reason"), [("adult", "iterator too short"), ("car", "data_id 21 not found")]
)
def test_what_openml_cuts_short_or_lacks_is_refused(name, reason, openml):
    with pytest.raises(InputError) as error:
        Data(fetch=True).check([name])
    said = str(error.value)
    assert f"OpenML cannot be reached or does not give {name} (" in said
    assert reason in said
    assert said.endswith(f"this needs {name}.csv.gz (sha256 {DATA_FILES[name].sha256})")


def test_what_openml_never_had_is_said_before_anything_is_fetched(monkeypatch):
    monkeypatch.setattr(data_files, "_fetch_openml", None)
    with pytest.raises(InputError) as error:
        Data(fetch=True).check(["adult", "corral", "flare"])
    assert str(error.value).startswith(
        "OpenML does not have corral, flare: choose others by --only data=NAME,..., or bring the files"
    )


def test_a_blocked_network_says_what_to_bring(tmp_path, monkeypatch):
    """scikit-learn's own way to OpenML, on a machine that lets nothing out."""

    def blocked(*where, **settings):
        raise OSError("Network is unreachable")

    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path))  # nothing kept from before
    monkeypatch.setattr(socket, "getaddrinfo", blocked)
    monkeypatch.setattr(time, "sleep", lambda _: None)  # before it tries once more
    data_files._fetch_openml.cache_clear()
    with pytest.raises(InputError) as error:
        Data(fetch=True).check(["adult", "mushroom"])
    said = str(error.value)
    assert "OpenML cannot be reached or does not give adult" in said
    assert "Network is unreachable" in said
    for name in ("adult", "mushroom"):
        assert f"{name}.csv.gz (sha256 {DATA_FILES[name].sha256})" in said


def test_openml_gives_names_and_numbers(toy, monkeypatch):
    bunch = SimpleNamespace(
        data=np.array([[1.0, 0.0], [2.5, np.nan]]),
        feature_names=["size", "colour"],
        categories={"colour": ["red", "blue"]},
        target=np.array(["yes", "no"]),
    )
    monkeypatch.setattr("sklearn.datasets.fetch_openml", lambda **_: bunch)
    assert Data(fetch=True).frame("toy").equals(Data(str(toy)).frame("toy"))
    data_files._fetch_openml.cache_clear()
    bunch.target, bunch.data = bunch.target[:1], bunch.data[:1]
    with pytest.raises(InputError, match="has 1 rows, toy has 2"):
        Data(fetch=True).frame("toy")


def test_the_checksums_are_those_of_the_shared_files(data):
    # the six files of marked reasons, JSON, are not among the shared ones
    shared = [name for name, one in DATA_FILES.items() if one.file.endswith(".gz") and one.sha256]
    assert len(DATA_FILES) - len(shared) == 7  # these six, and sensit
    Data(str(data)).check(shared)
