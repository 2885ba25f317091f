"""The tag challenge: propose a better label than the model's, and let judges say which is better.

A challenge is a probe whose options are the two labels in the order of the alphabet, so
that judges do not see which of them is the machine's. It is submitted, judged, appealed
and paid like any other.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, replace
from datetime import datetime

from askpoint.errors import RuleError
from askpoint.game.campaign import Campaign, check_accepting
from askpoint.game.clock import check_clock
from askpoint.game.pay import PAPER_PAY, Pay
from askpoint.game.player import Player, check_player
from askpoint.game.playing import Tries, check_tries
from askpoint.game.probe import Prize, Probe
from askpoint.game.protocol import Protocol
from askpoint.game.terms import Terms
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.unknowns.duplicates import text_digest

__all__ = ["Tag", "challenge_tag", "settle_tag", "tag_terms"]


@dataclass(frozen=True, slots=True)
class Tag:
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


def tag_terms(pay: Pay = PAPER_PAY, protocol: Protocol | None = None) -> Terms:
    """Terms of a campaign in which tags are challenged: the top reward for a better label.

    Parameters
    ----------
    pay : Pay, default=PAPER_PAY
        The prices.
    protocol : Protocol, optional
        How challenges are judged.

    Returns
    -------
    Terms
        Of design 1 and 2: no model's probabilities scale the reward.

    Examples
    --------
    >>> from askpoint.game.challenge import tag_terms
    >>> tag_terms().classes
    ('tag', 'challenge')
    """
    costs = CostMatrix.zero_one(["tag", "challenge"])
    return Terms(costs, designs=(1, 2), pay=pay, protocol=protocol or Protocol())


def challenge_tag(
    campaign: Campaign,
    player: Player,
    tag: Tag,
    proposal: str,
    now: datetime,
    *,
    id: str,  # noqa: A002 - the record's own word
    available: int,
    earlier: Container[str] = frozenset(),
    tries: Tries | None = None,
) -> Probe:
    """Propose a better label for an item; the probe is then submitted like any other.

    Parameters
    ----------
    campaign : Campaign
        Open, with `tag_terms`.
    player : Player
        Who challenges.
    tag : Tag
        What the item is tagged with.
    proposal : str
        What it should be tagged with.
    now : datetime
        When.
    id : str
        Name of the new probe.
    available : int
        Points in the campaign's budget.
    earlier : container of str
        Digests of the challenges that were submitted to this campaign.
    tries : Tries, optional
        Those of the last hour.

    Returns
    -------
    Probe
        In state tried.

    Raises
    ------
    RuleError
        ``same-tag``, ``own-tag``, ``challenge-open``, ``exact-duplicate``, or as `try_case`.

    Examples
    --------
    >>> from datetime import UTC, datetime
    >>> from askpoint.game.campaign import Campaign
    >>> from askpoint.game.challenge import Tag, challenge_tag, tag_terms
    >>> from askpoint.game.player import Player
    >>> now = datetime(2026, 1, 1, tzinfo=UTC)
    >>> campaign = Campaign("photos", tag_terms(), now, "open")
    >>> tag = Tag("photo-7", "dog", "", now)
    >>> alice = Player("alice", "photos", now)
    >>> probe = challenge_tag(campaign, alice, tag, "basset hound", now, id="c1", available=5000)
    >>> probe.options, [prize.points for prize in probe.prizes]
    (('basset hound', 'dog'), [1000, 0])
    """
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
    options = (proposal, tag.label) if proposal < tag.label else (tag.label, proposal)
    prizes = tuple(
        Prize(campaign.terms.pay.top, found=True) if option == proposal else Prize(0, found=False)
        for option in options
    )
    return Probe(id, campaign.id, player.id, digest, options, prizes, now, now)


def settle_tag(tag: Tag, probe: Probe, now: datetime) -> Tag:
    """Give an item the label that was ruled the better one, also after a correction.

    Parameters
    ----------
    tag : Tag
        Of the challenged item.
    probe : Probe
        The challenge; while it is submitted and not ruled, the tag is under challenge.
    now : datetime
        When.

    Returns
    -------
    Tag
        With the better label, unless somebody has changed the label since.
    """
    check_clock(now, tag.at)
    if probe.truth is None:
        return replace(tag, challenge=probe.id, at=now)
    challenge = "" if tag.challenge == probe.id else tag.challenge
    if tag.label not in probe.options or tag.label == probe.truth:
        return replace(tag, challenge=challenge, at=now)
    holder = probe.player if probe.prize.found else tag.before
    return Tag(tag.item, probe.truth, holder, now, challenge, before=tag.holder)
