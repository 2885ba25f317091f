"""Upload a sample, let the model answer it, draw from it."""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from datetime import timedelta
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import F, QuerySet, Sum
from django.utils import timezone

from askpoint.arena.game.case_draws import draw_cases
from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.campaigns.records import campaign_of, terms_of
from askpoint.arena.server.campaigns.services import budget_left, lock_campaign
from askpoint.arena.server.examinations.models import Examination, SampleCase
from askpoint.arena.server.examinations.records import log_of
from askpoint.arena.server.ledger.models import Entry
from askpoint.arena.server.ledger.services import post
from askpoint.arena.server.rulings.models import Ruling
from askpoint.arena.server.rulings.records import add_rulings, new_ruling
from askpoint.errors import ModelError, RuleError
from askpoint.server.classifiers.cases import model_input
from askpoint.server.classifiers.services import ask_many
from askpoint.server.classifiers.set_aside_cases import are_set_aside
from askpoint.server.jobs.services import add_job
from askpoint.server.journal.services import note
from askpoint.unknowns.examination import ExaminationDesign, ExaminationSample as Drawn

__all__ = ["Plan", "answer_sample", "bring_sample", "draw", "drop_sample", "plan", "points_for"]

_SLICE = 5.0  # seconds of a job: others wait behind it
_SHARE = 0.25  # seconds that a batch should take, for players ask the same model
_MOST_AT_ONCE = 64
_AGAIN = timedelta(seconds=10)


@transaction.atomic
def bring_sample(campaign: str, cases: Sequence[Any]) -> Examination:
    """Keep a sample, and let the model answer it in the background.

    Raises
    ------
    RuleError
        ``sample-waits``, if another one was brought and not drawn from.
    """
    row = lock_campaign(campaign)
    if row.examinations.exclude(state="drawn").exists():
        raise RuleError(
            "sample-waits", "a sample was uploaded already; draw from it, or put it aside first"
        )
    found = Examination.objects.create(campaign=row, made=timezone.now())
    SampleCase.objects.bulk_create(
        [
            SampleCase(examination=found, place=place, case=case)
            for place, case in enumerate(cases, start=1)
        ],
        batch_size=500,
    )
    add_job("answer", str(found.pk))
    note("sample brought", campaign=campaign, about=str(found.pk), cases=len(cases))
    return found


def answer_sample(examination: str) -> None:
    """Let the model answer for a few seconds, and queue the rest: a job.

    What is answered is kept batch by batch. A model that is down, or trips over a case, is asked
    again later.
    """
    rows = Examination.objects.select_related("campaign__classifier")
    row = rows.filter(pk=examination, state="answering").first()
    if row is None:
        return
    size, ends = 1, time.monotonic() + _SLICE
    while batch := list(row.cases.filter(decision="")[:size]):
        batch = _without_stops(row, batch)
        if not batch:
            continue
        started = time.monotonic()
        if started > ends:
            add_job("answer", examination)
            return
        try:
            answers = ask_many(row.campaign.classifier, [case.case for case in batch])
        except ModelError as error:
            if len(batch) > 1:
                size = 1
                continue
            trouble = f"case {batch[0].place}: {error}"[:500]
            Examination.objects.filter(pk=row.pk).update(trouble=trouble)
            add_job("answer", examination, _AGAIN)
            return
        for case, answer in zip(batch, answers, strict=True):
            case.probabilities, case.decision = list(answer.probabilities), answer.decision
            case.model = answer.model
        SampleCase.objects.bulk_update(batch, ["probabilities", "decision", "model"])
        took = (time.monotonic() - started) / len(batch)
        size = max(1, min(int(_SHARE / max(took, 1e-6)), 2 * size, _MOST_AT_ONCE))
    Examination.objects.filter(pk=row.pk, state="answering").update(state="answered", trouble="")


def _without_stops(row: Examination, batch: list[SampleCase]) -> list[SampleCase]:
    """Leave out of the sample what stopped the model: it is counted, and the others go on."""
    classifier = row.campaign.classifier
    stops = are_set_aside(classifier, [model_input(case.case) for case in batch])
    out = [case.pk for case, stop in zip(batch, stops, strict=True) if stop]
    if out:
        with transaction.atomic():
            SampleCase.objects.filter(pk__in=out).delete()
            Examination.objects.filter(pk=row.pk).update(left_out=F("left_out") + len(out))
    return [case for case in batch if case.pk not in out]


@transaction.atomic
def drop_sample(campaign: str) -> None:
    """Put aside the sample that was not drawn from."""
    lock_campaign(campaign).examinations.exclude(state="drawn").delete()
    note("sample put aside", campaign=campaign)


