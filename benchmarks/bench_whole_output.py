"""How much of a batch is left to the model under a promise about the whole output, and how often it is kept.

    python benchmarks/bench_whole_output.py [RUNS [FIRST_WORLD]]
    python benchmarks/bench_whole_output.py recall [RUNS]    a set that holds nine tenths of the positives

Five worlds of 3,000 cases, at most 5% wrong in the end with probability .9. Beside the batch rule: audits
from the surest case down, the form that may be looked at after each label, a fixed sequence of binomial
tests, five lines of importance sampling with a normal bound (as SUPG does), the best in hindsight, and,
where it is installed, bargain 0.1.3, which calls people as it goes. It and the form for
any time get a fifth of the runs: they are slow.
"""

from __future__ import annotations

import sys

import numpy as np
from scipy import special, stats

from askpoint.value.acceptance import (
    audit_acceptance_number,
    batch_acceptance_number,
    mistakes_allowed,
    stream_acceptance_number,
    threshold_before,
)
from askpoint.value.acceptance_again import threshold_at_any_time
from askpoint.value.acceptance_reviewers import ErringReviewers, threshold_with_reviewers

CASES, SHARE, DELTA = 3000, 0.05, 0.1
ALLOWED = mistakes_allowed(CASES, SHARE)
LABELS, CHANCES = (150, 300, 500), (0.05, 0.1, 0.15, 0.2)


def calibrated(rng, spread=1.6, centre=2.2):
    confidence = special.expit(rng.normal(centre, spread, CASES))
    return confidence, rng.random(CASES) >= confidence


def lying(rng):
    confidence, wrong = calibrated(rng)
    lies = rng.random(CASES) < 0.06
    return confidence, wrong | (lies & (rng.random(CASES) < 0.5))


def sharp(rng):
    return calibrated(rng, spread=4.0, centre=3.0)


def useless(rng):
    return rng.random(CASES), rng.random(CASES) < 0.1


def flat(rng):
    return rng.random(CASES), rng.random(CASES) < 0.055


WORLDS = {
    "calibrated": calibrated,
    "6% of confidences lie": lying,
    "sharp": sharp,
    "confidence says nothing, 10% wrong": useless,
    "5.5% wrong everywhere": flat,
}


def left(confidence, wrong, labelled, threshold):
    """Share left to the model, and whether few enough of it are wrong."""
    answered = (confidence >= threshold) & ~labelled
    return answered.mean(), (answered & wrong).sum() <= ALLOWED


def by_batch(rng, confidence, wrong, n):
    labelled = mask(rng.choice(CASES, n, replace=False))
    c = batch_acceptance_number(CASES, n, ALLOWED, DELTA)
    return left(
        confidence, wrong, labelled, threshold_before(confidence, confidence[labelled & wrong], c)
    )


def by_audits(rng, confidence, wrong, chance):
    drawn = rng.random(CASES) < chance
    c = audit_acceptance_number(ALLOWED, chance, DELTA)
    threshold = threshold_before(confidence, confidence[drawn & wrong], c)
    # those above the threshold are bought, and the mistake that ended it
    return left(confidence, wrong, drawn & (confidence >= threshold), threshold)


def at_any_time(rng, confidence, wrong, n):
    """Looked at every 10 labels: broken if any threshold so far leaves too many mistakes."""
    order = rng.choice(CASES, n, replace=False)
    kept = True
    for size in range(10, n + 1, 10):
        rows = order[:size]
        threshold = threshold_at_any_time(
            confidence, confidence[rows], ~wrong[rows], allowed=ALLOWED, delta=DELTA
        )
        kept &= ((confidence >= threshold) & wrong).sum() <= ALLOWED
    share, _ = left(confidence, wrong, mask(order), threshold)
    return share, kept


