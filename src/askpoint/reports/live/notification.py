"""What is told of a policy that needs somebody, for a notifier."""

from __future__ import annotations

import hashlib

from askpoint.answers.live.checkup import WatchAnswer
from askpoint.live.canonical import canonical_json
from askpoint.records.stores.outbox import Message
from askpoint.reports.live.events import event_rows
from askpoint.reports.live.json import watch_object
from askpoint.reports.live.reopening import reopening_text
from askpoint.reports.words import plural

__all__ = ["attention_message"]

_EVENTS = 5
_FOR_PROGRAMS = ("policy", "version", "decided", "waiting_for_labels", "threshold", "events")


def attention_message(answer: WatchAnswer, folder: str, at: int) -> Message:
    """Return the message that ``askpoint watch --notify`` sends where it ends with 1, once for each reason.

    Parameters
    ----------
    answer : WatchAnswer
        Status of the policy.
    folder : str
        Where it is, for people.
    at : int
        When it is told, in microseconds since 1970.

    Returns
    -------
    Message
    """
    name, lately = answer.history.document.id, answer.history.events[-_EVENTS:]
    rows = event_rows(lately)
    if answer.history.state.waiting:
        why = f"{plural(len(answer.history.wanted), 'case waits', 'cases wait')} for a label"
    else:
        why = rows[-1][0] if rows else "it decides far less alone than it used to"
    lines = [f"{at}, decision {place}: {what}" for what, place, at in rows]
    if answer.reopening.is_closed and not answer.history.state.waiting:
        lines.append(reopening_text(answer.reopening))
    content = watch_object(answer)
    state = answer.history.state
    reason = [state.episode, state.waiting, answer.retreats, *(one.at for one in lately[-1:])]
    mark = hashlib.sha256(canonical_json([answer.history.document.digest, *reason]).encode())
    return Message(
        id=f"attention-{mark.hexdigest()[:24]}",
        at=at,
        kind="policy.needs_attention",
        subject=f"{name}: {why}",
        text="\n".join([f"{name}: {why}.", *lines, f"Look: askpoint watch {folder}"]),
        data={key: content[key] for key in _FOR_PROGRAMS}
        | {"events": content["events"][-_EVENTS:]},
    )
