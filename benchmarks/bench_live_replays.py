"""Three real logs as streams: labels are shown for asked and audited cases only, all is checked at each decision.

    python benchmarks/bench_live_replays.py [--orders 5]

Each order of a log is one life. A mistake costs 20 checks; a promise is half of the log's risk. Checked
after every decision: mistakes of an episode against limit and allowance, those so far against their
interval for all times, and thresholds in use against their risk on the whole log.
"""

from __future__ import annotations

import argparse

import numpy as np
from bench_live_others import LABELS, static
from real_logs import log

from askpoint.live.labels import apply_labels
from askpoint.live.state import fresh_state
from askpoint.live.steps import decide_cases
from askpoint.live.terms import Terms
from askpoint.measures.mixture_sequence import total_interval

LOGS = (("adult", "boosting"), ("letter", "forest"), ("nursery", "logistic"))


def life(terms, c, wrong, draw):
    """Decide one by one; answers, audits, events, and decisions at which something was broken."""
    state, n = fresh_state(terms), len(c)
    answer, audit = np.zeros(n, bool), np.zeros(n, bool)
    events, lost, made_in, episode, mistakes = [], 0, 0, 1, 0
    over = outside = 0
    seen, bounds = -1.0, None
    for i in range(n):
        rows = slice(i, i + 1)
        state, made, happened = decide_cases(state, terms, c[rows], draw[rows])
        events += happened
        answer[i], audit[i] = made.answer[0], made.audit[0]
        if state.episode != episode:
            episode, lost, made_in = state.episode, 0, 0
        if answer[i]:
            made_in, lost, mistakes = made_in + 1, lost + wrong[i], mistakes + wrong[i]
        if audit[i] or not answer[i]:
            state, happened = apply_labels(state, terms, np.array([i]), wrong[rows])
            events += happened
        over += lost > terms.answer_below * made_in + terms.budget
        if state.seen != seen:
            seen = state.seen
            bounds = total_interval(seen)
        outside += not bounds.lower <= mistakes * terms.rate <= bounds.upper
    return answer, audit, events, over, outside


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--orders", type=int, default=5)
    orders = parser.parse_args().orders
    print("| log | decisions | aim | gap | static, 400 labels | coverage, second half "
          "| mistake budget broken | interval missed | risk broken | closed |")  # fmt: skip
    print("|" + "---|" * 10)
    for name, model in LOGS:
        real = log(name, model)
        n, error = len(real.right), 1 - real.right.mean()
        order = np.argsort(real.confidence)
        c = real.confidence[order]
        behind = np.append((~real.right[order])[::-1].cumsum()[::-1], 0)
        best = (behind + 0.05 * np.arange(n + 1)).min()
        for aim, limit in (("money", 0.05), ("promise", error / 2)):
            terms = Terms(aim, limit, planned_decisions=n)
            saved, fixed, late, over, outside, broken, closed = [], [], [], 0, 0, 0, 0
            for seed in range(orders):
                rng = np.random.default_rng([17, seed])
                stream = rng.permutation(n)
                wrong = ~real.right[stream]
                answer, audit, events, o, x = life(
                    terms, real.confidence[stream], wrong, rng.random(n)
                )
                cost = np.where(answer, wrong + 0.05 * audit, 0.05).sum()
                saved.append((0.05 * n - cost) / (0.05 * n - best))
                first = np.random.default_rng([18, seed]).permutation(n)[:LABELS]
                still = static(real.confidence[first], ~real.right[first], 0.05)
                above = real.confidence >= still
                cost = np.where(above, ~real.right, 0.05).sum()
                fixed.append((0.05 * n - cost) / (0.05 * n - best))
                late.append(answer[n // 2 :].mean())
                over, outside = over + (o > 0), outside + (x > 0)
                closed += any(event.kind in {"alarm", "budget_spent"} for event in events)
                used = [e.numbers["threshold"] for e in events if "threshold" in e.numbers]
                places = [np.searchsorted(c, t) for t in used]
                risks = [behind[p] / max(1, n - p) for p in places]
                broken += aim == "promise" and any(risk > limit for risk in risks)
            print(
                f"| {name}, {model} | {n} | {aim} {limit:.3f} | {np.mean(saved):.2f} "
                f"| {np.mean(fixed):.2f} | {np.mean(late):.2f} | {over} of {orders} | {outside} of {orders} "
                f"| {broken} of {orders} | {closed} of {orders} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
