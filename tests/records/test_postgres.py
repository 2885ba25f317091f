"""A deployment in PostgreSQL: a server that goes away in the middle, two policies, strangers and forgers."""

from __future__ import annotations

import builtins
import contextlib
import threading
import time
from dataclasses import replace
from urllib.parse import urlsplit

import polars as pl
import pytest

from askpoint.errors import AskpointError, InputError, LogError, StoreError
from askpoint.live.documents import state_to_dict
from askpoint.records.signatures import is_signed
from askpoint.records.stores import postgres as store
from askpoint.records.stores.deployment import Deployment
from askpoint.records.stores.postgres_addresses import read_address
from live.replays import replay_blocks
from live.worlds import cases
from records.cut_wire import CutWire
from records.posts import SECRET, document, one_day

C, _, _ = cases(3000, 3)


def sql(address, statement, *values):
    """Run a statement in the schema of a deployment, as somebody else would; return how many rows it changed."""
    psycopg = pytest.importorskip("psycopg")
    found = read_address(address)
    with psycopg.connect(found.conninfo, autocommit=True) as connection:
        connection.execute(f'SET search_path = "{found.schema}"')
        return connection.execute(statement, values or None).rowcount


def opened(address):
    return Deployment(address, document(), secret=SECRET)


@pytest.fixture
def wire(postgres_address):
    found = CutWire(postgres_address)
    yield found
    found.close()


def same_as_its_replay(service):
    replay = replay_blocks(service.document, service.blocks())
    assert state_to_dict(service.policy.state) == state_to_dict(replay.state)
    assert service.verify().difference is None


def test_an_address_is_read_and_shown_without_its_password():
    found = read_address(
        "postgres://me:se%40cret@db.example:6543/posts?deployment=fr-2&sslmode=require"
    )
    assert found.conninfo == "postgresql://me:se%40cret@db.example:6543/posts?sslmode=require"
    assert (found.schema, found.database) == ("askpoint_fr-2", "posts")
    assert str(found) == "postgresql://db.example:6543/posts?deployment=fr-2"
    only = read_address("postgresql://one:1,two:2/posts")
    assert (only.schema, str(only)) == ("askpoint", "postgresql://one:1,two:2/posts")
    assert only.lock != found.lock


@pytest.mark.parametrize("name", ["", "Posts", "a b", "x" * 51, "-a", 'a"; DROP'])
def test_a_name_is_one_that_a_schema_can_have(name):
    with pytest.raises(InputError, match="at most 50 lower-case letters"):
        read_address(f"postgresql://h/db?deployment={name}")


def test_without_psycopg_one_line_says_what_to_install(monkeypatch):
    real = builtins.__import__

    def lacking(name, *args, **options):
        if name == "psycopg":
            raise ImportError(name)
        return real(name, *args, **options)

    monkeypatch.setattr(builtins, "__import__", lacking)
    with pytest.raises(InputError, match=r"pip install 'askpoint\[postgres\]'"):
        Deployment("postgresql://h/db")


def test_what_cannot_be_reached_is_said_at_once(postgres_address):
    for address, error, message in [
        ("postgresql://127.0.0.1:1/db", StoreError, "postgresql://127.0.0.1:1/db cannot be reached"),
        ("postgresql://h/db?nonsense=1", InputError, "not an address that PostgreSQL knows"),
        (_changed(postgres_address, user="nobody:wrong"), StoreError, "cannot be reached.*nobody"),
        (_changed(postgres_address, path="/nobodys"), StoreError, "cannot be reached.*nobodys"),
        (postgres_address, InputError, "holds no deployment; name the address"),
    ]:  # fmt: skip
        with pytest.raises(error, match=message) as refusal:
            Deployment(address)
        assert "wrong" not in str(refusal.value)


def _changed(address, *, user=None, path=None):
    parts = urlsplit(address)
    if user is not None:
        parts = parts._replace(netloc=f"{user}@{parts.netloc.rpartition('@')[2]}")
    return parts._replace(path=path or parts.path).geturl()


def test_two_policies_in_one_database_know_nothing_of_each_other(postgres_address):
    other = postgres_address.replace("deployment=", "deployment=other-")
    two = replace(document(), id="other")
    with opened(postgres_address) as first, Deployment(other, two, secret=SECRET) as second:
        for i in range(20):
            assert first.decide(f"k{i}", prediction="no", confidence=float(C[i])).seq == i
            made = second.decide(f"k{i}", prediction="yes", confidence=float(C[i + 50]))
            assert made.seq == i
        assert first.label("k1", True).counted + second.label("k1", True).counted >= 0
        for service in (first, second):
            same_as_its_replay(service)
    with pytest.raises(InputError, match=r"holds a policy already, another one.*\?deployment="):
        Deployment(other, document(), secret=SECRET)


