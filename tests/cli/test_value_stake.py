"""What is at stake in a choice, and what nine labels must not decide: in terminal, JSON and page."""

from __future__ import annotations

import html

import numpy as np
import pytest

N = 1200


def rows(n_labelled, *, slope=1.0, group=False, seed=3):
    rng = np.random.default_rng(seed)
    z = rng.normal(2.2, 1.6, N)
    confidence = 1 / (1 + np.exp(-z))
    right = rng.random(N) < 1 / (1 + np.exp(-slope * z))
    return [
        {
            "label": ("a" if right[i] else "b") if i < n_labelled else "",
            "prediction": "a",
            "confidence": round(float(confidence[i]), 6),
            **({"group": "xyz"[i % 3]} if group else {}),
        }
        for i in range(N)
    ]


def joined(text):
    return " ".join(text.replace("\N{NO-BREAK SPACE}", " ").split())


@pytest.mark.parametrize(
    ("slope", "rho", "decided", "before", "after"),
    [
        (0.9, 0.02, False, "deciding all, ", " of what that costs, but costs more"),
        (0.9, 0.55, True, " per 1,000 cases, ", " of what letting the model decide all costs."),
    ],
)
def test_a_small_gain_is_told_as_a_share_of_what_is_at_stake(
    shell, tmp_path, slope, rho, decided, before, after
):
    log, page = shell.write("log.csv", rows(500, slope=slope)), tmp_path / "page.html"
    content = shell.answer(log, "--rho", rho, "--html", page)
    assert content["decided"] is decided
    stake = content["recommended"]["stake"]
    ends = [content[name]["cost"]["per_1000"] for name in ("ask_all", "answer_all")]
    cost = content["expected"]["cost_per_1000"]["mean"]
    assert stake["checks_per_1000"] == pytest.approx(min(ends), rel=1e-6)
    assert stake["saved"] == pytest.approx((min(ends) - cost) / min(ends), abs=1e-9)
    assert 0 < stake["saved"] < 0.05
    percent = 100 * stake["saved"]
    sentence = f"{before}{percent:{'.2f' if percent < 1 else '.1f'}}%{after}"
    assert sentence in joined(shell.said("value", log, "--rho", rho))
    assert sentence in joined(html.unescape(page.read_text(encoding="utf-8")))


def test_a_great_gain_is_told_in_checks_alone(shell):
    log = shell.write("log.csv", rows(500))
    assert "The gain is small" not in joined(shell.said("value", log, "--rho", 0.2))
    assert shell.answer(log, "--rho", 0.2)["recommended"]["stake"]["saved"] > 0.05


def test_without_a_price_nothing_is_at_stake_and_the_object_says_why(shell):
    content = shell.answer(shell.write("log.csv", rows(500)), "--max-error", 0.1)
    assert content["recommended"]["stake"] is None
    assert content["reasons"]["recommended.stake"] == "no price of a mistake is stated"


_VERDICTS = (
    "Decided:",
    "differs: yes",
    "| yes",
    "Your surest",
    "is right in",
    "better than every other",
    "The ladder is used",
    "well calibrated",
)


@pytest.mark.parametrize(
    "wish",
    [
        ("--rho", 0.5),
        ("--rho", 0.01),
        ("--max-error", 0.3),
        ("--ask-at-most", 0.5),
        ("--rho", 0.1, "--by", "group"),
        ("--max-mistakes", 0.05, "--guarantee", 0.1),
    ],
)
@pytest.mark.parametrize("seed", [1, 2])
def test_nine_labels_get_no_verdict_sentence(shell, wish, seed):
    log = shell.write("log.csv", rows(9, slope=-0.5 if seed == 2 else 3, group=True, seed=seed))
    text = joined(shell.said("value", log, *wish, "--classes", "a,b"))
    assert [each for each in _VERDICTS if each in text] == []
    content = shell.answer(log, *wish, "--classes", "a,b")
    assert content["decided"] is False
    assert all(not each["decided"] for each in content["recommended"]["at_other_prices"] or ())
