"""The main job's answer in words: what it says in each situation, and what it must never say."""

from __future__ import annotations

import io
import re

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st
from matplotlib.figure import Figure as Canvas
from rich.console import Console

from askpoint.answers.value.question import ValueQuestion
from askpoint.answers.value.verdict import answer_question
from askpoint.answers.value.volume import Volume
from askpoint.answers.value.workload import Workload, workload_figures
from askpoint.errors import LogError, NotEstimableError, UnmetError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.exchange import Prices
from askpoint.records.logs import read_log
from askpoint.reports.document import Figures, Grid, Notice, Paragraph, Picture, WhatIf
from askpoint.reports.terminal import print_document
from askpoint.reports.value import what_if
from askpoint.reports.value.document import value_document, value_sections
from askpoint.reports.value.price_words import price_text
from askpoint.value.by_class import MinPrecision, MinRecall
from askpoint.value.cost_curves import GreatestWorth, LeastCost
from askpoint.value.limits import AskAtMost, MaxError
from askpoint.value.priced import CheckCost, FBeta, MistakeCost

COSTS = CostMatrix(["ham", "spam"], [[0, 5], [1, 0]], reject_cost=0.5, unit="EUR")


def frame(right, confidence, **columns):
    """A log of answers "spam" with a given confidence; None is no label."""
    labels = [None if ok is None else ("spam" if ok else "ham") for ok in right]
    spam = np.asarray(confidence, dtype=float)
    scores = {"proba_ham": 1 - spam, "proba_spam": spam}
    return pl.DataFrame({"label": labels, **scores, **columns}, schema_overrides={"label": str})


def words(log, question, **settings):
    """Everything that a document says, in one line."""
    document = value_document(answer_question(read_log(log, **settings), question), "log.csv")
    file = io.StringIO()
    print_document(document, Console(file=file, width=100))
    alternatives = [
        f"{block.title} {block.alternative}"
        for section in document.sections
        for block in section.blocks
        if isinstance(block, Picture)
    ]
    text = " ".join([file.getvalue(), *alternatives])
    return " ".join(text.replace("\N{NO-BREAK SPACE}", " ").split())


SIXTEEN = frame([1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 0, 1, 0, 0, 0, 1], np.linspace(0.95, 0.55, 16))


@pytest.mark.parametrize(
    ("question", "said", "unsaid"),
    [
        (
            ValueQuestion(is_assumed=True),
            [
                "decides 7 of 16 cases (43.8%) and sends 9 to review",
                "Of these decisions 0% are wrong (95% interval 0% to 41.0%)",
                "per 1,000 cases 0 mistakes pass",
                "If it decided every case, 31.2% would be wrong",
                "Only 7 labels show how accurate these decisions are",
                "You gave no price, so 20 checks are taken to be worth one mistake",
                "each mistake at its price",
                "16 labels are few",
                "Every case here has a label",
                "16 cases, 16 with a label",
            ],
            ["shadow", "This choice is right if"],
        ),
        (
            ValueQuestion(CheckCost(0.05)),
            [
                "At your price one mistake is worth 20 checks",
                "if its confidence meant what it says (calibrated), the threshold would be 0.95",
            ],
            ["You gave no price"],
        ),
        (
            ValueQuestion(MistakeCost(0)),
            [
                "Let the model decide all 16 cases: at this price review costs more than it",
                "one mistake is worth 1 check",
            ],
            ["If it decided every case,", "1 checks"],
        ),
        (
            ValueQuestion(CheckCost(0.05), measure="margin"),
            ["where its confidence (margin) is at least"],
            ["calibrated"],
        ),
        (
            ValueQuestion(AskAtMost(6)),
            [
                "sends 6 to review",
                "You asked for at most 6 cases to go to review. This choice is right if",
                "each mistake at the price that this choice implies",
            ],
            ["Fewer go"],
        ),
        (
            ValueQuestion(AskAtMost(0.5)),
            ["at most 50% of the cases to go to review", "sends 6 to review", "Fewer go"],
            ["limit is met on these cases"],
        ),
        (
            ValueQuestion(AskAtMost(0)),
            [
                "Let the model decide all 16 cases.",
                "No price of a mistake follows",
                "no cost is shown",
            ],
            ["Fewer go", "This choice is right if"],
        ),
        (
            ValueQuestion(MaxError(0.125)),
            [
                "You asked for at most 12.5% mistakes among the answers",
                "a threshold chosen this way misses it on new cases about every second time",
            ],
            [],
        ),
        (
            ValueQuestion(MaxError(0.5)),
            ["Let the model decide all 16 cases: that already meets your limit."],
            ["review costs more"],
        ),
        (
            ValueQuestion(MinRecall("ham", 0.4)),
            ["at least 40% of the cases 'ham' are not lost", "count as found"],
            [],
        ),
        (
            ValueQuestion(MinPrecision("spam", 0.9)),
            ["answers 'spam' are right at least 90% of the time"],
            [],
        ),
        (
            ValueQuestion(FBeta(0.5)),
            ["greatest F with beta 0.5", "This choice is right if one mistake is"],
            ["misses it on new cases"],
        ),
        (
            ValueQuestion(GreatestWorth(Prices(2, -1, -10))),
            [
                "By your prices one mistake is worth 4 checks",
                "At your prices 16 cases come to 5 so, to -28 if the model decided every case",
                "to -16 if people reviewed every case.",
                "Cost in checks",
            ],
            [],
        ),
        (
            ValueQuestion(LeastCost(COSTS)),
            [
                "deciding is expected to",
                "By your costs one mistake is, on average, worth",
                "Cost in checks; by your file asking costs",
                "down to an expected saving of",
            ],
            [
                "down to confidence",
                "calibrated",
                "What if mistakes cost more or less?",
                "This band is wide",
            ],
        ),
        (
            ValueQuestion(is_assumed=True, default="ham"),
            ["decide 'ham' for every case"],
            ["decide 'spam' for every case"],
        ),
    ],
)
def test_what_is_said_to_each_question(question, said, unsaid):
    text = words(SIXTEEN, question)
    for part in said:
        assert part in text
    for part in unsaid:
        assert part not in text


