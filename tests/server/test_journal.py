"""Who decided what: every decision leaves a line, and no line can be changed."""

from __future__ import annotations

import pytest
from click.testing import CliRunner
from django.db import DatabaseError, connection, transaction

from askpoint.cli import server_folder
from askpoint.cli.main import main
from askpoint.errors import RuleError
from askpoint.server.accounts.models import User
from askpoint.server.api.tokens import make_token
from askpoint.server.campaigns import services as campaigns
from askpoint.server.journal.models import LogLine
from askpoint.server.journal.services import acting


def lines(**which):
    return [
        (line.who, line.what, line.about) for line in LogLine.objects.filter(**which).order_by("pk")
    ]


def test_each_decision_leaves_a_line_with_who_made_it(stage, enter, monkeypatch):
    begun = LogLine.objects.count()
    case = stage.submit("you are not from here").pk
    for name in ("bob", "beth"):
        stage.vote(name, "clean")
    alice, olga = enter(stage.alice), enter(stage.olga)
    alice.post(f"/play/{stage.id}/cases/{case}/appeal/", {"why": "read it again"})
    olga.post(f"/run/{stage.id}/cases/{case}/", {"choice": "offensive"})
    standing = {"role": "judge", "name": "bob", "action": "bar"}
    olga.post(f"/run/{stage.id}/people/standing/", standing)
    olga.post(f"/run/{stage.id}/people/standing/", {**standing, "action": "ask-again"})
    alice.post("/payouts/withdraw/")
    olga.post("/payouts/", {"action": "hand-out"})
    token = make_token(stage.olga, "organiser", label="x", scope="write")[1]
    sent = {"Authorization": f"Bearer {token}", "Idempotency-Key": "k"}
    path = f"/api/run/{stage.id}/funds"
    enter().post(path, {"points": 7}, "application/json", headers=sent)
    monkeypatch.setattr(server_folder, "open_database", lambda *_: "")
    CliRunner().invoke(main, ["user", "role", "charlie", "organiser"])
    found = [(line.who, line.what, line.about) for line in LogLine.objects.order_by("pk")[begun:]]
    assert found == [
        ("olga", "case decided", case),
        ("olga", "shut out", "bob"),
        ("olga", "votes voided", "bob"),
        ("alice", "payout planned", "alice"),
        ("olga", "payout sending", "alice"),
        ("(server)", "token made", "olga"),
        ("olga", "funds", ""),
        ("(command line)", "role", "charlie"),
    ]


def test_what_was_refused_or_undone_leaves_no_line(stage):
    before = LogLine.objects.count()
    with pytest.raises(RuleError):
        campaigns.change_draft(stage.id, title="Other")
    with transaction.atomic(), acting(lambda: "olga"):
        campaigns.fund(stage.id, 5, "k")
        transaction.set_rollback(True)
    assert LogLine.objects.count() == before


def test_no_line_is_changed_or_removed(both):
    acts = ["UPDATE journal_logline SET who = 'ann'", "DELETE FROM journal_logline"]
    acts += ["TRUNCATE journal_logline"] if connection.vendor == "postgresql" else []
    for act in acts:
        refused = pytest.raises(DatabaseError, match="append-only")
        with refused, transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(act)
    assert lines(what="campaign open") == [("(server)", "campaign open", "")]


def test_an_organiser_reads_the_own_lines_and_takes_them_away(stage, enter):
    nora = User.objects.create(username="nora", is_organiser=True)
    with acting(lambda: "nora"):
        make_token(nora, "organiser", label="x")
    assert "campaign open" in enter(stage.olga).get("/log/").content.decode()
    page = enter(nora).get("/log/").content.decode()
    assert "token made" in page
    assert "campaign open" not in page
    file = enter(stage.olga).get("/log/log.csv").getvalue().decode()
    assert file.startswith("at,who,what,campaign,about,said\r\n")
    assert file.count("\r\n") == 1 + LogLine.objects.filter(campaign=stage.id).count()
