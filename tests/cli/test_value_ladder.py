"""``--rung NAME=COLUMNS:PRICE``: a ladder in terminal, JSON and page, and as a policy that calls."""

from __future__ import annotations

import csv
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner
from scipy import special

from askpoint.cli.main import main
from askpoint.errors import InputError
from askpoint.live.documents import PolicyDocument
from askpoint.live.policy import Policy
from askpoint.live.terms import Terms
from askpoint.live.worth import LivePrices
from askpoint.records.ladder_rule import read_ladder_batch
from askpoint.records.stores.deployment import Deployment
from askpoint.reports.words import amount

RUNGS = ("--rung", "small=p_small:0.01", "--rung", "large=p_large:0.2:3")
WISH = (*RUNGS, "--rho", 0.05, "--classes", "ham,spam")


def make_rows(n=1500, n_labelled=300, seed=2):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, n)
    hard = np.exp(0.5 * rng.normal(0, 1, n))
    rows = []
    small, large = (
        special.expit(1.3 * ((2 * truth - 1) * skill * hard + rng.normal(0, 1, n)))
        for skill in (1.0, 2.5)
    )
    for i in range(n):
        label = ("ham", "spam")[truth[i]] if i < n_labelled else ""
        rows.append(
            {"key": f"k{i}", "label": label, "p_small": small[i], "p_large": large[i]}
            | {"truth": ("ham", "spam")[truth[i]]}
        )
    return rows


@pytest.fixture(scope="module")
def rows():
    return make_rows()


@pytest.fixture
def log(shell, rows):
    return shell.write("log.csv", rows)


def test_a_ladder_reaches_terminal_json_and_page(shell, log, tmp_path):
    page = tmp_path / "page.html"
    text = " ".join(shell.said("value", log, *WISH).split())
    assert "Call small on every case, then large on" in text
    assert "The ladder is used because it costs less than" in text
    content = shell.answer(log, *WISH, "--html", page)
    told = content["recommended"]
    assert told["rule"] == "ladder"
    assert told["first"] == "small"
    assert 0 < told["calls"]["large"] < 1
    assert told["seconds"] is None
    assert "time of a call" in told["reasons"]["seconds"]
    assert told["cost_per_1000"]["checks"] < content["best_single"]["cost_per_1000"]["checks"]
    assert {tuple(stage["seen"]) for stage in told["stages"]} == {("small",), ("small", "large")}
    written = page.read_text(encoding="utf-8")
    assert "What to do with a case" in written
    title = f"Let the models decide {100 - 100 * told['asked']['share']:.0f}% alone."
    assert f"<h1>{title}</h1>" in written
    assert text.startswith(title)


def test_money_is_the_same_ladder_in_other_units(shell, log):
    checks = shell.answer(log, *WISH)
    money = shell.answer(
        log, "--rung", "small=p_small:0.02", "--rung", "large=p_large:0.4:3", "--mistake", 40,
        "--check", 2, "--classes", "ham,spam",
    )  # fmt: skip
    assert money["recommended"]["cost_per_1000"] == checks["recommended"]["cost_per_1000"]
    assert [rung["price"] for rung in money["rungs"]] == [0.01, 0.2]


def test_costs_are_told_in_the_currency(shell, log):
    words = (*RUNGS, "--mistake", 40, "--check", 2, "--classes", "ham,spam")
    told = shell.run("value", log, *words, "--currency", "EUR").stdout
    bare = shell.run("value", log, *words).stdout
    assert re.search(r"1,000 cases cost [\d,.]+\sEUR \(95%", told)
    assert re.search(r"1,000 cases cost [\d,.]+ in money \(95%", bare)
    amounts = [re.findall(r"1,000 cases cost ([\d,.]+)", text) for text in (told, bare)]
    assert amounts[0] == amounts[1] != []


def test_seconds_are_told_where_each_rung_has_them(shell, log):
    told = shell.answer(
        log, "--rung", "small=p_small:0.01:0.5", "--rung", "large=p_large:0.2:3", "--rho", 0.05
    )["recommended"]
    assert told["seconds"] == pytest.approx(0.5 + 3 * told["calls"]["large"])


