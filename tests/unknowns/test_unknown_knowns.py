"""Unknown knowns: what is certified keeps the limit, and the p-value is that of exact fractions."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest

from askpoint.errors import InputError, NotEstimableError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.unknowns.unknown_knowns import find_unknown_knowns

COSTS = CostMatrix.zero_one(["well", "ill"])


def seek(rng, p, truth, columns, *, limit=0.05, **options):
    return find_unknown_knowns(
        p, COSTS, ["well"] * len(p), truth, rng, limit=limit, columns=columns, **options
    )


def log(rng, n=1200, easy=0.005):
    """A model that is unsure everywhere; on the new scanner it errs in `easy` of its decisions."""
    scanner = rng.choice(["new", "old", "mobile"], n)
    age = rng.integers(18, 90, n).astype(float)
    p = rng.uniform(0.27, 0.5, n)
    ill = rng.random(n) < np.where(scanner == "new", easy, p)
    return p, np.where(ill, "ill", "well"), {"scanner": scanner, "age": age}


def test_a_planted_region_is_certified_and_what_is_saved_is_counted():
    hits = 0
    for seed in range(10):
        rng = np.random.default_rng(seed)
        p, truth, columns = log(rng)
        found = seek(rng, p, truth, columns)
        if found.certified:
            assert "scanner is 'new'" in found.certified[0].name
            inside = np.unique(np.concatenate([one.holds(columns, {}) for one in found.certified]))
            assert found.n_released == len(inside)  # all cases are unsure
            hits += found.n_released > 0.2 * len(p)
    assert hits >= 8


def test_where_the_limit_is_just_broken_little_is_certified():
    certified = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        p, truth, columns = log(rng, n=900, easy=0.051)
        certified += bool(seek(rng, p, truth, columns).certified)
    assert certified <= 8  # .05 of 60, and three standard errors


def test_the_p_value_is_the_binomial_tail_in_exact_fractions():
    rng = np.random.default_rng(1)
    p, truth, columns = log(rng)
    found = seek(rng, p, truth, {"scanner": columns["scanner"]}, limit=0.125, most_regions=1)
    (one,) = found.certified
    limit = Fraction(1, 8)
    exact = sum(
        comb(one.n_cases, k) * limit**k * (1 - limit) ** (one.n_cases - k)
        for k in range(one.n_mistakes + 1)
    )
    assert one.p_value == pytest.approx(float(exact), rel=1e-9)
    assert one.mistakes.value == one.n_mistakes / one.n_cases


def test_only_unsure_cases_are_looked_at():
    rng = np.random.default_rng(2)
    p, truth, columns = log(rng)
    sure = np.full(500, 0.01)
    more = {name: np.concatenate([values, values[:500]]) for name, values in columns.items()}
    both = np.concatenate([p, sure]), np.concatenate([truth, np.full(500, "well")])
    alone = seek(np.random.default_rng(3), p, truth, columns)
    mixed = seek(np.random.default_rng(3), *both, more)
    assert (mixed.n_unsure, mixed.n_cases) == (alone.n_unsure, alone.n_cases + 500)
    assert [one.name for one in mixed.certified] == [one.name for one in alone.certified]
    assert mixed.n_released == alone.n_released


def test_cases_of_few_clusters_certify_nothing():
    scanner = np.repeat(["new", "old"], 400)
    cluster = np.arange(800) // 40  # ten on each scanner
    p = np.full(800, 0.4)
    truth = np.where((scanner == "old") & (cluster % 2 == 1), "ill", "well")
    columns = {"scanner": scanner}
    alone = seek(np.random.default_rng(0), p, truth, columns)
    assert [one.name for one in alone.certified] == ["scanner is 'new'"]
    joined = seek(np.random.default_rng(0), p, truth, columns, clusters=cluster)
    assert joined.n_found == 1
    assert joined.certified == ()


def test_clusters_of_one_case_change_nothing():
    p, truth, columns = log(np.random.default_rng(5))
    names = np.arange(len(p))
    found = seek(np.random.default_rng(6), p, truth, columns, clusters=names)
    assert [one.name for one in found.certified][:1] == ["scanner is 'new'"]


@pytest.mark.parametrize("limit", [0, 1, 1.5, -0.1, float("nan")])
def test_a_limit_that_is_no_share(limit):
    p, truth, columns = log(np.random.default_rng(7), n=100)
    with pytest.raises(InputError, match="limit"):
        seek(np.random.default_rng(0), p, truth, columns, limit=limit)


def test_too_few_unsure_cases_say_how_many_would_do():
    p, truth, columns = log(np.random.default_rng(8), n=100)
    with pytest.raises(NotEstimableError, match=r"unsure of 100 of 100 .* from 118 such cases on"):
        seek(np.random.default_rng(0), p, truth, columns)


def test_what_does_not_fit():
    p, truth, columns = log(np.random.default_rng(9))
    with pytest.raises(InputError, match="one entry a case"):
        seek(np.random.default_rng(0), p[:500], truth[:500], columns)
    with pytest.raises(InputError, match="at least 1"):
        seek(np.random.default_rng(0), p, truth, columns, most_regions=0)


def test_a_region_that_the_other_half_does_not_hold_is_not_certified():
    p = np.full(400, 0.4)
    truth = np.full(400, "well")
    rng = np.random.default_rng(10)
    search = np.random.default_rng(10).permutation(400)[:200]
    kind = np.full(400, "b")
    kind[search[:150]] = "a"  # all of them in the half that searches
    found = seek(rng, p, truth, {"kind": kind})
    assert "kind is 'a'" not in [one.name for one in found.certified]


def test_a_lower_threshold_is_told_beside_it():
    rng = np.random.default_rng(11)
    p = rng.uniform(0.26, 0.5, 2000)
    truth = np.where(rng.random(2000) < np.where(p < 0.38, 0.01, 0.4), "ill", "well")
    found = seek(rng, p, truth, {"noise": rng.normal(size=2000)})
    assert 0.3 < found.plain_bound < 0.4
    assert found.n_plain == (p <= found.plain_bound).sum()
    hopeless = np.where(rng.random(2000) < 0.3, "ill", "well")
    none = seek(rng, p, hopeless, {"noise": rng.normal(size=2000)})
    assert (none.plain_bound, none.n_plain, none.certified) == (None, 0, ())
