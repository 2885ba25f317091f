"""A sample is brought, read, and answered by the model in the background."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from askpoint.arena.server.examinations import services
from askpoint.arena.server.examinations.models import SampleCase
from askpoint.arena.server.examinations.samples import MOST_FILE, read_sample_file, read_sample_text
from askpoint.arena.server.rulings.models import Ruling
from askpoint.errors import InputError, RuleError
from askpoint.server.jobs.models import Job
from askpoint.server.jobs.services import run_next
from askpoint.unknowns.examination import ExaminationDesign
from server.examining import STREAM, work
from server.works import WORKS


def test_the_model_answers_a_sample_in_batches_that_grow(both, answers):
    asked = answers(both)
    row = services.bring_sample(both.id, STREAM)
    work()
    row.refresh_from_db()
    assert row.state == "answered"
    assert sum(asked) == 60
    assert asked[:4] == [1, 2, 4, 8]
    cases = list(row.cases.all())
    assert [item.case for item in cases] == STREAM
    assert [item.decision for item in cases[:2]] == ["offensive", "clean"]
    assert cases[1].probabilities == [0.55, 0.45]


def test_a_model_that_is_down_is_asked_again_and_nothing_half_done_is_drawn_from(both, answers):
    answers(both, lambda case: "the model is not running" if case == STREAM[20] else "")
    row = services.bring_sample(both.id, STREAM)
    work()
    row.refresh_from_db()
    assert row.state == "answering"
    assert row.trouble == "case 21: the model is not running"
    assert row.cases.exclude(decision="").count() == 20
    with pytest.raises(RuleError, match="has not answered the whole sample yet"):
        services.draw(both.id, row.pk, ExaminationDesign("random", 5), 0)
    assert not Ruling.objects.exists()
    job = Job.objects.get(kind="answer", done=None)
    assert timezone.now() < job.due < timezone.now() + timedelta(seconds=11)
    asked = answers(both)
    Job.objects.update(due=timezone.now())
    work()
    row.refresh_from_db()
    assert (row.state, row.trouble) == ("answered", "")
    assert sum(asked) == 40  # what was answered is not asked for again


def test_a_worker_that_dies_loses_one_batch_at_most(stage, answers):
    answers(stage, lambda case: (_ for _ in ()).throw(SystemExit) if case == STREAM[20] else "")
    row = services.bring_sample(stage.id, STREAM)
    with pytest.raises(SystemExit):
        work()
    assert row.cases.exclude(decision="").count() == 15  # 1, 2, 4 and 8 are kept
    answers(stage)
    Job.objects.filter(kind="answer").update(until=timezone.now() - timedelta(seconds=1))
    work()
    row.refresh_from_db()
    assert row.state == "answered"


def test_a_long_sample_lets_other_jobs_in_between(stage, answers, monkeypatch):
    monkeypatch.setattr(services, "_SLICE", -1.0)
    monkeypatch.setattr(services, "_SHARE", 1e-9)
    answers(stage)
    row = services.bring_sample(stage.id, STREAM[:3])
    assert run_next(WORKS)
    assert Job.objects.filter(kind="answer", done=None, until=None).count() == 1
    row.refresh_from_db()
    assert row.state == "answering"


def test_one_sample_waits_at_a_time_and_can_be_put_aside(both, answers):
    answers(both)
    services.bring_sample(both.id, STREAM)
    with pytest.raises(RuleError, match="uploaded already") as caught:
        services.bring_sample(both.id, STREAM)
    assert caught.value.rule == "sample-waits"
    services.drop_sample(both.id)
    assert not SampleCase.objects.exists()
    work()  # the job that waited finds nothing to do
    assert services.bring_sample(both.id, STREAM[:2]).cases.count() == 2


def test_lines_files_and_rows_are_read(stage):
    campaign = stage.campaign
    assert read_sample_text(campaign, "one\r\n\r\n two \n") == ["one", "two"]
    assert read_sample_text(campaign, '{"text": 1}') == ['{"text": 1}']  # a line is a text
    for name, content in (
        ("a.txt", "one\ntwo"),
        ("a.CSV", 'id,text\r\n1,one\r\n2,"two"\r\n'),
        ("a.csv", "whatever\none\ntwo\n"),
        ("a.jsonl", '"one"\n\n{"case": "two", "n": 3}\n'),
    ):
        found = read_sample_file(campaign, name, b"\xef\xbb\xbf" + content.encode())
        assert found == ["one", "two"], name
    assert read_sample_file(campaign, "a.csv", b'text\n"one\nmore"\n') == ["one\nmore"]
    campaign.classifier.cases = "row"
    campaign.classifier.features = [
        {"name": "age", "kind": "number"},
        {"name": "colour", "kind": "choice", "options": ["red", "green"]},
    ]
    rows = [{"age": 40.0, "colour": "red"}, {"age": 5.5, "colour": "green"}]
    lines = '{"age": 40, "colour": "red", "x": 1}\n{"colour": "green", "age": "5.5"}'
    table = "colour,age,x\nred,40,1\ngreen,5.5,2"
    assert read_sample_text(campaign, lines) == read_sample_text(campaign, table) == rows
    assert read_sample_file(campaign, "r.csv", table.encode()) == rows
    assert read_sample_file(campaign, "r.jsonl", lines.encode()) == rows


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.txt", b"", "the sample is empty"),
        ("a.txt", b"fine\n\nbell \x07\n", "line 3: the case holds characters"),
        ("a.txt", b"fine\n" + b"x" * 5001, "line 2: a case has at most 5,000"),
        ("a.txt", b"fine\n\xff\n", "line 2: the file is not UTF-8 text"),
        ("a.txt", b"x\n" * 10_001, "line 10001: a sample has at most 10,000 cases"),
        ("a.txt", b"x" * (MOST_FILE + 1), "at most 5,000,000 bytes"),
        ("a.xlsx", b"x", "must end in .txt, .csv, .jsonl, .ndjson"),
        ("a.csv", b"id,words\n1,one\n", "line 2: which column is the case"),
        ("a.csv", b"text,text\none,two\n", "line 1: two columns have one name"),
        ("a.csv", b"id,text\n1,one\n2\n", "line 3: it has 1 cells, and the header has 2"),
        ("a.csv", b'text\none\n"two', "line 3: this is not CSV"),
        ("a.csv", b'text\n"one\nmore"\n""\n', "line 4: the case is empty"),
        ("a.jsonl", b'"one"\n{"text": \n', "line 2: this is not JSON"),
        ("a.jsonl", b'"one"\n7\n', "line 2: a case must be a text; got 7"),
        ("a.jsonl", b"[" * 100_000, "line 1: this is not JSON"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(stage, name, content, said):
    with pytest.raises(InputError) as caught:
        read_sample_file(stage.campaign, name, content)
    assert said in str(caught.value)


def test_a_row_that_is_wrong_is_said_with_its_line(stage):
    campaign = stage.campaign
    campaign.classifier.cases = "row"
    campaign.classifier.features = [{"name": "age", "kind": "number"}]
    for text, said in (
        ('{"age": 1}\n{"age": "old"}', "line 2: age must be a number; got 'old'"),
        ('{"age": 1}\n[1]', "line 2: a case must be a row of features"),
        ("age\n1\n\nold", "line 4: age must be a number"),
        ("height\n1", "line 2: age must be a number; got ''"),
    ):
        with pytest.raises(InputError) as caught:
            read_sample_text(campaign, text)
        assert said in str(caught.value)
