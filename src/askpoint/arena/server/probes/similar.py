"""Design 5's classifier: learns in the background, scores in the process that asks."""

from __future__ import annotations

import importlib
import sys
import threading
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from django.db import connection
from django.utils import timezone

from askpoint.arena.game.feedback import Resemblance
from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.campaigns.records import terms_of
from askpoint.arena.server.probes.models import Probe, Similar
from askpoint.arena.server.probes.records import probe_of
from askpoint.server.classifiers.cases import case_text

if TYPE_CHECKING:
    from askpoint.unknowns.similarity import SimilarityClassifier

__all__ = ["Likeness", "learn", "likeness", "load_early", "newest_floor", "wait_to_learn"]


class Likeness(NamedTuple):
    """How like an earlier success a case is, and why."""

    resemblance: Resemblance
    reason: str


_CODE = "askpoint.unknowns.similarity"
_ENOUGH = 20  # texts to tell finds from; with fewer, only near-duplicates earn less


_PAUSE = timedelta(seconds=2)
_PAUSE_EACH = timedelta(milliseconds=5)  # for each case learned from, which takes 0.15


def wait_to_learn(campaign: str) -> timedelta:
    """How long learning anew should wait, so that it takes a small part of the machine's time."""
    newest = Similar.objects.filter(campaign=campaign).order_by("-pk").first()
    if newest is None:
        return timedelta(0)
    n_cases = len(newest.successful) + len(newest.others)
    return max(timedelta(0), newest.made + _PAUSE + n_cases * _PAUSE_EACH - timezone.now())


def learn(campaign: str) -> None:
    """Note what was judged by now; the processes that score learn from it."""
    row = Campaign.objects.select_related("classifier").get(pk=campaign)
    if row.classifier.cases == "image":  # repeats are found by their prints, and there are no words
        return
    judged = (
        Probe.objects.filter(campaign=campaign, state="judged")
        .order_by("submitted", "pk")
        .select_related("player__user")
    )
    successful: list[str] = []
    others: list[str] = []
    for probe in judged:
        found = probe_of(probe).prize.found
        (successful if found else others).append(probe.pk)
    if not successful:
        return
    similar = Similar(
        campaign=row,
        successful=successful,
        others=others,
        reference=_reference(row),
        made=timezone.now(),
    )
    similar.version = _classifier(similar).version
    if not Similar.objects.filter(campaign=row, version=similar.version).exists():
        similar.save()


def _classifier(similar: Similar) -> SimilarityClassifier:
    from askpoint.unknowns.similarity import SimilarityClassifier

    keys = [*similar.successful, *similar.others]
    found = Probe.objects.filter(pk__in=keys).values_list("pk", "case")
    texts = {key: case_text(case) for key, case in found}
    unlike = [*(texts[key] for key in similar.others), *similar.reference]
    return SimilarityClassifier(
        [texts[key] for key in similar.successful], unlike if len(unlike) >= _ENOUGH else []
    )


def _reference(row: Campaign) -> list[str]:
    """Return what a find is told from: the organiser's texts, and training items of other classes."""
    sought = terms_of(row.terms).sought
    items = row.training.all() if sought is None else row.training.exclude(truth=sought.truth)
    return [*row.reference, *(case_text(item.case) for item in items)]


def load_early() -> None:
    """Load the classifier's code, a second and a half of a start, where a campaign has something to compare with."""
    if Similar.objects.exists():
        importlib.import_module(_CODE)


_known: dict[str, tuple[str, SimilarityClassifier]] = {}
_learning = threading.Lock()


def likeness(row: Campaign, text: str) -> Likeness:
    """Score a text against the campaign's earlier successes, by the newest classifier at hand.

    A newer one is learned aside, and the one at hand serves until it is there.
    """
    if not terms_of(row.terms).compares or row.classifier.cases == "image":  # which has no words
        return Likeness(Resemblance(), "")
    newest = (
        Similar.objects.filter(campaign=row).order_by("-pk").values_list("version", "pk").first()
    )
    if newest is None:
        # at hand by the time that something is learned, so that no later request waits for it
        if _CODE not in sys.modules:
            threading.Thread(target=importlib.import_module, args=(_CODE,), daemon=True).start()
        return Likeness(Resemblance(), "")
    version, key = newest
    at_hand = _known.get(row.pk)
    if at_hand is None or (at_hand[0] != version and not _learning.locked()):
        if at_hand is None:
            _load(row, key)
        else:
            threading.Thread(target=_load_aside, args=(row, key), daemon=True).start()
    version, classifier = _known[row.pk]
    scores, reasons = classifier.similarities([text])
    return Likeness(Resemblance(float(scores[0]), version), reasons[0])


def newest_floor(row: Campaign) -> float | None:
    """Return the score that texts known to be unlike reach; None before anything was learned."""
    if not Similar.objects.filter(campaign=row).exists():
        return None
    likeness(row, "a text, to have the classifier at hand")
    return _known[row.pk][1].floor


def _load(row: Campaign, key: int) -> None:
    with _learning:
        similar = Similar.objects.get(pk=key)
        _known[row.pk] = (similar.version, _classifier(similar))


def _load_aside(row: Campaign, key: int) -> None:
    try:
        _load(row, key)
    finally:
        connection.close()  # this thread's own
