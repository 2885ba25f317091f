"""The examples of deciders elsewhere, run: a real broker's protocol, and real executors."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
import threading
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import polars as pl
import pytest

from askpoint.records.stores.deployment import Deployment
from cast import require
from live.worlds import cases
from records.posts import SECRET, document
from records.test_service import same_as_its_replay
from value.test_frames import to_spark

C, _, _ = cases(3000, 3)
EXAMPLES = Path(__file__).parents[2] / "examples" / "elsewhere"


def example(name):
    """Import an example."""
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def brokers():
    """The addresses of three brokers that speak Kafka's protocol on this machine, and a producer to them."""
    require("kafka")
    import confluent_kafka as kafka

    cluster = kafka.Producer({"bootstrap.servers": "mock", "test.mock.num.brokers": 3})
    found = cluster.list_topics(timeout=30).brokers.values()
    yield ",".join(f"{one.host}:{one.port}" for one in found), cluster
    cluster.flush()


def decide_until_all_are_told(deciders, brokers, n_keys, n_errors):
    """Let deciders work, each in a thread, until each key and each error stands on their topic; return all that stands there.

    Kafka brings a message again whose offset was not committed because the group was divided anew, so neither the steps
    nor the lines can be counted.
    """
    from confluent_kafka import Consumer

    consumer = Consumer(
        {"bootstrap.servers": brokers, "group.id": "test", "auto.offset.reset": "earliest"}
    )
    consumer.subscribe(["decisions"])
    told, keys, errors = [], set(), set()

    def read(seconds):
        messages = consumer.consume(2000, seconds)
        for message in messages:
            if message.error() is None:
                line = json.loads(message.value())
                told.append(line)
                errors.add(line["error"]) if line["key"] is None else keys.add(line["key"])
        return messages

    enough = threading.Event()

    def work(one):
        while not enough.is_set():
            one.step(0.2)

    with ThreadPoolExecutor(len(deciders)) as pool:
        working = [pool.submit(work, one) for one in deciders]
        end = time.monotonic() + 240
        while (len(keys) < n_keys or len(errors) < n_errors) and time.monotonic() < end:
            read(0.5)
            if any(one.done() for one in working):
                break
        enough.set()
    for one in working:
        one.result()
    while read(1.0):
        pass
    consumer.close()
    assert (len(keys), len(errors)) == (n_keys, n_errors), f"after {len(told)} lines"
    return told


def test_deciders_on_kafka_are_one_life(brokers, tmp_path):
    addresses, producer = brokers
    kafka = example("kafka_decider")
    place = tmp_path / "posts"
    Deployment(place, document(), secret=SECRET).close()
    lines = [
        json.dumps({"key": f"k{i % 900}", "prediction": "no", "confidence": float(C[i % 900])})
        for i in range(1000)  # the last hundred come twice
    ]
    for line in [*lines, "no JSON", '{"key": "x"}']:
        producer.produce("cases", line, key=line[:20])
    producer.flush()
    deciders = [kafka.KafkaDecider(addresses, place, f"decider-{i}") for i in range(2)]
    told = decide_until_all_are_told(deciders, addresses, 900, 2)
    handed_in = [one.hand_in() for one in deciders]
    assert deciders[0].hand_in()[:3] == handed_in[0][:3]  # the same again
    for one in deciders:
        one.close()
    assert len(told) >= 1002
    with Deployment(place) as deployment:
        frame = deployment.decisions()
        assert frame.height == 900
        assert set(deployment.dead()["line"]) == {"no JSON", '{"key": "x"}'}
        assert deployment.open_leases() == []
        recorded = dict(frame.select("key", "action").iter_rows())
        # Two deciders may each answer a key that comes twice, or again because the group was divided anew: the record
        # keeps one of their answers.
        told_of = defaultdict(list)
        for one in told:
            told_of[one["key"]].append(one.get("action"))
        assert all(action in told_of[key] for key, action in recorded.items())
        assert frame["lease"].null_count() == 0
        same_as_its_replay(deployment)


@pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas")
def test_executors_of_spark_decide_under_leases(monkeypatch):
    frame = pl.DataFrame(
        {"key": [f"k{i}" for i in range(600)], "prediction": ["no"] * 600, "confidence": C[:600]}
    )
    spark = to_spark(frame).repartition(3)
    monkeypatch.setattr(spark.sparkSession.sparkContext, "pythonExec", sys.executable)
    run = example("spark_leases").decide_frame
    with Deployment(":memory:", document(), secret=SECRET) as deployment:
        made, handed_in = run(spark, deployment)
        assert len(handed_in) == 3
        assert sum(one.decided for one in handed_in) == 600
        assert deployment.policy.state.booked == 0
        recorded = {
            key: row
            for key, *row in deployment.decisions().select("key", "action", "audit").iter_rows()
        }
        assert {key: row for key, *row in made} == recorded
        answered = sum(action == "answer" for action, _ in recorded.values())
        assert answered == sum(one.answered for one in handed_in) > 0
        same_as_its_replay(deployment)


@pytest.mark.soak
@pytest.mark.parametrize("where", ["folder", "postgres"])
def test_a_month_in_an_hour(where, request, tmp_path):
    """Its short sibling is the service of the page, tests/records/test_service.py."""
    pytest.importorskip("uvicorn")
    script = [sys.executable, EXAMPLES / "month_in_an_hour.py", tmp_path, "--per-day", "100"]
    if where == "postgres":
        script += ["--where", request.getfixturevalue("postgres_address")]
    done = subprocess.run(script, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) == 35
    assert lines[30].startswith("3,000 decisions computed again")
    assert lines[31].startswith("Not as it was made: decisions, at decision")
    found = re.match(r"dashboard: (\d+) of (\d+) metrics(.*)", lines[32])
    assert int(found[1]) >= int(found[2]) - 2 > 10  # what is not known is left out
    assert lines[33].startswith("mail: ")
    assert len(list(tmp_path.glob("day-*.html"))) == 30
    assert (tmp_path / "month.prom").read_text().endswith("# EOF\n")