def test_never_answering_says_why():
    log = frame([0] * 40, np.linspace(0.95, 0.55, 40))
    assert "Send all 40 cases to review: at this price the mistakes" in words(
        log, ValueQuestion(is_assumed=True)
    )
    text = words(log, ValueQuestion(AskAtMost(1000)))
    assert "Send all 40 cases to review: the surest answers of the model are no better" in text


def test_a_model_of_no_use_is_called_so():
    log = frame([0] * 38 + [1, 1], np.linspace(0.95, 0.55, 40))
    said = "At your price it is cheaper to decide 'ham' for every case without a model"
    assert said in words(log, ValueQuestion(CheckCost(0.2)))
    assert said in words(log, ValueQuestion(GreatestWorth(Prices(1, 0, -4))))
    assert said in words(log, ValueQuestion(LeastCost(CostMatrix.zero_one(["ham", "spam"], 0.2))))
    assert said not in words(log, ValueQuestion(AskAtMost(20)))  # no price was stated
    assert said not in words(SIXTEEN, ValueQuestion(CheckCost(0.2)))


def test_costs_that_pay_for_mistakes_of_asking():
    """Where the best threshold answers though asking is expected to cost less."""
    log = frame([1, 1, 1, 0], [0.9, 0.8, 0.7, 0.6])
    costs = CostMatrix(["ham", "spam"], [[0, 1], [1, 0]], reject_cost=0.25)
    text = words(log, ValueQuestion(LeastCost(costs)))
    assert "where deciding is expected to cost at most" in text
    assert "more than asking" in text
    assert "asking costs 0.25 units of cost a case" in text


def test_a_model_without_mistakes_has_no_price_by_costs():
    log = frame([1, 1, 1], [0.9, 0.8, 0.7])
    costs = CostMatrix(["ham", "spam"], [[0, 1], [1, 0]], reject_cost=0.25)
    text = words(log, ValueQuestion(LeastCost(costs)), classes=["ham", "spam"])
    assert "no one price of a mistake sums them up" in text


def test_a_limit_beyond_which_answering_is_free():
    log = frame([1, None, 1, None, 1, None, 1, 0], np.linspace(0.9, 0.55, 8))
    text = words(log, ValueQuestion(AskAtMost(5)))
    assert "sends 5 to review" in text
    assert "Within that, answering still more would cost nothing." in text
    assert "This choice is right if" not in text


