"""A deployment as a service: threads, processes, kills; nothing acknowledged is lost, nothing happens twice."""

from __future__ import annotations

import contextlib
import importlib
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from askpoint.errors import AskpointError, InputError, RuleError, StoreError
from askpoint.live.batches import DecisionBatch
from askpoint.live.documents import state_to_dict
from askpoint.live.policy import Policy
from askpoint.records.stores import deployment as module
from askpoint.records.stores.commit_queue import CommitJob, CommitQueue
from askpoint.records.stores.deployment import Deployment
from askpoint.records.stores.postgres_addresses import read_address
from live.replays import replay_blocks
from live.worlds import cases
from records.posts import SECRET, TERMS, document

C, WRONG, _ = cases(3000, 3)


@pytest.fixture(params=["folder", "postgres"])
def place(request, tmp_path):
    """Where a deployment may be that other processes share."""
    if request.param == "postgres":
        return request.getfixturevalue("postgres_address")
    return tmp_path / "posts"


@pytest.fixture(params=["folder", "memory", "postgres"])
def service(request, tmp_path):
    where = {"folder": tmp_path / "posts", "memory": ":memory:"}.get(request.param)
    where = where or request.getfixturevalue("postgres_address")
    with Deployment(where, document(), secret=SECRET) as deployment:
        yield deployment


def same_as_its_replay(deployment):
    """State and events are those to which the receipts lead, bit for bit; a stranger finds no difference."""
    replay = replay_blocks(deployment.document, deployment.blocks())
    assert state_to_dict(deployment.policy.state) == state_to_dict(replay.state)
    assert deployment.events == replay.events
    assert deployment.verify().difference is None
    seqs = deployment.decisions()["seq"].to_list()
    assert seqs == list(range(len(seqs)))


def in_threads(n, work):
    """Run it n times at once; what went wrong goes on."""
    wrong = []

    def call(thread):
        try:
            work(thread)
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=call, args=(thread,)) for thread in range(n)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_forty_threads_are_one_life(service):
    given, refused = {}, []

    def work(thread):
        for i in range(25):
            key, c = f"{thread}-{i}", float(C[(25 * thread + i) % 3000])
            made = service.decide(key, prediction="no", confidence=c, content=key)
            given[key] = made
            assert service.decide(key, prediction="no", confidence=c, content=key) == made
            if i % 5 == 0:  # another thread's case, a bad line, a label, each beside good ones
                shared = service.decide(f"shared-{i}", prediction="no", confidence=0.8)
                given.setdefault(f"shared-{i}", shared)
                assert given[f"shared-{i}"] == shared
                with pytest.raises(RuleError, match="was decided with other content"):
                    service.decide(key, prediction="no", confidence=c / 2, content=key)
                with pytest.raises(InputError):
                    service.decide(f"bad-{key}", prediction="maybe", confidence=c)
                refused.append(key)
                if made.action == "ask" or made.audit:
                    assert service.label(key, bool(i % 2), by="Bob").counted == 1
                    assert service.label(key, True, by="Eve").counted == 0

    in_threads(40, work)
    frame = service.decisions()
    assert len(given) == 40 * 25 + 5 == len(frame)
    assert len(refused) == 200
    rows = zip(frame["key"], frame["seq"], frame["action"], frame["audit"], strict=True)
    assert {key: row for key, *row in rows} == {
        key: [made.seq, made.action, made.audit] for key, made in given.items()
    }
    same_as_its_replay(service)


