"""Made tables in eight languages are read as what they are, or asked about, and hardly ever misread."""

from collections import Counter

import pytest

from askpoint.errors import AskpointError
from askpoint.records.readers.registry import read_files
from records.made_files import SHAPES, WORDS, made_files
from records.more_words import MORE_WORDS
from records.tool_tables import tool_files


def verdict(made, folder):
    """Say whether a made table is read right, asked about, refused, or wrong in silence, and why."""
    path = folder / made.name
    path.write_text(made.text, encoding="utf-8")
    try:
        found = read_files([path])
    except AskpointError as error:
        if made.kind == "refuse":
            return "right", ""
        return ("asked" if "--" in str(error) else "refused"), str(error)
    if found.open_doubt is not None:
        return "asked", found.open_doubt.what
    bad = list(differences(made, found))
    return ("wrong", "; ".join(bad)) if bad else ("right", "")


def differences(made, found):
    if found.kind != made.kind:
        yield f"kind {found.kind}, not {made.kind}"
        return
    if found.items != made.items:
        yield f"items {found.items}, not {made.items}"
    if made.kind == "predictions":
        if found.label != made.label:
            yield f"label {found.label}, not {made.label}"
        if dict(found.label_counts) != made.label_counts:
            yield f"labels {found.label_counts}, not {made.label_counts}"
        if dict(made.probabilities) != dict(found.probabilities):
            yield f"probabilities {found.probabilities}, not {made.probabilities}"
        for name, value in made.first.items():
            if abs(found.frame[f"proba_{name}"][0] - value) > 1e-3:
                yield f"{name} has {found.frame[f'proba_{name}'][0]}, not {value}"
        if made.confidence and (found.prediction, found.confidence) != (
            made.prediction,
            made.confidence,
        ):
            yield f"{found.prediction}, {found.confidence}, not {made.prediction}, {made.confidence}"
    if made.kind in ("votes", "evaluation"):
        if set(found.judges) != set(made.judges):
            yield f"judges {found.judges}, not {made.judges}"
        if (found.gold.source if found.gold else None) != made.gold:
            yield f"gold {found.gold and found.gold.source}, not {made.gold}"
        elif made.gold and found.gold.counts() != made.label_counts:
            yield f"gold {found.gold.counts()}, not {made.label_counts}"
        if any(len(v) > 3 for v in found.votes.values()):
            yield f"votes {found.votes}"


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(WORDS, id="first", marks=pytest.mark.whole),
        pytest.param(MORE_WORDS, id="second"),
    ],
)
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.whole)])
def test_hardly_a_made_table_is_asked_and_none_misread(tmp_path, seed, words):
    found = [(made.name, *verdict(made, tmp_path)) for made in made_files(seed, words)]
    assert len(found) == len(SHAPES) * len(words) > 100
    assert [line for line in found if line[1] in ("wrong", "refused")] == []
    assert Counter(line[1] for line in found)["right"] >= 0.95 * len(found)


@pytest.mark.parametrize("seed", [1, 2])
def test_shapes_of_tools_are_read_right(tmp_path, seed):
    found = [(made.name, *verdict(made, tmp_path)) for made in tool_files(seed)]
    assert len(found) > 25
    assert [line for line in found if line[1] != "right"] == []
