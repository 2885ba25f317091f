"""Logs that are uploaded: reported as the command does, apart from the server, and put into use."""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import time
from dataclasses import asdict, replace
from datetime import timedelta
from html import escape

import httpx
import numpy as np
import polars as pl
import pytest
from django.conf import settings
from django.core.files.base import File
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from askpoint import AskAtMost, CheckCost, InputError, MaxError, RuleError, read_log
from askpoint.answers.live.first_policy import OpeningQuestion, answer_opening
from askpoint.answers.value.verdict import answer_value
from askpoint.answers.value.volume import Volume
from askpoint.answers.value.workload import Workload, workload_figures
from askpoint.measures.exchange import Prices
from askpoint.reports.page import page_policy
from askpoint.reports.value.document import value_document
from askpoint.reports.words import work_time
from askpoint.server.accounts.models import Seat, User
from askpoint.server.deployments.models import Deployment, LogReport, Policy
from askpoint.server.jobs.services import run_next
from askpoint.server.logs import process, reading, running, stored_rows as keeping
from askpoint.server.logs.opening import open_policy
from askpoint.server.logs.questions import ReportQuestion
from askpoint.server.logs.reading import read_any
from askpoint.server.logs.running import open_from, read_file
from askpoint.server.logs.stored_rows import frame_to_keep, log_of_frame
from askpoint.server.report_sections import plain_sections
from askpoint.server.reports import uploads
from askpoint.server.reports.sending import most_sent
from askpoint.server.reports.uploads import (
    delete_report,
    keep_upload,
    make_log_report,
    tidy_uploads,
)
from server.in_use import posts
from server.running import Server
from server.stage import organiser
from server.tasks import here
from server.works import WORKS


def frame(n=600, seed=1):
    """A log with a text that is nobody's business."""
    sure, right = posts(n, seed)
    label = ["hate" if one else "fine" for one in right]
    proba = {"proba_fine": [1 - one for one in sure], "proba_hate": sure}
    return pl.DataFrame({"text": ["secret words"] * n, "label": label, **proba})


CSV = frame().write_csv().encode()


@pytest.fixture
def olga(sqlite):
    for path in settings.ASKPOINT.uploads.iterdir():
        path.unlink()
    return organiser("olga")


@pytest.fixture
def browser(olga):
    client = Client()
    client.force_login(olga)
    return client


def kept_up(owner, name="log.csv", content=CSV):
    """Keep a log."""
    file = SimpleUploadedFile(name, content)
    return keep_upload("main", owner, file, ReportQuestion(aim="money", limit=0.05), random=False)


def waiting_files():
    """The names of the files that lie in the folder."""
    return sorted(path.name for path in settings.ASKPOINT.uploads.iterdir())


def sent(browser, name="log.csv", content=CSV, **fields):
    """Upload a log; the answer."""
    file = SimpleUploadedFile(name, content)
    return browser.post("/reports/", {"aim": "money", "checks": "20", "file": file, **fields})


def test_a_log_is_uploaded_reported_by_a_process_of_its_own_and_put_into_use(browser, olga):
    answer = sent(browser, "my log (1).csv")
    row = LogReport.objects.get()
    assert waiting_files() == [row.pk]
    assert answer["Location"] == f"/reports/{row.pk}/"
    page = browser.get(answer["Location"]).content.decode()
    assert "It waits for its turn" in page
    assert "load it again" in page
    assert browser.get(f"/reports/{row.pk}/page.html").status_code == 404
    assert run_next({"report": WORKS["report"]})
    row.refresh_from_db()
    assert (row.problem, row.rows, row.labelled) == ("", 600, 600)
    assert waiting_files() == []
    log = read_log(frame())
    expected = value_document(answer_value(log, CheckCost(0.05)), "my-log-1-.csv")
    assert row.told == plain_sections(expected.sections[:1])
    assert [f">{escape(it.title)}</h2>" in row.page for it in expected.sections].count(False) == 0
    assert b"secret words" not in bytes(row.kept)
    assert "secret words" not in row.page
    assert log_of_frame(pl.read_parquet(bytes(row.kept)), row.classes).digest() == log.digest()

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
    assert row.headline == expected.title
    assert f"<h1>{escape(row.headline)}</h1>" in page
    assert f"<h1>{escape(row.headline)}</h1>" in row.page
    LogReport.objects.update(headline="")  # made before there were any
    assert "<h1>my-log-1-.csv</h1>" in browser.get(f"/reports/{row.pk}/").content.decode()

    fields = {
        "title": "Posts",
        "aim": "money",
        "checks": "20",
        "audits": "10",
        "planned_decisions": "40000",
    }
    fields |= {"max_label_delay": "2000", "why": "the report says so"}
    answer = browser.post(f"/reports/{row.pk}/policy/", fields)
    assert answer.status_code == 302, answer.content.decode()
    version = Policy.objects.get()
    assert (version.number, version.who, version.why) == (1, "olga", "the report says so")
    assert json.loads(version.document)["evidence"]["labelled"] == 600
    page = browser.get(f"/classifiers/{version.deployment_id}/policies/1/").content.decode()
    reported = re.search(r"The report on the log expects (\d+) of 1,000 new cases", page)
    assert reported is not None
    assert (
        f"expect {1000 - int(reported[1])}" in row.page
    )  # the report says the same of those asked
    assert "The policy begins " in page
    answer = browser.post(f"/reports/{row.pk}/policy/", {**fields, "checks": ""})
    assert answer.status_code == 422
    assert Deployment.objects.count() == 1

    assert browser.post(f"/reports/{row.pk}/", {"action": "delete"}).status_code == 302
    assert not LogReport.objects.exists()
    make_log_report(row.pk)  # deleted meanwhile: nothing to do


