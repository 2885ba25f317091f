"""Digests, MinHash against exact Jaccard, and groups against exact pairwise linking."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from askpoint.errors import InputError
from askpoint.unknowns.duplicates import (
    canonical_text,
    minhash_signatures,
    near_duplicate_groups,
    resemblances,
    text_digest,
)

WORDS = ["machine", "people", "north", "beat", "model", "sure", "wrong", "players", "judge"]


def exact_resemblance(first, second):
    def runs(text):
        return {text[i : i + 5] for i in range(len(text) - 4)} or {text}

    return len(runs(first) & runs(second)) / len(runs(first) | runs(second))


def sentences(n, rng):
    return [" ".join(rng.choice(WORDS, 8)) for _ in range(n)]


@pytest.mark.parametrize(
    "same",
    [
        "Beat the MACHINE",
        " beat\nthe   machine",
        "ｂｅａｔ the machine",
        "be\u200bat the mach\u00adine",
    ],
)
def test_what_reads_the_same_has_one_digest(same):
    assert canonical_text(same) == "beat the machine"
    assert text_digest(same) == text_digest("beat the machine")
    assert text_digest(same) != text_digest("beat the machines")


@pytest.mark.parametrize("empty", ["", " \t\n", "\u200b"])
def test_an_empty_text_is_refused(empty):
    for call in (canonical_text, text_digest, lambda text: minhash_signatures([text])):
        with pytest.raises(InputError, match="must hold more than white space"):
            call(empty)


def test_minhash_estimates_the_exact_resemblance():
    rng = np.random.default_rng(3)
    texts = sentences(60, rng)
    texts += [text.replace(" ", "  ", 1)[:-4] + "s" for text in texts[:20]]  # close ones too
    estimated = resemblances(minhash_signatures(texts), minhash_signatures(texts))
    exact = np.array(
        [[exact_resemblance(canonical_text(a), canonical_text(b)) for b in texts] for a in texts]
    )
    error = (estimated - exact) / np.sqrt(np.maximum(exact * (1 - exact), 0.01) / 128)
    assert np.abs(error).max() < 5
    assert abs(error.mean()) < 0.2  # no bias
    assert (np.diag(estimated) == 1).all()


def test_a_signature_is_the_same_wherever_and_whenever_it_is_made():
    # frozen scores rest on it; a change needs a new version of the classifier
    signature = minhash_signatures(["beat the machine"])
    assert (
        signature == minhash_signatures(["something longer, first", "Beat the machine"])[1]
    ).all()
    assert minhash_signatures([]).shape == (0, 128)
    assert len(minhash_signatures(["ab", "\ud800 lone surrogate"])) == 2


@settings(deadline=None, max_examples=25)
@given(st.lists(st.text(alphabet="abc ", min_size=1, max_size=12).filter(str.strip), max_size=25))
def test_groups_are_the_components_of_near_pairs(texts):
    groups = near_duplicate_groups(texts)
    near = resemblances(minhash_signatures(texts), minhash_signatures(texts)) >= 0.8
    expected = list(range(len(texts)))
    for _ in texts:  # the least member's number spreads along the links
        expected = [min(expected[j] for j in np.flatnonzero(row)) for row in near]
    order = sorted(set(expected))
    assert groups.tolist() == [order.index(first) for first in expected]


def test_a_thousand_copies_and_a_chain_are_one_group_each():
    rng = np.random.default_rng(5)
    chain = "".join(rng.choice(list("abcdefgh"), 400))
    links = [chain[start:] for start in range(0, 300, 20)]
    assert exact_resemblance(links[0], links[-1]) < 0.4
    groups = near_duplicate_groups(["the very same text"] * 1000 + links)
    assert groups.tolist() == [0] * 1000 + [1] * len(links)


def test_the_bound_must_be_a_share():
    with pytest.raises(InputError, match="at_least must be strictly between 0 and 1"):
        near_duplicate_groups(["a"], at_least=1)
