"""How often each pattern of votes occurs in a table: by the engine behind it, in batches, or as it was kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import polars as pl

from askpoint.errors import LogError
from askpoint.judges.sketch.codes import label_name
from askpoint.judges.sketch.tables import count_patterns
from askpoint.records.engine_faults import is_here, translate_engine_faults
from askpoint.records.log_stream import Progress
from askpoint.records.sketch_cache import SketchCache
from askpoint.records.table import Table

__all__ = ["count_vote_patterns"]

_BATCH = 1 << 18

_Patterns = Counter[tuple[str, ...]]


def count_vote_patterns(
    table: Table,
    judges: Sequence[str],
    progress: Progress | None = None,
    cache: SketchCache | None = None,
) -> _Patterns:
    """Count the patterns of some columns, votes as texts and a missing one empty."""
    about = {"counts": "votes", "judges": list(judges)}
    patterns: _Patterns = Counter()
    done = 0
    for part in table.parts or (table,):
        kept = None if cache is None else cache.get(part, about)
        if kept is None:
            found = _count_patterns(part, judges, progress, done)
            if cache is not None:
                texts = sorted({text for pattern in found for text in pattern})
                place = {text: code for code, text in enumerate(texts)}
                rows = [[place[text] for text in pattern] for pattern in found]
                codes = np.array(rows, np.int32).reshape(-1, len(judges))
                items = np.array(list(found.values()), np.int64)
                cache.put(part, about, {"texts": texts}, [codes, items])
        else:
            texts, (codes, items) = kept[0]["texts"], kept[1]
            named = (tuple(texts[code] for code in row) for row in codes.tolist())
            found = Counter(dict(zip(named, items.tolist(), strict=True)))
        patterns.update(found)
        done += found.total()
        if progress is not None:
            progress(done)
    if not done:
        raise LogError(
            f"{table.name} holds names of columns and not a single row. Export it with its rows"
        )
    return patterns


def _count_patterns(
    part: Table, judges: Sequence[str], progress: Progress | None, done: int
) -> _Patterns:
    if part.lazy is not None:
        try:
            with translate_engine_faults(part):
                found = count_patterns(part.lazy, judges).to_polars()
            return _by_text(found)
        except (LogError, OSError):
            if not is_here(part.lazy):
                raise
            # what goes by in batches says which file is broken
    patterns: _Patterns = Counter()
    for batch in part.batcher(judges, _BATCH):
        keys = [f"vote_{i}" for i in range(len(judges))]  # a judge may be called like the count
        batch.columns = keys
        patterns.update(_by_text(batch.group_by(keys).len("items")))
        done += batch.height
        if progress is not None:
            progress(done)
    return patterns


def _by_text(groups: pl.DataFrame) -> _Patterns:
    patterns: _Patterns = Counter()
    for *votes, count in groups.iter_rows():
        patterns[tuple(map(label_name, votes))] += count
    return patterns
