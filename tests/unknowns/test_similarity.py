"""Design 5's classifier: its gate, its laws, and islands of the shared texts."""

import csv
import gzip
import re

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from askpoint.errors import InputError
from askpoint.unknowns.similarity import SimilarityClassifier

NORTH = ["you people from the north", "people up north never learn", "go back to the north"]
OTHERS = ["nice weather today", "the match starts at nine", "see you at lunch", "good morning"]


def test_the_first_of_a_kind_earns_in_full():
    scores, reasons = SimilarityClassifier([], OTHERS).similarities([NORTH[0], OTHERS[0]])
    assert scores.tolist() == [0, 0]
    assert reasons == ("nothing earlier",) * 2


def test_the_same_text_and_near_duplicates_score_one():
    classifier = SimilarityClassifier(NORTH, OTHERS)
    scores, reasons = classifier.similarities(
        ["GO back  to the north", "go back to the north!", "a wholly different matter"]
    )
    assert reasons == ("same text", "near-duplicate", "classifier")
    assert scores[:2].tolist() == [1, 1]
    assert scores[2] < 0.5


def test_without_other_texts_only_the_gate_holds():
    scores, reasons = SimilarityClassifier(NORTH, []).similarities(
        [NORTH[1], "another one of them"]
    )
    assert scores.tolist() == [1, 0]
    assert reasons == ("same text", "classifier")


def test_a_rejected_probe_never_raises_its_own_score():
    # the player's failed try joins the others: a second try at it must not look more similar
    probe = "those people from the north never learn, nice"
    before = SimilarityClassifier(NORTH, OTHERS).similarities([probe]).scores
    after = SimilarityClassifier(NORTH, [*OTHERS, probe]).similarities([probe]).scores
    assert 0 <= after < before


def test_order_and_case_change_neither_version_nor_scores():
    one = SimilarityClassifier(NORTH, OTHERS)
    two = SimilarityClassifier([text.upper() for text in NORTH[::-1]], OTHERS[::-1])
    texts = ["people of the north", "weather at nine"]
    assert one.version == two.version
    assert (one.similarities(texts).scores == two.similarities(texts).scores).all()


def test_the_version_names_all_that_was_learned_from():
    def embed(texts):
        return np.eye(len(texts), 3)

    versions = [
        SimilarityClassifier(NORTH, OTHERS).version,
        SimilarityClassifier(NORTH[1:], OTHERS).version,
        SimilarityClassifier(NORTH, OTHERS[1:]).version,
        SimilarityClassifier(NORTH[1:], [*OTHERS, NORTH[0]]).version,
        SimilarityClassifier(NORTH, OTHERS, embed=embed, embedding="e1").version,
        SimilarityClassifier(NORTH, OTHERS, embed=embed, embedding="e2").version,
        SimilarityClassifier([], []).version,
    ]
    assert len(set(versions)) == len(versions)


def test_one_at_a_time_scores_as_together():
    classifier = SimilarityClassifier(NORTH, OTHERS)
    texts = ["people of the north", "weather at nine", NORTH[0]]
    together = classifier.similarities(texts).scores
    assert [classifier.similarities([text]).scores[0] for text in texts] == pytest.approx(together)
    assert classifier.similarities([]).scores.tolist() == []


def test_finds_of_another_kind_lose_nothing(data):
    # groups of HateCheck share templates; 20 finds about one, and 300 ordinary posts
    with gzip.open(data / "text" / "hatecheck.csv.gz", "rt", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    with gzip.open(data / "text" / "hatexplain.csv.gz", "rt", encoding="utf-8") as file:
        posts = [row["text"] for row in csv.DictReader(file) if row["label"] == "normal"][:300]
    mine = [row["text"] for row in rows if row["functionality"] == "slur_h"]
    others = [row["text"] for row in rows if row["functionality"] != "slur_h"][::20]
    classifier = SimilarityClassifier(mine[:20], posts)
    far, near = (classifier.similarities(texts).scores for texts in (others, mine[20:]))
    assert (far == 0).mean() > 0.9
    assert far.mean() < 0.02 < near.mean()


def test_embeddings_take_the_place_of_characters():
    def embed(texts):  # knows only whether a text speaks of a direction
        return [[3.0 * ("south" in text or "north" in text), 2.0] for text in texts]

    classifier = SimilarityClassifier(NORTH, OTHERS, embed=embed, embedding="directions")
    assert classifier.embedding == "directions"
    scores, _ = classifier.similarities(["those in the south", "lunch is ready"])
    assert scores[0] > 0.5 > scores[1]
    zero = SimilarityClassifier(NORTH, OTHERS, embed=lambda t: np.zeros((len(t), 2)), embedding="0")
    assert zero.similarities(["anything"]).scores == pytest.approx([0])
    assert zero.floor == pytest.approx(0.5)


def test_what_is_as_unlike_as_texts_known_to_be_unlike_loses_nothing():
    everyday = [f"{a} {b}" for a in OTHERS for b in ("and then", "with friends", "for us all")]
    classifier = SimilarityClassifier(NORTH, everyday)
    unlike = ["a find of another kind altogether", "she cannot drive, being what she is"]
    assert classifier.similarities(unlike).scores.tolist() == [0, 0]
    assert classifier.similarities(["those people up north"]).scores[0] > 0.3
    # nothing can be told from texts that are successes themselves
    blind = SimilarityClassifier(NORTH, [f"{text} as ever" for text in NORTH * 4])
    assert blind.floor > classifier.floor


def test_bad_input_is_named():
    def one_vector(_):
        return [[1.0]]

    with pytest.raises(InputError, match="needs both its function and its name"):
        SimilarityClassifier(NORTH, OTHERS, embed=one_vector)
    with pytest.raises(InputError, match="needs both its function and its name"):
        SimilarityClassifier(NORTH, OTHERS, embedding="directions")
    with pytest.raises(InputError, match="one vector a text: got 1 for 7"):
        SimilarityClassifier(NORTH, OTHERS, embed=one_vector, embedding="x")
    with pytest.raises(InputError, match="more than white space"):
        SimilarityClassifier([" "], OTHERS)
    with pytest.raises(InputError, match="more than white space"):
        SimilarityClassifier(NORTH, OTHERS).similarities([""])


@pytest.mark.no_cover
def test_templates_of_hatecheck_are_told_apart_by_five_examples(data):
    identities = (
        "trans people|trans person|trans wom[ae]n|trans|women|woman|black people|black person|"
        "blacks?|disabled people|disabled person|disabled|gay people|gay person|gays?|"
        "muslim people|muslim person|muslims?|immigrants?"
    )
    kinds = {}
    with gzip.open(data / "text" / "hatecheck.csv.gz", "rt", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        masked = re.sub(rf"\ban? X\b|\b({identities})\b", "X", row["text"].lower())
        kinds.setdefault(masked, []).append(row["text"])
    kinds = {name: texts for name, texts in kinds.items() if len(texts) == 7}
    rng = np.random.default_rng(11)
    areas = []
    for name in rng.choice(sorted(kinds), 15, replace=False):
        texts = rng.permutation(kinds[name])
        others = rng.permutation([t for kind in sorted(kinds) if kind != name for t in kinds[kind]])
        classifier = SimilarityClassifier(texts[:5].tolist(), others[:100].tolist())
        scores = classifier.similarities([*texts[5:], *others[100:300]]).scores
        areas.append(roc_auc_score([1] * 2 + [0] * 200, scores))
    assert np.mean(areas) >= 0.97
