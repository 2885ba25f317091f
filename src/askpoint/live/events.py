"""Events: what a policy does by itself, a record for each kind.

To add a kind is to add its record here: terminal, page, pictures, webhooks and server iterate over
`EVENTS`. An alarm is a record with a watch, a file in `askpoint.live.watches`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from askpoint.live.watches.base import Watch
from askpoint.live.watches.mix import MixWatch
from askpoint.live.watches.model import ModelWatch
from askpoint.live.watches.reviewers import ReviewerWatch
from askpoint.registry import Records

__all__ = [
    "EVENTS",
    "MESSAGES",
    "WEBHOOKS",
    "Event",
    "EventKind",
    "LoggedEvent",
    "Mark",
    "event_kind",
    "find_alarm_cause",
]


class Event(NamedTuple):
    """Something that a step did, with the numbers that made it.

    Attributes
    ----------
    seq : int
        Decisions before it.
    kind : str
        Its name in `EVENTS`; a record of another version may have a kind that is not there.
    numbers : mapping
        What made it.
    """

    seq: int
    kind: str
    numbers: Mapping[str, float]


class LoggedEvent(NamedTuple):
    """An event as it stands in a log.

    Attributes
    ----------
    event : Event
        What happened.
    at : int
        When, in microseconds since 1970, UTC.
    leaf : int
        Its place in the log; -1 where it is not kept.
    """

    event: Event
    at: int
    leaf: int = -1


class Mark(NamedTuple):
    """How pictures mark an event: its name in the legend, its line, and whether it is bad news."""

    label: str
    line: str = "--"
    is_bad: bool = False


@dataclass(frozen=True, kw_only=True)
class EventKind:
    """A kind of event.

    Parameters
    ----------
    words : str
        What is said of it, its numbers by name as ``{evidence:amount}``; the formats are count, amount,
        share and threshold, and ``{numbers:share}`` is all of them. Of a closing it is the reason.
    opens : bool, default=False
        Whether answers begin, which clears earlier suspicions.
    closes : bool, default=False
        Whether every case goes to review and the policy learns anew in another episode.
    answers : bool, optional
        Whether the model decides alone from here on; None where that goes on as before.
    watch : type of Watch, optional
        The detector that raises it; then it is an alarm.
    accuses : {"", "model", "reviewers"}
        Who has become worse, if it says so.
    webhook : str, default=""
        Under which name owners' endpoints are notified; empty notifies nobody.
    mark : Mark, optional
        How pictures mark it.
    because : str, default=""
        Where it ends answers: why every case goes to review since then, as a sentence of the state line.
    is_incident : bool, default=False
        Whether somebody must look into it: a server keeps a page of each.
    """

    words: str
    opens: bool = False
    closes: bool = False
    answers: bool | None = None
    watch: type[Watch] | None = None
    accuses: str = ""
    webhook: str = ""
    mark: Mark | None = None
    because: str = ""
    is_incident: bool = False


EVENTS: Records[str, EventKind] = Records(
    "events",
    {
        "opened": EventKind(
            words="opened, deciding alone from {threshold:threshold} up",
            opens=True,
            answers=True,
            webhook="policy.opened",
            mark=Mark("opens", ":"),
        ),
        "threshold": EventKind(
            words="threshold changed to {threshold:threshold}",
            answers=True,
        ),
        "paused": EventKind(
            words="paused: at no confidence is deciding alone cheaper than a check",
            answers=False,
            because="At no confidence is deciding alone cheaper than a check.",
            webhook="policy.closed",
        ),
        "waiting": EventKind(
            words="every case goes to review until labels come: there are none since the audit of case "
            "{audit:count}",
            answers=False,
            webhook="policy.closed",
            mark=Mark("waits for labels", "-."),
            because="No label came for the audited decisions.",
            is_incident=True,
        ),
        "resumed": EventKind(
            words="labels arrived: it decides alone again",
            answers=True,
            webhook="policy.opened",
        ),
        "alarm": EventKind(
            words="an alarm, audits found more mistakes than agreed, or than the model states itself",
            closes=True,
            answers=False,
            watch=ModelWatch,
            accuses="model",
            webhook="policy.closed",
            mark=Mark("alarm", is_bad=True),
            because="Audits found more mistakes than agreed.",
            is_incident=True,
        ),
        "budget_spent": EventKind(
            words="the mistake budget is spent: of all {answers:count} answers since it opened, up to "
            "{mistakes_at_most:amount} may be wrong at the most cautious count",
            closes=True,
            answers=False,
            webhook="policy.closed",
            mark=Mark("mistake budget spent", is_bad=True),
            because="More mistakes may have passed than you allowed.",
            is_incident=True,
        ),
        "people": EventKind(
            words="an alarm, reviewers are wrong on gold cases more often than stated "
            "({mistakes:count} of {items:count}): have their latest cases labelled again",
            watch=ReviewerWatch,
            accuses="reviewers",
            webhook="people.alarm",
        ),
        "mix": EventKind(
            words="the confidences of new cases changed: was the model changed, is this a new kind "
            "of case, or a holiday? Twice as many answers are audited until case {until:count}",
            watch=MixWatch,
            webhook="mix.moved",
            mark=Mark("mix moved", "-."),
        ),
        "silence": EventKind(
            words="{share:share} of what was asked has no label, and nobody can tell these from "
            "mistakes: ask another person for those that are drawn",
            webhook="people.silent",
        ),
        "audit_rates": EventKind(words="other audit rates: {numbers:share}"),
    },
)
"""All kinds that this version and its plugins know."""

WEBHOOKS: Mapping[str, str] = MappingProxyType(
    {
        "policy.closed": "every case goes to review",
        "policy.opened": "the model decides cases alone again",
        "people.alarm": "reviewers make more errors than was stated",
        "mix.moved": "the confidences or classes of new cases changed",
        "people.silent": "too many labels are missing to know how many mistakes there are",
        "licence.lost": "an agent lost the licence to take a kind of action alone",
        "licence.earned": "an agent may take a kind of action alone",
        "log.head": "the log was signed",
    }
)
"""Names under which owners' endpoints are notified of events, with their words."""

MESSAGES: Mapping[str, str] = MappingProxyType(
    {
        **WEBHOOKS,
        "policy.needs_attention": "the classifier needs attention",
    }
)
"""All that a deployment's outbox may hold: to add one is a line here, and `Transaction.announce` where it happens."""

_UNKNOWN = EventKind(words="{kind}, an event that this version of askpoint does not know")


def event_kind(kind: str) -> EventKind:
    """Return the record of a kind; one of another version's has words, and no consequences."""
    return EVENTS.get(kind, _UNKNOWN)


def find_alarm_cause(events: Iterable[Event]) -> str:
    """Return who got worse by the alarms since the last opening: "reviewers", "model" or "none".

    Where the reviewers' own watch has alarmed, the labels behind an alarm on the model are suspect, too:
    label them again before anything is said about the model.
    """
    cause = "none"
    for event in events:
        record = event_kind(event.kind)
        if record.opens:
            cause = "none"
        elif record.accuses == "reviewers" or (record.accuses and cause == "none"):
            cause = record.accuses
    return cause
