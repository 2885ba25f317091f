"""Logs behind a query: the numbers are those of the file, and each refusal is said in one line."""

from __future__ import annotations

import json
import socket
import sqlite3
from contextlib import closing
from uuid import uuid4

import duckdb
import polars as pl
import pytest

import askpoint
from askpoint import InputError, LogError
from askpoint.records.databases import is_database, open_database, shown_address
from cli.conftest import shell  # noqa: F401  (a fixture)
from cli.test_evaluate import MONEY, WORDS, rows

COLUMNS = "id text, prediction text, confidence float8, label text"
SELECT = "SELECT * FROM logs.posts"


@pytest.fixture(autouse=True)
def pure():
    """Drivers ask their server through a socket."""


@pytest.fixture(scope="session")
def server(postgres):
    """The address of a database with a log, and a connection to it."""
    import psycopg

    name = f"askpoint_{uuid4().hex[:12]}"
    with psycopg.connect(postgres, autocommit=True) as own:
        own.execute(f"CREATE DATABASE {name}")
        address = postgres.rpartition("/")[0] + f"/{name}"
        with psycopg.connect(address, autocommit=True) as made:
            made.execute("CREATE SCHEMA logs")
            made.execute(f"CREATE TABLE logs.posts ({COLUMNS})")
            with made.cursor().copy("COPY logs.posts FROM STDIN") as copy:
                for row in rows():
                    copy.write_row(tuple(row.values()))
            yield address, made
        own.execute(f"DROP DATABASE {name} WITH (FORCE)")


def addresses(folder):
    """SQLite and DuckDB files with the log."""
    frame = pl.DataFrame(rows())
    with closing(sqlite3.connect(folder / "log.db")) as made:
        made.execute("CREATE TABLE posts (id TEXT, prediction TEXT, confidence REAL, label TEXT)")
        made.executemany("INSERT INTO posts VALUES (?, ?, ?, ?)", frame.rows())
        made.commit()
    with duckdb.connect(folder / "log.duckdb") as made:
        made.execute("CREATE TABLE posts AS SELECT * FROM frame")
    return [f"sqlite:///{folder}/log.db", f"duckdb:///{folder}/log.duckdb"]


@pytest.mark.parametrize("more", [(), ("--sketch",)])
def test_files_of_databases_give_the_bytes_of_the_file(shell, more):  # noqa: F811
    log = shell.write("log.csv", rows())
    expected = shell.said(log, *WORDS, *more, "--json")
    for address in addresses(shell.folder):
        assert shell.said(address, "--query", "posts", *WORDS, *more, "--json") == expected
        assert shell.said("value", address, "--query", "posts", *WORDS, *more, "--json") == expected


@pytest.mark.parametrize("sketch", [None, True])
def test_postgresql_gives_the_bytes_of_the_file(shell, server, sketch):  # noqa: F811
    log, (address, _) = shell.write("log.csv", rows()), server
    more = [] if sketch is None else ["--sketch"]
    expected = shell.said(log, *WORDS, *more, "--json")
    assert shell.said(address, "--query", SELECT, *WORDS, *more, "--json") == expected
    told = askpoint.evaluate(address, query="logs.posts;", sketch=sketch, **MONEY)
    assert json.dumps(told.to_dict(), indent=2) + "\n" == expected
    assert "askpoint:" not in str(told)  # the password


def test_a_driver_of_sqlalchemy_in_the_address_changes_nothing(server):
    address = server[0].replace("postgresql://", "postgresql+psycopg://")
    assert askpoint.evaluate(address, query=SELECT, **MONEY).to_dict()["n_items"] == 400


def test_the_sketch_is_one_group_by_that_the_database_counts(server):
    """No row of the log leaves the database: the counting queries answer with groups."""
    address, _ = server
    table = open_database(address, SELECT)
    sketch = askpoint.ScoreSketch.from_frame(
        table, prediction="prediction", confidence="confidence"
    )
    own_sketch = askpoint.ScoreSketch.from_frame(
        pl.DataFrame(rows()), prediction="prediction", confidence="confidence"
    )
    assert sketch == own_sketch
    assert sketch.n_items == 400
    import ibis

    fetched = []
    backend = type(table.get_backend())
    plain = backend.to_pyarrow

    def watched(self, expr, **settings):
        found = plain(self, expr, **settings)
        fetched.append((ibis.to_sql(expr, dialect="postgres"), len(found)))
        return found

    try:
        backend.to_pyarrow = watched
        askpoint.ScoreSketch.from_frame(table, prediction="prediction", confidence="confidence")
    finally:
        backend.to_pyarrow = plain
    assert all(n < 400 for _, n in fetched)
    assert sum("GROUP BY" in sql for sql, _ in fetched) == 1