def test_a_policy_calls_takes_the_output_back_and_verifies(shell, log, rows, tmp_path):
    policy = tmp_path / "policy" / "policy.json"
    shell.said("value", log, *WISH, "--policy", policy)
    plain = json.loads(policy.read_text())
    assert plain["format"] == 2
    assert set(plain["model"]["ladder"]["stages"]) == {"small", "small+large"}

    def decide(name, *columns):
        batch = [{c: row[c] for c in ("key", *columns)} for row in rows[500:800]]
        out = tmp_path / f"{name}.csv"
        summary = shell.said("decide", policy, shell.write(f"b{name}.csv", batch), "--out", out)
        with out.open(encoding="utf-8") as file:
            return summary, {row["key"]: row for row in csv.DictReader(file)}

    summary, first = decide("first", "p_small")
    assert len(first) == 300
    calls = [row for row in first.values() if row["action"] == "call"]
    assert {row["call"] for row in calls} == {"large"}
    assert f"to call large on {len(calls)}" in summary
    assert all(row["seq"] == "" for row in calls)  # nothing is decided of them
    _, then = decide("then", "p_small", "p_large")
    assert {row["action"] for row in then.values()} == {"answer", "ask"}
    for key, row in first.items():  # what was decided stays as it was
        if row["action"] != "call":
            assert then[key]["seq"] == row["seq"]
            assert then[key]["group"] == "small"
        else:
            assert then[key]["group"] == "small+large"
    truth = {row["key"]: row["truth"] for row in rows}
    answered = [row for row in then.values() if row["action"] == "answer"]
    assert len(answered) > 100
    assert sum(row["prediction"] != truth[row["key"]] for row in answered) < 0.08 * len(answered)
    labels = [
        {"key": row["key"], "label": truth[row["key"]], "judge": "ann"}
        for row in then.values()
        if row["action"] == "ask" or row["audit"] == "true"
    ]
    shell.said("label", policy, shell.write("labels.csv", labels))
    assert "no difference" in shell.said("verify", policy)
    _check_what_calls_cost(shell, policy, len(calls), tmp_path / "watch.html")


def _check_what_calls_cost(shell, policy, n_large, page):
    """Each case bought a call of small for .01 of a check, and those sent on one of large for .2."""
    told = shell.json("watch", policy)
    assert {name: one["cases"] for name, one in told["calls"].items()} == {
        "small": 300, "large": n_large
    }  # fmt: skip
    bought = 0.05 * (0.01 * 300 + 0.2 * n_large) / 0.3  # in mistakes, per 1,000 cases
    each = [one["cost_per_1000"] for one in told["calls"].values()]
    assert sum(each) == pytest.approx(bought)
    people = 0.05 * (told["asked"] + told["audited"]) / 0.3
    known = people + bought
    for end, mistakes in zip(told["cost_per_1000"], told["mistakes"], strict=True):
        assert end == pytest.approx(known + mistakes / 0.3)
    assert told["saved_per_1000"][0] == pytest.approx(50 - told["cost_per_1000"][1])
    text = shell.said("watch", policy, "--html", page)
    assert f"large called {n_large}" in " ".join(text.split())
    row = f"calls of 1,000 cases, {amount(bought)}"
    assert row in " ".join(text.split())
    assert "calls of 1,000 cases, mistakes" in page.read_text(encoding="utf-8")
    with Deployment(policy.parent) as service:
        worth = service.watch().worth
        assert worth.calls == (300, n_large)
        assert worth.cost == pytest.approx(told["cost_per_1000"])
        history = service.history(LivePrices(20, 1).with_calls_of(service.document.model))
        at_end = history.moments[-1].worth
        assert at_end.cost_estimate == pytest.approx(20 * worth.cost_estimate)
        assert service.watch(LivePrices(20, 1, calls=(0, 0))).worth.spent_on_calls == 0
        assert PolicyDocument.from_json(service.document.to_json()).state.calls == ()


def lines_of(cases):
    return "".join(json.dumps(case) + "\n" for case in cases)


