"""Which items to check next: whole strata, two batches, never more than there are."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from simulated_panels import PANEL_WORLDS, simulate_panel

from askpoint.errors import InputError
from askpoint.judges.gold.allocation import top_up
from askpoint.judges.gold.proposal import propose_gold
from judges.labelled_items import sketches
from judges.simulate import simulate


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 10_000), st.integers(1, 60), st.integers(0, 30))
def test_a_proposal_draws_unchecked_items_of_each_stratum(seed, n, n_checked):
    rng = np.random.default_rng(seed)
    truth, votes = simulate(rng, 0.4, rng.uniform(0.6, 0.95, (int(rng.integers(2, 7)), 2)), 90)
    checked = rng.permutation(90)[:n_checked]
    sketch, gold = sketches(votes, truth, checked)
    proposal = propose_gold(sketch, n, gold=gold)
    assert proposal.n + proposal.n_later == n
    assert sum(stratum.n_check for stratum in proposal.strata) == proposal.n
    assert sum(stratum.n_items for stratum in proposal.strata) == 90 - n_checked
    known = np.isin(np.arange(90), checked)
    drawn = proposal.draw(votes, rng, known)
    assert len(set(drawn.tolist())) == proposal.n
    assert not known[drawn].any()
    for stratum in proposal.strata:
        inside = [(stratum.votes == votes[row]).all(axis=1).any() for row in drawn]
        assert sum(inside) == stratum.n_check


@pytest.mark.parametrize(
    ("n", "n_checked", "now"),
    [
        (100, 0, 40),
        (50, 0, 25),
        (30, 0, 15),
        (1, 0, 1),
        (60, 40, 60),
        (300, 30, 300),
        (60, 20, 12),
        (15, 15, 15),
    ],
)
def test_the_first_batch_comes_first(n, n_checked, now):
    rng = np.random.default_rng(1)
    truth, votes = simulate(rng, 0.5, [(0.8, 0.8)] * 4, 400)
    sketch, gold = sketches(votes, truth, np.arange(n_checked))
    proposal = propose_gold(sketch, n, gold=gold)
    assert (proposal.n, proposal.n_later) == (now, n - now)


def test_disputed_patterns_are_checked_more_often():
    rng = np.random.default_rng(2)
    truth, votes = simulate(rng, 0.5, [(0.95, 0.95)] * 3, 20_000)
    sketch, _ = sketches(votes, truth, [])
    proposal = propose_gold(sketch, 200)
    for stratum in proposal.strata:
        unanimous = (np.ptp(stratum.votes, axis=1) == 0).all()
        fair = proposal.n * stratum.n_items / 20_000
        assert (stratum.n_check <= fair) == unanimous


def test_the_second_batch_goes_where_votes_proved_wrong():
    panel = simulate_panel(PANEL_WORLDS["lenient5"], np.random.default_rng(4))
    votes, truth = panel.votes.astype(int), panel.truth.astype(int)
    rng = np.random.default_rng(5)
    sketch, _ = sketches(votes, truth, [])
    first = propose_gold(sketch, 200)
    rows = first.draw(votes, rng)
    _, gold = sketches(votes, truth, rows)
    second = propose_gold(sketch, 120, gold=gold)
    assert second.n == 120
    by_size = np.array([stratum.n_items for stratum in second.strata])
    found = np.array([stratum.deviation for stratum in second.strata])
    checks = np.array([stratum.n_check for stratum in second.strata])
    assert checks[(by_size * found).argmax()] == checks.max()
    # three tenths go by size: nothing is left out for being sure
    total = checks + np.array([s.n_check for s in first.strata])
    assert (total >= 0.25 * 200 * by_size / by_size.sum() - 1).all()


@settings(deadline=None, max_examples=100)
@given(
    st.lists(
        st.tuples(st.integers(1, 40), st.integers(0, 40), st.floats(0.01, 1)),
        min_size=1,
        max_size=8,
    ),
    st.floats(0.1, 1),
    st.data(),
)
def test_topping_up_gives_whole_items_that_are_there(strata, uniform, data):
    sizes, draws, deviation = (np.array(column) for column in zip(*strata, strict=True))
    draws = np.minimum(draws, sizes)
    room = int((sizes - draws).sum())
    n = data.draw(st.integers(0, room)) if room else 0
    more = top_up(sizes, draws, deviation, uniform, n) if n else np.zeros_like(sizes)
    assert more.sum() == n
    assert (more >= 0).all()
    assert (more <= sizes - draws).all()


def test_what_cannot_be_proposed_or_drawn():
    votes = np.array([[0, 0, 0]] * 5 + [[1, 1, 0]] * 5)
    sketch, _ = sketches(votes, np.zeros(10, int), [])
    for n in (0, 11, True):
        with pytest.raises(InputError, match="between 1 and 10"):
            propose_gold(sketch, n)
    proposal = propose_gold(sketch, 10)
    with pytest.raises(InputError, match="only 0 are left"):
        proposal.draw(votes[:5], np.random.default_rng(0))


def test_more_than_two_labels():
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 4, 600)
    votes = np.where(rng.random((600, 5)) < 0.6, truth[:, None], rng.integers(0, 4, (600, 5)))
    sketch, _ = sketches(votes, truth, [], "abcd")
    rows = propose_gold(sketch, 100).draw(votes, rng)
    _, gold = sketches(votes, truth, rows, "abcd")
    proposal = propose_gold(sketch, 60, gold=gold)
    assert proposal.n == 60
    assert len(proposal.strata) > 4
