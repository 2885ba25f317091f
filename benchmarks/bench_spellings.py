"""How many spellings of a find are caught, and how many different posts are taken for one.

    python benchmarks/bench_spellings.py DATA [BASES] [POSTS]

Catch: BASES posts of each set are submitted among 2,000 others, each then by its own player in 35 spellings.
False merges: of POSTS later posts, which repeat one of as many earlier ones, by the certain rules alone. Posts
have 20 letters or more, addresses, names and RT taken off, and each stands once.
"""

from __future__ import annotations

import csv
import gzip
import re
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from arena.game.spellings import NEW_SPELLINGS, SPELLINGS, spell
from askpoint.arena.game.prints import print_of
from askpoint.arena.game.repeats import Repeats
from askpoint.measures.intervals import binomial_interval

SETS = ("davidson", "hatexplain", "stormfront", "sms_spam", "toxigen_annotated", "hatemoji_build")
_NOISE = re.compile(r"https?://\S+|@\w+|\bRT\b|&\w+;|&#\d+;")


def posts_of(data: str, name: str, seed: int) -> list[str]:
    """Return the different posts of a set in a random order."""
    with gzip.open(Path(data) / "text" / f"{name}.csv.gz", "rt", encoding="utf-8") as file:
        texts = [" ".join(_NOISE.sub(" ", row["text"]).split()) for row in csv.DictReader(file)]
    long = [text for text in texts if sum(map(str.isalpha, text)) >= 20]
    kept = list({print_of(text).letters: text for text in long}.values())
    return [kept[i] for i in np.random.default_rng(seed).permutation(len(kept))]


def main(data: str, n_bases: int, n_posts: int, show: bool) -> None:
    """Print both tables."""
    catch: dict[str, list[float]] = {name: [] for name in SPELLINGS | NEW_SPELLINGS}
    for name in SETS:
        posts = posts_of(data, name, 11)
        bases = [it for it in posts if 30 <= sum(map(str.isalpha, it)) <= 400][:n_bases]
        for trick, shares in catch.items():
            hits = 0
            for number, base in enumerate(bases):
                texts = Repeats()
                texts.add(print_of(base), "a")
                hits += len(texts.of(print_of(spell(base, trick, number)), "a"))
            shares.append(hits / len(bases))
    print("| trick | " + " | ".join(SETS) + " |\n|---" + "|---" * len(SETS) + "|")
    for trick, shares in catch.items():
        print(f"| {trick} | " + " | ".join(f"{share:.2f}" for share in shares) + " |")
    for title, names in (("mean of 25", SPELLINGS), ("mean of 10", NEW_SPELLINGS)):
        means = np.mean([catch[name] for name in names], axis=0)
        print(f"| {title} | " + " | ".join(f"{mean:.3f}" for mean in means) + " |")
    for name in SETS:
        posts = posts_of(data, name, 12)
        n = min(n_posts, len(posts) // 2)
        texts, merged, begun = Repeats(), 0, time.process_time()
        for text in posts[:n]:
            texts.add(print_of(text), "a")
        ready = time.process_time()
        for text in posts[n : 2 * n]:
            places = texts.of(print_of(text), "b")
            merged += len(places) > 0
            if show and len(places):
                print("   NEW:", text[:160], "\n   OLD:", posts[int(places[0])][:160])
        spent = time.process_time() - ready
        bound = binomial_interval(merged, n)
        print(
            f"{name}: {merged} of {n} merged, {1000 * merged / n:.2f} of 1,000 "
            f"({1000 * bound.lower:.2f} to {1000 * bound.upper:.2f}); add {1000 * (ready - begun) / n:.2f} ms, "
            f"compare {1000 * spent / n:.2f} ms each"
        )


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word != "--show"]
    main(
        words[0],
        int(words[1]) if len(words) > 1 else 40,
        int(words[2]) if len(words) > 2 else 2000,
        show="--show" in sys.argv,
    )
