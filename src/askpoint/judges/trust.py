"""How far label-free evaluation can be trusted here, and why."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from askpoint.errors import InputError, NotEstimableError
from askpoint.judges.answers import JudgesEvaluation
from askpoint.judges.dawid_skene import evaluate_dawid_skene
from askpoint.judges.ensemble import EnsembleEvaluation, evaluate_ensemble
from askpoint.judges.sketch import VoteSketch

__all__ = ["TrustLevel", "trust_level"]

_CLAIM = 0.05
_RESIDUAL = 0.016
_SAMPLING = 0.06


@dataclass(frozen=True)
class TrustLevel:
    """Whether prevalence and accuracies can be believed without any label.

    Attributes
    ----------
    level : {"trusted", "not trusted"}
        "trusted" claims that prevalence and all accuracies of `evaluation` err by at most .05.
    reasons : tuple of str
        Why not, or what speaks for it.
    evaluation : JudgesEvaluation or None
        What the claim is about; None where there is none.
    residual : float or None
        Root mean square of what accuracies do not explain of the pairs' correlations; None with
        fewer than four judges, who can not show any.
    """

    level: str
    reasons: tuple[str, ...]
    evaluation: JudgesEvaluation | None
    residual: float | None


def trust_level(sketch: VoteSketch, *, residual: float = _RESIDUAL) -> TrustLevel:
    """Say how far the votes alone carry an evaluation.

    It is trusted if four or more judges voted on two labels, their votes vary together as those
    of independent judges do, sampling leaves little open, and two methods agree. The limit was
    set on ensembles of classifiers; `docs/judges-figures.md` shows how often it is right.

    Parameters
    ----------
    sketch : VoteSketch
    residual : float, default=0.016
        The largest residual correlation (root mean square over pairs) to trust.

    Returns
    -------
    TrustLevel

    Raises
    ------
    InputError
        If `residual` is negative.

    Examples
    --------
    >>> from askpoint.judges.sketch import VoteSketch
    >>> from askpoint.judges.trust import trust_level
    >>> sketch = VoteSketch(["ann", "bob", "cy"], ["ham", "spam"])
    >>> sketch.update_codes([[0, 0, 0], [0, 0, 1], [1, 1, 1], [1, 0, 1]], [500, 90, 400, 70])
    >>> trust = trust_level(sketch)
    >>> trust.level, trust.reasons[0]
    ('not trusted', '3 judges can not show whether they err together; add a fourth')
    """
    if not residual >= 0:
        raise InputError(f"the residual to trust must not be negative, got {residual}")
    try:
        ensemble = evaluate_ensemble(sketch)
    except (InputError, NotEstimableError) as error:
        return TrustLevel("not trusted", (str(error),), None, None)
    plain = evaluate_dawid_skene(sketch)
    voted = len(sketch.judges) - len(ensemble.undefined)
    found = None
    doubts = []
    if voted < 4:
        doubts.append(f"{voted} judges can not show whether they err together; add a fourth")
    else:
        pairs = ensemble.residuals[np.triu_indices(len(sketch.judges), 1)]
        found = float(np.sqrt(np.square(pairs).sum() * 2 / (voted * (voted - 1))))
        if found > residual:
            doubts.append(
                f"their votes vary together by {found:.3f} more or less than accuracies explain; "
                f"up to {residual:g} would be trusted"
            )
    doubts += [f"{pair.judges[0]} and {pair.judges[1]} err together" for pair in ensemble.flagged]
    if ensemble.clipped:
        doubts.append(f"the votes of {', '.join(ensemble.clipped)} contradict independence")
    width, where = _widest(ensemble)
    if width > _SAMPLING:
        doubts.append(f"too few votes: {where} is known to within {width:.2f} only")
    gap = _gap(ensemble, plain)
    if gap > _CLAIM:
        doubts.append(f"two methods that should agree differ by up to {gap:.2f}")
    if doubts:
        return TrustLevel("not trusted", tuple(doubts), plain, found)
    praise = (
        f"{voted} judges vary together as independent ones do (residual {found:.3f})",
        f"sampling leaves at most {width:.2f} open",
        f"two methods agree to within {gap:.2f}",
    )
    return TrustLevel("trusted", praise, plain, found)


def _widest(ensemble: EnsembleEvaluation) -> tuple[float, str]:
    """Half the widest interval, and of what it is."""
    intervals = ensemble.interval()
    widths = [(half.upper - half.lower, "the prevalence") for half in intervals.prevalence.values()]
    for judge, row in intervals.accuracy.items():
        for label, interval in row.items():
            if interval is not None:
                name = f"the accuracy of {judge} on {label}"
                widths.append((interval.upper - interval.lower, name))
    width, where = max(widths)
    return width / 2, where


def _gap(first: JudgesEvaluation, second: JudgesEvaluation) -> float:
    gaps = [abs(share - second.prevalence[label]) for label, share in first.prevalence.items()]
    for judge, row in first.accuracy.items():
        for label, share in row.items():
            other = second.accuracy[judge][label]
            if share is not None and other is not None:
                gaps.append(abs(share - other))
    return max(gaps)
