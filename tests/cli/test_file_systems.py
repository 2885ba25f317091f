"""``askpoint FILE`` on the answers of two systems: A against B, parts, what failed, the gate."""

import json
import random
from collections import Counter

import pytest

JUDGES = ("judge_gpt", "judge_claude", "judge_llama")


def inspect_log(model, seed, *, failed=(), declined=()):
    """A small log of Inspect: 60 items, three judges who err on other items each."""
    samples = []
    for i in range(60):
        right = (i * 7 + seed) % 3 > 0
        scores = {
            judge: {"value": "CI"[right == ((i + 11 * k + seed) % 9 == 0)]}
            for k, judge in enumerate(JUDGES)
        }
        sample = {"id": i, "epoch": 1, "scores": scores, "metadata": {"topic": "ab"[i % 2]}}
        if i in failed:
            sample |= {"scores": {}, "error": {"message": "no"}}
        if i in declined:
            sample["output"] = {"choices": [{"stop_reason": "content_filter"}]}
        samples.append(sample)
    log = {"version": 2, "status": "success", "eval": {"model": model, "task": "t"}}
    return log | {"samples": samples}


@pytest.fixture
def logs(shell):
    files = []
    for name, seed in (("old", 0), ("new", 1)):
        path = shell.folder / f"{name}.json"
        path.write_text(json.dumps(inspect_log(f"vendor/{name}", seed, failed=(3,), declined=(5,))))
        files.append(path)
    return files


@pytest.fixture
def gold(shell):
    path = shell.folder / "gold.csv"
    rows = ["sample,system,human"]
    for name, seed in (("old", 0), ("new", 1)):
        rows += [f"{i},{name},{'CI'[(i * 7 + seed) % 3 == 0]}" for i in range(0, 60, 2)]
    path.write_text("\n".join(rows))
    return path


def test_two_logs_are_compared_item_by_item_with_labels_of_either(shell, logs, gold):
    told = shell.json(*logs, "--gold", gold)
    systems = told["systems"]
    assert (systems["first"], systems["second"]) == ("vendor/old", "vendor/new")
    assert (systems["n_items"], systems["n_gold"], systems["positive"]) == (58, 30, "C")
    assert systems["interval"][0] < systems["difference"] < systems["interval"][1]
    assert told["outcomes"]["vendor/new"] == {"answered": 58, "declined": 1, "failed": 1}
    back = shell.json(*logs, "--gold", gold, "--systems", "vendor/new,vendor/old")
    assert back["systems"]["difference"] == pytest.approx(-systems["difference"])


def test_a_gate_against_another_log(shell, logs, gold):
    old, new = logs
    undecided = shell.run("gate", new, "--no-worse-than", old, "--margin", "0.02")
    assert undecided.exit_code == 3
    assert "labels would decide" in undecided.stdout
    assert "Label next" in undecided.stdout
    decided = shell.run("gate", new, "--no-worse-than", old, "--margin", "0.9", "--gold", gold)
    assert decided.exit_code == 0
    named = shell.run(
        "gate", old, new, "--no-worse-than", "vendor/new", "--margin", "0.9", "--gold", gold
    )
    assert "Is vendor/old better than vendor/new?" in named.stdout
    assert shell.run("gate", new, "--no-worse-than", "nobody").exit_code == 2


def test_parts_of_the_items_for_one_system_and_for_two(shell, logs, gold):
    one = shell.json(logs[0], "--by", "topic")["groups"]["by_name"]
    assert {name: part["n_items"] for name, part in one.items()} == {"a": 30, "b": 28}
    two = shell.json(*logs, "--gold", gold, "--by", "topic")["groups"]
    assert two["by_name"]["a"]["interval"] is not None
    assert two["by_name"]["b"]["reason"] == "none of its items has both answers labelled"
    wrong = shell.run(logs[0], "--by", "topix")
    assert wrong.exit_code == 2
    assert "did you mean 'topic'?" in wrong.stderr


def test_what_was_declined_or_failed_leaves_no_denominator_in_silence(shell, logs):
    apart = shell.json(logs[0])
    assert (apart["n_items"], apart["outcomes"]["vendor/old"]["declined"]) == (58, 1)
    voted = shell.json(logs[0], "--declined", "as-voted")
    assert voted["n_items"] == 59
    words = shell.run(logs[0]).stdout
    assert "A refusal is not a mistake" in " ".join(words.split())


def test_two_runs_of_one_system_are_two_systems(shell, logs):
    again = shell.folder / "again.json"
    again.write_text(logs[0].read_text())
    names = shell.json("read", logs[0], again)["systems"]
    assert names == ["vendor/old (old.json)", "vendor/old (again.json)"]
    assert "given twice" in shell.run(logs[0], logs[0]).stderr


def test_systems_without_a_common_item_are_refused(shell, logs):
    log = json.loads(logs[1].read_text())
    for sample in log["samples"]:
        sample["id"] = f"other {sample['id']}"
    logs[1].write_text(json.dumps(log))
    result = shell.run(*logs)
    assert result.exit_code == 2
    assert "no item was answered by both systems" in result.stderr


def test_labels_that_do_not_say_of_which_system_are_refused(shell, logs):
    gold = shell.folder / "gold.csv"
    gold.write_text("sample,human\n" + "\n".join(f"{i},C" for i in range(30)))
    result = shell.run(*logs, "--gold", gold)
    assert result.exit_code == 2
    assert "whose answer was labelled" in result.stderr