def test_lines_are_answered_in_their_order(shell, log, tmp_path):
    policy = tmp_path / "policy" / "policy.json"
    shell.said("value", log, *WISH, "--policy", policy)
    lines = [
        {"key": "a", "p_small": 0.6},
        {"key": "b", "p_small": 0.6, "p_large": 0.9999},
        {"key": "c", "p_small": 0.5},
    ]
    result = CliRunner().invoke(main, ["decide", str(policy), "-"], input=lines_of(lines))
    assert result.exit_code == 0, result.output
    told = [json.loads(line) for line in result.stdout.splitlines()]
    assert [row["key"] for row in told] == ["a", "b", "c"]
    assert [row["call"] for row in told] == ["large", None, "large"]
    assert told[0]["action"] == "call"
    assert told[1]["prediction"] == "spam"
    fewer = json.dumps({"key": "b", "p_small": 0.6}) + "\n"
    again = CliRunner().invoke(
        main, ["decide", str(policy), "-"], input=fewer + lines_of(lines[:1])
    )
    assert [json.loads(line) for line in again.stdout.splitlines()] == [told[1], told[0]]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--rung", "small"), "--rung must be NAME=COLUMNS:PRICE"),
        (("--rung", "small=p_small"), "--rung must be NAME=COLUMNS:PRICE"),
        (("--rung", "small=p_small:much"), "--rung must be NAME=COLUMNS:PRICE"),
        (("--rung", "small=p_small:-1"), "must be a finite number, 0 or more"),
        (("--rung", "small=q_small:0.1"), "no column"),
        ((*RUNGS, "--max-error", 0.05), "--max-error does not go with --rung"),
        ((*RUNGS, "--by", "key"), "--by does not go with --rung"),
        ((*RUNGS, "--rho", 2), "--rho must be between 0 and 1"),
        ((*RUNGS, "--rho", 0.1, "--currency", "EUR"), "--currency names what prices are in"),
        ((*RUNGS, "--mistake", 5), "--mistake and --check belong together"),
        ((*RUNGS, "--mistake", 5, "--check", 6), "--mistake must be more than --check"),
        ((*RUNGS, "--mistake", 5, "--check", 0), "both above 0"),
        ((*RUNGS, "--mistake", 0, "--check", 0), "both above 0"),
        ((*RUNGS, "--rho", 0.1, "--mistake", 5, "--check", 1), "got --rho and --mistake"),
        ((*RUNGS, "--people-right", 1.5), "must be above 0 and at most 1"),
        (("--policy", "x/policy.json"), "add --rung"),
    ],
)
def test_what_is_no_ladder_is_refused(shell, log, options, said):
    assert said in shell.refusal("value", log, *options)


def test_a_rung_that_was_called_nowhere_is_refused(shell, rows):
    for columns, why in (
        ("p_none", "in none of the rows:"),
        ("p_late", "in none of the rows with a label"),
    ):
        changed = [
            row | {"p_none": "", "p_late": "" if row["label"] else row["p_large"]} for row in rows
        ]
        log = shell.write("changed.csv", changed)
        refusal = shell.refusal(
            "value",
            log,
            "--rung",
            "small=p_small:0",
            "--rung",
            f"dear={columns}:0.1",
            "--classes",
            "ham,spam",
        )
        assert "the rung 'dear' has an output" in refusal
        assert why in refusal


def test_labels_where_a_rung_was_unsure_are_refused_unless_known_to_be_random(shell, rows):
    unsure = [
        row | {"label": row["truth"] if abs(row["p_small"] - 0.5) < 0.2 else ""} for row in rows
    ]
    log = shell.write("unsure.csv", unsure)
    assert "labels depend on the confidence of 'small'" in shell.refusal("value", log, *WISH)
    assert shell.answer(log, *WISH, "--labels-are-random")["n_labelled"] > 100


def test_too_few_labels_are_refused(shell, rows):
    few = [row | {"label": row["label"] if i < 9 else ""} for i, row in enumerate(rows)]
    assert "takes 10 labels or more; the log has 9" in shell.refusal(
        "value", shell.write("few.csv", few), *WISH
    )


def test_where_people_are_cheapest_no_policy_opens(shell, log, tmp_path):
    wish = ("--rung", "small=p_small:2", "--classes", "ham,spam")
    content = shell.answer(log, *wish)
    assert content["recommended"]["rule"] == "ask_all"
    assert content["recommended"]["first"] is None
    assert "Send every case to review.\n\nRecommendation" in shell.said("value", log, *wish)
    assert "takes no policy" in shell.refusal(
        "value", log, *wish, "--policy", tmp_path / "p" / "policy.json"
    )


