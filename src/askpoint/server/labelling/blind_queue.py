"""A queue of what somebody waits for, audits and gold cases, one at a time: no reviewer can tell which is which."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import datetime

from django.db.models import QuerySet

from askpoint.errors import RuleError
from askpoint.labelling.case import GOLD
from askpoint.labelling.reviewer import Agreement, is_paused
from askpoint.server.labelling.models import Case, Reviewer
from askpoint.server.labelling.queues import Queue, open_cases
from askpoint.server.labelling.records import reviewer_of
from askpoint.server.labelling.services import draws_others

__all__ = ["OPINION", "BlindQueue"]

OPINION = "opinion"
"""The purpose of labelled cases of which an owner wants to know what another reviewer says."""

_LEAST_GRACE, _MORE_GRACE = 3, 8  # 3 to 10 cases come to who is to be stopped


class BlindQueue(Queue):
    """Asked cases first, among them audits and gold cases; its owner's title is `row.title`."""

    def check_reviewer(self, reviewer: Reviewer, agreements: Sequence[Agreement]) -> None:
        """Stop who errs on the newest gold cases, a few cases later, until the part is given anew.

        At once, that would tell which case was gold.

        Raises
        ------
        RuleError
            ``stopped``.
        """
        del agreements
        protocol, recent = self.protocol(), reviewer.recent
        if not is_paused(reviewer_of(reviewer), protocol):
            grace = None
        elif reviewer.grace is None:
            grace = _LEAST_GRACE + secrets.randbelow(_MORE_GRACE)
        else:
            grace = reviewer.grace
        if grace != reviewer.grace:
            reviewer.grace = grace
            reviewer.save(update_fields=["grace"])
        if grace == 0:
            raise RuleError(
                "stopped",
                f"of your last {len(recent)} cases whose truth is known {sum(recent)} were right, and with fewer than "
                f"{protocol.gold_accuracy:.0%} nobody can continue in {self.row.title!r}; its owner can remove your "
                "role and give it again",
            )

    def after_claim(self, reviewer: Reviewer, now: datetime) -> None:
        """Count down the cases of who is to be stopped."""
        del now
        if reviewer.grace:
            reviewer.grace -= 1
            reviewer.save(update_fields=["grace"])

    def choose(self, reviewer: Reviewer, now: datetime, *, others: bool | None) -> str | None:
        """Return the case that a reviewer is given next.

        Asked cases come first, but not always: else whoever is given something else knew what it is. In
        their place come audits and cases for a second opinion and, as often, gold cases; these also where only asked cases wait, for
        then all labels are people's, but never where nothing does.
        """
        del now
        name = reviewer.user.username
        others = draws_others() if others is None else others
        chosen = self.oldest(name, "asked")
        if chosen is None or others:
            chosen = self._other(name) or chosen
            if chosen is not None and secrets.randbelow(2):
                chosen = self._gold(name) or chosen
        return chosen

    def _other(self, name: str) -> str | None:
        """Return the oldest audit, or the oldest case for a second opinion: by chance, where both wait."""
        audit, opinion = (self.oldest(name, purpose) for purpose in ("audit", OPINION))
        if audit is None or opinion is None:
            return audit or opinion
        return audit if secrets.randbelow(2) else opinion

    def _open(self, name: str, purpose: str) -> QuerySet[Case, str]:
        rows = open_cases(self.key, name).filter(purpose=purpose, free__gt=0)
        return rows.values_list("pk", flat=True)

    def oldest(self, name: str, purpose: str) -> str | None:
        """Return the oldest case of a purpose that a reviewer could claim.

        It is read from an index in the order in which cases came, of which only those at the head may be
        held by others: so it takes as long whether a hundred wait or a hundred thousand.
        """
        return self._open(name, purpose).order_by("opened", "pk").first()

    def _gold(self, name: str) -> str | None:
        """Return a gold case that a reviewer has not seen, by chance; some thousands are there at most."""
        keys = list(self._open(name, GOLD))
        return secrets.choice(keys) if keys else None
