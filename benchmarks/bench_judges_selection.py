"""Labels that were not drawn at random: how often that is found, and how often random labels are refused.

`python benchmarks/bench_judges_selection.py [--draws N] [--labels N]` prints a table: of panels whose truth is
known, labels drawn at random, as proposed, only where all judges agree, only of the third that fewest judges pass,
and with chances exp(-2 s), s being the share of votes for the commonest label. No constant was chosen on any of them.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from judge_panels import Panel, crowd, language_models, table_with_gold

from askpoint.errors import NotEstimableError
from askpoint.judges.gold.evaluation import evaluate_labelled
from askpoint.judges.gold.label_selection import bound_share, find_selection
from askpoint.judges.gold.labelled_patterns import LabelledPatterns, patterns_of
from askpoint.judges.gold.proposal import propose_labelled
from askpoint.judges.gold.residual_totals import totals_of
from askpoint.judges.sketch.vote_sketch import VoteSketch

MOST = 1200  # items of a panel, a random part of larger ones
KINDS = ("random", "proposed", "unanimous", "failures", "complaints")


def panels() -> Iterator[tuple[str, Panel]]:
    yield from (one for one in language_models() if one[0] != "llmbar3")
    table, truth = table_with_gold("panels/pandalm")
    yield "pandalm2", (table.codes, truth, len(table.labels))
    for name in ("rte", "temporal", "dog"):
        yield name, crowd(name)


def patterns_and_items(panel: Panel) -> tuple[LabelledPatterns, np.ndarray, np.ndarray]:
    """All patterns, and of each item its pattern and its truth."""
    votes, truth, n_labels = panel
    rows = np.sort(np.random.default_rng(0).permutation(len(votes))[:MOST])
    votes, truth = votes[rows].astype(np.int16), truth[rows]
    sketch = VoteSketch(votes.shape[1], [str(k) for k in range(n_labels)])
    sketch.update_codes(votes)
    patterns = patterns_of(sketch)
    place = {row.tobytes(): i for i, row in enumerate(patterns.cells.votes.astype(np.int16))}
    return patterns, np.array([place[row.tobytes()] for row in votes]), truth


def draw(
    kind: str, patterns: LabelledPatterns, at: np.ndarray, truth: np.ndarray, n: int, rng
) -> LabelledPatterns:
    """Label so many items, chosen in one of the ways."""

    def labelled(items: np.ndarray) -> LabelledPatterns:
        counts = np.zeros_like(patterns.labelled)
        np.add.at(counts, (at[items], truth[items]), 1)
        return replace(patterns, labelled=counts)

    votes = np.column_stack([np.asarray(of.sum(axis=1)).ravel() for of in patterns.cast])
    common = int((patterns.cells.counts @ votes).argmax())
    s = (votes[:, common] / np.maximum(votes.sum(axis=1), 1))[at]
    if kind == "proposed":
        chosen: list[int] = []
        while len(chosen) < n:
            known = labelled(np.array(chosen, dtype=int))
            now = propose_labelled(known, n - len(chosen))
            open_ = np.ones(len(at), bool)
            open_[chosen] = False
            chosen += now.draw(patterns.cells.votes[at], rng, ~open_).tolist()
        return labelled(np.array(chosen))
    if kind == "random":
        chance = np.ones(len(at))
    elif kind == "unanimous":
        chance = (votes.max(axis=1) == votes.sum(axis=1))[at].astype(float)
    elif kind == "failures":
        chance = np.zeros(len(at))
        chance[np.argsort(s + 1e-9 * rng.random(len(at)))[: len(at) // 3]] = 1
    else:
        chance = np.exp(-2 * s)
    n = min(n, int((chance > 0).sum()))
    return labelled(rng.choice(len(at), n, replace=False, p=chance / chance.sum()))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--draws", type=int, default=40)
    parser.add_argument("--labels", type=int, default=60)
    parser.add_argument("--random-draws", type=int, default=200)
    asked = parser.parse_args()
    print(
        "| panel | labels drawn | found | refused | held as before | held if refused | width if refused |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for name, panel in panels():
        patterns, at, truth = patterns_and_items(panel)
        share = np.mean(truth == 0)
        for kind in KINDS:
            n_draws = asked.random_draws if kind in ("random", "proposed") else asked.draws
            found, refused, before, after, width = [], [], [], [], []
            for seed in range(n_draws):
                rng = np.random.default_rng(seed)
                known = draw(kind, patterns, at, truth, asked.labels, rng)
                selection = find_selection(known, rng)
                found.append(selection.is_uneven)
                refused.append(selection.is_selected)
                if selection.is_selected:
                    low, high = bound_share(known, 0)
                    after.append(low <= share <= high)
                    width.append(high - low)
                if seed < asked.draws:
                    try:
                        around = evaluate_labelled(
                            totals_of(known.as_drawn("as proposed"))
                        ).interval()
                    except NotEstimableError:
                        continue
                    low, high = around.prevalence[patterns.labels[0]]
                    before.append(low <= share <= high)
            told = [
                f"{np.mean(one):.3f}" if one else ""
                for one in (found, refused, before, after, width)
            ]
            print(f"| {name} | {kind} | {' | '.join(told)} |", flush=True)


if __name__ == "__main__":
    main()
