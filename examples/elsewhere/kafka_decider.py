"""Deciders of a group that read cases from Kafka, decide under leases, and write the decisions back.

    python examples/elsewhere/kafka_decider.py BROKERS WHERE NAME

WHERE is the deployment (a folder or postgresql://...), NAME this decider's. Cases are JSON on the topic "cases": key,
prediction, confidence. Decisions are JSON on the topic "decisions". Offsets are committed once the decisions are
written, so a case may come twice: the same decider gives its decision again; of two deciders' decisions, the one that is
handed in first stays on record. Any number of these may run: a case costs no commit of the deployment, a lease two.
"""

import json
import signal
import sys
import tempfile
from pathlib import Path

from confluent_kafka import Consumer, KafkaError, KafkaException, Producer

from askpoint import Deployment, InputError, LeasedDecider

AT_ONCE = 500
MOVED = (
    KafkaError.REBALANCE_IN_PROGRESS, KafkaError.ILLEGAL_GENERATION, KafkaError.UNKNOWN_MEMBER_ID,
)  # fmt: skip


class KafkaDecider:
    """One decider: a consumer, a producer and a lease at a time."""

    def __init__(self, brokers, where, name, *, cases="cases", decisions="decisions"):
        self.deployment, self.name, self.decisions = Deployment(where), name, decisions
        self.journals = Path(tempfile.mkdtemp())
        self.producer = Producer({"bootstrap.servers": brokers})
        self.consumer = Consumer({
            "bootstrap.servers": brokers, "group.id": "askpoint", "auto.offset.reset": "earliest",
            "enable.auto.commit": False,
        })  # fmt: skip
        self.consumer.subscribe([cases])
        self.decider = self.take_lease()

    def take_lease(self):
        """Return a decider under a lease of its own."""
        grant = self.deployment.lease(self.name, seconds=600)
        return LeasedDecider(grant, self.journals / f"{grant.lease.number}.receipts")

    def hand_in(self):
        """Hand in what was decided under the lease."""
        return self.deployment.hand_in(self.decider.receipts())

    def step(self, seconds=1.0):
        """Decide what comes within some seconds; return how many cases."""
        messages = [one for one in self.consumer.consume(AT_ONCE, seconds) if not one.error()]
        if not messages:
            return 0
        if self.decider.is_over or not self.decider.left:
            self.hand_in()
            self.decider = self.take_lease()
        for message in messages:
            self.producer.produce(self.decisions, json.dumps(self.decide(message.value())))
        self.producer.flush()
        self.commit()
        return len(messages)

    def commit(self):
        """Commit what was written; while the group is divided again, these cases come again and keep their decisions."""
        try:
            self.consumer.commit(asynchronous=False)
        except KafkaException as error:
            if error.args[0].code() not in MOVED:
                raise

    def decide(self, text):
        """Decide one message; what cannot be decided is answered, too, and kept for `askpoint dead`."""
        try:
            case = json.loads(text)
            made = self.decider.decide(
                case["key"], prediction=case["prediction"], confidence=case["confidence"]
            )
        except (InputError, KeyError, TypeError, ValueError) as error:
            self.deployment.bury(text.decode(errors="backslashreplace"), str(error))
            return {"key": None, "error": str(error)}
        return {"key": made.key, "action": str(made.action), "audit": bool(made.audit)}

    def close(self):
        """Hand in, and leave the group."""
        self.hand_in()
        self.consumer.close()
        self.deployment.close()


def main(brokers, where, name):
    decider, running = KafkaDecider(brokers, where, name), [True]
    signal.signal(signal.SIGTERM, lambda *_: running.clear())
    while running:
        decider.step()
    decider.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
