"""`askpoint.evaluate` gives what the command gives, whatever the data come in."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys

import duckdb
import ibis
import numpy as np
import pandas as pd
import polars as pl
import pytest

import askpoint
from askpoint import Deployment, InputError, LogError
from askpoint.measures.intervals import Interval
from cast import require
from cli.logs import make_log

MONEY = {"mistake": 40, "check": 2.5}
WORDS = ("--mistake", 40, "--check", 2.5)


def rows(n=400, seed=5):
    """A log of answers with a confidence, a third of them without a label."""
    rng = random.Random(seed)
    found = []
    for i in range(n):
        sure, truth = round(rng.uniform(0.5, 1), 3), rng.choice(("ham", "spam"))
        other = "spam" if truth == "ham" else "ham"
        said = truth if rng.random() < sure else other
        label = truth if rng.random() < 0.66 else None
        found.append({"id": f"c{i}", "prediction": said, "confidence": sure, "label": label})
    return found


@pytest.fixture
def log(shell):
    return shell.write("log.csv", rows())


@pytest.fixture
def printed(shell, log):
    """The bytes that the command prints of the file."""
    return shell.said(log, *WORDS, "--json")


def as_bytes(report):
    return json.dumps(report.to_dict(), indent=2, allow_nan=False) + "\n"


def frames(path):
    frame = pl.read_csv(path)
    pandas = pd.read_csv(path)
    yield "path", path
    yield "pandas", pandas
    yield "pandas with the ids as index", pandas.set_index("id")
    yield "polars", frame
    yield "a scan", frame.lazy()
    yield "pyarrow", frame.to_arrow()
    yield "DuckDB", duckdb.connect().read_csv(path)
    yield "Ibis", ibis.memtable(frame)
    yield "arrays", {name: frame[name].to_numpy() for name in frame.columns}
    yield "rows", frame.to_dicts()


def test_the_same_log_gives_the_same_bytes_in_every_form(log, printed):
    for name, data in frames(log):
        assert as_bytes(askpoint.evaluate(data, **MONEY)) == printed, name


# PySpark leaves the socket by which it collects to the garbage collector
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")
def test_spark_gives_the_same_bytes(log, printed):
    require("spark")
    from value.test_frames import spark_session

    frame = spark_session().createDataFrame(pl.read_csv(log).to_arrow())
    assert as_bytes(askpoint.evaluate(frame, **MONEY)) == printed


def test_the_answer_shows_its_first_sentence_and_its_figures(shell, log):
    answer = askpoint.evaluate(log, **MONEY)
    content = shell.json(log, *WORDS)
    said = " ".join(shell.said(log, *WORDS).split())
    assert repr(answer) in said
    assert "\n" not in repr(answer)
    assert repr(answer) == repr(askpoint.report(answer.answer))
    assert str(answer).startswith("read as predictions: 400 items")
    best = content["recommended"]
    assert answer.rule.threshold == best["rule"]["threshold"] == content["threshold"]
    for figure, name, key in (
        (answer.asked, "asked", "share"),
        (answer.mistakes, "mistakes", "share"),
        (answer.cost, "cost", "per_1000"),
    ):
        assert float(figure) == best[name][key]
        assert figure.interval == Interval(*best[name]["interval"])
        assert figure.n == best[name]["n"]
    assert answer.decided is content["decided"]
    assert "checks per 1,000 cases" in repr(answer.cost)


def test_where_there_is_no_verdict_the_figures_are_none():
    seen = [{"proba": i / 400, "label": None if 60 < i < 340 else i > 200} for i in range(400)]
    answer = askpoint.evaluate(pl.DataFrame(seen), label="label")
    assert (answer.rule, answer.asked, answer.cost, answer.decided) == (None, None, None, False)
    assert answer.to_dict()["reasons"]["recommended.rule"]


def test_options_have_the_names_of_the_command(shell):
    log = shell.write("log.csv", make_log(200, seed=2, groups=("a", "b")))
    cases = [
        ({"ask_at_most": "40/day", "volume": "100/day"}, ["--ask-at-most", "40/day", "--volume", "100/day"]),
        ({"by": "region", "rho": np.float64(0.1)}, ["--by", "region", "--rho", 0.1]),
        ({"min_recall": {"spam": 0.9}}, ["--min-recall", "spam=0.9"]),
        ({"prices": (0, -1, -9)}, ["--prices=0,-1,-9"]),
        ({"proba": ["proba_ham", "proba_spam"], "rho": 0.1}, ["--proba", "proba_ham,proba_spam", "--rho", 0.1]),
        ({"sketch": True, "rho": 0.1}, ["--sketch", "--rho", 0.1]),
        ({"sketch": False, "rho": 0.1}, ["--exact", "--rho", 0.1]),
        ({"labels_are_random": True, "rho": 0.1}, ["--labels-are-random", "--rho", 0.1]),
    ]  # fmt: skip
    for keywords, words in cases:
        assert askpoint.evaluate(log, **keywords).to_dict() == shell.json(log, *words), words


def test_cells_go_with_arrays():
    rng = np.random.default_rng(3)
    proba = rng.dirichlet((1, 1, 1), 500)
    label = np.array([rng.choice(3, p=p) for p in proba])
    together = askpoint.evaluate({"label": label, "proba": proba}, rho=0.1).to_dict()
    assert together["classes"] == ["0", "1", "2"]
    assert askpoint.evaluate(proba, label=label, rho=0.1).to_dict() == together
    assert askpoint.evaluate(proba.tolist(), label=list(label), rho=0.1).to_dict() == together
    frame = pl.DataFrame(proba, schema=["proba_0", "proba_1", "proba_2"])
    assert askpoint.evaluate(frame, label=pd.Series(label), rho=0.1).to_dict() == together


def pipeline_outputs(n=300):
    """What a text-classification pipeline answers: the best class, or all of them."""
    rng = np.random.default_rng(8)
    spam = rng.uniform(size=n)
    truth = np.where(rng.uniform(size=n) < spam, "spam", "ham")
    every = [
        sorted(
            [{"label": "spam", "score": p}, {"label": "ham", "score": 1 - p}],
            key=lambda one: -one["score"],
        )
        for p in spam
    ]
    return truth, [row[0] for row in every], every


def test_outputs_of_pipelines_are_read():
    truth, best, every = pipeline_outputs()
    sure = np.array([one["score"] for one in best])
    said = np.array([one["label"] for one in best])
    by_hand = {"label": truth, "prediction": said, "confidence": sure}
    expected = askpoint.evaluate(by_hand, rho=0.1)
    rows = [one | {"truth": true} for one, true in zip(best, truth, strict=True)]
    told = askpoint.evaluate(rows, rho=0.1, label="truth")
    assert float(told.asked) == pytest.approx(float(expected.asked))
    assert told.rule == expected.rule
    told = askpoint.evaluate(every, rho=0.1, label=truth)
    assert told.to_dict()["classes"] == ["ham", "spam"]
    assert float(told.asked) == pytest.approx(float(expected.asked), abs=0.02)


class Tensor:
    """What a tensor looks like from outside."""

    def __init__(self, values, device="cpu", dtype="torch.float32"):
        self.values, self.device, self.dtype = np.asarray(values), device, dtype
        self.is_attached = True

    def detach(self):
        other = Tensor(self.values, self.device, self.dtype)
        other.is_attached = False
        return other

    def float(self):
        other = Tensor(self.values)
        other.is_attached = self.is_attached
        return other

    def __len__(self):
        return len(self.values)

    def __array__(self, dtype=None, copy=None):
        if self.is_attached or self.dtype == "torch.bfloat16":
            raise RuntimeError("Can't call numpy() on Tensor that requires grad")
        return self.values


def test_tensors_are_detached_and_must_lie_in_memory():
    rng = np.random.default_rng(4)
    proba, label = rng.uniform(size=300), rng.integers(0, 2, 300)
    expected = askpoint.evaluate({"label": label, "proba": proba}, rho=0.1).to_dict()
    for kind in ("torch.float32", "torch.bfloat16"):
        told = askpoint.evaluate({"label": label, "proba": Tensor(proba, dtype=kind)}, rho=0.1)
        assert told.to_dict() == expected
    with pytest.raises(
        LogError, match=r"proba must be in memory; got a tensor on the device cuda:0. .*\.cpu\(\)"
    ):
        askpoint.evaluate({"label": label, "proba": Tensor(proba, "cuda:0")})


def test_tensors_of_torch():
    torch = pytest.importorskip("torch")
    rng = np.random.default_rng(4)
    proba, label = rng.dirichlet((1, 1), 300), rng.integers(0, 2, 300)
    expected = askpoint.evaluate({"label": label, "proba": proba}, rho=0.1).to_dict()
    tensor = torch.tensor(proba, requires_grad=True)
    data = {"label": torch.tensor(label), "proba": tensor}
    assert askpoint.evaluate(data, rho=0.1).to_dict() == expected
    assert askpoint.evaluate(tensor, label=torch.tensor(label), rho=0.1).to_dict() == expected
    with pytest.raises(LogError, match="on the device meta"):
        askpoint.evaluate({"label": label, "proba": tensor.to("meta")})


def test_a_data_set_of_hugging_face_keeps_the_names_of_its_classes():
    datasets = pytest.importorskip("datasets")
    label = datasets.ClassLabel(names=["ham", "spam"])
    rng = np.random.default_rng(1)
    proba = rng.uniform(size=300)
    truth = (rng.uniform(size=300) < proba).astype(int).tolist()
    data = {"label": truth, "proba_ham": (1 - proba).tolist(), "proba_spam": proba.tolist()}
    features = datasets.Features(
        label=label, proba_ham=datasets.Value("float64"), proba_spam=datasets.Value("float64")
    )
    told = askpoint.evaluate(datasets.Dataset.from_dict(data, features), rho=0.1)
    assert told.to_dict()["classes"] == ["ham", "spam"]
    shuffled = datasets.Dataset.from_dict(data, features).select(range(100))
    assert askpoint.evaluate(shuffled, rho=0.1).to_dict()["n_items"] == 100
    split = datasets.DatasetDict(train=shuffled, test=shuffled)
    with pytest.raises(LogError, match="one split; got train, test"):
        askpoint.evaluate(split)


def test_votes_are_answered_as_votes(shell):
    rng = random.Random(2)
    votes = [
        {"task": f"t{i}"} | {who: rng.choice("xy") for who in ("ann", "bob", "cyd")}
        for i in range(60)
    ]
    path = shell.write("votes.csv", votes)
    told = askpoint.evaluate(pl.DataFrame(votes))
    assert told.to_dict() == askpoint.evaluate(path).to_dict() == shell.json(path)
    assert repr(told) in " ".join(shell.said(path).split())
    assert not hasattr(told, "rule")


def test_a_doubt_names_the_keyword_that_settles_it():
    scores = {name: [float(i * k % 5 + 1) for i in range(40)] for k, name in enumerate("abc", 1)}
    with pytest.raises(LogError, match=r"the least that passes \(pass_at=\)"):
        askpoint.evaluate(pl.DataFrame(scores))
    assert askpoint.evaluate(pl.DataFrame(scores), pass_at=3).to_dict()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"mistak": 40}, "mistak=. Did you mean mistake="),
        ({"mistake": 40}, "add check=AMOUNT"),
        ({"rho": 0.1, "beta": 1}, "give one objective; got rho= and beta="),
        ({"html": "page.html"}, "to_html"),
        ({"json": True}, "to_dict"),
        ({"measure": "feeling"}, "measure"),
        ({"rho": "cheap"}, "rho"),
        ({"labels_are_random": 1}, "labels_are_random must be True or False; got 1"),
        ({"query": "SELECT 1"}, "query= must come with the address of a database"),
        ({"costs": object()}, "costs must be a text, a number, or several of them; got object"),
        ({"label": [1, 0]}, "label must name a column of the file"),
    ],
)
def test_a_wrong_option_is_refused_by_its_keyword(log, options, message):
    with pytest.raises(InputError) as refused:
        askpoint.evaluate(log, **options)
    assert message in str(refused.value)
    assert "--" not in str(refused.value)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (object(), "data must be a path, an address, a dataframe"),
        ([], "must have rows; got an empty list"),
        ([object()], "got a list of object"),
        ({"label": [1, 0], "proba": [0.5, 0.5, 0.1]}, "one length; got label 2, proba 3"),
        ("no/such/file.csv", "there is no file"),
        (
            pd.DataFrame([[1, 2]], columns=pd.MultiIndex.from_product([["a"], ["b", "c"]])),
            "one name per column; got a MultiIndex of 2 levels",
        ),
        (
            pd.DataFrame([[1, 0, 0.5]], columns=["label", "label", "confidence"]),
            "two columns of the dataframe have one name: Expected unique column names, got: - 'label' 2 times. Rename one",
        ),
        (
            pd.DataFrame({"label": [1, 0]}, index=pd.MultiIndex.from_tuples([(1, 2), (3, 4)])),
            "frame.reset_index",
        ),
        (
            {"label": ["bad", "good", "bad"], "proba": np.full((3, 2), 0.5)},
            'Name the classes in the order of the columns, for example classes="bad,good".',
        ),
        (
            {"label": ["bad", "bad", "bad"], "proba": np.full((3, 2), 0.5)},
            'in the order of the columns, for example classes="A,B,C".',
        ),
        (
            pd.DataFrame({"label": ["0", "1"], "proba_no": [0.9, 0.2], "proba_yes": [0.1, 0.8]}),
            'Name the class of each label, for example map="0=no".',
        ),
        (
            pd.DataFrame({"label": ["x", "y"], "prediction": ["a", "b"], "confidence": [0.9, 0.8]}),
            'Name the label of each answer, for example map="a=x".',
        ),
    ],
)
def test_what_is_no_log_is_refused(data, message):
    with pytest.raises(LogError) as refused:
        askpoint.evaluate(data)
    assert message in str(refused.value)


def test_it_prints_nothing(log, capfd):
    askpoint.evaluate(log, **MONEY)
    assert capfd.readouterr() == ("", "")


def test_two_logs_are_compared_by_their_ids(shell):
    old, new = rows(seed=5), rows(seed=5)
    rng = random.Random(1)
    for row in new:
        row["confidence"] = round(min(1.0, row["confidence"] + rng.uniform(0, 0.05)), 3)
    before, after = shell.write("old.csv", old), shell.write("new.csv", new)
    told = shell.json(after, "--against", before, *WORDS)
    assert {part["model"] for part in told["models"]} == {"old", "new"}
    assert told["comparison"]["differences"]
    assert askpoint.evaluate(after, against=before, **MONEY).to_dict() == told
    assert told == shell.json(before, after, *WORDS)
    nameless = [{k: v for k, v in row.items() if k != "id"} for row in new]
    one, two = shell.write("one.csv", nameless), shell.write("two.csv", nameless)
    assert "--id" in shell.refusal(one, "--against", two)


def test_a_policy_decides_in_memory_and_in_a_folder(log, shell):
    answer = askpoint.evaluate(log, **MONEY, labels_are_random=True)
    secret = b"sixteen or more!"
    policy = answer.policy(secret=secret, name="posts")
    assert policy.terms.limit == 2.5 / 40
    service = Deployment(":memory:", policy, secret=secret)
    made = service.decide(["a", "b"], confidence=[0.5, 0.999])
    assert made.answer.tolist() == [False, policy.state.threshold <= 0.999]
    assert "posts" in repr(policy)
    assert len(repr(policy)) < 100
    place = answer.deploy(shell.folder / "posts")
    batch = shell.write("batch.csv", [{"key": "a", "prediction": "ham", "confidence": 0.999}])
    assert "1 case" in shell.said("decide", place, batch)
    with pytest.raises(InputError, match="holds a policy already"):
        answer.deploy(shell.folder / "posts")
    with pytest.raises(InputError, match="price of a mistake, a share of mistakes, or what people"):
        askpoint.evaluate(log, beta=1).policy(secret=secret)
    promised = askpoint.evaluate(log, max_error=0.3, guarantee=0.1).policy(secret=secret)
    assert (promised.terms.aim, promised.terms.limit, promised.terms.delta) == ("promise", 0.3, 0.1)


def test_a_capacity_opens_the_policy_of_the_price_that_it_stands_for(log, shell):
    answer = askpoint.evaluate(log, ask_at_most="40/day", volume="100/day", labels_are_random=True)
    terms = answer.policy(secret=bytes(16), rate=0.1).terms
    asked = askpoint.evaluate(log, rho=terms.limit, labels_are_random=True).asked.value
    assert asked + 0.1 * (1 - asked) <= 0.4  # audits are people's work, too
    dearer = askpoint.evaluate(log, rho=terms.limit / 1.05, labels_are_random=True).asked.value
    assert dearer + 0.1 * (1 - dearer) > 0.4
    words = ("--ask-at-most", "40/day", "--volume", "100/day", "--seconds-per-check", "36")
    words = (*words, "--labels-are-random", "--audit", "0.1", "--out", shell.folder / "own")
    said = " ".join(shell.said("deploy", log, *words).split())
    assert (
        f"People can check 40 of 100 cases a day, audits included. That is their best use where one mistake is as bad as {1 / terms.limit:.3g} checks"
        in said
    )
    told = re.search(
        r"Of 100 cases a day it decides (\d+) alone at first. People check (\d+): (\d+) that go to review, and (\d+) audits.",
        said,
    )
    alone, checks, review, audits = map(int, told.groups())
    assert alone + review == 100
    assert audits == round(0.1 * alone)
    assert abs(review + audits - checks) <= 1  # each is rounded
    assert ("more cases a day go to review than they can check" in said) == (checks > 40)
    assert "Reviewing every case takes 1 hour." in said
    for refused, says in (
        (("--ask-at-most", "40"), "must be N/PERIOD"),
        (("--ask-at-most", "40/day"), "add --volume"),
        (("--ask-at-most", "9/day", "--volume", "9/day"), "must be less than --volume"),
        (("--ask-at-most", "4/day", "--volume", "100/day"), "audit less"),
        (("--rho", "0.1", "--seconds-per-check", "9"), "--seconds-per-check needs"),
    ):
        assert says in shell.refusal("deploy", log, *refused, "--out", shell.folder / "other")


def test_a_policy_of_groups_decides_each_by_how_often_the_model_is_right_in_it():
    rng = np.random.default_rng(6)
    sure, region = rng.uniform(0.5, 1, 600), rng.choice(["a", "b"], 600)
    right = rng.random(600) < np.where(region == "a", sure, 0.5)
    cases = {"label": np.where(right, "x", "y"), "prediction": ["x"] * 600, "confidence": sure}
    answer = askpoint.evaluate(cases | {"region": region}, rho=0.2, by="region", classes=["x", "y"])
    secret = b"sixteen or more!"
    service = Deployment(":memory:", answer.policy(secret=secret), secret=secret)
    own = service.watch().group_thresholds
    assert own["a"] < 0.99
    assert own["b"] is None  # from no confidence on is it right there in four of five
    made = service.decide(["p", "q"], confidence=[0.99, 0.99], group=["a", "b"], prediction="x")
    assert made.answer.tolist() == [True, False]


RUNGS = {"rung": ["small=p_small:0.01", "large=p_large:0.1"], "rho": 0.05, "classes": ["no", "yes"]}


def ladder_rows(n=240, seed=4):
    """Two models of different skill; a third of the rows without a label."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, n)

    def say(skill):
        return (1 / (1 + np.exp(-1.3 * ((2 * truth - 1) * skill + rng.normal(0, 1, n))))).round(6)

    label = [("no", "yes")[code] if i % 3 else None for i, code in enumerate(truth)]
    return pl.DataFrame({"label": label, "p_small": say(1.0), "p_large": say(2.5)})


