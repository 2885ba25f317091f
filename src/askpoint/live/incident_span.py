"""How many mistakes went out between two audits that were chosen after looking.

When an alarm rings, its beginning is found by looking back, and its end is where it rang: both hang on the same
audits that are then counted. An interval for a span fixed beforehand would be too short. This one holds for
all spans at once, however often one looks: given where two audits lie, those between them are a simple random
sample of the answers between them, and the span from the i-th to the j-th audit gets delta / (j * j * (j + 1)).
"""

from __future__ import annotations

from dataclasses import dataclass

from askpoint.errors import InputError
from askpoint.measures.inputs import as_level
from askpoint.measures.intervals import Interval, clopper_pearson

__all__ = ["SpanAudits", "SpanMistakes", "mistakes_in_span"]


@dataclass(frozen=True, kw_only=True)
class SpanAudits:
    """What is known of the answers from one audit to another.

    Parameters
    ----------
    answers : int
        Cases that the model decided alone strictly between the two.
    audited : int
        Those of them that were audited by chance, all with one probability, and whose label is there.
    wrong : int
        Audited ones on which the model was wrong.
    missing : int
        Audited ones without a label yet.
    wrong_ends : {0, 1, 2}
        Of the two audits at the ends, those on which it was wrong.
    looked_at : int
        Audits from the first that could have been the beginning to the end of the span.

    Raises
    ------
    InputError
        If the counts contradict each other.
    """

    answers: int
    audited: int
    wrong: int
    missing: int
    wrong_ends: int
    looked_at: int

    def __post_init__(self) -> None:
        if not (0 <= self.wrong <= self.audited and self.missing >= 0 <= self.wrong_ends <= 2):
            raise InputError(
                f"of {self.audited} audited answers {self.wrong} cannot be wrong, {self.missing} missing and "
                f"{self.wrong_ends} of the ends wrong"
            )
        inside = self.audited + self.missing
        if inside > self.answers or inside > self.looked_at:
            raise InputError(
                f"{inside} audits cannot lie among {self.answers} answers and {self.looked_at} audits looked at"
            )


@dataclass(frozen=True)
class SpanMistakes:
    """Mistakes that went out in a span.

    Parameters
    ----------
    estimate : float
        As many as the audits stand for; where labels are missing, the share among the others.
    interval : Interval
        In cases; holds the true number, whichever span was chosen after looking, with probability at least
        1 - delta.
    """

    estimate: float
    interval: Interval


def mistakes_in_span(found: SpanAudits, *, delta: float = 0.05) -> SpanMistakes:
    """Return how many mistakes went out in a span that was chosen after looking.

    Parameters
    ----------
    found : SpanAudits
        Counts of the span.
    delta : float, default=0.05
        Probability, at most, that the interval of any span misses the truth; in (0, 1).

    Returns
    -------
    SpanMistakes
        In cases. Audits without a label count as right below and as wrong above.

    Raises
    ------
    InputError
        If delta is not in (0, 1).

    References
    ----------
    Clopper and Pearson, Biometrika 26 (1934), and Bonferroni over the spans. Drawing from finitely many
    answers is less uncertain than the binomial that is used.

    Examples
    --------
    >>> from askpoint.live.incident_span import SpanAudits, mistakes_in_span
    >>> found = SpanAudits(
    ...     answers=600, audited=60, wrong=24, missing=0, wrong_ends=2, looked_at=200
    ... )
    >>> told = mistakes_in_span(found)
    >>> round(told.estimate), [round(end) for end in told.interval]
    (242, [66, 458])
    """
    delta = as_level(delta, "delta")
    inside, last = found.audited + found.missing, max(1, found.looked_at)
    level = 1 - delta / (last * last * (last + 1))
    share = found.wrong / found.audited if found.audited else 0.0
    lower = clopper_pearson(found.wrong, inside, level).lower
    upper = clopper_pearson(found.wrong + found.missing, inside, level).upper
    out = found.answers - inside
    least, most = float(found.wrong), float(found.wrong + found.missing + out)
    return SpanMistakes(
        found.wrong_ends + found.wrong + share * (found.missing + out),
        Interval(
            found.wrong_ends + max(least, found.answers * lower),
            found.wrong_ends + min(most, found.answers * upper),
        ),
    )
