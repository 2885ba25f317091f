"""A run folder of HELM: what each instance scored, and the model."""

from __future__ import annotations

import re
from collections.abc import Sequence

from askpoint.errors import LogError
from askpoint.records.readers.evaluations import JudgedAnswer, read_answers
from askpoint.records.readers.reading import Choices, Doubt, Reading
from askpoint.records.readers.sources import Source

__all__ = ["read_helm", "sniff_helm"]

_COUNTER = re.compile(
    r"^num_|_cost$|runtime|tokens|bytes|logprob|perplexity|bits_per|^finish_reason|^prompt_truncated"
    r"|^predicted_index|batch_size|^max_prob|ece_|calibration|platt|selective_|coverage"
)


def sniff_helm(source: Source) -> float | None:
    """Say how sure it is that a file is of a run of HELM."""
    if source.has_keys("instance_id", "stats"):
        return 1.0
    return 0.9 if source.has_keys("adapter_spec") else None


def read_helm(sources: Sequence[Source], choices: Choices) -> Reading:
    """Read the statistics of instances that are judgements, not counters."""
    models = {
        _folder(s): str((s.document.get("adapter_spec") or {}).get("model") or "")
        for s in sources
        if isinstance(s.document, dict)
    }
    stats = [source for source in sources if isinstance(source.document, list)]
    if not stats:
        raise LogError(f"{sources[0].name} names only the run: give its per_instance_stats.json")
    rows: list[JudgedAnswer] = []
    counters: set[str] = set()
    variants: set[str] = set()
    for source in stats:
        for instance in source.document:
            row = JudgedAnswer(
                str(instance["instance_id"]), models.get(_folder(source), ""), file=source.name
            )
            if (instance.get("perturbation") or {}).get("name"):
                continue
            for stat in instance["stats"]:
                name = str(stat["name"]["name"])
                if (stat["name"].get("perturbation") or {}).get("name"):
                    continue
                if _COUNTER.search(name):
                    counters.add(name)
                elif stat.get("count"):
                    row.add(name, stat.get("mean"))
            rows.append(row)
    # looser and top-5 forms of one comparison are no further judges
    names = {name for row in rows for name in row.votes}
    if not choices.judges:
        variants = {name for name in names if _base(name) != name and _base(name) in names}
        for row in rows:
            row.votes = {name: vote for name, vote in row.votes.items() if name not in variants}
    doubts = (
        [Doubt(f"{', '.join(sorted(variants))}: other forms of the same comparison", "--judges")]
        if variants
        else []
    )
    return read_answers(
        rows,
        "HELM",
        [source.name for source in stats],
        choices,
        doubts=doubts,
        not_judges=sorted(counters | variants),
    )


def _base(name: str) -> str:
    return re.sub(r"^(quasi_)?(prefix_)?(leave_articles_)?", "", name.partition("@")[0])


def _folder(source: Source) -> str:
    return "" if source.path is None else str(source.path.parent)
