"""Logs that are uploaded: reported as the command does, apart from the server, and put into use."""

from __future__ import annotations

import gzip
import json
import re
from html import escape
from unittest.mock import patch

import polars as pl
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from askpoint import CheckCost, InputError, LogError, RuleError, read_log
from askpoint.answers.value.verdict import answer_value
from askpoint.reports.page import page_policy
from askpoint.reports.value.document import value_document
from askpoint.server.accounts.models import User
from askpoint.server.deployments import log_reports, uploads
from askpoint.server.deployments.forms import read_file
from askpoint.server.deployments.log_reports import kept_frame, make_report, read_given
from askpoint.server.deployments.models import Deployment, LogReport, Policy
from askpoint.server.deployments.saying import plain_sections
from askpoint.server.deployments.uploads import keep_upload, log_of, make_log_report
from askpoint.server.jobs.services import run_next
from askpoint.server.organisers.works import WORKS
from server.in_use import posts


def frame(n=600, seed=1):
    """A log with a text that is nobody's business."""
    sure, right = posts(n, seed)
    label = ["hate" if one else "fine" for one in right]
    proba = {"proba_fine": [1 - one for one in sure], "proba_hate": sure}
    return pl.DataFrame({"text": ["secret words"] * n, "label": label, **proba})


CSV = frame().write_csv().encode()


@pytest.fixture
def olga(sqlite):
    return User.objects.create(username="olga", is_organiser=True)


@pytest.fixture
def browser(olga):
    client = Client()
    client.force_login(olga)
    return client


def here(row, folder):
    """The process's work, done in this process."""
    given = {"name": row.name, "aim": row.aim, "limit": row.limit, "random": row.random}
    return {"done": make_report(given, folder)}


def sent(browser, name="log.csv", content=CSV, **fields):
    """Upload a log; the answer."""
    file = SimpleUploadedFile(name, content)
    return browser.post("/reports/", {"aim": "money", "checks": "20", "file": file, **fields})


def test_a_log_is_uploaded_reported_by_a_process_of_its_own_and_put_into_use(browser, olga):
    answer = sent(browser, "my log (1).csv")
    row = LogReport.objects.get()
    assert answer["Location"] == f"/reports/{row.pk}/"
    page = browser.get(answer["Location"]).content.decode()
    assert "It waits for its turn" in page
    assert "load it again" in page
    assert browser.get(f"/reports/{row.pk}/page.html").status_code == 404
    assert run_next({"report": WORKS["report"]})
    row.refresh_from_db()
    assert (row.problem, row.sent, row.rows, row.labelled) == ("", None, 600, 600)
    log = read_log(frame())
    expected = value_document(answer_value(log, CheckCost(0.05)), "my-log-1-.csv")
    assert row.told == plain_sections(expected.sections[:1])
    assert [f">{escape(it.title)}</h2>" in row.page for it in expected.sections].count(False) == 0
    assert b"secret words" not in bytes(row.kept)
    assert "secret words" not in row.page
    assert log_of(row).digest() == log.digest()

    answer = browser.get(f"/reports/{row.pk}/page.html")
    policy = answer["Content-Security-Policy"]
    assert policy.startswith(page_policy())
    assert "sandbox allow-scripts" in policy
    said = re.search('http-equiv="Content-Security-Policy" content="(.*?)"', row.page)[1]
    assert policy.startswith(
        said.replace("&#39;", "'")
    )  # the page's own, and what a header can add
    page = browser.get(f"/reports/{row.pk}/").content.decode()
    assert "let the model decide alone where" in page

    fields = {"title": "Posts", "aim": "money", "checks": "20", "audits": "10", "life": "40000"}
    fields |= {"patience": "2000", "why": "the report says so"}
    answer = browser.post(f"/reports/{row.pk}/policy/", fields)
    assert answer.status_code == 302, answer.content.decode()
    version = Policy.objects.get()
    assert (version.number, version.who, version.why) == (1, "olga", "the report says so")
    assert json.loads(version.document)["evidence"]["labelled"] == 600
    answer = browser.post(f"/reports/{row.pk}/policy/", {**fields, "checks": ""})
    assert answer.status_code == 422
    assert Deployment.objects.count() == 1

    assert browser.post(f"/reports/{row.pk}/", {"action": "delete"}).status_code == 302
    assert not LogReport.objects.exists()
    make_log_report(row.pk)  # deleted meanwhile: nothing to do


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("log.csv", b"label,score\nx,1\ny,2\nx,1\n", "has no probabilities"),
        ("log.csv", b"\0" * 1000, ""),
        ("log.parquet", b"PAR1" * 9, "log.parquet"),
        ("log.csv", b"label,proba\n1,2\n0,.5\n", "0"),
        ("../../etc/passwd", b"root:x:0:0", "passwd"),
    ],
    ids=["columns", "nul", "no-parquet", "no-share", "path"],
)
def test_what_is_wrong_with_a_file_is_told_as_the_command_tells_it(olga, name, content, says):
    row = keep_upload(olga, name, content, "money", 0.05, random=False)

    def told(row, folder):
        try:
            return here(row, folder)
        except (InputError, LogError) as error:
            return {"problem": str(error)}

    with patch.object(uploads, "_run", told):
        make_log_report(row.pk)
    row.refresh_from_db()
    assert row.problem
    assert says in row.problem
    assert "tmp" not in row.problem
    assert row.sent is None


