"""Gold cases look like the others, or are refused where their shape tells them."""

from __future__ import annotations

import json

import numpy as np
import pytest

from askpoint.errors import InputError
from askpoint.labelling.gold_shape import check_shape

TEXTS = [f"a post of some length, number {i}, and {'more ' * (i % 7)}" for i in range(60)]
RECORDS = [{"title": f"number {i}", "body": "some words " * (1 + i % 5)} for i in range(60)]


@pytest.mark.parametrize(
    ("gold", "kept"),
    [
        (TEXTS[3].replace("post", "note"), TEXTS),
        ({"title": "another", "body": "some other words here"}, RECORDS),
        ("anything", TEXTS[:19]),  # too few to tell
    ],
)
def test_what_looks_like_the_others_is_taken(gold, kept):
    check_shape(gold, kept)


@pytest.mark.parametrize(
    ("gold", "kept", "words"),
    [
        ("a text", RECORDS, "which are a record of title, body; got a text"),
        ({"title": "x", "body": "y"}, TEXTS, "which are a text; got a record of title, body"),
        ({"body": "y", "title": "x"}, RECORDS, "got a record of body, title"),
        ({"title": "x"}, RECORDS, "got a record of title"),
        ({"title": 7, "body": "some words"}, RECORDS, "title is a text; got a number"),
        (
            {"title": None, "body": "some words"},
            RECORDS,
            "title is a text; got true, false or null",
        ),
        ({"title": "x", "body": ["a"]}, RECORDS, "body is a text; got a list"),
        ({"title": "x", "body": {"a": 1}}, RECORDS, "body is a text; got an object"),
        ({"title": "x", "body": {1}}, RECORDS, "body is a text; got something else"),
        (7, TEXTS, "got a int"),
        ("short", TEXTS, "about as long as the others"),
        ("long " * 100, TEXTS, "about as long as the others"),
    ],
)
def test_what_its_shape_tells_is_refused(gold, kept, words):
    with pytest.raises(InputError, match=words):
        check_shape(gold, kept)


def auc_of(gold, cases):
    """How often gold scores above a case by one number of their shape, ties for half: by brute force."""
    return np.mean([(a > b) + (a == b) / 2 for a in gold for b in cases])


SHAPES = {
    "length": lambda it: len(it if isinstance(it, str) else json.dumps(it)),
    "signs": lambda it: np.mean([not sign.isalnum() for sign in str(it)]),
    "capitals": lambda it: sum(map(str.isupper, str(it))),
    "digits": lambda it: sum(map(str.isdigit, str(it))),
    "keys": lambda it: len(it) if isinstance(it, dict) else 0,
    "numbers": lambda it: (
        sum(isinstance(v, int) for v in it.values()) if isinstance(it, dict) else 0
    ),
}


@pytest.mark.parametrize("kind", ["texts", "records"])
def test_no_number_of_its_shape_tells_gold_made_of_cases(kind):
    """Of gold made of cases all is taken, and no shape tells it; of three other makings nearly all is refused."""
    rng = np.random.default_rng(5)
    texts = [" ".join(["word"] * int(n)) + "." for n in rng.integers(6, 60, 400)]
    others = [{"title": f"t{int(n)}", "n": int(n), "body": text} for n, text in enumerate(texts)]
    cases = texts if kind == "texts" else others
    kept, fresh = cases[:200], cases[200:300]
    for one in fresh:
        check_shape(one, kept)
    for name, shape in SHAPES.items():
        found = auc_of([shape(one) for one in fresh], [shape(one) for one in cases[300:]])
        assert 0.4 < found < 0.6, (name, found)
    wrong = (
        ["gold"] * 20,
        [{"body": "x"}] * 20,
        [{"title": "t", "n": "7", "body": text} for text in texts[:20]],
    )
    for made in wrong:
        for one in made:
            with pytest.raises(InputError, match="a gold case must"):
                check_shape(one, kept)
