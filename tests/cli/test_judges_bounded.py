"""`askpoint judges --correlation-at-most`: intervals hold the truth, and who cannot be bounded."""

from __future__ import annotations

import polars as pl
import pytest

# UCI adult by true label, in the order aaa, aab, ..., bbb
OF_A = [715, 161, 2406, 455, 290, 94, 1335, 231]
OF_B = [271, 469, 3395, 7517, 272, 399, 6377, 12455]


@pytest.fixture
def adult(tmp_path):
    rows = [
        {"ann": "ab"[i >> 2 & 1], "bob": "ab"[i >> 1 & 1], "cid": "ab"[i & 1]}
        for counts in (OF_A, OF_B)
        for i, n in enumerate(counts)
        for _ in range(n)
    ]
    path = tmp_path / "adult.parquet"
    pl.DataFrame(rows).write_parquet(path)
    return path


def test_the_truth_lies_within_at_the_true_correlation(shell, adult):
    """Adult's errors correlate by up to .02: p is 5,687 of 36,842."""
    found = shell.json("judges", adult, "--correlation-at-most", 0.02)["correlation_at_most"]
    n_a, n_b = sum(OF_A), sum(OF_B)
    low, high = found["prevalence"]
    assert low <= n_a / (n_a + n_b) <= high
    for place, judge in enumerate(("ann", "bob", "cid")):
        bit = 4 >> place
        on_a = sum(n for i, n in enumerate(OF_A) if not i & bit) / n_a
        on_b = sum(n for i, n in enumerate(OF_B) if i & bit) / n_b
        for label, share in (("a", on_a), ("b", on_b)):
            least, most = found["accuracy"][judge][label]
            assert least <= share <= most
    whole = shell.json("judges", adult, "--correlation-at-most", 0)
    point = whole["correlation_at_most"]
    for judge, of_labels in whole["chosen"]["accuracy"].items():  # the independent evaluator's
        for label, share in of_labels.items():
            assert point["accuracy"][judge][label] == pytest.approx([share] * 2, abs=1e-6)
    assert point["prevalence"] == pytest.approx([0.16711] * 2, abs=1e-4)  # table 1, corrected


def test_two_judges_are_refused(shell, adult):
    said = shell.refusal("judges", adult, "--judges", "ann,bob", "--correlation-at-most", "0.1")
    assert "three judges and two labels; got 2 and 2" in said
