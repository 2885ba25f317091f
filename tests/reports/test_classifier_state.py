"""The state of a classifier in one line: the first that fits, in every kind of event."""

from datetime import UTC, datetime

import pytest

from askpoint.live.events import EVENTS
from askpoint.reports.live.classifier_state import ClassifierFacts, classifier_state_line

EARLIER, LATER = datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 3, 5, 18, tzinfo=UTC)
USUAL = {"adopted": EARLIER, "decided": 100, "mode": "all", "rollout": 0.1, "threshold": 0.915}


def line(**facts):
    return classifier_state_line(ClassifierFacts(**{**USUAL, **facts}))


def test_nothing_is_in_use():
    assert line(adopted=None).word == "No version in use"
    said = line(decided=0, switched=("alarm", LATER))
    assert (said.kind, said.word, said.since) == ("empty", "No case yet", None)


def test_it_answers_and_says_from_where():
    said = line()
    assert (said.kind, said.word, said.since) == ("answering", "Answering", EARLIER)
    assert said.why == "It decides alone from a confidence of 0.915. Nothing to do."
    assert line(switched=("opened", LATER)).since == LATER
    assert line(mode="rollout").word == "Answering 10% of cases"
    assert "each group" in line(by_group=True).why


def test_in_shadow_nobody_acts():
    said = line(mode="shadow", switched=("opened", LATER))
    assert (said.kind, said.word, said.since) == ("shadow", "Shadow", EARLIER)


@pytest.mark.parametrize("mode", ["shadow", "rollout", "all"])
@pytest.mark.parametrize("kind", [kind for kind, one in EVENTS.items() if one.answers is False])
def test_what_ends_answers_says_why_and_since_when(kind, mode):
    said = line(switched=(kind, LATER), mode=mode, threshold=None)
    word = {"waiting": "Waiting for labels", "paused": "Learning"}.get(kind, "Closed")
    assert (said.word, said.since) == (word, LATER)
    assert EVENTS[kind].because  # each has its reason
    assert said.why == f"{EVENTS[kind].because} Every case goes to review."


def test_without_an_event_the_threshold_tells():
    said = line(threshold=None)
    assert (said.kind, said.word, said.since) == ("learning", "Learning", EARLIER)
    assert "until labels show" in said.why


def test_archived_or_deleted_goes_before_all_else():
    said = line(archived=LATER, kept_closed=EARLIER, switched=("alarm", EARLIER))
    assert (said.kind, said.word, said.since) == ("archived", "Archived", LATER)
    assert said.why == "Every case is refused."
    gone = line(archived=EARLIER, deleted=LATER, removed_on=datetime(2026, 4, 4, 18, tzinfo=UTC))
    assert (gone.kind, gone.word, gone.since) == ("archived", "Deleted", LATER)
    assert gone.why.endswith("decision records and labels go on 4 April 2026.")
