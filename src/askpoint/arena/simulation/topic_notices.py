"""A topic that all players are told of at some moment, and what the early notice makes of it.

A new kind of case comes into the world while a campaign runs: before a moment nobody searches it,
and from then on everybody knows of it. It shows what a notice can see; it is no evidence about people.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from askpoint.arena.game.terms import CampaignTerms
from askpoint.arena.simulation.campaign import (
    PlayedCampaign,
    TopicTip,
    hunting_grounds,
    play_campaign,
)
from askpoint.arena.simulation.crowd import Habits
from askpoint.arena.simulation.world import World
from askpoint.errors import InputError
from askpoint.unknowns.topic_drift import watch_topics

__all__ = ["TopicNotice", "notices_of", "play_with_notice", "tellable"]


class TopicNotice(NamedTuple):
    """What the early notice said in a campaign.

    Parameters
    ----------
    n_judged : int
        Cases, in the order of their rulings.
    told : int or None
        The first of them, by its number, that is of the topic that was told; None without one.
    n_topic : int
        Cases of that topic among the judged.
    early : int
        Notices before it: nothing was told then, and only the crowd's own learning had changed.
    first : int or None
        The number of the judged case that brought the first notice since; None if none came.
    n_seen : int
        Cases of the topic judged until then, or in all.
    n_quiet : int
        Periods watched before it was told.
    region : str
        The word that the notice named.
    """

    n_judged: int
    told: int | None
    n_topic: int
    early: int
    first: int | None
    n_seen: int
    n_quiet: int
    region: str = ""


def tellable(world: World) -> list[str]:
    """Return the topics that can be told: islands of the model that hold the sought class."""
    sought = world.truths == world.classes.index(world.sought.truth)
    inside = {world.topics[row] for row in np.flatnonzero(sought & world.islands)}
    return sorted(inside & set(hunting_grounds(world)))


def play_with_notice(
    world: World,
    terms: CampaignTerms,
    habits: Habits,
    rng: np.random.Generator,
    *,
    n_cases: int = 500,
    after: int | None = 200,
) -> tuple[PlayedCampaign, str]:
    """Play a campaign in which a topic, chosen by chance, is told after so many cases; or never."""
    topics = tellable(world)
    if not topics:
        raise InputError("no topic can be announced: the model has no island with the sought class")
    if after is not None and not 0 < after < n_cases:
        raise InputError(f"a topic must be announced after 1 to {n_cases - 1} cases; got {after}")
    topic = topics[int(rng.integers(len(topics)))]
    tip = TopicTip(topic, n_cases if after is None else after)
    return play_campaign(world, terms, habits, rng, n_cases=n_cases, told=tip), topic


def notices_of(
    end: PlayedCampaign,
    topic: str | None,
    words: Callable[[int, str], str],
) -> TopicNotice:
    """Watch a campaign's judged cases in the order of their rulings, as the page *Watch* does.

    `words` gives the text that is watched, of a row of the world and what was submitted of it.
    """
    rulings = end.arena.rulings
    order = sorted(
        (case for case in end.filed if rulings[case].ruled_at is not None),
        key=lambda case: (rulings[case].ruled_at, case),
    )
    texts = [words(end.filed[case].row, end.filed[case].text) for case in order]
    prized = [end.arena.probes[case].prize.found for case in order]
    mine = [end.filed[case].activity == topic for case in order]
    told = mine.index(True) + 1 if any(mine) else None
    drift = watch_topics(texts, prized)
    notices = [(int(notice.when), str(notice.region)) for notice in drift.notices]
    cut = len(order) + 1 if told is None else told
    since = [notice for notice in notices if notice[0] >= cut]
    first = since[0][0] if since else None
    return TopicNotice(
        n_judged=len(order),
        told=told,
        n_topic=sum(mine),
        early=sum(when < cut for when, _ in notices),
        first=first,
        n_seen=sum(mine[:first]),
        n_quiet=sum(stop < cut for stop in range(drift.n_reference + 10, len(order) + 1, 10)),
        region=since[0][1] if since else "",
    )
