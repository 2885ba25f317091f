"""When units that may not act alone yet will: a forecast for each sequence of labels, whatever its names."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from askpoint.answers.approvals.licence_question import ApprovalQuestion
from askpoint.live.licences.certificate import grant_bound
from askpoint.live.licences.forecast import (
    GrantForecast,
    draw_rates,
    forecast_grants,
    forecast_paying,
)
from askpoint.live.licences.replay import LicenceHistory, LicenceTerms

__all__ = ["LabelledCase", "forecast_units"]

_FUTURES = (50, 300)  # of each forecast: least, where thousands of units wait, and most
_ALL_FUTURES = 60_000
_PARTS = 1000  # of a label, where its weight is a seed

LabelledCase = tuple[tuple[float, ...], LicenceTerms]
"""Labels of a unit, and what a licence takes."""


def forecast_units(
    histories: Mapping[LabelledCase, LicenceHistory], question: ApprovalQuestion
) -> dict[LabelledCase, GrantForecast]:
    """Return the forecast of each sequence of labels that has not earned a licence: names play no part."""
    asked = [case for case, history in histories.items() if history.granted is None]
    if not asked:
        return {}
    least, most = _FUTURES
    futures = min(most, max(least, _ALL_FUTURES // len(asked)))
    rates = [
        draw_rates(
            sum(bad),
            len(bad),
            futures,
            np.random.default_rng([question.seed, len(bad), round(sum(bad) * _PARTS)]),
        )
        for bad, _ in asked
    ]
    promised = [i for i, (_, terms) in enumerate(asked) if terms.pays_below is None]
    grants = forecast_grants(
        [histories[asked[i]].certificate for i in promised],
        np.array(rates)[promised],
        [grant_bound(asked[i][1].delta, histories[asked[i]].episode) for i in promised],
        np.random.default_rng(question.seed),
    )
    found = {asked[i]: one for i, one in zip(promised, grants, strict=True)}
    for (bad, terms), drawn in zip(asked, rates, strict=True):
        if terms.pays_below is not None:
            since = bad[histories[bad, terms].since :]
            rng = np.random.default_rng(question.seed)
            found[bad, terms] = forecast_paying(
                len(since), sum(since), terms.pays_below, drawn, rng
            )
    return found
