"""Made evenings: the answer is always there, and what fails beside it is named."""

from __future__ import annotations

import re

import pytest

from askpoint.answers.value import verdict
from askpoint.reports import page
from askpoint.reports.value import document
from cli.evenings import live_evening, make_evening
from cli.logs import make_log

REFUSED = re.compile(
    r"askpoint: (guarantees count cases: they hold for unweighted labels drawn at random only"
    r"|a promise counts independent cases, and --cluster says that some belong together)"
)


def check_evening(seed, folder, *words):
    for ended in live_evening(make_evening(seed), folder, *words):
        if ended.code:
            assert ended.code == 2, (seed, ended.error)
            assert REFUSED.match(ended.error), (seed, ended.error)
        else:
            assert ended.lost == (), (seed, ended.lost)


@pytest.mark.parametrize("first", range(0, 30, 10))
def test_a_made_evening_loses_nothing(first, tmp_path):
    for seed in range(first, first + 10):
        check_evening(seed, tmp_path)


def test_its_page_is_whole(tmp_path):
    check_evening(3, tmp_path, "--html", str(tmp_path / "page.html"))
    assert "Lost here" not in (tmp_path / "page.html").read_text("utf-8")


@pytest.mark.soak
@pytest.mark.parametrize("first", range(0, 10_000, 500))
def test_ten_thousand_made_evenings_lose_nothing(first, tmp_path, monkeypatch):
    for seed in range(first, first + 500):
        with monkeypatch.context() as patch:
            if seed % 50:  # of the others the pages are made without pictures, which take seconds
                patch.setattr(page, "can_draw", lambda: False)
            check_evening(seed, tmp_path, "--html", str(tmp_path / "page.html"))
            for written in tmp_path.glob("page.html"):
                assert "Lost here" not in written.read_text("utf-8"), seed


def fail(*_, **__):
    raise ZeroDivisionError("a figure that nobody foresaw")


MAKERS = {
    "expected_grid": "Compared with simpler policies",
    "_other_prices": "What if mistakes cost more or less?",
    "_accounts": "Error rates for auditors",
    "groups_table": "Group by group, at the same threshold",
    "hindsight_blocks": "On this log only",
    "surest_blocks": "Confidence and accuracy",
    "trust_blocks": "How reliable these numbers are",
}


def log_of(shell):
    return shell.write("log.csv", make_log(200, groups=("north", "south")))


@pytest.mark.parametrize("maker", MAKERS)
def test_a_section_that_fails_is_named_and_takes_nothing_with_it(maker, shell, monkeypatch):
    words = ("value", log_of(shell), "--rho", "0.1", "--by", "region")
    whole = shell.json(*words)
    headings = [line for line in shell.said(*words).splitlines() if line in MAKERS.values()]
    monkeypatch.setattr(document, maker, fail)
    content = shell.json(*words)
    lost = {"section": MAKERS[maker], "why": "ZeroDivisionError: a figure that nobody foresaw"}
    assert content.pop("lost") == [lost]
    assert content == whole
    said = shell.said(*words)
    assert [line for line in said.splitlines() if line in MAKERS.values()] == headings
    assert "was lost: ZeroDivisionError: a figure that nobody foresaw" in " ".join(said.split())


@pytest.mark.parametrize(
    ("part", "section"),
    [("accounts_of", "accounts"), ("group_lines", "groups"), ("_by_group", "own_thresholds")],
)
def test_a_part_of_the_answer_that_fails_leaves_the_rest(part, section, shell, monkeypatch, caplog):
    words = ("value", log_of(shell), "--rho", "0.1", "--by", "region")
    whole = shell.json(*words)
    monkeypatch.setattr(verdict, part, fail)
    content = shell.json(*words)
    (lost,) = content["lost"]
    assert lost["section"] == document._LOST[section]
    for rule in ("recommended", "ask_all", "answer_all", "hindsight", "threshold", "expected"):
        told, before = content[rule], whole[rule]
        if isinstance(told, dict):
            told, before = (
                {k: v for k, v in one.items() if k != section} for one in (told, before)
            )
        assert told == before
    assert [record.getMessage() for record in caplog.records] == [
        f"lost from the report: {section} (ZeroDivisionError: a figure that nobody foresaw)"
    ]


def test_what_a_section_had_said_before_it_failed_stays(shell, monkeypatch):
    words = ("value", log_of(shell), "--rho", "0.1")
    first = shell.said(*words).splitlines()[3]

    monkeypatch.setattr(document, "price_text", fail)
    said = shell.said(*words).splitlines()
    assert said[3] == first
    assert "The rest of this section was lost" in " ".join(" ".join(said).split())


def test_a_picture_that_fails_is_named_where_it_would_stand(shell, monkeypatch):
    def broken(draw, points, **settings):
        raise ValueError("no font")

    monkeypatch.setattr(page, "draw_svg", broken)
    target = shell.folder / "page.html"
    content = shell.json("value", log_of(shell), "--rho", "0.1", "--html", target)
    assert content["recommended"]["asked"]["share"] <= 1
    text = target.read_text("utf-8")
    assert "<img" not in text
    assert text.count("Why: ValueError: no font.") >= 3
    assert "The answer" in text
