"""Ordinary tables are not asked about what their values already say; odd ones still are."""

import json

import pytest

from askpoint.records.readers.reading import Choices
from askpoint.records.readers.registry import read_files
from records.test_second_look import columns, read


def sure_of(rng, said, truth, *, least=0.5):
    """Return how sure a model was: from one in the number of classes up to 1, and higher where it is right."""
    values = [
        least + (1 - least) * rng.random() ** (0.5 if a == t else 1.5)
        for a, t in zip(said, truth, strict=True)
    ]
    return [round(v, 3) for v in (least + 0.01, *values[1:-1], 0.99)]


def test_votes_of_0_1_and_2_are_labels(tmp_path):
    _, _, one, two, three = columns(("0", "1", "2"), 0.9, 0.85, 0.8)
    table = {"gpt": one, "claude": two, "mistral": three}
    reading = read(tmp_path, table)
    assert (reading.open_doubt, reading.judges) == (None, ("gpt", "claude", "mistral"))
    assert set(reading.votes["gpt"]) == {"0", "1", "2"}
    (said,) = [d for d in reading.doubts if d.option == "--pass-at"]
    assert "taken for labels" in said.what


@pytest.mark.parametrize("classes", [("1", "2", "3"), ("0", "1", "2", "3")])
def test_other_grades_are_asked_about(tmp_path, classes):
    _, _, one, two = columns(classes, 0.9, 0.85)
    assert read(tmp_path, {"gpt": one, "claude": two}).open_doubt.option == "--pass-at"


def test_few_votes_of_0_1_and_2_are_asked_about(tmp_path):
    _, _, one, two = columns(("0", "1", "2"), 0.9, 0.85)
    table = {"gpt": one[:15], "claude": two[:15]}
    assert read(tmp_path, table).open_doubt.option == "--pass-at"


@pytest.mark.parametrize("score", ["strength", "col_c", "c3"])
def test_a_number_from_one_half_to_one_needs_no_name(tmp_path, score):
    rng, truth, said = columns(("yes", "no"), 0.8)
    strength = [0.51, 0.99, *(round(0.5 + rng.random() / 2, 3) for _ in range(38))]  # tells nothing
    noise = [round(rng.random(), 3) for _ in strength]
    table = {"wahrheit": truth[:40], "vorhersage": said[:40], score: strength, "x7": noise}
    reading = read(tmp_path, table)
    assert (reading.open_doubt, reading.confidence) == (None, score)


def test_but_one_that_begins_higher_does(tmp_path):
    rng, truth, said = columns(("yes", "no"), 0.8)
    table = {
        "target": truth,
        "pred": said,
        "strength": [round(0.8 + rng.random() / 5, 3) for _ in said],
    }
    reading = read(tmp_path, table)
    assert reading is not None
    assert reading.open_doubt is not None or reading.confidence is None


def test_a_label_in_other_words_than_the_answers_is_no_rival(tmp_path):
    rng, truth, said = columns(("animal", "plant"), 0.8)
    known = [t if rng.random() < 0.4 else None for t in truth]
    table = {
        "_golden": [k is not None for k in known],
        "kind": said,
        "kind:confidence": sure_of(rng, said, truth),
        "kind_gold": known,
    }
    reading = read(tmp_path, table)
    assert (reading.open_doubt, reading.label, reading.prediction) == (None, "kind_gold", "kind")


def test_two_levels_of_labels_are_asked_about(tmp_path):
    rng, truth, said = columns(("toy", "book"), 0.8)
    _, fine, told = columns(("doll", "car", "novel"), 0.8, seed=2)
    table = {
        "true_1": truth,
        "pred_1": said,
        "conf": sure_of(rng, said, truth),
        "true_2": fine,
        "pred_2": told,
    }
    assert read(tmp_path, table).open_doubt is not None


