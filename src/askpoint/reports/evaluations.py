"""What `askpoint.evaluate` returns on predictions: a report that opens a policy, and whose figures are attributes."""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from askpoint.answers.live.first_policy import (
    AUDIT_RATE,
    Opening,
    OpeningQuestion,
    answer_opening,
)
from askpoint.answers.value.answer import ValueAnswer
from askpoint.answers.value.ladder import LadderAnswer
from askpoint.errors import InputError, NotEstimableError
from askpoint.live.draws import secret_hash
from askpoint.live.policy import Policy
from askpoint.measures.intervals import Interval
from askpoint.records.predictions import PredictionLog
from askpoint.records.stores.deployment import Deployment
from askpoint.reports.notebook import Report
from askpoint.reports.rule_openings import open_documents, open_ladder

__all__ = ["Estimate", "PolicyReport", "Rule", "ValueReport"]


@dataclass(frozen=True, repr=False)
class Estimate:
    """A number that is known so well.

    Parameters
    ----------
    value : float
        The estimate.
    interval : Interval or None
        Where it lies 95% of the time; None where the report gives a reason.
    n : float
        Cases that it rests on.
    unit : str
        Of the number and its interval.

    Examples
    --------
    >>> from askpoint.reports.evaluations import Estimate
    >>> from askpoint.measures.intervals import Interval
    >>> Estimate(0.88, Interval(0.855, 0.904), 2000, "of the cases")
    0.88 (0.855 to 0.904) of the cases
    >>> float(Estimate(0.88, None, 2000, "of the cases"))
    0.88
    """

    value: float
    interval: Interval | None
    n: float
    unit: str

    def __float__(self) -> float:
        return self.value

    def __repr__(self) -> str:
        between = (
            ""
            if self.interval is None
            else f" ({self.interval.lower:.4g} to {self.interval.upper:.4g})"
        )
        return f"{self.value:.4g}{between} {self.unit}"


@dataclass(frozen=True)
class Rule:
    """When the model decides alone.

    Parameters
    ----------
    name : str
        "recommended".
    threshold : float or None
        From this confidence on the model decides alone; None: it decides nothing alone.
    """

    name: str
    threshold: float | None


@dataclass(frozen=True, repr=False)
class PolicyReport(Report):
    """A report whose recommendation can open a policy: of a threshold, a ladder of rungs, or documents.

    Parameters
    ----------
    document, content, answer, reading
        As of a `Report`.

    Examples
    --------
    >>> import askpoint
    >>> import numpy as np
    >>> rng = np.random.default_rng(2)
    >>> cheap, dear = rng.random(600), rng.random(600)
    >>> label = (rng.random(600) < 1 / (1 + np.exp(8 - 4 * cheap - 12 * dear))).astype(int)
    >>> rows = {"label": label, "cheap": cheap, "dear": dear}
    >>> answer = askpoint.evaluate(
    ...     rows, rho=0.2, classes="0,1", rung=["cheap=cheap:0.01", "dear=dear:0.1"]
    ... )
    >>> answer.policy(secret=bytes(32), rate=0.1).terms.rate
    0.1
    """

    def policy(
        self,
        *,
        secret: bytes,
        name: str = "policy",
        version: str = "",
        rate: float | None = None,
        planned_decisions: int = 40_000,
        max_label_delay: int = 2000,
    ) -> Policy:
        """Open a policy from this log: it decides or asks, audits itself, and closes when it must.

        `Deployment(":memory:", policy, secret=secret)` decides by it here; `deploy` puts it into a folder. Evaluated with
        ``by=``, each group is decided by how often the model is right in it.

        Parameters
        ----------
        secret : bytes
            At least 16 random bytes; the policy holds their hash.
        name : str, default="policy"
            Its name.
        version : str, default=""
            Of the model.
        rate : float, optional
            Share of the model's own decisions that are audited; 0.05 without it.
        planned_decisions : int, default=40_000
            Decisions until a new policy comes, about.
        max_label_delay : int, default=2000
            Decisions for which it decides alone while no labels come.

        Returns
        -------
        Policy

        Raises
        ------
        InputError
            If the objective states neither a price of a mistake nor a share of mistakes, or people are asked about
            every case at once.
        NotEstimableError
            If the labels are no random sample, or too few, or the rows were only counted.
        """
        question = OpeningQuestion(
            rate=rate, planned_decisions=planned_decisions, max_label_delay=max_label_delay
        )
        opening = self._open(question, name=name, version=version, secret_hash=secret_hash(secret))
        return Policy.from_document(opening.document)

    def deploy(self, folder: str | os.PathLike[str], **terms: Any) -> Path:
        """Put a policy of this log into a folder, for ``askpoint decide``, ``label`` and ``watch``.

        Parameters
        ----------
        folder : str or path
            A new folder.
        **terms
            As for `policy`, without the secret, which is drawn and kept in the folder.

        Returns
        -------
        Path
            Of policy.json.

        Raises
        ------
        InputError
            If the folder holds a policy already; and as for `policy`.
        """
        place, secret = Path(folder), secrets.token_bytes(32)
        terms.setdefault("name", place.resolve().name)
        Deployment(place, self.policy(secret=secret, **terms), secret=secret).close()
        return place / "policy.json"

    def _open(self, question: OpeningQuestion, **terms: str) -> Opening:
        """Open what `policy` returns."""
        if isinstance(self.answer, LadderAnswer):
            return open_ladder(self.answer, question, **terms)
        return open_documents(self.answer, question, **terms)


