"""Whether a limit on mistakes is kept, and by which rule: luck, repeated looks, picked labels, copies, careless labels.

    python benchmarks/bench_promises.py [HISTORIES [SEED]] [--write docs/evidence/promises.md] [--only licences drift]

In each history a log of 2,000 cases is drawn from a shape whose truth is known; some cases get a label, and each rule
chooses the confidence from which the model decides alone. The limit is broken if more than 5% of what it then decides
of new cases is wrong. No constant of ours was chosen on these seeds. Beside that limit: intervals of the share
of mistakes, limits on a whole batch, and accuracy without labels. Peers run where they are installed (`make promises` brings
them). `--only` makes some parts again and leaves the others of the page as they are.
"""

from __future__ import annotations

import argparse
import re
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import numpy as np
import promise_batches
import promise_drift
import promise_estimates
import promise_licences
import promise_shares
from log_shapes import SHAPES
from promise_peers import (
    DELTA,
    LIMIT,
    NEVER,
    by_bands,
    mapie,
    most_of_twenty,
    ten_in_a_row,
    tuned,
)
from scipy import stats
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from wilson import wilson_bounds

from askpoint.errors import NotEstimableError, UnmetError
from askpoint.measures.intervals import binomial_interval
from askpoint.value.curve import ValueCurve
from askpoint.value.growing_log import growing_promise
from askpoint.value.guarantees import learn_then_test
from askpoint.value.selection import label_selection

CASES, LABELS = 2000, 400
LOOKS = range(250, 801, 50)
NOTABLE = 0.1  # who looks again and again stops at a threshold that decides so much
KINDS = (
    "calibrated",
    "overconfident",
    "underconfident",
    "step",
    "deep_net",
    "saturated",
    "verbal",
    "useless",
)


class Sample(NamedTuple):
    """What a rule sees: confidence of all cases; those with a label, in order; whether the label says right."""

    every: np.ndarray
    rows: np.ndarray
    right: np.ndarray
    seed: int

    @property
    def confidence(self):
        """Of the labelled cases."""
        return self.every[self.rows]


def plug_in(sample):
    """Believe the confidences: as many of the surest as keep the mean of 1 - confidence within the limit."""
    return lowest(np.sort(sample.every)[::-1], 1 - np.sort(sample.every)[::-1])


def lowest(confidence, wrong):
    """The lowest threshold at which the mean of what is wrong above it keeps the limit."""
    last = np.append(np.diff(confidence) != 0, True)
    kept = last & (np.cumsum(wrong) <= LIMIT * np.arange(1, len(wrong) + 1) + 1e-9)
    return confidence[np.flatnonzero(kept)[-1]] if kept.any() else NEVER


def on_labels(sample):
    order = np.argsort(-sample.confidence, kind="stable")
    return lowest(sample.confidence[order], ~sample.right[order])


def platt(sample):
    z, every = (
        np.log(c + 1e-9) - np.log1p(1e-9 - c)
        for c in (sample.confidence, np.sort(sample.every)[::-1])
    )
    if sample.right.all() or not sample.right.any():
        return -NEVER if sample.right.all() else NEVER
    model = LogisticRegression().fit(z[:, None], sample.right)
    return lowest(np.sort(sample.every)[::-1], model.predict_proba(every[:, None])[:, 0])


def isotonic(sample):
    every = np.sort(sample.every)[::-1]
    fit = IsotonicRegression(out_of_bounds="clip").fit(sample.confidence, sample.right)
    return lowest(every, 1 - fit.predict(every))


def wilson(sample):
    """The boldest threshold whose upper Wilson bound keeps the limit, of all thresholds."""
    order = np.argsort(-sample.confidence, kind="stable")
    c, n = sample.confidence[order], np.arange(1, len(order) + 1)
    _, upper = wilson_bounds(np.cumsum(~sample.right[order]), n, stats.norm.ppf(1 - DELTA))
    kept = np.append(np.diff(c) != 0, True) & (upper <= LIMIT)
    return c[np.flatnonzero(kept)[-1]] if kept.any() else NEVER


def is_refused(sample):
    """Tell whether `value` refuses: labels that depend on confidence are no sample of all cases."""
    labelled = np.isin(np.arange(len(sample.every)), sample.rows)
    found = label_selection(sample.every, labelled, rng=np.random.default_rng(sample.seed))
    return found is not None and found.is_selective