def test_the_price_of_a_limit_is_read_off_the_report_s_own_table():
    rng = np.random.default_rng(4)
    sure = 0.5 + 0.5 * rng.random(600) ** 0.5
    right = rng.random(600) >= np.minimum(0.5, 1.2 * (1 - sure) ** 1.5)
    log = frame(right.astype(int).tolist(), sure)
    for objective in (MaxError(0.05, 0.1), AskAtMost(0.3), AskAtMost(0.7)):
        answer = answer_question(read_log(log), ValueQuestion(objective))
        best = answer.tomorrow.best.threshold
        prices = [(checks, each.threshold) for checks, each in answer.tomorrow.prices]
        text = price_text(answer)
        low, high = re.search(r"worth between (\S+) and (\S+) checks", text).groups()
        assert max(c for c, t in prices if t < best) == float(low)
        assert min(c for c, t in prices if t > best) == float(high)


def test_labels_that_are_missing_at_random():
    rng = np.random.default_rng(0)
    score = rng.uniform(0.5, 1, 600)
    right = np.where(rng.random(600) < 0.5, (rng.random(600) < score).astype(float), np.nan)
    log = frame([None if np.isnan(r) else int(r) for r in right], score)
    text = words(log, ValueQuestion(CheckCost(0.2)))
    assert re.search(r"\d+ cases have no label; the others look like them", text)
    assert re.search(r"Only \d+ labels of the \d+ show", text) or "show how accurate" not in text
    assert "600 cases, " in text


def test_labels_where_the_model_was_unsure():
    score = np.linspace(0.51, 0.99, 400)
    log = frame([1 if s < 0.7 else None for s in score], score)
    settings = {"classes": ["ham", "spam"]}
    text = words(log, ValueQuestion(is_assumed=True), **settings)
    assert "No verdict: 60.5% of the cases lie at confidences where no case has a label" in text
    assert "242 cases with a confidence of 0.7 to 0.99), which chance does not explain" in text
    assert "for 60.5% of the cases no label says anything" in text
    assert "Where the labels are" in text
    assert "Let the model" not in text
    text = words(log, ValueQuestion(is_assumed=True, labels_are_random=True), **settings)
    assert "No verdict: 60.5% of the cases lie at confidences where no case has a label" in text


def test_weights_are_told():
    log = frame([1, 1, 1, 0], [0.9, 0.8, 0.7, 0.6], w=[1, 1, 1, 3])
    text = words(log, ValueQuestion(CheckCost(0.5)), weight="w")
    assert "decides 3 of 4 cases (50.0% by weight)" in text
    assert "are based on 4 labels, worth 3 equally weighted ones" in text
    assert "whichever" not in text
    rng = np.random.default_rng(0)
    score = rng.uniform(0.5, 1, 2000)
    chance = np.where(score < 0.75, 0.8, 0.3)
    known = rng.random(2000) < chance
    log = frame(
        [int(rng.random() < s) if k else None for s, k in zip(score, known, strict=True)],
        score,
        w=chance,
    )
    text = words(log, ValueQuestion(CheckCost(0.2)), propensity="w")
    assert "So weighted, the labelled cases look like all of them" in text


def test_models_are_named_and_compared():
    good, bad = (
        frame([1] * 9 + [0], np.linspace(0.9, 0.6, 10)),
        frame([0] * 10, np.linspace(0.9, 0.6, 10)),
    )
    log = pl.concat(
        [good.with_columns(model=pl.lit("good")), bad.with_columns(model=pl.lit("bad"))]
    )
    text = words(log, ValueQuestion(CheckCost(0.5)), model="model")
    assert "'good' is expected to do best" in text
    table = "Of the next 1,000 cases, each model at its own threshold"
    assert "cost, checks" in text.partition(table)[2]
    text = words(log, ValueQuestion(AskAtMost(3)), model="model")
    models = text.partition(table)[2].partition("On this log only")[0]
    assert "mistakes" in models
    assert "cost" not in models.partition("best model")[0]  # each would have a price of its own
    text = words(log, ValueQuestion(GreatestWorth(Prices(1, 0, -1))), model="model")
    assert "cost, checks" in text.partition(table)[2]
    text = words(log, ValueQuestion(MaxError(0.2)), model="model")
    assert "'good' is expected to do best" in text
    text = words(
        log.filter(pl.col("model") == "good"), ValueQuestion(is_assumed=True), model="model"
    )
    assert "Of 1 models" not in text


