"""A tag challenge."""

from __future__ import annotations

from askpoint.arena.game.challenge import tag_terms
from askpoint.arena.server.campaigns import services as campaigns
from askpoint.arena.server.judges import services as judging
from askpoint.arena.server.probes.models import Player
from askpoint.arena.server.tags.services import propose
from server.scenes.hard import CASES
from server.scenes.scene import Scene, at

__all__ = ["open_tag_challenge", "tags_scenes"]


def open_tag_challenge(there):
    """A tag challenge with all that can become of a label."""
    items = [(f"a photo of thing {n}, seen from afar", "thing") for n in range(60)]
    items += [(CASES["arabic"], "شتيمة"), (CASES["unbroken"], "x" * 80), ("not tagged yet", "")]
    there.tags = there.open_tags(items)
    rows = Player.objects.select_related("user", "campaign__classifier")
    for name, number, label in (
        ("ann", 1, "house"),
        ("alice", 2, "boat"),
        ("alice", 3, "worse"),
        ("alice", 4, "tree"),
    ):
        player = rows.get(campaign=there.tags, user__username=name)
        probe = propose(player, number, label, f"{name}-{number}", "192.0.2.9")
        there.cases[f"tag-{number}"] = probe.pk
        if number < 4:
            choice = "thing" if label == "worse" else label
            there.rule(probe.pk, {"bob": choice, "beth": choice}, there.tags)
    judging.claim(there.tags, "bob")
    there.tags_draft = campaigns.make_campaign(
        there.olga,
        title="Labels to come",
        classifier=there.classifier,
        wanted="Better ones.",
        terms=tag_terms(labels=("clean", "offensive")),
        kind="tags",
    ).pk


def tags_scenes(there):
    """What each role sees of it."""
    yield Scene("tags", "P", "alice", at("tags", there.tags), "Pick one whose label")
    nothing = f"{at('tags', there.tags)}?q=zebra"
    yield Scene("tags", "P", "alice", nothing, "Nothing holds")
    for number, says in (
        (1, "house"),
        (2, "This label is yours"),
        (4, "is being challenged"),
        (7, "A better label"),
        (61, "A better label"),
    ):
        yield Scene("tag", "P", "alice", at("tag", there.tags, number), says)
    wrong = {"label": "Thing"}
    again = "main .form button"
    yield Scene("tag", "P", "ann", at("tag", there.tags, 8), "already", wrong, again)
    for number, says in ((2, "prefer your label"), (3, "keep the label"), (4, "You propose")):
        here = at("case", there.tags, there.cases[f"tag-{number}"])
        yield Scene("case", "P", "alice", here, says)
    yield Scene("history", "P", "alice", at("history", there.tags), "Against")
    yield Scene("judge", "J", "bob", at("judge", there.tags), "Which label is better")
    yield Scene("items", "O", "olga", at("items", there.tags), "wait for the model")
    yield Scene("items", "O", "olga", at("items", there.tags_draft), "Next: judging")
    prices = "button[value=prices]"
    wrong = {"top": "0"}
    draft = at("items", there.tags_draft)
    yield Scene("items", "O", "olga", draft, "greater than", wrong, prices)
    yield Scene("watch", "O", "olga", at("watch", there.tags), "Better labels per 100")
    yield Scene("budget", "O", "olga", at("budget", there.tags), "order of the alphabet")
    here = at("decide", there.tags, there.cases["tag-3"])
    yield Scene("decide", "O", "olga", here, "It was tagged")
