"""Workspaces by command and page: made, limited, frozen, closed; seats and what they may do."""

from __future__ import annotations

from datetime import timedelta

import pytest
from click.testing import CliRunner
from django.utils import timezone

from askpoint.arena.game.transaction import LedgerAccount, transfer
from askpoint.arena.server.campaigns import services as campaigns
from askpoint.arena.server.ledger.services import balance_of, post
from askpoint.arena.server.payouts.models import Payout, ProviderToken
from askpoint.arena.server.payouts.services import withdraw
from askpoint.arena.server.payouts.tokens import keep_token, open_token
from askpoint.cli import server_folder
from askpoint.cli.main import main
from askpoint.errors import InputError, RuleError
from askpoint.server.accounts.models import Seat, User
from askpoint.server.accounts.seats import change_rights, give_seat, take_seat_away
from askpoint.server.deployments.label_signatures import open_hook
from askpoint.server.workspaces.models import Workspace
from askpoint.server.workspaces.services import change_state, make_workspace, set_limits
from server.in_use import InUse
from server.stage import organiser, refused
from server.test_labelling_tools import post as send_signed, signed


@pytest.fixture
def said(stage, monkeypatch):
    """Return a function: what a command of whoever runs the server says."""
    monkeypatch.setattr(server_folder, "open_database", lambda *_: "")

    def run(*words, code=0):
        result = CliRunner().invoke(main, list(words))
        assert (result.exit_code, result.exception is None or code > 0) == (code, True), result
        return result.output

    return run


def give(name, points, workspace="main"):
    accounts = LedgerAccount("funding", "gifts"), LedgerAccount("earned", name)
    post(workspace, transfer(f"gift/{name}/{points}", timezone.now(), points, *accounts, "gift"))


def test_whoever_runs_the_server_makes_limits_freezes_and_closes_them(said, stage, enter):
    words = said("workspace", "add", "Blue team", "--url", "https://x.example/")
    path = words.split("https://x.example")[1].strip()
    browser = enter()
    browser.post(path, {"name": "bea", "password": "a long enough password"})
    assert Seat.objects.get(user__username="bea").role == "owner"
    assert "Save rights" not in browser.get("/workspaces/blue-team/").content.decode()
    assert browser.get("/workspaces/main/").status_code == 404
    assert "in all: 700 cents" in said("workspace", "limit", "blue-team", "--in-all", "700")
    assert "a day: no limit" in said("workspace", "limit", "blue-team", "--per-day", "none")
    listed = said("workspace", "list")
    assert "blue-team: Blue team, open; bea; in all 700 cents" in listed
    assert "main: Main, open; no owner yet; no limits" in listed
    for wrong in (
        ("limit", "blue-team"),
        ("limit", "blue-team", "--in-all", "-1"),
        ("limit", "blue-team", "--per-day", "1e3"),
        ("freeze", "nowhere"),
        ("add", "Blue  team"),
        ("add", "***"),
        ("add", "x" * 81),
        ("add", "Green", "--url", "x.example"),
    ):
        said("workspace", *wrong, code=2)
    assert "frozen" in said("workspace", "freeze", "main")
    olga = enter(stage.olga)
    assert olga.get(f"/run/{stage.id}/").status_code == 200
    assert olga.post(f"/run/{stage.id}/budget/", {"action": "close"}).status_code == 403
    assert olga.post("/payouts/", {"action": "plan"}).status_code == 403
    assert enter(stage.bob).post(f"/judge/{stage.id}/claim/").status_code == 403
    said("workspace", "close", "main")
    for who, path in (("olga", f"/run/{stage.id}/"), ("alice", f"/play/{stage.id}/")):
        assert enter(getattr(stage, who)).get(path).status_code == 404
    said("workspace", "open", "main")
    assert olga.get(f"/run/{stage.id}/").status_code == 200


def test_a_command_that_may_mean_several_workspaces_asks_which(said):
    said("workspace", "add", "Blue team")
    assert "blue-team, main" in said("user", "add", "nina", code=2)
    assert not User.objects.filter(username="nina").exists()
    said("user", "add", "nina", "--workspace", "Blue team")
    assert Seat.objects.get(user__username="nina").workspace_id == "blue-team"
    said("user", "role", "nina", "none", "--workspace", "blue-team")
    assert not Seat.objects.filter(user__username="nina").exists()
    said("user", "role", "nina", "none", "--workspace", "blue-team", code=2)


