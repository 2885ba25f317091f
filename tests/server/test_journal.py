"""Who decided what: every decision leaves a line, and no line can be changed."""

from __future__ import annotations

import pytest
from click.testing import CliRunner
from django.db import DatabaseError, connection, transaction

from askpoint.arena.server.campaigns import services as campaigns
from askpoint.arena.server.examinations.models import Examination
from askpoint.arena.server.rulings.models import Ruling
from askpoint.arena.server.rulings.pools import join
from askpoint.cli import server_folder
from askpoint.cli.main import main
from askpoint.errors import RuleError
from askpoint.measures.model_answer import ModelAnswer
from askpoint.server.accounts.models import Invitation
from askpoint.server.api.tokens import make_token
from askpoint.server.classifiers import services as asking
from askpoint.server.classifiers.models import Classifier
from askpoint.server.journal.models import LogLine
from askpoint.server.journal.services import acting, note
from server.stage import organiser


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
        ("(command line)", "seat given", "charlie"),
    ]


def test_so_does_what_is_set_up(stage, enter, monkeypatch):
    """Models, gold items, links, limits, items of a tag challenge, samples, passwords."""
    olga, run = enter(stage.olga), f"/run/{stage.id}"
    monkeypatch.setattr(asking, "try_out", lambda *_: ModelAnswer((0.9, 0.1), "clean", "1"))
    form = {"name": "paper", "adapter": "http", "target": "https://models.example.org/"}
    form |= {"classes": "clean, offensive", "trial": "hello", "expected": "clean", "seconds": 1}
    begun = LogLine.objects.order_by("-pk").first().pk
    assert olga.post("/run/models/", form).status_code == 302
    olga.post(f"{run}/judging/", {"gold": "clean | good evening"})
    olga.post(f"{run}/joining/", {"most_cases": "9", "contact": "Olga"})
    olga.post(f"{run}/joining/", {"most_cases": "9", "contact": "Olga"})  # nothing is new
    olga.post(f"{run}/people/", {"role": "player", "many": "", "places": "1", "days": "14"})
    olga.post(f"{run}/people/", {"withdraw": Invitation.objects.get().pk})
    join(stage.id, stage.charlie, "watcher")
    remove = {"role": "colleague", "name": "charlie", "action": "remove"}
    olga.post(f"{run}/people/standing/", remove)
    with acting(lambda: "olga"):
        tags = stage.open_tags()
        stage.examine(["one"], 1)
    monkeypatch.setattr(server_folder, "open_database", lambda *_: "")
    CliRunner().invoke(main, ["user", "add", "nina", "--url", "https://x.example"])
    found = [
        (line.who, line.what, line.about, line.said)
        for line in LogLine.objects.filter(pk__gt=begun).order_by("pk")
        if (line.campaign, line.what) != (tags, "joined")
    ]
    gold = Ruling.objects.get(purpose="gold").pk
    model = {"model": Classifier.objects.get(name="paper").pk, "kind": "http"}
    examined = str(Examination.objects.get().pk)
    toy = {"model": stage.classifier.pk}
    assert found == [
        ("olga", "model registered", "paper", model),
        ("olga", "gold case made", gold, {"answer": "clean"}),
        ("olga", "joining changed", "", {"fields": "contact, most_cases", "most_cases": 9}),
        ("olga", "links made", "", {"role": "player", "links": 1, "places": 1}),
        ("olga", "link withdrawn", "", {"link": Invitation.objects.get().pk}),
        ("(server)", "joined", "charlie", {"role": "watcher"}),
        ("olga", "removed", "charlie", {"role": "watcher"}),
        ("olga", "campaign made", "toy", toy),
        ("olga", "items brought", "", {"items": 2}),
        ("olga", "funds", "", {"points": 100_000}),
        ("olga", "campaign open", "", {}),
        ("olga", "sample brought", examined, {"cases": 1}),
        ("olga", "sample drawn", examined, {"cases": 1, "seed": 3}),
        ("(command line)", "account made", "nina", {"role": "organiser"}),
        ("(command line)", "seat given", "nina", {"role": "organiser"}),
        ("(command line)", "password link", "nina", {}),
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


def test_who_reads_which_lines(stage, enter):
    """An organiser of a campaign, one of another, one behind it who organises nothing, a judge."""
    nora = organiser("nora")
    join(stage.id, stage.charlie, "watcher")
    for what, about, campaign in (
        ("funds", "of the campaign", stage.id),
        ("payout planned", "alice", ""),
        ("seat given", "nina", ""),
        ("webhook made", "https://olga.example.org", ""),
    ):
        with acting(lambda: "olga"):
            note(what, workspace="" if campaign else "main", about=about, campaign=campaign)
    seen = {
        "olga": {"of the campaign", "alice", "nina", "https://olga.example.org"},
        "charlie": {"of the campaign", "alice"},
        "nora": {"nina"},
    }
    for person in (stage.olga, stage.charlie, nora):
        page = enter(person).get("/log/").content.decode()
        assert {about for about in seen["olga"] if about in page} == seen[person.username]
    assert enter(stage.bob).get("/log/").status_code == 404
    assert enter(stage.bob).get("/log/log.csv").status_code == 404


def test_an_organiser_reads_the_own_lines_and_takes_them_away(stage, enter):
    nora = organiser("nora")
    with acting(lambda: "nora"):
        make_token(nora, "organiser", label="x")
    assert "campaign open" in enter(stage.olga).get("/log/").content.decode()
    page = enter(nora).get("/log/").content.decode()
    assert "token made" in page
    assert "campaign open" not in page
    file = enter(stage.olga).get("/log/log.csv").getvalue().decode()
    assert file.startswith("at,who,what,campaign,about,said\r\n")
    assert file.count("\r\n") == 1 + LogLine.objects.filter(campaign=stage.id).count()