def test_a_label_of_another_name_is_found_as_by_the_command_and_the_page_says_so(browser, olga):
    content = frame().rename({"label": "moderator"}).write_csv().encode()
    row = kept_up(olga, content=content)
    assert run_next({"report": WORKS["report"]})
    row.refresh_from_db()
    assert (row.problem, row.rows, row.labelled) == ("", 600, 600)
    page = browser.get(f"/reports/{row.pk}/").content.decode()
    assert "label moderator; probabilities proba_fine, proba_hate" in page
    assert "secret words" not in page


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
def test_what_is_wrong_with_a_file_is_told_as_the_command_tells_it(
    olga, name, content, says, monkeypatch
):
    row = kept_up(olga, name, content)
    monkeypatch.setattr(uploads, "run_task", here)
    make_log_report(row.pk)
    row.refresh_from_db()
    assert row.problem
    assert says in row.problem
    assert waiting_files() == []


def test_too_many_rows_columns_or_cells_are_refused_before_they_are_read(tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "MOST_ROWS", 500)
    path = tmp_path / "log.csv"
    path.write_bytes(CSV)
    with pytest.raises(InputError, match="at most 500 rows, 500 columns"):
        read_any(path)
    (tmp_path / "wide.csv").write_text(",".join(f"c{i}" for i in range(501)) + "\n1\n")
    with pytest.raises(InputError, match=r"this one has .* rows and 501"):
        read_any(tmp_path / "wide.csv")
    monkeypatch.undo()
    monkeypatch.setattr(reading, "_MOST_CELLS", 2399)
    with pytest.raises(InputError, match="600 rows and 4 columns"):
        read_any(path)


@pytest.mark.whole
def test_nothing_is_read_from_a_bomb_while_somebody_waits(tmp_path):
    many = pl.select(proba=pl.repeat(0.5, 5_100_000), label=pl.repeat("a", 5_100_000))
    many.write_parquet(tmp_path / "many.parquet")
    for name, content, says in (
        ("many.parquet", (tmp_path / "many.parquet").read_bytes(), "has 5,100,000 rows and 2"),
        ("wide.csv", b"c," * 100_000 + b"\n", "and 100,000"),
        ("deep.jsonl", b'{"label":' + b"[" * 100_000, "line 1 is nested too deeply"),
        ("long.csv", b"x" * 5_000_001, "at most 5,000,000 bytes here"),
    ):
        with pytest.raises(InputError, match=says):
            read_file(SimpleUploadedFile(name, content))


def test_a_log_that_is_read_while_somebody_waits_is_read_by_a_process(tmp_path, monkeypatch):
    log = read_file(SimpleUploadedFile("log.csv", CSV))
    expected = read_log(frame())
    assert log.classes == expected.classes
    assert log.proba.tobytes() == expected.proba.tobytes()
    monkeypatch.setattr(process, "_MOST_SHARES", 1199)
    (tmp_path / "log.csv").write_bytes(CSV)
    with pytest.raises(InputError, match="at most 1,199 probabilities"):
        here({"task": "read", "name": "log.csv"}, tmp_path)
    monkeypatch.setattr(running, "_WAIT", 0.05)
    with pytest.raises(InputError, match="more memory or time than is given to a log"):
        read_file(SimpleUploadedFile("log.csv", CSV))
    monkeypatch.setattr(running, "_TURN", 0.05)
    with running._turn, pytest.raises(InputError, match="another log is being read just now"):
        read_file(SimpleUploadedFile("log.csv", CSV))


