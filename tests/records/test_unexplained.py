"""Small and badly named tables: what values leave open is asked about, and options settle it."""

import random

import polars as pl

from askpoint.records.readers.reading import Choices
from askpoint.records.readers.registry import read_files


def labels(classes, n, *shares, seed=1):
    rng = random.Random(seed)
    truth = [rng.choice(classes) for _ in range(n)]
    wrong = {v: [c for c in classes if c != v] for v in classes}
    return rng, truth, *(flipped(rng, truth, wrong, share) for share in shares)


def flipped(rng, truth, wrong, share):
    return [v if rng.random() < share else rng.choice(wrong[v]) for v in truth]


def alternating(n):
    """Return a column that says of every label, a and b in turn, the one as often as the other."""
    return ["ab"[i // 2 % 2] for i in range(n)]


def halves(n):
    return ["ab"[i % 2] for i in range(n)]


def read(tmp_path, table, **choices):
    path = tmp_path / "log.csv"
    pl.DataFrame(table).write_csv(path)
    return read_files([path], Choices(**choices))


def test_y_among_judges_called_by_letters_is_asked_about(tmp_path):
    _, truth, one, two = labels(("a", "b"), 40, 0.9, 0.9)
    doubt = read(tmp_path, {"k": one, "w": two, "y": truth}).open_doubt
    assert doubt.option == "--gold"
    assert read(tmp_path, {"k": one, "w": two, "y": truth}, gold="y").gold.source == "y"
    named = read(tmp_path, {"gpt": one, "claude": two, "y": truth})
    assert (named.open_doubt, named.gold.source) == (None, "y")


def test_p_among_letters_is_no_probability_unless_its_values_say_so(tmp_path):
    rng, truth, said = labels(("a", "b"), 40, 0.8)
    noise = [round(rng.random() / 3 + 0.2, 3) for _ in truth]
    table = {"label": truth, "prediction": said, "p": noise}
    assert read(tmp_path, table).open_doubt is None
    other = read(tmp_path, {**table, "k": [f"text {i}" for i in range(40)]})
    assert other.open_doubt.option == "--confidence"


def test_a_letter_in_common_is_no_name_in_common(tmp_path):
    _, truth, said = labels(("ok", "bad"), 40, 0.8)
    noise = [round(0.2 + i % 37 / 80, 3) for i in range(40)]
    table = {"judge_b": said, "human": truth, "b": noise}
    reading = read(tmp_path, table)
    assert reading.kind == "votes" or reading.open_doubt is not None


def test_labels_that_probabilities_all_hit_are_not_taken_for_answers_in_silence(tmp_path):
    n = 12
    truth = halves(n)
    p = [0.9 - i / 100 if v == "a" else 0.1 + i / 100 for i, v in enumerate(truth)]
    table = {
        "last": alternating(n),
        "proba_a": p,
        "proba_b": [round(1 - x, 4) for x in p],
        "w": truth,
    }
    reading = read(tmp_path, table)
    assert reading.open_doubt.option == "--label"
    settled = read(tmp_path, table, label="w")
    assert (settled.label, settled.open_doubt) == ("w", None)


def test_a_column_named_for_the_truth_is_not_taken_for_the_answer_in_silence(tmp_path):
    n = 12
    truth = halves(n)
    p = [0.9 - i / 100 if v == "a" else 0.1 + i / 100 for i, v in enumerate(truth)]
    last = ["a" if i in (0, 2, 4, 6, 1) else "b" for i in range(n)]  # agrees, but is not it
    doubt = read(tmp_path, {"last": last, "p_a": p, "gold": truth}).open_doubt
    assert doubt.option == "--label"
    assert "gold is named for the true label" in doubt.what


def test_two_columns_that_one_probability_fits_alike_are_asked_about(tmp_path):
    rng, truth, other = labels(("a", "b"), 60, 0.75)
    p = [round(0.2 + 0.2 * (v == "a") + 0.4 * rng.random(), 3) for v in truth]
    doubt = read(tmp_path, {"result": truth, "p_a": p, "box": other}).open_doubt
    assert doubt is not None
    assert doubt.option == "--label"


def test_an_answer_that_another_column_beats_is_asked_about(tmp_path):
    rng, truth, weak, strong = labels(("a", "b"), 60, 0.72, 0.9)
    sure = [
        round(0.5 + 0.2 * (a == b) + 0.3 * rng.random(), 3)
        for a, b in zip(weak, truth, strict=True)
    ]
    table = {"label": truth, "last": weak, "confidence": sure, "tag": strong}
    assert read(tmp_path, table).open_doubt.option in ("--prediction", "--label", "--judges")
    assert read(tmp_path, table, prediction="last", label="label").open_doubt is None


def test_a_column_beside_two_judges_that_says_what_neither_says_is_asked_about(tmp_path):
    n = 20
    votes = halves(n)
    table = {"judge_a": votes, "rater_1": [*votes[:18], "a", "a"], "last": alternating(n)}
    doubt = read(tmp_path, table).open_doubt
    assert doubt.option == "--judges"
    assert "--judges judge_a,rater_1)" in doubt.what


def test_few_rows_do_not_rule_a_yes_no_column_out_as_a_judge_and_many_do(tmp_path):
    for n, asked in ((24, True), (400, False)):
        _, _, one, two = labels((0, 1), n, 0.85, 0.85)
        flag = [i // 2 % 2 for i in range(n)]
        reading = read(tmp_path, {"rater_1": one, "rater_2": two, "urgent": flag})
        named = set(reading.judges) == {"rater_1", "rater_2"}
        assert named
        assert (reading.open_doubt is not None) == asked


def test_judges_by_name_beside_an_answer_and_an_unnamed_score_are_asked_about(tmp_path):
    rng, truth, ai, one, two = labels(("true", "false"), 60, 0.75, 0.8, 0.8)
    share = [
        round(0.5 + 0.2 * (a == b) + 0.3 * rng.random(), 3) for a, b in zip(ai, truth, strict=True)
    ]
    table = {"r": truth, "claude": ai, "share": share, "judge_a": one, "rater_1": two}
    assert read(tmp_path, table).open_doubt.option == "--kind"


def test_one_of_two_probabilities_apart_is_not_taken_alone_where_the_truth_has_one_label(tmp_path):
    rng = random.Random(3)
    p = [round(rng.random(), 3) for _ in range(20)]
    table = {
        "p_legit": p,
        "share": [round(rng.betavariate(2, 2), 3) for _ in p],
        "p_fraud": [round(1 - x, 3) for x in p],
        "resolution": ["fraud" if i < 6 else None for i in range(20)],
        "last": [rng.choice(("fraud", "legit")) for _ in p],
    }
    reading = read(tmp_path, table, label="resolution")
    assert set(reading.probabilities.values()) == {"p_legit", "p_fraud"}


def test_scores_called_alike_are_not_one_model_and_a_left_over(tmp_path):
    rng, truth = labels((0, 1), 120)
    one, two = ([round(0.4 + 0.15 * v + 0.4 * rng.random(), 2) for v in truth] for _ in range(2))
    table = {"faith_gpt": one, "faith_llama": two, "human": truth}
    assert read(tmp_path, table).open_doubt is not None


def test_a_truth_by_name_that_is_the_majority_on_every_row_is_asked_about(tmp_path):
    _, _, *votes = labels(("a", "b"), 150, 0.8, 0.8, 0.8)
    most = [max("ab", key=row.count) for row in zip(*votes, strict=True)]
    table = {**dict(zip(("gpt", "claude", "qwen"), votes, strict=True)), "gold": most}
    doubt = read(tmp_path, table).open_doubt
    assert doubt.option == "--gold"
    assert "their majority (--kind votes)" in doubt.what
    assert read(tmp_path, table, gold="gold").gold.source == "gold"
    assert read(tmp_path, table, kind="votes").gold is None