def test_what_a_workspace_pays_a_day_and_in_all_is_bounded(both, monkeypatch):
    for name in ("alice", "ann", "bob"):
        give(name, 5_000)  # 100 cents each
    set_limits(both.workspace, {"day_cap_cents": 250})
    withdraw("main", both.alice)
    withdraw("main", both.ann)
    with refused("day-cap"):
        withdraw("main", both.bob)
    assert balance_of("main", LedgerAccount("earned", "bob")) == 5_000
    Payout.objects.update(state="sent", at=timezone.now() - timedelta(hours=25))
    withdraw("main", both.bob)
    Payout.objects.update(state="sent", at=timezone.now() + timedelta(days=2))  # a clock set back
    give("beth", 50)
    with refused("day-cap"):
        set_limits(both.workspace, {"day_cap_cents": 300})
        withdraw("main", both.beth)
    set_limits(both.workspace, {"day_cap_cents": None, "money_cap_cents": 300})
    with refused("money-cap"):
        withdraw("main", both.beth)
    set_limits(both.workspace, {"money_cap_cents": 301})
    assert withdraw("main", both.beth).cents == 1


def test_what_a_workspace_and_an_organiser_promise_is_bounded(both):
    set_limits(both.workspace, {"money_cap_cents": 2_100})  # 2,000 are in the campaign
    with refused("money-cap"):
        campaigns.fund(both.id, 5_001, "more")
    campaigns.fund(both.id, 5_000, "more")
    set_limits(both.workspace, {"money_cap_cents": None})
    change_rights(both.workspace, "olga", pays=True, share_cents=2_150)
    with refused("share"):
        campaigns.fund(both.id, 2_501, "still more", both.olga)
    campaigns.fund(both.id, 2_500, "still more", both.olga)
    for cents in (-1, 10**16):
        with pytest.raises(InputError, match="a limit is"):
            set_limits(both.workspace, {"money_cap_cents": cents})


def test_an_organiser_pays_only_where_an_owner_says_so(stage, enter):
    ada, olga = organiser("ada", role="owner"), enter(stage.olga)
    owner = enter(ada)
    assert olga.get("/payouts/").status_code == 200
    owner.post("/workspaces/main/", {"rights": "1", "name": "olga", "share_cents": "500"})
    seat = Seat.objects.get(user=stage.olga)
    assert (seat.pays, seat.share_cents) == (False, 500)
    assert olga.get("/payouts/").status_code == 404
    answer = owner.post(
        "/workspaces/main/", {"rights": "1", "name": "olga", "share_cents": "x"}, follow=True
    )
    assert "whole number of cents" in answer.content.decode()
    assert Seat.objects.get(user=stage.olga).share_cents == 500
    owner.post("/workspaces/main/", {"remove": "ada"})
    assert Seat.objects.filter(user=ada).exists()  # a workspace keeps an owner
    owner.post("/workspaces/main/", {"remove": "olga"})
    assert olga.get(f"/run/{stage.id}/").status_code == 404  # who made it has no seat any more
    assert owner.get(f"/run/{stage.id}/").status_code == 200


def test_an_owner_invites_by_a_link_and_withdraws_it(stage, enter):
    owner = enter(organiser("ada", role="owner"))
    owner.post("/workspaces/main/", {"invite": "1", "role": "watcher", "note": "Walt"})
    page = owner.get("/workspaces/main/").content.decode()
    path = page.split("<code>http://testserver")[1].split("</code>")[0]
    assert "Watch" in enter(stage.charlie).get(path).content.decode()
    enter(stage.charlie).post(path)
    assert Seat.objects.get(user=stage.charlie).role == "watcher"
    assert enter(stage.charlie).get("/run/").status_code == 404
    owner.post("/workspaces/main/", {"invite": "1", "role": "owner", "note": ""})
    page = owner.get("/workspaces/main/").content.decode()
    path = page.split("<code>http://testserver")[1].split("</code>")[0]
    owner.post(
        "/workspaces/main/", {"withdraw": page.split('name="withdraw" value="')[1].split('"')[0]}
    )
    assert enter(stage.ann).get(path).status_code == 410


