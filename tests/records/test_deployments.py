"""The folder of a deployment: stop anywhere, change anything, and ask a stranger."""

from __future__ import annotations

import sqlite3
import stat
import time
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from askpoint.errors import AskpointError, InputError, LogError, StoreError
from askpoint.live.batches import DecisionBatch, LabelRows
from askpoint.live.events import find_alarm_cause
from askpoint.records.stores import archive, sqlite
from askpoint.records.stores.deployment import Deployment
from askpoint.records.stores.tables import FORMAT
from cast import fewer
from live.worlds import cases
from records.posts import HOUR, SECRET, SIZE, at_of, batch_of, copy_of, document, one_day

LATER = at_of(40)


@pytest.fixture(scope="module")
def lived(tmp_path_factory):
    """A deployment of twelve days."""
    folder = tmp_path_factory.mktemp("live") / "posts"
    Deployment(folder, document(), secret=SECRET).close()
    for day in range(12):
        one_day(folder, day, content=True)
    return folder


@pytest.fixture
def folder(lived, tmp_path):
    """The same, of this test's own."""
    return copy_of(lived, tmp_path / "copy")


def verified(folder, secret=None):
    with Deployment(folder) as deployment:
        return deployment.verify(secret)


def change(folder, statement, *values):
    """Write into the tables, as a forger would."""
    with sqlite3.connect(folder / "state.sqlite") as connection:
        found = connection.execute(statement, values)
        assert found.rowcount > 0
    connection.close()


def test_a_stranger_verifies_it(lived, folder):
    found = verified(lived)
    assert found.difference is None
    assert found.decisions == 12 * SIZE
    assert {"alarm", "budget_spent"} & {event.kind for event in found.replay.events}
    (folder / "secret.key").unlink()
    assert verified(folder).difference is None
    assert verified(folder, SECRET).difference is None
    assert verified(folder, b"another secret, long").difference.where == "secret"
    with pytest.raises(InputError, match=r"holds no secret\.key"):
        Deployment(folder).decide("x", prediction="no", confidence=0.9)


def test_days_that_are_over_are_files_that_anyone_reads(lived):
    files = sorted((lived / "decisions.parquet").iterdir())
    assert [path.name[:14] for path in files] == [f"1970-01-{day:02}-000" for day in range(1, 12)]
    frame = pl.read_parquet(lived / "decisions.parquet")
    assert frame["seq"].to_list() == list(range(11 * SIZE))
    assert frame["content"].to_list() == [f"text {i}" for i in range(11 * SIZE)]
    assert set(frame["action"]) == {"answer", "ask"}
    assert (frame.filter(action="ask")["propensity"] == 1).all()
    assert frame["at"].dtype == pl.Datetime("us", "UTC")
    labels = pl.read_parquet(lived / "labels.parquet")
    assert set(labels["source"]) == {"asked", "audit"}
    with Deployment(lived) as deployment:
        every = deployment.decisions()
        assert every.head(11 * SIZE).equals(frame)
        assert every["content"].to_list() == [f"text {i}" for i in range(12 * SIZE)]
        assert deployment.labels().head(len(labels)).equals(labels)
    if hasattr(stat, "S_IMODE"):
        assert stat.S_IMODE((lived / "secret.key").stat().st_mode) == 0o600


def test_a_key_decides_once(folder):
    with Deployment(folder) as deployment:
        before = deployment.decisions()
        again = deployment.decide_rows(batch_of(3, content=True), LATER)
        assert [row.seq for row in again.rows] == list(range(3 * SIZE, 4 * SIZE))
        assert deployment.decisions().equals(before)
        both = batch_of(3, content=True)
        more = DecisionBatch(["new", *both.key, "new"], ["no", *both.prediction, "no"], [0.9, *both.confidence, 0.9], [None, *both.content, None], "3")  # fmt: skip
        made = deployment.decide_rows(more, LATER).rows
        assert [row.seq for row in made] == [12 * SIZE, *range(3 * SIZE, 4 * SIZE), 12 * SIZE]
        assert deployment.decide_rows(DecisionBatch([], [], [], None, "3"), LATER).rows == []
        with pytest.raises(InputError, match="was decided with other content"):
            deployment.decide_rows(replace(both, content=["x", *both.content[1:]]), LATER)
        assert deployment.verify().difference is None


