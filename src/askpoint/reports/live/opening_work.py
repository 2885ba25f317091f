"""What a new policy takes of people's time and money, said."""

from __future__ import annotations

from collections.abc import Iterator

from askpoint.answers.live.first_policy import Opening
from askpoint.answers.value.volume import Volume
from askpoint.answers.value.workload import Workload
from askpoint.reports.document import Block, Notice, Paragraph
from askpoint.reports.words import amount, count, money_text

__all__ = ["capacity_blocks", "opening_work_blocks"]


def opening_work_blocks(
    opening: Opening, load: Workload, currency: str | None = None
) -> Iterator[Block]:
    """Yield how many cases of a period go to review when a policy opens, and what that takes.

    Parameters
    ----------
    opening : Opening
        The policy.
    load : Workload
        How many cases come; what a check costs and how long it takes, where that is known.
    currency : str, optional
        What the money is in.
    """
    n, period = load.volume.number, load.volume.period
    checks = n * _share_to_check(opening)
    said = f"Of {count(n)} cases a {period}, every one goes to review at first."
    if opening.document.state.threshold is not None:
        alone = n * opening.coverage
        audits = alone * opening.document.terms.rate
        said = (
            f"Of {count(n)} cases a {period} it decides {count(alone)} alone at first. People check {count(checks)}: "
            f"{count(n - alone)} that go to review, and {count(audits)} audits."
        )
    took, always = _work_text(load, checks, currency), _work_text(load, n, currency)
    if took:
        said += f" These checks take {took} a {period}."
    if took and took != always:
        said += f" Reviewing every case takes {always}."
    yield Paragraph(said)


def capacity_blocks(
    opening: Opening, volume: Volume, capacity: Volume | float, checks: float
) -> Iterator[Block]:
    """Yield which price follows from what people can check, and whether the policy begins within it.

    Parameters
    ----------
    opening : Opening
        The policy.
    volume : Volume
        How many cases come.
    capacity : Volume or float
        The cases that people can check, or their share.
    checks : float
        The price of a mistake that follows, in checks.
    """
    period, needed = volume.period, volume.number * _share_to_check(opening)
    share = capacity.share_of(volume) if isinstance(capacity, Volume) else capacity
    can_check = share * volume.number
    people = f"{count(can_check)} of {count(volume.number)} cases a {period}"
    if isinstance(capacity, Volume) and capacity.period != period:
        people = f"{count(capacity.number)} cases a {capacity.period}, {people}"
    yield Paragraph(
        f"People can check {people}, audits included. That is their best use where one mistake is as bad as "
        f"{amount(checks)} checks, so the policy opens with this price."
    )
    if round(needed) > can_check:
        yield Notice(
            f"At first {count(needed - can_check)} more cases a {period} go to review than they can check: a policy must be "
            "sure however often it looks, so it decides less than the report says, and more as labels come. Until then the "
            "queue grows, unless more people check."
        )


def _share_to_check(opening: Opening) -> float:
    """Return the share of the cases that people check when a policy opens: those asked about, and audits."""
    if opening.document.state.threshold is None:
        return 1.0
    return 1 - opening.coverage * (1 - opening.document.terms.rate)


def _work_text(load: Workload, checks: float, currency: str | None) -> str:
    """Write hours and money of so many checks, as far as they are known."""
    parts = []
    if load.seconds_per_check is not None:
        hours = checks * load.seconds_per_check / 3600
        text = count(hours) if hours >= 10 else amount(round(hours, 1))
        parts.append(f"{text} hour{'s' * (text != '1')}")
    if load.check is not None:
        money = money_text(checks * load.check, currency)
        parts.append(money if currency else f"{money} in your money")
    return " and ".join(parts)