@pytest.mark.parametrize("kept", [False, True])
@pytest.mark.parametrize("proba", [False, True])
def test_a_policy_that_a_process_chooses_is_the_library_s(kept, proba, monkeypatch):
    monkeypatch.setattr(running, "run_task", here)
    given = frame()
    if not proba:
        sure = given["proba_hate"] > 0.5
        said = pl.DataFrame({"prediction": ["hate" if one else "fine" for one in sure]})
        shares = given.select(confidence=pl.max_horizontal("proba_fine", "proba_hate"))
        given = pl.concat([given.select("label"), said, shares], how="horizontal")
    log = read_log(given)
    model = {"name": "", "version": "2", "classes": None, "measure": "max_probability"}
    question = OpeningQuestion(rate=0.1)
    file = SimpleUploadedFile("log.csv", given.write_csv().encode())
    if kept:
        frame_to_keep(log).write_parquet(parquet := io.BytesIO())
        file = parquet.getvalue()
    names = list(log.classes) if kept else None
    asked = ReportQuestion(aim="money", limit=question.limit)
    opens = open_from(file, names, model, kept=kept, random=True, asked=asked)
    opened = opens(question, "x/1", "0" * 64)
    expected = answer_opening(
        log,
        question,
        name="x/1",
        model={**model, "classes": list(log.classes)},
        secret_hash="0" * 64,
        labels_are_random=True,
    )
    assert opened.document.to_json() == expected.document.to_json()
    assert asdict(question)["rate"] == expected.document.terms.rate


def test_a_process_that_ends_is_told_and_the_server_goes_on(olga, monkeypatch):
    row = kept_up(olga)
    monkeypatch.setattr(uploads, "_WAIT", 0.05)
    make_log_report(row.pk)
    row.refresh_from_db()
    assert "more memory or time than is given to a log" in row.problem
    assert waiting_files() == []


def test_a_report_whose_making_was_killed_is_made_by_who_comes_next(olga, monkeypatch):
    row = kept_up(olga)

    def killed(*_):
        raise SystemExit

    monkeypatch.setattr(uploads, "run_task", killed)
    with pytest.raises(SystemExit):
        make_log_report(row.pk)
    assert waiting_files() == [row.pk]
    monkeypatch.setattr(uploads, "run_task", here)
    make_log_report(row.pk)
    row.refresh_from_db()
    assert (row.problem, row.rows) == ("", 600)
    assert waiting_files() == []


def test_only_an_organiser_who_is_signed_in_sends_more_than_others(browser, olga):
    def most(browser, method="POST", path="/reports/"):
        cookies = "; ".join(f"{name}={it.value}" for name, it in browser.cookies.items())
        environ = {"REQUEST_METHOD": method, "PATH_INFO": path, "HTTP_COOKIE": cookies}
        return most_sent({**environ, "wsgi.input": io.BytesIO()})

    assert most(browser) == settings.ASKPOINT.most_log + 1_000_000
    assert most(browser, "GET") == most(browser, path="/classifiers/") == most(Client()) == 0
    Seat.objects.update(role="watcher")
    assert most(browser) == 0
    Seat.objects.update(role="owner")
    User.objects.filter(pk=olga.pk).update(is_active=False)
    assert most(browser) == 0


def test_no_file_is_left_of_what_is_deleted_or_never_read(olga):
    row = kept_up(olga)
    delete_report(row)
    assert waiting_files() == []
    row = kept_up(olga)
    LogReport.objects.filter(pk=row.pk).delete()  # a crash between the two
    make_log_report(row.pk)
    assert waiting_files() == []
    gone, old = kept_up(olga), kept_up(olga)
    (settings.ASKPOINT.uploads / gone.pk).unlink()
    make_log_report(gone.pk)
    gone.refresh_from_db()
    assert gone.problem == "the file is not here any more: upload it again"
    day = timedelta(days=1, minutes=1)
    half = settings.ASKPOINT.uploads / "half.upload"
    half.write_bytes(b"x")
    assert tidy_uploads() == 0
    for name in (half, settings.ASKPOINT.uploads / old.pk):
        os.utime(name, (time.time() - day.total_seconds(),) * 2)
    assert tidy_uploads() == 1  # one is waited for
    LogReport.objects.filter(pk=old.pk).update(made=timezone.now() - day)
    assert tidy_uploads() == 1
    old.refresh_from_db()
    assert old.problem == "it was not made within a day: upload the log again"
    assert waiting_files() == []


