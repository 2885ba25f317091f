"""``askpoint FILE`` and ``askpoint read``: what was taken for what, then the evaluation of it."""

import gzip
import json

import pytest
from backports import zstd
from click.testing import CliRunner

from askpoint.cli.main import main

VOTES = "case,gpt,claude,human\n" + "\n".join(
    f"c{i},{'pass' if i % 3 else 'fail'},{'pass' if i % 4 else 'fail'},{'pass' if i < 20 else ''}"
    for i in range(60)
)
PREDICTIONS = "id;label;p_ham;p_spam\n" + "\n".join(
    f"m{i};{'ham' if i % 5 else 'spam'};0,{90 - i % 30};0,{10 + i % 30}" for i in range(80)
)


@pytest.fixture
def run(shell):
    return shell.run


@pytest.fixture
def votes(tmp_path):
    path = tmp_path / "votes.csv"
    path.write_text(VOTES)
    return path


@pytest.fixture
def predictions(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text(PREDICTIONS)
    return path


def test_read_says_what_was_taken_for_what(run, votes):
    result = run("read", votes)
    assert result.exit_code == 0
    assert "votes" in result.stdout
    assert "2 judges (gpt, claude)" in result.stdout
    assert "from human" in result.stdout


def test_read_as_one_object(run, votes):
    content = json.loads(run("read", votes, "--json").stdout)
    assert content["kind"] == "votes"
    assert content["items"] == 60
    assert content["votes"]["gpt"] == {"fail": 20, "pass": 40}
    assert content["gold"] == {"from": "human", "items": 20, "counts": {"pass": 20}}


def test_a_file_of_votes_is_evaluated_by_judges_with_its_gold(run, votes):
    result = run(votes)
    assert result.exit_code == 0
    assert result.stdout.startswith("read as votes: 60 items")
    assert "How good are the judges?" in result.stdout
    assert "gold labels" in result.stdout


def test_a_file_of_predictions_is_evaluated_by_value(run, predictions):
    result = run(predictions, "--rho", "0.1")
    assert result.exit_code == 0
    assert "decimal comma" in result.stdout
    assert "\nNot yet: too close to tell at this price.\n" in result.stdout


def test_the_object_of_the_evaluation_stands_alone_on_stdout(run, predictions):
    result = run(predictions, "--json")
    assert json.loads(result.stdout)["n_items"] == 80
    assert "read as predictions" in result.stderr


@pytest.mark.parametrize(("end", "pack"), [(".gz", gzip.compress), (".zst", zstd.compress)])
def test_a_packed_file_is_read_like_the_plain_one(run, tmp_path, predictions, end, pack):
    path = tmp_path / f"packed.csv{end}"
    path.write_bytes(pack(PREDICTIONS.encode()))
    plain, packed = (json.loads(run("read", p, "--json").stdout) for p in (predictions, path))
    del plain["files"], packed["files"]
    assert plain == packed


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "cp1252"])
def test_names_keep_their_letters_in_any_encoding(run, tmp_path, encoding):
    path = tmp_path / "log.csv"
    text = PREDICTIONS.replace("spam", "Störung")
    path.write_bytes(text.encode(encoding))
    content = json.loads(run("read", path, "--json").stdout)
    assert content["label_counts"] == {"Störung": 16, "ham": 64}


@pytest.mark.parametrize("separator", ["\t", "|", ";"])
def test_any_usual_separator(run, tmp_path, separator):
    path = tmp_path / "votes.txt"
    path.write_text(VOTES.replace(",", separator))
    content = json.loads(run("read", path, "--json").stdout)
    assert content["votes"]["claude"] == {"fail": 15, "pass": 45}


def test_ids_are_no_judge(run, tmp_path):
    path = tmp_path / "votes.csv"
    rows = [f"{i},x{i},{'a' if i % 2 else 'b'},{'b' if i % 3 else 'a'}" for i in range(2000)]
    path.write_text("ticket,other,j1,j2\n" + "\n".join(rows))
    content = json.loads(run("read", path, "--json").stdout)
    assert list(content["votes"]) == ["j1", "j2"]


def test_more_than_fifty_labels_are_refused_with_the_name(run, tmp_path):
    path = tmp_path / "log.csv"
    rows = [f"{i},c{i % 70},c{i % 70},0.5" for i in range(700)]
    path.write_text("id,label,prediction,confidence\n" + "\n".join(rows))
    result = run(path)
    assert result.exit_code == 2
    assert "'label'" in result.stderr
    assert "50" in result.stderr


