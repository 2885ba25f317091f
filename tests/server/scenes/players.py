"""Pages of players."""

from __future__ import annotations

from server.scenes.hard import FEATURES
from server.scenes.scene import Scene, at

__all__ = ["players_scenes"]


def players_scenes(there):
    """What players see."""
    here, ask = at("play", there.id), "main .form button"
    yield Scene("play", "P", "alice", here, "half a day's thought")
    yield Scene("play", "P", "alice", at("play", there.empty), "The rules")
    yield Scene("play", "P", "alice", at("play", there.closed), "takes no cases now")
    yield Scene("play", "P", "alice", at("play", there.spent), "The budget is used up")
    yield Scene("play", "P", "ann", at("play", there.many), "a break of 10 minutes")
    yield Scene("play", "P", "alice", at("play", there.many), "That is enough for now")
    yield Scene("play", "P", "paula", here, "You cannot play on here")
    yield Scene("play", "P", "sue", here, "You cannot play on here")
    for text, says in (
        ("a machine that is down", "did not answer in time"),
        ("to be found", "submitted before"),
        ("x" * 5001, "at most 5,000 characters"),
    ):
        yield Scene("play", "P", "ann", here, says, {"case": text}, ask)
    yield Scene("403", "P", "ann", here, "open for too long", {"case": "one"}, ask, lose=True)
    yield Scene("play", "P", "alice", at("play", there.rows), "lives with parents")
    wrong = {"age": "forty", FEATURES[1]["name"]: "1", "housing": "rents"}
    says = "Age must be a number"
    yield Scene("play", "P", "alice", at("play", there.rows), says, wrong, ask)
    for name, says in (
        ("tried", "Up to 910 points"),
        ("unsure", "If judges say"),
        ("away", "Turned away"),
        ("dropped", "Submit"),
        ("unbroken", "It waits for the judges"),
        ("lines", "It waits for the judges"),
        ("arabic", "You beat the machine"),
        ("emoji", "Judges agree with the machine"),
        ("split", "You beat the machine"),
        ("not-found", "An appeal is possible for"),
        ("appealed", "You appealed"),
        ("final", "The organiser decided"),
        ("recalled", "judged again"),
    ):
        yield Scene("case", "P", "alice", at("case", there.id, there.cases[name]), says)
    for name, says in (("referred", "the organiser decides"), ("many-tried", "threat")):
        yield Scene("case", "P", "alice", at("case", there.many, there.cases[name]), says)
    web = at("play", there.web)
    yield Scene("play", "P", "alice", web, "The address of a web page")
    typed = {"case": "no address"}
    yield Scene("play", "P", "ann", web, "give the address".capitalize(), typed, ask)
    page = at("case", there.web, there.cases["page"])
    yield Scene("case", "P", "alice", page, "The page is longer")
    seen = at("play", there.images)
    yield Scene("play", "P", "alice", seen, "PNG, JPEG or WebP, up to 6 MB")
    image = at("case", there.images, there.cases["image"])
    yield Scene("case", "P", "alice", image, "It waits for the judges")
    yield Scene("judge", "J", "bob", at("judge", there.images), "What is this?")
    here = at("decide", there.images, there.cases["image"])
    yield Scene("decide", "O", "olga", here, "Delete the image")
    yield Scene("history", "P", "alice", at("history", there.images), "image 1400 × 900")
    for name, says in (("row", "It waits"), ("row-tried", "Up to")):
        yield Scene("case", "P", "alice", at("case", there.rows, there.cases[name]), says)
    yield Scene("history", "P", "alice", at("history", there.id), "turned away")
    yield Scene("history", "P", "alice", at("history", there.rows), "housing: lives with")
    yield Scene("history", "P", "alice", at("history", there.empty), "Nothing yet")
    yield Scene("standings", "P", "alice", at("standings", there.id), "(you)")
    yield Scene("standings", "P", "alice", at("standings", there.empty), "Nobody has submitted")
