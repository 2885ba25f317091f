"""The first lines on judges: the answer for the label of interest, and how far it could be off."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from askpoint.answers.judges.answer import JudgesAnswer
from askpoint.answers.judges.blind_spots import STRONG_CORRELATION, BlindSpots
from askpoint.answers.judges.estimate import MethodEstimate
from askpoint.answers.judges.labelling_progress import CheckingProgress
from askpoint.answers.judges.trust import TOLERANCE, JudgesTrust, judge_trust
from askpoint.judges.checks.blind_spot import BlindSpotBand
from askpoint.judges.evaluators import DAWID_SKENE, MAJORITY
from askpoint.reports.document import Block, Grid, Notice, Paragraph
from askpoint.reports.judges.trust import doubt_words, trust_reasons
from askpoint.reports.words import (
    amount,
    count,
    plural,
    rough,
    rough_range,
    round_share,
    share,
    share_range,
)

__all__ = ["lead_blocks", "list_names"]

_PROPOSED = 60
_LIGHT = 40  # votes: measured, docs/evidence/judges.md
_MOST_LABELS = 20


def lead_blocks(answer: JudgesAnswer) -> Iterator[Block]:
    """Yield the summary."""
    best, spots = answer.best, answer.blind_spots
    if best is None:
        yield Notice(f"No evaluator has an answer: {answer.reasons['dawid_skene']}.")
    elif best.evaluator.uses_labels:
        yield from _check_blocks(answer, best)
    elif best.evaluator is DAWID_SKENE and spots is not None:
        yield from _votes_alone(answer, best, spots)
    elif best.evaluator is MAJORITY:
        yield from _majority_alone(answer, best)
    else:
        yield Paragraph(
            f"{answer.label} is the true label of {share(best.prevalence[answer.label])} of "
            f"{plural(answer.sketch.n_items, 'item', 'items')}, {best.evaluator.assumption}.",
            lead=True,
        )
        why = "; ".join(trust_reasons(judge_trust(answer))[:3])
        yield Notice(f"These votes cannot show how far off this is: {why}.")


def _majority_alone(answer: JudgesAnswer, best: MethodEstimate) -> Iterator[Block]:
    """What is left where judges or families are too few: no number is told as the truth."""
    said = f"the majority says {answer.label} of {rough(best.prevalence[answer.label])}"
    agree = answer.agreement.observed
    if len(answer.sketch.judges) == 2 and agree is not None:
        said = f"these two judges agree on {rough(agree)} of those that both judged, and one is wrong on the others"
    yield Paragraph(
        f"Votes alone do not show how often {answer.label} is the true label of "
        f"{plural(answer.sketch.n_items, 'item', 'items')}: {said}.",
        lead=True,
    )
    why = answer.reasons.get(DAWID_SKENE.name, "no other evaluator was asked")
    yield Notice(f"Votes cannot reveal an error that all judges make, and {why}.")
    yield from _labels_would_tell(answer)


def _labels_would_tell(answer: JudgesAnswer) -> Iterator[Block]:
    is_told = answer.proposed or answer.origin.is_refused  # then which to label is said already
    if answer.sketch.n_items > _PROPOSED and not is_told:
        yield Paragraph(
            f"{_PROPOSED} labels would tell: --propose {_PROPOSED} names the items to label, some of which the "
            "votes call sure."
        )


def _votes_alone(answer: JudgesAnswer, best: MethodEstimate, spots: BlindSpots) -> Iterator[Block]:
    label, band = answer.label, spots.band
    most = answer.by(MAJORITY)
    majority = "" if most is None else f", the majority {rough(most.prevalence[label])}"
    yield Paragraph(
        f"{label} is the true label of {rough_range(band.prevalence[label])} of "
        f"{plural(answer.sketch.n_items, 'item', 'items')}, if judges share errors the way model "
        f"judges usually do. By votes alone: {rough(best.prevalence[label])}{majority}.",
        lead=True,
    )
    yield Notice(f"{_fit(spots)} Votes cannot reveal an error that all judges make.")
    cast = answer.sketch.cells().votes_cast()
    if 2 * cast[cast < _LIGHT].sum() > cast.sum():
        yield Notice(
            f"Most votes come from judges who cast fewer than {_LIGHT}, too few to estimate a judge's "
            "accuracy: in simulated crowds of that kind a rare label's share came out far too high, and "
            "the majority was nearer."
        )
    hidden = list_names([f"{rough(h)} of the items of {name}" for name, h in band.share.items()], 4)
    strong, *shares = (one.prevalence[label] for one in spots.others)
    named = zip((one.share[label] for one in spots.others[1:]), shares, strict=True)
    wider = "; ".join(f"{rough(h)} of each label's items: {rough_range(one)}" for h, one in named)
    yield Paragraph(
        f"The range is for shared errors that correlate by {amount(answer.question.correlation)}, as "
        f"among model judges whose labels are known: here {hidden} would look to all judges like "
        f"another label. If it were {wider}; at a correlation of {amount(STRONG_CORRELATION)}: "
        f"{rough_range(strong)}. Where most judges are worse than chance on a label, the truth lies "
        "outside."
    )
    yield from _labels_would_tell(answer)
    if len(answer.sketch.labels) > 2:
        yield _labels(answer, best, band, most)


def _fit(spots: BlindSpots) -> str:
    if spots.misfits is None:
        return "These votes cannot show whether judges err independently."
    if not spots.misfits:
        return "The votes fit judges who err independently."
    return (
        "The votes do not fit judges who err independently: "
        f"{'; '.join(doubt_words(doubt) for doubt in spots.misfits)}."
    )


def _labels(
    answer: JudgesAnswer, best: MethodEstimate, band: BlindSpotBand, most: MethodEstimate | None
) -> Grid:
    return Grid(
        "Every label",
        ("label", "with shared errors", "votes alone", "majority"),
        tuple(
            (
                name,
                rough_range(band.prevalence[name]),
                rough(best.prevalence[name]),
                "" if most is None else rough(most.prevalence[name]),
            )
            for name in answer.sketch.labels[:_MOST_LABELS]
        ),
    )


def _check_blocks(answer: JudgesAnswer, best: MethodEstimate) -> Iterator[Block]:
    label, around = answer.label, best.prevalence_interval
    found = None if around is None else around[label]
    interval = (
        ""
        if found is None
        else f" ({round_share(answer.question.level)} interval {share_range(found)})"
    )
    others = [
        f"{name} {rough(one.prevalence[label])}"
        for name, one in (
            ("votes alone", answer.by(DAWID_SKENE)),
            ("the majority", answer.by(MAJORITY)),
        )
        if one is not None
    ]
    yield Paragraph(
        f"{label} is the true label of {share(best.prevalence[label])} of "
        f"{plural(answer.sketch.n_items, 'item', 'items')}{interval}, {best.evaluator.assumption} "
        f"({plural(answer.n_gold, 'label', 'labels')}). Without labels: {', '.join(others)}.",
        lead=True,
    )
    if len(answer.sketch.labels) > 2:
        yield _label_shares(answer, best)
    trust = judge_trust(answer)
    points = f"{100 * TOLERANCE:g} percentage points"
    if trust.is_trusted:
        yield Paragraph(
            f"All numbers are accurate to within {points}: every interval is that narrow."
        )
    else:
        yield Notice(_doubt(answer, trust, points))
    if best.evaluator.condition and not answer.origin.is_sealed:
        yield Paragraph(best.evaluator.condition)
    yield from _blind_spot_blocks(answer)
    if answer.checking is not None:
        yield Paragraph(_checking(answer, answer.checking))
    else:
        yield Paragraph(f"Enough labels? Not known yet: {answer.reasons.get('checking', '')}.")


def _doubt(answer: JudgesAnswer, trust: JudgesTrust, points: str) -> str:
    """Say what not to trust: the share that is told first, then accuracies, if they are worse."""
    why = "; ".join(trust_reasons(trust)[:3])
    if trust.is_share_trusted:
        return (
            f"Trust the share of {answer.label} to within {points}. Do not trust all accuracies to within "
            f"{points}: {why}."
        )
    if trust.share_reach is None:
        return f"Do not trust these numbers to within {points}: {why}."
    return (
        f"Do not trust the share of {answer.label} to within {points}: its interval goes "
        f"{100 * trust.share_reach:.0f} to one side. More labels would narrow it. Of all numbers below {why}."
    )


def _label_shares(answer: JudgesAnswer, best: MethodEstimate) -> Grid:
    """Every label's share, and what votes alone say of it."""
    alone, around = answer.by(DAWID_SKENE), best.prevalence_interval or {}
    worth = {} if answer.worth is None else answer.worth.by_label
    rows = []
    for label in answer.sketch.labels[:_MOST_LABELS]:
        interval = around.get(label)
        rows.append((
            label,
            share(best.prevalence[label]),
            "" if interval is None else share_range(interval),
            "" if alone is None else rough(alone.prevalence[label]),
            *([count(round(worth[label]))] if worth else []),
        ))  # fmt: skip
    columns: tuple[str, ...] = ("label", "share", "interval", "votes alone")
    note = ""
    if worth:
        columns = (*columns, "worth in labels")
        note = f"Worth: labels that would tell as much without votes; {count(answer.n_gold)} were given."
    return Grid("Every label", columns, tuple(rows), note)