def test_too_many_rows_or_columns_are_refused_before_they_are_read(tmp_path, monkeypatch):
    monkeypatch.setattr(log_reports, "MOST_ROWS", 500)
    path = tmp_path / "log.csv"
    path.write_bytes(CSV)
    with pytest.raises(InputError, match="at most 500 rows and 500 columns"):
        read_given(path)
    (tmp_path / "wide.csv").write_text(",".join(f"c{i}" for i in range(501)) + "\n1\n")
    with pytest.raises(InputError, match=r"this one has .* and 501"):
        read_given(tmp_path / "wide.csv")


def test_a_policy_is_made_of_no_bomb_either(tmp_path):
    many = pl.select(proba=pl.repeat(0.5, 600_000), label=pl.repeat("a", 600_000))
    many.write_parquet(tmp_path / "many.parquet")
    for name, content, says in (
        ("many.parquet", (tmp_path / "many.parquet").read_bytes(), "has 600,000 and 2"),
        ("wide.csv", b"c," * 100_000 + b"\n", "and 100,000"),
        ("deep.jsonl", b'{"label":' + b"[" * 100_000, "line 1 is nested too deeply"),
    ):
        with pytest.raises(InputError, match=says):
            read_file(SimpleUploadedFile(name, content), None)


def test_a_process_that_ends_is_told_and_the_server_goes_on(olga, monkeypatch):
    row = keep_upload(olga, "log.csv", CSV, "money", 0.05, random=False)
    monkeypatch.setattr(uploads, "_SECONDS", 0.05)
    make_log_report(row.pk)
    row.refresh_from_db()
    assert "more memory or time than a report may" in row.problem


@pytest.mark.soak
def test_bombs_do_not_take_the_server_down(olga, tmp_path):
    pl.DataFrame({"label": ["a", "b"]}).write_parquet(tmp_path / "few.parquet")
    many = pl.select(proba=pl.repeat(0.5, 100_000_000), label=pl.repeat("a", 100_000_000))
    many.write_parquet(tmp_path / "many.parquet", compression="zstd")
    bombs = {
        "rows.csv.gz": gzip.compress(b"label,proba\n" + b"1,0.5\n" * 50_000_000, 9),
        "line.csv.gz": gzip.compress(b"label,proba\n" + b"1" * 2_000_000_000, 9),
        "wide.csv": ",".join(f"c{i:x}" for i in range(1_000_000)).encode() + b"\n1\n",
        "deep.jsonl": b'{"label":' + b"[" * 3_000_000,
        "deep.json": b"[" * 3_000_000,
        "many.parquet": (tmp_path / "many.parquet").read_bytes(),
        "cut.parquet": (tmp_path / "few.parquet").read_bytes()[:-9] + b"\xff\xff\xff\x7fPAR1",
    }
    for name, content in bombs.items():
        assert len(content) <= uploads.MOST_LOG, (name, len(content))
        row = keep_upload(olga, name, content, "money", 0.05, random=False)
        make_log_report(row.pk)
        row.refresh_from_db()
        assert row.problem, name


def test_an_upload_has_bounds(browser, olga, monkeypatch):
    monkeypatch.setattr(uploads, "MOST_LOG", 10_000)
    with pytest.raises(InputError, match="1 to 10,000 bytes"):
        keep_upload(olga, "log.csv", b"x" * 10_001, "money", 0.05, random=False)
    for content in (CSV, b""):
        assert sent(browser, content=content).status_code == 422
    monkeypatch.undo()
    assert sent(browser, checks="").status_code == 422
    for _ in range(3):
        assert sent(browser).status_code == 302
    with pytest.raises(RuleError, match="wait for one of them"):
        keep_upload(olga, "log.csv", CSV, "money", 0.05, random=False)
    LogReport.objects.update(problem="x")
    monkeypatch.setattr(uploads, "_MOST_REPORTS", 3)
    assert "delete one" in sent(browser).content.decode()


def test_what_is_kept_of_a_log_leads_to_the_same_policy():
    rows = {"label": ["a", None, "b"], "prediction": ["a", "b", "b"], "confidence": [0.9, 2.0, 0.3]}
    chosen = {"propensity": [0.5, None, 1.0]}
    log = read_log(pl.DataFrame(rows | chosen), propensity="propensity")
    kept = kept_frame(log)
    assert set(kept.columns) == {"label", "prediction", "confidence", "propensity"}
    again = read_log(kept, classes=log.classes, propensity="propensity")
    assert again.digest() == log.digest()