def own_answers(name, *, mistakes):
    rng, truth, said = columns(("Positive", "Negative", "Neutral"), 0.7)
    rows = []
    for answer in said:
        top = 0.51 + 0.49 * rng.random()
        rest = [c for c in ("Positive", "Negative", "Neutral") if c != answer]
        share = rng.random()
        parts = {answer: top, rest[0]: (1 - top) * share, rest[1]: (1 - top) * (1 - share)}
        rows.append({f"score_{c}": round(parts[c], 6) for c in ("Positive", "Negative", "Neutral")})
    labels = [t if mistakes else a for t, a in zip(truth, said, strict=True)]
    return {name: labels} | {key: [row[key] for row in rows] for key in rows[0]}


def test_what_the_probabilities_say_on_every_row_is_not_taken_for_the_truth(tmp_path):
    doubt = read(tmp_path, own_answers("Sentiment", mistakes=False)).open_doubt
    assert doubt is not None
    assert "is Sentiment the true label" in doubt.what
    reading = read(tmp_path, own_answers("predicted_class", mistakes=False))
    assert (reading.open_doubt, reading.label) == (None, None)
    reading = read(tmp_path, own_answers("Sentiment", mistakes=True))
    assert (reading.open_doubt, reading.label) == (None, "Sentiment")


def test_a_confidence_in_words_beside_two_columns_of_labels_is_asked_about(tmp_path):
    rng, truth, said = columns(("refund", "shipping", "account"), 0.8)
    table = {
        "Intent": said,
        "Intent confidence": [rng.choice(("HIGH", "MEDIUM", "LOW")) for _ in said],
        "Intent (agent)": truth,
    }
    doubt = read(tmp_path, table).open_doubt
    assert doubt.option == "--kind"
    named = "--label 'Intent (agent)' --prediction Intent --confidence 'Intent confidence'"
    assert named in doubt.what


@pytest.mark.parametrize(
    "name", ["ValidatedDocumentType", "Typ validiert", "type_validé", "tipo validado"]
)
def test_what_somebody_validated_is_the_truth(tmp_path, name):
    rng, truth, said = columns(("invoice", "receipt", "order"), 0.8)
    table = {
        "DocumentType": said,
        "ClassificationConfidence": sure_of(rng, said, truth, least=1 / 3),
        name: truth,
    }
    reading = read(tmp_path, table)
    assert (reading.label, reading.prediction) == (name, "DocumentType")


def test_a_number_with_a_judge_and_a_model_is_asked_about(tmp_path):
    rng, truth, said = columns(("A", "B"), 0.8)
    share = [
        round(0.1 + 0.14 * (a == t) + 0.6 * rng.random(), 3)
        for a, t in zip(said, truth, strict=True)
    ]
    doubt = read(tmp_path, {"judge_a": truth, "claude": said, "region_share": share}).open_doubt
    assert doubt.option == "--kind"


def test_numbered_raters_next_to_models_are_not_taken_for_the_truth(tmp_path):
    _, _, one, two, three = columns(("yes", "no"), 0.9, 0.9, 0.8)
    reading = read(tmp_path, {"gpt": one, "claude": two, "rater_2": three})
    assert reading.gold is None
    assert reading.judges == ("gpt", "claude", "rater_2")
    assert read(tmp_path, {"gpt": one, "claude": two, "rater": three}).gold.source == "rater"


def test_an_export_with_one_row_per_annotation_has_annotators(tmp_path):
    rng, _, one, two, three = columns(("Good", "Bad"), 0.9, 0.9, 0.8)
    rows = [
        {
            "text": f"t {i}",
            "id": i + 1,
            "sentiment": said[i],
            "annotator": who,
            "annotation_id": 1000 * who + i,
            "lead_time": round(30 * rng.random(), 3),
        }
        for who, said in ((1, one), (4, two), (9, three))
        for i in range(45)
    ]
    path = tmp_path / "export.json"
    path.write_text(json.dumps(rows), "utf-8")
    reading = read_files([path], Choices())
    assert reading.open_doubt is None
    assert reading.items == 45
    assert set(reading.judges) == {"1", "4", "9"}