def votes_file(shell, name, seed):
    path = shell.folder / f"{name}.csv"
    rows = [f"t{i},{'pf'[(i + seed) % 3 > 1]},{'pf'[(i + seed) % 4 > 2]}" for i in range(80)]
    path.write_text("\n".join(["ticket,gpt,claude", *rows]).replace(",p", ",pass"))
    return path


def test_tables_of_the_same_items_are_systems_and_of_others_are_parts(shell):
    old, new = votes_file(shell, "old", 0), votes_file(shell, "new", 1)
    assert shell.json("read", old, new)["systems"] == ["old", "new"]
    assert shell.json("read", old, new, "--tables", "parts")["systems"] == []
    head, *rows = new.read_text().splitlines()
    new.write_text("\n".join([head, *(f"u{row}" for row in rows)]))
    parts = shell.json("read", old, new)
    assert (parts["systems"], parts["items"]) == ([], 160)
    new.write_text("\n".join([head, *rows[:9], *(f"u{row}" for row in rows[9:])]))
    refused = shell.run(old, new)
    assert refused.exit_code == 2
    assert "--tables" in refused.stderr


def test_predictions_of_two_models_on_the_same_cases_are_compared(shell):
    files = []
    for name, off in (("old", 3), ("new", 7)):
        path = shell.folder / f"{name}.csv"
        rows = [
            f"t{i};{'spam' if i % 2 else 'ham'};0,{p};0,{100 - p}"
            for i in range(90)
            for p in [30 if (i % 2 == 1) != (i % off == 0) else 70]
        ]
        path.write_text("\n".join(["ticket;label;p_ham;p_spam", *rows]))
        files.append(path)
    told = shell.run(*files)
    assert told.exit_code == 0
    assert "Of 2 models" in " ".join(told.stdout.split())


def lm_eval_line(i, right):
    scores = [[str(-1.0 - (k != i % 3)), "False"] for k in range(3)]
    return {
        "doc_id": i, "doc": {"topic": "ab"[i % 2]}, "target": str(i % 3 if right else (i + 1) % 3),
        "resps": [[s] for s in scores], "filtered_resps": scores, "filter": "none",
        "metrics": ["acc"], "acc": float(right), "doc_hash": f"h{i}",
    }  # fmt: skip


@pytest.fixture
def harness(shell):
    for name, off in (("alpha", 3), ("beta", 4)):
        folder = shell.folder / "runs" / name
        folder.mkdir(parents=True)
        lines = [json.dumps(lm_eval_line(i, i % off > 0)) for i in range(40)]
        (folder / "samples_quiz_2026-01-01T00-00-00.jsonl").write_text("\n".join(lines))
        totals = {"results": {}, "configs": {}, "lm_eval_version": "0.4.13", "model_name": name}
        (folder / "results_2026-01-01T00-00-00.json").write_text(json.dumps(totals))
    return shell.folder / "runs"


def test_one_exact_metric_of_two_models_says_how_much_better(shell, harness):
    told = shell.json(harness)["sole_judge"]
    alpha = {i for i in range(40) if i % 3}
    beta = {i for i in range(40) if i % 4}
    assert told["apart"] == [len(alpha - beta), len(beta - alpha)]
    assert told["value"] == pytest.approx((len(beta) - len(alpha)) / 40)
    one = shell.json(harness, "--system", "beta")["sole_judge"]
    assert one["value"] == pytest.approx(len(beta) / 40)


def test_the_scores_of_choices_are_predictions_if_wanted(shell, harness):
    told = shell.json("read", harness, "--kind", "predictions", "--system", "alpha")
    assert (told["kind"], told["classes"], told["items"]) == ("predictions", ["0", "1", "2"], 40)
    targets = Counter(lm_eval_line(i, i % 3 > 0)["target"] for i in range(40))
    assert told["label_counts"] == dict(targets)
    assert shell.run(harness, "--kind", "predictions").exit_code == 0


def test_samples_of_an_older_harness_have_no_filter(shell, harness):
    path = next((harness / "alpha").glob("samples*"))
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    for line in lines:
        del line["filter"], line["metrics"]
    path.write_text("\n".join(map(json.dumps, lines)))
    told = shell.json("read", path)
    assert told["votes"] == {"acc,none": {"0.0": 14, "1.0": 26}}


def test_two_models_logs_are_paired_by_their_ids(shell):
    """The column that pairs them repeats evenly, once a model, and is not offered as a cluster."""
    rng = random.Random(5)
    truth = [rng.choice(("spam", "ham")) for _ in range(120)]
    for name, least in (("old.csv", 0.5), ("new.csv", 0.7)):
        lines = ["id,label,prediction,confidence"]
        for i, real in enumerate(truth):
            sure = rng.uniform(least, 0.99)
            answer = real if rng.random() < sure else {"spam": "ham", "ham": "spam"}[real]
            lines.append(f"{1000 + 7 * i},{real},{answer},{sure:.3f}")
        (shell.folder / name).write_text("\n".join(lines) + "\n")
    done = shell.run(shell.folder / "new.csv", "--against", shell.folder / "old.csv")
    assert done.exit_code == 0
    assert "of 2 systems: old, new" in done.stdout
    assert "--cluster" not in done.stdout
