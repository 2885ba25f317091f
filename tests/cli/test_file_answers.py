"""Logs of an assistant as predictions: sure in words, answered several times, graded, abstaining."""

import json

import polars as pl
import pytest


def rows_of(n, *columns):
    return [dict(zip(columns[0].split(), row, strict=True)) for row in columns[1](n)]


def said_in_words(n):
    for i in range(n):
        right = i % 7 > 0
        answer = "no idea" if i % 10 == 0 else "yes" if right else "no"
        yield f"q{i}", answer, "yes", "high" if right else ("low", "medium")[i % 2]


def test_words_of_confidence_keep_their_order_and_abstentions_are_counted(shell):
    rows = rows_of(100, "case answer expected confidence", said_in_words)
    log = shell.write("log.csv", rows)
    told = shell.json("read", log)
    assert (told["kind"], told["items"], told["abstained"]) == ("predictions", 100, 10)
    asked = shell.run(log)
    assert (asked.exit_code, "--confidence confidence" in asked.stderr) == (2, True)
    named = ("--confidence", "confidence")
    for words in ((log, *named), ("value", log, *named)):
        answer = shell.json(*words)
        assert (answer["n_items"], answer["abstained"]) == (90, {"cases": 10, "of": 100})
    words = shell.said(log, *named)
    assert "Of 100 cases the model itself left 10 unanswered" in " ".join(words.split())


def test_a_word_that_is_a_class_is_no_abstention(shell):
    rows = [
        {"case": f"c{i}", "prediction": ("none", "spam")[i % 2], "label": ("none", "spam")[i % 3 > 0],
         "confidence": ("low", "high")[i % 2]}
        for i in range(60)
    ]  # fmt: skip
    told = shell.json("read", shell.write("log.csv", rows))
    assert (told["abstained"], told["label_counts"]) == (0, {"none": 20, "spam": 40})


@pytest.mark.parametrize("form", ["list", "columns"])
def test_answers_given_several_times(shell, form):
    """The most frequent answer, and its share: by hand."""
    samples = [["A", "A", "B", "A"], ["B", "C", "B", "D"], ["I don't know", "", "idk", "A"]] * 10
    rows = [{"case": f"c{i}", "target": "AB"[i % 2]} for i in range(30)]
    for row, answers in zip(rows, samples, strict=True):
        row |= {"samples": answers} if form == "list" else {
            f"sample_{k}": answer for k, answer in enumerate(answers)
        }  # fmt: skip
    path = shell.folder / "log.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    told = shell.json("read", path)
    assert (told["kind"], told["abstained"]) == ("predictions", 10)
    assert "4 answers" in told["doubts"][0]["what"]
    from askpoint.records.readers.registry import read_files

    frame = read_files([path]).frame
    assert frame["confidence"].to_list() == [0.75, 0.5] * 10
    assert set(frame.filter(frame["confidence"] == 0.5)["prediction"]) == {"B"}


def graded(n):
    for i in range(n):
        yield (
            f"What is item {i}?",
            f"An answer in many words, the {i}th",
            i % 4 > 0,
            f"{95 - i % 4}%",
        )


def test_a_column_that_says_which_answers_were_right(shell):
    log = shell.write("log.csv", rows_of(80, "question answer correct confidence", graded))
    told = shell.json("read", log)
    assert told["label_counts"] == {"right": 60, "wrong": 20}
    assert "correct says which answers were right" in shell.said(log)


def sure_and_right(n, right):
    return [{"confidence": f"{0.5 + i / (2 * n):.3f}", "correct": right(i)} for i in range(n)]


def test_where_nobody_said_yet_which_answers_were_right_the_way_to_labels_is_told(shell):
    log = shell.write("log.csv", sure_and_right(60, lambda _: ""))
    for words in ([log], ["value", log]):
        said = shell.said(*words)
        assert "correct is to say which answers were right" in said
        assert "No verdict: none of 60 cases has a label" in said
        assert "--propose" in said
    path = shell.folder / "asked.csv"
    shell.said(log, "--propose", 5, "--to", path)
    asked = pl.read_csv(path, schema_overrides={"label": pl.String})
    assert "correct" not in asked.columns
    asked.with_columns(label=pl.lit("right")).write_csv(path)
    assert "Not decided yet from 5 labels" in shell.said(log, "--labels", path)


def test_a_few_labels_that_are_all_right_are_answered_without_a_verdict(shell):
    log = shell.write("log.csv", sure_and_right(60, lambda i: "1" if i % 20 == 0 else ""))
    assert "classes right, wrong" in shell.said(log)
    told = shell.answer(log)
    assert told["n_items"] - told["n_unlabelled"] == 3
    assert told["decided"] is False
    mistakes = next(
        row["mistakes"]
        for row in told["recommended"]["at_other_prices"]
        if not row["asked"]["share"]
    )
    assert mistakes["interval"][1] > 0.3


def free_texts(n):
    for i in range(n):
        yield f"c{i}", f"City {i}" if i % 3 else f"Town {i}", f"city  {i}.", 0.9 - 0.1 * (i % 3)


def test_texts_are_compared_only_if_somebody_says_so(shell):
    log = shell.write("log.csv", rows_of(90, "case answer expected confidence", free_texts))
    assert "--scores compare" in shell.refusal(log)
    told = shell.json("read", log, "--scores", "compare")
    assert told["label_counts"] == {"right": 60, "wrong": 30}


SEMICOLONS = "Fall;Wahrheit;P_ja;P_nein\n" + "\n".join(
    f"f{i};{'ja' if i % 4 else 'nein'};0,{500 + i};0,{500 - i}" for i in range(1, 49)
)


def test_value_looks_for_columns_as_a_file_alone_does(shell):
    log = shell.write("log.csv", SEMICOLONS)
    assert "decimal comma" in shell.said("value", log)
    assert shell.json("value", log) == shell.json(log)
    named = shell.json("value", log, "--label", "Wahrheit")
    assert named["n_unlabelled"] == 0
    plain = shell.write("plain.csv", "case,target,proba_a,proba_b\n" + "\n".join(
        f"c{i},{'ab'[i % 2]},0.{40 + i},0.{60 - i}" for i in range(1, 19)
    ))  # fmt: skip
    assert shell.json("value", plain)["n_unlabelled"] == 0


def test_value_says_what_settles_a_doubt(shell):
    rows = [{"target": "ab"[i % 2], "logit_a": -1.5 - i, "logit_b": 2.0 + i} for i in range(20)]
    assert "--scores softmax" in shell.refusal("value", shell.write("log.csv", rows))


def test_a_score_that_is_no_number_is_named(shell):
    rows = [{"label": "ab"[i % 2], "p_a": "much" if i == 3 else 0.5, "p_b": 0.5} for i in range(8)]
    message = shell.refusal(shell.write("log.csv", rows))
    assert "'much' in row 3" in message


def test_probabilities_that_do_not_sum_to_1_are_named(shell):
    rows = [{"label": "ab"[i % 2], "p_a": 0.5, "p_b": 0.9} for i in range(8)]
    message = shell.refusal(shell.write("log.csv", rows))
    assert "p_a, p_b do not sum to 1 in 8 of 8 rows" in message
    assert "with --scores probabilities" in message