def test_one_and_many_say_the_same(service):
    one = [service.decide(f"k{i}", prediction="no", confidence=float(C[i])) for i in range(200)]
    with Deployment(":memory:", document(), secret=SECRET) as other:
        many = other.decide([f"k{i}" for i in range(200)], prediction="no", confidence=C[:200])
        assert [made.action for made in one] == many.action.tolist()
        assert [made.answer for made in one] == many.answer.tolist()
        for name in ("audit", "propensity", "episode", "seq"):
            assert [getattr(made, name) for made in one] == getattr(many, name).tolist()
        again = other.decide(
            [f"k{i}" for i in range(200)], prediction=["no"] * 200, confidence=C[:200].tolist()
        )
        assert (again.action == many.action).all()
        p = np.column_stack([C[200:300], 1 - C[200:300]])
        made = other.decide([f"p{i}" for i in range(100)], probabilities=p)
        frame = other.decisions().tail(100)
        assert set(frame["prediction"]) == {"no"}
        assert frame["confidence"].to_list() == C[200:300].tolist()
        assert made.seq.tolist() == list(range(200, 300))
    assert other.name == ":memory:"


def test_what_cannot_be_asked(service):
    for given, message in [
        ({}, "give how sure the model is, once"),
        ({"confidence": 0.9, "probabilities": [0.9, 0.1]}, "give how sure the model is, once"),
        ({"probabilities": [0.9, 0.05, 0.05]}, "one column for each class"),
        ({"probabilities": [0.9, 0.1], "prediction": "no"}, "the prediction follows"),
        ({"confidence": "sure"}, "confidence must be a number"),
        ({"confidence": [0.9, 0.8]}, "confidence must be a number"),
        ({"confidence": 0.9, "rollout": 0}, "the rollout must be above 0"),
        ({"confidence": 0.9, "at": -1}, "a moment must be between 1970 and 9999"),
        ({"confidence": 0.9, "at": 10**18}, "a moment must be between 1970 and 9999"),
        ({"probabilities": [0.9, 0.8]}, "must sum to 1"),
        ({"probabilities": [9, -8]}, "must be between 0 and 1"),
        ({"confidence": 95.0}, "'x' has the confidence 95, and max_probability takes 0 to 1; 95 looks like percent: divide it by 100"),
        ({"confidence": -0.1}, "'x' has the confidence -0.1"),
    ]:  # fmt: skip
        with pytest.raises(InputError, match=message):
            service.decide("x", **given)
    with pytest.raises(InputError, match="give one confidence for each of 2 cases"):
        service.decide(["x", "y"], confidence=[0.9])
    with pytest.raises(InputError, match="give one group for each of 2 cases; got 1"):
        service.decide(["x", "y"], confidence=[0.9, 0.8], group=["a"])
    with pytest.raises(InputError, match="give one label for each case; got 1 for 2 keys"):
        service.label(["x", "y"], [True])
    assert service.watch().decided == 0
    held = service.decide("x", confidence=0.9, prediction="no", rollout=1e-12)
    assert (held.action, held.seq) == ("hold", -1)


def test_scores_of_a_log_beyond_one_are_taken_as_they_are():
    score = np.linspace(-8, 8, 400)
    scores = Policy.from_log(score, score > -2, TERMS, secret=SECRET).document
    with Deployment(":memory:", scores, secret=SECRET) as deployment:
        assert deployment.decide("x", confidence=95.0).action == "answer"


def test_what_is_wrong_of_three_classes_is_no_label():
    c, wrong, _ = cases(600)
    model = {"version": "3", "classes": ["no", "yes", "maybe"]}
    three = Policy.from_log(c, ~wrong, TERMS, secret=SECRET, model=model).document
    with Deployment(":memory:", three, secret=SECRET) as deployment:
        made = deployment.decide("x", prediction="no", confidence=0.0)
        assert made.action == "ask"
        with pytest.raises(
            InputError, match=r"'no' is wrong, .* say which of 'no', 'yes', 'maybe'"
        ):
            deployment.label("x", False)
        assert deployment.label("x", "maybe").counted == 1
        assert deployment.labels()["label"].to_list() == ["maybe"]


