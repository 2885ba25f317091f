from __future__ import annotations

from dataclasses import replace

import pytest

from arena.game.scene import AT_ONCE, MINUTE, NOW, TRAINING, judged
from askpoint.arena.game.campaign import CampaignState
from askpoint.arena.game.challenge import ItemTag, challenge_tag, settle_tag, tag_terms, two_labels
from askpoint.arena.game.submissions import Tries
from askpoint.arena.simulation.arena import Arena
from askpoint.errors import RuleError

PHOTO = ItemTag("photo-7", "dog", "", NOW)


def table() -> Arena:
    game = Arena(CampaignState("photos", replace(tag_terms(), **AT_ONCE), NOW))
    game.fund(50_000, NOW)
    game.open(NOW)
    for player in ("alice", "eve"):
        game.join(player, "player", NOW)
    for judge in ("bob", "beth", "bill", "bo"):
        game.join(judge, "judge", NOW)
        game.train(judge, TRAINING, NOW)
    return game


def propose(game: Arena, tag: ItemTag, proposal: str, player="alice", **given):
    probe = challenge_tag(
        game.campaign,
        game.players[player],
        tag,
        proposal,
        NOW,
        id=f"c{len(game.probes) + 1}",
        available=game.available,
        earlier=game.submitted,
        **given,
    )
    game.probes[probe.id] = probe
    game.submit(probe.id, NOW)
    return game.probes[probe.id], settle_tag(tag, game.probes[probe.id], NOW)


def test_a_better_label_takes_the_place_of_the_models():
    game = table()
    probe, tag = propose(game, PHOTO, "basset hound")
    assert (tag.label, tag.challenge) == ("dog", probe.id)
    judged(game, probe.id, {"bob": "basset hound", "beth": "basset hound"})
    tag = settle_tag(tag, game.probes[probe.id], NOW)
    assert (tag.label, tag.holder, tag.challenge) == ("basset hound", "alice", "")
    assert game.withdrawable("alice") == 1010


def test_a_worse_label_leaves_it():
    game = table()
    probe, tag = propose(game, PHOTO, "cat")
    judged(game, probe.id, {"bob": "cat", "beth": "dog", "bill": "dog"})
    assert settle_tag(tag, game.probes[probe.id], NOW) == PHOTO
    assert game.withdrawable("alice") == 10


def test_judges_do_not_see_which_label_is_the_machines():
    game = table()
    for proposal, order in (("basset", ("basset", "dog")), ("hound", ("dog", "hound"))):
        probe, _ = propose(game, PHOTO, proposal)
        assert game.rulings[probe.id].options == order
        assert [prize.points for prize in probe.prizes] == [
            1000 * (item == proposal) for item in order
        ]


def test_what_cannot_be_challenged():
    game = table()
    alices = replace(PHOTO, label="basset", holder="alice")
    for tag, proposal, rule in (
        (PHOTO, " DOG ", "same-tag"),
        (alices, "hound", "own-tag"),
        (replace(PHOTO, challenge="c0"), "hound", "challenge-open"),
    ):
        with pytest.raises(RuleError) as caught:
            propose(game, tag, proposal)
        assert caught.value.rule == rule
    propose(game, PHOTO, "hound")
    with pytest.raises(RuleError, match="very challenge"):
        propose(game, PHOTO, "hound", "eve")
    with pytest.raises(RuleError, match="come back later"):
        propose(game, PHOTO, "whippet", tries=Tries(200, 0))
    game.close(NOW)
    with pytest.raises(RuleError, match="not open"):
        propose(game, PHOTO, "whippet")


def test_a_correction_gives_the_label_back():
    game = table()
    eves = replace(PHOTO, label="hound", holder="eve")
    probe, tag = propose(game, eves, "basset")
    judged(game, probe.id, {"bob": "basset", "beth": "basset"})
    tag = settle_tag(tag, game.probes[probe.id], NOW)
    assert (tag.label, tag.holder) == ("basset", "alice")
    game.recall("bob", NOW + MINUTE)
    judged(game, probe.id, {"bill": "hound", "bo": "hound"}, NOW + MINUTE)
    back = settle_tag(tag, game.probes[probe.id], NOW + MINUTE)
    assert (back.label, back.holder) == ("hound", "eve")
    assert game.withdrawable("alice") == 10
    moved_on = replace(tag, label="basset hound", holder="carol", challenge="c9")
    assert settle_tag(moved_on, game.probes[probe.id], NOW + MINUTE) == replace(
        moved_on, at=NOW + MINUTE
    )


def test_two_labels_of_a_gold_item():
    assert two_labels("grey  cat > dog") == ("grey cat", "dog")
    for text in ("cat", "cat>dog", "cat > ", " > dog", "Cat > cat"):
        assert two_labels(text) is None, text