def test_a_large_log_is_moved_and_not_read_by_the_server(browser, olga, monkeypatch):
    rows = b"fine,0.9,0.1\n" * 220_000  # 2.86 MB: Django writes it to the disk
    answer = sent(browser, content=b"label,proba_fine,proba_hate\n" + rows)
    assert answer.status_code == 302
    (name,) = waiting_files()
    assert (settings.ASKPOINT.uploads / name).stat().st_size == len(rows) + 28
    assert (settings.ASKPOINT.uploads / name).stat().st_mode & 0o077 == 0
    assert settings.ASKPOINT.uploads.stat().st_mode & 0o077 == 0
    delete_report(LogReport.objects.get())


@pytest.mark.soak
def test_a_log_of_many_megabytes_goes_through_a_real_server(tmp_path):
    server = Server(tmp_path, "", "--workers", "1").wait()
    try:
        with httpx.Client(base_url=server.address, timeout=60, follow_redirects=True) as browser:

            def token(page):
                return re.search(r'csrfmiddlewaretoken" value="(\w+)"', page.text)[1]

            page = browser.get(server.first_link)
            name = {"name": "olga", "password": "a long word 17"}
            page = browser.post(
                server.first_link, data={**name, "csrfmiddlewaretoken": token(page)}
            )
            assert page.status_code == 200, page.text
            page = browser.get("/reports/")
            text = "label,proba_fine,proba_hate,text\n" + "fine,0.9,0.1,%s\nhate,.2,.8,\n" % (
                "x" * 300
            )
            head, rows = text.split("\n", 1)
            content = f"{head}\n{rows * 30_000}".encode()
            assert len(content) > 9_000_000
            given = {"aim": "money", "checks": "20", "csrfmiddlewaretoken": token(page)}
            file = {"file": ("log.csv", content, "text/csv")}
            page = browser.post("/reports/", data=given, files=file)
            ends = time.monotonic() + 120
            while "Open full report" not in page.text:
                assert time.monotonic() < ends, page.text
                assert "No report" not in page.text
                time.sleep(1)
                page = browser.get(page.url)
            assert "60000 rows, 60000 with a label" in page.text
            assert list((tmp_path / "askpoint-uploads").iterdir()) == []
            health = browser.get("/health/").text
            assert "jobs given up within a day: 0" in health
    finally:
        server.stop()


def test_of_a_long_log_the_last_rows_are_kept(monkeypatch):
    monkeypatch.setattr(keeping, "MOST_KEPT", 100)
    assert frame_to_keep(read_log(frame())).equals(frame_to_keep(read_log(frame()[-100:])))


@pytest.mark.soak
@pytest.mark.parametrize(("n_rows", "n_classes"), [(reading.MOST_ROWS, 2), (2_300_000, 20)])
def test_a_log_as_large_as_may_be_is_reported(olga, tmp_path, n_rows, n_classes):
    rng = np.random.default_rng(0)
    proba = rng.dirichlet(np.full(n_classes, 0.3), n_rows).astype(np.float32)
    truth = (rng.random(n_rows)[:, None] > proba.cumsum(axis=1)).sum(axis=1).clip(0, n_classes - 1)
    columns = {f"proba_c{i}": proba[:, i] for i in range(n_classes)}
    names = np.array([f"c{i}" for i in range(n_classes)])
    table, path = pl.DataFrame({"label": names[truth], **columns}), tmp_path / "log.parquet"
    table.write_parquet(path)
    if n_classes == 2:
        path = tmp_path / "log.csv"
        table.write_csv(path, float_precision=14)
    assert 100_000_000 < path.stat().st_size <= settings.ASKPOINT.most_log
    with path.open("rb") as file:
        row = keep_upload("main", olga, File(file, path.name), "money", 0.05, random=False)
    make_log_report(row.pk)
    row.refresh_from_db()
    assert (row.problem, row.rows) == ("", n_rows)
    assert len(pl.read_parquet(bytes(row.kept))) == keeping.MOST_KEPT


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
        assert len(content) <= settings.ASKPOINT.most_log, (name, len(content))
        row = kept_up(olga, name, content)
        make_log_report(row.pk)
        row.refresh_from_db()
        assert row.problem, name


