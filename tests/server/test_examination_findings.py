"""What an examination says, beside what players found."""

from __future__ import annotations

import json

import numpy as np
import pytest

from askpoint.arena.server.campaigns.records import terms_of
from askpoint.arena.server.examinations.exports import export_rows
from askpoint.arena.server.examinations.findings import finds_of_both, learn_from_both, sections_of
from askpoint.arena.server.examinations.records import judgements_of
from askpoint.arena.server.organisers.figures import figures_of
from askpoint.arena.server.rulings.models import Ruling
from askpoint.server.jobs.services import add_job
from server.examining import INSULTS, STREAM, drawn, judge_all, table, truth, words, work


def test_nothing_is_told_before_something_is_ruled(stage):
    row = drawn(stage)
    assert "neither the mistake rate" in words(sections_of(stage.campaign, row, judgements_of(row)))
    second = judgements_of(row).cases[1].ruling_id
    Ruling.objects.filter(pk=second).update(state="ruled", answer="clean")
    said = words(sections_of(stage.campaign, row, judgements_of(row)))
    assert "1 case is ruled, but not the first" in said
    assert len(judgements_of(row).answers) == 0


def test_a_whole_sample_that_was_drawn_is_told_exactly(both):
    """All 20 are drawn, so the estimate is the share itself; figures by hand."""
    row = drawn(both, 20, sample=STREAM[:20])
    judge_all(both)
    # "hm" (4) is taken for clean; mild cases with i % 4 == 2 are offensive: by hand
    wrong = [
        i
        for i, case in enumerate(STREAM[:20])
        if truth(case) != ("offensive" if "bad" in case else "clean")
    ]
    mild = [i for i in wrong if "mild" in STREAM[i]]
    sections = sections_of(both.campaign, row, judgements_of(row))
    beside = table(sections, "Any wrong decision counts, of whatever kind")
    assert beside["cases judged"] == ("20", "0")
    assert beside["wrong decisions per 100 judged"][0].startswith(f"{100 * len(wrong) / 20:.1f} (")
    assert beside["wrong decisions per 100 judged"][1] == "nothing judged yet"
    assert beside["unknown unknowns per 100 judged"][0].startswith(f"{100 * len(mild) / 20:.1f} (")
    # severity: 900 at p = .05, 100 at p = .45
    mean = (900 * len(mild) + 100 * (len(wrong) - len(mild))) / len(wrong)
    assert float(beside["mean severity of the mistakes"][0].replace(",", "")) == pytest.approx(
        mean, abs=0.6
    )
    votes = sum(len(item.ruling.votes.all()) for item in judgements_of(row).cases)
    assert float(beside["paid, cents"][0]) == pytest.approx(votes * 2, abs=0.5)
    assert beside["wrong decisions in the whole sample"][1] == "not estimable"
    share = 100 * len(wrong) / 20
    assert beside["wrong decisions in the whole sample"][0].startswith(f"{share:.1f}")


def test_both_ways_stand_side_by_side_with_denominators_and_buckets(stage):
    for number in range(4):
        stage.submit(INSULTS[number])
    stage.submit(INSULTS[0] + "!")  # an own find again: unpaid, and no find
    judge_all(stage, lambda _: "offensive")
    row = drawn(stage, 20, sample=STREAM[:20])
    judge_all(stage)
    sections = sections_of(stage.campaign, row, judgements_of(row))
    beside = table(sections, "Any wrong decision counts, of whatever kind")
    assert beside["cases judged"] == ("20", "5")
    assert beside["wrong decisions per 100 judged"][1].startswith("80.0 (")
    notes = " ".join(getattr(block, "note", "") for part in sections for block in part.blocks)
    assert "1 wrong decision repeats an earlier case of the players: judged, but no find" in notes
    paid = (4 * (910 + 200) + 200) / 50
    assert beside["cents for each unknown unknown"][1] == f"{paid / 4:.3g}"
    buckets = table(sections, "Share of its mistakes by severity")
    assert list(buckets) == ["examination", "Beat the Machine"]
    assert buckets["Beat the Machine"][3].startswith("100")
    one, two = finds_of_both(stage.campaign, judgements_of(row))
    figures = figures_of(stage.campaign)
    assert (two.n_judged, int(two.finds.wrong.sum()), two.n_unknown, two.n_repeats) == (
        *(figures.judged, figures.found, figures.unknown, figures.repeats),
    )
    assert (one.n_judged, two.n_judged, two.cents) == (20, 5, pytest.approx(paid))