def test_columns_of_one_model_are_refused_by_a_ladders_policy(shell, log, tmp_path):
    policy = tmp_path / "policy" / "policy.json"
    shell.said("value", log, *WISH, "--policy", policy)
    batch = shell.write("batch.csv", [{"key": "a", "p_small": 0.9}, {"key": "a", "p_small": 0.8}])
    assert "names one twice" in shell.refusal("decide", policy, batch)
    assert "leave out --prediction" in shell.refusal(
        "decide", policy, batch, "--prediction", "p_small"
    )


def test_cases_without_a_path_are_refused_by_a_ladders_deployment(shell, log, tmp_path):
    policy = tmp_path / "policy" / "policy.json"
    shell.said("value", log, *WISH, "--policy", policy)
    with Deployment(policy.parent) as service:
        with pytest.raises(InputError, match="one of a ladder"):
            service.decide("a", confidence=0.99, prediction="ham")
        with pytest.raises(InputError, match="got 'large'"):
            service.decide("a", confidence=0.99, prediction="ham", group="large")
        frame = pl.DataFrame({"key": ["a", "b"], "p_small": [0.5, 0.5], "p_large": [None, 0.9999]})
        batch, calls = read_ladder_batch(frame, service.document.model)
        assert calls == [("a", "large")]
        assert batch.group == ["small+large"]
        ((_, made),) = service.decide_parts(batch)
        assert [row.key for row in made.rows] == ["b"]


def test_three_language_models_are_a_ladder(shell, tmp_path):
    if "LADDER_REPOSITORY" not in os.environ:
        pytest.skip("LADDER_REPOSITORY names no copy of the published judgements")
    bench = Path(__file__).parents[2] / "benchmarks" / "bench_ladder.py"
    log = tmp_path / "published.csv"
    subprocess.run([sys.executable, str(bench), "csv", str(log)], check=True)
    rungs = [
        word
        for name, price in (("mistral", 0.002), ("gpt35", 0.02), ("gpt4", 0.08))
        for word in ("--rung", f"{name}={name}_*:{price}")
    ]
    content = shell.answer(log, *rungs, "--rho", 0.2)
    assert (content["n_items"], content["n_labelled"]) == (500, 300)
    accuracy = [rung["accuracy"] for rung in content["rungs"]]
    assert all(0.7 < each < 0.85 for each in accuracy)  # as published: .750, .756, .784 of 500
    assert content["recommended"]["cost_per_1000"]["checks"] < 1000


def test_a_deployment_takes_outputs_and_says_which_rung_to_call(shell, log, tmp_path):
    policy = tmp_path / "policy" / "policy.json"
    shell.said("value", log, *WISH, "--policy", policy)
    with Deployment(policy.parent) as service:
        asked = service.decide("a", outputs={"p_small": 0.5}, content="hello")
        assert (asked.action, asked.call, asked.seq) == ("call", "large", -1)
        then = service.decide("a", outputs={"p_small": 0.5, "p_large": 0.9999}, content="hello")
        assert (then.call, then.seq) == (None, 0)
        assert then.action in {"answer", "ask"}
        many = service.decide(
            ["a", "b", "c"],
            outputs={"p_small": [0.5, 0.5, 0.5], "p_large": [0.9999, None, 0.5]},
            content=["hello", "you", "there"],
        )
        assert many.seq.tolist() == [0, -1, 1]  # the first keeps its decision
        assert many.action[1:].tolist() == ["call", "ask"]
        assert many.call.tolist() == [None, "large", None]
        less = service.decide(["a", "d"], outputs={"p_small": [0.5, 0.5]}, content=["hello", "x"])
        assert less.seq.tolist() == [0, -1]  # a case that was decided needs no output any more
        assert less.action.tolist() == [then.action, "call"]
        assert less.call.tolist() == [None, "large"]
        assert service.verify().difference is None
        for wrong, why in (
            ({"p_smal": 0.5}, "p_smal"),
            ({"p_small": "much"}, "must hold numbers"),
            ({"p_small": 1.5}, "between 0 and 1|\\[0, 1\\]"),
        ):
            with pytest.raises(InputError, match=why):
                service.decide("d", outputs=wrong)
        with pytest.raises(InputError, match="for each of 2 cases; got 1"):
            service.decide(["d", "e"], outputs={"p_small": [0.5]})
        with pytest.raises(InputError, match="without prediction"):
            service.decide("d", outputs={"p_small": 0.5}, confidence=0.9)


