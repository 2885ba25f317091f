"""One record for each method: a new one appears everywhere by its record alone."""

from __future__ import annotations

import numpy as np
import pytest

from askpoint.answers.judges.case import answer_judges
from askpoint.answers.judges.trust import NO_LABELS, judge_trust
from askpoint.errors import NotEstimableError
from askpoint.judges.evaluation import Evaluation
from askpoint.judges.evaluator import Evaluator, MethodDoubt
from askpoint.judges.evaluators import EVALUATORS
from askpoint.judges.sketch.vote_sketch import VoteSketch
from askpoint.reports.judges.document import judges_document
from askpoint.reports.judges.json import judges_object
from askpoint.reports.page import render_page
from askpoint.reports.terminal import print_document


def evaluate_first(evidence):
    """Believe the first judge."""
    votes, counts = evidence.sketch.cells()
    if (votes[:, 0] < 0).any():
        raise NotEstimableError("the first judge did not vote on every item")
    labels, total = evidence.sketch.labels, int(counts.sum())
    share = {k: int(counts[votes[:, 0] == i].sum()) / total for i, k in enumerate(labels)}
    accuracy = {
        judge: {
            k: counts[(votes[:, 0] == i) & (votes[:, j] == i)].sum() / (share[k] * total)
            for i, k in enumerate(labels)
        }
        for j, judge in enumerate(evidence.sketch.judges)
    }
    return Evaluation(share, accuracy, total)


TOY = Evaluator(
    name="first_judge",
    title="the first judge alone",
    assumption="if the first judge is always right",
    intervals=None,
    evaluate=evaluate_first,
)


@pytest.fixture
def sketch():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 500)
    sketch = VoteSketch(["ann", "bob", "cid", "dan"], ["x", "y"])
    sketch.update_codes(np.where(rng.random((500, 4)) < 0.85, truth[:, None], 1 - truth[:, None]))
    return sketch


def words_of(answer, capsys):
    from rich.console import Console

    print_document(judges_document(answer, "votes.csv"), Console(width=200))
    return " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("first", [True, False])
def test_a_new_method_is_in_text_page_and_json(first, sketch, capsys):
    evaluators = (TOY, *EVALUATORS) if first else (*EVALUATORS, TOY)
    answer = answer_judges(sketch, evaluators=evaluators)
    said, page = words_of(answer, capsys), render_page(judges_document(answer, "votes.csv"))
    for text in (said, page):
        assert "the first judge alone" in text
        assert ("if the first judge is always right" in text) == first
        assert "Trust" not in text
    content = judges_object(answer)
    assert content["first_judge"]["accuracy"]["ann"] == {"x": 1.0, "y": 1.0}
    assert "the first judge alone" not in words_of(answer_judges(sketch), capsys)
    # nothing speaks against it, but without labels nothing speaks for anybody
    assert not judge_trust(answer).is_trusted
    assert "otes cannot reveal an error that all judges make" in said


def test_why_a_new_method_has_no_answer_is_in_json(sketch):
    sketch.update([None, "x", "x", "y"])
    content = judges_object(answer_judges(sketch, evaluators=(TOY, *EVALUATORS)))
    assert content["first_judge"] is None
    assert content["reasons"]["first_judge"] == "the first judge did not vote on every item"


def test_its_doubts_are_said_with_their_numbers(sketch, capsys):
    doubts = (
        MethodDoubt("{} rides on one judge", 0.125, "share"),
        MethodDoubt("{} items", 1200.0),
        MethodDoubt("{} times", 1.5, "factor"),
    )
    toy = Evaluator(**vars(TOY) | {"limits": lambda *_: doubts})
    answer = answer_judges(sketch, evaluators=(toy, *EVALUATORS))
    assert judge_trust(answer).reasons == (NO_LABELS, *doubts)
    assert "12.5% rides on one judge; 1,200 items" in words_of(answer, capsys)
    assert "1.50 times" in judges_object(answer)["trust"]["reasons"][3]


def test_names_and_titles_are_distinct_and_order_is_of_belief():
    names = [evaluator.name for evaluator in EVALUATORS]
    assert len({*names}) == len({evaluator.title for evaluator in EVALUATORS}) == len(names)
    assert (names[0], names[-1]) == ("with_gold", "majority")
    # what repeats another's fit comes after it
    for place, evaluator in enumerate(EVALUATORS):
        assert not evaluator.second_to or evaluator.second_to in names[:place]
