"""What columns are follows from their values: laws of the tests on which that rests."""

import math

import numpy as np
import polars as pl
import pytest
from scipy import stats
from sklearn.metrics import cohen_kappa_score, roc_auc_score

from askpoint.errors import LogError
from askpoint.records.readers.evidence import prediction_roles, vote_choice, vote_roles
from askpoint.records.readers.evidence.abstentions import is_no_answer, is_tie, is_waiting
from askpoint.records.readers.evidence.columns import columns_of
from askpoint.records.readers.evidence.relations import (
    agreement,
    follows,
    is_correctness,
    is_majority,
    is_twin,
    ranking,
)
from askpoint.records.readers.evidence.scores_found import groups_that_sum
from askpoint.records.readers.evidence.words import hints_of
from askpoint.records.readers.grids import CellGrid
from askpoint.records.readers.reading import Choices
from askpoint.records.readers.registry import read_files
from askpoint.records.roles import column_facts
from askpoint.reports.readings import reading_line

WORDS = ["amber", "basin", "cedar"]


def columns(**cells):
    frame = pl.DataFrame({name: [str(v) for v in values] for name, values in cells.items()})
    grid = CellGrid("t", frame)
    return columns_of(grid, [column_facts(column) for column in frame])


def noisy(rng, truth, share):
    return [rng.choice(WORDS) if rng.random() < share else v for v in truth]


@pytest.mark.parametrize("seed", range(5))
def test_a_ranking_is_that_of_mann_and_whitney(seed):
    rng = np.random.default_rng(seed)
    scores, holds = rng.integers(0, 12, 90).astype(float), rng.random(90) < 0.3
    found = ranking(scores, holds)
    assert found.area == pytest.approx(roc_auc_score(holds, scores))
    told = stats.mannwhitneyu(
        scores[holds], scores[~holds], method="asymptotic", use_continuity=False
    )
    assert 2 * stats.norm.sf(abs(found.z)) == pytest.approx(told.pvalue)


@pytest.mark.parametrize("seed", range(5))
def test_agreement_is_cohens_kappa(seed):
    rng = np.random.default_rng(seed)
    truth = list(rng.choice(WORDS, 80))
    a, b = columns(a=truth, b=noisy(rng, truth, 0.4))
    kappa = cohen_kappa_score(list(a.keys), list(b.keys))
    assert agreement(a, b).kappa == pytest.approx(kappa)


def test_a_score_that_an_answer_cuts_is_of_the_answer_above():
    rng = np.random.default_rng(1)
    p = rng.random(200)
    (answer,) = columns(answer=["yes" if x > 0.5 else "no" for x in p])
    assert follows(p, answer) == ("yes", 0.5)
    assert follows(1 - p, answer) == ("no", 0.5)
    low = np.maximum(p, 1 - p)  # the confidence of the answer: above .5 for both
    assert follows(low, answer) is None
    (other,) = columns(answer=["yes" if x > 0.3 else "no" for x in p])
    value, level = follows(p, other)
    assert (value, math.isclose(level, 0.3, abs_tol=0.02)) == ("yes", True)


def test_what_is_made_of_others_is_found_by_its_values():
    rng = np.random.default_rng(2)
    truth = list(rng.choice(WORDS, 120))
    a, b, c = (noisy(rng, truth, 0.5) for _ in range(3))
    most = [max(set(row), key=row.count) for row in zip(a, b, c, strict=True)]
    flag = ["+" if x == y else "-" for x, y in zip(a, truth, strict=True)]
    code = [WORDS.index(x) for x in a]
    own = columns(x=a, y=b, z=c, m=most, t=truth, f=flag, x_code=code)
    x, y, z, m, t, f, twin = own
    assert is_majority(m, [x, y, z])
    assert not is_majority(t, [x, y, z])
    assert is_correctness(f, x, t)
    assert not is_correctness(f, y, t)
    assert is_twin(twin, x)
    assert not is_twin(twin, y)