def points_for(campaign: Campaign, rulings: QuerySet[Ruling]) -> int:
    """Points paid for what concerns these rulings: of drawn cases, votes."""
    entries = Entry.objects.filter(posting__campaign=campaign.pk, kind__in=("held", "earned"))
    entries = entries.filter(posting__about__in=rulings.values("pk"))
    return entries.aggregate(points=Sum("points"))["points"] or 0


class Plan(NamedTuple):
    """What a draw would bring, and cost.

    Parameters
    ----------
    drawn : Examination of `askpoint.unknowns`
        The cases that this seed draws.
    n_cases : int
        Of the sample.
    wanted : int
        Cases asked for.
    most : int
        Points that judging them can cost at most.
    left : int
        Points in the budget.
    """

    drawn: Drawn
    n_cases: int
    wanted: int
    most: int
    left: int

    @property
    def n_short(self) -> int:
        """Bins that hold no more cases than a full share, empty ones too; 0 if none lacks any."""
        whole = self.drawn.planned == self.drawn.sizes
        return int(whole.sum()) if len(self.drawn.items) < self.wanted else 0

    @property
    def n_empty(self) -> int:
        """Those of them that hold none."""
        return int((self.drawn.sizes == 0).sum())


def plan(row: Examination, design: ExaminationDesign, seed: int) -> Plan:
    """Draw as `draw` does, and keep nothing.

    Raises
    ------
    RuleError
        ``not-answered`` or ``drawn-before``.
    InputError
        If more cases are asked for than the sample has.
    """
    _check_answered(row)
    from askpoint.records.examinations import draw_sample

    campaign = row.campaign
    terms = terms_of(campaign.terms)
    found = draw_sample(log_of(row.cases.all(), terms), design, seed, show=())
    drawn = found.examination
    most = len(drawn.items) * terms.most_judging
    return Plan(drawn, found.n_items, design.n, most, budget_left(campaign))


def _check_answered(row: Examination | None) -> None:
    if row is None:
        raise RuleError("unknown", "there is no such sample in this campaign")
    if row.state == "drawn":
        raise RuleError(
            "drawn-before", "cases were already drawn from this sample; upload another one"
        )
    if row.state != "answered":
        raise RuleError(
            "not-answered",
            "the model has not answered the whole sample yet; wait until it has",
        )


def draw(campaign: str, examination: int, design: ExaminationDesign, seed: int) -> Examination:
    """Draw from an answered sample, into the judges' queue; all of it, or nothing.

    Raises
    ------
    RuleError
        As `plan` and `askpoint.arena.game.case_draws.draw_cases`.
    InputError
        As `plan`.
    """
    rows = Examination.objects.select_related("campaign")
    row = rows.filter(campaign=campaign, pk=examination).first()
    _check_answered(row)
    drawn = plan(row, design, seed).drawn  # before the lock, for the sample does not change
    with transaction.atomic():
        locked = lock_campaign(campaign)
        row = locked.examinations.filter(pk=examination).first()
        _check_answered(row)
        _keep(locked, row, drawn, design.n)
    return row


def _keep(locked: Campaign, row: Examination, drawn: Drawn, wanted: int) -> None:
    now = timezone.now()
    # judges get the name first that sorts first: so they judge in the order of the draw
    names = sorted(secrets.token_hex(8) for _ in drawn.items)
    moves = draw_cases(campaign_of(locked), names, now, available=locked.left)
    places = [int(place) for place in drawn.items]
    cases = {case.place: case for case in row.cases.filter(place__in=places)}
    rulings = [
        new_ruling(locked, move.ruling, cases[place].case)
        for move, place in zip(moves, places, strict=True)
    ]
    add_rulings(rulings)
    for order, (place, ruling) in enumerate(zip(places, rulings, strict=True)):
        case = cases[place]
        case.order, case.bin, case.ruling = order + 1, int(drawn.bins[order]), ruling
        case.inclusion = float(drawn.inclusion[order])
    SampleCase.objects.bulk_update(
        cases.values(), ["order", "bin", "inclusion", "ruling"], batch_size=200
    )
    moved = [one for move in moves for one in move.transactions]
    post(locked.workspace_id, moved, locked.pk)
    row.state, row.drawn, row.method = "drawn", now, drawn.method
    row.wanted, row.seed, row.digest = wanted, drawn.seed, drawn.digest
    row.edges, row.sizes = drawn.edges.tolist(), drawn.sizes.tolist()
    row.save()
    note("sample drawn", campaign=locked.pk, about=str(row.pk), cases=len(names), seed=drawn.seed)