def test_days_that_cannot_be_written_take_no_decision_with_them(tmp_path, monkeypatch, caplog):
    day = 86_400_000_000

    def fail(*_):
        raise OSError("no space left on device")

    with Deployment(tmp_path / "posts", document(), secret=SECRET) as deployment:
        deployment.decide("old", prediction="no", confidence=0.9, at=9 * day)
        with monkeypatch.context() as broken:
            broken.setattr(deployment._archive, "write_day", fail)
            made = deployment.decide("new", prediction="no", confidence=0.9, at=12 * day)
        assert made.seq == 1
        assert "no space left on device" in caplog.text
        assert deployment.decide("new", prediction="no", confidence=0.9) == made
        deployment.decide("later", prediction="no", confidence=0.9, at=14 * day)
        assert len(list((tmp_path / "posts").rglob("*.parquet"))) > 0
        same_as_its_replay(deployment)


def test_a_large_batch_is_decided_part_by_part(service, monkeypatch):
    monkeypatch.setattr(module, "_PART", 100)
    keys = [f"k{i}" for i in range(450)]
    with Deployment(":memory:", document(), secret=SECRET) as other:
        one = other.decide_rows(DecisionBatch(keys, ["no"] * 450, C[:450].tolist(), None, "3"))
    made = service.decide(keys, prediction="no", confidence=C[:450], content=keys, group="de")
    assert made.seq.tolist() == list(range(450))
    assert made.action.tolist() == [row.action for row in one.rows]
    assert service.decide(keys, prediction="no", confidence=C[:450], content=keys, group="de").seq[
        -1
    ] == 449  # fmt: skip
    more = [f"m{i}" for i in range(250)]
    for bad, error in [
        ({"confidence": [*C[:249], np.nan]}, "case 'm249': confidence must be a number$"),
        ({"keys": [*more[:249], "k" * 10_001]}, "a key has at most 10,000 characters; got 10,001"),
        ({"prediction": ["no"] * 249 + ["maybe"]}, "predicts 'maybe'"),
    ]:  # what can be seen beforehand is
        given = {"keys": more, "prediction": "no", "confidence": C[:250], **bad}
        with pytest.raises(InputError, match=error):
            service.decide(given.pop("keys"), **given)
    assert service.watch().decided == 450
    with pytest.raises(
        RuleError, match=r"other content.*; the 200 cases before this part"
    ) as refusal:
        service.decide([*more[:249], "k0"], prediction="yes", confidence=C[:250])
    assert refusal.value.rule == "other-content"
    assert service.watch().decided == 650
    assert service.decide(more, prediction="yes", confidence=C[:250]).seq[-1] == 699
    same_as_its_replay(service)


def test_a_label_before_its_decision_changes_nothing_and_counts_when_it_is_sent_again(service):
    service.decide("a", prediction="no", confidence=0.5)
    size = service.head().size
    for keys in ("b", ["a", "b"]):  # none of a batch counts that names such a case
        with pytest.raises(RuleError, match="never decided, the first 'b'") as refusal:
            service.label(keys, True if keys == "b" else [True, True], by="Ada")
        assert refusal.value.rule == "unknown-key"
    assert service.head().size == size
    assert service.decide("b", prediction="no", confidence=0.5).action == "ask"
    assert service.label(["a", "b"], [True, True], by="Ada").counted == 2
    same_as_its_replay(service)


def test_what_no_store_can_write_stops_no_neighbour(service):
    service.decide(["a", "b"], prediction="no", confidence=[0.5, 0.5])
    for given in ({"by": "x\0y"}, {"by": "\ud800"}, {"source": "gold", "truth": "\0"}):
        with pytest.raises(InputError, match=r"judge or truth .* cannot be written as UTF-8"):
            service.label("a", True, **given)
    service.bury("a line\0 with \ud800", "and an error\0")
    assert service.dead()["line"].to_list() == ["a line\ufffd with ?"]
    service.drop_dead(service.dead()["n"].to_list())
    assert service.troubles().dead == 0


