"""What a refusal of the bare call tells people to type works when it is typed."""

from __future__ import annotations

import contextlib
import importlib
import re
import shlex
import shutil
from pathlib import Path

import click
import numpy as np
import pytest
from click.testing import CliRunner

import askpoint
from askpoint.cli.main import COMMANDS, main
from askpoint.cli.option_advice import find_commands
from askpoint.errors import InputError

VALUES = {
    "currency": "EUR",
    "mistake_budget": "200",
    "planned_decisions": "10000",
    "rung": "small=p_small_*:0.01",
    "min_recall": "spam=0.9",
    "min_precision": "spam=0.9",
    "prices": "1,-0.5,-20",
    "volume": "1000/week",
    "ask_at_most": "0.3",
    "vote": "0.1",
    "systems": "old,new",
    "actions": "none.json",
    "split": "refund.amount=50",
    "until": "2026-10-12",
    "family": "one=ann,ben",
    "fail_on": "alarm",
    "case_costs": "0,1",
    "no_worse_than": "old_votes.csv",
}


def write(name, columns):
    cells = [",".join(map(str, row)) for row in zip(*columns.values(), strict=True)]
    with open(name, "w", encoding="utf-8") as file:
        file.write("\n".join([",".join(columns), *cells]) + "\n")


def make_log(name, seed):
    rng = np.random.default_rng(seed)
    proba = rng.beta(0.5, 0.5, 300)
    label = np.where(rng.random(300) < proba, "spam", "ham")
    write(name, {
        "id": [f"c{i}" for i in range(300)],
        "label": [*label[:200], *[""] * 100],
        "proba_ham": [f"{1 - p:.4f}" for p in proba],
        "proba_spam": [f"{p:.4f}" for p in proba],
    })  # fmt: skip


def make_votes(name, seed):
    rng = np.random.default_rng(seed)
    truth = rng.random(200) < 0.5
    said = {
        judge: np.where(rng.random(200) < right, truth, ~truth)
        for judge, right in (("ann", 0.85), ("ben", 0.8), ("gpt", 0.9))
    }
    words = {judge: ["yes" if one else "no" for one in votes] for judge, votes in said.items()}
    gold = ["yes" if one else "no" for one in truth[:80]] + [""] * 120
    write(name, {"item": [f"i{i}" for i in range(200)], **words, "gold": gold})


def make_approvals(name):
    rng = np.random.default_rng(0)
    write(name, {
        "id": [f"a{i}" for i in range(300)],
        "agent": ["bot"] * 300,
        "tool": ["refund" if i % 3 else "mail" for i in range(300)],
        "approver": ["ada"] * 300,
        "decision": np.where(rng.random(300) < 0.95, "approved", "rejected"),
        "proposed_at": [f"2026-01-{1 + i // 20:02}T{i % 20:02}:00:00Z" for i in range(300)],
        "decided_at": [f"2026-01-{1 + i // 20:02}T{i % 20:02}:05:00Z" for i in range(300)],
    })  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("files")
    with contextlib.chdir(path):
        make_log("log.csv", 1)
        make_log("old.csv", 2)
        make_votes("votes.csv", 3)
        make_votes("old_votes.csv", 4)
        make_approvals("approvals.csv")
    return path


def commands():
    for name in ("value", "judges", "compare", "gate", "approvals", "deploy", "examine", "decide"):
        module, _, attribute = COMMANDS[name].partition(":")
        yield getattr(importlib.import_module(module), attribute)


def options(column):
    """Every option that some command has, once, with a value that its kind may have."""
    found = {}
    for command in commands():
        for option in command.params:
            if isinstance(option, click.Option) and option.opts[0].startswith("--"):
                found.setdefault(option.opts[0], option)
    for flag, option in sorted(found.items()):
        if option.is_flag:
            yield (flag,)
        elif isinstance(option.type, click.Choice):
            yield (flag, str(option.type.choices[0]))
        else:
            numbers = {"float": "0.2", "integer": "3"}
            if option.metavar == "COLUMNS":
                yield (flag, "ann,ben" if column == "item" else "proba_*")
                continue
            if option.metavar == "COLUMN":
                yield (flag, column)
                continue
            yield (flag, VALUES.get(option.name, numbers.get(option.type.name, "x")))


def run(line):
    return CliRunner().invoke(main, [str(word) for word in line])


FILES = {
    "predictions": ("log.csv",),
    "votes": ("votes.csv",),
    "approvals": ("approvals.csv",),
    "two logs": ("log.csv", "--against", "old.csv"),
    "two votes": ("votes.csv", "--against", "old_votes.csv"),
}
UNKNOWN = re.compile(r"there is no option|is an option of askpoint")


