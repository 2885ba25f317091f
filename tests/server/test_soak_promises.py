"""The promises of a policy hold through HTTP: many short deployments in worlds whose truth is known."""

from __future__ import annotations

import json
import os
from collections import Counter

import httpx
import numpy as np
import polars as pl
import pytest
from django.core.wsgi import get_wsgi_application
from scipy import stats

from askpoint import Client, LivePrices, read_log
from askpoint.answers.live.first_policy import OpeningQuestion
from askpoint.live.worth import worth_so_far
from askpoint.server.api.tokens import make_token
from askpoint.server.deployments import policies, policy_state
from askpoint.server.deployments.models import Deployment, Policy, Receipt
from askpoint.server.deployments.policy_state import load_state
from server.in_use import MODEL, InUse

LIVES = int(os.environ.get("ASKPOINT_SOAK_LIVES", "200"))
DECISIONS, BATCH, ROWS = 2000, 100, 1000
LIMIT, RATE, DELTA = 0.05, 0.1, 0.05
CERTAIN = 1 - stats.beta(0.6, 2.2).ppf((np.arange(65_536) + 0.5) / 65_536) / 2


def chance_wrong(sure, *, broken=False):
    """The smooth world of spec/live.md, L10, and what a disaster makes of it."""
    p = np.minimum(0.5, 1.3 * (1 - sure) + 0.002)
    return np.where(broken & (sure > 0.9), 0.6, p)


def cases(n, rng, *, broken=False):
    """Confidences, the chance that the model is wrong, and whether it is."""
    sure = rng.choice(CERTAIN, n)
    p = chance_wrong(sure, broken=broken)
    return sure, p, rng.random(n) < p


def risk_above(threshold):
    """The true risk of a threshold while the world holds still."""
    return chance_wrong(CERTAIN[threshold <= CERTAIN]).mean()


def labels(wrong):
    return ["fine" if one else "hate" for one in wrong]


def life(number, in_use, transport):
    """Live one deployment through HTTP; what broke, by name."""
    rng = np.random.default_rng(number)
    aim, drifts = ("promise", "money")[number % 2], number % 4 > 1
    sure, _, wrong = cases(ROWS, rng)
    first = pl.DataFrame({"label": labels(wrong), "proba_fine": 1 - sure, "proba_hate": sure})
    row = policies.make_deployment("main", in_use.wanda, f"life {number}")
    question = OpeningQuestion(
        aim=aim, limit=LIMIT, rate=RATE, delta=DELTA, planned_decisions=2 * DECISIONS
    )
    policies.propose(row.pk, in_use.wanda, "a life", read_log(first), question, MODEL)
    policies.adopt(row.pk, in_use.wanda, 1, 0)
    policies.set_mode(row.pk, "all")
    words = make_token(in_use.wanda, "owner", label="x", scope="write", resource=row.pk)[1]
    truth, looks, thresholds = {}, [], set()
    with Client("http://localhost", words, transport=transport) as program:
        for start in range(0, DECISIONS, BATCH):
            sure, p, wrong = cases(BATCH, rng, broken=drifts and start >= DECISIONS // 2)
            keys = [f"{start}-{i}" for i in range(BATCH)]
            said = [
                {"key": key, "prediction": "hate", "confidence": one}
                for key, one in zip(keys, sure.tolist(), strict=True)
            ]
            made = program.decide_cases(row.pk, said, model_version="7")
            truth |= dict(zip(keys, p.tolist(), strict=True))
            found = dict(zip(keys, labels(wrong), strict=True))
            sent = [
                {"key": one.key, "label": found[one.key]}
                for one in made
                if one.action in ("ask", "audit")
            ]
            if sent:
                program.label_cases(row.pk, sent)
            policy = Policy.objects.get(deployment=row)
            replay = load_state(policy).replay
            worth = worth_so_far(replay.state, replay.document.terms, LivePrices())
            rows = Receipt.objects.filter(deployment=row, action__gt=-1)
            lost = sum(truth[key] for key, act in rows.values_list("key", "action") if act != 1)
            looks.append(worth.mistakes.lower <= lost <= worth.mistakes.upper)
            thresholds.add(replay.state.threshold)
    return broken(policy, truth, looks, thresholds - {None}, drifts=drifts)


def broken(policy, truth, looks, thresholds, *, drifts):
    """Which promises did not hold in a life."""
    terms = policy_state.document_of(policy).terms
    events = list(policy.events.values_list("kind", "numbers"))
    thresholds |= {numbers["threshold"] for _, numbers in events if "threshold" in numbers}
    bad = Counter({"interval": int(not all(looks)), "never answered": int(not thresholds)})
    if not drifts and terms.aim == "promise":
        bad["P1"] = int(any(risk_above(one) > LIMIT for one in thresholds))
    if not drifts:
        bad["false alarm"] = int(any(kind == "alarm" for kind, _ in events))
    rows = Receipt.objects.filter(policy=policy).order_by("seq")
    lost = {}
    for key, action, episode in rows.values_list("key", "action", "episode"):
        if action != 1:
            lost[episode] = lost.get(episode, 0.0) + truth[key] - terms.answer_below
            bad["P2"] |= lost[episode] > terms.budget
    return bad, Counter(dict.fromkeys(bad, 1))


@pytest.mark.soak
def test_promises_hold_through_http(sqlite, record_property):
    del sqlite
    in_use = InUse()
    transport = httpx.WSGITransport(get_wsgi_application(), raise_app_exceptions=False)
    bad, tried = Counter(), Counter()
    for number in range(LIVES):
        found, of = life(number, in_use, transport)
        bad.update(found)
        tried.update(of)
        policy_state.clear_states()
        print(json.dumps({"lives": number + 1, **{k: [bad[k], tried[k]] for k in tried}}))  # noqa: T201
    record_property("broken", {name: (bad[name], tried[name]) for name in tried})
    assert Deployment.objects.count() == LIVES + 1
    assert bad.pop("never answered") < LIVES / 2  # such a life tries little
    for name in bad.keys() & {
        "interval",
        "P1",
        "P2",
        "false alarm",
    }:  # at most delta, with a chance of 1 in 1,000 to be shown wrongly
        n = tried[name]
        assert bad[name] <= stats.binom(n, DELTA).ppf(0.999), (name, bad[name], n)
