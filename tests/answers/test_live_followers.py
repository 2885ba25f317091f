"""Gold cases on which the model was wrong: who sees it, who follows, and what cannot be told."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from scipy import stats

from askpoint import Deployment, Policy, Terms
from askpoint.answers.live.followers import answer_followers
from askpoint.reports.live.followers import followers_blocks, followers_object

COLUMNS = ("key", "judge", "label", "truth", "prediction")


def gold(*rows):
    return pl.DataFrame(rows, schema=COLUMNS, orient="row")


def person(name, sees, follows, right=0, first=0):
    """Labels of one person: mistakes that they see, and follow, and right answers that they agree with."""
    said = ["no"] * sees + ["yes"] * follows
    wrong = [(f"w{first + i}", name, label, "no", "yes") for i, label in enumerate(said)]
    return [*wrong, *[(f"r{first + i}", name, "yes", "yes", "yes") for i in range(right)]]


def test_how_many_mistakes_people_find_is_counted_by_first_labels():
    found = answer_followers(gold(*person("A", 12, 8, right=30), *person("B", 0, 20)))
    assert (found.mistakes, found.found, found.right, found.blamed) == (20, 12, 30, 0)
    low, high = found.share_found
    assert low == pytest.approx(stats.beta.ppf(0.025, 12, 9))
    assert high == pytest.approx(stats.beta.ppf(0.975, 13, 8))
    text = " ".join(block.text for block in followers_blocks(found))
    assert "On 20 gold cases the model was wrong, and people saw it on 12" in text
    assert followers_object(found)["share_found"] == [low, high]


def mixed(*people):
    """Their labels in turn, as queues give cases out."""
    rows = [row for part in people for row in part]
    return [rows[i] for i in np.random.default_rng(0).permutation(len(rows))]


@pytest.mark.parametrize(
    ("followed", "blamed", "right"), [(12, 1, 30), (5, 1, 30), (2, 6, 30), (0, 0, 5), (4, 4, 8)]
)
def test_people_follow_where_they_err_more_often_with_the_model(followed, blamed, right):
    rows = person("A", 20 - followed, followed, right=right)
    rows = [
        (k, j, "no" if k in {f"r{i}" for i in range(blamed)} else v, t, p) for k, j, v, t, p in rows
    ]
    rows = mixed(rows)
    found = answer_followers(gold(*rows))
    looks = {
        25: (20, 0.05 / 6),
        28: (20, 0.05 / 6),
        50: (40, 0.05 / 12),
    }  # 10, 20, 40, ... are looked at
    n, chance = looks[len(rows)]
    wrong = [(label == said) for _, _, label, truth, said in rows[:n] if truth != said]
    fine = [(label != said) for _, _, label, truth, said in rows[:n] if truth == said]
    table = [[sum(part), len(part) - sum(part)] for part in (wrong, fine)]
    expected = stats.fisher_exact(table, alternative="greater").pvalue <= chance
    assert found.follows == expected
    assert any("hard for both" in b.text for b in followers_blocks(found)) == expected


def test_who_follows_more_than_the_others_is_named():
    ada, ben = person("Ada", 28, 2), person("Ben", 27, 3, first=30)
    found = answer_followers(gold(*mixed(ada, ben, person("Cy", 6, 24, first=60))))
    assert found.more_than_others == ("Cy",)
    assert any("Cy" in block.text for block in followers_blocks(found))
    alike = (person(name, 15, 15, first=30 * i) for i, name in enumerate(("Ada", "Ben", "Cy")))
    assert answer_followers(gold(*mixed(*alike))).more_than_others == ()


@pytest.mark.soak
def test_where_all_follow_alike_looking_each_day_names_somebody_in_at_most_a_twentieth():
    rng, named, followed = np.random.default_rng(0), 0, 0
    for _ in range(200):
        rows = []
        for i in range(160):
            errs, mistake = rng.random() < 0.3, rng.random() < 0.5
            truth = "no" if mistake else "yes"
            said = truth if not errs else "no" if truth == "yes" else "yes"
            rows.append((f"k{i}", "ABC"[rng.integers(3)], said, truth, "yes"))
        looks = [answer_followers(gold(*rows[:n])) for n in range(8, 161, 8)]
        named += any(one.more_than_others for one in looks)
        followed += any(one.follows for one in looks)
    most = stats.binom.ppf(0.999, 200, 0.05)
    assert named <= most
    assert followed <= most


def test_gold_cases_that_were_not_decided_say_nothing():
    assert answer_followers(gold()) is None
    assert list(followers_blocks(None)) == []


def test_a_deployment_reads_gold_cases_that_it_decided():
    terms = Terms("money", 0.1, rate=0.2, planned_decisions=4000)
    secret, model = b"sixteen or more!", {"version": "", "classes": ["no", "yes"]}
    policy = Policy.from_nothing(terms, secret=secret, name="posts", model=model)
    service = Deployment(":memory:", policy, secret=secret)
    service.decide(["a", "b"], prediction=["yes", "yes"], confidence=[0.9, 0.8])
    truth = ["no", "yes", "no"]
    service.label(["a", "b", "z"], ["yes"] * 3, truth=truth, source="gold", by="Ada")
    assert service.gold_labels().rows() == [
        ("a", "Ada", "yes", "no", "yes"),
        ("b", "Ada", "yes", "yes", "yes"),
    ]
    found = answer_followers(service.gold_labels())
    assert (found.mistakes, found.found, found.right) == (1, 0, 1)
    assert service.verify().difference is None
