"""`askpoint simulate`: small campaigns on digits, each output, and each bad input in one line."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import pytest

from arena.game.generous import GENEROUS, NEW
from askpoint.arena.game.designs import DESIGNS
from cli.mastheads import masthead

KNOWN = ",".join(map(str, DESIGNS))
QUICK = ("--seeds", 2, "--cases", 30, "--search-precision", 0.4)


def test_words_a_page_and_a_ledger(shell, reader):
    page, ledger = shell.folder / "page.html", shell.folder / "ledger.txt"
    flags = ("--no-rematch", "--html", page, "--ledger", ledger)
    result = shell.run("simulate", *QUICK, *flags)
    assert result.exit_code == 0, result.output
    said = " ".join(result.stdout.split())
    assert "they are not evidence about people" in said
    for arm in ("random examination", "1 submit and be paid", "5 less for the like"):
        assert arm.split()[0] in said
    assert "page written to" in result.stderr
    assert "page written to" not in result.stdout
    text = page.read_text(encoding="utf-8")
    assert text.count("<figure>") == 2  # too few cases to learn from: no empty third
    assert "<script" not in text
    lines = ledger.read_text(encoding="utf-8").splitlines()
    assert lines[-1] == "# sum 0"
    for line in lines[3 : lines.index("")]:
        assert sum(int(points) for points in re.findall(r" ([+-]\d+) ", line)) == 0
    assert reader.problems(page) == []


def simulate_in_a_shell(*words, threads):
    """Return what the command prints in a process of its own, where it chooses the processor's instructions itself."""
    done = subprocess.run(
        [sys.executable, "-m", "askpoint", "simulate", *map(str, words)],
        env=os.environ | {"OMP_NUM_THREADS": threads}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return json.loads(done.stdout)


@pytest.mark.whole
def test_one_object_and_two_seeds_at_a_time():
    flags = (*QUICK, "--json", "--only-designs", "--designs", "4,3")
    # threads of linear algebra as on a machine of two cores; the processes of --jobs have one each
    content = simulate_in_a_shell(*flags, threads="2")
    assert list(content["arms"]) == ["random", "stratified", "uncertainty", "design 3", "design 4"]
    assert content["seeds"] == [1, 2]
    assert content["search_precision"] == 0.4
    assert content["calibrated"] is False
    assert simulate_in_a_shell(*flags, "--jobs", 2, threads="1") == content


def test_calibration_says_how_it_goes(shell):
    flags = ("--seeds", 1, "--cases", 40, "--designs", "4", "--only-designs", "--json")
    result = shell.run("simulate", *flags)
    assert result.exit_code == 0, result.output
    assert result.stderr.count("calibrating: search precision") == 6
    content = json.loads(result.stdout)
    assert content["calibrated"] is True
    assert 0 < content["search_precision"] < 1


def test_a_new_design_is_played_and_told_of(shell, monkeypatch):
    monkeypatch.setitem(DESIGNS.own, NEW, GENEROUS)
    page, ledger = shell.folder / "page.html", shell.folder / "ledger.txt"
    flags = (
        "--seeds",
        1,
        "--cases",
        20,
        "--search-precision",
        0.4,
        "--designs",
        f"{NEW - 1},{NEW}",
    )
    content = json.loads(shell.said("simulate", *flags, "--json", "--only-designs"))
    assert list(content["arms"])[-2:] == [f"design {NEW - 1}", f"design {NEW}"]
    assert list(content["cost_steps"]) == [f"design {NEW - 1} to {NEW}"]
    result = shell.run("simulate", *flags, "--only-designs", "--html", page, "--ledger", ledger)
    assert result.exit_code == 0, result.output
    assert f"{NEW} double" in result.stdout
    assert f"{NEW} double where sure" in page.read_text(encoding="utf-8")
    most = 10 + 2 * 1000 + 3 * 100
    reserved = [
        -int(points)
        for points in re.findall(r"reserve/case-\S+  ([+-]\d+) budget", ledger.read_text())
    ]
    assert 1310 < max(reserved) <= most


def test_the_tag_challenge_and_the_early_notice(shell, reader):
    page = shell.folder / "page.html"
    words = ("simulate", "--tags", "--seeds", 1, "--cases", 30, "--json", "--html", page)
    content = json.loads(shell.said(*words))
    assert [line["cheaters"] for line in content["lines"]] == [0, 0.25, 0.5]
    assert all(line["after"]["value"] > line["before"]["value"] for line in content["lines"])
    large, (first, *_, last) = masthead(page), content["lines"]
    assert large["of the model"][0] == f"{first['before']['value']:.3g}"
    assert large["after honest players"][0] == f"{first['after']['value']:.3g}"
    assert list(large.values())[2][0] == f"{last['after']['value']:.3g}"
    flags = ("--seeds", 1, "--cases", 70, "--search-precision", 0.4, "--designs", 4)
    content = json.loads(shell.said("simulate", "--drift", *flags, "--json"))
    assert (content["told_after"], content["design"], len(content["quiet"])) == (28, 4, 1)
    assert content["told"][0]["n_judged"] == 70
    said = shell.said("simulate", "--drift", *flags, "--html", page)
    large = masthead(page)
    assert large["topics noticed, of those told"][0] == f"{content['noticed']} of 1"
    assert large["false notices"][0] == str(content["false_notices"])
    assert "A topic announced to all players was noticed in" in " ".join(said.split())
    assert reader.problems(page) == []


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--designs", "1,999"), f"'--designs': takes some of {KNOWN} with commas; got '1,999'"),
        (("--designs", "all"), "got 'all'"),
        (("--designs", ""), f"takes some of {KNOWN} with commas; got ''"),
        (("--seeds", 0), "'--seeds': 0 is not in the range x>=1"),
        (("--cases", 5), "'--cases': 5 is not in the range x>=20"),
        (("--tags", "--drift"), "--tags and --drift are two plays: give one of them"),
        (("--tags", "--ledger", "x"), "--ledger belongs to the play by designs"),
        (("--drift", "--machine"), "--machine belongs to the play by designs"),
        (("--tags", "--designs", "4"), "--designs belongs to the play by designs"),
        (("--jobs", 0), "'--jobs': 0 is not in the range x>=1"),
        (("--search-precision", 2), "search_precision is a share between 0 and 1; got 2.0"),
        (("--search-precision", "much"), "must be a number such as 40 or 2.50; got 'much'"),
        (("--data", "nowhere"), "without a folder on scikit-learn's digits"),
        (("--html", "no/such/folder/page.html"), "no/such/folder"),
        (("--ledger", "no/such/folder/ledger"), "no/such/folder"),
    ],
)
def test_what_it_cannot_use(shell, words, reason):
    result = shell.run("simulate", *words)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    lines = [line for line in result.stderr.splitlines() if not line.startswith("training")]
    assert len(lines) == 1
    assert lines[0].startswith("askpoint: ")
    assert reason in lines[0]


@pytest.mark.soak
def test_real_posts_and_statements(shell, data):
    flags = ("--data", data, "--seeds", 1, "--cases", 60, "--search-precision", 0.4)
    flags += ("--designs", "2,3,4", "--only-designs")
    content = json.loads(shell.said("simulate", *flags, "--json"))
    assert content["contest"] == "hate speech"
    arms = content["arms"]
    assert arms["design 3"]["others"]["value"] == 0 < arms["design 2"]["others"]["value"]
    assert arms["design 4"]["unknown"]["value"] > arms["stratified"]["unknown"]["value"]
