"""Thousands of doors at once: the steps of `Book` on arrays, a unit a row, so that a table takes minutes.

Labels come at once and count at once. `tests/live/test_many_doors.py` holds it to the book, step by step. The rules of
thumb stand beside it in the same words: `act` says who acts alone, and whom people look at.
"""

# ruff: noqa: D102 - worlds are functions of the moment, the units and what they did

from __future__ import annotations

import copy

import numpy as np

from askpoint.live.licences.certificate import (
    WEIGHTS,
    Certificate,
    evidence_step,
    spend_reserves,
)
from askpoint.live.licences.error_posterior import CAUTION, LEAST, acting_regret, rate_posterior
from askpoint.live.licences.rise_watch import RiseWatch
from askpoint.measures.mixture_sequence import log_gamma_mixture
from askpoint.measures.restarts import restart_weight

_WATCH = np.array([0.0, *(restart_weight(t, 400) for t in range(1, 5001))])


class Doors:
    """So many units under one policy."""

    def __init__(self, n, policy, *, money=False):
        self.n, self.policy, self.money = n, policy, money
        kind = policy.classes[0] if policy.classes else None
        self.limit = policy.limit_of(kind)
        self.ladder = policy.audits
        self.bets = np.repeat(Certificate.start(self.limit).bets[np.newaxis], n, axis=0)
        self.again = Certificate.start(self.limit, again=True)
        self.left, self.quiet = np.full(n, np.nan), np.zeros(n, int)
        self.labels, self.wrong = np.zeros(n, int), np.zeros(n)
        self.watch = np.repeat(RiseWatch.start(self.limit).bets[np.newaxis], n, axis=0)
        one, none = (RiseWatch.start(self.limit).hear(x).bets / _WATCH[1] for x in (1.0, 0.0))
        self.watch_factors = one, none
        self.heard = np.zeros(n, int)
        self.episode, self.losses = np.ones(n, int), np.zeros(n, int)
        self.granted, self.ever = np.zeros(n, bool), np.zeros(n, bool)
        self.seen, self.drawn = np.zeros(n), np.zeros(n)
        self.alert, self.reached = np.zeros(n, int), np.zeros(n, int)
        self.carried = np.zeros(n, bool)
        self.by_regret = np.ones(n)
        self.excess = np.zeros(
            n
        )  # of this episode: sum of rate times chance of a bad action, less the limit's part

    @property
    def evidence(self):
        return self.bets @ WEIGHTS

    def bound(self):
        later = np.maximum(self.episode, 2)
        share = np.where(self.episode == 1, 0.8, 0.2 / (later * (later - 1)))
        return 1 / (share * self.policy.delta)

    def rate(self):
        rates = np.array(self.ladder.rates)
        if self.money:
            by_evidence = self.by_regret
        else:
            with np.errstate(divide="ignore"):
                steps = np.log(self.evidence / self.bound()) / np.log(self.ladder.step)
            level = np.clip(1 + np.floor(np.nan_to_num(steps, posinf=99)), 1, len(rates)).astype(
                int
            )
            level = np.where(self.carried, 1, level)
            self.reached = np.where(self.granted, np.maximum(self.reached, level), 1)
            by_evidence = rates[self.reached - 1]
        more = np.where(self.losses > 0, self.ladder.after_loss, 0.0)
        return np.where(self.alert > 0, 1.0, np.maximum(by_evidence, more))

    def is_within(self, rate):
        allowed = self.limit * self.drawn + self.policy.mistake_budget - rate
        may = allowed > self.seen
        found = log_gamma_mixture(np.where(may, allowed, 1.0), np.where(may, self.seen, 0.0))
        return may & (found >= np.log(self.bound()))

    def lose(self, who):
        if not who.any():
            return
        self.granted &= ~who
        self.carried &= ~who
        self.episode[who] += 1
        self.losses[who] += 1
        self.begin(who)
        self.bets[who], (self.left[who], self.quiet[who]) = self.again.bets, self.again.reserve

    def begin(self, who):
        for name in (
            "labels",
            "wrong",
            "heard",
            "seen",
            "drawn",
            "alert",
            "reached",
            "watch",
            "excess",
        ):
            getattr(self, name)[who] = 0

    def tell_version(self):
        """All begin anew, for another version was declared."""
        who = (self.labels > 0) | self.granted
        self.granted[:] = self.carried[:] = False
        self.episode += who
        self.losses[:] = 0
        self.begin(np.ones(self.n, bool))
        self.bets[:] = Certificate.start(self.limit).bets
        self.left[:], self.quiet[:] = np.nan, 0

    def tell_minor(self):
        """All begin anew, but the licensed ones go on at level 1, for a minor version was declared; not by money."""
        granted, losses, alert = self.granted.copy(), self.losses.copy(), self.alert.copy()
        before, shares = (
            (self.watch.copy(), self.heard.copy(), self.seen.copy(), self.drawn.copy()),
            self.carried,
        )
        shares = shares & granted
        self.tell_version()
        self.losses[:] = losses
        self.granted[:] = self.carried[:] = granted
        self.alert = np.where(granted, alert, 0)
        for name, old in zip(("watch", "heard", "seen", "drawn"), before, strict=True):
            getattr(self, name)[shares] = old[shares]

    def act(self, marked, draws, chance=None, waits=False):
        """Propose an action each; who acts alone, and whom people look at.

        Parameters
        ----------
        marked : ndarray of bool
            What whoever looks at it says: bad or not.
        draws : ndarray
            Of the audits.
        chance : ndarray, optional
            Of a bad action: what Q2 is about.
        waits : ndarray of bool, optional
            Who asks although licensed: a more cautious step of its amount is not.
        """
        rate = self.rate()
        self.lose(self.granted & ~self.is_within(rate))
        alone = self.granted & np.logical_not(waits)
        audit = alone & (draws < rate)
        self.drawn += np.where(alone, rate, 0.0)
        if chance is not None:
            self.excess += np.where(alone, rate * (chance - self.limit), 0.0)
        self.alert = np.where(alone, np.maximum(self.alert - 1, 0), self.alert)
        bad = marked & (~alone | audit)
        hit = audit & bad
        self.seen += hit
        self.alert = np.where(hit, self.ladder.after_mistake, self.alert)
        lost = hit & ~self.is_within(0.0)
        self.lose(lost)
        hears = (audit | (self.granted & ~alone)) & ~lost
        if hears.any():
            heard = np.where(hears, self.heard + 1, self.heard)
            factors = np.where(bad[:, np.newaxis], *self.watch_factors)
            watch = np.minimum((self.watch + _WATCH[heard][:, np.newaxis]) * factors, 1e300)
            self.watch = np.where(hears[:, np.newaxis], watch, self.watch)
            self.heard = heard
            bound = self.episode * (self.episode + 1) / self.policy.watch_delta
            rose = hears & (self.watch.mean(axis=1) >= bound)
            self.lose(rose)
            lost |= rose
        self.count((~alone | audit) & ~lost, bad)
        return alone, ~alone | audit

    def count(self, who, bad):
        t = np.where(who, self.labels + 1, np.maximum(self.labels, 1))
        start, left, quiet = spend_reserves(self.left, self.quiet, t, self.limit, bad)
        bets = evidence_step(self.bets, t, bad, np.array([self.limit]), start=start)
        self.bets = np.where(who[:, np.newaxis], bets, self.bets)
        self.left, self.quiet = np.where(who, left, self.left), np.where(who, quiet, self.quiet)
        self.labels = np.where(who, t, self.labels)
        self.wrong += who & bad
        may = who & (self.losses < self.policy.revocations)
        if self.money:
            pays, rests = self.pays(who)
            self.granted = np.where(who, np.where(self.granted, ~rests, pays & may), self.granted)
        else:
            earns = may & (self.evidence >= self.bound())
            self.granted |= earns
            self.carried &= ~earns
        self.ever |= self.granted

    def pays(self, who):
        """Whether acting pays: for who asks, and not any more for who acts."""
        found = rate_posterior(self.labels[who], self.wrong[who])
        pays, rests = np.zeros(self.n, bool), np.zeros(self.n, bool)
        pays[who] = found.mean + CAUTION * found.deviation < self.limit
        rests[who] = found.mean >= self.limit
        regret = acting_regret(self.labels[who], self.wrong[who], self.limit)
        self.by_regret[who] = [self.ladder.rate_by_regret(one) for one in regret.tolist()]
        return pays & (self.labels >= LEAST), rests | (self.labels < LEAST)


