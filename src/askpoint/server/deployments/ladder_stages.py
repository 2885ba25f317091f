"""A ladder of models and people on the pages of a classifier in use: what it calls, and how far cases went."""

from __future__ import annotations

from collections.abc import Iterator

from askpoint.live.documents import PolicyDocument
from askpoint.records.ladder_rule import LadderRule
from askpoint.reports.document import Block, Grid, Paragraph, Section
from askpoint.reports.value.ladder import stages_grid
from askpoint.reports.words import count, share
from askpoint.server.deployments.group_tallies import tally_receipts
from askpoint.server.deployments.models import Policy

__all__ = ["ladder_sections"]


def ladder_sections(document: PolicyDocument, policy: Policy | None = None) -> Iterator[Section]:
    """Yield what a ladder's policy does with a case, and how far those of `policy` went; nothing of another policy.

    Raises
    ------
    InputError
        If its stages cannot be read.
    """
    plain = document.model.get("ladder")
    if plain is None:
        return
    rule = LadderRule.from_dict(plain)
    names = rule.names
    columns = [name for rung in rule.reader.rungs for name in rung.columns]
    blocks: list[Block] = [
        Paragraph(
            f"It calls {names[rule.ladder.first]} on every case. A program sends what the rungs said so far as outputs "
            f"({', '.join(columns)}); where the action is call, it runs that rung and sends the case again."
        ),
        stages_grid(rule.ladder, names),
    ]
    if policy is not None and policy.decided:
        blocks.append(_paths(policy))
    yield Section("What to do with a case", tuple(blocks))


def _paths(policy: Policy) -> Grid:
    tallies = tally_receipts(policy)
    total = sum(each.decided for each in tallies.values())
    rows = [
        (
            path or "",
            count(each.decided),
            share(each.decided / total),
            share(each.answered / each.decided),
        )
        for path, each in sorted(tallies.items(), key=lambda pair: -pair[1].decided)
    ]
    return Grid(
        "How far the cases went",
        ("called", "cases", "of all", "decided alone"),
        tuple(rows),
        "Cases that still wait for a rung are not counted: nothing is decided of them.",
    )