def test_groups_are_shown_and_the_nameless_too():
    log = frame([1, 1, 0, None], [0.9, 0.8, 0.7, 0.6], region=["north", None, "north", "south"])
    text = words(log, ValueQuestion(MistakeCost(0)), group="region")
    assert "Group by group" in text
    assert "(none)" in text
    assert "– is shown where no answered case has a label" in text


def test_no_two_sections_have_one_title():
    answer = answer_question(read_log(SIXTEEN), ValueQuestion(is_assumed=True))
    titles = [section.title for section in value_sections(answer)]
    assert titles[0] == "The answer"
    assert len(set(titles)) == len(titles) == 7


def test_the_dot_lies_on_the_curve_though_unlabelled_cases_move_the_coverage():
    from matplotlib.figure import Figure

    rng = np.random.default_rng(1)
    score = rng.uniform(0.5, 1, 200)
    log = frame([None if i % 3 else int(rng.random() < s) for i, s in enumerate(score)], score)
    answer = answer_question(read_log(log), ValueQuestion(CheckCost(0.2)))
    pictures = [
        block
        for section in value_sections(answer)
        for block in section.blocks
        if isinstance(block, Picture)
    ]
    assert len(pictures) == 4
    ax = Figure().subplots()
    pictures[2].draw(ax)
    curve = {tuple(point) for line in ax.lines[:1] for point in line.get_xydata()}
    (dot,) = [line.get_xydata()[0] for line in ax.lines if line.get_marker() == "o"]
    assert tuple(dot) in curve


objectives = st.sampled_from(
    [
        ValueQuestion(is_assumed=True),
        ValueQuestion(CheckCost(0.3)),
        ValueQuestion(MistakeCost(0)),
        ValueQuestion(MistakeCost(1000)),
        ValueQuestion(FBeta(2)),
        ValueQuestion(AskAtMost(0)),
        ValueQuestion(AskAtMost(3)),
        ValueQuestion(AskAtMost(0.4)),
        ValueQuestion(AskAtMost(999)),
        ValueQuestion(MaxError(0.2)),
        ValueQuestion(MinRecall("ham", 0.5)),
        ValueQuestion(MinPrecision("spam", 0.7)),
        ValueQuestion(GreatestWorth(Prices(1, 0, -3))),
        ValueQuestion(LeastCost(COSTS)),
        ValueQuestion(LeastCost(CostMatrix.zero_one(["ham", "spam"], reject_cost=3))),
        ValueQuestion(is_assumed=True, labels_are_random=True, measure="negative_entropy"),
    ]
)
rows = st.lists(
    st.tuples(
        st.sampled_from([0, 1, 1, None]),
        st.integers(0, 16),
        st.integers(1, 3),
        st.sampled_from("ab"),
    ),
    min_size=1,
    max_size=30,
).filter(lambda rows: any(row[0] is not None for row in rows))


@given(rows, objectives, st.booleans(), st.booleans())
@settings(deadline=None, max_examples=150)
def test_no_log_makes_it_talk_nonsense(rows, question, weighted, by_model):
    right, score, weight, model = zip(*rows, strict=True)
    log = frame(right, np.array(score) / 16, w=weight, m=model, g=model)
    columns = {"classes": ["ham", "spam"], "group": "g"}
    columns |= {"weight": "w"} if weighted else {}
    columns |= {"model": "m"} if by_model else {}
    try:
        answer = answer_question(read_log(log, **columns), question)
    except (UnmetError, NotEstimableError, LogError):  # nothing meets a limit, or a model is bare
        return
    with pytest.MonkeyPatch.context() as patch:  # each stop takes the time of a whole answer
        patch.setattr(what_if, "_STOPS", (1.0, 20.0, 1000.0))
        patch.setattr(what_if, "_CAPACITIES", (0, 200, 1000))
        document = value_document(answer, "log.csv")
        for section in document.sections:
            for block in section.blocks:
                if isinstance(block, WhatIf):
                    block.stops()
    for section in document.sections:
        for block in section.blocks:
            texts = {
                Paragraph: lambda b: [b.text],
                Notice: lambda b: [b.text],
                Grid: lambda b: [b.title, b.note, *b.columns, *(c for row in b.rows for c in row)],
                Picture: lambda b: [b.title, b.alternative],
                Figures: lambda b: [
                    text for f in b.parts for text in (b.title, f.name, f.value, f.between)
                ],
                WhatIf: lambda b: [b.title, *(text for stop in b.stops() for text in stop)],
            }[type(block)](block)
            for text in texts:
                assert not re.search(
                    r"\bnan\b|\binf\b|\bNone\b|(?<![\d.,])1 (checks|cases)\b", text
                ), text
                assert "  " not in text
                assert " ." not in text
                assert not re.search(r"\de[-+]?\d", text), text
            if isinstance(block, Grid):
                assert block.rows
                assert {len(row) for row in block.rows} == {len(block.columns)}
            elif isinstance(block, Paragraph | Notice):
                assert block.text[0].isupper() or block.text[0].isdigit()
                assert block.text.endswith(".")