def test_foreign_files_are_left_alone(folder):
    notes = folder / "decisions.parquet" / "notes.txt"
    notes.write_text("mine")
    one_day(folder, 12)
    assert notes.read_text() == "mine"
    assert verified(folder).difference is None


def test_contents_can_be_deleted_and_receipts_still_verify(folder):
    with Deployment(folder) as deployment:
        assert (
            deployment.forget(["k7", "k500", "k1799"], at=at_of(11) + HOUR) == 3
        )  # two in files, one of today
        assert deployment.forget(["k7"]) == 0
        frame = deployment.decisions()
        assert frame.filter(pl.col("content").is_null())["key"].to_list() == ["k7", "k500", "k1799"]
        assert frame["digest"].null_count() == 0
        assert deployment.verify().difference is None
        with pytest.raises(
            InputError, match="1 of the keys were never decided, the first 'nobody'"
        ):
            deployment.forget(["k8", "nobody"])
        assert deployment.decisions().equals(frame)
    kept = b"".join(path.read_bytes() for path in folder.iterdir() if path.is_file())
    assert b"text 1799" not in kept
    assert b"text 1798" in kept
    one_day(folder, 12)


class CrashError(Exception):
    """The machine stops here."""


@pytest.mark.parametrize("stop", range(1, 9))
def test_an_archive_that_was_broken_off_is_made_again(folder, monkeypatch, stop):
    calls = [0]

    def crashing(real):
        def call(*args, **options):
            calls[0] += 1
            if calls[0] == stop:
                raise CrashError
            return real(*args, **options)

        return call

    for name in ("fsync", "replace"):
        monkeypatch.setattr(archive.os, name, crashing(getattr(archive.os, name)))
    try:
        one_day(folder, 12)
        Deployment(folder).forget(["k7"])
    except CrashError:
        assert calls[0] == stop
    assert calls[0] >= stop
    monkeypatch.undo()
    one_day(folder, 12)
    one_day(folder, 13)
    assert verified(folder).difference is None
    frame = pl.read_parquet(folder / "decisions.parquet")
    assert frame["seq"].to_list() == list(range(13 * SIZE))
    drafts = [path for path in folder.rglob(".*") if path.name != ".writer"]
    assert drafts == []


def test_a_file_that_a_crash_left_is_named_and_removed(folder):
    files = sorted((folder / "decisions.parquet").iterdir())
    twin = files[0].with_name(files[0].name.replace("-000-", "-001-"))
    twin.write_bytes(files[0].read_bytes())
    assert "was left by a write that was broken off" in str(verified(folder).difference)
    one_day(folder, 12)
    assert not twin.exists()
    assert verified(folder).difference is None


@pytest.mark.parametrize("changes", [40, pytest.param(600, marks=pytest.mark.soak)])
def test_one_changed_byte_is_found_in_every_file_of_the_archive(folder, changes):
    with Deployment(folder) as deployment:
        deployment.head()  # what the signing key signed tells whether it is still the same
    files = [
        path for path in sorted(folder.rglob("*")) if path.suffix in {".parquet", ".json", ".key"}
    ]
    files = [path for path in files if path.is_file()]
    rng = np.random.default_rng(0)
    for _ in range(fewer(changes)):
        path = files[rng.integers(len(files))]
        data = path.read_bytes()
        changed = bytearray(data)
        changed[rng.integers(len(data))] ^= 1 << int(rng.integers(0, 8))
        path.write_bytes(changed)
        try:
            found = verified(folder).difference is not None
        except (AskpointError, ValueError):
            found = True
        assert found, path
        path.write_bytes(data)
    assert verified(folder).difference is None


def test_another_signing_key_is_found_once_it_has_signed(folder):
    path = folder / "signing.key"
    with Deployment(folder) as deployment:
        deployment.head()
    assert verified(folder).difference is None
    path.write_bytes(b"another key, of thirty-two bytes")
    assert "not signed by the key that is kept with them" in str(verified(folder).difference)
    path.unlink()  # a stranger's copy has none
    assert verified(folder).difference is None


def test_a_file_cut_off_or_missing_is_named(folder):
    files = sorted((folder / "decisions.parquet").iterdir())
    data = files[4].read_bytes()
    files[4].write_bytes(data[:-100])
    with pytest.raises(LogError, match=rf"{files[4].name} was changed or cut off"):
        verified(folder)
    files[4].unlink()
    with pytest.raises(LogError, match=rf"{files[4].name} cannot be read"):
        verified(folder)
    files[4].write_bytes(data)
    assert verified(folder).difference is None


