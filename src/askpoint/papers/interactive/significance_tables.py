"""Tables 4 to 7: how often asking pays, and whether any confidence measure is better than another."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl

from askpoint.displays.ranks import RanksDisplay
from askpoint.papers.interactive.mean_tables import EMICS, sets_said
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
    counts = np.zeros((len(_KINDS), len(parameters)), dtype=int)
    classifiers = [name for name in CLASSIFIERS if name in rows["classifier"]]
    for place, parameter in enumerate(parameters):
        for name in classifiers:
            scores = by_measure(rows, name, emic, parameter)
            if len(scores) < 2:
                yield Notice("Ranks are compared on two data sets or more.")
                return
            apart, p_values = against_never(scores)
            gains = scores[:, :-1].mean(axis=0) - scores[:, -1].mean()
            for gain, p in zip(gains, p_values, strict=True):
                if abs(gain) > 1e-12:  # the rest neither helps nor harms
                    clear = apart and p <= LEVEL
                    counts[(0 if clear else 1) if gain > 0 else (3 if clear else 2), place] += 1
    lines = []
    for kind, here, paper in zip(_KINDS, counts, VERDICTS[emic], strict=True):
        lines += [(f"{kind} here", *map(str, here)), (f"{kind} paper", *map(str, paper))]
    yield Grid(
        f"{title} against never asking: {len(classifiers)} classifiers x 5 measures",
        (symbol, *(f"{x:g}" for x in parameters)),
        tuple(lines),
        f"{sets_said(rows)} Significant: Friedman's test with Iman and Davenport's correction, then "
        "Hommel's, both at .05; better or worse: by the mean.",
    )


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
    for place, heading in enumerate(headings):
        for source, counts in (("here", better[place]), ("paper", BETTER[emic][place])):
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
        f"Significant by Shaffer's test: {'; '.join(significant) or 'no pair'}. The paper finds one, of all "
        "60 cases of tables 6 and 7: margin over entropy (IBk, F_beta at 0.5)."
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
