"""Documents of several fields: which to release unseen, and what that costs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from askpoint.errors import NotEstimableError
from askpoint.measures.clusters import intraclass_correlation, shares_of_clusters
from askpoint.measures.inputs import BoolArray, FloatArray, IntArray
from askpoint.records.document_logs import DocumentLog
from askpoint.value.document_rule import (
    DocumentPlan,
    DocumentPrices,
    document_costs,
    plan_by_fields,
    plan_documents,
)
from askpoint.value.posterior.group_posterior import GroupCounts, GroupPosterior, fit_groups
from askpoint.value.posterior.prospects import Expected
from askpoint.value.posterior.recommendation import expectation_of
from askpoint.value.posterior.rightness_model import RightnessModel
from askpoint.value.selection import label_selection

__all__ = [
    "DocumentAnswer",
    "DocumentQuestion",
    "FieldKind",
    "LearnedFields",
    "answer_documents",
    "field_confidence",
    "kinds_of",
    "learn_fields",
]

_FEWEST = 10
_DRAWS = 200
_NEXT = 1000  # documents of which intervals speak
_SURE = 0.9


@dataclass(frozen=True)
class DocumentQuestion:
    """What documents cost, and what is known of the labels.

    Parameters
    ----------
    prices : DocumentPrices
        In checks.
    money_per_check : float or None
        What a check costs in money, if prices were stated in it.
    currency : str or None
        What that money is, such as EUR.
    assumed : bool
        Whether nobody stated the price of a mistake.
    labels_are_random : bool
        Whether it is known that labels do not depend on confidence.
    measure : str
        Of confidence, where there are probabilities.
    seed : int
        Of the draws.
    """

    prices: DocumentPrices
    money_per_check: float | None = None
    currency: str | None = None
    assumed: bool = False
    labels_are_random: bool = False
    measure: str = "max_probability"
    seed: int = 0


@dataclass(frozen=True)
class FieldKind:
    """A kind of field.

    Parameters
    ----------
    name : str or None
        Its name; None is that of rows that name none.
    n_fields, n_labelled, n_wrong : int
        Rows, those with a label, and those of them that are wrong.
    wrong : float
        Share of the rows that is expected to be wrong.
    looked : float
        Share of the rows that people look at.
    """

    name: str | None
    n_fields: int
    n_labelled: int
    n_wrong: int
    wrong: float
    looked: float


@dataclass(frozen=True, eq=False)
class LearnedFields:
    """What is known of each field: counts of labels by kind, and the posterior of being right."""

    counts: GroupCounts
    posterior: GroupPosterior
    place: IntArray
    kind: IntArray

    @property
    def wrong(self) -> FloatArray:
        """The chance that each row is wrong."""
        return np.asarray(1 - self.posterior.right[self.kind, self.place], dtype=np.float64)


@dataclass(frozen=True, eq=False)
class DocumentAnswer:
    """What report, page and JSON say about documents.

    Parameters
    ----------
    question : DocumentQuestion
        What was asked.
    documents : DocumentLog
        The log.
    plan : DocumentPlan
        What is released, and looked at.
    wrong : ndarray of shape (n_fields,)
        The chance that each row is wrong.
    cost_per_1000 : Expected
        Of the next 1,000 documents, in checks.
    mistakes_per_1000 : Expected
        Wrong fields in them that nobody looks at.
    released : float
        Share of the documents.
    asking, answering, by_fields : float
        What 1,000 documents cost if people look at all, at none, and with a threshold for each field, in checks.
    chance_to_save : float
        That 1,000 documents cost less than if people look at all.
    kinds : tuple of FieldKind
        The kinds of fields.
    n_whole : int
        Documents with a label on every field.
    """

    question: DocumentQuestion
    documents: DocumentLog
    plan: DocumentPlan
    wrong: FloatArray
    cost_per_1000: Expected
    mistakes_per_1000: Expected
    released: float
    asking: float
    answering: float
    by_fields: float
    chance_to_save: float
    kinds: tuple[FieldKind, ...]
    n_whole: int

    @property
    def is_decided(self) -> bool:
        """Whether the labels settle that to release some documents costs less than to look at all."""
        return self.chance_to_save >= _SURE


def answer_documents(documents: DocumentLog, question: DocumentQuestion) -> DocumentAnswer:
    """Return which documents to release unseen.

    Raises
    ------
    NotEstimableError
        If labels are fewer than 10, or depend on confidence.
    """
    log = documents.log
    if log.n_labelled < _FEWEST:
        raise NotEstimableError(
            f"documents take {_FEWEST} labels of fields or more; the log has {log.n_labelled}. Label all fields of "
            "some documents drawn at random."
        )
    confidence = field_confidence(documents, question.measure)
    if not question.labels_are_random:
        _check_labels(documents, confidence)
    learned = learn_fields(documents, confidence, np.ones(log.n_labelled, dtype=np.bool_))
    prices, wrong, document = question.prices, learned.wrong, documents.document
    plan = plan_documents(wrong, document, prices)
    cost, mistakes, all_asked = _draw_next(learned, plan, documents, question)
    per_1000 = 1000 / len(documents.names)
    everything = DocumentPlan(
        np.zeros(len(documents.names), dtype=np.bool_), np.ones(log.n_items, dtype=np.bool_)
    )
    nothing = DocumentPlan(~everything.released, ~everything.looked)

    def cost_of(rule: DocumentPlan) -> float:
        return per_1000 * float(document_costs(rule, wrong, document, prices).sum())

    return DocumentAnswer(
        question=question,
        documents=documents,
        plan=plan,
        wrong=wrong,
        cost_per_1000=expectation_of(cost_of(plan), cost),
        mistakes_per_1000=expectation_of(per_1000 * float(wrong[~plan.looked].sum()), mistakes),
        released=float(plan.released.mean()),
        asking=cost_of(everything),
        answering=cost_of(nothing),
        by_fields=cost_of(plan_by_fields(wrong, document, prices)),
        chance_to_save=float((cost < all_asked).mean()) if plan.released.any() else 0.0,
        kinds=_kinds(documents, learned, plan),
        n_whole=int((np.bincount(document, ~log.labelled) == 0).sum()),
    )


def field_confidence(documents: DocumentLog, measure: str) -> FloatArray:
    """Return how sure the model is of each field."""
    log = documents.log
    return log.scores("max_probability" if log.proba is None else measure).astype(np.float64)


def learn_fields(documents: DocumentLog, confidence: FloatArray, kept: BoolArray) -> LearnedFields:
    """Learn how often fields are right from the kept labels; those of one document count as they are alike."""
    log, document = documents.log, documents.document
    rows = np.flatnonzero(log.labelled)[kept]
    outcome = log.right[kept]
    model = RightnessModel().fit(confidence[rows], outcome, confidence)
    share: FloatArray = np.ones(len(rows))
    if len(rows):
        deviations = outcome - model.predict(confidence[rows])
        alike = intraclass_correlation(deviations, document[rows])
        share = shares_of_clusters(document[rows], alike)
    right, wrong = np.zeros(log.n_items), np.zeros(log.n_items)
    right[rows], wrong[rows] = outcome * share, ~outcome * share
    names, kind = kinds_of(documents)
    evidence = model.evidence_.with_labels(confidence[rows], right[rows], wrong[rows])
    model.fit_evidence(evidence)
    # the last kind stands for those that the log does not have
    counts = GroupCounts.of_cases(evidence, kind, len(names) + 1, confidence, right, wrong)
    posterior = fit_groups(counts, model.right_, evidence)
    return LearnedFields(counts, posterior, evidence.group_of(confidence), kind)


def kinds_of(documents: DocumentLog) -> tuple[tuple[str | None, ...], IntArray]:
    """Return the kinds of fields that occur, and that of each row; one kind where no column names them."""
    group = documents.log.group
    if group is None:
        return (None,), np.zeros(documents.log.n_items, dtype=np.int64)
    used, codes = np.unique(group.codes, return_inverse=True)
    return tuple(group.names[code] for code in used.tolist()), codes


def _check_labels(documents: DocumentLog, confidence: FloatArray) -> None:
    log = documents.log
    found = label_selection(
        confidence, log.labelled, cluster=documents.document, rng=np.random.default_rng(0)
    )
    if found is not None and found.is_selective:
        raise NotEstimableError(
            f"labels depend on confidence: {found.extremes}. Label all fields of documents drawn at random, or add "
            "--labels-are-random if you know that they were."
        )


def _draw_next(
    learned: LearnedFields, plan: DocumentPlan, documents: DocumentLog, question: DocumentQuestion
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Draw what the next 1,000 documents cost, their mistakes, and what they cost if people look at all."""
    document, prices = documents.document, question.prices
    # kinds are drawn together: what is worse than thought in one is in the others
    rates = [
        learned.posterior.draw(kind, _DRAWS, np.random.default_rng(question.seed))
        for kind in range(int(learned.kind.max()) + 1)
    ]
    table = np.stack(rates)
    rng = np.random.default_rng(question.seed + 1)
    n = len(documents.names)
    fields = np.bincount(document, minlength=n)
    found = np.empty((3, _DRAWS))
    for i in range(_DRAWS):
        truth = (rng.random(len(document)) >= table[learned.kind, i, learned.place]).astype(float)
        drawn = rng.integers(0, n, _NEXT)
        found[0, i] = document_costs(plan, truth, document, prices)[drawn].sum()
        found[1, i] = np.bincount(document, truth * ~plan.looked, n)[drawn].sum()
        found[2, i] = (prices.opening + prices.field * fields)[drawn].sum()
    return found[0], found[1], found[2]


def _kinds(
    documents: DocumentLog, learned: LearnedFields, plan: DocumentPlan
) -> tuple[FieldKind, ...]:
    names, kind = kinds_of(documents)
    log = documents.log
    n = np.bincount(kind, minlength=len(names))
    labels = np.bincount(kind[log.labelled], minlength=len(names))
    wrong = np.bincount(kind[log.labelled][~log.right], minlength=len(names))
    expected = np.bincount(kind, learned.wrong, len(names))
    looked = np.bincount(kind, plan.looked, len(names))
    return tuple(
        FieldKind(
            name, int(n[i]), int(labels[i]), int(wrong[i]), expected[i] / n[i], looked[i] / n[i]
        )
        for i, name in enumerate(names)
    )