def test_a_second_object_on_one_place_is_seen_by_the_first(place):
    with Deployment(place, document(), secret=SECRET) as one, Deployment(place) as two:
        for i in range(300):
            (one if i % 3 else two).decide(f"k{i}", prediction="no", confidence=float(C[i]))
            if i % 10 == 0:
                (two if i % 3 else one).label(f"k{i}", True)
        assert one.watch() == two.watch()
        same_as_its_replay(one)


def writers(place, names, threads, n):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "records.killed_writer", str(place)]
    return [
        subprocess.Popen(
            [*command, name, str(threads), str(n)],
            env=environment, stdout=subprocess.PIPE, text=True,
        )
        for name in names
    ]  # fmt: skip


def promises(texts):
    """What callers were told, by key; and whose labels count."""
    given, labelled = {}, set()
    for text in texts:
        for line in text.split("\n")[:-1]:  # the last may be half a line
            words = line.split(" ")
            if words[0] == "label":
                labelled.add(words[1])
            else:
                given[words[0]] = (int(words[1]), words[2], words[3] == "True")
    return given, labelled


def kept(place):
    with Deployment(place) as deployment:
        same_as_its_replay(deployment)
        frame, labels = deployment.decisions(), deployment.labels()
    rows = zip(frame["key"], frame["seq"], frame["action"], frame["audit"], strict=True)
    return {key: tuple(row) for key, *row in rows}, set(labels["key"])


def test_whoever_waited_for_another_writer_has_a_clock_that_goes_on(place, monkeypatch):
    with Deployment(place, document(), secret=SECRET) as one, Deployment(place) as other:
        writing = one._database.writing

        def behind_another():
            other.decide("first", prediction="no", confidence=0.9)
            return writing()

        monkeypatch.setattr(one._database, "writing", behind_another)
        one.decide("second", prediction="no", confidence=0.9)
        assert one.troubles().clock_back == 0
        frame = one.decisions()
        assert frame["key"].to_list() == ["first", "second"]
        assert frame["at"].is_sorted()
        same_as_its_replay(one)


@pytest.mark.parametrize(
    ("processes", "threads", "n"),
    [
        pytest.param(4, 5, 15, marks=pytest.mark.whole),
        pytest.param(8, 40, 50, marks=pytest.mark.soak),
    ],
)
def test_processes_share_a_deployment(place, processes, threads, n):
    Deployment(place, document(), secret=SECRET).close()
    running = writers(place, [f"p{i}" for i in range(processes)], threads, n)
    given, labelled = promises([process.communicate()[0] for process in running])
    assert len(given) == processes * threads * n
    found, labels = kept(place)
    assert found == given
    assert labels == labelled


@pytest.mark.parametrize(
    "kills", [pytest.param(2, marks=pytest.mark.whole), pytest.param(60, marks=pytest.mark.soak)]
)
def test_kill_9_loses_nothing_that_was_given_away(place, kills):
    Deployment(place, document(), secret=SECRET).close()
    rng, texts = np.random.default_rng(kills), []
    for kill in range(kills):
        running = writers(place, [f"a{kill}", f"b{kill}"], 4, 1000)
        first = [process.stdout.readline() for process in running]  # both decide by now
        time.sleep(float(rng.uniform(0, 0.3)))
        for process in running:
            os.kill(process.pid, signal.SIGKILL)
        texts += [
            line + process.communicate()[0] for line, process in zip(first, running, strict=True)
        ]
        found, labels = kept(place)
        given, labelled = promises(texts)
        assert len(given) >= 2 * (kill + 1)
        assert {key: found.get(key) for key in given} == given
        assert labelled <= labels
        assert len(found) - len(given) <= 8 * (kill + 1)  # what was on its way


