"""Cases at which a model died or hung: put aside, and counted against who sent them.

A case is put aside after one time: what is sent again would stop the model again. A person is
stopped only after three cases within a day, for a model may also die by chance.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from askpoint.errors import RuleError
from askpoint.server.classifiers.cases import case_text, image_of, without_content
from askpoint.server.classifiers.faults import fault_error
from askpoint.server.classifiers.models import Classifier, SetAside
from askpoint.server.classifiers.processes import Stopped
from askpoint.unknowns.duplicates import text_digest

__all__ = ["MOST_STOPS", "are_set_aside", "check_not_set_aside", "check_sender", "set_aside"]

MOST_STOPS = 3
"""Cases of one person that stop a model within a day, before that person must wait."""

_DAY = timedelta(days=1)


def _digest(case: Any) -> str:
    if image_of(case) is not None:
        return text_digest(case_text(case))
    return text_digest(case if isinstance(case, str) else repr(sorted(case.items())))


def set_aside(stop: Stopped) -> None:
    """Note the case at which a model's process ended, if it was asked for one."""
    cases = stop.asked.get("cases", [])
    how = "hung" if stop.hung else "died"
    logging.getLogger(__name__).warning("model %s %s at %d cases", stop.classifier, how, len(cases))
    if len(cases) != 1 or not stop.classifier.isdecimal():
        return  # of several, nobody knows which: they are asked one by one then
    case = without_content(cases[0])
    try:
        with transaction.atomic():
            SetAside.objects.create(
                classifier_id=int(stop.classifier),
                digest=_digest(case),
                case=case,
                sent_by=str(stop.asked.get("from", "")),
                hung=stop.hung,
                at=timezone.now(),
            )
    except IntegrityError:
        return  # it was noted before, or the model is gone


def check_not_set_aside(classifier: Classifier, case: Any) -> None:
    """Check that a case did not stop a model before.

    Raises
    ------
    ModelError
        If it did.
    """
    if any(are_set_aside(classifier, [case])):
        raise fault_error("set-aside")


def are_set_aside(classifier: Classifier, cases: Sequence[Any]) -> list[bool]:
    """Tell of each case whether a model stopped at it."""
    digests = list(map(_digest, cases))
    rows = SetAside.objects.filter(classifier=classifier, digest__in=digests)
    known = set(rows.values_list("digest", flat=True))
    return [digest in known for digest in digests]


def check_sender(classifier: Classifier, name: str) -> None:
    """Check that somebody has not stopped a model too often.

    Raises
    ------
    RuleError
        ``stops-model``, if so.
    """
    since = timezone.now() - _DAY
    mine = SetAside.objects.filter(classifier=classifier, sent_by=name, at__gt=since)
    if mine.count() >= MOST_STOPS:
        raise RuleError(
            "stops-model",
            f"{MOST_STOPS} of your cases have stopped the model within a day, which holds everybody "
            "up; you can try again tomorrow",
        )