def once(sample):
    """`askpoint value LOG --max-error 0.05 --guarantee 0.05 --look once`."""
    if is_refused(sample):
        return NEVER
    try:
        return learn_then_test(
            ValueCurve.from_outcomes(sample.right, sample.confidence), LIMIT, DELTA
        )
    except (UnmetError, NotEstimableError):
        return NEVER


def again(sample):
    """The same with `--look again`."""
    if is_refused(sample):
        return NEVER
    try:
        found = growing_promise(sample.confidence, sample.right, LIMIT, DELTA).threshold
    except NotEstimableError:
        return NEVER
    return NEVER if found is None else found


RULES = {
    "believe the confidences": plug_in,
    "Platt's scaling, then believe": platt,
    "isotonic regression, then believe": isotonic,
    "limit kept on the labels (three lines)": on_labels,
    "TunedThresholdClassifierCV": tuned,
    "each tenth alone after ten right in a row": by_bands(ten_in_a_row),
    "each tenth alone at 95% of at least 20": by_bands(most_of_twenty),
    "Wilson's bound, best threshold": wilson,
    "MAPIE 1.6, control of precision": mapie,
    "**askpoint, looked at once**": once,
    "**askpoint, looked at again**": again,
}


def at_random(_, right, rng):
    rows = rng.permutation(CASES)[:LABELS]
    return [(rows, right[rows])]


def many_looks(_, right, rng):
    order = rng.permutation(CASES)
    return [(order[:n], right[order[:n]]) for n in LOOKS]


def least_sure(confidence, right, rng):
    """People corrected what the model was unsure of, three times as often as the rest."""
    weight = 3.0 - 2.0 * (stats.rankdata(confidence) / CASES)
    rows = rng.choice(CASES, LABELS, replace=False, p=weight / weight.sum())
    return [(rows, right[rows])]


def successes(_, right, rng):
    """People confirm what is right twice as often as they report what is wrong, at every confidence."""
    weight = np.where(right, 2.0, 1.0)
    rows = rng.choice(CASES, LABELS, replace=False, p=weight / weight.sum())
    return [(rows, right[rows])]


