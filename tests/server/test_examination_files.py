"""What an examination hands out, and the command that reads it."""

from __future__ import annotations

import csv
import io
import json

from click.testing import CliRunner

from askpoint.arena.server.campaigns.records import terms_of
from askpoint.arena.server.examinations.exports import export_rows
from askpoint.arena.server.examinations.findings import sections_of
from askpoint.arena.server.examinations.records import judgements_of
from askpoint.arena.server.organisers.exports import records_of
from askpoint.cli.main import main
from askpoint.server.spreadsheets import read_csv
from server.examining import INSULTS, STREAM, drawn, judge_all, table, truth, url


def fetched(browser, address):
    return b"".join(browser.get(address).streaming_content).decode()


def test_the_drawn_cases_come_back_value_for_value(stage):
    text = '=HYPERLINK("http://example.org")'
    row = drawn(stage, 12, sample=[text, "'quoted", "+1", *STREAM[:9]])
    judge_all(stage, lambda _: "clean", most=6)
    terms = terms_of(stage.campaign.terms)
    columns, rows = export_rows(row, terms)
    rows = list(rows)
    from askpoint.server.spreadsheets import to_csv

    written = "".join(to_csv(columns, rows))
    numbers = {"id", "order", "drawn", "bin", "bins", "low", "high", "size", "inclusion", "seed"}
    words = set(columns) - numbers - {"probabilities", "votes"}
    assert read_csv(written, words) == rows
    cells = [cell for line in csv.reader(io.StringIO(written, newline="")) for cell in line]
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))]
    assert {item["case"] for item in rows} >= {text, "'quoted", "+1"}


def test_everything_is_in_the_json_lines(stage, enter):
    row = drawn(stage, 4)
    judge_all(stage)
    lines = fetched(enter(stage.olga), f"/run/{stage.id}/export.jsonl?names=real").splitlines()
    records = [json.loads(line) for line in lines]
    assert records == json.loads(json.dumps(list(records_of(stage.campaign))))
    (head,) = (item for item in records if item["kind"] == "examination")
    assert (head["seed"], head["method"], head["sizes"]) == (3, "random", [60])
    cases = [item for item in records if item["kind"] == "drawn"]
    assert len(cases) == 4
    for item, kept in zip(cases, judgements_of(row).cases, strict=True):
        assert item["inclusion"] == 4 / 60
        assert item["probabilities"] == dict(
            zip(("clean", "offensive"), kept.probabilities, strict=True)
        )
        assert item["truth"] == truth(item["case"])
        assert len(item["votes"]) >= 2


def test_the_command_reads_what_the_server_exports(both, enter, tmp_path):
    """And says what the page says."""
    for number in range(4):
        both.submit(INSULTS[number])
    both.submit(INSULTS[0] + "!")  # judged, and no find
    judge_all(both, lambda _: "offensive")
    both.try_case("tried, and never submitted")
    both.submit("submitted and not judged")
    row = both.examine(STREAM, 20)
    judge_all(both, lambda case: truth(case) if case in STREAM else "clean", most=10)
    olga = enter(both.olga)
    for name, address in (
        ("log.csv", url(both, "log.csv")),
        ("cases.csv", url(both, "cases.csv")),
        ("players.csv", f"/run/{both.id}/export.csv"),
        ("all.jsonl", f"/run/{both.id}/export.jsonl"),
    ):
        (tmp_path / name).write_text(fetched(olga, address), newline="")
    judged = judgements_of(row)
    assert 0 < len(judged.answers) < len(judged.cases)
    given = ["examine", str(tmp_path / "log.csv"), "--judged", str(tmp_path / "cases.csv")]
    given += ["--text", "case", "--sought", "offensive", "--json", "--compare"]
    for players in ("players.csv", "all.jsonl"):
        run = CliRunner().invoke(main, [*given, str(tmp_path / players)])
        assert run.exit_code == 0, run.output
        found = json.loads(run.stdout)
        assert (found["n_drawn"], found["n_judged"]) == (len(judged.cases), len(judged.answers))
        assert (found["seed"], found["digest"]) == (3, row.digest)
        sections = sections_of(both.campaign, row, judged)
        said = table(sections, "Found, and what that means for all cases")["wrong decisions"]
        assert said[0].startswith(f"{100 * found['mistakes']['found']:.1f}")
        first, second = found["comparison"]["methods"]
        n_players = both.campaign.probes.filter(state="judged").count()
        assert (first["n_judged"], second["n_judged"]) == (len(judged.answers), n_players)
        assert second["n_errors"] == 4
