"""What is told of a policy that needs somebody, for a notifier."""

from __future__ import annotations

from askpoint.answers.live.checkup import WatchAnswer
from askpoint.records.notifiers import Notification
from askpoint.reports.live.events import event_rows
from askpoint.reports.live.json import watch_object
from askpoint.reports.live.reopening import reopening_text
from askpoint.reports.words import plural

__all__ = ["watch_notification"]

_EVENTS = 5
_FOR_PROGRAMS = ("policy", "version", "decided", "waiting_for_labels", "threshold", "events")


def watch_notification(answer: WatchAnswer, folder: str) -> Notification:
    """Return the notification that ``askpoint watch --notify`` sends where it ends with 1.

    Parameters
    ----------
    answer : WatchAnswer
        How the policy fares.
    folder : str
        Where it is, for people.

    Returns
    -------
    Notification
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
    return Notification(
        kind="policy.needs_attention",
        subject=f"{name}: {why}",
        text="\n".join([f"{name}: {why}.", *lines, f"Look: askpoint watch {folder}"]),
        data={key: content[key] for key in _FOR_PROGRAMS}
        | {"events": content["events"][-_EVENTS:]},
    )
