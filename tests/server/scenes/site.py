"""Pages that belong to no part."""

from __future__ import annotations

from django.urls import reverse

from server.scenes.scene import Scene

__all__ = ["site_scenes"]


def site_scenes(there):
    """What everybody meets: the door, the account, refusals."""
    for role, who in (("P", "alice"), ("J", "bob"), ("O", "olga"), ("C", "charlie")):
        says = "no campaign yet" if role == "C" else "Offence without"
        yield Scene("home", role, who, "/", says)
        says = "Nothing yet" if role in "OC" else "Balance"
        yield Scene("points", role, who, "/points/", says)
        says = "no role yet" if role == "C" else "New token"
        yield Scene("tokens", role, who, "/tokens/", says)
        yield Scene("account_login", role, who, "/sign-in/", "Name")
        yield Scene("account_reset_password_done", role, who, "/sign-in/sent/", "works once")
        where = "/sign-in/cancelled/"
        yield Scene("socialaccount_login_cancelled", role, who, where, "Nothing was changed")
        yield Scene("account_email", role, who, "/account/mail/", "No address is confirmed")
        where = "/account/companies/"
        yield Scene("socialaccount_connections", role, who, where, "None is joined")
        says = "signs in with one" if role == "O" else "A new password"
        yield Scene("account", role, who, "/account/", says)
    yield Scene("account_reset_password_done", "S", "", "/sign-in/sent/", "works once")
    where = "/sign-in/cancelled/"
    yield Scene("socialaccount_login_cancelled", "S", "", where, "Nothing was changed")
    yield Scene("mfa_activate_totp", "O", "olga", "/account/code/", "authenticator app")
    where = "/account/again/?next=/account/code/"
    yield Scene("account_reauthenticate", "P", "alice", where, "every ten minutes")
    wrong = {"password": "no"}
    says, press = "Incorrect password", "main .form button"
    yield Scene("account_reauthenticate", "P", "alice", where, says, wrong, press)
    where = "/account/mail/none/"
    yield Scene("account_confirm_email", "C", "charlie", where, "has expired")
    yield Scene("account", "J", "bob", "/account/", "What others did to this account")
    named, press = {"label": "nightly export of " + "x" * 60}, "main .form button"
    yield Scene("tokens", "O", "olga", "/tokens/", "shown only once", named, press)
    wrong = {"label": "a tool", "days": "0"}
    yield Scene("tokens", "P", "alice", "/tokens/", "greater than", wrong, press)
    yield Scene("log", "O", "olga", "/log/", "shut out")
    yield Scene("webhooks", "O", "olga", "/webhooks/", "answered with 500")
    given, press = {"url": "https://hooks.example.org/askpoint"}, "button[value=add]"
    yield Scene("webhooks", "O", "olga", "/webhooks/", "shown only once", given, press)
    wrong = {"url": "http://hooks.example.org"}
    yield Scene("webhooks", "O", "olga", "/webhooks/", "must start with https", wrong, press)
    for role, who, says in (
        ("M", "ada", "Save rights"),
        ("O", "olga", "Seats"),
        ("N", "nora", "Seats"),
    ):
        yield Scene("workspace", role, who, "/workspaces/main/", says)
    yield Scene("home", "O", "nora", "/", "No campaign yet")
    yield Scene("payouts", "O", "olga", "/payouts/", "unknown")
    yield Scene("account_login", "S", "", "/sign-in/", "An organiser sends you a link")
    wrong = {"login": "alice", "password": "no"}
    button = "main button"
    yield Scene("account_login", "S", "", "/sign-in/", "do not match", wrong, button)
    yield Scene("403", "S", "", "/sign-in/", "This was refused", wrong, button, lose=True)
    for name, says in (
        ("player", "brings up to"),
        ("judge", "Each vote brings"),
        ("organiser", "Run classifiers, agents and campaigns"),
        ("watcher", "Watch how it goes"),
        ("room", "20 minutes a day"),
    ):
        yield Scene("invitation", "S", "", there.links[name], says)
    asked = there.links["rows"] + "?PROLIFIC_PID=5f1c9a0b2e"
    yield Scene("invitation", "S", "", asked, "as participant")
    yield Scene("invitation", "S", "", asked, "Tick this first", {}, button)
    yield Scene("agree", "P", "ann", f"/agree/{there.spent}/", "I am 21 years old")
    yield Scene("agree", "P", "ann", f"/play/{there.spent}/", "Tick this first", {}, button)
    yield Scene("agree", "J", "bob", f"/agree/{there.many}/", "nothing more")
    short = {"name": "a b<c", "password": "short"}
    yield Scene("invitation", "S", "", there.links["player"], "too short", short, button)
    yield Scene("invitation", "C", "charlie", there.links["judge"], "Join as charlie")
    both = there.links["judge"]
    yield Scene("invitation", "P", "alice", both, "players and judges are separate", {}, button)
    yield Scene("invitation", "S", "", there.links["old"], "too old")
    old = {"oldpassword": "no", "password1": "x", "password2": "y"}
    says = "type your current password"
    yield Scene("account", "P", "alice", "/account/", says, old, "main .form button")
    yield Scene(
        "account_reset_password_from_key", "S", "", there.resets["new"], "A new password for"
    )
    new = {"password1": "short", "password2": "other"}
    yield Scene(
        "account_reset_password_from_key",
        "S",
        "",
        there.resets["new"],
        "too short",
        new,
        button,
    )
    yield Scene("account_reset_password_from_key", "S", "", there.resets["used"], "has expired")
    yield Scene("invitation", "S", "", there.links["used"], "already been used")
    yield Scene("404", "C", "charlie", f"/play/{there.id}/", "Page not found")
    yield Scene("404", "S", "", "/nowhere/", "Page not found")
    yield Scene("500", "C", "crash", "/points/", "Something went wrong")
    yield Scene("405", "J", "bob", reverse("vote", args=[there.id]), "only what a form sends")
