"""What players do: join, try, submit, drop, appeal."""

from __future__ import annotations

import json
import secrets
import unicodedata
from datetime import timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.crypto import salted_hmac

from askpoint.arena.game.campaign import CampaignState as GameCampaign, check_accepting
from askpoint.arena.game.player import check_player
from askpoint.arena.game.prints import print_of
from askpoint.arena.game.review import file_appeal
from askpoint.arena.game.submissions import Tries, check_tries, submit_case, try_case
from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.campaigns.records import campaign_of
from askpoint.arena.server.campaigns.services import budget_left, lock_campaign
from askpoint.arena.server.campaigns.workdays import check_day, count_case
from askpoint.arena.server.pages.services import read_page
from askpoint.arena.server.players.submissions import DUPLICATE, file_submission
from askpoint.arena.server.probes.families import families_of, family_so_far, moment_after
from askpoint.arena.server.probes.models import Draft, Player, Probe
from askpoint.arena.server.probes.records import player_of, probe_of, store_probe
from askpoint.arena.server.probes.similar import likeness
from askpoint.arena.server.rulings.moves import find_case
from askpoint.errors import AskpointError, InputError, RuleError
from askpoint.server.accounts.rate_limits import count_attempt, uncount_attempt
from askpoint.server.classifiers.cases import case_text, image_case, image_of, page_case
from askpoint.server.classifiers.models import Classifier
from askpoint.server.classifiers.services import ask
from askpoint.server.classifiers.set_aside_cases import check_sender
from askpoint.server.clock import moment
from askpoint.server.images.services import hold_image, keep_for_good
from askpoint.server.jobs.services import add_job
from askpoint.server.uploads.decoding import DecodedImage
from askpoint.server.uploads.services import from_data, read_image
from askpoint.unknowns.duplicates import text_digest

__all__ = [
    "LONGEST_CASE",
    "address_mark",
    "appeal",
    "check_case",
    "check_text",
    "count_try",
    "drop",
    "keep_draft",
    "submit",
    "try_out_case",
]

LONGEST_CASE = 5_000
"""Characters of a case."""

_LONGEST_PAGE = 15_000


_HOUR = timedelta(hours=1)

_COMPARED_AFTER = timedelta(seconds=2)  # one comparison for all who submit meanwhile


def check_case(classifier: Classifier, given: Any) -> Any:
    """Return a case as it is stored: a text, a row of the model's features, a page, or an image.

    A page is given by its address, and read; or by its segments, as a sample brings it. An image is
    given by its bytes, or as `from_data` takes it, and named only: who brings it keeps it.

    Raises
    ------
    InputError
        If it is empty, too long, holds control characters, or a feature is missing; or the page
        cannot be read.
    ModelError
        If no page can be read just now.
    """
    if classifier.cases == "page":
        return _page(given)
    if classifier.cases == "row":
        return {feature["name"]: _feature(feature, given) for feature in classifier.features}
    if classifier.cases == "image":
        return _image_case(_picture(given))
    return check_text(given, LONGEST_CASE)


def _picture(given: Any) -> DecodedImage:
    return read_image(given if isinstance(given, bytes) else from_data(given))


def _image_case(picture: DecodedImage) -> dict[str, Any]:
    return image_case(picture.sha256, picture.kind, picture.width, picture.height)


def _page(given: Any) -> dict[str, Any]:
    case = page_case(read_page(given) if isinstance(given, str) else given.get("page", given))
    if sum(len(value) for value in case["page"].values() if isinstance(value, str)) > _LONGEST_PAGE:
        raise InputError(f"a page has at most {_LONGEST_PAGE:,} characters; shorten its body")
    check_text(case_text(case), _LONGEST_PAGE)
    return case


def check_text(given: Any, longest: int = LONGEST_CASE) -> str:
    """Return a text as it is stored, or say why it is none."""
    text = str(given).replace("\r\n", "\n").strip()
    if not text:
        raise InputError("the case is empty; type or paste a text")
    if len(text) > longest:
        raise InputError(
            f"a case has at most {longest:,} characters, and this one has {len(text):,}; shorten it"
        )
    odd = next(
        (char for char in text if (char < " " and char not in "\n\t") or char == "\ufffd"), ""
    )
    if odd or any("\ud800" <= char <= "\udfff" for char in text):
        raise InputError("the case holds characters that no text has; paste text, not a file")
    if not any(map(_is_seen, text)):
        raise InputError("the case holds no letter and no sign that one could read")
    return text


_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # letters and signs without a shape


def _is_seen(char: str) -> bool:
    """Tell whether a character is a letter, a digit or a picture that one can see."""
    return (
        unicodedata.category(char) in ("Ll", "Lm", "Lo", "Lt", "Lu", "Nd", "Nl", "No", "So")
        and char not in _BLANK
    )


def _feature(feature: dict[str, Any], given: Any) -> Any:
    value = str(given.get(feature["name"], "")).strip()
    if feature["kind"] == "number":
        try:
            number = float(value)
        except ValueError:
            number = float("nan")
        if not abs(number) < 1e300:
            raise InputError(f"{feature['name']} must be a number; got {value!r:.60}")
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


def _clear_draft(player: Player) -> None:
    Draft.objects.filter(player=player).update(case="")  # kept, to be written to again


def try_out_case(campaign: Campaign, player: Player, given: Any, key: str, address: str) -> Probe:
    """Try a case on the model; the same `key` again brings the same probe.

    Raises
    ------
    InputError
        If it is no case.
    RuleError
        As `askpoint.arena.game.submissions.try_case`.
    ModelError
        If the model is down, slow or wrong; then nothing has happened.
    """
    try:
        return _try_out_case(campaign, player, given, key, address)
    except (AskpointError, IntegrityError):
        again = Probe.objects.filter(player=player, key=key).first()
        if again is None:
            raise
        return again  # the second of two clicks


