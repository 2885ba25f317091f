"""`askpoint compare` on two systems: the same answer from each form of file, and each bad input."""

import re

import numpy as np
import pytest
from tests.cli.panels import gold_rows, system_rows

from askpoint.judges.gold.system_difference import compare_systems
from askpoint.records.votes import read_votes


@pytest.fixture
def panel(shell):
    rows, truth = system_rows()
    tasks = np.random.default_rng(0).permutation(list(truth["A"]))[:80].tolist()
    files = [shell.write(f"{name}.csv", rows[name]) for name in "AB"]
    gold = shell.write("gold.csv", gold_rows(truth, tasks))
    return rows, truth, tasks, files, gold


def test_two_files_one_file_and_a_long_file_say_the_same_as_the_science(panel, shell):
    rows, truth, tasks, files, gold = panel
    told = shell.json("compare", *files, "--gold", gold)
    systems = told["systems"]
    science = compare_systems(
        *(read_votes(file) for file in files),
        *({task: truth[name][task] for task in tasks} for name in "AB"),
        passing="pass",
    )
    assert systems["difference"] == pytest.approx(science.difference)
    assert systems["interval"] == pytest.approx(list(science.interval))
    assert systems["chance_better"] == pytest.approx(science.chance_better)
    assert (systems["n_items"], systems["n_gold"], systems["positive"]) == (300, 80, "pass")
    both = [{"system": name, **row} for name in "AB" for row in rows[name]]
    one = shell.write("both.csv", both)
    assert shell.json("compare", one, "--system", "system", "--gold", gold)["systems"] == systems
    long = [
        {"model": row["system"], "task": row["task"], "worker": judge, "label": row[judge]}
        for row in both
        for judge in row
        if judge.startswith("j")
    ]
    golds = [
        {"model": row["system"], "task": row["task"], "label": row["label"]}
        for row in gold_rows(truth, tasks)
    ]
    found = shell.json(
        "compare", shell.write("long.csv", long), "--system", "model",
        "--gold", shell.write("long-gold.csv", golds),
    )  # fmt: skip
    assert found["systems"] == systems
    within = [row | {"people": truth[row["system"]][row["task"]] if row["task"] in tasks else ""}
              for row in both]  # fmt: skip
    column = shell.write("column.csv", within)
    found = shell.json("compare", column, "--system", "system", "--gold", "people")
    assert found["systems"] == systems
    back = shell.json("compare", one, "--system", "system", "--systems", "B,A", "--gold", gold)
    assert back["systems"]["difference"] == pytest.approx(-systems["difference"])


def test_the_words_say_how_much_better_and_how_sure_that_is(panel, shell, reader):
    _, _, _, files, gold = panel
    page = str(shell.folder / "page.html")
    text = " ".join(shell.said("compare", *files, "--gold", gold, "--html", page).split())
    assert re.search(
        r"B minus A: [+-]\d+\.\d points \(-?\d+\.\d to -?\d+\.\d\), 80 items labelled", text
    )
    assert re.search(r"labelled; by the judges alone: [+-]\d+\.\d\.", text)
    assert "The chance that B is better is" in text
    assert "B minus A" in (shell.folder / "page.html").read_text()
    assert reader.problems(shell.folder / "page.html") == []


def test_without_labels_there_is_no_interval_but_items_to_label(panel, shell):
    _, _, _, files, _ = panel
    told = shell.json("compare", *files, "--propose", "20")
    systems = told["systems"]
    assert systems["difference"] is systems["interval"] is systems["chance_better"] is None
    assert "favours one system" in told["reasons"]["interval"]
    assert len(set(systems["proposed"])) == 20
    assert systems["by_votes"] != 0


def test_what_does_not_count_is_said(panel, shell):
    rows, truth, tasks, files, _ = panel
    fewer = shell.write("B.csv", rows["B"][:250])
    labels = [*gold_rows(truth, tasks), {"task": "q9999", "system": "A", "label": "pass"}]
    labels = [row for row in labels if (row["task"], row["system"]) != (tasks[0], "B")]
    told = shell.json("compare", files[0], fewer, "--gold", shell.write("odd.csv", labels))
    systems = told["systems"]
    kept = [task for task in tasks[1:] if int(task[1:]) < 250]
    assert (systems["n_items"], systems["n_left_out"]) == (250, 50)
    assert systems["n_gold"] == len(kept)
    assert systems["n_half"] == (int(tasks[0][1:]) < 250)
    assert systems["n_elsewhere"] >= 1