def test_who_makes_a_deployment_at_once_makes_one(postgres_address):
    made, wrong = [], []

    def make():
        try:
            made.append(opened(postgres_address))
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=make) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert [s.decide(f"k{i}", confidence=0.9).seq for i, s in enumerate(made)] == [0, 1, 2, 3, 4]
    for service in made:
        service.close()


def test_two_versions_of_the_program_on_one_database(postgres_address):
    with opened(postgres_address) as running:
        running.decide("a", prediction="no", confidence=0.9)
        sql(postgres_address, "UPDATE meta SET format = 99")
        with pytest.raises(StoreError, match=r"its tables are of format 99, this program knows"):
            running.decide("b", prediction="no", confidence=0.9)


@pytest.mark.parametrize("direction", ["there", "back"])
@pytest.mark.parametrize("n", [1, 40])
def test_a_wire_cut_at_any_message_loses_nothing_and_does_nothing_twice(wire, direction, n):
    """Each commit is cut at another message; the caller hears nothing of it."""
    with opened(wire.url) as service:
        given = {}
        for i in range(10):
            cuts = wire.cuts
            wire.cut_after(1 + i, direction)
            keys = [f"{i}-{j}" for j in range(n)]
            sure = C[n * i : n * (i + 1)].tolist()
            made = service.decide(keys, prediction="no", confidence=sure)
            given |= dict(zip(keys, made.seq.tolist(), strict=True))
            asked = [k for k, a in zip(keys, made.action, strict=True) if a == "ask"]
            assert service.label(asked, [True] * len(asked)).counted == len(asked)
            wire.left = None
            assert i > 4 or wire.cuts == cuts + 1
        assert wire.cuts >= 5
        frame = service.decisions()
        assert dict(zip(frame["key"], frame["seq"], strict=True)) == given
        assert sorted(given.values()) == list(range(10 * n))
        same_as_its_replay(service)


def test_a_server_that_is_away_for_a_moment_is_waited_for(wire):
    with opened(wire.url) as service:
        service.decide("a", prediction="no", confidence=0.9)
        assert service.watch().decided == 1  # a reader's connection is kept, too
        wire.is_down = True
        wire.cut()

        def back():
            time.sleep(0.6)
            wire.is_down = False

        thread = threading.Thread(target=back)
        thread.start()
        assert service.decide("b", prediction="no", confidence=0.9).seq == 1
        thread.join()
        assert service.watch().decided == 2


@contextlib.contextmanager
def away(wire):
    """The server is away, and waited for a moment; once it is back it may take its time, as on a loaded machine."""
    wire.is_down = True
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "_PATIENCE", 0.1)
        patch.setattr(store, "_PAUSE", 0.02)
        yield
    wire.left, wire.is_down = None, False


def test_a_server_that_stays_away_is_said_in_words(wire):
    with opened(wire.url) as service:
        service.decide("a", prediction="no", confidence=0.9)
        with away(wire):
            wire.cut()
            with pytest.raises(
                StoreError, match=r"has not answered for 0.1 seconds: nothing was decid"
            ):
                service.decide("b", prediction="no", confidence=0.9)
            with pytest.raises(StoreError, match="cannot be reached"):
                service.watch()
        assert service.decide("b", prediction="no", confidence=0.9).seq == 1
        said = set()
        for i in range(160):  # cut at one of a commit's messages, or not at all
            known = 2 + i
            with away(wire):
                wire.cut_after(1 + i % 16, "there")
                try:
                    assert service.decide(f"c{i}", prediction="no", confidence=0.9).seq == 2 + i
                    known += 1
                except StoreError as error:
                    known = None if "whether this was kept is not known" in str(error) else known
                    said.add(known is None)
            assert known in {None, service.watch().decided}
            assert service.decide(f"c{i}", prediction="no", confidence=0.9).seq == 2 + i
            if i >= 15 and len(said) == 2:
                break  # how many messages a wire makes of a commit is the machine's affair
        assert said == {False, True}
        same_as_its_replay(service)


def end_sessions(address):
    """End the sessions on a test's own database: others run beside it on this server."""
    return sql(
        address,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE application_name LIKE 'askpoint%' AND datname = current_database()",
    )