MONEY = {"checks": "", "mistake": "40", "check": "2.5", "currency": "EUR"}
WEEK = {"volume": "1000", "period": "week", "seconds": "90"}


def reported(browser, **fields):
    """Upload a log and make its report; the row."""
    assert sent(browser, **fields).status_code == 302
    assert run_next({"report": WORKS["report"]})
    row = LogReport.objects.get()
    assert row.problem == ""
    return row


@pytest.mark.usefixtures("no_process")
def test_a_report_speaks_of_money_where_money_was_stated(browser, olga):
    row = reported(browser, **MONEY, **WEEK)
    log = read_log(frame())
    answer = answer_value(log, Prices(0, -2.5, -40), currency="EUR")
    load = Workload(volume=Volume(1000, "week"), check=2.5, seconds_per_check=90)
    expected = value_document(answer, "log.csv", load)
    assert row.told == plain_sections(expected.sections[:1])
    page = " ".join(browser.get(f"/reports/{row.pk}/").content.decode().split())
    page = page.replace("\N{NO-BREAK SPACE}", " ")
    found = workload_figures(answer.tomorrow, load)
    assert f"together cost {found.cost.mean:,.0f} EUR" in page
    assert "hours a week" in page
    freed = work_time(3600 * found.saved_hours)
    assert re.search(rf"<h1>Let the model decide \d+% alone. That frees {freed} a week.</h1>", page)
    whole = row.page.replace("\N{NO-BREAK SPACE}", " ")
    assert "cost, EUR" in whole

    form = browser.get(f"/reports/{row.pk}/policy/").content.decode()
    for name, value in (("mistake", "40.0"), ("check", "2.5"), ("currency", "EUR")):
        assert re.search(f'name="{name}" value="{value}"', form), name
    fields = {"title": "Posts", "aim": "money", "audits": "10", "planned_decisions": "40000"}
    fields |= {"max_label_delay": "2000", "why": "as reported", **MONEY}
    assert browser.post(f"/reports/{row.pk}/policy/", fields).status_code == 302
    made = Deployment.objects.get()
    assert (made.mistake, made.unit) == (40, "EUR")
    terms = json.loads(Policy.objects.get().document)["terms"]
    assert terms["limit"] == pytest.approx(2.5 / 40)


@pytest.mark.whole
@pytest.mark.usefixtures("no_process")
def test_a_promise_names_the_number_of_the_report_and_its_own(browser, olga):
    row = reported(browser, aim="promise", error="20")
    best = answer_value(read_log(frame()), MaxError(0.2, 0.05)).tomorrow.best
    fields = {"title": "Posts", "aim": "promise", "error": "20", "audits": "10", "why": "x"}
    fields |= {"planned_decisions": "40000", "max_label_delay": "2000", "action": "preview"}
    page = browser.post(f"/reports/{row.pk}/policy/", fields).content.decode()
    said = re.search(r"expects (\d+) of 1,000 new cases to be decided alone", page)
    assert said is not None
    assert int(said[1]) == round(1000 * (1 - best.asked.mean))
    begun = re.search(r"The policy begins with (\d+) of 1,000", page)
    assert begun is not None
    why = ("every threshold that it ever uses", "That is more, because the policy learns")
    assert any(reason in page for reason in why) == (begun[1] != said[1])
    assert not Deployment.objects.exists()


