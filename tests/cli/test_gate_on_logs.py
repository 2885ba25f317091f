"""A gate on a log of a model's predictions: is it right on enough of the cases?"""

from __future__ import annotations

import json

import numpy as np
import pytest

from askpoint.measures.intervals import clopper_pearson
from askpoint.measures.seals import order_by_seal, seal_of

N, WORDS = 1000, ("fail", "pass")


@pytest.fixture
def world(shell):
    """1,000 cases, how sure the model is, and whether it is right: on about 85%."""
    rng = np.random.default_rng(8)
    sure = 1 - rng.beta(0.7, 1.8, N) / 2
    right, said = rng.random(N) < sure, rng.integers(0, 2, N)
    truth = np.where(right, said, 1 - said)

    def write(rows, name="log.csv"):
        return shell.write(
            name,
            [
                {
                    "id": f"c{i}",
                    "label": WORDS[truth[i]] if i in rows else "",
                    "prediction": WORDS[said[i]],
                    "confidence": f"{sure[i]:.5f}",
                }
                for i in range(N)
            ],
        )

    return write, sure, right, truth


def gate(shell, path, *words):
    result = shell.run("gate", path, *words, "--json")
    return result.exit_code, json.loads(result.stdout)


def test_exit_codes_say_passes_fails_undecided(shell, world):
    write, _, right, _ = world
    rows = set(np.random.default_rng(1).permutation(N)[:300].tolist())
    path = write(rows)
    for edge, code, outcome in ((0.7, 0, "passes"), (0.85, 3, "undecided"), (0.95, 1, "fails")):
        found, content = gate(shell, path, "--at-least", edge)
        (verdict,) = content["gate"]["verdicts"]
        assert (found, verdict["outcome"], verdict["rule"]) == (code, outcome, "right on")
        assert verdict["value"] == pytest.approx(right[sorted(rows)].mean())
    proposed = gate(shell, path, "--at-least", 0.85)[1]["gate"]["proposed"]
    names = [f"c{i}" for i in range(N)]
    left = [name for name in order_by_seal(names) if int(name[1:]) not in rows]
    assert proposed == left[: len(proposed)]
    assert gate(shell, path, "--at-least", 0.85)[1]["seal"] == seal_of(names)
    said = " ".join(shell.run("gate", path, "--at-least", 0.7).stdout.split())
    assert "Passes: the model is right on at least 70% of the cases." in said.replace("\xa0", " ")
    assert "--at-least takes a share between 0 and 1" in shell.refusal(
        "gate", path, "--at-least", 1.3
    )


def test_selected_labels_decide_nothing_and_the_first_line_says_where_labels_lack(shell, world):
    write, sure, right, _ = world
    low = np.flatnonzero(sure < np.quantile(sure, 2 / 3))
    rows = set(np.random.default_rng(2).choice(low, 200, replace=False).tolist())
    code, content = gate(shell, write(rows), "--at-least", 0.6)
    assert code == 3
    assert content["is_refused"]
    assert content["p_random"] < 0.005
    assert content["right"] is None
    low_end, high_end = content["bounds"]
    assert low_end < right.mean() < high_end
    (verdict,) = content["gate"]["verdicts"]
    assert verdict["reason"].startswith("the labels were not drawn at random")
    assert "with a confidence of" in verdict["reason"]
    assert len(content["gate"]["proposed"]) == verdict["more"]
    said = " ".join(shell.run("gate", write(rows), "--at-least", 0.6).stdout.split())
    assert (
        "No number follows from these labels. If the person who chose them saw nothing but the"
        in said
    )


def test_an_audit_that_falls_with_confidence_decides(shell, world):
    write, sure, _, _ = world
    chance = 0.15 + (1 - sure) * 2
    rng = np.random.default_rng(3)
    rows = set(rng.choice(N, 300, replace=False, p=chance / chance.sum()).tolist())
    code, content = gate(shell, write(rows), "--at-least", 0.7)
    assert (code, content["is_balanced"]) == (0, True)
    assert (
        "not drawn with equal chances" in shell.run("gate", write(rows), "--at-least", 0.7).stdout
    )
    code, content = gate(shell, write(rows), "--at-least", 0.7, "--look", "again")
    assert code == 3
    assert (
        "--look again takes labels drawn with equal chances"
        in content["gate"]["verdicts"][0]["reason"]
    )