def test_scores_pass_from_a_level_on(panel, shell):
    _, truth, tasks, words, _ = panel
    rng = np.random.default_rng(3)
    files = []
    for name in "AB":
        scores = [
            {"task": task} | {f"j{k}": int(np.clip(rng.normal(4 if v == "pass" else 2), 1, 5))
                              for k in range(3)}
            for task, v in truth[name].items()
        ]  # fmt: skip
        files.append(shell.write(f"{name}-scores.csv", scores))
    labels = [row | {"system": f"{row['system']}-scores"} for row in gold_rows(truth, tasks)]
    gold = shell.write("people.csv", labels)
    told = shell.json("compare", *files, "--pass-at", "3", "--gold", gold)
    assert told["labels"] == ["fail", "pass"]
    lower, upper = told["systems"]["interval"]
    real = np.mean([v == "pass" for v in truth["B"].values()]) - np.mean(
        [v == "pass" for v in truth["A"].values()]
    )
    assert lower <= real <= upper
    assert "no column" in shell.refusal("compare", *words, "--pass-at", "3")


def test_bad_input_on_two_systems(panel, shell):
    rows, truth, tasks, (a, b), _ = panel
    moved = [row | {"task": f"x{row['task']}"} for row in rows["B"]]
    other = shell.write("other.csv", moved)
    assert "no item was answered by both" in shell.refusal("compare", a, other)
    strange = [row | {"task": f"z{row['task']}"} for row in gold_rows(truth, tasks)]
    said = shell.refusal("compare", a, b, "--gold", shell.write("strange.csv", strange))
    assert "people labelled other items" in said
    assert "zq" in said
    no_system = [{"task": t, "label": truth["A"][t]} for t in tasks]
    said = shell.refusal("compare", a, b, "--gold", shell.write("plain.csv", no_system))
    assert "must say of which system" in said
    whose = [row | {"system": "gpt"} for row in gold_rows(truth, tasks, "A")]
    assert "'gpt'" in shell.refusal("compare", a, b, "--gold", shell.write("gpt.csv", whose))
    assert "got 3 files" in shell.refusal("compare", a, b, a)
    no_task = [{k: v for k, v in row.items() if k != "task"} for row in rows["A"]]
    assert "--task" in shell.refusal("compare", shell.write("rows.csv", no_task), b)
    twice = shell.write("twice.csv", [*rows["A"], rows["A"][0]])
    assert "several rows for the item 'q0'" in shell.refusal("compare", twice, b)
    three = [{"m": "xyz"[i % 3], **row} for i, row in enumerate(rows["A"])]
    said = shell.refusal("compare", shell.write("three.csv", three), "--system", "m")
    assert "names 3 systems" in said
    named = [{k: {"pass": "spam", "fail": "ham"}.get(v, v) for k, v in row.items()}
             for row in rows["A"]]  # fmt: skip
    spam = shell.write("spam.csv", named)
    assert "--positive" in shell.refusal("compare", spam, shell.write("spam2.csv", named))
    assert "neither a file nor a column" in shell.refusal("compare", a, b, "--gold", "nowhere")
    assert "--window is for one" in shell.refusal("compare", a, b, "--window", "50")


def test_a_judge_who_voted_on_ten_items_is_named_and_does_no_harm(panel, shell):
    rows, _, _, _, gold = panel
    files = [
        shell.write(f"{name}.csv", [row | {"late": row["j0"] if i < 10 else ""}
                                    for i, row in enumerate(rows[name])])
        for name in "AB"
    ]  # fmt: skip
    text = " ".join(shell.said("compare", *files, "--gold", gold).split())
    assert "late voted on 20 answers of 600" in text
    assert shell.json("compare", *files, "--gold", gold)["systems"]["interval"]


def test_labels_in_other_words_are_the_same_labels(panel, shell):
    _, truth, tasks, files, gold = panel
    yes = {"pass": "True", "fail": "False"}
    rows = [row | {"label": yes[row["label"]]} for row in gold_rows(truth, tasks)]
    other = shell.write("true.csv", rows)
    told = shell.json("compare", *files, "--gold", other)
    assert told["systems"] == shell.json("compare", *files, "--gold", gold)["systems"]