@pytest.mark.whole
@pytest.mark.usefixtures("no_process")
def test_a_report_keeps_to_what_people_can_check(browser, olga):
    row = reported(browser, aim="capacity", ask_at_most="200", **WEEK)
    answer = answer_value(read_log(frame()), AskAtMost(0.2))
    load = Workload(volume=Volume(1000, "week"), seconds_per_check=90)
    assert row.told == plain_sections(value_document(answer, "log.csv", load).sections[:1])
    page = browser.get(f"/reports/{row.pk}/").content.decode()
    assert "Of 1,000 cases a week" in page
    form = browser.get(f"/reports/{row.pk}/policy/").content.decode()
    behaves = f"{answer.rate.checks_per_mistake:.6g}"  # the price at which one chooses alike
    assert re.search(f'name="checks" value="{behaves}"', form)
    for name, value in (("ask_at_most", "200.0"), ("volume", "1000.0"), ("seconds", "90.0")):
        assert re.search(f'name="{name}" value="{value}"', form), name
    assert re.search('value="capacity"[^>]*checked', form)
    fields = {"title": "Posts", "aim": "capacity", "ask_at_most": "60", "ask_period": "day", **WEEK}
    fields |= {"audits": "10", "planned_decisions": "40000", "max_label_delay": "2000", "why": "x"}
    assert browser.post(f"/reports/{row.pk}/policy/", fields).status_code == 302
    assert Deployment.objects.get().capacity == 60
    version = Policy.objects.get()
    limit = json.loads(version.document)["terms"]["limit"]
    asked = answer.tomorrow.at_price(1 / limit).asked.mean  # what people check are audits, too
    assert asked + 0.1 * (1 - asked) <= 0.42
    said = " ".join(block.get("text", "") for block in version.told[0]["blocks"])
    assert "People can check 60 cases a day, 420 of 1,000 cases a week, audits included." in said
    assert f"as bad as {1 / limit:.3g} checks" in said
    assert re.search(
        r"These checks take [\d.]+ hours a week. Reviewing every case takes 25 hours", said
    )
    late = browser.post(f"/reports/{row.pk}/policy/", {**fields, "ask_at_most": "5"})
    assert "audit less, or let people check more" in late.content.decode()


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"aim": "capacity"}, "Say how many cases people can check."),
        ({"aim": "capacity", "ask_at_most": "5"}, "Say how many cases come: what people can check"),
        (
            {"aim": "capacity", "ask_at_most": "9", "volume": "9"},
            "fewer cases than come; got 9 checks a week of 9 cases a week.",
        ),
        (
            {"aim": "capacity", "ask_at_most": "400", "ask_period": "day", "volume": "1000"},
            "got 400 checks a day of 1,000 cases a week, that is 2,800 a week.",
        ),
        ({"seconds": "90"}, "say that, too"),
        ({"mistake": "40"}, "both amounts"),
        ({"mistake": "2", "check": "3"}, "must cost more than a check"),
        ({"volume": "0"}, "greater than or equal to 1"),
        ({"volume": "10", "period": "aeon"}, "aeon"),
        ({"volume": "nan"}, "Enter a number"),
    ],
)
def test_numbers_that_do_not_fit_are_named(fields, says, browser, olga):
    answer = sent(browser, **fields)
    assert answer.status_code == 422
    assert says in answer.content.decode()
    assert waiting_files() == []


def test_an_upload_has_bounds(browser, olga, monkeypatch):
    monkeypatch.setattr(settings, "ASKPOINT", replace(settings.ASKPOINT, most_log=10_000))
    with pytest.raises(InputError, match=r"1 to 10,000 bytes here, and log\.csv has 10,001"):
        kept_up(olga, content=b"x" * 10_001)
    for content in (CSV, b""):
        assert sent(browser, content=content).status_code == 422
    monkeypatch.undo()
    assert sent(browser, checks="").status_code == 422
    for _ in range(3):
        assert sent(browser).status_code == 302
    with pytest.raises(RuleError, match="wait for one of them"):
        kept_up(olga)
    assert len(waiting_files()) == 3
    LogReport.objects.update(problem="x")
    monkeypatch.setattr(uploads, "_MOST_REPORTS", 3)
    assert "delete one" in sent(browser).content.decode()


def test_what_is_kept_of_a_log_leads_to_the_same_policy():
    rows = {"label": ["a", None, "b"], "prediction": ["a", "b", "b"], "confidence": [0.9, 2.0, 0.3]}
    chosen = {"propensity": [0.5, None, 1.0]}
    log = read_log(pl.DataFrame(rows | chosen), propensity="propensity")
    kept = frame_to_keep(log)
    assert log_of_frame(kept, list(log.classes)).digest() == log.digest()
    assert set(kept.columns) == {"label", "prediction", "confidence", "propensity"}
    again = read_log(kept, classes=log.classes, propensity="propensity")
    assert again.digest() == log.digest()


def test_a_log_s_own_confidence_is_compared_with_a_report_whatever_the_model_measures():
    sure, right = posts(600, 1)
    label = ["hate" if one else "fine" for one in right]
    log = read_log(pl.DataFrame({"label": label, "prediction": "hate", "confidence": sure}))
    model = {"name": "", "version": "", "classes": list(log.classes), "measure": "margin"}
    for question in (OpeningQuestion(), OpeningQuestion(aim="capacity", limit=0.5, rate=0.05)):
        told = open_policy(log, question, model, "x/1", "0" * 64).told
        assert any("report on the log expects" in it.get("text", "") for it in told[0]["blocks"])
