"""What a find loses under design 5 where it is of another kind, and where it is of the same kind.

    ASKPOINT_DATA=... python benchmarks/bench_similarity.py [DRAWS]

A classifier knows 5 or 20 finds of one kind, and texts that are unlike: 20 short messages or 300 posts.
Kinds are cut in two by their order: constants are chosen on one half (`calibrated`), and what is
published is of the other, which nothing was tuned to. Seeds 0 and 1; a copy keeps a tenth.
"""

from __future__ import annotations

import os
import sys
from itertools import product
from pathlib import Path

import numpy as np
import polars as pl

from askpoint.unknowns.similarity import SimilarityClassifier

LOST = 0.9  # of the reward, for a copy
LEAST = 40  # texts of a kind
TESTED = 60, 150  # texts of the same kind, and of others


def texts_of(name: str, column: str, value: str = "") -> tuple[np.ndarray, np.ndarray]:
    """Return the texts of a shared file and what they are kinds of."""
    file = Path(os.environ["ASKPOINT_DATA"]) / "text" / f"{name}.csv.gz"
    frame = pl.read_csv(file, infer_schema=False)
    if value:
        frame = frame.filter(pl.col("label") == value)
    kinds = frame[column].fill_null("").to_list()
    return np.array(frame["text"].to_list(), dtype=object), np.array(kinds)


def main(draws: int) -> None:
    """Print a table for each half."""
    unlike = {
        20: texts_of("sms_spam", "label", "ham")[0],
        300: texts_of("hatexplain", "label", "normal")[0],
    }
    sets = {
        "ToxiGen groups": texts_of("toxigen_annotated", "group", "toxic"),
        "HateCheck functionalities": texts_of("hatecheck", "functionality"),
        "HateCheck target groups": texts_of("hatecheck", "group"),
        "Hatemoji functionalities": texts_of("hatemoji_check", "functionality"),
    }
    for half, what in ((0, "calibrated"), (1, "published")):
        print(f"\n{what}: kinds {half}, {half + 2}, ... in the order of their names\n")
        print("| kinds | finds known | unlike texts | others lose | of them nothing | same lose |")
        print("|---|---|---|---|---|---|")
        for (name, (texts, of)), n_finds, n_unlike in product(sets.items(), (5, 20), unlike):
            names, counts = np.unique(of, return_counts=True)
            names = names[(counts >= LEAST) & (names != "")][half::2]
            rng = np.random.default_rng(half)
            rows = []
            for _ in range(draws):
                kind = rng.choice(names)
                mine = rng.permutation(texts[of == kind])
                others = rng.permutation(texts[of != kind])[: TESTED[1]]
                known = rng.choice(unlike[n_unlike], n_unlike, replace=False)
                learned = SimilarityClassifier(mine[:n_finds].tolist(), known.tolist())
                same = mine[n_finds : n_finds + TESTED[0]].tolist()
                near = learned.similarities(same).scores
                far = learned.similarities(others.tolist()).scores
                rows.append((LOST * far.mean(), (far == 0).mean(), LOST * near.mean()))
            lost, nothing, alike = 100 * np.mean(rows, axis=0)
            print(
                f"| {name} | {n_finds} | {n_unlike} | {lost:.1f}% | {nothing:.0f}% | {alike:.0f}% |",
                flush=True,
            )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 15)
