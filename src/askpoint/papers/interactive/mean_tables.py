"""Tables 2, 3 and 8 to 12, figure 2: means over data sets beside what the paper prints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import polars as pl

from askpoint.displays.direct_labels import name_beside
from askpoint.papers.interactive.nominal_sets import SETS
from askpoint.papers.interactive.paper_numbers import ASKED, MACRO, MEANS, MEASURES, NEVER, RANDOM
from askpoint.papers.interactive.set_means import against_never, by_measure
from askpoint.papers.interactive.stand_ins import CLASSIFIERS
from askpoint.papers.interactive.ways_to_ask import BETAS, RHOS
from askpoint.reports.document import Block, Grid, Paragraph, Picture

__all__ = [
    "EMICS",
    "PART_SAID",
    "asking_blocks",
    "figure_2_blocks",
    "has_all",
    "macro_blocks",
    "means_blocks",
    "random_blocks",
    "say_sets",
]

EMICS = {"F": ("F_beta", "beta", BETAS), "EP": ("EP_rho", "rho", RHOS)}
"""Name, parameter's name, and parameters of each measure of worth."""


PART_SAID = "The paper's numbers are of all its data sets and classifiers: they stand beside a run of all, not of a part."


def _is_whole(rows: pl.DataFrame, n_sets: int = len(SETS)) -> bool:
    """Tell whether each classifier's rows are of as many data sets as the paper's."""
    of_each = rows.group_by("classifier").agg(pl.col("data").n_unique())["data"]
    return bool((of_each == n_sets).all())


def has_all(rows: pl.DataFrame, n_sets: int = len(SETS)) -> bool:
    """Tell whether rows are of all classifiers, too."""
    return _is_whole(rows, n_sets) and len(_classifiers(rows)) == len(CLASSIFIERS)


def say_sets(rows: pl.DataFrame) -> str:
    """Say how many data sets each classifier's numbers are of."""
    found = {
        name: rows.filter(pl.col("classifier") == name)["data"].n_unique()
        for name in _classifiers(rows)
    }
    if len(set(found.values())) == 1:
        n = max(found.values())
        return f"Means over {n} of the paper's {len(SETS)} data sets."
    of_each = ", ".join(f"{name} {n}" for name, n in found.items())
    return f"Means over as many of the paper's {len(SETS)} data sets: {of_each}."


def means_blocks(rows: pl.DataFrame, threshold: str) -> Iterator[Block]:
    """Table 2 or 3: F and EP at .5 by classifier and confidence measure."""
    whole = _is_whole(rows)
    for emic in EMICS:
        printed = MEANS[threshold, emic]
        lines, distances, significant, better = [], [], 0, 0
        for name in _classifiers(rows):
            scores = by_measure(rows, name, emic, 0.5, threshold)
            means = scores.mean(axis=0)
            paper = (*printed[name], NEVER[name])
            distances.extend(np.abs(means - paper).tolist())
            better += int((means[:-1] > means[-1]).sum())
            if len(scores) > 1:
                apart, p_values = against_never(scores)
                significant += sum(apart and p <= 0.05 for p in p_values)
            lines.append((f"{name} here", *map(_four, means)))
            if whole:
                lines.append((f"{name} paper", *map(_four, paper)))
        yield Grid(
            f"{EMICS[emic][0]} at .5, threshold from {_ROWS[threshold]} rows",
            ("", *MEASURES.values(), "never asking"),
            tuple(lines),
            say_sets(rows)
            + (
                f" Greatest difference from the paper {max(distances):.4f}, mean {np.mean(distances):.4f}."
                if whole
                else ""
            ),
        )
        n = len(_classifiers(rows)) * len(MEASURES)
        yield Paragraph(
            f"{better} of {n} are better than never asking, and {significant} of {n} significantly "
            "apart from it (Iman-Davenport, then Hommel, .05)"
            + (f"; the paper: {_CLAIMS[threshold, emic]}." if has_all(rows) else f". {PART_SAID}")
        )


_ROWS = {"optimistic": "test", "realistic": "training"}
_CLAIMS = {
    ("optimistic", "F"): "all 30 better, all significantly",
    ("optimistic", "EP"): "all 30 better, all significantly",
    ("realistic", "F"): "all 30 better, all significantly",
    ("realistic", "EP"): "21 of 30 better, none significantly",
}


def asking_blocks(rows: pl.DataFrame, emic: str) -> Iterator[Block]:
    """Table 8 or 9: per cent asked, by the difference of the two largest probabilities."""
    whole = _is_whole(rows)
    title, symbol, parameters = EMICS[emic]
    lines, distances = [], []
    for name in _classifiers(rows):
        of_name = rows.filter((pl.col("classifier") == name) & (pl.col("threshold") != "never"))
        found = [
            100 * _mean(of_name.filter(pl.col("parameter") == parameter), "asked")
            for parameter in parameters[:5]
        ]
        distances.extend(np.abs(np.subtract(found, ASKED[emic][name])).tolist())
        lines.append((f"{name} here", *(f"{x:.2f}" for x in found)))
        if whole:
            lines.append((f"{name} paper", *(f"{x:.2f}" for x in ASKED[emic][name])))
    yield Grid(
        f"Per cent asked, by {title}",
        (symbol, *(f"{x:g}" for x in parameters[:5])),
        tuple(lines),
        say_sets(rows)
        + (
            f" Greatest difference {max(distances):.1f} points, mean {np.mean(distances):.1f}."
            if whole
            else ""
        ),
    )
    if not whole:
        yield Paragraph(PART_SAID)


