"""The early notice, tried by a topic that is told: in words, as a table, and as one JSON object."""

from __future__ import annotations

from typing import Any

import numpy as np

from askpoint.arena.answers.early_notice import DriftAnswer
from askpoint.arena.simulation.topic_notices import TopicNotice
from askpoint.measures.intervals import binomial_interval
from askpoint.reports.document import Document, Figure, Figures, Grid, Notice, Paragraph, Section
from askpoint.reports.words import count, plural, share_range

__all__ = ["drift_document", "drift_object"]

_CAVEAT = (
    "These players are simulated. They show what the notice can see; they are not evidence "
    "about people."
)
_PROMISED = 1000  # periods between false notices, in the mean


def drift_document(answer: DriftAnswer) -> Document:
    """Say what was noticed, when, and how often falsely."""
    n, noticed = len(answer.told), len(answer.noticed)
    false, periods = answer.false
    when, parts = (
        "",
        [
            Figure(
                "topics noticed, of those told",
                f"{noticed} of {n}",
                share_range(binomial_interval(noticed, n)),
            ),
        ],
    )
    if answer.delays:
        cases, mine = (np.median(part) for part in zip(*answer.delays, strict=True))
        when = (
            f" Half of the notices came within {cases:.0f} judged cases of the topic's first one, "
            f"{mine:.0f} of them of the topic."
        )
        parts.append(Figure("judged cases to the notice, at the median", f"{cases:.0f}"))
        parts.append(Figure("of them of the topic", f"{mine:.0f}"))
    parts.append(Figure("false notices", count(false), f"in {count(periods)} quiet periods"))
    return Document(
        f"The early notice, simulated: {answer.contest.name}",
        (
            Section(
                "The answer",
                (
                    Paragraph(
                        f"A topic announced to all players was noticed in {noticed} of "
                        f"{plural(n, 'campaign', 'campaigns')} "
                        f"({share_range(binomial_interval(noticed, n))}).{when}",
                        lead=True,
                    ),
                    Figures("A topic announced to all players", tuple(parts)),
                    Paragraph(
                        f"Where no topic was announced, {plural(false, 'notice', 'notices')} came in "
                        f"{count(periods)} periods of ten judged cases. Promised is one in "
                        f"{count(_PROMISED)} at most for rates that do not rise; a crowd that learns "
                        "what pays raises them."
                    ),
                    Notice(_CAVEAT),
                    Paragraph(answer.contest.story),
                ),
            ),
            Section("Campaign by campaign", (_grid(answer),)),
            Section(
                "How it was played",
                (
                    Paragraph(
                        f"{answer.n_cases} cases a campaign, design {answer.design}. One island of "
                        f"the model, drawn by chance, is searched by nobody until {answer.after} "
                        "cases are submitted; from then on everybody knows of it. The first 50 "
                        "judged cases are the time of reference, as on the page Watch. The "
                        "same number of campaigns is played without any announcement."
                    ),
                ),
            ),
        ),
        f"{plural(n, 'seed', 'seeds')} from 1. Made by askpoint; nothing left this machine.",
    )


def _grid(answer: DriftAnswer) -> Grid:
    return Grid(
        "From the first judged case of the topic to the notice",
        (
            "seed",
            "first case",
            "of the topic in all",
            "notice after",
            "of the topic by then",
            "word",
        ),
        tuple(
            (
                str(seed),
                _count_text(one.told),
                count(one.n_topic),
                _count_text(
                    None if one.told is None or one.first is None else one.first - one.told + 1
                ),
                count(one.n_seen) if one.first is not None else "–",
                one.region or "–",
            )
            for seed, one in enumerate(answer.told, start=1)
        ),
        "Judged cases in the order of their rulings; a dash where it did not happen.",
    )


def _count_text(number: int | None) -> str:
    return "–" if number is None else count(number)


def drift_object(answer: DriftAnswer) -> dict[str, Any]:
    """Return the object that ``askpoint simulate --drift --json`` prints."""
    false, periods = answer.false
    return {
        "contest": answer.contest.name,
        "evidence": "simulated players: mechanisms, not people",
        "design": answer.design,
        "n_cases": answer.n_cases,
        "told_after": answer.after,
        "search_precision": answer.habits.search_precision,
        "noticed": len(answer.noticed),
        "delays": [{"judged": cases, "of_topic": mine} for cases, mine in answer.delays],
        "false_notices": false,
        "quiet_periods": periods,
        "told": [_one(one) for one in answer.told],
        "quiet": [_one(one) for one in answer.quiet],
    }


def _one(one: TopicNotice) -> dict[str, Any]:
    return {
        "n_judged": one.n_judged,
        "first_of_topic": one.told,
        "n_topic": one.n_topic,
        "false_notices": one.early,
        "notice": one.first,
        "region": one.region or None,
    }
