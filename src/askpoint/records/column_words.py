"""Words by which columns are called, whatever their case and separators."""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = ["GOLD_WORDS", "ITEM_WORDS", "SYSTEM_WORDS", "is_called_id", "looks_like"]

GOLD_WORDS = (
    "human", "gold", "gold_label", "truth", "expert", "ground_truth", "human_label", "human_score",
    "human_vote", "target", "reference", "reviewer", "manual", "label", "true_label", "y_true",
    "correct_label", "expert_label", "gold_standard", "human_rating", "human_verdict", "wahrheit",
)  # fmt: skip
ITEM_WORDS = (
    "task", "item", "task_id", "item_id", "id", "doc_id", "sample_id", "example_id", "question_id",
    "case_id", "document_id", "doc", "sample", "case", "pair_id", "example",
)  # fmt: skip
SYSTEM_WORDS = ("system", "model", "variant", "arm", "version", "candidate", "system_name")

_ID = re.compile(
    r"(^|[_\W])(id|ids|idx|index|uuid|guid|key|nr|no|row|hash|url|path|file|filename|image|item|task"
    r"|case|sample|example|doc|document|question_id)s?$|^unnamed|^$|^column_1$|^id[_\W]",
    re.IGNORECASE,
)
_CAMEL_ID = re.compile(r"[a-z]I[Dd]$")


def looks_like(name: str, words: Sequence[str]) -> bool:
    """Say whether a column's name is one of some words, whatever its case and separators."""
    return re.sub(r"[\W_]+", "_", name.strip().casefold()).strip("_") in words


def is_called_id(name: str) -> bool:
    """Say whether a column is called as columns of ids are, such as pair_id, uuid or sampleId."""
    name = name.strip()
    return _ID.search(name) is not None or _CAMEL_ID.search(name) is not None