def test_money_columns_and_truth_values_are_read(server):
    address, _ = server
    query = (
        "SELECT confidence::numeric(6, 4) AS confidence, prediction = 'spam' AS prediction, "
        "label = 'spam' AS label FROM logs.posts"
    )
    expected = askpoint.evaluate(address, query=SELECT, **MONEY)
    for sketch in (None, True):
        told = askpoint.evaluate(address, query=query, sketch=sketch, **MONEY)
        assert told.asked.value == pytest.approx(expected.asked.value, abs=0.02)
        assert told.to_dict()["accuracy"] == expected.to_dict()["accuracy"]


def test_connections_are_read(server):
    _, own = server
    assert askpoint.evaluate(own, query=SELECT, **MONEY).to_dict()["n_items"] == 400
    with pytest.raises(LogError, match="the database cannot answer the query"):
        askpoint.evaluate(own, query="SELECT nothing")


def test_engines_of_sqlalchemy_are_read(shell):  # noqa: F811
    sqlalchemy = pytest.importorskip("sqlalchemy")
    engine = sqlalchemy.create_engine(addresses(shell.folder)[0])
    assert askpoint.evaluate(engine, query="posts", **MONEY).to_dict()["n_items"] == 400
    engine.dispose()


def test_what_a_server_refuses_is_said(server):
    address, _ = server
    host = address.partition("@")[2] or address.partition("://")[2]

    def refused(where, query=SELECT, **options):
        with pytest.raises(LogError) as said:
            askpoint.evaluate(where, query=query, **options)
        assert "\n" not in str(said.value)
        assert "sesame" not in str(said.value)
        return str(said.value)

    refused(f"postgresql://nobody:sesame@{host}")
    assert "does not exist" in refused(address + "nix")
    assert "does not exist" in refused(address, "SELECT * FROM nothing")
    assert "syntax error" in refused(address, "DELETE FROM logs.posts")
    assert "two columns of the query are named 'a'" in refused(address, "SELECT 1 AS a, 2 AS a")
    for sketch in (None, True):
        assert "not a single row" in refused(address, f"{SELECT} WHERE false", sketch=sketch)
    slow = f"{address}?options=-c%20statement_timeout%3D200"
    assert "statement timeout" in refused(slow, f"{SELECT}, pg_sleep(2)")
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    assert "refused" in refused(f"postgresql://a:sesame@127.0.0.1:{port}/x")


def test_a_server_that_does_not_answer_is_left(postgres):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        with pytest.raises(
            LogError, match=rf"127.0.0.1:{port}/x: the database did not answer"
        ) as said:
            open_database(f"postgresql://a:sesame@127.0.0.1:{port}/x?connect_timeout=2", "posts")
        assert "sesame" not in str(said.value)


def test_texts_for_numbers(server):
    address, _ = server
    as_text = SELECT.replace("*", "id, prediction, label, confidence::text AS confidence")
    # as in a CSV file, where all cells are texts
    expected = askpoint.evaluate(address, query=SELECT, **MONEY).to_dict()
    assert askpoint.evaluate(address, query=as_text, **MONEY).to_dict() == expected
    with pytest.raises(InputError, match="'confidence' must hold numbers, not String"):
        askpoint.evaluate(address, query=as_text, sketch=True)
    words = SELECT.replace("*", "id, prediction, label, 'about ' || confidence AS confidence")
    with pytest.raises(InputError, match="confidence"):
        askpoint.evaluate(address, query=words)


def test_a_query_is_needed_and_a_database(tmp_path):
    address = addresses(tmp_path)[0]
    with pytest.raises(InputError, match=r"must come with a query; got none. Add query="):
        askpoint.evaluate(address)
    with pytest.raises(InputError, match=r"got mysql://host/x. Of others, export the rows"):
        askpoint.evaluate("mysql://host/x", query="posts")
    with pytest.raises(LogError, match="there is no file"):
        askpoint.evaluate("sqlite:///no/such.db", query="posts")
    with pytest.raises(LogError, match="no such table"):
        askpoint.evaluate(address, query="no_table")


def test_an_address_is_shown_without_its_secrets():
    assert is_database("postgres://ann:sesame@host:5432/logs?sslkey=x")
    assert not is_database("https://host/log.parquet")
    assert not is_database(pl.DataFrame())
    shown = shown_address("postgres://ann:sesame@host:5432/logs?sslkey=x")
    assert shown == "postgres://host:5432/logs"
