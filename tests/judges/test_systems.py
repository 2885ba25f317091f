"""Two systems on the same items, one panel: exact where all is known, and held where it favours one."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from askpoint.errors import AskpointError, InputError, NotEstimableError
from askpoint.judges.gold.system_proposal import propose_for_systems
from askpoint.judges.gold.systems import compare_systems
from askpoint.judges.sketch.tables import VoteTable
from askpoint.simulation.system_panels import SYSTEM_WORLDS, SystemWorld, simulate_systems

LABELS = ("fail", "pass")


def tables(world, seed, n_items=300):
    world = SystemWorld(world.passes, world.difficulty, world.favour, n_items)
    panels = simulate_systems(world, np.random.default_rng(seed))
    tasks = tuple(f"t{i}" for i in range(n_items))
    votes = [VoteTable(tasks, tuple("abcde"), LABELS, panel.votes) for panel in panels]
    golds = [
        {task: LABELS[label] for task, label in zip(tasks, panel.truth, strict=True)}
        for panel in panels
    ]
    return votes, golds


def of(gold, tasks):
    return {task: gold[task] for task in tasks}


@settings(deadline=None, max_examples=10)
@given(st.integers(0, 1000), st.sampled_from(list(SYSTEM_WORLDS)), st.integers(10, 60))
def test_turned_round_it_is_the_opposite_and_all_labels_give_the_truth(seed, name, n):
    (first, second), (gold_a, gold_b) = tables(SYSTEM_WORLDS[name], seed)
    real = np.mean([gold_b[t] == "pass" for t in gold_b]) - np.mean(
        [gold_a[t] == "pass" for t in gold_a]
    )
    for drawn in ("at random", "as proposed"):
        whole = compare_systems(first, second, gold_a, gold_b, passing="pass", drawn=drawn)
        assert whole.difference == pytest.approx(real)
        assert whole.interval.upper - whole.interval.lower <= 2 / 300 + 1e-9
        assert (whole.n_items, whole.n_gold, whole.n_left_out) == (300, 300, 0)
        some = np.random.default_rng(seed).permutation(first.tasks)[:n].tolist()
        there = compare_systems(
            first, second, of(gold_a, some), of(gold_b, some), passing="pass", drawn=drawn
        )
        back = compare_systems(
            second, first, of(gold_b, some), of(gold_a, some), passing="pass", drawn=drawn
        )
        assert back.difference == pytest.approx(-there.difference, abs=1e-6)
        assert back.by_votes == pytest.approx(-there.by_votes, abs=1e-6)
        by_fail = compare_systems(
            first, second, of(gold_a, some), of(gold_b, some), passing="fail", drawn=drawn
        )
        assert by_fail.difference == pytest.approx(-there.difference, abs=1e-6)
        wider = compare_systems(
            first,
            second,
            of(gold_a, some),
            of(gold_b, some),
            passing="pass",
            drawn=drawn,
            any_time=True,
        )
        assert wider.interval.lower <= there.interval.lower <= there.difference
        assert wider.interval.upper >= there.interval.upper >= there.difference


@pytest.mark.parametrize("drawn", ["at random", "as proposed"])
def test_a_panel_that_favours_one_system_is_found_out(drawn):
    held, errors, votes_alone, labels_alone = [], [], [], []
    for seed in range(30):
        (first, second), (gold_a, gold_b) = tables(SYSTEM_WORLDS["lenient to B"], seed, 800)
        rng = np.random.default_rng(seed)
        tasks = rng.choice(first.tasks, 100, replace=False).tolist()
        if drawn == "as proposed":
            tasks = propose_for_systems(first, second, 60, rng, passing="pass")
            more = propose_for_systems(first, second, 40, rng, passing="pass", labelled=tasks)
            assert len({*tasks, *more}) == 100
            tasks = (*tasks, *more)
        found = compare_systems(
            first, second, of(gold_a, tasks), of(gold_b, tasks), passing="pass", drawn=drawn
        )
        gain = {t: (gold_b[t] == "pass") - (gold_a[t] == "pass") for t in first.tasks}
        real = np.mean(list(gain.values()))
        held.append(found.interval.lower <= real <= found.interval.upper)
        errors.append(found.difference - real)
        votes_alone.append(found.by_votes - real)
        random = rng.choice(first.tasks, 100, replace=False)
        labels_alone.append(np.mean([gain[t] for t in random]) - real)
    assert np.mean(held) >= 0.86  # 26 of 30: below that with a chance of .02 if it is .95
    assert np.mean(votes_alone) > 0.03
    assert abs(np.mean(errors)) < 0.02
    assert np.mean(np.square(errors)) < np.mean(np.square(labels_alone))


def test_only_items_of_both_systems_count():
    (first, second), (gold_a, gold_b) = tables(SYSTEM_WORLDS["independent"], 1, 100)
    part = VoteTable(first.tasks[:80], first.judges, LABELS, first.codes[:80])
    found = compare_systems(part, second, gold_a, of(gold_b, first.tasks[:50]), passing="pass")
    assert (found.n_items, found.n_gold, found.n_left_out) == (80, 50, 20)


def test_what_cannot_be_compared():
    (first, second), (gold_a, gold_b) = tables(SYSTEM_WORLDS["independent"], 1, 60)
    other = VoteTable(first.tasks, tuple("vwxyz"), LABELS, first.codes)
    with pytest.raises(InputError, match="other judges"):
        compare_systems(first, other, gold_a, gold_b, passing="pass")
    turned = VoteTable(first.tasks, first.judges, LABELS[::-1], first.codes)
    with pytest.raises(InputError, match="other labels"):
        compare_systems(first, turned, gold_a, gold_b, passing="pass")
    three = [VoteTable(t.tasks, t.judges, (*LABELS, "tie"), t.codes) for t in (first, second)]
    with pytest.raises(InputError, match="join them to two"):
        compare_systems(*three, gold_a, gold_b, passing="pass")
    strange = VoteTable(tuple(f"s{i}" for i in range(60)), first.judges, LABELS, first.codes)
    with pytest.raises(NotEstimableError, match="no item was answered by both"):
        compare_systems(first, strange, gold_a, gold_b, passing="pass")
    with pytest.raises(NotEstimableError, match="both answers labelled"):
        compare_systems(first, second, gold_a, {}, passing="pass")
    with pytest.raises(InputError, match="a gold label must be one of fail, pass"):
        compare_systems(first, second, {"t1": "odd"}, gold_b, passing="pass")
    with pytest.raises(InputError, match="passing must be one of"):
        compare_systems(first, second, gold_a, gold_b, passing="good")
    for n in (0, 61, True):
        with pytest.raises(AskpointError, match="between 1 and 60"):
            propose_for_systems(first, second, n, np.random.default_rng(0), passing="pass")
