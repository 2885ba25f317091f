"""What reviewers go by: checked, kept as JSON, compared with the version before."""

from __future__ import annotations

import pytest

from askpoint import InputError
from askpoint.labelling.guideline import (
    LONGEST_EXAMPLE,
    LONGEST_RULE,
    MOST_EXAMPLES,
    Guideline,
    LabelRule,
    check_guideline,
    read_guideline,
)

HATE = LabelRule("hate", " attacks a group ", ("you fool", " you fool ", "", "go home"))
FINE = LabelRule("fine", "", ())


def test_blanks_and_doubles_and_labels_without_a_word_go():
    made = check_guideline(" judge what is meant ", [HATE, FINE], set())
    assert made == Guideline(
        "judge what is meant", (LabelRule("hate", "attacks a group", ("you fool", "go home")),)
    )
    assert read_guideline(made.to_json()) == made
    assert made.texts == {"judge what is meant", "attacks a group", "you fool", "go home"}
    assert not made.is_empty
    assert check_guideline(" ", [FINE], set()).is_empty
    assert check_guideline("", [FINE], set()).to_text() == ""
    assert made.to_text() == "judge what is meant\n\nhate: attacks a group\n- you fool\n- go home"
    only = check_guideline("", [LabelRule("fine", "", ("so be it",))], set())
    assert only.to_text() == "fine\n- so be it"


def test_examples_of_deleted_contents_go_and_a_label_that_has_none_left():
    made = check_guideline("", [HATE, FINE._replace(examples=("so be it",))], set())
    kept = made.drop_examples({"you fool", "so be it"})
    assert kept == Guideline("", (LabelRule("hate", "attacks a group", ("go home",)),))
    assert made.drop_examples({"never"}) == made


@pytest.mark.parametrize(
    ("general", "rule", "says"),
    [
        ("x" * (LONGEST_RULE + 1), FINE, "for all labels has at most 1,000 characters; got 1,001"),
        ("", FINE._replace(rule="x" * (LONGEST_RULE + 1)), "the rule of 'fine' has at most"),
        ("", FINE._replace(examples=("x" * (LONGEST_EXAMPLE + 1),)), "example of 'fine' has at"),
        (
            "",
            FINE._replace(examples=tuple(map(str, range(MOST_EXAMPLES + 1)))),
            "at most 10 examples; got 11 of 'fine'",
        ),
        ("", FINE._replace(examples=(" a known one ",)), "is a gold case"),
    ],
)
def test_what_is_too_long_too_many_or_gold_is_refused(general, rule, says):
    with pytest.raises(InputError, match=says):
        check_guideline(general, [HATE, rule], {"a known one"})
