"""Labels of two people and more: what is drawn, settled, taken out, and never known."""

from __future__ import annotations

import numpy as np
import polars as pl

from askpoint.answers.live.doubles import answer_doubles, cases_to_label_again
from askpoint.live.draws import draws_double
from askpoint.live.terms import Terms
from askpoint.measures.mixture_sequence import total_interval
from askpoint.reports.live.doubles import doubles_blocks, doubles_object

TERMS = Terms("money", 0.05, rate=0.2)
DOUBLED, SINGLE = 0.0, 2**-38  # their digits behind the audit's are drawn, or not


def decisions(keys, draws=None, n_answers=None):
    n = len(keys)
    return pl.DataFrame(
        {
            "key": keys,
            "content": [f"post {key}" for key in keys],
            "prediction": ["yes"] * n,
            "drawn": np.full(n, DOUBLED) if draws is None else draws,
            "audit": [True] * n,
            "action": ["answer"] * n,
            "propensity": [0.2] * n,
        }
    )


def votes(*rows, source="audit"):
    keys, labels, judges = zip(*rows, strict=True)
    columns = {"key": keys, "label": labels, "judge": judges, "source": [source] * len(keys)}
    return pl.DataFrame(columns)


def test_a_third_person_settles_what_two_see_differently():
    found = answer_doubles(
        decisions(["agreed", "blamed", "missed", "open", "single"]),
        votes(
            *[("agreed", "yes", judge) for judge in "AB"],
            *[
                ("blamed", label, judge)
                for label, judge in zip(("no", "yes", "yes"), "ABC", strict=True)
            ],
            *[
                ("missed", label, judge)
                for label, judge in zip(("yes", "no", "no"), "ABC", strict=True)
            ],
            ("open", "yes", "A"),
            ("open", "no", "B"),
            ("single", "yes", "A"),
            ("single", "no", "A"),  # nobody is their own second person
        ),
        TERMS,
    )
    assert (found.cases, found.differ, found.open) == (4, 3, 1)
    assert (found.blamed, found.missed, found.audits) == (1, 1, 4)
    assert found.mistakes is None
    said = next(doubles_blocks(found, TERMS)).text
    assert "labelled 4 cases, and differ on 3" in said
    assert "1 wait for a third person" in said
    assert "only gold cases show them" in said
    assert doubles_object(found)["open"] == 1


def test_feedback_is_no_second_opinion():
    table = pl.concat([votes(("a", "yes", "A")), votes(("a", "no", "B"), source="feedback")])
    assert answer_doubles(decisions(["a"]), table, TERMS) is None
    assert doubles_object(None) is None
    assert list(doubles_blocks(None, TERMS)) == []


def test_a_fifth_is_drawn_for_another_person_and_two_that_differ_for_a_third():
    draws = np.random.default_rng(0).integers(0, 2**53, 2000) / 2.0**53
    keys = [f"k{i}" for i in range(2000)]
    table = votes(
        *[(key, "yes", "Ada") for key in keys], (keys[0], "no", "Bob"), (keys[1], "yes", "Bob")
    )
    found = cases_to_label_again(decisions(keys, draws), table)
    expected = draws_double(draws)
    expected[0], expected[1] = True, False
    assert found["key"].to_list() == [
        key for key, is_drawn in zip(keys, expected, strict=True) if is_drawn
    ]
    assert found.columns == ["key", "content", "label", "judge", "labelled_by"]
    assert found.row(0)[-1] == "Ada, Bob"
    assert set(found["label"]) == {""}


def test_mistakes_of_people_are_taken_out_by_three_intervals():
    assert bool(draws_double(np.array([DOUBLED]))[0])
    assert not draws_double(np.array([SINGLE]))[0]
    n = 300
    keys = [f"k{i}" for i in range(n)]
    first = ["no"] * 40 + ["yes"] * (n - 40)  # of the 40 blamed 25 are right answers
    second = ["yes"] * 25 + ["no"] * 15 + ["yes"] * (n - 40)
    table = votes(
        *zip(keys, first, ["A"] * n, strict=True),
        *zip(keys, second, ["B"] * n, strict=True),
        *zip(keys[:25], ["yes"] * 25, ["C"] * 25, strict=True),
    )
    found = answer_doubles(decisions(keys), table, TERMS)
    seen, blamed, missed = (total_interval(count, delta=0.05 / 3) for count in (40, 25, 0))
    both = 0.2 * 0.2
    assert found.mistakes.lower == max(
        0, seen.lower / 0.2 - blamed.upper / both + missed.lower / both
    )
    upper = seen.upper / 0.2 - blamed.lower / both + missed.upper / both
    assert found.mistakes.upper == min(n, upper)
    kinds = [type(block).__name__ for block in doubles_blocks(found, TERMS)]
    assert kinds == ["Paragraph", "Notice"]  # 25 errors in 300 are more than stated
