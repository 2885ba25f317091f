"""`askpoint lease`: granted here, used there, handed in once."""

from __future__ import annotations

import json

import polars as pl
import pytest

from askpoint.records.stores.deployment import Deployment
from live.worlds import cases
from records.posts import SECRET, document

C, _, _ = cases(3000, 5)


@pytest.fixture
def here(shell, monkeypatch):
    monkeypatch.chdir(shell.folder)
    Deployment(shell.folder / "posts", document(), secret=SECRET).close()
    rows = [
        {"key": f"k{i}", "prediction": "no", "confidence": float(C[i]), "model_version": "3", "text": f"text {i}"}
        for i in range(200)
    ]  # fmt: skip
    shell.write("batch.csv", rows)
    return shell


def test_a_lease_from_its_grant_to_its_end(here):
    said = here.said(
        "lease", "grant", "posts", "--decider", "edge", "--answers", "30", "--out", "edge.json"
    )
    assert said.startswith(
        "Lease 1 is in edge.json. edge may answer 30 cases alone within 600 seconds."
    )
    assert "Lease 1 of edge: 30 answers" in here.said("lease", "show", "posts")
    assert "30 answers may have been given under leases" in " ".join(
        here.said("watch", "posts").split()
    )
    assert here.json("watch", "posts")["booked"] == 30
    made = here.said(
        "lease", "decide", "edge.json", "batch.csv", "--content", "text", "--out", "made.csv"
    )
    assert made.startswith("200 cases: 30 answered, 170 to ask")
    again = here.said("lease", "decide", "edge.json", "batch.csv", "--content", "text")
    frame = pl.read_csv(here.folder / "made.csv")
    assert [json.loads(line) for line in again.splitlines()] == frame.to_dicts()
    said = here.said("lease", "hand-in", "posts", "edge.json")
    assert said == "Lease 1: 200 decisions handed in, 30 of them answers.\n"
    assert here.said("lease", "hand-in", "posts", "edge.json") == said
    assert here.said("lease", "show", "posts").startswith("0 leases are out; 0 answers")
    assert here.said("verify", "posts").startswith("200 decisions computed again")
    here.said("prove", "posts", "k7", "--out", "k7.json")
    assert "k7" in here.said("verify", "k7.json")


def test_what_is_wrong_with_a_lease_is_said(here):
    here.said(
        "lease",
        "grant",
        "posts",
        "--decider",
        "edge",
        "--answers",
        "30",
        "--seconds",
        "60",
        "--out",
        "a.json",
    )
    for words, message in (
        (("grant", "posts", "--decider", "x", "--out", "a.txt"), "--out must end in .json; got a.txt"),
        (("grant", "posts", "--decider", "x", "--answers", "-1", "--out", "b.json"), "0 or more answers; got -1"),
        (("grant", "none", "--decider", "x", "--out", "b.json"), "none belongs to no deployment"),
        (("decide", "none.json", "batch.csv"), "none.json cannot be read: No such file"),
        (("decide", "batch.csv", "batch.csv"), "this is not a lease that askpoint lease grant wrote"),
        (("decide", "a.json", "batch.csv", "--out", "x.txt"), "--out must end in .parquet, .csv, .jsonl; got x.txt"),
        (("decide", "a.json", "batch.csv", "--at", "2100-01-01"), "the lease 1 of edge is over"),
    ):  # fmt: skip
        assert message in here.refusal("lease", *words)
    here.said("lease", "decide", "a.json", "batch.csv", "--out", "made.csv")
    plain = json.loads((here.folder / "a.json").read_text())
    (here.folder / "b.json").write_text(json.dumps({**plain, "secret": "11" * 32}))
    stranger = here.refusal("lease", "hand-in", "posts", "b.json", "--receipts", "a.receipts")
    assert "are not signed by who holds it" in stranger
    assert "are not signed by who holds it" in here.said("dead", "posts").replace("\n", " ")
    none = here.said(
        "lease", "grant", "posts", "--decider", "x", "--answers", "0", "--out", "none.json"
    )
    assert "Every case of it goes to review" in none
