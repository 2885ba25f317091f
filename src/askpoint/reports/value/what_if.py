"""The price of a mistake as a number to turn, on the page."""

from __future__ import annotations

import functools

from askpoint.answers.value.tomorrow import Tomorrow
from askpoint.reports.document import WhatIf
from askpoint.reports.value.tomorrow import answered_from, cases_text, cost_text
from askpoint.reports.words import amount

__all__ = ["price_slider"]

_STOPS = (
    *(1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 12.0, 15.0, 20.0, 25.0, 30.0, 40.0, 50.0, 60.0),
    *(80.0, 100.0, 150.0, 200.0, 300.0, 400.0, 600.0, 800.0, 1000.0),
)


def price_slider(tomorrow: Tomorrow) -> WhatIf:
    """Return the price of a mistake as a number to turn."""
    own = tomorrow.best.checks
    prices = sorted({*_STOPS, *(() if own is None else (round(own, 2),))})

    @functools.cache
    def stops() -> tuple[tuple[str, ...], ...]:
        return tuple(
            (
                f"{amount(checks)} check{'s' * (checks != 1)}",
                answered_from(each.threshold),
                cases_text(each.asked),
                cases_text(each.mistakes),
                "" if each.cost_per_1000 is None else cost_text(each.cost_per_1000),
                "decided" if each.decided else "not yet",
            )
            for checks in prices
            for each in [tomorrow.at_price(checks)]
        )

    return WhatIf(
        "What if a mistake cost more, or less",
        "If one mistake were worth",
        ("answer from", "asked of 1,000", "mistakes", "cost, checks", "verdict"),
        stops,
        prices.index(20.0 if own is None else round(own, 2)),
    )
