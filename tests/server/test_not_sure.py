"""Cases that reviewers leave to others, why, and notes for the owner."""

from __future__ import annotations

import pytest
from django.urls import reverse

from askpoint import InputError, RuleError
from askpoint.labelling.not_sure import REASONS
from askpoint.server.deployments import labelling, queue
from askpoint.server.deployments.classifier_settings import change_settings
from askpoint.server.deployments.label_times import seconds_of_a_label
from askpoint.server.deployments.models import Label
from askpoint.server.labelling import desk as pool
from askpoint.server.labelling.models import Case, Claim, Remark, Reviewer, Vote
from server.in_use import InUse


def forty_cases():
    """A classifier in use for forty cases, whose labels can be taken back for two minutes."""
    in_use = InUse()
    change_settings(in_use.id, capacity=None, second=0.0, hold=120)
    in_use.decide(40)
    return in_use


@pytest.fixture
def in_use(stand):
    return stand(forty_cases)


def only(case):
    """Take all other cases out of the queue."""
    Case.objects.exclude(pk=case.pk).delete()


def test_two_who_are_not_sure_bring_a_case_to_its_owner_with_their_reasons(in_use, enter):
    only(Case.objects.filter(purpose="audit").first())
    for name, reason, note in (("rosa", "several", "both, I think"), ("rudi", "broken", "")):
        browser = enter(getattr(in_use, name))
        held = browser.post(reverse("review-claim"), follow=True).context["held"]
        form = {"case": held.ticket, "reason": reason, "note": note}
        page = browser.post(reverse("review-not-sure"), form, follow=True)
        assert page.context.get("held") is None
    assert not Label.objects.exists()
    assert Case.objects.get().state == "referred"
    page = enter(in_use.wanda).get(reverse("unsettled", args=[in_use.id])).content.decode()
    assert "rosa: not sure, more than one fits: both, I think" in page
    assert "rudi: not sure, broken or unreadable" in page
    assert Reviewer.objects.get(user=in_use.rosa).skipped == 1


def test_a_note_goes_with_the_label_and_goes_with_the_content(in_use, enter):
    browser = enter(in_use.rosa)
    held = browser.post(reverse("review-claim"), follow=True).context["held"]
    form = {"case": held.ticket, "choice": "fine", "note": "  he quotes her "}
    browser.post(reverse("review-vote"), form)
    page = browser.post(reverse("review-undo"), {"case": held.ticket}, follow=True)
    assert page.context["held"].note == "he quotes her"
    browser.post(reverse("review-vote"), {**form, "note": "he quotes her <b>"})
    pool.count_votes_of("rosa")
    key = Vote.objects.get().case.key
    record = enter(in_use.wanda).get(reverse("classifier-case", args=[in_use.id, key]))
    assert "rosa: he quotes her &lt;b&gt;" in record.content.decode()
    labelling.forget(in_use.id, [key])
    assert Remark.objects.get().note == ""
    held = browser.get(reverse("review")).context["held"]
    again = {"case": held.ticket, "choice": "fine"}
    browser.post(reverse("review-vote"), {**again, "note": "x"})
    browser.post(reverse("review-undo"), {"case": held.ticket})
    browser.post(reverse("review-vote"), {**again, "note": ""})
    assert Remark.objects.count() == 1  # the note was taken away


def test_what_is_wrong_is_said_and_changes_nothing(in_use, enter):
    desk = pool.desk_of(in_use.rosa)
    held = pool.claim(desk)
    with pytest.raises(InputError, match="at most 500 characters; got 501"):
        pool.vote(desk, held.ticket, "hate", "x" * 501)
    with pytest.raises(InputError, match="a reason must be one of unclear, guideline"):
        pool.leave_unsure(desk, held.ticket, "too hard")
    browser = enter(in_use.rosa)
    form = {"case": held.ticket, "reason": "unclear", "note": "x" * 501}
    page = browser.post(reverse("review-not-sure"), form, follow=True)
    assert "A note has at most 500" in page.content.decode()
    assert page.context["held"] == held
    pool.vote(desk, held.ticket, "hate")
    with pytest.raises(RuleError, match="you said 'hate' of this case: undo that first"):
        pool.leave_unsure(desk, held.ticket, "unclear")
    assert Claim.objects.get().choice == "hate"
    assert not Remark.objects.exists()


def test_a_gold_case_is_left_twice_and_then_that_is_wrong(in_use):
    queue.add_gold(in_use.id, [(f"the known {i}", "hate") for i in range(3)])
    desk, golden = pool.desk_of(in_use.rosa), Case.objects.filter(purpose="gold")
    for number, case in enumerate(golden):
        Claim.objects.all().delete()
        Claim.objects.create(case=case, reviewer="rosa", until=in_use.row.at.replace(year=2100))
        pool.leave_unsure(desk, pool.claim(desk).ticket, "unclear")
        standing = Reviewer.objects.get(user=in_use.rosa)
        assert (standing.gold_seen, standing.gold_right) == (max(0, number - 1), 0)
    assert not Label.objects.exists()


def test_the_time_of_who_is_not_sure_counts_in_the_price_of_a_label(in_use):
    desk = pool.desk_of(in_use.rosa)
    in_use.decide(200, "tuesday")
    Reviewer.objects.create(queue=in_use.queue, user=in_use.rosa, at=in_use.row.at, voted=200)
    for _ in range(22):
        pool.leave_unsure(desk, pool.claim(desk).ticket, "several")
    assert not Vote.objects.exists()
    assert seconds_of_a_label(in_use.row) >= 0


def test_the_page_offers_the_reasons_and_a_note(in_use, enter):
    page = enter(in_use.rosa).post(reverse("review-claim"), follow=True).content.decode()
    assert all(words in page for words in REASONS.values())
    assert 'name="note" form="choose"' in page