class Steps:
    """Steps of an amount at so many doors: each step is a unit, and acts alone where all before it are licensed."""

    def __init__(self, n, policy, steps):
        self.n, self.steps, self.units = n, steps, Doors(n * steps, policy)
        self.held = np.zeros((n, steps), bool)

    @property
    def granted(self):
        """Which steps act alone."""
        return np.logical_and.accumulate(self.units.granted.reshape(self.n, self.steps), axis=1)

    def act(self, step, marked, draws, chance=None):
        """Propose an action each, of a step: as `Doors.act`."""
        rows = np.arange(self.n) * self.steps + step
        before = np.pad(self.granted, ((0, 0), (1, 0)), constant_values=True)
        some = copy.copy(self.units)
        some.n = self.n
        for name, value in vars(self.units).items():
            if isinstance(value, np.ndarray) and len(value) == self.n * self.steps:
                setattr(some, name, value[rows])
        found = some.act(marked, draws, chance, ~before[np.arange(self.n), step])
        for name, value in vars(self.units).items():
            if isinstance(value, np.ndarray) and len(value) == self.n * self.steps:
                value[rows] = getattr(some, name)
        self.held |= self.granted
        return found


class Thumb:
    """So many units under a rule that somebody uses; after the grant audits are its labels."""

    def __init__(self, n, rule, audits):
        self.n, self.rule, self.audits = n, rule, audits
        self.labels, self.wrong, self.row = np.zeros(n, int), np.zeros(n, int), np.zeros(n, int)
        self.since = np.zeros(n, int)  # actions since the last that was marked bad
        self.last = np.zeros((n, 500), bool)
        self.granted, self.ever, self.losses = (
            np.zeros(n, bool),
            np.zeros(n, bool),
            np.zeros(n, int),
        )

    def tell_version(self):
        """None of them is told."""

    def act(self, marked, draws, chance=None):
        del chance
        alone = self.granted.copy()
        looked = ~alone | (draws < self.audits)
        bad = marked & looked
        rows = np.nonzero(looked)[0]
        self.last[rows, self.labels[rows] % 500] = bad[rows]
        self.labels += looked
        self.wrong += bad
        self.row = np.where(looked, np.where(bad, 0, self.row + 1), self.row)
        self.since = np.where(bad, 0, self.since + 1)
        now = self.holds()
        self.losses += self.granted & ~now
        self.granted = now
        self.ever |= now
        return alone, looked

    def holds(self):
        n = np.maximum(self.labels, 1)
        share = 1 - self.wrong / n
        if self.rule == "a":
            return (share >= 0.95) & (self.labels >= 20)
        if self.rule == "b":
            return (share >= 0.8) & (self.labels >= 5)
        if self.rule == "c":
            return (self.row >= 10) | (self.granted & (self.row > 0))
        if self.rule == "d":
            return (self.since >= 140) & (self.labels >= 20)
        if self.rule == "f":
            return (share >= 0.95) & (self.labels >= 50)
        of = np.minimum(n, 500)
        p, z = 1 - self.last.sum(axis=1) / of, 1.96
        low = (p + z * z / (2 * of) - z * np.sqrt(p * (1 - p) / of + z * z / (4 * of * of))) / (
            1 + z * z / of
        )
        return (low >= 0.9) & (self.labels >= 20)
