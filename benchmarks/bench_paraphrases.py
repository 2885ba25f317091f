"""How often is the source of an own paraphrase among the finds that judges are shown?

    python benchmarks/bench_paraphrases.py DATA [DRAWS] [SET ...]

DATA is the folder of the shared data sets. 24 everyday posts of ToxiGen were put into other words by one of us, before
anything was tried on them. A player has so many own finds, the source among them; the others are drawn from ToxiGen,
or from each named set (davidson, stormfront, ...), and 500 finds of other players as well. The table says how often
the source is among the nearest that are shown.
"""

from __future__ import annotations

import csv
import gzip
import sys
from pathlib import Path

import numpy as np

from askpoint.arena.game.nearness import EarlierFind, nearest_finds

OWN = "toxigen_annotated"

# row of its file: the same in other words
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


def texts_of(data: Path, name: str) -> list[str]:
    """Return the texts of a set, those that were put into other words aside."""
    with gzip.open(data / "text" / f"{name}.csv.gz", "rt", encoding="utf-8") as file:
        texts = [row["text"] for row in csv.DictReader(file)]
    aside = PARAPHRASES if name == OWN else ()
    return [text for row, text in enumerate(texts) if row not in aside]


def main(data: Path, draws: int, names: list[str]) -> None:
    """Print the table."""
    with gzip.open(data / "text" / f"{OWN}.csv.gz", "rt", encoding="utf-8") as file:
        rows = [row["text"] for row in csv.DictReader(file)]
    others = {name: texts_of(data, name) for name in names}
    rng = np.random.Generator(np.random.PCG64(1))
    print(f"| own finds | {' | '.join(names)} |")
    print(f"|---|{'---|' * len(names)}")
    for n_own in (5, 10, 20, 50, 100):
        cells = [f"{share(rows, others[name], n_own, draws, rng):.2f}" for name in names]
        print(f"| {n_own} | {' | '.join(cells)} |", flush=True)


def share(
    rows: list[str], others: list[str], n_own: int, draws: int, rng: np.random.Generator
) -> float:
    """Return how often the source is shown, among so many own finds."""
    shown = []
    for row, paraphrase in PARAPHRASES.items():
        for _ in range(draws):
            drawn = rng.choice(len(others), size=n_own - 1 + 500, replace=False).tolist()
            finds = [EarlierFind(str(it), others[it], "own") for it in drawn[: n_own - 1]]
            finds += [EarlierFind(str(it), others[it], "other") for it in drawn[n_own - 1 :]]
            finds.append(EarlierFind("source", rows[row], "own"))
            names = [find.id for find in nearest_finds(paraphrase, "own", finds)]
            shown.append("source" in names)
    return float(np.mean(shown))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(
        Path(sys.argv[1]),
        int(sys.argv[2]) if len(sys.argv) > 2 else 10,
        sys.argv[3:] or [OWN],
    )