def test_a_ladder_is_evaluated_in_every_form_and_opens_a_policy(shell):
    frame, secret = ladder_rows(), b"sixteen or more!"
    path = shell.folder / "ladder.csv"
    frame.write_csv(path)
    words = ["--rho", 0.05, "--classes", "no,yes"]
    words += [word for rung in RUNGS["rung"] for word in ("--rung", rung)]
    told = shell.json("value", path, *words)
    assert shell.json(path, *words) == told
    assert askpoint.evaluate(frame.to_dicts(), **RUNGS).to_dict() == told
    answer = askpoint.evaluate(frame.drop("label"), label=frame["label"], **RUNGS)
    assert answer.to_dict() == told
    service = Deployment(":memory:", answer.policy(secret=secret, rate=0.2), secret=secret)
    outputs = {"p_small": [0.5, 0.5], "p_large": [None, 0.9999]}
    made = service.decide(["a", "b"], outputs=outputs)
    assert made.call.tolist() == ["large", None]
    assert service.policy.terms.rate == 0.2
    place = answer.deploy(shell.folder / "desk")
    batch = shell.write("batch.csv", [{"key": "a", "p_small": 0.5, "p_large": ""}])
    assert "to call large on 1" in shell.said("decide", place, batch)
    refused = shell.refusal(path, path, *words)
    assert "--rung takes one log" in refused


