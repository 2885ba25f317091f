"""A promise about every case, from log to words and JSON."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from scipy import stats

from askpoint.answers.value.proposal import propose_labels
from askpoint.answers.value.question import ValueQuestion
from askpoint.answers.value.verdict import answer_question, answer_value
from askpoint.errors import AskpointError, InputError, NotEstimableError, ObjectiveError, UnmetError
from askpoint.records.logs import read_log
from askpoint.records.streams import sketch_log
from askpoint.records.tables import open_table
from askpoint.reports.document import Grid, Notice, Paragraph
from askpoint.reports.value.document import value_sections
from askpoint.reports.value.json import value_object
from askpoint.value.curve import ValueCurve
from askpoint.value.limits import MaxMistakes

N = 2000


def frame(n_labels=300, *, seed=1, wrong_by=0.25, n=N, people=None):
    rng = np.random.default_rng(seed)
    confidence = np.round(rng.random(n), 5)
    wrong = rng.random(n) < wrong_by * (1 - confidence)
    truth = np.where(wrong, "no", "yes")
    rows = set(rng.choice(n, n_labels, replace=False).tolist())
    columns = {
        "id": list(range(n)),
        "label": [str(truth[i]) if i in rows else None for i in range(n)],
        "prediction": ["yes"] * n,
        "confidence": confidence,
        "truth": truth,
    }
    if people is not None:
        slips = rng.random(n) < people
        other = np.where(truth == "yes", "no", "yes")
        columns["person"] = [
            str(other[i] if slips[i] else truth[i]) if i in rows else None for i in range(n)
        ]
    return pl.DataFrame(columns)


def log_of(table, **columns):
    columns = {
        "prediction": "prediction",
        "confidence": "confidence",
        "classes": ["yes", "no"],
    } | columns
    return read_log(table, need_labels=False, **columns)


def section(answer):
    return next(
        s for s in value_sections(answer) if s.title == "What is promised of the whole output"
    )


def text(answer):
    return " ".join(b.whole for b in section(answer).blocks if isinstance(b, (Paragraph, Notice)))


def test_the_answers_stop_before_the_labelled_mistake_that_is_one_too_many():
    table = frame()
    answer = answer_value(log_of(table), MaxMistakes(0.05, 0.1))
    kept, allowed = answer.whole_output.kept, answer.whole_output.mistakes_allowed
    assert allowed == 100
    # the acceptance number from the hypergeometric distribution itself
    chances = [stats.hypergeom(N, allowed + k + 1, 300).cdf(k) for k in range(30)]
    c = max(k for k, chance in enumerate(chances) if chance <= 0.1)
    assert kept.accepted == c
    mistakes = table.filter(pl.col("label") == "no")["confidence"].sort(descending=True)
    stop = mistakes[c] if len(mistakes) > c else -1.0
    left = table.filter((pl.col("confidence") > stop) & pl.col("label").is_null())
    assert (kept.answered, kept.labelled) == (left.height, 300)
    assert kept.asked == N - 300 - left.height
    assert kept.seen == min(c, len(mistakes))
    assert answer.tomorrow.best.threshold == kept.threshold  # the promise is the answer
    assert f"at most 100 of these {N:,} cases" in text(answer)
    assert f"mistake number {c + 1}." in text(answer)


@pytest.mark.soak
def test_the_promise_is_kept_in_at_least_one_minus_delta_of_draws():
    table = frame(n=1000, wrong_by=0.2)
    truth = table["truth"].to_numpy() == "no"
    confidence = table["confidence"].to_numpy()
    rng, kept, runs = np.random.default_rng(5), 0, 120
    for _ in range(runs):
        rows = rng.choice(1000, 150, replace=False)
        label = np.full(1000, None, dtype=object)
        label[rows] = np.where(truth[rows], "no", "yes")
        log = log_of(table.with_columns(label=pl.Series(label.tolist(), dtype=pl.String)))
        from askpoint.answers.value.row_case import RowCase
        from askpoint.answers.value.whole_output import whole_output_of

        found = whole_output_of(RowCase(log, ValueQuestion(MaxMistakes(0.04, 0.2))))
        left = truth & (confidence >= found.kept.threshold)
        left[rows] = False
        kept += left.sum() <= 40
    assert stats.binom.cdf(kept, runs, 0.8) > 1e-3


def test_json_holds_one_rule_with_its_reasons():
    answer = answer_value(log_of(frame()), MaxMistakes(0.05, 0.1))
    content = json.loads(json.dumps(value_object(answer)))
    rule = content["recommended"]["whole_output"]
    assert rule["threshold"] == content["recommended"]["rule"]["threshold"]
    assert (rule["scope"], rule["look"], rule["limit"], rule["mistakes_allowed"]) == (
        "batch",
        "once",
        0.05,
        100,
    )
    assert rule["left_to_the_model"]["rows"] + rule["asked"] + rule["labelled"] == N
    assert [each["scope"] for each in rule["others"]] == ["batch", "stream"]
    plain = value_object(answer_value(log_of(frame())))
    assert plain["recommended"]["whole_output"] is None
    assert "--max-mistakes" in plain["reasons"]["recommended.whole_output"]


def test_looking_again_leaves_less_and_may_follow_a_look():
    log = log_of(frame())
    once = answer_value(log, MaxMistakes(0.05, 0.1))
    again = answer_value(log, MaxMistakes(0.05, 0.1), look="again")
    assert again.whole_output.kept.answered < once.whole_output.kept.answered
    report, more = value_object(once), log_of(frame(400))
    with pytest.raises(InputError, match="already looked at this batch, which has 400 by now"):
        answer_value(more, MaxMistakes(0.05, 0.1), since=report)
    answer_value(more, MaxMistakes(0.05, 0.1), since=report, look="again")
    answer_value(log, MaxMistakes(0.05, 0.1), since=report)
    assert "--look again" in text(once)


def test_a_log_of_labels_promises_new_cases():
    table = frame(N)
    answer = answer_value(log_of(table), MaxMistakes(0.05, 0.1))
    kept = answer.whole_output.kept
    assert kept.scope == "stream"
    assert kept.accepted == stats.binom.ppf(0.1, N, 0.05) - 1 or stats.binom.cdf(
        kept.accepted, N, 0.05
    ) <= 0.1 < stats.binom.cdf(kept.accepted + 1, N, 0.05)
    right = (table["label"] == "yes").to_numpy()
    curve = ValueCurve.from_outcomes(right, table["confidence"].to_numpy())
    assert MaxMistakes(0.05, 0.1).choose(curve).threshold == kept.threshold
    assert "of all new cases" in text(answer)
    with pytest.raises(ObjectiveError, match="is looked at once"):
        answer_value(log_of(table), MaxMistakes(0.05, 0.1), look="again")


def test_limits_of_no_mistake_and_of_any():
    log = log_of(frame())
    nothing = answer_value(log, MaxMistakes(0, 0.1))
    assert not nothing.whole_output.kept.is_given
    assert "300 labels cannot promise it, whatever they say: it takes 1,800" in text(nothing)
    assert nothing.tomorrow.best.asked.mean == 1
    everything = answer_value(log, MaxMistakes(1, 0.1))
    assert everything.whole_output.kept.asked == 0
    for share, delta in ((-0.1, 0.1), (1.1, 0.1), (0.05, 0), (0.05, 1), (float("nan"), 0.1)):
        with pytest.raises(AskpointError):
            MaxMistakes(share, delta)


def test_the_number_of_labels_named_is_the_least_that_promises_no_mistake():
    # one wrong case stays unseen with probability 1 - L / n
    assert 1 - 1800 / N <= 0.1 < 1 - 1799 / N


def test_more_labelled_mistakes_than_allowed_leave_the_surest_cases_only():
    answer = answer_value(log_of(frame(wrong_by=1.9)), MaxMistakes(0.02, 0.1))
    kept = answer.whole_output.kept
    assert kept.accepted >= 0
    assert 0 < kept.answered < 200


def test_labels_that_are_not_random_are_refused():
    table = frame()
    sure = table.with_columns(
        label=pl.when(pl.col("confidence") > 0.7).then("label").otherwise(None)
    )
    assert answer_value(log_of(sure), MaxMistakes(0.05, 0.1)).whole_output is None
    log = log_of(table)
    proposed = replace(log, chosen=log.labelled)
    with pytest.raises(ObjectiveError, match="not drawn at random"):
        answer_value(proposed, MaxMistakes(0.05, 0.1))
    weighted = log_of(table.with_columns(w=pl.Series([1.0, 2.0] * (N // 2))), weight="w")
    with pytest.raises(ObjectiveError, match="unweighted labels"):
        answer_value(weighted, MaxMistakes(0.05, 0.1))
    clustered = log_of(table.with_columns(who=pl.col("id") // 4), cluster="who")
    with pytest.raises(ObjectiveError, match="one row of each cluster"):
        answer_value(clustered, MaxMistakes(0.05, 0.1))
    with pytest.raises(InputError, match="--audit-share"):
        propose_labels(log, ValueQuestion(MaxMistakes(0.05, 0.1)), 10)


def test_no_label_promises_nothing():
    answer = answer_value(log_of(frame(0)), MaxMistakes(0.05, 0.1))
    assert answer.refusal is not None
    assert answer.whole_output is None


def test_several_models_share_delta():
    table = frame(150)
    both = pl.concat([table.with_columns(model=pl.lit("a")), table.with_columns(model=pl.lit("b"))])
    answer = answer_value(log_of(both, model="model"), MaxMistakes(0.05, 0.1))
    alone = answer_value(log_of(table), MaxMistakes(0.05, 0.05))
    assert answer.whole_output.n_models == 2
    assert answer.whole_output.kept.accepted == alone.whole_output.kept.accepted
    assert "Of 2 models each gets its share" in text(answer)


def test_a_sketch_promises_what_its_rows_do(tmp_path):
    table = frame()
    table.write_parquet(tmp_path / "log.parquet")
    columns = {"label": "label", "prediction": "prediction", "confidence": "confidence"}
    counted = sketch_log(open_table(str(tmp_path / "log.parquet")), **columns)
    answer = answer_value(counted, MaxMistakes(0.05, 0.1))
    rows = answer_value(log_of(table), MaxMistakes(0.05, 0.1))
    assert answer.whole_output.kept.accepted == rows.whole_output.kept.accepted
    assert 0.9 < answer.whole_output.kept.answered / rows.whole_output.kept.answered <= 1
    again = answer.whole_output.others[0]
    assert "takes rows that are kept" in again.reason


def test_people_who_err_leave_less_to_the_model():
    log = log_of(frame())
    right = answer_value(log, MaxMistakes(0.05, 0.1, people_right=1.0)).whole_output
    good = answer_value(log, MaxMistakes(0.05, 0.1, people_right=0.99)).whole_output
    bad = answer_value(log, MaxMistakes(0.05, 0.1, people_right=0.8))
    assert right.people.mistakes == 0 < good.people.mistakes < good.mistakes_allowed
    assert good.kept.answered <= right.kept.answered
    assert not bad.whole_output.kept.is_given
    assert "they may get 400 wrong, and the limit is 100" in text(bad)
    with pytest.raises(ObjectiveError, match="looked at once"):
        answer_value(log, MaxMistakes(0.05, 0.1, people_right=0.99), look="again")


def test_how_often_people_err_is_measured_beside_the_labels():
    table = frame(people=0.01)
    answer = answer_value(log_of(table, people="person"), MaxMistakes(0.08, 0.1))
    people = answer.whole_output.people
    both = table.drop_nulls(["label", "person"])
    wrong = (both["label"] != both["person"]).sum()
    assert people.n_cases == 300
    assert people.error_rate == pytest.approx(stats.beta.ppf(1 - 0.04, wrong + 1, 300 - wrong))
    assert "By 300 cases" in text(answer)


def label_audits(table, rows):
    labels = table["label"].to_list()
    for row in rows.tolist():
        labels[row] = table["truth"][row]
    return table.with_columns(label=pl.Series(labels, dtype=pl.String))


def test_audits_walk_down_from_the_surest_case_and_go_on_where_they_stopped():
    table, question = frame(0), ValueQuestion(MaxMistakes(0.05, 0.1), audit_share=0.2)
    confidence = table["confidence"].to_numpy()
    seen, left, output = set(), [0], None
    while True:
        if output is not None and not output.next_audit:
            with pytest.raises(NotEstimableError, match="finished"):
                propose_labels(log_of(table), question, 60)
            break
        found = propose_labels(log_of(table), question, 60)
        assert not seen & set(found.rows.tolist())
        if seen:  # below all audits so far
            assert confidence[found.rows].max() <= confidence[list(seen)].min()
        assert (found.chances == 0.2).all()
        seen |= set(found.rows.tolist())
        table = label_audits(table, found.rows)
        answer = answer_question(log_of(table), question)
        output = answer.whole_output
        left.append(output.kept.answered)
        if output.next_audit:  # it stops before the first audit without a label
            open_ones = propose_labels(log_of(table), question, 1).rows
            assert confidence[open_ones[0]] < output.kept.threshold
    assert left == sorted(left)
    mistakes = sorted(
        (confidence[row] for row in seen if table["truth"][row] == "no"), reverse=True
    )
    assert mistakes[output.kept.accepted] < output.kept.threshold
    assert "From the surest case down" in text(answer)
    grids = [b for b in section(answer).blocks if isinstance(b, Grid)]
    assert not grids


def test_audits_too_rare_to_promise_anything_are_named():
    question = ValueQuestion(MaxMistakes(0.001, 0.1), audit_share=0.2)
    log = log_of(frame(0))
    with pytest.raises(UnmetError, match="take a greater --audit-share"):
        propose_labels(log, question, 10)
    answer = answer_question(log, question)
    assert "Nothing can be promised" in text(answer)
    with pytest.raises(InputError):
        answer_value(log, MaxMistakes(0.05, 0.1), audit_share=1.5)


def test_curves_promise_new_cases_or_say_what_they_lack():
    curve = ValueCurve.from_outcomes([1] * 20, range(20))
    with pytest.raises(NotEstimableError, match="takes 45 labels; there are 20"):
        MaxMistakes(0.05, 0.1).choose(curve)
    with pytest.raises(ObjectiveError, match="people err"):
        MaxMistakes(0.05, 0.1, people_right=0.9).choose(curve)
    assert MaxMistakes(0.05, 0.1).wish.startswith("that at most 5")
