"""The pages of an examination: forms, what they refuse, what they show."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from askpoint.arena.server.examinations import services
from askpoint.arena.server.examinations.models import Examination, SampleCase
from askpoint.arena.server.examinations.records import judgements_of
from askpoint.arena.server.rulings.models import Ruling
from askpoint.server.jobs.models import Job
from server.examining import STREAM, answered, drawn, judge_all, url, work


def test_an_examination_by_forms_alone(both, answers, enter):
    answers(both)
    olga = enter(both.olga)
    assert olga.get(url(both))["Location"] == url(both, "sample/")
    assert b"One case a line" in olga.get(url(both, "sample/")).content
    answer = olga.post(url(both, "sample/"), {"sample": "\n".join(STREAM)})
    assert answer["Location"] == url(both)
    page = olga.get(url(both)).content.decode()
    assert "answered 0 of 60 cases" in page
    assert 'hx-trigger="every 2s"' in page
    work()
    page = olga.get(url(both)).content.decode()
    assert "has answered all 60 cases" in page
    plan = {"method": "stratified", "n": "20", "n_bins": "10", "seed": "7"}
    page = olga.get(url(both), plan).content.decode()
    assert "Draw 4 cases" in page  # two from each of the two bins that hold any
    assert "<dd>1,200<small>points, 24 cents: 3 votes a case" in page
    assert "8 of 10 bins hold no full share, 8 of them no case at all" in page
    number = str(Examination.objects.get().pk)
    for _ in range(2):  # a double click
        olga.post(url(both, "draw/"), {**plan, "number": number})
    assert Ruling.objects.filter(purpose="drawn").count() == 4
    page = olga.get(url(both)).content.decode()
    assert "No drawn case has a ruling yet" in page
    assert "seed 7" in page
    judge_all(both)
    page = olga.get(url(both)).content.decode()
    assert "Compared with what players found" in page
    assert "Found, and what that means for all cases" in page
    olga.post(url(both, "compare/"), {"number": number})
    assert b"is being computed" in olga.get(url(both)).content
    work()
    assert olga.get(url(both), {"number": number}).status_code == 200
    assert olga.get(url(both), {"number": "12345"}).status_code == 404
    assert olga.get(url(both), {"number": "x"}).status_code == 404
    assert b"Upload" in olga.get(url(both, "sample/")).content
    both.check_ledger()


def test_the_form_is_kept_on_errors(stage, enter):
    olga = enter(stage.olga)
    text = "\n fine <b>\n\nbad \x07 line"
    answer = olga.post(url(stage, "sample/"), {"sample": text})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "Line 4: the case holds characters" in page
    assert "fine &lt;b&gt;" in page
    assert olga.post(url(stage, "sample/"), {"sample": "   \n"}).status_code == 422
    file = SimpleUploadedFile("a.csv", b"id,text\n1\n")
    answer = olga.post(url(stage, "sample/"), {"file": file})
    assert "Line 2: it has 1 cells" in answer.content.decode()
    assert "choose the file again" in answer.content.decode()
    file = SimpleUploadedFile("a.txt", b"one\ntwo\n")
    answer = olga.post(url(stage, "sample/"), {"file": file, "sample": "three"})
    assert "not both" in answer.content.decode()
    assert (
        olga.post(url(stage, "sample/"), {"sample": "a\0b"}).status_code == 400
    )  # no browser sends it
    assert olga.post(url(stage, "sample/"), {"sample": "x" * 2_000_000}).status_code == 413
    assert not Examination.objects.exists()
    file = SimpleUploadedFile("a.txt", b"one\ntwo\n")
    olga.post(url(stage, "sample/"), {"file": file})
    assert SampleCase.objects.count() == 2


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"n": "61"}, "but the log has only 60"),
        ({"n": "5"}, "5 cases are too few for 10 bins"),
        ({"n": "many"}, "Enter a whole number"),
        ({"n": "0"}, "greater than or equal to 1"),
        ({"method": "best"}, "Select a valid choice"),
        ({"seed": "-1"}, "greater than or equal to 0"),
        ({"n_bins": "10000"}, "less than or equal to 50"),
    ],
)
def test_a_design_that_is_none_is_refused_and_kept(stage, answers, enter, change, said):
    answered(stage, answers)
    olga = enter(stage.olga)
    form = {"method": "stratified", "n": "20", "n_bins": "10", "seed": "7", **change}
    answer = olga.get(url(stage), form)
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert "What this draws" not in answer.content.decode()
    number = str(Examination.objects.get().pk)
    there = olga.post(url(stage, "draw/"), {**form, "number": number})["Location"]
    assert "csrf" not in there
    assert olga.get(there).status_code == 422
    assert not Ruling.objects.exists()


def test_a_budget_too_small_is_said_before_and_at_the_draw(stage, answers, enter):
    answered(stage, answers)
    stage.fund(2999)
    olga = enter(stage.olga)
    form = {"method": "random", "n": "10", "n_bins": "1", "seed": "7"}
    page = olga.get(url(stage), form).content.decode()
    assert "The budget does not carry that" in page
    assert "<button disabled>Draw 10 cases" in page
    number = str(Examination.objects.get().pk)
    there = olga.post(url(stage, "draw/"), {**form, "number": number})["Location"]
    assert "Judging 10 cases can cost 3000 points" in olga.get(there).content.decode()
    assert not Ruling.objects.exists()


def test_trouble_with_the_model_is_shown_and_the_sample_can_be_dropped(stage, answers, enter):
    answers(stage, lambda _: "the model is not running just now")
    services.bring_sample(stage.id, STREAM)
    work()
    olga = enter(stage.olga)
    page = olga.get(url(stage)).content.decode()
    assert "case 1: the model is not running just now" in page
    assert "asked again every 10 seconds" in page
    Job.objects.update(done=timezone.now())
    assert "The model is not being asked" in olga.get(url(stage)).content.decode()
    olga.post(url(stage, "compare/"), {})
    assert Job.objects.filter(kind="answer", done=None).count() == 1
    olga.post(url(stage, "sample/"), {"action": "drop"})
    assert not Examination.objects.exists()
    assert olga.post(url(stage, "compare/"), {}).status_code == 404


def test_a_draft_may_bring_a_sample_and_not_draw(stage, answers, enter):
    from askpoint.arena.server.campaigns.models import Campaign

    Campaign.objects.update(state="draft")
    answered(stage, answers)
    olga = enter(stage.olga)
    assert b"The campaign is a draft" in olga.get(url(stage)).content
    form = {"method": "random", "n": "5", "n_bins": "1", "seed": "7"}
    number = str(Examination.objects.get().pk)
    there = olga.post(url(stage, "draw/"), {**form, "number": number})["Location"]
    assert "is a draft, and what a vote brings may still change" in olga.get(there).content.decode()
    assert not Ruling.objects.exists()


def test_the_organiser_decides_a_drawn_case_on_the_page_of_cases(stage, enter):
    row = drawn(stage, 1)
    case = judgements_of(row).cases[0].ruling_id
    Ruling.objects.filter(pk=case).update(state="referred")
    olga = enter(stage.olga)
    assert b"1 drawn case waits for your decision" in olga.get(f"/run/{stage.id}/").content
    assert f"/run/{stage.id}/cases/{case}/" in olga.get(url(stage)).content.decode()
    page = olga.get(f"/run/{stage.id}/cases/{case}/").content.decode()
    assert "A drawn case" in page
    assert "The machine says" not in page  # the organiser is blind, too
    olga.post(f"/run/{stage.id}/cases/{case}/", {"choice": "offensive"})
    assert Ruling.objects.get(pk=case).state == "final"
    page = olga.get(f"/run/{stage.id}/cases/{case}/").content.decode()
    assert "State: decided by you" in page
    assert "The machine says" in page
    stage.check_ledger()
