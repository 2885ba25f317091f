"""`askpoint demo`: a newcomer's first minute, one story of six questions."""

from __future__ import annotations

import contextlib
import os
import re
import runpy
import shlex
import sys
from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner

from askpoint.cli.main import main
from askpoint.records.datasets import digits_log, digits_reviews
from askpoint.records.stores.deployment import Deployment


class Demo:
    """The demo as it was run once, where another one was stopped."""

    def __init__(self, home, runner):
        left = home / "a new" / "folder"  # as a demo that was stopped leaves it
        (left / "policy").mkdir(parents=True)
        for name in ("next.csv", "sample.csv", "policy/policy.json"):
            (left / name).write_text("of a demo before")
        with contextlib.chdir(home):
            self.result = runner.invoke(main, ["demo", "--folder", "a new/folder"])
        self.folder = home / "a new" / "folder"
        self.said = self.result.stdout.replace("\N{NO-BREAK SPACE}", " ")
        self.flat = " ".join(self.said.split())
        self.page = (self.folder / "report.html").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    return Demo(tmp_path_factory.mktemp("demo"), CliRunner())


def test_it_tells_six_steps_in_seventy_lines(demo):
    assert demo.result.exit_code == 0, demo.result.output
    assert len(demo.said.splitlines()) <= 70
    steps = re.findall(r"^(\d)\. (.*\?)$", demo.said, re.MULTILINE)
    assert [number for number, _ in steps] == list("123456")
    for _, question in steps:
        assert f". {question}</h2>" in demo.page
    assert "askpoint FILE" in demo.said
    assert "Drawing" in demo.result.stderr
    assert "Drawing" not in demo.said


def test_its_commands_say_the_same_again(demo, monkeypatch):
    """Whoever types what it shows, in its folder, sees its numbers."""
    monkeypatch.chdir(demo.folder)
    run = CliRunner()
    typed = [line[4:] for line in demo.said.splitlines() if line.startswith("  $ ")]
    assert len(typed) == 9
    again = [
        command
        for command in typed
        if not {"--propose", "deploy", "decide"} & set(shlex.split(command))
    ]
    for name in ("sample.csv", "costs.json"):
        os.replace(name, f"{name}.kept")
    for command in again:
        if "--judged" in command:
            os.replace("sample.csv.kept", "sample.csv")
        result = run.invoke(main, shlex.split(command)[1:])
        assert result.exit_code == 0, result.output
        told = " ".join(result.stdout.replace("\N{NO-BREAK SPACE}", " ").split())
        if "--out sample.csv" in command:
            continue
        figure = {
            "elicit": r"One wrong answer costs you as much as .*? \)?\.",
            "value": r"this threshold (\d+ \([^)]*\) [\d.]+ \([^)]*\) [\d,]+ \([^)]*\))",
            "examine": r"About [\d.]+% of all 700 decisions are wrong \([^)]*\)",
            "judges": r"right is the true label of .*?Without labels: .*?%\.",
        }[shlex.split(command)[1]]
        found = re.search(figure, told)
        if found is None:
            found = re.search(r"One wrong answer costs you as much as [^)]*\)", told)
        assert (found.group(1) if found.groups() else found.group(0)) in demo.flat
    assert Path("costs.json").read_text() == Path("costs.json.kept").read_text()


def test_what_only_a_demo_knows_is_true(demo):
    log = digits_log()
    right = (digits_reviews(log)["truth"] == "right").mean()
    assert f"(In truth: {right:.0%}.)" in demo.said
    week = re.search(r"the week +(\d+) +(\d+) +(\d+) +(\d+) +(\d+)", demo.said)
    digits, alone, asked, audited, unseen = map(int, week.groups())
    with Deployment(demo.folder / "policy") as deployment:
        made = deployment.decisions()
    assert (digits, alone, asked) == (
        len(made),
        (made["action"] == "answer").sum(),
        (made["action"] == "ask").sum(),
    )
    truth = log.select(key=pl.col("id").cast(pl.String), truth="label")
    answers = made.join(truth, on="key", how="left").filter(action="answer")
    wrong = answers["prediction"] != answers["truth"]
    assert audited == answers["audit"].sum()
    assert unseen == (wrong & ~answers["audit"]).sum()
    rest = log["id"][-digits:].cast(pl.String)
    assert set(made["key"]) == set(rest)  # digits that the threshold was not chosen on


def test_the_page_is_small_and_says_more(demo):
    assert len(demo.page) < 700_000
    assert demo.page.count("<figure>") >= 8
    for heading in ("What if mistakes cost more or less?", "Judge by judge", "Enough judged?"):
        assert f"<h3>{heading}</h3>" in demo.page
    assert 'class="what-if"' in demo.page
    unfolded = re.sub(r'<details class="inner">.*?</details>', "", demo.page, flags=re.DOTALL)
    assert unfolded.count('<dl class="figures">') == 1
    before, _, _ = unfolded.partition("1. What does a mistake cost?</h2>")
    assert before.count("<figure>") == 1  # a picture answers on the first screen


def test_the_page_is_easy_to_read(demo, reader):
    assert reader.problems(demo.folder / "report.html") == []


def numbers(text):
    return [float(one.replace(",", "")) for one in re.findall(r"\d[\d,]*(?:\.\d+)?", text)]


