"""Pages of organisers."""

from __future__ import annotations

from askpoint.server.jobs.services import add_job
from server.scenes.hard import ARABIC, LONG_NAME
from server.scenes.scene import UNCOVER, Scene, at

__all__ = ["organisers_scenes"]


def organisers_scenes(there):
    """What organisers of a campaign see."""
    yield Scene("new-campaign", "O", "olga", at("new-campaign"), "New campaign")
    yield Scene("new-model", "O", "olga", at("new-model"), "A model to play against")
    typed = {
        "name": "m",
        "target": "nowhere",
        "classes": "a",
        "trial": "x",
        "expected": "b",
        "seconds": "1.5",
    }
    keep = "main .form button"
    yield Scene("new-model", "O", "olga", at("new-model"), "nowhere", typed, keep)
    for campaign, says in (
        (there.id, "Errors per 100"),
        (there.many, "waits for your decision"),
        (there.draft, "A draft"),
        (there.rows, "does not run just now"),
        (there.empty, "nothing is judged yet"),
        (there.closed, "Errors per 100"),
    ):
        yield Scene("watch", "O", "olga", at("watch", campaign), says)
    yield Scene("what", "O", "olga", at("what", there.draft), "A draft of which")
    wrong = {"title": "", "wanted": ""}
    yield Scene("what", "O", "olga", at("what", there.draft), "is required", wrong, keep)
    yield Scene("terms", "O", "olga", at("terms", there.draft), "Costs and prices")
    wrong = {"top": "0", "hourly": "-5"}
    yield Scene("terms", "O", "olga", at("terms", there.draft), "greater than", wrong, keep)
    yield Scene("judging", "O", "olga", at("judging", there.draft), "Training items")
    wrong = {"training": "rubbish", "gold": "clean | good"}
    yield Scene("judging", "O", "olga", at("judging", there.draft), "rubbish", wrong, keep)
    yield Scene("judging", "O", "olga", at("judging", there.id), "is fixed")
    yield Scene("judging", "O", "olga", at("judging", there.images), "Take it away")
    for campaign, says in (
        (there.id, "Errors per 100 cases"),
        (there.draft, "Open the campaign"),
        (there.closed, "Take out"),
    ):
        yield Scene("budget", "O", "olga", at("budget", campaign), says)
    wrong = {"points": "many"}
    add = "button[value=add]"
    yield Scene("budget", "O", "olga", at("budget", there.draft), "whole number", wrong, add)
    more = "button[value=return]"
    wrong = {"points": "999999"}
    yield Scene("budget", "O", "olga", at("budget", there.closed), "999", wrong, more)
    add_job("simulate", there.spent)
    yield Scene("budget", "O", "olga", at("budget", there.spent), "The crowd is playing")
    for campaign, says in (
        (there.id, "as is another account"),
        (there.empty, "watcher"),
        (there.draft, "Nobody"),
        (there.many, "2 of 30 came"),
    ):
        yield Scene("people", "O", "olga", at("people", campaign), says)
    wrong = {"places": "0", "days": "1000"}
    invite = "button[value=player]"
    yield Scene("people", "O", "olga", at("people", there.draft), "less than", wrong, invite)
    yield Scene("people", "O", "tess", at("people", there.empty), "and change nothing")
    yield Scene("watch", "O", "rita", at("watch", there.empty), "nothing is judged yet")
    for role, name, action, says in (
        ("player", "alice", "bar", "Shut alice out?"),
        ("judge", "bob", "bar", "the training is then done again"),
        ("judge", "rita", "readmit", "Counts start again"),
        ("judge", "bob", "ask-again", "become void"),
        ("player", LONG_NAME, "bar", "What was submitted is still judged"),
        ("player", ARABIC, "bar", "can try and submit no more"),
    ):
        query = f"?role={role}&name={name}&action={action}"
        yield Scene("standing", "O", "olga", at("standing", there.id) + query, says)
    yield Scene("joining", "O", "olga", at("joining", there.draft), "Whom to ask")
    yield Scene("joining", "O", "olga", at("joining", there.rows), "You may stop any time")
    wrong = {"break_for": "10"}
    yield Scene("joining", "O", "olga", at("joining", there.draft), "needs both", wrong, keep)
    wrong = {"age": "200"}
    yield Scene("joining", "O", "olga", at("joining", there.draft), "less than", wrong, keep)
    for campaign, says in (
        (there.id, "Page 1 of 2"),
        (there.rows, "housing: lives with"),
        (there.many, "three judges"),
        (there.empty, "Nothing is submitted"),
    ):
        yield Scene("cases", "O", "olga", at("cases", campaign), says)
    for name, says in (
        ("appealed", "The player appeals"),
        ("unbroken", "No vote yet"),
        ("final", "awarded"),
        ("recalled", "(void)"),
    ):
        yield Scene("decide", "O", "olga", at("decide", there.id, there.cases[name]), says)
    for name in ("examination", "sample"):
        yield Scene(name, "O", "olga", at(name, there.draft), "the whole stream")
    bring = "main .form button"
    yield Scene("sample", "O", "olga", at("sample", there.draft), "sample is empty", {}, bring)
    yield Scene("examination", "O", "olga", at("examination", there.empty), "has answered")
    plan = at("examination", there.spent)
    yield Scene("examination", "O", "olga", plan, "How should they be drawn?")
    yield Scene("examination", "O", "olga", plan, "costs at most", {}, bring)
    yield Scene("examination", "O", "olga", at("examination", there.id), "Still promised")
    referred = at("decide", there.many, there.cases["referred"])
    yield Scene("decide", "O", "olga", referred, "Show the case first")
    yield Scene("decide", "O", "olga", referred, "three judges", {}, UNCOVER)
    yield Scene("decide", "O", "olga", at("decide", there.rows, there.cases["row"]), "rents")