def test_a_fresh_deployment_is_verified_and_made_once(tmp_path):
    Deployment(tmp_path / "new", document(), secret=SECRET).close()
    assert verified(tmp_path / "new").difference is None
    again = Deployment(tmp_path / "new", document(), secret=SECRET)  # a service that starts again
    assert again.watch().decided == 0
    other = replace(document(), id="other")
    with pytest.raises(InputError, match="holds a policy already, another one"):
        Deployment(tmp_path / "new", other, secret=SECRET)
    with pytest.raises(InputError, match="this secret is not the one"):
        Deployment(tmp_path / "other", document(), secret=b"another secret, long")
    with pytest.raises(InputError, match="a policy comes with its secret"):
        Deployment(tmp_path / "other", document())
    with pytest.raises(InputError, match=r"holds no policy\.json"):
        Deployment(tmp_path / "other")
    with pytest.raises(InputError, match="a deployment in memory begins with a policy"):
        Deployment(":memory:")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"model_version": "4"}, "these cases come from version '4' of the model"),
        ({"prediction": ["maybe"]}, "the batch predicts 'maybe', which is not among the classes"),
        ({"confidence": [float("nan")]}, "case 'x': confidence must be a number"),
        ({"confidence": []}, "one key, prediction and confidence for each case"),
        ({"key": [""]}, "each case has a key, a text that is not empty; got ''"),
        ({"key": [7]}, "each case has a key, a text that is not empty; got 7"),
        ({"key": ["a\0b"]}, "cannot be written as UTF-8 text"),
        ({"key": ["\ud800"]}, "cannot be written as UTF-8 text"),
        ({"content": ["\ud800"]}, "cannot be written as UTF-8 text"),
        ({"key": ["k0"]}, "the key 'k0' was decided with other content: it was 'no' with confidence"),
    ],
)  # fmt: skip
def test_bad_batches_are_refused(lived, change, message):
    given = {"key": ["x"], "prediction": ["no"], "confidence": [0.9], "model_version": "3"}
    with Deployment(lived) as deployment, pytest.raises(InputError, match=message):
        deployment.decide_rows(DecisionBatch(**{**given, **change}), LATER)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"key": ["nobody"]},
            "1 of the labels name cases that were never decided, the first 'nobody'",
        ),
        ({"label": ["maybe"]}, "the batch labels a case 'maybe', which is not among"),
        ({"source": ["gold"]}, "the label of 'k0' has the source 'gold' and the truth None"),
        ({"truth": ["yes"]}, "gold cases, and no others, come with what is known to be right"),
        ({"source": ["ask"]}, "the label of 'k0' says that it comes from 'ask', but"),
    ],
)
def test_bad_labels_are_refused(lived, change, message):
    given = {"key": ["k0"], "label": ["no"], "judge": ["Bob"], "source": [None]}
    with Deployment(lived) as deployment, pytest.raises(InputError, match=message):
        deployment.label_rows(LabelRows(**{**given, **change}), LATER)


def test_a_clock_that_goes_back_is_noted_and_not_fatal(folder):
    last = at_of(11) + HOUR
    with Deployment(folder) as deployment:
        made = deployment.decide_rows(batch_of(12), 0)  # a clock of 1970
        assert made.clock_back == last
        assert {(row.at, row.clock_back) for row in made.rows} == {(last, last)}
        deployment.decide_rows(batch_of(13), last + 1)
        assert deployment.troubles().clock_back == SIZE
        assert deployment.watch().troubles.clock_back == SIZE
        assert deployment.verify().difference is None


def test_keys_of_ten_thousand_characters(folder):
    with Deployment(folder) as deployment:
        long = ["é" * 10_000, "é" * 9_999 + "x"]
        made = deployment.decide(long, prediction="no", confidence=[0.99, 0.5], content=["a", "b"])
        assert made.seq.tolist() == [12 * SIZE, 12 * SIZE + 1]
        assert (
            deployment.decide(long[1], prediction="no", confidence=0.5, content="b").seq
            == 12 * SIZE + 1
        )
        assert deployment.verify().difference is None
        with pytest.raises(InputError) as error:
            deployment.decide(long[0], prediction="yes", confidence=0.99, content="a")
        assert len(str(error.value)) < 600


