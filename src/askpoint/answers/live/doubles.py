"""Cases that two people labelled: how often people err, as far as people can show it."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from askpoint.live.draws import DOUBLED, draws_double
from askpoint.live.terms import Terms
from askpoint.measures.intervals import Interval
from askpoint.measures.mixture_sequence import total_interval

__all__ = ["Doubles", "answer_doubles", "cases_to_label_again"]

_ENOUGH = 100  # doubled audits from which on their mistakes are taken out of the model's
_COMPLETE = 0.9  # of the doubled audits must be settled for that
_SOURCES = ("asked", "audit")


@dataclass(frozen=True)
class Doubles:
    """What second and third labels show.

    Parameters
    ----------
    cases : int
        Labelled by two people.
    differ, open : int
        Those with two different labels, and among them those that no third label has settled.
    blamed, missed : int
        Right answers that the first label called mistakes, and mistakes that it called right, as settled.
    audits : int
        Audited answers among the cases that were drawn for it.
    mistakes : Interval or None
        Expected mistakes among the answers, those of the first labels taken out, valid at all times; None
        while too few audits are doubled.
    """

    cases: int
    differ: int
    open: int
    blamed: int
    missed: int
    audits: int
    mistakes: Interval | None

    @property
    def errors(self) -> int:
        """First labels that were wrong, as settled."""
        return self.blamed + self.missed


def cases_to_label_again(decisions: pl.DataFrame, labels: pl.DataFrame) -> pl.DataFrame:
    """Return what needs another person: a fifth of what was labelled, and two labels that differ.

    The label is empty, for who sees it is led by it; `labelled_by` names who must not label it again.
    """
    votes = _votes(labels)
    found = _with_draw(decisions, votes).filter(
        ((pl.col("n") == 1) & pl.col("doubled")) | ((pl.col("n") == 2) & (pl.col("n_labels") == 2))
    )
    return found.select(
        "key",
        "content",
        pl.lit("").alias("label"),
        pl.lit("").alias("judge"),
        pl.col("judges").list.join(", ").alias("labelled_by"),
    )


def answer_doubles(decisions: pl.DataFrame, labels: pl.DataFrame, terms: Terms) -> Doubles | None:
    """Say what labels of two people and more show; None where there are none.

    A case is settled by what two of three people say. Mistakes of people are taken out of those of the
    model on the audits drawn for it alone, each interval at a third of delta.
    """
    votes = _with_draw(decisions, _votes(labels)).filter(pl.col("n") >= 2)
    if votes.is_empty():
        return None
    first, second, third = (pl.col("votes").list.get(i, null_on_oob=True) for i in range(3))
    votes = votes.with_columns(
        differ=first != second,
        settled=pl.when(first == second).then(first).otherwise(third),
    ).with_columns(
        blamed=(first != pl.col("prediction")) & (pl.col("settled") == pl.col("prediction")),
        missed=(first == pl.col("prediction")) & (pl.col("settled") != pl.col("prediction")),
    )
    drawn = votes.filter(pl.col("audit") & pl.col("doubled"))
    return Doubles(
        cases=len(votes),
        differ=int(votes["differ"].sum()),
        open=int(votes["settled"].is_null().sum()),
        blamed=int(votes["blamed"].sum()),
        missed=int(votes["missed"].sum()),
        audits=len(drawn),
        mistakes=_correct_counts(decisions, labels, drawn, terms),
    )


def _correct_counts(
    decisions: pl.DataFrame, labels: pl.DataFrame, drawn: pl.DataFrame, terms: Terms
) -> Interval | None:
    audits = _with_draw(decisions, _votes(labels)).filter(pl.col("audit"))
    due = int(audits["doubled"].sum())
    settled = drawn.filter(pl.col("settled").is_not_null())
    if len(settled) < max(_ENOUGH, _COMPLETE * due):
        return None
    weight = terms.rate / pl.col("propensity")
    wrong = audits.filter(pl.col("votes").list.first() != pl.col("prediction"))
    delta = terms.delta / 3
    seen, blamed, missed = (
        total_interval(float(frame.select(weight).sum().item()), delta=delta)
        for frame in (
            wrong,
            settled.filter(pl.col("blamed")),
            settled.filter(pl.col("missed")),
        )
    )
    both = terms.rate * DOUBLED
    answered = int((decisions["action"] == "answer").sum())
    lower = seen.lower / terms.rate - blamed.upper / both + missed.lower / both
    upper = seen.upper / terms.rate - blamed.lower / both + missed.upper / both
    return Interval(max(0.0, lower), min(float(answered), max(0.0, upper)))


def _votes(labels: pl.DataFrame) -> pl.DataFrame:
    """The labels of each case, the first of each person, in the order in which they came."""
    return (
        labels.filter(pl.col("source").is_in(_SOURCES))
        .unique(["key", "judge"], keep="first", maintain_order=True)
        .group_by("key", maintain_order=True)
        .agg(pl.col("label").alias("votes"), pl.col("judge").alias("judges"))
        .with_columns(n=pl.col("votes").list.len(), n_labels=pl.col("votes").list.n_unique())
    )


def _with_draw(decisions: pl.DataFrame, votes: pl.DataFrame) -> pl.DataFrame:
    found = decisions.join(votes, on="key", how="inner", maintain_order="left")
    return found.with_columns(doubled=pl.Series(draws_double(found["drawn"].to_numpy())))
