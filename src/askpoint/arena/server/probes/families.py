"""Which submitted cases a case repeats, ruled or not: each process keeps them, and reads on."""

from __future__ import annotations

import math
import threading
import time
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

__all__ = ["Families", "families_of", "family_members", "family_so_far"]

_DIGITS = 2  # of a number in a row of features, beyond which another value makes no new case


class Families:
    """The submitted cases of a campaign, in their order, and the family of each."""

    def __init__(self, campaign: str) -> None:
        self._campaign = campaign
        self._guard = threading.Lock()
        self._repeats = Repeats()
        self._images = ImageRepeats()
        self._heads: list[str] = []
        self._rows: dict[str, str] = {}
        self._read = -math.inf  # seconds, when it was read on
        self.latest: datetime | None = None

    def __len__(self) -> int:
        return len(self._heads)

    def find_repeats(
        self, case: Any, written: str, player: str, start: int = 0, *, at_most_old: float = 0.0
    ) -> list[str]:
        """Return the first cases of the families that a player's case repeats, the earliest first.

        `written` is its print. What was submitted before the place `start` is left out: somebody
        looked there already. What was read `at_most_old` seconds ago is not read on.
        """
        with self._guard:
            if time.monotonic() - self._read >= at_most_old:
                self._read_on()
            if _is_row(case):
                return [head] if (head := self._rows.get(_round_row(case))) else []
            places = self._places(case, written, player, start)
            return list(dict.fromkeys(self._heads[place] for place in places.tolist()))

    def _places(self, case: Any, written: str, player: str, start: int) -> IntArray:
        image = image_of(case)
        if image is None:
            return self._repeats.of(read_print(written), player, start)
        if start >= len(self):
            return np.zeros(0, dtype=np.int64)
        name = image["sha256"]
        return self._images.of(prints_of(self._campaign, [name])[name], start)

    def after(self, now: datetime) -> datetime:
        """Return a moment after all submissions, also where the clock was set back."""
        if self.latest is None or now > self.latest:
            return now
        return self.latest + timedelta(microseconds=1)

    def _read_on(self) -> None:
        self._read = time.monotonic()
        rows = Probe.objects.filter(campaign=self._campaign, submitted__isnull=False)
        if self.latest is not None:
            rows = rows.filter(submitted__gt=self.latest)
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
                self._rows.setdefault(_round_row(case), head)
            self.latest = at


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
