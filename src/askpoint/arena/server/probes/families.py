"""Which submitted cases a case repeats, ruled or not: each process keeps them, and reads on."""

from __future__ import annotations

import bisect
import threading
from datetime import datetime, timedelta
from typing import Any

import numpy as np

from askpoint.arena.game.prints import read_print
from askpoint.arena.game.probe import ProbeState as GameProbe
from askpoint.arena.game.repeats import Repeats
from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.probes.models import Probe
from askpoint.arena.server.probes.records import probe_of
from askpoint.measures.inputs import IntArray
from askpoint.server.classifiers.cases import image_of, page_of
from askpoint.server.images.services import prints_of
from askpoint.unknowns.image_repeats import ImageRepeats

__all__ = ["Families", "families_of", "family_members", "family_so_far", "moment_after"]

_DIGITS = 2  # of a number in a row of features, beyond which another value makes no new case


class Families:
    """The submitted cases of a campaign, in their order, and the family of each."""

    def __init__(self, campaign: str) -> None:
        self._campaign = campaign
        self._guard = threading.Lock()
        self._repeats = Repeats()
        self._images = ImageRepeats()
        self._heads: list[str] = []
        self._moments: list[datetime] = []
        self._rows: dict[str, int] = {}

    def find_repeats(
        self, case: Any, written: str, player: str, before: datetime | None = None
    ) -> list[str]:
        """Return the first cases of the families that a player's case repeats, the earliest first.

        `written` is its print. What was submitted at the moment `before`, or later, is left out.
        """
        with self._guard:
            self._read_on()
            places = self._places(case, written, player)
            end = len(self._heads) if before is None else bisect.bisect_left(self._moments, before)
            return list(dict.fromkeys(self._heads[it] for it in places.tolist() if it < end))

    def _places(self, case: Any, written: str, player: str) -> IntArray:
        if _is_row(case):
            place = self._rows.get(_round_row(case))
            return np.array([] if place is None else [place], dtype=np.int64)
        image = image_of(case)
        if image is None:
            return self._repeats.of(read_print(written), player)
        name = image["sha256"]
        return self._images.of(prints_of(self._campaign, [name])[name])

    def _read_on(self) -> None:
        rows = Probe.objects.filter(campaign=self._campaign, submitted__isnull=False)
        if self._moments:
            rows = rows.filter(submitted__gt=self._moments[-1])
        read = "case", "family", "submitted", "print", "player__user__username"
        new = list(rows.order_by("submitted").values_list(*read))
        names = [image["sha256"] for image in map(image_of, (case for case, *_ in new)) if image]
        prints = prints_of(self._campaign, names) if names else {}
        for case, head, at, written, player in new:
            image = image_of(case)
            if image is not None:
                self._images.add(prints[image["sha256"]])
            else:
                self._repeats.add(read_print(written) if written else None, player)
            self._heads.append(head)
            if _is_row(case):
                self._rows.setdefault(_round_row(case), len(self._moments))
            self._moments.append(at)


def _is_row(case: Any) -> bool:
    return not isinstance(case, str) and page_of(case) is None and image_of(case) is None


def _round_row(case: dict[str, Any]) -> str:
    """Write a row of features with its numbers rounded."""
    return repr(
        [
            f"{value:.{_DIGITS}g}" if isinstance(value, float) else value
            for _, value in sorted(case.items())
        ]
    )


def moment_after(campaign: str, now: datetime) -> datetime:
    """Return a moment after all submissions, also where the clock was set back. The caller holds the campaign."""
    rows = Probe.objects.filter(campaign=campaign, submitted__isnull=False)
    latest = rows.order_by("-submitted").values_list("submitted", flat=True).first()
    return now if latest is None else max(now, latest + timedelta(microseconds=1))


_known: dict[str, Families] = {}


def families_of(row: Campaign) -> Families:
    """Return the families that this process knows of a campaign."""
    return _known.setdefault(row.pk, Families(row.pk))


def family_members(row: Campaign, head: str) -> tuple[GameProbe, ...]:
    """Return the submitted cases of a family, in their order."""
    if not head:
        return ()
    rows = Probe.objects.filter(campaign=row, family=head, submitted__isnull=False)
    return tuple(map(probe_of, rows.order_by("submitted").select_related("player__user")))


def family_so_far(row: Campaign, head: str) -> tuple[GameProbe, ...]:
    """Return those of a family that tell a new case all: its first one and the finds.

    However many repeats somebody submits, those who come after them wait no longer: of the finds
    one or two are first in their place, and a find that waits for an earlier one is enough.
    """
    if not head:
        return ()
    rows = Probe.objects.select_related("player__user")
    first = rows.get(pk=head)  # it may have joined another family since
    finds = rows.filter(
        campaign=row, family=first.family, state="judged", place__in=("first", "waits")
    )
    known = tuple(map(probe_of, finds.order_by("place", "submitted")[:3]))
    return known or (probe_of(first),)
