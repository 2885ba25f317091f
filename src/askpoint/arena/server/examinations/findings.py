"""What an examination found, and beside it what the players found: as ``askpoint examine`` has it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from django.db.models import Sum

from askpoint.answers.examination.answer import ExaminationAnswer, answer_judged
from askpoint.answers.examination.comparison import (
    CompareAnswer,
    CompareQuestion,
    compare_finds,
)
from askpoint.answers.examination.regions_answer import ExamineQuestion
from askpoint.arena.game.family import LATER
from askpoint.arena.game.reward import scheme_severities
from askpoint.arena.game.terms import CampaignTerms
from askpoint.arena.game.transaction import POINTS_PER_CENT
from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.campaigns.records import terms_of
from askpoint.arena.server.examinations.models import Examination
from askpoint.arena.server.examinations.records import Judged, draw_of, judgements_of, log_of
from askpoint.arena.server.examinations.services import points_for
from askpoint.arena.server.ledger.models import Entry
from askpoint.arena.server.probes.models import Probe
from askpoint.arena.server.rulings.models import Ruling
from askpoint.measures.intervals import binomial_interval
from askpoint.records.judged_cases import FoundCases
from askpoint.records.samples import JudgedSample
from askpoint.records.submitted_cases import JudgedFinds
from askpoint.reports.document import Grid, Notice, Paragraph, Picture, Section
from askpoint.reports.examination.comparison import compare_object, compare_sections
from askpoint.reports.examination.document import COMPLEMENT, examination_document
from askpoint.reports.words import amount, count, plural, share, share_range
from askpoint.unknowns.case_costs import estimate_cost
from askpoint.unknowns.learning import LearningCurve, LearningPoint
from askpoint.unknowns.quadrants import item_quadrants

__all__ = ["Found", "finds_of_both", "learn_from_both", "sections_of"]

_NAMES = ("examination", "Beat the Machine")


_NOTHING = "–"


@dataclass(frozen=True, eq=False)
class Found:
    """What one method found among the cases that were judged, in a campaign's own terms.

    Parameters
    ----------
    finds : JudgedFinds
        The cases.
    n_unknown : int
        Unknown unknowns among them.
    cents : float
        What they cost.
    n_repeats : int
        Wrong decisions that repeat an earlier case, and so are no finds.
    """

    finds: JudgedFinds
    n_unknown: int
    cents: float
    n_repeats: int = 0

    @property
    def n_judged(self) -> int:
        """The denominator."""
        return len(self.finds.wrong)


def finds_of_both(campaign: Campaign, judged: Judged) -> tuple[Found, Found]:
    """Return what the examination found as far as it is read, and what the players found."""
    terms = terms_of(campaign.terms)
    read = judged.cases[: len(judged.answers)]
    probes = Probe.objects.filter(campaign=campaign, state="judged").order_by("submitted", "pk")
    rulings = Ruling.objects.filter(pk__in=[case.ruling_id for case in read])
    entries = Entry.objects.filter(posting__campaign=campaign.pk, kind__in=("held", "earned"))
    paid = entries.aggregate(points=Sum("points"))["points"] or 0
    players = paid - points_for(campaign, campaign.rulings.filter(purpose="drawn"))
    drawn = [(case.case, case.probabilities, case.decision) for case in read]
    brought = list(probes.values_list("case", "probabilities", "decision"))
    truths = list(probes.values_list("truth", flat=True))
    new = [place not in LATER for place in probes.values_list("place", flat=True)]
    return (
        _finds(terms, drawn, judged.answers, [True] * len(drawn), points_for(campaign, rulings)),
        _finds(terms, brought, truths, new, players),
    )


def _finds(
    terms: CampaignTerms, cases: list[Any], truths: list[str], new: list[bool], paid: int
) -> Found:
    cents = paid / POINTS_PER_CENT
    if not cases:
        nothing = JudgedFinds(np.zeros(0, dtype=np.bool_), np.zeros(0), (), ())
        return Found(nothing, 0, cents)
    given, rows, decided = zip(*cases, strict=True)
    proba = np.array(rows, dtype=np.float64)
    unknown = item_quadrants(proba, terms.costs, list(decided), truths).rows("unknown unknown")
    errors = np.array([d != t for d, t in zip(decided, truths, strict=True)], dtype=np.bool_)
    counts = np.array(new, dtype=np.bool_)
    finds = JudgedFinds(
        errors & counts,
        np.where(
            counts,
            scheme_severities(proba, terms.costs, list(decided), truths, scheme=terms.scheme),
            0.0,
        ),
        tuple(truths),
        tuple(given) if all(isinstance(part, str) for part in given) else None,
    )
    return Found(finds, int(counts[unknown].sum()), cents, int((errors & ~counts).sum()))


def sections_of(campaign: Campaign, row: Examination, judged: Judged) -> list[Section]:
    """Return what can be said so far, in the words of ``askpoint examine``; at least one section."""
    terms = terms_of(campaign.terms)
    if not judged.answers:
        return [Section("What is known", (Notice(_nothing_yet(judged)),))]
    answer = _answer(terms, row, judged)
    told = examination_document(answer, campaign.title).sections[:4]
    one, two = finds_of_both(campaign, judged)
    sections = [
        *told,
        Section("Compared with what players found", tuple(_beside(one, two, answer))),
    ]
    if two.n_judged:
        compared = compare_finds(one.finds, two.finds, _question(one, two))
        curves, reason = _learning_curves(row)
        compared = CompareAnswer(
            compared.severities, curves, reason, compared.grouped, compared.question
        )
        figures = compare_sections(compared)
        sections += figures if row.learned is not None else figures[:1]
    return [_without_pictures(section) for section in sections]


def _nothing_yet(judged: Judged) -> str:
    if not judged.n_ruled:
        return (
            "No drawn case has a ruling yet, so neither the mistake rate nor the share of "
            "confident mistakes is known."
        )
    return (
        f"{plural(judged.n_ruled, 'case is', 'cases are')} ruled, but not the first in the order "
        "in which they were drawn. Cases that judges agree on at once are ruled first, and easy; "
        "read alone they would make the model look better. So there is no estimate yet."
    )


def _answer(terms: CampaignTerms, row: Examination, judged: Judged) -> ExaminationAnswer:
    drawn = draw_of(row, judged.cases)
    proba = np.array([case.probabilities for case in judged.cases], dtype=np.float64)
    decided = [case.decision for case in judged.cases]
    places = {name: place for place, name in enumerate(terms.classes)}
    n = len(judged.answers)
    sample = JudgedSample(
        drawn,
        tuple(drawn.items.tolist()),
        (*judged.answers, *[None] * (len(judged.cases) - n)),
        (None,) * len(judged.cases),
    )
    cases = FoundCases(
        sum(row.sizes),
        proba,
        np.array([places[name] for name in decided]),
        np.full(len(decided), -1),
        estimate_cost(proba, terms.costs, decided),
        pl.DataFrame(),
    )
    return answer_judged(log_of(judged.cases, terms), sample, cases, ExamineQuestion())


def _question(one: Found, two: Found, sought: str | None = None) -> CompareQuestion:
    return CompareQuestion(
        names=_NAMES,
        case_costs=(one.cents / one.n_judged, two.cents / two.n_judged),
        unit="cents",
        sought=sought,
    )


def _beside(one: Found, two: Found, answer: ExaminationAnswer) -> list[Grid | Paragraph]:
    estimate = answer.findings.mistakes.estimate
    whole = _NOTHING
    if estimate is not None:
        whole = f"{share(estimate.value)} ({share_range(estimate.interval)})"
    both = (one, two)
    rows = (
        ("cases judged", *(count(found.n_judged) for found in both)),
        (
            "wrong decisions per 100 judged",
            *(_rate(int(found.finds.wrong.sum()), found) for found in both),
        ),
        ("wrong decisions in the whole sample", whole, "not estimable"),
        ("mean severity of the mistakes", *map(_severity, both)),
        ("unknown unknowns per 100 judged", *(_rate(found.n_unknown, found) for found in both)),
        ("paid, cents", *(amount(found.cents) for found in both)),
        (
            "cents for each wrong decision",
            *(_each(found, int(found.finds.wrong.sum())) for found in both),
        ),
        ("cents for each unknown unknown", *(_each(found, found.n_unknown) for found in both)),
    )
    return [
        Grid(
            "Any wrong decision counts, of whatever kind",
            ("", *_NAMES),
            rows,
            f"{_repeats(two)}Denominators differ: an examination inspects what comes, players submit what they "
            "please. What is paid is votes for the examination; for players rewards, too, their "
            "cases that are not judged yet, and votes on gold cases.",
        ),
        Paragraph(COMPLEMENT),
    ]


def _repeats(players: Found) -> str:
    n = players.n_repeats
    if not n:
        return "What repeats an earlier case would be no find; nothing does. "
    said = plural(n, "wrong decision repeats", "wrong decisions repeat")
    return f"{said} an earlier case of the players: judged, but no find. "


def _rate(found: int, method: Found) -> str:
    if not method.n_judged:
        return "nothing judged yet"
    lower, upper = binomial_interval(found, method.n_judged)
    return f"{100 * found / method.n_judged:.1f} ({100 * lower:.1f} to {100 * upper:.1f})"


def _severity(method: Found) -> str:
    wrong = method.finds.severities[method.finds.wrong]
    return amount(float(wrong.mean())) if wrong.size else "none found"


def _each(method: Found, found: int) -> str:
    return amount(method.cents / found) if found else "none found"


def _without_pictures(section: Section) -> Section:
    return Section(
        section.title, tuple(block for block in section.blocks if not isinstance(block, Picture))
    )


def _learning_curves(row: Examination) -> tuple[tuple[LearningCurve, ...] | None, str]:
    if row.learned is None or row.learned["curves"] is None:
        return None, "" if row.learned is None else row.learned["reason"]
    curves = tuple(
        LearningCurve(
            curve["train"],
            curve["test"],
            tuple(LearningPoint(**point) for point in curve["points"]),
        )
        for curve in row.learned["curves"]
    )
    return curves, ""


def learn_from_both(examination: str) -> None:
    """Tell what can be learned from the drawn cases and from the players': a job, for it takes long."""
    row = Examination.objects.select_related("campaign").get(pk=examination)
    one, two = finds_of_both(row.campaign, judgements_of(row))
    sought = terms_of(row.campaign.terms).sought
    curves, reason = None, ""
    if not (one.n_judged and two.n_judged):
        reason = f"{_NAMES[bool(one.n_judged)]} has no judged case yet"
    elif sought is None:
        reason = "the campaign seeks no one kind of error"
    elif one.finds.texts is None or two.finds.texts is None:
        reason = "cases are rows of features, and curves are drawn for texts only"
    else:
        question = _question(one, two, sought.truth)
        curves = compare_object(compare_finds(one.finds, two.finds, question))["curves"]
        for point in (point for curve in curves for point in curve["points"]):
            point["reason"] = point.pop("reasons").get("auc", "")
    learned = {"curves": curves, "reason": reason, "judged": [one.n_judged, two.n_judged]}
    Examination.objects.filter(pk=row.pk).update(learned=learned)