def test_rows_of_features_are_told_but_not_learned_from(stage):
    from askpoint.server.classifiers.models import Classifier

    features = [{"name": "age", "kind": "number"}]
    Classifier.objects.update(cases="row", features=features)
    rows = [{"age": float(i)} for i in range(12)]
    row = stage.examine(rows, 12)
    judge_all(stage, lambda case: "offensive" if case["age"] > 6 else "clean")
    stage.classifier.refresh_from_db()
    stage.submit({"age": "3"})
    judge_all(stage, lambda _: "offensive")
    learn_from_both(str(row.pk))
    row.refresh_from_db()
    sections = sections_of(stage.campaign, row, judgements_of(row))
    beside = table(sections, "Any wrong decision counts, of whatever kind")
    assert beside["cases judged"] == ("12", "1")
    assert "cases are rows of features, and curves are drawn for texts only" in words(sections)
    line = next(item for item in export_rows(row, terms_of(stage.campaign.terms))[1])
    assert json.loads(line["case"]) in rows


def test_picked_cases_say_nothing_of_the_others(stage):
    row = drawn(stage, 10, "uncertainty")
    judge_all(stage)
    sections = sections_of(stage.campaign, row, judgements_of(row))
    assert "picked, not drawn" in words(sections)
    beside = table(sections, "Any wrong decision counts, of whatever kind")
    assert beside["wrong decisions in the whole sample"][0] == "–"


def test_what_can_be_learned_is_computed_in_the_background_or_says_why_not(stage):
    row = drawn(stage, 12, sample=STREAM[:12])
    judge_all(stage)
    add_job("compare", str(row.pk))
    work()
    row.refresh_from_db()
    assert row.learned["reason"] == "Beat the Machine has no judged case yet"
    stage.submit("you are not from here")
    judge_all(stage, lambda _: "offensive")
    learn_from_both(str(row.pk))
    row.refresh_from_db()
    assert row.learned["judged"] == [12, 1]
    said = words(sections_of(stage.campaign, row, judgements_of(row)))
    assert "collect at least 10 of each" in said


@pytest.mark.whole
def test_learning_curves_are_kept_and_read_back(stage):
    rng = np.random.default_rng(0)
    letters = np.array(list("abcdefghijklmnopqrstuvwxyz"))
    filling = [" ".join("".join(rng.choice(letters, 5)) for _ in range(6)) for _ in range(48)]
    for i in range(24):
        stage.submit(f"{filling[i]} {'insult' if i % 2 else 'lovely'}")
    say = lambda case: "offensive" if "insult" in case or "hm" in case else "clean"  # noqa: E731
    judge_all(stage, say)
    row = drawn(stage, 24, sample=[f"{'hm ' if i % 2 else ''}{filling[24 + i]}" for i in range(24)])
    judge_all(stage, say)
    learn_from_both(str(row.pk))
    row.refresh_from_db()
    assert len(row.learned["curves"]) == 4
    sections = sections_of(stage.campaign, row, judgements_of(row))
    curves = table(sections, "Area under the ROC curve, by cases to learn from")
    assert list(curves) == [
        "examination only",
        "Beat the Machine only",
        "examination on Beat the Machine",
        "Beat the Machine on examination",
    ]
    assert float(curves["Beat the Machine only"][-1]) > 0.9
