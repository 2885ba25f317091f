"""The state to which blocks of rows lead."""

from __future__ import annotations

from collections.abc import Iterable

from askpoint.live.blocks import Block, DecisionBlock, LabelBlock
from askpoint.live.documents import PolicyDocument
from askpoint.live.receipts import Replay


def replay_blocks(document: PolicyDocument, blocks: Iterable[Block]) -> Replay:
    """Return the state, events and log to which these rows lead."""
    replay = Replay(document)
    for block in blocks:
        if isinstance(block, LabelBlock):
            replay.label(block)
        elif isinstance(block, DecisionBlock):
            replay.decide(block)
        else:
            replay.add(block)
    return replay