def test_outputs_are_refused_by_the_policy_of_one_model():
    secret = b"sixteen or more!"
    policy = Policy.from_nothing(Terms("money", 0.2), secret=secret)
    service = Deployment(":memory:", policy, secret=secret)
    with pytest.raises(InputError, match="this policy is of one model"):
        service.decide("a", outputs={"p_small": 0.5})


def test_a_column_of_the_first_class_is_read_so_and_said_first(shell, rows):
    turned = [row | {"p_small": 1 - row["p_small"], "p_large": 1 - row["p_large"]} for row in rows]
    log = shell.write("turned.csv", turned)
    text = shell.said("value", log, *RUNGS, "--rho", 0.05)
    assert text.startswith("p_small is read as the probability of 'ham': it is highest where")
    content = shell.answer(log, *RUNGS, "--rho", 0.05)
    assert [rung["probability_of"] for rung in content["rungs"]] == ["ham", "ham"]
    assert all(rung["accuracy"] > 0.75 for rung in content["rungs"])
    refusal = shell.refusal("value", log, *WISH)
    assert "Add --classes spam,ham" in refusal


def test_a_prefix_is_told_by_its_columns(shell, log):
    wish = ("--rung", "small=p_smal:0.01", "--rho", 0.05)
    assert "small: p_small (probability of spam)" in " ".join(
        shell.said("value", log, *wish).split()
    )
    assert shell.answer(log, *wish)["rungs"][0]["columns"] == ["p_small"]


def test_where_labels_do_not_settle_it_against_asking_everybody_that_is_said(shell):
    for n_labelled, settled in ((10, False), (300, True)):
        log = shell.write("few.csv", make_rows(n_labelled=n_labelled))
        low, high = shell.json("value", log, *WISH)["recommended"]["cost_per_1000"]["interval"]
        assert (low < 1000 < high) is not settled
        said = " ".join(shell.said("value", log, *WISH).split())
        assert ("these labels do not settle which costs less" in said) is not settled
        assert said.startswith("Not yet: these labels do not settle") is not settled


def test_a_plan_says_what_to_run_and_to_label_next(shell, rows):
    part = [row | {"p_large": row["p_large"] if i < 60 else ""} for i, row in enumerate(rows)]
    part = [row | {"label": row["label"] if i < 60 else ""} for i, row in enumerate(part)]
    log = shell.write("part.csv", part)
    found = shell.answer(
        log,
        "--rung",
        "small=p_small:0.01",
        "--rung",
        "large=p_large:0.4",
        "--rho",
        0.05,
        "--classes",
        "ham,spam",
    )
    guard, plan = found["guard"], found["plan"]
    if guard["is_used"] or guard["saved_by_labels"] <= 0:
        assert plan["n_labels"] is None
        assert plan["reasons"]["n_labels"]
    else:
        all_of_them = guard["n_labelled"] + plan["n_labels"]
        assert (
            guard["error"] * np.sqrt(guard["n_labelled"] / all_of_them) <= guard["saved_by_labels"]
        )
    to = shell.folder / "next.csv"
    said = shell.run("value", log, *WISH, "--propose", 40, "--to", to)
    assert "40 cases drawn at random" in said.stderr
    drawn = pl.read_csv(to)
    assert len(drawn) == 40
    assert set(drawn["to_run"]) == {"large"}
    assert drawn["label"].is_null().all()
    assert "exists already" in shell.refusal("value", log, *WISH, "--propose", 40, "--to", to)
    none = ("--propose", 0, "--to", shell.folder / "n.csv")
    assert "propose at least 1 case" in shell.refusal("value", log, *WISH, *none)
    done = shell.write("done.csv", [row | {"label": row["truth"]} for row in rows])
    refused = shell.refusal("value", done, *WISH, "--propose", 5, "--to", shell.folder / "n.csv")
    assert "every case has a label" in refused
