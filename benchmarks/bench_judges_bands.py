"""Without labels: how often the truth lies in the band for errors that all judges share.

    python benchmarks/bench_judges_bands.py --quick

For each panel whose truth is known: the share that the votes alone say, the truth, the band at an
error correlation of .32, and whether prevalence and accuracies lie in each band.
"""

from __future__ import annotations

import argparse
import warnings

import numpy as np
from judge_panels import panels, panels_of_more_labels

from askpoint.judges.checks.blind_spot import blind_spot_band, own_intervals
from askpoint.judges.methods.dawid_skene import evaluate_dawid_skene
from askpoint.judges.sketch.vote_sketch import VoteSketch


def holds(band, prevalence, accuracy):
    """Whether the prevalence lies within, and the share of known accuracies that do."""
    low, high = band.prevalence["0"]
    inside = []
    for judge, of in accuracy.items():
        for label, share in of.items():
            interval = band.accuracy.get(judge, {}).get(label)
            if interval is not None and share is not None:
                inside.append(interval.lower <= share <= interval.upper)
    return low <= prevalence <= high, float(np.mean(inside)), high - low


def accuracies(votes, truth, judges, r=2):
    """By judge and label, where 10 votes or more were cast."""
    known = {}
    for j, judge in enumerate(judges):
        known[judge] = {}
        for label in range(r):
            cast = (votes[:, j] >= 0) & (truth == label)
            known[judge][str(label)] = (
                float((votes[cast, j] == label).mean()) if cast.sum() >= 10 else None
            )
    return known


def more_labels():
    """Each label against the rest: how many shares of labels, and of accuracies, lie in the band."""
    for name, (votes, truth, r) in panels_of_more_labels():
        if votes.shape[1] < 3:
            continue
        labels = [str(k) for k in range(r)]
        sketch = VoteSketch(votes.shape[1], labels)
        sketch.update_codes(votes)
        found = evaluate_dawid_skene(sketch)
        own, known = own_intervals(found), accuracies(votes, truth, sketch.judges, r)
        cells = []
        for given in ({"share": 0.0}, {"share": 0.1}, {"correlation": 0.32}, {"correlation": 0.5}):
            band = blind_spot_band(found, own=own, **given)
            within = [
                band.prevalence[k].lower <= np.mean(truth == int(k)) <= band.prevalence[k].upper
                for k in labels
            ]
            inside = [
                band.accuracy[judge][k].lower <= share <= band.accuracy[judge][k].upper
                for judge, of in known.items()
                for k, share in of.items()
                if share is not None and judge in band.accuracy
            ]
            wide = np.median([i.upper - i.lower for i in band.prevalence.values()])
            cells.append(f"{sum(within)} of {r}, {np.mean(inside):.2f}, {wide:.2f}")
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


def main():
    """Print a row a panel and the shares that hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--more-labels", action="store_true", help="panels of three labels or more")
    if parser.parse_args().more_labels:
        more_labels()
        return
    names = ("none", "h=.05", "h=.10", "g=.15", "g=.32", "g=.5")
    rows = []
    for name, (votes, truth, _) in panels(quick=parser.parse_args().quick):
        if votes.shape[1] < 3:
            continue
        sketch = VoteSketch(votes.shape[1], ["0", "1"])
        sketch.update_codes(votes)
        found = evaluate_dawid_skene(sketch)
        own = own_intervals(found)
        bands = [
            blind_spot_band(found, own=own, **given)
            for given in (
                {"share": 0.0},
                {"share": 0.05},
                {"share": 0.1},
                {"correlation": 0.15},
                {"correlation": 0.32},
                {"correlation": 0.5},
            )
        ]
        prevalence = float((truth == 0).mean())
        known = accuracies(votes, truth, sketch.judges)
        rows.append([holds(band, prevalence, known) for band in bands])
        low, high = bands[4].prevalence["0"]
        marks = " ".join("in" if row[0] else "--" for row in rows[-1])
        print(
            f"{name:16} {float(found.prevalence['0']):6.3f} {prevalence:6.3f} "
            f"{low:6.3f} {high:6.3f}  {marks}  {rows[-1][4][1]:.2f}",
            flush=True,
        )
    table = np.array(rows, dtype=float)
    print("columns:", *names)
    print("prevalence in the band:", *np.round(table[:, :, 0].mean(axis=0), 2))
    print("accuracies in the band:", *np.round(table[:, :, 1].mean(axis=0), 2))
    print("median width:          ", *np.round(np.median(table[:, :, 2], axis=0), 2))
    print(f"{len(rows)} panels")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