@pytest.mark.soak
def test_eight_processes_of_forty_threads_are_killed_at_200_points(place, tmp_path):
    """One of eight is killed at a time and another comes; at the end all. Nothing acknowledged is lost or twice."""
    Deployment(place, document(), secret=SECRET).close()
    rng, files = np.random.default_rng(8), []
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}

    def start():
        files.append(tmp_path / f"said-{len(files)}")
        command = [
            sys.executable,
            "-m",
            "records.killed_writer",
            str(place),
            f"p{len(files)}",
            "40",
            "100000",
        ]
        with files[-1].open("w") as file:
            return subprocess.Popen(command, env=environment, stdout=file)

    running = [start() for _ in range(8)]
    for kill in range(200):
        time.sleep(float(rng.uniform(0.2, 1.5)))
        place_of = int(rng.integers(8))
        running[place_of].send_signal(signal.SIGKILL)
        running[place_of].wait()
        running[place_of] = start()
        if kill % 50 == 49:
            with Deployment(place) as deployment:  # beside seven that write
                assert deployment.verify().difference is None
    for process in running:
        process.kill()
        process.wait()
    given, labelled = promises([file.read_text() for file in files])
    found, labels = kept(place)
    assert len(given) > 2000
    assert {key: found.get(key) for key in given} == given
    assert labelled <= labels
    assert len(found) - len(given) <= 40 * len(files)


def test_after_a_fork_each_process_has_its_own_connection(place):
    if not hasattr(os, "fork"):
        pytest.skip("this system does not fork")
    with Deployment(place, document(), secret=SECRET) as deployment:
        deployment.decide("before", prediction="no", confidence=0.9)
        child = os.fork()
        if not child:
            code = 1
            with contextlib.suppress(BaseException):
                deployment.decide("child", prediction="no", confidence=0.9)
                code = 0
            os._exit(code)
        assert os.waitpid(child, 0)[1] == 0
        assert deployment.decide("parent", prediction="no", confidence=0.9).seq == 2
        same_as_its_replay(deployment)


def until_full(deployment, done):
    """Decide until the disk is full; return what was said then."""
    for i in range(3000):
        try:
            deployment.decide(f"k{i}", prediction="no", confidence=float(C[i]), content="x" * 500)
        except StoreError as error:
            return error
        done.append(f"k{i}")
    return None


def test_a_full_disk_loses_nothing(tmp_path):
    with Deployment(tmp_path / "posts", document(), secret=SECRET) as deployment:
        deployment.decide("first", prediction="no", confidence=0.9)
        connection = deployment._database._connection
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages + 20}")
        done = ["first"]
        error = until_full(deployment, done)
        assert re.match(r"the disk is full: this batch was NOT decided.* MB would do", str(error))
        assert len(done) > 20
        assert deployment.decisions()["key"].to_list() == done
        assert deployment.watch().decided == len(done)
        assert deployment.verify().difference is None
        assert deployment.decide("first", prediction="no", confidence=0.9).seq == 0
        connection.execute("PRAGMA max_page_count = 1000000")
        again = deployment.decide(
            f"k{len(done) - 1}",
            prediction="no",
            confidence=float(C[len(done) - 1]),
            content="x" * 500,
        )
        assert again.seq == len(done)
        same_as_its_replay(deployment)


def test_a_full_disk_loses_nothing_on_a_real_one(tmp_path):
    mounted = tmp_path / "disk"
    mounted.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(mounted)]
    try:
        done = subprocess.run(mount, capture_output=True, check=False).returncode
    except OSError:
        done = 1
    if done:
        pytest.skip("only root mounts a small disk")
    try:
        with Deployment(mounted / "posts", document(), secret=SECRET) as deployment:
            given = []
            error = until_full(deployment, given)
            assert "the disk is full: this batch was NOT decided" in str(error)
            assert len(given) > 20
            assert deployment.watch().decided == len(given)
        with Deployment(mounted / "posts") as deployment:  # another process only looks
            assert deployment.decisions()["key"].to_list() == given
            assert deployment.verify().difference is None
    finally:
        subprocess.run(["umount", "-l", str(mounted)], check=True)


