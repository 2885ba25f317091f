"""The tag challenge (section 6): people propose a better label, others judge which is better."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import numpy as np
import polars as pl

from askpoint.arena.game.campaign import CampaignState
from askpoint.arena.game.challenge import ItemTag, challenge_tag, settle_tag, tag_terms
from askpoint.arena.simulation.arena import Arena
from askpoint.errors import RuleError
from askpoint.papers.data_files import Data
from askpoint.papers.grid import Configuration, Rows
from askpoint.papers.paper import PaperTable
from askpoint.reports.document import Block, Grid, Paragraph
from askpoint.reports.words import amount, count, round_share, share

__all__ = ["TAGS"]

_START = datetime(2026, 1, 1, tzinfo=UTC)
_JUDGES = ("bob", "beth", "bill", "bo")


def _cells(quick: bool) -> list[Configuration]:
    return [
        {"knows": knows, "judge_error": error, "draw": draw, "items": 100 if quick else 400}
        for knows in (0.9, 0.5)
        for error in (0.04, 0.2)
        for draw in range(1 if quick else 5)
    ]


def _work(cell: Configuration, rng: np.random.Generator, *, data: Data) -> Rows:
    """Digits tagged by a weak model; players challenge, by the game's own rules."""
    from sklearn.datasets import load_digits
    from sklearn.naive_bayes import GaussianNB

    del data
    digits = load_digits()
    rows = rng.permutation(len(digits.target))
    train, shown = rows[:200], rows[200 : 200 + cell["items"]]
    model = GaussianNB(var_smoothing=1e-3).fit(digits.data[train], digits.target[train])
    told = model.predict(digits.data[shown])
    game = Arena(CampaignState("tags", tag_terms(), _START))
    game.fund(10**7, _START)
    game.open(_START)
    game.join("alice", "player", _START)
    for judge in _JUDGES:
        game.join(judge, "judge", _START)
        game.train(judge, [f"training-{i}" for i in range(5)], _START)
    after, challenged, upheld, votes = [], 0, 0, 0
    for place, (row, said) in enumerate(zip(shown, told, strict=True)):
        # a player sees the picture and its tag, and names what she takes it for
        now = _START + timedelta(minutes=10 * place)
        truth = str(digits.target[row])
        seen = truth if rng.random() < cell["knows"] else str(rng.integers(10))
        tag = ItemTag(f"digit-{row}", str(said), "", now)
        if seen != tag.label:
            challenged += 1
            before = tag.label
            tag, n_votes = _challenge(game, tag, seen, truth, cell["judge_error"], now, rng)
            votes += n_votes
            upheld += tag.label != before
        after.append(tag.label == truth)
    return [
        {
            "right_before": float((told == digits.target[shown]).mean()),
            "right_after": float(np.mean(after)),
            "challenged": challenged,
            "upheld": upheld,
            "votes": votes,
            "points": game.points("alice"),
        }
    ]


def _challenge(
    game: Arena,
    tag: ItemTag,
    proposal: str,
    truth: str,
    error: float,
    now: datetime,
    rng: np.random.Generator,
) -> tuple[ItemTag, int]:
    probe = challenge_tag(
        game.campaign,
        game.players["alice"],
        tag,
        proposal,
        now,
        id=f"challenge-{len(game.probes)}",
        available=game.available,
        earlier=game.submitted,
    )
    game.probes[probe.id] = probe
    game.submit(probe.id, now)
    better = truth if truth in probe.options else str(rng.choice(probe.options))
    n_votes = 0
    for judge in rng.permutation(_JUDGES).tolist():
        if game.rulings[probe.id].answer is not None:
            break
        other = next(option for option in probe.options if option != better)
        try:
            claimed = game.claim(judge, now)
        except RuleError:  # too few agree with this judge of late: the next one is asked
            continue
        if claimed is not None and claimed.id == probe.id:
            game.vote(judge, probe.id, other if rng.random() < error else better, now)
            n_votes += 1
    return settle_tag(tag, game.probes[probe.id], now), n_votes


def _blocks(rows: pl.DataFrame) -> Iterator[Block]:
    means = rows.group_by("knows", "judge_error", maintain_order=True).agg(
        pl.col("items").sum(),
        pl.col("right_before").mean(),
        pl.col("right_after").mean(),
        pl.col("challenged").sum(),
        pl.col("upheld").sum(),
        pl.col("votes").sum(),
        pl.col("points").sum(),
    )
    yield Grid(
        "Tags of a weak model, before and after they were challenged",
        (
            "players know",
            "judges err",
            "right before",
            "right after",
            "sent",
            "upheld",
            "votes each",
            "cents each",
        ),
        tuple(
            (
                round_share(line["knows"]),
                round_share(line["judge_error"]),
                share(line["right_before"]),
                share(line["right_after"]),
                count(line["challenged"]),
                count(line["upheld"]),
                f"{line['votes'] / line['challenged']:.2f}",
                amount(line["points"] / 50 / max(line["upheld"], 1)),
            )
            for line in means.iter_rows(named=True)
        ),
        f"{count(means['items'][0])} handwritten digits in each row, a naive Bayes classifier of 200 others. "
        "Sent: challenges; cents: to players, for each that was upheld. A player who does not know a digit "
        "names any; judges see both labels in the order of the alphabet. Simulated people.",
    )
    yield Paragraph(
        "The paper tells of the tag challenge without numbers. A challenge changes a tag only where two "
        "judges find it better: guesses cost votes, and only where judges err often do they spoil tags."
    )


TAGS = PaperTable(
    name="tags", title="The tag challenge, simulated", cells=_cells, work=_work, blocks=_blocks
)
