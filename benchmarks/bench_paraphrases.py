"""How often is the source of an own paraphrase among the finds that judges are shown?

    python benchmarks/bench_paraphrases.py DATA [DRAWS]

DATA is the folder of the shared data sets. 24 everyday posts of ToxiGen were put into other words by one of us, before
anything was tried on them. A player has so many own finds, the source among them; the others are drawn from the same
set, and 500 finds of other players as well. The table says how often the source is among the nearest that are shown.
"""

from __future__ import annotations

import csv
import gzip
import sys
from pathlib import Path

import numpy as np

from askpoint.arena.game.nearness import EarlierFind, nearest_finds

# row of toxigen_annotated.csv.gz: the same in other words
PARAPHRASES = {
    2197: "everything they cook is great, I could eat Mexican dishes all day long",
    2814: "nobody ever taught me Chinese: no talking, no books, and I never spent time over there",
    955: "indigenous people make fine hunters, and nobody handles a bow like them",
    6518: "our very first dance stays with me, as though we had met long before",
    3638: "you only dislike her since she is pretty and young and you envy that",
    4370: "sexism is only part of it; racism, poverty, disability and orientation play into this too",
    1445: "not being able to see well holds nobody back from what others do",
    848: "that troll tried to shut me up without answering a single argument of my piece",
    629: "forget a fence on the frontier, put one at the sea, for they arrive in boats",
    196: "many roads lead to feminism; refusing to be one is the wrong way of doing it",
    5012: "Arabs are ordinary neighbours, whatever prejudice people hold about them",
    8287: "she wears a veil for decency, nothing else",
    8945: "around 1900 the state tore kids from their parents so that they would give up their ways",
    6913: "being treated worse at your job is often hard to see, and hurts like being refused a flat or a school",
    547: "why somebody becomes psychologically ill depends on heredity, on neurons and on what happened to them",
    2048: "it was good to see that at least one of us fights bigotry at home",
    4716: "dangerous people belong behind bars where they cannot hurt anybody",
    2576: "for the trains, tribes lost the land where they had lived, some 150 years ago",
    7041: "if only I came from America, where people live in liberty and nobody bombs them",
    1613: "we never prayed, yet at Hanukkah the candles and the Passover dish stood out for all to see",
    973: "calling yourself one is too little: feminists must tear down what keeps women small here",
    2452: "many stars of film, sport, research and government are Asian",
    8550: "look at the company somebody keeps, and you know their character",
    7469: "a clinic bed beats sleeping rough",
}


def main(data: Path, draws: int) -> None:
    """Print the table."""
    with gzip.open(data / "text" / "toxigen_annotated.csv.gz", "rt") as file:
        texts = [row["text"] for row in csv.DictReader(file)]
    rng = np.random.Generator(np.random.PCG64(1))
    others = [row for row in range(len(texts)) if row not in PARAPHRASES]
    print("| own finds | source among those shown |")
    print("|---|---|")
    for n_own in (5, 10, 20, 50, 100):
        shown = []
        for row, paraphrase in PARAPHRASES.items():
            for _ in range(draws):
                drawn = rng.choice(others, size=n_own - 1 + 500, replace=False).tolist()
                finds = [EarlierFind(str(it), texts[it], "own") for it in drawn[: n_own - 1]]
                finds += [EarlierFind(str(it), texts[it], "other") for it in drawn[n_own - 1 :]]
                finds.append(EarlierFind(str(row), texts[row], "own"))
                names = [find.id for find in nearest_finds(paraphrase, "own", finds)]
                shown.append(str(row) in names)
        print(f"| {n_own} | {np.mean(shown):.2f} |", flush=True)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 10)
