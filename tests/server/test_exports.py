"""What leaves the server is exact, and no spreadsheet runs it."""

from __future__ import annotations

import csv
import io
import json
import string
from types import SimpleNamespace

from hypothesis import given, settings, strategies as st

from askpoint.arena.game.campaign import CampaignState as GameCampaign
from askpoint.arena.game.ledger import Ledger
from askpoint.arena.game.transaction import LedgerAccount, LedgerEntry, LedgerTransaction
from askpoint.arena.server.campaigns.records import terms_of
from askpoint.arena.server.organisers.exports import columns_of, records_of, rows_of
from askpoint.server.spreadsheets import read_csv, to_csv

TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0")) | st.text(
    string.punctuation + "\t\r\n=+-@'\"", max_size=6
)
COLUMNS = columns_of(SimpleNamespace(classifier=SimpleNamespace(cases="text")))
ROWS = st.fixed_dictionaries(
    {
        **{name: TEXTS | st.none() for name in COLUMNS},
        "probabilities": st.dictionaries(TEXTS, st.floats(0, 1)),
        "votes": st.lists(st.tuples(TEXTS, TEXTS, TEXTS, st.booleans()).map(list)),
        "similarity": st.floats(0, 1),
        "awarded": st.integers(-10, 10),
    }
)
WORDS = set(COLUMNS) - {"probabilities", "votes", "similarity", "awarded"}


@settings(deadline=None)
@given(st.lists(ROWS, max_size=4))
def test_csv_comes_back_value_for_value(rows):
    assert read_csv("".join(to_csv(COLUMNS, rows)), WORDS) == rows


@settings(deadline=None)
@given(st.lists(ROWS, max_size=4))
def test_no_cell_begins_a_formula(rows):
    for row in list(csv.reader(io.StringIO("".join(to_csv(COLUMNS, rows)), newline="")))[1:]:
        for name, cell in zip(COLUMNS, row, strict=True):
            number = name in ("awarded", "similarity")
            assert number or not cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n"))


def test_a_formula_is_neutralised_and_comes_back(stage):
    text = '=HYPERLINK("http://example.org","you won")'
    stage.submit(text)
    assert "'=HYPERLINK" in (written := "".join(to_csv(COLUMNS, rows_of(stage.campaign))))
    assert read_csv(written, WORDS)[0]["case"] == text


def test_everything_is_in_the_json_lines(stage, enter):
    probe = stage.submit("you are not from here 🤡")
    for name in ("bob", "beth"):
        stage.vote(name, "offensive")
    stage.try_case("another")
    answer = enter(stage.olga).get(f"/run/{stage.id}/export.jsonl?names=real")
    lines = b"".join(answer.streaming_content).decode().splitlines()
    assert "attachment" in answer["Content-Disposition"]
    records = [json.loads(line) for line in lines]
    assert records == json.loads(json.dumps(list(records_of(stage.campaign))))
    head, *rest = records
    assert terms_of(json.dumps(head["terms"])) == terms_of(stage.campaign.terms)
    cases = [item for item in rest if item["kind"] == "case"]
    assert [item["case"] for item in cases] == ["you are not from here 🤡", "another"]
    assert [vote[:2] for vote in cases[0]["votes"]] == [["bob", "offensive"], ["beth", "offensive"]]
    # the ledger is rebuilt from what was exported
    ledger = Ledger(transaction(item) for item in rest if item["kind"] == "transaction")
    game = GameCampaign(stage.id, terms_of(stage.campaign.terms), probe.at)
    assert ledger.balance(LedgerAccount("earned", "alice")) == 910
    assert ledger.balance(game.budget) == 100_000 - 910 - 200


def transaction(record):
    from datetime import datetime

    return LedgerTransaction(
        record["key"],
        datetime.fromisoformat(record["at"]),
        tuple(
            LedgerEntry(LedgerAccount(*name.split(":", 1)), points)
            for name, points in record["entries"]
        ),
        record["about"],
        record["reverses"],
    )


def test_a_row_of_features_is_exported_as_json(stage):
    from askpoint.arena.server.probes.models import Probe

    probe = stage.submit("a case")
    Probe.objects.filter(pk=probe.pk).update(case={"age": 4.0})
    (row,) = rows_of(stage.campaign)
    assert json.loads(row["case"]) == {"age": 4.0}