def test_a_queue_gives_each_job_its_own_end():
    done = []

    def commit(jobs):
        done.append([job.size for job in jobs])
        for job in jobs:
            job.result = job.size
            if job.size == 13:
                job.error = InputError("unlucky")
        if 666 in done[-1]:
            raise StoreError("gone")

    queue = CommitQueue(commit)
    assert queue.do(CommitJob(7)) == 7
    with pytest.raises(InputError, match="unlucky"):
        queue.do(CommitJob(13))
    with pytest.raises(StoreError, match="gone"):
        queue.do(CommitJob(666))
    assert queue.do(CommitJob(8)) == 8
    assert done == [[7], [13], [666], [8]]


def test_who_waits_while_a_commit_is_interrupted_hears_that_nothing_was_decided():
    begun, go = threading.Event(), threading.Event()
    ends = []

    def commit(jobs):
        if jobs[0].size == 1:
            begun.set()
            go.wait(10)
        elif len(jobs) > 1:
            raise KeyboardInterrupt

    queue = CommitQueue(commit)

    def call(size):
        try:
            ends.append(queue.do(CommitJob(size)))
        except (KeyboardInterrupt, AskpointError) as error:
            ends.append(error)

    threads = [threading.Thread(target=call, args=(size,)) for size in (1, 2, 3)]
    threads[0].start()
    assert begun.wait(10)
    for thread in threads[1:]:
        thread.start()
    while len(queue._waiting) < 2:
        time.sleep(0.01)
    go.set()
    for thread in threads:
        thread.join()
    kinds = sorted(type(end).__name__ for end in ends)
    assert kinds == ["KeyboardInterrupt", "NoneType", "StoreError"]


class Interrupted(CommitJob):
    """One whose thread gets a Ctrl-C while it waits."""

    def __init__(self, size, when):
        super().__init__(size)
        self._woken, self._when, self.woken = self.woken, when, self

    def acquire(self):
        if self._when == "woken":
            assert self._woken.acquire(timeout=10)
        raise KeyboardInterrupt

    def release(self):
        self._woken.release()


@pytest.mark.parametrize(
    ("place", "when", "expected"),
    [
        (0, "asleep", [1, 2, 4]),
        (1, "asleep", [1, 2, 4]),
        (0, "woken", [1, 2, 4]),  # it was to lead
        (1, "woken", [1, 2, 3, 4]),  # it was done already
    ],
)
def test_who_goes_while_waiting_keeps_nobody(place, when, expected):
    begun, go, done, ends = threading.Event(), threading.Event(), [], []

    def commit(jobs):
        begun.set()
        assert go.wait(10)
        done.extend(job.size for job in jobs)

    queue = CommitQueue(commit)
    jobs = [CommitJob(1), CommitJob(2), CommitJob(4)]
    jobs.insert(1 + place, Interrupted(3, when))

    def call(job):
        try:
            ends.append(queue.do(job))
        except KeyboardInterrupt:
            ends.append("gone")

    threads = []
    for i, job in enumerate(jobs):  # in their order; the first leads
        threads.append(threading.Thread(target=call, args=(job,)))
        threads[-1].start()
        is_gone = isinstance(job, Interrupted) and when == "asleep"
        while i and not is_gone and job not in queue._waiting:
            time.sleep(0.001)
        assert begun.wait(10)
    if when == "asleep":
        threads[1 + place].join(10)
    go.set()
    for thread in threads:
        thread.join(10)
        assert not thread.is_alive()
    assert done == expected
    assert ends.count("gone") == 1
    assert queue.do(CommitJob(5)) is None


def test_whoever_is_interrupted_before_its_turn_leaves_the_queue_to_others():
    queue = CommitQueue(len)

    class Broken:
        def __enter__(self):
            raise KeyboardInterrupt

        def __exit__(self, *_):
            """Never entered."""

    turn, queue.turn = queue.turn, Broken()
    with pytest.raises(KeyboardInterrupt):
        queue.do(CommitJob(1))
    queue.turn = turn
    assert queue.do(CommitJob(2)) is None