def test_labels_in_a_file_of_their_own_and_in_sealed_order(shell, world):
    write, sure, right, truth = world
    path = write(set())
    code, content = gate(shell, path, "--at-least", 0.81)
    assert (code, content["n_labels"]) == (3, 0)
    assert content["gate"]["verdicts"][0]["reason"] == "no labels by people"
    order = [int(name[1:]) for name in content["gate"]["proposed"]]
    failures = np.flatnonzero(sure < np.quantile(sure, 1 / 4))[:100].tolist()
    both = list(dict.fromkeys([*order[:80], *failures]))
    for key in ("id", "task"):
        gold = [{key: f"c{i}", "label": WORDS[truth[i]]} for i in both]
        code, content = gate(
            shell, path, "--at-least", 0.7, "--gold", shell.write("gold.csv", gold)
        )
        assert content["n_labels"] >= 80  # failures that lie among the first count, too
        assert content["n_uncounted"] == len(both) - content["n_labels"] > 50
        assert content["right"] == pytest.approx(right[order[: content["n_labels"]]].mean())
    to = shell.folder / "drawn.csv"
    shell.said("value", path, "--propose", 90, "--random", "--to", to)
    lines = to.read_text(encoding="utf-8").splitlines()
    at = lines[0].split(",").index("label")
    filled = [lines[0]]
    for line in lines[1:]:
        cells = line.split(",")
        cells[at] = WORDS[truth[int(cells[0][1:])]]
        filled.append(",".join(cells))
    to.write_text("\n".join(filled), encoding="utf-8")
    assert gate(shell, path, "--at-least", 0.7, "--gold", to)[1]["n_labels"] == 90


def test_clusters_count_once(shell, world):
    _, sure, right, truth = world
    rows = [
        {
            "id": f"c{i}-{copy}",
            "label": WORDS[truth[i]] if i < 60 else "",
            "prediction": WORDS[truth[i] if right[i] else 1 - truth[i]],
            "confidence": f"{sure[i]:.5f}",
            "user": f"u{i}",
        }
        for i in range(200)
        for copy in range(4)
    ]
    path = shell.write("copies.csv", rows)
    content = gate(shell, path, "--at-least", 0.7, "--clusters", "user")[1]
    assert (content["n_items"], content["n_labels"]) == (200, 60)
    low, high = content["interval"]
    of_copies = clopper_pearson(240 * content["right"], 240, 0.95)
    assert high - low > 1.5 * (of_copies.upper - of_copies.lower)


def test_options_of_votes_mean_votes(shell, world):
    write, _, _, _ = world
    path = write(set(range(0, N, 4)))
    code, content = gate(shell, path, "--at-least", 0.8, "--positive", "pass")
    assert code == 1  # half of them are passes
    assert content["gate"]["verdicts"][0]["subject"] == "pass"
    line = shell.refusal("gate", path, "--at-least", 0.8, "--no-family", "--window", 100)
    assert "seems to be a log of a model's predictions" in line
    assert "leave out options for votes" in line


def test_columns_of_two_judges_are_votes(shell, world):
    _, _, _, truth = world
    rng = np.random.default_rng(4)
    rows = [
        {
            "task": i,
            "gpt": WORDS[truth[i] if rng.random() < 0.9 else 1 - truth[i]],
            "claude": WORDS[truth[i] if rng.random() < 0.8 else 1 - truth[i]],
        }
        for i in range(300)
    ]
    gold = shell.write(
        "gold.csv", [{"task": i, "label": WORDS[truth[i]]} for i in range(0, 300, 3)]
    )
    content = gate(shell, shell.write("votes.csv", rows), "--at-least", 0.5, "--gold", gold)[1]
    assert content["gate"]["verdicts"][0]["rule"] == "at least"


def test_bad_labels_and_columns_are_one_line(shell, world):
    write, _, _, _ = world
    path = write(set())
    for cells, why in (
        ([("zzz", "pass")], "labels the case 'zzz', which the log does not have"),
        ([("c1", "pass"), ("c1", "fail")], "say both 'pass' and 'fail' of 'c1'"),
        ([("c1", "perhaps")], "'perhaps'"),
    ):
        gold = shell.write("gold.csv", [{"id": name, "label": label} for name, label in cells])
        assert why in shell.refusal("gate", path, "--at-least", 0.7, "--gold", gold)
    line = shell.refusal("gate", path, "--at-least", 0.7, "--clusters", "nobody")
    assert "no column 'nobody'" in line


def test_three_labels_decide_nothing_however_clear(shell, world):
    write, _, right, _ = world
    rows = set(np.flatnonzero(right)[:3].tolist())
    code, content = gate(shell, write(rows), "--at-least", 0.01)
    assert code == 3
    assert content["gate"]["verdicts"][0]["value"] in (None, 1.0)
