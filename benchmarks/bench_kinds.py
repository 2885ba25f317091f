"""What would a cap on finds of one kind by one player cost honest players, and what would it catch?

    python benchmarks/bench_kinds.py DATA [DRAWS]

DATA is the folder of the shared data sets. The cap of the design: of one kind (linked, one to the next, by a likeness
of at least so much) a player is paid five finds a day in full, and then a tenth. An honest player's finds are drawn at
random from posts that offend, 168 of them as one who finds one in three all day; what is left of their pay is the
mean of so many draws. A cheat puts each find in other words (benchmarks/bench_paraphrases.py), or fills a sentence with
other groups: how often the copy is linked to its source, and how often prints tell it as a repeat without any cap.
Likeness is that of `askpoint.arena.game.nearness`, which chooses what judges are shown.
"""

from __future__ import annotations

import csv
import gzip
import sys
from pathlib import Path

import numpy as np
from bench_paraphrases import OWN, PARAPHRASES

from askpoint.arena.game.nearness import _cosine, _features, _weigh, _weights
from askpoint.arena.game.prints import print_of
from askpoint.arena.game.repeats import Repeats

BARS = (0.1, 0.15, 0.2, 0.25, 0.3, 0.4)
FULL, THEN = 5, 0.1
DAY = 168
CLEAN = {
    "davidson": ("neither",),
    "stormfront": ("noHate", "relation", "idk/skip"),
    "hatexplain": ("normal",),
}
SENTENCES = (
    "I would never let {} live anywhere near my children",
    "all {} should be sent back to where they came from before it is too late",
    "{} are the reason why this country is going down the drain",
    "nobody wants {} in our schools and shops any more",
    "you cannot trust {} with money, everybody knows that",
    "the world would be a better place without {} in it",
)
GROUPS = (
    "immigrants", "refugees", "women", "feminists", "indians", "poor people", "catholics", "turks", "arabs",
    "liberals", "old people", "mexicans", "asians", "poles", "disabled people", "students", "farmers", "tenants",
    "drivers", "lawyers",
)  # fmt: skip


def rows_of(data: Path, name: str) -> list[dict[str, str]]:
    """Return the rows of a set."""
    with gzip.open(data / "text" / f"{name}.csv.gz", "rt", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def find_likeness(texts: list[str]) -> np.ndarray:
    """Return how like each text is to those before it."""
    features = [_features(text) for text in texts]
    weights = _weights(features)
    weighed = [_weigh(of, weights) for of in features]
    likeness = np.zeros((len(texts), len(texts)))
    for new in range(len(texts)):
        likeness[new, :new] = [_cosine(weighed[new], of) for of in weighed[:new]]
    return likeness


def paid_share(likeness: np.ndarray, bar: float) -> float:
    """Return what is left of the pay of finds in their order, where kinds merge as finds link them."""
    kinds = list(range(len(likeness)))
    paid = 0.0
    for new in range(len(likeness)):
        linked = {kinds[old] for old in range(new) if likeness[new, old] >= bar}
        kinds[:new] = [new if kind in linked else kind for kind in kinds[:new]]
        paid += 1 if kinds[:new].count(new) < FULL else THEN
    return paid / len(likeness)


def told(texts: list[str]) -> float:
    """Return the share of texts after the first that prints tell as the player's own again."""
    repeats, count = Repeats(), 0
    for text in texts:
        sought = print_of(text)
        count += len(repeats.of(sought, "own")) > 0
        repeats.add(sought, "own")
    return count / (len(texts) - 1)


def main(data: Path, draws: int) -> None:
    """Print the table."""
    rng = np.random.Generator(np.random.PCG64(1))
    print(f"| | {' | '.join(f'{bar:g}' for bar in BARS)} |")
    print(f"|---|{'---|' * len(BARS)}")
    for name, clean in CLEAN.items():
        posts = [row["text"] for row in rows_of(data, name) if row["label"] not in clean]
        left = []
        for _ in range(draws):
            texts = [posts[at] for at in rng.choice(len(posts), DAY, replace=False)]
            likeness = find_likeness(texts)
            left.append([paid_share(likeness, bar) for bar in BARS])
        print_row(f"honest pay left: {name}", np.mean(left, axis=0))
    texts = [row["text"] for row in rows_of(data, OWN)]
    rest = [text for at, text in enumerate(texts) if at not in PARAPHRASES]
    links = []
    for row, paraphrase in PARAPHRASES.items():
        for _ in range(draws):
            drawn = [rest[at] for at in rng.choice(len(rest), 19, replace=False)]
            links.append(find_likeness([*drawn, texts[row], paraphrase])[-1, -2])
    print_row(
        "paraphrases linked to their source", [np.mean(np.array(links) >= bar) for bar in BARS]
    )
    filled = [[sentence.format(group) for group in GROUPS] for sentence in SENTENCES]
    others = [texts[at] for at in rng.choice(len(texts), 100, replace=False)]
    likes = [find_likeness([*others, *cheat])[100:, 100:] for cheat in filled]
    left = [[paid_share(like, bar) for bar in BARS] for like in likes]
    print_row("pay left of a sentence filled with 20 groups", np.mean(left, axis=0))
    print(
        f"told as repeats by prints, with no cap: {np.mean([told(texts) for texts in filled]):.3f}"
    )


def print_row(name: str, shares: object) -> None:
    """Print a line of the table."""
    print(f"| {name} | {' | '.join(f'{share:.3f}' for share in shares)} |", flush=True)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 20)
