"""The people who are asked err, too: how often, by gold cases and second judges, and what asking then costs.

A check whose work is worth r mistakes costs r + e, where people err on a share e of the cases
(`askpoint.value.reviewer_errors`). Golden items tell e, if they are as hard as the cases that people are given. Of
these it is known only how often two people differ: they err, on average, on half as many at least, for
where two differ one of them is wrong; what both get wrong alike is not seen. The greater of the two counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from askpoint.answers.live.first_policy import OpeningQuestion
from askpoint.measures.intervals import Interval, binomial_interval
from askpoint.reports.document import Block, Grid, Notice, Paragraph
from askpoint.reports.words import amount, count, plural, share, share_range
from askpoint.server.deployments.cases import queue_of
from askpoint.server.deployments.models import Deployment, Label, Policy
from askpoint.server.labelling.models import Vote
from askpoint.value.reviewer_errors import ReviewerErrors

__all__ = [
    "PeopleError",
    "Seen",
    "asking_blocks",
    "charge_reviewer_errors",
    "people_error",
    "price_of_check",
]

_ENOUGH = 20  # gold cases, or cases that two labelled
_NEWEST = 5000
_PEOPLE = 30  # shown
_MOST = 0.999  # of a mistake: a check that costs more is never asked for


class Seen(NamedTuple):
    """What is known of one judge: gold cases and mistakes on them; cases with another judge, and differing."""

    golden: int
    wrong: int
    shared: int
    differed: int


@dataclass(frozen=True)
class PeopleError:
    """How often people err.

    Parameters
    ----------
    judges : dict
        What is known of each, by name.
    golden, wrong : int
        Labels of gold cases, and those of them that are wrong.
    pairs, differed : int
        Cases that two labelled first, and those on which they differed.
    """

    judges: dict[str, Seen]
    golden: int
    wrong: int
    pairs: int
    differed: int

    @property
    def by_golden(self) -> Interval | None:
        """95% interval of the share of gold cases that people get wrong; None while there are too few."""
        return binomial_interval(self.wrong, self.golden) if self.golden >= _ENOUGH else None

    @property
    def by_pairs(self) -> Interval | None:
        """95% interval of half the share on which two differ, the least that people err."""
        if self.pairs < _ENOUGH:
            return None
        lower, upper = binomial_interval(self.differed, self.pairs)
        return Interval(lower / 2, upper / 2)

    @property
    def known(self) -> tuple[float, int] | None:
        """The share of cases that people get wrong, and of how many labels it is known; None if it is not."""
        found = []
        if self.by_golden is not None:
            found.append((self.wrong / self.golden, self.golden))
        if self.by_pairs is not None:
            found.append((self.differed / self.pairs / 2, self.pairs))
        return max(found, default=None)

    @property
    def share(self) -> float | None:
        """The share of cases that people get wrong; None where nothing is known."""
        return None if self.known is None else self.known[0]


def people_error(row: Deployment) -> PeopleError:
    """Return how often the people of a classifier err, by the newest of what is known."""
    labels = Label.objects.filter(policy__deployment=row, source="gold", counts=True)
    golden: dict[str, list[bool]] = {}
    for judge, wrong in labels.order_by("-pk").values_list("judge", "wrong")[:_NEWEST]:
        golden.setdefault(judge, []).append(wrong)
    twice = Vote.objects.filter(case__queue=queue_of(row.pk), case__wanted__gt=1)
    newest = twice.order_by("-pk").values_list("case", "reviewer", "choice")[:_NEWEST]
    cases: dict[str, list[tuple[str, str, str]]] = {}
    for vote in reversed(newest):
        cases.setdefault(vote[0], []).append(vote)
    pairs: dict[str, list[bool]] = {}
    differed = []
    for told in cases.values():
        first = told[:2]  # a third votes only where they differ
        if len(first) == 2:
            differed.append(first[0][2] != first[1][2])
            for _, judge, _ in first:
                pairs.setdefault(judge, []).append(differed[-1])
    judges = {
        name: Seen(
            len(golden.get(name, ())),
            sum(golden.get(name, ())),
            len(pairs.get(name, ())),
            sum(pairs.get(name, ())),
        )
        for name in sorted({*golden, *pairs})
    }
    n_golden = sum(one.golden for one in judges.values())
    n_wrong = sum(one.wrong for one in judges.values())
    return PeopleError(judges, n_golden, n_wrong, len(differed), sum(differed))


def _price(work: float, error: float | None) -> float:
    """What asking costs, in mistakes, by the library's rule."""
    people = ReviewerErrors([], [1 - (error or 0.0)], work)
    return min(float(people.rho(np.zeros(1))[0]), _MOST)