def page_code(heading):
    """The code of a section of the page about a policy in use, as it stands there."""
    text = (Path(__file__).parents[2] / "docs" / "how-to" / "service.md").read_text("utf-8")
    section = text.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    blocks = [block.split("```")[0] for block in section.split("```python\n")[1:]]
    lines = [line for block in blocks for line in block.splitlines()]
    code = [line[4:] for line in lines if line.startswith((">>> ", "... "))]
    return "\n".join(code)


@pytest.mark.filterwarnings("ignore:Using `httpx` with")  # the test client's, not ours
@pytest.mark.whole
def test_the_fastapi_service_of_the_page_counts_every_request(place, tmp_path, monkeypatch):
    from fastapi.testclient import TestClient

    text = (Path(__file__).parents[2] / "docs" / "how-to" / "service.md").read_text("utf-8")
    code = text.split("```{code-block} python\n# service.py\n")[1].split("```")[0]
    Deployment(place, document(), secret=SECRET).close()
    (tmp_path / "service_of_the_page.py").write_text(code, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("DEPLOYMENT", str(place))
    monkeypatch.delitem(sys.modules, "service_of_the_page", raising=False)
    web = TestClient(importlib.import_module("service_of_the_page").app)
    given = {}

    def client(number):
        for i in range(25):
            key, c = f"{number}-{i}", float(C[25 * number + i])
            case = {"key": key, "prediction": "no", "confidence": c, "content": f"post {key}"}
            answer = web.post("/decide", json=case)
            assert answer.status_code == 200, answer.text
            assert web.post("/decide", json=case).json() == answer.json()
            given[key] = answer.json()
            if given[key]["action"] == "ask" and i % 5 == 0:
                said = web.post("/label", json={"key": key, "label": "no", "by": "Ada"})
                assert said.json()["counted"] == 1

    in_threads(8, client)
    wrong = web.post("/decide", json={"key": "x", "prediction": "maybe", "confidence": 0.9})
    assert wrong.status_code == 422
    assert "'maybe', which is not among" in wrong.json()["error"]
    assert web.get("/status").json()["decided"] == 200
    with Deployment(place) as again:
        frame = again.decisions()
        rows = zip(frame["key"], frame["action"], frame["audit"], strict=True)
        assert {key: {"action": action, "audit": audit} for key, action, audit in rows} == given
        same_as_its_replay(again)
    if "://" in str(place):
        psycopg = pytest.importorskip("psycopg")
        monkeypatch.setattr("askpoint.records.stores.postgres._PATIENCE", 0.3)
        found = read_address(str(place))
        with psycopg.connect(found.conninfo) as holder:
            holder.execute("SELECT pg_advisory_xact_lock(%s)", (found.lock,))
            late = web.post("/decide", json={"key": "y", "prediction": "no", "confidence": 0.9})
        assert late.status_code == 503
        assert "nothing was decided" in late.json()["error"]


@pytest.mark.whole
def test_the_example_of_the_page_counts_every_request(place, tmp_path):
    code, _, _ = page_code("A queue, or a notebook").partition("cases = [")
    here = f"place = {str(place)!r}"
    code, found = re.subn(r"^place = home.*$", lambda _: here, code, flags=re.MULTILINE)
    assert found == 1
    names = {"home": tmp_path}
    exec(code, names)  # noqa: S102  # the page, word for word
    decide, service, X = names["decide"], names["service"], names["X"]
    n = 500 if "://" not in str(place) else 100  # of each of eight clients

    def client(number):
        for i in range(n):
            case = {"key": f"case-{number}-{i}", "x": X[(n * number + i) % len(X)]}
            made = decide(case)
            assert made["key"] == case["key"]
            if i % 50 == 0:
                names["label"]({"key": case["key"], "label": "1", "by": "Ada"})

    in_threads(8, client)
    status = service.watch()
    assert status.decided == 8 * n == status.answered + status.asked
    assert service.decisions()["seq"].to_list() == list(range(8 * n))
    same_as_its_replay(service)
    service.close()
    with Deployment(place) as again:
        assert again.watch() == status
