"""What another price of a mistake would do, by the newest cases: on the page, and in its file."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from django import forms

from askpoint.answers.live.checkup import WatchAnswer
from askpoint.errors import AskpointError
from askpoint.reports.document import Block, Notice, Paragraph
from askpoint.reports.live.deploy import beside_policy_text
from askpoint.reports.value.what_if import price_slider
from askpoint.reports.words import count, plural, share, short_threshold, threshold_text
from askpoint.server.deployments.models import Policy
from askpoint.server.deployments.recent_log import newest_log, tomorrow_of
from askpoint.server.deployments.renewal import question_of
from askpoint.server.deployments.reviewer_errors import people_error

__all__ = ["PriceForm", "what_if_blocks"]

_CHECKS = 20.0  # where nobody stated a price


class PriceForm(forms.Form):
    """The price of a mistake that somebody asks about."""

    checks = forms.FloatField(min_value=1.01, max_value=100_000)


def what_if_blocks(
    told: WatchAnswer, policy: Policy, checks: float | None = None
) -> Iterator[Block]:
    """Yield what would be best at other prices, beginning with one in checks."""
    state, work = told.history.state, question_of(policy).limit
    agreed = 1 / work if told.terms.aim == "money" else _CHECKS
    log = newest_log(policy, state.episode)
    known = people_error(policy.deployment).known
    try:
        tomorrow = tomorrow_of(log, agreed, *(known or ()))
    except AskpointError as error:
        yield Notice(f"Not known yet: {error}.")
        return
    now = "Now: every case goes to review"
    if state.threshold is not None and told.history.document.group_scale is not None:
        now = "In use now is a threshold for each group; here one holds for all"
    elif state.threshold is not None:
        now = f"In use now is {short_threshold(state.threshold)}"
    yield Paragraph(
        f"The best threshold at each price, and what to expect of 1,000 new cases (in brackets: 95%). By the "
        f"newest {plural(log.n_items, 'case', 'cases')} since it last reopened, {count(log.n_labelled)} of them "
        f"with a label; audits are left out. {now}."
    )
    if told.terms.aim == "money" and told.history.document.group_scale is None:
        best = tomorrow.best
        if beside := beside_policy_text(state.threshold, best.asked, best.threshold):
            yield Notice(beside)
    yield Paragraph(
        "Reviewer errors are not included, because they have not been measured."
        if known is None
        else f"A check costs its time plus reviewer errors ({share(known[0])} of their cases). Mistakes "
        "counted here are the model's."
    )
    scores = log.scores()

    def text_of(threshold: float) -> str:
        return threshold_text(threshold, scores[scores < threshold].max(initial=-np.inf))

    yield price_slider(tomorrow, text_of, checks)
