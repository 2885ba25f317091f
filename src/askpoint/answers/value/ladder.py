"""What a ladder of models and people does for the cases of a log."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from askpoint.errors import NotEstimableError, ObjectiveError
from askpoint.measures.inputs import FloatArray
from askpoint.records.ladder_rungs import LadderLog
from askpoint.value.ladder.choice import LadderChoice, choose_ladder
from askpoint.value.ladder.learning import LadderCases, learn_ladder
from askpoint.value.ladder.outputs import RungOutputs
from askpoint.value.ladder.prospects import LadderProspects, ladder_prospects
from askpoint.value.selection import label_selection

__all__ = ["LadderAnswer", "LadderQuestion", "RungLine", "answer_ladder"]

_FEWEST = 10


@dataclass(frozen=True)
class LadderQuestion:
    """What a mistake costs, and how often people are right.

    Parameters
    ----------
    checks : float
        Checks worth one mistake.
    money_per_check : float or None
        What a check costs in money; prices of calls are in money then.
    currency : str or None
        What that money is, such as EUR.
    people_right : float or None
        How often people are right; None: as often as the labels, always.
    assumed : bool
        Whether nobody stated the price.
    labels_are_random : bool
        Whether it is known that labels do not depend on confidence.
    seed : int
        Of folds and draws.
    """

    checks: float = 20.0
    money_per_check: float | None = None
    currency: str | None = None
    people_right: float | None = None
    assumed: bool = True
    labels_are_random: bool = False
    seed: int = 0

    @property
    def asking(self) -> float:
        """What asking costs in checks: a check, and the mistakes of people."""
        return 1 + self.checks * (1 - (1.0 if self.people_right is None else self.people_right))


@dataclass(frozen=True)
class RungLine:
    """A rung by itself.

    Parameters
    ----------
    name : str
        Its name.
    price : float
        Of a call, in checks.
    seconds : float or None
        How long a call takes.
    n_outputs, n_with_label : int
        Rows with its output, and those of them with a label.
    n_right : int
        Of the latter, those where it is right.
    alone : LadderProspects
        What happens if it alone is called, with its own threshold.
    """

    name: str
    price: float
    seconds: float | None
    n_outputs: int
    n_with_label: int
    n_right: int
    alone: LadderProspects


@dataclass(frozen=True, eq=False)
class LadderAnswer:
    """What report, page and JSON say about a ladder.

    Parameters
    ----------
    question : LadderQuestion
        What was asked.
    log : LadderLog
        The log.
    cases : LadderCases
        Its cases with prices.
    choice : LadderChoice
        What to do.
    rungs : tuple of RungLine
        Each rung by itself.
    n_complete : int
        Rows with a label and the output of every rung.
    """

    question: LadderQuestion
    log: LadderLog
    cases: LadderCases
    choice: LadderChoice
    rungs: tuple[RungLine, ...]
    n_complete: int

    @property
    def rule(self) -> str:
        """What is recommended: ladder, single or ask_all."""
        if self.choice.guard.is_used:
            return "ladder"
        return "single" if self.choice.learned.ladder.first >= 0 else "ask_all"

    @property
    def seconds(self) -> float | None:
        """How long calls take per case, on average; None where some rung's time is not stated."""
        each = [rung.seconds for rung in self.rungs]
        calls = [share.mean for share in self.choice.prospects.calls]
        if any(seconds is None for seconds, share in zip(each, calls, strict=True) if share > 0):
            return None
        return float(
            sum((seconds or 0.0) * share for seconds, share in zip(each, calls, strict=True))
        )


def answer_ladder(log: LadderLog, question: LadderQuestion) -> LadderAnswer:
    """Return which rung to call when, and what that costs.

    Parameters
    ----------
    log : LadderLog
        Cases with the outputs of the rungs; labels must be a random sample of them.
    question : LadderQuestion
        Prices.

    Returns
    -------
    LadderAnswer

    Raises
    ------
    NotEstimableError
        If labels are fewer than 10, depend on confidence, or are missing where a rung was called.
    ObjectiveError
        If a mistake costs less than a check, or people cost more than any mistake.
    """
    if question.people_right is not None and not 0 < question.people_right <= 1:
        raise ObjectiveError(
            f"--people-right must be above 0 and at most 1; got {question.people_right:g}"
        )
    if log.n_labelled < _FEWEST:
        raise NotEstimableError(
            f"a ladder takes {_FEWEST} labels or more; the log has {log.n_labelled}. Label cases drawn at random, and run "
            "every rung on them."
        )
    names = [rung.name for rung in log.requests]
    prices = np.array([rung.price for rung in log.requests], dtype=np.float64)
    cases = LadderCases(
        log.outputs, log.labelled, log.label, prices, question.checks, question.asking
    )
    for name, seen in zip(names, log.outputs.seen, strict=True):
        if not (seen & log.labelled).any():
            where = "in none of the rows" if not seen.any() else "in none of the rows with a label"
            raise NotEstimableError(
                f"the rung {name!r} has an output {where}: run it on the cases that you label, or leave it out"
            )
    if not question.labels_are_random:
        _check_labels(log, names)
    rng = np.random.default_rng(question.seed)
    choice = choose_ladder(cases, rng)
    lines = tuple(_line(log, cases, rung, rng) for rung in range(len(names)))
    complete = log.labelled & log.outputs.seen.all(axis=0)
    return LadderAnswer(question, log, cases, choice, lines, int(complete.sum()))


def _check_labels(log: LadderLog, names: list[str]) -> None:
    """Refuse labels that lie where a rung that was called everywhere was unsure."""
    for name, seen, said in zip(names, log.outputs.seen, log.outputs.log_p, strict=True):
        if not seen.all() or log.labelled.all():
            continue
        confidence: FloatArray = said.max(axis=1)
        found = label_selection(confidence, log.labelled, rng=np.random.default_rng(0))
        if found is not None and found.is_selective:
            raise NotEstimableError(
                f"labels depend on the confidence of {name!r}: {found.extremes}. Label cases drawn at random, or add "
                "--labels-are-random if you know that they were."
            )


def _line(log: LadderLog, cases: LadderCases, rung: int, rng: np.random.Generator) -> RungLine:
    request, seen = log.requests[rung], log.outputs.seen[rung]
    alone = LadderCases(
        RungOutputs(log.outputs.log_p[[rung]], log.outputs.seen[[rung]]),
        cases.labelled,
        cases.label,
        cases.prices[[rung]],
        cases.checks,
        cases.asking,
    )
    both = seen & cases.labelled
    right = log.outputs.log_p[rung, both].argmax(axis=1) == cases.label[both]
    return RungLine(
        request.name,
        request.price,
        request.seconds,
        int(seen.sum()),
        int(both.sum()),
        int(right.sum()),
        ladder_prospects(alone, learn_ladder(alone, rng), rng),
    )