def by_fixed_sequence(rng, confidence, wrong, n):
    labelled = mask(rng.choice(CASES, n, replace=False))
    best = np.inf
    for threshold in np.quantile(confidence, np.linspace(0.95, 0, 20)):
        above = confidence >= threshold
        seen = (labelled & wrong & above).sum()
        if stats.binom.cdf(seen, (labelled & above).sum(), min(SHARE / above.mean(), 1)) > DELTA:
            break
        best = threshold
    return left(confidence, wrong, labelled, best)


def like_supg(rng, confidence, wrong, n):
    weight = np.sqrt(1 - confidence) + 1e-9
    chance = (n * (0.5 / CASES + 0.5 * weight / weight.sum())).clip(max=1)
    labelled = rng.random(CASES) < chance
    best = np.inf
    for threshold in np.quantile(confidence, np.linspace(0.95, 0, 20)):
        each = wrong * (confidence >= threshold) * labelled / chance
        bound = each.mean() + stats.norm.ppf(1 - DELTA) * each.std() / np.sqrt(CASES)
        if bound <= SHARE:
            best = threshold
    return left(confidence, wrong, labelled, best)


def with_people(rng, confidence, wrong, n, rate=0.01):
    """People label and are asked, and err on 1%; their mistakes count."""
    rows = rng.choice(CASES, n, replace=False)
    labelled, slips = mask(rows), rng.random(CASES) < rate
    noticed = wrong[rows] ^ slips[rows]
    threshold = threshold_with_reviewers(
        confidence,
        confidence[rows],
        (~noticed).astype(float),
        share=SHARE,
        delta=DELTA,
        reviewers=ErringReviewers(rate),
    ).threshold
    answered = (confidence >= threshold) & ~labelled
    return answered.mean(), (answered & wrong).sum() + (~answered & slips).sum() <= ALLOWED


def in_hindsight(_, confidence, wrong, __):
    order = np.argsort(-confidence, kind="stable")
    n = int(np.searchsorted(np.cumsum(wrong[order]), ALLOWED, side="right"))
    return n / CASES, True


def bargain(seed, confidence, wrong):
    from BARGAIN import BARGAIN_A, Oracle, Proxy

    class Model(Proxy):
        def proxy_func(self, row):
            return 1, float(confidence[int(row)])

    class People(Oracle):
        def oracle_func(self, row, _):
            right = not wrong[int(row)]
            return right, int(right)

    rule = BARGAIN_A(
        Model(verbose=False), People(), target=1 - SHARE, delta=DELTA, seed=seed, verbose=False
    )
    _, asked = rule.process(np.arange(CASES).astype(str), return_oracle_usage=True)
    answered = ~np.array(asked)
    return answered.mean(), (answered & wrong).sum() <= ALLOWED


def mask(rows):
    found = np.zeros(CASES, dtype=bool)
    found[rows] = True
    return found


METHODS = {
    "best in hindsight": (in_hindsight, (0,)),
    "batch": (by_batch, LABELS),
    "audits from the top": (by_audits, CHANCES),
    "at any time": (at_any_time, LABELS),
    "batch, people err on 1%": (with_people, LABELS),
    "binomial fixed sequence": (by_fixed_sequence, LABELS),
    "like SUPG": (like_supg, LABELS),
}