def test_the_front_page_says_what_the_demo_says(demo):
    """Its three results in hours and money, at a minute a check and 30 an hour."""
    root = Path(__file__).parents[2]
    words = " ".join((root / "README.md").read_text(encoding="utf-8").split())

    def stated(pattern):
        return re.search(pattern, words).groups()

    week = numbers(re.search(r"the week (.*)", demo.said)[1])
    cases, _, asked, audited, unseen = week
    spent, always = numbers(
        "; ".join(
            re.search(r"In truth: (\d+) EUR and .*? Reviewing all: (\d+) EUR", demo.flat).groups()
        )
    )
    assert always == round(cases / 60 * 30)
    saved = (always - spent) / 30
    # audits are drawn with a secret of the week's own: three standard errors of some forty of them
    in_all, review, without = map(
        float, stated(r"week of (\d+) .*? about ([\d.]+) hours .*? of ([\d.]+),")
    )
    assert (in_all, without) == (cases, round(cases / 60, 1))
    assert abs(review - (asked + audited) / 60) < 0.4
    least, most = map(int, stated(r"included, and (\d) to (\d) mistakes pass unseen"))
    assert least <= unseen <= most <= 8
    hours, money = map(float, stated(r"about (\d+) hours \(€(\d+)\) are saved"))
    assert money == 30 * hours
    assert abs(hours - saved) < 1

    with_100, with_200 = (
        numbers(re.search(rf"with {n} labels (.*)", demo.said)[1])[-3:] for n in (100, 200)
    )
    width = (with_200[2] - with_200[1]) / (with_100[2] - with_100[1])
    assert stated(
        r"from €(\d+) to €(\d+) \(reviewing all of them costs €(\d+)\), .* to (\d+)% of its width"
    ) == (
        f"{with_100[0]:.0f}", f"{with_200[0]:.0f}", f"{1000 / 60 * 30:.0f}", f"{width:.0%}"[:-1],
    )  # fmt: skip

    gold = r"is the true label of ([\d.]+)% of 1,397 items \(95% interval ([\d.]+)% to ([\d.]+)%\)"
    (alone,) = numbers(re.search(r"votes alone (\d+)%", demo.flat)[1])
    (truth,) = numbers(re.search(r"In truth: (\d+)%", demo.flat)[1])
    measured = [f"{float(one):.0f}" for one in re.search(gold, demo.flat).groups()]
    assert stated(r"alone, (\d+)% of .* is (\d+)% \((\d+)% to (\d+)%\), and (\d+)% is true") == (
        f"{alone:.0f}", *measured, f"{truth:.0f}",
    )  # fmt: skip

    (checks,) = numbers(re.search(r"as much as ([\d.]+) checks", demo.flat)[1])
    (price,) = numbers(re.search(r"one mistake costs, in money: ([\d.]+) EUR", demo.flat)[1])
    assert stated(r"a mistake that costs €([\d.]+)\. Your") == (f"{price:.2f}",)
    assert abs(price - checks * 30 / 60) <= 0.05  # checks are told to one digit after the point
    of_1000 = stated(
        r"1,000 cases (\d+) are decided alone, (\d+) go to review, (\d+) .* is (\d+) EUR instead"
    )
    shown = re.search(r'<dl class="figures">(.*?)</dl>', demo.page, re.DOTALL)[1]
    assert list(of_1000) == re.findall(r"<dd>([\d,]+) <small>", shown)
    drawn = (root / "docs" / "_static" / "demo.svg").read_text(encoding="utf-8")
    assert re.search(r"this threshold +(\d+ \([^)]*\))", demo.said)[1] in drawn


def test_a_recording_is_drawn_at_the_speed_at_which_it_came():
    """Two lines at once, one a second later, and the end after two: then each part stands to be read."""
    drawer = runpy.run_path(str(Path(__file__).parents[2] / "docs" / "moving_terminal.py"))
    came = [(0.5, "Looking ...\r\n\x1b[1mMay it?\x1b[0m\r\n"), (1.5, "1. One & two\r\n"), (2.0, "")]
    drawn = drawer["draw"](came, "askpoint demo")
    (cover,) = re.findall(r"@keyframes cover \{ (.*) \}", drawn)
    total = 2 + 3 + 5  # recorded, the end stands, one part to read
    steps = [
        (float(at) * total / 100, int(y))
        for at, y in re.findall(r"([\d.]+)% .*?\((-?\d+)px", cover)
    ]
    hidden = {at: -y / 19 for at, y in steps}  # lines that have not come yet
    assert hidden[0] == 3
    assert hidden[0.5] == 1
    assert hidden[1.5] == 0
    assert hidden[10] == 0
    assert "at real speed: 2.0 s" in drawn
    assert "One &amp; two" in drawn
    assert "\x1b" not in drawn


def test_a_command_is_recorded_with_its_times():
    drawer = runpy.run_path(str(Path(__file__).parents[2] / "docs" / "moving_terminal.py"))
    says = "import time; print('now', flush=True); time.sleep(.3); print('then')"
    came = drawer["record"]([sys.executable, "-c", says])
    at = {text: seconds for seconds, piece in came for text in piece.split()}
    assert 0.25 < at["then"] - at["now"] < 5
    with pytest.raises(SystemExit, match="nothing was drawn"):
        drawer["record"]([sys.executable, "-c", "raise SystemExit(1)"])


def test_a_folder_that_cannot_be_made(shell):
    shell.write("file", "")
    assert "cannot be made" in shell.refusal("demo", "--folder", shell.folder / "file" / "x")
    assert "is a file" in shell.refusal("demo", "--folder", shell.folder / "file")
