"""Documents of eight fields: the closed rule beside thresholds per field, in worlds whose truth is known.

    python benchmarks/bench_documents.py [RUNS [FIRST_SEED]]

2,000 documents, of which 50 or 150 have labels on all fields; costs in true rates, over that of looking at every document.
"photos": a quarter of the documents are photos, on which the model is sure and wrong more often. "together": besides,
fields of one document err together (a shift of its own, standard deviation 1). "unnamed": photos are not named to the rule. Held: the true
cost of the log's documents lies in the stated interval of the next 1,000.
"""

from __future__ import annotations

import sys

import numpy as np
import polars as pl
from scipy import special

from askpoint.answers.value.whole_documents import DocumentQuestion, answer_documents
from askpoint.records.document_logs import read_documents
from askpoint.value.document_rule import (
    DocumentPrices,
    document_costs,
    plan_by_fields,
    plan_documents,
)

DOCUMENTS, FIELDS = 2000, 8


def draw(world, rng):
    """Confidence, field, photo and true rate of wrong fields, one row a field."""
    document = np.repeat(np.arange(DOCUMENTS), FIELDS)
    field = np.tile(np.arange(FIELDS), DOCUMENTS)
    photo = (rng.random(DOCUMENTS) < 0.25)[document]
    z = rng.normal(6.0, 1.5, len(document)) - 2.5 * photo
    shift = rng.normal(0, 0.5, FIELDS)[field] - 1.0 * photo
    if world == "together":
        shift = shift + rng.normal(0, 1.0, DOCUMENTS)[document]
    return document, field, photo, special.expit(z), 1 - special.expit(z + shift)


def run(world, seed, n_labelled, checks):
    rng = np.random.default_rng([seed, 20261125])
    document, field, photo, confidence, wrong = draw(world, rng)
    hit = rng.random(len(wrong)) >= wrong
    labelled = np.isin(document, rng.choice(DOCUMENTS, n_labelled, replace=False))
    kind = [
        f"{f}{' photo' if p and world != 'unnamed' else ''}"
        for f, p in zip(field, photo, strict=True)
    ]
    frame = pl.DataFrame(
        {
            "document": document,
            "kind": kind,
            "prediction": "ok",
            "confidence": confidence,
            "label": np.where(labelled, np.where(hit, "ok", "no"), None).tolist(),
        }
    )
    log = read_documents(frame, "document", "kind", classes=["ok", "no"])
    prices = DocumentPrices(checks)
    found = answer_documents(log, DocumentQuestion(prices))

    def cost(plan):
        return float(document_costs(plan, wrong, document, prices).mean())

    best = plan_documents(wrong, document, prices)
    spent = cost(found.plan)
    low, high = found.cost_per_1000.low / 1000, found.cost_per_1000.high / 1000
    return [
        spent,
        cost(plan_by_fields(found.wrong, document, prices)),
        cost(best),
        low <= spent <= high,
        found.cost_per_1000.mean / 1000 / spent,
        found.is_decided,
        found.is_decided and spent > 1.0,
    ]


def main(runs, first):
    print(f"{runs} runs from seed {first}; costs over looking at every document")
    for world in ("photos", "together", "unnamed"):
        for checks in (5, 20):
            for n_labelled in (50, 150):
                rows = np.array(
                    [run(world, s, n_labelled, checks) for s in range(first, first + runs)], float
                )
                ours, fields, best, held, stated, decided, false = rows.mean(axis=0)
                print(
                    f"{world:9} {checks:3} {n_labelled:4}  sum {ours:.3f} worst {rows[:, 0].max():.3f}  per field {fields:.3f}  "
                    f"truth known {best:.3f}  held {held:.2f}  stated/true {stated:.2f}  decided {decided:.2f}, dearer {false:.2f}",
                    flush=True,
                )


if __name__ == "__main__":
    given = [int(text) for text in sys.argv[1:]]
    main(given[0] if given else 20, given[1] if len(given) > 1 else 7000)
