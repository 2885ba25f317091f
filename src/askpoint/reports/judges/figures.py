"""The judges' masthead: a label's share, what votes alone say of it, what the panel is worth."""

from __future__ import annotations

from askpoint.answers.judges.answer import JudgesAnswer
from askpoint.judges.evaluators import DAWID_SKENE, MAJORITY
from askpoint.reports.document import Figure, Figures
from askpoint.reports.words import plural, rough, rough_range, round_share

__all__ = ["lead_figures"]

_PERCENT = "%"


def lead_figures(answer: JudgesAnswer) -> Figures:
    """Return up to four numbers that sum the answer up."""
    label, best = answer.label, answer.best
    parts = []
    if best is not None and best.evaluator.uses_labels:
        around = best.prevalence_interval
        interval = None if around is None else around[label]
        between = "" if interval is None else rough_range(interval)
        parts.append(Figure(f"truly {label}", rough(best.prevalence[label]), between))
    elif answer.blind_spots is not None and best is not None and best.evaluator is DAWID_SKENE:
        low, high = answer.blind_spots.band.prevalence[label]
        band = f"{rough(low)} to {rough(high)}".replace(_PERCENT, "", 1)
        parts.append(Figure(f"truly {label}", band, "if all judges share errors"))
    for name, evaluator in (("votes alone say", DAWID_SKENE), ("the majority says", MAJORITY)):
        one = answer.by(evaluator)
        if one is not None:
            parts.append(Figure(name, rough(one.prevalence[label]), label))
    worth, agree = answer.effective, answer.agreement.observed
    if worth is not None:
        low, high = worth.interval
        judges = plural(len(worth.judges), "judge is", "judges are")
        parts.append(Figure(f"{judges} worth", f"{worth.number:.1f}", f"{low:.1f} to {high:.1f}"))
    elif agree is not None:
        parts.append(Figure("pairs of judges agree", rough(agree), "on what both judged"))
    note = "Votes cannot reveal an error that all judges make."
    if worth is not None:
        note = (
            "Worth: the number of judges who err independently of each other and would tell as much. Below a "
            f"number: its {round_share(answer.question.level)} interval."
        )
    return Figures(
        f"Of {plural(answer.sketch.n_items, 'item', 'items')}",
        tuple(parts),
        "Votes alone: by weighing the judges as if nobody knew the truth (Dawid and Skene). "
        + note,
    )
