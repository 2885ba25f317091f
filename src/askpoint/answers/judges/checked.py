"""What people's gold labels add to votes: the truth of some items, and which to check next."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from askpoint.answers.judges.windows import votes_on
from askpoint.errors import InputError
from askpoint.judges.checks.correlation import evaluate_by_truth
from askpoint.judges.evaluation import Evaluation
from askpoint.judges.gold.gold_sketch import GoldSketch
from askpoint.judges.gold.proposal import propose_gold
from askpoint.judges.sketch.tables import VoteTable
from askpoint.judges.sketch.vote_sketch import VoteSketch

__all__ = ["check_gold", "items_to_check", "truth_of_checked"]


def check_gold(table: VoteTable, gold: Mapping[str, str]) -> int:
    """Check gold labels, and count those of items that somebody judged."""
    for task, label in gold.items():
        if label not in table.labels:
            raise InputError(
                f"the gold label {label!r} of {task!r} is none of the judges' labels "
                f"{', '.join(map(repr, table.labels))}; name all with --labels"
            )
    return sum(task in gold for task in table.tasks)


def truth_of_checked(table: VoteTable, gold: Mapping[str, str]) -> Evaluation:
    """Evaluate judges on the items with gold labels alone."""
    truth = np.array([gold.get(task) for task in table.tasks], dtype=object)
    return evaluate_by_truth({label: votes_on(table, truth == label) for label in table.labels})


def items_to_check(
    table: VoteTable,
    sketch: VoteSketch,
    gold: Mapping[str, str],
    n: int,
    counted: GoldSketch | None,
) -> tuple[str, ...]:
    """Return the items to check next; the same for the same votes and gold labels."""
    checked = np.array([task in gold for task in table.tasks])
    n = min(n, int((~checked).sum()))
    if not n:
        return ()
    proposal = propose_gold(sketch, n, gold=counted)
    rows = proposal.draw(table.codes, np.random.default_rng(0), checked)
    return tuple(table.tasks[row] for row in rows)
