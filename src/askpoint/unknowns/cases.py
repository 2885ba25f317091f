"""Cases as a learner takes them, texts or rows of features, and what was judged on them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from askpoint.errors import InputError
from askpoint.unknowns.examination import ExaminationSample

__all__ = ["are_texts", "as_cases", "check_digest", "labels_in_order", "stack_cases"]


def as_cases(cases: Any) -> Any:
    """Return cases as something that takes an array of rows."""
    if sparse.issparse(cases):
        return cases.tocsr()
    array = np.asarray(cases)
    return np.array(list(cases), dtype=object) if array.dtype.kind in "UO" else array


def are_texts(cases: Any) -> bool:
    """Say whether cases are texts."""
    return not sparse.issparse(cases) and cases.dtype == object


def stack_cases(first: Any, second: Any) -> Any:
    """Return the cases of two lists, one after the other."""
    if are_texts(first) != are_texts(second) or first.shape[1:] != second.shape[1:]:
        raise InputError(
            "both lists of cases must be texts, or rows of the same features: got shapes "
            f"{first.shape} and {second.shape}"
        )
    if sparse.issparse(first) or sparse.issparse(second):
        return sparse.csr_array(sparse.vstack([first, second]))
    return np.concatenate([first, second])


def check_digest(examination: ExaminationSample, digest: str) -> None:
    """Check that an examination was drawn from this log."""
    if examination.digest != digest:
        raise InputError(
            f"the examination was drawn from another log (digest {examination.digest or repr('')}, "
            f"this one has {digest}); give the log that it was drawn from"
        )


def labels_in_order(
    examination: ExaminationSample,
    items: Sequence[Hashable],
    labels: Sequence[Any],
    judges: Sequence[Hashable] | None = None,
) -> tuple[Any, ...]:
    """Return the labels of the cases judged so far, in the order of the examination.

    Several judges of a case decide by the majority of their votes.
    """
    if judges is None:
        judges = [None] * len(items)
    if not len(items) == len(labels) == len(judges):
        raise InputError(
            "items, labels and judges need one entry a judgement: "
            f"got {len(items)}, {len(labels)} and {len(judges)}"
        )
    order = examination.items.tolist()
    items, labels, judges = _plain(items), _plain(labels), _plain(judges)
    votes: dict[Hashable, dict[Hashable, Any]] = {item: {} for item in order}
    for item, label, judge in zip(items, labels, judges, strict=True):
        if item not in votes:
            raise InputError(f"the case {item!r} was judged, but was not in the sample")
        if label is None:
            continue
        if votes[item].setdefault(judge, label) != label:
            who = "" if judge is None else f" by {judge!r}"
            raise InputError(
                f"the case {item!r} was judged twice{who}, as {votes[item][judge]!r} and as "
                f"{label!r}; leave one, or name the judges"
            )
    decided = [_majority(list(votes[item].values())) for item in order]
    judged = [bool(winners) for winners in decided]
    n_judged = max((i + 1 for i, given in enumerate(judged) if given), default=0)
    problems = defaultdict(list)
    for item, winners in zip(order[:n_judged], decided, strict=False):
        if len(winners) != 1:
            problems["tied between judges" if winners else "left out"].append(item)
    for problem, found in problems.items():
        shown = ", ".join(map(repr, found[:3])) + (", ..." if len(found) > 3 else "")
        raise InputError(
            f"{len(found)} of the first {n_judged} cases {'are' if len(found) > 1 else 'is'} "
            f"{problem} ({shown}): the cases before the last one judged must all be decided, "
            "because leaving out hard ones makes the model look better"
        )
    return tuple(winners[0] for winners in decided[:n_judged])


def _plain(values: Sequence[Any] | NDArray[Any]) -> Sequence[Any]:
    """Return Python's own texts and numbers, not NumPy's."""
    return list(values.tolist()) if isinstance(values, np.ndarray) else values


def _majority(votes: Sequence[Any]) -> list[Any]:
    """Return the labels with most votes."""
    counts = Counter(votes)
    most = max(counts.values(), default=0)
    return [label for label, count in counts.items() if count == most]
