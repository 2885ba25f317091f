"""Forgers at work: each column of each table, each file, and whole histories; all are named.

What no check of ours can find is listed in docs/reference/security.md, and here as `NOT_COVERED`.
"""

# ruff: noqa: S608  # statements of this file's own

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import replace

import polars as pl
import pytest

from askpoint.errors import AskpointError, InputError
from askpoint.live.batches import DecisionBatch, LabelRows
from askpoint.live.decision_records import DecisionRecord
from askpoint.live.heads import Head, read_root
from askpoint.live.merkle import leaf_hash
from askpoint.records.leased_decider import LeasedDecider
from askpoint.records.signatures import is_signed, sign_head
from askpoint.records.stores import archive
from askpoint.records.stores.deployment import Deployment
from records.posts import HOUR, SECRET, SIZE, at_of, batch_of, copy_of, document, one_day

DAYS = 5
LAST = DAYS * SIZE - 1

NOT_COVERED = {
    "dead": "lines that could not be decided",
    "outbox": "what is on its way to somebody",
    "recipients": "who is told",
}
"""Tables that no row of the log is about."""
FREE = {("meta", "version"): "how many commits there were: nothing follows from it"}
"""Columns likewise."""


def lease_some(deployment):
    """Two leases, and what one decider hands in."""
    now = at_of(DAYS - 1) + 3 * HOUR
    grant = deployment.lease("edge", answers=5, seconds=3600, at=now)
    deployment.lease("lost", answers=0, at=now)
    decider = LeasedDecider(grant)
    decider.decide(["e1", "e2"], prediction="no", confidence=[0.99, 0.51], at=now)
    deployment.hand_in(decider.receipts(), now + HOUR)


@pytest.fixture(scope="module")
def lived(tmp_path_factory):
    """Five days with contents, groups, a clock that went back, gold cases, deletions and two heads."""
    folder = tmp_path_factory.mktemp("forged") / "posts"
    Deployment(folder, document(), secret=SECRET).close()
    for day in range(DAYS):
        one_day(folder, day, content=True)
        if day == 2:
            with Deployment(folder) as deployment:
                deployment.head(at_of(day) + 2 * HOUR)
                deployment.forget(["k7"], at_of(day) + 3 * HOUR)
    with Deployment(folder) as deployment:
        rows = LabelRows(["g1", "g2"], ["no", "yes"], ["Bob"] * 2, ["gold"] * 2, ["yes", "yes"])
        deployment.label_rows(rows, at_of(DAYS - 1) + 2 * HOUR)
        deployment.forget(["k8", f"k{LAST}"], at_of(DAYS - 1) + 3 * HOUR)
        deployment.decide_rows(
            DecisionBatch(["late"], ["no"], [0.9], ["late"], "3", ["de"]), at_of(0), shadow=True
        )
        lease_some(deployment)
        deployment.head(at_of(DAYS) - HOUR)
        assert deployment.verify().difference is None
    return folder


@pytest.fixture
def folder(lived, tmp_path):
    """The same, of this test's own."""
    return copy_of(lived, tmp_path / "copy")


def change(folder, *statements):
    """Write into the tables, as a forger would."""
    with closing(sqlite3.connect(folder / "state.sqlite")) as connection, connection:
        for statement in statements:
            text, *values = (statement,) if isinstance(statement, str) else statement
            assert connection.execute(text, values).rowcount > 0, text


def read(folder, statement, *values):
    with closing(sqlite3.connect(folder / "state.sqlite")) as connection:
        return connection.execute(statement, values).fetchall()


def what_differs(folder, **options):
    """What a stranger reads; empty if nothing."""
    try:
        with Deployment(folder) as deployment:
            found = deployment.verify(**options).difference
    except AskpointError as error:
        return str(error)
    return "" if found is None else str(found)


def tables(folder):
    select = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    return [name for (name,) in read(folder, select)]


def columns(folder, table):
    return [row[1] for row in read(folder, f"PRAGMA table_info({table})")]


def other(value):
    """Something else of the same kind."""
    if isinstance(value, bytes):
        return bytes([value[0] ^ 1, *value[1:]])
    if isinstance(value, str):
        return value + "x"
    if isinstance(value, float):
        return value * (1 + 2**-52) or 2**-52
    return 1_000_000 if value is None else value + 1_000_000