def test_a_form_of_another_workspace_changes_nothing(stage, enter):
    other = make_workspace("Other")
    organiser("olga", other.pk)
    olga = enter(stage.olga)
    assert olga.get("/payouts/").status_code == 200  # of Main, its first by name
    olga.post("/workspaces/other/enter/")
    answer = olga.post("/payouts/", {"action": "plan", "workspace": "main"})
    assert answer.status_code == 409
    assert "You are in the workspace" in olga.get("/").content.decode()
    assert olga.post("/workspaces/other/enter/").status_code == 302
    change_state(other, "closed")
    assert olga.post("/workspaces/other/enter/").status_code == 404
    assert olga.post("/payouts/", {"action": "plan", "workspace": "main"}).status_code == 302


def test_the_last_owner_stays(stage):
    ada = organiser("ada", role="owner")
    for change in (
        lambda: take_seat_away(stage.workspace, "ada"),
        lambda: give_seat(stage.workspace, ada, "watcher"),
    ):
        with refused("last-owner"):
            change()
    with pytest.raises(RuleError, match="has no seat"):
        take_seat_away(stage.workspace, "bob")
    assert give_seat(stage.workspace, ada, "owner") is False


def test_two_workspaces_invite_one_person_on_the_same_day(stage, enter):
    other, charlie = make_workspace("Other").pk, enter(stage.charlie)
    owners = {
        "main": enter(organiser("ada", role="owner")),
        other: enter(organiser("mallory", other, "owner")),
    }
    roles, links = {"main": "organiser", other: "watcher"}, {}
    for where, owner in owners.items():
        address = f"/workspaces/{where}/"
        owner.post(address, {"invite": "1", "role": roles[where], "note": "Charlie"})
        page = owner.get(address).content.decode()
        links[where] = page.split("<code>http://testserver")[1].split("</code>")[0]
    for link in links.values():
        assert charlie.post(link).status_code == 302
    seats = Seat.objects.filter(user=stage.charlie)
    assert dict(seats.values_list("workspace", "role")) == roles
    assert owners[other].get("/workspaces/main/").status_code == 404
    take_seat_away(Workspace.objects.get(pk=other), "charlie")
    assert dict(seats.values_list("workspace", "role")) == {"main": "organiser"}


def test_a_providers_token_is_sealed_for_its_workspace(stage, enter):
    owner, other = enter(organiser("ada", role="owner")), make_workspace("Other").pk
    owner.post("/payouts/", {"action": "token", "token": "tok-123"})
    page = owner.get("/payouts/").content.decode()
    assert "Nobody can read it" in page
    assert "tok-123" not in page
    row = ProviderToken.objects.get()
    assert b"tok-123" not in bytes(row.sealed)
    assert open_token("main") == "tok-123"
    with refused("no-token"):
        open_token(other)
    ProviderToken.objects.create(
        workspace_id=other, provider="prolific", sealed=row.sealed, who="mallory", at=row.at
    )
    with pytest.raises(InputError, match="sealed by another secret"):
        open_token(other)
    enter(stage.olga).post("/payouts/", {"action": "token", "token": "stolen"})  # owns nothing
    assert open_token("main") == "tok-123"
    for wrong in ("a b", "ü", "x" * 501):
        with pytest.raises(InputError, match="a token has"):
            keep_token("main", stage.olga, wrong)
    keep_token("main", stage.olga, "")
    with refused("no-token"):
        open_token("main")
    assert Workspace.objects.count() == 2


def test_nobody_labels_in_a_frozen_workspace(sqlite, enter):
    del sqlite
    in_use = InUse()
    key = next(one.key for one in in_use.decide(20) if one.action == "ask")
    reviewer = enter(in_use.rosa)
    assert reviewer.get("/review/").status_code == 200
    secret, labels = open_hook(in_use.id), [{"key": key, "label": "hate"}]
    for state, status in (("frozen", 409), ("closed", 404), ("open", 200)):
        change_state(in_use.row.workspace, state)
        pages = 200 if state == "open" else 404
        assert reviewer.get("/review/").status_code == pages
        assert (
            send_signed(in_use, *signed(secret, labels, name=f"msg_{state}")).status_code == status
        )
