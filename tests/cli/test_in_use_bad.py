"""What a deployment refuses: one plain line, exit code 2, and nothing is changed."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys

import pytest
from click.testing import CliRunner

from askpoint.cli.main import main
from askpoint.live.canonical import content_digest
from askpoint.records.stores.deployment import Deployment
from cli.conftest import Shell
from cli.deployments import Folder, day_of, log_of, moment

TERMS = ("--rho", 0.1, "--audit", 0.2, "--planned-decisions", 20000)
VERSION = ("--model-version", "3")


@pytest.fixture(scope="module")
def one_morning(tmp_path_factory):
    """A deployment of a model's version 3, after one morning, to be copied."""
    folder = Folder(Shell(tmp_path_factory.mktemp("one-morning")))
    assert folder.deploy(*TERMS, *VERSION, log=log_of()).exit_code == 0
    made = folder.decide(day_of(1)[0], 1, *VERSION)
    assert made.exit_code == 0, made.output
    return folder


@pytest.fixture
def young(one_morning, shell):
    """The same, of this test's own."""
    return one_morning.copy(shell)


def refused(result):
    """Why a command refused: one line on stderr."""
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert result.stderr.startswith("askpoint: ")
    assert result.stderr.count("\n") == 1
    return result.stderr


def test_a_policy_edited_by_hand(young, shell):
    text = young.policy.read_text()
    young.policy.write_text(text.replace('"rate":0.2', '"rate":0.1'))
    said = refused(young.decide(day_of(2)[0], 2, *VERSION))
    assert "the policy was changed after it was made" in said
    found = shell.run("verify", young.path)
    assert found.exit_code == 1
    assert "the policy was changed after it was made" in found.stdout


def test_another_version_of_the_model(young):
    rows = [row | {"model_version": "4"} for row in day_of(2)[0]]
    assert "these cases come from version '4' of the model" in refused(young.decide(rows, 2))
    rows[3]["model_version"] = "3"
    assert "names 2 versions" in refused(young.decide(rows, 2))


def test_other_classes(young):
    rows = [
        {"key": row["key"], "proba_no": row["proba_no"], "proba_maybe": row["proba_yes"]}
        for row in day_of(2)[0]
    ]
    assert "the batch speaks of the class 'maybe'" in refused(young.decide(rows, 2, *VERSION))
    rows = [{"key": "a", "prediction": "maybe", "confidence": 0.9}]
    assert "'maybe' in row 0, which is not among the classes" in refused(
        young.decide(rows, 2, *VERSION)
    )
    rows = [{"key": "a", "proba_no": 0.2, "proba_yes": 0.7, "proba_maybe": 0.1}]
    assert "the batch speaks of the class 'maybe'" in refused(young.decide(rows, 2, *VERSION))


def test_a_key_again_with_other_content(young):
    before = young.decisions()
    rows = day_of(1)[0]
    rows[5] = rows[5] | {"proba_no": 0.25, "proba_yes": 0.75}
    said = refused(young.decide([*day_of(2)[0], *rows], 2, *VERSION))
    assert "the key 'd1-5' was decided with other content: it was" in said
    assert "and comes again as 'yes' with confidence 0.75" in said
    assert young.decisions().equals(before)
    rows = day_of(2)[0]
    assert young.decide(rows, 2, *VERSION, "--content", "text").exit_code == 0
    assert young.decide(rows, 2, *VERSION, "--content", "text").exit_code == 0
    assert "the key 'd2-0' was decided with other content" in refused(
        young.decide(rows, 2, *VERSION)
    )
    rows[7]["text"] = "another post"
    said = refused(young.decide(rows, 2, *VERSION, "--content", "text"))
    assert "the key 'd2-7' was decided with other content" in said
    rows = [{"key": "", "proba_no": 0.25, "proba_yes": 0.75}]
    assert "names no case in row 0" in refused(young.decide(rows, 2, *VERSION))


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([{"key": "nobody", "label": "no"}], "1 of the labels name cases that were never decided, the first 'nobody'"),
        ([{"key": "d1-0", "label": "maybe"}], "'maybe', which is not among the classes"),
        (
            [{"key": "d1-0", "label": "no"}, {"key": "d1-0", "label": "yes"}],
            "the case 'd1-0' is labelled twice by one judge, as 'no' and as 'yes'",
        ),
        ([{"key": "d1-0", "truth": "no"}], "label"),
        ([{"key": "d1-0", "label": "no", "source": "rumour"}], "comes from 'rumour'"),
    ],
)  # fmt: skip
def test_bad_labels(young, rows, message):
    before = Deployment(young.path).verify().replay.head
    assert message in refused(young.label(rows))
    assert Deployment(young.path).verify().replay.head == before


