"""``deploy --by COLUMN``: a policy that decides each group by how often the model is right in it."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest
from scipy import special

from askpoint import evaluate
from askpoint.errors import InputError
from askpoint.live.documents import PolicyDocument
from askpoint.records.stores.deployment import Deployment

SHIFT = {"en": 0.0, "de": 0.0, "tr": -2.5}


def make_rows(n=3000, every=2, seed=2, groups=("en", "de", "tr")):
    rng = np.random.default_rng(seed)
    rows = []
    for i in range(n):
        language = groups[i % len(groups)]
        z = rng.normal(2.2, 1.8)
        fine = rng.random() < special.expit(z + SHIFT.get(language, 0.0))
        rows.append(
            {
                "key": f"k{seed}-{i}",
                "language": language,
                "prediction": "fine",
                "confidence": special.expit(z),
                "truth": "fine" if fine else "harmful",
                "label": "" if rng.random() > 1 / every else "fine" if fine else "harmful",
            }
        )
    return rows


@pytest.fixture(scope="module")
def rows():
    return make_rows()


def without(rows, *names):
    return [{k: v for k, v in row.items() if k not in names} for row in rows]


@pytest.fixture
def policy(shell, rows):
    log = shell.write("log.csv", rows)
    made = shell.run(
        "deploy",
        log,
        "--by",
        "language",
        "--rho",
        0.2,
        "--out",
        shell.folder / "desk" / "policy.json",
    )
    assert made.exit_code == 0, made.output
    return shell.folder / "desk" / "policy.json", made.output


def test_each_group_has_its_own_threshold_and_the_report_says_so(policy):
    path, text = policy
    assert "What it does in each group" in text
    document = PolicyDocument.from_json(path.read_text())
    assert json.loads(path.read_text())["format"] == 2
    thresholds = document.group_scale.thresholds(document.state.threshold)
    assert thresholds["tr"] > thresholds["en"] + 0.05
    assert thresholds["tr"] > thresholds["de"] + 0.05


def test_a_week_of_a_policy_with_groups_is_cheaper_than_one_threshold(shell, policy, rows):
    path, _ = policy
    common = shell.folder / "one" / "policy.json"
    made = shell.run("deploy", shell.write("log.csv", rows), "--rho", 0.2, "--out", common)
    assert made.exit_code == 0, made.output
    week = make_rows(6000, seed=9)
    cost = {}
    for name, where in (("groups", path), ("one", common)):
        with Deployment(where.parent) as service:
            made = service.decide(
                [row["key"] for row in week],
                prediction=[row["prediction"] for row in week],
                confidence=[row["confidence"] for row in week],
                group=[row["language"] for row in week],
            )
            wrong = np.array([row["truth"] != "fine" for row in week])
            cost[name] = float(np.where(made.answer, 5.0 * wrong, 1.0).mean())
            assert service.verify().difference is None
    assert cost["groups"] < 0.97 * cost["one"] < 0.97


def test_decide_watch_and_verify_know_the_groups(shell, policy):
    path, _ = policy
    batch = make_rows(600, seed=5)
    file = shell.write("monday.csv", without(batch, "truth", "label"))
    assert shell.run("decide", path, file).exit_code == 0
    with Deployment(path.parent) as service:
        decided = service.decisions()
        thresholds = service.watch().group_thresholds
        told = dict(zip(decided["key"], decided["action"], strict=True))
        for row in batch:
            sure = row["confidence"] >= thresholds[row["language"]]
            assert (told[row["key"]] == "answer") == sure
        # what is kept is what the model said, so that anybody can check it
        assert decided["confidence"].to_list() == [row["confidence"] for row in batch]
    wanted = shell.folder / "next.csv"
    shell.run("watch", path.parent, "--to-label", wanted)
    truth = {row["key"]: row["truth"] for row in batch}
    rows = pl.read_csv(wanted).to_dicts()
    said = [row | {"label": truth[row["key"]], "judge": "Bob"} for row in rows]
    assert shell.run("label", path.parent, shell.write("said.csv", said)).exit_code == 0
    shown = shell.run("watch", path.parent, "--json")
    groups = {each["group"]: each for each in json.loads(shown.output)["groups"]}
    assert groups["tr"]["threshold"] == thresholds["tr"]
    assert sum(each["decided"] for each in groups.values()) == 600
    assert groups["tr"]["answered"] < groups["en"]["answered"]
    assert sum(each["audits"] for each in groups.values()) == sum(decided["audit"])
    assert "Group by group" in shell.run("watch", path.parent).output
    assert shell.run("verify", path.parent).exit_code == 0


def test_a_new_group_counts_as_one_without_labels(shell, policy):
    path, _ = policy
    with Deployment(path.parent) as service:
        made = service.decide(["a", "b"], confidence=[0.9999999, 0.3], group=["sw", "sw"])
        assert made.action.tolist() == ["answer", "ask"]
    groups = json.loads(shell.run("watch", path.parent, "--json").output)["groups"]
    assert {"group": "sw", "threshold": None, "is_new": True}.items() <= groups[0].items()


def test_a_case_without_its_group_is_refused_and_nothing_is_decided(shell, policy):
    path, _ = policy
    batch = make_rows(10, seed=6)
    file = shell.write("monday.csv", without(batch, "truth", "label", "language"))
    assert "no column 'language'" in shell.run("decide", path, file).output
    with Deployment(path.parent) as service:
        with pytest.raises(InputError, match="a case names none; give each case its group"):
            service.decide("x", confidence=0.99)
        with pytest.raises(InputError, match="a case names none"):
            service.decide(["x", "y"], confidence=[0.99, 0.9], group=["en", None])
        assert service.watch().decided == 0


def test_suspicions_and_groups_are_not_one_column(shell, policy):
    path, _ = policy
    file = shell.write("monday.csv", without(make_rows(10, seed=6), "truth", "label"))
    made = shell.run("decide", path, file, "--raise", "tr=0.5")
    assert made.exit_code == 0, made.output
    suspicions = shell.folder / "found.json"
    suspicions.write_text(
        json.dumps(
            {
                "regions": {
                    "confirmed": [
                        {
                            "region": "r",
                            "conditions": [{"column": "language", "relation": "is", "value": "tr"}],
                        }
                    ]
                }
            }
        )
    )
    refused = shell.refusal("decide", path, file, "--suspicions", suspicions)
    assert "a group is not a region" in refused


def test_a_group_without_labels_is_named_and_refused_where_chance_would_have_labelled_it(
    shell, rows
):
    bare = [row | {"label": "" if row["language"] == "tr" else row["label"]} for row in rows]
    log = shell.write("log.csv", bare)
    out = shell.folder / "desk" / "policy.json"
    wish = ("deploy", log, "--by", "language", "--rho", 0.2, "--out", out)
    made = shell.run(*wish)
    assert made.exit_code != 0
    said = " ".join(made.output.split())
    assert "'tr' has 1,000 cases and no label" in said
    made = shell.run(*wish, "--labels-are-random")
    assert made.exit_code == 0, made.output
    assert "No label at all: tr" in made.output


def test_labels_in_one_group_only_are_refused(shell, rows):
    bare = [row | {"label": row["label"] if row["language"] == "en" else ""} for row in rows]
    out = shell.folder / "desk" / "policy.json"
    made = shell.run(
        "deploy", shell.write("log.csv", bare), "--by", "language", "--rho", 0.2, "--out", out
    )
    assert "and so it is in 1 more: label some of each group" in " ".join(made.output.split())


def test_a_group_of_one_row_does_no_harm(shell, rows):
    odd = [*rows[:-1], rows[-1] | {"language": "la", "label": ""}]
    out = shell.folder / "desk" / "policy.json"
    made = shell.run(
        "deploy", shell.write("log.csv", odd), "--by", "language", "--rho", 0.2, "--out", out
    )
    assert made.exit_code == 0, made.output
    assert "No label at all: la" in made.output


def test_groups_need_a_log(shell):
    made = shell.run("deploy", "--classes", "no,yes", "--by", "language")
    assert "name a log" in made.output


def test_a_policy_that_keeps_a_limit_on_all_cases(shell, rows):
    log = shell.write("log.csv", rows)
    out = shell.folder / "desk" / "policy.json"
    wish = ("deploy", log, "--max-mistakes", 0.1, "--guarantee", 0.1)
    text = " ".join(shell.said(*wish, "--people-right", 0.95, "--out", out).split())
    assert "at most 10% of all cases are wrong in the end" in text.replace("\xa0", " ")
    assert "people get at most 5% of what they see wrong" in text.replace("\xa0", " ")
    document = PolicyDocument.from_json(out.read_text())
    assert (document.terms.aim, document.terms.limit, document.terms.delta) == ("promise", 0.1, 0.1)
    # answers and people each keep the limit, and so does all that comes out
    assert 0.1 * 0.7 + 0.05 * 0.3 <= 0.1
    refused = shell.refusal(*wish, "--people-right", 0.8, "--out", shell.folder / "other")
    assert "what is asked alone exceeds it" in refused
    for more, says in (
        (("--people-right", 1.5), "--people-right must be above 0 and at most 1"),
        (("--max-error", 0.1), "give one objective; got --max-error and --max-mistakes"),
    ):
        assert says in shell.refusal(*wish, *more, "--out", shell.folder / "other")
    for share in (0, 1):
        wish = ("deploy", log, "--max-mistakes", share)
        assert "must be strictly between 0 and 1" in shell.refusal(
            *wish, "--out", shell.folder / "o"
        )
    wish = ("deploy", log, "--rho", 0.1, "--people-right", 0.9)
    assert "add --max-mistakes SHARE" in shell.refusal(*wish, "--out", shell.folder / "o")


def test_evaluate_promises_the_whole_output_and_opens_its_policy(rows):
    swap = {"fine": "harmful", "harmful": "fine", "": None}
    known = [
        {
            "prediction": swap[row["prediction"]] if i % 2 else row["prediction"],
            "confidence": row["confidence"],
            "label": swap[row["label"]] if i % 2 else row["label"] or None,
        }
        for i, row in enumerate(rows)
    ]
    report = evaluate(pl.DataFrame(known), max_mistakes=0.1, guarantee=0.1)
    promise = report.content["recommended"]["whole_output"]
    assert promise["left_to_the_model"]["rows"] > 0
    policy = report.policy(secret=b"sixteen or more bytes")
    assert (policy.terms.aim, policy.terms.limit, policy.terms.delta) == ("promise", 0.1, 0.1)
