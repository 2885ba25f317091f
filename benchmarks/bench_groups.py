"""A threshold for each group against one for all, in worlds whose truth is known.

    python benchmarks/bench_groups.py [RUNS [FIRST_SEED]]
    python benchmarks/bench_groups.py proposed [RUNS [FIRST_SEED]]    which cases to label: gap closed at 100 and 300 labels

6,000 cases in eight groups of unequal size; cost is counted in true rates, without luck of the cases. Ratio:
cost of thresholds of groups over that of the common one. Gap: share closed between the better of {answer all, ask
all} and the best threshold of each group. Beside it: the common threshold (V11), five lines of logistic
regression on the logit and the group, and each group alone. Seeds below 1000 chose the constants.
"""

from __future__ import annotations

import sys

import numpy as np
from scipy import special
from sklearn.linear_model import LogisticRegression

from askpoint.value.posterior.group_posterior import GroupCounts, fit_groups
from askpoint.value.posterior.group_thresholds import choose_group_thresholds
from askpoint.value.posterior.proposals import propose_cases
from askpoint.value.posterior.rightness import RightnessPosterior

CASES, GROUPS = 6000, 8
SHARES = np.array([0.25, 0.2, 0.15, 0.12, 0.1, 0.08, 0.06, 0.04])
WORLDS = ("alike", "shift .7", "shift 1.4", "one bad group", "slopes .5", "lapse in one group")


def draw(kind, rng):
    """Confidence, group and true rate of each case."""
    group = rng.choice(GROUPS, CASES, p=SHARES)
    z = rng.normal(2.2, 1.8, CASES)
    shift = np.full(GROUPS, rng.normal(0, 0.3))
    slope = np.full(GROUPS, np.exp(rng.normal(0, 0.3)))
    lapse = np.full(GROUPS, 0.006)
    if kind.startswith("shift"):
        shift += rng.normal(0, float(kind.split()[1]), GROUPS)
    elif kind == "one bad group":
        shift[rng.integers(0, 4)] -= 2
    elif kind.startswith("slopes"):
        slope *= np.exp(rng.normal(0, 0.5, GROUPS))
    elif kind.startswith("lapse"):
        lapse[rng.integers(0, 4)] = 0.3
    right = lapse[group] / 2 + (1 - lapse[group]) * special.expit(shift[group] + slope[group] * z)
    return special.expit(z), group, right


def best_cost(right, checks):
    """Least cost of a threshold on cases in order of confidence, the least sure first."""
    wrong = np.append(np.cumsum((1 - right)[::-1])[::-1], 0)
    return (np.arange(len(right) + 1) + checks * wrong).min()


def run(kind, seed, n_labels, checks):
    rng = np.random.default_rng([seed, 20261123])
    confidence, group, rate = draw(kind, rng)
    rows = rng.choice(CASES, n_labels, replace=False)
    hit = rng.random(n_labels) < rate[rows]
    right, wrong = np.zeros(CASES), np.zeros(CASES)
    right[rows], wrong[rows] = hit, ~hit

    def cost(answered):
        return float(np.where(answered, checks * (1 - rate), 1).mean())

    def least(q):
        """The threshold of least expected cost of cases with these rates, on confidence."""
        order = np.argsort(q[0])
        lost = np.append(np.cumsum((1 - q[1][order])[::-1])[::-1], 0)
        return np.append(q[0][order], np.inf)[np.argmin(np.arange(len(order) + 1) + checks * lost)]

    common = RightnessPosterior().fit(confidence[rows], hit, confidence)
    one = least((confidence, common.predict(confidence)))
    counts = GroupCounts.of_cases(common.evidence_, group, GROUPS, confidence, right, wrong)
    posterior = fit_groups(counts, common.right_, common.evidence_)
    found = choose_group_thresholds(counts, posterior, checks, one, np.random.default_rng(seed))
    own = np.array([each.threshold for each in found])
    held = []
    for g, each in enumerate(found):
        mine = group == g
        true = ((confidence[mine] >= own[g]) * (1 - rate[mine])).mean()
        held.append(each.mistakes.low <= true <= each.mistakes.high)
    yes = [each.differs == "yes" for each in found]
    pays = [
        checks * (1 - rate[group == g]) @ (confidence[group == g] >= own[g])
        + (confidence[group == g] < own[g]).sum()
        < checks * (1 - rate[group == g]) @ (confidence[group == g] >= one)
        + (confidence[group == g] < one).sum()
        for g in range(GROUPS)
    ]
    # five lines: a slope for all, a shift for each group
    z = special.logit(confidence.clip(1e-6, 1 - 1e-6))
    columns = np.column_stack([z, np.eye(GROUPS)[group]])
    platt = np.full(CASES, hit.mean())
    if 0 < hit.mean() < 1:
        platt = (
            LogisticRegression(max_iter=1000).fit(columns[rows], hit).predict_proba(columns)[:, 1]
        )
    alone = np.zeros(CASES, dtype=bool)
    for g in range(GROUPS):
        mine = group == g
        some = np.isin(rows, np.flatnonzero(mine))
        q = RightnessPosterior().fit(confidence[rows[some]], hit[some], confidence[mine])
        alone[mine] = confidence[mine] >= least((confidence[mine], q.predict(confidence[mine])))
    truth = 0.0
    for g in range(GROUPS):
        mine = np.flatnonzero(group == g)
        truth += best_cost(rate[mine[np.argsort(confidence[mine])]], checks)
    base = min(1.0, checks * (1 - rate).mean())
    return [
        cost(confidence >= own[group]),
        cost(confidence >= one),
        cost(platt >= 1 - 1 / checks),
        cost(alone),
        base,
        truth / CASES,
        any(yes),
        np.mean(held),
        sum(yes),
        sum(np.array(yes) & np.array(pays)),
    ]