def test_a_file_that_was_cut_off(young, shell):
    assert young.decide(day_of(2)[0], 2, *VERSION).exit_code == 0  # yesterday becomes a file
    (part,) = (young.path / "decisions.parquet").iterdir()
    part.write_bytes(part.read_bytes()[:-50])
    found = shell.run("verify", young.path)
    assert found.exit_code == 1
    assert f"{part.name} was changed or cut off" in found.stdout
    database = young.path / "state.sqlite"
    database.write_bytes(database.read_bytes()[:8000])
    assert "state.sqlite was changed or cut off" in refused(young.decide(day_of(3)[0], 3, *VERSION))
    assert shell.run("verify", young.path).stdout.startswith("Not as it was made: ")
    database.unlink()
    assert "and no state.sqlite" in refused(young.decide(day_of(3)[0], 3, *VERSION))


def test_a_clock_that_goes_back_is_noted(young, shell):
    rows, _ = day_of(2)
    assert young.decide(rows, 2, *VERSION).exit_code == 0
    later, _ = day_of(3)
    made = young.decide(later, 1, *VERSION)
    assert made.exit_code == 0
    assert "the clock went back: this comes 86400 seconds before" in made.stderr
    frame = young.decisions().tail(300)
    assert frame["at"].unique().to_list() == [frame["at"][0]]
    assert str(frame["at"][0]).startswith("2026-03-03 08:00")
    assert set(frame["clock_back"]) == {86_400_000_000}
    assert shell.json("watch", young.path, "--at", moment(2, 9))["clock_back"] == 300
    page = " ".join(shell.said("watch", young.path, "--at", moment(2, 9)).split())
    assert "The clock went back: 300 decisions and labels came before" in page
    assert "no difference" in shell.said("verify", young.path)
    assert "--at must be a time such as" in refused(
        young.decide(later, 3, *VERSION, "--at", "noon")
    )


def test_labels_that_came_where_somebody_looked(shell):
    folder = Folder(shell)
    looked = log_of(2000, labelled=lambda row: max(row["proba_no"], row["proba_yes"]) < 0.8)
    said = refused(folder.deploy(*TERMS, log=looked))
    assert "the labels of this log came where a person looked" in said
    assert "deploy without a log" in said
    assert not folder.path.exists()
    assert folder.deploy(*TERMS, "--labels-are-random", log=looked).exit_code == 0


@pytest.mark.parametrize("rate", [0, 1])
def test_no_audits_or_nothing_but_audits(shell, rate):
    said = refused(Folder(shell).deploy("--audit", rate, log=log_of()))
    assert f"the audit rate must be above 0 and below 1; got {float(rate)}" in said


def test_what_cannot_be_promised_comes_with_the_least_that_can(shell):
    folder = Folder(shell)
    said = refused(folder.deploy("--audit", 0.05, "--mistake-budget", 20, log=log_of()))
    assert "a mistake budget of 20 cannot be kept with 5.0% audits" in said
    least = int(said.split("allow at least ")[1].split(",")[0])
    refused(folder.deploy("--audit", 0.05, "--mistake-budget", least - 1, log=log_of()))
    assert folder.deploy("--audit", 0.05, "--mistake-budget", least, log=log_of()).exit_code == 0


def test_a_life_too_short_to_notice_anything(shell):
    folder = Folder(shell)
    said = refused(folder.deploy("--audit", 0.05, "--planned-decisions", 300, log=log_of()))
    assert "cannot detect even that half of the answers have become wrong" in said
    least = int(said.split("--planned-decisions ")[1].split()[0])
    made = folder.deploy("--audit", 0.05, "--planned-decisions", 2 * least, log=log_of())
    assert "a slow or small drift cannot be detected" in " ".join(made.stdout.split())