def test_columns_that_sum_to_1_are_named_by_the_labels_that_end_them():
    rng = np.random.default_rng(3)
    p = rng.dirichlet([1, 1, 1], 60).round(4)
    own = columns(
        label=[WORDS[i] for i in p.argmax(axis=1)], feature=rng.random(60).round(4),
        **{f"P(class={word})": p[:, i] for i, word in enumerate(WORDS)},
    )  # fmt: skip
    (group,) = groups_that_sum(own, own[:1])
    assert group.classes == tuple(WORDS)
    assert [c.name for c in group.columns] == [f"P(class={word})" for word in WORDS]


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("Sachbearbeiter", "person"), ("relecteur", "person"), ("revisor_humano", "person"),
        ("decisione_revisore", "person"), ("medewerker", "person"), ("担当者判定", "person"),
        ("etichetta_vera", "truth"), ("verite_terrain", "truth"), ("wahre Klasse", "truth"),
        ("正解ラベル", "truth"), ("Vorhersage", "answer"), ("KI-Vorschlag", "answer"),
        ("voorspelling", "answer"), ("previsao", "answer"), ("予測ラベル", "answer"),
        ("Confianza", "confidence"), ("信頼度", "confidence"), ("waarschijnlijkheid", "confidence"),
        ("predictedLabel", "answer"), ("annotateur_2", "judge"), ("beoordelaar1", "judge"),
    ],
)  # fmt: skip
def test_names_hint_in_eight_languages(name, hint):
    assert hint in hints_of(name)


def test_what_is_no_label():
    for word in ("ERROR: timeout", "I cannot judge this", "unsicher", "je ne sais pas", "回答不可"):
        assert is_no_answer(word), word
    for word in (
        "correct",
        "incorrect",
        "not enough info",
        "refuted",
        "true_positive",
        "erroneous",
    ):
        assert not is_no_answer(word), word
    assert is_waiting("In attesa")
    assert not is_waiting("approved")
    assert is_tie("Tie")


def write(tmp_path, rows, name="t.csv"):
    path = tmp_path / name
    head = ",".join(rows[0])
    path.write_text("\n".join([head, *(",".join(map(str, r.values())) for r in rows)]))
    return path


def answered(n=120, seed=5):
    rng = np.random.default_rng(seed)
    for i in range(n):
        truth, sure = str(rng.choice(WORDS)), round(float(rng.uniform(0.34, 1)), 3)
        right = rng.random() < sure
        said = truth if right else str(rng.choice([w for w in WORDS if w != truth]))
        yield i, truth, said, sure


def test_values_tell_where_names_do_not(tmp_path):
    rows = [{"n": f"c{i}", "a": said, "b": sure, "c": truth if i % 3 else ""}
            for i, truth, said, sure in answered()]  # fmt: skip
    found = read_files([write(tmp_path, rows)])
    assert (found.prediction, found.confidence, found.label) == ("a", "b", "c")
    assert reading_line(found).endswith("; columns guessed from names and values")
    stated = Choices(label="c", prediction="a", confidence="b")
    told = read_files([tmp_path / "t.csv"], stated)
    assert not told.is_guess
    assert "guess" not in reading_line(told)


def test_who_is_the_truth_is_asked_where_nothing_tells(tmp_path):
    rows = [{"n": f"c{i}", "a": said, "s": sure, "b": truth} for i, truth, said, sure in answered()]
    rows = [{"n": r["n"], "a": r["a"], "b": r["b"], "s": r["s"]} for r in rows]
    found = read_files([write(tmp_path, rows)])
    assert found.open_doubt is not None
    assert found.open_doubt.option == "--label"
    named = read_files([write(tmp_path, rows)], Choices(label="b"))
    assert (named.label, named.prediction, named.open_doubt) == ("b", "a", None)


def test_a_score_made_with_the_truth_is_no_confidence(tmp_path):
    rng = np.random.default_rng(6)
    rows = [
        {"case": f"c{i}", "prediction": said, "confidence": round(float(rng.uniform(0.6, 1) if said == truth
         else rng.uniform(0, 0.4)), 3), "label": truth}
        for i, truth, said, _ in answered()
    ]  # fmt: skip
    assert "made with the truth" in read_files([write(tmp_path, rows)]).open_doubt.what


def test_answers_that_cut_a_probability_elsewhere_are_asked(tmp_path):
    rng = np.random.default_rng(7)
    p = rng.random(150).round(3)
    rows = [{"id": f"c{i}", "y_true": int(rng.random() < x), "y_pred": int(x > 0.3), "score": x}
            for i, x in enumerate(p)]  # fmt: skip
    doubt = read_files([write(tmp_path, rows)]).open_doubt
    assert "cuts it at 0.3" in doubt.what
    assert "--confidence score" in doubt.what


