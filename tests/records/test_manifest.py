"""Every file that the tools wrote is read as its manifest says, or refused with the option named."""

import json

import pytest

from askpoint.errors import AskpointError
from askpoint.records.readers.reading import Choices
from askpoint.records.readers.registry import read_files
from askpoint.reports.readings import reading_object

# what settles the entries that must be asked, and the kind they then are
SETTLED = {
    "inspect/status_error.eval": (Choices(unfinished="keep"), "evaluation"),
    "tables/multilabel_sigmoid.csv": (Choices(label="toxic", proba=("p_toxic",)), "predictions"),
    "tables/predictions_hf_pipeline.jsonl": (
        Choices(labels_map={"0": "POSITIVE", "1": "NEGATIVE"}),
        "predictions",
    ),
}


@pytest.fixture(scope="module")
def entries(data):
    manifest = data / "files" / "manifest.json"
    if not manifest.exists():
        pytest.skip("the shared files are not here")
    return json.loads(manifest.read_text())


def is_asked(entry):
    return entry["kind"].startswith("must be") or "after a question" in entry["kind"]


def agrees(found, wanted):
    """Compare votes, where the manifest counts failed rows beside them."""
    if isinstance(wanted, dict):
        wanted = {key: value for key, value in wanted.items() if key != "error_rows"}
        return (
            isinstance(found, dict)
            and found.keys() == wanted.keys()
            and all(agrees(found[key], wanted[key]) for key in wanted)
        )
    return found == wanted


def test_every_file_is_read_as_its_manifest_says(data, entries):
    wrong = []
    for entry in entries:
        if is_asked(entry):
            continue
        try:
            found = reading_object(read_files([data / "files" / entry["file"]]))
        except AskpointError as error:
            wrong.append(f"{entry['file']}: refused, {error}")
            continue
        wrong += [f"{entry['file']}: {line}" for line in differences(found, entry)]
    assert not wrong, "\n".join(wrong)


def differences(found, entry):
    if not entry["kind"].startswith(found["kind"]):
        yield f"kind {found['kind']}, not {entry['kind']}"
    if entry["items"] != found["items"]:
        yield f"items {found['items']}, not {entry['items']}"
    for key in ("label_counts", "votes", "scores"):
        wanted = entry.get(key)
        if isinstance(wanted, dict) and not agrees(found[key], wanted):
            yield f"{key} {found[key]}, not {wanted}"
    if isinstance(entry.get("classes"), list) and set(entry["classes"]) != set(found["classes"]):
        yield f"classes {found['classes']}, not {entry['classes']}"
    systems = entry.get("systems", [entry["system"]] if "system" in entry else None)
    if isinstance(systems, list) and systems != found["systems"]:
        yield f"systems {found['systems']}, not {systems}"
    if isinstance(systems, int) and systems != len(found["systems"]):
        yield f"{len(found['systems'])} systems, not {systems}"
    if isinstance(entry.get("missing"), dict) and found["missing"] != entry["missing"]:
        yield f"missing {found['missing']}, not {entry['missing']}"
    for key, value in entry.get("gold", {}).items():
        if key != "from" and (found["gold"] or {}).get(key) != value:
            yield f"gold {found['gold']}, not {entry['gold']}"
    if "not_judges" in entry and set(found["not_judges"]) != set(entry["not_judges"]):
        yield f"no judges {found['not_judges']}, not {entry['not_judges']}"
    if isinstance(entry.get("probabilities"), dict) and set(found["probabilities"]) != set(
        entry["probabilities"]
    ):
        yield f"probabilities {found['probabilities']}"


def test_what_must_be_asked_is_refused_in_one_line(data, entries):
    for entry in filter(is_asked, entries):
        with pytest.raises(AskpointError) as caught:
            read_files([data / "files" / entry["file"]])
        line = str(caught.value)
        assert "\n" not in line
        assert entry["file"].rpartition("/")[2] in line


@pytest.mark.parametrize("name", sorted(SETTLED))
def test_the_option_that_is_named_settles_what_was_asked(data, entries, name):
    choices, kind = SETTLED[name]
    entry = next(entry for entry in entries if entry["file"] == name)
    found = reading_object(read_files([data / "files" / name], choices))
    assert found["kind"] == kind
    assert found["items"] == entry["items"]


def test_a_broken_row_is_named_by_its_line(data):
    with pytest.raises(AskpointError, match="line 4"):
        read_files([data / "files" / "broken" / "mixed_rows.jsonl"])


@pytest.mark.parametrize(
    "name",
    [
        "predictions.csv.gz",
        "predictions_json_array.csv",
        "predictions_latin1.csv",
        "predictions_list.parquet",
        "predictions_percent.csv",
        "predictions_semicolon_decimalcomma_bom.csv",
        "predictions_timestamps_delayed.csv",
        "predictions_titles.xlsx",
        "predictions_top1.csv",
    ],
)
def test_the_model_answers_as_its_manifest_says(data, entries, name):
    """The most probable class, or the answer, is right as often as the manifest says."""
    from askpoint.records.logs import read_log

    entry = next(entry for entry in entries if entry["file"] == f"tables/{name}")
    frame = read_files([data / "files" / "tables" / name]).frame
    proba = [column for column in frame.columns if column.startswith("proba_")]
    log = read_log(frame, proba=proba) if proba else read_log(frame)
    assert round(float(log.right.mean()), 4) == pytest.approx(entry["accuracy_of_argmax"])