def main(runs, first):
    try:
        import BARGAIN  # noqa: F401

        peer_runs = max(runs // 5, 1)
    except ImportError:
        peer_runs = 0
        print("bargain is not installed: its rows are left out")
    for number, (world, draw) in enumerate(WORLDS.items()):
        if number < first:
            continue
        print(f"\n{world}: {runs} runs, left to the model (kept)")
        for name, (rule, sizes) in METHODS.items():
            parts = []
            for size in sizes:
                # every method sees the same batches
                found = np.array(
                    [
                        rule(
                            np.random.default_rng([20261123, number, run, 1]),
                            *draw(np.random.default_rng([20261123, number, run])),
                            size,
                        )
                        for run in range(runs if rule is not at_any_time else max(runs // 5, 1))
                    ],
                    dtype=float,
                )
                parts.append(f"{size:g}: {found[:, 0].mean():.3f} ({found[:, 1].mean():.3f})")
            print(f"  {name:26} {'  '.join(parts)}", flush=True)
        if peer_runs:
            found = np.array(
                [
                    bargain(run, *draw(np.random.default_rng([20261123, number, run])))
                    for run in range(peer_runs)
                ],
                dtype=float,
            )
            print(f"  {'bargain':26} {found[:, 0].mean():.3f} ({found[:, 1].mean():.3f})")


RECALL = 0.9


def positives(rng, kind):
    """Probabilities of being positive, and which cases are: a quarter to a third of them."""
    p = special.expit(rng.normal(-1.5, 4.0 if kind == "sharp" else 2.0, CASES))
    truth = rng.random(CASES) < p
    if kind == "6% of confidences lie":
        lies = rng.random(CASES) < 0.06
        truth = np.where(lies, rng.random(CASES) < 0.5, truth)
    elif kind == "confidence says little":
        p = special.expit(0.3 * special.logit(p.clip(1e-9, 1 - 1e-9)) + rng.normal(0, 1, CASES))
    return p, truth


def our_set(rng, p, truth, n_labels):
    """As `--min-recall CLASS=0.9 --guarantee 0.1`: what comes out as the class or before a person."""
    rows = rng.choice(CASES, n_labels, replace=False)
    sure, says_other = np.maximum(p, 1 - p), p < 0.5
    lost = rows[truth[rows] & says_other[rows]]
    accepted = stream_acceptance_number(int(truth[rows].sum()), 1 - RECALL, DELTA)
    alone = sure >= threshold_before(sure, sure[lost], accepted)
    found = ~(alone & says_other)
    found[rows] = truth[rows]
    return found


def bargain_set(seed, p, truth, n_labels):
    from BARGAIN import BARGAIN_R, Oracle, Proxy

    class Model(Proxy):
        def proxy_func(self, row):
            says = p[int(row)] >= 0.5
            return int(says), float(max(p[int(row)], 1 - p[int(row)]))

    class People(Oracle):
        def oracle_func(self, row, _):
            return True, int(truth[int(row)])

    rule = BARGAIN_R(
        Model(verbose=False), People(), target=RECALL, delta=DELTA, budget=n_labels, seed=seed
    )
    return mask(np.array(rule.process(np.arange(CASES).astype(str)), dtype=int))


def main_recall(runs):
    try:
        import BARGAIN  # noqa: F401

        has_peer = True
    except ImportError:
        has_peer = False
        print("bargain is not installed: its column is left out")
    print(f"{runs} runs: precision of the set and how often it holds {RECALL:g} of the positives")
    for number, kind in enumerate(
        ("calibrated", "sharp", "6% of confidences lie", "confidence says little")
    ):
        for n_labels in (150, 300, 500):
            said = []
            for name in ("ours", *(("bargain",) if has_peer else ())):
                told = []
                for run in range(runs):
                    p, truth = positives(np.random.default_rng([20261125, number, run]), kind)
                    if name == "ours":
                        rng = np.random.default_rng([20261125, number, run, 1])
                        found = our_set(rng, p, truth, n_labels)
                    else:
                        found = bargain_set(run, p, truth, n_labels)
                    told.append(
                        (
                            truth[found].mean(),
                            truth[found].sum() >= RECALL * truth.sum(),
                            found.mean(),
                        )
                    )
                precision, kept, size = np.mean(told, axis=0)
                said.append(f"{name} {precision:.3f} ({kept:.3f}), {size:.3f} of the cases")
            print(f"  {kind:26} {n_labels}: {'; '.join(said)}", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["recall"]:
        main_recall(int(sys.argv[2]) if len(sys.argv) > 2 else 100)
        raise SystemExit
    given = [int(text) for text in sys.argv[1:]]
    main(given[0] if given else 200, given[1] if len(given) > 1 else 0)
