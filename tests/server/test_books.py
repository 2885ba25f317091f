"""The audit finds what is wrong; a backup holds all there is."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
import uuid
from urllib.parse import urlsplit

import pytest
from django.db import connection

from askpoint.arena.server.books import quick_problems
from askpoint.arena.server.ledger.models import Balance, Entry, Posting
from askpoint.arena.server.probes.models import Probe
from askpoint.arena.server.rulings.models import Ruling
from askpoint.errors import InputError
from askpoint.server.backups import back_up
from askpoint.server.books import check_books
from askpoint.server.images.models import Image
from askpoint.server.images.services import hold_image
from askpoint.server.uploads.decoding import read_picture
from audit import SOURCE
from server.pictures import encoded, scene
from server.stage import Stage


class Played(Stage):
    """Two cases that are one find, one that is none, one that waits; a voided vote."""

    def __init__(self, monkeypatch):
        super().__init__(monkeypatch)
        find = "nobody of that sort belongs into this town of ours"
        for text, choice in ((find, "offensive"), (find + "!", "offensive"), ("mild", "clean")):
            self.submit(text)
            for name in ("bob", "beth"):
                self.vote(name, choice)
        self.submit("somebody should say a word to those")
        self.vote("ben", "clean")
        hold_image(self.id, self.alice, read_picture(encoded(scene())))


@pytest.fixture
def played(build, tmp_path, monkeypatch):
    with build(Played).again(tmp_path, monkeypatch) as stage:
        yield stage


def test_all_is_well_after_a_play(played):
    books = check_books()
    assert books.problems == ()
    assert books.said.startswith(f"All is well: {Posting.objects.count()} transactions, 4 cases")
    assert quick_problems(played.campaign) == []


def corrupt_balance():
    Balance.objects.filter(kind="budget").update(points=1)


def corrupt_ledger():
    with connection.cursor() as cursor:
        cursor.execute("DROP TRIGGER ledger_entry_no_update")
    entry = Entry.objects.filter(kind="earned").first()
    Entry.objects.filter(pk=entry.pk).update(points=entry.points + 1)


@pytest.mark.parametrize(
    ("corrupt", "words"),
    [
        (corrupt_balance, "balance: budget:"),
        (corrupt_ledger, "must sum to zero"),
        (lambda: Ruling.objects.filter(state="open").update(reserved=7), "its cases stand for"),
        (lambda: Ruling.objects.filter(state="open").update(promised=2), "counts 2 votes and cl"),
        (lambda: Probe.objects.filter(truth="clean").update(awarded=5), "by its record"),
        (lambda: Probe.objects.filter(place="unpaid").update(place="first"), "should be 'unpaid'"),
        (lambda: Ruling.objects.filter(state="open").delete(), "no judge can see it"),
    ],
)
def test_each_kind_of_damage_is_named(played, corrupt, words):
    if words == "no judge can see it":
        for ruling in Ruling.objects.filter(state="open"):
            ruling.votes.all().delete()
    corrupt()
    books = check_books()
    assert any(words in problem for problem in books.problems), books.problems
    assert "wrong; " in books.said
    assert played.campaign.pk in "".join(books.problems) or "ledger" in "".join(books.problems)


def run(*words, **changed):
    environment = {**os.environ, "PYTHONPATH": str(SOURCE.parent), **changed}
    return subprocess.run(
        [sys.executable, "-m", "askpoint", *words],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )


@pytest.mark.whole
def test_a_backup_is_restored_whole_into_another_place(played, tmp_path):
    (tmp_path / "one").mkdir()
    file, two = tmp_path / "all.backup", tmp_path / "two"
    n_rows = back_up("", tmp_path / "one", file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with pytest.raises(InputError, match="cannot write"):
        back_up("", tmp_path / "one", file)  # never over another one
    restored = run("restore", str(file), "--folder", str(two))
    assert restored.stdout.startswith(f"{n_rows} rows and the secret are back"), restored.stderr
    secrets = [(folder / "askpoint-secret").read_text() for folder in (tmp_path / "one", two)]
    assert secrets[0] == secrets[1]
    assert stat.S_IMODE(two.stat().st_mode) == 0o700
    assert stat.S_IMODE((two / "askpoint.sqlite3").stat().st_mode) == 0o600
    checked = run("check", "--folder", str(two))
    assert (checked.stdout, checked.returncode) == (check_books().said + "\n", 0)
    with sqlite3.connect(two / "askpoint.sqlite3") as wire:
        assert wire.execute("SELECT content FROM images_image").fetchall() == [
            (read_picture(encoded(scene())).content,)
        ]
    again = run("restore", str(file), "--folder", str(two))
    assert "a server lives in" in again.stderr
    shown = run("check", "--database", "postgresql://u:secret@h/n", "--folder", str(two))
    assert "ASKPOINT_DATABASE" in shown.stderr
    assert "secret@" not in shown.stderr


@pytest.mark.soak
def test_a_backup_moves_between_the_databases(played, tmp_path, postgres):
    psycopg = pytest.importorskip("psycopg")
    name = f"askpoint_{os.getpid()}_{uuid.uuid4().hex[:6]}"
    url = urlsplit(postgres)._replace(path=f"/{name}").geturl()
    (tmp_path / "one").mkdir()
    first, second = tmp_path / "first.backup", tmp_path / "second.backup"
    back_up("", tmp_path / "one", first)
    said = check_books().said
    with psycopg.connect(postgres, autocommit=True) as wire:
        wire.execute(f"CREATE DATABASE {name}")
    try:
        there = ("--folder", str(tmp_path / "two"))
        moved = run("restore", str(first), *there, ASKPOINT_DATABASE=url)
        assert moved.returncode == 0, moved.stderr
        checked = run("check", *there, ASKPOINT_DATABASE=url)
        assert checked.stdout == said + "\n", checked.stderr
        kept = run("backup", str(second), *there, ASKPOINT_DATABASE=url)
        assert kept.returncode == 0, kept.stderr
    finally:
        with psycopg.connect(postgres, autocommit=True) as wire:
            wire.execute(f"DROP DATABASE {name} WITH (FORCE)")
    back = ("--folder", str(tmp_path / "three"))
    again = run("restore", str(second), *back)
    assert again.returncode == 0, again.stderr
    assert run("check", *back).stdout == said + "\n"
    with sqlite3.connect(tmp_path / "three" / "askpoint.sqlite3") as wire:
        found = wire.execute("SELECT content, print FROM images_image").fetchall()
    row = Image.objects.get()
    assert found == [(bytes(row.content), bytes(row.print))]
