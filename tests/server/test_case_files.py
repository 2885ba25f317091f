"""Lists of cases as files: those of the list, whatever its filter; by parts; safe in spreadsheets; and noted."""

from __future__ import annotations

import csv
import io
import json

import pytest

from askpoint.server.deployments import case_lists, decisions
from askpoint.server.deployments.case_files import COLUMNS, case_lines
from askpoint.server.deployments.case_filters import parse_filter
from askpoint.server.deployments.case_lists import list_cases
from askpoint.server.deployments.cases import cases_of
from askpoint.server.deployments.decisions import IncomingCase
from askpoint.server.deployments.models import CaseReading, Deployment, Label, Receipt
from askpoint.server.journal.models import LogLine
from askpoint.server.workspaces.services import first_workspace
from server.in_use import InUse
from server.talking import let_readings_be_counted


@pytest.fixture
def in_use(database):
    del database
    first_workspace()
    found = InUse()
    found.label(found.decide(120)[:80])
    return found


def download(in_use, enter, name="csv", query="", who="wanda"):
    return enter(getattr(in_use, who)).get(f"/classifiers/{in_use.id}/cases.{name}{query}")


def rows_of(answer):
    return list(csv.DictReader(io.StringIO(b"".join(answer.streaming_content).decode())))


def test_the_file_has_each_case_of_the_list_with_its_weight_and_label(in_use, enter, monkeypatch):
    monkeypatch.setattr(case_lists, "_PART_OF_FILE", 7)
    answer = download(in_use, enter)
    assert answer["Content-Disposition"] == f'attachment; filename="{in_use.id}-cases.csv"'
    rows = rows_of(answer)
    assert tuple(rows[0]) == COLUMNS
    receipts = {one.key: one for one in Receipt.objects.all()}
    assert [row["key"] for row in rows] == [
        one.key for one in sorted(receipts.values(), key=lambda it: -it.seq)
    ]
    labels = {one.key: one for one in Label.objects.filter(counts=True, seq__gte=0)}
    kept = {it.key: it.content for it in cases_of(in_use.row).exclude(content=None)}
    for row in rows:
        receipt, label = receipts[row["key"]], labels.get(row["key"])
        assert row["label"] == ("" if label is None else label.label)
        assert row["wrong"] == ("" if label is None else json.dumps(label.wrong))
        assert float(row["weight"]) == pytest.approx(1 / receipt.propensity)
        assert float(row["confidence"]) == receipt.confidence
        assert row["content"] == kept.get(row["key"], "")
        assert row["version"] == "1"
    said = [
        json.loads(it)
        for it in b"".join(download(in_use, enter, "jsonl").streaming_content).splitlines()
    ]
    assert [it["key"] for it in said] == [row["key"] for row in rows]
    assert {type(it["weight"]) for it in said} == {float}


@pytest.mark.parametrize(
    "query", ["?show=wrong", "?show=audited&label=fine", "?key=monday-1*", "?show=unsettled"]
)
def test_a_filter_gives_what_its_page_lists(in_use, enter, query):
    which = parse_filter(in_use.row, dict(one.split("=") for one in query[1:].split("&")))
    listed = [one.receipt.key for one in list_cases(in_use.row, which).rows]
    assert len(listed) < 50
    assert [row["key"] for row in rows_of(download(in_use, enter, query=query))] == listed
    assert query == "?show=unsettled" or listed


def test_the_list_offers_the_file_above_its_cases_and_of_the_same_filter(in_use, enter):
    query = "?show=audited&label=hate"
    page = enter(in_use.wanda).get(f"/classifiers/{in_use.id}/cases/{query}").content.decode()
    above, table, _ = page.partition("<table")
    assert table
    for kind in ("csv", "jsonl"):
        assert f"/cases.{kind}{query.replace('&', '&amp;')}" in above
    none = enter(in_use.wanda).get(f"/classifiers/{in_use.id}/cases/?key=nothing").content.decode()
    assert "Download as CSV" not in none


def test_no_cell_is_a_formula(in_use, enter):
    item = IncomingCase("=1+1", prediction="hate", confidence=0.5, case='=HYPERLINK("http://x")')
    decisions.decide(in_use.id, [item], "7")
    (row,) = rows_of(download(in_use, enter, query="?key==1%2B1"))
    assert row["key"] == "'=1+1"
    assert row["content"] in ("", '\'=HYPERLINK("http://x")')


def test_a_download_is_one_line_of_the_activity_and_no_reading(in_use, enter):
    rows_of(download(in_use, enter, query="?show=wrong"))
    line = LogLine.objects.get(what="exported")
    assert (line.who, line.about, line.said) == ("wanda", "cases: model wrong", {"kind": "csv"})
    let_readings_be_counted()
    assert not CaseReading.objects.exists()


def test_who_may_not_read_cases_gets_no_file(in_use, enter):
    for who in ("vera", "rosa", "oskar"):
        assert download(in_use, enter, who=who).status_code == 404
    Deployment.objects.filter(pk=in_use.id).update(viewers_read=True)
    assert download(in_use, enter, who="vera").status_code == 200
    assert download(in_use, enter, who="rosa").status_code == 404


@pytest.mark.parametrize(
    ("name", "query", "status"),
    [("xlsx", "", 404), ("csv", "?show=all-of-them", 404), ("csv", "?from=yesterday", 422)],
)
def test_what_there_is_not_is_said_before_anything_is_sent(in_use, enter, name, query, status):
    assert download(in_use, enter, name, query).status_code == status
    assert not LogLine.objects.filter(what="exported").exists()


def test_never_all_is_in_memory(in_use, monkeypatch):
    monkeypatch.setattr(case_lists, "_PART_OF_FILE", 20)
    read = []
    records_of = case_lists.records_of

    def count(row, found):
        read.append(len(found))
        return records_of(row, found)

    monkeypatch.setattr(case_lists, "records_of", count)
    lines = case_lines(in_use.row, parse_filter(in_use.row, {}), "csv")
    for _ in range(10):
        next(lines)
    assert read == [20]
    assert len(list(lines)) == 111
    assert max(read) == 20
