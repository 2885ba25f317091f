"""Files are written whole or not at all, and nothing else is left behind."""

from __future__ import annotations

import os
import stat
import threading

import pytest

from askpoint.errors import InputError
from askpoint.records import artefacts
from askpoint.records.artefacts import check_writable, make_folder, read_text, write_text


def test_the_text_is_written_as_it_is(tmp_path):
    path = tmp_path / "süß.txt"
    assert write_text(path, "a\nb\r\nÜ 🎉\n") == path
    assert path.read_bytes() == "a\nb\r\nÜ 🎉\n".encode()
    assert write_text(str(path), "again").read_text() == "again"
    assert [entry.name for entry in tmp_path.iterdir()] == ["süß.txt"]


def test_what_was_written_is_read(tmp_path):
    path = write_text(tmp_path / "a.txt", "Ü\n")
    assert read_text(path) == "Ü\n"
    path.write_bytes(b"\xef\xbb\xbfx")  # as some editors begin a text
    assert read_text(path) == "x"


def test_what_cannot_be_read_is_said(tmp_path):
    with pytest.raises(InputError, match=r"a.txt cannot be read: No such file"):
        read_text(tmp_path / "a.txt")
    (tmp_path / "b.txt").write_bytes(b"\xff")
    with pytest.raises(InputError, match=r"b.txt cannot be read: it is not UTF-8 text"):
        read_text(tmp_path / "b.txt")


def test_who_may_read_it_is_decided_by_the_umask(tmp_path):
    before = os.umask(0o077)
    try:
        write_text(tmp_path / "private", "x")
        os.umask(0o022)
        write_text(tmp_path / "public", "x")
    finally:
        os.umask(before)
    modes = [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("private", "public")]
    assert modes == [0o600, 0o644]


def test_what_cannot_be_written_leaves_the_old(tmp_path):
    path = tmp_path / "a.txt"
    write_text(path, "old")
    with pytest.raises(InputError, match=r"a.txt cannot be written: .*surrogates"):
        write_text(path, "new \ud800")
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.txt"]


def test_a_fault_while_writing_leaves_nothing(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(artefacts.os, "replace", full)
    with pytest.raises(InputError, match="No space left on device"):
        write_text(tmp_path / "a.txt", "x")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("write", [lambda path: write_text(path, "x"), check_writable])
def test_where_it_cannot_be_written(write, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="No such file or directory"):
        write(tmp_path / "no" / "a.txt")
    with pytest.raises(InputError, match="Not a directory"):
        write(tmp_path / "file" / "a.txt")
    with pytest.raises(InputError, match="cannot be written"):
        write(tmp_path)
    with pytest.raises(InputError, match="cannot be written"):
        write("")
    with pytest.raises(InputError, match="File name too long"):
        write(tmp_path / ("a" * 300))
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]


def test_to_check_writes_nothing(tmp_path):
    path = tmp_path / "a.txt"
    check_writable(path)
    assert list(tmp_path.iterdir()) == []
    path.write_text("old")
    check_writable(path)
    assert path.read_text() == "old"


def test_a_reader_never_sees_half(tmp_path):
    path = tmp_path / "a.txt"
    texts = {letter * 200_000 for letter in "ab"}
    write_text(path, "a" * 200_000)
    stop = threading.Event()

    def write():
        while not stop.is_set():
            for text in texts:
                write_text(path, text)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        assert all(path.read_text() in texts for _ in range(200))
    finally:
        stop.set()
        writer.join()


def test_folders_are_made_with_those_above(tmp_path):
    assert make_folder(tmp_path / "a" / "b").is_dir()
    assert make_folder(str(tmp_path / "a" / "b")) == tmp_path / "a" / "b"
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "file", tmp_path / "file" / "x"):
        with pytest.raises(InputError, match="cannot be made"):
            make_folder(path)
