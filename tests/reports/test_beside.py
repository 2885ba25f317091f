"""Two numbers that differ are never shown without the reason: a report and its policy, the newest cases and the policy in use."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from askpoint.reports.live.deploy import beside_policy_text, beside_report_text
from askpoint.value.posterior.prospects import Expected

EXPECTED = Expected(0.39, 0.33, 0.45)


def opening(threshold, coverage, aim="money"):
    document = SimpleNamespace(state=SimpleNamespace(threshold=threshold))
    question = SimpleNamespace(aim=aim)
    return SimpleNamespace(document=document, coverage=coverage, question=question)


@pytest.mark.parametrize(
    ("threshold", "coverage", "words"),
    [
        (0.96, 0.48, ["The policy begins with 480 of 1,000, from 0.96", "begins with less"]),
        (0.9, 0.7, ["The policy begins with 700 of 1,000, from 0.9", "That is more"]),
        (None, 0.0, ["At first every case goes to review", "begins with less"]),
    ],
)
def test_both_numbers_and_the_reason_are_said(threshold, coverage, words):
    text = beside_report_text(opening(threshold, coverage), EXPECTED, 0.93)
    assert (
        "610 of 1,000 new cases to be decided alone (between 550 and 670), from a confidence of 0.93"
        in text
    )
    for part in words:
        assert part in text


def test_a_promise_has_both_numbers_and_a_reason_of_its_own():
    text = beside_report_text(opening(0.96, 0.48, "promise"), EXPECTED, 0.93)
    assert "610 of 1,000 new cases" in text
    assert "480 of 1,000, from 0.96" in text
    assert "keep it at every threshold that it ever uses" in text
    assert "best guess" not in text
    text = beside_report_text(opening(None, 0.0, "promise"), Expected(1.0, 1.0, 1.0), float("inf"))
    assert "finds no threshold at which it can promise that limit" in text


def test_the_same_number_takes_no_reason():
    text = beside_report_text(opening(0.93, 0.61), EXPECTED, 0.93)
    assert "looked at once" not in text
    assert "610 of 1,000, from 0.93" in text


def test_a_report_that_lets_nothing_be_decided_says_so():
    text = beside_report_text(opening(None, 0.0), Expected(1.0, 0.999, 1.0), float("inf"))
    assert "expects nothing from letting the model decide alone" in text
    assert "inf" not in text


@pytest.mark.parametrize(
    ("in_use", "asked", "threshold", "words"),
    [
        (None, 1.0, float("inf"), None),
        (0.93, 0.4, 0.93, None),
        (None, 0.4, 0.93, "still sends every case to review"),
        (
            0.93,
            1.0,
            float("inf"),
            "recommend to send every case to review. The policy decides alone because",
        ),
        (0.93, 0.4, 0.9, "from 0.9, more than the policy does"),
        (0.93, 0.4, 0.95, "from 0.95, less than the policy does"),
    ],
)
def test_the_newest_cases_and_the_policy_never_differ_without_a_word(
    in_use, asked, threshold, words
):
    text = beside_policy_text(in_use, Expected(asked, asked, asked), threshold)
    assert (text == "") if words is None else (words in text)
