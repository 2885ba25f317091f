"""Labels that are spread over strata as equal chances spread them: strata are left aside if that is narrower."""

from __future__ import annotations

import numpy as np
from scipy import stats

from askpoint.judges.gold.evaluation import evaluate_labelled
from askpoint.judges.gold.labelled_patterns import label_patterns
from askpoint.judges.gold.residual_totals import totals_of
from askpoint.judges.gold.strata import is_evenly_drawn
from judges.labelled_items import sketches
from judges.simulate import simulate


def known_patterns(seed, *, right, chance=lambda votes: np.ones(len(votes))):
    """Five judges on 1,500 items, 100 of which are labelled with these chances."""
    rng = np.random.default_rng(seed)
    truth, votes = simulate(rng, 0.4, [(right, right)] * 5, 1500)
    weight = chance(votes)
    checked = rng.choice(1500, 100, replace=False, p=weight / weight.sum())
    return label_patterns(*sketches(votes, truth, checked))


def test_even_is_what_pearson_says():
    rng = np.random.default_rng(0)
    sizes = rng.integers(50, 400, 8).astype(float)
    for _ in range(200):
        draws = rng.multinomial(60, rng.dirichlet(sizes / 40)).astype(float)
        p = stats.chisquare(draws, 60 * sizes / sizes.sum()).pvalue
        assert is_evenly_drawn(sizes, draws) == (p >= 0.05)


def test_random_labels_are_as_narrow_as_if_one_said_so():
    """Who draws at random and does not say so loses nothing, where votes tell little."""
    for seed in range(12):
        patterns = known_patterns(seed, right=0.6)
        proposed, plain = (
            evaluate_labelled(totals_of(patterns.as_drawn(drawn)))
            for drawn in ("as proposed", "at random")
        )
        if patterns.as_drawn("as proposed").is_even:
            (low, up), (least, most) = (
                one.interval().prevalence[one.labels[1]] for one in (proposed, plain)
            )
            assert up - low <= most - least + 0.01


def test_labels_that_are_not_spread_evenly_keep_their_strata():
    patterns = known_patterns(3, right=0.8, chance=lambda votes: np.exp(votes.sum(axis=1)))
    drawn = patterns.as_drawn("as proposed")
    assert not drawn.is_even
    assert totals_of(drawn)[0].known.stratum.max() > 0
