"""The scale on which a policy with groups decides."""

from __future__ import annotations

import json

import numpy as np
import pytest

from askpoint.errors import InputError
from askpoint.live.batches import DecisionBatch
from askpoint.live.documents import PolicyDocument
from askpoint.live.draws import secret_hash
from askpoint.live.first_log import learn_from_log
from askpoint.live.gateway import Rollout, decide_in
from askpoint.live.group_scale import GroupScale, check_groups
from askpoint.live.policy import Policy
from askpoint.live.terms import Terms
from live.memory_store import MemoryStore

SECRET = b"sixteen or more bytes"
LOWEST = np.array([0.5, 0.7, 0.9])


def scale(names=("en", "tr"), other=(0.2, 0.5, 0.6)):
    right = np.array([[0.6, 0.9, 0.99], [0.1, 0.3, 0.95]])
    return GroupScale("language", LOWEST, names, right, np.array(other))


def test_a_case_is_read_at_its_group_and_place():
    confidence = np.array([0.95, 0.7, 0.4, 0.9, 0.9])
    read = scale().right_at(confidence, ["en", "en", "en", "tr", "sw"])
    # below all places counts as the first; a group that the log lacks as one without labels
    assert read.tolist() == [0.99, 0.9, 0.6, 0.95, 0.6]
    assert scale(("en", None)).right_at(np.array([0.9]), [None]).tolist() == [0.95]


@pytest.mark.parametrize("least", [0.05, 0.3, 0.31, 0.95, 0.97, 0.999])
def test_thresholds_of_confidence_decide_as_the_scale_does(least):
    found = scale().thresholds(least)
    for name in ("en", "tr"):
        for confidence in np.linspace(0.5, 1, 51):
            alone = scale().right_at(np.array([confidence]), [name])[0] >= least
            at = found[name]
            assert alone == (at is not None and confidence >= at)


def test_a_policy_that_asks_everything_has_no_thresholds():
    assert scale().thresholds(None) == {"en": None, "tr": None}


def test_it_is_written_and_read():
    plain = json.loads(json.dumps(scale(("en", None)).to_dict()))
    again = GroupScale.from_dict(plain)
    assert again.to_dict() == plain
    assert again.names == ("en", None)


def test_cases_without_a_group_are_refused_unless_the_log_had_some():
    plain = scale().to_dict()
    check_groups(plain, ["en", "sw"])
    for group in (None, ["en", None]):
        with pytest.raises(InputError, match="the column 'language', and a case names none"):
            check_groups(plain, group)
    check_groups(scale(("en", None)).to_dict(), ["en", None])
    with pytest.raises(InputError, match="names none"):
        check_groups(scale(("en", None)).to_dict(), None)


def test_a_policy_decides_by_the_chance_to_be_right_and_keeps_the_confidence():
    rng = np.random.default_rng(0)
    chance = rng.uniform(0, 1, 600)
    terms = Terms("money", 0.2, rate=0.2)
    state = learn_from_log(chance, rng.random(600) > chance, terms)
    model = {"groups": scale().to_dict()}

    document = PolicyDocument("posts", terms, state, model, secret_hash(SECRET), {"labelled": 600})
    assert PolicyDocument.from_json(document.to_json()).group_scale.names == ("en", "tr")
    assert json.loads(document.to_json())["format"] == 2
    posts = MemoryStore(Policy.from_document(document), SECRET)
    threshold = state.threshold
    assert 0.6 < threshold < 0.9

    keys = ["a", "b", "c", "d"]
    batch = DecisionBatch(
        keys, ["right"] * 4, [0.72, 0.72, 0.9, 0.9], group=["en", "tr", "tr", "sw"]
    )
    made = decide_in(posts, batch, 0, rollout=Rollout())
    assert made.blocks[0].answer.tolist() == [True, False, True, False]
    assert made.blocks[0].confidence.tolist() == [0.72, 0.72, 0.9, 0.9]