def test_a_server_that_ends_a_session_is_asked_again(postgres_address):
    with opened(postgres_address) as service:
        service.decide("a", prediction="no", confidence=0.9)
        for i in range(3):
            assert end_sessions(postgres_address) > 0
            assert service.decide(f"b{i}", prediction="no", confidence=0.9).seq == i + 1
            assert service.watch().decided == i + 2


def test_a_session_that_ends_amid_its_rows_leaves_no_cursor(postgres_address, monkeypatch):
    """A cursor that is collected while it is open warns in whatever test runs then."""
    monkeypatch.setattr(store, "_STREAMED", 2)
    with opened(postgres_address) as service:
        service.decide(list("abcdef"), prediction="no", confidence=[0.9] * 6)
        cursors, held = [], []

        def read():
            with service._database.reading() as reader:
                rows = reader.stream("SELECT key FROM decisions ORDER BY seq")
                assert next(rows) == ("a",)
                cursors.extend(reader._streams)
                held.append(rows)  # as a traceback may hold it
                end_sessions(postgres_address)
                reader.execute("SELECT count(*) FROM decisions")

        with pytest.raises(StoreError, match="cannot be reached"):
            read()
        assert [one.closed for one in cursors] == [True]
        assert service.decide("g", prediction="no", confidence=0.9).seq == 6


def test_whoever_holds_the_lock_too_long_is_named(postgres_address, monkeypatch):
    psycopg = pytest.importorskip("psycopg")
    monkeypatch.setattr(store, "_PATIENCE", 0.1)
    monkeypatch.setattr(store, "_PAUSE", 0.02)
    address = read_address(postgres_address)
    with opened(postgres_address) as service:
        service.decide("a", prediction="no", confidence=0.9)
        with psycopg.connect(address.conninfo, application_name="Eve's script") as holder:
            holder.execute("SELECT pg_advisory_xact_lock(%s)", (address.lock,))
            with pytest.raises(StoreError, match=r"locked for 0.1 seconds, by Eve's script"):
                service.decide("b", prediction="no", confidence=0.9)
        assert service.decide("b", prediction="no", confidence=0.9).seq == 1


def test_a_wrong_row_stops_no_neighbour_and_a_failed_commit_nothing_behind_it(postgres_address):
    with opened(postgres_address) as service:
        service.decide("a", prediction="no", confidence=0.9)
        sql(postgres_address, "ALTER TABLE decisions ADD CHECK (key NOT LIKE 'bad%%')")
        for keys in (["bad"], [f"bad{i}" for i in range(100)]):  # inserted, and copied
            with pytest.raises(StoreError, match=r"failed .*: nothing was decided"):
                service.decide(keys, prediction="no", confidence=[0.9] * len(keys))
        assert service.decide("b", prediction="no", confidence=0.9).seq == 1
        same_as_its_replay(service)


def test_a_key_decides_once_even_where_the_lock_is_passed_by(postgres_address):
    psycopg = pytest.importorskip("psycopg")
    with opened(postgres_address) as service:
        service.decide("é" * 10_000, prediction="no", confidence=0.9)
    with pytest.raises(psycopg.errors.ExclusionViolation):
        sql(
            postgres_address,
            "INSERT INTO decisions SELECT 1, key, at, model_version, prediction, confidence, answer, "
            "audit, propensity, drawn, episode, held, content, digest, region, rate, chain, clock_back, leaf, "
            "salt FROM decisions",
        )


def test_labels_and_keys_of_any_language_are_found_again(postgres_address):
    keys = ["é", "e\u0301", "😀", "%s", "it's", 'a"b', "back\\slash", "{}", "a,b", "NULL", " "]
    with opened(postgres_address) as service:
        made = service.decide(keys, prediction="no", confidence=[0.5] * len(keys), content=keys)
        again = service.decide(keys, prediction="no", confidence=[0.5] * len(keys), content=keys)
        assert again.seq.tolist() == made.seq.tolist() == list(range(len(keys)))
        assert service.label(keys, [True] * len(keys), by=keys).counted == len(keys)
        assert service.decisions()["content"].to_list() == keys
        assert service.labels()["judge"].to_list() == keys
        same_as_its_replay(service)


def test_contents_can_be_deleted(postgres_address):
    with opened(postgres_address) as service:
        keys = [f"k{i}" for i in range(100)]
        service.decide(
            keys, prediction="no", confidence=C[:100], content=[f"text {k}" for k in keys]
        )
        assert service.forget(["k7", "k8"]) == 2
        assert service.forget(["k7"]) == 0
        frame = service.decisions()
        assert frame.filter(pl.col("content").is_null())["key"].to_list() == ["k7", "k8"]
        same_as_its_replay(service)