def test_content_is_deleted_on_request_and_receipts_still_verify(young, shell):
    rows, _ = day_of(2)
    young.decide(rows, 2, *VERSION, "--content", "text")

    def is_kept(row):
        return any(row in part.read_bytes() for part in young.path.rglob("*") if part.is_file())

    with sqlite3.connect(young.path / "state.sqlite") as tables:
        select = "SELECT key, content, digest, salt FROM decisions WHERE key IN ('d2-7', 'd2-8')"
        known = {key: (*row,) for key, *row in tables.execute(select)}
    tables.close()
    rows = {
        key: (text + digest).encode() for key, (text, digest, _) in known.items()
    }  # side by side
    for text, digest, salt in known.values():
        assert (content_digest(text, salt), len(salt)) == (digest, 16)

    assert is_kept(rows["d2-7"])
    assert is_kept(known["d2-7"][2])
    gone = shell.write("gone.csv", [{"key": "d2-7"}])
    said = shell.said("forget", young.path, gone, "--at", "2026-03-02T20:00")
    assert "1 content deleted" in said
    frame = young.decisions().filter(key="d2-7")
    assert frame["content"].to_list() == [None]
    assert not is_kept(rows["d2-7"])
    assert not is_kept(
        known["d2-7"][2]
    )  # without the salt nobody guesses the content from the digest
    assert is_kept(rows["d2-8"])
    assert "no difference" in shell.said("verify", young.path)
    other = shell.write("other.csv", [{"key": "nobody"}])
    assert "never decided" in shell.refusal("forget", young.path, other)


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--rho", 0.1, "--max-error", 0.1], "give one objective; got --rho and --max-error"),
        (["--guarantee", 0.1], "--guarantee needs a limit on mistakes"),
        (["--rho", 0], "the limit must be strictly between 0 and 1; got 0.0"),
        (["--detect", 0.1], "audits follow from --audit RATE"),
        (["--audit", 0.1, "--changes-per-year", 4], "audits follow from --audit RATE"),
        (["--detect", 0.2, "--within", 10], "allow at least"),
        (["--detect", 0.01, "--within", 1000], "a rise goes from the limit 0.0475 to a risk above"),
        (["--planned-decisions", 0], "planned_decisions and max_label_delay must be 1 or more"),
    ],
)
def test_terms_that_contradict_themselves(shell, flags, message):
    folder = Folder(shell)
    assert message in refused(folder.deploy(*flags, "--classes", "no,yes"))
    assert not folder.path.exists()


def test_folders_and_files_that_are_not_there(young, shell):
    assert "holds a policy already" in refused(young.deploy(*TERMS, log=log_of()))
    for command in (["watch"], ["verify"]):
        assert "belongs to no deployment" in shell.refusal(*command, shell.folder / "nothing")
    assert "name them: --classes" in refused(Folder(shell, "new").deploy("--rho", 0.1))
    assert "the policy is called policy.json" in shell.refusal("deploy", "--out", "x.json")
    rows = day_of(2)[0]
    assert "--out must end in" in refused(young.decide(rows, 2, *VERSION, "--out", "x.xlsx"))
    assert "--rollout must be above 0" in refused(young.decide(rows, 2, *VERSION, "--rollout", 0))
    assert "cannot be read" in shell.refusal("verify", young.path, "--secret", "nothing.key")
    assert "leave out --out" in shell.refusal("decide", young.policy, "-", "--out", "x.csv")
    assert "no file no.jsonl" in shell.refusal("decide", young.policy, "no.jsonl", "--follow")
    assert "give the price once" in shell.refusal(
        "watch", young.path, "--rho", 0.1, "--costs", "costs.json"
    )
    no_key = [{"proba_no": 0.5, "proba_yes": 0.5}]
    assert "key" in refused(young.decide(no_key, 2, *VERSION))


