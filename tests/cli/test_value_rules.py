"""One number, one rule: every figure is recomputed at its printed rule on the rows it speaks of."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from cli.logs import CLASSES, answered, close, confidence, is_right, make_log


def share_asked(rows, threshold):
    alone = answered(rows, threshold)
    return 1 - Fraction(sum(alone), len(rows))


def logs():
    fine = make_log(240, seed=21, groups=("a", "b"))
    for i, row in enumerate(fine):  # neighbours that only many digits tell apart
        spam = (i * 7919 % 240 + 0.5) / 240 + 1e-7 * (i % 3)
        row |= {"proba_ham": 1 - spam, "proba_spam": spam}
        row["label"] = CLASSES[(spam > 0.5) == (i % 17 < 15)]
    return {
        "ties": make_log(240, seed=20, groups=("a", "b")),
        "fine": fine,
        "partly": make_log(400, seed=22, labelled=0.5, groups=("a", "b")),
    }


@pytest.mark.parametrize("name", ["ties", "fine", "partly"])
@pytest.mark.parametrize("flags", [("--rho", 0.1), ("--max-error", 0.2), ("--ask-at-most", 0.3)])
def test_every_figure_is_that_of_its_printed_rule(name, flags, shell):
    rows = logs()[name]
    log = shell.write("log.csv", rows)
    words = [*flags, "--by", "region"]
    content = shell.answer(log, *words)
    known = [row for row in rows if row["label"]]
    best, now = content["recommended"], content["hindsight"]

    # what is recommended
    printed = best["rule"]["threshold"]
    assert content["threshold"] == printed
    assert (
        best["asked"]["share"]
        == close(share_asked(rows, printed))
        == content["expected"]["asked"]["mean"]
    )
    assert best["mistakes"]["share"] == content["expected"]["mistakes"]["mean"]
    assert (best["asked"]["n"], best["mistakes"]["n"]) == (len(rows), len(known))
    for key in ("asked", "mistakes"):
        low, high = best[key]["interval"]
        assert low <= best[key]["share"] <= high
    for line in best["groups"]:
        part = [row for row in rows if row["region"] == line["group"]]
        assert 1 - line["coverage"] == close(share_asked(part, printed))
    for other in best["at_other_prices"]:
        assert other["asked"]["share"] == close(share_asked(rows, other["rule"]["threshold"]))

    # the rows themselves
    printed = now["rule"]["threshold"]
    asked = share_asked(rows, printed)
    assert now["asked"]["share"] == close(asked)
    assert now["asked"]["rows"] == asked * len(rows)
    alone = [row for row, ok in zip(known, answered(known, printed), strict=True) if ok]
    risk = Fraction(sum(not is_right(row) for row in alone), len(alone)) if alone else 0
    assert now["mistakes"]["share"] == close(risk * (1 - asked))
    if now["cost"] is not None:
        checks = Fraction(now["price"]["checks_per_mistake"])
        assert now["cost"]["per_1000"] == close(1000 * (asked + checks * risk * (1 - asked)))
        assert now["cost"]["saved_per_1000"] == close(1000 - Fraction(now["cost"]["per_1000"]))

    # the two ends
    always, never = content["ask_all"], content["answer_all"]
    assert (always["asked"]["share"], always["mistakes"]["share"]) == (1, 0)
    assert never["asked"]["share"] == 0
    low, high = never["mistakes"]["interval"]
    assert low <= never["mistakes"]["share"] <= high
    for rule in (best, always, never):
        if rule["cost"] is not None:
            cost, saved = rule["cost"]["per_1000"], rule["cost"]["saved_per_1000"]
            assert saved == pytest.approx(always["cost"]["per_1000"] - cost)


@pytest.mark.parametrize("name", ["ties", "fine"])
def test_a_threshold_is_printed_alike_everywhere(name, shell):
    log, page = shell.write("log.csv", logs()[name]), shell.folder / "page.html"
    content = shell.answer(log, "--rho", 0.1, "--html", page)
    said = " ".join(shell.said("value", log, "--rho", 0.1).split())
    written = re.compile(r"confidence is at least (\d[\d.e-]*\d)")
    for text in (said, page.read_text(encoding="utf-8")):
        found = list(map(float, written.findall(" ".join(text.split()))))
        assert found == [
            content[rule]["rule"]["threshold"] for rule in ("recommended", "hindsight")
        ]


def test_a_current_rule_is_judged_at_the_number_that_was_typed(shell):
    rows = logs()["ties"]
    log = shell.write("log.csv", rows)
    used = shell.answer(log, "--rho", 0.1, "--threshold", 0.81)["current"]
    assert used["rule"] == {"name": "current", "threshold": 0.81}
    assert used["asked"]["share"] == close(share_asked(rows, 0.81))
    assert used["cost"]["saved_per_1000"] == pytest.approx(1000 - used["cost"]["per_1000"])
    assert confidence(rows[0]) <= 1
