"""Labels as CSV and JSON lines: what is wrong costs no other line, and what is sent comes back."""

from __future__ import annotations

import csv
import io
import json

import httpx
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.wsgi import get_wsgi_application
from django.urls import reverse
from hypothesis import given, strategies as st

from askpoint import Client, InputError
from askpoint.server.api.tokens import make_token
from askpoint.server.books import check_books
from askpoint.server.deployments import label_files
from askpoint.server.deployments.label_files import bring_labels, label_lines
from askpoint.server.deployments.models import Label
from askpoint.server.spreadsheets import plain_text, to_csv
from server.in_use import InUse


def asked_of(in_use, n=40):
    return [one.key for one in in_use.decide(n) if one.action == "ask"]


def test_each_wrong_line_is_said_and_all_others_are_taken(in_use):
    first, second, third, *_ = asked_of(in_use)
    lines = [
        "key,label,judge,source,truth",
        f"{first},hate,anna,,",
        "never,hate,,,",
        f"{second},spam,,,",
        f"{second},fine,,gold,",
        "g1,fine,anna,gold,hate",
        f"{third},fine,,audit,",
        f"{third},fine",
        ",hate,,,",
        f'{third},fine,"a ""quoted"" judge",,',
        f"a\0b,{first},,,",
        f"{'k' * 201},hate,,,",
    ]
    told = bring_labels(in_use.id, "\r\n".join(lines), "csv", "wanda")
    assert (told.kept, told.counted) == (3, 3)
    why = {one.line: one.why for one in told.refused}
    assert list(why) == [3, 4, 5, 7, 8, 9, 11, 12]
    for line, words in {
        3: "no case 'never' was ever decided",
        4: "spam",
        5: "truth",
        7: "says that it comes from 'audit'",
        8: "it has 2 fields, and the first line 5",
        9: "no key, or no label",
        11: "NUL",
        12: "more than 200 characters",
    }.items():
        assert words in why[line], (line, why[line])
    assert set(Label.objects.values_list("key", "label", "judge")) == {
        (first, "hate", "anna"),
        ("g1", "fine", "anna"),
        (third, "fine", 'a "quoted" judge'),
    }
    again = "\n".join([told.head, *(one.text.replace("spam", "hate") for one in told.refused)])
    mended = bring_labels(in_use.id, again, "csv", "wanda")  # what was refused is a file again
    assert (mended.kept, len(mended.refused)) == (1, 7)
    assert Label.objects.get(key=second).judge == "wanda"
    assert check_books().problems == ()


def test_json_lines_and_what_is_no_file_of_labels(in_use):
    first, second, *_ = asked_of(in_use)
    lines = [
        json.dumps({"key": first, "label": "hate"}),
        "",
        "no json",
        "[1]",
        json.dumps({"key": second, "lable": "hate"}),
        json.dumps({"key": second, "label": 1}),
        '{"key": "\\ud800", "label": "hate"}',
        "[" * 100_000,
        json.dumps({"key": second, "label": "fine", "judge": "🤡"}),
    ]
    told = bring_labels(in_use.id, "﻿" + "\n".join(lines), "jsonl", "wanda")
    assert (told.kept, [one.line for one in told.refused]) == (2, [3, 4, 5, 6, 7, 8])
    for text, kind in (
        ("key,labl\n", "csv"),
        ("", "csv"),
        ("key,key,label\n", "csv"),
        ('key,label\n"open', "csv"),
        ("x", "xlsx"),
        ("\n".join(["{}"] * 20_001), "jsonl"),
    ):
        with pytest.raises(InputError):
            bring_labels(in_use.id, text, kind, "wanda")
    assert Label.objects.count() == 2


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_what_is_sent_comes_back(in_use, kind):
    in_use.label(in_use.decide(60))
    text = "".join(label_lines(in_use.row, kind))
    before = list(Label.objects.values_list("key", "label", "judge", "source"))
    assert bring_labels(in_use.id, text, kind, "wanda")[:3] == (0, 0, [])
    Label.objects.all().delete()
    in_use.policy.moments.all().delete()
    other = InUse()
    other.decide(60)
    told = bring_labels(other.id, text, kind, "wanda")
    kept = list(Label.objects.values_list("key", "label", "judge", "source"))
    assert set(kept) <= set(before)
    assert told.kept + len(told.refused) == len(before)  # other draws: some were not audited there


@given(st.text())
def test_a_text_comes_back_from_a_spreadsheet(text):
    lines = "".join(to_csv(["it"], [{"it": text}]))
    (row,) = list(csv.reader(io.StringIO(lines, newline="")))[1:]
    assert plain_text(row[0]) == text


def test_the_page_keeps_what_was_refused_in_its_field(in_use, enter, monkeypatch):
    first, second, *_ = asked_of(in_use)
    browser, here = enter(in_use.wanda), reverse("labels", args=[in_use.id])
    file = SimpleUploadedFile("labels.csv", f"key,label\n{first},hate\nnever,hate\n".encode())
    page = browser.post(here, {"file": file, "text": ""})
    said = page.content.decode()
    assert page.status_code == 422
    assert "1 new label taken, of which 1 counts" in said
    assert "Line 3: no case" in said
    assert ">\nkey,label\nnever,hate</textarea>" in said
    assert (
        "1 new label" in browser.post(here, {"text": f"key,label\n{second},fine"}).content.decode()
    )
    for name, body, words in (
        ("labels.xlsx", b"x", "ends in .csv"),
        ("labels.csv", b"key,label\n\xff", "not UTF-8"),
        ("labels.csv", b"k,l\n", "first line names the columns"),
    ):
        wrong = browser.post(here, {"file": SimpleUploadedFile(name, body)})
        assert wrong.status_code == 422
        assert words in wrong.content.decode()
    monkeypatch.setattr("askpoint.server.deployments.label_views._MOST_BYTES", 1)
    file = SimpleUploadedFile("labels.csv", b"key,label\n")
    assert "at most 5 MB" in browser.post(here, {"file": file}).content.decode()
    assert "pload a file, or type lines" in browser.post(here, {"text": " "}).content.decode()
    sent = browser.get(reverse("labels-file", args=[in_use.id, "csv"])).getvalue().decode()
    assert sent.startswith("key,label,judge,source,truth,counts,at,guideline\r\n")
    assert browser.get(reverse("labels-file", args=[in_use.id, "xlsx"])).status_code == 404


def test_files_by_a_program(in_use):
    first, *_ = asked_of(in_use)
    token = make_token(in_use.wanda, "owner", label="x", scope="write")[1]
    through = httpx.WSGITransport(get_wsgi_application(), raise_app_exceptions=False)
    program = Client("http://localhost", token, transport=through)
    told = program.upload_labels(in_use.id, f"key,label\n{first},hate\nnever,hate\n")
    assert (told.kept, told.refused[0].line, told.refused[0].text) == (1, 3, "never,hate")
    assert json.loads(program.download_labels(in_use.id, "jsonl"))["key"] == first
    assert program.download_labels(in_use.id) == "".join(label_lines(in_use.row, "csv"))
    with pytest.raises(InputError, match="kind"):
        program.download_labels(in_use.id, "xlsx")
    assert label_files.MOST_LINES == 20_000
