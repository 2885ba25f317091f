"""Two systems on the same items, one panel: exact where all is known, and held where it favours one."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from simulated_systems import SYSTEM_WORLDS, SystemWorld, simulate_systems

from askpoint.errors import AskpointError, InputError, NotEstimableError
from askpoint.judges.gold.system_difference import compare_systems
from askpoint.judges.gold.system_pairs import pair_systems
from askpoint.judges.gold.system_proposal import propose_for_systems
from askpoint.judges.sketch.tables import VoteTable

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


@pytest.mark.no_cover
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


def test_shares_of_either_and_the_chance_that_the_second_is_better():
    (first, second), (gold_a, gold_b) = tables(SYSTEM_WORLDS["independent"], 3, 400)
    tasks = np.random.default_rng(3).permutation(first.tasks)[:120].tolist()
    some = [of(gold, tasks) for gold in (gold_a, gold_b)]
    for drawn in ("at random", "as proposed"):
        found = compare_systems(first, second, *some, passing="pass", drawn=drawn)
        back = compare_systems(second, first, *some[::-1], passing="pass", drawn=drawn)
        low, high = found.shares
        assert high.share - low.share == pytest.approx(found.difference)
        assert high.by_votes - low.by_votes == pytest.approx(found.by_votes)
        for one, gold in zip(found.shares, (gold_a, gold_b), strict=True):
            real = np.mean([label == "pass" for label in gold.values()])
            assert one.interval.lower <= real <= one.interval.upper
        assert back.chance_better == pytest.approx(1 - found.chance_better, abs=1e-6)
        assert 0 < found.chance_better < 1
    whole = compare_systems(first, second, gold_a, gold_b, passing="pass")
    assert whole.chance_better == (whole.difference > 0)
    same = compare_systems(first, first, gold_a, gold_a, passing="pass")
    assert same.chance_better == 0.0


@pytest.mark.no_cover
def test_the_chance_of_being_better_is_calibrated():
    chances, better = [], []
    for seed in range(60):
        world = SystemWorld((0.7, 0.7), 0.3)  # luck alone decides which of the two is better
        (first, second), (gold_a, gold_b) = tables(world, seed, 200)
        tasks = np.random.default_rng(seed).permutation(first.tasks)[:60].tolist()
        some = [of(gold, tasks) for gold in (gold_a, gold_b)]
        found = compare_systems(first, second, *some, passing="pass", drawn="at random")
        real = sum(v == "pass" for v in gold_b.values()) - sum(v == "pass" for v in gold_a.values())
        if real:
            chances.append(found.chance_better)
            better.append(real > 0)
    # three standard errors; a chance that meant nothing would be right half the time
    error = 3 * np.sqrt(np.sum(np.multiply(chances, np.subtract(1, chances)))) / len(chances)
    assert abs(np.mean(chances) - np.mean(better)) < error
    sure = np.abs(np.subtract(chances, 0.5)) > 0.3
    assert np.mean((np.array(chances) > 0.5)[sure] == np.array(better)[sure]) > 0.7


def test_the_only_judge_is_taken_at_its_word_and_silence_at_its_mean():
    tasks = tuple(f"t{i}" for i in range(40))
    codes = np.random.default_rng(2).choice([-1, 0, 1], (2, 40), p=[0.2, 0.3, 0.5])
    first, second = (
        VoteTable(tasks, ("ann",), LABELS, one[:, None].astype(np.int16)) for one in codes
    )
    for passing in LABELS:
        found = pair_systems(first, second, passing)
        votes, k = codes.ravel(), LABELS.index(passing)
        mean = (votes == k).sum() / (votes >= 0).sum()
        assert found.posterior == pytest.approx(np.where(votes < 0, mean, votes == k))
    silent = VoteTable(tasks, ("ann",), LABELS, np.full((40, 1), -1, dtype=np.int16))
    assert pair_systems(silent, silent, "pass").posterior.tolist() == [0.5] * 80
