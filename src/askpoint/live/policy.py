"""A policy in use, in Python: decide, then tell it what was found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from askpoint.errors import InputError
from askpoint.live.alarms import apply_gold_labels
from askpoint.live.documents import PolicyDocument
from askpoint.live.draws import audit_draws, secret_hash
from askpoint.live.events import Event
from askpoint.live.first_log import learn_from_log
from askpoint.live.labels import apply_labels
from askpoint.live.state import UNKNOWN, State, fresh_state
from askpoint.live.steps import Decisions, decide_cases
from askpoint.live.terms import Terms
from askpoint.live.worth import LivePrices, Worth, worth_so_far
from askpoint.measures.inputs import as_finite, as_right, as_same_length

if TYPE_CHECKING:
    from askpoint.value.classifier import SelectiveClassifier

__all__ = ["Policy"]


class _Row(NamedTuple):
    seq: int
    confidence: float
    answer: bool
    audit: bool
    propensity: float
    episode: int


class Policy:
    """A policy that answers or asks, audits itself and closes when it must.

    A small class around pure steps: its state is a value, `policy.state`, and the same rows in the
    same order give the same state whatever batches they come in.

    Parameters
    ----------
    document : PolicyDocument
        What it opened with.
    secret : bytes
        At least 16 random bytes; keep them to yourself until the policy closes, for whoever knows
        them foresees which answers are audited.
    classifier : SelectiveClassifier, optional
        Fitted; then `decide` takes its cases instead of confidences.

    Raises
    ------
    InputError
        If the secret is another than the document's.

    Examples
    --------
    >>> import numpy as np
    >>> from askpoint import Policy, Terms
    >>> rng = np.random.default_rng(0)
    >>> confidence = rng.uniform(0.5, 1, 2000)
    >>> right = rng.random(2000) < confidence
    >>> policy = Policy.from_log(
    ...     confidence, right, Terms("money", 0.2), secret=b"sixteen or more!", name="demo"
    ... )
    >>> made = policy.decide([0.55, 0.99], ["post-1", "post-2"])
    >>> made.answer.tolist()
    [False, True]
    >>> policy.update({"post-1": True})
    ()
    >>> policy.decide([0.55], ["post-1"]).answer.tolist()  # a key decides once
    [False]
    >>> policy.state.decided
    2
    """

    def __init__(
        self,
        document: PolicyDocument,
        secret: bytes,
        classifier: SelectiveClassifier | None = None,
    ) -> None:
        if secret_hash(secret) != document.secret_hash:
            raise InputError(
                f"this secret is not the one that policy {document.id!r} promised by its hash; "
                "find the secret of its folder"
            )
        self.document = document
        self.classifier = classifier
        self.state: State = document.state
        self.events: list[Event] = []
        self._secret = secret
        self._rows: dict[str, _Row] = {}

    @classmethod
    def from_log(
        cls,
        confidence: ArrayLike,
        right: ArrayLike,
        terms: Terms,
        *,
        secret: bytes,
        name: str = "policy",
        model: Mapping[str, Any] | None = None,
    ) -> Policy:
        """Begin with what a log knows.

        Parameters
        ----------
        confidence : array-like of shape (n_items,)
            Of labelled cases, in order of time.
        right : array-like of bool of shape (n_items,)
            Whether the model was right. Labels must be a random sample of the cases: where people
            looked on purpose, begin from nothing instead.
        terms : Terms
            Aim, limit, audits and mistake budget.
        secret : bytes
            At least 16 random bytes.
        name : str, default="policy"
            Its name; draws depend on it.
        model : mapping, optional
            Name, version and classes of the model.

        Returns
        -------
        Policy
        """
        score = as_finite(confidence, "confidence").astype(np.float64)
        outcome = as_right(right)
        as_same_length(score, outcome, ("confidence", "right"))
        state = learn_from_log(score, ~outcome, terms)
        evidence = {"rows": len(score), "labelled": len(score)}
        return cls(
            PolicyDocument(name, terms, state, dict(model or {}), secret_hash(secret), evidence),
            secret,
        )

    @classmethod
    def from_classifier(
        cls,
        classifier: SelectiveClassifier,
        X: Any,
        y: ArrayLike,
        terms: Terms,
        *,
        secret: bytes,
        name: str = "policy",
        version: str = "",
    ) -> Policy:
        """Put a classifier into use; the policy takes over its threshold.

        Parameters
        ----------
        classifier : SelectiveClassifier
            Fitted, on other cases.
        X, y
            Randomly chosen cases in order of time, and their true classes.
        terms, secret, name
            As for `from_log`.
        version : str, default=""
            Of the model.

        Returns
        -------
        Policy
            Its `decide` takes cases as `classifier.predict` does.
        """
        made = classifier.decide(X)
        model = {"version": version, "classes": [str(label) for label in classifier.classes_]}
        right = made.labels == np.asarray(y)
        first = cls.from_log(made.confidence, right, terms, secret=secret, name=name, model=model)
        return cls(first.document, secret, classifier)

    @classmethod
    def from_nothing(
        cls,
        terms: Terms,
        *,
        secret: bytes,
        name: str = "policy",
        model: Mapping[str, Any] | None = None,
    ) -> Policy:
        """Begin by asking everything.

        Parameters
        ----------
        terms, secret, name, model
            As for `from_log`.

        Returns
        -------
        Policy
        """
        document = PolicyDocument(
            name, terms, fresh_state(terms), dict(model or {}), secret_hash(secret)
        )
        return cls(document, secret)

    @property
    def terms(self) -> Terms:
        """What was agreed."""
        return self.document.terms

    def decide(
        self, cases: Any, keys: Sequence[str], *, rate: ArrayLike | None = None
    ) -> Decisions:
        """Decide cases in their order; a key that was decided keeps its decision.

        Parameters
        ----------
        cases : array-like of shape (n_items,), or of shape (n_items, n_features)
            The model's confidences; with a classifier the cases themselves.
        keys : sequence of str
            Name of each case.
        rate : array-like of shape (n_items,), optional
            Audit rates where a suspicion raises them, set without a look at the draws; the
            agreed one is the least.

        Returns
        -------
        Decisions

        Raises
        ------
        InputError
            If a key comes again with another confidence, or twice in the batch with two; if a
            rate lies below the agreed one or above 1.
        """
        if self.classifier is not None:
            cases = self.classifier.decide(cases).confidence
        score = as_finite(cases, "confidence").astype(np.float64)
        as_same_length(score, keys, ("confidence", "keys"))
        given = dict(zip(keys, score.tolist(), strict=True))
        for key, value in zip(keys, score.tolist(), strict=True):
            known = self._rows[key].confidence if key in self._rows else given[key]
            if known != value:
                raise InputError(
                    f"the key {key!r} was decided with confidence {known:g} and comes again with "
                    f"{value:g}; a key names one case: give the new case a new key"
                )
        new = [key for key in given if key not in self._rows]
        rates = None
        if rate is not None:
            shares = as_finite(rate, "rate").astype(np.float64)
            as_same_length(shares, keys, ("rate", "keys"))
            if not ((shares >= self.terms.rate) & (shares <= 1)).all():
                raise InputError(
                    f"a suspicion raises audits, from {self.terms.rate:g} to 1 at most, and lowers "
                    f"them nowhere; got rates from {shares.min():g} to {shares.max():g}"
                )
            by_key = dict(zip(keys, shares.tolist(), strict=True))
            rates = np.array([by_key[key] for key in new])
        first = self.state.decided
        draws = audit_draws(self._secret, self.document.id, new)
        values = np.array([given[key] for key in new])
        self.state, made, events = decide_cases(self.state, self.terms, values, draws, rates)
        self.events += events
        for i, (key, *row) in enumerate(zip(new, values.tolist(), *map(_plain, made), strict=True)):
            self._rows[key] = _Row(first + i, *row)
        rows = [self._rows[key] for key in keys]
        return Decisions(
            np.array([row.answer for row in rows], dtype=np.bool_),
            np.array([row.audit for row in rows], dtype=np.bool_),
            np.array([row.propensity for row in rows], dtype=np.float64),
            np.array([row.episode for row in rows], dtype=np.int64),
        )

    def update(self, labels: Mapping[str, bool]) -> tuple[Event, ...]:
        """Take in whether the model was right on asked and audited cases.

        Parameters
        ----------
        labels : mapping of key to bool
            In the order in which they came. Of a case that was neither asked nor audited a label
            changes nothing: such feedback comes as it likes, and shows nothing.

        Returns
        -------
        tuple of Event
            What it set off.

        Raises
        ------
        InputError
            If a key was never decided.
        """
        unknown = [key for key in labels if key not in self._rows]
        if unknown:
            raise InputError(
                f"{len(unknown)} labels name cases that were never decided, first {unknown[0]!r}"
            )
        seq = np.array([self._rows[key].seq for key in labels], dtype=np.int64)
        right = np.array(list(labels.values()), dtype=np.bool_)
        self.state, events = apply_labels(self.state, self.terms, seq, ~right)
        self.events += events
        return tuple(events)

    def check_people(self, right: Sequence[bool]) -> tuple[Event, ...]:
        """Take in whether people were right on golden items, cases of known truth in their queue.

        Parameters
        ----------
        right : sequence of bool
            In the order in which they answered.

        Returns
        -------
        tuple of Event
            An alarm on people, if this raised one; `drifted_party` of all events says whose alarms
            there were.
        """
        wrong = ~np.asarray(right, dtype=np.bool_)
        self.state, events = apply_gold_labels(self.state, wrong)
        self.events += events
        return tuple(events)

    def wanted(self) -> list[str]:
        """Keys whose label is awaited: what was asked and what is audited.

        Returns
        -------
        list of str
            In the order of decisions.
        """
        pending = self.state.pending
        open_ = set(pending["seq"][pending["wrong"] == UNKNOWN].tolist())
        return [key for key, row in self._rows.items() if row.seq in open_]

    def worth(self, prices: LivePrices, *, delta: float = 0.05) -> Worth:
        """What it cost and saved so far, valid however often one looks.

        Parameters
        ----------
        prices : LivePrices
            What a mistake, a check and an audit cost.
        delta : float, default=0.05
            Probability that the interval ever fails.

        Returns
        -------
        Worth
        """
        return worth_so_far(self.state, self.terms, prices, delta=delta)

    def successor(self) -> PolicyDocument:
        """The next version of the document, with the state of now, chained to this one.

        Returns
        -------
        PolicyDocument
        """
        return replace(
            self.document,
            state=self.state,
            version=self.document.version + 1,
            previous=self.document.digest,
        )


def _plain(array: Any) -> list[Any]:
    return list(array.tolist())