def test_a_word_that_no_answer_is_and_many_labels_are_is_asked(tmp_path):
    rows = [{"id": f"c{i}", "prediction": said, "confidence": sure, "truth": "zzz" if i % 2 else truth}
            for i, truth, said, sure in answered()]  # fmt: skip
    doubt = read_files([write(tmp_path, rows)]).open_doubt
    assert (doubt.option, "'zzz' is 60 of 120" in doubt.what) == ("--missing", True)
    rows = [
        row | {"truth": "en attente" if row["truth"] == "zzz" else row["truth"]} for row in rows
    ]
    found = read_files([write(tmp_path, rows)])
    assert (found.open_doubt, sum(found.label_counts.values())) == (None, 60)


def test_approved_and_declined_are_two_classes(tmp_path):
    rng = np.random.default_rng(8)
    rows = []
    for i in range(100):
        sure = round(float(rng.uniform(0.5, 1)), 3)
        said, right = ("approved", "declined")[i % 3 == 0], rng.random() < sure
        truth = said if right else {"approved": "declined", "declined": "approved"}[said]
        rows.append(
            {"application": f"a{i}", "decision": said, "confidence": sure, "outcome": truth}
        )
    found = read_files([write(tmp_path, rows)])
    assert found.kind == "predictions"
    assert set(found.label_counts) == {"approved", "declined"}
    assert sum(found.label_counts.values()) == 100


def test_a_turned_table_is_asked(tmp_path):
    rng = np.random.default_rng(9)
    easy = rng.random(20)
    rows = [{"email": f"p{j}@x.org", **{f"Item {i}": ("No", "Yes")[int(rng.random() < easy[i])]
             for i in range(20)}} for j in range(9)]  # fmt: skip
    assert "turned" in read_files([write(tmp_path, rows)]).open_doubt.what
    upright = [{"post": f"p{i}", **{f"judge {j}": row[f"Item {i}"] for j, row in enumerate(rows)}}
               for i in range(20)]  # fmt: skip
    assert read_files([write(tmp_path, upright)]).open_doubt is None


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([{"": c, "precision": p, "recall": r, "f1": round(2 * p * r / (p + r), 2), "n": 9}
          for c, p, r in (("a", 0.9, 0.5), ("b", 0.4, 0.8))], "summary"),
        ([{"": a, **{b: 9 if a == b else 1 for b in WORDS}} for a in WORDS], "confusion matrix"),
        ([{"epoch": i, "train_loss": 1 / (i + 1), "val_loss": 1.2 / (i + 1)} for i in range(30)],
         "training"),
        ([{"width": i / 7, "height": (i * 7 % 50) / 9, "species": WORDS[i % 3]} for i in range(60)],
         "no column holds votes"),
    ],
)  # fmt: skip
def test_tables_without_cases_are_refused(tmp_path, rows, said):
    with pytest.raises(LogError, match=said):
        read_files([write(tmp_path, rows)])


def test_columns_of_two_tables_are_joined_by_their_ids(tmp_path):
    own = list(answered())
    write(
        tmp_path,
        [{"case": f"c{i}", "prediction": a, "confidence": s} for i, _, a, s in own],
        "p.csv",
    )
    write(tmp_path, [{"key": f"c{i}", "truth": t} for i, t, _, _ in own[::-1][:70]], "t.csv")
    found = read_files([tmp_path])
    assert (found.kind, found.items, found.label) == ("predictions", 120, "truth")
    right = {f"c{i}": t for i, t, _, _ in own}
    known = found.frame.filter(pl.col("label").is_not_null())
    assert dict(known.select("id", "label").iter_rows()) == {
        k: v for k, v in right.items() if int(k[1:]) >= 50
    }


def test_ties_that_people_never_gave_abstain(tmp_path):
    from askpoint.records.readers.brought import collect_votes

    rows = [{"id": i, "j1": "tie" if i % 5 == 0 else "AB"[i % 2], "j2": "AB"[i % 3 > 0],
             "human": "AB"[i % 2] if i < 40 else ""} for i in range(90)]  # fmt: skip
    found = read_files([write(tmp_path, rows)])
    assert found.votes["j1"]["tie"] == 18
    assert collect_votes(found, Choices()).table.labels == ("A", "B")


