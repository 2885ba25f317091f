"""Do people err more than was stated? Golden items, of known truth, stand unmarked in their queue.

An alarm on a model's answers says that people disagree with them more often; it cannot say who
changed. The same watch on the golden items can.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from askpoint.live.state import Event, State
from askpoint.live.terms import Terms
from askpoint.measures.inputs import BoolArray
from askpoint.measures.restarts import level_factors, mix_starts, restart_weight

__all__ = ["golden_labelled", "who_drifted"]


def golden_labelled(state: State, terms: Terms, wrong: BoolArray) -> tuple[State, list[Event]]:
    """Take in whether people were wrong on golden items, in the order in which they answered."""
    events = []
    for e in wrong.tolist():
        t = int(state.golden_t) + 1
        factors = level_factors(e, terms.people_limit)
        evidence = mix_starts(state.golden, restart_weight(t, terms.audits), factors)
        state = replace(
            state,
            golden=evidence,
            golden_t=t,
            golden_items=state.golden_items + 1,
            golden_mistakes=state.golden_mistakes + e,
        )
        alarm = state.people_alarms + 1
        bound = alarm * (alarm + 1) / terms.watch_delta
        if evidence.mean() >= bound:
            numbers = {
                "evidence": float(evidence.mean()),
                "bound": bound,
                "items": state.golden_items,
                "mistakes": state.golden_mistakes,
                "episode": state.episode,
            }
            events.append(Event(state.decided, "people", numbers))
            state = replace(state, golden=np.zeros(len(evidence)), golden_t=0, people_alarms=alarm)
    return state, events


def who_drifted(events: Iterable[Event]) -> str:
    """Whom the alarms since the last opening speak of: "people", "model" or "none".

    Where people's own stream has alarmed, the labels behind an alarm on the model are suspect, too:
    label them again before anything is said about the model.
    """
    verdict = "none"
    for event in events:
        if event.kind == "opened":
            verdict = "none"
        elif event.kind == "people" or (event.kind == "alarm" and verdict == "none"):
            verdict = "people" if event.kind == "people" else "model"
    return verdict