# the advice is made alike for each kind of file: all but one wait for a long run
@pytest.mark.whole
@pytest.mark.parametrize(
    "kind",
    [pytest.param(kind, marks=pytest.mark.soak if kind != "predictions" else ()) for kind in FILES],
)
def test_what_the_advice_names_works(kind, folder):
    """Every option of every command, on each kind of file: the line in the advice is run."""
    told, advised = 0, set()
    with contextlib.chdir(folder):
        for words in options("item" if "votes" in kind else "id"):
            if len(words) == 1 and words[0] in ("--json", "--why"):
                continue
            result = run([*FILES[kind], *words])
            assert result.exit_code in (0, 1, 2, 3), (words, result.exception)
            assert "Traceback" not in result.output
            line = result.stderr.strip().splitlines()[-1] if result.exit_code == 2 else ""
            if not UNKNOWN.search(line):
                continue
            told += 1
            lines = re.findall(r"`(askpoint [^`]*)`", line)
            assert lines, line  # each names something that works
            for typed in lines:
                if typed in advised:
                    continue
                advised.add(typed)
                again = run(shlex.split(typed)[1:])
                for made in Path().glob("*-deployment"):
                    shutil.rmtree(made)
                if again.exit_code == 2 and words[-1] == "x":  # a file that is not there
                    assert not UNKNOWN.search(again.stderr), (line, again.stderr)
                    continue
                assert again.exit_code in (0, 1, 3, 130), (line, typed, again.stderr)
    assert told >= 10


@pytest.mark.parametrize(
    ("words", "advice"),
    [
        (("log.csv", "--audit", "0.1"), "`askpoint deploy log.csv --audit 0.1`"),
        (("votes.csv", "--at-least", "0.3"), "`askpoint gate votes.csv --at-least 0.3`"),
        (("votes.csv", "--rho=0.1", "--volume=1000/week"), "`askpoint votes.csv --rho=0.1`"),
        (("votes.csv", "--nonsense", "1", "--rho", "0.1"), "`askpoint votes.csv --rho 0.1`"),
        (("approvals.csv", "--rho", "0.1"), "approvals.csv was read as approvals. Without it"),
        (("log.csv", "--mistak", "4"), "did you mean '--mistake'? (see `askpoint value --help`)"),
    ],
)  # fmt: skip
def test_the_advice_for_one(words, advice, folder):
    with contextlib.chdir(folder):
        result = run(words)
    assert result.exit_code == 2
    assert advice in result.stderr.replace("`main ", "`askpoint "), result.stderr


def test_costs_of_a_mistake_are_stated_alike_for_votes_and_predictions(folder):
    """One line of money fits any of the three kinds of file."""
    money = ("--mistake", "40", "--check", "2.50", "--currency", "EUR")
    with contextlib.chdir(folder):
        for file in ("log.csv", "votes.csv", "approvals.csv"):
            result = run((file, *money))
            assert result.exit_code in (0, 3), result.stderr
            assert "EUR" in result.stdout or file == "approvals.csv"  # licences alone are priced
        said = " ".join(
            run(("votes.csv", *money)).stdout.replace("\N{NO-BREAK SPACE}", " ").split()
        )
        assert "It costs 2.50 EUR and a mistake 40 EUR, as much as 16 checks." in said
        everything = float(
            re.search(r"checks of every item ([\d,]+) EUR", said)[1].replace(",", "")
        )
        assert everything == 1000 * 2.5
        alone = run(("votes.csv", "--currency", "EUR"))
        assert "add --mistake AMOUNT --check AMOUNT" in alone.stderr


def test_a_keyword_of_another_question_is_named(folder):
    with contextlib.chdir(folder), pytest.raises(InputError, match="volume= is an option") as said:
        askpoint.evaluate("votes.csv", volume="1000/week")
    assert "about predictions" in str(said.value)


def test_gold_beside_two_systems_is_no_judge(folder):
    """`compare` and `gate` take the two tables for what `askpoint NEW --against OLD` does."""
    with contextlib.chdir(folder):
        bare = run(("votes.csv", "--against", "old_votes.csv")).stdout
        named = run(("compare", "old_votes.csv", "votes.csv")).stdout
        gate = run(("gate", "votes.csv", "--no-worse-than", "old_votes.csv")).stdout
    assert named == bare
    assert "3 judges (ann, ben, gpt)" in named
    assert "80 items labelled" in gate


def test_every_command_that_answers_is_asked_for_an_option():
    assert find_commands("--at-least", COMMANDS) == ["gate"]
    assert find_commands("--audit", COMMANDS) == ["deploy"]
    assert find_commands("--nonsense", COMMANDS) == []