def test_a_second_label_is_kept_and_does_not_count(folder):
    with Deployment(folder) as deployment:
        told = deployment.labels().row(0, named=True)
        other = {"yes": "no", "no": "yes"}[told["label"]]
        before = deployment.policy.state
        assert deployment.label(told["key"], other, by="Eve").counted == 0
        assert deployment.policy.state.seen == before.seen
        assert deployment.label([], []).counted == 0
        assert deployment.verify().difference is None


def test_gold_cases_say_who_drifted_and_are_verified(folder):
    n = 30
    keys = [f"gold-{i}" for i in range(n)]
    with Deployment(folder) as deployment:
        before = deployment.policy.state
        for _ in range(2):  # sent again they do not count again
            made = deployment.label(keys, ["no"] * n, by="Bob", source="gold", truth=["yes"] * n)
            assert made.counted == 0
        deployment.label(["gold-1", "k0"], ["yes", "no"], by="Eve", source="gold", truth="yes")
        state = deployment.policy.state
        assert (state.watches["people"].items, state.watches["people"].mistakes) == (n + 2, n + 1)
        assert (state.seen, state.mistakes) == (before.seen, before.mistakes)
        assert find_alarm_cause(deployment.events) == "reviewers"
        assert deployment.verify().difference is None


def test_a_region_under_suspicion_is_audited_more_and_receipts_replay_it(folder):
    batch = batch_of(12)
    group = [("slang", "news", None)[i % 3] for i in range(SIZE)]
    size = 20
    with Deployment(folder) as deployment:
        for start in range(0, SIZE, size):
            rows = slice(start, start + size)
            raised = {"slang": 0.7} if start < 100 else {}
            part = DecisionBatch(
                batch.key[rows], batch.prediction[rows], batch.confidence[rows], None, "3", group[rows]
            )  # fmt: skip
            deployment.decide_rows(part, LATER + start, audit_rates=raised)
        frame = deployment.decisions().tail(SIZE)
        slang = (pl.col("group") == "slang") & (pl.col("seq") < 12 * SIZE + 100)
        assert (frame.filter(slang)["rate"] == 0.7).all()
        assert (frame.filter(~slang | pl.col("group").is_null())["rate"] == 0.2).all()
        found = [event for event in deployment.events if event.kind == "audit_rates"]
        assert [event.numbers for event in found] == [{"slang": 0.7}, {"slang": 0.2}]
        assert found[0].seq == 12 * SIZE
        assert deployment.verify().difference is None
        with pytest.raises(
            InputError,
            match=r"the audit rate of 'slang' must be between the agreed 0.2 and 1; got 0.1",
        ):
            deployment.decide_rows(batch_of(13), LATER, audit_rates={"slang": 0.1})


def test_a_rate_that_follows_the_draw_is_found(folder):
    batch = replace(batch_of(12), group=["slang"] * SIZE)
    with Deployment(folder) as deployment:
        made = deployment.decide_rows(batch, LATER, audit_rates={"slang": 0.7})
    place = made.rows[40].seq
    change(folder, "UPDATE decisions SET rate = 0.9 WHERE seq = ?", place)  # chosen for one case
    assert str(verified(folder).difference) == (
        f"decisions, at decision {place}: rate is 0.9 in the record and 0.7 when computed again"
    )


def test_rates_in_a_batch_of_several_blocks_replay_bit_for_bit(tmp_path):
    c, _, _ = cases(2500, 5)
    group = ["slang" if i > 1500 else None for i in range(2500)]
    keys = [f"n{i}" for i in range(2500)]
    batch = DecisionBatch(keys, ["no"] * 2500, c.tolist(), None, "3", group)
    with Deployment(tmp_path / "new", document(), secret=SECRET) as deployment:
        deployment.decide_rows(batch, 1, audit_rates={"slang": 0.5})
        assert deployment.verify().difference is None
    with Deployment(tmp_path / "new") as deployment:  # the rates are part of what is kept
        deployment.decide("next", prediction="no", confidence=0.9, group="slang", at=2)
        assert [event.numbers for event in deployment.events if event.kind == "audit_rates"] == [
            {"slang": 0.5}, {"slang": 0.2}
        ]  # fmt: skip
        assert deployment.verify().difference is None


