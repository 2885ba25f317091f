"""Gold cases look like the others, or are refused where their shape tells them."""

from __future__ import annotations

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
        (7, TEXTS, "got a int"),
        ("short", TEXTS, "about as long as the others"),
        ("long " * 100, TEXTS, "about as long as the others"),
    ],
)
def test_what_its_shape_tells_is_refused(gold, kept, words):
    with pytest.raises(InputError, match=words):
        check_shape(gold, kept)
