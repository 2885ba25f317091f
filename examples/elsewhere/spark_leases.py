"""A column of Spark decided in its executors: each partition under a lease of its own, handed in by the driver.

    decide_frame(frame, deployment) -> the decisions, and what was handed in

The frame has the columns key, prediction and confidence. A task that Spark runs twice decides the same: lease and order
are the same, and so are its receipts.
"""

import pandas as pd

from askpoint import LeasedDecider, LeaseGrant, LeaseReceipts

SCHEMA = "key string, action string, audit boolean, receipts string"


def decide_frame(frame, deployment, *, seconds=3600):
    """Decide all rows of a frame; return key, action and audit of each, and what became of each lease."""
    n = frame.rdd.getNumPartitions()
    grants = [
        deployment.lease(f"partition {i}", seconds=seconds, deciders=n).to_json() for i in range(n)
    ]

    def decide(batches):
        from pyspark import TaskContext

        grant = LeaseGrant.from_json(grants[TaskContext.get().partitionId()])
        decider = LeasedDecider(grant)
        for batch in batches:
            made = decider.decide(
                list(batch["key"]),
                prediction=list(batch["prediction"]),
                confidence=batch["confidence"].to_numpy(),
                at=grant.lease.granted,  # the same if the task is run again
            )
            yield pd.DataFrame(
                {"key": made.key, "action": made.action, "audit": made.audit, "receipts": None}
            )
        receipts = decider.receipts().to_json()
        yield pd.DataFrame(
            {"key": [None], "action": [None], "audit": [None], "receipts": [receipts]}
        )

    rows = frame.mapInPandas(decide, SCHEMA).collect()
    receipts = [LeaseReceipts.from_json(row.receipts) for row in rows if row.receipts]
    handed_in = [deployment.hand_in(one) for one in receipts]
    return [(row.key, row.action, row.audit) for row in rows if not row.receipts], handed_in