def figure_2_blocks(rows: pl.DataFrame) -> Iterator[Block]:
    """Figure 2: per cent asked on each data set by NB, MP and J48."""
    asked = {
        name: {
            line["data"]: 100 * line["asked"]
            for line in rows.filter(
                (pl.col("classifier") == name) & (pl.col("threshold") != "never")
            ).iter_rows(named=True)
        }
        for name in ("NB", "MP", "J48")
        if name in rows["classifier"]
    }
    sets = [name for name in SETS if name in rows["data"]]

    def draw(axes: Any) -> None:
        for place, (name, of) in enumerate(asked.items()):
            where = np.arange(len(sets)) + 0.27 * (place - 1)
            axes.barh(where, [of.get(one, 0) for one in sets], height=0.26, label=name)
        axes.set_axisbelow(True)
        axes.set_yticks(range(len(sets)), sets, fontsize=9)
        axes.set_ylim(len(sets) - 0.4, -0.6)
        axes.set_xlabel("per cent asked")
        name_beside(axes)

    ranges = {name: max(of.values()) - min(of.values()) for name, of in asked.items()}
    said = ", ".join(f"{name} {width:.0f}" for name, width in ranges.items())
    yield Picture(
        "Per cent asked on each data set, F at .5",
        f"From the least to the most asked set, points: {said}.",
        draw,
        1.2 + 0.24 * len(sets),
    )
    yield Paragraph(
        f"Between data sets the share asked differs by as many points: {said}. "
        + ("The paper: more than 35 for NB and MP, 19 for J48." if _is_whole(rows) else PART_SAID)
    )
    yield Grid(
        "Per cent asked",
        ("", *asked),
        tuple(
            (one, *(f"{of[one]:.1f}" if one in of else "not run" for of in asked.values()))
            for one in sets
        ),
    )


def macro_blocks(rows: pl.DataFrame, emic: str) -> Iterator[Block]:
    """Table 10 or 11: means over data sets and classifiers, the random strategy beside."""
    title, symbol, parameters = EMICS[emic]
    whole = has_all(rows)
    lines = []
    for parameter in parameters:
        at = rows.filter((pl.col("emic") == emic) & (pl.col("parameter") == parameter))
        chance = at.filter(pl.col("threshold") == "random")
        means = [_mean(at.filter(pl.col("confidence") == name), "score") for name in MEASURES]
        lines.append(
            (
                f"{parameter:g} here",
                *map(_four, (*means, _mean(chance, "score"))),
                f"{100 * _mean(chance, 'asked'):.2f}",
            )
        )
        if whole:
            *printed, share = MACRO[emic][str(parameter)]
            lines.append((f"{parameter:g} paper", *map(_four, printed), f"{share:.2f}"))
    never = _mean(rows.filter(pl.col("threshold") == "never"), "score")
    yield Grid(
        f"{title}, means over data sets and classifiers",
        (symbol, *MEASURES.values(), "random", "% asked"),
        tuple(lines),
        f"{say_sets(rows)} Never asking: {_four(never)} here"
        + (", 0.8672 in the paper." if whole else "."),
    )
    yield Paragraph(_why_random((emic,), whole))


def random_blocks(rows: pl.DataFrame) -> Iterator[Block]:
    """Table 12: the random strategy by classifier."""
    chance = rows.filter(pl.col("threshold") == "random")
    whole = _is_whole(rows)
    lines = []
    for name in _classifiers(rows):
        mine = chance.filter(pl.col("classifier") == name)
        found = [_mean(mine.filter(pl.col("emic") == emic), "score") for emic in EMICS]
        printed = RANDOM[name]
        values = (found[0], printed[0], found[1], printed[1]) if whole else found
        lines.append((name, *map(_four, values)))
    yield Grid(
        "The random strategy at .5",
        ("", "F here", "paper", "EP here", "paper") if whole else ("", "F here", "EP here"),
        tuple(lines),
        say_sets(rows),
    )
    yield Paragraph(_why_random(tuple(EMICS), whole))


_SHARE_CHOSEN = {
    "F": "Expected F under random asking falls as the share asked rises, so the best share on training rows is 5%.",
    "EP": "Expected EP under random asking is linear in the share asked, so the best share on training rows is 5% "
    "where the training accuracy is above 1 - rho, and 95% elsewhere.",
}


def _why_random(emics: tuple[str, ...], whole: bool) -> str:
    """Say which share asked is best, and what the paper prints instead."""
    argument = " ".join(_SHARE_CHOSEN[emic] for emic in emics)
    return f"{argument} Another share comes out by chance only. " + (
        "The paper's random columns contradict this (see the errata)." if whole else PART_SAID
    )


def _classifiers(rows: pl.DataFrame) -> Sequence[str]:
    return [name for name in CLASSIFIERS if name in rows["classifier"]]


def _mean(rows: pl.DataFrame, column: str) -> float:
    """Mean over data sets, then over classifiers."""
    of_each = rows.group_by("classifier", maintain_order=True).agg(pl.col(column).mean())
    return float(np.mean(of_each[column].to_numpy()))


def _four(x: float) -> str:
    return f"{x:.4f}"