def test_truth_values_in_other_words_are_the_same_labels(tmp_path):
    rng = np.random.default_rng(10)
    p = rng.random(90).round(3)
    rows = [{"id": f"c{i}", "fraud": int(rng.random() < x), "flagged": bool(x > 0.5), "fraud_score": x}
            for i, x in enumerate(p)]  # fmt: skip
    found = read_files([write(tmp_path, rows)])
    assert (found.open_doubt, found.probabilities, found.label) == (
        None,
        {"1": "fraud_score"},
        "fraud",
    )


def test_two_groups_of_probabilities_are_asked(tmp_path):
    rng = np.random.default_rng(11)
    p = rng.dirichlet([1, 1, 1], 60).round(4)
    q = ((p + 1 / 3) / 2).round(4)
    rows = [{"id": f"c{i}", "target": WORDS[rng.choice(3, p=p[i] / p[i].sum())],
             **{f"old_{w}": p[i, k] for k, w in enumerate(WORDS)},
             **{f"new_{w}": q[i, k] for k, w in enumerate(WORDS)}} for i in range(60)]  # fmt: skip
    assert read_files([write(tmp_path, rows)]).open_doubt.option == "--proba"
    names = tuple(f"new_{w}" for w in WORDS)
    found = read_files(
        [write(tmp_path, rows)], Choices(proba=names, classes=tuple(WORDS), label="target")
    )
    assert found.frame["proba_basin"].to_list() == pytest.approx(list(q[:, 1]), abs=1e-3)


def test_marks_of_wrong_answers_are_turned(tmp_path):
    rows = [{"case": f"c{i}", "output": said, "confidence": sure, "error": int(said != truth)}
            for i, truth, said, sure in answered()]  # fmt: skip
    found = read_files([write(tmp_path, rows)])
    wrong = sum(row["error"] for row in rows)
    assert found.label_counts == {"right": len(rows) - wrong, "wrong": wrong}


def test_people_of_a_claims_desk_are_no_approvals(tmp_path):
    rows = [{"claim": f"c{i}", "agent": "kl"[i % 2], "ai_decision": ("deny", "approve")[sure > 0.6],
             "confidence": sure, "human_decision": ("deny", "approve")[said == truth]}
            for i, truth, said, sure in answered()]  # fmt: skip
    assert read_files([write(tmp_path, rows)]).kind == "predictions"


def test_a_number_that_nobody_explains_is_asked(tmp_path):
    rng = np.random.default_rng(12)
    rows = [{"case": f"c{i}", "model_verdict": said, "rho": round(float(rng.random()), 3), "human": truth if i % 2 else ""}
            for i, truth, said, _ in answered()]  # fmt: skip
    doubt = read_files([write(tmp_path, rows)]).open_doubt
    assert (doubt.option, "--kind votes" in doubt.what) == ("--confidence", True)
    assert read_files([write(tmp_path, rows)], Choices(kind="votes")).open_doubt is None


def test_a_wide_table_of_votes_is_not_compared_pair_by_pair(tmp_path, monkeypatch):
    """Of n columns of one vocabulary no three are laid beside each other, and each beside 40 at most."""
    rng = np.random.default_rng(0)
    truth, n = rng.random(60) < 0.5, 120
    votes = {f"j{j}": np.where(rng.random(60) < 0.8, truth, ~truth).astype(int) for j in range(n)}
    pl.DataFrame({"item": [f"i{i}" for i in range(60)], **votes}).write_csv(tmp_path / "wide.csv")
    compared = []

    def counted(a, b):
        compared.append((a.name, b.name))
        return agreement(a, b)

    for module in (prediction_roles, vote_choice, vote_roles):
        monkeypatch.setattr(module, "agreement", counted)
    reading = read_files([tmp_path / "wide.csv"], Choices())
    assert len(reading.judges) == n
    assert 0 < len(compared) < 60 * n  # all pairs would be n * n


def test_cases_that_nobody_labelled_are_no_missing_cells(tmp_path):
    rng = np.random.default_rng(1)
    p = rng.random(200)
    label = [("spam" if rng.random() < x else "ham") if i < 60 else None for i, x in enumerate(p)]
    frame = pl.DataFrame({"id": range(200), "p_ham": 1 - p, "p_spam": p, "label": label})
    frame.write_csv(tmp_path / "log.csv")
    line = reading_line(read_files([tmp_path / "log.csv"], Choices()))
    assert "140 without a label" in line
    assert "missing" not in line