def test_a_bad_line_is_kept_apart_and_the_others_are_answered(young, shell):
    rows = [row | {"model_version": "3"} for row in day_of(2, 6)[0]]
    good = [json.dumps(row) for row in rows]
    bad = ["not json", "[1]", '{"key": "x"}', json.dumps(rows[0] | {"key": ""}),
        json.dumps(rows[1] | {"proba_no": 0.9}), json.dumps(day_of(1)[0][0] | {"proba_no": 0.5,
        "proba_yes": 0.5, "model_version": "3"}), json.dumps(rows[2] | {"key": "v", "model_version": "4"})]  # fmt: skip
    lines = [*good[:3], *bad, *good[3:]]
    command = [sys.executable, "-m", "askpoint", "decide", young.path, "-", "--at", moment(2)]
    done = subprocess.run(
        command, input="\n".join(lines) + "\n", capture_output=True, text=True, check=True
    )
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(told) == len(lines)
    assert [one["key"] for one in told if one["key"]] == [row["key"] for row in rows]
    errors = [one["error"] for one in told if one["key"] is None]
    assert len(errors) == len(bad)
    assert "was decided with other content" in errors[5]
    dead = [json.loads(line) for line in shell.said("dead", young.path).splitlines()]
    assert [one["line"] for one in dead] == bad
    assert [one["error"] for one in dead] == errors
    assert shell.json("watch", young.path, "--at", moment(2, 9))["dead"] == len(bad)
    assert "7 lines could not be decided" in shell.said("watch", young.path, "--at", moment(2, 9))
    again = shell.run("dead", young.path, "--retry")
    assert again.exit_code == 1
    assert [json.loads(line)["error"] for line in again.stdout.splitlines()] == errors
    assert again.stderr == f"0 of {len(bad)} lines are decided; {len(bad)} stay.\n"
    assert shell.said("dead", young.path, "--drop").count("\n") == len(bad)
    assert shell.said("dead", young.path) == ""
    assert "add one of them" in shell.refusal("dead", young.path, "--drop", "--retry")
    assert "no difference" in shell.said("verify", young.path)


def test_a_batch_longer_than_the_patience(shell):
    folder = Folder(shell)
    folder.deploy(*TERMS, "--max-label-delay", 250, log=log_of())
    assert "longer than the policy's longest label delay of 250" in refused(
        folder.decide(day_of(1)[0])
    )
    assert folder.decide(day_of(1, 250)[0]).exit_code == 0
    lines = "".join(json.dumps(row) + "\n" for row in day_of(2)[0])
    told = subprocess.run(  # lines come one by one
        [sys.executable, "-m", "askpoint", "decide", folder.path, "-"],
        input=lines, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert told.stdout.count("\n") == 300
    new = Folder(shell, "new")  # it asks everything anyway
    new.deploy(*TERMS, "--max-label-delay", 250, "--classes", "no,yes")
    assert new.decide(day_of(1)[0]).exit_code == 0


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"state": 1}'])
def test_a_state_that_was_changed(young, shell, text):
    with sqlite3.connect(young.path / "state.sqlite") as connection:
        connection.execute("UPDATE meta SET summary = ?", (text,))
    connection.close()
    said = refused(young.decide(day_of(2)[0], 2, *VERSION))
    assert "the state of the deployment was changed" in said
    found = shell.run("verify", young.path)
    assert found.exit_code == 1
    assert found.stdout.startswith("Not as it was made: state")


def test_suspicions_that_cannot_be(young, shell):
    rows = [row | {"kind": "a"} for row in day_of(2)[0]]
    lower = young.decide(rows, 2, *VERSION, "--group", "kind", "--raise", "a=0.1")
    assert "the audit rate of 'a' must be between the agreed 0.2 and 1" in refused(lower)
    for flags, message in [
        (["--raise", "a=0.5"], "name their column with --group COLUMN"),
        (["--group", "kind", "--raise", "0.5"], "--raise takes REGION=RATE"),
        (["--group", "kind", "--raise", "a=much"], "--raise takes REGION=RATE"),
        (["--group", "kinds"], "did you mean 'kind'"),
        (["--group", "kind", "--suspicions", "x"], "add one of them"),
        (["--suspicions", shell.write("x.json", "{}")], "holds no regions"),
        (["--suspicions", "nothing.json"], "cannot be read"),
    ]:
        assert message in refused(young.decide(rows, 2, *VERSION, *flags))


def test_a_copy_without_its_secret_decides_nothing(young):
    (young.path / "secret.key").unlink()
    assert "holds no secret.key" in refused(young.decide(day_of(2)[0], 2, *VERSION))


