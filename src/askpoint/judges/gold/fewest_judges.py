"""The fewest judges of a panel who tell as much together as all of them."""

from __future__ import annotations

from dataclasses import dataclass

from askpoint.judges.gold.label_worth import (
    LabelWorth,
    PanelWorth,
    can_leave_out,
    count_lost_labels,
    measure_panel,
)
from askpoint.judges.gold.labelled_patterns import LabelledPatterns

__all__ = ["FewestJudges", "choose_fewest"]

_LITTLE = 0.05  # of the labels given: what may go without harm
_NOTHING = 1.1  # times as many labels: below, the votes bring nothing, spec J21
_FEW = 20  # judges, of whom all may be chosen
_ROUNDS = 4  # of more


@dataclass(frozen=True, kw_only=True)
class FewestJudges:
    """Judges to keep, in the order in which they were chosen.

    Attributes
    ----------
    judges : tuple of str
        None where the panel brings next to nothing.
    n_plain : float
        What they are worth, as in `LabelWorth`. They were chosen on the labels by which that is
        measured, so it is somewhat too high.
    is_sure : bool
        Whether the interval of what goes without the others is within 5% of the labels given.
    """

    judges: tuple[str, ...]
    n_plain: float
    is_sure: bool


def choose_fewest(
    patterns: LabelledPatterns, label: str, worth: LabelWorth, level: float = 0.95
) -> FewestJudges | None:
    """Choose judges one after the other, each time the one who adds most, until all others add little.

    None where patterns and judges are too many, and where four of more than 20 do not do.

    Examples
    --------
    >>> from askpoint import GoldSketch, VoteSketch
    >>> from askpoint.judges.gold.fewest_judges import choose_fewest
    >>> from askpoint.judges.gold.label_worth import measure_worth
    >>> from askpoint.judges.gold.labelled_patterns import label_patterns
    >>> votes, gold = (
    ...     VoteSketch(["ann", "bob"], ["no", "yes"]),
    ...     GoldSketch(["ann", "bob"], ["no", "yes"]),
    ... )
    >>> votes.update_codes([[0, 0], [0, 1], [1, 0], [1, 1]], [300, 200, 200, 300])
    >>> gold.update_codes([[0, 0], [0, 1]] * 15 + [[1, 0], [1, 1]] * 15, [0] * 30 + [1] * 30)
    >>> patterns = label_patterns(votes, gold)
    >>> choose_fewest(patterns, "yes", measure_worth(patterns, "yes")).judges
    ('ann',)
    """
    if not worth.uses_votes or worth.factor < _NOTHING:
        return FewestJudges(judges=(), n_plain=float(worth.n_gold), is_sure=True)
    n = len(patterns.judges)
    if not can_leave_out(patterns):
        return None
    little = _LITTLE * worth.n_gold
    whole = measure_panel(patterns, label, patterns.judges, level)
    chosen: tuple[str, ...] = ()
    for _ in range(n if n <= _FEW else _ROUNDS):
        chosen, found = _add_best(patterns, label, chosen, level)
        if found.n_plain >= whole.n_plain - little:
            lost = count_lost_labels(patterns, label, whole, found, level)
            is_sure = len(chosen) == n or lost.interval.upper <= little
            return FewestJudges(judges=chosen, n_plain=found.n_plain, is_sure=is_sure)
    return None


def _add_best(
    patterns: LabelledPatterns, label: str, chosen: tuple[str, ...], level: float
) -> tuple[tuple[str, ...], PanelWorth]:
    options = [
        ((*chosen, judge), measure_panel(patterns, label, (*chosen, judge), level))
        for judge in patterns.judges
        if judge not in chosen
    ]
    return max(options, key=lambda option: option[1].n_plain)