def copies(_, right, rng):
    """Each labelled case stands four times in the log, and so does its label."""
    rows = np.repeat(rng.permutation(CASES)[: LABELS // 4], 4)
    return [(rows, right[rows])]


def careless(_, right, rng):
    """A third of the mistakes is waved through."""
    rows = rng.permutation(CASES)[:LABELS]
    return [(rows, right[rows] | (rng.random(LABELS) < 1 / 3))]


ADVERSARIES = {
    "luck: 400 labels at random": at_random,
    "twelve looks, until it decides 10%": many_looks,
    "unsure cases labelled three times as often": least_sure,
    "right cases labelled twice as often": successes,
    "each label copied four times": copies,
    "a third of mistakes labelled as right": careless,
}


def decide(rule, samples, adversary):
    """What is put to work: of many looks the first choice that decides a tenth of the cases."""
    chosen = NEVER
    for sample in samples:
        if adversary == "each label copied four times" and rule in (
            once,
            again,
        ):  # `--cluster`: a case counts once
            _, first = np.unique(sample.rows, return_index=True)
            sample = sample._replace(
                rows=sample.rows[np.sort(first)], right=sample.right[np.sort(first)]
            )
        chosen = rule(sample)
        if len(samples) > 1 and decided(chosen, sample.every).mean() >= NOTABLE:
            break
    return chosen


def decided(chosen, confidence):
    """What is decided alone: above a threshold, or in bands."""
    return chosen(confidence) if callable(chosen) else confidence >= chosen


def run(histories, seed):
    """By adversary and rule: whether broken, share decided, share that could be, seconds."""
    found = {}
    rules = dict(RULES)
    try:
        import mapie.risk_control  # noqa: F401
    except ImportError:
        rules = {name: rule for name, rule in rules.items() if not name.startswith("MAPIE")}
    for i in range(histories):
        rng = np.random.default_rng([seed, i])
        draw = SHAPES[KINDS[i % len(KINDS)]](rng)
        cases, new = draw(CASES), draw(50_000)
        right = rng.random(CASES) < cases.rate
        order = np.argsort(-new.confidence, kind="stable")
        could = lowest(new.confidence[order], 1 - new.rate[order])
        most = (new.confidence >= could).mean()
        for name, adversary in ADVERSARIES.items():
            samples = [
                Sample(cases.confidence, rows, labels, i)
                for rows, labels in adversary(cases.confidence, right, rng)
            ]
            for title, rule in rules.items():
                start = time.process_time()
                chosen = decide(rule, samples, name)
                seconds = time.process_time() - start
                above = decided(chosen, new.confidence)
                is_broken = above.any() and (1 - new.rate[above]).mean() > LIMIT * (1 + 1e-9)
                found.setdefault((name, title), []).append((is_broken, above.mean(), most, seconds))
    return {key: np.array(rows) for key, rows in found.items()}


def cell(rows):
    broken, n = int(rows[:, 0].sum()), len(rows)
    low, high = binomial_interval(broken, n)
    share = f"{broken / n:.3f} ({low:.2f} to {high:.2f})"
    saved = rows[:, 1].sum() / rows[:, 2].sum()
    if low > DELTA:
        return f"{share}, decides {saved:.2f}"
    return f"**{share}**, decides {saved:.2f}"


def page(found):
    names = list(ADVERSARIES)
    titles = list(dict.fromkeys(title for _, title in found))
    lines = ["| rule | " + " | ".join(names) + " | ms |", "|---" * (len(names) + 2) + "|"]
    for title in titles:
        cells = [cell(found[name, title]) for name in names]
        ms = 1000 * np.median(found[names[0], title][:, 3])
        lines.append("| " + " | ".join([title, *cells, f"{ms:.1f}"]) + " |")
    return lines


def by_shape(found):
    """How often each rule breaks the limit by luck alone, shape by shape."""
    luck = next(iter(ADVERSARIES))
    lines = ["| rule | " + " | ".join(kind.replace("_", " ") for kind in KINDS) + " |"]
    lines.append("|---" * (len(KINDS) + 1) + "|")
    for title in dict.fromkeys(title for _, title in found):
        broken = found[luck, title][:, 0]
        cells = []
        for i in range(len(KINDS)):
            part = broken[i :: len(KINDS)]
            low, _ = binomial_interval(int(part.sum()), len(part))
            cells.append(f"{part.mean():.2f}" if low > DELTA else f"**{part.mean():.2f}**")
        lines.append("| " + " | ".join([title, *cells]) + " |")
    return lines


TEXT = """# The ledger of promises

Which promises hold: the usual rules and ours on the same logs. `make promises` makes this page; `benchmarks/promise_peers.py` shows how each rule is read. Bold: the data do not contradict the promise. Last column: processor time.

## A limit on mistakes

**At most 5% of what the model decides alone is wrong, except one time in twenty.** {n:,} logs of eight shapes, {cases:,} cases each. A cell: how often the limit was broken on new cases (95%
interval), and how much the model decides alone, where 1 is the most that keeps the limit.

{limit}

The first column by shape ({each} logs each).

{shapes}

- **Only MAPIE and askpoint promise this.** The other rules are here because people use them.
- **Luck.** A limit kept on the labels is broken about every second time, because the threshold was the luckiest of many.
- **Where we lose: Wilson's bound.** It promises nothing, but held on labels at random, and decided .66 where ours decided
  .49. Copies break it.
- **More careful than needed.** askpoint fails once in a hundred logs. MAPIE never failed by luck, and decides half as much.
- **Looks.** If you look more than once, use `--look again`.
- **Labels of unsure cases.** askpoint decides almost nothing before labels are drawn at random. MAPIE and Wilson's bound kept the limit without that.
- **Right cases labelled more often.** No log shows this; careful rules hold only by their caution. `--propose N --random` draws
  what to label, and seals the order.
- **Copies.** `--cluster COLUMN` tells askpoint which rows belong together. Give the other rules one row per case.
- **Careless labels.** No rule here detects them. `--people COLUMN` [measures them](../explanation/value.md#one-theory).

## How often is the model wrong?

A 95% interval from the same labels. A cell: how often it held (at twelve looks: at each), half its width in points, and how often there was none (silent).

{shares}

- **Labels at random**: confidences add nothing.
- **Looks**: only `--look again` holds, at half the width again.
- **Labels of unsure cases**: methods that use confidences hold; labels alone do not.

## A whole batch

**At most 5% of 3,000 outputs are wrong in the end, except one time in ten.** Cells of shapes: how often it was broken, share left to the model. Reviewers are always right here.

{batches}

## This month, without labels

NannyML 0.13 estimates accuracy from probabilities, here on its own data, cut into tenths:

{estimates}

- **Where we lose**: while accuracy at each confidence stays the same, NannyML's estimate is closer than 5% audits, without a label.
- Where it changed (California, credit cards), NannyML's bands held in one and five tenths; audits held.

## An agent's licence

**An agent with 5% bad actions gets no licence, except one time in twenty.** {grants:,} simulated agents per cell ([more cells, and what
each rule claims](licence-table.md)).

{licences}

- **Where we lose**: ten in a row and Wilson's bound need fewer labels (and license every bad agent).

## While the world drifts

**At most {budget:.0f} mistakes are lost against sending every case to review.** A cell: how often more was lost, and what is saved, where
1 is the most that thresholds save; {lives} simulated policies per cell ([more worlds](live.md#compared-with-other-designs)).

{drift}

- **Where we lose**: without drift, a threshold of 400 labels saves more.

## Dates

{ran}

## Other promises

| promise | compared with | where |
|---|---|---|
| the cheapest threshold, by price and shape of log | argmax, Platt, isotonic, tuned threshold, MAPIE | [new cases](new-cases.md) |
| a pass rate from votes of judges and few labels | ppi_py, GLIDE, labels alone | [the gate](gate.md) |
"""


def one_log(i, rng):
    """Of a history: confidences, whether the model is right, and how often the process that draws such cases is wrong."""
    draw = SHAPES[KINDS[i % len(KINDS)]](rng)
    cases, new = draw(CASES), draw(50_000)
    return cases.confidence, rng.random(CASES) < cases.rate, 1 - new.rate.mean()


def samples_by(adversary):
    return lambda confidence, right, rng, i: [
        Sample(confidence, rows, labels, i) for rows, labels in adversary(confidence, right, rng)
    ]


HEADINGS = {
    "licences": "An agent's licence",
    "drift": "While the world drifts",
}
"""The parts that `--only` makes again."""
GRANTS, LIVES = 4000, 12


def made_again(part, seed):
    """Lines of a table that is made apart from the others."""
    if part == "licences":
        return promise_licences.table(promise_licences.run(GRANTS, seed))
    return promise_drift.table(promise_drift.run(LIVES, seed))


def whole_page(histories, seed):
    """All tables, and how to read them."""
    found = run(histories, seed)
    adversaries = {name: samples_by(one) for name, one in ADVERSARIES.items()}
    shares = promise_shares.run(one_log, adversaries, histories, seed)
    batches = promise_batches.run(KINDS, histories, seed)
    tables = {
        "limit": page(found),
        "shapes": by_shape(found),
        "shares": promise_shares.table(shares),
        "batches": promise_batches.table(batches, KINDS),
        "estimates": ["NannyML is not installed: this table is left out."],
        **{part: made_again(part, seed) for part in HEADINGS},
        "ran": ran_table({"all others": f"{datetime.now(UTC):%d %B %Y}"}),
    }
    try:
        tables["estimates"] = promise_estimates.table(promise_estimates.run(seed))
    except ImportError as missing:
        print(f"not installed: {missing.name}")
    told = {name: "\n".join(lines) for name, lines in tables.items()}
    return TEXT.format(
        n=histories,
        cases=CASES,
        each=histories // len(KINDS),
        grants=GRANTS,
        lives=LIVES,
        budget=promise_drift.BUDGET,
        **told,
    )


def ran_table(days):
    """When each part was last made."""
    return [
        "| part | made on |",
        "|---|---|",
        *(f"| {part} | {day} |" for part, day in days.items()),
    ]


def with_table(text, heading, lines):
    """The page with another table below a heading: the first of its section."""
    before, mark, rest = text.partition(f"## {heading}\n")
    section, end, after = rest.partition("\n## ")
    made = re.sub(
        r"(?:^\|.*\n?)+", lambda _: "\n".join(lines) + "\n", section, count=1, flags=re.MULTILINE
    )
    return before + mark + made + end + after


def page_again(text, parts, seed):
    """The page with some of its parts made again."""
    days = dict(re.findall(r"^\| (.+?) \| (\d\d \w+ \d{4}) \|$", text, re.MULTILINE))
    for part in parts:
        text = with_table(text, HEADINGS[part], made_again(part, seed))
        days[HEADINGS[part]] = f"{datetime.now(UTC):%d %B %Y}"
    return with_table(text, "Dates", ran_table(days))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("histories", type=int, nargs="?", default=400)
    parser.add_argument("seed", type=int, nargs="?", default=31_000)
    parser.add_argument("--write", type=Path, metavar="PAGE")
    parser.add_argument("--only", nargs="+", choices=HEADINGS, default=[])
    options = parser.parse_args()
    if options.only:
        text = page_again(options.write.read_text("utf-8"), options.only, options.seed)
    else:
        text = whole_page(options.histories, options.seed)
    print(text)
    if options.write is not None:
        options.write.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