def test_a_stranger_s_copy_holds_no_secret_and_verifies(postgres_address):
    with opened(postgres_address) as service:
        service.decide([f"k{i}" for i in range(300)], prediction="no", confidence=C[:300])
        head = service.head()
    assert sql(postgres_address, "UPDATE meta SET secret = NULL, signing = NULL") == 1
    with Deployment(postgres_address) as copy:
        assert copy.verify(head=head).difference is None
        assert not copy.has_secret
        with pytest.raises(InputError, match="without which no audit can be drawn"):
            copy.decide("x", prediction="no", confidence=0.9)
        with pytest.raises(InputError, match="which signs heads"):
            copy.prove("k3")
        sql(
            postgres_address,
            "UPDATE decisions SET answer = 1 - answer WHERE seq = (SELECT min(seq) FROM decisions)",
        )
        assert "answer" in str(copy.verify(head=head).difference)


FORGERIES = [
    "UPDATE decisions SET key = 'other' WHERE seq = 700",
    "UPDATE decisions SET confidence = confidence + 1e-9 WHERE seq = 30",
    "UPDATE decisions SET content = 'other' WHERE seq = 30",
    "UPDATE decisions SET answer = 1 - answer WHERE seq = 30",
    "DELETE FROM decisions WHERE seq = (SELECT max(seq) FROM decisions)",
    "UPDATE labels SET label = 'no' WHERE label = 'yes'",
    "DELETE FROM labels WHERE n = (SELECT max(n) FROM labels)",
    "UPDATE events SET seq = seq + 1",
    "UPDATE meta SET last_at = last_at + 1",
    "DELETE FROM pending WHERE seq = (SELECT max(seq) FROM pending)",
]


def test_forged_rows_are_found_and_an_honest_life_is_not(postgres_address):
    opened(postgres_address).close()
    for day in range(6):
        one_day(postgres_address, day, content=True)
    with Deployment(postgres_address) as service:
        service.decide([f"z{i}" for i in range(9)], confidence=[0.5] * 9)
        assert service.verify().difference is None
        tables = ("decisions", "labels", "events", "state", "pending", "meta")
        for table in tables:
            sql(postgres_address, f"CREATE TABLE saved_{table} AS TABLE {table}")
        for statement in FORGERIES:
            assert sql(postgres_address, statement) > 0, statement
            try:
                found = service.verify().difference
            except AskpointError as error:
                found = error
            assert found is not None, statement
            for table in tables:
                sql(postgres_address, f"TRUNCATE {table}")
                sql(postgres_address, f"INSERT INTO {table} TABLE saved_{table}")
        assert service.verify().difference is None


def test_other_tables_are_said_to_be_none_of_ours(postgres_address):
    opened(postgres_address).close()
    sql(postgres_address, "DROP TABLE pending")
    with pytest.raises(LogError, match="holds other tables"):
        Deployment(postgres_address).watch()


def test_heads_proofs_and_forgeries_are_those_of_a_folder(postgres_address):
    with opened(postgres_address) as service:
        keys = [f"k{i}" for i in range(600)]
        service.decide(keys, prediction="no", confidence=C[:600], content=keys)
        service.label(service.wanted_keys()[:30], [True] * 30)
        head = service.head()
        assert service.forget(["k5"]) == 1
        record = service.prove("k599")
        assert (record.find_difference(), record.content, is_signed(record.head)) == (
            "",
            "k599",
            True,
        )
        assert service.growth(head, record.head)
        assert service.verify(head=head).difference is None
        for forged, undone, name in [
            ("region = 'slang' WHERE seq = 30", "region = NULL WHERE seq = 30", "decisions"),
            ("content = 'x' WHERE seq = 31", "content = 'k31' WHERE seq = 31", "decisions"),
            ("answer = 7 - answer WHERE seq = 9", "answer = 7 - answer WHERE seq = 9", "answer"),
        ]:
            sql(postgres_address, f"UPDATE decisions SET {forged}")  # noqa: S608
            try:
                assert service.verify().difference.where == name
            except LogError as error:
                assert f"the column {name} holds" in str(error)  # noqa: PT017
            sql(postgres_address, f"UPDATE decisions SET {undone}")  # noqa: S608
            assert service.verify().difference is None
        sql(postgres_address, "UPDATE meta SET signing = decode(repeat('00', 32), 'hex')")
        assert service.verify().difference.where == "head"