def main(runs, first):
    print(f"{runs} runs from seed {first}")
    for kind in WORLDS:
        for n_labels in (100, 300, 1000):
            for checks in (5, 20):
                rows = np.array(
                    [run(kind, seed, n_labels, checks) for seed in range(first, first + runs)],
                    float,
                )
                own, one, platt, alone, base, best, any_yes, held, n_yes, true_yes = rows.mean(
                    axis=0
                )
                worst = (rows[:, 0] / rows[:, 1]).max()
                gap = [(base - each) / (base - best) for each in (own, one, platt, alone)]
                print(
                    f"{kind:18} {n_labels:5} {checks:3}  ratio {own / one:.3f} worst {worst:.3f}  "
                    f"gap own {gap[0]:.2f} one {gap[1]:.2f} platt {gap[2]:.2f} alone {gap[3]:.2f}  "
                    f"yes in {any_yes:.2f} right {true_yes * runs:.0f} of {n_yes * runs:.0f} held {held:.3f}",
                    flush=True,
                )


def run_proposed(kind, seed, checks, how):
    """Gaps at 100 and 300 labels, proposed ten at a time: at random, by the common curve, or by groups."""
    rng = np.random.default_rng([seed, 20261124])
    confidence, group, rate = draw(kind, rng)
    hit = rng.random(CASES) < rate
    known = np.zeros(CASES, dtype=bool)
    base = min(1.0, checks * (1 - rate).mean())
    truth = 0.0
    for g in range(GROUPS):
        mine = np.flatnonzero(group == g)
        truth += best_cost(rate[mine[np.argsort(confidence[mine])]], checks) / CASES
    gaps = []
    while known.sum() < 300:
        free = np.flatnonzero(~known)
        rows = np.flatnonzero(known)
        common = RightnessPosterior().fit(confidence[rows], hit[rows], confidence)
        if how == "random":
            known[rng.choice(free, 10, replace=False)] = True
        else:
            regret = None
            if how == "groups":
                posterior = fitted(common, group, confidence, hit, known)[1]
                place = common.evidence_.group_of(confidence)
                regret = posterior.regret(1 / checks)[group, place][free]
            known[
                free[
                    propose_cases(
                        common, confidence[free], 10, rng, checks=checks, regret=regret
                    ).rows
                ]
            ] = True
        if known.sum() in (100, 300):
            rows = np.flatnonzero(known)
            common = RightnessPosterior().fit(confidence[rows], hit[rows], confidence)
            counts, posterior = fitted(common, group, confidence, hit, known)
            found = choose_group_thresholds(
                counts, posterior, checks, np.inf, np.random.default_rng(seed)
            )
            own = np.array([each.threshold for each in found])[group]
            spent = float(np.where(confidence >= own, checks * (1 - rate), 1).mean())
            gaps += [base - spent]
    return [*gaps, base - truth]


def fitted(common, group, confidence, hit, known):
    counts = GroupCounts.of_cases(
        common.evidence_, group, GROUPS, confidence, 1.0 * (hit & known), 1.0 * (~hit & known)
    )
    return counts, fit_groups(counts, common.right_, common.evidence_)


def main_proposed(runs, first):
    print(f"{runs} runs from seed {first}: gap closed at 100, 300 labels")
    for kind in ("shift .7", "one bad group", "alike"):
        for checks in (20, 5):
            told = []
            for how in ("random", "common", "groups"):
                rows = np.array(
                    [run_proposed(kind, s, checks, how) for s in range(first, first + runs)]
                )
                at_100, at_300, most = rows.mean(axis=0)
                told.append(f"{how} {at_100 / most:.2f} {at_300 / most:.2f}")
            print(f"{kind:15} {checks:3}  {'  '.join(told)}", flush=True)


if __name__ == "__main__":
    words = sys.argv[1:]
    chosen = main_proposed if words[:1] == ["proposed"] else main
    given = [int(text) for text in words if text.isdigit()]
    chosen(given[0] if given else 20, given[1] if len(given) > 1 else 5000)