def _blind_spot_blocks(answer: JudgesAnswer) -> Iterator[Block]:
    """What labels say of the blind spot, and of how many judges the panel is worth."""
    spots, worth = answer.blind_spots, answer.effective
    if spots is not None:
        seen = [
            f"{of.n_wrong} of {plural(of.n_labelled, 'labelled item', 'labelled items')} that the "
            f"votes are confident are {label}"
            for label, of in spots.sure.items()
            if of.n_labelled
        ]
        if seen:
            yield Paragraph(f"Shared errors: {list_names(seen, 4)} have a different gold label.")
    if worth is None:
        return
    families = (
        ""
        if worth.within is None or worth.between is None
        else f" ({amount(worth.within)} inside families, {amount(worth.between)} between them)"
    )
    yield Paragraph(
        f"These {len(worth.judges)} judges carry as much information as {worth.number:.1f} "
        f"independent ones ({worth.interval.lower:.1f} to {worth.interval.upper:.1f}); their "
        f"errors correlate at {amount(worth.correlation)}{families}."
    )


def _checking(answer: JudgesAnswer, found: CheckingProgress) -> str:
    """Whether to go on checking, in one sentence that may be read after each item."""
    within = f"{100 * answer.question.within:g} percentage points"
    if found.enough:
        return (
            f"Enough labels? Yes: {answer.label} and all accuracies are known to within {within}, "
            "however often you looked."
        )
    more = [
        f"about {plural(advice.further, 'more item', 'more items')} for {what}, known to "
        f"{rough_range(advice.interval)} so far"
        for advice, what in (
            (found.prevalence, answer.label),
            (found.accuracy, f"{found.judge}'s accuracy on {found.label}"),
        )
        if not advice.enough
    ]
    return f"Enough labels for ±{within}? Not yet. Still needed: {', and '.join(more)}."


def list_names(names: Sequence[str], most: int) -> str:
    """Write the first of some names, and how many more there are."""
    left = len(names) - most
    shown = [*names[:most], *([f"{left} more"] if left > 0 else [])]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
