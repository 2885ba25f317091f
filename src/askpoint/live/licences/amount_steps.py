"""Up to which amount an agent may act alone: steps that the amounts declare, and the boldest that its labels support.

Steps follow from the amounts alone, so no label chose them. Each is tested on all actions up to it, from the cautious
to the bold: the chance to license a step that deserves none is shared evenly by the steps, and each that is licensed
hands its share on to the next (the fallback procedure: Wiens and Dmitrienko, Journal of Biopharmaceutical Statistics
15, 2005). So the chance that any step is licensed undeservedly is at most that of one unit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from askpoint.live.licences.action_classes import ActionClass, divide_class
from askpoint.live.licences.replay import LicenceTerms, replay_labels

__all__ = ["AmountStep", "boldest_step", "classes_by_step", "steps_of"]

_MOST = 8  # steps of an argument
_DIGITS = (1.0, 2.0, 5.0)
_LEAST_SHARE = (
    0.1  # of the labels, that a bolder step covers beyond the one before it: fewer never earn it
)


@dataclass(frozen=True)
class AmountStep:
    """Actions up to an amount, which may be taken alone.

    Parameters
    ----------
    argument : str
        Name of the argument.
    up_to : float
    counted, bad : int, float
        Labels of actions up to it, and those that say wrong.
    tried : int
        Steps that were tested, for which the chance of an undeserved licence is corrected.
    delta_share : float
        Of that chance, what this step was tested with: its own, and that of the steps licensed before it.
    bolder : tuple of float
        Steps beyond it that enough actions reach: what the door may earn next.
    """

    argument: str
    up_to: float
    counted: int
    bad: float
    tried: int
    delta_share: float
    bolder: tuple[float, ...] = ()


def steps_of(amounts: Sequence[float]) -> tuple[float, ...]:
    """Return the steps that amounts declare: of 1, 2, 5, 10, 20, ... those that divide them, eight at most.

    Examples
    --------
    >>> steps_of([3.0, 18.5, 240.0])
    (5.0, 20.0)
    """
    found = np.asarray(amounts, dtype=np.float64)
    found = found[np.isfinite(found) & (found > 0)]
    if not len(found):
        return ()
    least, most = float(found.min()), float(found.max())
    powers = range(int(np.floor(np.log10(least))), int(np.ceil(np.log10(most))) + 1)
    steps = [digit * 10.0**power for power in powers for digit in _DIGITS]
    below = [int((found <= step).sum()) for step in steps]
    inside = [
        step
        for step, n, before in zip(steps, below, [0, *below], strict=False)
        if before < n < len(found)
    ]
    if len(inside) > _MOST:
        places = np.linspace(0, len(inside) - 1, _MOST).round().astype(int)
        inside = [inside[place] for place in places]
    return tuple(inside)


def boldest_step(
    arguments: Mapping[str, Sequence[float | None]], bad: Sequence[float], terms: LicenceTerms
) -> AmountStep | None:
    """Return the boldest step that holds a licence; None where none does.

    Parameters
    ----------
    arguments : mapping of str to sequence
        Of each numeric argument, its value in each labelled action; None where it has none.
    bad : sequence of float
        Labels, in the order of the actions.
    terms : LicenceTerms
        Of the unit as a whole: limit, and the chance that is shared by all steps of all arguments.
    """
    steps = {
        name: steps_of([one for one in values if one is not None])
        for name, values in arguments.items()
    }
    tried = sum(map(len, steps.values()))
    best: AmountStep | None = None
    for name, values in arguments.items():
        passed = 0
        for step in steps[name]:
            labels = [
                label
                for label, value in zip(bad, values, strict=True)
                if value is not None and value <= step
            ]
            share = (1 + passed) / tried
            history = replay_labels(labels, replace(terms, delta=terms.delta * share))
            passed = passed + 1 if history.granted is not None else 0
            if passed and (best is None or len(labels) > best.counted):
                bolder = _bolder_steps(steps[name], step, values)
                best = AmountStep(name, step, len(labels), sum(labels), tried, share, bolder)
    return best


def _bolder_steps(
    steps: Sequence[float], edge: float, values: Sequence[float | None]
) -> tuple[float, ...]:
    """Return steps beyond one, each of which at least a tenth of the actions reach beyond the one before it."""
    known = np.sort([one for one in values if one is not None])
    found: list[float] = []
    for step in steps:
        last = found[-1] if found else edge
        if step > last:
            below, up_to = np.searchsorted(known, [last, step], side="right")
            if up_to - below >= _LEAST_SHARE * len(known):
                found.append(step)
    return tuple(found)


def classes_by_step(
    kind: ActionClass, steps: Sequence[AmountStep | None]
) -> tuple[ActionClass, ...]:
    """Return the classes that a class becomes where a step of an amount divides it; the class where none does.

    What is up to the step keeps the share of the chance with which the step was tested. What is beyond is divided by
    the bolder steps, each of which acts alone only where all before it do. So these share one chance: that of one of as
    many steps that might have been left over. An action without the amount is of no class.

    Parameters
    ----------
    kind : ActionClass
        Of one tool, without conditions.
    steps : sequence of AmountStep or None
        The step of each agent that uses it: the most cautious divides it, if all have one of the same argument.

    Examples
    --------
    >>> step = AmountStep("amount", 50.0, 160, 0.0, tried=2, delta_share=1.0)
    >>> [(one.name, one.delta_share) for one in classes_by_step(ActionClass("refund"), [step])]
    [('amount up to 50', 1.0), ('amount over 50', 0.5)]
    """
    found = [one for one in steps if one is not None]
    if not found or len(found) < len(steps) or len({one.argument for one in found}) > 1:
        return (kind,)
    path, edge = found[0].argument, min(one.up_to for one in found)
    least = min(1 / one.tried for one in found)
    shares = [one.delta_share if one.up_to == edge else 1 / one.tried for one in found]
    cautious = next(one for one in found if one.up_to == edge)
    first, *rest = divide_class(kind, path, (edge, *cautious.bolder))
    return (
        replace(first, delta_share=min(shares)),
        *(replace(one, delta_share=least) for one in rest),
    )
