"""What players do in a tag challenge: propose a better label, which is judged like any case."""

from __future__ import annotations

import secrets

from django.db import transaction

from askpoint.arena.game.challenge import challenge_tag, settle_tag
from askpoint.arena.game.submissions import submit_case
from askpoint.arena.server.campaigns.records import campaign_of
from askpoint.arena.server.campaigns.services import lock_campaign
from askpoint.arena.server.campaigns.workdays import count_case
from askpoint.arena.server.ledger.services import post
from askpoint.arena.server.players.services import address_mark, count_try
from askpoint.arena.server.players.submissions import DUPLICATE, open_ruling, refuse_repeats
from askpoint.arena.server.probes.models import Challenge, Player, Probe, Tag
from askpoint.arena.server.probes.records import player_of, store_probe
from askpoint.arena.server.probes.tags import store_tag, tag_of
from askpoint.arena.server.tags.item_lists import check_label
from askpoint.errors import RuleError
from askpoint.server.clock import moment

__all__ = ["propose"]


def propose(player: Player, number: int, proposal: str, key: str, address: str) -> Probe:
    """Propose a better label for an item: it is submitted at once, and the most is reserved.

    The same `key` again brings the same challenge.

    Raises
    ------
    InputError
        If it is no label.
    RuleError
        As `askpoint.arena.game.challenge.challenge_tag`; or ``unknown``, ``untagged``.
    """
    again = Probe.objects.filter(player=player, key=key).first()
    if again is not None:
        return again  # the second of two clicks
    label = check_label(proposal)
    mark = address_mark(address)
    count_try(campaign_of(player.campaign), player, mark)
    with transaction.atomic():
        locked = lock_campaign(player.campaign_id)
        row = Tag.objects.filter(campaign=locked, number=number).first()
        if row is None:
            raise RuleError("unknown", f"there is no item {number} in this campaign")
        if not row.label:
            raise RuleError("untagged", "the model has not tagged this item yet; come back soon")
        game, now = campaign_of(locked), moment(locked, player, row)
        count_case(locked, player.user, now)
        person, name = player_of(player), secrets.token_hex(8)
        tried = challenge_tag(game, person, tag_of(row), label, now, id=name, available=locked.left)
        move = submit_case(game, person, tried, now, available=locked.left)
        submitted = move.probe or tried
        probe = Probe(
            id=name,
            campaign=locked,
            player=player,
            key=key,
            address=mark,
            case=row.item,
            digest=submitted.digest,
            tried=submitted.tried,
            probabilities=[],
            decision=row.label,
        )
        with refuse_repeats("exact-duplicate", DUPLICATE):
            store_probe(probe, submitted, new=True)
        open_ruling(locked, probe, move.ruling)
        Challenge.objects.create(probe=probe, tag=row)
        store_tag(row, settle_tag(tag_of(row), submitted, now))
        post(locked.workspace_id, move.transactions, locked.pk)
    return probe
