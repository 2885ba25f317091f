"""Which verdicts a panel may give alone, in words: one sentence first, a table behind it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from askpoint.answers.judges.panel_verdicts import PanelVerdicts
from askpoint.measures.intervals import clopper_pearson
from askpoint.reports.document import Block, Document, Figures, Grid, Notice, Paragraph, Section
from askpoint.reports.words import (
    amount,
    count,
    money_text,
    plural,
    round_share,
    share,
    share_range,
    threshold_text,
)
from askpoint.value.posterior.prospects import Expected

__all__ = ["verdicts_object", "verdicts_section", "with_verdicts"]

_BANDS = 6
_LEVEL = 0.95
_MOST_DIGITS = 5
_TITLE = "Verdicts that the panel may give alone"


def with_verdicts(document: Document, found: PanelVerdicts) -> Document:
    """Return the report with the sentence on its first screen, and a section of its own."""
    first, *others = document.sections
    leads = [i for i, block in enumerate(first.blocks) if _is_lead(block)]
    place = leads[-1] + 1 if leads else len(first.blocks)
    blocks = (*first.blocks[:place], _sentence(found), *first.blocks[place:])
    return replace(
        document,
        sections=(replace(first, blocks=blocks), *others[:1], verdicts_section(found), *others[1:]),
    )


def _is_lead(block: Block) -> bool:
    return isinstance(block, Figures) or (isinstance(block, Paragraph) and block.lead)


def _sentence(found: PanelVerdicts) -> Paragraph | Notice:
    """Say in one sentence what the panel may decide."""
    if found.reason:
        return Notice(f"Which verdicts the panel may give alone is not known: {found.reason}.")
    promise, n = found.promise, count(len(found.tasks))
    share_alone = f"{count(int(found.alone.sum()))} of {n} items ({share(found.coverage)})"
    if promise is not None:
        limit = round_share(promise.risk)
        if promise.threshold is None:
            return Notice(
                f"Nothing can be promised of verdicts that the panel gives alone: {promise.reason}. Until then "
                "people decide every item."
            )
        return Paragraph(
            f"The panel may decide {share_alone} alone: at most {limit} of these verdicts are wrong, as long as new "
            f"items look like these. (Chance that this fails: {round_share(promise.delta)}.)"
        )
    if found.risk is None:
        text = f"the panel decides no item alone, at {_price(found)}"
        if found.is_decided:
            return Paragraph(f"{text[0].upper()}{text[1:]}.")
        return Paragraph(
            f"Not decided yet which verdicts the panel may give alone: best guess, {text}."
        )
    wrong = f"{share(found.risk[0])} of these verdicts are wrong, at most {share(found.risk[2])}"
    if found.is_decided:
        return Paragraph(f"The panel may decide {share_alone} alone: about {wrong}.")
    return Paragraph(
        f"Not decided yet which verdicts the panel may give alone. Best guess: {share_alone}; about {wrong}."
    )


def _price(found: PanelVerdicts) -> str:
    if found.question.max_error is not None:
        return f"at most {round_share(found.question.max_error)} mistakes"
    if found.question.check_in_money is not None:
        return f"{_money(found, found.question.price)} per mistake and {_money(found, 1)} per check"
    return f"{plural(found.question.price, 'check', 'checks')} per mistake"


def _money(found: PanelVerdicts, checks: float) -> str:
    """Write what so many checks cost."""
    question = found.question
    return money_text(checks * (question.check_in_money or 0), question.currency)


def verdicts_section(found: PanelVerdicts) -> Section:
    """Return where the panel decides, how often it is right there, and what to do with that."""
    return Section(_TITLE, tuple(_blocks(found)))


def _blocks(found: PanelVerdicts) -> Iterator[Block]:
    if found.reason or found.found is None:
        yield Notice(f"Not known: {found.reason}.")
        return
    question = found.question
    if question.check_in_money is not None:
        yield Paragraph(
            f"A check is one person looking at one item. It costs {_money(found, 1)} and a mistake "
            f"{_money(found, question.price)}, as much as {amount(question.price)} checks."
        )
    elif question.max_error is None:
        assumed = ". Add your own costs: --mistake 20 --check 1" if question.is_assumed else ""
        yield Paragraph(
            f"A check is one person looking at one item. One mistake is taken to be as bad as "
            f"{amount(question.price)} checks{assumed}."
        )
    if math.isfinite(found.threshold):
        below = found.opinion.confidence[~found.alone]
        text = threshold_text(found.threshold, float(below.max(initial=-np.inf)))
        yield Paragraph(
            f"It decides alone where its confidence is at least {text}: how sure its votes are together. What that is "
            f"worth {plural(found.n_labelled, 'label', 'labels')} by people say."
        )
    best = found.found
    if best.cost_per_1000 is not None and found.risk is not None:
        yield Paragraph(
            f"Of 1,000 new items people then check {count(1000 * best.asked.mean)}, and about "
            f"{amount(1000 * best.mistakes.mean)} verdicts are wrong (between {amount(1000 * best.mistakes.low)} and "
            f"{amount(1000 * best.mistakes.high)}).{_cost(found, best.cost_per_1000)}"
        )
    if not found.is_even:
        yield Paragraph(
            "The labels were not drawn with equal chances: each counts for the items of its stratum by votes."
        )
    yield _table(found)


def _cost(found: PanelVerdicts, per_1000: Expected) -> str:
    """Say what 1,000 items cost in money, where costs were stated in it."""
    if found.question.check_in_money is None:
        return ""
    mean, low, high = (_money(found, part) for part in per_1000)
    everything = _money(found, 1000)
    return f" Checks and mistakes together cost {mean} (between {low} and {high}), checks of every item {everything}."


def _table(found: PanelVerdicts) -> Grid:
    """How often the panel is right where it is so sure, from the surest down."""
    confidence = found.opinion.confidence
    values = np.unique(confidence)
    cuts = np.unique(np.quantile(confidence, np.linspace(0, 1, _BANDS + 1)[1:-1], method="nearest"))
    cuts = values if len(values) <= _BANDS else cuts
    if math.isfinite(found.threshold):  # no band lies across the threshold
        cuts = np.union1d(cuts, values[np.searchsorted(values, found.threshold) :][:1])
    band = np.searchsorted(cuts, confidence, side="right")
    bands = [confidence[band == k] for k in np.unique(band)]
    digits = _digits(float(end) for part in bands for end in (part.min(), part.max()))
    rows = []
    for k in np.unique(band)[::-1]:
        here = band == k
        n, right = int(found.labelled[here].sum()), int((found.right & found.labelled)[here].sum())
        between = "" if not n else share_range(clopper_pearson(right, n, _LEVEL))
        alone = bool(found.alone[here].all())
        rows.append((
            _between(float(confidence[here].min()), float(confidence[here].max()), digits),
            count(int(here.sum())),
            "alone" if alone else "people",
            f"{count(right)} of {count(n)}",
            between,
        ))  # fmt: skip
    return Grid(
        "How often the panel is right",
        ("confidence", "items", "who decides", "right of labelled", "95% interval"),
        tuple(rows),
    )


def _between(low: float, high: float, digits: int) -> str:
    low_text, high_text = f"{low:.{digits}f}", f"{high:.{digits}f}"
    return low_text if low_text == high_text else f"{low_text} to {high_text}"


def _digits(edges: Iterable[float]) -> int:
    """Return the least digits, from two on, that tell the edges of bands apart, and each from certainty."""
    values = {round(edge, _MOST_DIGITS) for edge in edges}
    for digits in range(2, _MOST_DIGITS):
        shown = {round(value, digits) for value in values}
        if len(shown) == len(values) and (1.0 in shown) == (1.0 in values):
            return digits
    return _MOST_DIGITS


def verdicts_object(found: PanelVerdicts) -> dict[str, Any]:
    """Return the same as JSON."""
    best, promise, question = found.found, found.promise, found.question
    content: dict[str, Any] = {
        "threshold": found.threshold if math.isfinite(found.threshold) else None,
        "coverage": found.coverage if best is not None else None,
        "risk": None if found.risk is None else found.risk[0],
        "risk_interval": None if found.risk is None else list(found.risk[1:]),
        "decided": found.is_decided,
        "checks_per_mistake": question.price if question.max_error is None else None,
        "is_assumed": question.is_assumed,
        "n_labelled": found.n_labelled,
        "is_even": found.is_even,
        "promise": None
        if promise is None
        else {"max_error": promise.risk, "delta": promise.delta, "threshold": promise.threshold},
        "cost_per_1000": None
        if best is None or best.cost_per_1000 is None
        else best.cost_per_1000.mean,
    }
    why = found.reason or (promise.reason if promise is not None else "")
    reasons = {}
    if content["threshold"] is None:
        reasons["threshold"] = why or "the panel decides no item alone at this price"
    if why and content["coverage"] is None:
        reasons["coverage"] = why
    return content | ({"reasons": reasons} if reasons else {})