def test_a_network_drive_is_refused(folder, monkeypatch):
    monkeypatch.setattr(sqlite, "file_system", lambda _: "nfs4")
    with pytest.raises(StoreError, match=r"lies on a network drive.*postgresql://HOST"):
        Deployment(folder)


@pytest.mark.parametrize("address", ["mysql://me@db/posts", "s3://posts"])
def test_an_address_is_no_folder(address, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for policy in ({}, {"policy": document(), "secret": SECRET}):
        with pytest.raises(InputError, match=r"in ':memory:' or at postgresql://\.\.\."):
            Deployment(address, **policy)
    assert list(tmp_path.iterdir()) == []


def test_the_kind_of_a_file_system_is_that_of_the_nearest_mount(tmp_path):
    assert sqlite.file_system(tmp_path) not in sqlite._REMOTE
    assert sqlite.file_system(tmp_path / "proc") == sqlite.file_system(tmp_path)


def test_two_versions_of_the_program_on_one_folder(folder):
    with Deployment(folder) as running:
        running.decide("a", prediction="no", confidence=0.9, at=LATER)
        change(folder, "UPDATE meta SET format = ?", FORMAT + 1)  # a newer one is started beside it
        with pytest.raises(
            StoreError, match=rf"of format {FORMAT + 1}, this program knows {FORMAT}"
        ):
            running.decide("b", prediction="no", confidence=0.9, at=LATER)
    change(folder, "UPDATE meta SET format = ?", FORMAT)
    assert verified(folder).difference is None


def test_whoever_holds_the_lock_too_long_is_named(folder, monkeypatch):
    monkeypatch.setattr(sqlite, "_PATIENCE", 0.1)
    with Deployment(folder) as deployment:
        deployment.decide("a", prediction="no", confidence=0.9, at=LATER)
        holder = sqlite3.connect(folder / "state.sqlite", isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        with pytest.raises(
            StoreError, match=r"locked for 0.1 seconds, last by process \d+ on \S+:"
        ):
            deployment.decide("b", prediction="no", confidence=0.9, at=LATER)
        holder.execute("ROLLBACK")
        holder.close()
        assert (
            deployment.decide("b", prediction="no", confidence=0.9, at=LATER).seq == 12 * SIZE + 1
        )


@pytest.mark.parametrize("days", [9, pytest.param(365, marks=pytest.mark.soak)])
def test_a_year_of_batches_is_two_files_a_day_and_each_call_is_quick(tmp_path, days):
    """A batch each four hours: at the end of the year as quick as at its beginning, and at most 2,000 files."""
    c, _, _ = cases(3000, 3)
    Deployment(tmp_path / "posts", document(), secret=SECRET).close()
    longest = 0.0
    for hour in range(0, 24 * days, 4):
        keys = [f"{hour}-{i}" for i in range(5)]
        begin = time.process_time()
        with Deployment(tmp_path / "posts") as deployment:
            deployment.decide(
                keys, prediction="no", confidence=c[5 * hour % 2995 :][:5], at=hour * HOUR
            )
            wanted = deployment.wanted_keys()
            deployment.label(wanted, [True] * len(wanted), at=hour * HOUR)
        longest = max(longest, time.process_time() - begin)
    assert longest < 1
    files = [path for path in (tmp_path / "posts").rglob("*") if path.is_file()]
    assert 2 * (days - 1) <= len(files) <= 2 * days + 8 <= 2000


def test_a_clock_of_1970_stops_nothing(folder):
    with Deployment(folder) as deployment:
        deployment.decide("early", prediction="no", confidence=0.9, at=0)
        row = deployment.decisions().row(-1, named=True)
        assert row["clock_back"] > 0
        assert row["at"] == deployment.labels()["labelled_at"].max()
        assert deployment.troubles().clock_back == 1
        assert deployment.verify().difference is None


@pytest.mark.soak  # its short sibling, of parts of 200, stands in test_service.py
def test_a_batch_of_ten_millions_is_decided_part_by_part(tmp_path):
    n = 10_000_000
    c, _, _ = cases(3000, 3)
    with Deployment(tmp_path / "posts", document(), secret=SECRET) as deployment:
        made = deployment.decide(
            [f"k{i}" for i in range(n)], prediction="no", confidence=np.resize(c, n)
        )
        assert made.seq[-1] - made.seq[0] == n - 1
        assert deployment.watch().decided == n + deployment.document.state.decided
