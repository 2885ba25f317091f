"""What players do: join, try, submit, drop, appeal."""

from __future__ import annotations

import json
import secrets
from collections.abc import Container
from datetime import timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Count, Q
from django.utils import timezone
from django.utils.crypto import salted_hmac

from askpoint.errors import InputError, RuleError
from askpoint.game.campaign import check_accepting
from askpoint.game.player import check_player
from askpoint.game.playing import Tries, check_tries, submit_case, try_case
from askpoint.game.probe import Probe as GameProbe
from askpoint.game.review import file_appeal
from askpoint.server.campaigns.models import Campaign
from askpoint.server.campaigns.records import campaign_of
from askpoint.server.campaigns.services import budget_left, lock_campaign
from askpoint.server.classifiers.services import ask
from askpoint.server.ledger.services import post
from askpoint.server.probes.models import Draft, Player, Probe
from askpoint.server.probes.records import case_text, player_of, probe_of, store_probe
from askpoint.server.probes.similar import likeness
from askpoint.server.rulings.models import Ruling
from askpoint.server.rulings.moves import find_case
from askpoint.unknowns.duplicates import text_digest

__all__ = ["LONGEST_CASE", "appeal", "check_case", "drop", "keep_draft", "submit", "try_out_case"]

LONGEST_CASE = 5_000
"""Characters of a case."""


class _Submitted(Container[str]):
    """The digests of the cases that were submitted to a campaign, asked one by one."""

    def __init__(self, campaign: Campaign) -> None:
        self._probes = Probe.objects.filter(campaign=campaign, state__in=["submitted", "judged"])

    def __contains__(self, digest: object) -> bool:
        return self._probes.filter(digest=digest).exists()


def check_case(campaign: Campaign, given: Any) -> Any:
    """Return a case as it is stored: a text, or a row of the model's features.

    Raises
    ------
    InputError
        If it is empty, too long, holds control characters, or a feature is missing.
    """
    if campaign.classifier.cases == "row":
        return {it["name"]: _feature(it, given) for it in campaign.classifier.features}
    text = str(given).replace("\r\n", "\n").strip()
    if not text:
        raise InputError("the case is empty; type or paste a text")
    if len(text) > LONGEST_CASE:
        raise InputError(
            f"a case has at most {LONGEST_CASE:,} characters, and this one has {len(text):,}; "
            "shorten it"
        )
    odd = next(
        (char for char in text if (char < " " and char not in "\n\t") or char == "\ufffd"), ""
    )
    if odd or any("\ud800" <= char <= "\udfff" for char in text):
        raise InputError("the case holds characters that no text has; paste text, not a file")
    if not any(char.isalnum() or ord(char) > 0x2000 for char in text):
        raise InputError("the case holds no letter and no sign that one could read")
    return text


def _feature(feature: dict[str, Any], given: Any) -> Any:
    value = str(given.get(feature["name"], "")).strip()
    if feature["kind"] == "number":
        try:
            number = float(value)
        except ValueError:
            number = float("nan")
        if not abs(number) < 1e300:
            raise InputError(f"{feature['name']} must be a number, got {value!r:.60}")
        return number
    if value not in feature["options"]:
        raise InputError(
            f"{feature['name']} is one of {', '.join(feature['options'])}; got {value!r:.60}"
        )
    return value


def keep_draft(player: Player, given: Any) -> None:
    """Keep what a player has typed, before anything can go wrong with it."""
    if not isinstance(given, str):
        given = {str(name)[:80]: str(value)[:200] for name, value in given.items()}
    text = json.dumps(given).replace("\\u0000", "")[: 6 * LONGEST_CASE]
    try:
        kept = json.loads(text)
    except ValueError:  # it was cut: far too long to be a case
        return
    if not Draft.objects.filter(player=player).update(case=kept):
        Draft.objects.update_or_create(player=player, defaults={"case": kept})


