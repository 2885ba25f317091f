"""Days in a store of objects, by the protocol of S3: nothing is written over, and a difference is named."""

from __future__ import annotations

import io
import sys
import threading

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from askpoint.errors import InputError, LogError, StoreError
from askpoint.live.heads import Head
from askpoint.records.object_folder import ObjectFolder
from askpoint.records.stores.deployment import Deployment
from cli.conftest import Shell
from records.object_server import objects  # noqa: F401
from records.posts import SECRET, SIZE, batch_of, document, one_day


@pytest.fixture(scope="module")
def lived(tmp_path_factory):
    folder = tmp_path_factory.mktemp("archived") / "posts"
    Deployment(folder, document(), secret=SECRET).close()
    for day in range(3):
        one_day(folder, day, content=True)
    return folder


def table(folder, name):
    return pl.read_parquet(io.BytesIO(folder.read(name)))


def test_each_day_that_is_over_is_written_once(lived, objects):  # noqa: F811
    address = f"{objects}/posts"
    folder = ObjectFolder(address)
    with Deployment(lived) as deployment:
        made, head = deployment.archive_to(address)
        assert (made.days, made.written, made.compared) == (4, 4, 0)
        again, same = deployment.archive_to(f"{address}/", check=True)
        assert (again.days, again.written, again.compared) == (4, 0, 4)
        assert same == head
        names = sorted(folder.names())
        assert names == [
            "decisions/1970-01-01.parquet", "decisions/1970-01-02.parquet", f"heads/{head.size:012}.json",
            "labels/1970-01-01.parquet", "labels/1970-01-02.parquet", "policy.json",
        ]  # fmt: skip
        assert Head.from_json(folder.read(names[2]).decode()) == head
        decisions = pl.concat([table(folder, name) for name in names[:2]])
        assert "content" not in decisions.columns
        assert_frame_equal(decisions, deployment.decisions().drop("content")[: 2 * SIZE])
        labels = pl.concat([table(folder, name) for name in names[3:5]])
        assert_frame_equal(labels, deployment.labels()[: len(labels)])
        assert deployment.verify(head=head).difference is None


def test_an_archive_that_was_changed_is_named(lived, objects):  # noqa: F811
    import obstore

    address = f"{objects}/changed"
    with Deployment(lived) as deployment:
        deployment.archive_to(address)
        folder = ObjectFolder(address)
        name = "decisions/1970-01-02.parquet"
        frame = table(folder, name).with_columns(confidence=pl.col("confidence") / 2)
        buffer = io.BytesIO()
        frame.write_parquet(buffer)
        for data in (buffer.getvalue(), b"PAR1 and no table"):
            obstore.put(folder._store, name, data)
            with pytest.raises(
                LogError, match=r"decisions/1970-01-02\.parquet is not what the deployment holds"
            ):
                deployment.archive_to(address, check=True)


def test_of_two_that_write_one_is_first(objects):  # noqa: F811
    folder, done = ObjectFolder(f"{objects}/race"), []

    def write(i):
        done.append(folder.write_new("policy.json", str(i).encode()))

    threads = [threading.Thread(target=write, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(done) == [False] * 7 + [True]


def test_another_policy_is_refused(lived, objects, tmp_path):  # noqa: F811
    address = f"{objects}/two"
    with Deployment(lived) as deployment:
        deployment.archive_to(address)
        other = Deployment(":memory:", deployment.policy.successor(), secret=SECRET)
        with pytest.raises(InputError, match="holds the archive of another policy"):
            other.archive_to(address)
    with Deployment(tmp_path / "copy", document(), secret=SECRET) as copy:
        (tmp_path / "copy" / "signing.key").unlink()
    with Deployment(tmp_path / "copy") as copy:
        assert copy.archive_to(f"{objects}/copy") == ((0, 0, 0), None)


def test_what_is_no_archive(tmp_path, monkeypatch, objects):  # noqa: F811
    for address in ("posts", "http://example.org/x", "s3:/x"):
        with pytest.raises(
            InputError, match="the address of an archive must be s3://, gs://, az:// or file://"
        ):
            ObjectFolder(address)
    with pytest.raises(StoreError, match=r"s3://nobody/x cannot be written"):
        ObjectFolder("s3://nobody").write_new("x", b"")
    with pytest.raises(StoreError, match=r"s3://audit/none cannot be read"):
        ObjectFolder(objects).read("none")
    here = ObjectFolder(f"file://{tmp_path}/there")
    assert [here.write_new("a/b", b"1"), here.write_new("a/b", b"2"), here.read("a/b")] == [
        True,
        False,
        b"1",
    ]
    monkeypatch.setitem(sys.modules, "obstore", None)
    with pytest.raises(InputError, match=r'pip install "askpoint\[archive\]"'):
        ObjectFolder(objects)


def test_commands_archive_and_decide_from_there(lived, objects, tmp_path):  # noqa: F811
    shell = Shell(tmp_path)
    said = shell.said("archive", lived, f"{objects}/cli")
    assert said.startswith(f"4 files of days are in {objects}/cli, 4 of them new. The head of ")
    assert "0 of them new; 4 compared, no difference." in shell.said(
        "archive", lived, f"{objects}/cli", "--check"
    )
    batch = batch_of(9)
    frame = pl.DataFrame(
        {
            "key": batch.key,
            "prediction": batch.prediction,
            "confidence": batch.confidence,
            "model_version": "3",
        }
    )
    buffer = io.BytesIO()
    frame.write_parquet(buffer)
    ObjectFolder(objects).write_new("batch.parquet", buffer.getvalue())
    Deployment(tmp_path / "posts", document(), secret=SECRET).close()
    said = shell.said("decide", tmp_path / "posts", f"{objects}/batch.parquet")
    assert said.startswith(f"{SIZE} cases:")
    assert shell.refusal("archive", tmp_path / "posts", "elsewhere").startswith(
        "the address of an archive must be"
    )
