"""The title of the value report: the answer in a sentence."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from askpoint.answers.value.answer import ValueAnswer
from askpoint.answers.value.refusals import (
    HeavyLabels,
    NoLabels,
    Refusal,
    SelectiveLabels,
    UnknownMistakes,
)
from askpoint.reports.value.tomorrow import PRACTICALLY_NONE, WORTH_SAYING
from askpoint.reports.words import expected_number, plural, rough, work_time

if TYPE_CHECKING:
    from askpoint.answers.value.tomorrow import Tomorrow
    from askpoint.answers.value.whole_output import WholeOutput
    from askpoint.answers.value.workload import Workload

__all__ = ["headline_text"]

_ALL = "Send every case to review."
_LABEL_MORE = "Not yet: label 100 more cases, then ask again."
_MOST_LABELS = 400  # that a refusal asks for


def headline_text(answer: ValueAnswer, workload: Workload | None = None) -> str:
    """Return what to do: which share the model decides alone and what that frees, or that it is not known yet, and why."""
    tomorrow, output = answer.tomorrow, answer.whole_output
    if output is not None and (output.is_of_log or tomorrow is None):
        return _of_these_cases(answer, output)
    if tomorrow is None:
        return _no_verdict(answer.refusal)
    best = tomorrow.best
    if not best.decided:
        return _not_yet(answer, tomorrow)
    if best.asked.mean > 1 - PRACTICALLY_NONE:
        return _ALL
    alone = 1 - best.asked.mean
    decides = f"decide {rough(alone)} alone" if alone < 1 else "decide every case"
    return f"Let {_model(answer)} {decides}.{_gain_text(alone, workload)}"


def _model(answer: ValueAnswer) -> str:
    return repr(answer.models[0][0]) if len(answer.models) > 1 else "the model"


def _of_these_cases(answer: ValueAnswer, output: WholeOutput) -> str:
    if not output.kept.is_given:
        return _no_promise(answer)
    alone = output.kept.answered / answer.n_items
    return f"Let {_model(answer)} decide {rough(alone)} of these cases alone." if alone else _ALL


def _no_promise(answer: ValueAnswer) -> str:
    return f"Not yet: nothing can be promised from {plural(answer.n_labelled, 'label', 'labels')}."


def _no_verdict(refusal: Refusal | None) -> str:
    """Return the title of a report without a verdict: what labels it takes."""
    if isinstance(refusal, NoLabels):
        return "Not yet: no case has a label."
    if isinstance(refusal, HeavyLabels):
        return f"Not yet: label {10 - refusal.n_labels} more of the cases that were hardly ever labelled."
    if isinstance(refusal, SelectiveLabels):
        if refusal.hole:
            return f"Not yet: {rough(refusal.hole)} of the cases lie where no case has a label."
        n = min(_MOST_LABELS, refusal.selection.unlabelled)
        return f"Not yet: label {plural(n, 'case', 'cases')} drawn at random."
    if isinstance(refusal, UnknownMistakes):
        return "Not yet: no case that the model would decide has a label."
    return "No threshold does what you ask."


def _not_yet(answer: ValueAnswer, tomorrow: Tomorrow) -> str:
    is_promised = answer.guarantee is not None or answer.whole_output is not None
    if is_promised and math.isinf(tomorrow.best.threshold):
        return _no_promise(answer)
    more = tomorrow.next_labels
    if more is not None and more.mean < WORTH_SAYING:
        return "Not yet: too close to tell at this price."
    return _LABEL_MORE


def _gain_text(alone: float, workload: Workload | None) -> str:
    if workload is None:
        return ""
    saved = alone * workload.volume.number
    each = workload.seconds_per_check
    of = f"{expected_number(saved)} checks" if each is None else work_time(saved * each)
    return f" That frees {of} a {workload.volume.period}."