def try_out_case(campaign: Campaign, player: Player, given: Any, key: str, address: str) -> Probe:
    """Try a case on the model; the same `key` again brings the same probe.

    Raises
    ------
    InputError
        If it is no case.
    RuleError
        As `askpoint.game.playing.try_case`.
    ModelError
        If the model is down, slow or wrong; then nothing has happened.
    """
    again = Probe.objects.filter(player=player, key=key).first()
    if again is not None:
        return again
    case = check_case(campaign, given)
    text = case_text(case)
    digest, mark = text_digest(text), salted_hmac("askpoint.address", address).hexdigest()[:32]
    game, submitted = campaign_of(campaign), _Submitted(campaign)
    tries, available = _tries(player, mark), budget_left(campaign)
    # first what needs no model: nobody waits for an answer that would not count
    check_accepting(game, available)
    check_player(player_of(player), game.id, game.terms.precision_floor)
    check_tries(game, tries)
    if digest in submitted:
        raise RuleError(
            "exact-duplicate", "this very case was submitted before; look for another one"
        )
    answer = ask(campaign.classifier, case)
    like = likeness(campaign, text)
    probe = try_case(
        game,
        player_of(player),
        timezone.now(),
        id=secrets.token_hex(8),
        digest=digest,
        answer=answer,
        available=available,
        resemblance=like.resemblance,
        tries=tries,
    )
    row = Probe(
        id=probe.id,
        campaign=campaign,
        player=player,
        key=key,
        address=mark,
        case=case,
        digest=digest,
        tried=probe.tried,
        probabilities=list(answer.probabilities),
        decision=answer.decision,
        model=answer.model,
        similarity_reason=like.reason,
    )
    try:
        with transaction.atomic():
            store_probe(row, probe, new=True)
    except IntegrityError:  # the second of two clicks
        return Probe.objects.get(player=player, key=key)
    return row


def _tries(player: Player, mark: str) -> Tries:
    since = timezone.now() - timedelta(hours=1)
    mine, same = Q(player=player), Q(address=mark)
    counted = Probe.objects.filter(mine | same, tried__gt=since).aggregate(
        account=Count("pk", filter=mine), address=Count("pk", filter=same)
    )
    return Tries(**counted)


def submit(campaign: str, case: str, player: Player, row: Probe | None = None) -> Probe:
    """Submit a tried case: its prizes are frozen, and the most that it can cost is reserved.

    Raises
    ------
    RuleError
        As `askpoint.game.playing.submit_case`.
    """
    row = row or _probe(campaign, case)
    # before the lock, for it takes a while; the probe's text does not change
    like = likeness(row.campaign, case_text(row.case))
    with transaction.atomic():
        locked = lock_campaign(campaign)
        row = _probe(campaign, case)
        probe: GameProbe = probe_of(row)
        move = submit_case(
            campaign_of(locked),
            player_of(player),
            probe,
            timezone.now(),
            available=budget_left(locked),
            earlier=_Submitted(locked),
            resemblance=like.resemblance,
        )
        ruling = move.ruling
        Ruling.objects.create(
            id=ruling.id,
            campaign=locked,
            author=ruling.author,
            case=row.case,
            options=list(ruling.options),
            opened=ruling.opened,
            at=ruling.at,
            reserved=ruling.reserved,
        )
        if move.probe is not None:
            row.similarity_reason = like.reason
            store_probe(row, move.probe)
        post(move.transactions, campaign)
        Draft.objects.filter(player=row.player_id).delete()
    return row


def _probe(campaign: str, case: str) -> Probe:
    rows = Probe.objects.select_related("player__user", "campaign__classifier")
    row = rows.filter(campaign=campaign, pk=case).first()
    if row is None:
        raise RuleError("unknown", f"there is no case {case!r} in this campaign")
    return row


def drop(probe: Probe) -> None:
    """Put a tried case aside; nothing is submitted or charged."""
    Probe.objects.filter(pk=probe.pk, state="tried").update(dropped=True)
    Draft.objects.filter(player=probe.player).delete()


@transaction.atomic
def appeal(campaign: str, case: str, player: Player, why: str) -> None:
    """Appeal against a ruling.

    Raises
    ------
    RuleError
        As `askpoint.game.review.file_appeal`.
    """
    found = find_case(lock_campaign(campaign), case)
    now = timezone.now()
    found.ruling.appeal, found.ruling.appealed_at = why[:1000].replace("\0", ""), now
    found.keep(file_appeal(found.game, found.before, player_of(player), now))
    found.ruling.save(update_fields=["appeal", "appealed_at"])
