"""Documents of several fields: the closed rule against every plan there is."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from askpoint.errors import ObjectiveError
from askpoint.value.document_rule import (
    DocumentPrices,
    document_costs,
    plan_by_fields,
    plan_documents,
    release_score,
)

PRICES = [
    DocumentPrices(5),
    DocumentPrices(20),
    DocumentPrices(8, opening=0.5, field=0.25),
    DocumentPrices(8, opening=0, field=0.25),
]


def cheapest(wrong, prices):
    """Try every way to treat a document, in fractions: release it, or open it and look at some fields."""
    mistake, opening, field = map(Fraction, (prices.mistake, prices.opening, prices.field))
    costs = [mistake * sum(wrong)]
    for looks in product([0, 1], repeat=len(wrong)):
        seen = sum(field if look else mistake * w for look, w in zip(looks, wrong, strict=True))
        costs.append(opening + seen)
    return min(costs)


@pytest.mark.parametrize("prices", PRICES)
def test_no_plan_of_a_document_is_cheaper(prices):
    rng = np.random.default_rng(0)
    for _ in range(60):
        wrong = [Fraction(int(k), 256) for k in rng.integers(0, 90, rng.integers(1, 5)) ** 2 // 90]
        rates = np.array([float(w) for w in wrong])
        document = np.zeros(len(wrong), dtype=np.int64)
        plan = plan_documents(rates, document, prices)
        (cost,) = document_costs(plan, rates, document, prices)
        assert cost == pytest.approx(float(cheapest(wrong, prices)), rel=1e-12)


def test_documents_do_not_mix():
    rng = np.random.default_rng(1)
    wrong, document = rng.uniform(0, 0.3, 40), rng.permutation(np.arange(40) % 9)
    for prices in PRICES:
        whole = plan_documents(wrong, document, prices)
        for name in range(9):
            mine = document == name
            alone = plan_documents(wrong[mine], np.zeros(mine.sum(), dtype=np.int64), prices)
            assert alone.released[0] == whole.released[name]
            assert (alone.looked == whole.looked[mine]).all()


def test_a_threshold_for_each_field_lets_a_document_of_many_fields_through():
    prices = DocumentPrices(20)
    wrong, document = (
        np.full(8, 0.04),
        np.zeros(8, dtype=np.int64),
    )  # each is worth less than a check
    assert plan_by_fields(wrong, document, prices).released[0]
    assert not plan_documents(wrong, document, prices).released[0]
    assert plan_documents(wrong[:1], document[:1], prices).released[0]
    # one field that does not pass sends all of them to review
    assert not plan_by_fields(np.append(wrong, 0.2), np.zeros(9, dtype=np.int64), prices).released[
        0
    ]


def test_with_one_price_for_a_document_the_score_has_one_threshold():
    rng = np.random.default_rng(2)
    wrong, document = rng.uniform(0, 0.1, 200), rng.permutation(np.arange(200) % 50)
    plan = plan_documents(wrong, document, DocumentPrices(10))
    score = release_score(wrong, document)
    assert score[plan.released].min() >= np.exp(-0.1) > score[~plan.released].max()
    # what is looked at is right, and what is not costs a mistake
    truth = (rng.random(200) < wrong).astype(float)
    paid = document_costs(plan, truth, document, DocumentPrices(10))
    held = np.bincount(document, truth)
    assert paid == pytest.approx(np.where(plan.released, 10 * held, 1))


@pytest.mark.parametrize(
    ("prices", "says"),
    [
        ({"mistake": 0.5}, "a mistake must cost 1 check or more; got 0.5"),
        ({"mistake": float("nan")}, "a mistake must cost 1 check or more"),
        ({"mistake": 5, "opening": -1}, "to open a document must be 0 or more; got -1"),
        ({"mistake": 5, "field": float("inf")}, "to look at a field must be 0 or more; got inf"),
        ({"mistake": 5, "opening": 0}, "cannot both be free"),
    ],
)
def test_prices_that_are_none_are_refused(prices, says):
    with pytest.raises(ObjectiveError, match=says):
        DocumentPrices(**prices)
