"""The tag challenge: propose a better label than the model's, and let judges say which is better.

A challenge is a probe whose options are the two labels in the order of the alphabet, so
that judges do not see which of them is the machine's. It is submitted, judged, appealed
and paid like any other.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from askpoint.arena.game.campaign import CampaignState, check_accepting
from askpoint.arena.game.pay import PAPER_PAY, Pay
from askpoint.arena.game.player import PlayerState, check_player
from askpoint.arena.game.probe import Prize, ProbeState
from askpoint.arena.game.submissions import Tries, check_tries
from askpoint.arena.game.terms import CampaignTerms, campaign_protocol
from askpoint.errors import RuleError
from askpoint.labelling.clock import check_clock
from askpoint.labelling.protocol import Protocol
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.unknowns.duplicates import text_digest

__all__ = ["ItemTag", "challenge_tag", "settle_tag", "tag_options", "tag_terms", "two_labels"]


@dataclass(frozen=True, slots=True)
class ItemTag:
    """The label that an item carries now.

    Parameters
    ----------
    item : str
        The item.
    label : str
        What it is tagged with.
    holder : str
        Who proposed that label; empty for the model.
    at : datetime
        When it last changed.
    challenge : str, default=""
        The submitted probe that challenges it now.
    before : str, default=""
        Whose label it was before, should a ruling be corrected.
    """

    item: str
    label: str
    holder: str
    at: datetime
    challenge: str = ""
    before: str = ""


def tag_terms(
    pay: Pay = PAPER_PAY,
    protocol: Protocol | None = None,
    labels: Sequence[str] = ("tag", "challenge"),
) -> CampaignTerms:
    """Terms of a campaign in which tags are challenged: the top reward for a better label.

    `labels` are those on which judges are trained and checked, such as the model's classes; what
    is proposed may be any other.
    """
    costs = CostMatrix.zero_one(labels)
    return CampaignTerms(costs, designs=(1, 2), pay=pay, protocol=protocol or campaign_protocol())


def tag_options(one: str, other: str) -> tuple[str, str]:
    """Return two labels as judges see them: in the order of the alphabet."""
    return (one, other) if one < other else (other, one)


def two_labels(text: str) -> tuple[str, str] | None:
    """Return the better and the worse label of ``better > worse``; None where it is no such text."""
    better, sign, worse = (" ".join(part.split()) for part in text.partition(" > "))
    if not (better and sign and worse) or text_digest(better) == text_digest(worse):
        return None
    return better, worse


def challenge_tag(
    campaign: CampaignState,
    player: PlayerState,
    tag: ItemTag,
    proposal: str,
    now: datetime,
    *,
    id: str,  # noqa: A002 - the record's own word
    available: int,
    earlier: Container[str] = frozenset(),
    tries: Tries | None = None,
) -> ProbeState:
    """Propose a better label for an item; the probe is then submitted like any other."""
    check_clock(now, campaign.at, player.at, tag.at)
    check_accepting(campaign, available)
    check_player(player, campaign.id, campaign.terms.precision_floor)
    check_tries(campaign, tries or Tries())
    if text_digest(proposal) == text_digest(tag.label):
        raise RuleError("same-tag", f"{tag.item} is tagged {tag.label!r} already")
    if player.id == tag.holder:
        raise RuleError("own-tag", f"the tag {tag.label!r} is {player.id}'s own")
    if tag.challenge:
        raise RuleError("challenge-open", f"the tag of {tag.item} is being challenged; come back")
    digest = text_digest(f"{tag.item}\n{tag.label}\n{proposal}")
    if digest in earlier:
        raise RuleError("exact-duplicate", "this very challenge was submitted before")
    options = tag_options(proposal, tag.label)
    prizes = tuple(
        Prize(campaign.terms.pay.top, found=True) if option == proposal else Prize(0, found=False)
        for option in options
    )
    return ProbeState(
        id=id,
        campaign=campaign.id,
        player=player.id,
        digest=digest,
        options=options,
        prizes=prizes,
        tried=now,
        at=now,
    )


def settle_tag(tag: ItemTag, probe: ProbeState, now: datetime) -> ItemTag:
    """Give an item the label that was ruled the better one, also after a correction."""
    check_clock(now, tag.at)
    if probe.truth is None:
        return replace(tag, challenge=probe.id, at=now)
    challenge = "" if tag.challenge == probe.id else tag.challenge
    if tag.label not in probe.options or tag.label == probe.truth:
        return replace(tag, challenge=challenge, at=now)
    holder = probe.player if probe.prize.found else tag.before
    return ItemTag(tag.item, probe.truth, holder, now, challenge, before=tag.holder)
