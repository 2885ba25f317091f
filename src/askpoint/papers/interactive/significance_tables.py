"""Tables 4 to 7: how often asking pays, and whether any confidence measure is better than another."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl

from askpoint.displays.ranks import RanksDisplay
from askpoint.measures.inputs import IntArray
from askpoint.papers.interactive.mean_tables import EMICS, PART_SAID, has_all, say_sets
from askpoint.papers.interactive.nominal_sets import without_copies
from askpoint.papers.interactive.paper_numbers import BETTER, MEASURES, VERDICTS
from askpoint.papers.interactive.set_means import LEVEL, against_never, by_measure, ranking
from askpoint.papers.interactive.stand_ins import CLASSIFIERS
from askpoint.reports.document import Block, Grid, Notice, Paragraph, Picture
from askpoint.value.ranking import ModelRanking

__all__ = ["pairs_blocks", "verdict_blocks"]

_KINDS = ("significantly better", "better", "worse", "significantly worse")


def verdict_blocks(rows: pl.DataFrame, emic: str) -> Iterator[Block]:
    """Table 4 or 5: classifiers x measures that do better or worse than never asking."""
    title, symbol, parameters = EMICS[emic]
    classifiers = [name for name in CLASSIFIERS if name in rows["classifier"]]
    independent = rows.filter(pl.col("data").is_in(without_copies(rows["data"].unique().to_list())))
    if independent["data"].n_unique() < 2:
        yield Notice("Ranks are compared on two independent data sets or more.")
        return
    here = _verdict_counts(rows, emic)
    has_copies = len(independent) < len(rows)
    apart = _verdict_counts(independent, emic) if has_copies else here
    whole = has_all(rows)
    lines = []
    for place, kind in enumerate(_KINDS):
        lines.append((f"{kind} here", *map(str, here[place])))
        if has_copies:
            lines.append((f"{kind}, independent", *map(str, apart[place])))
        if whole:
            lines.append((f"{kind} paper", *map(str, VERDICTS[emic][place])))
    copies = (
        f" Independent sets: {independent['data'].n_unique()}, one of each two that share their rows, "
        "as the tests assume."
        if has_copies
        else ""
    )
    yield Grid(
        f"{title} against never asking: {len(classifiers)} classifiers x 5 measures",
        (symbol, *(f"{x:g}" for x in parameters)),
        tuple(lines),
        f"{say_sets(rows)}{copies} Significant: Friedman's test with Iman and Davenport's correction, then "
        "Hommel's, both at .05; better or worse: by the mean.",
    )
    if not whole:
        yield Paragraph(PART_SAID)


def _verdict_counts(rows: pl.DataFrame, emic: str) -> IntArray:
    """Count significantly better, better, worse and significantly worse, for each parameter."""
    parameters = EMICS[emic][2]
    counts = np.zeros((len(_KINDS), len(parameters)), dtype=np.int64)
    for place, parameter in enumerate(parameters):
        for name in (name for name in CLASSIFIERS if name in rows["classifier"]):
            scores = by_measure(rows, name, emic, parameter)
            apart, p_values = against_never(scores)
            gains = scores[:, :-1].mean(axis=0) - scores[:, -1].mean()
            for gain, p in zip(gains, p_values, strict=True):
                if abs(gain) > 1e-12:  # the rest neither helps nor harms
                    clear = apart and p <= LEVEL
                    counts[(0 if clear else 1) if gain > 0 else (3 if clear else 2), place] += 1
    return counts


def pairs_blocks(rows: pl.DataFrame, emic: str) -> Iterator[Block]:
    """Table 6 or 7: measures against each other, on the sets with more than two classes."""
    title, _, parameters = EMICS[emic]
    k = len(MEASURES)
    better = np.zeros((k, k), dtype=int)
    significant: list[str] = []
    clearest: tuple[float, str, ModelRanking] | None = None
    headings = tuple(MEASURES.values())
    for name in CLASSIFIERS:
        if name not in rows["classifier"]:
            continue
        for parameter in parameters[:5]:
            scores = by_measure(rows, name, emic, parameter)
            if len(scores) < 2:
                yield Notice("Ranks are compared on two data sets or more.")
                return
            found = ranking(scores)
            ranks = dict(zip(found.names, found.mean_ranks, strict=True))
            at = np.array([ranks[heading] for heading in headings])
            better += at[:, None] < at - 1e-9
            said = f"{name}, {title} at {parameter:g}"
            if clearest is None or found.test.p_value < clearest[0]:
                clearest = (found.test.p_value, said, found)
            if found.test.p_value <= LEVEL:
                significant += [
                    f"{pair.better} over {pair.worse} ({said})"
                    for pair in found.pairs
                    if pair.adjusted <= LEVEL
                ]
    lines = []
    whole = has_all(rows, 14)  # those with more than two classes
    for place, heading in enumerate(headings):
        printed = [("paper", BETTER[emic][place])] if whole else []
        for source, counts in (("here", better[place]), *printed):
            cells = ["–" if i == place else str(x) for i, x in enumerate(counts)]
            total = sum(x for i, x in enumerate(counts) if i != place)
            lines.append((f"{heading} {source}", *cells, str(total)))
    sets = rows["data"].n_unique()
    yield Grid(
        f"How often the row's measure is better than the column's, {title} at .1 to .5",
        ("", *headings, "total"),
        tuple(lines),
        f"By mean rank over {sets} of the paper's 14 data sets with more than two classes.",
    )
    yield Paragraph(
        f"Significant by Shaffer's test: {'; '.join(significant) or 'no pair'}. "
        + (
            "The paper finds one, of all 60 cases of tables 6 and 7: margin over entropy (IBk, F_beta at 0.5)."
            if whole
            else PART_SAID
        )
    )
    if clearest is not None:
        p, said, found = clearest
        ranks_said = ", ".join(
            f"{heading} {rank:.2f}"
            for heading, rank in zip(found.names, found.mean_ranks, strict=True)
        )
        yield Picture(
            f"Mean ranks where they differ most: {said}",
            f"p = {p:.2g} for any difference; mean ranks {ranks_said}.",
            functools.partial(_draw_ranks, found),
            2.6,
        )


def _draw_ranks(found: ModelRanking, axes: Any) -> None:
    RanksDisplay(found, LEVEL).plot(axes)
