"""askpoint approvals: the licences that hang on one approver's word, and the terms that do not take them."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from askpoint.live.licences.action_classes import ActionClass
from askpoint.live.licences.policy import LicencePolicy
from askpoint.records.approved_actions import as_approvals
from askpoint.records.readers.registry import read_files
from askpoint.records.stores.licences import Licences
from cli.test_approvals import log_of, units_of


@pytest.fixture
def log(shell):
    """Ann alone decides most mails; refunds are shared."""
    rows = log_of(["mail"], n=90) + log_of(["mail"], n=40, by="ben")
    rows += log_of(["refund"], n=90) + log_of(["refund"], n=90, by="ben")
    return shell.write("log.csv", [row | {"id": f"r{i}"} for i, row in enumerate(rows)])


def test_a_licence_that_hangs_on_one_approver_is_named(shell, log):
    units, _ = units_of(shell, log)
    assert units["mail", "any"]["state"] == units["refund", "any"]["state"] == "licensed"
    assert units["mail", "any"]["hangs_on"] == {"approver": "ann", "missing_without": 36}
    assert units["refund", "any"]["hangs_on"] is None
    text = " ".join(shell.run("approvals", log).stdout.split())
    assert "bot mail hangs on ann: without the decisions of ann, 36 more approvals are needed." in text  # fmt: skip


def test_terms_without_each_approver_leave_it_asking_and_the_door_agrees(shell, log):
    terms = shell.folder / "policy.json"
    units, _ = units_of(shell, log, "--without-each-approver", "--policy", terms)
    assert units["mail", "any"]["state"] == "not yet"
    assert units["refund", "any"]["state"] == "licensed"
    text = " ".join(shell.run("approvals", log, "--without-each-approver").stdout.split())
    assert "hangs on ann: without the decisions of ann, 36 more approvals are needed" in text
    assert "! bot mail" not in text
    policy = LicencePolicy.from_json(terms.read_text("utf-8"))
    assert policy.without_each_approver
    with Licences(":memory:", policy) as licences:
        licences.learn(as_approvals(read_files([log])))
        found = {one.tool: (one.state, one.pivot) for one in licences.units()}
        licences.verify()
    assert found["refund"] == ("licensed", None)
    assert (found["mail"][0], *found["mail"][1]) == ("asks", "ann", 36)


def test_what_waits_names_the_approver_who_was_drawn(shell):
    where, terms = shell.folder / "bot", LicencePolicy((ActionClass("mail"),))
    for policy, people in ((terms, []), (replace(terms, without_each_approver=True), ["ann", "ben"])):  # fmt: skip
        with Licences(where / str(len(people)), policy) as licences:
            made = licences.propose("k", agent="bot", tool="mail", approvers=["ann", "ben"])
        assert (made.approver in people) == bool(people)
        found = json.loads(shell.run("licence", "show", where / str(len(people)), "--json").stdout)
        assert found["waiting"][0]["approver"] == made.approver
        text = shell.run("licence", "show", where / str(len(people))).stdout
        assert ("drawn to decide" in text) == bool(people)