def forge_each_column(folder, places, values):
    """Return which forgeries of one column in one row no check finds, and how many there were."""
    names = set(tables(folder))
    kept = (folder / "state.sqlite").read_bytes()
    missed, tried = [], 0
    for table in sorted(names - NOT_COVERED.keys()):
        ((rows,),) = read(folder, f"SELECT count(*) FROM {table}")
        assert rows > 0, f"nothing to forge in {table}"
        for column in columns(folder, table):
            for place in sorted({place(rows) for place in places}):
                select = f"SELECT rowid, {column} FROM {table} ORDER BY rowid LIMIT 1 OFFSET ?"
                ((at, value),) = read(folder, select, place)
                for forged in values(value):
                    try:
                        change(
                            folder, (f"UPDATE {table} SET {column} = ? WHERE rowid = ?", forged, at)
                        )
                    except sqlite3.IntegrityError:
                        continue  # the database itself refuses it
                    tried += 1
                    if not what_differs(folder):
                        missed.append((table, column))
                    (folder / "state.sqlite").write_bytes(kept)
    return missed, tried


@pytest.mark.whole
def test_each_column_of_each_table_is_covered(folder):
    assert set(tables(folder)) >= {
        "decisions", "labels", "events", "forgotten", "heads", "nodes", "state", "pending", "parts", "meta", "leases",
        "hand_ins", "moments",
    }  # fmt: skip
    missed, tried = forge_each_column(folder, [lambda n: n // 2], lambda value: [other(value)])
    assert set(missed) == set(FREE)
    assert tried > 60


@pytest.mark.soak
def test_each_column_of_more_rows_is_covered(folder):
    places = [lambda _: 0, lambda n: n // 3, lambda n: n - 1]
    missed, tried = forge_each_column(
        folder, places, lambda value: [other(value), *([] if value is None else [None])]
    )
    assert set(missed) == set(FREE)
    assert tried > 200


def part_of(folder, seq):
    ((file,),) = read(
        folder, "SELECT file FROM parts WHERE kind = 'decisions' AND ? BETWEEN first AND last", seq
    )
    return folder / "decisions.parquet" / file


def rewrite_part(folder, seq, **columns):
    """Change a file of a day that is over, and give it the name that its bytes promise."""
    path = part_of(folder, seq)
    frame = archive.read_part(path).with_columns(**columns)
    made = archive.Archive(folder, "posts")._write_file("decisions", path.name[:14], frame)
    path.unlink()
    change(folder, ("UPDATE parts SET file = ? WHERE file = ?", made, path.name))


SEQ = pl.col("seq")
FILES = {
    "an action renamed": (30, {"action": pl.col("action").replace("answer", "reply")}, "action is"),
    "an action of another case": (30, {"action": pl.lit("ask")}, "action is"),
    "content": (30, {"content": pl.lit("other")}, "its content is not that of its digest"),
    "content gone": (
        30,
        {"content": pl.lit(None, pl.String)},
        "nobody deleted it by askpoint forget",
    ),
    "content back": (7, {"content": pl.lit("text 7")}, "its content "),
    "the policy's name": (30, {"policy": pl.lit("another")}, "policy is"),
    "the place in the log": (30, {"leaf": pl.col("leaf") + 1}, "leaf is"),
}


@pytest.mark.parametrize("name", FILES)
def test_a_forged_file_of_a_day_that_is_over_is_named(folder, name):
    seq, columns, words = FILES[name]
    rewrite_part(folder, seq, **columns)
    said = what_differs(folder)
    assert said.startswith("decisions.parquet, at decision "), said
    assert words in said, said


_MADE_UP = (
    f"INSERT INTO decisions SELECT {LAST + 4}, 'new', at, model_version, prediction, confidence, answer, audit, "
    "propensity, drawn, episode, held, NULL, NULL, region, rate, chain, clock_back, leaf + 1, NULL, NULL FROM decisions "
    f"WHERE seq = {LAST}"
)
ROWS = {
    "an action of no kind": ["UPDATE decisions SET answer = 7 WHERE seq = 30"],
    "audit of no kind": ["UPDATE decisions SET audit = 2 WHERE audit = 1"],
    "half a microsecond": ["UPDATE decisions SET at = at + 0.5 WHERE seq = 30"],
    "the last decision": [f"DELETE FROM decisions WHERE seq > {LAST}"],
    "a lease that was never granted": ["INSERT INTO leases SELECT 3, decider, episode, threshold, rate, answers, granted, expires, leaf FROM leases WHERE number = 1"],
    "a lease that nobody had": ["DELETE FROM leases WHERE number = 2"],
    "more answers than were granted": ["UPDATE leases SET answers = 9 WHERE number = 1"],
    "a hand-in that never came": ["DELETE FROM hand_ins"],
    "a hand-in of another lease": ["UPDATE hand_ins SET lease = 2"],
    "a case of the lease decided here": ["UPDATE decisions SET lease = NULL WHERE key = 'e1'"],
    "a decision in the middle": ["DELETE FROM decisions WHERE seq = 30"],
    "a decision that nobody made": [_MADE_UP],
    "two keys changed places": [
        "UPDATE decisions SET key = 'x' WHERE seq = 30",
        "UPDATE decisions SET key = 'k30' WHERE seq = 31",
        "UPDATE decisions SET key = 'k31' WHERE seq = 30",
    ],
    "a block cut in two": ["UPDATE decisions SET chain = 'x' WHERE seq = 30"],
    "two blocks made one": [f"UPDATE decisions SET chain = NULL WHERE seq = {SIZE - 1}"],
    "a rate that followed the draw": ["UPDATE decisions SET rate = 0.3 WHERE seq = 30"],
    "held, so that nobody asks": ["UPDATE decisions SET held = 1 WHERE seq = 30"],
    "a clock that never went back": [f"UPDATE decisions SET clock_back = NULL WHERE seq = {LAST + 1}"],
    "a model of today": [f"UPDATE decisions SET model_version = '4' WHERE seq > {LAST}"],
    "content and salt gone": [f"UPDATE decisions SET content = NULL, salt = NULL WHERE seq > {LAST}"],
    "content gone": [f"UPDATE decisions SET content = NULL WHERE seq > {LAST}"],
    "digest gone with its content": [
        f"UPDATE decisions SET content = NULL, salt = NULL, digest = NULL WHERE seq > {LAST}"
    ],
    "content of a deleted case back": [f"UPDATE decisions SET content = 'text' WHERE seq = {LAST}"],
    "a deletion that nobody noted": [f"DELETE FROM forgotten WHERE seq = {LAST}"],
    "a deletion that never was": [f"UPDATE forgotten SET seq = {LAST + 1} WHERE seq = {LAST}"],
    "the last labels": ["DELETE FROM labels WHERE n > (SELECT max(n) - 2 FROM labels)"],
    "a label in the middle": ["DELETE FROM labels WHERE n = 5"],
    "all labels turned": ["UPDATE labels SET label = CASE label WHEN 'no' THEN 'yes' ELSE 'no' END"],
    "a judge renamed": ["UPDATE labels SET judge = 'Eve'"],
    "labels that came earlier": ["UPDATE labels SET after = after - 1"],
    "a truth that suits": ["UPDATE labels SET truth = 'no' WHERE key = 'g1'"],
    "feedback sold as an audit": ["UPDATE labels SET source = 'audit' WHERE source = 'asked'"],
    "a source of no kind": ["UPDATE labels SET source = 'rumour' WHERE n = 3"],
    "a label that counts no more": ["UPDATE labels SET counts = 0 WHERE n = 3"],
    "the first event": ["DELETE FROM events WHERE n = 0"],
    "an alarm renamed": ["UPDATE events SET kind = kind || '_not' WHERE n = 1"],
    "an event's time": ["UPDATE events SET at = at - 1 WHERE n = 1"],
    "an event that never was": ["INSERT INTO events SELECT max(n) + 1, seq, kind, numbers, at, leaf FROM events"],
    "a lower threshold": ["UPDATE state SET content = replace(content, '0', '1') WHERE name = 'stated'"],
    "mistakes unseen": ["UPDATE state SET content = replace(content, '1', '0') WHERE name = 'wrong'"],
    "a label awaited no more": ["DELETE FROM pending WHERE seq = (SELECT max(seq) FROM pending)"],
    "subtrees gone": ["DELETE FROM nodes"],
    "a day that is not filed": ["DELETE FROM parts WHERE kind = 'labels' AND first = 0"],
    "a second state": ["INSERT INTO meta SELECT 2, format, version, last_at, policy, secret, signing, summary FROM meta"],
}  # fmt: skip


@pytest.mark.parametrize("name", ROWS)
def test_a_forged_row_is_named(folder, name):
    change(folder, *ROWS[name])
    said = what_differs(folder)
    names = (
        "decisions",
        "labels",
        "events",
        "forgotten",
        "state",
        "pending",
        "nodes",
        "head",
        "meta",
        "leases",
        "hand_ins",
    )
    assert said.startswith((*names, *(f"the table {one}" for one in names))), said


def test_a_change_is_named_where_it_is(folder):
    change(folder, "UPDATE decisions SET region = 'slang' WHERE seq = 30")
    assert what_differs(folder) == (
        f"decisions, at decision {SIZE - 1}: rows 0 to {SIZE - 1} do not give the hash that is stored"
    )


def rewritten(folder, days, *, seed=1):
    """A deployment of the same policy and secret that tells another story, made by the same program."""
    Deployment(folder, document(), secret=SECRET).close()
    for day in range(days):
        with Deployment(folder) as deployment:
            deployment.decide_rows(batch_of(day, seed=seed, content=True), at_of(day))
    return folder


def test_a_history_written_anew_is_refused_by_a_head_of_before(lived, tmp_path):
    with Deployment(lived) as deployment:
        first, last = deployment.heads()
    new = rewritten(tmp_path / "new", DAYS + 2, seed=2)
    assert what_differs(new) == ""  # it fits itself: only a head that left the house shows it
    for head in (first, str(first.log_root), last):
        assert what_differs(new, head=head).startswith("head, at decision "), head
        assert what_differs(lived, head=head) == ""
    with Deployment(new) as deployment:
        assert not deployment.growth(first, str(deployment.head().log_root))


def test_an_end_cut_off_is_refused_by_its_length(lived, tmp_path):
    short = tmp_path / "short"
    Deployment(short, document(), secret=SECRET).close()
    one_day(short, 0, content=True)
    with Deployment(lived) as deployment:
        head = deployment.heads()[0]
    said = what_differs(short, head=head)
    assert (
        f"rows, and this head is of {head.size}: its end was cut off, or the head is that of"
        in said
    )
    fresh = tmp_path / "fresh"
    Deployment(fresh, document(), secret=SECRET).close()
    said = what_differs(fresh, head=str(head.log_root))
    assert f"the log has 1 row, and this head is of {head.size}: its end was cut off, or" in said


def test_a_head_grows_from_another_by_hashes_alone(lived):
    with Deployment(lived) as deployment:
        first, last = deployment.heads()
        assert deployment.growth(first, last)
        assert deployment.growth(first, first)
        assert not deployment.growth(last, first)
        forged = str(last.log_root).replace(last.root[:4], "0000")
        assert not deployment.growth(first, forged)
        assert not deployment.growth(first, read_root(f"{last.root}@{last.size - 1}").__str__())


def test_heads_of_others_and_changed_heads_are_refused(lived, folder):
    with Deployment(lived) as deployment:
        head = deployment.heads()[0]
        text = head.to_json()
        assert Head.from_json(text) == head
        for name, value in json.loads(text).items():
            if name == "kind":
                continue
            forged = replace(head, **{name: other(value)})
            assert not is_signed(forged), name
            with pytest.raises(InputError, match=r"this head is of|the signature of this head"):
                deployment.verify(head=forged)
        for bad in ("", "x@3", "0" * 64, f"{'0' * 64}@0", f"{'0' * 64}@-1"):
            with pytest.raises(InputError, match="a head is a file, or HASH@N"):
                deployment.verify(head=bad)
        for broken in ("{}", "[]", "nonsense", text.replace('"size":', '"sise":')):
            with pytest.raises(InputError, match="this is not a head that askpoint wrote"):
                Head.from_json(broken)
    stranger = sign_head(head, b"another key, of thirty-two bytes")
    change(
        folder,
        ("UPDATE heads SET signer = ?, signature = ? WHERE size = ?", stranger.signer, stranger.signature, head.size),
    )  # fmt: skip
    assert "is not signed by its key" in what_differs(folder)


def test_without_its_key_a_copy_signs_nothing(folder):
    (folder / "signing.key").unlink()
    with Deployment(folder) as deployment:
        assert deployment.verify().difference is None
        with pytest.raises(InputError, match=r"holds no signing\.key, which signs heads"):
            deployment.prove("k3")


@pytest.mark.parametrize("key", ["k3", "k7", f"k{LAST - 1}", "late"])
def test_the_person_decided_about_can_check_it(lived, key):
    """Of a day that is over, deleted, of today, in shadow."""
    with Deployment(lived) as deployment:
        record = deployment.prove(key)
        frame = deployment.decisions().filter(key=key)
        assert deployment.prove(key, with_content=False).content is None
        with pytest.raises(InputError, match="'nobody' was never decided here"):
            deployment.prove("nobody")
    again = DecisionRecord.from_json(record.to_json())
    assert again == record
    assert record.find_difference() == ""
    assert is_signed(record.head)
    row = record.decision
    assert row["action"] == frame["action"].item()
    assert row["would"] == frame["would"].item()
    assert (row["confidence"], row["drawn"]) == (frame["confidence"].item(), frame["drawn"].item())
    assert (record.content, record.salt is None) == (frame["content"].item(), key == "k7")


def test_each_forged_part_of_a_decision_record_is_found(lived):
    with Deployment(lived) as deployment:
        record, strange = deployment.prove("k3"), deployment.prove("k4")
    row = json.loads(record.row)
    forgeries = [
        replace(record, leaf=record.leaf + 1),
        replace(record, path=record.path[1:]),
        replace(record, path=(*record.path, record.path[0])),
        replace(record, path=("zz", *record.path[1:])),
        replace(record, path=strange.path),
        replace(record, row=strange.row),
        replace(record, row="{"),
        replace(record, row="[]"),
        replace(record, content="other"),
        replace(record, salt=strange.salt),
        replace(record, head=replace(record.head, root=leaf_hash(b"").hex())),
        replace(record, head=replace(record.head, size=record.head.size - 1)),
        replace(record, head=replace(record.head, policy="another")),
    ]
    for name, value in row.items():
        changed = not value if isinstance(value, bool) else other(value)
        forgeries.append(replace(record, row=json.dumps({**row, name: changed})))
    renamed = replace(record, row=record.row.replace(f'"{row["action"]}"', '"reply"'))
    assert "the action 'reply' is not one of answer, ask, hold" in renamed.find_difference()
    for forged in [*forgeries, renamed]:
        assert forged.find_difference() or not is_signed(forged.head), forged
    for broken in ("", "[]", "{}", record.to_json().replace('"leaf":', '"leaf":"x')):
        with pytest.raises(InputError, match="this is not a decision record"):
            DecisionRecord.from_json(broken)


def test_proofs_hold_at_every_place_of_a_longer_log(tmp_path):
    """More than two tiles of 256 rows, and every row of them."""
    with Deployment(tmp_path / "long", document(), secret=SECRET) as deployment:
        for day in range(5):
            deployment.decide_rows(batch_of(day), at_of(day))
            deployment.label(deployment.wanted_keys()[:20], [True] * 20, at=at_of(day) + HOUR)
            deployment.head(at_of(day) + 2 * HOUR)
        heads = deployment.heads()
        assert heads[-1].size > 3 * 256
        for i in range(0, 5 * SIZE, 7):
            record = deployment.prove(f"k{i}")
            assert (record.find_difference(), record.decision["seq"]) == ("", i)
        for old in heads:
            for new in heads:
                assert deployment.growth(old, new) == (old.size <= new.size)


@pytest.mark.parametrize(("nudge", "words"), [(1e-14, ""), (1e-6, "state, at decision")])
def test_the_rounding_of_another_processor_is_no_forgery(folder, nudge, words):
    ((text,),) = read(folder, "SELECT content FROM state WHERE name = 'recent'")
    counts = [[value * (1 + nudge) for value in row] for row in json.loads(text)]
    change(folder, ("UPDATE state SET content = ? WHERE name = 'recent'", json.dumps(counts)))
    assert what_differs(folder).startswith(words)
    assert bool(what_differs(folder)) == bool(words)