def test_a_scale_asks_for_its_threshold(run, tmp_path):
    path = tmp_path / "votes.csv"
    path.write_text("id,a,b\n" + "\n".join(f"{i},{1 + i % 5},{1 + i * 7 % 5}" for i in range(50)))
    refused = run(path)
    assert refused.exit_code == 2
    assert "--pass-at" in refused.stderr
    assert run(path, "--pass-at", "4").exit_code == 0


def test_choices_are_kept_and_used(run, tmp_path):
    path = tmp_path / "votes.csv"
    path.write_text("id,a,b\n" + "\n".join(f"{i},{1 + i % 5},{1 + i * 7 % 5}" for i in range(50)))
    kept = tmp_path / "reading.toml"
    assert run(path, "--pass-at", "4", "--judges", "a,b", "--save-reading", kept).exit_code == 0
    again = run(path, "--reading", kept)
    assert again.exit_code == 0
    assert "How good are the judges?" in again.stdout


def test_a_kept_file_with_an_unknown_choice_is_refused(run, tmp_path, votes):
    kept = tmp_path / "reading.toml"
    kept.write_text("colour = 'red'\n")
    result = run(votes, "--reading", kept)
    assert result.exit_code == 2
    assert "'colour'" in result.stderr


def test_gold_may_come_in_a_file_of_its_own(run, tmp_path, votes):
    gold = tmp_path / "gold.csv"
    gold.write_text(
        "case,truth\n" + "\n".join(f"c{i},{'pass' if i % 3 else 'fail'}" for i in range(30))
    )
    result = run(votes, "--gold", gold)
    assert result.exit_code == 0
    assert "gold.csv" in result.stdout


def test_gold_for_other_items_is_refused(run, tmp_path, votes):
    gold = tmp_path / "gold.csv"
    gold.write_text("case,truth\n" + "\n".join(f"z{i},pass" for i in range(30)))
    result = run(votes, "--gold", gold)
    assert result.exit_code == 2
    assert "other items" in result.stderr


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("empty.csv", b"", "empty"),
        ("header.csv", b"id,a,b\n", "not a single row"),
        ("short.csv", b"id,a,b\n1,x,y\n2,x\n3,x,y\n", "line 3"),
        ("long.csv", b"id,a,b\n1,x,y\n2,x,y,z\n3,x,y\n", "line 3"),
        ("twice.csv", b"id,a,a\n1,x,y\n2,x,y\n", "two columns"),
        ("log.eval", b"no zip at all", "not a zip"),
        ("log.zip", b"PK\x03\x04 cut off", "broken or cut off"),
        ("cut.json", b'[{"a": 1}, {"a"', "broken or cut off"),
        ("cut.csv.gz", b"\x1f\x8b\x08\x00 cut", "broken or cut off"),
        ("other.json", b'{"colour": "red"}', "no tool that is known"),
        ("random.bin", bytes(range(256)) * 4, ""),
    ],
)
def test_bad_files_are_refused_in_one_line(run, tmp_path, name, content, said):
    path = tmp_path / name
    path.write_bytes(content)
    result = run(path)
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_word_that_is_no_file_is_still_a_misspelled_command(run):
    result = run("judgs")
    assert result.exit_code == 2
    assert "did you mean 'judges'?" in result.stderr


def test_a_file_that_is_not_there(run):
    result = run("no/such.csv")
    assert result.exit_code == 2
    assert "there is no file" in result.stderr


@pytest.mark.parametrize("typed", ["Claims.csv", "claim.csv"])
def test_a_file_of_nearly_the_name_is_named(tmp_path, monkeypatch, typed):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "claims.csv").write_text("label,proba\n1,0.5\n")
    for words in ([typed], ["value", typed], ["judges", typed]):
        said = CliRunner().invoke(main, words)
        assert said.exit_code == 2
        assert f"there is no file {typed}; did you mean claims.csv?" in said.stderr
    (tmp_path / "claims.csv").rename(tmp_path / "other.csv")
    assert "did you mean" not in CliRunner().invoke(main, [typed]).stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [(["--mistake", "40€"], "--mistake must be a number such as 40 or 2.50; got '40€'"),
     (["--check", "2,50"], "--check must be a number such as 40 or 2.50; got '2,50'"),
     (["--propose", "some"], "--propose must be a number such as 40; got 'some'")],
)  # fmt: skip
def test_what_is_no_number_is_said_by_its_option(tmp_path, words, said):
    path = tmp_path / "log.csv"
    path.write_text("label,proba_a,proba_b\na,0.7,0.3\nb,0.2,0.8\n")
    result = CliRunner().invoke(main, ["value", str(path), *words])
    assert result.exit_code == 2
    assert said in result.stderr