@dataclass(frozen=True, repr=False)
class ValueReport(PolicyReport):
    """The report on a log of predictions: what to expect of the recommended rule on new cases.

    A notebook shows the page, ``print`` the words, and its representation is the first sentence. Everything
    else is in `to_dict`, the object that ``askpoint FILE --json`` prints.

    Parameters
    ----------
    document, content, answer, reading
        As of a `Report`.
    log : PredictionLog or None
        The cases; None where they were only counted, or are of several models.
    by : str or None
        The column of their groups.

    Examples
    --------
    >>> import askpoint
    >>> rows = {"label": [0, 1] * 200, "proba": [0.1, 0.9] * 200}
    >>> answer = askpoint.evaluate({name: list(cells) for name, cells in rows.items()}, rho=0.05)
    >>> answer.rule.name, float(answer.asked)
    ('recommended', 0.0)
    """

    log: PredictionLog | None = field(default=None, repr=False)
    by: str | None = None

    @property
    def decided(self) -> bool:
        """Whether the log settles what is recommended."""
        return bool(self.content["decided"])

    @property
    def rule(self) -> Rule | None:
        """When the model decides alone; None where the log allows no verdict."""
        rule = self.content["recommended"]["rule"]
        return None if rule is None else Rule(**rule)

    @property
    def asked(self) -> Estimate | None:
        """The share of the cases that go to review."""
        return self._estimate("asked", "share", "of the cases")

    @property
    def mistakes(self) -> Estimate | None:
        """The share of all cases that the model decides alone, and wrongly."""
        return self._estimate("mistakes", "share", "of the cases")

    @property
    def cost(self) -> Estimate | None:
        """The cost of checks and mistakes per 1,000 cases; None where no price was stated."""
        figure = self.content["recommended"]["cost"]
        unit = "" if figure is None else f"{figure['unit']} per 1,000 cases"
        return self._estimate("cost", "per_1000", unit)

    def _estimate(self, name: str, key: str, unit: str) -> Estimate | None:
        figure = self.content["recommended"][name]
        if figure is None:
            return None
        interval = None if figure["interval"] is None else Interval(*figure["interval"])
        return Estimate(figure[key], interval, figure["n"], unit)

    def _open(self, question: OpeningQuestion, **terms: str) -> Opening:
        answer: ValueAnswer = self.answer
        if self.log is None:
            raise NotEstimableError(
                "a policy opens from the cases of one model, in order of time; these were only counted, or are of "
                "several models. Evaluate one log without sketch="
            )
        aim, limit, delta = _terms(answer, question.rate or AUDIT_RATE)
        of_all = answer.question.objective.name == "MaxMistakes"
        right = answer.question.objective.stated.get("people_right") if of_all else None
        return answer_opening(
            self.log,
            replace(
                question,
                aim=aim,
                limit=limit,
                delta=delta,
                assumed=answer.question.is_assumed,
                of_all_cases=of_all,
                people_right=right,
            ),
            name=terms["name"],
            model={
                "name": "",
                "version": terms["version"],
                "classes": list(self.log.classes),
                "measure": answer.question.measure,
            },
            secret_hash=terms["secret_hash"],
            labels_are_random=answer.question.labels_are_random,
            by=self.by,
        )


def _terms(answer: ValueAnswer, audited: float) -> tuple[str, float, float]:
    """Return aim, limit and probability to fail of a policy that wants what the log was asked for.

    Of what people can check follows a price: a policy weighs mistakes against checks, some of which are audits.
    """
    objective = answer.question.objective
    if objective.states_price and answer.rate is not None:
        return "money", answer.rate.rho, 0.05
    stated = objective.stated
    if objective.name == "MaxError":
        return "promise", float(stated["risk"]), float(stated.get("delta") or 0.05)
    if objective.name == "MaxMistakes":
        return "promise", float(stated["share"]), float(stated["delta"])
    if objective.is_capacity and answer.tomorrow is not None and answer.days is None:
        share = objective.share_of(answer.n_items)
        return "money", 1 / answer.tomorrow.price_of_capacity(share, audited), 0.05
    raise InputError(
        f"a policy must have a price of a mistake, a share of mistakes, or what people can check; got {objective.name}. "
        "Evaluate with mistake= and check=, rho=, max_error=, max_mistakes=, or ask_at_most= and volume="
    )