def charge_reviewer_errors(question: OpeningQuestion, found: PeopleError) -> OpeningQuestion:
    """Return what is wanted of a policy for least cost, people's mistakes charged to each check."""
    if question.aim != "money":
        return question
    return replace(question, limit=_price(question.limit, found.share))


def price_of_check(policy: Policy, limit: float, found: PeopleError) -> float:
    """Return what a check costs now, in mistakes; where people's error is not known, as it was when chosen."""
    if found.share is None:
        return limit
    return _price(limit if policy.work is None else policy.work, found.share)


def asking_blocks(work: float | None, found: PeopleError) -> Iterator[Block]:
    """Say how often people err, and what asking costs; `work` is its price in mistakes, if there is one."""
    if found.share is None:
        yield Notice(
            f"How often reviewers err is not known: there are {plural(found.golden, 'label', 'labels')} of "
            f"gold cases and {plural(found.pairs, 'case', 'cases')} that two labelled, and {_ENOUGH} of either are needed. A check is priced as if reviewers never erred. Add gold cases on Work."
        )
    else:
        yield Paragraph(_error_text(found), lead=True)
        if work is not None:
            price = _price(work, found.share)
            yield Paragraph(
                f"So a check costs {amount(price)} of a mistake: {amount(work)} for its work, and "
                f"{amount(price - work)} for what people get wrong. This price chooses policies and sets "
                "the costs shown."
            )
        yield Paragraph(
            "Gold cases show it if they are as hard as what reviewers are given; a mistake that two reviewers "
            "share is seen by gold cases only. The intervals are for looking once."
        )
    if found.judges:
        lines = [_line(name, one) for name, one in list(found.judges.items())[:_PEOPLE]]
        more = len(found.judges) - _PEOPLE
        note = f"{count(more)} more people are not shown." if more > 0 else ""
        columns = ("", "gold cases", "wrong", "95%", "with another", "differed")
        yield Grid("How often each is wrong", columns, tuple(lines), note)


def _error_text(found: PeopleError) -> str:
    said = []
    if found.by_golden is not None:
        said.append(
            f"{found.wrong:,} of {plural(found.golden, 'label', 'labels')} of gold cases are wrong "
            f"({share_range(found.by_golden)})"
        )
    if found.by_pairs is not None:
        said.append(
            f"two people differed on {found.differed:,} of {plural(found.pairs, 'case', 'cases')}, so on average "
            f"one errs on at least {share(found.differed / found.pairs / 2)} of them "
            f"({share_range(found.by_pairs)})"
        )
    least = "" if found.by_golden is not None else ", at least: add gold cases to know how often"
    both = ""
    if len(said) == 2:  # neither sees all: gold cases may be easy, and two may err alike
        both = " These are two looks at the same people, and each can miss mistakes: the greater share counts."
    return (
        f"People err on {share(found.share or 0.0)} of the cases{least}. {'; '.join(said)}.{both}"
    )


def _line(name: str, one: Seen) -> tuple[str, ...]:
    errs = share_range(binomial_interval(one.wrong, one.golden)) if one.golden else "not known"
    return (name, count(one.golden), count(one.wrong), errs, count(one.shared), count(one.differed))
