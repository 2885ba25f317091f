"""Verdicts that a panel may give alone: figures on new items, promises, and labels that say nothing."""

from __future__ import annotations

import numpy as np
import pytest

from askpoint.answers.judges.case import answer_judges
from askpoint.answers.judges.panel_verdicts import VerdictsQuestion, answer_panel
from askpoint.answers.judges.question import JudgesQuestion
from askpoint.errors import InputError, NotEstimableError
from askpoint.judges.evaluators import DAWID_SKENE
from askpoint.judges.sketch.tables import VoteTable

LABELS = ("fail", "pass")


def world(seed, n=1500, easy=0.97, hard=0.6, judges=5):
    """Judges who share hard items, so that their votes are surer than they are right."""
    rng = np.random.default_rng(seed)
    truth = (rng.random(n) < 0.55).astype(int)
    right = rng.random((n, judges)) < np.where(rng.random(n) < 0.3, hard, easy)[:, None]
    codes = np.where(right, truth[:, None], 1 - truth[:, None]).astype(np.int16)
    names = tuple(f"j{k}" for k in range(judges))
    return VoteTable(tuple(f"i{k}" for k in range(n)), names, LABELS, codes), truth, rng


def asked(table, truth, rows, question=None):
    gold = {table.tasks[i]: LABELS[truth[i]] for i in rows}
    answer = answer_judges(table, JudgesQuestion(gold=gold), evaluators=[DAWID_SKENE])
    return answer_panel(answer, question)


def test_what_it_says_of_its_mistakes_holds_on_the_other_items():
    held, stated, true = 0, [], []
    for seed in range(16):
        table, truth, rng = world(seed)
        found = asked(table, truth, rng.choice(1500, 150, replace=False))
        assert 0 < found.coverage < 1
        wrong = float((found.opinion.prediction != truth)[found.alone].mean())
        held += found.risk[1] <= wrong <= found.risk[2]
        stated.append(found.risk[0])
        true.append(wrong)
    assert held >= 13  # of 16 at 95%: fewer come once in 1,200 series
    # it never promises too much; of some 100 sure labels hardly one is wrong, which cannot show less than 2
    assert np.mean(true) <= np.mean(stated) + 0.005 < np.mean(true) + 2 / 100


def test_a_promise_is_kept_and_costs_coverage():
    broken = given = 0
    for seed in range(16):
        table, truth, rng = world(seed)
        rows = rng.choice(1500, 250, replace=False)
        found = asked(table, truth, rows, VerdictsQuestion(max_error=0.08, guarantee=0.1))
        assert found.promise.risk == 0.08
        if found.promise.threshold is None:
            assert found.coverage == 0
            continue
        given += 1
        broken += (found.opinion.prediction != truth)[found.alone].mean() > 0.08
    assert given >= 8
    assert broken <= 5  # of 16 at 10%: more come once in 300 series


def test_a_dearer_mistake_leaves_less_to_the_panel():
    table, truth, rng = world(3)
    rows = rng.choice(1500, 300, replace=False)
    shares = [asked(table, truth, rows, VerdictsQuestion(checks=c)).coverage for c in (2, 20, 500)]
    assert shares[0] > shares[1] >= shares[2]


def test_labels_only_on_unanimous_items_say_nothing():
    table, truth, rng = world(0)
    one = np.flatnonzero(np.isin(table.codes.mean(axis=1), (0, 1)))
    found = asked(table, truth, rng.choice(one, 80, replace=False))
    assert found.reason == "the labels were not drawn at random"
    assert found.coverage == 0
    assert found.found is found.risk is None


def test_uneven_labels_are_weighted_and_promise_nothing():
    table, truth, rng = world(0)
    share = table.codes.mean(axis=1)
    split = ~np.isin(share, (0, 1))
    chance = np.where(split, 6.0, 1.0)
    rows = rng.choice(1500, 300, replace=False, p=chance / chance.sum())
    question = VerdictsQuestion(max_error=0.1, guarantee=0.1)
    found = asked(table, truth, rows, question)
    assert not found.is_even
    assert found.promise.threshold is None
    assert "drawn with equal chances" in found.promise.reason
    found = asked(table, truth, rows)
    wrong = float((found.opinion.prediction != truth)[found.alone].mean())
    assert found.risk[1] <= wrong <= found.risk[2]


def test_without_labels_it_says_so():
    table, truth, _ = world(0, n=200)
    assert "no labels by people" in asked(table, truth, []).reason


def test_counts_alone_know_no_items():
    table, _, _ = world(0, n=200)
    from askpoint.judges.sketch.vote_sketch import VoteSketch

    sketch = VoteSketch(table.judges, LABELS)
    sketch.update_codes(table.codes)
    with pytest.raises(NotEstimableError, match="item by item"):
        answer_panel(answer_judges(sketch, evaluators=[DAWID_SKENE]))


def test_looked_at_again_it_counts_labels_in_their_order():
    table, truth, rng = world(1)
    rows = rng.choice(1500, 600, replace=False)
    question = VerdictsQuestion(max_error=0.1, guarantee=0.1, look="again")
    again = asked(table, truth, rows, question)
    once = asked(table, truth, rows, VerdictsQuestion(max_error=0.1, guarantee=0.1))
    assert 0 < again.coverage <= once.coverage + 0.05
    few = asked(table, truth, rows[:150], question)
    assert few.promise.threshold is None
    assert "200" in few.promise.reason


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        ({"checks": 5, "max_error": 0.1}, "got both"),
        ({"guarantee": 0.1}, "add --max-error"),
        ({"max_error": 1.5}, "--max-error"),
    ],
)
def test_bad_questions_are_refused(wanted, words):
    with pytest.raises(InputError, match=words):
        VerdictsQuestion(**wanted)
