"""What players do: try a case on the model, and submit it."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from askpoint.arena.game.campaign import CampaignState, check_accepting
from askpoint.arena.game.feedback import Resemblance
from askpoint.arena.game.player import PlayerState, check_player
from askpoint.arena.game.probe import ProbeState, check_answer, prizes_of, turn_away_reason
from askpoint.arena.game.ruling import Ruling
from askpoint.arena.game.settlement import Move
from askpoint.arena.game.transaction import transfer
from askpoint.errors import RuleError
from askpoint.labelling.clock import check_clock
from askpoint.measures.model_answer import ModelAnswer

__all__ = ["Tries", "check_tries", "submit_case", "try_case"]


class Tries(NamedTuple):
    """How often account and network address tried a case in an hour, and how many play."""

    account: int = 0
    address: int = 0
    players: int = 1


def check_tries(campaign: CampaignState, tries: Tries) -> None:
    """Check that neither the account nor the address tries too often."""
    for what, count, limit in (
        ("account", tries.account, campaign.terms.tries_per_hour),
        ("network address", tries.address, campaign.terms.address_limit(tries.players)),
    ):
        if count >= limit:
            raise RuleError(
                "too-many-tries",
                f"this {what} has tried {count} cases in an hour, and {limit} are allowed; "
                "come back later",
            )


def try_case(
    campaign: CampaignState,
    player: PlayerState,
    now: datetime,
    *,
    id: str,  # noqa: A002 - the record's own word
    digest: str,
    answer: ModelAnswer,
    available: int,
    earlier: Container[str] = frozenset(),
    resemblance: Resemblance | None = None,
    family: Sequence[ProbeState] = (),
    tries: Tries | None = None,
) -> ProbeState:
    """Try a case on the model: it may be submitted then, or is turned away at once.

    `family` are the submitted cases that it repeats, and those that they repeat.
    """
    check_clock(now, campaign.at, player.at)
    check_accepting(campaign, available)
    check_player(player, campaign.id, campaign.terms.precision_floor)
    check_tries(campaign, tries or Tries())
    _check_new(digest, earlier)
    terms = campaign.terms
    check_answer(answer, terms)
    reason = turn_away_reason(terms, answer)
    resemblance = _as_copy(family) or resemblance or Resemblance()
    prizes = prizes_of(terms, answer, resemblance.similarity)
    return ProbeState(
        id=id,
        campaign=campaign.id,
        player=player.id,
        digest=digest,
        options=terms.classes,
        prizes=prizes,
        tried=now,
        at=now,
        answer=answer,
        resemblance=resemblance,
        state="turned-away" if reason else "tried",
        reason=reason,
        family=_head(family),
    )


def _head(family: Sequence[ProbeState]) -> str:
    return family[0].family if family else ""


def _as_copy(family: Sequence[ProbeState]) -> Resemblance | None:
    if any(probe.prize.found for probe in family):
        return Resemblance(1.0, "repeat")
    return None


def _check_new(digest: str, earlier: Container[str]) -> None:
    if digest in earlier:
        raise RuleError(
            "exact-duplicate", "this very case was submitted before; look for another one"
        )


def submit_case(
    campaign: CampaignState,
    player: PlayerState,
    probe: ProbeState,
    now: datetime,
    *,
    available: int,
    earlier: Container[str] = frozenset(),
    resemblance: Resemblance | None = None,
    family: Sequence[ProbeState] = (),
) -> Move:
    """Submit a tried case: its prizes are frozen and the most that it can cost is reserved.

    `family` are the submitted cases that it repeats, and those that they repeat.
    """
    check_clock(now, campaign.at, player.at, probe.at)
    if player.id != probe.player:
        raise RuleError("not-own-case", f"case {probe.id} is not {player.id}'s to submit")
    if probe.state == "turned-away":
        raise RuleError("turned-away", f"case {probe.id} was turned away: {probe.reason}")
    if probe.state != "tried":
        raise RuleError("submitted-before", f"case {probe.id} is submitted already")
    check_accepting(campaign, available)
    check_player(player, campaign.id, campaign.terms.precision_floor)
    _check_new(probe.digest, earlier)
    resemblance = _as_copy(family) or resemblance
    if resemblance is not None and probe.answer is not None:
        prizes = prizes_of(campaign.terms, probe.answer, resemblance.similarity)
        probe = replace(probe, resemblance=resemblance, prizes=prizes)
    head = _head(family) or probe.id
    probe = replace(probe, state="submitted", submitted=now, at=now, family=head)
    terms = campaign.terms
    reserved = terms.pay.base + probe.best_prize + terms.most_judging
    ruling = Ruling(probe.id, campaign.id, probe.player, probe.options, now, now, reserved=reserved)
    posted = transfer(
        f"reserve/{probe.id}", now, reserved, campaign.budget, campaign.reserved, probe.id
    )
    return Move(ruling, probe, transactions=posted)
