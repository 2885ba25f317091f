"""The folder of a deployment: stop anywhere, change anything, and ask a stranger."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import threading
import types
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from askpoint.errors import AskpointError, InputError, LogError
from askpoint.live.batches import DecisionBatch, LabelRows
from askpoint.live.events import find_drifted_party
from askpoint.records.deployments import folder_store as deployments, stored_parts
from askpoint.records.deployments.exclusive import alone_in
from askpoint.records.deployments.file_lock import lock_file
from askpoint.records.deployments.folder_store import FolderStore, new_deployment
from askpoint.records.deployments.verification import verify_folder
from live.worlds import cases
from records import killed_writer
from records.posts import SECRET, SIZE, batch_of, copy_of, document, one_day


@pytest.fixture(scope="module")
def lived(tmp_path_factory):
    """A deployment of twelve days."""
    folder = tmp_path_factory.mktemp("live") / "posts"
    new_deployment(folder, document(), SECRET)
    for day in range(12):
        one_day(folder, day, content=True)
    return folder


def test_a_stranger_verifies_it(lived, tmp_path):
    found = verify_folder(lived)
    assert found.difference is None
    assert found.decisions == 12 * SIZE
    assert {"alarm", "budget_spent"} & {event.kind for event in found.replay.events}
    copy = copy_of(lived, tmp_path / "copy")
    (copy / "secret.key").unlink()
    assert verify_folder(copy).difference is None
    assert verify_folder(copy, SECRET).difference is None
    assert verify_folder(copy, b"another secret, long").difference.where == "secret"
    helped = verify_folder(copy, SECRET, helper=True)
    assert helped.difference is None
    assert helped.replay.heads == found.replay.heads
    assert verify_folder(copy, b"another secret, long", helper=True).difference.where == "secret"


def test_anyone_reads_the_files(lived):
    frame = pl.read_parquet(lived / "decisions.parquet")
    assert frame["seq"].to_list() == list(range(12 * SIZE))
    assert set(frame["action"]) == {"answer", "ask"}
    assert (frame.filter(action="ask")["propensity"] == 1).all()
    assert frame["at"].dtype == pl.Datetime("us", "UTC")
    labels = pl.read_parquet(lived / "labels.parquet")
    assert set(labels["source"]) == {"asked", "audit"}
    mode = stat.S_IMODE((lived / "secret.key").stat().st_mode)
    assert mode == 0o600


def test_a_key_decides_once(lived, tmp_path):
    folder = copy_of(lived, tmp_path / "copy")
    before = pl.read_parquet(folder / "decisions.parquet")
    again = FolderStore(folder).decide(batch_of(3, content=True), at=10**6)
    assert_frame_equal(again, before.slice(3 * SIZE, SIZE))
    both = batch_of(3, content=True)
    more = DecisionBatch(["new", *both.key, "new"], ["no", *both.prediction, "no"], [0.9, *both.confidence, 0.9], [None, *both.content, None], "3")  # fmt: skip
    made = FolderStore(folder).decide(more, at=10**6)
    assert made["seq"].to_list() == [12 * SIZE, *range(3 * SIZE, 4 * SIZE), 12 * SIZE]
    assert FolderStore(folder).decide(DecisionBatch([], [], [], None, "3"), at=10**6).is_empty()
    assert verify_folder(folder).difference is None


def test_foreign_files_are_left_alone(lived, tmp_path):
    folder = copy_of(lived, tmp_path / "copy")
    (folder / "decisions.parquet" / "notes.txt").write_text("mine")
    one_day(folder, 12)
    assert (folder / "decisions.parquet" / "notes.txt").read_text() == "mine"
    assert verify_folder(folder).difference is None


def test_contents_can_be_deleted_and_receipts_still_verify(lived, tmp_path):
    folder = copy_of(lived, tmp_path / "copy")
    FolderStore(folder).forget(["k7", "k500"])
    frame = pl.read_parquet(folder / "decisions.parquet")
    gone = frame.filter(pl.col("content").is_null())["key"].to_list()
    assert gone == ["k7", "k500"]
    assert frame["digest"].null_count() == 0
    assert verify_folder(folder).difference is None
    one_day(folder, 12)


class CrashError(Exception):
    """The machine stops here."""


@pytest.mark.parametrize("name", ["fsync", "replace"])
@pytest.mark.parametrize("stop", range(1, 8))
def test_a_crash_at_any_point_loses_nothing_that_was_given_away(
    lived, tmp_path, monkeypatch, name, stop
):
    folder = copy_of(lived, tmp_path / "copy")
    steady = copy_of(lived, tmp_path / "steady")
    one_day(steady, 12)
    real, calls = getattr(os, name), [0]

    def crashing(*args, **options):
        calls[0] += 1
        if calls[0] == stop:
            raise CrashError
        return real(*args, **options)

    monkeypatch.setattr(stored_parts.os, name, crashing)
    try:
        one_day(folder, 12)
    except CrashError:
        monkeypatch.undo()
        one_day(folder, 12)
    monkeypatch.undo()
    assert verify_folder(folder).difference is None
    assert FolderStore(folder).events == FolderStore(steady).events
    assert (folder / "policy.json").read_bytes() == (steady / "policy.json").read_bytes()
    one, two = (pl.read_parquet(f / "decisions.parquet") for f in (folder, steady))
    assert one.equals(two)


@pytest.mark.parametrize("changes", [60, pytest.param(1000, marks=pytest.mark.soak)])
def test_one_changed_byte_is_found_wherever_it_is(lived, tmp_path, changes):
    folder = copy_of(lived, tmp_path / "copy")
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    rng = np.random.default_rng(0)
    for _ in range(changes):
        path = files[rng.integers(len(files))]
        data = path.read_bytes()
        changed = bytearray(data)
        changed[rng.integers(len(data))] ^= 1 << int(rng.integers(0, 8))
        path.write_bytes(changed)
        try:
            found = verify_folder(folder).difference is not None
        except (AskpointError, ValueError):
            found = True
        assert found, path
        path.write_bytes(data)
    assert verify_folder(folder).difference is None


def test_a_part_cut_off_missing_or_twice_is_named(lived, tmp_path):
    folder = copy_of(lived, tmp_path / "copy")
    decisions = sorted((folder / "decisions.parquet").iterdir())
    data = decisions[4].read_bytes()
    decisions[4].write_bytes(data[:-100])
    with pytest.raises(LogError, match=r"part 5 was changed or cut off"):
        verify_folder(folder)
    decisions[4].unlink()
    with pytest.raises(LogError, match=r"part 5 is missing; restore the folder"):
        FolderStore(folder)
    decisions[4].write_bytes(data)
    twin = decisions[4].with_name("part-00000005-" + "0" * 32 + ".parquet")
    twin.write_bytes(data)
    with pytest.raises(LogError, match=r"part 5 is there twice"):
        verify_folder(folder)
    twin.unlink()
    decisions[-1].unlink()
    with pytest.raises(LogError, match=r"the end was cut off"):
        FolderStore(folder)
    with pytest.raises(LogError, match=r"was labelled before it was decided"):
        verify_folder(folder)


def test_a_state_or_events_of_another_story_are_found(lived, tmp_path):
    folder = copy_of(lived, tmp_path / "copy")
    text = (folder / "events.jsonl").read_text()
    (folder / "events.jsonl").write_text(
        text.replace("alarm", "a1arm").replace("budget_spent", "gat3")
    )
    assert verify_folder(folder).difference.where == "events.jsonl"


def test_a_fresh_deployment_is_verified(tmp_path):
    new_deployment(tmp_path / "new", document(), SECRET)
    assert verify_folder(tmp_path / "new").difference is None
    with pytest.raises(InputError, match="holds a policy already"):
        new_deployment(tmp_path / "new", document(), SECRET)
    with pytest.raises(InputError, match="this secret is not the one"):
        new_deployment(tmp_path / "other", document(), b"another secret, long")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"model_version": "4"}, "these cases come from version '4' of the model"),
        ({"prediction": ["maybe"]}, "the batch predicts 'maybe', which is not among the classes"),
        ({"confidence": [float("nan")]}, "the case 'x' has no finite confidence"),
        ({"confidence": []}, "one key, prediction and confidence for each case"),
        (
            {"key": ["k0"]},
            "the key 'k0' was decided with other content: it was 'no' with confidence",
        ),
    ],
)
def test_bad_batches_are_refused(lived, change, message):
    given = {"key": ["x"], "prediction": ["no"], "confidence": [0.9], "model_version": "3"}
    with pytest.raises(InputError, match=message):
        FolderStore(lived).decide(DecisionBatch(**{**given, **change}), at=10**6)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"key": ["nobody"]}, "1 labels name cases that were never decided, the first 'nobody'"),
        ({"label": ["maybe"]}, "the batch labels a case 'maybe', which is not among"),
        ({"source": ["gold"]}, "the label of 'k0' has the source 'gold' and the truth None"),
        ({"truth": ["yes"]}, "gold cases, and no others, come with what is known to be right"),
        ({"source": ["ask"]}, "the label of 'k0' says that it comes from 'ask', but"),
    ],
)
def test_bad_labels_are_refused(lived, change, message):
    given = {"key": ["k0"], "label": ["no"], "judge": ["Bob"], "source": [None]}
    with pytest.raises(InputError, match=message):
        FolderStore(lived).label(LabelRows(**{**given, **change}), at=10**6)


def test_a_clock_that_goes_back_is_refused(lived):
    with pytest.raises(InputError, match=r"the clock went back: this comes 1\S* seconds before"):
        FolderStore(lived).decide(batch_of(13), at=115 - 10**6)


def test_a_second_label_is_kept_and_does_not_count(lived, tmp_path):
    folder = copy_of(lived, tmp_path / "copy")
    told = pl.read_parquet(folder / "labels.parquet").row(0, named=True)
    other = {"yes": "no", "no": "yes"}[told["label"]]
    before = FolderStore(folder).replay.state
    rows = LabelRows([told["key"]], [other], ["Eve"], [None])
    assert FolderStore(folder).label(rows, at=10**6) == 0
    assert FolderStore(folder).replay.state.seen == before.seen
    assert FolderStore(folder).label(LabelRows([], [], [], []), at=10**6) == 0
    assert verify_folder(folder).difference is None
    assert deployments.events_text(FolderStore(folder).events)


def test_golden_items_say_who_drifted_and_are_verified(lived, tmp_path):
    folder = copy_of(lived, tmp_path / "copy")
    before = FolderStore(folder).replay.state
    n = 30
    keys = [f"gold-{i}" for i in range(n)]
    rows = LabelRows(keys, ["no"] * n, ["Bob"] * n, ["gold"] * n, ["yes"] * n)
    for _ in range(2):  # sent again they do not count again
        assert FolderStore(folder).label(rows, at=10**6) == 0
    other = LabelRows(["gold-1", "k0"], ["yes", "no"], ["Eve"] * 2, ["gold"] * 2, ["yes"] * 2)
    FolderStore(folder).label(other, at=10**6)
    again = FolderStore(folder)
    state = again.replay.state
    assert (state.watches["people"].items, state.watches["people"].mistakes) == (n + 2, n + 1)
    assert (state.seen, state.mistakes) == (before.seen, before.mistakes)
    assert find_drifted_party(again.events) == "people"
    assert verify_folder(folder).difference is None
    labels = sorted((folder / "labels.parquet").iterdir())
    frame = pl.read_parquet(labels[-1]).with_columns(truth=pl.lit("no"))
    labels[-1].unlink()
    stored_parts.write_part(folder / "labels.parquet", len(labels), frame)
    assert verify_folder(folder).difference.where == "labels"


def test_a_region_under_suspicion_is_audited_more_and_receipts_replay_it(lived, tmp_path):
    folder = copy_of(lived, tmp_path / "copy")
    batch = batch_of(12)
    group = [("slang", "news", None)[i % 3] for i in range(SIZE)]
    size = 20
    for start in range(0, SIZE, size):
        rows = slice(start, start + size)
        raised = {"slang": 0.7} if start < 100 else {}
        part = DecisionBatch(
            batch.key[rows], batch.prediction[rows], batch.confidence[rows], None, "3", group[rows]
        )
        FolderStore(folder).decide(part, at=10**6 + start, audit_rates=raised)
    frame = pl.read_parquet(folder / "decisions.parquet").tail(SIZE)
    slang = (pl.col("group") == "slang") & (pl.col("seq") < 12 * SIZE + 100)
    assert (frame.filter(slang)["rate"] == 0.7).all()
    assert (frame.filter(~slang | pl.col("group").is_null())["rate"] == 0.2).all()
    found = [event for event in FolderStore(folder).events if event.kind == "audit_rates"]
    assert [event.numbers for event in found] == [{"slang": 0.7}, {"slang": 0.2}]
    assert found[0].seq == 12 * SIZE
    assert verify_folder(folder).difference is None
    with pytest.raises(
        InputError, match=r"the audit rate of 'slang' must be between the agreed 0.2 and 1; got 0.1"
    ):
        FolderStore(folder).decide(batch_of(13), at=2 * 10**6, audit_rates={"slang": 0.1})


def test_a_rate_that_follows_the_draw_is_found(lived, tmp_path):
    folder = copy_of(lived, tmp_path / "copy")
    batch = replace(batch_of(12), group=["slang"] * SIZE)
    made = FolderStore(folder).decide(batch, at=10**6, audit_rates={"slang": 0.7})
    place = int((made["action"] == "answer").arg_max() or 0)
    rates = made["rate"].to_list()
    rates[place] = 0.9  # chosen for one case
    last = max((folder / "decisions.parquet").iterdir())
    last.unlink()
    forged = made.with_columns(rate=pl.Series(rates))
    stored_parts.write_part(folder / "decisions.parquet", 13, forged)
    found = verify_folder(folder).difference
    assert str(found) == (
        f"decisions, at decision {12 * SIZE + place}: rate is 0.9 in the record and 0.7 when "
        "computed again"
    )


def test_rates_in_a_batch_of_several_blocks_replay_bit_for_bit(tmp_path):
    new_deployment(tmp_path / "new", document(), SECRET)
    c, _, _ = cases(2500, 5)
    group = ["slang" if i > 1500 else None for i in range(2500)]
    keys = [f"n{i}" for i in range(2500)]
    batch = DecisionBatch(keys, ["no"] * 2500, c.tolist(), None, "3", group)
    FolderStore(tmp_path / "new").decide(batch, at=1, audit_rates={"slang": 0.5})
    assert verify_folder(tmp_path / "new").difference is None
    (tmp_path / "new" / "state.json").unlink()
    state = FolderStore(tmp_path / "new")
    assert state.replay.rates == {"slang": 0.5}
    assert verify_folder(tmp_path / "new").difference is None


def killed_at(lived, folder, stop):
    """Run the writer in a process of its own until it is killed, and then to its end."""
    copy_of(lived, folder)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "records.killed_writer", str(folder)]
    done = subprocess.run(
        [*command, str(stop)], env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode == 0:
        return done.stdout.split("\n")[:-1]
    assert done.returncode == -signal.SIGKILL, done.stderr
    killed_writer.lived(folder)
    return []


def same_folders(one, two):
    names = ("policy.json", "events.jsonl", "state.json")
    assert all((one / name).read_bytes() == (two / name).read_bytes() for name in names)
    for table in ("decisions.parquet", "labels.parquet"):
        assert pl.read_parquet(one / table).equals(pl.read_parquet(two / table))
        assert sorted(path.name for path in (one / table).iterdir()) == sorted(
            path.name for path in (two / table).iterdir()
        )


@pytest.mark.parametrize("points", [5, pytest.param(100, marks=pytest.mark.soak)])
def test_kill_9_at_any_point_of_writing_changes_nothing(lived, tmp_path, points):
    steady = tmp_path / "steady"
    names = killed_at(lived, steady, 0)
    assert len(names) >= 100
    assert {name.split()[-1] for name in names} == {"open", "write", "fsync", "replace", "unlink"}
    stops = np.linspace(1, len(names), points).round().astype(int)
    for stop in stops.tolist():
        folder = tmp_path / f"killed-{stop}"
        assert killed_at(lived, folder, stop) == []
        same_folders(folder, steady)
    assert verify_folder(folder).difference is None


def test_two_writers_wait_for_each_other(lived, tmp_path):
    folder = copy_of(lived, tmp_path / "copy")
    script = (
        "import sys; from pathlib import Path; from records.killed_writer import alone_in\n"
        "with alone_in(Path(sys.argv[1])): print('mine', flush=True); sys.stdin.read()"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    other = subprocess.Popen(
        [sys.executable, "-c", script, str(folder)],
        env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    assert other.stdout.readline() == b"mine\n"
    got = threading.Event()

    def wait():
        with alone_in(folder):
            got.set()

    waiting = threading.Thread(target=wait)
    waiting.start()
    assert not got.wait(0.3)
    other.communicate()
    assert got.wait(20)
    waiting.join()


def test_where_there_is_no_flock_the_first_byte_is_locked_once_it_is_free(monkeypatch, tmp_path):
    held = iter([True, True, False])
    locked = []

    def locking(file, mode, size):
        if next(held):
            raise PermissionError("held by another process, as Windows says")
        locked.append((file, mode, size))

    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setitem(sys.modules, "msvcrt", types.SimpleNamespace(LK_NBLCK=2, locking=locking))
    with (tmp_path / "lock").open("wb") as file:
        lock_file(file.fileno())
        assert locked == [(file.fileno(), 2, 1)]


def test_what_a_crash_left_half_written_is_dropped(lived, tmp_path):
    folder = copy_of(lived, tmp_path / "copy")
    for name in (
        "state.json",
        "events.jsonl",
        "labels.parquet/part-00000013-" + "0" * 32 + ".parquet",
    ):
        path = folder / name
        path.with_name(f".{path.name}.0123abcd").write_bytes(b"half")
    mine = folder / ".mine"
    mine.write_text("left alone")
    FolderStore(folder)
    assert list(folder.rglob(".*")) == [mine]


def test_a_part_and_its_erased_copy_are_one_after_a_crash(lived, tmp_path):
    folder = copy_of(lived, tmp_path / "copy")
    first = stored_parts.part_files(folder / "decisions.parquet")[0]
    frame = stored_parts.read_part(first)
    blank = pl.when(pl.col("key") == "k7").then(None).otherwise(pl.col("content"))
    erased = frame.with_columns(content=blank)
    copy = stored_parts.write_part(folder / "decisions.parquet", 1, erased)
    FolderStore(folder)
    assert copy.path.exists()
    assert not first.path.exists()
    assert verify_folder(folder).difference is None
    stored_parts.write_part(folder / "decisions.parquet", 1, frame.with_columns(propensity=0.5))
    with pytest.raises(LogError, match=r"part 1 is there twice"):  # no copy of it: another story
        FolderStore(folder)