def test_lines_are_decided_again_when_what_was_wrong_around_them_is_mended(young, shell):
    lines = [{"id": f"l{i}", "proba_no": 0.9, "proba_yes": 0.1, "text": "t"} for i in range(3)]
    given = "".join(f"{json.dumps(line)}\n" for line in [*lines, {"id": "l3", "proba_no": 7}])
    first = CliRunner().invoke(main, ["decide", str(young.path), "-"], input=given)
    assert all("error" in json.loads(line) for line in first.stdout.splitlines())
    columns = ("--key", "id", "--content", "text", "--model-version", "3")
    again = shell.run("dead", young.path, "--retry", *columns)
    told = [json.loads(line) for line in again.stdout.splitlines()]
    assert [one["key"] for one in told] == ["l0", "l1", "l2", None]
    assert again.exit_code == 1
    assert again.stderr == "3 of 4 lines are decided; 1 stays.\n"
    (left,) = shell.said("dead", young.path).splitlines()
    assert json.loads(json.loads(left)["line"])["id"] == "l3"
    with Deployment(young.path) as deployment:
        assert deployment.decisions()["content"].tail(3).to_list() == ["t"] * 3
        assert deployment.verify().difference is None


ODD_LINES = (
    b'{"key": "a", "proba_no": 0.9, "proba_yes": 0.1}',
    b"",
    b"   ",
    b"nonsense",
    b"[]",
    b"7",
    b"null",
    b'"key"',
    b"{}",
    b'{"key": "b"}',
    b'{"key": null, "proba_no": 0.9, "proba_yes": 0.1}',
    b'{"key": "b", "proba_no": 9, "proba_yes": 0.1}',
    b'{"key": "b", "proba_no": "x", "proba_yes": 0.1}',
    b'{"key": "b", "proba_no": [0.9], "proba_yes": {"x": 1}}',
    b'{"key": "b", "proba_no": 1e999, "proba_yes": 0.1}',
    b'{"key": "b", "proba_no": NaN, "proba_yes": 0.1}',
    b'{"key": {"a": 1}, "proba_no": 0.9, "proba_yes": 0.1}',
    b'{"key": "c", "proba_no": 0.9, "proba_yes": 0.1} {"key": "d", "proba_no": 0.9, "proba_yes": 0.1}',
    b'{"key": "c",\r"proba_no": 0.9, "proba_yes": 0.1}',
    b'{"key": "\xff", "proba_no": 0.9, "proba_yes": 0.1}',
    b'{"key": "\\ud800", "proba_no": 0.9, "proba_yes": 0.1}',
    b'{"key": "\\u0000", "proba_no": 0.9, "proba_yes": 0.1}',
    b"\x00",
    b'{"key": "e' + b"[" * 5000 + b'", "proba_no": 0.9, "proba_yes": 0.1}',
    b'{"key": ' + b"[" * 5000,
    b'{"key": "a", "proba_no": 0.8, "proba_yes": 0.2}',
    "{\"key\": \"f\u2028g\u0085h\", \"proba_no\": 0.9, \"proba_yes\": 0.1}".encode(),
    b'{"key": "z", "proba_no": 0.9, "proba_yes": 0.1}\r',
)  # fmt: skip


def test_each_line_gets_one_answer_whatever_the_line(young):
    def stream(*lines):
        done = CliRunner().invoke(
            main, ["decide", str(young.path), "-", *VERSION], input=b"\n".join(lines) + b"\n"
        )
        assert (done.exit_code, done.exception) == (0, None), (lines, done.output, done.exception)
        return [json.loads(line) for line in done.stdout.splitlines()]

    for line in ODD_LINES:  # alone, and beside good ones
        (alone,) = stream(line)
        first, again, last = stream(b'{"key": "one", "proba_no": 0.9, "proba_yes": 0.1}', line,
                                    b'{"key": "two", "proba_no": 0.9, "proba_yes": 0.1}')  # fmt: skip
        assert (first["key"], last["key"]) == ("one", "two")
        assert alone == again
        assert alone["key"] is not None or alone["error"]
    together = stream(*ODD_LINES)
    assert len(together) == len(ODD_LINES)
    assert {row["key"] for row in together} >= {None, "a", "z", "f\u2028g\u0085h"}
    with Deployment(young.path) as deployment:
        assert deployment.verify().difference is None
        assert deployment.watch().troubles.dead > 50