def test_documents_are_evaluated_and_open_a_policy():
    rng = np.random.default_rng(5)
    fields = pl.DataFrame({"form": np.repeat(np.arange(250), 2), "prediction": "as read"})
    sure = rng.uniform(0.9, 1, 500)
    read = np.where(rng.random(500) < 3 * (1 - sure) ** 2, "else", "as read")
    fields = fields.with_columns(confidence=pl.Series(sure), label=pl.Series(read.tolist()))
    answer = askpoint.evaluate(fields, document="form", rho=0.4)
    assert answer.answer.documents.column == "form"
    secret = b"sixteen or more!"
    service = Deployment(":memory:", answer.policy(secret=secret), secret=secret)
    made = service.decide(["a", "b"], fields=[{"one": 0.99}, dict.fromkeys("abcd", 0.6)])
    assert made.answer.tolist() == [True, False]


@pytest.mark.whole
def test_a_notebook_without_a_display_shows_the_page(log):
    code = (
        "import askpoint, sys; page = askpoint.evaluate(sys.argv[1], mistake=40, check=2.5)._repr_html_();"
        "assert page.startswith('<iframe') and '&lt;svg' in page"
    )
    bare = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    subprocess.run(
        [sys.executable, "-c", code, log], check=True, env=bare | {"MPLBACKEND": "tkagg"}
    )


def test_columns_named_for_a_query_that_is_only_counted_are_found(shell):
    duckdb = pytest.importorskip("duckdb")
    rows = [
        {"truth": "ab"[i % 7 == 0], "guess": "a", "sure": 0.5 + i * 37 % 500 / 1000}
        for i in range(600)
    ]
    path = shell.write("cases.csv", rows)
    named = {"label": "truth", "prediction": "guess", "confidence": "sure", "rho": 0.1}
    whole = askpoint.evaluate(path, **named)
    counted = askpoint.evaluate(duckdb.read_csv(str(path)), sketch=True, **named)
    assert counted.rule == whole.rule
    assert counted.asked.value == pytest.approx(whole.asked.value)