def _try_out_case(campaign: Campaign, player: Player, given: Any, key: str, address: str) -> Probe:
    if campaign.kind == "tags":
        raise RuleError("tags", "this campaign looks for better labels of its items, not for cases")
    game, kind = campaign_of(campaign), campaign.classifier.cases
    mark = address_mark(address)
    available = budget_left(campaign)
    # first what needs no model: nobody waits for an answer that would not count
    check_accepting(game, available)
    check_player(player_of(player), game.id, game.terms.precision_floor)
    check_sender(campaign.classifier, player.user.username)
    check_day(campaign, player.user, moment(campaign, player))
    if kind == "page" and not isinstance(given, str):
        raise InputError("a case is a web page here: give its address, and the server reads it")
    at_once = kind in ("page", "image")
    if (
        at_once
    ):  # it counts whether it can be read or not: others' servers are asked, images decoded
        count_try(game, player, mark)
    picture = _picture(given) if kind == "image" else None
    case = check_case(campaign.classifier, given) if picture is None else _image_case(picture)
    text = case_text(case)
    digest = text_digest(text)
    before = Probe.objects.filter(campaign=campaign, digest=digest)
    if before.filter(state__in=["submitted", "judged"]).exists():
        raise RuleError("exact-duplicate", DUPLICATE)
    if not at_once:
        count_try(game, player, mark)
    if picture is not None:  # before the model is asked, which is given what is kept
        hold_image(campaign.pk, player.user, picture)
    try:
        answer = ask(campaign.classifier, case, player.user.username)
        count_case(campaign, player.user, moment(campaign, player))
    except AskpointError:
        _uncount_try(player, mark)
        raise
    like = likeness(campaign, text)
    written = "" if picture is not None or kind == "row" else str(print_of(text))
    heads = families_of(campaign).find_repeats(case, written, player.user.username)
    probe = try_case(
        game,
        player_of(player),
        moment(campaign, player),
        id=secrets.token_hex(8),
        digest=digest,
        answer=answer,
        available=available,
        resemblance=like.resemblance,
        family=family_so_far(campaign, next(iter(heads), "")),
    )
    row = Probe(
        id=probe.id,
        campaign=campaign,
        player=player,
        key=key,
        address=mark,
        case=case,
        digest=digest,
        print=written,
        tried=probe.tried,
        probabilities=list(answer.probabilities),
        decision=answer.decision,
        model=answer.model,
        similarity_reason=like.reason,
    )
    store_probe(row, probe, new=True)
    return row


def address_mark(address: str) -> str:
    """Return what is kept of a network address: enough to count by, and not the address."""
    return salted_hmac("askpoint.address", address).hexdigest()[:32]


def _counters(player: Player, mark: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    where = "try", player.campaign_id
    return (*where, "account", str(player.pk)), (*where, "address", mark)


def count_try(game: GameCampaign, player: Player, mark: str) -> None:
    """Count a try of the account and of the address, or refuse it in the rules' words."""
    n_players = Player.objects.filter(campaign=player.campaign_id).count()
    limits = game.terms.tries_per_hour, game.terms.address_limit(n_players)
    tries = Tries(players=n_players)
    with transaction.atomic():
        for place, parts in enumerate(_counters(player, mark)):
            if not count_attempt(_HOUR, limits[place], *parts):
                counts = (limits[0], 0) if place == 0 else (0, limits[1])
                tries = Tries(*counts, n_players)
                break
        check_tries(game, tries)


def _uncount_try(player: Player, mark: str) -> None:
    for parts in _counters(player, mark):
        uncount_attempt(*parts)


def submit(player: Player, tried: Probe) -> Probe:
    """Submit a tried case: its prizes are frozen, and the most that it can cost is reserved.

    Of those who race for it, the database itself lets one through: a case has one ruling, and
    a text is submitted once.

    Raises
    ------
    RuleError
        As `askpoint.arena.game.submissions.submit_case`.
    """
    # before the lock, for it takes a while
    like = likeness(player.campaign, case_text(tried.case))
    tried.similarity_reason = like.reason
    with transaction.atomic():
        _clear_draft(player)
        locked = lock_campaign(player.campaign_id)
        image = image_of(tried.case)
        if image is not None:
            keep_for_good(locked.pk, image["sha256"])
        move = submit_case(
            campaign_of(locked),
            player_of(player),
            probe_of(tried),
            moment_after(locked.pk, moment(locked, player, tried)),
            available=locked.left,
            resemblance=like.resemblance,
            family=family_so_far(
                locked, tried.family
            ),  # as it was tried; the rest is compared later
        )
        file_submission(locked, tried, move)
    add_job("repeats", player.campaign_id, _COMPARED_AFTER)
    return tried


def drop(probe: Probe) -> None:
    """Put a tried case aside; nothing is submitted or charged."""
    Probe.objects.filter(pk=probe.pk, state="tried").update(dropped=True)
    _clear_draft(probe.player)


@transaction.atomic
def appeal(campaign: str, case: str, player: Player, why: str) -> None:
    """Appeal against a ruling.

    Raises
    ------
    RuleError
        As `askpoint.arena.game.review.file_appeal`.
    """
    found = find_case(lock_campaign(campaign), case)
    now = moment(found.ruling)
    found.ruling.appeal, found.ruling.appealed_at = why[:1000].replace("\0", ""), now
    found.keep(file_appeal(found.game, found.before, player_of(player), now))
    found.ruling.save(update_fields=["appeal", "appealed_at"])