def test_one_mistake_passes():
    right = [1] * 999 + [0]
    log = pl.DataFrame({"label": right, "proba": [0.999] * 1000})
    text = words(log, ValueQuestion(MistakeCost(1)))
    assert "per 1,000 cases 1 mistake passes." in text


@pytest.mark.parametrize(
    ("objective", "said", "unsaid"),
    [
        (CheckCost(1 / 12), ["and 12 for each mistake", "how sure the model says"], ["is worth"]),
        (AskAtMost(0.3), ["how sure the model says"], ["mistake"]),
        (LeastCost(COSTS), ["as many as each mistake is worth"], ["how sure", "for each"]),
    ],
)
def test_numbers_in_large_type_say_what_they_stand_on(objective, said, unsaid):
    rng = np.random.default_rng(0)
    confidence = rng.uniform(0.5, 1, 400)
    log = read_log(frame((rng.random(400) < confidence).tolist(), confidence))
    document = value_document(answer_question(log, ValueQuestion(objective)), "log.csv")
    (figures,) = [block for block in document.sections[0].blocks if isinstance(block, Figures)]
    assert all(words in figures.note for words in said), figures.note
    assert not any(words in figures.note for words in unsaid), figures.note


@pytest.mark.parametrize("seconds", [None, 40.0])
def test_a_known_volume_makes_the_masthead_and_the_curve_count_its_period(seconds):
    rng, ax = np.random.default_rng(0), Canvas().add_subplot()
    sure = rng.beta(5, 1.5, 400)
    question = ValueQuestion(CheckCost(1 / 5), check=0.27, labels_are_random=True)
    log = read_log(frame((rng.random(400) < sure).astype(int), sure))
    answer = answer_question(log, question)
    work = Workload(volume=Volume(30_000, "month"), check=0.27, seconds_per_check=seconds)
    figures, curve = (
        next(block for block in value_sections(answer, workload=work)[0].blocks if isinstance(block, kind))
        for kind in (Figures, Picture)
    )  # fmt: skip
    assert figures.title == "Of 30,000 cases a month"
    shown = {one.name: float(one.value.replace(",", "")) for one in figures.parts}
    best, found = answer.tomorrow.best, workload_figures(answer.tomorrow, work)
    expected = {
        "decided alone": 30_000 * (1 - best.asked.mean),
        "decided wrongly": found.mistakes.mean,
    }
    expected |= {"cost, your money": found.cost.mean}
    expected |= (
        {"hours of review": found.hours.mean} if seconds else {"go to review": found.asked.mean}
    )
    assert shown == pytest.approx(expected, abs=0.51)
    curve.draw(ax)
    line, dot = (np.array(drawn.get_xydata()) for drawn in ax.lines)
    whole = 30_000 * seconds / 3600 if seconds else 30_000
    assert line[0] == pytest.approx([0, 1000 * answer.tomorrow.answer_all.mistakes.mean], rel=0.05)
    assert line[-1] == pytest.approx([whole, 0])
    assert dot.tolist() == [[whole * best.asked.mean, 1000 * best.mistakes.mean]]
    assert ax.get_xlabel() == (
        "people's hours a month" if seconds else "cases a month that go to review"
    )
    assert (np.diff(line[:, 0]) >= 0).all()
