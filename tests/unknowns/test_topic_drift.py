"""Early notice among players' cases: a topic that rises is named, and noise is not."""

import numpy as np
import pytest

from askpoint.errors import NotEstimableError
from askpoint.unknowns.topic_drift import OTHER_WORDS, watch_topics

TOPICS = ("kitchen", "football", "weather", "banking", "holiday")


def stream(n, rise=None, seed=0):
    """Cases of five topics, one in five an error; from case 80 on half of `rise`'s are."""
    rng = np.random.default_rng(seed)
    texts, verified = [], []
    for i in range(n):
        topic = rise if rise and i >= 80 and rng.random() < 0.6 else str(rng.choice(TOPICS))
        texts.append(f"a text of {topic}")
        verified.append(bool(rng.random() < (0.8 if topic == rise and i >= 80 else 0.2)))
    return texts, verified


@pytest.mark.parametrize("rise", ["football", "a new thing"])
def test_a_rise_is_named_with_its_beginning(rise):
    found = watch_topics(*stream(200, rise))
    (first, *_) = found.notices
    assert first.region == ("football" if rise == "football" else OTHER_WORDS)
    assert 80 <= first.since <= 110
    assert first.rate > first.baseline
    assert (found.n_reference, found.n_periods) == (50, 15)


def test_without_a_rise_there_is_no_notice():
    assert sum(len(watch_topics(*stream(200, seed=seed)).notices) for seed in range(20)) == 0


def test_too_few_cases_are_not_estimable():
    with pytest.raises(NotEstimableError, match="there are 59 so far"):
        watch_topics(*stream(59))
