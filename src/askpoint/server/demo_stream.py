"""The demo's classifier in use: real digits come in a stream, people label, and a scanner breaks."""

from __future__ import annotations

import functools
import math
from datetime import timedelta
from typing import Any, NamedTuple

import numpy as np
from django.conf import settings

from askpoint.answers.live.first_policy import OpeningQuestion
from askpoint.live.events import EVENTS
from askpoint.records.datasets import digits_images, digits_log
from askpoint.records.logs import read_log
from askpoint.server.accounts.models import User
from askpoint.server.deployments.cases import waiting_cases
from askpoint.server.deployments.classifier_settings import change_settings
from askpoint.server.deployments.decisions import IncomingCase, decide
from askpoint.server.deployments.labelling import IncomingLabel, take_labels
from askpoint.server.deployments.models import Deployment, Event, Receipt
from askpoint.server.deployments.policies import (
    adopt,
    make_deployment,
    propose,
    set_mode,
)
from askpoint.server.deployments.roles import give_part
from askpoint.server.jobs.services import add_job
from askpoint.server.workspaces.services import first_workspace

__all__ = ["BREAKS", "IN_USE", "MENDED", "PAUSE", "begin_stream", "send_cases", "what_happens"]

IN_USE = (("wanda", "owns a classifier in use"), ("rita", "labels its cases"))
"""Who can be entered as."""

PAUSE = timedelta(seconds=2)
"""Between two batches."""

BREAKS = 540
"""The case from which on one branch's scanner sends negatives ..."""

MENDED = 360
"""... until so many cases after the alarm: someone is notified, and fixes it."""

_TITLE = "May it read the digits alone?"
_BATCH = 6
_LAST = 20_000  # cases; who lets it run for hours comes back to no full disk
_LOG = 700  # digits from which the first version learns; the others come in the stream
_LEFT = 12  # cases that the simulated people leave to whoever comes
_BRANCHES = ("north", "south")
_SHADES = "░▒▓█"
_SLIP = 50  # of so many labels the simulated people get one wrong


class _Scans(NamedTuple):
    """What comes: pictures as text, the truth, and what the model says, plain and as negatives."""

    pictures: tuple[tuple[str, ...], tuple[str, ...]]
    truth: tuple[str, ...]
    said: tuple[Any, Any]


@functools.cache
def _scans() -> _Scans:
    logs = digits_log(), digits_log(negatives=True)
    come = [log[_LOG:] for log in logs]
    images = digits_images(come[0]["id"].to_list())
    drawn = tuple(tuple(map(_draw_text, each)) for each in (images, [1 - it for it in images]))
    said = [log.select("^proba_.*$").to_numpy() for log in come]
    return _Scans((drawn[0], drawn[1]), tuple(come[0]["label"]), (said[0], said[1]))


def _draw_text(image: Any) -> str:
    """A picture as text: two signs a pixel, so that it is as wide as high."""
    shades = np.minimum((image * len(_SHADES)).astype(int), len(_SHADES) - 1)
    return "\n".join("".join(_SHADES[shade] * 2 for shade in row) for row in shades)


def begin_stream(people: dict[str, User]) -> None:
    """Make the classifier unless it is there, and begin to send, or go on."""
    rows = Deployment.objects.filter(title=_TITLE, members__user=people["wanda"])
    row = rows.order_by("made").first() or _make_classifier(people)
    add_job("stream", row.pk)


def _make_classifier(people: dict[str, User]) -> Deployment:
    """Make the classifier, with its first version in use for all cases."""
    row = make_deployment(first_workspace().pk, people["wanda"], _TITLE)
    give_part(row.pk, people["rita"], "reviewer")
    log = read_log(digits_log()[:_LOG])
    model = {"name": "digits", "version": "1", "classes": list(log.classes)}
    question = OpeningQuestion(limit=0.1, rate=0.2, planned_decisions=_LAST, max_label_delay=500)
    propose(
        row.pk,
        people["wanda"],
        "the demo's first: a mistake is worth 10 checks",
        log,
        question,
        {**model, "measure": "max_probability"},
        labels_are_random=True,
    )
    adopt(row.pk, people["wanda"], 1, 0)
    set_mode(row.pk, "all")
    change_settings(row.pk, capacity=None, second=0.0)
    return row


def send_cases(deployment: str) -> None:
    """Send the next batch, label what is older, and come again: a job."""
    if not settings.ASKPOINT.demo:
        return
    sent = Receipt.objects.filter(deployment=deployment).count()
    if sent < _LAST:
        _send(deployment, range(sent, min(sent + _BATCH, _LAST)))
        add_job("stream", deployment, PAUSE)
    _label(deployment)


def _send(deployment: str, numbers: range) -> None:
    scans, fixed = _scans(), _repair_point(deployment)
    given = []
    for number in numbers:
        row = _row(number)
        negative = BREAKS <= number < fixed and number % 2 == 1
        branch = _BRANCHES[number % 2]
        proba = scans.said[negative][row].tolist()
        case = scans.pictures[negative][row]
        given.append(IncomingCase(f"scan-{number}", proba, case=case, group=branch))
    decide(deployment, given, "1")


def _repair_point(deployment: str) -> float:
    """The case from which on the scanner is in order again; infinity while nobody knows."""
    closing = [kind for kind, record in EVENTS.items() if record.closes]
    shut = {"kind__in": closing, "seq__gte": BREAKS}
    alarms = Event.objects.filter(policy__deployment=deployment, **shut)
    first = alarms.order_by("pk").first()
    return math.inf if first is None else first.seq + MENDED


def _row(number: int) -> int:
    """Which digit comes: in another order each time round."""
    n = len(_scans().truth)
    lap, place = divmod(number, n)
    return int(np.random.default_rng(lap).permutation(n)[place])


def _label(deployment: str) -> None:
    """Let the simulated people label, but for the newest cases and those that somebody holds."""
    waiting = waiting_cases(Deployment.objects.get(pk=deployment))
    free = waiting.filter(claims=None).order_by("-opened", "-pk")
    truth = _scans().truth
    said = []
    for key in free.values_list("key", flat=True)[_LEFT:1000]:
        number = int(key.removeprefix("scan-"))
        right = truth[_row(number)]
        wrong = str((int(right) + 1) % 10)
        said.append(IncomingLabel(key, wrong if number % _SLIP == 1 else right, "simulated"))
    if said:
        take_labels(deployment, said)


def what_happens() -> list[str]:
    """Say on the terminal what to look at, and when."""
    per_minute = _BATCH * 60 / PAUSE.total_seconds()
    return [
        f"  Wanda owns a classifier that reads digits: {per_minute:.0f} of them a minute, as you watch.",
        f"  After about {BREAKS / per_minute:.0f} minutes the southern branch's scanner exchanges ink and paper: the model is",
        "  confident but wrong. Reviewers find it in the audits; some minutes later the policy closes",
        "  automatically, and her page says why. Then the scanner is fixed, and the policy opens again.",
        "  Rita labels its cases: 'Next case', then a digit on the keyboard; simulated people do the rest.",
    ]
