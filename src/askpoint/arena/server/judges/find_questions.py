"""Which find a judge is asked about, beside earlier ones.

The judges who voted for a find are asked; any other where these differ, or let it wait for a day. In one of ten
questions the find itself is among those shown, its second half first: whoever does not see that was wrong on gold.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.utils import timezone
from django.utils.crypto import salted_hmac

from askpoint.arena.game.family import is_new_find
from askpoint.arena.game.nearness import disguise_text
from askpoint.arena.server.probes.models import Probe
from askpoint.arena.server.probes.records import probe_of
from askpoint.arena.server.rulings.models import Comparison, ComparisonAnswer, Judge
from askpoint.server.classifiers.cases import case_text
from askpoint.server.labelling.models import Vote

__all__ = ["DISGUISE", "DisguisedQuestion", "find_question"]

DISGUISE = "disguise"
"""Stands behind the find itself, where it is among those shown."""

_WAITS = timedelta(days=1)
_GOLD_EVERY = 10
_LOOKED_AT = 20


@dataclass(frozen=True, kw_only=True)
class DisguisedQuestion:
    """A find, and the earlier ones of which a judge says whether it is the same.

    Parameters
    ----------
    case : str
        The find's name.
    text : str
        What it says.
    earlier : tuple of (str, str)
        What is shown: what stands behind it, a find's name or the disguise, and its text.
    """

    case: str
    text: str
    earlier: tuple[tuple[str, str], ...]

    @property
    def is_gold(self) -> bool:
        """Whether the answer is known."""
        return any(name == DISGUISE for name, _ in self.earlier)

    @property
    def texts(self) -> list[str]:
        """What is shown, in its order."""
        return [text for _, text in self.earlier]


def find_question(judge: Judge) -> DisguisedQuestion | None:
    """Return the comparison that a judge is asked for next, the oldest first; None where there is none."""
    name = judge.user.username
    rows = Comparison.objects.filter(campaign=judge.campaign_id, answer="")
    done = ComparisonAnswer.objects.filter(judge=name, gold=False)
    rows = rows.exclude(pk__in=done.values("comparison")).exclude(probe__player__user=judge.user)
    rows = rows.select_related("probe__player__user", "probe__campaign")
    for row in rows.prefetch_related("answers")[:_LOOKED_AT]:
        if is_new_find(probe_of(row.probe)) and _is_asked(row, name):
            return _question(row, name)
    return None


def _is_asked(row: Comparison, name: str) -> bool:
    if (
        sum(not answer.gold for answer in row.answers.all()) >= 2
        or row.at < timezone.now() - _WAITS
    ):
        return True
    votes = Vote.objects.filter(case=row.pk, reviewer=name, void=False)
    return votes.filter(choice=row.probe.truth).exists()


def _question(row: Comparison, name: str) -> DisguisedQuestion:
    texts = dict(Probe.objects.filter(pk__in=row.shown).values_list("pk", "case"))
    text = case_text(row.probe.case)
    earlier = [(key, case_text(texts[key])) for key in row.shown if key in texts]
    drawn = int(salted_hmac("askpoint.compare", f"{row.pk}/{name}").hexdigest(), 16)
    disguise = disguise_text(text)
    seen = any(answer.gold and answer.judge == name for answer in row.answers.all())
    if drawn % _GOLD_EVERY == 0 and disguise and not seen:
        earlier[drawn // _GOLD_EVERY % len(earlier)] = DISGUISE, disguise  # as many as elsewhere
    return DisguisedQuestion(case=row.pk, text=text, earlier=tuple(earlier))
